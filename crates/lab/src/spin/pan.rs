//! What a verifier made by Spin says at its end: how many states and steps it saw, how long it took, what it
//! kept. The form is that of Spin 6; numbers come in megabytes of 2^20 bytes, and counts of more than eight
//! digits are rounded to eight.

use crate::spin::findings::{Findings, Known};

/// The numbers of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct PanStatistics {
    /// States that were stored.
    pub(crate) states: u64,
    pub(crate) transitions: Option<u64>,
    /// As the verifier's own clock has it, which tells hundredths.
    pub(crate) seconds: Option<f64>,
    /// Bytes of the states themselves, each with what hangs it into the hash table, but without that table.
    pub(crate) stored: Option<u64>,
    /// All bytes: also the hash table and the stack, which have their full size from the start.
    pub(crate) memory: Option<u64>,
    /// Why not all states were seen.
    pub(crate) incomplete: Option<Incomplete>,
}

/// Why a search did not see all states: a word for tables, and what the verifier said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Incomplete {
    pub(crate) word: &'static str,
    pub(crate) said: String,
}

/// In the line of an error: `pan:1: … (at depth 7)`.
const AT_DEPTH: &str = "(at depth ";
/// The word for a search that stopped at one.
const ERROR: &str = "error";

/// Parts of lines that say that the search was not complete, with the word for it. The first that is found
/// counts.
const TROUBLES: [(&str, &str); 6] = [
    ("reached -DMEMLIM bound", "memory"),
    ("out of memory", "memory"),
    ("max search depth too small", "depth"),
    (AT_DEPTH, ERROR),
    ("Interrupted", "time"),
    ("Search not completed", "incomplete"),
];

/// Reads what a verifier said; nothing if the statistics are not there.
pub(crate) fn read(text: &str) -> Option<PanStatistics> {
    let states = number(before(text, " states, stored")?)? as u64;
    let bytes =
        |what: &str| before(text, what).and_then(number).map(|megabytes| (megabytes * 1048576.0) as u64);
    // States are kept in blocks. Of a small model most of the only block is empty: what is equivalent is then
    // the lesser number.
    let kept = ["\tactual memory usage for states", "\tequivalent memory usage for states"];
    let stored = kept.into_iter().filter_map(bytes).min().filter(|&bytes| bytes > 0);
    let trouble = TROUBLES.iter().find_map(|&(part, word)| {
        let said = text.lines().find(|line| line.contains(part))?.trim().to_owned();
        Some(Incomplete { word, said })
    });
    Some(PanStatistics {
        states,
        transitions: before(text, " transitions (= stored+matched)")
            .and_then(number)
            .map(|count| count as u64),
        seconds: text
            .lines()
            .find_map(|line| number(line.strip_prefix("pan: elapsed time ")?.strip_suffix(" seconds")?)),
        stored,
        memory: bytes("\ttotal actual memory usage"),
        incomplete: trouble,
    })
}

/// The counts of a search that goes on after errors; nothing if it did not search. Verdicts are not known
/// from it.
pub(crate) fn counts(text: &str) -> Option<Findings> {
    let statistics = read(text)?;
    let unfinished = statistics.incomplete.as_ref().filter(|why| why.word != ERROR);
    let fails = match (text.lines().any(|line| line.contains(AT_DEPTH)), unfinished) {
        // Assertions and end states are switched off: this is something else.
        (true, _) => Known::Yes,
        (false, None) => Known::No,
        (false, Some(_)) => Known::Unknown,
    };
    let is_whole = unfinished.is_none();
    Some(Findings {
        states: Some(statistics.states.to_string()).filter(|_| is_whole),
        // Spin counts the step into the initial state, too.
        transitions: statistics
            .transitions
            .map(|count| count.saturating_sub(1).to_string())
            .filter(|_| is_whole),
        assertion: Known::Unknown,
        end_state: Known::Unknown,
        fails,
        why: unfinished.map(|why| why.word.to_owned()),
    })
}

/// Whether a search that stops at the first error stopped at one of this kind.
pub(crate) fn happens(text: &str, what: &str) -> Known {
    if text.lines().any(|line| line.contains(AT_DEPTH) && line.contains(what)) {
        return Known::Yes;
    }
    match read(text) {
        Some(statistics) if statistics.incomplete.is_none() => Known::No,
        _ => Known::Unknown,
    }
}

