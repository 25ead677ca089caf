//! What can follow a command: the lists of commands that [`Then`] speaks of, each different one once, and
//! which of them lie on a circle.
//!
//! Components by Tarjan, "Depth-first search and linear graph algorithms", 1972. Differs: a stack instead of
//! recursion.

use std::collections::HashMap;

use crate::program::{Program, Then};

/// Commands that are tried where another one has led.
#[derive(Debug)]
pub(crate) struct CommandList {
    pub commands: Vec<u32>,
    /// Only the first enabled one is taken.
    pub first_only: bool,
    /// A path can come back to it.
    pub cyclic: bool,
}

/// The lists of a program.
#[derive(Debug)]
pub(crate) struct Followers {
    pub lists: Vec<CommandList>,
    /// The list that each command goes on with.
    pub of_command: Vec<Option<u32>>,
    /// The lists of each strongly connected component. What can follow a component stands before it.
    pub components: Vec<Vec<u32>>,
}

impl Followers {
    /// # Panics
    /// When an inner command stands before one that is none, or a command is to be followed by one that does
    /// not exist.
    pub fn new(program: &Program) -> Self {
        assert!(
            program.commands.is_sorted_by_key(|command| command.inner),
            "BUG: an inner command before another one"
        );
        let mut known: HashMap<&Then, u32> = HashMap::new();
        let mut lists = Vec::new();
        let mut of_command = Vec::with_capacity(program.commands.len());
        for command in &program.commands {
            let next = command.then.next();
            let exist = next.iter().all(|&number| (number as usize) < program.commands.len());
            assert!(exist, "BUG: `{}` is followed by a command that does not exist", command.name);
            let list = (command.then != Then::Rest).then(|| {
                *known.entry(&command.then).or_insert_with(|| {
                    let first_only = matches!(command.then, Then::First(_));
                    lists.push(CommandList { commands: next.to_vec(), first_only, cyclic: false });
                    lists.len() as u32 - 1
                })
            });
            of_command.push(list);
        }
        let mut followers = Self { lists, of_command, components: Vec::new() };
        followers.components = followers.find_components();
        for at in 0..followers.components.len() {
            let component = &followers.components[at];
            let cyclic = component.len() > 1 || followers.next(component[0]).any(|next| next == component[0]);
            for &list in component {
                followers.lists[list as usize].cyclic = cyclic;
            }
        }
        followers
    }

    /// The lists that the commands of a list go on with.
    pub fn next(&self, list: u32) -> impl Iterator<Item = u32> {
        self.lists[list as usize].commands.iter().filter_map(|&command| self.of_command[command as usize])
    }

    fn find_components(&self) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        let mut components = Vec::new();
        let (mut number, mut low) = (vec![UNSEEN; self.lists.len()], vec![0; self.lists.len()]);
        let mut is_open = vec![false; self.lists.len()];
        let (mut open, mut path) = (Vec::new(), Vec::new());
        let mut seen = 0;
        for root in 0..self.lists.len() as u32 {
            if number[root as usize] == UNSEEN {
                path.push((root, 0));
            }
            while let Some((list, tried)) = path.last_mut() {
                let at = *list as usize;
                if *tried == 0 {
                    (number[at], low[at]) = (seen, seen);
                    seen += 1;
                    open.push(*list);
                    is_open[at] = true;
                }
                let commands = &self.lists[at].commands;
                // A step further than the commands there are: done.
                *tried += 1;
                if let Some(&command) = commands.get(*tried - 1) {
                    match self.of_command[command as usize] {
                        Some(next) if number[next as usize] == UNSEEN => path.push((next, 0)),
                        Some(next) if is_open[next as usize] => low[at] = low[at].min(number[next as usize]),
                        _ => {}
                    }
                    continue;
                }
                path.pop();
                if let Some((above, _)) = path.last() {
                    low[*above as usize] = low[*above as usize].min(low[at]);
                }
                if low[at] == number[at] {
                    let start = open
                        .iter()
                        .rposition(|&other| other as usize == at)
                        .expect("BUG: an open list is missing");
                    let component = open.split_off(start);
                    component.iter().for_each(|&list| is_open[list as usize] = false);
                    components.push(component);
                }
            }
        }
        components
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::program::Command;

    fn followers(next: &[&[u32]]) -> Followers {
        let commands = next.iter().map(|next| Command {
            then: if next.is_empty() { Then::Rest } else { Then::All(next.to_vec()) },
            ..Command::default()
        });
        Followers::new(&Program { commands: commands.collect(), ..Program::default() })
    }

    /// Which commands lie on a circle, by going on from each until nothing new comes.
    #[test]
    fn lists_on_circles_are_found() {
        let mut random = toys::seeded();
        let mut below = |bound: usize| random.below(bound);
        for _ in 0..2000 {
            let count = 1 + below(8);
            let next: Vec<Vec<u32>> =
                (0..count).map(|_| (0..below(3)).map(|_| below(count) as u32).collect()).collect();
            let found = followers(&next.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let reaches = |list: u32| {
                let mut reached: Vec<u32> = found.next(list).collect();
                let mut at = 0;
                while at < reached.len() {
                    let more: Vec<u32> =
                        found.next(reached[at]).filter(|next| !reached.contains(next)).collect();
                    reached.extend(more);
                    at += 1;
                }
                reached
            };
            let place =
                |list: u32| found.components.iter().position(|component| component.contains(&list)).unwrap();
            for list in 0..found.lists.len() as u32 {
                assert_eq!(found.lists[list as usize].cyclic, reaches(list).contains(&list), "{next:?}");
                for after in reaches(list) {
                    assert_eq!(
                        place(list) == place(after),
                        reaches(after).contains(&list) || list == after,
                        "{next:?}"
                    );
                    assert!(place(after) <= place(list), "{next:?}");
                }
            }
        }
    }
}
