//! Birth, death and numbers of processes.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(active_processes_and_pids: states 40, transitions 81, "
            byte x;
            active proctype A() { assert(_pid == 0); x = x + 1 }
            active [2] proctype B() { assert(_pid == 1 || _pid == 2); x = x + 10 }
        "),
    case!(init_after_active: states 10, transitions 10, "
            byte x;
            active proctype A() { x = _pid }
            init { x = 10 + _pid }
        "),
    case!(init_before_active: states 10, transitions 10, "
            byte x;
            init { x = 10 + _pid }
            active proctype A() { x = _pid + 1 }
        "),
    case!(init_between: states 291, transitions 636, assertion, "
            byte x;
            active proctype A() { x = _pid + 1 }
            init { assert(_pid == 1); run C() }
            active [2] proctype B() { assert(_pid > 1); x = _pid }
            proctype C() { assert(_pid == 4); x = 0 }
        "),
    case!(active_none: states 3, transitions 2, "
            byte x;
            active [0] proctype A() { x = 1 }
            active proctype B() { x = 2 }
        "),
    case!(active_with_parameters_are_zero: states 4, transitions 3, "
            byte x;
            active proctype A(byte n) { assert(n == 0); x = n + 1 }
        "),
    case!(run_gives_the_pid: states 44, transitions 65, "
            byte x;
            proctype B(byte n) { x = n }
            init { pid p; p = run B(3); assert(p == 1); x = 5; p = run B(4); assert(p >= 1 && p <= 2) }
        "),
    case!(run_as_a_condition: states 31, transitions 44, "
            byte x;
            proctype B() { x = 1 }
            init { run B(); if :: run B() -> x = 2 :: x == 1 -> x = 3 fi }
        "),
    case!(death_in_reverse_order: states 42, transitions 65, "
            byte x;
            active proctype A() { x = 1 }
            active proctype B() { x = 2; x = 3 }
            active proctype C() { x = 4 }
        "),
    case!(older_process_waits_for_younger: states 2, transitions 1, "
            byte x;
            active proctype A() { skip }
            active proctype B() { end: x == 1 }
        "),
    case!(pids_are_used_again: states 28, transitions 33, "
            byte n, s;
            proctype W() { s = s + _pid }
            init { do :: n < 3 -> run W(); n++; (_nr_pr == 1) :: else -> break od; assert(s == 3) }
        "),
    case!(processes_of_two_kinds_under_one_pid: states 40, transitions 51, "
            byte n, x;
            proctype A() { x = 1 }
            proctype B() { x = 2 }
            init { do :: n < 2 -> if :: run A() :: run B() fi; n++; (_nr_pr == 1) :: else -> break od }
        "),
    case!(many_at_once: states 171, transitions 434, "
            byte n;
            proctype W() { n++ }
            init { byte i; do :: i < 4 -> run W(); i++ :: else -> break od }
        "),
    case!(a_process_that_starts_itself: states 18, transitions 17, "
            byte n;
            proctype W(byte k) { n++; if :: k > 0 -> run W(k - 1) :: else fi }
            init { run W(3) }
        "),
    case!(nr_pr: states 11, transitions 12, "
            byte x;
            proctype W() { skip }
            init { assert(_nr_pr == 1); run W(); assert(_nr_pr <= 2); (_nr_pr == 1); x = _nr_pr }
        "),
    case!(deterministic_proctype: states 15, transitions 18, "
            byte x;
            active D_proctype A() { x = 1; x = 2 }
            active proctype B() { x = 3 }
        "),
    case!(run_in_a_sum: states 8, transitions 9, "
            byte x;
            proctype B() { skip }
            init { x = run B() + 1; assert(x == 2) }
        "),
    case!(record_as_parameter: states 7, transitions 6, "
            typedef T { byte a; byte b }
            byte x;
            proctype B(T t) { x = t.a + t.b }
            init { T t; t.a = 3; t.b = 4; run B(t) }
        "),
    case!(init_first_has_pid_zero: states 16, transitions 21, "
            init { assert(_pid == 0); run B() }
            active proctype A() { assert(_pid == 1) }
            proctype B() { assert(_pid == 2 || _pid == 1) }
        "),
    case!(receive_from_a_channel_that_is_gone_waits: states 20, transitions 22, invalid_end, "
            chan g; byte x;
            proctype W(byte k) { chan me = [1] of { byte }; g = me; me!k; x = k }
            init { byte v; run W(1); _nr_pr == 1; run W(2); g?v; assert(v == 2); _nr_pr == 1 }
        "),
    case!(rendezvous_that_is_gone_waits: states 9, transitions 8, invalid_end, "
            chan g; byte x;
            proctype W() { chan me = [0] of { byte }; g = me }
            proctype V() { byte a, b; a = 1; b = 1 }
            init { byte v; run W(); _nr_pr == 1; run V(); g?v }
        "),
    case!(channel_that_is_gone_is_empty: states 12, transitions 11, "
            chan g; byte x;
            proctype W() { chan me = [1] of { byte }; g = me; me!1 }
            init { byte v; run W(); _nr_pr == 1; x = len(g);
                if :: empty(g) -> x = 5 :: g?[1] -> x = 6 fi; if :: g?v :: x == 5 -> x = 7 fi }
        "),
];
