//! `unless`: which way out comes first.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(unless_takes_over: states 6, transitions 5, "
            byte x;
            active proctype A() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 7 } }
        "),
    case!(unless_from_outside: states 15, transitions 21, "
            byte x; bool stop;
            active proctype A() { { do :: x = 1 - x od } unless { stop -> x = 5 }; x = 6 }
            active proctype B() { stop = true }
        "),
    case!(unless_is_tested_at_each_statement: states 13, transitions 17, "
            byte x; bool stop;
            active proctype A() { { x = 1; x == 9; x = 3 } unless { stop; x = 5 } }
            active proctype B() { stop = true }
        "),
    case!(unless_with_a_choice: states 24, transitions 33, "
            byte x; byte e;
            active proctype A() { { x = 1; x = 2 } unless { if :: e == 1 -> x = 5 :: e > 0 -> x = 6 fi } }
            active proctype B() { e = 1 }
        "),
    case!(unless_of_a_single_statement: states 12, transitions 16, "
            byte x; byte e;
            active proctype A() { x = 1 unless e == 1; x = 2 }
            active proctype B() { e = 1 }
        "),
    case!(unless_nested: states 35, transitions 47, "
            byte x, e;
            active proctype A() { { { x = 1; x = 2 } unless { e == 1 -> x = 5; x = 6 } } unless { e == 2 -> x = 7 }
                }
            active proctype B() { e = 1; e = 2 }
        "),
    case!(unless_in_the_escape: states 35, transitions 47, "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { { e == 1 -> x = 5; x = 6 } unless { e == 2 -> x = 7 } }
                }
            active proctype B() { e = 1; e = 2 }
        "),
    case!(unless_over_an_atomic: states 22, transitions 29, "
            byte x, e;
            active proctype A() { { x = 1; atomic { x = 2; x = 3; x = 4 }; x = 5 } unless { e == 1 -> x = 7 } }
            active proctype B() { e = 1 }
        "),
    case!(unless_escape_set_within_an_atomic: states 4, transitions 3, "
            byte x, e;
            active proctype A() { { atomic { x = 2; e = 1; x = 3; x = 4 }; x = 5 } unless { e == 1 -> x = 7 } }
        "),
    case!(unless_escape_is_an_atomic: states 17, transitions 21, "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { atomic { e == 1 -> x = 7; x = 8 } } }
            active proctype B() { e = 1; x = 3 }
        "),
    case!(unless_with_else: states 20, transitions 26, "
            byte x, e;
            active proctype A() { { if :: e == 2 -> x = 1 :: else -> x = 2 fi; x = 3 } unless { e == 1 -> x = 7 } }
            active proctype B() { e = 1 }
        "),
    case!(unless_with_a_rendezvous_receive: states 10, transitions 12, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { byte y; { x = 1; x = 2 } unless { q?y -> x = 5 } }
            active proctype B() { q!1 }
        "),
    case!(unless_with_a_rendezvous_send: states 9, transitions 9, invalid_end, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { { x = 1; x = 2 } unless { q!1 -> x = 5 } }
            active proctype B() { byte y; x == 1; q?y }
        "),
    case!(unless_around_a_rendezvous_receive: states 11, transitions 12, invalid_end, "
            chan q = [0] of { byte }; byte x, e;
            active proctype A() { byte y; { q?y; x = 2 } unless { e == 1 -> x = 5 } }
            active proctype B() { e = 1; q!1 }
        "),
    case!(unless_around_a_rendezvous_send: states 4, transitions 3, invalid_end, "
            chan q = [0] of { byte }; byte x, e;
            active proctype A() { { q!1; x = 2 } unless { e == 1 -> x = 5 } }
            active proctype B() { byte y; e = 1; q?y }
        "),
    case!(unless_with_a_buffered_receive: states 13, transitions 18, "
            chan q = [1] of { byte }; byte x;
            active proctype A() { byte y; { do :: x = 1 - x od } unless { q?y -> x = 5 } }
            active proctype B() { q!1 }
        "),
    case!(unless_with_a_d_step: states 22, transitions 29, "
            byte x, e;
            active proctype A() { { x = 1; d_step { x = 2; x = 3 }; x = 4 } unless { e == 1 -> x = 5 } }
            active proctype B() { e = 1 }
        "),
    case!(unless_escape_is_a_d_step: states 13, transitions 15, "
            byte x, e;
            active proctype A() { { x = 1; x = 2 } unless { d_step { e == 1; x = 5; x = 6 } } }
            active proctype B() { e = 1 }
        "),
    case!(unless_with_goto_out: states 33, transitions 51, "
            byte x, e;
            active proctype A() { { x = 1; if :: x == 1 -> goto L :: x == 1 -> x = 2 fi; x = 3 } unless {
                e == 1 -> x = 5 }; x = 6; L: x = 7 }
            active proctype B() { e = 1 }
        "),
    case!(unless_with_break: states 17, transitions 24, "
            byte x, e;
            active proctype A() { do :: x = 1; { x = 2; break } unless { e == 1 -> x = 5; break } od; x = 6 }
            active proctype B() { e = 1 }
        "),
    case!(unless_with_timeout: states 6, transitions 5, "
            byte x, e;
            active proctype A() { { x == 9 } unless { timeout -> x = 5 } }
            active proctype B() { e = 1 }
        "),
    case!(unless_whose_main_part_is_blocked: states 19, transitions 21, "
            byte x;
            active proctype A() { { x == 9; x = 2 } unless { x == 5 -> x = 6 } }
            active proctype B() { x = 5; x = 9 }
        "),
    case!(unless_whose_escape_is_always_enabled: states 5, transitions 4, "
            byte x;
            active proctype A() { { x = 1; x = 2 } unless { true -> x = 6 }; x = 7 }
        "),
    case!(unless_in_an_atomic: states 10, transitions 10, "
            byte x;
            active proctype A() { atomic { x = 1; { x = 2; x = 3; x = 4 } unless { x == 3 -> x = 6 }; x = 5 } }
            active proctype B() { x = 9 }
        "),
    case!(unless_in_a_d_step_is_not_seen: states 4, transitions 3, "
            byte x;
            active proctype A() { d_step { x = 1; { x = 2; x = 3; x = 4 } unless { true -> x = 6 } };
                assert(x == 4) }
        "),
    case!(unless_around_a_d_step: states 5, transitions 4, "
            byte x, e;
            active proctype A() { { d_step { x = 1; e = 1; x = 2 }; x = 3 } unless { e == 1 -> x = 6 } }
        "),
    case!(escapes_of_an_escape_come_along_where_that_has_the_lesser_number: states 5, transitions 8, "
            short sh; byte x; int z = 255; chan q2 = [2] of { byte, bit };
            init {
                byte lv0;
                do
                :: do :: { lv0 = 3; q2?lv0,x } unless { { sh < 1 } unless { (z); progress2: lv0 = 1 } } od; break
                :: x == 2 -> break
                od
            }
        "),
    case!(a_label_before_a_block_is_that_of_the_whole_unless: states 4, transitions 4, "
            byte x;
            active proctype P() {
                byte y;
                L1: { goto L2 } unless { atomic { { x = y } unless { atomic { y-- } }; L2: x = 2 } }
            }
        "),
    case!(a_receive_in_an_outer_escape_takes_the_message: states 4, transitions 3, invalid_end, "
            chan q = [0] of { byte }; byte x; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; { { x == 5; x = 6 } unless { q?a; y = 1 } } unless { q?a; y = 2 } }
        "),
    case!(receives_in_escapes_that_want_other_values: states 8, transitions 7, invalid_end, "
            chan q = [0] of { byte }; byte x; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; { { q?a; x = 6 } unless { q?1; y = 1 } } unless { q?2; y = 2 } }
        "),
];
