//! Places that do the same become one: strong bisimulation of places, with data taken as it is written.
//!
//! All places begin in one class (of each colour). Classes are split by what leads from a place: kinds of
//! steps, and the classes they lead to. When nothing is split any more, the places of a class do the same.
//!
//! ```text
//! 0 --a--> 1 --b--> 2        3 --a--> 4 --b--> 5        6 --a--> 7 --c--> 8
//!
//! by kinds of steps    {0, 3, 6}  {1, 4}  {7}  {2, 5, 8}
//! by classes           {0, 3}  {6}  {1, 4}  {7}  {2, 5, 8}
//! ```

use std::collections::HashMap;
use std::hash::Hash;

/// A step from a place to a place; equal kinds are equal steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: usize,
}

/// For each place the first one that does the same. Places with different colours never do.
pub(crate) fn bisimilar<C: Eq + Hash>(colours: &[C], arrows: &[Arrow]) -> Vec<usize> {
    let mut class: Vec<usize> = numbered(colours.iter());
    let mut count = class.iter().max().map_or(0, |most| most + 1);
    let mut from: Vec<Vec<Arrow>> = vec![Vec::new(); colours.len()];
    arrows.iter().for_each(|arrow| from[arrow.from].push(*arrow));
    loop {
        let signature = |place: usize| {
            let mut steps: Vec<(usize, usize)> =
                from[place].iter().map(|arrow| (arrow.kind, class[arrow.to])).collect();
            steps.sort_unstable();
            steps.dedup();
            (class[place], steps)
        };
        let next = numbered((0..colours.len()).map(signature));
        let split = next.iter().max().map_or(0, |most| most + 1);
        class = next;
        if split == count {
            break;
        }
        count = split;
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    class.iter().enumerate().map(|(place, class)| *first.entry(*class).or_insert(place)).collect()
}

/// Numbers that are equal where values are, in the order of first sight.
pub(crate) fn numbered<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut numbers: HashMap<T, usize> = HashMap::new();
    values
        .map(|value| {
            let fresh = numbers.len();
            *numbers.entry(value).or_insert(fresh)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_do_the_same_are_one() {
        let arrow = |from, kind, to| Arrow { from, to, kind };
        // a . b . delta and a . b . delta, and a . c . delta.
        let arrows =
            [arrow(0, 0, 1), arrow(1, 1, 2), arrow(3, 0, 4), arrow(4, 1, 5), arrow(6, 0, 7), arrow(7, 2, 8)];
        assert_eq!(bisimilar(&[(); 9], &arrows), [0, 1, 2, 0, 1, 2, 6, 7, 2]);
        assert_eq!(bisimilar(&[0, 0, 0, 0, 0, 0, 0, 0, 1], &arrows), [0, 1, 2, 0, 1, 2, 6, 7, 8]);
        // A circle of two and one of three.
        let circles = [arrow(0, 0, 1), arrow(1, 0, 0), arrow(2, 0, 3), arrow(3, 0, 4), arrow(4, 0, 2)];
        assert_eq!(bisimilar(&[(); 5], &circles), [0; 5]);
    }
}
