//! The planner: stacks layers on a model, runs the engine, brings its counterexamples back to the plain model
//! and replays them there. Nothing leaves here as *violated* that did not replay.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::{GroupIx, SlotIx};
use engine::{
    Answer, Census, Control, Counted, Ending, Limits, Path, Property, Report, Statistics, StopReason, Task,
    Verdict, Witness, replay,
};
use layers::{Aspect, CacheStatistics, Cached, Checked, Layer, Stack};
use model::{Calls, Compiled, EvalErrorKind, Linear, Model, Observer, Value};

use crate::arrangement::Wishes;
use crate::caching::{self, Chosen, Figures, Situation};
use crate::method::{Choice, Method, choose};
use crate::options::{Cache, Eval, Search};
use crate::questions::{Asked, Survey};
use crate::{Failure, memory};

/// Slots that are given another value in each call when matrices are checked. With few, a large model still
/// runs; over a search each slot has its turn.
const PERTURBATIONS: usize = 2;

/// The cache may take one part in this many of the memory.
const CACHE_PARTS: u64 = 4;

/// How to search: what the options mean to layers and engine.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) choice: Choice,
    pub(crate) find_all: bool,
    pub(crate) cache: Cache,
    pub(crate) check_matrices: bool,
    pub(crate) arrangement: Wishes,
    pub(crate) told: Told,
    /// How the model is run.
    pub(crate) eval: Eval,
    pub(crate) limits: Limits,
}

/// What a command tells of a search, beside the verdicts on properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Told {
    /// What happens to be known.
    #[default]
    Verdicts,
    /// How many transitions and deadlocks there are, unless an option says otherwise.
    Numbers,
    /// Every transition.
    Transitions,
}

impl Default for Setup {
    fn default() -> Self {
        let limits = Limits { memory: memory::default_limit(), ..Limits::default() };
        Self {
            choice: Choice::One(Method::best_explicit()),
            find_all: false,
            cache: Cache::Auto,
            check_matrices: false,
            arrangement: Wishes::default(),
            told: Told::default(),
            eval: Eval::Auto,
            limits,
        }
    }
}

impl Setup {
    /// What the options say; refuses what is not there yet.
    pub(crate) fn new(options: &Search) -> Result<Self, Failure> {
        let choice = choose(&options.way, options.states, options.depth)?;
        let limits = Limits {
            time: options.time.map(Duration::from_secs_f64),
            memory: options.memory.or_else(memory::default_limit),
            states: options.states,
            depth: options.depth,
        };
        let (cache, check_matrices, arrangement) =
            (options.cache, options.check_matrices, options.arrange.wanted());
        let told = Told::default();
        Ok(Self {
            choice,
            find_all: false,
            cache,
            check_matrices,
            arrangement,
            told,
            eval: options.eval,
            limits,
        })
    }

    /// Bytes that a cache may take for each method that searches, of the limit for the whole process.
    fn cache_bytes(&self) -> u64 {
        const MOST: u64 = 1 << 30;
        self.limits.memory.map_or(MOST, |limit| (limit / CACHE_PARTS).min(MOST)) / self.choice.racers()
    }

    /// Refuses a limit of memory with which no search can begin, once the model is loaded and caches take so
    /// many bytes.
    pub(crate) fn check_memory(&self, caches: u64) -> Result<(), Failure> {
        let Some(limit) = self.limits.memory else { return Ok(()) };
        if self.engine_limits(caches).memory.is_none_or(|left| left >= memory::LEAST_FOR_ENGINE) {
            return Ok(());
        }
        let least = memory::least_limit((caches > 0).then_some(CACHE_PARTS)) >> 20;
        Err(Failure::usage(
            format!("no search can begin with {} of memory", memory::show_bytes(limit)),
            format!("with this model and these options it takes at least {least} MiB: --memory {least}M"),
        ))
    }

    /// The limits that the engine is given, once the model is loaded and caches take so many bytes.
    pub(crate) fn engine_limits(&self, caches: u64) -> Limits {
        let memory = self.limits.memory.map(|limit| memory::left_for_engine(limit, caches));
        Limits { memory, ..self.limits.clone() }
    }

    /// The same for a command that has to see every transition; `what` says which one.
    pub(crate) fn explicit(mut self, what: &str) -> Result<Self, Failure> {
        match self.choice {
            Choice::One(Method::Explicit(_)) => {}
            Choice::Race([first, _]) => self.choice = Choice::One(first),
            Choice::One(Method::Symbolic(_)) => {
                let message =
                    format!("{what} sees every transition, and the symbolic engine sees none by itself");
                return Err(Failure::usage(message, "write --engine explicit, with --strategy bfs or dfs"));
            }
        }
        self.told = Told::Transitions;
        Ok(self)
    }
}

