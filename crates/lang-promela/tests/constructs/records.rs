//! Arrays and records.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "array_of_bytes_in_a_loop",
        text: "
            byte a[4]; byte i;
            active proctype P() { do :: i < 4 -> a[i] = i * i; i++ :: else -> break od; assert(a[3] == 9) }
        ",
        states: 16,
        transitions: 15,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "array_initialised_with_one_value",
        text: "
            byte a[3] = 7; int b[2] = -1;
            active proctype P() { assert(a[0] == 7 && a[2] == 7); assert(b[1] == -1); a[1] = 0 }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "array_initialised_with_a_list",
        text: "
            byte a[4] = { 1, 2, 3 };
            active proctype P() { assert(a[0] == 1 && a[1] == 2 && a[2] == 3); a[0] = a[3] }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "local_array_at_the_start",
        text: "
            active proctype P() { byte a[3] = 2; byte i; a[0] = 1; i = a[0] + a[1] + a[2]; assert(i == 5) }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "index_is_an_expression",
        text: "
            byte a[5], b[5]; byte i = 1;
            active proctype P() { a[i + 1] = 3; b[a[2] + 1] = i; assert(b[4] == 1); a[b[4] * 3] = 9;
                assert(a[3] == 9) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "array_of_bits",
        text: "
            bit a[10]; byte i;
            active proctype P() { do :: i < 10 -> if :: a[i] = 1 :: skip fi; i = i + 3 :: else -> break od }
        ",
        states: 108,
        transitions: 107,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record",
        text: "
            typedef R { byte x; int y }
            R r;
            active proctype P() { r.x = 300; r.y = -5; assert(r.x == 44 && r.y == -5) }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record_with_initial_values",
        text: "
            typedef R { byte x = 3; short y[2] = 4; bit z }
            R r;
            active proctype P() { R s; assert(r.x == 3 && r.y[1] == 4 && s.x == 3 && s.y[0] == 4); s.x = 1;
                r.x = s.x }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nested_records",
        text: "
            typedef In { byte a; bit b[2] }
            typedef Out { In one; In many[2]; byte c }
            Out o;
            active proctype P() { o.one.a = 1; o.many[1].a = 2; o.many[0].b[1] = 1; o.c = o.one.a + o.many[1].a;
                assert(o.c == 3 && o.many[0].b[1] == 1 && o.many[0].b[0] == 0) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "array_of_records",
        text: "
            typedef R { byte x; byte y[2] }
            R r[2];
            active proctype P() { byte i; do :: i < 2 -> r[i].x = i; r[i].y[i] = 5; i++ :: else -> break od;
                assert(r[1].y[1] == 5 && r[1].y[0] == 0) }
        ",
        states: 12,
        transitions: 11,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "local_record_at_the_start",
        text: "
            typedef R { byte x; byte y }
            active proctype P() { R r; r.x = 1; r.y = r.x + 1; assert(r.y == 2) }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "local_record_in_the_middle_keeps_its_values",
        text: "
            typedef R { byte x; byte y }
            active proctype P() { byte i; do :: i < 2 -> R r; r.x = r.x + 1; i++ :: else -> break od;
                assert(r.x == 2) }
        ",
        states: 12,
        transitions: 11,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record_in_a_message",
        text: "
            typedef R { byte x; byte y }
            chan q = [2] of { R, byte };
            R r, s;
            active proctype P() { byte n; r.x = 1; r.y = 2; q!r, 7; q?s, n; assert(s.x == 1 && s.y == 2 && n == 7) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record_with_an_array_in_a_message",
        text: "
            typedef R { byte x[2]; byte y }
            chan q = [1] of { R };
            R r, s;
            active proctype P() { r.x[0] = 1; r.x[1] = 3; r.y = 2; q!r; q?s;
                assert(s.x[0] == 1 && s.x[1] == 3 && s.y == 2) }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record_through_a_rendezvous",
        text: "
            typedef R { byte x; byte y }
            chan q = [0] of { R };
            active proctype P() { R r; r.x = 1; r.y = 2; q!r }
            active proctype Q() { R s; q?s; assert(s.y == 2) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "channel_in_a_record",
        text: "
            typedef R { chan c; byte x }
            R r;
            chan q = [1] of { byte };
            active proctype P() { r.c = q; r.c!5; q?r.x; assert(r.x == 5) }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "channel_made_in_a_record",
        text: "
            typedef R { chan c = [1] of { byte }; byte x }
            R r[2];
            active proctype P() { r[0].c!3; r[1].c!4; r[0].c?r[1].x; assert(r[1].x == 3) }
        ",
        states: 6,
        transitions: 5,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "hidden_variables_are_no_part_of_the_state",
        text: "
            hidden byte h; byte x;
            active proctype P() { x = 1; h = x; x = 0 }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "underscore_forgets",
        text: "
            byte x;
            chan q = [2] of { byte, byte };
            active proctype P() { _ = 5; q!1, 2; q?_, x; assert(x == 2); q!3, 4; q?x, _ }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "show_and_local_say_nothing",
        text: "
            show byte x; local byte y;
            active proctype P() { x = 1; y = 2; x = y }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "bit_in_a_record_that_is_a_message",
        text: "
            typedef T { bit b }; chan q = [1] of { T }; chan r = [0] of { bit, bool }; T t; byte x, y, z;
            active proctype P() { q!6; r!6,7 }
            active proctype Q() { q?x; r?y,z; assert(x == 6 && y == 0 && z == 1) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "for_in_goes_through_the_cells_of_the_name_in_front",
        text: "
            typedef N { byte k; bit w[2] }; typedef R { byte p; int q[3]; N n[2]; N o };
            R t; R tt[2]; byte x;
            active proctype P() { byte i;  R l[3]; for (i in l) { x++ };  for (i in l[x%3].n) { x++ }; }
        ",
        states: 24,
        transitions: 23,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "for_in_an_array_in_a_cell_goes_through_the_records",
        text: "
            typedef T { byte a[3] }; T t[2]; byte x, i;
            active proctype P() { for (i in t[1].a) { x++ } }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "for_in_an_array_of_channels_goes_through_the_first",
        text: "
            typedef M { byte a; byte b };
            chan qa[2] = [2] of { M }; byte x; M m;
            active proctype P() { qa[0]!m; for (m in qa) { x++ } }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "for_in_an_array_of_channels_with_a_number_goes_through_the_cells",
        text: "
            chan qa[2] = [1] of { byte }; byte x;
            active proctype P() { byte i; for (i in qa) { x++ } }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
];
