//! A plan: what is asked of a model, and the layers on it for each engine that may search.

use std::sync::{Arc, OnceLock};

use engine::{Census, Control, Engine, Property, Report, StopReason, Support, Task};
use layers::{CacheStatistics, Need};
use model::{Compiled, Model, Observer};

use crate::caching::{Cache, CacheFigures};
use crate::error::Error;
use crate::layered::Layered;
use crate::questions::{Asked, Survey};
use crate::setup::{Eval, Purpose, Setup};

/// What to ask of a model, and how.
pub struct Plan {
    model: Arc<dyn Model>,
    properties: Vec<Property>,
    survey: Survey,
    /// What every layer must preserve.
    needs: Vec<Need>,
    setup: Setup,
    /// The model under its layers, for each engine of the setup that was needed.
    layered: Vec<OnceLock<Layered>>,
}

impl Plan {
    /// A plan for the engines that the setup names; refuses layers that do not fit.
    pub fn new(asked: Asked, setup: &Setup) -> Result<Self, Error> {
        let (needs, setup) = (asked.needs(), setup.clone());
        let layered = setup.choice.engines().iter().map(|_| OnceLock::new()).collect();
        let Asked { model, properties, survey } = asked;
        let plan = Self { model, properties, survey, needs, setup, layered };
        plan.layered(0)?;
        Ok(plan)
    }

    /// An engine, by its place in the setup.
    pub fn engine(&self, engine: usize) -> &dyn Engine {
        &*self.setup.choice.engines()[engine]
    }

    /// What is asked.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn layered(&self, engine: usize) -> Result<&Layered, Error> {
        if let Some(layered) = self.layered[engine].get() {
            return Ok(layered);
        }
        let compiled = self.compile(engine)?;
        let profile = self.engine(engine).profile();
        let layered = Layered::new(&self.model, compiled.as_ref(), &self.needs, &self.setup, profile)?;
        Ok(self.layered[engine].get_or_init(|| layered))
    }

    /// Makes machine code of what the engine calls, where that is wanted and can be had.
    fn compile(&self, engine: usize) -> Result<Option<Compiled>, Error> {
        if self.setup.eval == Eval::Interpret {
            return Ok(None);
        }
        match self.model.compile(self.engine(engine).profile().calls) {
            Compiled::Refused(why) if self.setup.eval == Eval::Compile => Err(Error::NotCompiled(why)),
            compiled => Ok(Some(compiled)),
        }
    }

    /// Bytes that caches may take at most, for all engines that search.
    pub fn cache_bytes(&self) -> u64 {
        let caches = match self.setup.cache {
            Cache::Off => 0,
            Cache::Thread | Cache::Shared | Cache::On => self.layered.len(),
            // A trial showed by now whether the engine that begins has one, and no other may.
            Cache::Auto => usize::from(self.layered[0].get().is_some_and(|layered| layered.cached.is_some())),
        };
        caches as u64 * self.setup.cache_bytes()
    }

    /// What the cache below an engine did so far.
    pub fn cache_figures(&self, engine: usize) -> Result<CacheFigures, Error> {
        let Layered { cached, chosen, .. } = self.layered(engine)?;
        let CacheStatistics { hits, misses, .. } =
            cached.as_ref().map_or_else(Default::default, |c| c.statistics());
        let bytes = cached.as_ref().map_or(0, |cached| cached.most_bytes() as u64);
        Ok(CacheFigures { chosen: chosen.clone(), asked: hits + misses, hits, bytes })
    }

    /// The model that an engine is given.
    pub fn top(&self, engine: usize) -> Result<Arc<dyn Model>, Error> {
        Ok(self.layered(engine)?.stack.top())
    }

    /// Lets an engine search, and replays what it found. The observer sees the transitions of the model at
    /// the top. What the engine does not support is said before anything is searched.
    pub fn run(
        &self,
        engine: usize,
        control: &Control,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        let layered = self.layered(engine)?;
        let (top, find_all) = (layered.stack.top(), self.setup.find_all);
        let (maxima, offsets) = layered.sums_above(&self.survey.maxima);
        let live = layered.groups_above(&self.survey.live);
        let weights = layered.stack.weights();
        let census = Census {
            maxima: &maxima,
            ranges: self.survey.ranges,
            enabled: self.survey.enabled,
            transitions: self.survey.transitions || self.setup.purpose != Purpose::Verdicts,
            weights: weights.as_deref(),
            live: &live,
        };
        let task = Task { model: &*top, properties: &self.properties, find_all, census };
        let report = match self.engine(engine).supports(&task) {
            Support::Yes => self.engine(engine).run(&task, control, observer),
            Support::No(why) => {
                Report::nothing(&task, StopReason::Unsupported(why), engine::Statistics::default())
            }
        };
        layered.check_complaints()?;
        let answers: Vec<_> = report.answers.into_iter().map(|answer| layered.replayed(answer)).collect();
        let statistics = layered.of_the_model(report.statistics);
        let census = layered.census_below(report.census, &offsets);
        Ok(Report { answers, stopped: report.stopped, statistics, census })
    }
}

#[cfg(test)]
mod tests {
    use base::{BitMatrix, Source};
    use engine::{Path, Verdict};
    use model::Value;
    use toys::Altered;

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
            let path = Path::run(states.iter().map(|state| state.to_vec()).collect());
            let layered = plan.layered(0).unwrap();
            layered.replayed(engine::Answer::found(plan.properties[0].clone(), path)).verdict
        };
        assert_eq!(answer(&[[0], [1], [2]]), Verdict::Violated);
        for wrong in [&[][..], &[[1], [2]], &[[0], [2]], &[[0], [1]]] {
            assert!(matches!(answer(wrong), Verdict::Unknown(StopReason::Internal(_))), "{wrong:?}");
        }
    }

    #[test]
    fn wrong_matrices_are_a_defect_when_they_are_checked() {
        let honest = toggle();
        let mut matrices = honest.dependencies().clone();
        matrices.read = BitMatrix::new(matrices.read.rows(), matrices.read.columns());
        matrices.update_read = matrices.read.clone();
        // They say that nothing is read.
        let liar = Arc::new(Altered::of(Arc::clone(&honest)).with_dependencies(matrices));
        let setup = Setup { check_matrices: true, ..Setup::default() };
        let control = Control::default();
        assert!(plan(honest, &setup).run(0, &control, None).is_ok());
        let failure = plan(liar, &setup).run(0, &control, None).unwrap_err();
        assert!(matches!(&failure, Error::Defect(what) if what.contains("matrices are wrong")), "{failure}");
    }

    /// What no engine supports is refused before a state is looked at.
    #[test]
    fn what_is_not_supported_is_not_searched() {
        let mut asked = Questions::default().ask(toggle()).unwrap();
        asked
            .properties
            .push(Property::new("temporal", engine::Question::Other("a formula of temporal logic".into())));
        let plan = Plan::new(asked, &Setup::default()).unwrap();
        let report = plan.run(0, &Control::default(), None).unwrap();
        assert!(matches!(report.stopped, Some(StopReason::Unsupported(_))), "{:?}", report.stopped);
        assert_eq!(report.statistics.states, 0u32.into());
    }
}
