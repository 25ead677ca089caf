//! A net as the file states it: nodes and arcs by their ids, numbers read, terms of coloured nets left as
//! they stand.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use base::{Diagnostic, Problems, Span};
use petri::Tokens;

use crate::fragment::Fragment;

/// A net of the file.
#[derive(Default)]
pub(crate) struct RawNet<'t> {
    /// Its name, or its id.
    pub name: String,
    /// Its places and transitions hold terms, not numbers.
    pub is_coloured: bool,
    /// The ids of nodes, declared or only mentioned, in the order of the file.
    pub ids: Ids<'t>,
    /// The places.
    pub places: Vec<RawPlace<'t>>,
    /// The transitions.
    pub transitions: Vec<RawTransition<'t>>,
    /// The arcs.
    pub arcs: Vec<RawArc<'t>>,
    /// What coloured nets declare.
    pub declarations: Vec<Fragment<'t>>,
    /// The units of a nested-unit net.
    pub units: Option<Fragment<'t>>,
}

/// The number of an id.
pub(crate) type IdIx = u32;

/// Ids of nodes, and what each of them is.
#[derive(Default)]
pub(crate) struct Ids<'t> {
    numbers: HashMap<Cow<'t, str>, IdIx>,
    /// What the ids stand for.
    pub nodes: Vec<RawNode>,
    /// Where each was seen first.
    pub seen: Vec<Span>,
}

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RawNode {
    /// It was mentioned, but not declared.
    Unknown,
    /// A place, by its number.
    Place(u32),
    /// A transition, by its number.
    Transition(u32),
    /// Another name of a place.
    ReferencePlace(IdIx),
    /// Another name of a transition.
    ReferenceTransition(IdIx),
    /// A reference to nothing.
    Nothing,
}

/// A place.
pub(crate) struct RawPlace<'t> {
    /// Its id.
    pub id: IdIx,
    /// What it is called, if anything.
    pub name: Option<Cow<'t, str>>,
    /// Its tag.
    pub span: Span,
    /// Its tokens, if it holds plain ones.
    pub initial: Tokens,
    /// The sort of its tokens, if it holds coloured ones.
    pub sort: Option<Box<Fragment<'t>>>,
    /// Its tokens, if it holds coloured ones.
    pub marking: Option<Box<Fragment<'t>>>,
}

/// A transition.
pub(crate) struct RawTransition<'t> {
    /// Its id.
    pub id: IdIx,
    /// What it is called, if anything.
    pub name: Option<Cow<'t, str>>,
    /// Its tag.
    pub span: Span,
    /// When it may fire, if that is restricted.
    pub condition: Option<Box<Fragment<'t>>>,
}

/// An arc.
pub(crate) struct RawArc<'t> {
    /// Where it comes from.
    pub source: IdIx,
    /// Where it goes.
    pub target: IdIx,
    /// How many tokens pass, if they are plain ones.
    pub weight: Tokens,
    /// What it does.
    pub kind: ArcKind,
    /// Its tag.
    pub span: Span,
    /// Which tokens pass, if they are coloured ones.
    pub inscription: Option<Box<Fragment<'t>>>,
}

/// What an arc does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArcKind {
    /// Tokens pass.
    Normal,
    /// Tokens must be there, and stay.
    Read,
    /// Tokens must not be there.
    Inhibitor,
}

impl<'t> Ids<'t> {
    /// The number of an id.
    pub fn number(&mut self, id: Cow<'t, str>, seen: Span) -> IdIx {
        let fresh = self.nodes.len() as IdIx;
        match self.numbers.entry(id) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.nodes.push(RawNode::Unknown);
                self.seen.push(seen);
                *entry.insert(fresh)
            }
        }
    }

    /// The number of an id, if it was ever mentioned.
    pub fn find(&self, id: &str) -> Option<IdIx> {
        self.numbers.get(id).copied()
    }

    /// The ids, in the order of their numbers.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![""; self.nodes.len()];
        for (id, &number) in &self.numbers {
            names[number as usize] = id;
        }
        names
    }

    /// Makes references what they refer to, and says which refer to nothing.
    pub fn settle(&mut self, problems: &mut Problems) {
        let mut path: Vec<IdIx> = Vec::new();
        for start in 0..self.nodes.len() {
            let mut at = start;
            while let RawNode::ReferencePlace(next) | RawNode::ReferenceTransition(next) = self.nodes[at] {
                path.push(at as IdIx);
                // Marked on the way, so that a circle ends.
                self.nodes[at] = RawNode::Nothing;
                at = next as usize;
            }
            let Some(&last) = path.last() else { continue };
            let found = match self.nodes[at] {
                RawNode::Unknown => RawNode::Nothing,
                node => node,
            };
            if found == RawNode::Nothing {
                let names = self.names();
                let message =
                    format!("`{}` refers to `{}`, and that to no node", names[last as usize], names[at]);
                problems.push(Diagnostic::error(message, self.seen[last as usize]));
            }
            path.drain(..).for_each(|id| self.nodes[id as usize] = found);
            if problems.are_too_many() {
                return;
            }
        }
    }
}
