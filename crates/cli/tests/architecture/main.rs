//! What uses what: crates by the direction of flow, and the modules of a crate without circles; and whether
//! the map of the house is true.

mod circles;
mod comments;
mod flow;
mod map;
mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace.
struct Crate {
    name: String,
    folder: PathBuf,
    /// The crates of the workspace that it depends on; whether that is for tests only.
    dependencies: Vec<(String, bool)>,
}

/// All crates of the workspace, as cargo tells.
fn workspace() -> Vec<Crate> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let member = |package: &Value| {
        // Crates of the workspace are depended on by path.
        let inside = package["dependencies"].as_array().unwrap().iter().filter(|d| d["path"].is_string());
        let manifest = text(&package["manifest_path"]);
        Crate {
            name: text(&package["name"]),
            folder: Path::new(&manifest).parent().unwrap().to_owned(),
            dependencies: inside.map(|d| (text(&d["name"]), d["kind"] == "dev")).collect(),
        }
    };
    let crates: Vec<Crate> = metadata["packages"].as_array().unwrap().iter().map(member).collect();
    assert!(crates.len() > 20, "too few crates to be the workspace: {}", crates.len());
    crates
}

#[test]
fn dependencies_go_with_the_flow() {
    let crates = workspace();
    let wrong: Vec<String> = crates.iter().flat_map(flow::against).collect();
    assert_eq!(wrong, [] as [&str; 0]);
}

#[test]
fn modules_do_not_use_each_other_in_a_circle() {
    let mut found = String::new();
    for member in workspace() {
        let sources = sources::read(&member.folder.join("src"));
        for circle in circles::circles(&sources) {
            found += &format!("{}: {circle}", member.name);
        }
    }
    assert!(found.is_empty(), "\n{found}");
}
