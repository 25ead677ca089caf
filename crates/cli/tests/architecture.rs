//! The direction of flow: a dependency between crates against it fails here, with the edge.

use std::process::Command;

use serde_json::Value;

/// A dependency of one crate of the workspace on another.
#[derive(Clone, Debug)]
struct Edge {
    from: String,
    to: String,
    only_in_tests: bool,
}

/// What a crate may depend on; nothing if it is not in the table.
fn allowed(name: &str) -> Option<&'static [&'static str]> {
    match name {
        "base" | "tables" | "native" => Some(&[]),
        "ldd" => Some(&["tables"]),
        "model" => Some(&["base"]),
        "commands" => Some(&["base", "model", "native"]),
        "logic" | "layers" | "engine" | "toys" => Some(&["base", "model"]),
        "language" => Some(&["base", "model", "logic"]),
        "explicit" => Some(&["base", "model", "engine", "tables"]),
        "symbolic" => Some(&["base", "model", "engine", "ldd"]),
        "petri" => Some(&["base", "model"]),
        "lts" => Some(&["base", "model"]),
        "terms" => Some(&["base"]),
        "processes" => Some(&["base", "model", "terms"]),
        "lang-mcrl2" | "lang-mucrl" => Some(&["base", "model", "logic", "language", "terms", "processes"]),
        "lang-pnml" => Some(&["base", "model", "logic", "language", "petri"]),
        _ if name.starts_with("lang-") => Some(&["base", "model", "logic", "language", "commands"]),
        _ => None,
    }
}

/// The edges against the direction of flow, in words.
fn against_the_flow(edges: &[Edge]) -> Vec<String> {
    let wrong = |edge: &&Edge| match edge {
        // The façade knows everyone, and no one knows the façade.
        Edge { to, .. } if to == "pinscher" => true,
        Edge { from, .. } if from == "pinscher" => false,
        Edge { only_in_tests: true, .. } => false,
        Edge { from, to, .. } => !allowed(from).is_some_and(|allowed| allowed.contains(&to.as_str())),
    };
    edges.iter().filter(wrong).map(|edge| format!("{} must not depend on {}", edge.from, edge.to)).collect()
}

fn workspace_edges() -> Vec<Edge> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut edges = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        // Crates of the workspace are depended on by path.
        let inside = package["dependencies"].as_array().unwrap().iter().filter(|d| d["path"].is_string());
        edges.extend(inside.map(|dependency| Edge {
            from: package["name"].as_str().unwrap().to_owned(),
            to: dependency["name"].as_str().unwrap().to_owned(),
            only_in_tests: dependency["kind"] == "dev",
        }));
    }
    edges
}

#[test]
fn dependencies_go_with_the_flow() {
    let edges = workspace_edges();
    assert!(edges.len() > 15, "too few edges to be the workspace: {edges:?}");
    assert_eq!(against_the_flow(&edges), [] as [&str; 0]);
}

#[test]
fn edges_against_the_flow_are_seen() {
    let edge =
        |from: &str, to: &str, only_in_tests: bool| Edge { from: from.into(), to: to.into(), only_in_tests };
    for (bad, from, to, only_in_tests) in [
        (true, "lang-dve", "engine", false),
        (true, "explicit", "lang-dve", false),
        (true, "model", "engine", false),
        (true, "base", "model", false),
        (true, "explicit", "pinscher", true),
        (true, "newcomer", "base", false),
        (false, "lang-dve", "layers", true),
        (false, "lang-newcomer", "commands", false),
        (true, "lang-pnml", "commands", false),
        (true, "lang-mucrl", "commands", false),
        (true, "processes", "lang-mucrl", false),
        (true, "lts", "explicit", false),
        (false, "pinscher", "explicit", false),
    ] {
        let found = against_the_flow(&[edge(from, to, only_in_tests)]);
        assert_eq!(!found.is_empty(), bad, "{from} → {to}: {found:?}");
    }
}
