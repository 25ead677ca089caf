//! What a coloured net declares: sorts, constants, variables, partitions.

use std::borrow::Cow;
use std::collections::HashMap;

use base::{Diagnostic, Problems, Span, closest};

use crate::fragment::{Fragment, Node};

/// A colour as a number: the values of its parts as digits, the first part's the highest.
pub(crate) type Colour = u64;

/// The number of a basic sort.
pub(crate) type BasicIx = usize;

/// A basic sort: its values are `0 .. size`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Basic {
    /// What its values are called.
    pub values: Values,
    /// How many they are.
    pub size: u64,
}

/// What the values of a basic sort are called.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Values {
    /// The one value of uncoloured tokens.
    Dot,
    /// False and true.
    Booleans,
    /// Names, one after the other.
    Names(Vec<String>),
    /// Integers, from this one on.
    Integers(i64),
}

/// A sort: the basic sorts that its colours are tuples of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sort {
    /// The parts.
    pub parts: Vec<BasicIx>,
    /// How much a part's value counts in a colour.
    pub weights: Vec<u64>,
    /// How many colours there are.
    pub size: u64,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// What it is called.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The number of its first part; each part is a variable of its own.
    pub first: usize,
}

/// A partition of a basic sort into elements.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    /// The sort.
    pub basic: BasicIx,
    /// For every value the element that it is in.
    pub element: Vec<u32>,
    /// What the elements are called, by their ids.
    pub elements: Vec<String>,
}

/// All that is declared.
#[derive(Default)]
pub(crate) struct Declarations {
    /// The basic sorts.
    pub basics: Vec<Basic>,
    /// The constants, with their sorts.
    pub constants: HashMap<String, (BasicIx, u64)>,
    /// The variables.
    pub variables: HashMap<String, Variable>,
    /// The partitions.
    pub partitions: HashMap<String, Partition>,
    /// The sorts with names.
    sorts: HashMap<String, Sort>,
    /// How many variables of basic sorts there are.
    count: usize,
}

/// Sorts in sorts; a declaration deeper than this is no declaration but a joke.
const DEEPEST: usize = 100;

/// A tuple of more parts is refused: which of them are known is noted in the bits of a number.
const MOST_PARTS: usize = 64;

/// The names of an enumeration, and a partition, are written down one by one; more are not read from a file.
const LARGEST_PARTITION: u64 = 10_000_000;

