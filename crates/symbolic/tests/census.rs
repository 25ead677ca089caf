//! What is found out of all states, labels whose build is known, and answers that are told at once: as the
//! explicit engine has it, or as anyone would find out who walks from state to state.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use base::{GroupIx, LabelIx, SlotIx};
use engine::{Census, Control, Limits, Property, Question, Task, Verdict};
use layers::{Labelled, Over};
use model::{EvalError, Label, LabelKind, Linear, Model, Predicate, StateFunction, Successors, Value};
use symbolic::{Options, Split, Strategy};
use table::{Random, Tables};

fn all_options() -> impl Iterator<Item = Options> {
    let ways = [(Split::Off, true), (Split::Off, false), (Split::On, true), (Split::After(2), true)];
    Strategy::ALL.iter().flat_map(move |&strategy| {
        ways.map(|(split_guards, separate)| Options { split_guards, separate, ..Options::new(strategy) })
    })
}

fn control() -> Control {
    Control::new(Limits { memory: Some(64 << 20), ..Limits::default() })
}

/// Runs `check` on random models, with the number of the seed.
fn for_random_models(count: u64, mut check: impl FnMut(Tables, &mut Random)) {
    let seed: u64 = std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap());
    for number in seed..seed + count {
        println!("PINSCHER_SEED={number}");
        let mut random = Random::new(number);
        check(Tables::random(&mut random), &mut random);
    }
}

fn random_sum(slots: usize, random: &mut Random) -> Linear {
    let terms = (0..random.below(4))
        .map(|_| (SlotIx::new(random.below(slots as u64) as usize), random.below(5) as i64 - 2));
    Linear::new(terms).unwrap()
}

fn random_predicate(slots: usize, depth: u32, random: &mut Random) -> Predicate {
    match random.below(if depth == 0 { 2 } else { 5 }) {
        0 => Predicate::AtMost(random_sum(slots, random), random.below(9) as i64 - 4),
        1 => {
            let single = Linear::new([(
                SlotIx::new(random.below(slots as u64) as usize),
                1 - 2 * random.below(2) as i64,
            )]);
            Predicate::AtMost(single.unwrap(), random.below(4) as i64 - 2)
        }
        2 => Predicate::Constant(random.below(2) == 0),
        kind => {
            let parts = (0..random.below(4)).map(|_| random_predicate(slots, depth - 1, random)).collect();
            if kind == 3 { Predicate::All(parts) } else { Predicate::Any(parts) }
        }
    }
}

/// A label that a predicate says.
struct PredicateLabel {
    reads: Vec<SlotIx>,
    predicate: Predicate,
    /// Whether the build of the predicate is known to who asks.
    tells: bool,
}

impl StateFunction for PredicateLabel {
    fn reads(&self) -> &[SlotIx] {
        &self.reads
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        Ok(self.predicate.holds(state).into())
    }

    fn predicate(&self) -> Option<&Predicate> {
        self.tells.then_some(&self.predicate)
    }
}

/// The model with these predicates as labels.
fn labelled(model: &Arc<Tables>, predicates: &[Predicate], tells: bool) -> Over<Labelled> {
    let label = |(at, predicate): (usize, &Predicate)| {
        let label = Label { name: format!("p{at}"), kind: LabelKind::Invariant, span: None };
        let reads = predicate.slots().to_vec();
        let function = PredicateLabel { reads, predicate: predicate.clone(), tells };
        (label, Arc::new(function) as Arc<dyn StateFunction>)
    };
    Labelled::new(Arc::clone(model) as Arc<dyn Model>, predicates.iter().enumerate().map(label).collect())
}

/// That each of the added labels holds always, and that there is no deadlock.
fn properties(model: &Over<Labelled>) -> Vec<Property> {
    let labels = (model.first_added().ix()..model.signature().labels.len()).map(LabelIx::new);
    let always = labels.map(|label| Property::new("p", Question::Always(label)));
    always.chain([Property::new("d", Question::NoDeadlock)]).collect()
}

