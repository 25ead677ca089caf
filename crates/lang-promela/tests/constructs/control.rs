//! Which statements are steps, and where a process stands between them.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "empty_body",
        text: "
            active proctype P() { byte x }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "skip_is_a_step",
        text: "
            active proctype P() { skip; skip }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "end_is_a_step",
        text: "
            byte x;
            active proctype P() { x = 1 }
        ",
        states: 3,
        transitions: 2,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "if_chooses",
        text: "
            byte x;
            active proctype P() { if :: x = 1 :: x = 2; x = 3 :: skip :: false -> x = 9 fi; x = 5 }
        ",
        states: 7,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "else_only_if_nothing_else",
        text: "
            byte x;
            active proctype P() { do :: x < 3 -> x++ :: x == 1 -> x = 3 :: else -> break od; if :: else -> x = 8
                :: x == 3 -> x = 7 fi }
        ",
        states: 12,
        transitions: 12,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "if_blocks",
        text: "
            byte x;
            active proctype P() { if :: x == 1 -> x = 2 :: x == 3 -> x = 4 fi }
            active proctype Q() { x = 1; x = 3 }
        ",
        states: 19,
        transitions: 21,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "else_alone",
        text: "
            byte x;
            active proctype P() { if :: else fi; do :: else -> x = 1; break od }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nested_if_first_is_flat",
        text: "
            byte x;
            active proctype P() { if :: if :: x == 0 -> x = 1 :: x = 2 fi :: if :: x == 5 -> x = 6 fi :: x = 3 fi }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nested_else_counts_the_outer_options",
        text: "
            byte x;
            active proctype P() { if :: x == 0 -> x = 1 :: if :: x == 7 -> x = 2 :: else -> x = 3 fi fi }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nested_else_when_nothing_outside",
        text: "
            byte x = 4;
            active proctype P() { if :: x == 0 -> x = 1 :: if :: x == 7 -> x = 2 :: else -> x = 3 fi fi }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "label_at_the_end_is_a_skip",
        text: "
            byte x;
            active proctype P() { if :: x = 1 :: goto done fi; x = 2; done: }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "label_before_od",
        text: "
            byte x;
            active proctype P() { do :: x < 2 -> x++; L: :: else -> goto out od; out: skip }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "blocks_are_no_steps",
        text: "
            byte x;
            active proctype P() { { x = 1; { x = 2; { x = 3 } } }; { { x = 4 } } }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "block_as_an_option",
        text: "
            byte x;
            active proctype P() { if :: { x = 1; x = 2 } :: { x == 1; x = 5 } :: { { x = 3 } } fi }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "condition_with_arrow_and_semicolon",
        text: "
            byte x;
            active proctype P() { x = 1 -> x == 1 -> x = 2; (x + 1) -> x = 3 -> if :: x == 3; x = 4;
                :: x == 4 -> fi; x = 5 }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "numbers_as_statements",
        text: "
            byte x;
            active proctype P() { 1; true; 5; -1; x = 1; 0; x = 2 }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "false_blocks",
        text: "
            byte x;
            active proctype P() { x = 1; false; x = 2 }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "assert_holds_and_fails",
        text: "
            byte x;
            active proctype P() { assert(x == 0); x = 1; assert(x == 0); x = 2; assert(x) }
        ",
        states: 7,
        transitions: 6,
        assertion: true,
        invalid_end: false,
    },
    Case {
        name: "printf_is_a_step",
        text: r#"
            byte x = 3; mtype = { m };
            active proctype P() { printf("x is %d, %x, %o, %c, %e\n", x, x, x, x, m); printm(m); x = 1 }
        "#,
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "printf_loop_on_itself",
        text: r#"
            active proctype P() { do :: printf("again\n") od }
        "#,
        states: 1,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "increments",
        text: "
            byte x, y; byte a[2];
            active proctype P() { x++; y--; a[x]++; a[0]--; assert(x == 1 && y == 255 && a[1] == 1 && a[0] == 255) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nested_else_does_not_see_later_options",
        text: "
            byte x;
            active proctype P() { if :: if :: x == 7 -> x = 2 :: else -> x = 3 fi :: x == 0 -> x = 1 fi }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "d_proctype_without_a_choice",
        text: "
            byte x; chan q = [1] of { byte };
            active D_proctype P() { do :: x < 2 -> x++ :: x >= 2 -> break od; if :: q!x :: else fi; { q?x; x = 9 } unless { x > 20 } }
            active proctype Q() { q?_ }
        ",
        states: 11,
        transitions: 10,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "d_steps_in_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { atomic { x = 1; if :: d_step { x == 1; x = 2 } :: d_step { x > 0; x = 3 } fi } }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "skip_in_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { if :: x = 1 :: skip fi }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "break_in_a_d_proctype",
        text: "
            byte x;
            active D_proctype P() { do :: x = 1; break :: break od }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
];
