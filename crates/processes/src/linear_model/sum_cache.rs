//! A cache of the solutions of sums: as `lps2lts --cached` of the mCRL2 toolset does, a sum is solved once
//! for the values of those slots that its conditions look at.
//!
//! `sum n: Nat . n in l && n > x -> a(n)` looks at the slots l and x: states that agree on these two share
//! the answer.
//!
//! Differs: only sums whose values are tried and may turn out to be no solutions are kept, and a table that
//! seldom has the answer is given up. A table that is full is emptied.

use std::collections::HashMap;
use std::ops::Range;

use terms::Term;

use super::LinearModel;
use super::code::GroupCode;

/// Words that all tables of one thread may take.
const MOST_WORDS: usize = 1 << 22;
/// A table may have this many in any case.
const LEAST_WORDS: usize = 1 << 12;
/// So many questions show whether a table is of use.
const TRIAL: u32 = 1 << 8;

/// The solutions that one thread keeps.
pub(crate) struct SumCache {
    /// For each group its table, if it has a sum that is worth it.
    tables: Vec<Option<Table>>,
    key: Vec<Term>,
}

#[derive(Default)]
struct Table {
    /// By the values of the slots: where the solutions stand.
    known: HashMap<Box<[Term]>, Range<usize>>,
    /// The values of the sum's variables, one solution after the other.
    solutions: Vec<Term>,
    asked: u32,
    answered: u32,
    most: usize,
}

/// What a table says.
pub(crate) enum Lookup {
    /// These solutions: the places of their values.
    Hit(Range<usize>),
    /// The solutions are not known yet, and worth keeping.
    Miss,
    /// They are not to be kept.
    Off,
}

impl SumCache {
    pub(crate) fn new(model: &LinearModel) -> Self {
        let is_worth = |group: &GroupCode| group.sum.as_ref().is_some_and(|sum| sum.code.is_searched());
        let count = model.groups.iter().filter(|group| is_worth(group)).count();
        let most = (MOST_WORDS / count.max(1)).max(LEAST_WORDS);
        let table = |group: &GroupCode| is_worth(group).then(|| Table { most, ..Table::default() });
        Self { tables: model.groups.iter().map(table).collect(), key: Vec::new() }
    }

    /// What is known of the sum of a group, whose conditions look at these slots.
    pub(crate) fn ask(&mut self, group: usize, slots: &[usize], environment: &[Term]) -> Lookup {
        let Some(table) = &mut self.tables[group] else { return Lookup::Off };
        table.asked += 1;
        self.key.clear();
        self.key.extend(slots.iter().map(|slot| environment[*slot]));
        if let Some(solutions) = table.known.get(&self.key[..]) {
            table.answered += 1;
            return Lookup::Hit(solutions.clone());
        }
        if table.asked < TRIAL {
            return Lookup::Miss;
        }
        // Now and then it has to show anew that it is of use.
        if table.answered < table.asked / 2 {
            self.tables[group] = None;
            return Lookup::Off;
        }
        (table.asked, table.answered) = (0, 0);
        Lookup::Miss
    }

    /// The values from this place on.
    pub(crate) fn values(&self, group: usize, at: Range<usize>) -> &[Term] {
        match &self.tables[group] {
            Some(table) => &table.solutions[at],
            None => panic!("BUG: solutions of a sum that are not kept"),
        }
    }

    /// The number of values that are there; what comes after them is not known yet.
    pub(crate) fn begin(&mut self, group: usize) -> usize {
        let Some(table) = &mut self.tables[group] else { return 0 };
        if table.solutions.len() + table.known.len() * (self.key.len() + 20) > table.most {
            table.known.clear();
            table.solutions.clear();
        }
        table.solutions.len()
    }

    /// One more solution.
    pub(crate) fn add(&mut self, group: usize, values: &[Term]) {
        if let Some(table) = &mut self.tables[group] {
            table.solutions.extend_from_slice(values);
        }
    }

    /// All that was added since then are the solutions for what was asked last; or not all of them, and they
    /// are forgotten.
    pub(crate) fn end(&mut self, group: usize, begin: usize, is_all: bool) {
        let Some(table) = &mut self.tables[group] else { return };
        // More than there is room for in one go is not kept either.
        match is_all && table.solutions.len() - begin <= table.most {
            true => _ = table.known.insert(self.key.clone().into(), begin..table.solutions.len()),
            false => table.solutions.truncate(begin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_room_for(words: usize) -> SumCache {
        SumCache { tables: vec![Some(Table { most: words, ..Table::default() })], key: Vec::new() }
    }

    /// The solutions for two values, of two variables: none for some, many for others.
    fn solutions(values: [u32; 2]) -> Vec<Term> {
        (0..values[0] % 5 * 2).map(|at| Term(values[0] * 100 + values[1] * 10 + at)).collect()
    }

    #[test]
    fn what_is_cached_is_what_was_found() {
        // Little room, so that all is forgotten now and then; and some searches fail.
        let mut cache = with_room_for(400);
        let (mut answered, mut forgotten) = (0, 0);
        for round in 0..20_000_u32 {
            let values = [round * round % 17, round / 1000 % 3];
            let environment = [Term(7), Term(values[0]), Term(round), Term(values[1])];
            match cache.ask(0, &[1, 3], &environment) {
                Lookup::Hit(at) => {
                    assert_eq!(cache.values(0, at), solutions(values));
                    answered += 1;
                }
                Lookup::Miss => {
                    let before = cache.tables[0].as_ref().map_or(0, |table| table.solutions.len());
                    let begin = cache.begin(0);
                    forgotten += u32::from(begin < before);
                    let fails = round % 3 == 0;
                    for solution in solutions(values).chunks(2).take(if fails { 1 } else { 9 }) {
                        cache.add(0, solution);
                    }
                    cache.end(0, begin, !fails);
                }
                Lookup::Off => panic!("given up in round {round}"),
            }
        }
        assert!(answered > 19_000 && forgotten > 3, "{answered} {forgotten}");
    }

    #[test]
    fn a_table_that_never_knows_is_given_up() {
        let mut cache = with_room_for(1 << 20);
        let given_up = (0..10_000).find(|&round| match cache.ask(0, &[0], &[Term(round)]) {
            Lookup::Hit(_) => panic!("{round} was never found"),
            Lookup::Miss => {
                let begin = cache.begin(0);
                cache.add(0, &[Term(round)]);
                cache.end(0, begin, true);
                false
            }
            Lookup::Off => true,
        });
        assert_eq!(given_up, Some(TRIAL - 1));
        assert!(matches!(cache.ask(0, &[0], &[Term(0)]), Lookup::Off));
    }
}