/// What to ask of a model, and how.
pub(crate) struct Plan {
    model: Arc<dyn Model>,
    properties: Vec<Property>,
    survey: Survey,
    /// What the properties are about.
    aspects: Vec<Aspect>,
    setup: Setup,
    /// The model under its layers, for each engine that was needed.
    for_explicit: OnceLock<Layered>,
    for_symbolic: OnceLock<Layered>,
}

/// A model under its layers.
struct Layered {
    stack: Stack,
    checked: Option<Arc<Checked>>,
    /// The cache, and how it was chosen.
    cached: Option<Arc<Cached>>,
    chosen: Chosen,
}

impl Layered {
    /// Stacks the layers; refuses a stack on which an answer would not be an answer about the model.
    fn new(
        model: &Arc<dyn Model>,
        compiled: Option<&Compiled>,
        aspects: &[Aspect],
        setup: &Setup,
        method: Method,
    ) -> Result<Self, Failure> {
        let needed = if setup.told == Told::Transitions { Aspect::ALL } else { aspects };
        let wanted = match setup.told {
            // Whose matrices are tested is to be asked in full.
            _ if setup.check_matrices => Aspect::ALL.to_vec(),
            Told::Numbers => needed.iter().chain(Aspect::NUMBERS).copied().collect(),
            _ => needed.to_vec(),
        };
        let mut stack = Stack::new(Arc::clone(model));
        let mut checked = None;
        if setup.check_matrices {
            // At the bottom: a cache above would hide what it is to find.
            let layer = Arc::new(Checked::new(stack.top(), PERTURBATIONS, 1));
            push(&mut stack, Arc::<Checked>::clone(&layer))?;
            checked = Some(layer);
        }
        if let Some(layer) = setup.arrangement.for_engine(method, &wanted).layer(stack.top())? {
            push(&mut stack, Arc::new(layer))?;
        }
        let (is_checked, memory, bytes) = (setup.check_matrices, setup.limits.memory, setup.cache_bytes());
        let situation = Situation { method, compiled, is_checked, memory, bytes };
        let chosen = caching::choose(setup.cache, &stack.top(), &situation);
        let cached = chosen.mode.layer(stack.top(), bytes, method).map(Arc::new);
        if let Some(layer) = &cached {
            push(&mut stack, Arc::<Cached>::clone(layer))?;
        }
        for &aspect in needed {
            stack
                .answers(aspect)
                .map_err(|error| Failure::usage(error.to_string(), "write --eliminate constants"))?;
        }
        Ok(Self { stack, checked, cached, chosen })
    }
}

impl Plan {
    /// A plan for the method that the setup names first; refuses layers that do not fit.
    pub(crate) fn new(asked: Asked, setup: &Setup) -> Result<Self, Failure> {
        let (for_explicit, for_symbolic) = (OnceLock::new(), OnceLock::new());
        let (aspects, setup) = (asked.aspects(), setup.clone());
        let Asked { model, properties, survey } = asked;
        let plan = Self { model, properties, survey, aspects, setup, for_explicit, for_symbolic };
        plan.layered(plan.setup.choice.first())?;
        Ok(plan)
    }

    fn layered(&self, method: Method) -> Result<&Layered, Failure> {
        let cell = match method {
            Method::Explicit(_) => &self.for_explicit,
            Method::Symbolic(_) => &self.for_symbolic,
        };
        if let Some(layered) = cell.get() {
            return Ok(layered);
        }
        let compiled = self.compile(method)?;
        let layered = Layered::new(&self.model, compiled.as_ref(), &self.aspects, &self.setup, method)?;
        Ok(cell.get_or_init(|| layered))
    }

    /// Makes machine code of what the engine calls, where that is wanted and can be had.
    fn compile(&self, method: Method) -> Result<Option<Compiled>, Failure> {
        if self.setup.eval == Eval::Interpret {
            return Ok(None);
        }
        let calls = match method {
            Method::Explicit(_) => Calls::States,
            Method::Symbolic(_) => Calls::Groups,
        };
        match self.model.compile(calls) {
            Compiled::Refused(why) if self.setup.eval == Eval::Compile => {
                Err(Failure::usage(format!("the model cannot be compiled: {why}"), "write --eval interpret"))
            }
            compiled => Ok(Some(compiled)),
        }
    }

    /// Bytes that caches may take at most, for all engines that search.
    pub(crate) fn cache_bytes(&self) -> u64 {
        let racers = match self.setup.cache {
            Cache::Off => 0,
            Cache::Thread | Cache::Shared | Cache::On => self.setup.choice.racers(),
            // The engine that begins is the one that may have a cache.
            Cache::Auto => {
                let is_used =
                    |cell: &OnceLock<Layered>| cell.get().is_some_and(|layered| layered.cached.is_some());
                u64::from(is_used(&self.for_explicit))
            }
        };
        racers * self.setup.cache_bytes()
    }

