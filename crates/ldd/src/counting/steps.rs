//! How many steps relations have from the vectors of a set, without a set of them being made.
//!
//! A relation touches few slots. What is above its first slot and below its last one multiplies the number of
//! its steps, and need not be looked at for each relation. So two things are counted once for all relations:
//! the paths from the top to each node, and the vectors below each node. A relation is then followed from its
//! first slot to its last. Its steps are the sum, over the nodes at its first slot, of the paths to the node
//! times the steps from there.
//!
//! For example, let the set be all (x, y, z) with values 0 to 9, and the relation test y = 3. There is one
//! node at y, with 10 paths to it. From there the test leads to one node at z, with 10 vectors. That makes 10
//! · 10 = 100 steps.

use num_bigint::BigUint;

use crate::counting::allowance::Allowance;
use crate::counting::numbers::{Any, Tally, Uncounted, step, take};
use crate::counting::rows::{RowCounts, RowsIx, Tested};
use crate::relation::Relation;
use crate::store::by_node::{ByNode, ByPair};
use crate::store::node::{EMPTY, Id, UNIT};
use crate::store::unique::Unique;
use crate::store::{Ldd, Stop, Store};

impl Store {
    /// For each relation: | { (x, row) | x ∈ set, all tests of the row hold of x } |
    ///
    /// That is the number of steps x → y, unless two rows lead from the same x to the same y: one by leaving
    /// a slot as it is and one by writing the value that it has. Of rules one at most counts for an x.
    ///
    /// ```
    /// use ldd::{Change, Rule, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let take = Rule { least: 1, most: u32::MAX, change: Change::Add(1u32.wrapping_neg()) };
    /// let steps = store.rules(2, &[(1, vec![take])])?;
    /// let set = store.vectors([&[7, 0][..], &[7, 5], &[8, 5]])?;
    /// assert_eq!(store.count_steps(&set, &[&steps]), [2u32.into()]);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn count_steps(&self, set: &Ldd, relations: &[&Relation]) -> Vec<BigUint> {
        self.count_steps_within(u64::MAX, set, relations, || true).expect("BUG: nobody broke it off")
    }

    /// The same, as long as `go_on`, which is asked now and then, says yes, and within about so many bytes,
    /// which are not the store's.
    ///
    /// ```
    /// use ldd::{Change, Rule, Stop, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let steps = store.rules(1, &[(0, vec![Rule { least: 0, most: 3, change: Change::Keep }])])?;
    /// let set = store.vectors([&[2][..], &[3], &[4]])?;
    /// assert_eq!(store.count_steps_within(1 << 20, &set, &[&steps], || true), Ok(vec![2u32.into()]));
    /// assert_eq!(store.count_steps_within(10, &set, &[&steps], || true), Err(Stop::OutOfNodes));
    /// assert_eq!(store.count_steps_within(1 << 20, &set, &[&steps], || false), Err(Stop::Interrupted));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn count_steps_within(
        &self,
        room: u64,
        set: &Ldd,
        relations: &[&Relation],
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Vec<BigUint>, Stop> {
        self.assert_owns(set);
        relations.iter().for_each(|relation| self.assert_owns(relation.diagram()));
        let (mut allowance, unique) = (Allowance::new(&mut go_on), &self.inner.unique);
        allowance.room = room;
        let counts = match count::<u128>(unique, set.id, relations, &mut allowance) {
            Ok(counts) => return Ok(counts.into_iter().map(BigUint::from).collect()),
            Err(Uncounted::TooLarge) => {
                allowance.room = room;
                count::<BigUint>(unique, set.id, relations, &mut allowance)
            }
            Err(broken) => Err(broken),
        };
        counts.map_err(
            |broken| if matches!(broken, Uncounted::NoRoom) { Stop::OutOfNodes } else { Stop::Interrupted },
        )
    }

    /// For each relation: whether it leads anywhere from any x ∈ set; or nothing if `go_on`, which is asked
    /// now and then, says no.
    ///
    /// ```
    /// use ldd::{Change, Rule, Store};
    /// let store = Store::with_memory(1 << 24)?;
    /// let from = |least| store.rules(1, &[(0, vec![Rule { least, most: u32::MAX, change: Change::Keep }])]);
    /// let set = store.vectors([&[2][..], &[3]])?;
    /// assert_eq!(store.have_steps_while(&set, &[&from(3)?, &from(4)?], || true), Some(vec![true, false]));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn have_steps_while(
        &self,
        set: &Ldd,
        relations: &[&Relation],
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Vec<bool>> {
        self.assert_owns(set);
        relations.iter().for_each(|relation| self.assert_owns(relation.diagram()));
        let any =
            count::<Any>(&self.inner.unique, set.id, relations, &mut Allowance::new(&mut go_on)).ok()?;
        Some(any.into_iter().map(|Any(any)| any).collect())
    }
}

