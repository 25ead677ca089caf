//! Spin's side of a comparison: a file in Promela becomes a verifier in C, that is compiled, and runs.
//!
//! Reductions and checks that Pinscher's searches do not have are switched off, so that both store every
//! state and look at every step. Only the verifier's own run is timed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cli::Failure;

use crate::bench::{Combination, DONE, Limits, Measurement, SPIN, rounded, without};
use crate::child::{self, Ended, Output, Role};
use crate::spin::findings::Findings;
use crate::spin::pan::{counts, happens, read};

/// No merging of statements, no optimisation by dead variables, no rewriting: all states of the model.
const TRANSLATE: [&str; 4] = ["-a", "-o1", "-o2", "-o3"];
/// Safety alone, no partial-order reduction, no fairness.
const COMPILE: [&str; 4] = ["-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR"];
/// A deep stack, a large hash table, no list of unreached code; dead ends and violated assertions do not stop
/// the search.
const SEARCH: [&str; 5] = ["-m10000000", "-w26", "-n", "-E", "-A"];
/// The same for small models, whose answers count and not the speed: all of them, however many errors there
/// are.
const COUNT: [&str; 5] = ["-m1000000", "-n", "-E", "-A", "-c0"];
/// Only assertions, and then only end states: each search stops at the first error of its kind.
const ASSERTIONS: [&str; 3] = ["-m1000000", "-n", "-E"];
const END_STATES: [&str; 3] = ["-m1000000", "-n", "-A"];
/// Mebibytes for the verifier, unless others are asked for.
const MEBIBYTES: u64 = 16000;
/// Spin and the compiler answer what they are within this time.
const QUICKLY: Duration = Duration::from_secs(20);
/// BuildOptions a verifier is no part of a run, and may take so long however short runs are to be.
const TO_BUILD: Duration = Duration::from_secs(60);

/// A compiled verifier, in a folder that goes with it.
pub(crate) struct Verifier {
    folder: Folder,
    /// Whether the file has a claim, which is left out: the states are then those of the system alone.
    pub(crate) has_claim: bool,
}

/// How a verifier is made.
pub(crate) struct BuildOptions<'a> {
    /// Names that stand for texts in the file.
    pub(crate) defines: &'a [(String, String)],
    /// Whether it is to be fast, which takes the compiler longer.
    pub(crate) is_fast: bool,
}

/// Why there is no verifier.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Spin or the compiler do not take the file: what they say.
    File(String),
    /// They took too long.
    Late,
    /// A person interrupted.
    Interrupted,
    /// Something else went wrong on the way.
    Failed(Failure),
}

/// What Spin calls itself, if it is installed and a C compiler is; otherwise what is missing.
pub(crate) fn installed() -> Result<String, String> {
    let ask = |program: &str, option: &str| {
        let mut command = Command::new(program);
        command.arg(option);
        child::run(command, Role::Builder, QUICKLY).ok()
    };
    let install = "install Spin and a C compiler (apt install spin gcc, or brew install spin)";
    let spin = ask("spin", "-V").ok_or_else(|| format!("there is no program `spin`: {install}"))?;
    ask("cc", "--version").ok_or_else(|| format!("there is no C compiler `cc`: {install}"))?;
    Ok(String::from_utf8_lossy(&spin.text).lines().next().unwrap_or("Spin").trim().to_owned())
}

