//! Models that fail as they run: where Spin reports an error, stops, or dies.

use super::super::Failure;

pub const FAILURES: &[Failure] = &[
    Failure {
        name: "index_too_large",
        text: "
            byte a[2]; byte i = 2;
            active proctype P() { a[i] = 1 }
        ",
        spin: "assertion violated - invalid array index",
    },
    Failure {
        name: "index_negative",
        text: "
            byte a[2]; int i = -1;
            active proctype P() { byte x; x = a[i] }
        ",
        spin: "assertion violated - invalid array index",
    },
    Failure {
        name: "index_in_a_condition",
        text: "
            byte a[2]; byte i = 5, x;
            active proctype P() { if :: a[i] == 0 -> x = 1 :: else -> x = 2 fi }
        ",
        spin: "assertion violated - invalid array index",
    },
    Failure {
        name: "constant_index_too_large",
        text: "
            byte a[2];
            active proctype P() { a[3] = 1 }
        ",
        spin: "assertion violated - invalid array index",
    },
    Failure {
        name: "division_by_zero",
        text: "
            byte x, y;
            active proctype P() { x = 1; x = x / y; x = 2 }
        ",
        spin: "dies of a division",
    },
    Failure {
        name: "remainder_by_zero",
        text: "
            byte x, y;
            active proctype P() { x = 1; x = x % y; x = 2 }
        ",
        spin: "dies of a division",
    },
    Failure {
        name: "division_by_zero_in_a_condition",
        text: "
            byte x, y;
            active proctype P() { if :: x / y == 0 -> x = 1 :: true -> x = 2 fi }
        ",
        spin: "dies of a division",
    },
    Failure {
        name: "blocked_in_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; x == 2; x = 3 } }
        ",
        spin: "block in d_step seq",
    },
    Failure {
        name: "no_option_in_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; if :: x == 2 -> x = 3 :: x == 4 -> x = 5 fi } }
        ",
        spin: "blocking sel in d_step (nr.0, near line 2)",
    },
    Failure {
        name: "full_channel_in_a_d_step",
        text: "
            chan q = [1] of { byte };
            active proctype P() { d_step { q!1; q!2 } }
        ",
        spin: "block in d_step seq",
    },
    Failure {
        name: "rendezvous_in_a_d_step",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype P() { d_step { x = 1; q!2 } }
            active proctype Q() { byte y; q?y }
        ",
        spin: "rv-attempt in d_step",
    },
    Failure {
        name: "rendezvous_first_in_a_d_step",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype P() { d_step { q!2; x = 1 } }
            active proctype Q() { byte y; q?y }
        ",
        spin: "rv-attempt in d_step",
    },
    Failure {
        name: "receive_from_no_channel",
        text: "
            chan q; byte x;
            active proctype P() { x = 1; q?x; x = 2 }
        ",
        spin: "ref to uninitialized chan name (len)",
    },
    Failure {
        name: "len_of_no_channel",
        text: "
            chan q; byte x;
            active proctype P() { x = len(q) }
        ",
        spin: "ref to uninitialized chan name (len)",
    },
    Failure {
        name: "poll_of_a_rendezvous_channel",
        text: "
            chan q = [0] of { byte };
            active proctype P() { if :: q?[1] -> skip :: else -> skip fi }
        ",
        spin: "error to poll rendezvous channel",
    },
    Failure {
        name: "too_few_fields_sent",
        text: "
            chan q = [1] of { byte, byte };
            active proctype P() { q!1 }
        ",
        spin: "too few parameters in send stmnt",
    },
    Failure {
        name: "too_few_fields_received",
        text: "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { q!1, 2; q?x }
        ",
        spin: "missing pars in receive",
    },
    Failure {
        name: "too_few_fields_received_anywhere",
        text: "
            chan q = [2] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q!3,4; q??3; x = 7 }
        ",
        spin: "missing pars in receive",
    },
    Failure {
        name: "too_few_fields_received_hand_to_hand",
        text: "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { q!1,2; x = 7 }
            active proctype Q() { q?x; x = 9 }
        ",
        spin: "missing pars in receive",
    },
    Failure {
        name: "too_few_constants_received",
        text: "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q?1; x = 7 }
        ",
        spin: "wrong nr of msg fields in rcv",
    },
    Failure {
        name: "too_few_constants_received_hand_to_hand",
        text: "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { q!1,2; x = 7 }
            active proctype Q() { q?1; x = 9 }
        ",
        spin: "wrong nr of msg fields in rcv",
    },
    Failure {
        name: "too_few_fields_sent_to_nobody",
        text: "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { q!1; x = 7 }
            active proctype Q() { x = 1; x = 2 }
        ",
        spin: "too few parameters in send stmnt",
    },
    Failure {
        name: "too_few_fields_sent_hand_to_hand",
        text: "
            chan q = [0] of { byte, byte }; byte x, y;
            active proctype P() { q!1; x = 7 }
            active proctype Q() { q?x,y }
        ",
        spin: "too few parameters in send stmnt",
    },
    Failure {
        name: "fields_of_a_channel_that_is_a_variable",
        text: "
            chan a = [1] of { byte, byte }; chan b; byte x;
            active proctype P() { b = a; b!1; b?x }
        ",
        spin: "too few parameters in send stmnt",
    },
    Failure {
        name: "channel_of_a_dead_process",
        text: "
            chan up = [0] of { chan }; byte x;
            proctype R() { chan c = [1] of { byte }; up!c }
            active proctype P() { chan d; run R(); up?d; (_nr_pr == 1); d!1 }
        ",
        spin: "bad queue - q_full",
    },
    Failure {
        name: "send_to_no_channel",
        text: "
            chan q; byte x;
            active proctype P() { x = 1; q!1; x = 2 }
        ",
        spin: "too many pars in send",
    },
    Failure {
        name: "block_as_option_in_a_d_step",
        text: "
            byte x; byte y;
            active proctype P0() { d_step { skip; if :: { x > 1; y = 1 } :: { x > 0; y = 2 } :: y = 3 fi } }
        ",
        spin: "block in d_step seq",
    },
    Failure {
        name: "choice_as_option_in_a_d_step",
        text: "
            byte x; byte y;
            active proctype P0() { d_step { skip; if :: if :: x > 1; y = 1 fi :: x > 0; y = 2  :: y = 3 fi } }
        ",
        spin: "blocking sel in d_step",
    },
    Failure {
        name: "enabled_of_oneself",
        text: "
            byte x;
            active proctype P() { enabled(0); x = 1 }
            active proctype Q() { x = 2 }
        ",
        spin: "used: enabled(pid=thisproc)",
    },
    Failure {
        name: "last_blocks_a_d_step",
        text: "
            active[2] proctype P0()  {
                d_step { ((1 == _pid)); (_last) };}
        ",
        spin: "block in d_step seq",
    },
    Failure {
        name: "choice_in_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { if :: x == 0 -> x = 1 :: x < 2 -> x = 2 fi }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "timeouts_in_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { if :: timeout -> x = 3 :: timeout -> x = 4 fi }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "receives_in_a_d_proctype",
        text: "
            byte x; chan q = [0] of { byte };
            active D_proctype P() { if :: q?x :: q?_ fi }
            active proctype Q() { q!1 }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "sends_in_a_d_proctype",
        text: "
            byte x; chan q = [0] of { byte };
            active D_proctype P() { if :: q!x :: q!2 fi }
            active proctype Q() { q?x }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "else_in_a_choice_of_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { if :: if :: x > 1 :: else -> x = 2 fi :: x == 0 -> x = 1 fi }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "a_send_without_receiver_is_a_second_statement",
        text: "
            chan r = [0] of { bit };
            byte x; byte y;
            active D_proctype P() { if :: x = 1 :: r!1 fi }
        ",
        spin: "non-determinism in D_proctype",
    },
    Failure {
        name: "send_to_a_channel_that_is_gone",
        text: "
            chan g;
            proctype W() { chan me = [1] of { byte }; g = me }
            init { run W(); _nr_pr == 1; g!1 }
        ",
        spin: "bad queue - q_full",
    },
    Failure {
        name: "receive_from_a_channel_that_is_gone_among_two_kinds",
        text: "
            chan g; chan r = [0] of { byte };
            proctype W() { chan me = [1] of { byte }; g = me }
            init { byte v; run W(); _nr_pr == 1; g?v }
        ",
        spin: "bad queue q-zero",
    },
];
