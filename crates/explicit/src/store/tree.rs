//! The tree store: states folded into pairs of shared parts. A handle is the root of a state, which is all
//! that is kept of it beside the parts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base::GroupIx;
use tables::{Path, Roots, Scratch};

use super::growing::{Table, grow};
use super::{Crowded, Store, StorePlan};
use crate::budget::{Account, Exhausted};
use crate::packing::Layout;

/// States in a tree.
pub(crate) struct Tree {
    tree: tables::Tree,
    account: Mutex<Account>,
    threads: usize,
}

/// A worker's own part of the tree.
pub(crate) struct TreeScratch {
    numbers: Scratch,
    /// How states are packed.
    layout: Arc<Layout>,
    /// What each group may change, as a number of one of the paths, and in which round that was found out:
    /// groups are looked at when they have a step, as there may be very many of them, and layouts in their
    /// thousands.
    path_of: Vec<(u32, u32)>,
    /// A layout more, a round more.
    round: u32,
    paths: Vec<Path>,
    /// The paths by the words that may change.
    path_numbers: HashMap<Vec<usize>, u32>,
}

impl Tree {
    /// An empty store.
    pub(crate) fn new(plan: &StorePlan<'_>) -> Option<Self> {
        let tree = tables::Tree::split_at(plan.layout.words(), plan.layout.middle())?;
        Some(Self { tree, account: Mutex::new(Account::new(plan.budget)), threads: plan.threads })
    }

    /// What a group may change, as states are packed now.
    #[cold]
    fn find_path(&self, scratch: &mut TreeScratch, group: GroupIx) {
        let TreeScratch { layout, path_of, round, paths, path_numbers, .. } = scratch;
        let number = *path_numbers.entry(layout.written_words(group)).or_insert_with_key(|written| {
            paths.push(self.tree.path(written));
            paths.len() as u32 - 1
        });
        path_of[group.ix()] = (*round, number);
    }
}

impl Store for Tree {
    type Scratch = TreeScratch;
    type View<'a> = Roots<'a>;

    fn scratch(&self, layout: &Arc<Layout>) -> TreeScratch {
        TreeScratch {
            numbers: self.tree.scratch(),
            path_of: vec![(0, 0); layout.groups().len()],
            layout: Arc::clone(layout),
            round: 1,
            paths: Vec::new(),
            path_numbers: HashMap::new(),
        }
    }

    fn adapt(&self, scratch: &mut TreeScratch, layout: &Arc<Layout>) {
        scratch.layout = Arc::clone(layout);
        scratch.round += 1;
    }

    fn handle_words(&self) -> usize {
        1
    }

    #[inline]
    fn foresee(&self, handle: &[u64]) {
        self.tree.prefetch_halves(handle[0]);
    }

    #[inline]
    fn recall(&self, scratch: &mut TreeScratch, handle: &[u64], words: &mut [u64]) {
        self.tree.unfold(handle[0], &mut scratch.numbers, words);
    }

    #[inline]
    fn key(&self, scratch: &mut TreeScratch, group: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        match group {
            Some(group) => {
                if scratch.path_of[group.ix()].0 != scratch.round {
                    self.find_path(scratch, group);
                }
                let path = &scratch.paths[scratch.path_of[group.ix()].1 as usize];
                self.tree.refold(&mut scratch.numbers, path, words)
            }
            None => self.tree.fold(&mut scratch.numbers, words),
        }
    }

    #[inline]
    fn view(&self) -> Roots<'_> {
        self.tree.view()
    }

    #[inline]
    fn place(view: &Roots<'_>, key: u64) -> Result<u64, Crowded> {
        view.place(key)
    }

    #[inline]
    fn insert(
        view: &Roots<'_>,
        _: &mut TreeScratch,
        (key, place, _): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        handle[0] = key;
        view.insert(place)
    }

    fn contains(&self, _: &mut TreeScratch, key: u64, _: &[u64]) -> bool {
        self.tree.contains(key)
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.tree.roots_are_crowded(states)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        let table = TreeTable { tree: &self.tree, states };
        grow(&table, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner), self.threads)
    }

    fn bytes(&self) -> u64 {
        self.tree.bytes() as u64
    }
}

/// The tree, with as many states as it has.
struct TreeTable<'a> {
    tree: &'a tables::Tree,
    states: u64,
}

impl Table for TreeTable<'_> {
    fn len(&self) -> usize {
        self.states as usize
    }

    fn bytes_with(&self, more: usize) -> u64 {
        self.tree.bytes_after_growth(self.states, more) as u64
    }

    fn grow(&self, more: usize) -> bool {
        self.tree.grow(self.states, more).is_ok()
    }
}
