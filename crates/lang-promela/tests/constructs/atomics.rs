//! What an `atomic` hides, what it shows when it blocks, and where it ends.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(atomic_hides_what_is_inside: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 4 }
            active proctype Q() { x = 9 }
        "),
    case!(atomic_of_one_statement: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1 }; x = 2 }
            active proctype Q() { x = 9 }
        "),
    case!(atomic_waits_at_its_first_statement: states 8, transitions 7, invalid_end, "
            byte x;
            active proctype P() { atomic { x == 2; x = 3; x = 4 } }
            active proctype Q() { x = 2; x = 5 }
        "),
    case!(atomic_blocked_inside_lets_others_go: states 15, transitions 16, invalid_end, "
            byte x;
            active proctype P() { atomic { x = 1; x == 2; x = 3; x = 4 } }
            active proctype Q() { x = 2; x = 5 }
        "),
    case!(atomic_blocked_inside_twice: states 23, transitions 26, invalid_end, "
            byte x, y;
            active proctype P() { atomic { x = 1; y == 1; x = 3; y == 2; x = 4 } }
            active proctype Q() { y = 1; y = 2; x = 7 }
        "),
    case!(atomic_blocked_for_ever: states 2, transitions 1, invalid_end, "
            byte x;
            active proctype P() { atomic { x = 1; x == 2; x = 3 } }
        "),
    case!(two_blocked_atomics: states 8, transitions 8, "
            byte x, y;
            active proctype P() { atomic { x = 1; y == 1; x = 2; y = 2 } }
            active proctype Q() { atomic { y = 1; x == 2; y = 3; x = 3 } }
        "),
    case!(nested_atomics: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(two_atomics_in_a_row: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
            active proctype Q() { x = 9 }
        "),
    case!(goto_out_of_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; goto L }; x = 2; L: x = 3 }
            active proctype Q() { x = 9 }
        "),
    case!(goto_from_the_middle_of_an_atomic: states 23, transitions 34, "
            byte x;
            active proctype P() { atomic { x = 1; if :: x == 1 -> goto L :: x = 2 fi; x = 5; x = 6 }; x = 7;
                L: x = 3 }
            active proctype Q() { x = 9 }
        "),
    case!(goto_from_an_atomic_into_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; goto L }; x = 2; L: atomic { x = 3; x = 4 } }
            active proctype Q() { x = 9 }
        "),
    case!(goto_into_the_middle_of_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { x = 1; goto L; x = 7; atomic { x = 2; L: x = 3; x = 4 } }
            active proctype Q() { x = 9 }
        "),
    case!(goto_from_an_atomic_into_the_middle_of_another: states 10, transitions 10, "
            byte x;
            active proctype P() { atomic { x = 1; x = 5; goto L }; x = 7; atomic { x = 2; L: x = 3; x = 4 } }
            active proctype Q() { x = 9 }
        "),
    case!(goto_within_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; L: x++; if :: x < 4 -> goto L :: else fi; x = 7; goto M; x = 8;
                M: x = 9 }; x = 10 }
            active proctype Q() { x = 20 }
        "),
    case!(atomic_at_the_end_of_a_process: states 15, transitions 18, "
            byte x;
            active proctype P() { x = 1; atomic { x = 2; x = 3 } }
            active proctype Q() { atomic { x = 4; x = 5 } }
        "),
    case!(atomic_ends_in_an_if: states 18, transitions 29, "
            byte x;
            active proctype P() { atomic { x = 1; if :: x = 2 :: x = 3 :: x = 2 fi }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(paths_through_an_atomic_are_counted: states 4, transitions 8, "
            byte x;
            active proctype P() { atomic { x = 0; if :: x = 2 :: x = 3 fi; x = 0; if :: x = 2 :: x = 3 :: skip fi;
                x = 0 }; x = 5 }
        "),
    case!(loop_in_an_atomic: states 14, transitions 18, "
            byte x;
            active proctype P() { atomic { do :: x < 3 -> x++ :: x > 1 -> break od }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(loop_of_atomics: states 20, transitions 27, "
            byte x;
            active proctype P() { do :: atomic { x < 3 -> x++; x = x } :: atomic { x >= 3 -> x = 0; break } od;
                x = 7 }
            active proctype Q() { x = 2 }
        "),
    case!(loop_in_an_atomic_that_blocks: states 14, transitions 19, "
            byte x, y;
            active proctype P() { atomic { do :: y < 2 -> y++; x > 0; x-- :: y == 2 -> break od } }
            active proctype Q() { x++; x++ }
        "),
    case!(atomic_with_else: states 10, transitions 10, "
            byte x;
            active proctype P() { atomic { if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = 4 } }
            active proctype Q() { x = 1 }
        "),
    case!(atomic_with_a_block_and_a_label: states 18, transitions 26, "
            byte x;
            active proctype P() { atomic { { x = 1; x = 2 }; L: { x = 3 } }; if :: x == 3 -> goto L
                :: x > 3 -> x = 0 fi }
            active proctype Q() { x = 9 }
        "),
    case!(run_in_an_atomic: states 31, transitions 38, "
            byte x;
            init { atomic { run Q(1); run Q(2); x = 1 }; x = 4 }
            proctype Q(byte n) { x = x + n }
        "),
    case!(run_last_in_an_atomic: states 9, transitions 10, "
            byte x;
            init { atomic { x = 1; run Q(1); run Q(2) } }
            proctype Q(byte n) { x = x + n }
        "),
    case!(buffered_channel_in_an_atomic: states 7, transitions 6, invalid_end, "
            chan q = [1] of { byte }; byte x;
            active proctype P() { atomic { q!1; q!2; x = 1; q!3 } }
            active proctype Q() { byte y; do :: q?y od }
        "),
    case!(atomic_guards_of_two: states 83, transitions 112, "
            bit lock; byte in;
            active [3] proctype P() { atomic { lock == 0; lock = 1 }; in++; assert(in == 1); in--; lock = 0 }
        "),
    case!(atomic_in_an_option_without_guard: states 15, transitions 19, invalid_end, "
            byte x;
            active proctype P() { do :: atomic { x = 1; x == 0; x = 2 } :: x == 1 -> x = 0 :: x == 3 -> break od }
            active proctype Q() { x = 0; x = 3 }
        "),
    case!(empty_ways_through_an_atomic: states 4, transitions 4, "
            byte x;
            active proctype P() { atomic { skip; if :: skip :: skip fi; skip }; x = 1 }
        "),
    case!(assertion_in_an_atomic: states 4, transitions 3, assertion, "
            byte x;
            active proctype P() { atomic { x = 1; assert(x == 0); x = 2 }; x = 3 }
        "),
    case!(goto_to_the_last_of_an_atomic_that_blocks: states 13, transitions 15, invalid_end, "
            byte x;
            active proctype P() { atomic { x = 1; goto L; x = 4; L: x == 3 }; x = 2 }
            active proctype Q() { x = 3 }
        "),
    case!(break_out_of_an_atomic_that_begins_with_an_if: states 19, transitions 25, "
            byte x;
            active proctype P() { do :: atomic { if :: x < 2 -> x++ :: else -> break fi; x = x } od; x = 3 }
            active proctype Q() { x = 1 }
        "),
];
