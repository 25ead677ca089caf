//! Arrays and records.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(array_of_bytes_in_a_loop: states 16, transitions 15, "
            byte a[4]; byte i;
            active proctype P() { do :: i < 4 -> a[i] = i * i; i++ :: else -> break od; assert(a[3] == 9) }
        "),
    case!(array_initialised_with_one_value: states 5, transitions 4, "
            byte a[3] = 7; int b[2] = -1;
            active proctype P() { assert(a[0] == 7 && a[2] == 7); assert(b[1] == -1); a[1] = 0 }
        "),
    case!(array_initialised_with_a_list: states 4, transitions 3, "
            byte a[4] = { 1, 2, 3 };
            active proctype P() { assert(a[0] == 1 && a[1] == 2 && a[2] == 3); a[0] = a[3] }
        "),
    case!(local_array_at_the_start: states 5, transitions 4, "
            active proctype P() { byte a[3] = 2; byte i; a[0] = 1; i = a[0] + a[1] + a[2]; assert(i == 5) }
        "),
    case!(index_is_an_expression: states 7, transitions 6, "
            byte a[5], b[5]; byte i = 1;
            active proctype P() { a[i + 1] = 3; b[a[2] + 1] = i; assert(b[4] == 1); a[b[4] * 3] = 9;
                assert(a[3] == 9) }
        "),
    case!(array_of_bits: states 108, transitions 107, "
            bit a[10]; byte i;
            active proctype P() { do :: i < 10 -> if :: a[i] = 1 :: skip fi; i = i + 3 :: else -> break od }
        "),
    case!(record: states 5, transitions 4, "
            typedef R { byte x; int y }
            R r;
            active proctype P() { r.x = 300; r.y = -5; assert(r.x == 44 && r.y == -5) }
        "),
    case!(record_with_initial_values: states 5, transitions 4, "
            typedef R { byte x = 3; short y[2] = 4; bit z }
            R r;
            active proctype P() { R s; assert(r.x == 3 && r.y[1] == 4 && s.x == 3 && s.y[0] == 4); s.x = 1;
                r.x = s.x }
        "),
    case!(nested_records: states 7, transitions 6, "
            typedef In { byte a; bit b[2] }
            typedef Out { In one; In many[2]; byte c }
            Out o;
            active proctype P() { o.one.a = 1; o.many[1].a = 2; o.many[0].b[1] = 1; o.c = o.one.a + o.many[1].a;
                assert(o.c == 3 && o.many[0].b[1] == 1 && o.many[0].b[0] == 0) }
        "),
    case!(array_of_records: states 12, transitions 11, "
            typedef R { byte x; byte y[2] }
            R r[2];
            active proctype P() { byte i; do :: i < 2 -> r[i].x = i; r[i].y[i] = 5; i++ :: else -> break od;
                assert(r[1].y[1] == 5 && r[1].y[0] == 0) }
        "),
    case!(local_record_at_the_start: states 5, transitions 4, "
            typedef R { byte x; byte y }
            active proctype P() { R r; r.x = 1; r.y = r.x + 1; assert(r.y == 2) }
        "),
    case!(local_record_in_the_middle_keeps_its_values: states 12, transitions 11, "
            typedef R { byte x; byte y }
            active proctype P() { byte i; do :: i < 2 -> R r; r.x = r.x + 1; i++ :: else -> break od;
                assert(r.x == 2) }
        "),
    case!(record_in_a_message: states 7, transitions 6, "
            typedef R { byte x; byte y }
            chan q = [2] of { R, byte };
            R r, s;
            active proctype P() { byte n; r.x = 1; r.y = 2; q!r, 7; q?s, n; assert(s.x == 1 && s.y == 2 && n == 7) }
        "),
    case!(record_with_an_array_in_a_message: states 8, transitions 7, "
            typedef R { byte x[2]; byte y }
            chan q = [1] of { R };
            R r, s;
            active proctype P() { r.x[0] = 1; r.x[1] = 3; r.y = 2; q!r; q?s;
                assert(s.x[0] == 1 && s.x[1] == 3 && s.y == 2) }
        "),
    case!(record_through_a_rendezvous: states 7, transitions 6, "
            typedef R { byte x; byte y }
            chan q = [0] of { R };
            active proctype P() { R r; r.x = 1; r.y = 2; q!r }
            active proctype Q() { R s; q?s; assert(s.y == 2) }
        "),
    case!(channel_in_a_record: states 6, transitions 5, "
            typedef R { chan c; byte x }
            R r;
            chan q = [1] of { byte };
            active proctype P() { r.c = q; r.c!5; q?r.x; assert(r.x == 5) }
        "),
    case!(channel_made_in_a_record: states 6, transitions 5, "
            typedef R { chan c = [1] of { byte }; byte x }
            R r[2];
            active proctype P() { r[0].c!3; r[1].c!4; r[0].c?r[1].x; assert(r[1].x == 3) }
        "),
    case!(hidden_variables_are_no_part_of_the_state: states 5, transitions 4, "
            hidden byte h; byte x;
            active proctype P() { x = 1; h = x; x = 0 }
        "),
    case!(underscore_forgets: states 8, transitions 7, "
            byte x;
            chan q = [2] of { byte, byte };
            active proctype P() { _ = 5; q!1, 2; q?_, x; assert(x == 2); q!3, 4; q?x, _ }
        "),
    case!(show_and_local_say_nothing: states 5, transitions 4, "
            show byte x; local byte y;
            active proctype P() { x = 1; y = 2; x = y }
        "),
    case!(bit_in_a_record_that_is_a_message: states 7, transitions 6, "
            typedef T { bit b }; chan q = [1] of { T }; chan r = [0] of { bit, bool }; T t; byte x, y, z;
            active proctype P() { q!6; r!6,7 }
            active proctype Q() { q?x; r?y,z; assert(x == 6 && y == 0 && z == 1) }
        "),
    case!(for_in_goes_through_the_cells_of_the_name_in_front: states 24, transitions 23, "
            typedef N { byte k; bit w[2] }; typedef R { byte p; int q[3]; N n[2]; N o };
            R t; R tt[2]; byte x;
            active proctype P() { byte i;  R l[3]; for (i in l) { x++ };  for (i in l[x%3].n) { x++ }; }
        "),
    case!(for_in_an_array_in_a_cell_goes_through_the_records: states 10, transitions 9, "
            typedef T { byte a[3] }; T t[2]; byte x, i;
            active proctype P() { for (i in t[1].a) { x++ } }
        "),
    case!(for_in_an_array_of_channels_goes_through_the_first: states 10, transitions 9, "
            typedef M { byte a; byte b };
            chan qa[2] = [2] of { M }; byte x; M m;
            active proctype P() { qa[0]!m; for (m in qa) { x++ } }
        "),
    case!(for_in_an_array_of_channels_with_a_number_goes_through_the_cells: states 10, transitions 9, "
            chan qa[2] = [1] of { byte }; byte x;
            active proctype P() { byte i; for (i in qa) { x++ } }
        "),
];
