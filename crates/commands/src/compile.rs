//! A model as machine code: which routines there are and what each does.
//!
//! *All* successors of a state come from one call, or a few for large models. The routine has a switch on
//! the value of each slot that commands are filed under, and for each value the commands one after the
//! other. The order is the interpreter's. There are also routines for some groups at a time, with and
//! without their guards, and for guards and labels.
//!
//! A routine that meets a fault says no more than that, and the interpreter is asked again. So what fails,
//! and which of several faults counts, is written down once. The interpreter also does what the builder of
//! machine code cannot.

mod expressions;
mod lists;
mod stepper;
mod updates;

use std::collections::BTreeMap;

use base::GuardIx;
use model::Calls;
use native::{Assembler, Builder, Refused, RoutineIx, Routines, Shape, Table};

use crate::code::{CodeRange, Instr, Store};
use crate::coded::{CodedProgram, GuardCode};
use expressions::{Emitter, RowView};
use lists::NativeLists;
pub(crate) use stepper::CompiledStepper;

/// The work that one routine for all successors holds at most, as [`Sizes`] counts it. Compiling takes more
/// than twice the time for twice the routine.
const MOST_IN_ALL: usize = 3000;
/// The same for a routine of some groups.
const MOST_IN_GROUPS: usize = 1000;
/// A model with more work than this is not compiled: it would take longer than about a second.
const MOST_AT_ALL: usize = 1_000_000;
/// Most cells that the successors of a state may need: 64 MiB.
const MOST_ROOM: usize = 1 << 24;

/// The machine code of a model for some calls. What these do not need is empty.
#[derive(Debug)]
pub(crate) struct Native {
    pub routines: Routines,
    /// To be called one after the other for all successors.
    pub all: Vec<RoutineIx>,
    /// The routine of each group, and the number to call it with; one more for the update alone.
    pub groups: Vec<(RoutineIx, i64)>,
    /// The same for guards that are more than a comparison with a constant.
    pub guards: Vec<Option<(RoutineIx, i64)>>,
    pub labels: Vec<(RoutineIx, i64)>,
    /// The lists of commands that go on.
    pub lists: NativeLists,
}

/// Why a model is not compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotCompiled {
    /// It would take too long.
    TooLarge,
    /// The successors of one state may need too much memory at once.
    TooMuchRoom,
    /// A guard or label looks at a scratch variable.
    Scratch,
    /// The assembler says no.
    Refused(Refused),
}

impl std::fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the model is too large to be compiled in reasonable time"),
            Self::TooMuchRoom => write!(f, "the successors of a state may take too much memory at once"),
            Self::Scratch => write!(f, "a condition looks at a variable that is not part of the state"),
            Self::Refused(why) => write!(f, "{why}"),
        }
    }
}

impl From<Refused> for NotCompiled {
    fn from(why: Refused) -> Self {
        Self::Refused(why)
    }
}