    /// What the cache below a method did so far.
    pub(crate) fn cache_figures(&self, method: Method) -> Result<Figures, Failure> {
        let Layered { cached, chosen, .. } = self.layered(method)?;
        let CacheStatistics { hits, misses, .. } =
            cached.as_ref().map_or_else(Default::default, |c| c.statistics());
        let bytes = cached.as_ref().map_or(0, |cached| cached.most_bytes() as u64);
        Ok(Figures { chosen: chosen.clone(), asked: hits + misses, hits, bytes })
    }

    /// The model that the engine is given.
    pub(crate) fn top(&self, method: Method) -> Result<Arc<dyn Model>, Failure> {
        Ok(self.layered(method)?.stack.top())
    }

    /// Searches, and replays what was found. The observer sees the transitions of an explicit search.
    pub(crate) fn run(
        &self,
        method: Method,
        control: &Control,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report<Witness>, Failure> {
        let layered = self.layered(method)?;
        let (top, find_all) = (layered.stack.top(), self.setup.find_all);
        let (maxima, offsets) = layered.sums_above(&self.survey.maxima);
        let live = layered.groups_above(&self.survey.live);
        let weights = layered.stack.weights();
        let census = Census {
            maxima: &maxima,
            ranges: self.survey.ranges,
            enabled: self.survey.enabled,
            transitions: self.survey.transitions || self.setup.told != Told::default(),
            weights: weights.as_deref(),
            live: &live,
        };
        let task = Task { model: &*top, properties: &self.properties, find_all, census };
        let report = match method {
            Method::Explicit(options) => explicit::search(&task, options, control, observer),
            Method::Symbolic(options) => symbolic::search(&task, options, control),
        };
        if let Some(checked) = &layered.checked {
            let complaints = checked.complaints();
            if !complaints.is_empty() {
                let lines: Vec<String> =
                    complaints.iter().map(|complaint| format!("\n  {complaint}")).collect();
                return Err(Failure::Defect(format!("the dependency matrices are wrong{}", lines.concat())));
            }
        }
        let mut answers: Vec<_> = report.answers.into_iter().map(|answer| layered.replayed(answer)).collect();
        let mut stopped = report.stopped;
        blame_processes(&mut answers, &mut stopped);
        let statistics = layered.of_the_model(report.statistics);
        let counted = layered.counted_below(report.counted, &offsets);
        Ok(Report { answers, stopped, statistics, counted })
    }
}

impl Layered {
    /// Sums of slots of the plain model as sums of slots of the top, and what is to be added to each.
    fn sums_above(&self, sums: &[Linear]) -> (Vec<Linear>, Vec<i128>) {
        sums.iter().map(|sum| self.stack.sum_above(sum)).unzip()
    }

    /// Sets of groups of the plain model as sets of groups of the top.
    fn groups_above(&self, sets: &[Vec<GroupIx>]) -> Vec<Vec<GroupIx>> {
        let above = |set: &Vec<GroupIx>| {
            let above = set.iter().map(|&group| self.stack.group_above(group));
            above.map(|group| group.expect("BUG: what is asked about was merged or left out")).collect()
        };
        sets.iter().map(above).collect()
    }

    /// What was found out of the states of the top, as what it says of the plain model's.
    fn counted_below(&self, counted: Counted, offsets: &[i128]) -> Counted {
        let plain = self.stack.plain();
        let (slots, groups) = (plain.signature().slot_ixs(), plain.signature().group_ixs());
        let sums = counted.maxima.into_iter().zip(offsets);
        let maxima = sums.map(|(greatest, offset)| greatest.map(|greatest| greatest + offset)).collect();
        let initially = |slot: SlotIx| (plain.initial()[slot.ix()], plain.initial()[slot.ix()]);
        let range = |ranges: &[(Value, Value)], slot: SlotIx| {
            self.stack.slot_above(slot).map_or_else(|| initially(slot), |slot| ranges[slot.ix()])
        };
        let ranges = counted.ranges.map(|ranges| slots.map(|slot| range(&ranges, slot)).collect());
        // What is left out has no step that changes anything, and what is merged with others is told of by
        // none of them.
        let is_enabled =
            |enabled: &[bool], group| self.stack.group_above(group).map(|group| enabled[group.ix()]);
        let enabled =
            counted.enabled.and_then(|enabled| groups.map(|group| is_enabled(&enabled, group)).collect());
        Counted { maxima, ranges, enabled, live: counted.live }
    }

    /// The numbers without those that are not the plain model's.
    fn of_the_model(&self, mut statistics: Statistics) -> Statistics {
        statistics.transitions =
            statistics.transitions.filter(|_| self.stack.answers(Aspect::Transitions).is_ok());
        statistics.deadlocks = statistics.deadlocks.filter(|_| self.stack.answers(Aspect::Deadlocks).is_ok());
        statistics
    }

