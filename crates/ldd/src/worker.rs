//! A worker runs operations: it has numbers for new nodes, and a stack of nodes that must not be collected.
//!
//! Invariant: whenever a node is made, garbage may be collected. Before that, an operation sees to it that
//! all it still needs is held: its operands by a handle or by the caller, and what it made on the way by the
//! stack ([`Worker::push`], [`Worker::keep`]) or by the node that is being made. An answer is held by nothing
//! yet, so the caller pushes it, keeps it, or makes a node of it before any other node is made.
//!
//! A number that nothing holds may come back as another node. So only numbers of nodes that are held may be
//! compared.
//!
//! A list is built from its parts: `mark` notes where the stack is, `push` adds an entry, and `list` makes
//! nodes of all entries since the mark, from the last to the first. An entry remembers the node that it came
//! from. If value, what is below and the rest of the list are the same, that node is taken and none is made.

use crate::store::cache::{Op, Question};
use crate::store::node::{EMPTY, Id, Info, Node, UNIT};
use crate::store::scratch::{Pending, Scratch};
use crate::store::unique::Found;
use crate::store::{Inner, Ldd, Stop, Store};

/// Runs operations on a store.
pub(crate) struct Worker<'s> {
    pub store: &'s Inner,
    /// Whose handles it makes.
    pub owner: &'s Store,
    pub scratch: Scratch,
}

impl Store {
    pub(crate) fn worker(&self) -> Worker<'_> {
        Worker::new(self)
    }

    /// Runs an operation on these operands.
    ///
    /// # Panics
    /// When an operand is of another store, where the same number is another node.
    pub(crate) fn run<'o>(
        &self,
        operands: impl IntoIterator<Item = &'o Ldd>,
        operation: impl FnOnce(&mut Worker<'_>) -> Result<Id, Stop>,
    ) -> Result<Ldd, Stop> {
        operands.into_iter().for_each(|operand| self.assert_owns(operand));
        let mut worker = self.worker();
        let id = operation(&mut worker)?;
        // Held before the worker ends: nothing is collected in between.
        Ok(self.own(id))
    }
}

impl<'s> Worker<'s> {
    pub fn new(owner: &'s Store) -> Self {
        let store = &*owner.inner;
        store.gate.enter();
        let scratch = store.scratch.lock().ok().and_then(|mut kept| kept.pop()).unwrap_or_default();
        Self { store, owner, scratch }
    }

    #[inline]
    pub fn get(&self, id: Id) -> Node {
        self.store.unique.get(id)
    }

    /// The list with this entry before `right`: nothing is added where nothing is below.
    #[inline]
    pub fn node(&mut self, value: u32, down: Id, right: Id) -> Result<Id, Stop> {
        self.node_of(Node { value, down, right, info: Info::SET })
    }

    #[inline]
    pub fn node_of(&mut self, node: Node) -> Result<Id, Stop> {
        if node.down == EMPTY {
            return Ok(node.right);
        }
        self.go_on()?;
        let offered = match self.scratch.numbers.last() {
            Some(&number) => number,
            None => {
                if let Some(id) = self.store.unique.find(node) {
                    return Ok(id);
                }
                self.refill(node)?
            }
        };
        match self.store.unique.insert(node, offered) {
            Found::Old(id) => Ok(id),
            Found::New => {
                self.scratch.numbers.pop();
                Ok(offered)
            }
        }
    }