/// What is tried for a state: a part of a routine.
enum Candidates<'m> {
    /// The commands of some values of a slot.
    Switch(u32, Vec<(u32, &'m [u32])>),
    /// Commands that ask for no value of a slot.
    Always(&'m [u32]),
}

impl Native {
    /// Compiles a model for some calls.
    pub fn new(coded: &CodedProgram, calls: Calls) -> Result<Self, NotCompiled> {
        let sizes = Sizes::of(coded);
        if sizes.total() > MOST_AT_ALL {
            return Err(NotCompiled::TooLarge);
        }
        if most_successors(coded).saturating_mul(coded.cell_map.slots) > MOST_ROOM {
            return Err(NotCompiled::TooMuchRoom);
        }
        if conditions(coded).any(|range| looks_at_scratch(coded, range)) {
            return Err(NotCompiled::Scratch);
        }
        let shape =
            Shape { width: coded.cell_map.slots, scratch: coded.cell_map.width - coded.cell_map.slots };
        let mut compiler =
            Compiler { coded, assembler: Assembler::new(shape)?, tables: BTreeMap::new(), sizes };
        let (all, groups, guards) = match calls {
            Calls::States => (compiler.all()?, Vec::new(), Vec::new()),
            Calls::Groups => (Vec::new(), compiler.groups()?, compiler.guards()?),
        };
        let labels = compiler.labels()?;
        let lists = compiler.lists()?;
        Ok(Self { routines: compiler.assembler.finish()?, all, groups, guards, labels, lists })
    }
}

struct Compiler<'m> {
    coded: &'m CodedProgram,
    assembler: Assembler,
    tables: BTreeMap<u32, Table>,
    sizes: Sizes,
}

impl<'m> Compiler<'m> {
    fn routine(&mut self, build: impl FnOnce(&mut Emitter<'m, '_, '_>)) -> Result<RoutineIx, Refused> {
        let (coded, tables) = (self.coded, &mut self.tables);
        self.assembler.routine(|builder: &mut Builder<'_>| {
            build(&mut Emitter { coded, builder, tables, known: None, row: RowView::default() });
        })
    }

    fn all(&mut self) -> Result<Vec<RoutineIx>, Refused> {
        let mut routines = Vec::new();
        for parts in self.sizes.cut(self.coded) {
            routines.push(self.routine(|emitter| {
                parts.iter().for_each(|part| emitter.candidates(part));
                emitter.builder.done();
            })?);
        }
        Ok(routines)
    }

    fn groups(&mut self) -> Result<Vec<(RoutineIx, i64)>, Refused> {
        let count = self.coded.signature.groups.len();
        let mut groups = Vec::with_capacity(count);
        let mut first = 0;
        while first < count {
            let end = self.sizes.end_of_some(first).min(count);
            let routine = self.routine(|emitter| emitter.groups(first as u32, end as u32))?;
            groups.extend((0..end - first).map(|number| (routine, 2 * number as i64)));
            first = end;
        }
        Ok(groups)
    }

    fn guards(&mut self) -> Result<Vec<Option<(RoutineIx, i64)>>, Refused> {
        let mut guards = vec![None; self.coded.guards.len()];
        let code = GuardIx::all(guards.len()).filter_map(|guard| match self.coded.guards[guard.ix()] {
            GuardCode::Compare(..) => None,
            GuardCode::Code(range) => Some((guard.ix(), range)),
        });
        let (numbers, ranges): (Vec<usize>, Vec<CodeRange>) = code.unzip();
        for (guard, place) in numbers.into_iter().zip(self.values(&ranges)?) {
            guards[guard] = Some(place);
        }
        Ok(guards)
    }

    fn labels(&mut self) -> Result<Vec<(RoutineIx, i64)>, Refused> {
        self.values(&self.coded.labels.clone())
    }

    /// Routines for the values of expressions.
    fn values(&mut self, ranges: &[CodeRange]) -> Result<Vec<(RoutineIx, i64)>, Refused> {
        let mut places = Vec::with_capacity(ranges.len());
        let mut rest = ranges;
        while !rest.is_empty() {
            let mut size = 0;
            let fits = rest.iter().take_while(|range| {
                size += 5 + range.len();
                size <= MOST_IN_GROUPS
            });
            let (some, others) = rest.split_at(fits.count().max(1));
            let routine = self.routine(|emitter| emitter.values(some))?;
            places.extend((0..some.len()).map(|number| (routine, number as i64)));
            rest = others;
        }
        Ok(places)
    }
}

impl Emitter<'_, '_, '_> {
    fn candidates(&mut self, candidates: &Candidates<'_>) {
        let fault = self.builder.fault();
        match candidates {
            Candidates::Always(groups) => groups.iter().for_each(|&group| self.command(group, true, fault)),
            Candidates::Switch(slot, cases) => {
                let blocks: Vec<_> = cases.iter().map(|&(value, _)| (value, self.builder.block())).collect();
                let next = self.builder.block();
                let on = self.builder.slot(*slot as usize);
                self.builder.switch(on, &blocks, next);
                for ((value, groups), (_, block)) in cases.iter().zip(blocks) {
                    self.builder.enter(block);
                    self.known = Some((*slot, *value));
                    groups.iter().for_each(|&group| self.command(group, true, fault));
                    self.builder.jump(next);
                }
                self.known = None;
                self.builder.enter(next);
            }
        }
    }

    /// Called with twice a number: the group with that number after `first`. With one more: its update.
    fn groups(&mut self, first: u32, end: u32) {
        let fault = self.builder.fault();
        let last = self.builder.block();
        let cases: Vec<_> = (0..2 * (end - first)).map(|number| (number, self.builder.block())).collect();
        let argument = self.builder.argument();
        self.builder.switch(argument, &cases, last);
        for (group, pair) in (first..end).zip(cases.chunks(2)) {
            self.builder.enter(pair[0].1);
            let guards = &self.coded.commands[group as usize].guards;
            let tests: Vec<_> = guards.iter().map(|&guard| self.test_of(guard)).collect();
            self.all_true(&tests, last, fault);
            self.builder.jump(pair[1].1);
            self.builder.enter(pair[1].1);
            self.update(group, last, fault);
        }
        self.builder.enter(last);
        self.builder.done();
    }

    fn values(&mut self, ranges: &[CodeRange]) {
        let fault = self.builder.fault();
        let cases: Vec<_> = (0..ranges.len() as u32).map(|number| (number, self.builder.block())).collect();
        let argument = self.builder.argument();
        self.builder.switch(argument, &cases, fault);
        for (&range, (_, block)) in ranges.iter().zip(cases) {
            self.builder.enter(block);
            let value = self.evaluate(range, fault);
            self.builder.done_with(value);
        }
    }
}

