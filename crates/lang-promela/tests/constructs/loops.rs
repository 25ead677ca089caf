//! Loops and jumps, `for` and `select`.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(do_counts: states 13, transitions 13, "
            byte x;
            active proctype P() { do :: x < 4 -> x++ :: x > 2 -> break od; x = 9 }
        "),
    case!(do_first_in_do_has_its_own_place: states 9, transitions 8, "
            byte x;
            active proctype P() { do :: do :: x < 2 -> x++ :: x == 2 -> x = 3; break od :: x == 3 -> break od }
        "),
    case!(do_first_in_a_block_has_its_own_place: states 10, transitions 11, "
            byte x;
            active proctype P() { { do :: x < 2 -> x = x + 1 :: x > 0 -> x = x - 1 :: x == 2 -> break od } }
        "),
    case!(break_alone: states 7, transitions 10, "
            byte x;
            active proctype P() { do :: break :: x = 1; break :: x = 2 od; x = 3 }
        "),
    case!(break_out_of_if_in_do: states 12, transitions 12, "
            byte x;
            active proctype P() { do :: if :: x < 2 -> x++ :: x == 2 -> break :: x == 1 -> goto out fi; x = x od;
                x = 5; out: x = 6 }
        "),
    case!(break_of_the_inner_loop: states 13, transitions 13, "
            byte x;
            active proctype P() { do :: x < 2 -> do :: x++ ; break :: break od; x++ :: else -> break od }
        "),
    case!(goto_after_a_statement_is_no_step: states 5, transitions 4, "
            byte x;
            active proctype P() { x = 1; goto L; x = 2; L: x = 3; goto M; M: N: x = 4 }
        "),
    case!(goto_as_an_option_is_a_step: states 7, transitions 8, "
            byte x;
            active proctype P() { if :: goto L :: x = 1; goto L :: x = 2 fi; x = 3; L: x = 4 }
        "),
    case!(goto_first_of_all: states 3, transitions 2, "
            byte x;
            active proctype P() { goto L; x = 1; L: goto M; x = 2; M: x = 3 }
        "),
    case!(goto_into_a_loop: states 8, transitions 7, "
            byte x;
            active proctype P() { x = 1; goto L; do :: x < 4 -> x = x + 2; L: x = x + 1 :: else -> break od }
        "),
    case!(goto_out_of_a_loop: states 9, transitions 8, "
            byte x;
            active proctype P() { do :: x++ ; if :: x == 3 -> goto out :: else fi od; out: x = 9 }
        "),
    case!(goto_backwards: states 11, transitions 10, "
            byte x;
            active proctype P() { again: if :: x < 3 -> x++; goto again :: x == 3 -> skip fi; x = 7 }
        "),
    case!(goto_to_a_block_with_a_loop: states 8, transitions 7, "
            byte x;
            active proctype P() { x = 0; goto L; x = 7; L: { do :: x < 2 -> x++ :: else -> break od } }
        "),
    case!(endless_loop: states 2, transitions 2, "
            bit x;
            active proctype P() { do :: x = 1 - x od; x = 1 }
        "),
    case!(two_skips_in_a_ring: states 2, transitions 2, "
            active proctype P() { do :: skip; skip od }
        "),
    case!(break_in_nested_do_to_itself: states 1, transitions 1, "
            active proctype P() { do :: do :: break od od }
        "),
    case!(for_range: states 14, transitions 13, "
            byte i, s;
            active proctype P() { for (i : 1 .. 3) { s = s + i }; assert(s == 6 && i == 4) }
        "),
    case!(for_range_empty: states 5, transitions 4, "
            byte i, s = 2;
            active proctype P() { for (i : s .. 1) { s = 9 }; assert(s == 2 && i == 2) }
        "),
    case!(for_range_bound_is_read_each_round: states 22, transitions 21, "
            byte i, n = 2, s;
            active proctype P() { for (i : 0 .. n) { s = s + 1; if :: i == 1 -> n = 3 :: else fi }; assert(s == 4) }
        "),
    case!(for_array: states 14, transitions 13, "
            byte a[3] = 2; byte i, s;
            active proctype P() { for (i in a) { s = s + a[i] + i }; assert(s == 9) }
        "),
    case!(for_channel: states 20, transitions 19, "
            typedef M { byte x; byte y }
            chan q = [3] of { M };
            M m; byte s;
            active proctype P() { m.x = 1; m.y = 2; q!m; m.x = 3; q!m; for (m in q) { s = s + m.x * m.y };
                assert(s == 8 && len(q) == 2) }
        "),
    case!(for_with_break: states 12, transitions 11, "
            byte i;
            active proctype P() { for (i : 1 .. 5) { if :: i == 3 -> break :: else fi }; assert(i == 3) }
        "),
    case!(for_in_an_atomic: states 10, transitions 10, "
            byte i, s;
            active proctype P() { atomic { for (i : 1 .. 3) { s = s + i } } }
            active proctype Q() { s = 1 }
        "),
    case!(select_range: states 13, transitions 12, "
            byte i;
            active proctype P() { select (i : 2 .. 5); assert(i >= 2 && i <= 5) }
        "),
    case!(select_in_an_atomic: states 13, transitions 12, "
            byte i, j;
            active proctype P() { atomic { select (i : 0 .. 2); select (j : 0 .. 1) } }
        "),
    case!(select_expression_bounds: states 15, transitions 14, "
            byte i, n = 3;
            active proctype P() { select (i : n - 1 .. n + 1); n = i }
        "),
    case!(goto_with_an_end_label_is_a_step: states 9, transitions 8, "
            byte x;
            active proctype P() { x = 1; end: goto L; x = 3; L: x = 2; progress: goto M; x = 4; M: do :: x = 5;
                accept: break od; x = 6 }
        "),
    case!(goto_with_a_plain_label_is_no_step: states 4, transitions 3, "
            byte x;
            active proctype P() { x = 1; K: goto L; x = 3; L: x = 2 }
        "),
    case!(select_in_an_inline: states 14, transitions 16, "
            byte i; inline f() { select (i : 0 .. 3) } active proctype A() { f(); i = 0 }
        "),
    case!(select_with_an_underscore: states 14, transitions 16, "
            byte my_i; active proctype A() { select (my_i : 0 .. 3); my_i = 0 }
        "),
    case!(select_wide: states 1204, transitions 1203, "
            int i;
            active proctype P() { select (i : 0 .. 300) }
        "),
    case!(select_negative: states 16, transitions 15, "
            int i;
            active proctype P() { select (i : -2 .. 1) }
        "),
    case!(do_in_if_in_do: states 10, transitions 10, "
            byte x;
            active proctype P() { do :: if :: do :: x < 2 -> x++ :: else -> break od fi; x = 3
                :: x == 3 -> break od }
        "),
    case!(label_on_a_loop_behind_a_guard: states 10, transitions 10, "
            byte x;
            active proctype P() { if :: x == 0 -> L: do :: x < 2 -> x++ :: else -> break od :: x == 2 -> goto L fi;
                if :: x == 2 -> x = 0; goto L :: true fi }
        "),
    case!(select_of_33_values_is_a_choice: states 67, transitions 66, "
            int i;
            active proctype P() { select (i : 0 .. 32) }
        "),
    case!(select_of_34_values_is_a_loop: states 136, transitions 135, "
            int i;
            active proctype P() { select (i : 0 .. 33) }
        "),
];
