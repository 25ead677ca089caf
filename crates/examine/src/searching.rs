//! The engines, asked about a net.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use base::{LabelIx, SlotIx};
use engine::{Counted, Decided, Property, Question, Statistics, StopReason, Verdict, Witness};
use layers::Labelled;
use layers::orders::{GraphKind, SlotOrder};
use model::{EvalError, Label, LabelKind, Linear, Model, Predicate, StateFunction, Value};
use petri::{Net, NetModel, TransitionIx};

use super::Room;
use planner::arrangement::Wishes;
use planner::failure::Failure;
use planner::method::{Choice, Method};
use planner::plan::{Plan, Setup};
use planner::questions::{Asked, Survey};
use planner::search::{Listening, run_heard};

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
    pub stopped: Option<String>,
    /// It is the symbolic engine's.
    pub symbolic: bool,
    pub statistics: Statistics,
    pub counted: Counted,
}

impl Searched {
    /// A search that did not begin.
    fn none(reason: StopReason) -> Self {
        Self {
            is_complete: false,
            stopped: Some(reason.name().to_owned()),
            symbolic: false,
            statistics: Statistics::default(),
            counted: Counted::default(),
        }
    }
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

/// Who hears of a question: its number, whether what it asks for can be reached, whether the symbolic engine
/// says so, and the firing sequence.
pub type HearAnswer<'h> = dyn FnMut(usize, bool, bool, Option<&[TransitionIx]>) + 'h;

/// Lets both engines race for so long, once.
pub fn search(
    wanted: &Wanted<'_>,
    part: Duration,
    room: &Room,
    hear: &mut HearAnswer<'_>,
) -> Result<Searched, Failure> {
    prepare(wanted, room)?.search(part, room, hear)
}

/// Whether a search of the net would not be ready to begin before the time for it is over.
pub fn is_too_large(net: &Net, part: Duration) -> bool {
    /// Transitions that are made ready in a second, with some to spare.
    const EACH_SECOND: u32 = 100_000;
    Duration::from_secs(1) * (net.transitions.len() as u32 / EACH_SECOND) > part
}

/// A search that is made ready, and can be tried again with more time.
pub struct Prepared {
    plan: Plan,
    setup: Setup,
    questions: usize,
    is_surveyed: bool,
}

/// Makes a search ready: the model of the net, and what is asked of it.
pub fn prepare(wanted: &Wanted<'_>, room: &Room) -> Result<Prepared, Failure> {
    let asked = ask(wanted)?;
    let questions = asked.properties.len();
    // Only one engine knows what is live.
    let choice = match wanted.live {
        [] => Choice::race(room.threads),
        _ => Choice::One(Method::best_symbolic(room.threads)),
    };
    let mut setup = Setup { choice, find_all: true, ..Setup::default() };
    setup.limits = room.limits(room.left());
    // Of all orders this one never did much worse than another on nets of the contest.
    setup.arrangement =
        Wishes { favourite: Some(SlotOrder::Sloan(GraphKind::Bipartite)), ..Wishes::default() };
    let is_surveyed = wanted.survey() != Survey::default();
    Ok(Prepared { plan: Plan::new(asked, &setup)?, setup, questions, is_surveyed })
}

impl Prepared {
    /// Lets both engines race for so long. Each question is heard of once, as soon as it is decided, or with
    /// the run that shows it where runs are wanted.
    pub fn search(
        &self,
        part: Duration,
        room: &Room,
        hear: &mut HearAnswer<'_>,
    ) -> Result<Searched, Failure> {
        let Self { plan, questions, is_surveyed, .. } = self;
        let setup = Setup { limits: room.limits(part), ..self.setup.clone() };
        if setup.check_memory(plan.cache_bytes()).is_err() {
            return Ok(Searched::none(StopReason::Memory));
        }
        let (sender, receiver) = channel::<(Decided, bool)>();
        // Once all is decided, nobody waits for runs that are not wanted.
        let enough = Arc::new(AtomicBool::new(false));
        let early = !room.runs && *questions > 0;
        let mut told = vec![false; *questions];
        std::thread::scope(|scope| {
            let sender = early.then_some(sender);
            let running = scope.spawn({
                let enough = Arc::clone(&enough);
                move || run_heard(plan, &setup, Listening { answers: sender, enough })
            });
            for (Decided { property, is_violated }, symbolic) in receiver {
                if !std::mem::replace(&mut told[property], true) {
                    hear(property, is_violated, symbolic, None);
                }
                if !is_surveyed && told.iter().all(|told| *told) {
                    enough.store(true, Ordering::Relaxed);
                }
            }
            let searched = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            let symbolic = searched.method.engine_name() == "symbolic";
            let report = searched.report;
            for (number, answer) in report.answers.iter().enumerate().filter(|(number, _)| !told[*number]) {
                match &answer.verdict {
                    Verdict::Holds => hear(number, false, symbolic, None),
                    Verdict::Violated(witness) => hear(number, true, symbolic, Some(&firings(witness))),
                    Verdict::Unknown(_) => {}
                }
            }
            let stopped = report.stopped.as_ref().map(|reason| reason.name().to_owned());
            let is_complete = stopped.is_none();
            Ok(Searched {
                is_complete,
                stopped,
                symbolic,
                statistics: report.statistics,
                counted: report.counted,
            })
        })
    }
}

fn firings(witness: &Witness) -> Vec<TransitionIx> {
    witness.steps.iter().map(|step| step.group).collect()
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

/// The questions, put to the model of the net.
fn ask(wanted: &Wanted<'_>) -> Result<Asked, Failure> {
    let net = NetModel::new(wanted.net.clone());
    let net = net.map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        Failure::usage(texts.join("; "), "give places fewer tokens")
    })?;
    let mut model: Arc<dyn Model> = Arc::new(net);
    let mut properties = Vec::new();
    if !wanted.targets.is_empty() {
        let first = model.signature().labels.len();
        let mut labels: Vec<(Label, Arc<dyn StateFunction>)> = Vec::new();
        for (number, target) in wanted.targets.iter().enumerate() {
            let elsewhere = target.negated().ok_or_else(|| {
                Failure::usage("a number of a formula is too large", "write smaller numbers")
            })?;
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
