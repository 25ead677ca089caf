//! Each construct of Promela in a model of a few lines, against what Spin 6.5.2 says of it.
//!
//! The numbers are those of `spin -a -o1 -o2 -o3`, a verifier made with `-DSAFETY -DNOREDUCE -DNOFAIR` (and
//! `-DNOCLAIM` where there is a claim) and run with `-n -E -A -c0`: states stored, transitions less one, for
//! Spin counts the way to the initial state. `assertion` and `invalid_end` are what it finds without `-A` and
//! without `-E`.

/// A case: its name, the states and transitions that Spin counts, what it finds, and the text.
macro_rules! case {
    (
        $name:ident: states $states:literal, transitions $transitions:literal,
        $($found:ident,)* $text:literal
    ) => {
        super::super::Case {
            name: stringify!($name),
            text: $text,
            states: $states,
            transitions: $transitions,
            $($found: true,)*
            ..super::super::Case::WITHOUT_ERRORS
        }
    };
}

mod constructs {
    pub mod atomics;
    pub mod channels;
    pub mod combinations;
    pub mod control;
    pub mod d_steps;
    pub mod endings;
    pub mod escapes;
    pub mod failures;
    pub mod fields;
    pub mod forgotten;
    pub mod locals;
    pub mod loops;
    pub mod processes;
    pub mod records;
    pub mod refused;
    pub mod rendezvous;
    pub mod taken;
    pub mod types;
    pub mod unless;
    pub mod views;
}

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use base::{Diagnostic, Source};
use language::{LoadOptions, Loaded};
use model::{Model, Stepper, Successors, Value};

/// A model and what Spin says of it.
struct Case {
    name: &'static str,
    text: &'static str,
    states: usize,
    transitions: usize,
    assertion: bool,
    invalid_end: bool,
}

impl Case {
    /// Spin finds nothing in it.
    const WITHOUT_ERRORS: Self =
        Self { name: "", text: "", states: 0, transitions: 0, assertion: false, invalid_end: false };
}

/// A text that Spin refuses, or a model at whose run it reports an error.
struct Failure {
    name: &'static str,
    text: &'static str,
    /// What Spin says.
    spin: &'static str,
}

/// What a naive search sees.
#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    states: usize,
    transitions: usize,
    assertion: bool,
    invalid_end: bool,
    errors: Vec<String>,
}

fn load(text: &str) -> Result<Loaded, (Vec<Diagnostic>, Arc<Source>)> {
    let source = Arc::new(Source::new("test.pml", text));
    lang_promela::load(Arc::clone(&source), &LoadOptions::default()).map_err(|problems| (problems, source))
}

/// What the steps from a state say of the two verdicts: whether one of them is a failed assertion, and
/// whether there is none although the model does not end here.
fn verdict(
    model: &dyn Model,
    stepper: &mut dyn Stepper,
    state: &[Value],
    steps: &Successors,
) -> (bool, bool) {
    let signature = model.signature();
    let fails = steps.iter().any(|step| signature.alarms.contains(&step.action));
    let may_end =
        signature.end_label().is_some_and(|end| stepper.label(end, state).is_ok_and(|value| value != 0));
    (fails, steps.is_empty() && !may_end)
}

fn explore(model: &dyn Model) -> Seen {
    let mut seen = Seen::default();
    let mut known = HashSet::from([model.initial().to_vec()]);
    let mut queue = VecDeque::from([model.initial().to_vec()]);
    let mut stepper = model.stepper();
    let mut steps = Successors::new(model.initial().len());
    while let Some(state) = queue.pop_front() {
        assert!(known.len() < 100_000, "too large for a naive search");
        steps.clear();
        let mut failed = false;
        for group in model.signature().group_ixs() {
            if let Err(error) = stepper.group(group, &state, &mut steps) {
                failed = true;
                seen.errors.push(error.to_string());
            }
        }
        let (assertion, invalid_end) = verdict(model, &mut *stepper, &state, &steps);
        seen.assertion |= assertion;
        seen.invalid_end |= invalid_end && !failed;
        seen.transitions += steps.len();
        for step in steps.iter() {
            if known.insert(step.state.to_vec()) {
                queue.push_back(step.state.to_vec());
            }
        }
    }
    seen.states = known.len();
    seen
}

