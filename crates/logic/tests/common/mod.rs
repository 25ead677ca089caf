//! What tests of predicates have in common.

use base::Source;
use logic::Predicate;
use model::Signature;

/// A predicate, or what is wrong with it as a user reads it.
pub fn parse(text: &str, signature: &Signature) -> Result<Predicate, String> {
    let source = Source::new("--invariant", text);
    Predicate::parse(&source, signature).map_err(|problems| base::render_all(&problems, &source, 99))
}
