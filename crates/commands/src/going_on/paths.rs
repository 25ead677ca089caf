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

use base::GroupIx;
use model::{EvalError, EvalErrorKind, Successor, Successors, Value};

use super::on_path::OnPath;
use crate::coded::CodedProgram;
use crate::evaluator::Evaluator;

/// Most steps that the paths from one first step may take together.
const MOST_STEPS: u64 = 5_000_000;
/// Most cells that their ends and what waits may need: 1 GiB.
const MOST_CELLS: usize = 1 << 28;
/// Steps in a row before the first point is kept.
const FIRST_KEPT: u64 = 8;

/// What is the same for all paths from a first step.
#[derive(Clone, Copy)]
pub(crate) struct Whole<'a> {
    pub group: GroupIx,
    pub action: Value,
    /// The slots that are written or copied; empty when all writes are sure.
    pub marks: &'a [u64],
}

/// What is known of a path beside the state it has come to.
#[derive(Clone, Copy, Default)]
struct Path {
    /// The last command.
    command: u32,
    /// The list of commands to be tried next.
    list: u32,
    /// The action of the first alarm.
    alarm: Option<Value>,
}

/// A row of the stack.
enum Row {
    /// A state from where a path is yet to go on.
    Waiting(Path),
    /// The state where the path that leads to the rows above has branched.
    Branched,
}

/// The paths from a first step. Buffers are kept for the next one.
pub(crate) struct Paths<'a> {
    coded: &'a CodedProgram,
    /// The state that the path has come to, as the only row, and the steps from there.
    here: Successors,
    next: Successors,
    path: Path,
    /// The slots that were written on the path, if anybody wants to know.
    written: Vec<u64>,
    stack: Successors,
    rows: Vec<Row>,
    /// The slots written on the way to each waiting row.
    written_before: Vec<u64>,
    branched: OnPath,
    stretch: Stretch,
    /// Marks of an end while they are made.
    marks: Vec<u64>,
}

impl<'a> Paths<'a> {
    pub fn new(coded: &'a CodedProgram) -> Self {
        let buffer = || Successors::new(coded.cell_map.slots);
        Self {
            coded,
            here: buffer(),
            next: buffer(),
            path: Path::default(),
            written: Vec::new(),
            stack: buffer(),
            rows: Vec::new(),
            written_before: Vec::new(),
            branched: OnPath::default(),
            stretch: Stretch::default(),
            marks: Vec::new(),
        }
    }

    /// Appends the ends of all paths from a first step. After an error some may have been appended.
    pub fn ends(
        &mut self,
        evaluator: &mut impl Evaluator,
        first: Successor<'_>,
        whole: Whole<'_>,
        to: &mut Successors,
    ) -> Result<(), EvalError> {
        self.begin(first, whole);
        let lists = &self.coded.followers.lists;
        let (before, mut steps) = (to.len(), 0);
        loop {
            steps += 1;
            let rows = to.len() - before + self.stack.len();
            if steps > MOST_STEPS || rows.saturating_mul(self.here.width()) > MOST_CELLS {
                return Err(self.error(EvalErrorKind::TooLong));
            }
            self.next.clear();
            evaluator.list(self.path.list, self.here.state(0), &mut self.next)?;
            let goes_on = match self.next.len() {
                0 if lists[self.path.list as usize].first_only => {
                    return Err(self.error(EvalErrorKind::Blocked));
                }
                0 => {
                    end(to, whole, self.path.alarm, self.here.state(0), &self.written, &mut self.marks);
                    false
                }
                1 => self.step(whole, to)?,
                _ => {
                    self.branch(whole, to);
                    false
                }
            };
            if !goes_on && !self.go_back() {
                return Ok(());
            }
        }
    }

    fn error(&self, kind: EvalErrorKind) -> EvalError {
        EvalError { kind, span: self.coded.command_spans(self.path.command).first().copied() }
    }

    fn begin(&mut self, first: Successor<'_>, whole: Whole<'_>) {
        self.stack.clear();
        self.rows.clear();
        self.written_before.clear();
        self.branched.clear();
        self.stretch.begin();
        self.here.clear();
        self.here.push(first.group, first.action, first.state);
        let command = first.group.ix() as u32;
        let list = self.coded.commands[first.group.ix()].list.expect("BUG: a command that rests goes on");
        self.path = Path { command, list, alarm: self.alarm(None, command) };
        self.written.clear();
        self.written.resize(whole.marks.len(), 0);
        add_written(self.coded, first, &mut self.written);
    }

    fn alarm(&self, before: Option<Value>, command: u32) -> Option<Value> {
        let command = &self.coded.commands[command as usize];
        before.or(command.alarm.then_some(command.action))
    }

