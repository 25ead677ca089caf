//! Random coloured nets, and their texts.

pub mod by_the_book;

use std::collections::BTreeMap;
use std::fmt::Write;

use base::SplitMix64;

/// A part of a tuple.
#[derive(Clone, Debug)]
pub enum Part {
    Constant(usize),
    /// A variable and how far from it.
    Variable(usize, isize),
    All,
}

/// How many of a tuple; below zero where it is taken away.
pub type Term = (i64, Vec<Part>);

#[derive(Clone, Debug)]
pub enum Guard {
    Compare(&'static str, Part, Part, usize),
    Junction(&'static str, Vec<Guard>),
    Not(Box<Guard>),
}

#[derive(Clone, Debug)]
pub struct Arc {
    pub place: usize,
    pub kind: &'static str,
    pub terms: Vec<Term>,
}

#[derive(Clone, Debug)]
pub struct Coloured {
    /// How many values each basic sort has; the last is a range of integers.
    pub sizes: Vec<usize>,
    /// The basic sorts of places.
    pub places: Vec<Vec<usize>>,
    pub markings: Vec<Vec<Term>>,
    pub transitions: Vec<(Option<Guard>, Vec<Arc>)>,
}

/// A place and a colour.
pub type Spot = (usize, Vec<usize>);

pub type Marking = BTreeMap<Spot, i64>;

/// Where the range of integers starts.
pub const START: isize = -1;

/// Variable `v` is of sort `v % sizes`.
pub const VARIABLES: usize = 5;

impl Coloured {
    pub fn random(random: &mut SplitMix64) -> Self {
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

    fn part(&self, random: &mut SplitMix64, sort: usize, may_vary: bool) -> Part {
        let variables: Vec<usize> = (0..VARIABLES).filter(|variable| variable % 3 == sort).collect();
        match random.below(if may_vary { 8 } else { 2 }) {
            0 => Part::Constant(random.below(self.sizes[sort])),
            1 if random.below(2) == 0 => Part::All,
            1 => Part::Constant(0),
            _ => Part::Variable(variables[random.below(variables.len())], [0, 0, 1, -1, 2][random.below(5)]),
        }
    }

    fn tuple(&self, random: &mut SplitMix64, place: usize, may_vary: bool) -> Vec<Part> {
        self.places[place].iter().map(|&sort| self.part(random, sort, may_vary)).collect()
    }

    fn guard(&self, random: &mut SplitMix64, depth: usize) -> Guard {
        match random.below(if depth == 0 { 3 } else { 6 }) {
            0..3 => {
                let sort = random.below(3);
                let one = |random: &mut SplitMix64| match self.part(random, sort, true) {
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

    pub fn text(&self) -> String {
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
}
