//! A part of an XML text as a tree in one list: an element stands before its children, and knows where the
//! next one after it is. No recursion anywhere, so no text is nested too deep for it.

use std::borrow::Cow;

use base::{Diagnostic, Span};

use crate::xml::{Event, Reader, Tag, Text};

/// An element with all in it. Its root is element 0.
#[derive(Clone, Debug)]
pub(crate) struct Fragment<'t> {
    elements: Vec<Element<'t>>,
}

#[derive(Clone, Debug)]
struct Element<'t> {
    tag: Tag<'t>,
    text: Option<Text<'t>>,
    /// The first element that is not in it.
    end: u32,
}

/// An element of a fragment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'f, 't> {
    fragment: &'f Fragment<'t>,
    /// Its number in the fragment.
    pub ix: usize,
}

impl<'t> Fragment<'t> {
    /// Reads the rest of the element that was just started.
    pub fn read(reader: &mut Reader<'t>, tag: Tag<'t>) -> Result<Self, Diagnostic> {
        let mut elements = vec![Element { tag, text: None, end: 0 }];
        let mut open = vec![0_usize];
        while let Some(&innermost) = open.last() {
            match reader.next()? {
                Event::Start(tag) => {
                    open.push(elements.len());
                    elements.push(Element { tag, text: None, end: 0 });
                }
                Event::Text(piece) => piece.join(&mut elements[innermost].text)?,
                Event::End | Event::Nothing => {
                    elements[innermost].end = elements.len() as u32;
                    open.pop();
                }
            }
        }
        Ok(Self { elements })
    }

    /// The outermost element.
    pub fn root(&self) -> Node<'_, 't> {
        Node { fragment: self, ix: 0 }
    }

    /// How many elements there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.elements.len()
    }
}

impl<'f, 't> Node<'f, 't> {
    fn element(self) -> &'f Element<'t> {
        &self.fragment.elements[self.ix]
    }

    /// Its name.
    pub fn name(self) -> &'t str {
        self.element().tag.name
    }

    /// Its tag in the text.
    pub fn span(self) -> Span {
        self.element().tag.span
    }

    /// The text in it, and not in its children.
    pub fn text(self) -> Text<'t> {
        self.element().text.clone().unwrap_or(Text { value: Cow::Borrowed(""), span: self.span() })
    }

    /// The value of an attribute, if it is there.
    pub fn attribute(self, name: &str) -> Result<Option<Text<'t>>, Diagnostic> {
        self.element().tag.attribute(name)
    }

    /// The value of an attribute that must be there.
    pub fn required(self, name: &str) -> Result<Text<'t>, Diagnostic> {
        self.attribute(name)?.ok_or_else(|| {
            Diagnostic::error(format!("<{}> has no attribute `{name}`", self.name()), self.span())
        })
    }

    /// The elements right in it.
    pub fn children(self) -> impl Iterator<Item = Node<'f, 't>> + Clone {
        let end = self.element().end as usize;
        let first = Some(self.ix + 1).filter(|&ix| ix < end);
        std::iter::successors(first, move |&ix| {
            Some(self.fragment.elements[ix].end as usize).filter(|&next| next < end)
        })
        .map(move |ix| Node { fragment: self.fragment, ix })
    }

    /// The first element right in it with this name.
    pub fn child(self, name: &str) -> Option<Node<'f, 't>> {
        self.children().find(|child| child.name() == name)
    }

    /// The element of the same fragment with this number.
    pub fn at(self, ix: usize) -> Self {
        Self { fragment: self.fragment, ix }
    }

    /// The number of the first element that is not in it.
    pub fn end(self) -> usize {
        self.element().end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_at_any_depth() {
        let text = "<a><b>1<c/>2</b><d k='v'><e/></d></a>";
        let mut reader = Reader::new(text, 9);
        let Ok(Event::Start(tag)) = reader.next() else { panic!("no tag") };
        let fragment = Fragment::read(&mut reader, tag).unwrap();
        let names =
            |node: Node<'_, '_>| node.children().map(|child| child.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(fragment.root()), ["b", "d"]);
        assert_eq!(names(fragment.root().child("b").unwrap()), ["c"]);
        assert_eq!(fragment.root().child("b").unwrap().text().value, "12");
        assert_eq!(fragment.root().child("d").unwrap().required("k").unwrap().value, "v");
        assert!(fragment.root().child("c").is_none() && fragment.root().required("k").is_err());
        assert_eq!((fragment.len(), fragment.root().at(1).end()), (5, 3));
    }

    #[test]
    fn a_million_levels_are_no_problem() {
        let text = "<a>".repeat(1_000_000) + &"</a>".repeat(1_000_000);
        let mut reader = Reader::new(&text, usize::MAX);
        let Ok(Event::Start(tag)) = reader.next() else { panic!("no tag") };
        assert_eq!(Fragment::read(&mut reader, tag).unwrap().len(), 1_000_000);
    }
}
