//! What a function comes to where no equation matches: the term of the function and its arguments, but for
//! projections and recognisers, which every structured sort has.

use crate::FunKind;
use crate::code::{Instr, Reg};
use crate::compile::builder::Builder;
use crate::data::Head;
use crate::store::node::{self, INEXACT, Shape};

impl Builder<'_> {
    /// What a function comes to where no equation matches.
    pub(super) fn no_match(&mut self, head: Head, arguments: usize) {
        let (to, count) = (self.take(), arguments as Reg);
        let function = match head {
            Head::Instance(instance) => {
                self.code.push(Instr::Ops { to, at: 0, count, instance });
                return self.code.push(Instr::Return { from: to });
            }
            Head::Function(function, _) => function,
        };
        let declared = &self.data.spec.functions[function.ix()];
        let own = declared.arguments.len();
        let arities = self.data.arities(function);
        if arguments == own {
            match &declared.kind {
                FunKind::Projection(of) if own == 1 => {
                    let (constructor, at) = of.first().map_or((u32::MAX, 0), |&(one, at)| (one.0, at as Reg));
                    self.code.push(Instr::Project { to, from: 0, at, constructor, function: function.0 });
                }
                FunKind::Recogniser(constructor) if own == 1 => {
                    let position = self.data.positions[constructor.ix()] as Reg;
                    self.code.push(Instr::Recognise { to, from: 0, position, function: function.0 });
                }
                // The function itself may be equal to another.
                _ if own > 0 && arities.has_rules(0) => {
                    let Some(unit) = arities.unit(0) else { panic!("BUG: equations without a unit") };
                    let at = self.take();
                    self.code.push(Instr::Call { to, at, unit });
                    self.code.push(Instr::Apply { to, function: to, at: 0, count });
                }
                _ if own == 0 && self.data.positions[function.ix()] != u32::MAX => {
                    let term = self.data.positions[function.ix()];
                    self.code.push(Instr::Const { to, term });
                }
                _ => self.code.push(Instr::Make { to, at: 0, count, function: function.0 }),
            }
        } else if arguments < own {
            // Equations of `f` alone.
            let head = node::Header::new(Shape::Function, function.0, 0, INEXACT);
            match self.data.store.node(self.recent, head, &[]) {
                Ok(term) => self.code.push(Instr::Const { to, term }),
                Err(_) => self.fail("there is no room for more terms"),
            }
        } else {
            // f(x)(y): f(x) is taken as it is if it has no equations of its own, so here too.
            let mut from = own;
            self.code.push(Instr::Make { to, at: 0, count: own as Reg, function: function.0 });
            let mut sort = declared.result;
            while from < arguments {
                let crate::Sort::Function(given, result) = self.data.spec.sorts.get(sort) else {
                    return self.fail("a function has too many arguments");
                };
                let open = !arities.goes_on_after(from + given.len());
                let (at, count) = (from as Reg, given.len() as Reg);
                self.code.push(Instr::MakeApply { to, function: to, at, count, open });
                (from, sort) = (from + given.len(), *result);
            }
        }
        self.code.push(Instr::Return { from: to });
    }
}
