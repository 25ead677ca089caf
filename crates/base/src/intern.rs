//! Interning: each value of a structured type gets a small number, the same for equal values, in the
//! order of first sight. Shared by all workers, so that the number means the same everywhere.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// A growing two-way table between values and numbers; a value is a string or a slice.
///
/// ```
/// let names = base::Interner::<str>::default();
/// assert_eq!(names.intern("red"), 0);
/// assert_eq!(names.intern("blue"), 1);
/// assert_eq!(names.intern("red"), 0);
/// assert_eq!(&*names.value(1).unwrap(), "blue");
/// ```
#[derive(Debug)]
pub struct Interner<T: ?Sized> {
    table: RwLock<Table<T>>,
}

#[derive(Debug)]
struct Table<T: ?Sized> {
    values: Vec<Arc<T>>,
    numbers: HashMap<Arc<T>, u32>,
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Self {
        Self { table: RwLock::new(Table { values: Vec::new(), numbers: HashMap::new() }) }
    }
}

impl<T: ?Sized + Eq + Hash> Interner<T>
where
    Arc<T>: for<'a> From<&'a T>,
{
    /// The number of this value, a new one if it was never seen.
    pub fn intern(&self, value: &T) -> u32 {
        if let Some(number) = self.number(value) {
            return number;
        }
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = table.numbers.get(value) {
            return number;
        }
        let number = u32::try_from(table.values.len()).expect("BUG: more than 2^32 interned values");
        let value = Arc::from(value);
        table.values.push(Arc::clone(&value));
        table.numbers.insert(value, number);
        number
    }

    /// The number of this value, if it was interned before.
    pub fn number(&self, value: &T) -> Option<u32> {
        self.read().numbers.get(value).copied()
    }

    /// The value with this number.
    pub fn value(&self, number: u32) -> Option<Arc<T>> {
        self.read().values.get(number as usize).cloned()
    }

    /// How many values were interned.
    pub fn len(&self) -> usize {
        self.read().values.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    // A panic cannot leave the table half-written: both pushes come after all that can fail.
    fn read(&self) -> RwLockReadGuard<'_, Table<T>> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }
}