impl Declarations {
    /// Reads what the net declares.
    pub fn read(fragments: &[Fragment<'_>], problems: &mut Problems) -> Self {
        let mut declared = Self::default();
        let mut sorts: HashMap<Cow<'_, str>, Node<'_, '_>> = HashMap::new();
        let mut others = Vec::new();
        for structure in fragments.iter().flat_map(|fragment| fragment.root().children()) {
            let lists = structure.children().filter(|list| list.name() == "declarations");
            for node in lists.flat_map(Node::children) {
                match (node.name(), node.required("id")) {
                    ("namedsort", Ok(id)) => {
                        if sorts.insert(id.value.clone(), node).is_some() {
                            problems.push(Diagnostic::error(
                                format!("the sort `{}` is declared twice", id.value),
                                id.span,
                            ));
                        }
                    }
                    (_, Ok(id)) => others.push((node, id)),
                    (_, Err(problem)) => problems.push(problem),
                }
            }
        }
        let mut ids: Vec<_> = sorts.iter().map(|(id, node)| (node.span().start, id.clone())).collect();
        ids.sort_unstable();
        for (_, id) in ids {
            if let Err(problem) = declared.named(&id, sorts[&id].span(), &sorts, 0) {
                problems.push(problem);
            }
        }
        for (node, id) in others {
            let read = match node.name() {
                "variabledecl" => declared.variable(node, &id.value),
                "partition" => declared.partition(node, &id.value),
                name => {
                    Err(Diagnostic::error(format!("declarations of <{name}> are not supported"), node.span()))
                }
            };
            if let Err(problem) = read {
                problems.push(problem);
            }
        }
        declared
    }

    /// The sort that an element names or describes.
    pub fn sort(&mut self, node: Node<'_, '_>) -> Result<Sort, Diagnostic> {
        self.sort_inside(node, &HashMap::new(), 0)
    }

    fn sort_inside(
        &mut self,
        node: Node<'_, '_>,
        open: &HashMap<Cow<'_, str>, Node<'_, '_>>,
        depth: usize,
    ) -> Result<Sort, Diagnostic> {
        if depth > DEEPEST {
            return Err(Diagnostic::error(
                "this sort consists of itself, or is nested too deep",
                node.span(),
            ));
        }
        let basic = |values, size| Basic { values, size };
        let one = match node.name() {
            "usersort" => {
                let name = node.required("declaration")?;
                return self.named(&name.value, name.span, open, depth + 1);
            }
            "productsort" => {
                let mut parts = Vec::new();
                for child in node.children() {
                    parts.extend(self.sort_inside(child, open, depth + 1)?.parts);
                    if parts.len() > MOST_PARTS {
                        let message = format!("a product of more than {MOST_PARTS} sorts");
                        return Err(Diagnostic::error(message, node.span()));
                    }
                }
                return self.product(parts, node.span());
            }
            "dot" => basic(Values::Dot, 1),
            "bool" => basic(Values::Booleans, 2),
            "finiteintrange" => {
                let (start, end) = (integer(node, "start")?, integer(node, "end")?);
                if start > end {
                    return Err(Diagnostic::error(
                        format!("the range from {start} to {end} is empty"),
                        node.span(),
                    ));
                }
                let size = u64::try_from(i128::from(end) - i128::from(start) + 1)
                    .ok()
                    .filter(|&size| i64::try_from(size).is_ok())
                    .ok_or_else(|| Diagnostic::error("this range is too large", node.span()))?;
                basic(Values::Integers(start), size)
            }
            "finiteenumeration" | "cyclicenumeration" => return self.enumeration(node),
            name => {
                let known = ["usersort", "productsort", "dot", "bool", "finiteintrange", "finiteenumeration"];
                let problem = Diagnostic::error(format!("sorts of <{name}> are not supported"), node.span());
                return Err(match closest(name, known) {
                    Some(near) => problem.label(format!("did you mean <{near}>?")),
                    None => problem,
                });
            }
        };
        let ix = self.basic(one);
        self.product(vec![ix], node.span())
    }

    fn enumeration(&mut self, node: Node<'_, '_>) -> Result<Sort, Diagnostic> {
        let (mut names, mut ids) = (Vec::new(), Vec::new());
        for child in node.children().filter(|child| child.name() == "feconstant") {
            let id = child.required("id")?;
            let name = child.attribute("name")?.map_or(id.value.to_string(), |name| name.value.into_owned());
            names.push(name);
            ids.push(id);
        }
        let size = names.len() as u64;
        if size == 0 {
            return Err(Diagnostic::error("an enumeration of nothing", node.span()));
        }
        // An enumeration is the same as another only if it is that one, whatever its names.
        let ix = self.basics.len();
        self.basics.push(Basic { values: Values::Names(names), size });
        for (value, id) in ids.into_iter().enumerate() {
            if self.constants.insert(id.value.to_string(), (ix, value as u64)).is_some() {
                return Err(Diagnostic::error(
                    format!("the constant `{}` is declared twice", id.value),
                    id.span,
                ));
            }
        }
        self.product(vec![ix], node.span())
    }

    /// The basic sort with these values: there is one of them.
    fn basic(&mut self, basic: Basic) -> BasicIx {
        self.basics.iter().position(|known| *known == basic).unwrap_or_else(|| {
            self.basics.push(basic);
            self.basics.len() - 1
        })
    }

    /// The sort of uncoloured tokens.
    pub fn dot(&mut self) -> Sort {
        let ix = self.basic(Basic { values: Values::Dot, size: 1 });
        Sort { parts: vec![ix], weights: vec![1], size: 1 }
    }

    /// The sort of truth values.
    pub fn booleans(&mut self) -> Sort {
        let ix = self.basic(Basic { values: Values::Booleans, size: 2 });
        Sort { parts: vec![ix], weights: vec![1], size: 2 }
    }

    /// The sort of tuples of these parts.
    pub fn product(&self, parts: Vec<BasicIx>, span: Span) -> Result<Sort, Diagnostic> {
        let mut size = 1_u64;
        let mut weights = vec![0; parts.len()];
        for (part, weight) in parts.iter().zip(&mut weights).rev() {
            *weight = size;
            // Numbers up to half the range, so that sums of two of them are numbers, too.
            size = size
                .checked_mul(self.basics[*part].size)
                .filter(|&size| i64::try_from(size).is_ok())
                .ok_or_else(|| Diagnostic::error("this sort has more than 2^63 colours", span))?;
        }
        Ok(Sort { parts, weights, size })
    }

    fn named(
        &mut self,
        name: &str,
        span: Span,
        open: &HashMap<Cow<'_, str>, Node<'_, '_>>,
        depth: usize,
    ) -> Result<Sort, Diagnostic> {
        if let Some(sort) = self.sorts.get(name) {
            return Ok(sort.clone());
        }
        let sort = match open.get(name) {
            Some(node) => {
                let inside = node.children().next();
                let inside = inside
                    .ok_or_else(|| Diagnostic::error(format!("the sort `{name}` is empty"), node.span()))?;
                self.sort_inside(inside, open, depth + 1)?
            }
            // Built in, but some tools name them like sorts of the net.
            None if name.eq_ignore_ascii_case("dot") => self.dot(),
            None if name.eq_ignore_ascii_case("bool") => self.booleans(),
            None => {
                let problem = Diagnostic::error(format!("the sort `{name}` is not declared"), span);
                let mut known: Vec<&str> = self.sorts.keys().map(String::as_str).collect();
                known.sort_unstable();
                return Err(match closest(name, known) {
                    Some(near) => problem.label(format!("did you mean `{near}`?")),
                    None => problem,
                });
            }
        };
        self.sorts.insert(name.to_owned(), sort.clone());
        Ok(sort)
    }

    fn variable(&mut self, node: Node<'_, '_>, id: &str) -> Result<(), Diagnostic> {
        let name = node.attribute("name")?.map_or(id.to_owned(), |name| name.value.into_owned());
        let inside = node.children().next();
        let sort = inside
            .ok_or_else(|| Diagnostic::error(format!("the variable `{id}` has no sort"), node.span()))?;
        let sort = self.sort(sort)?;
        let first = self.count;
        self.count += sort.parts.len();
        match self.variables.insert(id.to_owned(), Variable { name, sort, first }) {
            Some(_) => Err(Diagnostic::error(format!("the variable `{id}` is declared twice"), node.span())),
            None => Ok(()),
        }
    }

    fn partition(&mut self, node: Node<'_, '_>, id: &str) -> Result<(), Diagnostic> {
        let wrong = |node: Node<'_, '_>, message: String| Err(Diagnostic::error(message, node.span()));
        let mut elements = Vec::new();
        let mut basic = None;
        let mut element: Vec<u32> = Vec::new();
        for child in node.children() {
            if child.name() != "partitionelement" {
                let sort = self.sort(child)?;
                let [part] = sort.parts[..] else { return wrong(child, "a partition of a product".into()) };
                if sort.size > LARGEST_PARTITION {
                    return wrong(child, format!("a partition of more than {LARGEST_PARTITION} values"));
                }
                element = vec![u32::MAX; sort.size as usize];
                basic = Some(part);
                continue;
            }
            let Some(basic) = basic else {
                return wrong(child, "the sort of the partition must stand first".into());
            };
            for constant in child.children() {
                let value = match constant.name() {
                    "useroperator" => {
                        let name = constant.required("declaration")?;
                        self.constants.get(&*name.value).copied()
                    }
                    "finiteintrangeconstant" => {
                        let start = match self.basics[basic].values {
                            Values::Integers(start) => start,
                            _ => return wrong(constant, "the partition is not of integers".into()),
                        };
                        integer(constant, "value")?
                            .checked_sub(start)
                            .and_then(|at| u64::try_from(at).ok())
                            .map(|at| (basic, at))
                    }
                    name => return wrong(constant, format!("<{name}> is not supported in a partition")),
                };
                match value.filter(|(sort, value)| *sort == basic && (*value as usize) < element.len()) {
                    Some((_, value)) if element[value as usize] == u32::MAX => {
                        element[value as usize] = elements.len() as u32;
                    }
                    Some(_) => return wrong(constant, "a value in two elements of the partition".into()),
                    None => return wrong(constant, "no value of the partition's sort".into()),
                }
            }
            elements.push(child.required("id")?.value.into_owned());
        }
        let Some(basic) = basic else { return wrong(node, format!("the partition `{id}` has no sort")) };
        if element.contains(&u32::MAX) {
            return wrong(node, format!("the partition `{id}` leaves out values of its sort"));
        }
        self.partitions.insert(id.to_owned(), Partition { basic, element, elements });
        Ok(())
    }

    /// What a value is called.
    pub fn value_name(&self, basic: BasicIx, value: u64) -> String {
        match &self.basics[basic].values {
            Values::Dot => "dot".to_owned(),
            Values::Booleans => (value == 1).to_string(),
            Values::Names(names) => names[value as usize].clone(),
            Values::Integers(start) => (i128::from(*start) + i128::from(value)).to_string(),
        }
    }

    /// What a colour is called: nothing if it is the dot.
    pub fn colour_name(&self, sort: &Sort, colour: Colour) -> String {
        if sort.parts.iter().all(|&part| self.basics[part].values == Values::Dot) {
            return String::new();
        }
        let values = sort
            .parts
            .iter()
            .enumerate()
            .map(|(at, &part)| self.value_name(part, sort.digit(self, colour, at)));
        format!("({})", values.collect::<Vec<_>>().join(","))
    }
}

impl Sort {
    /// The value of a part of a colour.
    pub fn digit(&self, declared: &Declarations, colour: Colour, at: usize) -> u64 {
        colour / self.weights[at] % declared.basics[self.parts[at]].size
    }
}

/// An attribute that is an integer.
pub(crate) fn integer(node: Node<'_, '_>, name: &str) -> Result<i64, Diagnostic> {
    let text = node.required(name)?;
    text.value
        .trim()
        .parse()
        .map_err(|_| Diagnostic::error(format!("`{}` is no integer of 64 bits", text.value), text.span))
}
