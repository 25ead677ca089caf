//! Which states are valid ends, and labels that change nothing.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(end_labels: states 1, transitions 0, "
            byte x;
            active proctype A() { end: x == 1; x = 2 }
            active proctype B() { end_here: do :: x == 5 -> break od }
        "),
    case!(end_label_of_one_only: states 1, transitions 0, invalid_end, "
            byte x;
            active proctype A() { end: x == 1 }
            active proctype B() { x == 5 }
        "),
    case!(end_label_on_a_loop: states 12, transitions 15, "
            chan q = [1] of { byte }; byte n;
            active proctype A() { byte y; end: do :: q?y -> n = y od }
            active proctype B() { q!1; q!2 }
        "),
    case!(end_label_in_the_middle: states 2, transitions 1, "
            byte x;
            active proctype A() { x = 1; endless: if :: x == 2 -> skip :: x == 3 -> skip fi }
        "),
    case!(end_label_inside_an_atomic: states 2, transitions 1, "
            byte x;
            active proctype A() { atomic { x = 1; end: x == 2; x = 3 } }
        "),
    case!(end_label_on_an_atomic: states 1, transitions 0, "
            byte x;
            active proctype A() { end: atomic { x == 2; x = 3 } }
        "),
    case!(end_label_on_a_block: states 1, transitions 0, "
            byte x;
            active proctype A() { end: { x == 2; x = 3 } }
        "),
    case!(dead_processes_are_a_valid_end: states 6, transitions 5, "
            byte x;
            active proctype A() { x = 1 }
            active proctype B() { x == 1; x = 2 }
        "),
    case!(channel_not_empty_at_the_end: states 3, transitions 2, "
            chan q = [1] of { byte };
            active proctype A() { q!1 }
        "),
    case!(accept_and_progress_labels: states 8, transitions 7, "
            byte x;
            active proctype A() { accept: x = 1; progress: x = 2; do :: accept1: x == 2 -> x = 3
                :: x == 3 -> progress_a: x = 4; break od }
        "),
    case!(never_claim_is_left_out: states 4, transitions 3, "
            byte x;
            active proctype A() { x = 1; x = 2 }
            never { do :: x == 1 -> break :: else od; accept: do :: true od }
        "),
    case!(ltl_is_left_out: states 4, transitions 3, "
            byte x;
            active proctype A() { x = 1; x = 2 }
            ltl p { [] (x < 2) }
        "),
    case!(nonprogress: states 5, transitions 4, "
            byte x;
            active proctype A() { x = 1; progress: x = 2; x = 3 }
            never { do :: np_ -> skip :: else od }
        "),
    case!(end_label_on_an_option_does_not_help: states 1, transitions 0, invalid_end, "
            byte x;
            active proctype A() { do :: end: x == 1 -> x = 2 :: x == 3 -> skip od }
        "),
    case!(end_label_on_a_block_with_a_loop: states 3, transitions 2, invalid_end, "
            byte x;
            active proctype A() { end: { do :: x == 2 -> x = 3 :: x == 0 -> x = 1 od } }
        "),
    case!(end_label_under_an_unless: states 2, transitions 1, "
            byte x;
            active proctype A() { { x = 1; end: x == 3; x = 4 } unless { x == 2 } }
        "),
];
