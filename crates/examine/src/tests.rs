//! Small nets at random, examined by the real code and by enumeration of their markings by the book.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

mod repeats;

use base::{Span, SplitMix64};
use engine::{Answer, CancelToken, Ending, Evidence, Limits, Verdict};
use lang_pnml::{PnmlNet, Query, Question};
use model::{Linear, Predicate, Value};
use petri::{Arc, Net, NetModel, Place, PlaceIx, Transition, TransitionIx};
use planner::{Choice, Setup};

use crate::{Effort, Examination, Means, examine, formulas};

/// More markings than these are not enumerated: of such a net only what was seen is compared.
const MOST_MARKINGS: usize = 1500;

/// Nets of the suite; `PINSCHER_NETS` asks for more.
const NETS: u64 = 150;

/// Who is asked, and whether they always have an answer.
const WAYS: [(Means, bool); 5] = [
    (Means::ALL, true),
    (Means { walks: true, structure: false, reductions: false, search: false }, false),
    (Means { walks: false, structure: true, reductions: false, search: false }, false),
    (Means { walks: false, structure: false, reductions: true, search: true }, true),
    (Means { walks: false, structure: false, reductions: false, search: true }, true),
];

type Marking = Vec<u64>;

/// What an answer says.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Found {
    Truth(bool),
    Number(String),
}

/// What an answer says, if it is one.
fn found(answer: &Answer) -> Option<Found> {
    match (&answer.verdict, &answer.value) {
        (_, Some(number)) => Some(Found::Number(number.to_string())),
        (Verdict::Holds, None) => Some(Found::Truth(true)),
        (Verdict::Violated, None) => Some(Found::Truth(false)),
        (Verdict::Unknown(_), None) => None,
    }
}

/// The markings of a net, as far as they were enumerated.
pub(crate) struct Naive {
    pub(crate) markings: Vec<Marking>,
    /// By marking the firings that lead on: transition and the number of the marking there, if that is one of
    /// these.
    pub(crate) firings: Vec<Vec<(usize, Option<usize>)>>,
    pub(crate) is_whole: bool,
}

fn is_enabled(transition: &Transition, marking: &[u64]) -> bool {
    let enough = |arc: &Arc| marking[arc.place.ix()] >= arc.weight;
    transition.takes.iter().chain(&transition.needs).all(enough) && !transition.forbids.iter().any(enough)
}

fn fire(transition: &Transition, marking: &[u64]) -> Marking {
    let mut after = marking.to_vec();
    transition.takes.iter().for_each(|arc| after[arc.place.ix()] -= arc.weight);
    transition.gives.iter().for_each(|arc| after[arc.place.ix()] += arc.weight);
    after
}

impl Naive {
    pub(crate) fn new(net: &Net) -> Self {
        let start: Marking = net.places.iter().map(|place| place.initial).collect();
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut naive = Self { markings: vec![start], firings: Vec::new(), is_whole: true };
        while naive.firings.len() < naive.markings.len() {
            let marking = naive.markings[naive.firings.len()].clone();
            let mut firings = Vec::new();
            for (number, transition) in net.transitions.iter().enumerate() {
                if !is_enabled(transition, &marking) {
                    continue;
                }
                let after = fire(transition, &marking);
                let next = match numbers.get(&after) {
                    Some(&known) => Some(known),
                    None if naive.markings.len() >= MOST_MARKINGS => {
                        naive.is_whole = false;
                        None
                    }
                    None => {
                        numbers.insert(after.clone(), naive.markings.len());
                        naive.markings.push(after);
                        Some(naive.markings.len() - 1)
                    }
                };
                firings.push((number, next));
            }
            naive.firings.push(firings);
        }
        naive
    }

    fn values(marking: &[u64]) -> Vec<Value> {
        marking.iter().map(|&tokens| tokens as Value).collect()
    }

    fn some(&self, predicate: &Predicate) -> bool {
        self.markings.iter().any(|marking| predicate.holds(&Self::values(marking)))
    }

    fn most(&self, sum: &Linear) -> i128 {
        let value = |marking: &Marking| -> i128 {
            sum.terms.iter().map(|(place, by)| i128::from(*by) * i128::from(marking[place.ix()])).sum()
        };
        self.markings.iter().map(value).max().unwrap()
    }

    fn has_deadlock(&self) -> bool {
        self.firings.iter().any(Vec::is_empty)
    }

