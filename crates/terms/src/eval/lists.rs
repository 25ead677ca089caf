//! Lists: cells of an element and the rest.

use num_bigint::BigInt;

use super::Evaluator;
use crate::code::Instance;
use crate::term::is_node;
use crate::{EvalFault, Op, SortIx};

impl Evaluator<'_> {
    /// The elements and then another list.
    fn prepend(&mut self, elements: &[u32], list: u32) -> Result<u32, EvalFault> {
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
            (Op::Snoc, &[list, last]) => {
                let (elements, rest) = data.elements(list);
                match rest {
                    0 => {
                        let end = data.cons(&mut self.recent, last, 0)?;
                        self.prepend(&elements, end).map(Some)
                    }
                    // What is known of the beginning can be told at once.
                    _ if !elements.is_empty() => {
                        let end =
                            self.op_of(Op::Snoc, &instance.arguments, instance.result, &[rest, last])?;
                        self.prepend(&elements, end).map(Some)
                    }
                    _ => Ok(None),
                }
            }
            (Op::Concat, &[list, 0]) => Ok(Some(list)),
            (Op::Concat, &[list, other]) => {
                let (elements, rest) = data.elements(list);
                match rest {
                    0 => self.prepend(&elements, other).map(Some),
                    _ if !elements.is_empty() => {
                        let end =
                            self.op_of(Op::Concat, &instance.arguments, instance.result, &[rest, other])?;
                        self.prepend(&elements, end).map(Some)
                    }
                    _ => Ok(None),
                }
            }
            (Op::ElementAt, &[list, at]) => {
                if is_node(at) {
                    return Ok(None);
                }
                let (mut rest, mut left) = (list, at);
                while let Some((head, tail)) = data.uncons(rest) {
                    if left == 0 {
                        return Ok(Some(head));
                    }
                    (rest, left) = (tail, left - 1);
                }
                Ok(None)
            }
            (Op::Size, &[list]) => match data.length(list) {
                Some(length) => Ok(Some(data.integer(&mut self.recent, &BigInt::from(length))?)),
                // Of one whose end is not known, at least as many as are.
                None => {
                    let (elements, rest) = data.elements(list);
                    if elements.is_empty() {
                        return Ok(None);
                    }
                    let more = self.op_of(Op::Size, &instance.arguments, instance.result, &[rest])?;
                    let known = data.integer(&mut self.recent, &BigInt::from(elements.len()))?;
                    self.op_of(Op::Plus, &[SortIx::NAT; 2], SortIx::NAT, &[more, known]).map(Some)
                }
            },
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
            (Op::In, &[element, list]) => {
                let (mut rest, mut answer) = (list, Some(0));
                while let Some((head, tail)) = data.uncons(rest) {
                    match self.equal(element, head, instance.arguments[0])? {
                        1 => return Ok(Some(1)),
                        0 => {}
                        _ => answer = None,
                    }
                    rest = tail;
                }
                Ok(answer.filter(|_| rest == 0))
            }
            _ => Ok(None),
        }
    }
}
