//! Expressions that need no machine: a value, a variable, or the comparison of a variable with one of these.
//! Most guards and many next states of processes are such.

use crate::build::{Builder, is_nothing};
use crate::code::Compare;
use crate::store::Recent;
use crate::term::is_node;
use crate::{Data, Expr, Kind, Layout, SortIx, Term};

/// What an expression is, where that is very little. Places are those of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Short {
    Value(u32),
    Place(u32),
    /// True or false only where the value is no node.
    PlaceWithValue(Compare, u32, u32),
    PlaceWithPlace(Compare, u32, u32),
    /// Anything else.
    Long,
}

impl Short {
    pub(crate) fn of(data: &Data, recent: &mut Recent, expr: &Expr, layout: &Layout) -> Self {
        if let Some(value) = Builder::new(data, recent).constant(expr) {
            return Self::Value(value);
        }
        if let Some(place) = place(expr, layout) {
            return Self::Place(place);
        }
        let Kind::Op(op, parts) = &*expr.kind else { return Self::Long };
        let (Some((compare, swapped)), [one, other]) = (Compare::of(*op), &parts[..]) else {
            return Self::Long;
        };
        let own = data.instance(*op, &[one.sort, other.sort], SortIx::BOOL);
        if own.is_none_or(|own| data.instances.get(own).own_rules().is_some()) || !data.plain[one.sort.ix()] {
            return Self::Long;
        }
        let (one, other) = if swapped { (other, one) } else { (one, other) };
        let mut value =
            |expr: &Expr| Builder::new(data, recent).constant(expr).filter(|&value| !is_node(value));
        match (place(one, layout), place(other, layout)) {
            (Some(one), Some(other)) => Self::PlaceWithPlace(compare, one, other),
            (Some(one), None) => {
                value(other).map_or(Self::Long, |other| Self::PlaceWithValue(compare, one, other))
            }
            // a < x is x > a, that is, x is not less than or equal to a; of numbers and constructors, which
            // is all that is no node.
            (None, Some(other)) => match (compare, value(one)) {
                (Compare::Equal | Compare::NotEqual, Some(one)) => Self::PlaceWithValue(compare, other, one),
                (Compare::Less, Some(one)) => Self::PlaceWithValue(Compare::NotLessEqual, other, one),
                (Compare::LessEqual, Some(one)) => Self::PlaceWithValue(Compare::NotLess, other, one),
                _ => Self::Long,
            },
            (None, None) => Self::Long,
        }
    }

    /// What it comes to, if that can be said without the machine.
    #[inline(always)]
    pub(crate) fn at_once(self, env: &[Term]) -> Option<u32> {
        match self {
            Self::Value(value) => Some(value),
            Self::Place(place) => Some(env[place as usize].0),
            Self::PlaceWithValue(compare, place, value) => {
                let term = env[place as usize].0;
                (!is_node(term)).then(|| u32::from(compare.small(term, value)))
            }
            Self::PlaceWithPlace(compare, one, other) => {
                let (one, other) = (env[one as usize].0, env[other as usize].0);
                (!is_node(one) && !is_node(other)).then(|| u32::from(compare.small(one, other)))
            }
            Self::Long => None,
        }
    }
}

fn place(expr: &Expr, layout: &Layout) -> Option<u32> {
    match &*expr.kind {
        Kind::Var(var) => layout.place(*var).map(|place| place as u32),
        Kind::Op(op, parts) if is_nothing(*op, parts, expr.sort) => place(&parts[0], layout),
        _ => None,
    }
}
