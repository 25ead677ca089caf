//! The conditions of transitions: what is compared, and how.

use std::sync::Arc;

use super::{Result, Terms, deeper, exactly, operands, wrong};
use crate::colour::condition::{Condition, Operand, Relation};
use crate::colour::multiset::{Component, Multiset};
use crate::colour::sorts::{BasicIx, Values};
use crate::fragment::Node;

/// What is compared.
enum Compared {
    /// A colour.
    Colour(Vec<BasicIx>, Vec<Component>),
    /// An element of a partition, named by the id of the partition.
    Element(String, Operand),
    /// A number.
    Number(i64),
}

impl Terms<'_> {
    /// A condition, or what holds where it does not.
    pub fn condition(&mut self, node: Node<'_, '_>, is_negated: bool, depth: usize) -> Result<Condition> {
        let depth = deeper(node, depth)?;
        let list = |this: &mut Self, are_all: bool| -> Result<Condition> {
            let parts: Result<Vec<_>> =
                operands(node).into_iter().map(|term| this.condition(term, is_negated, depth)).collect();
            Ok(if are_all != is_negated { Condition::All(parts?) } else { Condition::Any(parts?) })
        };
        match node.name() {
            "and" => list(self, true),
            "or" => list(self, false),
            "not" => {
                let [term] = exactly(node)?;
                self.condition(term, !is_negated, depth)
            }
            "imply" => {
                let [left, right] = exactly(node)?;
                let parts = vec![
                    self.condition(left, !is_negated, depth)?,
                    self.condition(right, is_negated, depth)?,
                ];
                Ok(if is_negated { Condition::All(parts) } else { Condition::Any(parts) })
            }
            "booleanconstant" => {
                Ok(Condition::Constant((node.required("value")?.value == "true") != is_negated))
            }
            "variable" | "useroperator" => {
                let booleans = self.declared.booleans();
                let multiset = self.of_sort(node, &booleans)?;
                let operand = |part: Component| Operand { part, size: 2, elements: None, origin: 0 };
                let part = multiset.patterns[0].parts[0].clone();
                let truth = Component::Constant((!is_negated).into());
                Ok(Condition::Compare(operand(part), Relation::Equal, operand(truth)))
            }
            _ => self.comparison(node, is_negated, depth),
        }
    }

    fn comparison(&mut self, node: Node<'_, '_>, is_negated: bool, depth: usize) -> Result<Condition> {
        let (relation, is_turned) = match node.name() {
            "equality" => (Relation::Equal, false),
            "inequality" => (Relation::Different, false),
            "lessthan" | "ltp" => (Relation::Less, false),
            "lessthanorequal" => (Relation::AtMost, false),
            "greaterthan" | "gtp" => (Relation::Less, true),
            "greaterthanorequal" => (Relation::AtMost, true),
            name => return wrong(node, format!("the operator <{name}> is not supported in conditions")),
        };
        // Not less is at most the other way round.
        let (relation, is_turned) = match (is_negated, relation) {
            (false, relation) => (relation, is_turned),
            (true, Relation::Equal) => (Relation::Different, is_turned),
            (true, Relation::Different) => (Relation::Equal, is_turned),
            (true, Relation::Less) => (Relation::AtMost, !is_turned),
            (true, Relation::AtMost) => (Relation::Less, !is_turned),
        };
        let [left, right] = exactly(node)?;
        let (left, right) = (self.compared(left, depth)?, self.compared(right, depth)?);
        let (left, right) = if is_turned { (right, left) } else { (left, right) };
        let constant = |value| Condition::Constant(value);
        match (left, right) {
            (Compared::Number(left), Compared::Number(right)) => Ok(constant(match relation {
                Relation::Equal => left == right,
                Relation::Different => left != right,
                Relation::Less => left < right,
                Relation::AtMost => left <= right,
            })),
            (Compared::Element(one, left), Compared::Element(other, right)) if one == other => {
                Ok(Condition::Compare(left, relation, right))
            }
            (Compared::Colour(left_parts, left), Compared::Colour(right_parts, right)) => {
                self.colours(node, relation, (left_parts, left), (right_parts, right))
            }
            _ => wrong(node, "a comparison of different kinds of things"),
        }
    }

    fn colours(
        &self,
        node: Node<'_, '_>,
        relation: Relation,
        left: (Vec<BasicIx>, Vec<Component>),
        right: (Vec<BasicIx>, Vec<Component>),
    ) -> Result<Condition> {
        if left.0.len() != right.0.len() {
            return wrong(node, "a comparison of tuples of different lengths");
        }
        if left.0.len() != 1 && !matches!(relation, Relation::Equal | Relation::Different) {
            return wrong(node, "tuples have no order");
        }
        let mut parts = Vec::with_capacity(left.1.len());
        for ((left_sort, left), (right_sort, right)) in
            left.0.into_iter().zip(left.1).zip(right.0.into_iter().zip(right.1))
        {
            let (one, other) = (&self.declared.basics[left_sort], &self.declared.basics[right_sort]);
            let (left_origin, right_origin) = match (&one.values, &other.values) {
                (Values::Integers(left), Values::Integers(right)) => (*left, *right),
                _ if left_sort == right_sort => (0, 0),
                _ => return wrong(node, "a comparison of colours of different sorts"),
            };
            let left = Operand { part: left, size: one.size, elements: None, origin: left_origin };
            let right = Operand { part: right, size: other.size, elements: None, origin: right_origin };
            parts.push(Condition::Compare(left, relation, right));
        }
        Ok(if relation == Relation::Different { Condition::Any(parts) } else { Condition::All(parts) })
    }

    fn compared(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Compared> {
        let depth = deeper(node, depth)?;
        match node.name() {
            "numberconstant" | "addition" | "subtraction" | "mult" | "cardinality" => {
                return self.number(node, depth).map(Compared::Number);
            }
            "partitionelementof" => {
                let name = node.required("refpartition")?;
                let [term] = exactly(node)?;
                let multiset = self.multiset(term, depth)?;
                let Some(partition) = self.declared.partitions.get(&*name.value) else {
                    return wrong(node, format!("the partition `{}` is not declared", name.value));
                };
                let size = partition.element.len() as u64;
                let elements = Some(Arc::from(&partition.element[..]));
                return match single(node, multiset)? {
                    (sort, mut parts) if sort == [partition.basic] => {
                        let part = parts.remove(0);
                        Ok(Compared::Element(
                            name.value.into_owned(),
                            Operand { part, size, elements, origin: 0 },
                        ))
                    }
                    _ => wrong(node, "a colour of another sort than the partition's"),
                };
            }
            "useroperator" => {
                let name = node.required("declaration")?;
                if !self.declared.constants.contains_key(&*name.value)
                    && let Some((id, at)) = self.declared.partitions.iter().find_map(|(id, partition)| {
                        Some((id, partition.elements.iter().position(|element| *element == name.value)?))
                    })
                {
                    let size = self.declared.partitions[id].elements.len() as u64;
                    let operand =
                        Operand { part: Component::Constant(at as u64), size, elements: None, origin: 0 };
                    return Ok(Compared::Element(id.clone(), operand));
                }
            }
            _ => {}
        }
        let multiset = self.multiset(node, depth)?;
        single(node, multiset).map(|(sort, parts)| Compared::Colour(sort, parts))
    }
}

/// A multiset that is one colour.
fn single(node: Node<'_, '_>, mut multiset: Multiset) -> Result<(Vec<BasicIx>, Vec<Component>)> {
    match multiset.patterns.pop() {
        Some(pattern) if pattern.count == 1 && !pattern.has_all() && multiset.patterns.is_empty() => {
            Ok((multiset.parts, pattern.parts))
        }
        _ => wrong(node, "a comparison of more than one colour"),
    }
}
