//! The engines, asked about a net.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use base::LabelIx;
use engine::{
    Answer, CancelToken, CensusReport, Decided, Evidence, Profile, Property, Question, Report, Statistics,
    StopReason, Technique,
};
use layers::orders::{GraphKind, SlotOrder};
use layers::{CacheFigures, Labelled};
use model::{Label, LabelKind, Linear, Model, Predicate, StateFunction};
use petri::{Net, NetModel, Reduced, TransitionIx};
use planner::{Asked, Choice, Hooks, Plan, Searched, Setup, Survey, Wishes, engines};

use crate::property::{self, NotTarget};
use crate::{Effort, Error};

/// What engines are asked about a net.
#[derive(Clone, Copy)]
pub struct NetTask<'t> {
    pub net: &'t Net,
    /// Whether the net was made smaller before.
    pub is_reduced: bool,
    /// Whether each of these can be reached.
    pub targets: &'t [Predicate],
    /// Whether a deadlock can be reached: the question after the targets.
    pub deadlock: bool,
    /// The greatest values of these sums.
    pub maxima: &'t [Linear],
    /// What places hold at least and at most.
    pub ranges: bool,
    /// Which transitions can fire.
    pub enabled: bool,
    /// How many firings there are.
    pub transitions: bool,
    /// Whether one of each of these can fire again from every marking.
    pub live: &'t [Vec<TransitionIx>],
}

impl<'t> NetTask<'t> {
    /// Nothing yet.
    pub fn of(net: &'t Net) -> Self {
        Self {
            net,
            is_reduced: false,
            targets: &[],
            deadlock: false,
            maxima: &[],
            ranges: false,
            enabled: false,
            transitions: false,
            live: &[],
        }
    }

    /// The same about a net that was made smaller.
    pub fn of_reduced(reduced: &'t Reduced) -> Self {
        Self { is_reduced: reduced.applied.total() > 0, ..Self::of(&reduced.net) }
    }
}

/// Is called for the answer to each question: its number, the targets in their order, then the deadlock; and
/// the answer, where that was waited for with the firing sequence that shows it.
pub type OnFound<'h> = dyn FnMut(usize, Answer<Vec<TransitionIx>>) + 'h;

/// Lets engines search for so long, once.
pub fn search(
    task: &NetTask<'_>,
    part: Duration,
    effort: &Effort,
    on_found: &mut OnFound<'_>,
) -> Result<Searched, Error> {
    prepare(task, effort)?.search(part, effort, on_found)
}

/// How an answer was found that such a search has.
pub fn technique(searched: &Searched, is_reduced: bool) -> Technique {
    Technique::Search { engine: searched.profile, is_reduced }
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
    properties: Vec<Property>,
    is_surveyed: bool,
    is_reduced: bool,
}

/// Makes a search ready: the model of the net, and what is asked of it.
pub fn prepare(task: &NetTask<'_>, effort: &Effort) -> Result<Prepared, Error> {
    let asked = match ask(task) {
        Ok(asked) => asked,
        Err(reason) => return Ok(Prepared(Err(reason))),
    };
    let properties = asked.properties.clone();
    let mut setup = Setup { find_all: true, limits: effort.limits(effort.left()), ..effort.setup.clone() };
    if !task.live.is_empty() {
        // Only one engine knows what is live.
        setup.choice = Choice::One(engines::symbolic(effort.threads));
    }
    // Of all orders this one never did much worse than another on nets of the contest.
    let favourite = setup.arrangement.favourite.unwrap_or(SlotOrder::Sloan(GraphKind::Bipartite));
    setup.arrangement = Wishes { favourite: Some(favourite), ..setup.arrangement };
    let (is_surveyed, is_reduced) = (task.survey() != Survey::default(), task.is_reduced);
    Ok(Prepared(Ok(Ready { plan: Plan::new(asked, &setup)?, setup, properties, is_surveyed, is_reduced })))
}

