//! What a text speaks of: labels of other processes in remote references, in processes and in claims; `_last`; priorities.

use std::collections::BTreeMap;

use base::Span;

use crate::ast::{Expr, ExprKind, Pattern, Sequence, Spec, StatementKind, Unit};
use crate::resolved::Uses;

/// The labels that are asked for, by process type, and where.
pub(crate) fn asked_labels(spec: &Spec) -> BTreeMap<String, BTreeMap<String, Span>> {
    read(spec).labels
}

/// What is a part of the state only because the text speaks of it.
pub(crate) fn uses(spec: &Spec) -> Uses {
    read(spec).uses
}

fn read(spec: &Spec) -> Asked {
    let mut asked = Asked::default();
    for unit in &spec.units {
        match unit {
            Unit::Process(process) => {
                asked.uses.priorities |= process.priority.is_some();
                process.provided.iter().for_each(|expr| asked.expr(expr));
                asked.sequence(&process.body);
            }
            Unit::Never(never) => asked.sequence(&never.body),
            Unit::Ltl(ltl) => asked.formula(&ltl.formula, ltl.span),
            _ => {}
        }
    }
    asked
}

#[derive(Default)]
struct Asked {
    labels: BTreeMap<String, BTreeMap<String, Span>>,
    uses: Uses,
}

impl Asked {
    fn sequence(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            match &statement.kind {
                StatementKind::Condition(expr) | StatementKind::Assert(expr) => self.expr(expr),
                StatementKind::Assign(target, expr) => {
                    self.name(&target.name.text);
                    self.expr(expr);
                }
                StatementKind::Send { fields, .. } => fields.iter().for_each(|field| self.expr(field)),
                StatementKind::Receive { fields, .. } => self.patterns(fields),
                StatementKind::If(options) | StatementKind::Do(options) => {
                    options.iter().for_each(|option| self.sequence(option));
                }
                StatementKind::For { from, to, body, .. } => {
                    self.expr(from);
                    self.expr(to);
                    self.sequence(body);
                }
                StatementKind::ForIn { body, .. } => self.sequence(body),
                StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                    self.sequence(body);
                }
                StatementKind::Unless(main, escape) => {
                    for side in [main, escape] {
                        self.sequence(&Sequence { statements: vec![(**side).clone()] });
                    }
                }
                _ => {}
            }
        }
    }

    fn patterns(&mut self, fields: &[Pattern]) {
        for field in fields {
            if let Pattern::Constant(expr) | Pattern::Eval(expr) = field {
                self.expr(expr);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::RemoteLabel { process, label, .. } => self.label(&process.text, &label.text, label.span),
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Run { arguments, priority, .. } => {
                self.uses.priorities |= priority.is_some();
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::GetPriority(_) | ExprKind::SetPriority(..) => self.uses.priorities = true,
            ExprKind::Enabled(_) => self.uses.enabled = true,
            ExprKind::Name(name) => self.name(&name.name.text),
            _ => {}
        }
    }

    fn name(&mut self, name: &str) {
        self.uses.last |= name == "_last";
        self.uses.priorities |= name == "_priority";
    }

    fn label(&mut self, process: &str, label: &str, span: Span) {
        self.labels.entry(process.into()).or_default().entry(label.into()).or_insert(span);
    }

    /// A formula is kept as text: words with blanks between them. `P @ l` and `P [ i ] @ l` are what counts.
    fn formula(&mut self, text: &str, span: Span) {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.iter().for_each(|word| self.name(word));
        for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == "@") {
            let label = words.get(at + 1);
            let mut process = at.checked_sub(1);
            if process.is_some_and(|at| words[at] == "]") {
                process = words[..at].iter().rposition(|word| *word == "[").and_then(|at| at.checked_sub(1));
            }
            if let (Some(process), Some(label)) = (process, label) {
                self.label(words[process], label, span);
            }
        }
    }
}
