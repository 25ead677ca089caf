//! What a command and all that can follow it read and write: the matrices of groups from those of commands.
//!
//! A group is the path of commands that begins with its own command. It writes what some command of the path
//! may write. It reads what data-flow analysis calls *live*: a slot that some path looks at before that path
//! has surely written it. The live slots of a list of commands are, over the commands of the list, what the
//! command reads, and what is live behind it and is not surely written by it. Lists that can follow each
//! other in a circle are repeated until nothing is new.
//!
//! Example: `x := 1` goes on with `y := x + z`. The second command reads `x` and `z`. Behind the first one
//! only `z` is live, for `x` is surely written: the group reads `z` and writes `x` and `y`.
//!
//! A path that can come back to a list of commands has to know whether it has been there in the same state.
//! That depends on every slot that is written on the way round, so all of these count as read.

use base::{BitMatrix, ones};
use model::Dependencies;

use super::followers::Followers;
use crate::program::Program;

/// The matrices of groups, and what each command by itself may write.
pub(crate) struct Closed {
    pub groups: Dependencies,
    pub command_writes: BitMatrix,
}

/// A set of slots for each list of commands.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn new(lists: usize, slots: usize) -> Self {
        let words = slots.div_ceil(64);
        Self { words, bits: vec![0; lists * words] }
    }

    fn of(&self, list: u32) -> &[u64] {
        &self.bits[list as usize * self.words..(list as usize + 1) * self.words]
    }

    /// Adds what a function says of each word; answers whether anything is new.
    fn add(&mut self, list: u32, word: impl Fn(&Self, usize) -> u64) -> bool {
        let start = list as usize * self.words;
        let mut is_new = false;
        for at in 0..self.words {
            let more = self.bits[start + at] | word(self, at);
            is_new |= more != self.bits[start + at];
            self.bits[start + at] = more;
        }
        is_new
    }
}

/// From the matrices whose rows are commands, inner ones included, to those of groups. The first `guards`
/// guards are those of groups.
pub(crate) fn close(own: Dependencies, program: &Program, followers: &Followers, guards: usize) -> Closed {
    let slots = own.read.columns();
    let (reads, writes, sure) = closures(&own, followers, slots);
    let groups = program.commands.iter().take_while(|command| !command.inner).count();
    let mut closed = Dependencies::none(slots, groups, guards, own.label_reads.rows());
    for group in 0..groups {
        own.read.ones(group).for_each(|slot| closed.read.set(group, slot));
        own.update_read.ones(group).for_each(|slot| closed.update_read.set(group, slot));
        own.may_write.ones(group).for_each(|slot| closed.may_write.set(group, slot));
        own.must_write.ones(group).for_each(|slot| closed.must_write.set(group, slot));
        let Some(list) = followers.of_command[group] else { continue };
        for slot in ones(reads.of(list)).filter(|&slot| !own.must_write.get(group, slot)) {
            closed.read.set(group, slot);
            closed.update_read.set(group, slot);
        }
        ones(writes.of(list)).for_each(|slot| closed.may_write.set(group, slot));
        ones(sure.of(list)).for_each(|slot| closed.must_write.set(group, slot));
    }
    for guard in 0..guards {
        own.tests.ones(guard).for_each(|slot| closed.tests.set(guard, slot));
    }
    closed.label_reads = own.label_reads;
    Closed { groups: closed, command_writes: own.may_write }
}

/// What is read, may be written and is surely written from where the commands of each list are tried.
fn closures(own: &Dependencies, followers: &Followers, slots: usize) -> (Sets, Sets, Sets) {
    let sets = || Sets::new(followers.lists.len(), slots);
    let (mut reads, mut writes, mut sure) = (sets(), sets(), sets());
    let mut component_of = vec![0; followers.lists.len()];
    for (number, component) in followers.components.iter().enumerate() {
        component.iter().for_each(|&list| component_of[list as usize] = number);
    }
    for component in &followers.components {
        let is_within = |list: u32| component_of[list as usize] == component_of[component[0] as usize];
        let commands = |list: u32| {
            let commands = followers.lists[list as usize].commands.iter().map(|&command| command as usize);
            commands.map(|command| (command, followers.of_command[command]))
        };
        // What is written on the way round is the same for all of them.
        let mut round = vec![0; reads.words];
        for (command, next) in component.iter().flat_map(|&list| commands(list)) {
            if next.is_some_and(is_within) {
                round.iter_mut().zip(&*own.may_write.row(command)).for_each(|(round, word)| *round |= word);
            }
        }
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &list in component {
                is_new |= reads.add(list, |_, at| round[at]);
                for (command, next) in commands(list) {
                    is_new |= reads.add(list, |reads, at| {
                        let later =
                            next.map_or(0, |next| reads.of(next)[at] & !own.must_write.row(command)[at]);
                        own.read.row(command)[at] | later
                    });
                    is_new |= writes.add(list, |writes, at| {
                        own.may_write.row(command)[at] | next.map_or(0, |next| writes.of(next)[at])
                    });
                }
            }
        }
        let [list] = component[..] else { continue };
        let only = &followers.lists[list as usize];
        // Where none need be enabled, the path may end here.
        if only.first_only && !only.cyclic && !only.commands.is_empty() {
            sure.add(list, |sure, at| {
                let of_one = |(command, next): (usize, Option<u32>)| {
                    own.must_write.row(command)[at] | next.map_or(0, |next| sure.of(next)[at])
                };
                commands(list).map(of_one).fold(!0, |all, one| all & one)
            });
        }
    }
    (reads, writes, sure)
}