    pub(crate) fn can_fire(&self, family: &[TransitionIx]) -> bool {
        self.firings.iter().flatten().any(|(transition, _)| family.contains(&TransitionIx::new(*transition)))
    }

    /// Whether from every marking one can get to where one of the family fires.
    fn is_live(&self, family: &[TransitionIx]) -> bool {
        let fires = |firings: &Vec<(usize, Option<usize>)>| {
            firings.iter().any(|(transition, _)| family.contains(&TransitionIx::new(*transition)))
        };
        let mut good: Vec<bool> = self.firings.iter().map(fires).collect();
        loop {
            let leads =
                |at: usize| self.firings[at].iter().any(|(_, next)| next.is_some_and(|next| good[next]));
            let Some(at) = (0..good.len()).find(|&at| !good[at] && leads(at)) else { break };
            good[at] = true;
        }
        good.iter().all(|good| *good)
    }

    fn sums(&self, family: &[PlaceIx]) -> impl Iterator<Item = u64> {
        self.markings.iter().map(|marking| family.iter().map(|place| marking[place.ix()]).sum())
    }
}

fn arcs(random: &mut SplitMix64, places: usize, most: usize, weight: usize) -> Vec<Arc> {
    let mut arcs = BTreeMap::new();
    for _ in 0..random.below(most + 1) {
        arcs.insert(random.below(places), 1 + random.below(weight) as u64);
    }
    arcs.into_iter().map(|(place, weight)| Arc { place: PlaceIx::new(place), weight }).collect()
}

/// A net, coloured now and then: then several places and transitions go by one name.
pub(crate) fn random_net(random: &mut SplitMix64) -> PnmlNet {
    let (places, transitions) = (1 + random.below(6), random.below(8));
    let weight = 1 + random.below(3);
    let tests = random.below(3) == 0;
    let place = |random: &mut SplitMix64, at: usize| Place {
        name: format!("p{at}"),
        initial: [0, 1, 1, 2, 3][random.below(5)],
        span: None,
    };
    let transition = |random: &mut SplitMix64, at: usize| {
        let takes = arcs(random, places, 3, weight);
        let mut gives = arcs(random, places, 3, weight);
        // Most nets should have an end.
        if random.below(5) > 0 {
            let sum = |arcs: &[Arc]| arcs.iter().map(|arc| arc.weight).sum::<u64>();
            while sum(&gives) > sum(&takes) {
                gives.pop();
            }
        }
        let (needs, forbids) = match tests {
            true => (arcs(random, places, 1, weight), arcs(random, places, 1, weight + 1)),
            false => (Vec::new(), Vec::new()),
        };
        Transition { name: format!("t{at}"), takes, gives, needs, forbids, span: None }
    };
    let net = Net {
        name: "random".to_owned(),
        places: (0..places).map(|at| place(random, at)).collect(),
        transitions: (0..transitions).map(|at| transition(random, at)).collect(),
        ..Net::default()
    };
    let coloured = random.below(3) == 0;
    let name = |random: &mut SplitMix64, at: usize, all: usize| match coloured {
        true => random.below(all),
        false => at,
    };
    let origins: Vec<u32> = (0..places).map(|at| name(random, at, places) as u32).collect();
    let (mut of_places, mut of_transitions) = (HashMap::new(), HashMap::new());
    for (at, origin) in origins.iter().enumerate() {
        of_places.entry(format!("p{origin}")).or_insert_with(Vec::new).push(PlaceIx::new(at));
    }
    for at in 0..transitions {
        let name = name(random, at, transitions);
        of_transitions.entry(format!("t{name}")).or_insert_with(Vec::new).push(TransitionIx::new(at));
    }
    PnmlNet { net, places: of_places, transitions: of_transitions, origins, coloured, warnings: Vec::new() }
}

fn random_sum(random: &mut SplitMix64, places: usize, signs: bool) -> Linear {
    let mut terms = BTreeMap::new();
    for _ in 0..1 + random.below(3) {
        let factor = 1 + random.below(2) as i64;
        let factor = if signs && random.below(2) == 0 { -factor } else { factor };
        terms.insert(PlaceIx::new(random.below(places)), factor);
    }
    Linear::new(terms).unwrap()
}

