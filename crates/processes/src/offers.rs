//! What sequential components can do by themselves, before the operators around them say what is allowed.
//!
//! A linear process has a summand for each step of the whole. An action that no operator lets through, and
//! that finds no partner, leaves no trace in it. Offers keep it, for people who ask why there is no step.

use std::collections::{BTreeSet, HashMap};

use terms::{Expr, VarIx};

use crate::fold::Folder;
use crate::linear::{Offer, Parameter, Summand};
use crate::tidy;

/// What the components offer whose summands these are.
pub(crate) fn offers(labels: &[String], parts: &[Vec<Summand>]) -> Vec<Offer> {
    let of_component = |(label, part): (&String, &Vec<Summand>)| {
        let offer = |summand: &Summand| Offer {
            component: label.clone(),
            conditions: summand.conditions.clone(),
            actions: summand.actions.clone(),
            spans: summand.spans.clone(),
        };
        part.iter().map(offer).collect::<Vec<Offer>>()
    };
    labels.iter().zip(parts).flat_map(of_component).collect()
}

/// The offers over the parameters that are left, when those that were found constant have their value. An
/// offer goes whose conditions name anything else: a sum variable, or a parameter that no summand needs.
pub(crate) fn settle(
    offers: Vec<Offer>,
    constants: &[Parameter],
    parameters: &[Parameter],
    folder: &Folder,
) -> Vec<Offer> {
    let value = |parameter: &Parameter| (parameter.variable, folder.fold(&parameter.initial));
    let values: HashMap<VarIx, Expr> = constants.iter().map(value).collect();
    let known: BTreeSet<VarIx> = parameters.iter().map(|parameter| parameter.variable).collect();
    let settle = |mut offer: Offer| {
        let put = |expr: &Expr| folder.fold_with(expr, &values);
        let conditions: Vec<Expr> = offer.conditions.iter().map(put).collect();
        offer.conditions = tidy::conditions(&conditions, folder)?;
        offer.actions.iter_mut().flat_map(|(_, list)| list).for_each(|expr| *expr = put(expr));
        let is_known = offer.conditions.iter().flat_map(Expr::free).all(|variable| known.contains(&variable));
        is_known.then_some(offer)
    };
    offers.into_iter().filter_map(settle).collect()
}
