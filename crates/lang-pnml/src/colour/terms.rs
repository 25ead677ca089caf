//! Terms of coloured nets, as their elements state them: multisets of colours, numbers, conditions.

mod conditions;

use base::Diagnostic;

use super::multiset::{Component, Multiset, Pattern};
use super::sorts::{BasicIx, Declarations, Sort, Values, integer};
use crate::fragment::Node;

/// Terms are read by going down into them, and nobody writes deeper ones.
const DEEPEST: usize = 300;

/// A product of sums has a pattern for each choice; more than these are refused.
const MOST_PATTERNS: usize = 1_000_000;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Reads terms.
pub(crate) struct Terms<'d> {
    /// What is declared; terms may describe sorts that nobody declared.
    pub declared: &'d mut Declarations,
}

fn wrong<T>(node: Node<'_, '_>, message: impl Into<String>) -> Result<T> {
    Err(Diagnostic::error(message, node.span()))
}

/// The terms that an operator is applied to.
fn operands<'f, 't>(node: Node<'f, 't>) -> Vec<Node<'f, 't>> {
    let inside =
        |child: Node<'f, 't>| if child.name() == "subterm" { child.children().next() } else { Some(child) };
    node.children().filter_map(inside).collect()
}

fn exactly<'f, 't, const N: usize>(node: Node<'f, 't>) -> Result<[Node<'f, 't>; N]> {
    let operands = operands(node);
    let count = operands.len();
    operands
        .try_into()
        .or_else(|_| wrong(node, format!("<{}> takes {N} terms, and has {count}", node.name())))
}

fn deeper(node: Node<'_, '_>, depth: usize) -> Result<usize> {
    if depth < DEEPEST {
        Ok(depth + 1)
    } else {
        wrong(node, format!("terms are nested deeper than {DEEPEST}"))
    }
}

/// The term in the `<structure>` of a label.
pub(crate) fn structure<'f, 't>(label: Node<'f, 't>) -> Result<Option<Node<'f, 't>>> {
    match label.child("structure") {
        Some(structure) => Ok(structure.children().next()),
        None if label.child("text").is_some() => {
            wrong(label, format!("<{}> has a text, but no <structure> that says what it means", label.name()))
        }
        None => Ok(None),
    }
}