fn random_predicate(random: &mut SplitMix64, net: &Net, depth: u32) -> Predicate {
    match random.below(if depth == 0 { 2 } else { 4 }) {
        0 | 1 => {
            let sum = random_sum(random, net.places.len(), true);
            Predicate::AtMost(sum, random.below(8) as i64 - 4)
        }
        kind => {
            let parts = (0..1 + random.below(3)).map(|_| random_predicate(random, net, depth - 1)).collect();
            if kind == 2 { Predicate::All(parts) } else { Predicate::Any(parts) }
        }
    }
}

fn query(id: String, question: Question) -> Query {
    Query { id, description: None, question, span: Span::new(0, 0) }
}

fn random_queries(random: &mut SplitMix64, net: &Net) -> Vec<Query> {
    let mut queries = Vec::new();
    for number in 0..4 {
        let predicate = random_predicate(random, net, 2);
        let question = match random.below(6) {
            0 | 1 => Question::Possible(predicate),
            2 | 3 => Question::Always(predicate),
            4 => Question::Initially(predicate),
            _ if random.below(2) == 0 => Question::Deadlock,
            _ => Question::NoDeadlock,
        };
        queries.push(query(format!("q{number}"), question));
    }
    for number in 0..2 {
        let question = Question::Bound(random_sum(random, net.places.len(), false));
        queries.push(query(format!("b{number}"), question));
    }
    queries
}

/// What enumeration says to a formula, with certainty: nothing where it did not see enough.
fn truth(naive: &Naive, question: &Question) -> Option<Found> {
    // What was seen is seen; what was not may be further on.
    let seen = |found: bool, means: bool| (found || naive.is_whole).then_some(Found::Truth(found == means));
    match question {
        Question::Possible(predicate) => seen(naive.some(predicate), true),
        Question::Always(predicate) => seen(naive.some(&predicate.negated().unwrap()), false),
        Question::Initially(predicate) => {
            Some(Found::Truth(predicate.holds(&Naive::values(&naive.markings[0]))))
        }
        Question::Deadlock => seen(naive.has_deadlock(), true),
        Question::NoDeadlock => seen(naive.has_deadlock(), false),
        Question::Bound(sum) => naive.is_whole.then(|| Found::Number(naive.most(sum).to_string())),
        Question::Temporal(_) | Question::TooLarge(_) => None,
    }
}

/// The same for the examinations of a net as a whole.
fn truths(net: &PnmlNet, naive: &Naive, examination: Examination) -> Vec<(String, Option<Found>)> {
    let named = |found: Option<bool>| vec![(examination.name().to_owned(), found.map(Found::Truth))];
    let whole = |found: bool| naive.is_whole.then_some(found);
    let mut families = net.transitions.values();
    match examination {
        Examination::StateSpace => {
            let all = Linear { terms: PlaceIx::all(net.net.places.len()).map(|place| (place, 1)).collect() };
            let most = naive.markings.iter().flatten().max().unwrap();
            let firings: usize = naive.firings.iter().map(Vec::len).sum();
            let number = |number: String| naive.is_whole.then_some(Found::Number(number));
            vec![
                ("STATES".to_owned(), number(naive.markings.len().to_string())),
                ("TRANSITIONS".to_owned(), number(firings.to_string())),
                ("MAX_TOKEN_PER_MARKING".to_owned(), number(naive.most(&all).to_string())),
                ("MAX_TOKEN_IN_PLACE".to_owned(), number(most.to_string())),
            ]
        }
        Examination::ReachabilityDeadlock => {
            named((naive.has_deadlock() || naive.is_whole).then_some(naive.has_deadlock()))
        }
        Examination::QuasiLiveness => {
            let all = families.all(|family| naive.can_fire(family));
            named((all || naive.is_whole).then_some(all))
        }
        Examination::Liveness => named(whole(families.all(|family| naive.is_live(family)))),
        Examination::StableMarking => {
            let is_stable = |family: &Vec<PlaceIx>| {
                let mut sums = naive.sums(family);
                let first = sums.next();
                sums.all(|sum| Some(sum) == first)
            };
            let some = net.places.values().any(is_stable);
            named((!some || naive.is_whole).then_some(some))
        }
        Examination::OneSafe => {
            let is_safe = net.places.values().all(|family| naive.sums(family).all(|sum| sum <= 1));
            named((!is_safe || naive.is_whole).then_some(is_safe))
        }
        Examination::UpperBounds
        | Examination::ReachabilityCardinality
        | Examination::ReachabilityFireability => Vec::new(),
    }
}

