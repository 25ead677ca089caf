//! `d_step`: one step, no choice.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(d_step_is_one_step: states 15, transitions 18, "
            byte x, y;
            active proctype P() { d_step { x = 1; y = x + 1; x = y + 1 }; assert(x == 3 || x == 9) }
            active proctype Q() { x = 9 }
        "),
    case!(d_step_waits_at_its_first_statement: states 8, transitions 7, invalid_end, "
            byte x;
            active proctype P() { d_step { x == 1; x = 2; x = 3 } }
            active proctype Q() { x = 1; x = 7 }
        "),
    case!(d_step_takes_the_first_enabled_option: states 4, transitions 3, "
            byte x;
            active proctype P() { d_step { x = 1; if :: x == 0 -> x = 7 :: x == 1 -> x = 2 :: x > 0 -> x = 3
                :: else -> x = 4 fi }; assert(x == 2) }
        "),
    case!(d_step_begins_with_an_if: states 11, transitions 11, invalid_end, "
            byte x;
            active proctype P() { d_step { if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi; x = x + 10 } }
            active proctype Q() { x = 1; x = 2; x = 3 }
        "),
    case!(d_step_begins_with_an_if_with_else: states 10, transitions 10, "
            byte x;
            active proctype P() { d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = x + 10 } }
            active proctype Q() { x = 1 }
        "),
    case!(d_step_loop: states 4, transitions 3, "
            byte i, s;
            active proctype P() { d_step { i = 0; do :: i < 5 -> s = s + i; i++ :: else -> break od; i = 0 };
                assert(s == 10) }
        "),
    case!(d_step_begins_with_a_loop: states 10, transitions 10, "
            byte i;
            active proctype P() { d_step { do :: i < 3 -> i++ :: else -> break od; i = i + 10 } }
            active proctype Q() { i = 1 }
        "),
    case!(d_step_goto_inside: states 4, transitions 3, "
            byte x;
            active proctype P() { d_step { x = 1; L: if :: x < 4 -> x++; goto L :: else fi; x = x * 2 };
                assert(x == 8) }
        "),
    case!(d_step_in_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(d_step_last_in_an_atomic: states 15, transitions 18, "
            byte x;
            active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 } }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(atomic_in_a_d_step: states 15, transitions 18, "
            byte x;
            active proctype P() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
            active proctype Q() { x = 9 }
        "),
    case!(d_step_as_an_option: states 7, transitions 8, "
            byte x;
            active proctype P() { do :: d_step { x < 3 -> x++; x++ } :: d_step { x > 1 -> x = x - 1 }
                :: x == 3 -> break od }
        "),
    case!(d_step_with_channels: states 5, transitions 4, "
            chan q = [2] of { byte }; byte x;
            active proctype P() { d_step { q!3; q!4; q?x }; d_step { q?x; q!x + 1 }; q?5 }
        "),
    case!(d_step_waits_for_a_channel: states 6, transitions 5, "
            chan q = [1] of { byte }; byte x;
            active proctype P() { d_step { q?x; x = x + 1 } }
            active proctype Q() { q!1; q!2 }
        "),
    case!(d_step_at_the_end: states 15, transitions 18, "
            byte x;
            active proctype P() { x = 1; d_step { x = 2; x = 3 } }
            active proctype Q() { x = 9 }
        "),
    case!(assertion_in_a_d_step: states 4, transitions 3, assertion, "
            byte x;
            active proctype P() { d_step { x = 1; assert(x == 0); x = 2 }; x = 3 }
        "),
    case!(d_step_two_enabled_guards_first: states 4, transitions 3, "
            byte x;
            active proctype P() { d_step { if :: x = 1 :: x = 2 fi; x = x + 1 }; assert(x == 2) }
        "),
    case!(rendezvous_receive_first_in_a_d_step: states 4, transitions 3, "
            chan q = [0] of { byte }; byte x, y;
            active proctype P() { d_step { q?y; x = 1 } }
            active proctype Q() { q!1 }
        "),
    case!(d_step_guard_and_else: states 16, transitions 17, "
            byte x;
            active proctype P() { if :: d_step { x == 1; x = 2 } :: else -> x = 3 fi }
            active proctype Q() { x = 1 }
        "),
    case!(a_choice_of_receives_takes_the_first: states 3, transitions 2, invalid_end, "
            chan q = [0] of { byte }; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; do :: d_step { if :: q?1 -> y = 1 :: q?a -> y = 2 fi } od }
        "),
    case!(an_assignment_as_option_does_not_begin_it: states 6, transitions 6, "
            byte x; byte y;
            active proctype P() { d_step { if :: x > 0 -> y = 1 :: y = 2; x = 2 fi } }
            active proctype Q() { x = 1 }
        "),
    case!(a_block_as_option_does_not_begin_it: states 1, transitions 0, invalid_end, "
            byte x; byte y;
            active proctype P() { d_step { if :: { x > 1; y = 1 } :: x > 0; y = 2 :: y = 3 fi } }
        "),
    case!(a_condition_behind_a_block_leads_to_the_next_option: states 10, transitions 10, "
            byte x; byte y;
            active proctype P() { d_step { skip; if :: { y++ }; x > 0; y = 7 :: y == 1; y = 8 :: else; y = 9 fi } }
            active proctype Q() { x = 1 }
        "),
    case!(one_that_begins_with_else: states 6, transitions 5, "
            byte x; byte y;
            active proctype P() { if :: x > 0 -> y = 1 :: d_step { else; y = 2 } :: x == 0 -> y = 3 fi }
        "),
    case!(d_step_with_an_option_that_skips: states 4, transitions 3, "
            byte x; chan qa = [1] of { byte };
            active proctype P0() { qa!1; d_step { if :: skip :: qa!2 -> x = 1 fi; x = 3 } }
        "),
    case!(d_step_with_a_block_that_skips: states 2, transitions 1, invalid_end, "
            byte x; chan qa = [1] of { byte };
            active proctype P0() { qa!1; d_step { if :: { skip; x = 2 } :: qa!2 -> x = 1 fi; x = 3 } }
        "),
];
