//! Lists of commands that go on as machine code: one call for all that are tried in a state, a few for long
//! lists.

use std::ops::Range;

use native::{Refused, RoutineIx};

use super::expressions::Emitter;
use super::{Compiler, MOST_IN_GROUPS, chunks};

/// The lists of a model.
#[derive(Debug)]
pub(crate) struct NativeLists {
    lists: Vec<NativeList>,
    /// Routines, and the numbers to call them with.
    parts: Vec<(RoutineIx, i64)>,
}

#[derive(Debug)]
struct NativeList {
    /// To be called one after the other.
    parts: Range<usize>,
    /// No more of them once there is a successor.
    first_only: bool,
}

impl NativeLists {
    /// The routines of a list, with the numbers to call them with, one after the other; and whether the first
    /// successor is enough.
    #[inline]
    pub fn parts(&self, list: u32) -> (&[(RoutineIx, i64)], bool) {
        let list = &self.lists[list as usize];
        (&self.parts[list.parts.clone()], list.first_only)
    }
}

impl Compiler<'_> {
    pub fn lists(&mut self) -> Result<NativeLists, Refused> {
        let coded = self.coded;
        let size = |command: &u32| self.sizes.commands[*command as usize];
        let mut lists = Vec::with_capacity(coded.followers.lists.len());
        let mut parts: Vec<(&[u32], bool)> = Vec::new();
        for list in &coded.followers.lists {
            let start = parts.len();
            parts.extend(chunks(&list.commands, size).into_iter().map(|part| (part, list.first_only)));
            lists.push(NativeList { parts: start..parts.len(), first_only: list.first_only });
        }
        let mut places = Vec::with_capacity(parts.len());
        let mut rest = &parts[..];
        while !rest.is_empty() {
            let mut total = 0;
            let fits = rest.iter().take_while(|(part, _)| {
                total += part.iter().map(|command| self.sizes.commands[*command as usize]).sum::<usize>();
                total <= MOST_IN_GROUPS
            });
            let (some, others) = rest.split_at(fits.count().max(1));
            let routine = self.routine(|emitter| emitter.list_parts(some))?;
            places.extend((0..some.len()).map(|number| (routine, number as i64)));
            rest = others;
        }
        Ok(NativeLists { lists, parts: places })
    }
}

impl Emitter<'_, '_, '_> {
    /// Called with a number: the successors by the commands of the list with that number, or by the first
    /// enabled one only.
    fn list_parts(&mut self, lists: &[(&[u32], bool)]) {
        let fault = self.builder.fault();
        let last = self.builder.block();
        let cases: Vec<_> = (0..lists.len() as u32).map(|number| (number, self.builder.block())).collect();
        let argument = self.builder.argument();
        self.builder.switch(argument, &cases, last);
        for (&(commands, first_only), (_, block)) in lists.iter().zip(cases) {
            self.builder.enter(block);
            for &command in commands {
                let guards = &self.coded.commands[command as usize].guards;
                let tests: Vec<_> = guards.iter().map(|&guard| self.test_of(guard)).collect();
                let next = self.builder.block();
                self.all_true(&tests, next, fault);
                self.update(command, if first_only { last } else { next }, fault);
                self.builder.enter(next);
            }
            self.builder.jump(last);
        }
        self.builder.enter(last);
        self.builder.done();
    }
}
