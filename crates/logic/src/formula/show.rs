//! Formulas as text. Every operator of several formulas has parentheses of its own and every expression has
//! braces, so no two formulas have the same text. `[] (req -> <> ack)` is shown as `G (!{req} || F {ack})`.

use std::fmt::{Display, Formatter, Result};

use model::{Linear, Predicate};

use super::{Actions, Atom, Fixpoint, Formula, Quantifier, Regular};

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Atom(atom) => write!(f, "{atom}"),
            Self::Not(inner) => write!(f, "!{inner}"),
            Self::All(parts) => list(f, parts, "&&", "true"),
            Self::Any(parts) => list(f, parts, "||", "false"),
            Self::Iff(left, right) => write!(f, "({left} <-> {right})"),
            Self::Next(inner) => write!(f, "X {inner}"),
            Self::Finally(inner) => write!(f, "F {inner}"),
            Self::Globally(inner) => write!(f, "G {inner}"),
            Self::Until(left, right) => write!(f, "({left} U {right})"),
            Self::WeakUntil(left, right) => write!(f, "({left} W {right})"),
            Self::Release(left, right) => write!(f, "({left} R {right})"),
            Self::StrongRelease(left, right) => write!(f, "({left} M {right})"),
            Self::Paths(quantifier, actions, inner) => {
                f.write_str(match quantifier {
                    Quantifier::Every => "A",
                    Quantifier::Some => "E",
                })?;
                if let Some(actions) = actions {
                    write!(f, " over {actions}")?;
                }
                write!(f, " {inner}")
            }
            Self::After(Quantifier::Every, steps, inner) => write!(f, "[{steps}] {inner}"),
            Self::After(Quantifier::Some, steps, inner) => write!(f, "<{steps}> {inner}"),
            Self::Fixpoint(Fixpoint::Least, name, inner) => write!(f, "mu {name}. {inner}"),
            Self::Fixpoint(Fixpoint::Greatest, name, inner) => write!(f, "nu {name}. {inner}"),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Linear(predicate) => {
                f.write_str("sums{")?;
                linear(f, predicate)?;
                f.write_str("}")
            }
            Self::Label(label) => write!(f, "label {label}"),
            Self::Enabled(actions) => write!(f, "enabled {actions}"),
            Self::Action(actions) => write!(f, "action {actions}"),
            Self::Text(text, _) if text.contains(['{', '}', '"']) => write!(f, "{{{text:?}}}"),
            Self::Text(text, _) => write!(f, "{{{text}}}"),
        }
    }
}

impl Display for Actions {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Matching(pattern) => write!(f, "{pattern:?}"),
            Self::Not(inner) => write!(f, "!{inner}"),
            Self::All(parts) => list(f, parts, "&&", "true"),
            Self::Any(parts) => list(f, parts, "||", "false"),
        }
    }
}

impl Display for Regular {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Step(actions) => write!(f, "{actions}"),
            Self::Sequence(parts) => list(f, parts, ".", "nil"),
            Self::Choice(parts) => list(f, parts, "+", "none"),
            Self::Star(inner) => write!(f, "({inner})*"),
        }
    }
}

/// Parts with a sign between them in parentheses. A list of one keeps the sign: it is not its part.
fn list<T: Display>(f: &mut Formatter<'_>, parts: &[T], sign: &str, empty: &str) -> Result {
    match parts {
        [] => f.write_str(empty),
        [only] => write!(f, "({sign} {only})"),
        [first, rest @ ..] => {
            write!(f, "({first}")?;
            rest.iter().try_for_each(|part| write!(f, " {sign} {part}"))?;
            f.write_str(")")
        }
    }
}

/// A predicate over the numbers of slots: names are the signature's.
fn linear(f: &mut Formatter<'_>, predicate: &Predicate) -> Result {
    let joined = |f: &mut Formatter<'_>, parts: &[Predicate], sign: &str| {
        write!(f, "({sign}")?;
        for part in parts {
            f.write_str(" ")?;
            linear(f, part)?;
        }
        f.write_str(")")
    };
    match predicate {
        Predicate::Constant(truth) => write!(f, "{truth}"),
        Predicate::AtMost(Linear { terms }, most) => {
            for (at, (slot, factor)) in terms.iter().enumerate() {
                let sign = if at > 0 { " + " } else { "" };
                write!(f, "{sign}{factor} s{slot}")?;
            }
            write!(f, "{}<= {most}", if terms.is_empty() { "0 " } else { " " })
        }
        Predicate::All(parts) => joined(f, parts, "&&"),
        Predicate::Any(parts) => joined(f, parts, "||"),
    }
}
