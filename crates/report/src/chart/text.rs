//! A message sequence chart as text: a column for each process, a line for each thing that happens.

use crate::chart::{Chart, Event};
use crate::words;

/// The least and the greatest width of a column.
const NARROWEST: usize = 12;
const WIDEST: usize = 30;
/// Where the first column begins: behind the number of the step.
const LEFT: usize = 7;

/// The chart.
pub fn text(chart: &Chart) -> String {
    let labels = chart.columns.iter().map(|column| column.name.clone());
    let labels = labels.chain(chart.rows.iter().filter_map(|row| label(&row.event)));
    let width = labels
        .map(|label| label.chars().count() + 4)
        .max()
        .unwrap_or(0)
        .clamp(NARROWEST, WIDEST)
        .next_multiple_of(2);
    let mut lines = vec![names(chart, width)];
    let mut there: Vec<bool> = chart.columns.iter().map(|column| column.at_start).collect();
    for row in &chart.rows {
        if let Event::Starts(column) = row.event {
            there[column] = true;
        }
        let mut line = Line::new(width, &there, row.step);
        line.draw(&row.event);
        lines.push(line.finish());
        if let Event::Ends(column) = row.event {
            there[column] = false;
        }
    }
    if let Some(ending) = &chart.ending {
        lines.push(format!("{:LEFT$}{}", "", words::shown(ending)));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What is written into a column.
fn label(event: &Event) -> Option<String> {
    match event {
        Event::Starts(_) => Some("starts".into()),
        Event::Ends(_) => Some("ends".into()),
        Event::Sends(_, text) | Event::Receives(_, text, _) | Event::Sees(_, text) => Some(text.clone()),
        // It may reach over several columns.
        Event::Hands { .. } | Event::Alarm(..) => None,
    }
}

fn names(chart: &Chart, width: usize) -> String {
    let mut line = Line { cells: Vec::new(), width };
    line.put(0, " step");
    for (column, process) in chart.columns.iter().enumerate() {
        line.centred(column, &words::shown(&process.name));
    }
    line.finish()
}

/// A line of the chart, character by character.
struct Line {
    cells: Vec<char>,
    width: usize,
}

impl Line {
    /// A line on which processes that are there stand.
    fn new(width: usize, there: &[bool], step: usize) -> Self {
        let mut line = Self { cells: Vec::new(), width };
        line.put(0, &format!("{step:>5}"));
        for (column, _) in there.iter().enumerate().filter(|(_, there)| **there) {
            line.put(line.middle(column), "|");
        }
        line
    }

    fn middle(&self, column: usize) -> usize {
        LEFT + column * self.width + self.width / 2
    }

    fn put(&mut self, at: usize, text: &str) {
        for (at, c) in (at..).zip(text.chars()) {
            if at >= self.cells.len() {
                self.cells.resize(at + 1, ' ');
            }
            self.cells[at] = c;
        }
    }

    fn centred(&mut self, column: usize, text: &str) {
        let fits: String = text.chars().take(self.width - 1).collect();
        self.put(self.middle(column).saturating_sub(fits.chars().count() / 2), &fits);
    }

    fn draw(&mut self, event: &Event) {
        match event {
            Event::Hands { from, to, message } => self.arrow(*from, *to, message),
            Event::Alarm(column, text) => {
                self.centred(*column, "!");
                // What is wrong is worth a line as long as it takes.
                let end = self.cells.len() + 2;
                self.put(end, text);
            }
            Event::Starts(column)
            | Event::Ends(column)
            | Event::Sends(column, _)
            | Event::Receives(column, ..)
            | Event::Sees(column, _) => {
                let text = label(event).expect("BUG: it has a label");
                self.centred(*column, &text);
            }
        }
    }

    /// An arrow from one column to another, the message on it.
    fn arrow(&mut self, from: usize, to: usize, message: &str) {
        let (left, right) = (self.middle(from.min(to)) + 1, self.middle(from.max(to)));
        let mut shaft: Vec<char> = vec!['-'; right - left];
        match (from < to, shaft.len()) {
            (true, length) => shaft[length - 1] = '>',
            (false, _) => shaft[0] = '<',
        }
        let room = shaft.len().saturating_sub(4);
        let fits: Vec<char> = message.chars().take(room).collect();
        let start = 2 + (room - fits.len()) / 2;
        shaft[start..start + fits.len()].copy_from_slice(&fits);
        self.put(left, &shaft.iter().collect::<String>());
    }

    fn finish(self) -> String {
        words::shown(&self.cells.into_iter().collect::<String>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Column, Row};

    #[test]
    fn columns_and_arrows_are_where_they_belong() {
        let column = |name: &str, at_start| Column { name: name.into(), at_start };
        let events = [
            Event::Sends(0, "q!3,true".into()),
            Event::Hands { from: 2, to: 0, message: "r!7".into() },
            Event::Starts(1),
            Event::Receives(1, "q?3,true".into(), Some(0)),
            Event::Ends(1),
            Event::Alarm(0, "assertion violated".into()),
        ];
        let rows = (1..).zip(events).map(|(step, event)| Row { step, event }).collect();
        let columns = vec![column("P(0)", true), column("Q(1)", false), column("R(2)", true)];
        let chart = Chart { columns, rows, ending: Some("no step is possible".into()) };
        let expected = "\x20step      P(0)        Q(1)        R(2)
    1    q!3,true                    |
    2        |<---------r!7----------|
    3        |        starts         |
    4        |       q?3,true        |
    5        |         ends          |
    6        !                       |  assertion violated
       no step is possible
";
        assert_eq!(text(&chart), expected);
    }
}