#[test]
fn predicates_whose_build_is_known() {
    let mut kinds = BTreeMap::<&str, u32>::new();
    for_random_models(150, |model, random| {
        let slots = model.signature().slots.len();
        let predicates: Vec<Predicate> = (0..4).map(|_| random_predicate(slots, 2, random)).collect();
        let model = Arc::new(model);
        let [silent, telling] = [false, true].map(|tells| labelled(&model, &predicates, tells));
        let properties = properties(&telling);
        for options in all_options().step_by(3) {
            for find_all in [true, false] {
                let search = |model: &Over<Labelled>| {
                    let task = Task { model, properties: &properties, find_all, census: Census::default() };
                    symbolic::search(&task, options, &control())
                };
                let (wanted, found) = (search(&silent), search(&telling));
                for (ours, theirs) in found.answers.iter().zip(&wanted.answers) {
                    assert_eq!(format!("{:?}", ours.verdict), format!("{:?}", theirs.verdict), "{options:?}");
                    assert_eq!(ours.violations, theirs.violations, "{options:?}");
                    *kinds.entry(ours.verdict.name()).or_default() += 1;
                }
                let asked = |report: &engine::Report<_>| {
                    report.statistics.diagrams.as_ref().map_or(0, |d| d.label_calls)
                };
                // The label that says where it is fine to stop is a table still.
                assert!(asked(&found) <= asked(&wanted));
                assert!(model.signature().end_label().is_some() || asked(&found) == 0);
            }
        }
    });
    assert!(["holds", "violated"].iter().all(|kind| kinds[kind] > 100), "{kinds:?}");
}

#[test]
fn sums_values_and_transitions() {
    let (mut counted, mut again) = (0, 0);
    for_random_models(150, |model, random| {
        let model = &model;
        let slots = model.signature().slots.len();
        let sums: Vec<Linear> = (0..4).map(|_| random_sum(slots, random)).collect();
        let census =
            Census { maxima: &sums, ranges: true, transitions: true, enabled: true, ..Census::default() };
        let properties = [Property::new("d", Question::NoDeadlock)];
        for depth in [None, Some(1)] {
            let task = Task { model, properties: &properties, find_all: true, census };
            let control = || Control::new(Limits { depth, memory: Some(64 << 20), ..Limits::default() });
            let options = explicit::Options { threads: 2, ..explicit::Options::default() };
            let wanted = explicit::search(&task, options, &control(), None);
            assert!(wanted.census.ranges.is_some() && wanted.census.maxima.iter().all(Option::is_some));
            for options in all_options().filter(|options| depth.is_none() || options.strategy.has_levels()) {
                let found = symbolic::search(&task, options, &control());
                assert_eq!(found.census, wanted.census, "{options:?}");
                assert_eq!(found.statistics.transitions, wanted.statistics.transitions, "{options:?}");
                counted += 1;
                // Steps are no fewer than there are pairs of states.
                again += u32::from(found.statistics.transitions > Some(pairs(model).into()));
            }
        }
    });
    assert!(counted > 1000 && again > 100, "{again} of {counted} with steps that are the same");
}

/// All states, and for each its successors, by group.
fn graph(model: &Tables) -> BTreeMap<Vec<Value>, BTreeSet<(usize, Vec<Value>)>> {
    let (mut graph, mut stepper) = (BTreeMap::new(), model.stepper());
    let mut waiting = vec![model.initial().to_vec()];
    while let Some(state) = waiting.pop() {
        let mut buffer = Successors::new(state.len());
        for group in model.signature().group_ixs() {
            _ = stepper.group(group, &state, &mut buffer);
        }
        let steps: BTreeSet<(usize, Vec<Value>)> =
            buffer.iter().map(|to| (to.group.ix(), to.state.to_vec())).collect();
        waiting.extend(steps.iter().map(|(_, to)| to.clone()).filter(|to| !graph.contains_key(to)));
        graph.insert(state, steps);
    }
    graph
}

