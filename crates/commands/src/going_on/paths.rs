//! The paths from a first step, depth first with an explicit stack.
//!
//! A path that comes back to a point where it has been, in the same state with the same commands to try, has
//! no end there and is cut. Keeping every point of a path to find that out would cost a copy of the state
//! for each step. Two things are kept instead:
//!
//! - The points where the path has branched, as long as it goes on from them. Each new branching point is
//!   looked up among them.
//! - Between two branching points one step leads to one other. If such a stretch comes back to a point of
//!   itself it never ends. That is found by Brent, "An improved Monte Carlo factorization algorithm", 1980:
//!   a point is kept after 2ᵏ steps, and the points behind it are compared with it.
//!
//! If a stretch comes back to a point before itself, it follows the old path to where that has branched, and
//! is found there. So every return is found. It is found later than it happens, but nothing ends in between,
//! so the same ends are reported. Lists of commands that lie on no circle are not looked up at all.
//!
//! Example: `do :: x = 1 - x od` in an atomic sequence is a stretch without an end, with `x` = 0, 1, 0, 1,
//! …. The point after 8 steps has `x` = 0 and is kept; two steps later `x` is 0 again, and the path is cut.
//!
//! A path that is cut is a run of the model all the same, only one that no state shows. Where others from the
//! same first step end, they stand for it: to the search, what it does forever is to wait. Where none does,
//! or none has its alarm, the step cannot be told, and that is a limit of this tool.
//!
//! While a path has one way to go it goes in place ([`Evaluator::advance`]): a step costs what it touches,
//! however wide a state is. So loops of millions of steps, as those over a large array, end soon.

use base::{GroupIx, Runs};
use model::{EvalError, EvalErrorKind, Successor, Successors, Value};

use super::on_path::OnPath;
use crate::coded::CodedProgram;
use crate::evaluator::{Advance, Evaluator};
use crate::interpreter::mark;

/// Most cells that their ends and what waits may need: 1 GiB.
const MOST_CELLS: usize = 1 << 28;
/// Steps in a row before the first point is kept.
const FIRST_KEPT: u64 = 8;

/// What is the same for all paths from a first step.
#[derive(Clone, Copy)]
pub(crate) struct FirstStep<'a> {
    pub group: GroupIx,
    pub action: Value,
    /// The slots that are written or copied.
    pub copied: &'a Runs,
}

/// What is known of a path beside the state it has come to.
#[derive(Clone, Copy, Default)]
struct PathHead {
    /// The last command.
    command: u32,
    /// The list of commands to be tried next.
    list: u32,
    /// The action of the first alarm.
    alarm: Option<Value>,
}

/// A row of the stack.
enum StackRow {
    /// A state from where a path is yet to go on.
    Waiting(PathHead),
    /// The state where the path that leads to the rows above has branched.
    Branched,
}

/// The paths from a first step. Buffers are kept for the next one.
pub(crate) struct Paths<'a> {
    coded: &'a CodedProgram,
    /// The state that the path has come to, with the scratch behind it.
    here: Vec<Value>,
    next: Successors,
    path: PathHead,
    /// The slots that the path has left as they were, if anybody wants to know.
    untouched: Vec<u64>,
    stack: Successors,
    rows: Vec<StackRow>,
    /// The slots left as they were on the way to each waiting row.
    untouched_before: Vec<u64>,
    branched: OnPath,
    cycle_search: CycleSearch,
    cuts: CutPaths,
}

/// What is known of paths that never end.
#[derive(Default)]
struct CutPaths {
    /// The last command of one of them.
    command: Option<u32>,
    /// Their alarms, each once.
    alarms: Vec<Value>,
}

impl CutPaths {
    fn add(&mut self, path: PathHead) {
        self.command = Some(path.command);
        if let Some(alarm) = path.alarm.filter(|alarm| !self.alarms.contains(alarm)) {
            self.alarms.push(alarm);
        }
    }
}

impl<'a> Paths<'a> {
    pub fn new(coded: &'a CodedProgram) -> Self {
        let buffer = || Successors::new(coded.cell_map.slots);
        Self {
            coded,
            here: vec![0; coded.cell_map.width],
            next: buffer(),
            path: PathHead::default(),
            untouched: Vec::new(),
            stack: buffer(),
            rows: Vec::new(),
            untouched_before: Vec::new(),
            branched: OnPath::default(),
            cycle_search: CycleSearch::default(),
            cuts: CutPaths::default(),
        }
    }

