//! Counts the states of a file, tells of progress, and cancels the count after some seconds:
//! `cargo run --example count_states -- models/tickets.5.dve 2`

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use pinscher::engine::CancelToken;
use pinscher::{Count, LoadOptions};

fn main() -> Result<ExitCode, pinscher::Error> {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("name a model, and perhaps after how many seconds to cancel: count_states FILE 2");
        return Ok(ExitCode::from(2));
    };
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let loaded = pinscher::load(file, &LoadOptions::default())?;

    // Any thread can cancel: a timer here, a button in a window elsewhere.
    let token = CancelToken::new();
    let timer = token.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(seconds));
        timer.cancel();
    });

    let outcome = Count::new(&loaded)
        .cancel(&token)
        .on_progress(|progress| eprintln!("{} states, {} to go", progress.states, progress.frontier))
        .run()?;

    let statistics = outcome.statistics.as_ref().expect("BUG: a count has numbers");
    match &outcome.stopped {
        None => println!("{} states", statistics.states),
        // What was seen is told, but it is not all there is.
        Some(reason) => println!("at least {} states ({})", statistics.states, reason.name()),
    }
    Ok(if outcome.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(3) })
}
