//! What is written down while a net is reduced, so that a run of the reduced net can be turned into one of
//! the net as it was.
//!
//! Most rules turn a run step by step: each transition stands for a sequence of older ones. Sequences share
//! their parts: an agglomeration makes one node of two, whatever these stand for. What is more than that:
//! - *first*: post-agglomeration of a marked place fires its consumer in the beginning;
//! - *endings*: pre-agglomeration leaves producers unfired that wait for a consumer; a deadlock is one only
//!   after they have fired;
//! - *merges*: where places became one, tokens have to be carried to where a transition wants them. That
//!   depends on the marking, so the net is kept as it was then, and what is written later is a new stage upon
//!   it.

use super::touch::Touch;

/// A sequence of transitions.
pub(in crate::reduce) type NodeIx = u32;

#[derive(Clone, Copy, Debug)]
pub(in crate::reduce) enum Node {
    /// A transition of the net that the stage began with.
    One(u32),
    /// One sequence, then another.
    Then(NodeIx, NodeIx),
    /// A sequence several times.
    Times(NodeIx, u64),
}

/// What happened from one merge of places to the next.
#[derive(Clone, Debug, Default)]
pub(in crate::reduce) struct Stage {
    pub nodes: Vec<Node>,
    /// Fired before anything else, in this order.
    pub first: Vec<NodeIx>,
    /// Fired as long as one of them can, the last of the list first, where a deadlock is wanted.
    pub endings: Vec<Vec<NodeIx>>,
    /// The merge that the stage began with; none for the first.
    pub merge: Option<Merge>,
}

/// A net in which places are about to become one.
#[derive(Clone, Debug, Default)]
pub(in crate::reduce) struct Merge {
    pub before: Snapshot,
    /// What its transitions stand for in the stage before.
    pub stands_for: Vec<NodeIx>,
    /// The place that each becomes.
    pub becomes: Vec<u32>,
    /// The transitions that move tokens between places that become one: from, to, transition; ascending by
    /// `to`.
    pub moves: Vec<(u32, u32, u32)>,
}

/// A net in a stage of its reduction.
#[derive(Clone, Debug, Default)]
pub(in crate::reduce) struct Snapshot {
    pub initial: Vec<u64>,
    /// By number of the transition; empty for those that are gone.
    pub transitions: Vec<Vec<Touch>>,
}

/// The log.
#[derive(Clone, Debug)]
pub(in crate::reduce) struct Log {
    pub keep: bool,
    pub stages: Vec<Stage>,
}

impl Log {
    pub fn new(keep: bool) -> Self {
        Self { keep, stages: vec![Stage::default()] }
    }

    pub fn stage(&mut self) -> &mut Stage {
        self.stages.last_mut().unwrap_or_else(|| panic!("BUG: a log without a stage"))
    }

    fn node(&mut self, node: Node) -> NodeIx {
        if !self.keep {
            return 0;
        }
        let nodes = &mut self.stage().nodes;
        nodes.push(node);
        NodeIx::try_from(nodes.len() - 1).unwrap_or_else(|_| panic!("BUG: more than 2^32 sequences"))
    }

    /// A transition of the net that the stage begins with.
    pub fn one(&mut self, transition: u32) -> NodeIx {
        self.node(Node::One(transition))
    }

    /// One sequence, then another.
    pub fn then(&mut self, first: NodeIx, second: NodeIx) -> NodeIx {
        self.node(Node::Then(first, second))
    }

    /// A sequence several times.
    pub fn times(&mut self, sequence: NodeIx, times: u64) -> NodeIx {
        if times == 1 { sequence } else { self.node(Node::Times(sequence, times)) }
    }

    /// This is fired before the first step, after what was to be fired first so far.
    pub fn first(&mut self, sequence: NodeIx) {
        if self.keep {
            self.stage().first.push(sequence);
        }
    }

    /// These are fired in the end as long as they can, before those of older endings.
    pub fn ending(&mut self, sequences: Vec<NodeIx>) {
        if self.keep {
            self.stage().endings.push(sequences);
        }
    }
}
