//! The groups of options in help texts. `-h` shows what most people need, `--help` shows all.

/// What is read: the model and its language.
pub(crate) const MODEL: &str = "Model";
/// What is asked.
pub(crate) const QUESTIONS: &str = "What to check";
/// When to give up.
pub(crate) const LIMITS: &str = "Limits";
/// What is printed and written.
pub(crate) const OUTPUT: &str = "Output";
/// How to search.
pub(crate) const SEARCH: &str = "Search";
/// How to search by decision diagrams.
pub(crate) const SYMBOLIC: &str = "Symbolic search";
/// How the model is run and arranged: for those who measure.
pub(crate) const EXPERT: &str = "Expert";
