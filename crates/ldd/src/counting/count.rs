//! Counting: how many vectors a set has, its members by number, and random ones.

use num_bigint::BigUint;

use crate::counting::allowance::Allowance;
use crate::counting::numbers::{Tally, Uncounted, step};
use crate::store::by_node::ByNode;
use crate::store::node::{Id, UNIT};
use crate::store::unique::Unique;
use crate::store::{Ldd, Store};

impl Store {
    /// |set|
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// assert_eq!(store.count(&store.empty()), 0u32.into());
    /// assert_eq!(store.count(&store.vectors([&[1, 2][..], &[1, 3]])?), 2u32.into());
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn count(&self, set: &Ldd) -> BigUint {
        self.count_while(set, || true).expect("BUG: nobody broke it off")
    }

    /// |set|, or nothing if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[1, 2][..], &[1, 3]])?;
    /// assert_eq!(store.count_while(&set, || true), Some(2u32.into()));
    /// assert_eq!(store.count_while(&set, || false), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn count_while(&self, set: &Ldd, mut go_on: impl FnMut() -> bool) -> Option<BigUint> {
        self.assert_owns(set);
        let (mut allowance, unique) = (Allowance::new(&mut go_on), &self.inner.unique);
        match Counts::<u128>::new(unique).of(set.id, &mut allowance) {
            Ok(count) => Some(count.into()),
            Err(Uncounted::Interrupted) => None,
            Err(Uncounted::NoRoom) => panic!("BUG: there is no end of room"),
            Err(Uncounted::TooLarge) => Counts::<BigUint>::new(unique).of(set.id, &mut allowance).ok(),
        }
    }

    /// The vector with exactly `number` smaller ones in the set, if the set is so large.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[2, 1][..], &[1, 7]])?;
    /// assert_eq!(store.nth(&set, 1u32.into()), Some(vec![2, 1]));
    /// assert_eq!(store.nth(&set, 2u32.into()), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn nth(&self, set: &Ldd, number: BigUint) -> Option<Vec<u32>> {
        self.assert_owns(set);
        let mut counts = Counts::new(&self.inner.unique);
        (number < counts.whole(set.id)).then(|| counts.nth(set.id, number))
    }

    /// A random vector, each with the same probability, if there is one. `random(n)` is to answer a number
    /// below n, each with the same probability; of sets with more than 2⁶⁴ vectors one may then be likelier
    /// than another by a factor of 1 + 2⁻⁶⁴.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let set = store.vectors([&[2, 1][..], &[1, 7], &[3, 3]])?;
    /// assert_eq!(store.sample(&set, |below| below - 1), Some(vec![3, 3]));
    /// assert_eq!(store.sample(&store.empty(), |_| 0), None);
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn sample(&self, set: &Ldd, random: impl FnMut(u64) -> u64) -> Option<Vec<u32>> {
        self.assert_owns(set);
        let mut counts = Counts::new(&self.inner.unique);
        let count = counts.whole(set.id);
        (count != BigUint::ZERO).then(|| counts.nth(set.id, random_below(&count, random)))
    }
}

/// A random number below this one, which is not zero.
fn random_below(end: &BigUint, mut random: impl FnMut(u64) -> u64) -> BigUint {
    if let Ok(small) = u64::try_from(end) {
        return (random(small) % small).into();
    }
    // Two digits more than needed: cutting off favours no number by more than 2⁻⁶⁴, and always ends, as
    // trying again would not.
    let digits = (0..end.bits().div_ceil(32) + 2).map(|_| random(1 << 32) as u32).collect();
    BigUint::new(digits) % end
}

/// How many vectors there are below nodes, as far as asked for.
struct Counts<'s, T> {
    unique: &'s Unique,
    known: ByNode<T>,
}

impl<'s, T: Tally> Counts<'s, T> {
    fn new(unique: &'s Unique) -> Self {
        Self { unique, known: ByNode::default() }
    }

    fn of(&mut self, id: Id, allowance: &mut Allowance<'_>) -> Result<T, Uncounted> {
        if id <= UNIT {
            return Ok(T::from(id));
        }
        if let Some(number) = self.known.get(&id) {
            return Ok(number.clone());
        }
        let mut sum = T::from(0);
        let mut rest = id;
        while rest > UNIT {
            step(allowance)?;
            let entry = self.unique.get(rest);
            sum.add(&self.of(entry.down, allowance)?)?;
            rest = entry.right;
        }
        self.known.insert(id, sum.clone());
        Ok(sum)
    }
}

impl Counts<'_, BigUint> {
    /// However long it takes.
    fn whole(&mut self, id: Id) -> BigUint {
        self.of(id, &mut Allowance::new(&mut || true)).unwrap_or_else(|_| panic!("BUG: nobody broke it off"))
    }

    /// The vector with this number, which is below the count.
    fn nth(&mut self, mut id: Id, mut number: BigUint) -> Vec<u32> {
        let mut vector = Vec::new();
        while id > UNIT {
            let entry = self.unique.get(id);
            let below = self.whole(entry.down);
            if number < below {
                vector.push(entry.value);
                id = entry.down;
            } else {
                number -= below;
                id = entry.right;
            }
        }
        vector
    }
}
