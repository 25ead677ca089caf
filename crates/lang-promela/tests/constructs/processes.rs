//! Birth, death and numbers of processes.

use super::super::Case;

pub const CASES: &[Case] = &[
    Case {
        name: "active_processes_and_pids",
        text: "
            byte x;
            active proctype A() { assert(_pid == 0); x = x + 1 }
            active [2] proctype B() { assert(_pid == 1 || _pid == 2); x = x + 10 }
        ",
        states: 40,
        transitions: 81,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "init_after_active",
        text: "
            byte x;
            active proctype A() { x = _pid }
            init { x = 10 + _pid }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "init_before_active",
        text: "
            byte x;
            init { x = 10 + _pid }
            active proctype A() { x = _pid + 1 }
        ",
        states: 10,
        transitions: 10,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "init_between",
        text: "
            byte x;
            active proctype A() { x = _pid + 1 }
            init { assert(_pid == 1); run C() }
            active [2] proctype B() { assert(_pid > 1); x = _pid }
            proctype C() { assert(_pid == 4); x = 0 }
        ",
        states: 291,
        transitions: 636,
        assertion: true,
        invalid_end: false,
    },
    Case {
        name: "active_none",
        text: "
            byte x;
            active [0] proctype A() { x = 1 }
            active proctype B() { x = 2 }
        ",
        states: 3,
        transitions: 2,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "active_with_parameters_are_zero",
        text: "
            byte x;
            active proctype A(byte n) { assert(n == 0); x = n + 1 }
        ",
        states: 4,
        transitions: 3,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "run_gives_the_pid",
        text: "
            byte x;
            proctype B(byte n) { x = n }
            init { pid p; p = run B(3); assert(p == 1); x = 5; p = run B(4); assert(p >= 1 && p <= 2) }
        ",
        states: 44,
        transitions: 65,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "run_as_a_condition",
        text: "
            byte x;
            proctype B() { x = 1 }
            init { run B(); if :: run B() -> x = 2 :: x == 1 -> x = 3 fi }
        ",
        states: 31,
        transitions: 44,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "death_in_reverse_order",
        text: "
            byte x;
            active proctype A() { x = 1 }
            active proctype B() { x = 2; x = 3 }
            active proctype C() { x = 4 }
        ",
        states: 42,
        transitions: 65,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "older_process_waits_for_younger",
        text: "
            byte x;
            active proctype A() { skip }
            active proctype B() { end: x == 1 }
        ",
        states: 2,
        transitions: 1,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "pids_are_used_again",
        text: "
            byte n, s;
            proctype W() { s = s + _pid }
            init { do :: n < 3 -> run W(); n++; (_nr_pr == 1) :: else -> break od; assert(s == 3) }
        ",
        states: 28,
        transitions: 33,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "processes_of_two_kinds_under_one_pid",
        text: "
            byte n, x;
            proctype A() { x = 1 }
            proctype B() { x = 2 }
            init { do :: n < 2 -> if :: run A() :: run B() fi; n++; (_nr_pr == 1) :: else -> break od }
        ",
        states: 40,
        transitions: 51,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "many_at_once",
        text: "
            byte n;
            proctype W() { n++ }
            init { byte i; do :: i < 4 -> run W(); i++ :: else -> break od }
        ",
        states: 171,
        transitions: 434,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "a_process_that_starts_itself",
        text: "
            byte n;
            proctype W(byte k) { n++; if :: k > 0 -> run W(k - 1) :: else fi }
            init { run W(3) }
        ",
        states: 18,
        transitions: 17,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "nr_pr",
        text: "
            byte x;
            proctype W() { skip }
            init { assert(_nr_pr == 1); run W(); assert(_nr_pr <= 2); (_nr_pr == 1); x = _nr_pr }
        ",
        states: 11,
        transitions: 12,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "deterministic_proctype",
        text: "
            byte x;
            active D_proctype A() { x = 1; x = 2 }
            active proctype B() { x = 3 }
        ",
        states: 15,
        transitions: 18,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "run_in_a_sum",
        text: "
            byte x;
            proctype B() { skip }
            init { x = run B() + 1; assert(x == 2) }
        ",
        states: 8,
        transitions: 9,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "record_as_parameter",
        text: "
            typedef T { byte a; byte b }
            byte x;
            proctype B(T t) { x = t.a + t.b }
            init { T t; t.a = 3; t.b = 4; run B(t) }
        ",
        states: 7,
        transitions: 6,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "init_first_has_pid_zero",
        text: "
            init { assert(_pid == 0); run B() }
            active proctype A() { assert(_pid == 1) }
            proctype B() { assert(_pid == 2 || _pid == 1) }
        ",
        states: 16,
        transitions: 21,
        assertion: false,
        invalid_end: false,
    },
    Case {
        name: "receive_from_a_channel_that_is_gone_waits",
        text: "
            chan g; byte x;
            proctype W(byte k) { chan me = [1] of { byte }; g = me; me!k; x = k }
            init { byte v; run W(1); _nr_pr == 1; run W(2); g?v; assert(v == 2); _nr_pr == 1 }
        ",
        states: 20,
        transitions: 22,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "rendezvous_that_is_gone_waits",
        text: "
            chan g; byte x;
            proctype W() { chan me = [0] of { byte }; g = me }
            proctype V() { byte a, b; a = 1; b = 1 }
            init { byte v; run W(); _nr_pr == 1; run V(); g?v }
        ",
        states: 9,
        transitions: 8,
        assertion: false,
        invalid_end: true,
    },
    Case {
        name: "channel_that_is_gone_is_empty",
        text: "
            chan g; byte x;
            proctype W() { chan me = [1] of { byte }; g = me; me!1 }
            init { byte v; run W(); _nr_pr == 1; x = len(g);
                if :: empty(g) -> x = 5 :: g?[1] -> x = 6 fi; if :: g?v :: x == 5 -> x = 7 fi }
        ",
        states: 12,
        transitions: 11,
        assertion: false,
        invalid_end: false,
    },
];