    /// Appends the ends of all paths from a first step. After an error some may have been appended.
    pub fn ends(
        &mut self,
        evaluator: &mut impl Evaluator,
        first: Successor<'_>,
        first_step: FirstStep<'_>,
        to: &mut Successors,
    ) -> Result<(), EvalError> {
        self.begin(first, first_step);
        let before = to.len();
        let mut steps = 0;
        loop {
            steps += 1;
            let rows = to.len() - before + self.stack.len();
            if steps > self.coded.most_steps {
                let most = format!("one step takes more than {} statements", self.coded.most_steps);
                return Err(self.error(self.path.command, EvalErrorKind::Limit(most)));
            }
            if rows.saturating_mul(self.here.len()) > MOST_CELLS {
                let most = "one step can end in more ways than fit a gibibyte".to_owned();
                return Err(self.error(self.path.command, EvalErrorKind::Limit(most)));
            }
            let goes_on = match evaluator.advance(self.path.list, &mut self.here, &mut self.untouched)? {
                Advance::By(command) => self.arrive(command, first_step, to)?,
                Advance::Nowhere => self.rest(first_step, to)?,
                Advance::Undone => {
                    self.next.clear();
                    let state = &self.here[..self.coded.cell_map.slots];
                    evaluator.list(self.path.list, state, &mut self.next)?;
                    match self.next.len() {
                        0 => self.rest(first_step, to)?,
                        1 => self.step(first_step, to)?,
                        _ => {
                            self.branch(first_step, to);
                            false
                        }
                    }
                }
            };
            if !goes_on && !self.go_back() {
                return self.all_is_told(before, to);
            }
        }
    }

    fn error(&self, command: u32, kind: EvalErrorKind) -> EvalError {
        EvalError { kind, span: self.coded.command_spans(command).first().copied() }
    }

    /// Whether the ends show what there is to see. A path without an end cannot be shown: if there are no
    /// others it would look as if nothing could be done, and nobody would hear its alarm.
    fn all_is_told(&self, before: usize, to: &Successors) -> Result<(), EvalError> {
        let Some(command) = self.cuts.command else { return Ok(()) };
        let is_heard = |alarm: &Value| (before..to.len()).any(|at| to.get(at).action == *alarm);
        match to.len() > before && self.cuts.alarms.iter().all(is_heard) {
            true => Ok(()),
            false => {
                let endless = "an atomic sequence can go on for ever, which no state shows".to_owned();
                Err(self.error(command, EvalErrorKind::Limit(endless)))
            }
        }
    }

    fn begin(&mut self, first: Successor<'_>, first_step: FirstStep<'_>) {
        self.stack.clear();
        self.rows.clear();
        self.untouched_before.clear();
        self.branched.clear();
        self.cycle_search.begin();
        self.cuts = CutPaths::default();
        self.here[..first.state.len()].copy_from_slice(first.state);
        let command = first.group.ix() as u32;
        let list = self.coded.commands[first.group.ix()].list.expect("BUG: a command that rests goes on");
        self.path = PathHead { command, list, alarm: self.alarm(None, command) };
        mark(first_step.copied, self.coded.cell_map.slots, &mut self.untouched);
        take_out_written(self.coded, first, &mut self.untouched);
    }

    fn alarm(&self, before: Option<Value>, command: u32) -> Option<Value> {
        let command = &self.coded.commands[command as usize];
        before.or(command.alarm.then_some(command.action))
    }

    /// Goes the only step there is, which is in the buffer. Answers whether the path goes on from there.
    fn step(&mut self, first_step: FirstStep<'_>, to: &mut Successors) -> Result<bool, EvalError> {
        let step = self.next.get(0);
        take_out_written(self.coded, step, &mut self.untouched);
        self.here[..step.state.len()].copy_from_slice(step.state);
        self.arrive(step.group.ix() as u32, first_step, to)
    }

    /// A command has led here. Answers whether the path goes on.
    fn arrive(
        &mut self,
        command: u32,
        first_step: FirstStep<'_>,
        to: &mut Successors,
    ) -> Result<bool, EvalError> {
        let coded = self.coded;
        let alarm = self.alarm(self.path.alarm, command);
        let Some(list) = coded.commands[command as usize].list else {
            end(to, first_step, alarm, &self.here[..coded.cell_map.slots], &self.untouched);
            return Ok(false);
        };
        let first_only = coded.followers.lists[self.path.list as usize].first_only;
        self.path = PathHead { command, list, alarm };
        if !coded.followers.lists[list as usize].cyclic {
            return Ok(true);
        }
        match self.cycle_search.step(list, &self.here[..coded.cell_map.slots], first_only) {
            Visit::New => Ok(true),
            Visit::Again => {
                self.cuts.add(self.path);
                Ok(false)
            }
            Visit::AgainForEver => Err(self.error(command, EvalErrorKind::Endless)),
        }
    }

    /// Nothing can be done here: the path ends, unless it may not wait.
    fn rest(&mut self, first_step: FirstStep<'_>, to: &mut Successors) -> Result<bool, EvalError> {
        if self.coded.followers.lists[self.path.list as usize].first_only {
            return Err(self.error(self.path.command, EvalErrorKind::Blocked));
        }
        end(to, first_step, self.path.alarm, &self.here[..self.coded.cell_map.slots], &self.untouched);
        Ok(false)
    }