impl Terms<'_> {
    /// A multiset of colours of a sort.
    pub fn of_sort(&mut self, node: Node<'_, '_>, sort: &Sort) -> Result<Multiset> {
        let mut multiset = self.multiset(node, 0)?;
        if multiset.patterns.is_empty() {
            multiset.parts.clone_from(&sort.parts);
        }
        if multiset.parts.len() != sort.parts.len() {
            let message =
                format!("a tuple of {} where one of {} is due", multiset.parts.len(), sort.parts.len());
            return wrong(node, message);
        }
        for (at, &expected) in sort.parts.iter().enumerate() {
            if multiset.parts[at] != expected {
                self.convert(node, &mut multiset, at, expected)?;
            }
        }
        multiset.patterns.retain(|pattern| pattern.count != 0);
        Ok(multiset)
    }

    /// Constants of one range of integers may stand where another is due.
    fn convert(
        &self,
        node: Node<'_, '_>,
        multiset: &mut Multiset,
        at: usize,
        expected: BasicIx,
    ) -> Result<()> {
        let (found, due) = (&self.declared.basics[multiset.parts[at]], &self.declared.basics[expected]);
        let (Values::Integers(from), Values::Integers(to)) = (&found.values, &due.values) else {
            return wrong(node, "a colour of another sort than its place has");
        };
        for pattern in &mut multiset.patterns {
            let Component::Constant(value) = &mut pattern.parts[at] else {
                return wrong(node, "a colour of another range of integers than its place has");
            };
            let moved = i128::from(*from) + i128::from(*value) - i128::from(*to);
            match u64::try_from(moved).ok().filter(|&moved| moved < due.size) {
                Some(moved) => *value = moved,
                None => return wrong(node, "an integer outside of the range of its place"),
            }
        }
        multiset.parts[at] = expected;
        Ok(())
    }

    fn multiset(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Multiset> {
        let depth = deeper(node, depth)?;
        let single = |basic: BasicIx, component: Component| Multiset {
            parts: vec![basic],
            patterns: vec![Pattern { count: 1, parts: vec![component] }],
        };
        Ok(match node.name() {
            "variable" => {
                let name = node.required("refvariable")?;
                let Some(variable) = self.declared.variables.get(&*name.value) else {
                    return wrong(node, format!("the variable `{}` is not declared", name.value));
                };
                let first = variable.first;
                let component = |at| Component::Variable { variable: first + at, shift: 0 };
                let parts = variable.sort.parts.clone();
                let pattern = Pattern { count: 1, parts: (0..parts.len()).map(component).collect() };
                Multiset { parts, patterns: vec![pattern] }
            }
            "useroperator" => {
                let name = node.required("declaration")?;
                match self.declared.constants.get(&*name.value) {
                    Some(&(basic, value)) => single(basic, Component::Constant(value)),
                    None => return wrong(node, format!("the constant `{}` is not declared", name.value)),
                }
            }
            "dotconstant" => single(self.declared.dot().parts[0], Component::Constant(0)),
            "booleanconstant" => {
                let value = node.required("value")?.value == "true";
                single(self.declared.booleans().parts[0], Component::Constant(value.into()))
            }
            "finiteintrangeconstant" => {
                let value = integer(node, "value")?;
                let Some(range) = node.children().next() else {
                    return wrong(node, "the integer has no range: <finiteintrange> is missing in it");
                };
                let sort = self.declared.sort(range)?;
                let [basic] = sort.parts[..] else { return wrong(node, "an integer of a product") };
                let Values::Integers(start) = self.declared.basics[basic].values else {
                    return wrong(node, "an integer of a sort that is no range");
                };
                let at = u64::try_from(i128::from(value) - i128::from(start)).ok();
                match at.filter(|&at| at < self.declared.basics[basic].size) {
                    Some(at) => single(basic, Component::Constant(at)),
                    None => return wrong(node, format!("{value} is not in its range")),
                }
            }
            "successor" | "predecessor" => self.neighbour(node, depth)?,
            "tuple" => self.tuple(node, depth)?,
            "all" => {
                let Some(inside) = node.children().next() else { return wrong(node, "<all> of no sort") };
                let sort = self.declared.sort(inside)?;
                let pattern = Pattern { count: 1, parts: vec![Component::All; sort.parts.len()] };
                Multiset { parts: sort.parts, patterns: vec![pattern] }
            }
            "empty" => Multiset { parts: Vec::new(), patterns: Vec::new() },
            "numberof" | "scalarproduct" => {
                let operands = operands(node);
                let (count, term) = match operands[..] {
                    [term] => (1, term),
                    [count, term] => (self.number(count, depth)?, term),
                    _ => return wrong(node, format!("<{}> takes 2 terms", node.name())),
                };
                if count < 0 {
                    return wrong(node, format!("{count} colours: a number of them is never negative"));
                }
                let mut multiset = self.multiset(term, depth)?;
                for pattern in &mut multiset.patterns {
                    let Some(times) = pattern.count.checked_mul(count) else {
                        return wrong(node, "more colours than 64 bits count");
                    };
                    pattern.count = times;
                }
                multiset
            }
            "add" | "subtract" => self.sum(node, depth)?,
            name => return wrong(node, format!("the operator <{name}> is not supported for colours")),
        })
    }

    fn neighbour(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Multiset> {
        let [term] = exactly(node)?;
        let mut multiset = self.multiset(term, depth)?;
        let [basic] = multiset.parts[..] else { return wrong(node, format!("<{}> of a tuple", node.name())) };
        let size = self.declared.basics[basic].size;
        let step = if node.name() == "successor" { 1 } else { size - 1 };
        for part in multiset.patterns.iter_mut().flat_map(|pattern| &mut pattern.parts) {
            match part {
                Component::Constant(value) => *value = (*value + step) % size,
                Component::Variable { shift, .. } => *shift = (*shift + step) % size,
                Component::All => {}
            }
        }
        Ok(multiset)
    }

    fn tuple(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Multiset> {
        let mut all = Multiset { parts: Vec::new(), patterns: vec![Pattern { count: 1, parts: Vec::new() }] };
        for term in operands(node) {
            let next = self.multiset(term, depth)?;
            if all.patterns.len().saturating_mul(next.patterns.len()) > MOST_PATTERNS {
                return wrong(node, format!("a tuple of sums with more than {MOST_PATTERNS} terms"));
            }
            let mut patterns = Vec::with_capacity(all.patterns.len() * next.patterns.len());
            for left in &all.patterns {
                for right in &next.patterns {
                    let Some(count) = left.count.checked_mul(right.count) else {
                        return wrong(node, "more colours than 64 bits count");
                    };
                    let parts = left.parts.iter().chain(&right.parts).cloned().collect();
                    patterns.push(Pattern { count, parts });
                }
            }
            all.parts.extend(next.parts);
            all.patterns = patterns;
        }
        Ok(all)
    }

    fn sum(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Multiset> {
        let mut sum: Option<Multiset> = None;
        for (at, term) in operands(node).into_iter().enumerate() {
            let mut next = self.multiset(term, depth)?;
            if at > 0 && node.name() == "subtract" {
                next.patterns.iter_mut().for_each(|pattern| pattern.count = -pattern.count);
            }
            match &mut sum {
                None => sum = Some(next),
                Some(sum)
                    if next.patterns.is_empty() || sum.patterns.is_empty() || sum.parts == next.parts =>
                {
                    if sum.patterns.is_empty() {
                        sum.parts = next.parts;
                    }
                    sum.patterns.extend(next.patterns);
                }
                Some(_) => return wrong(term, "a sum of colours of different sorts"),
            }
        }
        sum.map_or_else(|| wrong(node, format!("<{}> of nothing", node.name())), Ok)
    }

    /// A number; it never depends on variables.
    fn number(&mut self, node: Node<'_, '_>, depth: usize) -> Result<i64> {
        let depth = deeper(node, depth)?;
        let overflow = || wrong(node, "this number does not fit 64 bits");
        match node.name() {
            "numberconstant" => integer(node, "value"),
            "addition" | "subtraction" | "mult" => {
                let [left, right] = exactly(node)?;
                let (left, right) = (self.number(left, depth)?, self.number(right, depth)?);
                let result = match node.name() {
                    "addition" => left.checked_add(right),
                    "subtraction" => left.checked_sub(right),
                    _ => left.checked_mul(right),
                };
                result.map_or_else(overflow, Ok)
            }
            "cardinality" => {
                let [term] = exactly(node)?;
                let multiset = self.multiset(term, depth)?;
                let sort = self.declared.product(multiset.parts.clone(), node.span())?;
                let count = |pattern: &Pattern| {
                    i128::from(pattern.count) * i128::from(pattern.width(&sort, self.declared))
                };
                i64::try_from(multiset.patterns.iter().map(count).sum::<i128>()).or_else(|_| overflow())
            }
            name => wrong(node, format!("the operator <{name}> is not supported for numbers")),
        }
    }
}
