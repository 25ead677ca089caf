//! Sorts: the named types of an ETF text. A sort section lists the values; a number elsewhere is a position
//! in that list; a value that is written out where a number could stand gets the next free position. A
//! sort without any value is plain numbers.

use std::collections::HashMap;

use base::{Diagnostic, Problems, Source, Span, closest};
use model::{Type, Value};

use crate::scan::{Name, Scanned};

/// A value before all sections are known: a number, or with the high bit the how-manieth written-out value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reference(u32);

/// Numbers stay below it, see `scan`.
const WRITTEN_OUT: u32 = 1 << 31;

/// All sorts of a text.
#[derive(Default)]
pub(crate) struct Sorts {
    list: Vec<Sort>,
    numbers: HashMap<String, usize>,
}

/// One sort.
struct Sort {
    name: String,
    used: bool,
    /// Its section, if there is one.
    section: Option<Span>,
    values: Vec<String>,
    positions: HashMap<String, u32>,
    /// Values that are written out in rows, in the order of the text.
    written_out: Vec<String>,
    written_out_positions: HashMap<String, u32>,
    greatest: Option<(u32, Span)>,
}

/// The sorts once all sections are known.
pub(crate) struct Resolved {
    /// The types, one for each sort.
    pub types: Vec<Type>,
    written_out: Vec<Vec<Value>>,
}

impl Resolved {
    /// The value that a reference stands for.
    pub fn value(&self, sort: usize, reference: Reference) -> Value {
        match reference.0.checked_sub(WRITTEN_OUT) {
            None => reference.0,
            // In a text with errors a reference may have been made to another sort.
            Some(at) => self.written_out[sort].get(at as usize).copied().unwrap_or(0),
        }
    }
}

impl Sorts {
    /// The number of the sort with this name, mentioned here for a slot or label.
    pub fn mention(&mut self, name: &Name) -> usize {
        let number = self.number(name);
        self.list[number].used = true;
        number
    }

    fn number(&mut self, name: &Name) -> usize {
        let text = name.text.as_deref().unwrap_or("_");
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len();
        self.numbers.insert(text.to_owned(), number);
        self.list.push(Sort {
            name: text.to_owned(),
            used: false,
            section: None,
            values: Vec::new(),
            positions: HashMap::new(),
            written_out: Vec::new(),
            written_out_positions: HashMap::new(),
            greatest: None,
        });
        number
    }

    /// Begins the section of a sort.
    pub fn declare(&mut self, name: &Name, source: &Source, problems: &mut Problems) -> usize {
        let number = self.number(name);
        let sort = &mut self.list[number];
        if let Some(first) = sort.section {
            let line = source.position(first).line;
            problems.push(
                Diagnostic::error(format!("sort `{}` has a second section", sort.name), name.span)
                    .label(format!("the first is in line {line}"))
                    .help("list all values of a sort in one section"),
            );
        }
        sort.section = Some(name.span);
        number
    }

    /// Lists a value in the section of a sort.
    pub fn list_value(&mut self, sort: usize, value: String, span: Span, problems: &mut Problems) {
        let sort = &mut self.list[sort];
        let position = next_position(&sort.values);
        if let Some(first) = sort.positions.insert(value.clone(), position) {
            problems.push(
                Diagnostic::error(format!("value `{value}` is listed twice in sort `{}`", sort.name), span)
                    .label(format!("it already has position {first}"))
                    .help("each value of a sort has one position; remove one or rename it"),
            );
        }
        sort.values.push(value);
    }

    /// A number that stands for a value of the sort.
    #[inline]
    pub fn note(&mut self, sort: usize, number: u32, span: Span) {
        let greatest = &mut self.list[sort].greatest;
        if greatest.is_none_or(|(greatest, _)| number > greatest) {
            *greatest = Some((number, span));
        }
    }

    /// A value of the sort, as it stands in a row.
    pub fn refer(&mut self, sort: usize, value: Scanned, span: Span) -> Reference {
        match value {
            Scanned::Number(number) => {
                self.note(sort, number, span);
                Reference(number)
            }
            Scanned::Text(text) => {
                let sort = &mut self.list[sort];
                let next = next_position(&sort.written_out);
                let position = *sort.written_out_positions.entry(text).or_insert_with_key(|text| {
                    sort.written_out.push(text.clone());
                    next
                });
                Reference(WRITTEN_OUT | position)
            }
        }
    }

    /// Checks all numbers against the sorts they point into, and makes the types.
    pub fn resolve(mut self, problems: &mut Problems) -> Resolved {
        let mut written_out = Vec::with_capacity(self.list.len());
        for sort in &mut self.list {
            written_out.push(sort.place_written_out());
            sort.check_greatest(problems);
        }
        self.warn_of_unused(problems);
        let types = self.list.into_iter().map(Sort::into_type).collect();
        Resolved { types, written_out }
    }

    /// A section for a sort that nothing has is probably a slip of the pen.
    fn warn_of_unused(&self, problems: &mut Problems) {
        for (sort, span) in
            self.list.iter().filter(|sort| !sort.used).filter_map(|sort| Some((sort, sort.section?)))
        {
            let bare = self
                .list
                .iter()
                .filter(|other| other.used && other.section.is_none() && other.values.is_empty());
            let label = match closest(&sort.name, bare.map(|other| other.name.as_str())) {
                Some(near) => format!("did you mean `{near}`, which has no section?"),
                None => "no slot, edge label or map has this sort".to_owned(),
            };
            problems.push(
                Diagnostic::warning(format!("sort `{}` is not used", sort.name), span)
                    .label(label)
                    .help("remove the section, or give a slot this sort: `name:sort`"),
            );
        }
    }
}

impl Sort {
    /// Gives each written-out value its position behind those of the section.
    fn place_written_out(&mut self) -> Vec<Value> {
        let written_out = std::mem::take(&mut self.written_out);
        let mut place = |value: String| {
            let next = next_position(&self.values);
            *self.positions.entry(value).or_insert_with_key(|value| {
                self.values.push(value.clone());
                next
            })
        };
        written_out.into_iter().map(&mut place).collect()
    }

    fn check_greatest(&self, problems: &mut Problems) {
        let Some((greatest, span)) = self.greatest else { return };
        let count = self.values.len();
        if count > 0 && greatest as usize >= count {
            let what = if self.section.is_some() { "lists" } else { "has" };
            problems.push(
                Diagnostic::error(format!("sort `{}` {what} {count} values, so there is no value {greatest}", self.name), span)
                    .label(format!("only 0 to {} are values of `{}`", count - 1, self.name))
                    .help("values are counted from 0; add the missing ones to the sort section, or list none at all for plain numbers"),
            );
        }
    }

    fn into_type(self) -> Type {
        if self.values.is_empty() {
            let greatest = self.greatest.map_or(0, |(greatest, _)| greatest);
            Type::range(self.name, 0, i32::try_from(greatest).unwrap_or(i32::MAX))
        } else {
            Type::names(self.name, self.values)
        }
    }
}

/// The position of the next value. A text has less than 2^32 bytes, so it has fewer values.
fn next_position(values: &[String]) -> u32 {
    u32::try_from(values.len()).expect("BUG: more values than bytes of text")
}
