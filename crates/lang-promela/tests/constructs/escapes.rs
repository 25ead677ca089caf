//! `timeout` and `else`: what may happen when nothing else can.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(timeout_alone: states 6, transitions 5, "
            byte x;
            active proctype A() { timeout; x = 1; timeout -> x = 2 }
        "),
    case!(timeout_waits_for_all: states 9, transitions 8, "
            byte x;
            active proctype A() { timeout -> x = 5 }
            active proctype B() { x = 1; x = 2; x == 5; x = 6 }
        "),
    case!(two_timeouts: states 11, transitions 11, "
            byte x;
            active proctype A() { timeout -> x = x + 1 }
            active proctype B() { timeout -> x = x + 2 }
        "),
    case!(timeout_in_a_loop: states 15, transitions 14, "
            chan q = [1] of { byte }; byte n;
            active proctype A() { do :: n < 2 -> if :: q!1 :: timeout -> n++; q?_ fi :: n == 2 -> break od }
        "),
    case!(timeout_in_an_expression: states 6, transitions 5, "
            byte x;
            active proctype A() { if :: timeout && x == 0 -> x = 1 :: x == 1 -> x = 2 fi; !timeout; x = 3 }
        "),
    case!(timeout_and_else: states 4, transitions 3, "
            byte x;
            active proctype A() { if :: timeout -> x = 1 :: else -> x = 2 fi }
        "),
    case!(timeout_beside_a_rendezvous: states 5, transitions 4, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: q!1 -> x = 1 :: timeout -> x = 2 fi; if :: q!1 -> x = 3
                :: timeout -> x = 4 fi }
            active proctype B() { byte y; x == 5; q?y }
        "),
    case!(timeout_in_an_atomic: states 7, transitions 6, "
            byte x;
            active proctype A() { atomic { x = 1; timeout; x = 2 } }
            active proctype B() { x == 1; x = 3 }
        "),
    case!(timeout_not_while_an_atomic_goes_on: states 7, transitions 7, "
            byte x;
            active proctype A() { atomic { x == 1; x = 2; x = 3 } }
            active proctype B() { timeout; x = 1 }
        "),
    case!(timeout_that_never_helps: states 1, transitions 0, invalid_end, "
            byte x;
            active proctype A() { timeout && x == 1; x = 2 }
        "),
    case!(else_beside_a_rendezvous_send: states 11, transitions 11, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: q!1 -> x = 1 :: else -> x = 2 fi }
            active proctype B() { byte y; x == 0; q?y }
        "),
    case!(else_beside_a_rendezvous_receive: states 8, transitions 8, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; if :: q?y -> x = 1 :: else -> x = 2 fi }
            active proctype B() { q!1 }
        "),
    case!(else_beside_a_buffered_channel: states 41, transitions 48, "
            chan q = [1] of { byte }; byte x;
            active proctype A() { byte y; if :: q?y -> x = 1 :: else -> x = 2 fi }
            active proctype B() { q!1; if :: q!2 -> x = 3 :: else -> x = 4 fi }
        "),
    case!(timeout_and_provided: states 13, transitions 13, invalid_end, "
            byte x;
            active proctype A() provided (x == 0) { timeout; x = 1; x = 2 }
            active proctype B() { timeout; x = 0 }
        "),
    case!(else_first_beside_a_rendezvous_send: states 11, transitions 11, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: else -> x = 2 :: q!1 -> x = 1 fi }
            active proctype B() { byte y; x == 0; q?y }
        "),
    case!(timeout_first_in_a_d_step: states 8, transitions 7, "
            byte x;
            active proctype P() { d_step { timeout; x = 1 }; x = 2 }
            active proctype Q() { x == 0; x = 3; x == 2 }
        "),
    case!(timeout_with_priorities: states 11, transitions 10, "
            byte x;
            active proctype P() priority 3 { timeout; x = 1; timeout -> x = 2 }
            active proctype Q() { x = 3; x = 4; x == 2; x = 5 }
        "),
    case!(timeout_in_an_escape_excludes_timeout_behind_it: states 4, transitions 3, "
            byte x; byte y;
            active proctype P() { { timeout -> x = 1 } unless { timeout -> y = 1 } }
        "),
];
