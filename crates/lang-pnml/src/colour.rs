//! Symmetric nets, the coloured nets of ISO/IEC 15909-2, and how they become place/transition nets.
//!
//! A colour is a tuple of values of basic sorts (dot, booleans, enumerations, ranges of integers); a product
//! of products is one tuple, and a variable of a product is a variable for each of its parts. So terms are
//! lists of simple things, and a colour is one number.

mod condition;
mod ground;
mod multiset;
mod plan;
mod rule;
mod sorts;
mod table;
mod terms;
mod unfold;

pub(crate) use ground::Limits;
pub(crate) use unfold::unfold;