/// Steps, those that are the same counted once.
fn pairs(model: &Tables) -> usize {
    graph(model).values().map(BTreeSet::len).sum()
}

#[test]
fn live_groups() {
    let mut seen = BTreeMap::<(bool, bool), u32>::new();
    for_random_models(300, |model, _| {
        let graph = graph(&model);
        let live = |set: &Vec<GroupIx>| {
            let is_in = |group: usize| set.contains(&GroupIx::new(group));
            let moves = |state: &&Vec<Value>| graph[*state].iter().any(|(group, _)| is_in(*group));
            let mut good: BTreeSet<&Vec<Value>> = graph.keys().filter(moves).collect();
            loop {
                let leads = |state: &&Vec<Value>| graph[*state].iter().any(|(_, to)| good.contains(to));
                let more: Vec<&Vec<Value>> =
                    graph.keys().filter(|state| !good.contains(state)).filter(leads).collect();
                if more.is_empty() {
                    return good.len() == graph.len();
                }
                good.extend(more);
            }
        };
        // Each group alone, then each with the next.
        let groups: Vec<GroupIx> = model.signature().group_ixs().collect();
        let alone = groups.iter().map(|&group| vec![group]);
        let sets: Vec<Vec<GroupIx>> = alone.chain(groups.windows(2).map(<[_]>::to_vec)).collect();
        let wanted: Vec<bool> = sets.iter().map(live).collect();
        let census = Census { live: &sets, enabled: true, ..Census::default() };
        let properties = [Property::new("e", Question::NoError)];
        for options in all_options().step_by(5) {
            let task = Task { model: &model, properties: &properties, find_all: true, census };
            let found = symbolic::search(&task, options, &control());
            match &found.census.live {
                Some(live) => assert_eq!(*live, wanted, "{options:?}"),
                None => assert!(found.stopped.is_some(), "nothing failed"),
            }
            for (enabled, live) in
                found.census.enabled.iter().flatten().zip(found.census.live.iter().flatten())
            {
                *seen.entry((*enabled, *live)).or_default() += 1;
            }
        }
    });
    assert!([(false, false), (true, false), (true, true)].iter().all(|kind| seen[kind] > 50), "{seen:?}");
    assert!(!seen.contains_key(&(false, true)));
}

/// Each answer is told once, and is the one of the report.
#[test]
fn answers_are_told() {
    let mut early = 0;
    for_random_models(100, |model, random| {
        let slots = model.signature().slots.len();
        let predicates: Vec<Predicate> = (0..4).map(|_| random_predicate(slots, 1, random)).collect();
        let model = labelled(&Arc::new(model), &predicates, true);
        let properties = properties(&model);
        let task = Task { model: &model, properties: &properties, find_all: true, census: Census::default() };
        let told = Arc::new(Mutex::new(Vec::new()));
        let control = || {
            let told = Arc::clone(&told);
            control()
                .decided_to(move |decided| told.lock().unwrap().push((decided.property, decided.is_found)))
        };
        let mut check = |report: engine::Report<engine::Path>, what: &str| {
            let mut told = std::mem::take(&mut *told.lock().unwrap());
            // A violation that is found in time is told before what holds.
            early += u32::from(told.windows(2).any(|pair| pair[0].0 > pair[1].0));
            told.sort_unstable();
            let verdicts =
                report.answers.iter().enumerate().filter_map(|(at, answer)| match answer.verdict {
                    Verdict::Holds => Some((at, false)),
                    Verdict::Violated => Some((at, true)),
                    Verdict::Unknown(_) => None,
                });
            assert_eq!(told, verdicts.collect::<Vec<_>>(), "{what}");
        };
        let threads = 1 + random.below(2) as usize;
        let options = explicit::Options { threads, ..explicit::Options::default() };
        check(explicit::search(&task, options, &control(), None), "explicit");
        for options in all_options().step_by(5) {
            check(symbolic::search(&task, options, &control()), &format!("{options:?}"));
        }
    });
    assert!(early > 50, "{early}");
}
