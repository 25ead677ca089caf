//! Sets of numbers as intervals: the values of a slot that comparisons with constants let through.

use model::Value;

use crate::program::BinaryOp;

/// Numbers that a slot can hold, as intervals: ascending, disjoint, none empty.
pub(crate) struct Intervals(Vec<(i64, i64)>);

impl Intervals {
    /// The numbers `lo ..= hi`, which a slot can hold.
    pub fn new(lo: i64, hi: i64) -> Self {
        Self(if lo <= hi { vec![(lo, hi)] } else { Vec::new() })
    }

    /// Keeps the numbers for which the comparison with the constant is true.
    pub fn keep(&mut self, op: BinaryOp, constant: i32) {
        let c = i64::from(constant);
        let (first, second) = match op {
            BinaryOp::Eq => ((c, c), None),
            BinaryOp::Ne => ((i64::MIN, c - 1), Some((c + 1, i64::MAX))),
            BinaryOp::Lt => ((i64::MIN, c - 1), None),
            BinaryOp::Le => ((i64::MIN, c), None),
            BinaryOp::Gt => ((c + 1, i64::MAX), None),
            BinaryOp::Ge => ((c, i64::MAX), None),
            _ => unreachable!("BUG: {op:?} is no comparison"),
        };
        let kept = self.0.iter().flat_map(|&(lo, hi)| {
            let both = std::iter::once(first).chain(second);
            both.map(move |(least, most)| (lo.max(least), hi.min(most))).filter(|(lo, hi)| lo <= hi)
        });
        self.0 = kept.collect();
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|&(lo, hi)| hi.abs_diff(lo) + 1).sum()
    }

    /// The intervals as a slot holds them, least and greatest, ascending: negative numbers come last.
    pub fn as_held(&self) -> impl Iterator<Item = (Value, Value)> + '_ {
        let part = |least: i64, most: i64| {
            let cut = self.0.iter().map(move |&(lo, hi)| (lo.max(least), hi.min(most)));
            cut.filter(|(lo, hi)| lo <= hi).map(|(lo, hi)| (lo as Value, hi as Value))
        };
        part(0, i64::MAX).chain(part(i64::MIN, -1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{apply, number};

    #[test]
    fn intervals_hold_what_comparisons_let_through() {
        let ops = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
        let tests: Vec<(BinaryOp, i32)> = ops.iter().flat_map(|&op| (-4..=4).map(move |c| (op, c))).collect();
        for &first in &tests {
            for &second in &tests {
                let mut intervals = Intervals::new(-3, 3);
                intervals.keep(first.0, first.1);
                intervals.keep(second.0, second.1);
                let passes = |value: i64| {
                    [first, second].iter().all(|&(op, c)| apply(op, value, i64::from(c)) != Ok(0))
                };
                let mut wanted: Vec<Value> =
                    (-3..=3).filter(|&value| passes(value)).map(|v| v as Value).collect();
                wanted.sort_unstable();
                let held: Vec<Value> = intervals.as_held().flat_map(|(least, most)| least..=most).collect();
                assert_eq!(held, wanted, "{first:?} {second:?}");
                assert_eq!(intervals.len(), wanted.len() as u64);
                assert!(held.iter().all(|&value| (-3..=3).contains(&number(value))));
            }
        }
        assert_eq!(Intervals::new(0, -1).len(), 0);
        let all = Intervals::new(i64::from(i32::MIN), i64::from(i32::MAX));
        assert_eq!(all.as_held().collect::<Vec<_>>(), [(0, 0x7FFF_FFFF), (0x8000_0000, u32::MAX)]);
    }
}
