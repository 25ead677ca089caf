//! What a process sees of others: priorities, `provided`, `_last`, remote references.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(last: states 32, transitions 44, assertion, "
            byte x;
            active proctype A() { x = 1; assert(_last == 0); x = 2 }
            active proctype B() { if :: _last == 0 -> x = 5 :: else -> x = 6 fi }
        "),
    case!(last_of_a_rendezvous: states 17, transitions 18, "
            chan q = [0] of { byte }; byte x;
            active proctype A() { q!1 }
            active proctype B() { byte y; q?y }
            active proctype C() { if :: _last == 1 -> x = 1 :: _last == 0 -> x = 2 fi }
        "),
    case!(remote_label: states 29, transitions 36, invalid_end, "
            byte x;
            active proctype A() { x = 1; L: x = 2; x = 3 }
            active proctype B() { if :: A[0]@L -> x = 7 :: A@L -> x = 8 fi }
        "),
    case!(remote_label_of_a_block: states 117, transitions 172, invalid_end, "
            byte x;
            active proctype A() { x = 1; L: { x = 2; x = 3 }; M: if :: x == 3 -> x = 4 :: else fi; N: atomic {
                x = 5; x = 6 }; O: do :: x < 8 -> x++ :: else -> break od }
            active proctype B() { if :: A@L -> x = 10 :: A@M -> x = 11 :: A@N -> x = 12 :: A@O -> x = 13 fi }
        "),
    case!(remote_variable: states 15, transitions 16, "
            byte x;
            active proctype A() { byte v; v = 1; v = 2; v = 3 }
            active proctype B() { if :: A[0]:v == 2 -> x = 7 :: A:v == 3 -> x = 8 fi }
        "),
    case!(remote_label_of_another_instance: states 52, transitions 87, invalid_end, "
            byte x;
            active [2] proctype A() { x = 1; L: x = 2 }
            active proctype B() { A[1]@L; x = 7 }
        "),
    case!(enabled_and_pc_value: states 29, transitions 40, "
            byte x;
            active proctype A() { x == 1; x = 2; x = 3 }
            active proctype B() { if :: enabled(0) -> x = 9 :: !enabled(0) -> x = 1 fi; x = pc_value(0);
                x = pc_value(0) }
        "),
    case!(provided_clause: states 30, transitions 57, invalid_end, "
            byte x;
            active proctype A() provided (x < 3) { do :: x = 3 :: x = x + 1 :: break od; x = 5 }
            active proctype B() { x = 4; x = 0 }
        "),
    case!(provided_clause_in_an_atomic: states 8, transitions 8, "
            byte x;
            active proctype A() provided (x < 3) { atomic { x = 1; x = 3; x = 2 } }
            active proctype B() { x == 3; x = 0 }
        "),
    case!(provided_clause_and_rendezvous: states 6, transitions 6, "
            chan q = [0] of { byte }; byte x;
            active proctype A() provided (x == 1) { byte y; q?y; x = 2 }
            active proctype B() { if :: q!1 -> x = 5 :: x = 1; q!2 fi }
        "),
    case!(provided_with_pid: states 5, transitions 4, "
            byte turn;
            active [2] proctype A() provided (turn == _pid) { turn = 1 - _pid; turn = 1 - _pid }
        "),
    case!(priorities: states 7, transitions 6, "
            byte x;
            active proctype A() priority 5 { x = 1; x = 2 }
            active proctype B() { x = 3; x = 4 }
        "),
    case!(priority_of_a_run: states 10, transitions 9, "
            byte x;
            proctype B(byte n) { x = n; x = n + 1 }
            init { atomic { run B(1) priority 3; run B(5) priority 2 } }
        "),
    case!(priority_blocked: states 7, transitions 6, "
            byte x;
            active proctype A() priority 5 { x == 3; x = 2 }
            active proctype B() { x = 3; x = 4 }
        "),
    case!(remote_reference_to_a_dead_process: states 8, transitions 7, "
            byte x;
            proctype W() { L: x = 1 }
            active proctype P() { run W(); (_nr_pr == 1); if :: W[1]@L -> x = 5 :: else -> x = 6 fi }
        "),
    case!(remote_reference_to_another_type: states 12, transitions 13, "
            byte x;
            active proctype W() { L: x = 1 }
            active proctype P() { if :: W[1]@L -> x = 5 :: else -> x = 6 fi }
        "),
    case!(last_in_an_atomic: states 28, transitions 35, "
            byte x;
            active proctype A() { atomic { x = 1; x = 2 }; x = _last }
            active proctype B() { x = 4; x = _last }
        "),
    case!(priority_of_a_proctype_that_is_run: states 21, transitions 27, "
            byte x;
            proctype A() priority 4 { x = 1; x = 2 }
            init { run A(); x = 7; x = 8 }
        "),
    case!(set_priority: states 35, transitions 41, "
            byte x;
            active proctype A() { x = _priority; set_priority(0, 5); x = get_priority(1); x = get_priority(0);
                x = 3 }
            active proctype B() { x = 4; x = 5 }
        "),
    case!(priority_and_atomic: states 8, transitions 7, "
            byte x;
            active proctype A() priority 5 { atomic { x = 1; x == 2; x = 2 }; x = 3 }
            active proctype B() { x = 2; x = 4 }
        "),
    case!(remote_label_on_an_option: states 9, transitions 19, assertion, "
            byte x;
            active proctype A() { do :: L: x = 1 :: x = 2; goto L od }
            active proctype B() { A@L; assert(false) }
        "),
    case!(pc_value_behind_an_unless: states 20, transitions 27, "
            byte x, y, a;
            active proctype P() { byte l; y = l unless a = 1; a = 0; x++ }
            active proctype Q() { pc_value(0) > 1; x = 2 }
        "),
    case!(last_in_a_choice_inside_a_d_step: states 10, transitions 11, "
            byte x, y;
            active proctype P() { x = 1; x = 2 }
            active proctype Q() { d_step { x > 0; if :: _last == 0 -> y = 1 :: else -> y = 2 fi; assert(_last == 0) } }
        "),
    case!(last_in_a_d_step_that_receives: states 48, transitions 61, "
            chan q = [0] of { byte }; byte x, y;
            active proctype R() { x = 7 }
            active proctype P() { q!1; y = 4 }
            active proctype Q() { d_step { q?x; if :: _last == 1 -> y = 1 :: else -> y = _last + 2 fi; assert(_last == 1) }; x = _last }
        "),
    case!(last_as_a_receiver_sees_it: states 8, transitions 8, "
            chan q = [0] of { byte }; byte x, y;
            active proctype P() { q!1; q!0; x = 3 }
            active proctype Q() { q?x; q?eval(_last) }
        "),
];
