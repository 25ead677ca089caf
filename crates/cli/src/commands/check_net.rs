//! stub
use crate::Failure;
use crate::options::Check;
use crate::watch::Watch;
use pinscher::{Loaded, Settings};
use report::Outcome;
pub(crate) fn is_meant(options: &Check) -> bool {
    options.property.iter().any(|file| file.extension().is_some_and(|extension| extension == "xml"))
}
pub(crate) fn refuse_others(_options: &Check) -> Result<(), Failure> {
    Ok(())
}
pub(crate) fn outcome(_o: &Check, _l: &Loaded, _s: &Settings, _w: &Watch) -> Result<Outcome, Failure> {
    todo!()
}
