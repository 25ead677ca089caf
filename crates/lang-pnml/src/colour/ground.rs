//! Which colours places can ever have, and with which values transitions can ever fire, if numbers of tokens
//! did not matter: a place has the colours of its marking and those that some transition gives it, and a
//! transition fires if all colours that it takes are there. That is more than can really happen, and never
//! less. The idea is that of grounders for planning and for Datalog: "semi-naive" evaluation, in which every
//! new colour is joined with what is known already, so that nothing is found twice.

use std::collections::{HashMap, VecDeque};

use super::condition::solve;
use super::multiset::Component;
use super::plan::{Plan, Step};
use super::rule::{Form, Role, Rule};
use super::sorts::{Colour, Declarations, Sort};
use super::table::Table;

/// How much may be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Places of the unfolded net.
    pub places: usize,
    /// Its transitions.
    pub transitions: usize,
    /// Its arcs.
    pub arcs: u64,
    /// Values that are tried.
    pub tries: u64,
}

impl Limits {
    /// What fits a few gigabytes and a minute.
    pub const DEFAULT: Self =
        Self { places: 5_000_000, transitions: 5_000_000, arcs: 50_000_000, tries: 1_000_000_000 };
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TooLarge {
    /// Places, by a place.
    Places(usize),
    /// Transitions, by a rule.
    Transitions(usize),
    /// Arcs, by a rule.
    Arcs(usize),
    /// Tries, by a rule.
    Tries(usize),
}

/// What was found.
pub(crate) struct Grounded {
    /// For every place its colours.
    pub colours: Vec<Vec<Colour>>,
    /// For every rule the values of its variables, one firing after the other.
    pub values: Vec<Vec<u64>>,
    /// For every rule how many ways to fire there are.
    pub ways: Vec<usize>,
}

/// A colour that just came up.
#[derive(Clone, Copy)]
struct News {
    place: usize,
    colour: Colour,
    /// The demand that it is to fit. Those before it had their chance with it.
    demand: usize,
}

struct Ground<'a> {
    declared: &'a Declarations,
    sorts: &'a [Sort],
    rules: &'a [Rule],
    widths: Vec<u64>,
    limits: Limits,
}

/// What grows while rules are tried.
struct Found {
    seen: Vec<HashMap<Colour, ()>>,
    waiting: VecDeque<(usize, Colour)>,
    values: Vec<Vec<u64>>,
    ways: Vec<usize>,
    places: usize,
    transitions: usize,
    arcs: u64,
    tries: u64,
}

/// Finds all colours and all ways to fire.
pub(crate) fn ground(
    declared: &Declarations,
    sorts: &[Sort],
    rules: &[Rule],
    markings: impl IntoIterator<Item = (usize, Colour)>,
    limits: Limits,
) -> Result<Grounded, TooLarge> {
    let mut tables: Vec<Table> = sorts.iter().map(|sort| Table::new(sort, declared)).collect();
    // For each place the rules that may fire when it gets a colour.
    let mut triggers: Vec<Vec<(usize, usize, Plan)>> = sorts.iter().map(|_| Vec::new()).collect();
    let mut free: Vec<(usize, Plan)> = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for (at, demand) in rule.demands.iter().enumerate() {
            triggers[demand.place].push((number, at, Plan::new(rule, Some(at), &mut tables)));
        }
        // A sum from which all was taken away demands nothing.
        if rule.demands.iter().all(|demand| matches!(demand.form, Form::Whole(_))) {
            free.push((number, Plan::new(rule, None, &mut tables)));
        }
    }
    let widths = rules.iter().map(|rule| rule.width(sorts, declared)).collect();
    let ground = Ground { declared, sorts, rules, widths, limits };
    let mut found = Found {
        seen: vec![HashMap::new(); sorts.len()],
        waiting: VecDeque::new(),
        values: vec![Vec::new(); rules.len()],
        ways: vec![0; rules.len()],
        places: 0,
        transitions: 0,
        arcs: 0,
        tries: 0,
    };
    for (place, colour) in markings {
        ground.see(place, colour, &mut found)?;
    }
    for (rule, plan) in free {
        let mut values = vec![0; rules[rule].variables.len()];
        ground.run(rule, &plan, 0, None, &tables, &mut values, &mut found)?;
    }
    while let Some((place, colour)) = found.waiting.pop_front() {
        tables[place].insert(colour);
        for (rule, demand, plan) in &triggers[place] {
            let mut values = vec![0; rules[*rule].variables.len()];
            if fits(&rules[*rule].demands[*demand].form, &tables[place], colour, &mut values) {
                let news = News { place, colour, demand: *demand };
                ground.run(*rule, plan, 0, Some(news), &tables, &mut values, &mut found)?;
            }
        }
    }
    let colours = found.seen.into_iter().map(|seen| {
        let mut colours: Vec<Colour> = seen.into_keys().collect();
        colours.sort_unstable();
        colours
    });
    Ok(Grounded { colours: colours.collect(), values: found.values, ways: found.ways })
}

/// Whether a colour fits a demand; then the variables have the values that follow.
fn fits(form: &Form, table: &Table, colour: Colour, values: &mut [u64]) -> bool {
    let Form::Pattern(pattern) = form else { return true };
    let mut bound: Vec<usize> = Vec::new();
    pattern.parts.iter().enumerate().all(|(at, part)| {
        let (digit, size) = (table.digit(colour, at), table.sizes[at]);
        match *part {
            Component::Constant(value) => value == digit,
            Component::All => true,
            Component::Variable { variable, shift } if bound.contains(&variable) => {
                (values[variable] + shift) % size == digit
            }
            Component::Variable { variable, shift } => {
                bound.push(variable);
                values[variable] = (digit + size - shift) % size;
                true
            }
        }
    })
}

