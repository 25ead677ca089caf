//! The planner: stacks layers on a model, runs the engine, brings its counterexamples back to the plain model and
//! replays them there. Nothing leaves here as *violated* that did not replay.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use engine::{Answer, Control, Limits, Order, Path, Property, Report, StopReason, Task, Verdict, Witness, replay};
use layers::{Aspect, Cached, Checked, Layer, Stack};
use model::{Model, Observer};

use crate::arrangement::Wishes;
use crate::method::{Choice, Method, choose};
use crate::options::{Eval, Search};
use crate::questions::Asked;
use crate::{Failure, memory};

/// Slots that are given another value in each call when matrices are checked. With few, a large model still runs;
/// over a search each slot has its turn.
const PERTURBATIONS: usize = 2;

/// The cache may take one part in this many of the memory.
const CACHE_PARTS: u64 = 4;

/// How to search: what the options mean to layers and engine.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) choice: Choice,
    pub(crate) find_all: bool,
    pub(crate) cache: bool,
    pub(crate) check_matrices: bool,
    pub(crate) arrangement: Wishes,
    /// Threads for the engines that take turns.
    pub(crate) threads: usize,
    pub(crate) limits: Limits,
}

impl Default for Setup {
    fn default() -> Self {
        let limits = Limits { memory: memory::default_limit(), ..Limits::default() };
        Self {
            choice: Choice::One(Method::Explicit(Order::BreadthFirst)),
            find_all: false,
            cache: false,
            check_matrices: false,
            arrangement: Wishes::default(),
            threads: 1,
            limits,
        }
    }
}

impl Setup {
    /// What the options say; refuses what is not there yet.
    pub(crate) fn new(options: &Search) -> Result<Self, Failure> {
        if options.eval == Eval::Compile {
            return Err(Failure::not_yet("running models as machine code", "use --eval interpret"));
        }
        let choice = choose(&options.way, options.states, options.depth)?;
        let limits = Limits {
            time: options.time.map(Duration::from_secs_f64),
            memory: options.memory.or_else(memory::default_limit),
            states: options.states,
            depth: options.depth,
        };
        let (cache, check_matrices, arrangement) = (options.cache, options.check_matrices, options.arrange.wanted());
        let threads = options.way.threads as usize;
        Ok(Self { choice, find_all: false, cache, check_matrices, arrangement, threads, limits })
    }

    /// Bytes that the cache may take, of the limit for the whole process.
    fn cache_memory(&self) -> u64 {
        const MOST: u64 = 1 << 30;
        if self.cache { self.limits.memory.map_or(MOST, |limit| (limit / CACHE_PARTS).min(MOST)) } else { 0 }
    }

    /// Refuses a limit of memory with which no search can begin, once the model is loaded.
    pub(crate) fn check_memory(&self) -> Result<(), Failure> {
        let Some(limit) = self.limits.memory else { return Ok(()) };
        if self.engine_limits().memory.is_none_or(|left| left >= memory::LEAST_FOR_ENGINE) {
            return Ok(());
        }
        let least = memory::least_limit(self.cache.then_some(CACHE_PARTS)) >> 20;
        Err(Failure::usage(
            format!("no search can begin with {} of memory", memory::show_bytes(limit)),
            format!("with this model and these options it takes at least {least} MiB: --memory {least}M"),
        ))
    }

    /// The limits that the engine is given, once the model is loaded.
    pub(crate) fn engine_limits(&self) -> Limits {
        let memory = self.limits.memory.map(|limit| memory::left_for_engine(limit, self.cache_memory()));
        Limits { memory, ..self.limits.clone() }
    }

    /// The same for a command that has to see every transition; `what` says which one.
    pub(crate) fn explicit(mut self, what: &str) -> Result<Self, Failure> {
        match self.choice {
            Choice::One(Method::Explicit(_)) => {}
            Choice::Turns => self.choice = Choice::One(Method::Explicit(Order::BreadthFirst)),
            Choice::One(Method::Symbolic(_)) => {
                let message = format!("{what} sees every transition, and the symbolic engine sees none by itself");
                return Err(Failure::usage(message, "write --engine explicit, with --strategy bfs or dfs"));
            }
        }
        Ok(self)
    }
}

/// What to ask of a model, and how.
pub(crate) struct Plan {
    model: Arc<dyn Model>,
    properties: Vec<Property>,
    setup: Setup,
    /// The model under its layers, for each engine that was needed.
    for_explicit: OnceCell<Layered>,
    for_symbolic: OnceCell<Layered>,
}

