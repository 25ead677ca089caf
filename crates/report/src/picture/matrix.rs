//! The dependency matrix as a picture: a coloured cell an access, names at rows and columns, a tooltip a
//! cell.

use std::fmt::Write as _;

use model::{Access, Model};

use super::svg::{escaped, shortened};

/// Cells shrink so that the longer side of the matrix fits this many pixels, within the two sizes below.
const LONGEST: usize = 1600;
const LARGEST_CELL: usize = 16;
const SMALLEST_CELL: usize = 2;
/// Below this, names cannot be read and are left to the tooltips.
const READABLE_CELL: usize = 8;

/// The picture.
pub fn picture(model: &dyn Model) -> String {
    let signature = model.signature();
    let (rows, columns) = (signature.groups.len(), signature.slots.len());
    let cell = (LONGEST / rows.max(columns).max(1)).clamp(SMALLEST_CELL, LARGEST_CELL);
    let named = cell >= READABLE_CELL;
    let margin = |names: &mut dyn Iterator<Item = &str>| {
        let longest = names.map(|name| shortened(name).chars().count()).max().unwrap_or(0);
        if named { 10 + longest * cell * 6 / 10 } else { 10 }
    };
    let left = margin(&mut signature.groups.iter().map(|group| group.name.as_str()));
    let top = margin(&mut signature.slots.iter().map(|slot| slot.name.as_str()));
    let width = (left + columns * cell + 10).max(left + legend_width());
    let height = top + rows * cell + 40;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"{}\">\n\
         <title>Dependency matrix of {}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        cell * 3 / 4,
        escaped(&signature.name)
    );
    if named {
        for (row, group) in signature.groups.iter().enumerate() {
            let (x, y) = (left - 4, top + row * cell + cell * 3 / 4);
            let name = escaped(&shortened(&group.name));
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>");
        }
        for (column, slot) in signature.slots.iter().enumerate() {
            let (x, y) = (left + column * cell + cell * 3 / 4, top - 4);
            let name = escaped(&shortened(&slot.name));
            let _ =
                writeln!(svg, "<text x=\"{x}\" y=\"{y}\" transform=\"rotate(-90 {x} {y})\">{name}</text>");
        }
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"#f4f4f4\"/>",
        columns * cell,
        rows * cell
    );
    cells(model, (left, top), cell, &mut svg);
    legend(left, top + rows * cell + 24, &mut svg);
    svg += "</svg>\n";
    svg
}

fn cells(model: &dyn Model, (left, top): (usize, usize), cell: usize, svg: &mut String) {
    let signature = model.signature();
    for group in signature.group_ixs() {
        for slot in signature.slot_ixs() {
            let access = model.dependencies().access(group, slot);
            let Some((colour, meaning)) = look(access) else { continue };
            let (x, y) = (left + slot.ix() * cell, top + group.ix() * cell);
            let side = if cell > 4 { cell - 1 } else { cell };
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{colour}\">\
                 <title>{} {meaning} {}</title></rect>",
                escaped(&signature.groups[group.ix()].name),
                escaped(&signature.slots[slot.ix()].name)
            );
        }
    }
}

/// The accesses that the legend explains.
const LEGEND: [Access; 4] = [Access::Read, Access::MustWrite, Access::MayWrite, Access::Both];

/// How wide an entry of the legend is: a square, a gap, its words in letters of eleven pixels height, a gap.
fn entry_width(meaning: &str) -> usize {
    28 + meaning.len() * 7
}

fn legend_width() -> usize {
    LEGEND.into_iter().filter_map(look).map(|(_, meaning)| entry_width(meaning)).sum()
}

fn legend(left: usize, y: usize, svg: &mut String) {
    let mut x = left;
    for (colour, meaning) in LEGEND.into_iter().filter_map(look) {
        let _ =
            writeln!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>", y - 9);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\" font-size=\"11\">{meaning}</text>", x + 14);
        x += entry_width(meaning);
    }
}

/// Colour and words of an access; colours that differ for colour-blind eyes too (Okabe and Ito).
fn look(access: Access) -> Option<(&'static str, &'static str)> {
    match access {
        Access::None => None,
        Access::Read => Some(("#56b4e9", "reads")),
        Access::MustWrite => Some(("#d55e00", "writes")),
        Access::MayWrite => Some(("#e69f00", "may write")),
        Access::Both => Some(("#333333", "reads and writes")),
    }
}
