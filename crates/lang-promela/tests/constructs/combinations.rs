//! Constructs in combination: each alone is in another file here.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(rendezvous_in_an_atomic_sequence_with_an_escape: states 20, transitions 26, invalid_end, "
            chan r = [0] of {byte};
            byte x, y;
            active proctype A() { { atomic { x = 1; r!3; x = 2; x = 3 } } unless { atomic { y == 1 -> x = 9;
                y = 2 } } ; x = 4 }
            active proctype B() { byte v; do :: r?v -> v = v + 1;
                if :: v == 4 -> break :: else fi :: y == 0 -> y = 1 od }
        "),
    case!(atomic_in_atomic_is_lost_and_regained: states 62, transitions 94, invalid_end, "
            chan c = [1] of {byte}; byte x;
            active proctype A() { byte i; atomic { i = 1; atomic { c!i; i = 2; c!i; i = 3 }; c!i; x = i } ; x = 7 }
            active proctype B() { byte v; do :: c?v -> x = v :: timeout -> break od }
            active proctype C() { do :: x == 2 -> x = 5 :: x > 5 -> break od }
        "),
    case!(eval_of_what_changes: states 11079, transitions 19085, invalid_end, "
            chan q = [2] of {byte, bool}; byte k = 1;
            active proctype S() { do :: q!k,true :: q!2,false; k++ :: k > 3 -> break od }
            active proctype R() { bool b; byte t; end: do :: q?eval(k),b :: q?<2,b> -> q?t,b :: q??eval(k+1),_ od }
        "),
    case!(channels_of_clients: states 678, transitions 1412, "
            chan pool = [2] of {chan}; chan serve = [0] of {chan, byte};
            proctype C(byte id) { chan me = [1] of {byte}; byte r; pool!me; serve!me,id; me?r; assert(r == id+1) }
            active proctype S() { chan c, d; byte i;
                do :: serve?c,i -> c!i+1 :: pool?d -> if :: full(pool) -> skip :: nfull(pool) -> skip fi :: timeout -> break od }
            init { run C(1); run C(2) }
        "),
    case!(control_handed_over_and_back: states 77, transitions 122, "
            chan a = [0] of {byte}; chan b = [0] of {byte}; byte x;
            active proctype P() { byte t; atomic { x = 1; a!1; x = 2; b?t; x = t } ; x = 8 }
            active proctype Q() { byte t; atomic { a?t; x = 3; b!t+3; x = 5; x = 6 } }
            active proctype R() { do :: x == 2 -> x = 20 :: x == 3 -> x = 30 :: x > 5 -> break od }
        "),
    case!(provided_in_turns: states 18, transitions 17, invalid_end, "
            byte turn; byte x;
            proctype P(byte id) provided (turn == 0) { do :: x < 5 -> atomic { x++; turn = 1 - id;
                x = x + id } :: x >= 5 -> break od; turn = 1 - id }
            proctype Q(byte id) provided (turn == 1 && _nr_pr > 1) { do :: x < 5 -> atomic { x++; turn = 1 - id;
                x = x + id } :: x >= 5 -> break od; turn = 1 - id }
            init { atomic { run P(0); run Q(1) } ; (_nr_pr == 1); assert(x < 7) }
        "),
    case!(either_way_of_one_rendezvous: states 71, transitions 94, invalid_end, "
            chan c = [0] of {byte}; byte x;
            active proctype A() { byte v; if :: c!1 :: c?v fi; x++ }
            active proctype B() { byte v; if :: c!2 :: c?v fi; x = x + 2 + v }
            active proctype D() { byte v; atomic { c?v; x = x + 10; if :: c?v :: c!5 :: x > 11 fi; x = 0 } }
        "),
    case!(d_step_that_begins_with_a_rendezvous: states 14, transitions 14, invalid_end, "
            chan c = [0] of {byte}; chan d = [1] of {byte}; byte x;
            active proctype A() { d_step { c?x; x = x + 1; d!x } ;
                d_step { d?[9] -> x = 3 } unless { x == 4 -> x = 1 } }
            active proctype B() { c!3; d_step { d?x; x = x + 5 } }
        "),
    case!(priorities_that_change: states 37, transitions 47, invalid_end, "
            byte x;
            active proctype A() { x = 1; _priority = 3; x = 2; set_priority(_pid, 1); x = 3;
                if :: get_priority(1) == 1 -> x = 8 :: else fi }
            active proctype B() { x == 2 -> x = 6; x = 7 }
        "),
    case!(loop_of_rendezvous_with_an_escape_that_sends: states 13, transitions 13, invalid_end, "
            chan c = [0] of {byte}; byte x;
            active proctype A() { byte i; { do :: atomic { c!i; i++;
                if :: i == 3 -> break :: else fi } :: c?_ -> i = 0 od } unless { x == 2 -> c!7 } }
            active proctype B() { byte v; do :: atomic { c?v; x = v } :: v == 2 -> c!9; break :: x == 7 -> break od }
        "),
    case!(both_sides_of_a_rendezvous_wait_in_atomic: states 16, transitions 16, "
            chan c = [0] of {byte}; byte x, y;
            active proctype A() { atomic { x = 1; c!1; x = 2; y == 1; x = 3 } }
            active proctype B() { atomic { c?1; y == 0; x == 2; y = 1; x == 3; y = 2 } }
            active proctype C() { atomic { x == 3; y = 5 } }
        "),
    case!(timeout_of_processes_that_are_provided: states 21, transitions 23, invalid_end, "
            byte x;
            active proctype A() provided (x < 3) { do :: timeout -> x++ :: x == 1 -> x = 2 od }
            active proctype B() provided (x >= 1) { timeout -> x = 9; timeout; x = 0 }
        "),
    case!(atomic_escape_of_an_atomic_sequence_that_waits: states 24, transitions 25, invalid_end, "
            chan q = [1] of {byte}; byte x;
            active proctype A() { { atomic { q!1; x = 1; q!2; x = 2; q!3 } } unless { x == 9 -> atomic { q?_; x = 0;
                q!7; q!8 } } }
            active proctype B() { byte v; q?v; x = 9; q?v; x = v; q?v }
        "),
    case!(atomic_waits_for_processes_to_end: states 14, transitions 15, "
            byte x;
            proctype W() { atomic { x++; x++ } }
            init { atomic { run W(); run W(); x = 10 } ; atomic { _nr_pr == 1 -> x = 3 } ; atomic { run W();
                _nr_pr == 1; x = 99 } }
        "),
    case!(rendezvous_by_arrays_of_channels: states 34, transitions 50, invalid_end, "
            chan c[2] = [0] of {byte, bool}; byte x, y;
            proctype S(byte i) { c[i]!i,1; c[1-i]!i+5,0 }
            proctype R(byte i) { byte v; bool b;
                do :: c[i]?v,1 -> x = x + v :: c[i]?eval(x+6),b -> y = 1 :: c[i]?5,b -> break od }
            init { atomic { run S(0); run S(1); run R(0); run R(1) } }
        "),
    case!(escape_inside_an_atomic_sequence: states 19, transitions 27, "
            byte x, y;
            active proctype A() { atomic { x = 1; { x = 2; y == 1; x = 3 } unless { y == 2 -> x = 7 }; x = x + 1;
                y = 0 } ; x = 9 }
            active proctype B() { if :: y = 1 :: y = 2 fi; y == 0; y = 4 }
        "),
    case!(last_and_atomic: states 44, transitions 57, invalid_end, "
            byte x;
            active proctype A() { atomic { x = _last; x++ } ; _last == 1 -> x = 7 }
            active proctype B() { do :: _last == 0 -> x = x + 3; break :: x > 4 -> break od; x = _last }
        "),
];
