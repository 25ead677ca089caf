//! Operators of two operands, one of which may be a name: what can be compared with what.
//!
//! The position of a name in its list means nothing to a person, so names are compared for being the same and
//! never as numbers.

use base::{Diagnostic, SlotIx};
use model::Domain;

use super::code::{Binary, Op, Reading};
use super::parse::{Meaning, Operand, Parser};

impl Parser<'_> {
    /// An operator that looks at both of its sides, whose code was emitted.
    pub(crate) fn strict(&mut self, left: Operand, binary: Binary, right: Operand) -> Operand {
        let span = left.span.to(right.span);
        if matches!(binary, Binary::Equal | Binary::Unequal) {
            self.equality(left, binary, right);
        } else {
            let (left_slot, right_slot) = (self.name_in(&left), self.name_in(&right));
            self.settle_beside(left, right_slot);
            self.settle_beside(right, left_slot);
            self.operate(Op::Binary(binary), span);
        }
        Operand::number(span)
    }

    fn equality(&mut self, mut left: Operand, binary: Binary, mut right: Operand) {
        let span = left.span.to(right.span);
        // Where both sides are slots, as in `P == Q`, a state of P that is called Q is what a person means.
        let is_value = self.name_as_value(&mut right, left.slot) || self.name_as_value(&mut left, right.slot);
        match (self.name_in(&left), self.name_in(&right)) {
            _ if is_value => {}
            (None, None) => {
                let (left_slot, right_slot) = (left.slot, right.slot);
                self.settle_compared(left, right_slot);
                self.settle_compared(right, left_slot);
            }
            (Some(one), Some(other)) if self.names.same_positions(one, other) => {}
            (Some(one), Some(other)) if self.may_grow(one) || self.may_grow(other) => {
                self.code.emit_same_name(self.names.type_of(one).clone(), self.names.type_of(other).clone());
                if binary == Binary::Unequal {
                    self.code.emit(Op::Not);
                }
                return;
            }
            (Some(_), Some(_)) => {
                let (one, other) = (self.source.slice(left.span), self.source.slice(right.span));
                let problem =
                    Diagnostic::error(format!("`{one}` and `{other}` are names of different lists"), span);
                self.problems.push(
                    problem.label("they cannot be compared").help("compare each with one of its values"),
                );
            }
            (Some(slot), None) => self.refuse_value(slot, right),
            (None, Some(slot)) => self.refuse_value(slot, left),
        }
        self.operate(Op::Binary(binary), span);
    }

    /// The slot that an operand is the value of, if that is a name and no number.
    pub(crate) fn name_in(&self, operand: &Operand) -> Option<SlotIx> {
        operand.slot.filter(|&slot| self.names.reading(slot) == Reading::Position)
    }

    /// Whether names are added to the slot's type during the search.
    fn may_grow(&self, slot: SlotIx) -> bool {
        matches!(self.names.type_of(slot).domain, Domain::Interned(_) | Domain::Shown(_))
    }

    /// Reads a name as a value of the slot it is compared with, if that has such a value.
    fn name_as_value(&mut self, operand: &mut Operand, slot: Option<SlotIx>) -> bool {
        let (Some(name), Some(slot)) = (&operand.name, slot) else { return false };
        let value = match name.meaning {
            Meaning::Slot => self.names.value(slot, &name.text),
            Meaning::Number | Meaning::Nothing => self.names.later_value(slot, &name.text),
        };
        let Some(value) = value else { return false };
        self.code.patch(name.at, Op::Const(self.names.number(slot, value)));
        operand.name = None;
        true
    }

    /// Complains about what is compared with a name of this slot and is none.
    fn refuse_value(&mut self, slot: SlotIx, operand: Operand) {
        let problem = match operand.name {
            Some(name) if name.meaning != Meaning::Slot => {
                self.names.unknown_value(slot, &name.text, operand.span)
            }
            _ => {
                let what = self.source.slice(operand.span);
                self.names.unknown_value(slot, what, operand.span)
            }
        };
        self.problems.push(problem);
    }

    /// Complains about a name that turned out to mean nothing, where it was compared with this slot.
    fn settle_compared(&mut self, operand: Operand, slot: Option<SlotIx>) {
        match (operand.name, slot) {
            (Some(name), Some(slot)) if name.meaning == Meaning::Nothing => {
                let problem = self.names.unknown_value(slot, &name.text, operand.span);
                self.problems.push(problem);
            }
            (name, _) => self.settle(Operand { name, ..operand }),
        }
    }

    /// Complains about an operand that is no number, beside one that is a name of this slot: a value of it
    /// needs no message of its own.
    fn settle_beside(&mut self, operand: Operand, slot: Option<SlotIx>) {
        let is_value = |slot: SlotIx| {
            operand.name.as_ref().is_some_and(|name| {
                name.meaning == Meaning::Nothing && self.names.value(slot, &name.text).is_some()
            })
        };
        if !slot.is_some_and(is_value) {
            self.settle(operand);
        }
    }

    /// Complains about an operand that is no number: a name that means nothing, or one of named values.
    pub(crate) fn settle(&mut self, operand: Operand) {
        let slot = self.name_in(&operand);
        let problem = match (operand.name, slot) {
            (_, Some(slot)) => self.names.no_number(slot, self.source.slice(operand.span), operand.span),
            (Some(name), None) if name.meaning == Meaning::Nothing => match name.quoted {
                true => Diagnostic::error("a text stands for nothing here", operand.span)
                    .help("compare it with a slot that has named values: P_0 == \"CS\""),
                false => self.names.unknown(&name.text, operand.span),
            },
            _ => return,
        };
        self.problems.push(problem);
    }

    /// Emits an operator. Constants that it has no result for have none in any state.
    pub(crate) fn operate(&mut self, op: Op, span: base::Span) {
        if let Err(error) = self.code.emit_folded(op)
            // After another problem, a constant may stand for what could not be read.
            && self.problems.is_empty()
        {
            let problem = Diagnostic::error(error.to_string(), span).label("this has no value in any state");
            self.problems.push(problem);
        }
    }
}
