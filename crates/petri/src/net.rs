//! A place/transition net with weights, read and inhibitor arcs.

use std::sync::Arc as Shared;

use base::{GroupIx, SlotIx, Source, Span};

/// A place is a slot.
pub type PlaceIx = SlotIx;

/// A transition is a group.
pub type TransitionIx = GroupIx;

/// A number of tokens, or the weight of an arc.
pub type Tokens = u64;

/// A net with its initial marking.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// What it is called.
    pub name: String,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// The units of a nested-unit net (NUPN), if the file has them; the root is the first.
    pub units: Vec<Unit>,
    /// The units make the net 1-safe, as the file promises. No answer relies on it: a promise can be wrong.
    pub unit_safe: bool,
    /// The text that spans point into.
    pub source: Option<Shared<Source>>,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its name for a person: that of the file, with the colour behind it where the net was coloured.
    pub name: String,
    /// Tokens in the beginning.
    pub initial: Tokens,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transition {
    /// Its name for a person: that of the file, with the values of its variables behind it where the net was
    /// coloured.
    pub name: String,
    /// What it takes. In all lists the places are ascending, each once, and no weight is zero.
    pub takes: Vec<Arc>,
    /// What it gives.
    pub gives: Vec<Arc>,
    /// At least so many tokens must be there, and stay (read arcs; more than one arc of a place: the largest
    /// counts).
    pub needs: Vec<Arc>,
    /// Fewer tokens than these must be there (inhibitor arcs; the least counts).
    pub forbids: Vec<Arc>,
    /// Where it stands.
    pub span: Option<Span>,
}

/// An arc, as seen from a transition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arc {
    /// The place.
    pub place: PlaceIx,
    /// Its weight.
    pub weight: Tokens,
}

/// A unit of a nested-unit net: at most one place of it or of the units inside it holds a token, where the
/// net is unit-safe.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    /// Its name in the file.
    pub name: String,
    /// The places that are its own.
    pub places: Vec<PlaceIx>,
    /// The units inside it.
    pub units: Vec<usize>,
}
