//! The widths of types, and what does not fit them.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(bit_keeps_the_lowest_bit: states 11, transitions 10, "
            bit b; int i;
            active proctype P() { b = 2; assert(b == 0); b = 3; assert(b == 1); i = 5; b = i; assert(b == 1);
                b = 0 - 1; assert(b == 1) }
        "),
    case!(bool_keeps_the_lowest_bit: states 8, transitions 7, "
            bool b = 1;
            active proctype P() { b = 2; if :: b == 0 -> skip :: else -> assert(false) fi; b = true; b = !b;
                assert(b == false) }
        "),
    case!(byte_wraps_around: states 10, transitions 9, "
            byte b = 255;
            active proctype P() { b++; assert(b == 0); b--; assert(b == 255); b = 1000; assert(b == 232);
                b = 0 - 3; assert(b == 253) }
        "),
    case!(short_wraps_around: states 10, transitions 9, "
            short s = 32767;
            active proctype P() { s++; assert(s == -32768); s--; assert(s == 32767); s = 65535; assert(s == -1);
                s = 65536 + 7; assert(s == 7) }
        "),
    case!(int_wraps_around: states 8, transitions 7, "
            int i = 2147483647;
            active proctype P() { i++; assert(i < 0); i = i - 1; assert(i == 2147483647); i = i * 2;
                assert(i == -2) }
        "),
    case!(unsigned_has_as_many_bits_as_it_says: states 12, transitions 11, "
            unsigned u : 3 = 7; unsigned w : 1; unsigned v : 12 = 4000;
            active proctype P() { u++; assert(u == 0); u--; assert(u == 7); w = 2; assert(w == 0); v = v + 100;
                assert(v == 4); u = 13; assert(u == 5) }
        "),
    case!(pid_is_a_byte: states 17, transitions 16, "
            pid p = 250;
            active proctype P() { do :: p > 5 -> p++ :: else -> break od; p = 0 - 1; assert(p == 255) }
        "),
    case!(mtype_counts_from_one_backwards: states 9, transitions 8, "
            mtype = { a, b, c };
            mtype m;
            active proctype P() { assert(m == 0); assert(a == 3 && b == 2 && c == 1); m = a; m = c; if
                :: m == c -> m = 7 :: else fi; assert(m == 7) }
        "),
    case!(two_mtype_declarations_go_on_counting: states 9, transitions 8, "
            mtype = { a, b };
            mtype = { c, d, e };
            byte x;
            active proctype P() { x = a; x = b; x = c; x = d; x = e; assert(a == 2 && b == 1);
                assert(c == 5 && d == 4 && e == 3) }
        "),
    case!(named_mtypes_count_each_for_themselves: states 9, transitions 8, "
            mtype:fruit = { apple, pear };
            mtype:size = { small, large, huge };
            mtype:fruit f = pear; mtype:size s;
            byte x;
            active proctype P() { x = f; s = huge; x = s; s = small; x = s; f = apple; x = f }
        "),
    case!(initial_values_wrap_around: states 5, transitions 4, "
            byte b = 257; bit c = 2; short s = 40000;
            active proctype P() { assert(b == 1); assert(c == 0); assert(s == -25536) }
        "),
    case!(initial_values_of_locals_wrap_around: states 3, transitions 2, "
            active proctype P() { byte b = 257; bit c = 3; unsigned u : 2 = 6; b = b + c + u }
        "),
    case!(parameters_wrap_around: states 8, transitions 7, "
            byte g; short h;
            proctype Q(byte b; bit c; short s; unsigned u : 2) { g = b; h = s; g = c; g = u }
            init { run Q(300, 2, 70000, 7) }
        "),
    case!(negative_argument_for_a_byte: states 6, transitions 5, "
            int g;
            proctype Q(byte b; int i) { g = b; g = i }
            init { run Q(-1, -1) }
        "),
    case!(cells_wrap_around: states 8, transitions 7, "
            byte a[3]; short s[2];
            active proctype P() { a[0] = 256; a[1] = 511; a[2] = -1;
                assert(a[0] == 0 && a[1] == 255 && a[2] == 255); s[0] = 32768; assert(s[0] == -32768) }
        "),
    case!(message_fields_wrap_around: states 6, transitions 5, "
            chan q = [4] of { byte, bit, short, bool };
            int a, b, c, d;
            active proctype P() { q!300, 3, 40000, 2; q!-1, -1, -1, -1; q?a, b, c, d; q?a, b, c, d }
        "),
    case!(message_fields_into_narrow_variables: states 5, transitions 4, "
            chan q = [2] of { int, int };
            byte x; bit y;
            active proctype P() { q!300, 3; q?x, y; assert(x == 44 && y == 1) }
        "),
    case!(rendezvous_fields_wrap_around: states 5, transitions 4, "
            chan q = [0] of { byte, short };
            int a, b;
            active proctype P() { q!300, 40000; q!-1, -1 }
            active proctype Q() { q?a, b; q?a, b }
        "),
    case!(matching_a_truncated_field: states 5, transitions 4, "
            chan q = [1] of { byte };
            active proctype P() { q!300; if :: q?300 -> assert(false) :: q?44 -> skip fi }
        "),
    case!(division_and_remainder_of_negatives: states 10, transitions 9, "
            int x;
            active proctype P() { x = -7 / 2; assert(x == -3); x = -7 % 2; assert(x == -1); x = 7 / -2;
                assert(x == -3); x = 7 % -2; assert(x == 1) }
        "),
    case!(shifts: states 12, transitions 11, "
            int x; byte b;
            active proctype P() { x = 1 << 10; x = x >> 3; x = -8 >> 1; assert(x == -4); b = 255 << 1;
                assert(b == 254); b = b >> 1; assert(b == 127); x = (1 << 31); assert(x < 0) }
        "),
    case!(bit_operators: states 12, transitions 11, "
            int x = 12;
            active proctype P() { x = x & 10; assert(x == 8); x = x | 3; assert(x == 11); x = x ^ 6;
                assert(x == 13); x = ~x; assert(x == -14); x = !x; assert(x == 0) }
        "),
    case!(expressions_are_computed_as_ints: states 8, transitions 7, "
            byte a = 200, b = 100; int x;
            active proctype P() { if :: a + b == 300 -> x = a + b :: else -> x = 1 fi; x = a - b - 150;
                assert(x == -50); x = a * b * a; assert(x == 4000000) }
        "),
    case!(comparisons_are_zero_or_one: states 7, transitions 6, "
            int x;
            active proctype P() { x = (3 > 2) + (2 >= 2) + (1 < 0) + (5 == 5); assert(x == 3);
                x = (3 && 4) + (0 || 7); assert(x == 2); x = !5 }
        "),
    case!(character_constants_and_true_false: states 9, transitions 8, r#"
            byte x; bool t;
            active proctype P() { x = 'a'; assert(x == 97); x = '\n'; assert(x == 10); t = true; t = false;
                x = true + true }
        "#),
    case!(mtype_in_expressions: states 8, transitions 7, "
            mtype = { red, green, blue };
            mtype m = red;
            active proctype P() { do :: m > blue -> m = m - 1 :: m == blue -> break od; assert(m == 1) }
        "),
    case!(conditional_expression: states 5, transitions 4, "
            byte x = 3, y;
            active proctype P() { y = (x > 2 -> 10 : 20); x = (y == 10 -> (x == 3 -> 7 : 8) : 9);
                y = (x < 5 -> 1 / 0 : x) }
        "),
    case!(short_circuit: states 5, transitions 4, "
            byte x; byte a[2];
            active proctype P() { x = 5; if :: x < 2 && a[x] == 0 -> assert(false)
                :: x > 2 || a[x] == 0 -> x = 1 fi }
        "),
    case!(variables_of_all_types_differ_in_the_state: states 2282, transitions 3030, "
            bit a; bool b; byte c; short d; int e; unsigned f : 5; mtype = { m1, m2 }; mtype g; pid h; chan k;
            active proctype P() { a = 1; b = 1; c = 1; d = 1; e = 1; f = 1; g = m1; h = 1 }
            active proctype Q() { a = 0; b = 0; c = 0; d = 0; e = 0; f = 0; g = m2; h = 0 }
        "),
    case!(cells_of_bits_are_bytes: states 8, transitions 7, "
            bit c[2]; typedef R { bit b; bool d[2] }; R r;
            active proctype P() { c[0] = 259; assert(c[0] == 3); r.b = 3; assert(r.b == 1); r.d[1] = 3;
                assert(r.d[1] == 3) }
        "),
    case!(values_show_in_the_state: states 13, transitions 12, "
            int x; byte b;
            active proctype P() { if :: x = 256 :: x = -1 :: x = 1 fi; b = x; x = 0 }
        "),
];
