//! Checks a file and prints the run that shows a violation:
//! `cargo run --example check_file -- models/philosophers.5.dve`
//!
//! Exit code 0: all that the file states holds; 1: something is violated; 3: something is unknown.

use std::process::ExitCode;
use std::time::Duration;

use pinscher::engine::{Limits, Verdict};
use pinscher::{Check, LoadOptions};

fn main() -> Result<ExitCode, pinscher::Error> {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("name a model: check_file models/philosophers.5.dve");
        return Ok(ExitCode::from(2));
    };
    let loaded = pinscher::load(file, &LoadOptions::default())?;
    eprint!("{}", loaded.shown_warnings());

    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
    let outcome = Check::new(&loaded).everything().limits(limits).run()?;

    for answer in &outcome.answers {
        println!("{}: {}", answer.property.name, answer.verdict.name());
        let Some(evidence) = &answer.evidence else { continue };
        let signature = outcome.model.signature();
        for (number, step) in evidence.run().steps.iter().enumerate() {
            println!("{:>5}  {}", number + 1, signature.groups[step.group.ix()].name);
        }
    }
    // The same as the command line prints it, with numbers and changes of variables.
    println!("\n{}", pinscher::report::text(&outcome));
    Ok(match outcome.verdict() {
        Verdict::Holds => ExitCode::SUCCESS,
        Verdict::Violated => ExitCode::from(1),
        Verdict::Unknown(_) => ExitCode::from(3),
    })
}
