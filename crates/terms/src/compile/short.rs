//! Expressions that need no machine: a value, a variable, or the comparison of a variable with one of these.
//! Most guards and many next states of processes are such.

use super::builder::Builder;
use crate::code::{Compare, Short};
use crate::spec::is_nothing;
use crate::store::Recent;
use crate::term::is_node;
use crate::{Data, Expr, Kind, Layout, SortIx};

/// What an expression is, if that is very little.
pub(crate) fn short_of(data: &Data, recent: &mut Recent, expr: &Expr, layout: &Layout) -> Short {
    if let Some(value) = Builder::new(data, recent).constant(expr) {
        return Short::Value(value);
    }
    if let Some(place) = place(expr, layout) {
        return Short::Place(place);
    }
    let Kind::Op(op, parts) = &*expr.kind else { return Short::Long };
    let (Some((compare, swapped)), [one, other]) = (Compare::of(*op), &parts[..]) else {
        return Short::Long;
    };
    let own = data.instance(*op, &[one.sort, other.sort], SortIx::BOOL);
    if own.is_none_or(|own| data.instances.get(own).own_rules().is_some()) || !data.plain[one.sort.ix()] {
        return Short::Long;
    }
    let (one, other) = if swapped { (other, one) } else { (one, other) };
    let mut value = |expr: &Expr| Builder::new(data, recent).constant(expr).filter(|&value| !is_node(value));
    match (place(one, layout), place(other, layout)) {
        (Some(one), Some(other)) => Short::PlaceWithPlace(compare, one, other),
        (Some(one), None) => {
            value(other).map_or(Short::Long, |other| Short::PlaceWithValue(compare, one, other))
        }
        // a < x is x > a, that is, x is not less than or equal to a; of numbers and constructors, which
        // is all that is no node.
        (None, Some(other)) => match (compare, value(one)) {
            (Compare::Equal | Compare::NotEqual, Some(one)) => Short::PlaceWithValue(compare, other, one),
            (Compare::Less, Some(one)) => Short::PlaceWithValue(Compare::NotLessEqual, other, one),
            (Compare::LessEqual, Some(one)) => Short::PlaceWithValue(Compare::NotLess, other, one),
            _ => Short::Long,
        },
        (None, None) => Short::Long,
    }
}

fn place(expr: &Expr, layout: &Layout) -> Option<u32> {
    match &*expr.kind {
        Kind::Var(var) => layout.place(*var).map(|place| place as u32),
        Kind::Op(op, parts) if is_nothing(*op, parts, expr.sort) => place(&parts[0], layout),
        _ => None,
    }
}