/// What stands before a text on its line.
fn before<'t>(text: &'t str, what: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.split_once(what)).map(|(before, _)| before)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statistics of a search that stored this and said so much more before and after its title.
    fn said(before: &str, after: &str, states: &str, memory: &str) -> String {
        format!(
            "{before}\n(Spin Version 6.5.2 -- 6 December 2019)\n{after}\nFull statespace search for:\n\
             \tnever claim         \t- (none specified)\n\
             \tassertion violations\t- (disabled by -A flag)\n\
             \tinvalid end states\t- (disabled by -E flag)\n\n\
             State-vector 36 byte, depth reached 4711, errors: 0\n\
             {states:>9} states, stored\n   300000 states, matched\n   500000 transitions (= stored+matched)\n\
             \x20       0 atomic steps\nhash conflicts:      1234 (resolved)\n\n\
             Stats on memory usage (in Megabytes):\n{memory}\
             \x20 512.000\tmemory used for hash table (-w26)\n\
             \x20 457.764\tmemory used for DFS stack (-m10000000)\n\
             \x20 977.500\ttotal actual memory usage\n\n\n\n\
             pan: elapsed time 0.25 seconds\npan: rate    800000 states/second\n"
        )
    }

    const MEMORY: &str = "   12.500\tequivalent memory usage for states (stored*(State-vector + overhead))\n\
                          \x20   8.000\tactual memory usage for states (compression: 64.00%)\n\
                          \x20        \tstate-vector as stored = 22 byte + 20 byte overhead\n";

    #[test]
    fn the_numbers_of_a_complete_search_are_read() {
        let progress = "Depth=    4700 States=    1e+05 Transitions=  2.5e+05 Memory=   970.100\tt=     0.12 R=   8e+05\n";
        let wanted = PanStatistics {
            states: 200_000,
            transitions: Some(500_000),
            seconds: Some(0.25),
            stored: Some(8 << 20),
            memory: Some((977 << 20) + (1 << 19)),
            incomplete: None,
        };
        assert_eq!(read(&said(progress, "", "200000", MEMORY)), Some(wanted));
    }

    #[test]
    fn an_incomplete_search_is_seen() {
        for (before, after, word) in [
            ("error: max search depth too small\n", "", "depth"),
            (
                "pan: reached -DMEMLIM bound\n\t1.6e+10 bytes used\n",
                "Warning: Search not completed\n",
                "memory",
            ),
            (
                "pan:1: invalid array index (at depth 9)\npan: wrote m.trail\n",
                "Warning: Search not completed\n",
                "error",
            ),
            ("Interrupted\n", "Warning: Search not completed\n", "time"),
            ("", "Warning: Search not completed\n", "incomplete"),
        ] {
            let statistics = read(&said(before, after, "200000", MEMORY)).unwrap();
            let incomplete = statistics.incomplete.unwrap();
            assert_eq!(incomplete.word, word);
            assert!(before.is_empty() || before.starts_with(&incomplete.said), "{incomplete:?}");
        }
    }

    #[test]
    fn what_goes_wrong_is_seen() {
        let error = |what: &str| format!("pan:1: {what} (at depth 9)\npan: wrote m.trail\n");
        let stopped = |what: &str| said(&error(what), "Warning: Search not completed\n", "7", MEMORY);
        assert_eq!(happens(&stopped("assertion violated (x>0)"), "assertion violated"), Known::Yes);
        assert_eq!(happens(&stopped("invalid end state"), "assertion violated"), Known::Unknown);
        assert_eq!(happens(&said("", "", "7", MEMORY), "assertion violated"), Known::No);
        assert_eq!(happens("error: max search depth too small\n", "assertion violated"), Known::Unknown);
        let whole = counts(&said("", "", "7", MEMORY)).unwrap();
        assert_eq!((whole.states.as_deref(), whole.transitions.as_deref()), (Some("7"), Some("499999")));
        assert_eq!(whole.fails, Known::No);
        let failing = counts(&said(&error("invalid array index"), "", "7", MEMORY)).unwrap();
        assert_eq!((failing.states.as_deref(), failing.fails), (Some("7"), Known::Yes));
        let cut = counts(&said("error: max search depth too small\n", "", "7", MEMORY)).unwrap();
        assert_eq!((cut.states, cut.fails, cut.why.as_deref()), (None, Known::Unknown, Some("depth")));
        assert_eq!(counts("pan: has unconditional self-loop\n"), None);
    }

    #[test]
    fn a_nearly_empty_block_is_not_what_states_take() {
        let memory = "    0.500\tequivalent memory usage for states (stored*(State-vector + overhead))\n\
                      \x20   2.000\tactual memory usage for states\n";
        assert_eq!(read(&said("", "", "10000", memory)).unwrap().stored, Some(1 << 19));
        let nothing = "    0.000\tequivalent memory usage for states (stored*(State-vector + overhead))\n\
                       \x20   0.000\tactual memory usage for states (less than 1k)\n";
        assert_eq!(read(&said("", "", "3", nothing)).unwrap().stored, None);
    }

    #[test]
    fn large_counts_are_rounded() {
        assert_eq!(read(&said("", "", "1.2345679e+08", MEMORY)).unwrap().states, 123_456_790);
    }

    #[test]
    fn other_texts_are_no_statistics() {
        for text in ["", "pan: unknown option -q\n", "many states, stored\n", "-1 states, stored\n"] {
            assert_eq!(read(text), None, "{text}");
        }
        // What is not told is not made up.
        assert_eq!(
            read("  7 states, stored\n"),
            Some(PanStatistics { states: 7, ..PanStatistics::default() })
        );
    }
}
