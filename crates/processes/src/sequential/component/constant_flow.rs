//! Variables that have one value at a place, whatever the way there: conditional constant propagation (Wegman
//! & Zadeck, "Constant propagation with conditional branches", 1991) over the places of a component.
//!
//! With `S(n: Nat) = a(n) . b(n)` the process `S(0) . S(1)` has a place for each point of each call, and n is
//! 0 at the first two and 1 at the others: the numbers stand in the steps, and n is no parameter.
//!
//! All values that arrive at a place are joined: one value stays, two different ones are *several*. Steps
//! whose condition is false for the known values are not followed. A place is looked at again when one of its
//! variables goes from one value to several, which it does once; so the work is at most variables times
//! steps.

use std::collections::HashMap;

use terms::{Expr, Kind, VarIx};

use super::Edge;
use crate::fold::Folder;
use crate::tidy;

/// What is known of the variables at a place: their value, or that they have several.
type ConstantValues = HashMap<VarIx, Option<Expr>>;

/// Puts values in place of variables that have just one at the place where a step begins. Steps that are
/// never taken go.
pub(crate) fn put_constants(
    edges: &mut Vec<Edge>,
    places: usize,
    initial: &[(VarIx, Expr)],
    folder: &Folder,
) {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); places];
    edges.iter().enumerate().for_each(|(at, edge)| from[edge.from].push(at));
    let mut known: Vec<Option<ConstantValues>> = vec![None; places];
    known[0] = Some(initial.iter().map(|(slot, value)| (*slot, Some(folder.fold(value)))).collect());
    let mut waiting = vec![0];
    while let Some(place) = waiting.pop() {
        let values = constants(known[place].as_ref());
        for edge in from[place].iter().map(|&at| &edges[at]) {
            let never = |condition: &Expr| *folder.fold_with(condition, &values).kind == Kind::Truth(false);
            if edge.conditions.iter().any(never) {
                continue;
            }
            let arriving = edge.values.iter().map(|(slot, value)| {
                let value = folder.fold_with(value, &values);
                (*slot, value.free().is_empty().then_some(value))
            });
            if join(&mut known[edge.to], arriving) {
                waiting.push(edge.to);
            }
        }
    }
    edges.retain_mut(|edge| {
        if known[edge.from].is_none() {
            return false;
        }
        let values = constants(known[edge.from].as_ref());
        let put = |expr: &mut Expr| *expr = folder.fold_with(expr, &values);
        edge.conditions.iter_mut().for_each(put);
        edge.actions.iter_mut().flat_map(|(_, list)| list).for_each(put);
        edge.values.iter_mut().map(|(_, value)| value).for_each(put);
        match tidy::conditions(&edge.conditions, folder) {
            Some(conditions) => edge.conditions = conditions,
            None => return false,
        }
        true
    });
}

fn constants(known: Option<&ConstantValues>) -> HashMap<VarIx, Expr> {
    let known = known.into_iter().flatten();
    known.filter_map(|(slot, value)| value.clone().map(|value| (*slot, value))).collect()
}

/// Adds what arrives at a place; says whether less is constant there than before, or it was never reached.
fn join(known: &mut Option<ConstantValues>, arriving: impl Iterator<Item = (VarIx, Option<Expr>)>) -> bool {
    let Some(known) = known else {
        *known = Some(arriving.collect());
        return true;
    };
    let mut changed = false;
    for (slot, value) in arriving {
        let before = known.entry(slot).or_insert_with(|| value.clone());
        if before.is_some() && *before != value {
            *before = None;
            changed = true;
        }
    }
    changed
}
