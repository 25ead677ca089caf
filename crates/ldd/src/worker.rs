//! A worker runs operations: it owns numbers for new nodes and the stack of what it must not lose.
//!
//! Invariant: whenever a node is made, garbage may be collected. So the operands of each operation, and all
//! that was made on the way to its answer, hang on a handle, on the stack, or on the node that is being made.
//! An answer hangs on nothing: whoever asked pushes it, keeps it, or makes a node of it before anything else
//! is made. And a number that nothing holds may come back as another node: only what is held may be compared.

use crate::cache::{Op, Question};
use crate::node::{EMPTY, Id, Info, Node, UNIT};
use crate::store::{Inner, Stop, Store};

/// What a worker keeps for the next operation.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Numbers for new nodes.
    pub numbers: Vec<Id>,
    /// Parts of lists that are being built. What is on it is not garbage.
    pub pending: Vec<Pending>,
    /// Parts of images that wait to be united.
    pub parts: Vec<crate::image::Part>,
}

impl Scratch {
    /// What must not be collected.
    fn pending(&self) -> impl Iterator<Item = Id> + '_ {
        self.pending.iter().flat_map(|entry| [entry.down, entry.origin])
    }
}

/// An entry of a list that is being built.
#[derive(Clone, Copy)]
pub(crate) struct Pending {
    pub value: u32,
    pub down: Id,
    /// A node with the same value and the same below it, or none: if what comes behind it is the same too, it
    /// is the one.
    pub origin: Id,
}

/// Runs operations on a store.
pub(crate) struct Worker<'s> {
    pub store: &'s Inner,
    /// Whose handles it makes.
    pub owner: &'s Store,
    pub scratch: Scratch,
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
            crate::unique::Found::Old(id) => Ok(id),
            crate::unique::Found::New => {
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
    pub fn known(&self, op: Op, a: Id, b: Id, c: u32) -> (Question, Option<Id>) {
        let question = Question::new(op, a, b, c);
        (question, self.store.cache.get(question))
    }

    #[inline]
    pub fn learn(&self, question: Question, answer: Id) -> Id {
        self.store.cache.put(question, answer);
        answer
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

    /// How many slots the vectors of a set have.
    pub fn height(&self, mut set: Id) -> u32 {
        let mut height = 0;
        while set > UNIT {
            set = self.get(set).down;
            height += 1;
        }
        height
    }

    /// { x | x ∈ a or x ∈ b }; `height` is that of both, or zero where nobody is to help.
    pub fn union(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        if a == b || b == EMPTY {
            return Ok(a);
        }
        if a == EMPTY {
            return Ok(b);
        }
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        let (question, known) = self.known(Op::Union, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        if self.may_split(height) {
            let answer = self.union_split(a, b, height)?;
            return Ok(self.learn(question, answer));
        }
        let mark = self.mark();
        let (mut left, mut right) = (self.get(a), self.get(b));
        let tail = loop {
            match left.value.cmp(&right.value) {
                std::cmp::Ordering::Less => {
                    self.push(left.value, left.down, a);
                    a = left.right;
                    if a == EMPTY {
                        break b;
                    }
                    left = self.get(a);
                }
                std::cmp::Ordering::Greater => {
                    self.push(right.value, right.down, b);
                    b = right.right;
                    if b == EMPTY {
                        break a;
                    }
                    right = self.get(b);
                }
                std::cmp::Ordering::Equal => {
                    let down = self.union(left.down, right.down, height.saturating_sub(1))?;
                    let origin = if down == left.down {
                        a
                    } else if down == right.down {
                        b
                    } else {
                        EMPTY
                    };
                    self.push(left.value, down, origin);
                    (a, b) = (left.right, right.right);
                    if a == b || b == EMPTY {
                        break a;
                    }
                    if a == EMPTY {
                        break b;
                    }
                    (left, right) = (self.get(a), self.get(b));
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.learn(question, answer))
    }

    /// { x | x ∈ a and x ∉ b }; `height` is that of both, or zero where nobody is to help.
    pub fn minus(&mut self, a: Id, b: Id, height: u32) -> Result<Id, Stop> {
        if a == b || a == EMPTY {
            return Ok(EMPTY);
        }
        if b == EMPTY {
            return Ok(a);
        }
        let (question, known) = self.known(Op::Minus, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        if self.may_split(height) {
            let answer = self.minus_split(a, b, height)?;
            return Ok(self.learn(question, answer));
        }
        let mark = self.mark();
        let (mut a, mut b) = (a, b);
        let tail = loop {
            if a == b || a == EMPTY {
                break EMPTY;
            }
            if b == EMPTY {
                break a;
            }
            let (left, right) = (self.get(a), self.get(b));
            match left.value.cmp(&right.value) {
                std::cmp::Ordering::Less => {
                    self.push(left.value, left.down, a);
                    a = left.right;
                }
                std::cmp::Ordering::Greater => b = right.right,
                std::cmp::Ordering::Equal => {
                    let down = self.minus(left.down, right.down, height.saturating_sub(1))?;
                    self.push(left.value, down, if down == left.down { a } else { EMPTY });
                    (a, b) = (left.right, right.right);
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.learn(question, answer))
    }

    /// { x | x ∈ a and x ∈ b }
    pub fn intersect(&mut self, a: Id, b: Id) -> Result<Id, Stop> {
        if a == b || a == EMPTY {
            return Ok(a);
        }
        if b == EMPTY {
            return Ok(EMPTY);
        }
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        let (question, known) = self.known(Op::Intersect, a, b, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let mark = self.mark();
        let tail = loop {
            if a == b {
                break a;
            }
            if a == EMPTY || b == EMPTY {
                break EMPTY;
            }
            let (left, right) = (self.get(a), self.get(b));
            match left.value.cmp(&right.value) {
                std::cmp::Ordering::Less => a = left.right,
                std::cmp::Ordering::Greater => b = right.right,
                std::cmp::Ordering::Equal => {
                    let down = self.intersect(left.down, right.down)?;
                    self.push(left.value, down, if down == left.down { a } else { EMPTY });
                    (a, b) = (left.right, right.right);
                }
            }
        };
        let answer = self.list(mark, tail)?;
        Ok(self.learn(question, answer))
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
