//! The engines, asked about a net.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use base::{LabelIx, SlotIx};
use engine::{
    CancelToken, CensusReport, Decided, Evidence, Profile, Property, Question, Statistics, StopReason,
};
use layers::Labelled;
use layers::orders::{GraphKind, SlotOrder};
use model::{EvalError, Label, LabelKind, Linear, Model, Predicate, StateFunction, Value};
use petri::{Net, NetModel, TransitionIx};
use planner::{Asked, Choice, Hooks, Plan, Setup, Survey, Wishes, engines};

use crate::{Effort, Error, property};

/// What is wanted of a net.
#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    pub net: &'w Net,
    /// Whether each of these can be reached.
    pub targets: &'w [Predicate],
    /// Whether a deadlock can be reached: the question after the targets.
    pub deadlock: bool,
    /// The greatest values of these sums.
    pub maxima: &'w [Linear],
    /// What places hold at least and at most.
    pub ranges: bool,
    /// Which transitions can fire.
    pub enabled: bool,
    /// How many firings there are.
    pub transitions: bool,
    /// Whether one of each of these can fire again from every marking.
    pub live: &'w [Vec<TransitionIx>],
}

impl<'w> Wanted<'w> {
    /// Nothing yet.
    pub fn of(net: &'w Net) -> Self {
        Self {
            net,
            targets: &[],
            deadlock: false,
            maxima: &[],
            ranges: false,
            enabled: false,
            transitions: false,
            live: &[],
        }
    }
}

/// What a search came to.
pub struct Searched {
    /// All markings were seen.
    pub is_complete: bool,
    /// Why not, if so.
    pub stopped: Option<StopReason>,
    /// The engine that searched.
    pub engine: &'static str,
    pub statistics: Statistics,
    pub census: CensusReport,
}

impl Searched {
    /// A search that did not begin.
    fn none(reason: StopReason) -> Self {
        Self {
            is_complete: false,
            stopped: Some(reason),
            engine: "auto",
            statistics: Statistics::default(),
            census: CensusReport::default(),
        }
    }
}

/// The answer of an engine to one of the questions: the targets in their order, then the deadlock.
pub struct Found {
    /// Which question it is.
    pub number: usize,
    /// Whether what it looks for can be reached.
    pub is_reached: bool,
    /// The engine that says so.
    pub engine: &'static str,
    /// The firing sequence to it, where that was waited for.
    pub run: Option<Vec<TransitionIx>>,
}

/// A predicate that must hold nowhere, as a label that is zero where it does.
struct Avoided {
    elsewhere: Predicate,
    slots: Vec<SlotIx>,
}

impl StateFunction for Avoided {
    fn reads(&self) -> &[SlotIx] {
        &self.slots
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        Ok(Value::from(self.elsewhere.holds(state)))
    }

    fn predicate(&self) -> Option<&Predicate> {
        Some(&self.elsewhere)
    }
}

/// Who hears of an answer.
pub type HearFound<'h> = dyn FnMut(Found) + 'h;

/// Lets engines search for so long, once.
pub fn search(
    wanted: &Wanted<'_>,
    part: Duration,
    effort: &Effort,
    hear: &mut HearFound<'_>,
) -> Result<Searched, Error> {
    prepare(wanted, effort)?.search(part, effort, hear)
}

/// Whether a search of the net would not be ready to begin before the time for it is over.
pub fn is_too_large(net: &Net, part: Duration) -> bool {
    /// Transitions that are made ready in a second, with some to spare.
    const EACH_SECOND: u32 = 100_000;
    Duration::from_secs(1) * (net.transitions.len() as u32 / EACH_SECOND) > part
}

/// A search that is made ready, and can be tried again with more time.
pub struct Prepared(Result<Ready, StopReason>);

struct Ready {
    plan: Plan,
    setup: Setup,
    questions: usize,
    is_surveyed: bool,
}

/// Makes a search ready: the model of the net, and what is asked of it.
pub fn prepare(wanted: &Wanted<'_>, effort: &Effort) -> Result<Prepared, Error> {
    let asked = match ask(wanted) {
        Ok(asked) => asked,
        Err(reason) => return Ok(Prepared(Err(reason))),
    };
    let questions = asked.properties.len();
    let mut setup = Setup { find_all: true, limits: effort.limits(effort.left()), ..effort.setup.clone() };
    if !wanted.live.is_empty() {
        // Only one engine knows what is live.
        setup.choice = Choice::One(engines::symbolic(effort.threads));
    }
    // Of all orders this one never did much worse than another on nets of the contest.
    let favourite = setup.arrangement.favourite.unwrap_or(SlotOrder::Sloan(GraphKind::Bipartite));
    setup.arrangement = Wishes { favourite: Some(favourite), ..setup.arrangement };
    let is_surveyed = wanted.survey() != Survey::default();
    Ok(Prepared(Ok(Ready { plan: Plan::new(asked, &setup)?, setup, questions, is_surveyed })))
}

