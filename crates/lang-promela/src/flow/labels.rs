//! The labels of a process type, found by name and by the element that they name.

use std::collections::HashMap;

use base::Span;

use super::ElementIx;

#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub name: String,
    pub scope: Vec<u32>,
    pub element: ElementIx,
    pub span: Span,
}

/// All labels, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    all: Vec<Label>,
    by_name: HashMap<String, Vec<usize>>,
    first_at: HashMap<ElementIx, usize>,
}

impl Labels {
    pub fn add(&mut self, label: Label) {
        let number = self.all.len();
        self.by_name.entry(label.name.clone()).or_default().push(number);
        self.first_at.entry(label.element).or_insert(number);
        self.all.push(label);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Label> {
        self.all.iter()
    }

    /// Those with a name, in the order of the text.
    pub fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Label> {
        self.by_name.get(name).into_iter().flatten().map(|&number| &self.all[number])
    }

    /// The first that names an element.
    pub fn at(&self, element: ElementIx) -> Option<&Label> {
        self.first_at.get(&element).map(|&number| &self.all[number])
    }
}
