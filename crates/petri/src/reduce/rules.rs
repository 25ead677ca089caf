//! Which reductions there are, which of them a question allows, and which a caller wants.

use super::Preserves;

/// A reduction. Each has a file of its name, with why it is right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reduction {
    /// Places that no transition changes: their tests are decided.
    Constants,
    /// Tests that always come out true, because a place never holds less, or never more.
    Arcs,
    /// Transitions that can never fire.
    Dead,
    /// Places that nothing tests.
    Untested,
    /// Transitions equal to another.
    SameTransitions,
    /// Transitions with the effect of another that asks for less.
    Dominated,
    /// Transitions with the effect of another fired several times.
    Repeated,
    /// Transitions with the effect of a sequence of others that asks for no more.
    Composed,
    /// Transitions without effect.
    Idle,
    /// A transition that can always fire: no deadlock.
    Always,
    /// Transitions that cannot bear upon what is asked about.
    Cone,
    /// Places with a common divisor, or with tokens that never leave.
    Scaled,
    /// Places that are multiples of another, but for a constant.
    SamePlaces,
    /// Places that never keep a transition from firing, because others would.
    Implied,
    /// Consumers of a place fire at once after its producers.
    PostAgglomeration,
    /// Producers of a place wait for its consumers.
    PreAgglomeration,
    /// The same where producers take from others what these could have used.
    FreeAgglomeration,
    /// Places between which tokens move freely become one.
    SilentCycles,
}

impl Reduction {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Constants,
        Self::Arcs,
        Self::Dead,
        Self::Untested,
        Self::SameTransitions,
        Self::Dominated,
        Self::Repeated,
        Self::Composed,
        Self::Idle,
        Self::Always,
        Self::Cone,
        Self::Scaled,
        Self::SamePlaces,
        Self::Implied,
        Self::PostAgglomeration,
        Self::PreAgglomeration,
        Self::FreeAgglomeration,
        Self::SilentCycles,
    ];

    /// Whether it leaves the answer to such a question as it is.
    pub fn allowed(self, preserves: &Preserves) -> bool {
        use Reduction::*;
        match preserves {
            Preserves::Reachability { .. } | Preserves::Bound { .. } => self != Always,
            Preserves::Deadlock => !matches!(self, Cone | FreeAgglomeration),
            // The graph of markings stays the same up to names, and each transition keeps its edges or has a
            // twin.
            Preserves::Liveness => {
                matches!(self, Constants | Arcs | Untested | SameTransitions | Scaled | SamePlaces | Implied)
            }
            Preserves::StateCount => matches!(self, Constants | Arcs | Dead),
        }
    }
}

/// The reductions wanted, and how far they may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    wanted: u32,
    /// An agglomeration may make at most so many transitions of those of one place, where that is more than
    /// there were.
    pub growth: usize,
    /// Keep what is needed to find runs of the net as it was.
    pub keep_witnesses: bool,
}

impl Default for Reductions {
    fn default() -> Self {
        Self { wanted: u32::MAX, growth: 32, keep_witnesses: true }
    }
}

impl Reductions {
    /// None at all.
    pub fn none() -> Self {
        Self { wanted: 0, ..Self::default() }
    }

    /// With this one as well.
    #[must_use]
    pub fn with(self, rule: Reduction) -> Self {
        Self { wanted: self.wanted | 1 << rule as u32, ..self }
    }

    /// Without this one.
    #[must_use]
    pub fn without(self, rule: Reduction) -> Self {
        Self { wanted: self.wanted & !(1 << rule as u32), ..self }
    }

    /// Whether it is wanted.
    pub fn wants(self, rule: Reduction) -> bool {
        self.wanted >> rule as u32 & 1 == 1
    }
}

/// How often each rule was applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Applied([usize; Reduction::ALL.len()]);

impl Applied {
    pub(super) fn count(&mut self, rule: Reduction) {
        self.0[rule as usize] += 1;
    }

    /// How often this rule was applied.
    pub fn of(&self, rule: Reduction) -> usize {
        self.0[rule as usize]
    }

    /// All together.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}