impl Prepared {
    /// Lets engines search for so long. Each question is heard of once, as soon as it is decided, or with the
    /// run that shows it where runs are wanted.
    pub fn search(
        &self,
        part: Duration,
        effort: &Effort,
        hear: &mut HearFound<'_>,
    ) -> Result<Searched, Error> {
        let Ready { plan, setup, questions, is_surveyed } = match &self.0 {
            Ok(ready) => ready,
            Err(reason) => return Ok(Searched::none(reason.clone())),
        };
        let setup = Setup { limits: effort.limits(part), ..setup.clone() };
        if setup.check_memory(plan.cache_bytes()).is_err() {
            return Ok(Searched::none(StopReason::Memory));
        }
        let (sender, receiver) = channel::<(Decided, Profile)>();
        // Once all is decided, nobody waits for runs that are not wanted.
        let enough = CancelToken::new();
        let mut hooks = Hooks { cancel: effort.cancel.clone(), enough: enough.clone(), ..Hooks::default() };
        let mut heard = vec![false; *questions];
        std::thread::scope(|scope| {
            if effort.witnessed_on.is_none() && *questions > 0 {
                hooks.on_decided = Some(Arc::new(move |decided, profile| {
                    // Nobody listens once the search is over.
                    _ = sender.send((decided, profile));
                }));
            } else {
                drop(sender);
            }
            let running = scope.spawn(move || planner::search(plan, &setup, &hooks, None));
            for (Decided { property: number, is_found: is_reached }, profile) in receiver {
                if !std::mem::replace(&mut heard[number], true) {
                    hear(Found { number, is_reached, engine: profile.name, run: None });
                }
                if !is_surveyed && heard.iter().all(|heard| *heard) {
                    enough.cancel();
                }
            }
            let searched = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let (engine, report) = (searched.profile.name, searched.report);
            for (number, answer) in report.answers.iter().enumerate().filter(|(number, _)| !heard[*number]) {
                if answer.verdict.reason().is_none() {
                    let run = answer.evidence.as_ref().map(firings);
                    hear(Found { number, is_reached: answer.is_found(), engine, run });
                }
            }
            let (stopped, statistics, census) = (report.stopped, report.statistics, report.census);
            Ok(Searched { is_complete: stopped.is_none(), stopped, engine, statistics, census })
        })
    }
}

fn firings(evidence: &Evidence) -> Vec<TransitionIx> {
    evidence.run().steps.iter().map(|step| step.group).collect()
}

impl Wanted<'_> {
    /// What is to be found out of all markings.
    fn survey(&self) -> Survey {
        Survey {
            maxima: self.maxima.to_vec(),
            ranges: self.ranges,
            enabled: self.enabled,
            transitions: self.transitions,
            live: self.live.to_vec(),
        }
    }
}

/// The questions, put to the model of the net; or why they cannot be.
fn ask(wanted: &Wanted<'_>) -> Result<Asked, StopReason> {
    let net = NetModel::new(wanted.net.clone());
    let net = net.map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        StopReason::Unsupported(texts.join("; "))
    })?;
    let mut model: Arc<dyn Model> = Arc::new(net);
    let mut properties = Vec::new();
    if !wanted.targets.is_empty() {
        let first = model.signature().labels.len();
        let mut labels: Vec<(Label, Arc<dyn StateFunction>)> = Vec::new();
        for (number, target) in wanted.targets.iter().enumerate() {
            let elsewhere = target.negated().ok_or_else(property::too_large)?;
            let name = format!("goal {number}");
            properties.push(Property::new(&*name, Question::Always(LabelIx::new(first + number))));
            let label = Label { name, kind: LabelKind::Invariant, span: None };
            labels.push((label, Arc::new(Avoided { slots: elsewhere.slots(), elsewhere })));
        }
        model = Arc::new(Labelled::new(model, labels));
    }
    if wanted.deadlock {
        properties.push(Property::new("deadlock", Question::NoDeadlock));
    }
    Ok(Asked { model, properties, survey: wanted.survey() })
}
