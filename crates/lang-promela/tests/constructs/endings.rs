//! Which states are valid ends, and labels that change nothing.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "end_labels",
        text: "
            byte x;
            active proctype A() { end: x == 1; x = 2 }
            active proctype B() { end_here: do :: x == 5 -> break od }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_of_one_only",
        text: "
            byte x;
            active proctype A() { end: x == 1 }
            active proctype B() { x == 5 }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "end_label_on_a_loop",
        text: "
            chan q = [1] of { byte }; byte n;
            active proctype A() { byte y; end: do :: q?y -> n = y od }
            active proctype B() { q!1; q!2 }
        ",
        states: 12,
        transitions: 15,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_in_the_middle",
        text: "
            byte x;
            active proctype A() { x = 1; endless: if :: x == 2 -> skip :: x == 3 -> skip fi }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_inside_an_atomic",
        text: "
            byte x;
            active proctype A() { atomic { x = 1; end: x == 2; x = 3 } }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_on_an_atomic",
        text: "
            byte x;
            active proctype A() { end: atomic { x == 2; x = 3 } }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_on_a_block",
        text: "
            byte x;
            active proctype A() { end: { x == 2; x = 3 } }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "dead_processes_are_a_valid_end",
        text: "
            byte x;
            active proctype A() { x = 1 }
            active proctype B() { x == 1; x = 2 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "channel_not_empty_at_the_end",
        text: "
            chan q = [1] of { byte };
            active proctype A() { q!1 }
        ",
        states: 3,
        transitions: 2,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "accept_and_progress_labels",
        text: "
            byte x;
            active proctype A() { accept: x = 1; progress: x = 2; do :: accept1: x == 2 -> x = 3
                :: x == 3 -> progress_a: x = 4; break od }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "never_claim_is_left_out",
        text: "
            byte x;
            active proctype A() { x = 1; x = 2 }
            never { do :: x == 1 -> break :: else od; accept: do :: true od }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "ltl_is_left_out",
        text: "
            byte x;
            active proctype A() { x = 1; x = 2 }
            ltl p { [] (x < 2) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nonprogress",
        text: "
            byte x;
            active proctype A() { x = 1; progress: x = 2; x = 3 }
            never { do :: np_ -> skip :: else od }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_label_on_an_option_does_not_help",
        text: "
            byte x;
            active proctype A() { do :: end: x == 1 -> x = 2 :: x == 3 -> skip od }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "end_label_on_a_block_with_a_loop",
        text: "
            byte x;
            active proctype A() { end: { do :: x == 2 -> x = 3 :: x == 0 -> x = 1 od } }
        ",
        states: 3,
        transitions: 2,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "end_label_under_an_unless",
        text: "
            byte x;
            active proctype A() { { x = 1; end: x == 3; x = 4 } unless { x == 2 } }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
];
