//! Which logic a formula belongs to, seen from its form.

use super::{Atom, Formula, Quantifier};

/// A part of all formulas that has decision procedures of its own. From the cheapest to the dearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fragment {
    /// About the initial state alone.
    State,
    /// About every reachable state: `AG p`, or that some state can be reached: `EF p`.
    Reachability,
    /// Every temporal operator stands right below a quantifier over runs.
    Ctl,
    /// No quantifier over runs but one `A` in front, which may be missing.
    Ltl,
    /// Temporal operators and quantifiers over runs in any order.
    CtlStar,
    /// Steps and fixpoints: the modal µ-calculus.
    Mu,
}

/// A question about the reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachability {
    /// Every reachable state has to be so, or some.
    pub quantifier: Quantifier,
    /// What is said of `state` is negated.
    pub is_negated: bool,
    /// What is said of a state.
    pub state: Formula,
}

impl Formula {
    /// The cheapest logic that the formula belongs to. None for a mixture of runs and fixpoints, and where a
    /// variable is not bound or stands below an odd number of negations: such an equation need have no
    /// solution.
    pub fn fragment(&self) -> Option<Fragment> {
        if self.is_state() {
            Some(Fragment::State)
        } else if self.reached().is_some() {
            Some(Fragment::Reachability)
        } else if self.is_ctl() {
            Some(Fragment::Ctl)
        } else if self.is_ltl() {
            Some(Fragment::Ltl)
        } else if self.is_ctl_star() {
            Some(Fragment::CtlStar)
        } else {
            self.is_mu(&mut Vec::new(), true).then_some(Fragment::Mu)
        }
    }

    /// Whether it speaks of one state alone.
    pub fn is_state(&self) -> bool {
        match self {
            Self::Atom(Atom::Action(_)) => false,
            Self::Atom(_) | Self::Not(_) | Self::All(_) | Self::Any(_) | Self::Iff(..) => {
                self.operands().into_iter().all(Self::is_state)
            }
            _ => false,
        }
    }

    /// Whether it is a formula of LTL, about all runs.
    pub fn is_ltl(&self) -> bool {
        match self {
            Self::Paths(Quantifier::Every, None, inner) => inner.is_about_run(),
            other => other.is_about_run(),
        }
    }

    /// Whether it speaks of one run, with no word of others.
    fn is_about_run(&self) -> bool {
        let is_other =
            matches!(self, Self::Paths(..) | Self::After(..) | Self::Fixpoint(..) | Self::Variable(_));
        !is_other && self.operands().into_iter().all(Self::is_about_run)
    }

    /// Whether it is a formula of CTL, perhaps with quantifiers over runs of some actions.
    pub fn is_ctl(&self) -> bool {
        match self {
            Self::Atom(_) => self.is_state(),
            Self::Not(_) | Self::All(_) | Self::Any(_) | Self::Iff(..) => {
                self.operands().into_iter().all(Self::is_ctl)
            }
            Self::Paths(_, _, path) => path.is_temporal() && path.operands().into_iter().all(Self::is_ctl),
            _ => false,
        }
    }

    /// Whether it is a formula of CTL*, to which CTL and LTL belong too.
    pub fn is_ctl_star(&self) -> bool {
        let is_mu = matches!(self, Self::After(..) | Self::Fixpoint(..) | Self::Variable(_));
        !is_mu && self.operands().into_iter().all(Self::is_ctl_star)
    }

    /// Whether its operator is one of LTL: it speaks of a run.
    pub fn is_temporal(&self) -> bool {
        matches!(
            self,
            Self::Next(_)
                | Self::Finally(_)
                | Self::Globally(_)
                | Self::Until(..)
                | Self::WeakUntil(..)
                | Self::Release(..)
                | Self::StrongRelease(..)
        )
    }

    /// Whether it is a formula of the µ-calculus, below fixpoints of these variables: each with whether the
    /// number of negations outside of its fixpoint was even. `is_even` counts those above the formula.
    fn is_mu<'f>(&'f self, bound: &mut Vec<(&'f str, bool)>, is_even: bool) -> bool {
        match self {
            Self::Atom(_) => self.is_state(),
            Self::Variable(name) => {
                bound.iter().rev().find(|(known, _)| known == name).is_some_and(|(_, even)| *even == is_even)
            }
            Self::Not(inner) => inner.is_mu(bound, !is_even),
            // Both sides are meant both ways.
            Self::Iff(left, right) => [left, right]
                .into_iter()
                .all(|side| [true, false].into_iter().all(|even| side.is_mu(bound, even))),
            Self::Fixpoint(_, name, inner) => {
                bound.push((name, is_even));
                let is_fine = inner.is_mu(bound, is_even);
                bound.pop();
                is_fine
            }
            Self::All(_) | Self::Any(_) | Self::After(..) => {
                self.operands().into_iter().all(|part| part.is_mu(bound, is_even))
            }
            _ => false,
        }
    }

    /// The question about reachable states that it asks, or the formula again where it asks no such question.
    pub fn into_reachability(self) -> Result<Reachability, Box<Self>> {
        let Some((quantifier, is_negated)) = self.reached() else { return Err(Box::new(self)) };
        Ok(Reachability { quantifier, is_negated, state: self.state_inside() })
    }

    /// For `AG p`, `EF p` and their negations: whether every state or some state is meant, and whether `p`
    /// counts negated. `G p` alone is said of all runs.
    fn reached(&self) -> Option<(Quantifier, bool)> {
        match self {
            Self::Not(inner) if !matches!(**inner, Self::Globally(_)) => {
                inner.reached().map(|(quantifier, is_negated)| (quantifier.dual(), !is_negated))
            }
            Self::Globally(inner) => inner.is_state().then_some((Quantifier::Every, false)),
            Self::Paths(Quantifier::Every, None, path) => match &**path {
                Self::Globally(inner) => inner.is_state().then_some((Quantifier::Every, false)),
                _ => None,
            },
            Self::Paths(Quantifier::Some, None, path) => match &**path {
                Self::Finally(inner) => inner.is_state().then_some((Quantifier::Some, false)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The formula below all operators of a formula that `reached` knows.
    fn state_inside(self) -> Self {
        match self {
            Self::Paths(_, _, path) => path.state_inside(),
            Self::Globally(inner) | Self::Finally(inner) => *inner,
            Self::Not(inner) => inner.state_inside(),
            other => other,
        }
    }
}

impl Quantifier {
    /// The other one: not every is some not.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Self::Every => Self::Some,
            Self::Some => Self::Every,
        }
    }
}
