//! A formula as it stands in the file becomes a question.
//!
//! The elements are gone through from the last to the first: all in an element comes before it, and leaves
//! its meaning on a stack, the first child's on top. So no formula is nested too deep to be read.

use base::{Diagnostic, Problems, SlotIx, closest};
use logic::{Atom, Formula, Quantifier, Reachability};
use model::Predicate;

use super::Question;
use super::fireable::Fireable;
use super::parts::{DEEPEST, Part, TooLarge};
use super::sums::{self, Sum};
use crate::PnmlNet;
use crate::fragment::Node;

/// What an element means.
enum Meaning {
    /// A number.
    Integer(Sum),
    /// About a state.
    State(Part),
    /// About paths, with its number of levels.
    Temporal(Formula, usize),
    /// The greatest value of a sum.
    Bound(Sum),
    /// The name of a node; who needs it reads it itself.
    Name,
}

/// Why an element has no meaning.
enum Wrong {
    /// Said already.
    Reported,
    /// It is right, but too much.
    TooMuch(TooLarge),
}

impl From<TooLarge> for Wrong {
    fn from(too_large: TooLarge) -> Self {
        Self::TooMuch(too_large)
    }
}

/// The question that a `<formula>` asks. `None` where it is wrong, and that was said.
pub(crate) fn question(
    formula: Node<'_, '_>,
    net: &PnmlNet,
    fireable: &mut Fireable,
    problems: &mut Problems,
) -> Option<Question> {
    let mut children = formula.children();
    let (Some(top), None) = (children.next(), children.next()) else {
        problems.push(Diagnostic::error("<formula> holds not one formula", formula.span()));
        return None;
    };
    if let Some(is_free) = about_deadlock(top) {
        return Some(if is_free { Question::NoDeadlock } else { Question::Deadlock });
    }
    let mut evaluation = Evaluation { net, fireable, problems, stack: Vec::new() };
    let meaning = evaluation.evaluate(top).and_then(|meaning| evaluation.asked(top, meaning));
    match meaning {
        Ok(question) => Some(question),
        Err(Wrong::Reported) => None,
        Err(Wrong::TooMuch(too_large)) => Some(Question::TooLarge(too_large.words())),
    }
}

/// Whether it asks for freedom from deadlock, or for a deadlock; `None` where it asks for something else.
/// Such questions are known by their form, because the predicate is as large as the net.
fn about_deadlock(top: Node<'_, '_>) -> Option<bool> {
    fn only<'f, 't>(node: Node<'f, 't>) -> Option<Node<'f, 't>> {
        let mut children = node.children();
        children.next().filter(|_| children.next().is_none())
    }
    fn without_negations<'f, 't>(mut node: Node<'f, 't>) -> Option<(Node<'f, 't>, bool)> {
        let mut is_negated = false;
        while node.name() == "negation" {
            node = only(node)?;
            is_negated = !is_negated;
        }
        Some((node, is_negated))
    }
    let (path, is_outside_negated) = without_negations(top)?;
    let operator = only(path)?;
    let (state, is_inside_negated) = without_negations(only(operator)?)?;
    let is_free = match (path.name(), operator.name(), is_inside_negated) {
        ("exists-path", "finally", false) => false,
        ("all-paths", "globally", true) => true,
        _ => return None,
    };
    (state.name() == "deadlock").then_some(is_free != is_outside_negated)
}

struct Evaluation<'n, 'p> {
    net: &'n PnmlNet,
    fireable: &'p mut Fireable,
    problems: &'p mut Problems,
    stack: Vec<Meaning>,
}

impl Evaluation<'_, '_> {
    fn evaluate(&mut self, top: Node<'_, '_>) -> Result<Meaning, Wrong> {
        for ix in (top.ix..top.end()).rev() {
            let node = top.at(ix);
            let count = node.children().count();
            let rest = self.stack.len() - count;
            let operands: Vec<Meaning> = self.stack.drain(rest..).rev().collect();
            let meaning = self.meaning(node, operands)?;
            self.stack.push(meaning);
        }
        Ok(self.stack.pop().expect("BUG: an element without a meaning"))
    }

