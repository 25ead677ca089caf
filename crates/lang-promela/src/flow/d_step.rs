//! In which order the statements of a `d_step` are tried, as Spin's verifier does it.
//!
//! Spin makes a row of statements with jumps of a `d_step`. Where a statement cannot be done, the verifier
//! jumps to the next option of the choice around it, but only from the first statement of an option. If an
//! option begins with a block or with another choice, the first statement inside cannot jump to the next
//! option: the step blocks there. The statement behind such a block or choice can, although something was
//! done already.
//!
//! Example: `d_step { if :: a -> x = 1 :: { b; c } :: d fi }`. Where `a` is false, `b` is tried. Where `b`
//! is false the step blocks, and `d` is not tried, because `b` stands in a block.
//!
//! Whether a `d_step` that begins with a choice is enabled is asked of the conditions, sends and receives
//! that its options begin with. An assignment that is an option does not count, nor does what stands in a
//! block.

use super::{ElementIx, Graph, Kind, OptionIx, Sequence, SequenceIx};
use crate::resolved::Basic;

impl Graph {
    /// The options of a choice inside a `d_step`. An escape is tried where what it belongs to cannot begin.
    pub fn options(&self, choice: ElementIx) -> Option<Vec<SequenceIx>> {
        match &self.elements[choice].kind {
            Kind::If(options) | Kind::Do(options) => Some(options.clone()),
            Kind::Unless(main, escape) => Some(vec![*main, *escape]),
            _ => None,
        }
    }

    /// Notes for the statements in all `d_step`s which option is tried where they cannot be done.
    pub(crate) fn order_steps(&mut self) {
        let steps = self.elements.iter().filter_map(|element| match element.kind {
            Kind::Step(inside) => Some((inside, None)),
            _ => None,
        });
        let mut waiting: Vec<(SequenceIx, Option<OptionIx>)> = steps.collect();
        while let Some((sequence, mut otherwise)) = waiting.pop() {
            let Sequence { first, extent, .. } = self.sequences[sequence];
            let mut at = first;
            while let Some(element) = at {
                match &self.elements[element].kind {
                    Kind::Block(inside) | Kind::Atomic(inside) => waiting.push((*inside, None)),
                    Kind::If(_) | Kind::Do(_) | Kind::Unless(..) => {
                        let options = self.options(element).into_iter().flatten().zip(1..);
                        waiting.extend(options.map(|(option, next)| (option, Some((element, next)))));
                    }
                    Kind::Basic(_) => {
                        if let Some(otherwise) = otherwise.take() {
                            self.otherwise.insert(element, otherwise);
                        }
                    }
                    Kind::Goto(_) | Kind::Joint | Kind::Exit | Kind::Step(_) => {}
                }
                if at == extent {
                    break;
                }
                at = self.elements[element].next;
            }
        }
    }

    /// Whether it is an `else`, or a `d_step` that begins with one.
    pub fn begins_with_else(&self, mut element: ElementIx) -> bool {
        while let Kind::Step(inside) | Kind::Block(inside) | Kind::Atomic(inside) =
            self.elements[element].kind
        {
            let Some(first) = self.sequences[inside].first else { return false };
            element = first;
        }
        matches!(self.elements[element].kind, Kind::Basic(Basic::Else))
    }

    /// The statements of which one must be possible for a `d_step` to begin; none if it begins anyway.
    pub fn tested(&self, step: ElementIx) -> Option<Vec<ElementIx>> {
        let Kind::Step(mut inside) = self.elements[step].kind else { return None };
        loop {
            let first = self.sequences[inside].first?;
            let choice = match &self.elements[first].kind {
                Kind::Block(within) | Kind::Atomic(within) | Kind::Unless(within, _) => {
                    inside = *within;
                    continue;
                }
                Kind::Basic(Basic::Condition(_) | Basic::Send { .. } | Basic::Receive { .. }) => {
                    return Some(vec![first]);
                }
                Kind::If(_) => first,
                Kind::Joint => self.elements[first].next?,
                _ => return None,
            };
            return self.tested_options(choice).filter(|tested| !tested.is_empty());
        }
    }

    /// Likewise for a choice; none if it has an `else`.
    fn tested_options(&self, choice: ElementIx) -> Option<Vec<ElementIx>> {
        let mut tested = Vec::new();
        let mut waiting = vec![choice];
        while let Some(choice) = waiting.pop() {
            for option in self.options(choice).into_iter().flatten() {
                let Some(first) = self.sequences[option].first else { continue };
                let first = self.hunt_start(first);
                match &self.elements[first].kind {
                    Kind::If(_) => waiting.push(first),
                    // Of a block only a choice that it begins with.
                    Kind::Block(inside) | Kind::Atomic(inside) => {
                        waiting.extend(self.sequences[*inside].first)
                    }
                    Kind::Basic(Basic::Else) => return None,
                    Kind::Basic(
                        Basic::Skip | Basic::Condition(_) | Basic::Send { .. } | Basic::Receive { .. },
                    ) => {
                        tested.push(first);
                    }
                    _ => {}
                }
            }
        }
        Some(tested)
    }
}