impl Prepared {
    /// Lets engines search for so long. Each question is answered once, as soon as it is decided, or with the
    /// run that shows it where runs are wanted.
    pub fn search(
        &self,
        part: Duration,
        effort: &Effort,
        on_found: &mut OnFound<'_>,
    ) -> Result<Searched, Error> {
        let ready = match &self.0 {
            Ok(ready) => ready,
            Err(reason) => return Ok(not_begun(effort, reason.clone())),
        };
        let setup = Setup { limits: effort.limits(part), ..ready.setup.clone() };
        if setup.check_memory(ready.plan.cache_bytes()).is_err() {
            return Ok(not_begun(effort, StopReason::Memory));
        }
        let (searched, is_decided) = ready.search(&setup, effort, on_found)?;
        if let Some(on_search) = effort.on_search.as_ref().filter(|_| is_decided) {
            on_search(&ready.plan, &searched, technique(&searched, ready.is_reduced));
        }
        Ok(searched)
    }
}

/// A search that did not begin.
fn not_begun(effort: &Effort, reason: StopReason) -> Searched {
    let report = Report {
        answers: Vec::new(),
        stopped: Some(reason),
        statistics: Statistics::default(),
        census: CensusReport::default(),
    };
    Searched {
        report,
        engine: 0,
        profile: effort.setup.choice.first().profile(),
        why: None,
        cache: CacheFigures::none(),
    }
}

impl Ready {
    /// Searches, and tells whether anything came of it.
    fn search(
        &self,
        setup: &Setup,
        effort: &Effort,
        on_found: &mut OnFound<'_>,
    ) -> Result<(Searched, bool), Error> {
        let (sender, receiver) = channel::<(Decided, Profile)>();
        // Once all is decided, nobody waits for runs that are not wanted.
        let enough = CancelToken::new();
        let mut hooks = Hooks { cancel: effort.cancel.clone(), enough: enough.clone(), ..Hooks::default() };
        let mut is_answered = vec![false; self.properties.len()];
        let by = |engine: Profile| Some(Technique::Search { engine, is_reduced: self.is_reduced });
        std::thread::scope(|scope| {
            if effort.witnessed_on.is_none() && !self.properties.is_empty() {
                hooks.on_decided = Some(Arc::new(move |decided, profile| {
                    // Nobody listens once the search is over.
                    _ = sender.send((decided, profile));
                }));
            } else {
                drop(sender);
            }
            let running = scope.spawn(move || planner::search(&self.plan, setup, &hooks, None));
            for (Decided { property: number, is_found }, profile) in receiver {
                if !std::mem::replace(&mut is_answered[number], true) {
                    let property = self.properties[number].clone();
                    let verdict = if is_found { property.when_found() } else { property.when_absent() };
                    on_found(number, Answer { technique: by(profile), ..Answer::new(property, verdict) });
                }
                if !self.is_surveyed && is_answered.iter().all(|answered| *answered) {
                    enough.cancel();
                }
            }
            let searched = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            for (number, answer) in searched.report.answers.iter().enumerate() {
                if answer.verdict.reason().is_none() && !std::mem::replace(&mut is_answered[number], true) {
                    let evidence = answer.evidence.as_ref().map(firings);
                    let new = Answer::new(answer.property.clone(), answer.verdict.clone());
                    on_found(number, Answer { evidence, technique: by(searched.profile), ..new });
                }
            }
            let is_decided = searched.report.stopped.is_none() || is_answered.contains(&true);
            Ok((searched, is_decided))
        })
    }
}

fn firings(evidence: &Evidence) -> Vec<TransitionIx> {
    evidence.run().steps.iter().map(|step| step.group).collect()
}

impl NetTask<'_> {
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
fn ask(task: &NetTask<'_>) -> Result<Asked, StopReason> {
    let net = NetModel::new(task.net.clone());
    let net = net.map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        StopReason::Unsupported(texts.join("; "))
    })?;
    let mut model: Arc<dyn Model> = Arc::new(net);
    let mut properties = Vec::new();
    if !task.targets.is_empty() {
        let first = model.signature().labels.len();
        let mut labels: Vec<(Label, Arc<dyn StateFunction>)> = Vec::new();
        for (number, target) in task.targets.iter().enumerate() {
            let outside = NotTarget::new(target);
            if outside.predicate().is_none() {
                return Err(property::too_large());
            }
            let name = format!("goal {number}");
            properties.push(Property::new(&*name, Question::Always(LabelIx::new(first + number))));
            let label = Label { name, kind: LabelKind::Invariant, span: None };
            labels.push((label, Arc::new(outside)));
        }
        model = Arc::new(Labelled::new(model, labels));
    }
    if task.deadlock {
        properties.push(Property::new("deadlock", Question::NoDeadlock));
    }
    Ok(Asked { model, properties, survey: task.survey() })
}
