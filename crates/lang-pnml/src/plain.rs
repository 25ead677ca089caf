//! Place/transition nets: ids become numbers, and the arcs of a transition its lists.

use std::collections::HashMap;
use std::sync::Arc as Shared;

use base::{Diagnostic, GroupIx, Problems, SlotIx, Source, closest};
use petri::{Arc, Net, Place, Tokens, Transition};

use crate::raw::{ArcKind, IdIx, RawArc, RawNet, RawNode};
use crate::units;

/// Names that are looked through for one like another; of more it would take long, and help little.
const CANDIDATES: usize = 100_000;

/// An arc with what it joins: a place and a transition, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    /// The place.
    pub place: u32,
    /// The transition.
    pub transition: u32,
    /// From the place to the transition.
    pub is_input: bool,
}

/// The net itself.
pub(crate) fn assemble(raw: &RawNet<'_>, source: &Shared<Source>, problems: &mut Problems) -> Net {
    let (place_names, transition_names) = node_names(raw);
    let places = raw.places.iter().zip(place_names);
    let places =
        places.map(|(place, name)| Place { name, initial: place.initial, span: Some(place.span) }).collect();
    let transitions = raw.transitions.iter().zip(transition_names);
    let mut transitions: Vec<Transition> = transitions
        .map(|(raw, name)| Transition { name, span: Some(raw.span), ..Transition::default() })
        .collect();
    for arc in &raw.arcs {
        if problems.are_too_many() {
            break;
        }
        let Some(ends) = ends(raw, arc, problems) else { continue };
        let transition = &mut transitions[ends.transition as usize];
        let list = match (arc.kind, ends.is_input) {
            (ArcKind::Normal, true) => &mut transition.takes,
            (ArcKind::Normal, false) => &mut transition.gives,
            (ArcKind::Read, _) => &mut transition.needs,
            (ArcKind::Inhibitor, _) => &mut transition.forbids,
        };
        list.push(Arc { place: SlotIx::new(ends.place as usize), weight: arc.weight });
    }
    for (transition, raw) in transitions.iter_mut().zip(&raw.transitions) {
        let fits = merge(&mut transition.takes, Tokens::checked_add)
            .and(merge(&mut transition.gives, Tokens::checked_add));
        if fits.is_none() {
            let message = format!("the arcs of `{}` to one place weigh too much together", transition.name);
            problems.push(Diagnostic::error(message, raw.span));
        }
        merge(&mut transition.needs, |one, other| Some(one.max(other)));
        merge(&mut transition.forbids, |one, other| Some(one.min(other)));
        for list in
            [&mut transition.takes, &mut transition.gives, &mut transition.needs, &mut transition.forbids]
        {
            list.shrink_to_fit();
        }
    }
    let mut net = Net {
        name: raw.name.clone(),
        places,
        transitions,
        units: Vec::new(),
        unit_safe: false,
        source: Some(Shared::clone(source)),
    };
    if let Some(fragment) = &raw.units {
        units::read(fragment, raw, &mut net, problems);
    }
    net
}

/// What places and transitions are called.
pub(crate) fn node_names(raw: &RawNet<'_>) -> (Vec<String>, Vec<String>) {
    let ids = raw.ids.names();
    let places = raw.places.iter().map(|place| (ids[place.id as usize], place.name.as_deref()));
    let transitions = raw.transitions.iter().map(|one| (ids[one.id as usize], one.name.as_deref()));
    (crate::names::shown(places), crate::names::shown(transitions))
}

/// What an arc joins, or a message why it joins nothing.
pub(crate) fn ends(raw: &RawNet<'_>, arc: &RawArc<'_>, problems: &mut Problems) -> Option<Ends> {
    let source = end(raw, arc, arc.source, "comes from", problems);
    let target = end(raw, arc, arc.target, "goes to", problems);
    let wrong = |message: &str| Diagnostic::error(message, arc.span);
    let problem = match (source?, target?) {
        (RawNode::Place(place), RawNode::Transition(transition)) => {
            return Some(Ends { place, transition, is_input: true });
        }
        (RawNode::Transition(transition), RawNode::Place(place)) => match arc.kind {
            ArcKind::Normal => return Some(Ends { place, transition, is_input: false }),
            ArcKind::Read => wrong("an arc that tests goes from a place to a transition"),
            ArcKind::Inhibitor => wrong("an arc that inhibits goes from a place to a transition"),
        },
        (RawNode::Place(_), _) => wrong("an arc from a place to a place"),
        _ => wrong("an arc from a transition to a transition"),
    };
    problems.push(problem.help("arcs join a place and a transition"));
    None
}

fn end(raw: &RawNet<'_>, arc: &RawArc<'_>, id: IdIx, role: &str, problems: &mut Problems) -> Option<RawNode> {
    let node = raw.ids.nodes[id as usize];
    if node != RawNode::Unknown {
        return Some(node).filter(|&node| node != RawNode::Nothing);
    }
    let names = raw.ids.names();
    let name = names[id as usize];
    let known = (0..names.len()).filter(|&ix| raw.ids.nodes[ix] != RawNode::Unknown);
    let near = closest(name, known.take(CANDIDATES).map(|ix| names[ix]));
    let label = near.map_or("not in this net".to_owned(), |near| format!("did you mean `{near}`?"));
    problems
        .push(Diagnostic::error(format!("an arc {role} `{name}`, which is no node"), arc.span).label(label));
    None
}

/// Sorts arcs by place and makes those of one place one. `None` where that does not fit.
pub(crate) fn merge(arcs: &mut Vec<Arc>, join: impl Fn(Tokens, Tokens) -> Option<Tokens>) -> Option<()> {
    arcs.sort_by_key(|arc| arc.place);
    let mut fits = Some(());
    arcs.dedup_by(|next, kept| {
        let same = next.place == kept.place;
        if same {
            match join(kept.weight, next.weight) {
                Some(weight) => kept.weight = weight,
                None => fits = None,
            }
        }
        same
    });
    fits
}

/// For ids what they stand for in the net.
pub(crate) type ById<T> = HashMap<String, Vec<T>>;

/// For every id of a place its places in the net, and for every id of a transition its transitions, given
/// those of each number.
pub(crate) fn by_id(
    raw: &RawNet<'_>,
    places_of: impl Fn(usize) -> Vec<SlotIx>,
    transitions_of: impl Fn(usize) -> Vec<GroupIx>,
) -> (ById<SlotIx>, ById<GroupIx>) {
    let (mut places, mut transitions) = (ById::new(), ById::new());
    for (node, id) in raw.ids.nodes.iter().zip(raw.ids.names()) {
        match *node {
            RawNode::Place(place) => {
                places.insert(id.to_owned(), places_of(place as usize));
            }
            RawNode::Transition(transition) => {
                transitions.insert(id.to_owned(), transitions_of(transition as usize));
            }
            _ => {}
        }
    }
    (places, transitions)
}
