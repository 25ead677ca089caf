//! Sends and receives with fewer fields than their channel has. Spin minds them where they pass a message,
//! not where they wait.

use super::super::Case;

pub const CASES: &[Case] = &[
    case!(fewer_received_from_an_empty_channel: states 4, transitions 3, invalid_end, "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { q?x; x = 7 }
            active proctype Q() { x = 1; x = 2 }
        "),
    case!(fewer_received_that_do_not_fit: states 8, transitions 10, invalid_end, "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q?3; x = 7 }
            active proctype Q() { x = 1; x = 2 }
        "),
    case!(fewer_looked_at: states 5, transitions 4, "
            chan q = [2] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q?<x>; x = 7 }
        "),
    case!(fewer_looked_at_anywhere: states 6, transitions 5, "
            chan q = [2] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q!3,4; q??<3>; x = 7 }
        "),
    case!(fewer_polled: states 5, transitions 4, "
            chan q = [2] of { byte, byte }; byte x;
            active proctype P() { q!1,2; if :: q?[1] -> x = 7 :: else -> x = 8 fi }
        "),
    case!(fewer_received_from_an_empty_channel_in_a_d_step: states 4, transitions 3, invalid_end, "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { d_step { q?x; x = 7 } }
            active proctype Q() { x = 1; x = 2 }
        "),
    case!(fewer_received_that_are_nowhere: states 3, transitions 2, invalid_end, "
            chan q = [2] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q!3,4; q??5; x = 7 }
        "),
    case!(fewer_received_as_an_option: states 6, transitions 5, "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { if :: q?x :: empty(q) -> x = 3 fi; q!5,6; x = 7 }
        "),
    case!(fewer_received_hand_to_hand_from_nobody: states 1, transitions 0, invalid_end, "
            chan q = [0] of { byte, byte }; byte x;
            active proctype Q() { q?x; x = 9 }
        "),
    case!(fewer_received_hand_to_hand_that_do_not_fit: states 1, transitions 0, invalid_end, "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { q!1,2; x = 7 }
            active proctype Q() { q?3; x = 9 }
        "),
    case!(fewer_received_hand_to_hand_too_late: states 4, transitions 3, invalid_end, "
            chan q = [0] of { byte, byte }; byte x;
            active proctype P() { do :: q!1,2 :: x == 0 -> x = 1 :: x== 1 -> break od }
            active proctype Q() { x==9; q?1; x = 9 }
        "),
    case!(fewer_sent_to_a_full_channel: states 8, transitions 10, invalid_end, "
            chan q = [1] of { byte, byte }; byte x;
            active proctype P() { q!1,2; q!1; x = 7 }
            active proctype Q() { x = 1; x = 2 }
        "),
];