    /// Goes the only step there is. Answers whether the path goes on from there.
    fn step(&mut self, whole: Whole<'_>, to: &mut Successors) -> Result<bool, EvalError> {
        let coded = self.coded;
        std::mem::swap(&mut self.here, &mut self.next);
        let step = self.here.get(0);
        add_written(coded, step, &mut self.written);
        let command = step.group.ix() as u32;
        let alarm = self.alarm(self.path.alarm, command);
        let Some(list) = coded.commands[command as usize].list else {
            end(to, whole, alarm, step.state, &self.written, &mut self.marks);
            return Ok(false);
        };
        let first_only = coded.followers.lists[self.path.list as usize].first_only;
        self.path = Path { command, list, alarm };
        if !coded.followers.lists[list as usize].cyclic {
            return Ok(true);
        }
        match self.stretch.step(list, step.state, first_only) {
            Arrival::Anywhere => Ok(true),
            Arrival::Back => Ok(false),
            Arrival::BackForEver => Err(self.error(EvalErrorKind::Endless)),
        }
    }

    /// Goes several steps: ends are appended, what goes on waits.
    fn branch(&mut self, whole: Whole<'_>, to: &mut Successors) {
        let coded = self.coded;
        let Path { list, alarm, .. } = self.path;
        if coded.followers.lists[list as usize].cyclic {
            let (row, stack) = (self.stack.len(), &self.stack);
            if !self.branched.enter(list, self.here.state(0), row as u32, |row| stack.state(row as usize)) {
                return;
            }
            self.stack.push(whole.group, whole.action, self.here.state(0));
            self.rows.push(Row::Branched);
        }
        // The last one to wait is the first to go on.
        for at in (0..self.next.len()).rev() {
            let step = self.next.get(at);
            let command = step.group.ix() as u32;
            let alarm = self.alarm(alarm, command);
            let start = self.written_before.len();
            self.written_before.extend_from_slice(&self.written);
            add_written(coded, step, &mut self.written_before[start..]);
            match coded.commands[command as usize].list {
                Some(list) => {
                    self.stack.push(step.group, step.action, step.state);
                    self.rows.push(Row::Waiting(Path { command, list, alarm }));
                }
                None => {
                    end(to, whole, alarm, step.state, &self.written_before[start..], &mut self.marks);
                    self.written_before.truncate(start);
                }
            }
        }
    }

    /// Goes back to the last path that waits, if there is one.
    fn go_back(&mut self) -> bool {
        while let Some(row) = self.rows.pop() {
            let top = self.stack.len() - 1;
            if let Row::Waiting(path) = row {
                self.path = path;
                self.here.clear();
                self.here.push(self.stack.group(top), 0, self.stack.state(top));
                self.stack.truncate(top);
                let start = self.written_before.len() - self.written.len();
                self.written.copy_from_slice(&self.written_before[start..]);
                self.written_before.truncate(start);
                self.stretch.begin();
                return true;
            }
            self.stack.truncate(top);
            self.branched.leave();
        }
        false
    }
}

/// Adds the slots that a step has written.
fn add_written(coded: &CodedProgram, step: Successor<'_>, written: &mut [u64]) {
    if !written.is_empty() {
        let (may_write, copied) = (coded.command_writes.row(step.group.ix()), step.copied_words());
        for (at, written) in written.iter_mut().enumerate() {
            *written |= may_write[at] & !copied.get(at).unwrap_or(&0);
        }
    }
}

/// Appends the end of a path.
fn end(
    to: &mut Successors,
    whole: Whole<'_>,
    alarm: Option<Value>,
    state: &[Value],
    written: &[u64],
    marks: &mut Vec<u64>,
) {
    to.push(whole.group, alarm.unwrap_or(whole.action), state);
    if !whole.marks.is_empty() {
        marks.clear();
        marks.extend(whole.marks.iter().zip(written).map(|(marks, written)| marks & !written));
        to.mark_copied(marks);
    }
}

/// Steps in a row without an alternative.
#[derive(Default)]
struct Stretch {
    kept: Vec<Value>,
    kept_list: Option<u32>,
    /// Steps since then, and after how many another point is kept.
    steps: u64,
    until: u64,
    /// None of them could have been another.
    first_only: bool,
}

/// Where a step has led.
enum Arrival {
    /// Not to where a point is kept.
    Anywhere,
    Back,
    /// The same, and no step since could have been another.
    BackForEver,
}

impl Stretch {
    fn begin(&mut self) {
        self.kept_list = None;
        self.steps = 0;
        self.until = FIRST_KEPT;
        self.first_only = true;
    }

    /// A step from a list, of which only the first one is taken or not, to where a list on a circle is to be
    /// tried.
    fn step(&mut self, list: u32, state: &[Value], first_only: bool) -> Arrival {
        self.steps += 1;
        self.first_only &= first_only;
        if self.kept_list == Some(list) && self.kept == state {
            return if self.first_only { Arrival::BackForEver } else { Arrival::Back };
        }
        if self.steps == self.until {
            self.kept.clear();
            self.kept.extend_from_slice(state);
            self.kept_list = Some(list);
            self.steps = 0;
            self.until *= 2;
            self.first_only = true;
        }
        Arrival::Anywhere
    }
}
