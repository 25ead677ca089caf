//! "Did you mean …?": the known name nearest to one that is not known.

/// The candidate closest to `name` by edit distance, if one is close enough to be a slip of the pen.
///
/// ```
/// assert_eq!(base::closest("ack", ["acks", "data"]), Some("acks"));
/// assert_eq!(base::closest("ack", ["data"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(3).min(3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 3 * limit)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance, one row at a time, case ignored.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