    fn wrong(&mut self, node: Node<'_, '_>, message: impl Into<String>) -> Wrong {
        self.problems.push(Diagnostic::error(message, node.span()));
        Wrong::Reported
    }

    fn meaning(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let name = node.name();
        Ok(match name {
            "place" | "transition" => Meaning::Name,
            "true" => Meaning::State(Part::new(Predicate::Constant(true))),
            "false" => Meaning::State(Part::new(Predicate::Constant(false))),
            "deadlock" => Meaning::State(Part::new(self.fireable.none(self.net)?)),
            "is-fireable" => self.fireable(node)?,
            "tokens-count" => Meaning::Integer(Sum::places(self.places(node)?)),
            "place-bound" => Meaning::Bound(Sum::places(self.places(node)?)),
            "integer-constant" => {
                let text = node.text();
                match text.value.trim().parse() {
                    Ok(number) => Meaning::Integer(Sum::constant(number)),
                    Err(_) => {
                        return Err(self.wrong(node, format!("`{}` is no number of 64 bits", text.value)));
                    }
                }
            }
            "integer-sum" | "integer-difference" | "integer-product" => self.arithmetic(node, operands)?,
            "negation" => self.negation(node, operands)?,
            "conjunction" => self.combination(node, operands, true)?,
            "disjunction" => self.combination(node, operands, false)?,
            "implication" | "equivalence" | "exclusive-disjunction" => self.of_two(node, operands)?,
            "all-paths" | "exists-path" | "next" | "finally" | "globally" | "before" | "reach" => {
                self.path(node, operands)?
            }
            "until" => self.until(node, operands)?,
            // The forms of the contest's first years.
            "invariant" | "impossibility" | "possibility" => self.invariant(node, operands)?,
            _ => match name.strip_prefix("integer-") {
                Some(operator) => self.comparison(node, operator, operands)?,
                None => return Err(self.wrong(node, format!("<{name}> is not known in formulas"))),
            },
        })
    }

    fn asked(&mut self, top: Node<'_, '_>, meaning: Meaning) -> Result<Question, Wrong> {
        Ok(match meaning {
            Meaning::State(part) => Question::Initially(part.finish()?),
            Meaning::Temporal(formula, _) => asked(formula),
            Meaning::Bound(sum) => match sum.linear() {
                Some(linear) => Question::Bound(linear),
                None => return Err(TooLarge::Number.into()),
            },
            Meaning::Integer(_) | Meaning::Name => {
                return Err(self.wrong(top, format!("<{}> is no question", top.name())));
            }
        })
    }

    /// About a state.
    fn state(&mut self, node: Node<'_, '_>, meaning: Meaning) -> Result<Part, Wrong> {
        match meaning {
            Meaning::State(part) => Ok(part),
            _ => Err(self.wrong(node, format!("<{}> takes formulas about a marking here", node.name()))),
        }
    }

    /// About a state or paths, with its number of levels.
    fn temporal(&mut self, node: Node<'_, '_>, meaning: Meaning) -> Result<(Formula, usize), Wrong> {
        Ok(match meaning {
            Meaning::Temporal(formula, depth) => (formula, depth),
            other => (Formula::Atom(Atom::Linear(self.state(node, other)?.finish()?)), 0),
        })
    }

    fn negation(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let [operand] = self.operands(node, operands)?;
        Ok(match operand {
            Meaning::State(part) => Meaning::State(part.negated()),
            Meaning::Temporal(Formula::Not(inner), depth) => Meaning::Temporal(*inner, depth - 1),
            other => {
                let (formula, depth) = self.temporal(node, other)?;
                Meaning::Temporal(formula.negated(), level(depth)?)
            }
        })
    }

