//! Left sides of equations as patterns.

use std::collections::HashMap;

use crate::compile::builder::Builder;
use crate::store::node::{self, Shape};
use crate::{CompileError, Expr, FunIx, Kind, Op, SortIx, VarIx};

/// What a part of a left side matches.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Any,
    Var(VarIx),
    Constructor(FunIx, Vec<Self>),
    Nil,
    Cons(Vec<Self>),
    /// This very term.
    Term(u32),
    /// A number of a smaller sort.
    Number(SortIx, Box<Self>),
    /// A node of a function that did not reduce.
    Stuck(u32, Vec<Self>),
}

impl Builder<'_> {
    /// What a part of a left side matches; variables that are not `needed` match anything.
    pub(crate) fn pattern(
        &mut self,
        left: &Expr,
        needed: &dyn Fn(VarIx) -> bool,
    ) -> Result<Pattern, CompileError> {
        let all = |this: &mut Self, parts: &[Expr]| -> Result<Vec<Pattern>, CompileError> {
            parts.iter().map(|part| this.pattern(part, needed)).collect()
        };
        Ok(match &*left.kind {
            Kind::Var(var) if needed(*var) => Pattern::Var(*var),
            Kind::Var(_) => Pattern::Any,
            Kind::Call(function, parts) if self.data.positions[function.ix()] != u32::MAX => {
                Pattern::Constructor(*function, all(self, parts)?)
            }
            Kind::Call(function, parts) => {
                let head = node::Header::new(Shape::Call, function.0, parts.len(), 0);
                Pattern::Stuck(head.0, all(self, parts)?)
            }
            Kind::Op(Op::List, parts) => {
                let mut list = Pattern::Nil;
                for part in parts.iter().rev() {
                    list = Pattern::Cons(vec![self.pattern(part, needed)?, list]);
                }
                list
            }
            Kind::Op(Op::Cons, parts) => Pattern::Cons(all(self, parts)?),
            Kind::Op(Op::Number, parts) if parts[0].sort <= left.sort => {
                Pattern::Number(parts[0].sort, Box::new(self.pattern(&parts[0], needed)?))
            }
            _ => match self.constant(left) {
                Some(term) => Pattern::Term(term),
                None => match &*left.kind {
                    Kind::Op(op, parts) => {
                        let sorts: Vec<SortIx> = parts.iter().map(|part| part.sort).collect();
                        let instance = self.instance(*op, &sorts, left.sort);
                        let head = node::Header::new(Shape::Op, instance, parts.len(), 0);
                        Pattern::Stuck(head.0, all(self, parts)?)
                    }
                    Kind::Apply(function, parts) => {
                        let head = node::Header::new(Shape::Apply, 0, parts.len() + 1, 0);
                        let mut patterns = vec![self.pattern(function, needed)?];
                        patterns.extend(all(self, parts)?);
                        Pattern::Stuck(head.0, patterns)
                    }
                    _ => {
                        return Err(CompileError(
                            "a pattern cannot have lambdas or quantifiers in it".to_owned(),
                        ));
                    }
                },
            },
        })
    }
}

/// Counts how often each variable stands in a left side.
pub(crate) fn count(left: &Expr, times: &mut HashMap<VarIx, usize>) {
    if let Kind::Var(var) = &*left.kind {
        *times.entry(*var).or_default() += 1;
    }
    left.kind.for_each_part(|part| count(part, times));
}