impl Verifier {
    /// Makes the verifier of a file.
    pub(crate) fn build(file: &Path, build: &BuildOptions<'_>, limits: &Limits) -> Result<Self, Refused> {
        let failed = |error: std::io::Error| Refused::Failed(Failure::file(file.display(), &error));
        let file = file.canonicalize().map_err(failed)?;
        // Spin hands the name to a shell, which would make something else of these.
        if file.to_string_lossy().contains(['"', '$', '`', '\\', '\n', '\u{fffd}']) {
            let message = "Spin cannot take files with such a name; give it one of letters and digits\n";
            return Err(Refused::File(message.into()));
        }
        let defines: Vec<String> =
            build.defines.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        // The shell sees these, too.
        if !defines
            .iter()
            .flat_map(|define| define.chars())
            .all(|c| c.is_ascii_alphanumeric() || "-_=+.".contains(c))
        {
            return Err(Refused::File("Spin cannot take such definitions; name numbers and words\n".into()));
        }
        let folder = Folder::new().map_err(failed)?;
        let built = |program: &str, arguments: &[&str], last: &Path, result: &str| {
            let mut command = Command::new(program);
            // What they put aside goes with the folder, also if they are ended.
            command.current_dir(&folder.0).env("TMPDIR", &folder.0).args(arguments).arg(last);
            let output = child::run(command, Role::Builder, limits.time.max(TO_BUILD)).map_err(failed)?;
            match output.ended {
                Ended::Itself(status) if status.success() && folder.0.join(result).is_file() => Ok(()),
                Ended::Itself(_) => {
                    Err(Refused::File(String::from_utf8_lossy(&output.text).replace('\t', " ")))
                }
                Ended::Late => Err(Refused::Late),
                Ended::Interrupted => Err(Refused::Interrupted),
            }
        };
        let translate: Vec<&str> = TRANSLATE.into_iter().chain(defines.iter().map(String::as_str)).collect();
        built("spin", &translate, &file, "pan.c")?;
        let header = fs::read(folder.0.join("pan.h")).map_err(failed)?;
        let has_claim = String::from_utf8_lossy(&header).lines().any(|line| line.trim() == "#ifndef NOCLAIM");
        let memory = format!("-DMEMLIM={}", limits.memory.map_or(MEBIBYTES, |bytes| (bytes >> 20).max(1)));
        let mut arguments = vec![if build.is_fast { "-O3" } else { "-O1" }];
        arguments.extend(COMPILE);
        arguments.extend([memory.as_str()]);
        arguments.extend(has_claim.then_some("-DNOCLAIM"));
        arguments.extend(["-o", "pan"]);
        built("cc", &arguments, Path::new("pan.c"), "pan")?;
        Ok(Self { folder, has_claim })
    }

    /// Searches. The second is what the verifier said if the search was not complete.
    pub(crate) fn run(&self, limits: &Limits) -> Result<(Measurement, Option<String>), Failure> {
        let output = self.search(&SEARCH, limits)?;
        let (run, said) = measured(&output);
        let combination = Combination::new([SPIN, "dfs", "", "", "", "", "1", "", ""].map(str::to_owned));
        Ok((Measurement { combination, wall: Some(rounded(output.wall.as_secs_f64())), ..run }, said))
    }

    /// Counts, looks for a violated assertion, then for an invalid end state; or what the verifier said if it
    /// does not search at all.
    pub(crate) fn findings(&self, limits: &Limits) -> Result<Result<Findings, String>, Failure> {
        let search = |arguments: &[&str]| -> Result<String, Failure> {
            Ok(String::from_utf8_lossy(&self.search(arguments, limits)?.text).into_owned())
        };
        let counted = search(&COUNT)?;
        let Some(mut findings) = counts(&counted) else {
            let last =
                counted.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
            return Ok(Err(format!("Spin's verifier does not search: {}", last.trim())));
        };
        findings.assertion = happens(&search(&ASSERTIONS)?, "assertion violated");
        findings.end_state = happens(&search(&END_STATES)?, "invalid end state");
        Ok(Ok(findings))
    }

    fn search(&self, arguments: &[&str], limits: &Limits) -> Result<Output, Failure> {
        let mut command = Command::new(self.folder.0.join("pan"));
        command.current_dir(&self.folder.0).args(arguments);
        child::run(command, Role::Verifier, limits.time)
            .map_err(|error| Failure::file("Spin's verifier", &error))
    }
}

