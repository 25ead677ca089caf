//! Reads a run back from JSON: a whole report of `check --json`, or its `"witness"` alone.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::Error;

/// One step of a run that was written down.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenStep {
    /// What was done.
    pub action: String,
    /// The state after it, by the names of slots.
    pub state: Map<String, Value>,
}

/// A run that was written down.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenRun {
    /// The file that it was read from.
    path: PathBuf,
    /// The model that it is a run of, where that was written down too.
    model: Option<String>,
    /// The state it begins in, by the names of slots.
    pub initial: Map<String, Value>,
    /// What is done, one after the other.
    pub steps: Vec<WrittenStep>,
    /// What it shows, in words.
    pub shows: String,
}

/// The first run in a file.
pub fn read(path: &Path) -> Result<WrittenRun, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::File { path: path.to_owned(), error })?;
    let wrong = |what: String| Error::NoRun { path: path.to_owned(), what };
    let json: Value =
        serde_json::from_str(&text).map_err(|error| wrong(format!("this is no JSON: {error}")))?;
    let (witness, property) = witness(&json).ok_or_else(|| wrong("there is no witness in it".into()))?;
    let model = json.get("model").and_then(Value::as_str).map(str::to_owned);
    run(path, model, witness, property).ok_or_else(|| wrong("its witness lacks states or actions".into()))
}

/// The first witness, and the name of the property that it is about.
fn witness(json: &Value) -> Option<(&Value, &str)> {
    if json.get("steps").is_some() {
        return Some((json, "the property"));
    }
    let violated = json.get("properties")?.as_array()?.iter();
    violated
        .filter_map(|property| {
            Some((property.get("witness")?, property.get("name").and_then(Value::as_str)?))
        })
        .find(|(witness, _)| witness.is_object())
}

fn run(path: &Path, model: Option<String>, witness: &Value, property: &str) -> Option<WrittenRun> {
    let step = |step: &Value| {
        let action = step.get("action")?.as_str()?.to_owned();
        Some(WrittenStep { action, state: step.get("state")?.as_object()?.clone() })
    };
    Some(WrittenRun {
        path: path.to_owned(),
        model,
        initial: witness.get("initial")?.as_object()?.clone(),
        steps: witness.get("steps")?.as_array()?.iter().map(step).collect::<Option<_>>()?,
        shows: shows(witness, property),
    })
}

fn shows(witness: &Value, property: &str) -> String {
    let message = witness.pointer("/error/message").and_then(Value::as_str);
    match witness.get("ending").and_then(Value::as_str) {
        Some("deadlock") => "no step is possible".into(),
        Some("label") => format!("{property} is false"),
        Some("loop") => format!("the run goes on for ever, against: {property}"),
        Some("action") => format!("the last step is what is forbidden by: {property}"),
        Some("error") => format!("the model fails: {}", message.unwrap_or("it is not told how")),
        _ => "what it shows is not told".into(),
    }
}

impl WrittenRun {
    /// Refuses to be followed on a model that it is not a run of.
    pub fn check(&self, file_name: &str, initial: &Map<String, Value>) -> Result<(), Error> {
        let (path, on) = (self.path.clone(), file_name.to_owned());
        match &self.model {
            Some(of) if of != file_name => Err(Error::OtherModel { path, of: of.clone(), on }),
            _ if self.initial != *initial => Err(Error::OtherStart { path, on }),
            _ => Ok(()),
        }
    }
}
