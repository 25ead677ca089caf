//! Comments end where code does.

use std::path::Path;

/// What `rustfmt.toml` says of code; it leaves comments as they are.
const WIDTH: usize = 110;

/// The comments of a text that are too long, with their lines.
fn too_long(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    numbered.filter(move |(_, line)| is_comment(line) && line.chars().count() > WIDTH)
}

fn look(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.is_dir() {
            look(&file, found);
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&file).unwrap();
            found.extend(too_long(&text).map(|(line, _)| format!("{}:{line}", file.display())));
        }
    }
}

#[test]
fn comments_end_by_the_last_column() {
    let mut found = Vec::new();
    for member in crate::workspace() {
        for part in ["src", "tests", "examples", "benches"] {
            let folder = member.folder.join(part);
            if folder.is_dir() {
                look(&folder, &mut found);
            }
        }
    }
    assert!(found.is_empty(), "comments of more than {WIDTH} columns:\n{}", found.join("\n"));
}

#[test]
fn a_comment_that_is_too_long_is_seen() {
    let long = "é".repeat(WIDTH - 3);
    let text = format!("// {long}\n    //! {long}\nlet text = \"{long} and more\";\n");
    assert_eq!(too_long(&text).map(|(line, _)| line).collect::<Vec<_>>(), [2]);
}