/// A model under its layers.
struct Layered {
    stack: Stack,
    checked: Option<Arc<Checked>>,
}

impl Layered {
    /// Stacks the layers; refuses a stack on which an answer would not be an answer about the model.
    fn new(model: &Arc<dyn Model>, setup: &Setup, method: Method) -> Result<Self, Failure> {
        let mut stack = Stack::new(Arc::clone(model));
        let mut checked = None;
        if setup.check_matrices {
            // At the bottom: a cache above would hide what it is to find.
            let layer = Arc::new(Checked::new(stack.top(), PERTURBATIONS, 1));
            push(&mut stack, Arc::<Checked>::clone(&layer))?;
            checked = Some(layer);
        }
        if let Some(layer) = setup.arrangement.for_engine(method).layer(stack.top())? {
            push(&mut stack, Arc::new(layer))?;
        }
        if setup.cache {
            let bytes = usize::try_from(setup.cache_memory()).unwrap_or(usize::MAX);
            let layer = Cached::new(stack.top(), bytes);
            push(&mut stack, Arc::new(layer))?;
        }
        for &aspect in Aspect::ALL {
            stack.answers(aspect).map_err(|error| Failure::Defect(error.to_string()))?;
        }
        Ok(Self { stack, checked })
    }
}

impl Plan {
    /// A plan for the method that the setup names first; refuses layers that do not fit.
    pub(crate) fn new(asked: Asked, setup: &Setup) -> Result<Self, Failure> {
        let (for_explicit, for_symbolic) = (OnceCell::new(), OnceCell::new());
        let plan =
            Self { model: asked.model, properties: asked.properties, setup: setup.clone(), for_explicit, for_symbolic };
        plan.layered(setup.choice.first())?;
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
        let layered = Layered::new(&self.model, &self.setup, method)?;
        Ok(cell.get_or_init(|| layered))
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
        let task = |order| Task { model: &*top, properties: &self.properties, find_all, order };
        let report = match method {
            Method::Explicit(order) => explicit::search(&task(order), control, observer),
            Method::Symbolic(options) => symbolic::search(&task(Order::default()), options, control),
        };
        if let Some(checked) = &layered.checked {
            let complaints = checked.complaints();
            if !complaints.is_empty() {
                let lines: Vec<String> = complaints.iter().map(|complaint| format!("\n  {complaint}")).collect();
                return Err(Failure::Defect(format!("the dependency matrices are wrong{}", lines.concat())));
            }
        }
        let answers = report.answers.into_iter().map(|answer| layered.replayed(answer)).collect();
        Ok(Report { answers, stopped: report.stopped, statistics: report.statistics })
    }
}

impl Layered {
    fn replayed(&self, answer: Answer<Path>) -> Answer<Witness> {
        let Answer { property, verdict, violations } = answer;
        let verdict = match verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Violated(path) => {
                let states = path.states.iter().map(|state| self.stack.state_back(state)).collect();
                match replay(&**self.stack.plain(), &Path { states }, &property.question) {
                    Ok(witness) => Verdict::Violated(witness),
                    Err(error) => Verdict::Unknown(StopReason::Internal(error.to_string())),
                }
            }
        };
        Answer { property, verdict, violations }
    }
}

fn push(stack: &mut Stack, layer: Arc<dyn Layer>) -> Result<(), Failure> {
    stack.push(layer).map_err(|error| Failure::usage(error.to_string(), "leave the option out"))
}

#[cfg(test)]
mod tests {
    use base::{BitMatrix, Source};
    use model::{Dependencies, Signature, Stepper, Value};

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
            let verdict = Verdict::Violated(Path { states: states.iter().map(|state| state.to_vec()).collect() });
            let layered = plan.layered(Method::Explicit(Order::BreadthFirst)).unwrap();
            layered.replayed(Answer { property: plan.properties[0].clone(), verdict, violations: None }).verdict
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
        let method = Method::Explicit(Order::BreadthFirst);
        assert!(plan(honest, &setup).run(method, &control, None).is_ok());
        let failure = plan(liar, &setup).run(method, &control, None).unwrap_err();
        assert!(matches!(&failure, Failure::Defect(what) if what.contains("matrices are wrong")), "{failure}");
    }
}
