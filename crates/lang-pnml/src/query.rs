//! The formula files of the Model Checking Contest: a `<property-set>` of properties, each a question about a
//! net.

mod evaluate;
mod fireable;
mod parts;
mod sums;

use std::collections::HashSet;

use base::{Diagnostic, Problems, Source, Span};
use logic::Formula;
use model::{Linear, Predicate};

use crate::PnmlNet;
use crate::fragment::Fragment;
use crate::xml::{Event, Reader};

use fireable::Fireable;

/// A question of a formula file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Its name.
    pub id: String,
    /// What its author says of it.
    pub description: Option<String>,
    /// The question.
    pub question: Question,
    /// Where it stands in its file.
    pub span: Span,
}

/// What is asked about a net. Predicates are about its markings, place by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Can a marking like this be reached? (EF)
    Possible(Predicate),
    /// Are all reachable markings like this? (AG)
    Always(Predicate),
    /// Is the initial marking like this?
    Initially(Predicate),
    /// What is the greatest value of this sum in any reachable marking?
    Bound(Linear),
    /// Can a marking be reached in which nothing can fire?
    Deadlock,
    /// Can in every reachable marking something fire?
    NoDeadlock,
    /// A formula of CTL* that is none of the others.
    Temporal(Formula),
    /// It was understood, but would be too large, for this reason.
    TooLarge(String),
}

/// The questions of a formula file about a net, or all that is wrong with the file.
pub fn queries(source: &Source, net: &PnmlNet) -> Result<Vec<Query>, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    crate::check_size(source, &mut problems);
    let mut queries = Vec::new();
    if !problems.any_error()
        && let Err(problem) = property_set(source, net, &mut queries, &mut problems)
    {
        problems.push(problem);
    }
    if problems.any_error() { Err(problems.into_errors()) } else { Ok(queries) }
}

fn property_set(
    source: &Source,
    net: &PnmlNet,
    queries: &mut Vec<Query>,
    problems: &mut Problems,
) -> Result<(), Diagnostic> {
    // Formulas are trees in lists, so no depth is too deep to read.
    let mut reader = Reader::new(source.text(), usize::MAX);
    match reader.next()? {
        Event::Start(tag) if tag.name == "property-set" => {}
        Event::Start(tag) => {
            let problem = Diagnostic::error(format!("<{}> holds no formulas", tag.name), tag.span);
            return Err(problem.label("expected <property-set>"));
        }
        _ => {
            return Err(
                Diagnostic::error("the file is empty", Span::new(0, 0)).help("expected <property-set>")
            );
        }
    }
    let mut fireable = Fireable::default();
    let mut names = HashSet::new();
    loop {
        match reader.next()? {
            Event::Start(tag) if tag.name == "property" => {
                let fragment = Fragment::read(&mut reader, tag)?;
                let query = property(&fragment, net, &mut fireable, problems);
                // Answers are told by name: of two with one name nobody knew which is meant.
                if let Some(query) = query.as_ref().filter(|query| !names.insert(query.id.clone())) {
                    problems.push(Diagnostic::error(
                        format!("two formulas are called `{}`", query.id),
                        query.span,
                    ));
                }
                queries.extend(query);
            }
            Event::Start(_) => reader.skip()?,
            Event::Text(_) => {}
            Event::End | Event::Nothing => return Ok(()),
        }
        if problems.are_too_many() {
            return Ok(());
        }
    }
}

fn property(
    fragment: &Fragment<'_>,
    net: &PnmlNet,
    fireable: &mut Fireable,
    problems: &mut Problems,
) -> Option<Query> {
    let root = fragment.root();
    let mut missing = |name: &str| {
        problems.push(Diagnostic::error(format!("<property> has no <{name}>"), root.span()));
    };
    let Some(id) = root.child("id") else {
        missing("id");
        return None;
    };
    let Some(formula) = root.child("formula") else {
        missing("formula");
        return None;
    };
    let description = root.child("description").map(|child| child.text().value.into_owned());
    let question = evaluate::question(formula, net, fireable, problems)?;
    Some(Query { id: id.text().value.into_owned(), description, question, span: root.span() })
}
