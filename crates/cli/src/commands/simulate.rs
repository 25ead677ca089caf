//! `pinscher simulate`: reads commands line by line, from a person or a pipe, and answers each.

use std::io::{BufRead, IsTerminal, Write};

mod simulation;

use report::state_json;
use report::witness::file;

use crate::Failure;
use crate::input::open;
use crate::options::Simulate;
use crate::output::print;
use simulation::{NoStep, Simulation};

// The first line too begins with blanks, which a backslash at the end of the line before would eat.
const HELP: &str = concat!(
    "  NUMBER   take the step with this number\n",
    "  r [N]    take one random step, or N of them\n",
    "  b        take the last step back\n",
    "  p        print the state in full\n",
    "  t        print the run so far\n",
    "  w        follow the witness one step\n",
    "  w all    follow the witness to its end\n",
    "  h        this help\n",
    "  q        quit\n",
);

/// Most random steps that one command takes.
const MOST_STEPS: usize = 1_000_000;

/// Runs until `q` or the end of the input.
pub(crate) fn run(
    options: &Simulate,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<u8, Failure> {
    let along = options.along.as_deref().map(file::read).transpose()?;
    let loaded = open(&options.input, false, errors)?;
    if let Some(run) = &along {
        let model = &loaded.model;
        run.check(&loaded.name, &state_json(model.signature(), model.initial()))?;
    }
    let mut simulation = Simulation::new(&*loaded.model, options.seed, along);
    print(out, &format!("initial state (h for help)\n{}", simulation.show_state()))?;
    if let Some(steps) = options.random {
        let text = random_steps(&mut simulation, usize::try_from(steps).unwrap_or(usize::MAX));
        print(out, &(text + &simulation.choices()))?;
    } else {
        print(out, &simulation.possible_steps())?;
    }
    let prompt = if std::io::stdin().is_terminal() { "> " } else { "" };
    let mut line = Vec::new();
    loop {
        print(out, prompt)?;
        line.clear();
        let length =
            input.read_until(b'\n', &mut line).map_err(|error| Failure::file("standard input", &error))?;
        if length == 0 {
            return Ok(0);
        }
        match obey(&mut simulation, &String::from_utf8_lossy(&line)) {
            Some(answer) => print(out, &answer)?,
            None => return Ok(0),
        }
    }
}

/// Carries out a command; the answer is what to print, or nothing to quit.
fn obey(simulation: &mut Simulation<'_>, line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match words[..] {
        [] => String::new(),
        ["q" | "quit"] => return None,
        ["h" | "help" | "?"] => HELP.into(),
        ["p"] => simulation.show_state(),
        ["t"] => simulation.trace(),
        ["b"] => answer(simulation.back(), simulation),
        ["r"] => random_steps(simulation, 1) + &simulation.choices(),
        ["r", steps] => match steps.parse() {
            Ok(steps) if steps <= MOST_STEPS => random_steps(simulation, steps) + &simulation.choices(),
            _ => format!("`{steps}` is no number of steps up to {MOST_STEPS}\n"),
        },
        ["w"] => match simulation.follow() {
            Ok(()) => simulation.last_step() + &simulation.choices() + &simulation.witness_end(),
            Err(NoStep::WitnessEnds) => simulation.witness_end(),
            Err(reason) => format!("{reason}\n"),
        },
        ["w", "all"] => follow_all(simulation),
        [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            // A number too long to read is a step that is not there.
            let taken = simulation.take(number.parse().unwrap_or(usize::MAX));
            answer(taken, simulation)
        }
        _ => format!("`{}` is no command; h for help\n", line.trim()),
    })
}

fn answer(done: Result<(), NoStep>, simulation: &Simulation<'_>) -> String {
    match done {
        Ok(()) => simulation.choices(),
        Err(reason) => format!("{reason}\n"),
    }
}

/// Takes steps; the text is of all but what `choices` says about the state after the last one.
fn random_steps(simulation: &mut Simulation<'_>, steps: usize) -> String {
    let mut text = String::new();
    let mut remark = String::new();
    for _ in 0..steps {
        match simulation.take_random() {
            Ok(()) => text += &(remark + &simulation.last_step()),
            Err(reason) => {
                text += &format!("{reason}\n");
                break;
            }
        }
        remark = simulation.remarks();
    }
    text
}

fn follow_all(simulation: &mut Simulation<'_>) -> String {
    let mut text = String::new();
    let mut remark = String::new();
    loop {
        match simulation.follow() {
            Ok(()) => text += &(remark + &simulation.last_step()),
            Err(NoStep::WitnessEnds) if text.is_empty() => return simulation.witness_end(),
            Err(NoStep::WitnessEnds) => return text + &simulation.choices() + &simulation.witness_end(),
            Err(reason) => return text + &format!("{reason}\n"),
        }
        remark = simulation.remarks();
    }
}
