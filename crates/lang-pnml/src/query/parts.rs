//! Predicates while they are put together: negation costs nothing until it is needed, conjunctions in
//! conjunctions become one, and size and depth are watched, since all that is done to a predicate later
//! follows its build.

use std::collections::HashSet;

use model::Predicate;

/// A predicate deeper than this is refused: who works on it goes down level by level. Only changes between
/// "all" and "any" are levels.
pub(crate) const DEEPEST: usize = 1_000;

/// Comparisons in one predicate; each is about 100 bytes.
const MOST_ATOMS: usize = 2_000_000;

/// A predicate in the making.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    predicate: Predicate,
    is_negated: bool,
    atoms: usize,
    depth: usize,
}

/// Why a predicate cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TooLarge {
    /// Too many comparisons.
    Size,
    /// Too many levels.
    Depth,
    /// A number does not fit.
    Number,
}

impl TooLarge {
    /// As a person reads it.
    pub fn words(self) -> String {
        match self {
            Self::Size => {
                format!(
                    "it has more than {MOST_ATOMS} comparisons when transitions are replaced by what they need"
                )
            }
            Self::Depth => format!("it is nested deeper than {DEEPEST} changes between `all` and `any`"),
            Self::Number => "a number in it does not fit 64 bits".to_owned(),
        }
    }
}

impl Part {
    /// A predicate as a part.
    pub fn new(predicate: Predicate) -> Self {
        let (atoms, depth) = measure(&predicate);
        Self { predicate, is_negated: false, atoms, depth }
    }

    /// What holds where it does not.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.is_negated = !self.is_negated;
        self
    }

    /// The predicate with negations done.
    fn settled(self) -> Result<(Predicate, usize, usize), TooLarge> {
        let predicate = match self.is_negated {
            true => self.predicate.negated().ok_or(TooLarge::Number)?,
            false => self.predicate,
        };
        Ok((predicate, self.atoms, self.depth))
    }

    /// The predicate, without the same part twice in a list.
    pub fn finish(self) -> Result<Predicate, TooLarge> {
        Ok(tidy(self.settled()?.0))
    }

    /// All of them, or one of them at least.
    pub fn combined(parts: impl IntoIterator<Item = Self>, are_all: bool) -> Result<Self, TooLarge> {
        let mut list: Vec<Predicate> = Vec::new();
        let (mut atoms, mut deepest) = (0_usize, 0);
        let mut decided = false;
        let mut only = None;
        let mut count = 0;
        for part in parts {
            count += 1;
            if count == 1 {
                // Alone it stays as it is: a long chain of lists of one costs nothing.
                only = Some(part);
                continue;
            }
            for part in only.take().into_iter().chain(Some(part)) {
                let (predicate, size, depth) = part.settled()?;
                atoms = atoms.saturating_add(size);
                if atoms > MOST_ATOMS {
                    return Err(TooLarge::Size);
                }
                match predicate {
                    Predicate::Constant(value) => decided |= value != are_all,
                    Predicate::All(inner) if are_all => {
                        deepest = deepest.max(extend(&mut list, inner, depth - 1))
                    }
                    Predicate::Any(inner) if !are_all => {
                        deepest = deepest.max(extend(&mut list, inner, depth - 1))
                    }
                    other => deepest = deepest.max(extend(&mut list, vec![other], depth)),
                }
            }
        }
        if let Some(part) = only {
            return Ok(part);
        }
        if decided || list.is_empty() {
            return Ok(Self::new(Predicate::Constant(are_all != decided)));
        }
        let depth = deepest + 1;
        if depth > DEEPEST {
            return Err(TooLarge::Depth);
        }
        let predicate = match are_all {
            true => Predicate::All(list),
            false => Predicate::Any(list),
        };
        Ok(Self { predicate, is_negated: false, atoms, depth })
    }

    /// Both or none of the two.
    pub fn equivalent(self, other: Self) -> Result<Self, TooLarge> {
        let both = Self::combined([self.clone(), other.clone()], true)?;
        let none = Self::combined([self.negated(), other.negated()], true)?;
        Self::combined([both, none], false)
    }
}

/// Puts the shorter list behind the longer, so that chains of any length take a step an element.
fn extend(list: &mut Vec<Predicate>, mut more: Vec<Predicate>, depth: usize) -> usize {
    if more.len() > list.len() {
        std::mem::swap(list, &mut more);
    }
    list.append(&mut more);
    depth
}

/// Comparisons and levels of a predicate. A level is a list.
fn measure(predicate: &Predicate) -> (usize, usize) {
    match predicate {
        Predicate::Constant(_) | Predicate::AtMost(..) => (1, 0),
        Predicate::All(parts) | Predicate::Any(parts) => {
            let inner = parts.iter().map(measure).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1.max(one.1)));
            (inner.0, inner.1 + 1)
        }
    }
}

fn tidy(predicate: Predicate) -> Predicate {
    let once = |parts: Vec<Predicate>| {
        let mut parts: Vec<Predicate> = parts.into_iter().map(tidy).collect();
        let mut seen = HashSet::with_capacity(parts.len());
        let keep: Vec<bool> = parts.iter().map(|part| seen.insert(part)).collect();
        let mut keep = keep.into_iter();
        parts.retain(|_| keep.next() == Some(true));
        parts
    };
    let single = |mut parts: Vec<Predicate>, list: fn(Vec<Predicate>) -> Predicate| match parts.len() {
        1 => parts.remove(0),
        _ => list(parts),
    };
    match predicate {
        Predicate::All(parts) => single(once(parts), Predicate::All),
        Predicate::Any(parts) => single(once(parts), Predicate::Any),
        other => other,
    }
}
