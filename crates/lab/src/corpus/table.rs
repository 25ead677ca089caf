//! The tables of known answers: CSV by RFC 4180, a row an answer.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use cli::Failure;

use crate::csv::records;

/// One known answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// The model's path below the folder.
    pub(crate) model: String,
    pub(crate) property: String,
    pub(crate) expected: String,
    pub(crate) source: String,
    pub(crate) formula: String,
    pub(crate) note: String,
    /// Whether tools disagree about it: to be reported, not failed.
    pub(crate) disputed: bool,
}

const COLUMNS: [&str; 6] = ["model", "property", "expected", "source", "formula", "note"];

/// The rows of `expected.csv`, then those of `disputed.csv` if there is one.
pub(crate) fn read(folder: &Path) -> Result<Vec<Row>, Failure> {
    if !folder.is_dir() {
        return Err(Failure::usage(
            format!("there is no folder {}", folder.display()),
            "name one with expected.csv in it",
        ));
    }
    let expected = folder.join("expected.csv");
    if !expected.is_file() {
        return Err(Failure::usage(
            format!("{} has no expected.csv", folder.display()),
            format!("it is a table with the columns {}", COLUMNS.join(", ")),
        ));
    }
    let mut rows = read_table(&expected, false)?;
    let disputed = folder.join("disputed.csv");
    if disputed.is_file() {
        rows.extend(read_table(&disputed, true)?);
    }
    dispute_whole_models(&mut rows);
    Ok(rows)
}

/// Where tools disagree about how many states a model has, each of its numbers is one tool's reading of the
/// model.
fn dispute_whole_models(rows: &mut [Row]) {
    let mut counts: HashMap<String, HashSet<String>> = HashMap::new();
    for row in rows.iter().filter(|row| row.disputed && row.property == "states") {
        counts.entry(row.model.clone()).or_default().insert(row.expected.clone());
    }
    for row in rows {
        row.disputed |= counts.get(&row.model).is_some_and(|counts| counts.len() > 1);
    }
}

fn read_table(path: &Path, disputed: bool) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path.display(), &error))?;
    rows(&text, disputed).map_err(|(line, problem)| {
        Failure::usage(
            format!("{}: record {line}: {problem}", path.display()),
            format!("each record has the columns {}", COLUMNS.join(", ")),
        )
    })
}

fn rows(text: &str, disputed: bool) -> Result<Vec<Row>, (usize, String)> {
    let mut records = records(text).into_iter().enumerate();
    match records.next() {
        Some((_, header)) if header == COLUMNS => {}
        _ => return Err((1, "the first line does not name the columns".into())),
    }
    records
        .map(|(number, record)| {
            let fields: [String; 6] = record.try_into().map_err(|record: Vec<String>| {
                (number + 1, format!("{} fields instead of 6", record.len()))
            })?;
            let [model, property, expected, source, formula, note] = fields;
            Ok(Row { model, property, expected, source, formula, note, disputed })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_whose_size_is_disputed_is_disputed_as_a_whole() {
        let header = COLUMNS.join(",");
        let mut both = rows(&format!("{header}\na,transitions,7,,,\nb,transitions,7,,,\n"), false).unwrap();
        let disputed = format!("{header}\na,states,3,,,\na,states,4,,,\nb,states,3,,,\n");
        both.extend(rows(&disputed, true).unwrap());
        dispute_whole_models(&mut both);
        assert_eq!(both.iter().map(|row| row.disputed).collect::<Vec<_>>(), [true, false, true, true, true]);
    }

    #[test]
    fn a_record_with_too_few_fields_is_refused_by_its_number() {
        let text = "model,property,expected,source,formula,note\na.dve,states,3,here,,\na.dve,states\n";
        assert_eq!(rows(text, false), Err((3, "2 fields instead of 6".into())));
        assert!(rows("a,b\n", false).is_err());
    }
}
