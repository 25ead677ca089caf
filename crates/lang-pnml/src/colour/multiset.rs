//! Multisets of colours, as arcs and markings state them: sums of patterns.

use super::sorts::{BasicIx, Colour, Declarations, Sort};

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Component {
    /// This value.
    Constant(u64),
    /// The value of a variable, so many places further on, round the end.
    Variable {
        /// The variable, by its number among those of basic sorts.
        variable: usize,
        /// How far.
        shift: u64,
    },
    /// Every value.
    All,
}

/// So many of each of the colours that fit. Less than none where it is taken away from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    /// How many.
    pub count: i64,
    /// The parts of the colours.
    pub parts: Vec<Component>,
}

/// A sum of patterns of one sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Multiset {
    /// The basic sorts of the parts.
    pub parts: Vec<BasicIx>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
}

/// More colours than may be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

impl Component {
    /// Its value, for given values of variables. `None` for all values.
    pub fn value(&self, values: &[u64], size: u64) -> Option<u64> {
        match *self {
            Self::Constant(value) => Some(value),
            Self::Variable { variable, shift } => Some((values[variable] + shift) % size),
            Self::All => None,
        }
    }
}

impl Pattern {
    /// Whether it takes all values of some part.
    pub fn has_all(&self) -> bool {
        self.parts.contains(&Component::All)
    }

    /// The variables in it.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| match part {
            Component::Variable { variable, .. } => Some(*variable),
            _ => None,
        })
    }

    /// How many colours fit, whatever the variables are.
    pub fn width(&self, sort: &Sort, declared: &Declarations) -> u64 {
        let sizes = self.parts.iter().zip(&sort.parts).filter(|(part, _)| **part == Component::All);
        sizes.map(|(_, &basic)| declared.basics[basic].size).product()
    }

    /// Visits the colours that fit for given values of variables, as long as `visit` wants more. Whether it
    /// wanted all.
    pub fn colours(
        &self,
        sort: &Sort,
        declared: &Declarations,
        values: &[u64],
        mut visit: impl FnMut(Colour) -> bool,
    ) -> bool {
        let mut fixed = 0;
        let mut free: Vec<(u64, u64)> = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let size = declared.basics[sort.parts[at]].size;
            match part.value(values, size) {
                Some(value) => fixed += value * sort.weights[at],
                None => free.push((size, sort.weights[at])),
            }
        }
        let width: u64 = free.iter().map(|(size, _)| size).product();
        (0..width).all(|mut number| {
            let mut colour = fixed;
            for (size, weight) in free.iter().rev() {
                colour += number % size * weight;
                number /= size;
            }
            visit(colour)
        })
    }
}

impl Multiset {
    /// Whether nothing is taken away in it.
    pub fn is_positive(&self) -> bool {
        self.patterns.iter().all(|pattern| pattern.count > 0)
    }

    /// The variables in it.
    pub fn variables(&self) -> impl Iterator<Item = usize> {
        self.patterns.iter().flat_map(Pattern::variables)
    }

    /// The colours in it and how many there are of each, for given values of variables: ascending, none zero.
    /// Counts below zero are left in: who takes more away than there is must be told.
    pub fn counts(
        &self,
        sort: &Sort,
        declared: &Declarations,
        values: &[u64],
        most: u64,
    ) -> Result<Vec<(Colour, i64)>, TooMany> {
        let widths = self.patterns.iter().map(|pattern| pattern.width(sort, declared));
        if widths.fold(0, u64::saturating_add) > most {
            return Err(TooMany);
        }
        let mut counts = Vec::new();
        for pattern in &self.patterns {
            pattern.colours(sort, declared, values, |colour| {
                counts.push((colour, pattern.count));
                true
            });
        }
        counts.sort_unstable_by_key(|(colour, _)| *colour);
        let mut fits = true;
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                match kept.1.checked_add(next.1) {
                    Some(sum) => kept.1 = sum,
                    None => fits = false,
                }
            }
            same
        });
        counts.retain(|(_, count)| *count != 0);
        if fits { Ok(counts) } else { Err(TooMany) }
    }
}
