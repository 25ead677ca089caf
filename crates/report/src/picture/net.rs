//! A small net as a picture: places are circles with their tokens, transitions bars, arcs arrows with their
//! weights.

use std::fmt::Write as _;

use petri::{Net, Tokens};

use super::net_layout::{Placement, layout};
use super::svg::{escaped, shortened};

/// Nets with more places and transitions than this are too crowded to be looked at.
pub const MOST_NODES: usize = 600;

const COLUMN: f64 = 90.0;
const ROW: f64 = 72.0;
const MARGIN: f64 = 50.0;
const TOP: f64 = 40.0;
const RADIUS: f64 = 17.0;
/// Half the width and the height of a transition.
const BAR: (f64, f64) = (7.0, 17.0);
/// How far an arc bends that has another one beside it, back or forth.
const BEND: f64 = 14.0;

/// The picture of a net with these tokens.
pub fn picture(net: &Net, marking: &[Tokens], title: &str) -> String {
    let drawing = Drawing { net, layout: layout(net) };
    let width = 2.0 * MARGIN + drawing.layout.columns.saturating_sub(1) as f64 * COLUMN;
    let height = TOP + 2.0 * MARGIN + (drawing.layout.height as f64 / 2.0 - 1.0).max(0.0) * ROW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <title>{title}</title>\n\
         <defs>\
         <marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto-start-reverse\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker>\
         <marker id=\"not\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\">\
         <circle cx=\"4\" cy=\"4\" r=\"3\" fill=\"white\" stroke=\"black\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\" font-size=\"13\">{title}</text>\n",
        title = escaped(title),
    );
    drawing.arcs(&mut svg);
    for (number, place) in net.places.iter().enumerate() {
        drawing.place(&mut svg, number, &place.name, marking[number]);
    }
    for (number, transition) in net.transitions.iter().enumerate() {
        drawing.transition(&mut svg, number, &transition.name);
    }
    svg += "</svg>\n";
    svg
}

struct Drawing<'n> {
    net: &'n Net,
    layout: Placement,
}

/// How an arc is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Takes,
    Gives,
    Needs,
    Forbids,
}

