//! Where local variables start, and when.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(declaration_at_the_start_is_no_step: states 4, transitions 3, "
            byte g = 4;
            active proctype P() { byte x = g; byte y = x + 1; g = y; assert(g == 5) }
        "),
    case!(declaration_after_a_statement_is_a_step: states 5, transitions 4, "
            byte g;
            active proctype P() { g = 1; byte y = g + 4; g = y }
        "),
    case!(declaration_without_a_value_is_a_step_too: states 6, transitions 5, "
            byte g;
            active proctype P() { g = 1; byte y, z; g = y + z }
        "),
    case!(declared_in_a_loop_starts_anew_each_round: states 15, transitions 14, "
            byte g;
            active proctype P() { do :: g < 3 -> byte y = 2; y++; g = g + y - 2 :: else -> break od }
        "),
    case!(declared_in_a_loop_without_a_value_starts_anew: states 13, transitions 12, "
            byte i;
            active proctype P() { do :: i < 2 -> byte y; y++; assert(y == 1); i++ :: else -> break od }
        "),
    case!(declared_in_a_block: states 6, transitions 5, "
            byte g = 7;
            active proctype P() { { byte y = g; assert(y == 7); g = y + 1 }; g = 0 }
        "),
    case!(sibling_blocks_have_their_own: states 7, transitions 6, "
            active proctype P() { { byte x = 3; x = x + 1 }; { byte x; assert(x == 0); x = 9 } }
        "),
    case!(array_declared_later_sets_its_first_cell: states 5, transitions 4, "
            byte g = 3;
            active proctype P() { g = 4; byte y[3] = g; assert(y[0] == 4 && y[1] == 0) }
        "),
    case!(declaration_as_the_first_of_an_option: states 9, transitions 8, "
            byte g;
            active proctype P() { if :: byte y = 3; g = y :: g = 9 :: byte z; g = z + 1 fi }
        "),
    case!(declaration_in_an_atomic: states 10, transitions 10, "
            byte g = 2;
            active proctype P() { atomic { byte y = g; g = y + 1; byte z; g = z } }
            active proctype Q() { g = 5 }
        "),
    case!(declaration_in_a_d_step: states 4, transitions 3, "
            byte g = 2;
            active proctype P() { d_step { byte y = g; g = y + 1 }; g = g + 1 }
        "),
    case!(locals_take_what_globals_are_at_birth: states 15, transitions 20, "
            byte g = 1;
            proctype Q() { byte y = g; assert(y == 1 || y == 2); g = 5 }
            init { atomic { run Q(); g = 2; run Q() } }
        "),
    case!(initial_value_uses_parameters_and_pid: states 5, transitions 4, "
            byte g;
            proctype Q(byte a; byte b) { byte y = a + b; byte z = _pid; g = y + z }
            init { run Q(3, 4) }
        "),
    case!(parameters_can_be_assigned: states 67, transitions 115, "
            byte g;
            proctype Q(byte a) { do :: a > 0 -> a-- :: else -> break od; g = a + 1 }
            init { run Q(3); run Q(1) }
        "),
    case!(inline_locals_are_of_their_own: states 11, transitions 10, "
            byte g;
            inline f(a, b) { byte t; t = a; a = b; b = t }
            active proctype P() { byte x = 1, y = 2; f(x, y); assert(x == 2 && y == 1); f(g, x) }
        "),
    case!(inline_takes_text: states 7, transitions 6, "
            byte a[3]; byte i;
            inline set(where, what) { where = what; i++ }
            active proctype P() { set(a[i], i + 1); set(a[i], i + 1); assert(a[0] == 1 && a[1] == 2) }
        "),
    case!(inline_in_an_inline: states 9, transitions 8, "
            byte g;
            inline one(x) { x = x + 1 }
            inline two(y) { one(y); one(y) }
            active proctype P() { two(g); if :: two(g) -> assert(g == 4) :: g = 0 fi }
        "),
    case!(inline_with_a_label_in_two_processes: states 41, transitions 66, "
            byte g;
            inline f() { skip; L: if :: g < 2 -> g++; goto L :: else fi }
            active proctype P() { f() }
            active proctype Q() { f() }
        "),
    case!(macro_and_condition: states 5, transitions 4, "
#define N 3
#define inc(x) x = x + 1
#if N > 2
            byte g = N;
#else
            byte g;
#endif
            active proctype P() { inc(g); inc(g); assert(g == N + 2) }
        "),
    case!(record_in_a_loop_is_not_made_anew: states 12, transitions 11, "
            typedef T { byte a = 3; byte b }
            active proctype P() { byte i; do :: i < 2 -> T t; t.a = t.a + 1; i++ :: else -> break od;
                assert(i == 2) }
        "),
    case!(last_in_an_initialiser: states 56, transitions 71, "
            byte x, y;
            active proctype P() { x = 1; byte d = _last; y = d }
            active proctype Q() { x = 2; y = 1 }
        "),
];
