//! Lists: cells of an element and the rest.

use num_bigint::BigInt;

use super::Evaluator;
use crate::code::Instance;
use crate::term::is_node;
use crate::{EvalFault, Op, SortIx};

/// So many elements of a list or set take as long as a step of another kind.
pub(super) const ELEMENTS_OF_A_STEP: u64 = 4;

impl Evaluator<'_> {
    /// The elements and then another list.
    fn prepend(&mut self, elements: &[u32], list: u32) -> Result<u32, EvalFault> {
        self.charge(elements.len() as u64 / ELEMENTS_OF_A_STEP)?;
        let mut list = list;
        for &element in elements.iter().rev() {
            list = self.data.cons(&mut self.recent, element, list)?;
        }
        Ok(list)
    }

    pub(crate) fn list_op(
        &mut self,
        instance: &Instance,
        arguments: &[u32],
    ) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        match (instance.op, arguments) {
            (Op::List, elements) => self.prepend(elements, 0).map(Some),
            (Op::Cons, &[head, tail]) => Ok(Some(data.cons(&mut self.recent, head, tail)?)),
            (Op::Head, &[list]) => Ok(data.uncons(list).map(|(head, _)| head)),
            (Op::Tail, &[list]) => Ok(data.uncons(list).map(|(_, tail)| tail)),
            (Op::Snoc, &[list, last]) => self.append(instance, list, last),
            (Op::Concat, &[list, 0]) => Ok(Some(list)),
            (Op::Concat, &[list, other]) => self.append(instance, list, other),
            (Op::ElementAt, &[list, at]) => self.element_at(list, at),
            (Op::Size, &[list]) => self.length_of(instance, list),
            (Op::LastElement, &[list]) => {
                let (elements, rest) = data.elements(list);
                Ok(elements.last().copied().filter(|_| rest == 0))
            }
            (Op::AllButLast, &[list]) => {
                let (mut elements, rest) = data.elements(list);
                match rest == 0 && elements.pop().is_some() {
                    true => self.prepend(&elements, 0).map(Some),
                    false => Ok(None),
                }
            }
            (Op::In, &[element, list]) => self.in_list(element, list, instance.arguments[0]),
            _ => Ok(None),
        }
    }

    /// `list <| last` or `list ++ last`. Where the end of the list is not known, the answer has at least the
    /// elements that are.
    fn append(&mut self, instance: &Instance, list: u32, last: u32) -> Result<Option<u32>, EvalFault> {
        let (elements, rest) = self.data.elements(list);
        let end = match rest {
            0 if instance.op == Op::Snoc => self.data.cons(&mut self.recent, last, 0)?,
            0 => last,
            _ if elements.is_empty() => return Ok(None),
            _ => self.op_of(instance.op, &instance.arguments, instance.result, &[rest, last])?,
        };
        self.prepend(&elements, end).map(Some)
    }

    /// `list . at`
    fn element_at(&mut self, list: u32, at: u32) -> Result<Option<u32>, EvalFault> {
        if is_node(at) {
            return Ok(None);
        }
        self.charge(u64::from(at) / ELEMENTS_OF_A_STEP)?;
        let (mut rest, mut left) = (list, at);
        while let Some((head, tail)) = self.data.uncons(rest) {
            if left == 0 {
                return Ok(Some(head));
            }
            (rest, left) = (tail, left - 1);
        }
        Ok(None)
    }

    /// `# list`. Where the end of the list is not known, the length of that and a number.
    fn length_of(&mut self, instance: &Instance, list: u32) -> Result<Option<u32>, EvalFault> {
        let data = self.data;
        if let Some(length) = data.length(list) {
            return Ok(Some(data.integer(&mut self.recent, &BigInt::from(length))?));
        }
        let (elements, rest) = data.elements(list);
        if elements.is_empty() {
            return Ok(None);
        }
        let more = self.op_of(Op::Size, &instance.arguments, instance.result, &[rest])?;
        let known = data.integer(&mut self.recent, &BigInt::from(elements.len()))?;
        self.op_of(Op::Plus, &[SortIx::NAT; 2], SortIx::NAT, &[more, known]).map(Some)
    }

    /// Whether an element is in a list, if that can be told.
    fn in_list(&mut self, element: u32, list: u32, sort: SortIx) -> Result<Option<u32>, EvalFault> {
        let (mut rest, mut answer) = (list, Some(0));
        while let Some((head, tail)) = self.data.uncons(rest) {
            match self.equal(element, head, sort)? {
                1 => return Ok(Some(1)),
                0 => {}
                _ => answer = None,
            }
            rest = tail;
        }
        Ok(answer.filter(|_| rest == 0))
    }
}
