//! Files below a folder.

use std::path::{Path, PathBuf};

use cli::Failure;

/// Adds all files below a folder whose ending is wanted, in the order of their names.
pub(crate) fn find_files(
    folder: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    found: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(folder.display(), &error);
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    entries.sort_unstable();
    for path in entries {
        if path.is_dir() {
            find_files(&path, is_wanted, found)?;
        } else if path.extension().and_then(|extension| extension.to_str()).is_some_and(is_wanted) {
            found.push(path);
        }
    }
    Ok(())
}