impl Drawing<'_> {
    fn at(&self, node: usize) -> (f64, f64) {
        let (column, row) = self.layout.at[node];
        (MARGIN + column as f64 * COLUMN, TOP + MARGIN + row as f64 / 2.0 * ROW)
    }

    fn arcs(&self, svg: &mut String) {
        for (number, transition) in self.net.transitions.iter().enumerate() {
            let node = self.net.places.len() + number;
            let lists = [
                (Line::Takes, &transition.takes),
                (Line::Gives, &transition.gives),
                (Line::Needs, &transition.needs),
                (Line::Forbids, &transition.forbids),
            ];
            for (line, arcs) in lists {
                for arc in arcs {
                    let has_other = lists.iter().any(|(other, arcs)| {
                        *other != line && arcs.iter().any(|beside| beside.place == arc.place)
                    });
                    let bend = match (has_other, line) {
                        (false, _) => 0.0,
                        (true, Line::Takes | Line::Gives) => BEND,
                        (true, Line::Needs) => -2.0 * BEND,
                        (true, Line::Forbids) => 2.0 * BEND,
                    };
                    self.arc(svg, (arc.place.ix(), node), line, arc.weight, bend);
                }
            }
        }
    }

    fn arc(
        &self,
        svg: &mut String,
        (place, transition): (usize, usize),
        line: Line,
        weight: Tokens,
        bend: f64,
    ) {
        let (from, to) = if line == Line::Gives { (transition, place) } else { (place, transition) };
        let ((x1, y1), (x2, y2)) = (self.at(from), self.at(to));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        // The middle, to the left of the way: there and back bend to different sides.
        let (mx, my) =
            ((x1 + x2) / 2.0 + (y2 - y1) / length * bend, (y1 + y2) / 2.0 - (x2 - x1) / length * bend);
        let edge = |node: usize, (x, y): (f64, f64)| {
            let (dx, dy) = (mx - x, my - y);
            let distance = dx.hypot(dy).max(1.0);
            let out = if node < self.net.places.len() {
                RADIUS / distance
            } else {
                // Where the way leaves the bar.
                (BAR.0 / dx.abs().max(1e-9)).min(BAR.1 / dy.abs().max(1e-9)).min(1.0)
            };
            (x + dx * out, y + dy * out)
        };
        let ((x1, y1), (x2, y2)) = (edge(from, (x1, y1)), edge(to, (x2, y2)));
        let (dash, mark) = match line {
            Line::Takes | Line::Gives => ("", " marker-end=\"url(#head)\""),
            Line::Needs => (" stroke-dasharray=\"4 3\"", ""),
            Line::Forbids => ("", " marker-end=\"url(#not)\""),
        };
        let _ = writeln!(
            svg,
            "<path class=\"arc\" d=\"M{x1:.1},{y1:.1} Q{mx:.1},{my:.1} {x2:.1},{y2:.1}\" fill=\"none\" stroke=\"#333\"{dash}{mark}/>"
        );
        if weight > 1 {
            let _ = writeln!(
                svg,
                "<text class=\"weight\" x=\"{:.1}\" y=\"{:.1}\" fill=\"#a00\">{weight}</text>",
                mx + 3.0,
                my - 3.0
            );
        }
    }

    fn place(&self, svg: &mut String, number: usize, name: &str, tokens: Tokens) {
        let (x, y) = self.at(number);
        let _ = writeln!(
            svg,
            "<circle class=\"place\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"white\" stroke=\"black\"><title>{}</title></circle>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            escaped(&format!("{name}: {tokens}")),
            y + RADIUS + 11.0,
            escaped(&shortened(name)),
        );
        let dots: &[(f64, f64)] = match tokens {
            0 => &[],
            1 => &[(0.0, 0.0)],
            2 => &[(-5.0, 0.0), (5.0, 0.0)],
            3 => &[(-5.0, 4.0), (5.0, 4.0), (0.0, -5.0)],
            4 => &[(-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0), (5.0, 5.0)],
            5 => &[(-7.0, -7.0), (7.0, -7.0), (-7.0, 7.0), (7.0, 7.0), (0.0, 0.0)],
            _ => {
                let _ = writeln!(
                    svg,
                    "<text class=\"tokens\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"12\">{tokens}</text>",
                    y + 4.0
                );
                &[]
            }
        };
        for (dx, dy) in dots {
            let _ = writeln!(svg, "<circle class=\"token\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>", x + dx, y + dy);
        }
    }

    fn transition(&self, svg: &mut String, number: usize, name: &str) {
        let (x, y) = self.at(self.net.places.len() + number);
        let _ = writeln!(
            svg,
            "<rect class=\"transition\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ddd\" stroke=\"black\"><title>{}</title></rect>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x - BAR.0,
            y - BAR.1,
            2.0 * BAR.0,
            2.0 * BAR.1,
            escaped(name),
            y + BAR.1 + 11.0,
            escaped(&shortened(name)),
        );
    }
}

#[cfg(test)]
mod tests {
    use base::SlotIx;
    use petri::{Arc, Place, Transition};

    use super::*;

    #[test]
    fn all_of_a_net_is_there() {
        let place = |name: &str| Place { name: name.to_owned(), initial: 0, span: None };
        let arc = |place: usize, weight| Arc { place: SlotIx::new(place), weight };
        let net = Net {
            places: vec![place("free<b>"), place("busy"), place("blocked")],
            transitions: vec![Transition {
                name: "work".to_owned(),
                takes: vec![arc(0, 1)],
                gives: vec![arc(0, 1), arc(1, 3)],
                forbids: vec![arc(2, 1)],
                ..Transition::default()
            }],
            ..Net::default()
        };
        let svg = picture(&net, &[2, 7, 0], "a & b");
        let count = |what: &str| svg.matches(what).count();
        assert_eq!(
            (
                count("class=\"place\""),
                count("class=\"transition\""),
                count("class=\"arc\""),
                count("class=\"token\"")
            ),
            (3, 1, 4, 2)
        );
        assert!(svg.contains(">7</text>") && svg.contains(">3</text>") && svg.contains("url(#not)"));
        assert!(svg.contains("free&lt;b&gt;") && svg.contains("a &amp; b") && !svg.contains("NaN"));
    }
}
