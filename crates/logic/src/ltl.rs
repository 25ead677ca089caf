//! LTL as Spin writes it, read into a [`Formula`]: `[] (request -> <> granted)`.
//!
//! Comes in as words, each with its place, since a language may have expanded macros in them ([`words`] makes
//! words of plain text). Operators are Spin's, with Spin's precedence; all of two operands group to the left.
//! What stands between them is an expression of the model's language. It becomes one atom with its text and
//! its place, and is looked up later, by who knows the names.
//!
//! A parenthesis may begin a formula, as in `(p U q)`, or an expression, as in `(x + 1) * 2 > y`, and what
//! comes behind it tells which. So every operand is kept both ways, as a formula and as the words it was read
//! from: under `+` or `==` the words are what counts, and a formula about a run there is refused.

mod words;

use base::{Diagnostic, Span};

use crate::{Atom, Formula};

pub use words::{Word, words};
use words::{is_name, joined};

/// How deep parentheses and operators may nest: far past what a person writes, and little enough for the
/// stack of a thread.
const DEEPEST: usize = 200;

/// Which words are operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Spin's signs and words. `F`, `G` and `R` are names.
    Spin,
    /// The same, and the letters `F`, `G` and `R`, as DiVinE has them.
    Letters,
}

/// The formula in these words, or what is wrong with them. `end` is where they end.
///
/// ```
/// use logic::ltl::{Dialect, parse, words};
///
/// let formula = parse(&words("[] (x > 0 -> <> x == 0)", 0), base::Span::new(0, 23), Dialect::Spin);
/// assert_eq!(formula.unwrap_err().message, "`<>` binds tighter than `==`");
/// let formula = parse(&words("[] (x > 0 -> <> (x == 0))", 0), base::Span::new(0, 25), Dialect::Spin);
/// assert_eq!(formula.unwrap().to_string(), "G (!{x > 0} || F {x == 0})");
/// ```
pub fn parse(words: &[Word], whole: Span, dialect: Dialect) -> Result<Formula, Diagnostic> {
    let mut parser = Parser { words, whole, dialect, at: 0, nesting: 0 };
    let operand = parser.expression(LOOSEST)?;
    match parser.peek() {
        None => Ok(operand.formula),
        Some(word) => Err(Diagnostic::error(format!("`{}` is not expected here", word.text), word.span)
            .label("expected an operator or the end of the formula")),
    }
}

/// The loosest operators, `->` and `<->`.
const LOOSEST: u8 = 1;
/// Operators from this level on are those of expressions.
const EXPRESSIONS: u8 = 5;

/// An operator of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Binary {
    Implies,
    Iff,
    Or,
    And,
    Until,
    WeakUntil,
    Release,
    /// One of the model's language.
    Expression,
}

/// An operator of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unary {
    Not,
    Globally,
    Finally,
    Next,
    /// One of the model's language.
    Expression,
}

/// What was read, from the word `first` up to the current one.
struct Operand {
    first: usize,
    formula: Formula,
    /// The operator of LTL that it has in it, if any.
    temporal: Option<usize>,
    /// How many operators are inside of each other.
    depth: usize,
}

struct Parser<'w> {
    words: &'w [Word],
    whole: Span,
    dialect: Dialect,
    at: usize,
    nesting: usize,
}

