//! Channels with room: queues, sorted sends, peeks and polls.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(fifo: states 17, transitions 22, "
            chan q = [3] of { byte }; byte x;
            active proctype P() { q!1; q!2; q!3 }
            active proctype Q() { q?x; assert(x == 1); q?x; assert(x == 2); q?x }
        "),
    case!(full_channel_blocks: states 35, transitions 51, invalid_end, "
            chan q = [2] of { byte };
            active proctype P() { byte i; do :: i < 4 -> q!i; i++ :: else -> break od }
            active proctype Q() { byte y; do :: q?y od }
        "),
    case!(send_to_a_full_channel_for_ever: states 2, transitions 1, invalid_end, "
            chan q = [1] of { byte };
            active proctype P() { q!1; q!2 }
        "),
    case!(several_fields: states 11, transitions 12, "
            mtype = { data, ack };
            chan q = [2] of { mtype, byte, bool };
            active proctype P() { q!data, 3, true; q!ack(4, false) }
            active proctype Q() { byte x; bool b; q?data(x, b); assert(x == 3 && b); q?ack, x, b; assert(x == 4) }
        "),
    case!(mtype_constants_must_match: states 11, transitions 10, "
            mtype = { data, ack };
            chan q = [2] of { mtype, byte }; byte x;
            active proctype P() { if :: q!data, 1 :: q!ack, 2 fi }
            active proctype Q() { if :: q?data, x -> x = x + 10 :: q?ack, x -> x = x + 20 fi }
        "),
    case!(constants_that_do_not_match_block: states 3, transitions 2, invalid_end, "
            chan q = [2] of { byte };
            active proctype P() { q!1; q!2 }
            active proctype Q() { q?2; q?1 }
        "),
    case!(negative_constants_in_receives: states 4, transitions 3, invalid_end, "
            chan q = [1] of { int };
            active proctype P() { q!-3; q?-3; q!4; q?-4 }
        "),
    case!(eval_of_a_variable: states 9, transitions 8, "
            chan q = [2] of { byte }; byte x = 2, y;
            active proctype P() { q!2; q!3; q?eval(x); q?eval(x + 1); q!5; q?y; assert(y == 5) }
        "),
    case!(eval_of_a_pid: states 14, transitions 18, "
            chan q = [2] of { pid, byte };
            active [2] proctype P() { byte y; q!_pid, 7; q?eval(_pid), y }
        "),
    case!(receive_assigns_left_to_right: states 5, transitions 4, "
            chan q = [1] of { byte, byte }; byte a[3]; byte i;
            active proctype P() { q!2, 7; q?i, a[i]; assert(a[2] == 7 && a[0] == 0) }
        "),
    case!(sorted_send: states 10, transitions 9, "
            chan q = [4] of { byte };
            active proctype P() { q!!3; q!!1; q!!2; q!!1; q?1; q?1; q?2; q?3 }
        "),
    case!(sorted_send_of_several_fields: states 10, transitions 9, "
            chan q = [4] of { byte, byte };
            active proctype P() { q!!2, 1; q!!1, 9; q!!2, 0; q!!1, 3; q?1, 3; q?1, 9; q?2, 0; q?2, 1 }
        "),
    case!(sorted_send_into_an_unsorted_channel: states 8, transitions 7, "
            chan q = [4] of { byte };
            active proctype P() { q!5; q!2; q!!3; q?3; q?5; q?2 }
        "),
    case!(sorted_send_of_wide_values: states 8, transitions 7, "
            chan q = [3] of { byte };
            active proctype P() { q!!50; q!!300; q!!45; q?45; q?50; q?44 }
        "),
    case!(random_receive: states 11, transitions 10, "
            chan q = [3] of { byte, byte }; byte x;
            active proctype P() { q!1, 5; q!2, 6; q!1, 7; q??2, x; assert(x == 6); q??1, x; assert(x == 5); q?1, x;
                assert(x == 7) }
        "),
    case!(random_receive_without_constants: states 6, transitions 5, "
            chan q = [2] of { byte }; byte x;
            active proctype P() { q!1; q!2; q??x; assert(x == 1) }
        "),
    case!(random_receive_blocks: states 11, transitions 14, "
            chan q = [2] of { byte };
            active proctype P() { q!1; q??3 }
            active proctype Q() { q!3 }
        "),
    case!(peek: states 12, transitions 11, "
            chan q = [2] of { byte }; byte x, y;
            active proctype P() { q!1; q!2; q?<x>; assert(x == 1 && len(q) == 2); q??<2>; q??<y>; q?<1>; q?x; q?y;
                assert(y == 2) }
        "),
    case!(random_peek_with_variable: states 8, transitions 7, "
            chan q = [3] of { byte, byte }; byte x;
            active proctype P() { q!1, 3; q!2, 4; q??<2, x>; assert(x == 4 && len(q) == 2); q??2, x; q?<1, x> }
        "),
    case!(polls: states 11, transitions 10, "
            chan q = [2] of { byte, byte }; byte x = 1;
            active proctype P() { assert(!(q?[1, 2])); q!1, 2; q!3, 4; assert(q?[1, 2]); assert(!(q?[3, 4]));
                assert(q??[3, 4]); assert(q?[eval(x), 2]); if :: q?[1, 3] -> x = 9 :: q??[3, 4] -> x = 2 fi }
        "),
    case!(poll_with_a_variable: states 10, transitions 9, "
            chan q = [2] of { byte, byte }; byte x = 7;
            active proctype P() { q!1, 2; if :: q?[1, x] -> x++ :: q??[x, 2] -> x-- fi; assert(x != 2) }
        "),
    case!(channel_functions: states 9, transitions 8, "
            chan q = [2] of { byte };
            active proctype P() { assert(empty(q) && nfull(q) && len(q) == 0); q!1;
                assert(nempty(q) && nfull(q) && len(q) == 1); q!2; assert(full(q) && nempty(q)); if
                :: full(q) -> q?_ :: empty(q) -> skip fi }
        "),
    case!(channel_functions_guard: states 31, transitions 42, "
            chan q = [1] of { byte }; byte n;
            active proctype P() { do :: empty(q) -> q!1 :: n == 2 -> break od }
            active proctype Q() { do :: nempty(q) && n < 2 -> q?_; n++ :: n == 2 -> break od }
        "),
    case!(arrays_of_channels: states 15, transitions 14, "
            chan q[3] = [1] of { byte }; byte x;
            active proctype P() { byte i; do :: i < 3 -> q[i]!i; i++ :: else -> break od; q[2]?x; assert(x == 2);
                q[0]?x }
        "),
    case!(channel_names_are_numbers: states 8, transitions 7, "
            chan a = [1] of { byte }; chan b = [1] of { byte }; byte x;
            active proctype P() { x = a; assert(x == 1); x = b; assert(x == 2); if :: a < b -> x = 3 :: else fi }
        "),
    case!(channel_assigned: states 6, transitions 5, "
            chan a = [1] of { byte }; chan b; byte x;
            active proctype P() { b = a; b!5; a?x; assert(x == 5) }
        "),
    case!(channels_of_channels: states 8, transitions 8, "
            chan a = [1] of { chan }; chan b = [1] of { byte };
            active proctype P() { a!b; b?7 }
            active proctype Q() { chan c; a?c; c!7 }
        "),
    case!(channel_parameters: states 7, transitions 6, "
            chan a = [1] of { byte }; chan b = [0] of { byte };
            proctype R(chan in; chan out) { byte x; in?x; out!x + 1 }
            init { run R(a, b); a!4; b?5 }
        "),
    case!(local_channels: states 19, transitions 24, "
            proctype R(chan out; byte n) { out!n }
            init { chan c = [1] of { byte }; byte x; run R(c, 3); c?x; assert(x == 3); run R(c, 4); c?x }
        "),
    case!(local_channels_of_two: states 13, transitions 18, "
            active [2] proctype P() { chan c = [1] of { byte }; c!_pid; c?eval(_pid) }
        "),
    case!(local_channels_die_with_their_process: states 19, transitions 18, "
            chan up = [0] of { chan };
            byte n;
            proctype R() { chan c = [1] of { byte }; up!c; c?_ }
            active proctype P() { chan d; do :: n < 2 -> run R(); up?d; d!1; (_nr_pr == 1); n++
                :: else -> break od }
        "),
    case!(local_array_of_channels: states 6, transitions 5, "
            active proctype P() { chan c[2] = [1] of { byte }; c[0]!1; c[1]!2; c[1]?2; c[0]?1 }
        "),
    case!(eval_sees_what_was_before: states 4, transitions 3, invalid_end, "
            chan q = [1] of { byte, byte }; byte i = 1;
            active proctype P() { q!2, 1; q?i, eval(i); q!3, 3; q?i, eval(i) }
        "),
    case!(receive_that_does_not_match_leaves_variables: states 5, transitions 4, "
            chan q = [1] of { byte, byte }; byte i = 1;
            active proctype P() { q!2, 2; if :: q?i, 3 :: q?_, _ fi; assert(i == 1) }
        "),
    case!(channel_numbers_are_used_again: states 23, transitions 26, "
            byte n; chan up = [1] of { chan };
            proctype R() { chan c = [1] of { byte }; up!c }
            active proctype P() { chan d; do :: n < 2 -> run R(); up?d; assert(d == 2); (_nr_pr == 1); n++
                :: else -> break od }
        "),
    case!(bit_that_is_a_message: states 11, transitions 11, assertion, "
            chan q = [1] of { bit }; chan r = [0] of { bool }; byte x, y;
            active proctype P() { q!2; r!300; q!!3 }
            active proctype Q() { q?x; r?y; assert(x == 0 || y != 44); q?[3]; q?3 }
        "),
];
