//! What a process sees of others: priorities, `provided`, `_last`, remote references.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "last",
        text: "
            byte x;
            active proctype A() { x = 1; assert(_last == 0); x = 2 }
            active proctype B() { if :: _last == 0 -> x = 5 :: else -> x = 6 fi }
        ",
        states: 32,
        transitions: 44,
        assertion: true,
        invalid_end: false,
    },
    Case {
        name: "last_of_a_rendezvous",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() { q!1 }
            active proctype B() { byte y; q?y }
            active proctype C() { if :: _last == 1 -> x = 1 :: _last == 0 -> x = 2 fi }
        ",
        states: 17,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "remote_label",
        text: "
            byte x;
            active proctype A() { x = 1; L: x = 2; x = 3 }
            active proctype B() { if :: A[0]@L -> x = 7 :: A@L -> x = 8 fi }
        ",
        states: 29,
        transitions: 36,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "remote_label_of_a_block",
        text: "
            byte x;
            active proctype A() { x = 1; L: { x = 2; x = 3 }; M: if :: x == 3 -> x = 4 :: else fi; N: atomic {
                x = 5; x = 6 }; O: do :: x < 8 -> x++ :: else -> break od }
            active proctype B() { if :: A@L -> x = 10 :: A@M -> x = 11 :: A@N -> x = 12 :: A@O -> x = 13 fi }
        ",
        states: 117,
        transitions: 172,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "remote_variable",
        text: "
            byte x;
            active proctype A() { byte v; v = 1; v = 2; v = 3 }
            active proctype B() { if :: A[0]:v == 2 -> x = 7 :: A:v == 3 -> x = 8 fi }
        ",
        states: 15,
        transitions: 16,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "remote_label_of_another_instance",
        text: "
            byte x;
            active [2] proctype A() { x = 1; L: x = 2 }
            active proctype B() { A[1]@L; x = 7 }
        ",
        states: 52,
        transitions: 87,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "enabled_and_pc_value",
        text: "
            byte x;
            active proctype A() { x == 1; x = 2; x = 3 }
            active proctype B() { if :: enabled(0) -> x = 9 :: !enabled(0) -> x = 1 fi; x = pc_value(0);
                x = pc_value(0) }
        ",
        states: 29,
        transitions: 40,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "provided_clause",
        text: "
            byte x;
            active proctype A() provided (x < 3) { do :: x = 3 :: x = x + 1 :: break od; x = 5 }
            active proctype B() { x = 4; x = 0 }
        ",
        states: 30,
        transitions: 57,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "provided_clause_in_an_atomic",
        text: "
            byte x;
            active proctype A() provided (x < 3) { atomic { x = 1; x = 3; x = 2 } }
            active proctype B() { x == 3; x = 0 }
        ",
        states: 8,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "provided_clause_and_rendezvous",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype A() provided (x == 1) { byte y; q?y; x = 2 }
            active proctype B() { if :: q!1 -> x = 5 :: x = 1; q!2 fi }
        ",
        states: 6,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "provided_with_pid",
        text: "
            byte turn;
            active [2] proctype A() provided (turn == _pid) { turn = 1 - _pid; turn = 1 - _pid }
        ",
        states: 5,
        transitions: 4,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "priorities",
        text: "
            byte x;
            active proctype A() priority 5 { x = 1; x = 2 }
            active proctype B() { x = 3; x = 4 }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "priority_of_a_run",
        text: "
            byte x;
            proctype B(byte n) { x = n; x = n + 1 }
            init { atomic { run B(1) priority 3; run B(5) priority 2 } }
        ",
        states: 10,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "priority_blocked",
        text: "
            byte x;
            active proctype A() priority 5 { x == 3; x = 2 }
            active proctype B() { x = 3; x = 4 }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "remote_reference_to_a_dead_process",
        text: "
            byte x;
            proctype W() { L: x = 1 }
            active proctype P() { run W(); (_nr_pr == 1); if :: W[1]@L -> x = 5 :: else -> x = 6 fi }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "remote_reference_to_another_type",
        text: "
            byte x;
            active proctype W() { L: x = 1 }
            active proctype P() { if :: W[1]@L -> x = 5 :: else -> x = 6 fi }
        ",
        states: 12,
        transitions: 13,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "last_in_an_atomic",
        text: "
            byte x;
            active proctype A() { atomic { x = 1; x = 2 }; x = _last }
            active proctype B() { x = 4; x = _last }
        ",
        states: 28,
        transitions: 35,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "priority_of_a_proctype_that_is_run",
        text: "
            byte x;
            proctype A() priority 4 { x = 1; x = 2 }
            init { run A(); x = 7; x = 8 }
        ",
        states: 21,
        transitions: 27,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "set_priority",
        text: "
            byte x;
            active proctype A() { x = _priority; set_priority(0, 5); x = get_priority(1); x = get_priority(0);
                x = 3 }
            active proctype B() { x = 4; x = 5 }
        ",
        states: 35,
        transitions: 41,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "priority_and_atomic",
        text: "
            byte x;
            active proctype A() priority 5 { atomic { x = 1; x == 2; x = 2 }; x = 3 }
            active proctype B() { x = 2; x = 4 }
        ",
        states: 8,
        transitions: 7,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "remote_label_on_an_option",
        text: "
            byte x;
            active proctype A() { do :: L: x = 1 :: x = 2; goto L od }
            active proctype B() { A@L; assert(false) }
        ",
        states: 9,
        transitions: 19,
        assertion: true,
        invalid_end: false,
    },
    Case {
        name: "pc_value_behind_an_unless",
        text: "
            byte x, y, a;
            active proctype P() { byte l; y = l unless a = 1; a = 0; x++ }
            active proctype Q() { pc_value(0) > 1; x = 2 }
        ",
        states: 20,
        transitions: 27,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "last_in_a_choice_inside_a_d_step",
        text: "
            byte x, y;
            active proctype P() { x = 1; x = 2 }
            active proctype Q() { d_step { x > 0; if :: _last == 0 -> y = 1 :: else -> y = 2 fi; assert(_last == 0) } }
        ",
        states: 10,
        transitions: 11,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "last_in_a_d_step_that_receives",
        text: "
            chan q = [0] of { byte }; byte x, y;
            active proctype R() { x = 7 }
            active proctype P() { q!1; y = 4 }
            active proctype Q() { d_step { q?x; if :: _last == 1 -> y = 1 :: else -> y = _last + 2 fi; assert(_last == 1) }; x = _last }
        ",
        states: 48,
        transitions: 61,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "last_as_a_receiver_sees_it",
        text: "
            chan q = [0] of { byte }; byte x, y;
            active proctype P() { q!1; q!0; x = 3 }
            active proctype Q() { q?x; q?eval(_last) }
        ",
        states: 8,
        transitions: 8,
        assertion: false,
        invalid_end: false,
    },
];