/// How much work commands are: about the instructions that Cranelift gets.
struct Sizes {
    commands: Vec<usize>,
    others: usize,
}

impl Sizes {
    fn of(coded: &CodedProgram) -> Self {
        let store = |store: &Store| match store {
            Store::Constant { .. } => 2,
            Store::Slot { value, .. } => 5 + value.len(),
            Store::Cell { value, index, .. } => 20 + value.len() + index.len(),
        };
        let guard = |guard: &GuardIx| match coded.guards[guard.ix()] {
            GuardCode::Compare(..) => 2,
            GuardCode::Code(range) => 2 + range.len(),
        };
        let copy = 2 * coded.cell_map.slots.div_ceil(4).min(48);
        let commands = coded.commands.iter().map(|command| {
            let stores = command.steps.iter().flat_map(|step| step.start..step.end);
            let stores: usize = stores.map(|number| store(&coded.code.stores[number as usize])).sum();
            let marks = if command.copied.is_empty() { 0 } else { 2 * coded.cell_map.slots.div_ceil(64) };
            10 + copy + marks + command.guards.iter().map(guard).sum::<usize>() + stores
        });
        let commands: Vec<usize> = commands.collect();
        let followers = coded.followers.lists.iter().flat_map(|list| &list.commands);
        let followers: usize = followers.map(|&command| commands[command as usize]).sum();
        Self { commands, others: conditions(coded).map(CodeRange::len).sum::<usize>() + followers }
    }

    fn total(&self) -> usize {
        self.commands.iter().sum::<usize>() + self.others
    }

    /// Behind the last group that goes into one routine with the first.
    fn end_of_some(&self, first: usize) -> usize {
        let mut size = 0;
        let fits = self.commands[first..].iter().take_while(|&&command| {
            size += command;
            size <= MOST_IN_GROUPS
        });
        first + fits.count().max(1)
    }

    /// What is tried for a state, cut into routines.
    fn cut<'m>(&self, coded: &'m CodedProgram) -> Vec<Vec<Candidates<'m>>> {
        let size = |groups: &[u32]| groups.iter().map(|&group| self.commands[group as usize]).sum::<usize>();
        let mut routines: Vec<Vec<Candidates<'m>>> = vec![Vec::new()];
        let mut room = MOST_IN_ALL;
        let mut add = |part: Candidates<'m>, size: usize| {
            if size > room && room < MOST_IN_ALL {
                routines.push(Vec::new());
                room = MOST_IN_ALL;
            }
            room = room.saturating_sub(size);
            routines.last_mut().expect("BUG: no routine").push(part);
        };
        for (slot, cases) in coded.dispatch.buckets() {
            for some in chunks(&cases, |(_, groups)| size(groups)) {
                add(
                    Candidates::Switch(slot, some.to_vec()),
                    some.iter().map(|(_, groups)| size(groups)).sum(),
                );
            }
        }
        for some in chunks(coded.dispatch.always(), |group| size(std::slice::from_ref(group))) {
            add(Candidates::Always(some), size(some));
        }
        routines
    }
}

/// The items in turn, as many at once as one routine holds.
fn chunks<T>(items: &[T], size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut chunks = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        let more = size(item);
        if sum > 0 && sum + more > MOST_IN_ALL {
            chunks.push(&items[start..at]);
            (start, sum) = (at, 0);
        }
        sum += more;
    }
    if start < items.len() {
        chunks.push(&items[start..]);
    }
    chunks
}

/// The most successors that a state can have: one for each command that can be tried.
fn most_successors(coded: &CodedProgram) -> usize {
    let most_of = |(_, cases): (u32, Vec<(u32, &[u32])>)| {
        cases.iter().map(|(_, groups)| groups.len()).max().unwrap_or(0)
    };
    let of_lists = coded.followers.lists.iter().map(|list| list.commands.len()).max().unwrap_or(0);
    of_lists.max(coded.dispatch.buckets().map(most_of).sum::<usize>() + coded.dispatch.always().len())
}

/// The code of guards and labels.
fn conditions(coded: &CodedProgram) -> impl Iterator<Item = CodeRange> {
    let guards = coded.guards.iter().filter_map(|guard| match guard {
        GuardCode::Compare(..) => None,
        GuardCode::Code(range) => Some(*range),
    });
    guards.chain(coded.labels.iter().copied())
}

fn looks_at_scratch(coded: &CodedProgram, range: CodeRange) -> bool {
    let slots = coded.cell_map.slots as u32;
    coded.code.instrs[range.start as usize..range.end as usize].iter().any(|instr| match *instr {
        Instr::Load(slot) | Instr::BinarySlot(_, slot) | Instr::SlotConstant(_, slot, _) => slot >= slots,
        Instr::LoadCell { base, .. } => base >= slots,
        _ => false,
    })
}