    /// Goes several steps: ends are appended, what goes on waits.
    fn branch(&mut self, first_step: FirstStep<'_>, to: &mut Successors) {
        let coded = self.coded;
        let PathHead { list, alarm, .. } = self.path;
        if coded.followers.lists[list as usize].cyclic {
            let (row, stack, state) = (self.stack.len(), &self.stack, &self.here[..coded.cell_map.slots]);
            if !self.branched.enter(list, state, row as u32, |row| stack.state(row as usize)) {
                self.cuts.add(self.path);
                return;
            }
            self.stack.push(first_step.group, first_step.action, state);
            self.rows.push(StackRow::Branched);
        }
        // The last one to wait is the first to go on.
        for at in (0..self.next.len()).rev() {
            let step = self.next.get(at);
            let command = step.group.ix() as u32;
            let alarm = self.alarm(alarm, command);
            let start = self.untouched_before.len();
            self.untouched_before.extend_from_slice(&self.untouched);
            take_out_written(coded, step, &mut self.untouched_before[start..]);
            match coded.commands[command as usize].list {
                Some(list) => {
                    self.stack.push(step.group, step.action, step.state);
                    self.rows.push(StackRow::Waiting(PathHead { command, list, alarm }));
                }
                None => {
                    end(to, first_step, alarm, step.state, &self.untouched_before[start..]);
                    self.untouched_before.truncate(start);
                }
            }
        }
    }

    /// Goes back to the last path that waits, if there is one.
    fn go_back(&mut self) -> bool {
        while let Some(row) = self.rows.pop() {
            let top = self.stack.len() - 1;
            if let StackRow::Waiting(path) = row {
                self.path = path;
                self.here[..self.coded.cell_map.slots].copy_from_slice(self.stack.state(top));
                self.stack.truncate(top);
                let start = self.untouched_before.len() - self.untouched.len();
                self.untouched.copy_from_slice(&self.untouched_before[start..]);
                self.untouched_before.truncate(start);
                self.cycle_search.begin();
                return true;
            }
            self.stack.truncate(top);
            self.branched.leave();
        }
        false
    }
}

/// Takes out the slots that a step has written.
fn take_out_written(coded: &CodedProgram, step: Successor<'_>, untouched: &mut [u64]) {
    if !untouched.is_empty() {
        let copied = step.copied_words();
        for (word, may_write) in coded.command_writes[step.group.ix()].words() {
            untouched[word] &= !may_write | copied.get(word).unwrap_or(&0);
        }
    }
}

/// Appends the end of a path.
fn end(
    to: &mut Successors,
    first_step: FirstStep<'_>,
    alarm: Option<Value>,
    state: &[Value],
    untouched: &[u64],
) {
    to.push(first_step.group, alarm.unwrap_or(first_step.action), state);
    if !untouched.is_empty() {
        to.mark_copied(untouched);
    }
}

/// Steps in a row without an alternative.
#[derive(Default)]
struct CycleSearch {
    kept: Vec<Value>,
    kept_list: Option<u32>,
    /// A slot in which the last point differed from it: the next one most likely does, too.
    differing: usize,
    /// Steps since then, and after how many another point is kept.
    steps: u64,
    until: u64,
    /// None of them could have been another.
    first_only: bool,
}

/// Where a step has led.
enum Visit {
    /// Not to where a point is kept.
    New,
    Again,
    /// The same, and no step since could have been another.
    AgainForEver,
}

impl CycleSearch {
    fn begin(&mut self) {
        self.kept_list = None;
        self.steps = 0;
        self.until = FIRST_KEPT;
        self.first_only = true;
    }

    /// A step from a list, of which only the first one is taken or not, to where a list on a circle is to be
    /// tried.
    fn step(&mut self, list: u32, state: &[Value], first_only: bool) -> Visit {
        self.steps += 1;
        self.first_only &= first_only;
        if self.kept_list == Some(list) && self.is_kept(state) {
            return if self.first_only { Visit::AgainForEver } else { Visit::Again };
        }
        if self.steps == self.until {
            self.kept.clear();
            self.kept.extend_from_slice(state);
            self.kept_list = Some(list);
            self.differing = 0;
            self.steps = 0;
            self.until *= 2;
            self.first_only = true;
        }
        Visit::New
    }

    fn is_kept(&mut self, state: &[Value]) -> bool {
        if self.kept.get(self.differing) != state.get(self.differing) {
            return false;
        }
        match self.kept.iter().zip(state).position(|(kept, value)| kept != value) {
            Some(differing) => {
                self.differing = differing;
                false
            }
            None => true,
        }
    }
}
