//! Random coloured nets: what is unfolded against a reading of the net that binds all variables in all ways
//! in every marking.

mod support;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use base::Source;
use lang_pnml::Question;
use support::Random;

/// A part of a tuple.
#[derive(Clone, Debug)]
enum Part {
    Constant(usize),
    /// A variable and how far from it.
    Variable(usize, isize),
    All,
}

/// How many of a tuple; below zero where it is taken away.
type Term = (i64, Vec<Part>);

#[derive(Clone, Debug)]
enum Guard {
    Compare(&'static str, Part, Part, usize),
    Junction(&'static str, Vec<Guard>),
    Not(Box<Guard>),
}

#[derive(Clone, Debug)]
struct Arc {
    place: usize,
    kind: &'static str,
    terms: Vec<Term>,
}

#[derive(Clone, Debug)]
struct Coloured {
    /// How many values each basic sort has; the last is a range of integers.
    sizes: Vec<usize>,
    /// The basic sorts of places.
    places: Vec<Vec<usize>>,
    markings: Vec<Vec<Term>>,
    transitions: Vec<(Option<Guard>, Vec<Arc>)>,
}

/// A place and a colour.
type Spot = (usize, Vec<usize>);

type Marking = BTreeMap<Spot, i64>;

/// Where the range of integers starts.
const START: isize = -1;

/// Variable `v` is of sort `v % sizes`.
const VARIABLES: usize = 5;

impl Coloured {
    fn random(random: &mut Random) -> Self {
        let sizes = vec![2 + random.below(2), 1 + random.below(3), 2 + random.below(2)];
        let places: Vec<Vec<usize>> = (0..2 + random.below(3))
            .map(|_| (0..1 + random.below(2)).map(|_| random.below(3)).collect())
            .collect();
        let mut net = Self { sizes, places, markings: Vec::new(), transitions: Vec::new() };
        for place in 0..net.places.len() {
            let count = random.below(4);
            let marking = (0..count).map(|_| (1, net.tuple(random, place, false))).collect();
            net.markings.push(marking);
        }
        for _ in 0..1 + random.below(3) {
            let guard = (random.below(2) == 0).then(|| net.guard(random, 2));
            let mut arcs = Vec::new();
            for _ in 0..1 + random.below(4) {
                let place = random.below(net.places.len());
                let kind = ["in", "in", "in", "out", "out", "read", "inhibitor"][random.below(7)];
                let mut terms: Vec<Term> = (0..1 + random.below(2))
                    .map(|_| (1 + random.below(5) as i64 / 4, net.tuple(random, place, true)))
                    .collect();
                if random.below(5) == 0 {
                    let all = vec![Part::All; net.places[place].len()];
                    terms = vec![(1, all), (-1, net.tuple(random, place, true))];
                }
                arcs.push(Arc { place, kind, terms });
            }
            net.transitions.push((guard, arcs));
        }
        net
    }

    fn part(&self, random: &mut Random, sort: usize, may_vary: bool) -> Part {
        let variables: Vec<usize> = (0..VARIABLES).filter(|variable| variable % 3 == sort).collect();
        match random.below(if may_vary { 8 } else { 2 }) {
            0 => Part::Constant(random.below(self.sizes[sort])),
            1 if random.below(2) == 0 => Part::All,
            1 => Part::Constant(0),
            _ => Part::Variable(variables[random.below(variables.len())], [0, 0, 1, -1, 2][random.below(5)]),
        }
    }

    fn tuple(&self, random: &mut Random, place: usize, may_vary: bool) -> Vec<Part> {
        self.places[place].iter().map(|&sort| self.part(random, sort, may_vary)).collect()
    }

    fn guard(&self, random: &mut Random, depth: usize) -> Guard {
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0..3 => {
                let sort = random.below(3);
                let one = |random: &mut Random| match self.part(random, sort, true) {
                    Part::All => Part::Constant(0),
                    part => part,
                };
                let operators = [
                    "equality",
                    "inequality",
                    "lessthan",
                    "lessthanorequal",
                    "greaterthan",
                    "greaterthanorequal",
                ];
                Guard::Compare(operators[random.below(6)], one(random), one(random), sort)
            }
            3 => Guard::Not(Box::new(self.guard(random, depth - 1))),
            _ => {
                let name = ["and", "or", "imply"][random.below(3)];
                Guard::Junction(name, vec![self.guard(random, depth - 1), self.guard(random, depth - 1)])
            }
        }
    }

    fn part_text(&self, part: &Part, sort: usize) -> String {
        let last = self.sizes.len() - 1;
        match part {
            Part::Constant(value) if sort == last => {
                let end = START + self.sizes[last] as isize - 1;
                format!(
                    "<finiteintrangeconstant value='{}'><finiteintrange start='{START}' end='{end}'/></finiteintrangeconstant>",
                    START + *value as isize
                )
            }
            Part::Constant(value) => format!("<useroperator declaration='c{sort}.{value}'/>"),
            Part::All => format!("<all><usersort declaration='s{sort}'/></all>"),
            Part::Variable(variable, shift) => {
                let name = if *shift < 0 { "predecessor" } else { "successor" };
                let times = shift.unsigned_abs();
                let (open, close) = (format!("<{name}><subterm>"), format!("</subterm></{name}>"));
                format!("{}<variable refvariable='v{variable}'/>{}", open.repeat(times), close.repeat(times))
            }
        }
    }

    fn sum_text(&self, terms: &[Term], place: usize) -> String {
        let tuple = |parts: &[Part]| {
            let texts: Vec<String> = parts
                .iter()
                .zip(&self.places[place])
                .map(|(part, &sort)| self.part_text(part, sort))
                .collect();
            match &texts[..] {
                [one] => one.clone(),
                _ => format!("<tuple><subterm>{}</subterm></tuple>", texts.join("</subterm><subterm>")),
            }
        };
        let term = |(count, parts): &Term| {
            let count = count.abs();
            format!(
                "<subterm><numberof><subterm><numberconstant value='{count}'><positive/></numberconstant></subterm><subterm>{}</subterm></numberof></subterm>",
                tuple(parts)
            )
        };
        let operator = if terms.iter().any(|(count, _)| *count < 0) { "subtract" } else { "add" };
        format!(
            "<structure><{operator}>{}</{operator}></structure>",
            terms.iter().map(term).collect::<String>()
        )
    }

    fn guard_text(&self, guard: &Guard) -> String {
        match guard {
            Guard::Compare(name, left, right, sort) => {
                let (left, right) = (self.part_text(left, *sort), self.part_text(right, *sort));
                format!("<{name}><subterm>{left}</subterm><subterm>{right}</subterm></{name}>")
            }
            Guard::Not(inner) => format!("<not><subterm>{}</subterm></not>", self.guard_text(inner)),
            Guard::Junction(name, parts) => {
                let parts = parts.iter().map(|part| format!("<subterm>{}</subterm>", self.guard_text(part)));
                format!("<{name}>{}</{name}>", parts.collect::<String>())
            }
        }
    }

    fn text(&self) -> String {
        let mut text =
            "<pnml><net id='n' type='symmetricnet'><declaration><structure><declarations>".to_owned();
        for (sort, &size) in self.sizes.iter().enumerate() {
            let inside = match sort + 1 == self.sizes.len() {
                true => format!("<finiteintrange start='{START}' end='{}'/>", START + size as isize - 1),
                false => {
                    let names =
                        (0..size).map(|value| format!("<feconstant id='c{sort}.{value}' name='n{value}'/>"));
                    format!("<cyclicenumeration>{}</cyclicenumeration>", names.collect::<String>())
                }
            };
            write!(text, "<namedsort id='s{sort}' name='s'>{inside}</namedsort>").unwrap();
        }
        for variable in 0..VARIABLES {
            let sort = variable % 3;
            write!(
                text,
                "<variabledecl id='v{variable}' name='v{variable}'><usersort declaration='s{sort}'/></variabledecl>"
            )
            .unwrap();
        }
        text += "</declarations></structure></declaration><page id='page'>";
        for (place, sorts) in self.places.iter().enumerate() {
            let parts: String =
                sorts.iter().map(|sort| format!("<usersort declaration='s{sort}'/>")).collect();
            let sort = if sorts.len() == 1 { parts } else { format!("<productsort>{parts}</productsort>") };
            write!(text, "<place id='p{place}'><type><structure>{sort}</structure></type>").unwrap();
            if !self.markings[place].is_empty() {
                write!(
                    text,
                    "<hlinitialMarking>{}</hlinitialMarking>",
                    self.sum_text(&self.markings[place], place)
                )
                .unwrap();
            }
            text += "</place>";
        }
        for (transition, (guard, arcs)) in self.transitions.iter().enumerate() {
            let guard = guard.as_ref().map_or(String::new(), |guard| {
                format!("<condition><structure>{}</structure></condition>", self.guard_text(guard))
            });
            write!(text, "<transition id='t{transition}'>{guard}</transition>").unwrap();
            for (at, arc) in arcs.iter().enumerate() {
                let (place, node) = (format!("p{}", arc.place), format!("t{transition}"));
                let (source, target) = if arc.kind == "out" { (node, place) } else { (place, node) };
                let kind = match arc.kind {
                    "in" | "out" => String::new(),
                    kind => format!("<type value='{kind}'/>"),
                };
                let sum = self.sum_text(&arc.terms, arc.place);
                write!(text, "<arc id='a{transition}.{at}' source='{source}' target='{target}'>{kind}<hlinscription>{sum}</hlinscription></arc>").unwrap();
            }
        }
        text + "</page></net></pnml>"
    }

    /// The values of a part of a sort.
    fn values(&self, part: &Part, sort: usize, bound: &[usize]) -> Vec<usize> {
        let size = self.sizes[sort];
        match part {
            Part::Constant(value) => vec![*value],
            Part::All => (0..size).collect(),
            Part::Variable(variable, shift) => {
                vec![(bound[*variable] as isize + shift).rem_euclid(size as isize) as usize]
            }
        }
    }

    fn sum(&self, terms: &[Term], place: usize, bound: &[usize]) -> Marking {
        let mut sum = Marking::new();
        for (count, parts) in terms {
            let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
            for (part, &sort) in parts.iter().zip(&self.places[place]) {
                let values = self.values(part, sort, bound);
                let longer = |tuple: &Vec<usize>| {
                    values.iter().map(|&value| [&tuple[..], &[value]].concat()).collect::<Vec<_>>()
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            tuples.into_iter().for_each(|tuple| *sum.entry((place, tuple)).or_default() += count);
        }
        sum.retain(|_, count| *count > 0);
        sum
    }

    fn holds(&self, guard: &Guard, bound: &[usize]) -> bool {
        match guard {
            Guard::Compare(name, left, right, sort) => {
                let (left, right) = (self.values(left, *sort, bound)[0], self.values(right, *sort, bound)[0]);
                match *name {
                    "equality" => left == right,
                    "inequality" => left != right,
                    "lessthan" => left < right,
                    "lessthanorequal" => left <= right,
                    "greaterthan" => left > right,
                    _ => left >= right,
                }
            }
            Guard::Not(inner) => !self.holds(inner, bound),
            Guard::Junction("and", parts) => parts.iter().all(|part| self.holds(part, bound)),
            Guard::Junction("or", parts) => parts.iter().any(|part| self.holds(part, bound)),
            Guard::Junction(_, parts) => !self.holds(&parts[0], bound) || self.holds(&parts[1], bound),
        }
    }

    fn used(&self, transition: usize) -> Vec<usize> {
        fn of_guard(guard: &Guard, used: &mut Vec<usize>) {
            match guard {
                Guard::Compare(_, left, right, _) => {
                    for part in [left, right] {
                        if let Part::Variable(variable, _) = part {
                            used.push(*variable);
                        }
                    }
                }
                Guard::Not(inner) => of_guard(inner, used),
                Guard::Junction(_, parts) => parts.iter().for_each(|part| of_guard(part, used)),
            }
        }
        let (guard, arcs) = &self.transitions[transition];
        let mut used = Vec::new();
        if let Some(guard) = guard {
            of_guard(guard, &mut used);
        }
        for part in arcs.iter().flat_map(|arc| &arc.terms).flat_map(|(_, parts)| parts) {
            if let Part::Variable(variable, _) = part {
                used.push(*variable);
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// All ways to bind the variables of a transition.
    fn bindings(&self, transition: usize) -> Vec<Vec<usize>> {
        let mut all = vec![vec![0; VARIABLES]];
        for variable in self.used(transition) {
            let values = 0..self.sizes[variable % 3];
            let bound = |binding: &Vec<usize>| {
                let binding = binding.clone();
                values
                    .clone()
                    .map(move |value| {
                        let mut binding = binding.clone();
                        binding[variable] = value;
                        binding
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(bound).collect();
        }
        all
    }

    fn fire(&self, transition: usize, bound: &[usize], marking: &Marking) -> Option<Marking> {
        let (guard, arcs) = &self.transitions[transition];
        if guard.as_ref().is_some_and(|guard| !self.holds(guard, bound)) {
            return None;
        }
        let mut taken = Marking::new();
        let mut after = marking.clone();
        for arc in arcs {
            for (spot, count) in self.sum(&arc.terms, arc.place, bound) {
                let there = marking.get(&spot).copied().unwrap_or(0);
                match arc.kind {
                    "in" => *taken.entry(spot).or_default() += count,
                    "out" => *after.entry(spot).or_default() += count,
                    "read" if there < count => return None,
                    "inhibitor" if there >= count => return None,
                    _ => {}
                }
            }
        }
        for (spot, count) in taken {
            if marking.get(&spot).copied().unwrap_or(0) < count {
                return None;
            }
            *after.entry(spot).or_default() -= count;
        }
        after.retain(|_, count| *count != 0);
        Some(after)
    }
}

/// What is counted in both readings.
#[derive(PartialEq, Eq, Debug, Default)]
struct Counted {
    markings: usize,
    firings: usize,
    /// For every transition in how many markings it can fire.
    enabled: Vec<usize>,
    /// For every place the tokens in it over all markings.
    tokens: Vec<i64>,
}

fn naive(net: &Coloured, most: usize) -> Option<Counted> {
    let mut initial = Marking::new();
    for (place, terms) in net.markings.iter().enumerate() {
        initial.extend(net.sum(terms, place, &[]));
    }
    let mut counted = Counted {
        enabled: vec![0; net.transitions.len()],
        tokens: vec![0; net.places.len()],
        ..Counted::default()
    };
    let bindings: Vec<Vec<Vec<usize>>> =
        (0..net.transitions.len()).map(|transition| net.bindings(transition)).collect();
    let mut known = HashSet::from([initial.clone()]);
    let mut waiting = vec![initial];
    while let Some(marking) = waiting.pop() {
        counted.markings += 1;
        marking.iter().for_each(|((place, _), count)| counted.tokens[*place] += count);
        for (transition, bindings) in bindings.iter().enumerate() {
            let before = counted.firings;
            for after in bindings.iter().filter_map(|bound| net.fire(transition, bound, &marking)) {
                counted.firings += 1;
                if known.insert(after.clone()) {
                    waiting.push(after);
                }
            }
            counted.enabled[transition] += usize::from(counted.firings > before);
        }
        if known.len() > most {
            return None;
        }
    }
    Some(counted)
}

fn unfolded(net: &Coloured) -> Counted {
    let read = support::net(net.text());
    let seen = support::explore(&read.net, 10_000).expect("more markings than the net has");
    let mut formulas = String::new();
    for transition in 0..net.transitions.len() {
        write!(formulas, "<property><id>t{transition}</id><formula><exists-path><finally><is-fireable><transition>t{transition}</transition></is-fireable></finally></exists-path></formula></property>").unwrap();
    }
    for place in 0..net.places.len() {
        write!(
            formulas,
            "<property><id>p{place}</id><formula><place-bound><place>p{place}</place></place-bound></formula></property>"
        )
        .unwrap();
    }
    let formulas = Source::new("formulas", format!("<property-set>{formulas}</property-set>"));
    let queries = lang_pnml::queries(&formulas, &read).unwrap();
    let mut counted = Counted { markings: seen.markings.len(), firings: seen.firings, ..Counted::default() };
    for query in queries {
        match query.question {
            Question::Possible(predicate) => {
                counted.enabled.push(seen.markings.iter().filter(|marking| predicate.holds(marking)).count());
            }
            Question::Bound(sum) => {
                counted.tokens.push(seen.markings.iter().map(|marking| sum.value(marking) as i64).sum());
            }
            other => panic!("{other:?}"),
        }
    }
    counted
}

#[test]
fn unfolded_nets_do_what_the_coloured_ones_do() {
    let mut random = Random::seeded();
    let (mut compared, mut fired) = (0, 0);
    for round in 0..2_000 {
        let net = Coloured::random(&mut random);
        let Some(expected) = naive(&net, 300) else { continue };
        let found = unfolded(&net);
        assert_eq!(found, expected, "round {round}: {net:?}\n{}", net.text());
        compared += 1;
        fired += usize::from(found.markings > 3);
    }
    println!("{compared} nets compared, {fired} with more than three markings");
    assert!(compared > 800 && fired > 60, "{compared} {fired}");
}
