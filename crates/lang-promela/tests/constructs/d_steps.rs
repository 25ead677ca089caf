//! `d_step`: one step, no choice.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "d_step_is_one_step",
        text: "
            byte x, y;
            active proctype P() { d_step { x = 1; y = x + 1; x = y + 1 }; assert(x == 3 || x == 9) }
            active proctype Q() { x = 9 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_waits_at_its_first_statement",
        text: "
            byte x;
            active proctype P() { d_step { x == 1; x = 2; x = 3 } }
            active proctype Q() { x = 1; x = 7 }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "d_step_takes_the_first_enabled_option",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; if :: x == 0 -> x = 7 :: x == 1 -> x = 2 :: x > 0 -> x = 3
                :: else -> x = 4 fi }; assert(x == 2) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_begins_with_an_if",
        text: "
            byte x;
            active proctype P() { d_step { if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi; x = x + 10 } }
            active proctype Q() { x = 1; x = 2; x = 3 }
        ",
        states: 11,
        transitions: 11,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "d_step_begins_with_an_if_with_else",
        text: "
            byte x;
            active proctype P() { d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = x + 10 } }
            active proctype Q() { x = 1 }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_loop",
        text: "
            byte i, s;
            active proctype P() { d_step { i = 0; do :: i < 5 -> s = s + i; i++ :: else -> break od; i = 0 };
                assert(s == 10) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_begins_with_a_loop",
        text: "
            byte i;
            active proctype P() { d_step { do :: i < 3 -> i++ :: else -> break od; i = i + 10 } }
            active proctype Q() { i = 1 }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_goto_inside",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; L: if :: x < 4 -> x++; goto L :: else fi; x = x * 2 };
                assert(x == 8) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_in_an_atomic",
        text: "
            byte x;
            active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 }; x = 5 }
            active proctype Q() { x = 9 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_last_in_an_atomic",
        text: "
            byte x;
            active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 } }; x = 5 }
            active proctype Q() { x = 9 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "atomic_in_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
            active proctype Q() { x = 9 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_as_an_option",
        text: "
            byte x;
            active proctype P() { do :: d_step { x < 3 -> x++; x++ } :: d_step { x > 1 -> x = x - 1 }
                :: x == 3 -> break od }
        ",
        states: 7,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_with_channels",
        text: "
            chan q = [2] of { byte }; byte x;
            active proctype P() { d_step { q!3; q!4; q?x }; d_step { q?x; q!x + 1 }; q?5 }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_waits_for_a_channel",
        text: "
            chan q = [1] of { byte }; byte x;
            active proctype P() { d_step { q?x; x = x + 1 } }
            active proctype Q() { q!1; q!2 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_at_the_end",
        text: "
            byte x;
            active proctype P() { x = 1; d_step { x = 2; x = 3 } }
            active proctype Q() { x = 9 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "assertion_in_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; assert(x == 0); x = 2 }; x = 3 }
        ",
        states: 4,
        transitions: 3,
        assertion: true,
        invalid_end: false,
    },
    Case {
        name: "d_step_two_enabled_guards_first",
        text: "
            byte x;
            active proctype P() { d_step { if :: x = 1 :: x = 2 fi; x = x + 1 }; assert(x == 2) }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "rendezvous_receive_first_in_a_d_step",
        text: "
            chan q = [0] of { byte }; byte x, y;
            active proctype P() { d_step { q?y; x = 1 } }
            active proctype Q() { q!1 }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_guard_and_else",
        text: "
            byte x;
            active proctype P() { if :: d_step { x == 1; x = 2 } :: else -> x = 3 fi }
            active proctype Q() { x = 1 }
        ",
        states: 16,
        transitions: 17,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "a_choice_of_receives_takes_the_first",
        text: "
            chan q = [0] of { byte }; byte y;
            active proctype S() { q!1; q!2 }
            active proctype R() { byte a; do :: d_step { if :: q?1 -> y = 1 :: q?a -> y = 2 fi } od }
        ",
        states: 3,
        transitions: 2,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "an_assignment_as_option_does_not_begin_it",
        text: "
            byte x; byte y;
            active proctype P() { d_step { if :: x > 0 -> y = 1 :: y = 2; x = 2 fi } }
            active proctype Q() { x = 1 }
        ",
        states: 6,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "a_block_as_option_does_not_begin_it",
        text: "
            byte x; byte y;
            active proctype P() { d_step { if :: { x > 1; y = 1 } :: x > 0; y = 2 :: y = 3 fi } }
        ",
        states: 1,
        transitions: 0,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "a_condition_behind_a_block_leads_to_the_next_option",
        text: "
            byte x; byte y;
            active proctype P() { d_step { skip; if :: { y++ }; x > 0; y = 7 :: y == 1; y = 8 :: else; y = 9 fi } }
            active proctype Q() { x = 1 }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "one_that_begins_with_else",
        text: "
            byte x; byte y;
            active proctype P() { if :: x > 0 -> y = 1 :: d_step { else; y = 2 } :: x == 0 -> y = 3 fi }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_with_an_option_that_skips",
        text: "
            byte x; chan qa = [1] of { byte };
            active proctype P0() { qa!1; d_step { if :: skip :: qa!2 -> x = 1 fi; x = 3 } }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_step_with_a_block_that_skips",
        text: "
            byte x; chan qa = [1] of { byte };
            active proctype P0() { qa!1; d_step { if :: { skip; x = 2 } :: qa!2 -> x = 1 fi; x = 3 } }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: true,
    },
];
