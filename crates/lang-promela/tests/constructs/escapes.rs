//! `timeout` and `else`: what may happen when nothing else can.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "timeout_alone",
        text: "
            byte x;
            active proctype A() { timeout; x = 1; timeout -> x = 2 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_waits_for_all",
        text: "
            byte x;
            active proctype A() { timeout -> x = 5 }
            active proctype B() { x = 1; x = 2; x == 5; x = 6 }
        ",
        states: 9,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "two_timeouts",
        text: "
            byte x;
            active proctype A() { timeout -> x = x + 1 }
            active proctype B() { timeout -> x = x + 2 }
        ",
        states: 11,
        transitions: 11,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_in_a_loop",
        text: "
            chan q = [1] of { byte }; byte n;
            active proctype A() { do :: n < 2 -> if :: q!1 :: timeout -> n++; q?_ fi :: n == 2 -> break od }
        ",
        states: 15,
        transitions: 14,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_in_an_expression",
        text: "
            byte x;
            active proctype A() { if :: timeout && x == 0 -> x = 1 :: x == 1 -> x = 2 fi; !timeout; x = 3 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_and_else",
        text: "
            byte x;
            active proctype A() { if :: timeout -> x = 1 :: else -> x = 2 fi }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_beside_a_rendezvous",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: q!1 -> x = 1 :: timeout -> x = 2 fi; if :: q!1 -> x = 3
                :: timeout -> x = 4 fi }
            active proctype B() { byte y; x == 5; q?y }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "timeout_in_an_atomic",
        text: "
            byte x;
            active proctype A() { atomic { x = 1; timeout; x = 2 } }
            active proctype B() { x == 1; x = 3 }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_not_while_an_atomic_goes_on",
        text: "
            byte x;
            active proctype A() { atomic { x == 1; x = 2; x = 3 } }
            active proctype B() { timeout; x = 1 }
        ",
        states: 7,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_that_never_helps",
        text: "
            byte x;
            active proctype A() { timeout && x == 1; x = 2 }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "else_beside_a_rendezvous_send",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: q!1 -> x = 1 :: else -> x = 2 fi }
            active proctype B() { byte y; x == 0; q?y }
        ",
        states: 11,
        transitions: 11,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "else_beside_a_rendezvous_receive",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; if :: q?y -> x = 1 :: else -> x = 2 fi }
            active proctype B() { q!1 }
        ",
        states: 8,
        transitions: 8,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "else_beside_a_buffered_channel",
        text: "
            chan q = [1] of { byte }; byte x;
            active proctype A() { byte y; if :: q?y -> x = 1 :: else -> x = 2 fi }
            active proctype B() { q!1; if :: q!2 -> x = 3 :: else -> x = 4 fi }
        ",
        states: 41,
        transitions: 48,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_and_provided",
        text: "
            byte x;
            active proctype A() provided (x == 0) { timeout; x = 1; x = 2 }
            active proctype B() { timeout; x = 0 }
        ",
        states: 13,
        transitions: 13,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "else_first_beside_a_rendezvous_send",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { if :: else -> x = 2 :: q!1 -> x = 1 fi }
            active proctype B() { byte y; x == 0; q?y }
        ",
        states: 11,
        transitions: 11,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "timeout_first_in_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { timeout; x = 1 }; x = 2 }
            active proctype Q() { x == 0; x = 3; x == 2 }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_with_priorities",
        text: "
            byte x;
            active proctype P() priority 3 { timeout; x = 1; timeout -> x = 2 }
            active proctype Q() { x = 3; x = 4; x == 2; x = 5 }
        ",
        states: 11,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "timeout_in_an_escape_excludes_timeout_behind_it",
        text: "
            byte x; byte y;
            active proctype P() { { timeout -> x = 1 } unless { timeout -> y = 1 } }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
];
