//! Files that a model includes, read from disk and joined to it.

use std::path::Path;

use base::{Diagnostic, Source, Span};

use crate::preprocess::{Missing, Options, preprocess};

/// The source with all files that it includes behind it, each named as a user would. What cannot be read is
/// told at its `#include`. Nothing but `#include` is checked.
pub fn gather(source: Source) -> Result<Source, (Source, Vec<Diagnostic>)> {
    gather_with(source, &Options::default())
}

/// The same where macros are defined from outside: they may decide what is included.
pub fn gather_with(mut source: Source, options: &Options) -> Result<Source, (Source, Vec<Diagnostic>)> {
    // Each round finds the files that those of the round before include.
    while source.text().contains("include") {
        let missing = preprocess(&source, options).missing;
        if missing.is_empty() {
            break;
        }
        let mut problems = Vec::new();
        for missing in missing {
            let known =
                source.parts().any(|(name, _)| missing.candidates.iter().any(|candidate| candidate == name));
            if known {
                continue;
            }
            match read(&missing) {
                Err(problem) => problems.push(problem),
                Ok(file) => match source.join(&file) {
                    Ok(joined) => source = joined,
                    Err(refused) => {
                        let problem = Diagnostic { span: Some(missing.span), ..refused.1 };
                        return Err((refused.0, vec![problem]));
                    }
                },
            }
        }
        if !problems.is_empty() {
            return Err((source, problems));
        }
    }
    Ok(source)
}

/// The first file under one of the names.
fn read(missing: &Missing) -> Result<Source, Diagnostic> {
    let found = missing.candidates.iter().find(|name| Path::new(name).exists());
    let Some(name) = found else { return Err(not_found(missing)) };
    let cannot =
        |reason: &str| Diagnostic::error(format!("`{name}` cannot be included: {reason}"), missing.span);
    if Path::new(name).is_dir() {
        return Err(cannot("it is a folder").help("name a file in it"));
    }
    let bytes = std::fs::read(name).map_err(|error| cannot(&error.to_string()))?;
    Source::from_bytes(name.clone(), bytes).map_err(|refused| {
        let (file, problem) = *refused;
        let line = file.position(problem.span.unwrap_or(Span::new(0, 0))).line;
        let reason = format!("{} (line {line})", problem.message);
        Diagnostic { help: problem.help, ..cannot(&reason) }
    })
}

/// The message for a file that is not there.
pub fn not_found(missing: &Missing) -> Diagnostic {
    let tried: Vec<String> = missing.candidates.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::error(format!("the included file `{}` is not found", missing.file), missing.span)
        .label(format!("looked for {}", tried.join(" and ")))
        .help("files are looked for beside the file that includes them, then beside the model")
}
