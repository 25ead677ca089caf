//! What people write who come from another tool, and what it is here.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of peers, and what to write instead.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["--ltl", "-ltl", "-N"], "formulas of LTL are not there yet; a predicate is: --invariant 'x < 3'"),
    (&["--ctl", "--ctl-star"], "formulas of CTL are not there yet; a predicate is: --invariant 'x < 3'"),
    (
        &["--mu", "--mcf"],
        "formulas of the µ-calculus are not there yet; an action that must not happen is: --action 'lose(*)'",
    ),
    (&["-d", "--deadlocks", "-deadlock", "--detect-deadlock"], "write --deadlock"),
    (&["-i", "--inv", "--invariants", "-safety"], "write --invariant EXPR"),
    (
        &["-a", "-search", "-run", "-bfs", "-dfs"],
        "there is nothing to generate or compile: pinscher check FILE searches",
    ),
    (&["--por", "-p"], "partial-order reduction is not there yet: all interleavings are searched"),
    (&["--workers", "--cores", "-j", "-w"], "write --threads N"),
    (&["--timeout", "--max-time"], "write --time 90s"),
    (
        &["--trace", "-t", "-r", "-c", "--counterexample"],
        "the run to a violation is part of the report; --json has it, too",
    ),
    (&["--vset", "--vector", "--sat"], "write --engine symbolic"),
    (
        &["--state", "--state-store", "-DCOLLAPSE", "-DHC", "-DBITSTATE"],
        "write --store tree, --store hash or --store bits",
    ),
    (&["--max", "-m", "--max-depth"], "write --depth N, or --states N"),
    (&["--help-all", "-hh"], "write --help"),
    (&["-v", "-V", "--verbose"], "the report says all there is; --json says it to programs"),
];

/// A line of help for a command line with an option of a peer.
pub(crate) fn hint(refusal: &Error) -> Option<String> {
    if refusal.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let ContextValue::String(given) = refusal.get(ContextKind::InvalidArg)? else { return None };
    let given = given.split('=').next().unwrap_or(given);
    let (_, help) = OPTIONS.iter().find(|(names, _)| names.contains(&given))?;
    Some(format!("  help: {help}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line;

    fn refused(words: &[&str]) -> Error {
        command_line().try_get_matches_from([&["pinscher"], words].concat()).unwrap_err()
    }

    #[test]
    fn options_of_peers_have_a_hint() {
        let text = hint(&refused(&["check", "x.pml", "--ltl", "[] p"])).unwrap();
        assert!(text.contains("--invariant"), "{text}");
        assert!(hint(&refused(&["check", "x.dve", "--workers=3"])).unwrap().contains("--threads"));
        assert_eq!(hint(&refused(&["check", "x.dve", "--nonsense"])), None);
        assert_eq!(hint(&refused(&["check"])), None);
    }

    /// What the program knows itself needs no hint.
    #[test]
    fn no_hint_is_about_an_option_that_there_is() {
        let mut line = command_line();
        line.build();
        for command in line.get_subcommands() {
            for option in command.get_arguments().filter_map(|option| option.get_long()) {
                let option = format!("--{option}");
                assert!(OPTIONS.iter().all(|(names, _)| !names.contains(&&*option)), "{option}");
            }
        }
    }
}
