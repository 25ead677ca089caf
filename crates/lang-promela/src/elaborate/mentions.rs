//! What a text mentions: labels that remote references in processes and claims ask for, `_last`, priorities
//! and `enabled`. What no text mentions costs no slots and no places.

use std::collections::BTreeMap;

use base::Span;
use logic::ltl::Word;

use crate::ast::{
    Declaration, Expr, ExprKind, Initial, Pattern, Reference, Sequence, Spec, Statement, StatementKind, Unit,
};
use crate::program::Features;

/// The labels that are asked for, by process type, and where.
pub(crate) fn mentioned_labels(spec: &Spec) -> BTreeMap<String, BTreeMap<String, Span>> {
    read(spec).labels
}

/// What is a part of the state only because the text speaks of it.
pub(crate) fn features(spec: &Spec) -> Features {
    read(spec).features
}

fn read(spec: &Spec) -> Mentions {
    let mut mentions = Mentions::default();
    for unit in &spec.units {
        match unit {
            Unit::Process(process) => {
                mentions.features.priorities |= process.priority.is_some();
                process.provided.iter().for_each(|expr| mentions.expr(expr));
                mentions.sequence(&process.body);
            }
            Unit::Never(never) => mentions.sequence(&never.body),
            Unit::Ltl(ltl) => mentions.formula(&ltl.words, ltl.span),
            Unit::Global(declaration) => mentions.declaration(declaration),
            Unit::Trace(_) | Unit::Mtype(_) | Unit::Typedef(_) => {}
        }
    }
    mentions
}

#[derive(Default)]
struct Mentions {
    labels: BTreeMap<String, BTreeMap<String, Span>>,
    features: Features,
}

impl Mentions {
    fn sequence(&mut self, sequence: &Sequence) {
        sequence.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(declaration) => self.declaration(declaration),
            StatementKind::Exclusive { channels, .. } => {
                channels.iter().for_each(|channel| self.reference(channel))
            }
            StatementKind::Condition(expr)
            | StatementKind::Assert(expr)
            | StatementKind::PrintMtype(expr) => {
                self.expr(expr);
            }
            StatementKind::Print(_, exprs) => exprs.iter().for_each(|expr| self.expr(expr)),
            StatementKind::Assign(target, expr) => {
                self.reference(target);
                self.expr(expr);
            }
            StatementKind::Send { channel, fields, .. } => {
                self.reference(channel);
                fields.iter().for_each(|field| self.expr(field));
            }
            StatementKind::Receive { channel, fields, .. } => {
                self.reference(channel);
                self.patterns(fields);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|option| self.sequence(option));
            }
            StatementKind::For { counter, from, to, body } => {
                self.reference(counter);
                self.expr(from);
                self.expr(to);
                self.sequence(body);
            }
            StatementKind::Select { counter, from, to } => {
                self.reference(counter);
                self.expr(from);
                self.expr(to);
            }
            StatementKind::ForIn { counter, collection, body } => {
                self.reference(counter);
                self.reference(collection);
                self.sequence(body);
            }
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
                self.sequence(body);
            }
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::Goto(_) | StatementKind::Break | StatementKind::Else => {}
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for variable in &declaration.variables {
            match &variable.initial {
                Some(Initial::Value(expr)) => self.expr(expr),
                Some(Initial::Cells(exprs)) => exprs.iter().for_each(|expr| self.expr(expr)),
                Some(Initial::Channel { .. }) | None => {}
            }
        }
    }

    fn reference(&mut self, reference: &Reference) {
        self.name(&reference.name.text);
        let mut part = Some(reference);
        while let Some(Reference { index, field, .. }) = part {
            index.iter().for_each(|index| self.expr(index));
            part = field.as_deref();
        }
    }

    fn patterns(&mut self, fields: &[Pattern]) {
        for field in fields {
            match field {
                Pattern::Name(name) => self.reference(name),
                Pattern::Constant(expr) | Pattern::Eval(expr) => self.expr(expr),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::RemoteLabel { process, pid, label } => {
                self.label(&process.text, &label.text, label.span);
                pid.iter().for_each(|pid| self.expr(pid));
            }
            ExprKind::RemoteVariable { pid, variable, .. } => {
                pid.iter().for_each(|pid| self.expr(pid));
                self.reference(variable);
            }
            ExprKind::Unary(_, operand) | ExprKind::PcValue(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Run { arguments, priority, .. } => {
                self.features.priorities |= priority.is_some();
                arguments.iter().for_each(|argument| self.expr(argument));
                priority.iter().for_each(|priority| self.expr(priority));
            }
            ExprKind::GetPriority(pid) => {
                self.features.priorities = true;
                self.expr(pid);
            }
            ExprKind::SetPriority(pid, priority) => {
                self.features.priorities = true;
                self.expr(pid);
                self.expr(priority);
            }
            ExprKind::Enabled(pid) => {
                self.features.enabled = true;
                self.expr(pid);
            }
            ExprKind::Channel(_, channel) => self.reference(channel),
            ExprKind::Poll { channel, fields, .. } => {
                self.reference(channel);
                self.patterns(fields);
            }
            ExprKind::Name(name) => self.reference(name),
            ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
        }
    }

    fn name(&mut self, name: &str) {
        self.features.last |= name == "_last";
        self.features.priorities |= name == "_priority";
    }

    fn label(&mut self, process: &str, label: &str, span: Span) {
        self.labels.entry(process.into()).or_default().entry(label.into()).or_insert(span);
    }

    /// A formula is kept as words. `P @ l` and `P [ i ] @ l` are what counts.
    fn formula(&mut self, words: &[Word], span: Span) {
        let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
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
