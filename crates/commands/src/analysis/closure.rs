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

use base::Runs;

use super::AccessSets;
use super::followers::Followers;
use crate::program::Program;

/// Most runs of slots in all of these sets together: half a gibibyte.
const MOST_RUNS: usize = 1 << 26;

/// What is read, may be written and is surely written from where the commands of a list are tried.
#[derive(Clone, Default)]
struct FollowingAccess {
    reads: Runs,
    writes: Runs,
    sure: Runs,
}

/// From what commands do by themselves, inner ones included, to what groups do; nothing if that is more than
/// can be kept.
pub(crate) fn close(own: &[AccessSets], program: &Program, followers: &Followers) -> Option<Vec<AccessSets>> {
    let ahead = closures(own, followers)?;
    let groups = program.commands.iter().take_while(|command| !command.inner);
    let mut runs = 0;
    let closed = groups.zip(own).zip(&followers.of_command).map(|((_, own), &list)| {
        let mut access = own.clone();
        if let Some(list) = list {
            let FollowingAccess { reads, writes, sure } = &ahead[list as usize];
            let reads = reads.without(&own.must_write);
            access.read.add(&reads);
            access.update_read.add(&reads);
            access.may_write.add(writes);
            access.must_write.add(sure);
        }
        runs += access.read.len() + access.may_write.len();
        (runs <= MOST_RUNS).then_some(access)
    });
    closed.collect()
}

/// The same for each list of commands.
fn closures(own: &[AccessSets], followers: &Followers) -> Option<Vec<FollowingAccess>> {
    let mut ahead = vec![FollowingAccess::default(); followers.lists.len()];
    let mut component_of = vec![0; followers.lists.len()];
    for (number, component) in followers.components.iter().enumerate() {
        component.iter().for_each(|&list| component_of[list as usize] = number);
    }
    let mut runs = 0;
    for component in &followers.components {
        let is_within = |list: u32| component_of[list as usize] == component_of[component[0] as usize];
        let commands = |list: u32| {
            let commands = followers.lists[list as usize].commands.iter().map(|&command| command as usize);
            commands.map(|command| (&own[command], followers.of_command[command]))
        };
        // What is written on the way round is the same for all of them.
        let mut round = Runs::default();
        for (command, next) in component.iter().flat_map(|&list| commands(list)) {
            if next.is_some_and(is_within) {
                round.add(&command.may_write);
            }
        }
        component.iter().for_each(|&list| ahead[list as usize].reads = round.clone());
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &list in component {
                let FollowingAccess { mut reads, mut writes, sure } =
                    std::mem::take(&mut ahead[list as usize]);
                for (command, next) in commands(list) {
                    is_new |= reads.add(&command.read) | writes.add(&command.may_write);
                    // Of the list itself nothing more is to be learned.
                    if let Some(next) = next.filter(|&next| next != list) {
                        let next = &ahead[next as usize];
                        is_new |= reads.add(&next.reads.without(&command.must_write));
                        is_new |= writes.add(&next.writes);
                    }
                }
                ahead[list as usize] = FollowingAccess { reads, writes, sure };
            }
        }
        if let [list] = component[..] {
            ahead[list as usize].sure = sure_writes(list, followers, own, &ahead);
        }
        for &list in component {
            let FollowingAccess { reads, writes, sure } = &ahead[list as usize];
            runs += reads.len() + writes.len() + sure.len();
        }
        if runs > MOST_RUNS {
            return None;
        }
    }
    Some(ahead)
}

/// What is surely written from where a list by itself is tried.
fn sure_writes(list: u32, followers: &Followers, own: &[AccessSets], ahead: &[FollowingAccess]) -> Runs {
    let only = &followers.lists[list as usize];
    // Where none need be enabled, the path may end here.
    if !only.first_only || only.cyclic {
        return Runs::default();
    }
    let of_one = |&command: &u32| {
        let mut sure = own[command as usize].must_write.clone();
        if let Some(next) = followers.of_command[command as usize] {
            sure.add(&ahead[next as usize].sure);
        }
        sure
    };
    only.commands.iter().map(of_one).reduce(|all, one| all.common(&one)).unwrap_or_default()
}
