//! Texts that Spin does not take.

use super::super::Failure;

pub const REFUSED: &[Failure] = &[
    Failure {
        name: "goto_out_of_a_d_step",
        text: "
            byte x;
            active proctype P() { d_step { x = 1; if :: x == 1 -> goto L :: else fi; x = 2 }; x = 3; L: x = 4 }
        ",
        spin: "non_local jump in d_step sequence",
    },
    Failure {
        name: "break_out_of_a_d_step",
        text: "
            byte x;
            active proctype P() { do :: d_step { x < 2 -> x++ } :: d_step { x == 2 -> x = 5; break } od; x = 6 }
        ",
        spin: "jump into d_step sequence",
    },
    Failure {
        name: "goto_into_a_d_step",
        text: "
            byte x;
            active proctype P() { x = 1; goto L; x = 2; d_step { x = 3; L: x = 4; x = 5 } }
        ",
        spin: "jump into d_step sequence",
    },
    Failure {
        name: "array_of_unsigned",
        text: "
            unsigned a[3] : 2;
            active proctype P() { a[0] = 3 }
        ",
        spin: "unsigned without width-field",
    },
    Failure {
        name: "array_name_without_index",
        text: "
            byte a[2];
            active proctype P() { a = 3; assert(a[0] == 3) }
        ",
        spin: "missing array index for 'a'",
    },
    Failure {
        name: "records_are_not_assigned_as_a_whole",
        text: "
            typedef R { byte x; byte y }
            R r, s;
            active proctype P() { r.x = 1; s = r }
        ",
        spin: "incomplete structure ref 's'",
    },
    Failure {
        name: "too_many_fields_sent",
        text: "
            chan q = [1] of { byte };
            active proctype P() { q!1, 2 }
        ",
        spin: "too many pars in send",
    },
    Failure {
        name: "too_many_fields_received",
        text: "
            chan q = [1] of { byte }; byte x;
            active proctype P() { q!1; q?x, x }
        ",
        spin: "cannot use var ('x') in multiple msg fields",
    },
    Failure {
        name: "shadowing_a_global",
        text: "
            byte x = 5;
            active proctype P() { byte x; x = 1 }
        ",
        spin: "redeclaration of 'x'",
    },
    Failure {
        name: "shadowing_in_a_block",
        text: "
            active proctype P() { byte x = 1; { byte x = 2; assert(x == 2) } }
        ",
        spin: "redeclaration of 'x'",
    },
    Failure {
        name: "list_of_values_later",
        text: "
            active proctype P() { skip; byte y[3] = { 1, 2, 3 }; y[0] = 1 }
        ",
        spin: "cannot use an array list initializer here",
    },
    Failure {
        name: "channel_made_later",
        text: "
            active proctype P() { skip; chan q = [1] of { byte }; q!1 }
        ",
        spin: "place initialized chan decl of 'q' at start of proctype",
    },
    Failure {
        name: "channel_made_in_a_block",
        text: "
            active proctype P() { { chan q = [1] of { byte }; q!1 } }
        ",
        spin: "place initialized chan decl of 'q' at start of proctype",
    },
    Failure {
        name: "run_in_an_initialiser",
        text: "
            active proctype P() { pid p = run Q(); skip }
            proctype Q() { skip }
        ",
        spin: "cannot use 'run' in var init, saw",
    },
    Failure {
        name: "hidden_local",
        text: "
            active proctype P() { hidden byte y; y = 1 }
        ",
        spin: "cannot hide non-globals (y)",
    },
    Failure {
        name: "label_before_a_declaration",
        text: "
            byte x;
            active proctype P() { L: byte y = 2; x = y }
        ",
        spin: "label preceding declaration",
    },
    Failure {
        name: "variable_outside_its_block",
        text: "
            active proctype P() { { byte y; skip }; y = 1 }
        ",
        spin: "undeclared variable: y",
    },
    Failure {
        name: "variable_before_its_declaration",
        text: "
            active proctype P() { byte y = z; byte z = 3; y = z }
        ",
        spin: "undeclared variable: z",
    },
    Failure {
        name: "label_first_in_a_block",
        text: "
            byte x;
            active proctype P() { { L: x = 1; x = 2 } }
        ",
        spin: "label L placed incorrectly",
    },
    Failure {
        name: "label_first_in_an_atomic",
        text: "
            byte x;
            active proctype P() { atomic { L: x = 1; x = 2 } }
        ",
        spin: "label L placed incorrectly",
    },
    Failure {
        name: "goto_to_itself",
        text: "
            byte x;
            active proctype P() { x = 1; L: goto L }
        ",
        spin: "infinite goto loop",
    },
    Failure {
        name: "goto_to_no_label",
        text: "
            byte x;
            active proctype P() { x = 1; goto M }
        ",
        spin: "undefined label M",
    },
    Failure {
        name: "break_outside_a_loop",
        text: "
            byte x;
            active proctype P() { x = 1; break }
        ",
        spin: "misplaced break statement",
    },
    Failure {
        name: "array_parameter",
        text: "
            proctype Q(byte a[2]) { skip }
            init { skip }
        ",
        spin: "array in parameter list, a",
    },
    Failure {
        name: "run_in_a_d_step",
        text: "
            byte x;
            proctype Q() { x = 5 }
            init { d_step { run Q(); x = 1 } }
        ",
        spin: "'run operator in d_step'",
    },
    Failure {
        name: "run_in_a_conjunction",
        text: "
            byte x;
            proctype Q() { skip }
            init { if :: x == 0 && run Q() -> skip :: else fi }
        ",
        spin: "use of run operator in compound expression",
    },
    Failure {
        name: "run_with_too_many_arguments",
        text: "
            proctype Q(byte a) { skip }
            init { run Q(1, 2) }
        ",
        spin: "wrong number of parameters
spin: m.pml:2, Error: too many parameters in run Q(...)",
    },
    Failure {
        name: "run_of_nothing",
        text: "
            init { run Q() }
        ",
        spin: "proctype Q not found",
    },
    Failure {
        name: "negated_full",
        text: "
            chan q = [1] of { byte };
            active proctype P() { !full(q) -> q!1 }
        ",
        spin: "syntax error",
    },
    Failure {
        name: "unsigned_in_a_message",
        text: "
            chan q = [1] of { unsigned };
            active proctype P() { q!1 }
        ",
        spin: "unsigned cannot be used as mesg type",
    },
    Failure {
        name: "empty_body",
        text: "
            active proctype P() { }
        ",
        spin: "syntax error",
    },
    Failure {
        name: "undeclared_variable",
        text: "
            active proctype P() { x = 1 }
        ",
        spin: "undeclared variable: x",
    },
    Failure {
        name: "two_of_one_name",
        text: "
            byte x;
            byte x;
            active proctype P() { x = 1 }
        ",
        spin: "redeclaration of 'x'",
    },
    Failure {
        name: "two_labels_of_one_name",
        text: "
            byte x;
            active proctype P() { L: x = 1; L: x = 2 }
        ",
        spin: "label L redeclared",
    },
    Failure {
        name: "field_that_is_not",
        text: "
            typedef T { byte a }
            T t;
            active proctype P() { t.b = 1 }
        ",
        spin: "no field 'b' defined in structure 't'",
    },
    Failure {
        name: "index_of_a_scalar",
        text: "
            byte x;
            active proctype P() { x[1] = 1 }
        ",
        spin: "ref to scalar 'x' using array index",
    },
    Failure {
        name: "assigning_a_constant",
        text: "
            mtype = { a };
            active proctype P() { a = 1 }
        ",
        spin: "syntax error",
    },
    Failure {
        name: "no_process",
        text: "
            byte x;
        ",
        spin: "no runable process",
    },
    Failure {
        name: "too_many_processes_from_the_start",
        text: "
            byte x;
            active [256] proctype P() { x = 1 }
        ",
        spin: "max nr of processes is 255",
    },
    Failure {
        name: "select_of_nothing",
        text: "
            int i;
            active proctype P() { select (i : 2 .. 1) }
        ",
        spin: "bad range in select statement
spin: m.pml:2, Error: syntax error",
    },
    Failure {
        name: "for_in_an_array_in_a_single_record",
        text: "
            typedef T { byte a[3] };
            T t; byte i; byte x;
            active proctype P() { for (i in t.a) { x++ } }
        ",
        spin: "bad arrayname t",
    },
];
