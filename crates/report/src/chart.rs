//! A run as a message sequence chart (ITU-T Z.120, its basic part): who there is, who sends what to whom, in
//! the order of the steps.
//!
//! Who receives a message of a channel that keeps them is found by what it says: the oldest one with the same
//! values that is still there. So it is also where messages are taken out of the middle or put in by their
//! order.

pub mod svg;
pub mod text;

use base::SlotIx;
use engine::{Ending, Run};
use model::{Inside, Message, Passing, Signature, Value};

use crate::Error;
use crate::witness::state::comes_and_goes;
use crate::words;

/// A chart.
pub struct Chart {
    /// The processes, in the order in which they appear.
    pub columns: Vec<Column>,
    /// What happens, one after the other.
    pub rows: Vec<Row>,
    /// How it ends, where the last thing that happens does not say it.
    pub ending: Option<String>,
}

/// A process.
pub struct Column {
    /// What it is called.
    pub name: String,
    /// It is there from the start.
    pub at_start: bool,
}

/// Something that happens.
pub struct Row {
    /// The step that it is a part of, counted from one.
    pub step: usize,
    /// What happens.
    pub event: Event,
}

/// What happens, by the numbers of columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A process begins.
    Starts(usize),
    /// A process ends.
    Ends(usize),
    /// A process puts a message into a channel.
    Sends(usize, String),
    /// A process takes a message out of a channel. The row in which it was sent comes last, if it was.
    Receives(usize, String, Option<usize>),
    /// It looks at a message.
    Sees(usize, String),
    /// One process hands a message to another.
    Hands {
        /// Who sends.
        from: usize,
        /// Who receives.
        to: usize,
        /// The message.
        message: String,
    },
    /// Something is wrong, such as an assertion that fails.
    Alarm(usize, String),
}

/// A message that waits in a channel.
struct Waiting {
    channel: String,
    values: Vec<String>,
    row: usize,
}

struct Drawing<'a> {
    signature: &'a Signature,
    chart: Chart,
    waiting: Vec<Waiting>,
    step: usize,
}

/// The chart of a run; refuses one of a language that does not tell who moves.
pub fn chart(signature: &Signature, run: &Run) -> Result<Chart, Error> {
    let inside = run.steps.iter().flat_map(|step| &step.inside);
    if run.steps.iter().any(|step| step.inside.is_empty()) || inside.clone().any(|one| one.movers.is_empty())
    {
        return Err(Error::NoMovers);
    }
    let ending = match &run.ending {
        Ending::Deadlock => Some("no step is possible".to_owned()),
        Ending::Label => Some("the invariant is false".to_owned()),
        Ending::Action => None,
        Ending::Loop => Some("from here it goes on in a circle for ever".to_owned()),
        Ending::Error { error, .. } => Some(format!("the model fails: {error}")),
    };
    let chart = Chart { columns: Vec::new(), rows: Vec::new(), ending };
    let mut drawing = Drawing { signature, chart, waiting: Vec::new(), step: 0 };
    for slot in processes(signature).filter(|slot| run.initial[slot.ix()] != 0) {
        drawing.chart.columns.push(Column { name: process_name(signature, slot), at_start: true });
    }
    let mut before: &[Value] = &run.initial;
    for (number, step) in run.steps.iter().enumerate() {
        drawing.step = number + 1;
        for one in &step.inside {
            drawing.statement(before, one);
            before = &one.state;
        }
    }
    Ok(drawing.chart)
}

fn processes(signature: &Signature) -> impl Iterator<Item = SlotIx> {
    signature.slot_ixs().filter(move |&slot| comes_and_goes(signature, slot))
}

/// A process as those who move are called: `P(0)` for the slot `P[0]`.
fn process_name(signature: &Signature, slot: SlotIx) -> String {
    let name = &signature.slots[slot.ix()].name;
    let bare = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    bare.map_or_else(|| name.clone(), |(name, number)| format!("{name}({number})"))
}

impl Drawing<'_> {
    fn column(&mut self, name: &str) -> usize {
        let known = self.chart.columns.iter().position(|column| column.name == name);
        known.unwrap_or_else(|| {
            self.chart.columns.push(Column { name: name.to_owned(), at_start: false });
            self.chart.columns.len() - 1
        })
    }

    fn happens(&mut self, event: Event) {
        self.chart.rows.push(Row { step: self.step, event });
    }

    fn statement(&mut self, before: &[Value], inside: &Inside) {
        let movers: Vec<usize> = inside.movers.iter().map(|mover| self.column(&mover.name)).collect();
        if let Some(message) = &inside.message {
            self.passes(&movers, message);
        }
        if inside.action != inside.name {
            self.happens(Event::Alarm(movers[0], inside.action.clone()));
        }
        for slot in processes(self.signature) {
            let (was, is) = (before[slot.ix()] != 0, inside.state[slot.ix()] != 0);
            if was != is {
                let column = self.column(&process_name(self.signature, slot));
                self.happens(if is { Event::Starts(column) } else { Event::Ends(column) });
            }
        }
    }

    fn passes(&mut self, movers: &[usize], message: &Message) {
        let text = words::message(message, true);
        match (message.passing, movers) {
            (Passing::Handed, [from, to, ..]) => {
                // The arrow says who sends.
                self.happens(Event::Hands { from: *from, to: *to, message: text });
            }
            (Passing::Sent, [from, ..]) => {
                let (channel, values) = (message.channel.clone(), message.values.clone());
                self.waiting.push(Waiting { channel, values, row: self.chart.rows.len() });
                self.happens(Event::Sends(*from, text));
            }
            (Passing::Received, [to, ..]) => {
                let is_it = |one: &Waiting| one.channel == message.channel && one.values == message.values;
                let found = self.waiting.iter().position(is_it).map(|at| self.waiting.remove(at).row);
                self.happens(Event::Receives(*to, text, found));
            }
            (Passing::Seen, [who, ..]) => self.happens(Event::Sees(*who, text)),
            _ => {}
        }
    }
}
