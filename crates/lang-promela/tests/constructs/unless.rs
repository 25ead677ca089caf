//! `unless`: which way out comes first.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "unless_takes_over",
        text: "
            byte x;
            active proctype A() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 7 } }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_from_outside",
        text: "
            byte x; bool stop;
            active proctype A() { { do :: x = 1 - x od } unless { stop -> x = 5 }; x = 6 }
            active proctype B() { stop = true }
        ",
        states: 15,
        transitions: 21,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_is_tested_at_each_statement",
        text: "
            byte x; bool stop;
            active proctype A() { { x = 1; x == 9; x = 3 } unless { stop; x = 5 } }
            active proctype B() { stop = true }
        ",
        states: 13,
        transitions: 17,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_a_choice",
        text: "
            byte x; byte e;
            active proctype A() { { x = 1; x = 2 } unless { if :: e == 1 -> x = 5 :: e > 0 -> x = 6 fi } }
            active proctype B() { e = 1 }
        ",
        states: 24,
        transitions: 33,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_of_a_single_statement",
        text: "
            byte x; byte e;
            active proctype A() { x = 1 unless e == 1; x = 2 }
            active proctype B() { e = 1 }
        ",
        states: 12,
        transitions: 16,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_nested",
        text: "
            byte x, e;
            active proctype A() { { { x = 1; x = 2 } unless { e == 1 -> x = 5; x = 6 } } unless { e == 2 -> x = 7 }
                }
            active proctype B() { e = 1; e = 2 }
        ",
        states: 35,
        transitions: 47,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_in_the_escape",
        text: "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { { e == 1 -> x = 5; x = 6 } unless { e == 2 -> x = 7 } }
                }
            active proctype B() { e = 1; e = 2 }
        ",
        states: 35,
        transitions: 47,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_over_an_atomic",
        text: "
            byte x, e;
            active proctype A() { { x = 1; atomic { x = 2; x = 3; x = 4 }; x = 5 } unless { e == 1 -> x = 7 } }
            active proctype B() { e = 1 }
        ",
        states: 22,
        transitions: 29,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_escape_set_within_an_atomic",
        text: "
            byte x, e;
            active proctype A() { { atomic { x = 2; e = 1; x = 3; x = 4 }; x = 5 } unless { e == 1 -> x = 7 } }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_escape_is_an_atomic",
        text: "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { atomic { e == 1 -> x = 7; x = 8 } } }
            active proctype B() { e = 1; x = 3 }
        ",
        states: 17,
        transitions: 21,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_else",
        text: "
            byte x, e;
            active proctype A() { { if :: e == 2 -> x = 1 :: else -> x = 2 fi; x = 3 } unless { e == 1 -> x = 7 } }
            active proctype B() { e = 1 }
        ",
        states: 20,
        transitions: 26,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_a_rendezvous_receive",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; { x = 1; x = 2 } unless { q?y -> x = 5 } }
            active proctype B() { q!1 }
        ",
        states: 10,
        transitions: 12,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "unless_with_a_rendezvous_send",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { { x = 1; x = 2 } unless { q!1 -> x = 5 } }
            active proctype B() { byte y; x == 1; q?y }
        ",
        states: 9,
        transitions: 9,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "unless_around_a_rendezvous_receive",
        text: "
            chan q = [0] of { byte }; byte x, e;
            active proctype A() { byte y; { q?y; x = 2 } unless { e == 1 -> x = 5 } }
            active proctype B() { e = 1; q!1 }
        ",
        states: 11,
        transitions: 12,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "unless_around_a_rendezvous_send",
        text: "
            chan q = [0] of { byte }; byte x, e;
            active proctype A() { { q!1; x = 2 } unless { e == 1 -> x = 5 } }
            active proctype B() { byte y; e = 1; q?y }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "unless_with_a_buffered_receive",
        text: "
            chan q = [1] of { byte }; byte x;
            active proctype A() { byte y; { do :: x = 1 - x od } unless { q?y -> x = 5 } }
            active proctype B() { q!1 }
        ",
        states: 13,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_a_d_step",
        text: "
            byte x, e;
            active proctype A() { { x = 1; d_step { x = 2; x = 3 }; x = 4 } unless { e == 1 -> x = 5 } }
            active proctype B() { e = 1 }
        ",
        states: 22,
        transitions: 29,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_escape_is_a_d_step",
        text: "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { d_step { e == 1; x = 5; x = 6 } } }
            active proctype B() { e = 1 }
        ",
        states: 13,
        transitions: 15,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_goto_out",
        text: "
            byte x, e;
            active proctype A() { { x = 1; if :: x == 1 -> goto L :: x == 1 -> x = 2 fi; x = 3 } unless {
                e == 1 -> x = 5 }; x = 6; L: x = 7 }
            active proctype B() { e = 1 }
        ",
        states: 33,
        transitions: 51,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_break",
        text: "
            byte x, e;
            active proctype A() { do :: x = 1; { x = 2; break } unless { e == 1 -> x = 5; break } od; x = 6 }
            active proctype B() { e = 1 }
        ",
        states: 17,
        transitions: 24,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_with_timeout",
        text: "
            byte x, e;
            active proctype A() { { x == 9 } unless { timeout -> x = 5 } }
            active proctype B() { e = 1 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_whose_main_part_is_blocked",
        text: "
            byte x;
            active proctype A() { { x == 9; x = 2 } unless { x == 5 -> x = 6 } }
            active proctype B() { x = 5; x = 9 }
        ",
        states: 19,
        transitions: 21,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_whose_escape_is_always_enabled",
        text: "
            byte x;
            active proctype A() { { x = 1; x = 2 } unless { true -> x = 6 }; x = 7 }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_in_an_atomic",
        text: "
            byte x;
            active proctype A() { atomic { x = 1; { x = 2; x = 3; x = 4 } unless { x == 3 -> x = 6 }; x = 5 } }
            active proctype B() { x = 9 }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_in_a_d_step_is_not_seen",
        text: "
            byte x;
            active proctype A() { d_step { x = 1; { x = 2; x = 3; x = 4 } unless { true -> x = 6 } };
                assert(x == 4) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "unless_around_a_d_step",
        text: "
            byte x, e;
            active proctype A() { { d_step { x = 1; e = 1; x = 2 }; x = 3 } unless { e == 1 -> x = 6 } }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "escapes_of_an_escape_come_along_where_that_has_the_lesser_number",
        text: "
            short sh; byte x; int z = 255; chan q2 = [2] of { byte, bit };
            init {
                byte lv0;
                do
                :: do :: { lv0 = 3; q2?lv0,x } unless { { sh < 1 } unless { (z); progress2: lv0 = 1 } } od; break
                :: x == 2 -> break
                od
            }
        ",
        states: 5,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "a_label_before_a_block_is_that_of_the_whole_unless",
        text: "
            byte x;
            active proctype P() {
                byte y;
                L1: { goto L2 } unless { atomic { { x = y } unless { atomic { y-- } }; L2: x = 2 } }
            }
        ",
        states: 4,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "a_receive_in_an_outer_escape_takes_the_message",
        text: "
            chan q = [0] of { byte }; byte x; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; { { x == 5; x = 6 } unless { q?a; y = 1 } } unless { q?a; y = 2 } }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "receives_in_escapes_that_want_other_values",
        text: "
            chan q = [0] of { byte }; byte x; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; { { q?a; x = 6 } unless { q?1; y = 1 } } unless { q?2; y = 2 } }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: true,
    },
];
