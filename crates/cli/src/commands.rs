//! The commands: a file each.

pub(crate) mod check;
pub(crate) mod check_net;
pub(crate) mod count;
pub(crate) mod documents;
pub(crate) mod lts;
pub(crate) mod mcc;
pub(crate) mod reduce;
pub(crate) mod show;
pub(crate) mod simulate;
