//! Reads a run back from JSON: a whole report of `check --json`, or its `"witness"` alone.

use std::path::Path;

use serde_json::{Map, Value};

use crate::Failure;

/// One step of a run that was written down.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WrittenStep {
    pub(crate) action: String,
    pub(crate) state: Map<String, Value>,
}

/// A run that was written down.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WrittenRun {
    pub(crate) initial: Map<String, Value>,
    pub(crate) steps: Vec<WrittenStep>,
}

/// The first run in a file.
pub(crate) fn read(path: &Path) -> Result<WrittenRun, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path.display(), &error))?;
    let wrong = |what: String| {
        Failure::usage(
            format!("{}: {what}", path.display()),
            "name a report that `pinscher check FILE --json` printed for a violated property",
        )
    };
    let json: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("this is no JSON: {error}")))?;
    let witness = witness(&json).ok_or_else(|| wrong("there is no witness in it".into()))?;
    run(witness).ok_or_else(|| wrong("its witness lacks states or actions".into()))
}

fn witness(json: &Value) -> Option<&Value> {
    if json.get("steps").is_some() {
        return Some(json);
    }
    let properties = json.get("properties")?.as_array()?;
    properties.iter().filter_map(|property| property.get("witness")).find(|witness| witness.is_object())
}

fn run(witness: &Value) -> Option<WrittenRun> {
    let step = |step: &Value| {
        let action = step.get("action")?.as_str()?.to_owned();
        Some(WrittenStep { action, state: step.get("state")?.as_object()?.clone() })
    };
    Some(WrittenRun {
        initial: witness.get("initial")?.as_object()?.clone(),
        steps: witness.get("steps")?.as_array()?.iter().map(step).collect::<Option<_>>()?,
    })
}
