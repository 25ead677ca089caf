//! The units of a nested-unit Petri net (Garavel, "Nested-unit Petri nets", 2019), as the tool-specific
//! section `nupn` 1.1 states them. They are a hint: a section that makes no sense is left aside with a
//! warning, and the net means the same without it.

use std::collections::HashMap;

use base::{Diagnostic, Problems, SlotIx};
use petri::{Net, Unit};

use crate::fragment::{Fragment, Node};
use crate::raw::{RawNet, RawNode};

/// Reads the section into the net.
pub(crate) fn read(fragment: &Fragment<'_>, raw: &RawNet<'_>, net: &mut Net, problems: &mut Problems) {
    let Some(structure) = fragment.root().child("structure") else { return };
    match units(structure, raw, net.places.len()) {
        Ok((units, is_safe)) => (net.units, net.unit_safe) = (units, is_safe),
        Err(mut problem) => {
            problem.severity = base::Severity::Warning;
            problems.push(problem.help("the units are left aside"));
        }
    }
}

/// The units, the root first, and whether they make the net safe.
fn units(structure: Node<'_, '_>, raw: &RawNet<'_>, places: usize) -> Result<(Vec<Unit>, bool), Diagnostic> {
    let is_safe = structure.attribute("safe")?.is_some_and(|safe| safe.value == "true");
    let root = structure.required("root")?;
    let elements: Vec<_> = structure.children().filter(|child| child.name() == "unit").collect();
    let mut names = Vec::with_capacity(elements.len());
    for element in &elements {
        names.push(element.required("id")?);
    }
    let Some(root_at) = names.iter().position(|name| name.value == root.value) else {
        return Err(Diagnostic::error(format!("the root `{}` is no unit", root.value), root.span));
    };
    // The root comes first, whatever the order of the file.
    let order: Vec<usize> =
        std::iter::once(root_at).chain((0..names.len()).filter(|&ix| ix != root_at)).collect();
    let mut numbers = HashMap::with_capacity(names.len());
    for (number, &at) in order.iter().enumerate() {
        if numbers.insert(&*names[at].value, number).is_some() {
            return Err(Diagnostic::error(
                format!("two units are called `{}`", names[at].value),
                names[at].span,
            ));
        }
    }
    let mut owner: Vec<Option<usize>> = vec![None; places];
    let mut parent: Vec<Option<usize>> = vec![None; names.len()];
    let mut units = Vec::with_capacity(names.len());
    for (number, &at) in order.iter().enumerate() {
        let mut unit = Unit { name: names[at].value.to_string(), ..Unit::default() };
        for child in elements[at].children() {
            let text = child.text();
            let wrong = |message: String| Err(Diagnostic::error(message, text.span));
            for word in text.value.split_whitespace() {
                match child.name() {
                    "places" => {
                        let Some(RawNode::Place(place)) =
                            raw.ids.find(word).map(|id| raw.ids.nodes[id as usize])
                        else {
                            return wrong(format!(
                                "unit `{}` has a place `{word}`, which is none",
                                unit.name
                            ));
                        };
                        if owner[place as usize].replace(number).is_some() {
                            return wrong(format!("the place `{word}` is in two units"));
                        }
                        unit.places.push(SlotIx::new(place as usize));
                    }
                    "subunits" => {
                        let Some(&inner) = numbers.get(word) else {
                            return wrong(format!("unit `{}` has a unit `{word}`, which is none", unit.name));
                        };
                        if inner == 0 || parent[inner].replace(number).is_some() {
                            return wrong(format!("the unit `{word}` is in two units, or is the root"));
                        }
                        unit.units.push(inner);
                    }
                    _ => {}
                }
            }
        }
        units.push(unit);
    }
    // With one parent for each but the root, what the root does not reach is a circle or a second tree.
    let mut seen = vec![0];
    let mut next = 0;
    while next < seen.len() {
        seen.extend_from_slice(&units[seen[next]].units);
        next += 1;
    }
    if seen.len() != units.len() {
        return Err(Diagnostic::error("some units are not inside of the root", structure.span()));
    }
    if let Some(place) = owner.iter().position(Option::is_none) {
        let place = raw.ids.names()[raw.places[place].id as usize];
        return Err(Diagnostic::error(format!("the place `{place}` is in no unit"), structure.span()));
    }
    Ok((units, is_safe))
}