/// Whether the evidence shows what the formula says of it.
fn shows(net: &Net, question: &Question, evidence: &Evidence) -> bool {
    let run = evidence.run();
    let mut marking: Marking = net.places.iter().map(|place| place.initial).collect();
    for step in &run.steps {
        let transition = &net.transitions[step.group.ix()];
        if !is_enabled(transition, &marking) {
            return false;
        }
        marking = fire(transition, &marking);
        if step.state != Naive::values(&marking) {
            return false;
        }
    }
    let values = Naive::values(&marking);
    match question {
        Question::Possible(predicate) => run.ending == Ending::Label && predicate.holds(&values),
        Question::Always(predicate) => run.ending == Ending::Label && !predicate.holds(&values),
        Question::Initially(predicate) => run.steps.is_empty() && !predicate.holds(&values),
        Question::Deadlock | Question::NoDeadlock => {
            run.ending == Ending::Deadlock
                && !net.transitions.iter().any(|transition| is_enabled(transition, &marking))
        }
        _ => false,
    }
}

fn effort(net: &Net, means: Means, runs: bool, is_sure: bool) -> Effort {
    // Who may have no answer is not asked for long.
    let time = if is_sure { Duration::from_secs(60) } else { Duration::from_millis(4) };
    let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
    let witnessed_on = runs.then(|| std::sync::Arc::new(NetModel::new(net.clone()).unwrap()) as _);
    Effort {
        until: Some(Instant::now() + time),
        cancel: CancelToken::new(),
        setup: Setup { choice: Choice::race(1), limits, ..Setup::default() },
        threads: 1,
        witnessed_on,
        means,
        on_search: None,
    }
}

#[test]
fn random_nets_are_examined_as_by_the_book() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let clock = || {
        std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64 % 1_000_000_007)
    };
    let first = number("PINSCHER_SEED").unwrap_or_else(clock);
    println!("PINSCHER_SEED={first}");
    let (mut whole, mut compared, mut shown) = (0, 0, 0);
    for seed in first..first + number("PINSCHER_NETS").unwrap_or(NETS) {
        let mut random = SplitMix64::new(seed);
        let net = random_net(&mut random);
        let naive = Naive::new(&net.net);
        whole += u32::from(naive.is_whole);
        let queries = random_queries(&mut random, &net.net);
        for (at, (means, is_sure)) in WAYS.into_iter().enumerate() {
            let is_sure = is_sure && naive.is_whole;
            let mut compare = |what: &str, expected: Vec<(String, Option<Found>)>, answers: &[Answer]| {
                for (id, expected) in expected {
                    let answer = answers.iter().find(|answer| answer.property.name == id);
                    let found = answer.and_then(found);
                    let context =
                        format!("PINSCHER_SEED={seed}: {what} {id} by {means:?}: {:?} {queries:?}", net.net);
                    assert!(!is_sure || found.is_some(), "no answer, {context}");
                    if let (Some(found), Some(expected)) = (&found, &expected) {
                        assert_eq!(found, expected, "{context}");
                        compared += 1;
                    }
                }
            };
            for examination in Examination::ALL.into_iter().filter(|examination| !examination.has_file()) {
                let mut answers = Vec::new();
                let effort = effort(&net.net, means, false, is_sure);
                examine(&net, examination, &[], &effort, &mut |answer| answers.push(answer)).unwrap();
                compare(examination.name(), truths(&net, &naive, examination), &answers);
            }
            let runs = (seed as usize + at).is_multiple_of(2);
            let mut answers = Vec::new();
            let effort = effort(&net.net, means, runs, is_sure);
            formulas(&net, &queries, &effort, &mut |answer| answers.push(answer)).unwrap();
            let expected = queries.iter().map(|query| (query.id.clone(), truth(&naive, &query.question)));
            compare("formula", expected.collect(), &answers);
            for answer in &answers {
                let query = queries.iter().find(|query| query.id == answer.property.name).unwrap();
                let context = || format!("PINSCHER_SEED={seed}: {query:?} by {means:?}: {:?}", net.net);
                let is_shown = answer.evidence.as_ref().map(|run| shows(&net.net, &query.question, run));
                assert!(is_shown != Some(false), "a run does not show it, {}", context());
                // What a run can show is shown where runs are wanted.
                let is_bound = matches!(query.question, Question::Bound(_));
                let is_due = runs && answer.is_found() && !is_bound;
                assert_eq!(is_shown.is_some(), is_due, "{}", context());
                shown += u32::from(is_due);
            }
        }
    }
    assert!(whole > 0 && compared > 0 && shown > 0, "nothing was compared");
}
