//! The map: what `ARCHITECTURE.md` says of crates and files is true.

use std::collections::BTreeSet;
use std::path::Path;

use crate::{Crate, workspace};

/// What a map gets wrong: crates without a line, or with one that is wrong about what they know; and paths
/// that lead nowhere.
fn mistakes(map: &str, crates: &[Crate], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let mut mistakes: Vec<String> = crates.iter().filter_map(|member| wrong_line(map, member)).collect();
    mistakes.extend(dead_paths(map, crates, exists));
    mistakes
}

/// What is wrong with the line of a crate. The last cell says which crates it knows, apart from tests.
fn wrong_line(map: &str, member: &Crate) -> Option<String> {
    let start = format!("| `{}` |", member.name);
    let Some(line) = map.lines().find(|line| line.starts_with(&start)) else {
        return Some(format!("`{}` has no line", member.name));
    };
    let cell = line.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or("");
    let said: BTreeSet<&str> = cell.split(',').map(str::trim).filter(|name| *name != "–").collect();
    let outside_tests = member.dependencies.iter().filter(|(_, only_in_tests)| !only_in_tests);
    let known: BTreeSet<&str> = outside_tests.map(|(name, _)| name.as_str()).collect();
    (said != known).then(|| format!("`{}` knows {known:?}, and not {said:?}", member.name))
}

/// The paths that lead nowhere. A path begins with its crate. One without a crate is below the `src` of the
/// path before it, in the same paragraph or item of a list.
fn dead_paths(map: &str, crates: &[Crate], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let (mut dead, mut folder) = (Vec::new(), String::new());
    for line in map.lines() {
        let begins_item = line.starts_with("- ") || line.starts_with(|c: char| c.is_ascii_digit());
        if line.is_empty() || begins_item {
            folder.clear();
        }
        let words = line.split('`').skip(1).step_by(2);
        for path in words.filter(|word| word.ends_with(".rs") || word.ends_with('/')) {
            let mut parts = path.splitn(3, '/');
            let (first, second) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            let is_crate = crates.iter().any(|member| member.name == first);
            let at = if is_crate && ["src", "tests", "benches"].contains(&second) {
                folder = format!("crates/{first}/src");
                format!("crates/{path}")
            } else if folder.is_empty() {
                path.to_owned()
            } else {
                format!("{folder}/{path}")
            };
            if !exists(&at) && !exists(path) {
                dead.push(format!("`{path}` leads nowhere: {line}"));
            }
        }
    }
    dead
}

#[test]
fn the_map_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let found = mistakes(&map, &workspace(), |path| root.join(path).exists());
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn what_a_map_gets_wrong_is_seen() {
    let dependencies = vec![("c".to_owned(), false), ("d".to_owned(), true)];
    let crates = [Crate { name: "a".into(), folder: "".into(), dependencies }];
    let files = ["crates/a/src/b.rs", "crates/a/src/b/c.rs", "docs/"];
    let mistakes = |map: &str| mistakes(map, &crates, |path| files.contains(&path)).len();
    let with = |text: &str| format!("| `a` | in | out | c |\n\n{text}");
    assert_eq!(mistakes(&with("- `a/src/b.rs`,\n  `b/c.rs`, and `docs/`")), 0);
    for bad in ["- `a/src/c.rs`", "- `a/src/b.rs`\n- `b/c.rs`", "`b.rs`", "`a/src/b.rs`, `c.rs`", "`d/`"] {
        assert_eq!(mistakes(&with(bad)), 1, "{bad}");
    }
    for bad in ["", "| `b` | in | out | c |", "| `a` | in | out | c, d |", "| `a` | in | out | – |"] {
        assert_eq!(mistakes(bad), 1, "{bad}");
    }
}