impl<'w> Parser<'w> {
    fn peek(&self) -> Option<&'w Word> {
        self.words.get(self.at)
    }

    fn text(&self) -> &'w str {
        self.peek().map_or("", |word| &word.text)
    }

    fn take(&mut self, text: &str) -> bool {
        let is_here = self.text() == text;
        self.at += usize::from(is_here);
        is_here
    }

    fn span(&self, at: usize) -> Span {
        self.words.get(at).map_or(Span { start: self.whole.end, ..self.whole }, |word| word.span)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(message, self.span(self.at)))
    }

    /// The operator of two operands at the current word, and how tightly it binds.
    fn binary(&self) -> Option<(Binary, u8)> {
        Some(match self.text() {
            "->" | "implies" => (Binary::Implies, LOOSEST),
            "<->" | "equivalent" => (Binary::Iff, LOOSEST),
            "||" | "\\/" => (Binary::Or, 2),
            "&&" | "/\\" => (Binary::And, 3),
            "U" | "until" | "stronguntil" => (Binary::Until, 4),
            "W" | "weakuntil" => (Binary::WeakUntil, 4),
            "V" | "release" => (Binary::Release, 4),
            "R" if self.dialect == Dialect::Letters => (Binary::Release, 4),
            "|" => (Binary::Expression, EXPRESSIONS),
            "^" => (Binary::Expression, 6),
            "&" => (Binary::Expression, 7),
            "==" | "!=" => (Binary::Expression, 8),
            "<" | ">" | "<=" | ">=" => (Binary::Expression, 9),
            "<<" | ">>" => (Binary::Expression, 10),
            "+" | "-" => (Binary::Expression, 11),
            "*" | "/" | "%" => (Binary::Expression, 12),
            _ => return None,
        })
    }

    /// The operator of one operand at the current word.
    fn unary(&self) -> Option<Unary> {
        Some(match self.text() {
            "!" => Unary::Not,
            "[]" | "always" => Unary::Globally,
            "<>" | "eventually" => Unary::Finally,
            "X" | "next" => Unary::Next,
            "G" if self.dialect == Dialect::Letters => Unary::Globally,
            "F" if self.dialect == Dialect::Letters => Unary::Finally,
            "-" | "~" => Unary::Expression,
            _ => return None,
        })
    }

    /// Operators that bind at least this tightly, and their operands.
    fn expression(&mut self, least: u8) -> Result<Operand, Diagnostic> {
        let mut left = self.prefixed()?;
        while let Some((binary, level)) = self.binary().filter(|(_, level)| *level >= least) {
            let sign = self.at;
            self.at += 1;
            let right = self.expression(level + 1)?;
            left = self.combined(left, binary, sign, right)?;
        }
        Ok(left)
    }

    fn combined(
        &self,
        left: Operand,
        binary: Binary,
        sign: usize,
        right: Operand,
    ) -> Result<Operand, Diagnostic> {
        let first = left.first;
        if binary == Binary::Expression {
            if let Some(temporal) = left.temporal.or(right.temporal) {
                return Err(self.tighter(temporal, sign));
            }
            return Ok(self.atom(first));
        }
        let is_temporal = matches!(binary, Binary::Until | Binary::WeakUntil | Binary::Release);
        let temporal = left.temporal.or(right.temporal).or(is_temporal.then_some(sign));
        // A list that goes on is not deeper.
        let goes_on = match (binary, &left.formula) {
            (Binary::And, Formula::All(parts)) | (Binary::Or, Formula::Any(parts)) => !parts.is_empty(),
            _ => false,
        };
        let left_depth = left.depth - usize::from(goes_on && left.depth > 0);
        let depth = self.deeper(left_depth.max(right.depth))?;
        let (left, right) = (left.formula, right.formula);
        let formula = match binary {
            Binary::Implies => left.implies(right),
            Binary::Iff => Formula::Iff(Box::new(left), Box::new(right)),
            Binary::Or => match left {
                Formula::Any(parts) if !parts.is_empty() => Formula::Any(appended(parts, right)),
                left => Formula::Any(vec![left, right]),
            },
            Binary::And => match left {
                Formula::All(parts) if !parts.is_empty() => Formula::All(appended(parts, right)),
                left => Formula::All(vec![left, right]),
            },
            Binary::Until => Formula::until(left, right),
            Binary::WeakUntil => Formula::WeakUntil(Box::new(left), Box::new(right)),
            Binary::Release => Formula::Release(Box::new(left), Box::new(right)),
            Binary::Expression => unreachable!("BUG: an operator of expressions makes an atom"),
        };
        Ok(Operand { first, formula, temporal, depth })
    }

    fn prefixed(&mut self) -> Result<Operand, Diagnostic> {
        let Some(unary) = self.unary() else { return self.primary() };
        let sign = self.at;
        self.at += 1;
        let inner = self.nested(Self::prefixed)?;
        let depth = self.deeper(inner.depth)?;
        let formula = match unary {
            Unary::Not => Formula::Not(Box::new(inner.formula)),
            Unary::Globally => Formula::globally(inner.formula),
            Unary::Finally => Formula::finally(inner.formula),
            Unary::Next => Formula::next(inner.formula),
            Unary::Expression => match inner.temporal {
                Some(temporal) => return Err(self.tighter(temporal, sign)),
                None => return Ok(self.atom(sign)),
            },
        };
        let temporal = inner.temporal.or((unary != Unary::Not).then_some(sign));
        Ok(Operand { first: sign, formula, temporal, depth })
    }

    fn primary(&mut self) -> Result<Operand, Diagnostic> {
        let first = self.at;
        if self.take("(") {
            return self.parenthesis(first);
        }
        let Some(word) = self.peek().filter(|word| is_name(&word.text)) else {
            return self.wrong("expected an operand of the formula");
        };
        self.at += 1;
        let truth = match &*word.text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(Operand { first, formula: Formula::constant(truth), temporal: None, depth: 0 });
        }
        // Numbers and characters have no members.
        if !word.text.starts_with(|c: char| c.is_ascii_digit() || c == '\'') {
            self.rest_of_name()?;
        }
        Ok(self.atom(first))
    }

    /// What stands in parentheses, or a choice of expressions: `(c -> x : y)`.
    fn parenthesis(&mut self, first: usize) -> Result<Operand, Diagnostic> {
        let inner = self.nested(|parser| parser.expression(LOOSEST))?;
        if inner.temporal.is_none() && self.take(":") {
            let otherwise = self.nested(|parser| parser.expression(LOOSEST))?;
            if let Some(temporal) = otherwise.temporal {
                return Err(self.tighter(temporal, first));
            }
            self.close(first, ")")?;
            return Ok(self.atom(first));
        }
        self.close(first, ")")?;
        Ok(Operand { first, ..inner })
    }

    /// Indices, members, arguments, labels of processes and looks into channels: `P[2]@cs`, `c?[m, 1]`.
    fn rest_of_name(&mut self) -> Result<(), Diagnostic> {
        loop {
            let open = self.at;
            match self.text() {
                "[" => self.balanced(open, "[", "]")?,
                "(" => self.balanced(open, "(", ")")?,
                "?" | "??" => {
                    self.at += 1;
                    self.balanced(self.at, "[", "]")?;
                }
                "." | "@" | ":" => {
                    self.at += 1;
                    if !is_name(self.text()) {
                        return self.wrong("expected a name");
                    }
                    self.at += 1;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Passes over what stands between brackets.
    fn balanced(&mut self, opened: usize, open: &str, close: &str) -> Result<(), Diagnostic> {
        if !self.take(open) {
            return self.wrong(format!("expected `{open}`"));
        }
        let mut depth = 1;
        while depth > 0 {
            match self.text() {
                "" => return self.close(opened, close),
                text => depth = depth + usize::from(text == open) - usize::from(text == close),
            }
            self.at += 1;
        }
        Ok(())
    }

    fn close(&mut self, opened: usize, close: &str) -> Result<(), Diagnostic> {
        if self.take(close) {
            return Ok(());
        }
        let what = format!("`{}` is not closed", self.words[opened].text);
        let help = match self.peek() {
            Some(word) => format!("`{close}` is missing before `{}`", word.text),
            None => format!("`{close}` is missing at the end"),
        };
        Err(Diagnostic::error(what, self.span(opened)).label("opened here").help(help))
    }

    /// The words from this one on as an atom.
    fn atom(&self, first: usize) -> Operand {
        let span = self.span(first).to(self.span(self.at - 1));
        let text = joined(&self.words[first..self.at]);
        Operand { first, formula: Formula::Atom(Atom::Text(text, Some(span))), temporal: None, depth: 0 }
    }

    /// A formula about a run is no number.
    fn tighter(&self, temporal: usize, sign: usize) -> Diagnostic {
        let (inner, outer) = (&self.words[temporal].text, &self.words[sign].text);
        let problem = match outer.as_str() {
            "(" => Diagnostic::error(format!("`{inner}` cannot stand in a choice"), self.span(temporal)),
            _ => Diagnostic::error(format!("`{inner}` binds tighter than `{outer}`"), self.span(temporal)),
        };
        problem.help(format!("put the expression in parentheses: {inner} (a {outer} b)"))
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
        self.nesting = self.deeper(self.nesting)?;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// One level more, if that is not too many.
    fn deeper(&self, depth: usize) -> Result<usize, Diagnostic> {
        if depth == DEEPEST {
            return self.wrong(format!("the formula is nested more than {DEEPEST} deep"));
        }
        Ok(depth + 1)
    }
}

fn appended(mut parts: Vec<Formula>, part: Formula) -> Vec<Formula> {
    parts.push(part);
    parts
}
