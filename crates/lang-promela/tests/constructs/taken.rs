//! Texts that Spin or its verifier refuses for reasons of its own, and that are fine here, or of which it
//! says what is not so.

use super::super::Failure;

pub const TAKEN: &[Failure] = &[
    Failure {
        name: "array_indexed_by_itself",
        text: "
            byte a[3];
            active proctype P() { a[a[1]] = 1 }
        ",
        spin: "do not index an array with itself",
    },
    Failure {
        name: "enabled_with_rendezvous",
        text: "
            chan q = [0] of { byte }; byte x;
            active proctype P() { q!1 }
            active proctype Q() { if :: enabled(0) -> x = 9 :: else fi }
        ",
        spin: "cannot use 'enabled()' in models with synchronous channels",
    },
    Failure {
        name: "self_loop",
        text: "
            byte x;
            active proctype P() { do :: skip :: x == 0 -> x = 1; break od }
        ",
        spin: "has unconditional self-loop",
    },
    Failure {
        name: "a_message_put_back_after_a_narrower_variable_took_it",
        text: "
            chan q = [1] of { byte };
            active proctype Q() { byte n; q?n; assert(n == 3) }
            active proctype P() { bit b; q!3; q?b }
        ",
        spin: "assertion violated (n==3)",
    },
];
