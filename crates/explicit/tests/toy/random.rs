//! Random small models: cyclic counters with tests, assignments, copies, choices and failures.

use base::SplitMix64;
use model::Value;

use super::{Moves, Toy, failure, limit};

#[derive(Clone, Copy)]
struct Domain {
    lo: i32,
    size: usize,
}

impl Domain {
    fn nth(self, at: usize) -> Value {
        (self.lo + (at % self.size) as i32).cast_unsigned()
    }

    fn position(self, value: Value) -> usize {
        (value.cast_signed() - self.lo) as usize
    }
}

#[derive(Clone, Copy)]
enum Assignment {
    Set(usize),
    Add(usize),
    Copy(usize),
}

/// When slot `tested` has its `n`th value, all assignments are done.
struct Rule {
    tests: Vec<(usize, usize)>,
    fails: Option<(usize, usize)>,
    /// It fails by a limit of the tool.
    is_limited: bool,
    choices: Vec<(Value, Vec<(usize, Assignment)>)>,
}

impl Rule {
    fn moves(&self, domains: &[Domain], state: &[Value]) -> Moves {
        let is = |&(slot, at): &(usize, usize)| state[slot] == domains[slot].nth(at);
        if !self.tests.iter().all(is) {
            return Ok(Vec::new());
        }
        if self.fails.as_ref().is_some_and(is) {
            return Err(if self.is_limited { limit() } else { failure() });
        }
        let run = |assignments: &[(usize, Assignment)]| {
            let mut target = state.to_vec();
            for &(slot, assignment) in assignments {
                target[slot] = domains[slot].nth(match assignment {
                    Assignment::Set(at) => at,
                    Assignment::Add(more) => domains[slot].position(state[slot]) + more,
                    Assignment::Copy(other) => domains[other].position(state[other]),
                });
            }
            target
        };
        Ok(self.choices.iter().map(|(action, assignments)| (*action, run(assignments))).collect())
    }
}

/// A random model with an assertion and a predicate; in some of them groups or labels fail.
pub fn random_toy(random: &mut SplitMix64) -> Toy {
    let los = [0, 0, 0, -1, -3, 5, -70_000, i32::MIN];
    let domains: Vec<Domain> = (0..2 + random.below(5))
        .map(|_| Domain { lo: los[random.below(los.len())], size: 1 + random.below(5) })
        .collect();
    let all: Vec<usize> = (0..domains.len()).collect();
    let rules = 1 + random.below(9);
    toy_with(random, domains, &vec![all; rules], |toy| toy)
}

/// A random model of some processes, each with a place and a variable, that share two variables: a group
/// looks at one process.
pub fn random_processes(random: &mut SplitMix64) -> Toy {
    let processes = 2 + random.below(3);
    let domain = |at| Domain { lo: [0, -2][at % 2], size: if at >= 2 && at % 2 == 0 { 5 } else { 4 } };
    let domains = (0..2 + 2 * processes).map(domain).collect();
    let group = |random: &mut SplitMix64| {
        let process = random.below(processes);
        vec![0, 1, 2 + 2 * process, 3 + 2 * process]
    };
    let groups: Vec<Vec<usize>> = (0..4 + random.below(3 * processes)).map(|_| group(random)).collect();
    toy_with(random, domains, &groups, |toy| {
        toy.places(&(0..processes).map(|at| 2 + 2 * at).collect::<Vec<_>>())
    })
}

/// A random model whose groups know these slots.
fn toy_with(
    random: &mut SplitMix64,
    domains: Vec<Domain>,
    groups: &[Vec<usize>],
    finish: impl Fn(Toy) -> Toy,
) -> Toy {
    let slots = domains.len();
    let failing = random.one_in(3);
    let ranges: Vec<(i32, i32)> = domains.iter().map(|d| (d.lo, d.lo + d.size as i32 - 1)).collect();
    let initial: Vec<Value> = domains.iter().map(|d| d.nth(random.below(5))).collect();
    let mut toy = Toy::new(&ranges, &initial);
    for known in groups {
        let slot = |random: &mut SplitMix64| known[random.below(known.len())];
        let place = |random: &mut SplitMix64| (slot(random), random.below(5));
        let tests = (0..random.below(3)).map(|_| place(random)).collect();
        let fails = (failing && random.one_in(3)).then(|| place(random));
        let choices: Vec<(Value, Vec<(usize, Assignment)>)> = (0..1 + random.below(2))
            .map(|_| {
                let assignments = (0..1 + random.below(2)).map(|_| {
                    let assignment = match random.below(4) {
                        0 => Assignment::Set(random.below(5)),
                        1 => Assignment::Copy(slot(random)),
                        _ => Assignment::Add(1 + random.below(2)),
                    };
                    (slot(random), assignment)
                });
                let assignments = assignments.collect();
                (random.below(10) as Value, assignments)
            })
            .collect();
        let written: Vec<usize> =
            choices.iter().flat_map(|(_, list)| list.iter().map(|(slot, _)| *slot)).collect();
        let is_limited = fails.is_some() && random.one_in(2);
        let (rule, domains) = (Rule { tests, fails, is_limited, choices }, domains.clone());
        toy = toy.group(&written, move |state| rule.moves(&domains, state)).reading(known);
    }
    for asserted in [true, false] {
        let (zero, fails) =
            ([0, 0].map(|_| (random.below(slots), random.below(5))), failing && random.one_in(2));
        let at = (random.below(slots), random.below(5));
        let failure = if random.one_in(3) { limit } else { failure };
        let domains = domains.clone();
        let value = move |state: &[Value]| {
            let is = |&(slot, at): &(usize, usize)| domains[slot].position(state[slot]) == at;
            if fails && is(&at) { Err(failure()) } else { Ok(u32::from(!zero.iter().all(is))) }
        };
        toy = if asserted { toy.assertion(value) } else { toy.predicate(value) };
    }
    if random.one_in(2) {
        let (fine, fails) = ((random.below(slots), random.below(3)), failing && random.one_in(2));
        let at = (random.below(slots), random.below(3));
        toy = toy.end(move |state| {
            let is = |(slot, at): (usize, usize)| domains[slot].position(state[slot]) == at;
            if fails && is(at) { Err(failure()) } else { Ok(u32::from(is(fine))) }
        });
    }
    finish(toy)
}
