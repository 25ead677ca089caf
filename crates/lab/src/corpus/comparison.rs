//! How a known answer compares with what was found.

use crate::corpus::table::Row;
use crate::corpus::tally::Tally;

/// How a row compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    /// As expected, perhaps with something to tell.
    Same(Option<String>),
    /// So many, which is less than a count that depends on how a tool linearises: neither a match nor a
    /// difference.
    Fewer(String),
    /// This was found instead.
    Different(String),
    /// No engine can answer this kind of row yet.
    NotAsked,
}

/// Compares a row with what was found in the same words.
pub(crate) fn same(row: &Row, found: String) -> Comparison {
    if row.expected.trim() == found { Comparison::Same(None) } else { Comparison::Different(found) }
}

/// Counts how a row compares; the answer is what there is to tell.
pub(crate) fn settle(row: &Row, comparison: Comparison, tally: &mut Tally) -> String {
    let Row { model, property, expected, source, .. } = row;
    match comparison {
        Comparison::NotAsked => {
            tally.not_asked += 1;
            String::new()
        }
        found if row.disputed => {
            tally.disputed += 1;
            let found = match found {
                Comparison::Different(found) | Comparison::Fewer(found) => found,
                _ => "the same".into(),
            };
            format!("disputed {model}: {property}: {expected} by {source}; found {found}\n")
        }
        Comparison::Same(note) => {
            tally.matches(row);
            note.map_or(String::new(), |note| format!("note {model}: {property}: {note}\n"))
        }
        Comparison::Fewer(found) => {
            tally.has_fewer(row);
            format!("fewer {model}: {property}: {found} of {expected} by {source}: another linearisation\n")
        }
        Comparison::Different(found) => {
            tally.differs(row);
            format!("DIFFERS {model}: {property}: {expected} by {source}; found {found}\n")
        }
    }
}
