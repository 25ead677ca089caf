//! Models and measurements as pictures in SVG: the dependency matrix, a net, the nodes at each slot, scatter
//! plots.

pub mod matrix;
pub mod matrix_text;
pub mod net;
mod net_layout;
pub mod nodes;
pub mod scatter;
pub(crate) mod svg;