    fn replayed(&self, answer: Answer<Path>) -> Answer<Witness> {
        let Answer { property, verdict, violations } = answer;
        let verdict = match verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Violated(path) => {
                let states = path.states.iter().map(|state| self.stack.state_back(state)).collect();
                match replay(&**self.stack.plain(), &Path { states }, &property.question) {
                    // That slots are missing is no fault of the model.
                    Ok(Witness { ending: Ending::Error { error, .. }, .. })
                        if matches!(error.kind, EvalErrorKind::TooManyProcesses { .. }) =>
                    {
                        Verdict::Unknown(StopReason::Processes(error.to_string()))
                    }
                    Ok(witness) => Verdict::Violated(witness),
                    Err(error) => Verdict::Unknown(StopReason::Internal(error.to_string())),
                }
            }
        };
        Answer { property, verdict, violations }
    }
}

/// A search that ended where processes were missing did not end at a violation or at a fault of the model.
fn blame_processes(answers: &mut [Answer<Witness>], stopped: &mut Option<StopReason>) {
    let missing = answers.iter().find_map(|answer| match &answer.verdict {
        Verdict::Unknown(reason @ StopReason::Processes(_)) => Some(reason.clone()),
        _ => None,
    });
    let Some(missing) = missing else { return };
    let is_other =
        |reason: &StopReason| matches!(reason, StopReason::OtherViolation | StopReason::EvaluationError);
    for answer in answers {
        if matches!(&answer.verdict, Verdict::Unknown(reason) if is_other(reason)) {
            answer.verdict = Verdict::Unknown(missing.clone());
        }
    }
    if stopped.as_ref().is_some_and(is_other) {
        *stopped = Some(missing);
    }
}

fn push(stack: &mut Stack, layer: Arc<dyn Layer>) -> Result<(), Failure> {
    stack.push(layer).map_err(|error| Failure::usage(error.to_string(), "leave the option out"))
}

#[cfg(test)]
mod tests {
    use base::{BitMatrix, Source};
    use model::{Dependencies, Signature, Stepper};

    use super::*;
    use crate::questions::Questions;

    const TOGGLE: &str = "begin state\nx:int\nend state\nbegin edge\nend edge\nbegin init\n0\nend init\n\
                          begin trans\n0/1\n1/2\nend trans\n";

    fn toggle() -> Arc<dyn Model> {
        lang_etf::load(Arc::new(Source::new("toggle.etf", TOGGLE))).expect("it is a model").model
    }

    fn plan(model: Arc<dyn Model>, setup: &Setup) -> Plan {
        Plan::new(Questions::everything().ask(model).unwrap(), setup).unwrap()
    }

    #[test]
    fn a_run_that_does_not_replay_is_no_violation() {
        let plan = plan(toggle(), &Setup::default());
        let answer = |states: &[[Value; 1]]| {
            let verdict =
                Verdict::Violated(Path { states: states.iter().map(|state| state.to_vec()).collect() });
            let layered = plan.layered(Method::best_explicit()).unwrap();
            layered
                .replayed(Answer { property: plan.properties[0].clone(), verdict, violations: None })
                .verdict
        };
        assert!(matches!(answer(&[[0], [1], [2]]), Verdict::Violated(_)));
        for wrong in [&[][..], &[[1], [2]], &[[0], [2]], &[[0], [1]]] {
            assert!(matches!(answer(wrong), Verdict::Unknown(StopReason::Internal(_))), "{wrong:?}");
        }
    }

    /// A model whose matrices say that nothing is read.
    struct Liar(Arc<dyn Model>, Dependencies);

    impl Model for Liar {
        fn signature(&self) -> &Signature {
            self.0.signature()
        }

        fn dependencies(&self) -> &Dependencies {
            &self.1
        }

        fn initial(&self) -> &[Value] {
            self.0.initial()
        }

        fn stepper(&self) -> Box<dyn Stepper + '_> {
            self.0.stepper()
        }
    }

    #[test]
    fn wrong_matrices_are_a_defect_when_they_are_checked() {
        let honest = toggle();
        let mut matrices = honest.dependencies().clone();
        matrices.read = BitMatrix::new(matrices.read.rows(), matrices.read.columns());
        matrices.update_read = matrices.read.clone();
        let liar: Arc<dyn Model> = Arc::new(Liar(Arc::clone(&honest), matrices));
        let setup = Setup { check_matrices: true, ..Setup::default() };
        let control = Control::default();
        let method = Method::best_explicit();
        assert!(plan(honest, &setup).run(method, &control, None).is_ok());
        let failure = plan(liar, &setup).run(method, &control, None).unwrap_err();
        assert!(
            matches!(&failure, Failure::Defect(what) if what.contains("matrices are wrong")),
            "{failure}"
        );
    }
}