impl Ground<'_> {
    /// Does the steps of a plan from one on.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is fixed and what changes are kept apart for the borrow checker"
    )]
    fn run(
        &self,
        number: usize,
        plan: &Plan,
        mut at: usize,
        news: Option<News>,
        tables: &[Table],
        values: &mut Vec<u64>,
        found: &mut Found,
    ) -> Result<(), TooLarge> {
        let rule = &self.rules[number];
        loop {
            found.tries += 1;
            if found.tries > self.limits.tries {
                return Err(TooLarge::Tries(number));
            }
            let Some(step) = plan.steps.get(at) else { return self.fire(number, values, found) };
            at += 1;
            match step {
                Step::Check(condition) => {
                    if !rule.conditions[*condition].holds(values) {
                        return Ok(());
                    }
                }
                Step::Solve { condition, variable } => {
                    let is_known = |other: usize| other != *variable;
                    let sides = rule.conditions[*condition].solvable(is_known);
                    match sides.and_then(|(unknown, known)| solve(unknown, known, values)) {
                        Some(value) => values[*variable] = value,
                        None => return Ok(()),
                    }
                }
                Step::Present(demand) => {
                    if !self.is_present(number, *demand, news, tables, values, found)? {
                        return Ok(());
                    }
                }
                Step::Lookup { demand, index, known, unknown } => {
                    let place = rule.demands[*demand].place;
                    let table = &tables[place];
                    let Form::Pattern(pattern) = &rule.demands[*demand].form else {
                        panic!("BUG: colours of a whole sum are looked up")
                    };
                    let value = |part: usize, values: &[u64]| {
                        pattern.parts[part].value(values, table.sizes[part]).unwrap_or(0)
                    };
                    let key = known.iter().map(|&part| value(part, values) * table.weights[part]).sum();
                    for &colour in table.matching(*index, key) {
                        // What came up just now was tried with the demands before.
                        if news.is_some_and(|news| {
                            news.place == place && news.colour == colour && *demand < news.demand
                        }) {
                            continue;
                        }
                        let fits = unknown.iter().all(|&(part, variable, is_again)| {
                            let (digit, size) = (table.digit(colour, part), table.sizes[part]);
                            let Component::Variable { shift, .. } = pattern.parts[part] else { return false };
                            let wanted = (digit + size - shift) % size;
                            if !is_again {
                                values[variable] = wanted;
                            }
                            values[variable] == wanted
                        });
                        if fits {
                            self.run(number, plan, at, news, tables, values, found)?;
                        }
                    }
                    return Ok(());
                }
                Step::Range { variable, limits } => {
                    let mut range = 0..rule.variables[*variable].size;
                    for &limit in limits {
                        rule.conditions[limit].limit(*variable, values, &mut range);
                    }
                    for value in range {
                        values[*variable] = value;
                        self.run(number, plan, at, news, tables, values, found)?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Whether all colours of a demand are there, and the new one is among them or not, as it is this
    /// demand's turn or not.
    fn is_present(
        &self,
        number: usize,
        demand: usize,
        news: Option<News>,
        tables: &[Table],
        values: &[u64],
        found: &mut Found,
    ) -> Result<bool, TooLarge> {
        let place = self.rules[number].demands[demand].place;
        let news = news.filter(|news| news.place == place);
        let mut has_new = false;
        let mut visit = |colour: Colour| {
            found.tries += 1;
            has_new |= news.is_some_and(|news| news.colour == colour);
            tables[place].contains(colour)
        };
        let sort = &self.sorts[place];
        let are_there = match &self.rules[number].demands[demand].form {
            Form::Pattern(pattern) => pattern.colours(sort, self.declared, values, visit),
            Form::Whole(multiset) => {
                let counts = multiset.counts(sort, self.declared, values, self.limits.arcs);
                let counts = counts.map_err(|_| TooLarge::Arcs(number))?;
                counts.into_iter().filter(|(_, count)| *count > 0).all(|(colour, _)| visit(colour))
            }
        };
        Ok(are_there
            && match news {
                Some(news) if demand < news.demand => !has_new,
                Some(news) if demand == news.demand => has_new,
                _ => true,
            })
    }

    /// Notes a way to fire, and the colours that it gives.
    fn fire(&self, number: usize, values: &[u64], found: &mut Found) -> Result<(), TooLarge> {
        if found.transitions == self.limits.transitions {
            return Err(TooLarge::Transitions(number));
        }
        found.arcs = found.arcs.saturating_add(self.widths[number]);
        if found.arcs > self.limits.arcs {
            return Err(TooLarge::Arcs(number));
        }
        found.transitions += 1;
        found.ways[number] += 1;
        found.values[number].extend_from_slice(values);
        for arc in self.rules[number].arcs.iter().filter(|arc| arc.role == Role::Gives) {
            let counts = arc.colours.counts(&self.sorts[arc.place], self.declared, values, self.limits.arcs);
            for (colour, count) in counts.map_err(|_| TooLarge::Arcs(number))? {
                if count > 0 {
                    self.see(arc.place, colour, found)?;
                }
            }
        }
        Ok(())
    }

    /// A place can have a colour.
    fn see(&self, place: usize, colour: Colour, found: &mut Found) -> Result<(), TooLarge> {
        if found.seen[place].insert(colour, ()).is_none() {
            found.places += 1;
            if found.places > self.limits.places {
                return Err(TooLarge::Places(place));
            }
            found.waiting.push_back((place, colour));
        }
        Ok(())
    }
}
