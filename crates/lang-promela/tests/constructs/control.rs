//! Which statements are steps, and where a process stands between them.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(empty_body: states 2, transitions 1, "
            active proctype P() { byte x }
        "),
    case!(skip_is_a_step: states 4, transitions 3, "
            active proctype P() { skip; skip }
        "),
    case!(end_is_a_step: states 3, transitions 2, "
            byte x;
            active proctype P() { x = 1 }
        "),
    case!(if_chooses: states 7, transitions 8, "
            byte x;
            active proctype P() { if :: x = 1 :: x = 2; x = 3 :: skip :: false -> x = 9 fi; x = 5 }
        "),
    case!(else_only_if_nothing_else: states 12, transitions 12, "
            byte x;
            active proctype P() { do :: x < 3 -> x++ :: x == 1 -> x = 3 :: else -> break od; if :: else -> x = 8
                :: x == 3 -> x = 7 fi }
        "),
    case!(if_blocks: states 19, transitions 21, "
            byte x;
            active proctype P() { if :: x == 1 -> x = 2 :: x == 3 -> x = 4 fi }
            active proctype Q() { x = 1; x = 3 }
        "),
    case!(else_alone: states 5, transitions 4, "
            byte x;
            active proctype P() { if :: else fi; do :: else -> x = 1; break od }
        "),
    case!(nested_if_first_is_flat: states 8, transitions 7, "
            byte x;
            active proctype P() { if :: if :: x == 0 -> x = 1 :: x = 2 fi :: if :: x == 5 -> x = 6 fi :: x = 3 fi }
        "),
    case!(nested_else_counts_the_outer_options: states 4, transitions 3, "
            byte x;
            active proctype P() { if :: x == 0 -> x = 1 :: if :: x == 7 -> x = 2 :: else -> x = 3 fi fi }
        "),
    case!(nested_else_when_nothing_outside: states 4, transitions 3, "
            byte x = 4;
            active proctype P() { if :: x == 0 -> x = 1 :: if :: x == 7 -> x = 2 :: else -> x = 3 fi fi }
        "),
    case!(label_at_the_end_is_a_skip: states 8, transitions 7, "
            byte x;
            active proctype P() { if :: x = 1 :: goto done fi; x = 2; done: }
        "),
    case!(label_before_od: states 10, transitions 9, "
            byte x;
            active proctype P() { do :: x < 2 -> x++; L: :: else -> goto out od; out: skip }
        "),
    case!(blocks_are_no_steps: states 6, transitions 5, "
            byte x;
            active proctype P() { { x = 1; { x = 2; { x = 3 } } }; { { x = 4 } } }
        "),
    case!(block_as_an_option: states 6, transitions 5, "
            byte x;
            active proctype P() { if :: { x = 1; x = 2 } :: { x == 1; x = 5 } :: { { x = 3 } } fi }
        "),
    case!(condition_with_arrow_and_semicolon: states 10, transitions 9, "
            byte x;
            active proctype P() { x = 1 -> x == 1 -> x = 2; (x + 1) -> x = 3 -> if :: x == 3; x = 4;
                :: x == 4 -> fi; x = 5 }
        "),
    case!(numbers_as_statements: states 6, transitions 5, invalid_end, "
            byte x;
            active proctype P() { 1; true; 5; -1; x = 1; 0; x = 2 }
        "),
    case!(false_blocks: states 2, transitions 1, invalid_end, "
            byte x;
            active proctype P() { x = 1; false; x = 2 }
        "),
    case!(assert_holds_and_fails: states 7, transitions 6, assertion, "
            byte x;
            active proctype P() { assert(x == 0); x = 1; assert(x == 0); x = 2; assert(x) }
        "),
    case!(printf_is_a_step: states 5, transitions 4, r#"
            byte x = 3; mtype = { m };
            active proctype P() { printf("x is %d, %x, %o, %c, %e\n", x, x, x, x, m); printm(m); x = 1 }
        "#),
    case!(printf_loop_on_itself: states 1, transitions 1, r#"
            active proctype P() { do :: printf("again\n") od }
        "#),
    case!(increments: states 7, transitions 6, "
            byte x, y; byte a[2];
            active proctype P() { x++; y--; a[x]++; a[0]--; assert(x == 1 && y == 255 && a[1] == 1 && a[0] == 255) }
        "),
    case!(nested_else_does_not_see_later_options: states 7, transitions 6, "
            byte x;
            active proctype P() { if :: if :: x == 7 -> x = 2 :: else -> x = 3 fi :: x == 0 -> x = 1 fi }
        "),
    case!(d_proctype_without_a_choice: states 11, transitions 10, invalid_end, "
            byte x; chan q = [1] of { byte };
            active D_proctype P() { do :: x < 2 -> x++ :: x >= 2 -> break od; if :: q!x :: else fi; { q?x; x = 9 } unless { x > 20 } }
            active proctype Q() { q?_ }
        "),
    case!(d_steps_in_a_d_proctype: states 5, transitions 4, "
            byte x;
            active D_proctype P() { atomic { x = 1; if :: d_step { x == 1; x = 2 } :: d_step { x > 0; x = 3 } fi } }
        "),
    case!(skip_in_a_d_proctype: states 5, transitions 4, "
            byte x;
            active D_proctype P() { if :: x = 1 :: skip fi }
        "),
    case!(break_in_a_d_proctype: states 5, transitions 4, "
            byte x;
            active D_proctype P() { do :: x = 1; break :: break od }
        "),
];