/// Runs all cases of a theme, and tells of all that differ at once.
fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let &Case { name, text, states, transitions, assertion, invalid_end } = case;
        let wanted = Seen { states, transitions, assertion, invalid_end, errors: Vec::new() };
        match load(text) {
            Err((problems, source)) => {
                wrong.push(format!("{name}: {}", base::render_all(&problems, &source, 3)))
            }
            Ok(loaded) => {
                let found = explore(&*loaded.model);
                if found != wanted {
                    wrong.push(format!("{name}: {text}\n  found  {found:?}\n  wanted {wanted:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

macro_rules! themes {
    ($($theme:ident)*) => {
        $(
            #[test]
            fn $theme() {
                check(constructs::$theme::CASES);
            }
        )*
    };
}

themes!(atomics channels combinations control d_steps endings escapes fields forgotten locals loops);
themes!(processes records rendezvous types unless views);

#[test]
fn what_fails_in_spin_fails_here() {
    let mut wrong = Vec::new();
    for Failure { name, text, spin } in constructs::failures::FAILURES {
        // A mistake may show before the model runs.
        if let Ok(loaded) = load(text)
            && explore(&*loaded.model).errors.is_empty()
        {
            wrong.push(format!("{name}: {text}\n  Spin: {spin}"));
        }
    }
    assert!(wrong.is_empty(), "{} run without an error\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_spin_refuses_is_refused() {
    let accepted = constructs::refused::REFUSED.iter().filter(|refused| load(refused.text).is_ok());
    let accepted: Vec<_> =
        accepted.map(|case| format!("{}: {}\n  Spin: {}", case.name, case.text, case.spin)).collect();
    assert!(accepted.is_empty(), "{} are accepted\n{}", accepted.len(), accepted.join("\n"));
}

#[test]
fn what_only_spin_minds_is_taken() {
    for Failure { name, text, spin } in constructs::taken::TAKEN {
        let loaded = load(text)
            .unwrap_or_else(|(problems, source)| panic!("{}", base::render_all(&problems, &source, 3)));
        let Seen { errors, assertion, .. } = explore(&*loaded.model);
        assert!(errors.is_empty() && !assertion, "{name}: {errors:?}, Spin: {spin}");
    }
}

#[test]
fn names_are_used_once() {
    let themes = [
        constructs::atomics::CASES,
        constructs::channels::CASES,
        constructs::combinations::CASES,
        constructs::control::CASES,
        constructs::d_steps::CASES,
        constructs::endings::CASES,
        constructs::escapes::CASES,
        constructs::fields::CASES,
        constructs::forgotten::CASES,
        constructs::locals::CASES,
        constructs::loops::CASES,
        constructs::processes::CASES,
        constructs::records::CASES,
        constructs::rendezvous::CASES,
        constructs::types::CASES,
        constructs::unless::CASES,
        constructs::views::CASES,
    ];
    let mut names = HashSet::new();
    for case in themes.into_iter().flatten() {
        assert!(names.insert(case.name), "{}", case.name);
    }
}

/// As `spin -a -m` counts: a message that is sent to a full channel is lost.
#[test]
fn messages_to_full_channels_are_lost_if_that_is_wanted() {
    let text = "
        chan q = [2] of { byte }; byte got;
        active proctype P() { byte i; do :: i < 4 -> i++; q!i :: else -> break od }
        active proctype Q() { do :: q?got :: got == 3 -> break od }
    ";
    for (message_loss, states, transitions) in [(false, 44, 66), (true, 74, 110)] {
        let source = Arc::new(Source::new("test.pml", text));
        let options = LoadOptions { message_loss, ..LoadOptions::default() };
        let loaded = lang_promela::load(source, &options).unwrap_or_else(|problems| panic!("{problems:?}"));
        let seen = explore(&*loaded.model);
        assert_eq!((seen.states, seen.transitions), (states, transitions), "loss: {message_loss}");
    }
}
