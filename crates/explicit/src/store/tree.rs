//! The tree store: states folded into pairs of shared parts. A handle is the root of a state, which is all that is kept of it beside the parts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use base::GroupIx;
use tables::{Path, Roots, Scratch};

use super::{Blueprint, Crowded, Store};
use crate::budget::{Account, Exhausted};
use crate::growing::{Table, grow};

/// States in a tree.
pub(crate) struct Tree {
    tree: tables::Tree,
    /// Of each state.
    chunks: usize,
    /// What each group may change, as a number of one of the paths.
    path_of: Vec<u32>,
    paths: Vec<Path>,
    account: Mutex<Account>,
}

/// A worker's own part of the tree.
pub(crate) struct Desk {
    scratch: Scratch,
    chunks: Vec<u32>,
}

impl Tree {
    /// An empty store.
    pub(crate) fn new(plan: &Blueprint<'_>) -> Option<Self> {
        let (bits, middle) = plan.layout.chunks();
        let tree = tables::Tree::split_at(bits, middle)?;
        let mut numbers: HashMap<Vec<usize>, u32> = HashMap::new();
        let mut paths = Vec::new();
        let path_of = plan.layout.groups().map(|group| {
            let written = plan.layout.written_chunks(group);
            *numbers.entry(written).or_insert_with_key(|written| {
                paths.push(tree.path(written));
                paths.len() as u32 - 1
            })
        });
        let path_of = path_of.collect();
        Some(Self { tree, chunks: bits.len(), path_of, paths, account: Mutex::new(Account::new(plan.budget)) })
    }
}

impl Desk {
    #[inline]
    fn cut(&mut self, words: &[u64]) {
        for (two, word) in self.chunks.chunks_mut(2).zip(words) {
            two[0] = *word as u32;
            if let [_, upper] = two {
                *upper = (word >> u32::BITS) as u32;
            }
        }
    }
}

impl Store for Tree {
    type Desk = Desk;
    type View<'a> = Roots<'a>;

    fn desk(&self) -> Desk {
        Desk { scratch: self.tree.scratch(), chunks: vec![0; self.chunks] }
    }

    fn handle_words(&self) -> usize {
        1
    }

    #[inline]
    fn foresee(&self, handle: &[u64]) {
        self.tree.prefetch_nodes(handle[0]);
    }

    #[inline]
    fn recall(&self, desk: &mut Desk, handle: &[u64], words: &mut [u64]) {
        self.tree.unfold(handle[0], &mut desk.scratch, &mut desk.chunks);
        for (two, word) in desk.chunks.chunks(2).zip(words) {
            let upper = two.get(1).copied().unwrap_or(0);
            *word = u64::from(two[0]) | u64::from(upper) << u32::BITS;
        }
    }

    #[inline]
    fn key(&self, desk: &mut Desk, group: Option<GroupIx>, words: &[u64]) -> Result<u64, Crowded> {
        match group {
            Some(group) => {
                let path = &self.paths[self.path_of[group.ix()] as usize];
                self.tree.refold(&mut desk.scratch, path, |at| (words[at / 2] >> (at % 2 * 32)) as u32)
            }
            None => {
                desk.cut(words);
                self.tree.fold(&mut desk.scratch, &desk.chunks)
            }
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
        _: &mut Desk,
        (key, place, _): (u64, u64, &[u64]),
        handle: &mut [u64],
    ) -> Result<bool, Crowded> {
        handle[0] = key;
        view.insert(place)
    }

    fn contains(&self, _: &mut Desk, key: u64, _: &[u64]) -> bool {
        self.tree.contains(key)
    }

    #[inline]
    fn is_crowded(&self, states: u64) -> bool {
        self.tree.roots_are_crowded(states)
    }

    fn grow(&self, states: u64) -> Result<(), Exhausted> {
        let table = Counted { tree: &self.tree, states };
        grow(&table, &mut self.account.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn bytes(&self) -> u64 {
        self.tree.bytes() as u64
    }
}

/// The tree, with as many states as it has.
struct Counted<'a> {
    tree: &'a tables::Tree,
    states: u64,
}

impl Table for Counted<'_> {
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
