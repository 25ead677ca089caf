//! "Did you mean …?": the known name nearest to one that is not known.

/// The candidate closest to `name` by edit distance, if one is close enough to be a slip of the pen.
///
/// ```
/// assert_eq!(base::closest("ack", ["acks", "data"]), Some("acks"));
/// assert_eq!(base::closest("ack", ["data"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // One letter is near to every other one.
    let limit = match name.chars().count() {
        0 | 1 => 0,
        length => length.div_ceil(3).min(3),
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 3 * limit)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance (insert, delete, replace, swap neighbours: "optimal string alignment"), case ignored.
fn distance(left: &str, right: &str) -> usize {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (left, right) = (lower(left), lower(right));
    // Row i of the table: distances of the first i characters of the left word; two rows back for swaps.
    let (mut last, mut row) = (Vec::new(), (0..=right.len()).collect::<Vec<usize>>());
    for i in 0..left.len() {
        let before = std::mem::replace(&mut last, row);
        row = vec![i + 1];
        for j in 0..right.len() {
            let replaced = last[j] + usize::from(left[i] != right[j]);
            let mut least = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits_and_swaps() {
        for (left, right, wanted) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("eft", "etf", 1),
            ("kitten", "sitting", 3),
            ("ACK", "ack", 0),
        ] {
            assert_eq!(distance(left, right), wanted, "{left} {right}");
        }
    }
}
