//! The dependency matrix as text: a row a group, a column a slot, `+ r w W -` as in Meijer 2014, definition
//! 3.11.

use std::fmt::Write as _;

use layers::orders::{CountedAccess, Incidence, Spans};
use model::{Dependencies, Model};

use crate::words;

/// The matrix with the numbers of groups before the rows and of slots above the columns, then what the
/// numbers mean.
pub fn text(model: &dyn Model) -> String {
    let signature = model.signature();
    let dependencies = model.dependencies();
    let gutter = digits(signature.groups.len()).max(1);
    let mut text = String::new();
    // Slot numbers are written downwards, a digit a line.
    let height = digits(signature.slots.len()).max(1);
    for digit in (0..height).rev() {
        let _ = write!(text, "{:gutter$} ", "");
        text.extend(signature.slot_ixs().map(|slot| digit_of(slot.ix(), digit)));
        text.push('\n');
    }
    for group in signature.group_ixs() {
        let _ = write!(text, "{group:>gutter$} ");
        text.extend(signature.slot_ixs().map(|slot| dependencies.access(group, slot).letter()));
        text.push('\n');
    }
    text += "\n+ read and written   r read   w always written   W written or copied   - neither\n\n";
    text += &spans(dependencies);
    text += "\nslots\n";
    for slot in signature.slot_ixs() {
        let _ = writeln!(text, "  {slot:>height$}  {}", words::slot(signature, slot));
    }
    text += "groups\n";
    for group in signature.group_ixs() {
        let _ = writeln!(text, "  {group:>gutter$}  {}", words::group(signature, group));
    }
    text
}

/// How far the rows reach (Siminiceanu & Ciardo 2006); less is better for decision diagrams. In brackets the
/// same divided by the size of the matrix.
fn spans(dependencies: &Dependencies) -> String {
    let incidence = Incidence::new(dependencies, CountedAccess::Combined);
    let order: Vec<usize> = (0..incidence.slots()).collect();
    let spans = Spans::of(&incidence, &order);
    format!(
        "event span {} ({:.4})   weighted {:.1} ({:.4})   longest {}\n",
        spans.event,
        spans.event_normalised(),
        spans.weighted(),
        spans.weighted_normalised(),
        spans.longest
    )
}

/// How many digits the numbers below `count` have.
fn digits(count: usize) -> usize {
    count.saturating_sub(1).checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The digit of a number at a power of ten; a blank before its first.
fn digit_of(number: usize, power: usize) -> char {
    let shifted = number / 10usize.pow(u32::try_from(power).unwrap_or(0));
    if shifted == 0 && power > 0 { ' ' } else { char::from(b'0' + (shifted % 10) as u8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_they_need() {
        assert_eq!([0, 1, 10, 11, 100, 101].map(digits), [1, 1, 1, 2, 2, 3]);
        assert_eq!((digit_of(7, 0), digit_of(7, 1), digit_of(70, 1), digit_of(70, 0)), ('7', ' ', '7', '0'));
    }
}
