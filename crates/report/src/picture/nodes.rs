//! The nodes of a set of states as a picture: a bar a slot, from the top of the diagram to its bottom. A good
//! order has short bars; a belly shows which slots stand too far from what they depend on.

use std::fmt::Write as _;

use engine::BigUint;
use model::Signature;

use super::svg::{escaped, shortened};

/// Bars shrink so that all of them fit this many pixels, within the two sizes below.
const HIGHEST: usize = 1600;
const LARGEST_BAR: usize = 16;
const SMALLEST_BAR: usize = 1;
/// Below this, names cannot be read and are left to the tooltips.
const READABLE_BAR: usize = 8;
/// The longest bar.
const LONGEST: usize = 800;

/// The picture; `nodes` are those at each slot of the signature.
pub fn picture(signature: &Signature, nodes: &[u64], states: &BigUint, is_complete: bool) -> String {
    let bar = (HIGHEST / nodes.len().max(1)).clamp(SMALLEST_BAR, LARGEST_BAR);
    let named = bar >= READABLE_BAR;
    let longest_name =
        signature.slots.iter().map(|slot| shortened(&slot.name).chars().count()).max().unwrap_or(0);
    let left = if named { 10 + longest_name * bar * 6 / 10 } else { 10 };
    let (top, most) = (30, nodes.iter().copied().max().unwrap_or(0).max(1));
    let (width, height) = (left + LONGEST + 120, top + nodes.len() * bar + 10);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"{}\">\n\
         <title>Nodes at each slot of {name}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\" font-size=\"12\">{name}: {states} states{} in {} nodes</text>\n",
        bar * 3 / 4,
        if is_complete { "" } else { " so far" },
        nodes.iter().sum::<u64>(),
        name = escaped(&signature.name),
    );
    for (at, (slot, &count)) in signature.slots.iter().zip(nodes).enumerate() {
        let (y, base) = (top + at * bar, top + at * bar + bar * 3 / 4);
        // A slot with one node is to be seen, too.
        let length = (u128::from(count) * LONGEST as u128 / u128::from(most)).max(1);
        let side = if bar > 4 { bar - 1 } else { bar };
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{y}\" width=\"{length}\" height=\"{side}\" fill=\"#56b4e9\">\
             <title>{}: {count} nodes</title></rect>",
            escaped(&slot.name)
        );
        if named {
            let name = escaped(&shortened(&slot.name));
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{name}</text>", left - 4);
            let x = left as u128 + length + 4;
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{base}\">{count}</text>");
        }
    }
    svg += "</svg>\n";
    svg
}