fn count<T: Tally>(
    unique: &Unique,
    set: Id,
    relations: &[&Relation],
    allowance: &mut Allowance<'_>,
) -> Result<Vec<T>, Uncounted> {
    let levels = paths::<T>(unique, set, allowance)?;
    let vectors = vectors(unique, &levels, allowance)?;
    let mut counts = Vec::with_capacity(relations.len());
    let room = allowance.room;
    for relation in relations {
        // What was written down for the one before is forgotten.
        allowance.room = room;
        let rows = relation.diagram().id;
        let mut sum = T::from(0);
        if set != EMPTY && rows != EMPTY {
            let width = relation.shape().width();
            assert!(levels.len() == width + 1, "BUG: a relation over vectors of another width");
            // One that touches no slot has a step from each vector.
            let height = if rows == UNIT { 0 } else { unique.get(rows).info.height() };
            let mut steps =
                Steps { unique, vectors: &vectors, rows: RowCounts::new(unique), known: ByPair::default() };
            let rows = steps.rows.of(rows, allowance)?;
            for (node, paths) in &levels[width - height as usize] {
                let from_here = steps.from(*node, rows, height, allowance)?;
                sum.add(&paths.times(&from_here)?)?;
            }
        }
        counts.push(sum);
    }
    Ok(counts)
}

/// The lists of each level, and how many ways lead to each from the top; the last level is that of the empty
/// vector.
fn paths<T: Tally>(
    unique: &Unique,
    set: Id,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<Vec<(Id, T)>>, Uncounted> {
    if set == EMPTY {
        return Ok(Vec::new());
    }
    let mut levels = vec![vec![(set, T::from(1))]];
    loop {
        let level = &levels[levels.len() - 1];
        if level[0].0 == UNIT {
            return Ok(levels);
        }
        let mut below: ByNode<T> = ByNode::default();
        for (list, paths) in level {
            let mut rest = *list;
            while rest != EMPTY {
                step(allowance)?;
                let entry = unique.get(rest);
                take::<(Id, T)>(allowance)?;
                below.entry(entry.down).or_insert_with(|| T::from(0)).add(paths)?;
                rest = entry.right;
            }
        }
        levels.push(below.into_iter().collect());
    }
}

/// How many vectors each of the lists has.
fn vectors<T: Tally>(
    unique: &Unique,
    levels: &[Vec<(Id, T)>],
    allowance: &mut Allowance<'_>,
) -> Result<ByNode<T>, Uncounted> {
    let mut known = ByNode::default();
    known.insert(UNIT, T::from(1));
    for &(list, _) in levels.iter().rev().skip(1).flatten() {
        let mut sum = T::from(0);
        let mut rest = list;
        while rest != EMPTY {
            step(allowance)?;
            let entry = unique.get(rest);
            sum.add(&known[&entry.down])?;
            rest = entry.right;
        }
        take::<(Id, T)>(allowance)?;
        known.insert(list, sum);
    }
    Ok(known)
}

/// The steps of one relation.
struct Steps<'s, T> {
    unique: &'s Unique,
    vectors: &'s ByNode<T>,
    rows: RowCounts<'s, T>,
    known: ByPair<T>,
}

impl<T: Tally> Steps<'_, T> {
    /// From the vectors of a list, by these rows; `height` is that of the list.
    fn from(
        &mut self,
        set: Id,
        rows: RowsIx,
        height: u32,
        allowance: &mut Allowance<'_>,
    ) -> Result<T, Uncounted> {
        let tested = match self.rows.get(rows) {
            Tested::Rows(count) => return self.vectors[&set].times(count),
            Tested::Slot(tested, _) => *tested,
        };
        if let Some(known) = self.known.get(&(set, rows)) {
            return Ok(known.clone());
        }
        let (mut sum, mut rest, mut at) = (T::from(0), set, 0);
        while rest != EMPTY {
            step(allowance)?;
            let entry = self.unique.get(rest);
            rest = entry.right;
            if tested < height {
                sum.add(&self.from(entry.down, rows, height - 1, allowance)?)?;
                continue;
            }
            let Tested::Slot(_, ranges) = self.rows.get(rows) else { panic!("BUG: it was a slot") };
            at += ranges[at..].iter().take_while(|(_, most, _)| *most < entry.value).count();
            let Some(&(least, _, below)) = ranges.get(at) else { break };
            if least <= entry.value {
                sum.add(&self.from(entry.down, below, height - 1, allowance)?)?;
            }
        }
        take::<((Id, RowsIx), T)>(allowance)?;
        self.known.insert((set, rows), sum.clone());
        Ok(sum)
    }
}
