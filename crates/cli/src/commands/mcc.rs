//! stub
use crate::Failure;
use crate::options::Mcc;
use std::io::Write;
pub(crate) fn run(_o: &Mcc, _out: &mut dyn Write, _e: &mut dyn Write) -> Result<u8, Failure> {
    todo!()
}