    /// Whether the operation may go on.
    #[inline]
    pub fn go_on(&self) -> Result<(), Stop> {
        if self.store.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
            Err(Stop::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Numbers for new nodes, where there are none left; `node`, which is about to be made, is needed.
    #[cold]
    fn refill(&mut self, node: Node) -> Result<Id, Stop> {
        let mut must_collect = self.store.limits.is_eager;
        loop {
            if !must_collect && self.store.batch(&mut self.scratch.numbers) {
                return self.scratch.numbers.last().copied().ok_or(Stop::OutOfNodes);
            }
            let needed: Vec<Id> = self.scratch.pending().chain([node.down, node.right]).collect();
            // Where another worker collected there may be room, or another collection is due.
            if self.store.gate.alone(&needed, |needed| self.store.maintain(needed, true)) == Some(false) {
                return Err(Stop::OutOfNodes);
            }
            must_collect = false;
        }
    }

    /// Stands at the gate for as long as another worker collects, if one does.
    #[cold]
    pub fn give_way(&mut self) {
        let Self { store, scratch, .. } = self;
        store.gate.give_way(|| {
            // A collection takes all numbers that are not a node's.
            scratch.numbers.clear();
            scratch.pending().collect()
        });
    }

    #[inline]
    pub fn cached(&self, op: Op, a: Id, b: Id, c: u32) -> (Question, Option<Id>) {
        let question = Question::new(op, a, b, c);
        (question, self.store.cache.get(question))
    }

    #[inline]
    pub fn remember(&self, question: Question, answer: Id) -> Id {
        self.store.cache.put(question, answer);
        answer
    }

    /// Whether an operation at this height is to be split into tasks for helpers.
    #[inline]
    pub fn may_split(&self, height: u32) -> bool {
        self.store.tasks.wants_work() && height >= self.store.limits.least_split
    }

    /// Where the list that is built next begins.
    #[inline]
    pub fn mark(&self) -> usize {
        self.scratch.pending.len()
    }

    #[inline]
    pub fn push(&mut self, value: u32, down: Id, origin: Id) {
        if down != EMPTY {
            self.scratch.pending.push(Pending { value, down, origin });
        }
    }

    /// Keeps a node from being collected until the mark is cut off.
    #[inline]
    pub fn keep(&mut self, id: Id) {
        self.scratch.pending.push(Pending { value: 0, down: id, origin: EMPTY });
    }

    #[inline]
    pub fn cut(&mut self, mark: usize) {
        self.scratch.pending.truncate(mark);
    }

    /// One more part of a union, of which the stack has what was united so far since the mark; after the last
    /// part that is the whole, and kept. Unions of as many parts each are united: one after the other, the
    /// whole would be made anew for each part.
    pub fn unite_next(
        &mut self,
        mark: usize,
        part: Id,
        is_last: bool,
        unite: impl Fn(&mut Self, Id, Id) -> Result<Id, Stop>,
    ) -> Result<(), Stop> {
        self.keep(part);
        let mut rank = 0;
        while self.mark() > mark + 1 && (is_last || self.scratch.pending[self.mark() - 2].value == rank) {
            let last = self.mark() - 1;
            let sum = unite(self, self.scratch.pending[last - 1].down, self.scratch.pending[last].down)?;
            rank += 1;
            self.cut(last - 1);
            self.scratch.pending.push(Pending { value: rank, down: sum, origin: EMPTY });
        }
        Ok(())
    }

    /// The list of all that was pushed since the mark, before `tail`.
    #[inline]
    pub fn list(&mut self, mark: usize, tail: Id) -> Result<Id, Stop> {
        self.go_on()?;
        let mut list = tail;
        while self.scratch.pending.len() > mark {
            // Popped only when it is in the list: making a node may collect what nobody holds.
            let Pending { value, down, origin } = self.scratch.pending[self.scratch.pending.len() - 1];
            list = if origin != EMPTY && self.get(origin).right == list {
                origin
            } else {
                self.node(value, down, list)?
            };
            self.scratch.pending.pop();
        }
        Ok(list)
    }

    /// Moves the entries with smaller values to the list that is being built; the answer is the rest.
    #[inline]
    pub fn take_smaller(&mut self, mut list: Id, value: u32) -> Id {
        while list != EMPTY {
            let entry = self.get(list);
            if entry.value >= value {
                break;
            }
            self.push(entry.value, entry.down, list);
            list = entry.right;
        }
        list
    }

    /// What is below the first entry if it has this value, and the entry, which is taken off.
    #[inline]
    pub fn take_equal(&mut self, list: &mut Id, value: u32) -> (Id, Id) {
        if *list != EMPTY {
            let entry = self.get(*list);
            if entry.value == value {
                let origin = std::mem::replace(list, entry.right);
                return (entry.down, origin);
            }
        }
        (EMPTY, EMPTY)
    }

    /// The rest of a list from the first value that is not smaller.
    #[inline]
    pub fn skip_smaller(&self, list: Id, value: u32) -> Id {
        self.store.unique.skip_smaller(list, value)
    }

    /// The rest of a list of ranges from the first that does not end before the value.
    #[inline]
    pub fn skip_ranges(&self, ranges: Id, value: u32) -> Id {
        self.store.unique.skip_ranges(ranges, value)
    }

    /// What the first of the ranges, which does not end before the value, does to it; nothing if it begins
    /// behind it.
    #[inline]
    pub fn change(&self, ranges: Id, value: u32) -> Id {
        self.store.unique.change(ranges, value)
    }

    /// What is below a value in a list.
    pub fn below(&self, list: Id, value: u32) -> Id {
        self.store.unique.below(list, value)
    }

    /// How many slots the vectors of a set have.
    pub fn height(&self, mut set: Id) -> u32 {
        let mut height = 0;
        while set > UNIT {
            set = self.get(set).down;
            height += 1;
        }
        height
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.scratch.pending.clear();
        self.scratch.parts.clear();
        if let Ok(mut kept) = self.store.scratch.lock() {
            kept.push(std::mem::take(&mut self.scratch));
        }
        self.store.gate.leave();
    }
}
