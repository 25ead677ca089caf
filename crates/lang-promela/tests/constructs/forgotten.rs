//! Escapes that Spin forgets: one of their sends finds no receiver, and what stands behind the escape is done
//! although the escape was. And a place that it forgets.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(a_send_without_receiver_makes_an_escape_forgotten: states 5, transitions 4, "
            chan r = [0] of { bit };
            byte x; byte y;
            active proctype P() { { x = 1 } unless { if :: r!1 :: y = 1 fi } }
        "),
    case!(an_escape_is_forgotten_while_nobody_receives: states 23, transitions 30, "
            chan r = [0] of { bit };
            byte x; byte y;
            active proctype P() { { x = 1; x = 2 } unless { if :: r!1 :: y == 0 -> y = 1 fi } }
            active proctype Q() { byte n; if :: r?n :: x = 3 fi }
        "),
    case!(an_outer_escape_is_forgotten_for_an_inner_one: states 10, transitions 11, "
            chan r = [0] of { bit };
            byte x; byte y;
            active proctype P() { { { x = 1 } unless { x == 0 -> x = 2 } } unless { if :: r!1 :: y == 0 -> y = 1 :: y == 0 -> y = 2 fi } }
        "),
    case!(a_send_without_receiver_between_timeouts: states 7, transitions 6, "
            chan r = [0] of { bit };
            byte x; byte y;
            active proctype P() { { timeout -> x = 1 } unless { if :: r!1 :: timeout -> y = 1 fi } }
        "),
    case!(an_escape_is_forgotten_where_a_variable_holds_the_rendezvous: states 38, transitions 59, invalid_end, "
            chan r = [0] of { bit }; chan q = [1] of { bit };
            byte x; byte y;
            active proctype P() { chan c = q; if :: c = r :: skip fi; { x = 1 } unless { if :: c!1 :: y == 0 -> y = 1 fi } }
            active proctype Q() { byte n; if :: r?n :: x = 3; q!1 fi }
        "),
    case!(else_knows_of_an_escape_that_is_forgotten: states 15, transitions 22, "
            chan r = [0] of { bit };
            byte x; byte y;
            active proctype P() { { if :: x == 1 -> x = 4 :: else -> x = 5 fi } unless { if :: r!1 :: y == 0 -> y = 1 fi } }
            active proctype Q() { x = 1 }
        "),
    case!(else_in_an_escape_that_is_forgotten: states 34, transitions 50, "
            byte x; byte y; chan q2 = [1] of { byte };
            chan r0 = [0] of { byte }; chan r1 = [0] of { byte };
            active proctype P0() { x = 1; x = 2 }
            active proctype P1() { { x = 3; x = 7 } unless { if :: if :: x == 9 :: else -> y = 1 fi :: r0!3 :: q2!1 fi } }
        "),
    case!(a_jump_out_of_an_atomic_sequence_in_unless_is_stuck: states 2, transitions 1, invalid_end, "
            byte x, y;
            init { atomic { x = 1; { goto L } unless { y == 7 } }; L: y = 3 }
        "),
    case!(a_jump_back_out_of_an_atomic_sequence_in_unless_is_stuck: states 3, transitions 2, invalid_end, "
            byte x, y; chan r0 = [0] of { bit };
            init { L1: y = 4; do :: atomic { x = 1; { goto L1 } unless { if :: y = 1 :: y = 2 fi } } :: x == 7 -> break od; y = 3 }
        "),
];