/// The run of a verifier, and what it said if not all is well.
fn measured(output: &Output) -> (Measurement, Option<String>) {
    let text = String::from_utf8_lossy(&output.text);
    let statistics = match (output.ended, read(&text)) {
        (Ended::Interrupted, _) => return (without("interrupted"), None),
        (Ended::Late, None) => return (without("time"), Some("it was ended without a word".into())),
        (Ended::Itself(_), None) => {
            let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
            return (without("crashed"), Some(last.trim().to_owned()));
        }
        (_, Some(statistics)) => statistics,
    };
    let wall = output.wall.as_secs_f64();
    // Its clock tells hundredths, and nonsense if it ended before it was set. Ours would not do: most of a
    // short run is clearing memory.
    let seconds = statistics.seconds.filter(|&seconds| (0.1..=wall + 1.0).contains(&seconds));
    let (states, explored) = match statistics.incomplete {
        None => (Some(statistics.states.to_string()), None),
        Some(_) => (None, Some(statistics.states.to_string())),
    };
    let run = Measurement {
        outcome: statistics.incomplete.as_ref().map_or(DONE, |why| why.word).into(),
        states,
        explored,
        transitions: statistics.transitions.map(|count| count.to_string()),
        seconds: seconds.map(rounded),
        memory: statistics.memory,
        stored: statistics.stored,
        ..Measurement::default()
    };
    (run, statistics.incomplete.map(|why| why.said))
}

/// A new folder, that is removed with its value.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("pinscher-spin-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        // One that is there already is somebody else's.
        fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now the system removes some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::*;

    fn run(text: &str, ended: Ended) -> (Measurement, Option<String>) {
        measured(&Output { text: text.into(), ended, wall: Duration::from_secs(2) })
    }

    #[test]
    fn what_was_seen_of_an_incomplete_search_is_no_number_of_states() {
        let well = Ended::Itself(ExitStatus::default());
        let text = "  500 states, stored\npan: elapsed time 1.5 seconds\n";
        let (complete, said) = run(text, well);
        assert_eq!((complete.states.as_deref(), complete.seconds, said), (Some("500"), Some(1.5), None));
        let (late, said) = run(&format!("Interrupted\n{text}"), Ended::Late);
        assert_eq!(
            (late.states, late.explored.as_deref(), late.outcome.as_str()),
            (None, Some("500"), "time")
        );
        assert_eq!(said.as_deref(), Some("Interrupted"));
        for (text, ended, outcome) in [
            ("", well, "crashed"),
            ("Segmentation fault\n", well, "crashed"),
            ("", Ended::Late, "time"),
            (text, Ended::Interrupted, "interrupted"),
        ] {
            assert_eq!(run(text, ended).0.outcome, outcome, "{text}");
        }
    }

    #[test]
    fn a_clock_that_tells_nothing_is_not_believed() {
        let well = Ended::Itself(ExitStatus::default());
        for (clock, seconds) in [("0", None), ("0.09", None), ("0.1", Some(0.1)), ("1.72e+07", None)] {
            let text = format!("  500 states, stored\npan: elapsed time {clock} seconds\n");
            assert_eq!(run(&text, well).0.seconds, seconds, "{clock}");
        }
    }

    #[test]
    fn a_folder_goes_with_its_value() {
        let folder = Folder::new().unwrap();
        let path = folder.0.clone();
        fs::write(path.join("pan.c"), "x").unwrap();
        assert!(path.is_dir());
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn names_that_a_shell_would_read_are_refused() {
        let folder = Folder::new().unwrap();
        let file = folder.0.join("$(touch gone).pml");
        fs::write(&file, "").unwrap();
        let limits = Limits { time: Duration::from_secs(9), memory: None };
        let build = BuildOptions { defines: &[], is_fast: true };
        let refused = Verifier::build(&file, &build, &limits).err();
        assert!(matches!(refused, Some(Refused::File(said)) if said.contains("such a name")));
        let file = folder.0.join("named.pml");
        fs::write(&file, "").unwrap();
        let build = BuildOptions { defines: &[("N".into(), "$(touch gone)".into())], is_fast: true };
        let refused = Verifier::build(&file, &build, &limits).err();
        assert!(matches!(refused, Some(Refused::File(said)) if said.contains("such definitions")));
    }
}
