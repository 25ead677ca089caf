//! A message sequence chart as a picture: a line down for each process that is there, arrows from who sends
//! to who receives.

use std::fmt::Write as _;

use crate::chart::{Chart, Event};
use crate::picture::svg::escaped;

const ROW: usize = 26;
const COLUMN: usize = 150;
const LEFT: usize = 60;
const TOP: usize = 60;
/// Room above the first and below the last row.
const MARGIN: usize = 20;
/// A letter's width, roughly.
const LETTER: usize = 7;

/// The picture.
pub fn picture(chart: &Chart, title: &str) -> String {
    let longest = chart.rows.iter().map(|row| text_of(&row.event).chars().count()).max().unwrap_or(0);
    let column = COLUMN.max((longest + 4) * LETTER).min(COLUMN * 2);
    let width = LEFT + column * chart.columns.len().max(1) + longest * LETTER;
    let height = TOP + chart.rows.len() * ROW + 3 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\">{title}</text>\n",
        title = escaped(title),
    );
    let picture = Picture { chart, column };
    for number in 0..chart.columns.len() {
        picture.life(&mut svg, number);
    }
    let mut step = 0;
    for (number, row) in chart.rows.iter().enumerate() {
        let y = Picture::y(number);
        if row.step != step {
            step = row.step;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#666\">{step}</text>",
                LEFT - 20,
                y + 4
            );
        }
        picture.event(&mut svg, number, &row.event);
    }
    if let Some(ending) = &chart.ending {
        let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{}</text>", height - MARGIN, escaped(ending));
    }
    svg += "</svg>\n";
    svg
}

fn text_of(event: &Event) -> &str {
    match event {
        Event::Starts(_) | Event::Ends(_) => "",
        Event::Sends(_, text)
        | Event::Receives(_, text, _)
        | Event::Sees(_, text)
        | Event::Alarm(_, text)
        | Event::Hands { message: text, .. } => text,
    }
}

struct Picture<'a> {
    chart: &'a Chart,
    column: usize,
}

impl Picture<'_> {
    fn x(&self, column: usize) -> usize {
        LEFT + column * self.column + self.column / 2
    }

    fn y(row: usize) -> usize {
        TOP + MARGIN + row * ROW
    }

    /// The lines of a process, one for each time that it is there.
    fn life(&self, svg: &mut String, column: usize) {
        let process = &self.chart.columns[column];
        let x = self.x(column);
        let mut from = process.at_start.then_some(TOP);
        let mut lives = Vec::new();
        for (number, row) in self.chart.rows.iter().enumerate() {
            match row.event {
                Event::Starts(started) if started == column => from = Some(Self::y(number)),
                Event::Ends(ended) if ended == column => {
                    lives.extend(from.take().map(|from| (from, Self::y(number), true)));
                }
                _ => {}
            }
        }
        lives.extend(from.map(|from| (from, Self::y(self.chart.rows.len()), false)));
        for (from, to, is_ended) in lives {
            let half = (process.name.chars().count() * LETTER) / 2 + 6;
            let _ = writeln!(
                svg,
                "<line class=\"life\" x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{to}\" stroke=\"#888\"/>\n\
                 <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"20\" fill=\"#eef\" stroke=\"#888\"/>\n\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x - half,
                from - 20,
                2 * half,
                from - 6,
                escaped(&process.name)
            );
            if is_ended {
                let _ = writeln!(
                    svg,
                    "<path class=\"end\" d=\"M{},{} l10,10 m0,-10 l-10,10\" stroke=\"#888\"/>",
                    x - 5,
                    to - 5
                );
            }
        }
    }

    fn arrow(svg: &mut String, from: (usize, usize), to: (usize, usize)) {
        let _ = writeln!(
            svg,
            "<line class=\"message\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"black\" marker-end=\"url(#head)\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn dot(svg: &mut String, (x, y): (usize, usize), fill: &str) {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\" stroke=\"black\"/>");
    }

    fn event(&self, svg: &mut String, number: usize, event: &Event) {
        let y = Self::y(number);
        let beside = |svg: &mut String, column: usize, text: &str, colour: &str| {
            let x = self.x(column) + 7;
            let _ =
                writeln!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"{colour}\">{}</text>", y - 4, escaped(text));
        };
        match event {
            Event::Starts(_) | Event::Ends(_) => {}
            Event::Hands { from, to, message } => {
                let (x, far) = (self.x(*from), self.x(*to));
                Self::arrow(svg, (x, y), (far, y));
                let middle = x.midpoint(far);
                let _ = writeln!(
                    svg,
                    "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                    y - 4,
                    escaped(message)
                );
            }
            Event::Sends(column, text) => {
                // One that nobody receives is an open circle.
                let is_received = self
                    .chart
                    .rows
                    .iter()
                    .any(|row| matches!(row.event, Event::Receives(_, _, Some(sent)) if sent == number));
                Self::dot(svg, (self.x(*column), y), if is_received { "black" } else { "white" });
                beside(svg, *column, text, "black");
            }
            Event::Receives(column, text, sent) => {
                let at = (self.x(*column), y);
                if let Some((sent, Event::Sends(from, _))) =
                    sent.map(|sent| (sent, &self.chart.rows[sent].event))
                {
                    Self::arrow(svg, (self.x(*from), Self::y(sent)), at);
                }
                Self::dot(svg, at, "black");
                beside(svg, *column, text, "black");
            }
            Event::Sees(column, text) => {
                Self::dot(svg, (self.x(*column), y), "white");
                beside(svg, *column, text, "#666");
            }
            Event::Alarm(column, text) => {
                Self::dot(svg, (self.x(*column), y), "#d55e00");
                beside(svg, *column, text, "#d55e00");
            }
        }
    }
}
