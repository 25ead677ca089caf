//! Channels without room, and who has the floor after a handshake.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(rendezvous_of_two: states 7, transitions 7, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { q!1; q!2; x = 9 }
            active proctype Q() { q?x; q?x }
        "),
    case!(rendezvous_needs_a_partner: states 1, transitions 0, invalid_end, "
            chan q = [0] of { byte };
            active proctype P() { q!1 }
        "),
    case!(rendezvous_with_oneself_is_none: states 1, transitions 0, invalid_end, "
            chan q = [0] of { byte };
            active proctype P() { if :: q!1 :: q?1 fi }
        "),
    case!(several_receivers: states 20, transitions 27, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { q!1; q!2 }
            active [2] proctype Q() { byte y; q?y; x = x + y }
        "),
    case!(several_senders: states 20, transitions 32, "
            chan q = [0] of { byte }; byte x;
            active [2] proctype P() { q!_pid; x++ }
            active proctype Q() { byte y; q?y; q?y }
        "),
    case!(rendezvous_constants_must_match: states 5, transitions 4, "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { q!1, 5 }
            active proctype Q() { if :: q?2, x -> x = 20 :: q?1, x -> x = x + 10 fi }
        "),
    case!(rendezvous_constants_that_never_match: states 1, transitions 0, invalid_end, "
            chan q = [0] of { byte };
            active proctype P() { q!1 }
            active proctype Q() { q?2 }
        "),
    case!(rendezvous_with_eval: states 6, transitions 5, "
            chan q = [0] of { byte }; byte x = 3, y;
            active proctype P() { q!3; q!4 }
            active proctype Q() { q?eval(x); y = 1; q?eval(x + y) }
        "),
    case!(rendezvous_in_options: states 50, transitions 66, invalid_end, "
            chan a = [0] of { byte }; chan b = [0] of { byte }; byte x;
            active proctype P() { do :: a!1 :: b!2 :: x > 3 -> break od }
            active proctype Q() { byte y; do :: x < 5 -> if :: a?y -> x = x + y :: b?y -> x = x + y fi
                :: x >= 5 -> break od }
        "),
    case!(several_ways_to_receive_in_one_process: states 13, transitions 12, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { q!1 }
            active proctype Q() { byte y; if :: q?1 -> x = 1 :: q?y -> x = 2 :: q?_ -> x = 3 fi }
        "),
    case!(sender_in_an_atomic_loses_the_floor: states 14, transitions 15, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { atomic { x = 1; q!2; x = 3; x = 4 } }
            active proctype Q() { byte y; q?y; x = 5; x = 6 }
        "),
    case!(receiver_in_an_atomic_goes_on: states 34, transitions 49, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { q!2; x = 1 }
            active proctype Q() { byte y; atomic { q?y; x = 5; x = 6 }; x = 7 }
            active proctype R() { x = 9 }
        "),
    case!(both_sides_in_an_atomic: states 11, transitions 11, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { atomic { x = 1; q!2; x = 3; x = 4 } }
            active proctype Q() { byte y; atomic { q?y; x = 5; x = 6 }; x = 7 }
        "),
    case!(receive_last_in_an_atomic: states 15, transitions 17, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { atomic { x = 1; q!2; x = 3 } }
            active proctype Q() { byte y; atomic { x = 5; q?y }; x = 7 }
        "),
    case!(chain_of_rendezvous_in_atomics: states 12, transitions 17, "
            chan a = [0] of { byte }; chan b = [0] of { byte }; byte x;
            active proctype P() { atomic { x = 1; a!1; x = x + 1; x = x + 2 } }
            active proctype Q() { byte y; atomic { a?y; x = 10; b!y; x = x + 3 } }
            active proctype R() { byte z; atomic { b?z; x = 20; x = 21 } }
        "),
    case!(answer_by_rendezvous_in_atomics: states 13, transitions 16, invalid_end, "
            chan a = [0] of { byte }; chan b = [0] of { byte }; byte x;
            active proctype P() { byte r; atomic { a!1; b?r; x = r }; x = 0 }
            active proctype Q() { byte y; do :: atomic { a?y; y = y + 1; b!y } od }
            active proctype R() { x = 9 }
        "),
    case!(rendezvous_blocked_in_an_atomic: states 9, transitions 9, "
            chan q = [0] of { byte }; byte x;
            active proctype P() { atomic { x = 1; q!2; x = 3 } }
            active proctype Q() { byte y; x == 1; x = 4; q?y }
        "),
    case!(rendezvous_array: states 6, transitions 5, "
            chan q[2] = [0] of { byte }; byte x;
            active proctype P() { q[0]!1; q[1]!2 }
            active proctype Q() { byte y; q[0]?y; q[1]?y; x = y }
        "),
    case!(channel_of_either_kind_as_parameter: states 20, transitions 27, "
            chan a = [0] of { byte }; chan b = [1] of { byte }; byte x;
            proctype S(chan c; byte v) { c!v }
            proctype R(chan c) { byte y; c?y; x = x + y }
            init { atomic { run S(a, 1); run S(b, 2); run R(a); run R(b) } }
        "),
    case!(bool_and_mtype_rendezvous: states 7, transitions 7, "
            mtype = { req, rep };
            chan q = [0] of { mtype, bool }; bool f;
            active proctype P() { q!req, 1; q?rep, f; assert(f == 0) }
            active proctype Q() { bool g; q?req, g; q!rep, !g }
        "),
    case!(receive_into_an_array_cell: states 5, transitions 4, "
            chan q = [0] of { byte, byte }; byte a[3];
            active proctype P() { q!1, 2 }
            active proctype Q() { byte i; q?i, a[2]; assert(a[2] == 2) }
        "),
    case!(send_reads_before_receive_writes: states 5, transitions 4, "
            chan q = [0] of { byte, byte }; byte x = 1, y = 2;
            active proctype P() { q!x, y }
            active proctype Q() { q?y, x; assert(x == 2 && y == 1) }
        "),
    case!(exclusive_channels: states 7, transitions 6, "
            chan q = [1] of { byte };
            active proctype P() { xs q; q!1; q!2 }
            active proctype Q() { xr q; byte x; q?x; q?x }
        "),
    case!(synchronous_channel_without_message_content: states 9, transitions 8, invalid_end, "
            chan q = [0] of { bit };
            active proctype P() { do :: q!0 od }
            active proctype Q() { byte n; do :: n < 2 -> q?0; n++ :: n == 2 -> break od }
        "),
    case!(len_of_a_rendezvous_channel: states 5, transitions 4, "
            chan q = [0] of { byte };
            active proctype P() { assert(len(q) == 0); q!1 }
            active proctype Q() { byte y; q?y }
        "),
    case!(rendezvous_then_the_end_of_an_if_in_an_atomic: states 21, transitions 28, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { atomic { if :: q!1 :: q!2 fi }; x = 2 }
            active proctype B() { byte y; q?y; x = 3 }
        "),
    case!(rendezvous_then_goto_in_an_atomic: states 14, transitions 16, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { atomic { q!1; goto L }; x = 7; L: x = 2 }
            active proctype B() { byte y; q?y; x = 3 }
        "),
    case!(rendezvous_then_break_in_an_atomic: states 30, transitions 38, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { do :: atomic { q!1; break } :: atomic { q!2; x = 1 } od; x = 2 }
            active proctype B() { byte y; q?y; x = 3; q?y }
        "),
    case!(rendezvous_in_an_if_in_an_atomic_with_more_behind: states 16, transitions 19, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { atomic { if :: q!1 fi; x = 8; x = 9 }; x = 2 }
            active proctype B() { byte y; q?y; x = 3 }
        "),
    case!(rendezvous_before_the_last_of_an_atomic: states 16, transitions 19, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { atomic { if :: q!1 :: x == 3 fi; x = 9 }; x = 2 }
            active proctype B() { byte y; q?y; x = 3 }
        "),
    case!(question_and_answer_in_two_atomics: states 8, transitions 8, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; atomic { q?y; x = 2; q!3; x = 4 } }
            active proctype B() { byte z; atomic { q!1; x = 5; q?z; x = 7 } }
        "),
    case!(receive_inside_an_atomic: states 6, transitions 5, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; atomic { x = 1; q?y; x = 2 } }
            active proctype B() { q!1; x = 7 }
        "),
    case!(d_proctype_that_two_listen_to: states 4, transitions 3, invalid_end, "
            byte x; chan q = [0] of { byte };
            active D_proctype P() { q!x }
            active[2] proctype Q() { q?x }
        "),
];