    fn combination(
        &mut self,
        node: Node<'_, '_>,
        operands: Vec<Meaning>,
        are_all: bool,
    ) -> Result<Meaning, Wrong> {
        if operands.iter().any(|operand| matches!(operand, Meaning::Temporal(..))) {
            let mut parts = Vec::with_capacity(operands.len());
            let mut deepest = 0;
            for operand in operands {
                let (formula, depth) = self.temporal(node, operand)?;
                match formula {
                    Formula::All(inner) if are_all => parts.extend(inner),
                    Formula::Any(inner) if !are_all => parts.extend(inner),
                    other => parts.push(other),
                }
                deepest = deepest.max(depth);
            }
            let formula = if are_all { Formula::All(parts) } else { Formula::Any(parts) };
            return Ok(Meaning::Temporal(formula, level(deepest)?));
        }
        let parts =
            operands.into_iter().map(|operand| self.state(node, operand)).collect::<Result<Vec<_>, _>>()?;
        Ok(Meaning::State(Part::combined(parts, are_all)?))
    }

    fn of_two(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let [left, right] = self.operands(node, operands)?;
        if node.name() == "implication" {
            let left = self.negation(node, vec![left])?;
            return self.combination(node, vec![left, right], false);
        }
        if matches!(left, Meaning::Temporal(..)) || matches!(right, Meaning::Temporal(..)) {
            let ((left, deep), (right, deeper)) = (self.temporal(node, left)?, self.temporal(node, right)?);
            let equivalent = Formula::Iff(Box::new(left), Box::new(right));
            let is_equivalence = node.name() == "equivalence";
            let formula = if is_equivalence { equivalent } else { equivalent.negated() };
            return Ok(Meaning::Temporal(formula, level(level(deep.max(deeper))?)?));
        }
        let (left, right) = (self.state(node, left)?, self.state(node, right)?);
        let part = left.equivalent(right)?;
        Ok(Meaning::State(if node.name() == "equivalence" { part } else { part.negated() }))
    }

    fn path(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let [operand] = self.operands(node, operands)?;
        if let "before" | "reach" = node.name() {
            return Ok(operand);
        }
        // Every path from a state starts in it.
        if let (Meaning::State(_), "all-paths" | "exists-path") = (&operand, node.name()) {
            return Ok(operand);
        }
        let (formula, depth) = self.temporal(node, operand)?;
        let formula = match node.name() {
            "all-paths" => Formula::all_paths(formula),
            "exists-path" => Formula::some_path(formula),
            "next" => Formula::next(formula),
            "finally" => Formula::finally(formula),
            _ => Formula::globally(formula),
        };
        Ok(Meaning::Temporal(formula, level(depth)?))
    }

    fn until(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let [before, reach] = self.operands(node, operands)?;
        let ((before, deep), (reach, deeper)) = (self.temporal(node, before)?, self.temporal(node, reach)?);
        Ok(Meaning::Temporal(Formula::until(before, reach), level(deep.max(deeper))?))
    }

    fn invariant(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let [operand] = self.operands(node, operands)?;
        let (formula, depth) = self.temporal(node, operand)?;
        let formula = match node.name() {
            "possibility" => Formula::some_path(Formula::finally(formula)),
            "invariant" => Formula::all_paths(Formula::globally(formula)),
            _ => Formula::some_path(Formula::finally(formula)).negated(),
        };
        Ok(Meaning::Temporal(formula, level(depth + 2)?))
    }

    fn arithmetic(&mut self, node: Node<'_, '_>, operands: Vec<Meaning>) -> Result<Meaning, Wrong> {
        let mut total: Option<Sum> = None;
        for operand in operands {
            let sum = self.integer(node, operand)?;
            let Some(before) = total else {
                total = Some(sum);
                continue;
            };
            let result = match node.name() {
                "integer-sum" => before.plus(sum),
                "integer-difference" => before.minus(sum),
                _ => match before.product(sum) {
                    Some(product) => product,
                    None => {
                        return Err(self.wrong(node, "a product of two numbers of tokens is not supported"));
                    }
                },
            };
            total = Some(result.ok_or(TooLarge::Number)?);
        }
        total.map(Meaning::Integer).ok_or_else(|| self.wrong(node, format!("<{}> is empty", node.name())))
    }

