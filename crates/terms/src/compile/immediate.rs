//! Finds the expressions that need no unit: see [`Immediate`].

use super::builder::Builder;
use crate::code::{Compare, Immediate};
use crate::spec::is_nothing;
use crate::store::Recent;
use crate::term::is_node;
use crate::{Data, Expr, Kind, SortIx, VarPlaces};

/// What an expression is, if that is very little.
pub(crate) fn immediate_of(data: &Data, recent: &mut Recent, expr: &Expr, places: &VarPlaces) -> Immediate {
    if let Some(value) = Builder::new(data, recent).constant(expr) {
        return Immediate::Value(value);
    }
    if let Some(place) = place(expr, places) {
        return Immediate::Place(place);
    }
    let Kind::Op(op, parts) = &*expr.kind else { return Immediate::None };
    let (Some((compare, swapped)), [one, other]) = (Compare::of(*op), &parts[..]) else {
        return Immediate::None;
    };
    let own = data.instance(*op, &[one.sort, other.sort], SortIx::BOOL);
    if own.is_none_or(|own| data.instances.get(own).own_rules().is_some()) || !data.plain[one.sort.ix()] {
        return Immediate::None;
    }
    let (one, other) = if swapped { (other, one) } else { (one, other) };
    let mut value = |expr: &Expr| Builder::new(data, recent).constant(expr).filter(|&value| !is_node(value));
    match (place(one, places), place(other, places)) {
        (Some(one), Some(other)) => Immediate::PlaceWithPlace(compare, one, other),
        (Some(one), None) => {
            value(other).map_or(Immediate::None, |other| Immediate::PlaceWithValue(compare, one, other))
        }
        // a < x is x > a, that is, x is not less than or equal to a; of numbers and constructors, which
        // is all that is no node.
        (None, Some(other)) => match (compare, value(one)) {
            (Compare::Equal | Compare::NotEqual, Some(one)) => Immediate::PlaceWithValue(compare, other, one),
            (Compare::Less, Some(one)) => Immediate::PlaceWithValue(Compare::NotLessEqual, other, one),
            (Compare::LessEqual, Some(one)) => Immediate::PlaceWithValue(Compare::NotLess, other, one),
            _ => Immediate::None,
        },
        (None, None) => Immediate::None,
    }
}

fn place(expr: &Expr, places: &VarPlaces) -> Option<u32> {
    match &*expr.kind {
        Kind::Var(var) => places.place(*var).map(|place| place as u32),
        Kind::Op(op, parts) if is_nothing(*op, parts, expr.sort) => place(&parts[0], places),
        _ => None,
    }
}
