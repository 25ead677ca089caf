//! A search that is interrupted at any call of the model, be it for a step, a guard, an answer or a witness:
//! what it says then is what the whole search says, or that it is unknown.

mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use base::LabelIx;
use engine::{Control, Limits, Property, Question, Report, StopReason, Task, Verdict};
use symbolic::{Options, Split, Strategy};
use table::Tables;
use toys::Altered;

/// Longer than the engine takes to look at the flag.
const NOTICED: Duration = Duration::from_millis(25);

/// A model that raises a flag at one of its calls.
struct Interrupting {
    model: Altered,
    calls: Arc<AtomicU64>,
    at: Arc<AtomicU64>,
    flag: Arc<AtomicBool>,
}

impl Interrupting {
    fn new(tables: Tables) -> Self {
        let [calls, at]: [Arc<AtomicU64>; 2] = Default::default();
        let flag: Arc<AtomicBool> = Arc::default();
        let (counted, wanted, raised) = (Arc::clone(&calls), Arc::clone(&at), Arc::clone(&flag));
        let model = Altered::of(Arc::new(tables)).before_each_call(move || {
            if counted.fetch_add(1, Ordering::Relaxed) == wanted.load(Ordering::Relaxed) {
                raised.store(true, Ordering::Relaxed);
                std::thread::sleep(NOTICED);
            }
        });
        Self { model, calls, at, flag }
    }
}

/// Searches, and is interrupted at the call with this number.
fn search(model: &Interrupting, options: Options, find_all: bool, at: u64) -> Report<engine::Path> {
    model.calls.store(0, Ordering::Relaxed);
    model.at.store(at, Ordering::Relaxed);
    model.flag.store(false, Ordering::Relaxed);
    let questions = [
        Question::NoDeadlock,
        Question::Always(LabelIx::new(0)),
        Question::Always(LabelIx::new(1)),
        Question::NoAction("a3".into()),
        Question::NoError,
    ];
    let properties: Vec<Property> =
        questions.into_iter().map(|question| Property::new(format!("{question:?}"), question)).collect();
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    let control = Control::new(limits).cancelled_by(&Arc::clone(&model.flag).into());
    symbolic::search(
        &Task { model: &model.model, properties: &properties, find_all, census: engine::Census::default() },
        options,
        &control,
    )
}

fn told(answer: &engine::Answer<engine::Path>) -> String {
    match (&answer.verdict, &answer.evidence) {
        (Verdict::Unknown(reason), _) => reason.name().into(),
        (_, Some(path)) => format!("{} steps", path.states.len() - 1),
        (verdict, None) => verdict.name().into(),
    }
}

#[test]
fn an_interrupted_search_says_nothing_wrong() {
    let seed: u64 = std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap());
    let (mut interrupted, mut answered) = (0, 0);
    for number in seed..seed + 3 {
        println!("PINSCHER_SEED={number}");
        let mut random = base::SplitMix64::new(number);
        let tables = Tables::random(&mut random);
        let model = Interrupting::new(tables);
        for &strategy in Strategy::ALL {
            let split_guards = [Split::Off, Split::On, Split::After(3)][random.below(3)];
            let threads = 1 + random.below(2);
            let options = Options { split_guards, threads, ..Options::new(strategy) };
            let find_all = random.below(3) > 0;
            let whole = search(&model, options, find_all, u64::MAX);
            let calls = model.calls.load(Ordering::Relaxed);
            // The last calls are for answers and witnesses.
            for at in [
                0,
                random.below(calls as usize) as u64,
                calls - calls.min(random.below(6) as u64 + 1),
                calls - 1,
            ] {
                let found = search(&model, options, find_all, at);
                for (ours, theirs) in found.answers.iter().zip(&whole.answers) {
                    let is_unknown = matches!(ours.verdict, Verdict::Unknown(StopReason::Interrupted));
                    let (ours, theirs) = (told(ours), told(theirs));
                    // A predicate that failed before has no answer, however far the search went.
                    let is_told = ours == theirs || ours == "predicate-error";
                    assert!(
                        is_told || is_unknown,
                        "{ours} for {theirs} with {options:?}, interrupted at {at} of {calls}"
                    );
                    interrupted += u32::from(is_unknown);
                    answered += u32::from(!is_unknown);
                }
            }
        }
    }
    assert!(interrupted > 50 && answered > 20, "{interrupted} interrupted, {answered} answered");
}