    fn comparison(
        &mut self,
        node: Node<'_, '_>,
        operator: &str,
        operands: Vec<Meaning>,
    ) -> Result<Meaning, Wrong> {
        let [left, right] = self.operands(node, operands)?;
        let (left, right) = (self.integer(node, left)?, self.integer(node, right)?);
        match sums::compare(operator, left, right) {
            Some(part) => Ok(Meaning::State(part?)),
            None => Err(self.wrong(node, format!("<{}> is not known in formulas", node.name()))),
        }
    }

    fn integer(&mut self, node: Node<'_, '_>, meaning: Meaning) -> Result<Sum, Wrong> {
        match meaning {
            Meaning::Integer(sum) => Ok(sum),
            _ => Err(self.wrong(node, format!("<{}> takes numbers", node.name()))),
        }
    }

    fn operands<const N: usize>(
        &mut self,
        node: Node<'_, '_>,
        operands: Vec<Meaning>,
    ) -> Result<[Meaning; N], Wrong> {
        operands.try_into().map_err(|operands: Vec<Meaning>| {
            self.wrong(node, format!("<{}> takes {N} formulas, and has {}", node.name(), operands.len()))
        })
    }

    fn places(&mut self, node: Node<'_, '_>) -> Result<Vec<SlotIx>, Wrong> {
        let net = self.net;
        let mut places = Vec::new();
        for child in node.children() {
            let id = child.text();
            match net.places.get(&*id.value) {
                Some(own) if child.name() == "place" => places.extend_from_slice(own),
                _ => return Err(self.unknown(child, "place", net.places.keys())),
            }
        }
        Ok(places)
    }

    fn fireable(&mut self, node: Node<'_, '_>) -> Result<Meaning, Wrong> {
        let net = self.net;
        let mut parts = Vec::new();
        for child in node.children() {
            let id = child.text();
            match self.fireable.of(net, &id.value).filter(|_| child.name() == "transition") {
                Some(predicate) => parts.push(Part::new(predicate?)),
                None => return Err(self.unknown(child, "transition", net.transitions.keys())),
            }
        }
        Ok(Meaning::State(Part::combined(parts, false)?))
    }

    fn unknown<'k>(
        &mut self,
        node: Node<'_, '_>,
        what: &str,
        known: impl Iterator<Item = &'k String>,
    ) -> Wrong {
        let id = node.text();
        let mut problem = Diagnostic::error(format!("the net has no {what} `{}`", id.value), id.span);
        // The order of a hash table is no order: the same file must get the same message.
        let mut known: Vec<&str> = known.map(String::as_str).collect();
        known.sort_unstable();
        if let Some(near) = closest(&id.value, known) {
            problem = problem.label(format!("did you mean `{near}`?"));
        }
        self.problems.push(problem);
        Wrong::Reported
    }
}

/// One level more, if that is not too many.
fn level(depth: usize) -> Result<usize, TooLarge> {
    if depth < DEEPEST { Ok(depth + 1) } else { Err(TooLarge::Depth) }
}

/// The question of a formula, in the simplest form.
fn asked(formula: Formula) -> Question {
    let Reachability { quantifier, is_negated, state } = match formula.into_reachability() {
        Ok(reachability) => reachability,
        Err(formula) => return Question::Temporal(*formula),
    };
    let Formula::Atom(Atom::Linear(predicate)) = state else {
        panic!("BUG: formulas about a state were put together before")
    };
    let predicate = if is_negated { predicate.negated() } else { Some(predicate) };
    match (predicate, quantifier) {
        (Some(predicate), Quantifier::Some) => Question::Possible(predicate),
        (Some(predicate), Quantifier::Every) => Question::Always(predicate),
        (None, _) => Question::TooLarge(TooLarge::Number.words()),
    }
}
