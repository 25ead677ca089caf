//! A scatter plot as a picture: both axes logarithmic and of the same length, so that what lies on the
//! diagonal is equal, a decade away from it ten times as much. What did not finish lies on the border.

use std::fmt::Write as _;

use super::svg::{escaped, shortened};

/// How far one of two is from the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// So much.
    Of(f64),
    /// More than there was patience for.
    Unfinished,
}

/// One comparison.
pub struct Dot {
    /// What is compared.
    pub name: String,
    /// What it belongs to: dots of a series look alike.
    pub series: String,
    /// The amount on the horizontal axis.
    pub x: Amount,
    /// The amount on the vertical axis.
    pub y: Amount,
}

/// A plot.
pub struct Plot {
    /// What stands above it.
    pub title: String,
    /// What the horizontal axis says.
    pub across: String,
    /// What the vertical axis says.
    pub up: String,
    /// The comparisons.
    pub dots: Vec<Dot>,
}

/// Pixels of an axis, and where the axes begin.
const SIDE: f64 = 440.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 60.0;
/// Between the end of an axis and the border for what did not finish.
const BORDER: f64 = 22.0;

/// Colours that differ for colour-blind eyes too (Okabe and Ito), but for the one that is hard to see on
/// white.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"];

/// What differs by less than this factor counts as equal.
const EQUAL: f64 = 1.05;

/// Decades: both axes go from ten to the first to ten to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    /// Whole decades around all amounts. There is no logarithm of nothing: it lies at the beginning.
    fn around(dots: &[Dot]) -> Self {
        let amounts = dots.iter().flat_map(|dot| [dot.x, dot.y]).filter_map(|amount| match amount {
            Amount::Of(value) if value > 0.0 && value.is_finite() => Some(value.log10()),
            _ => None,
        });
        let (least, most) = amounts
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| (least.min(at), most.max(at)));
        if least > most {
            return Self { low: 0, high: 1 };
        }
        let low = least.floor() as i32;
        Self { low, high: (most.ceil() as i32).max(low + 1) }
    }

    /// Pixels from the beginning of an axis.
    fn along(self, amount: Amount) -> f64 {
        match amount {
            Amount::Unfinished => SIDE + BORDER,
            Amount::Of(value) if value > 0.0 => {
                let part = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
                part.clamp(0.0, 1.0) * SIDE
            }
            Amount::Of(_) => 0.0,
        }
    }
}

fn x(along: f64) -> f64 {
    LEFT + along
}

fn y(along: f64) -> f64 {
    TOP + BORDER + SIDE - along
}

/// The picture.
pub fn picture(plot: &Plot) -> String {
    let scale = Scale::around(&plot.dots);
    let mut series: Vec<&str> = Vec::new();
    for dot in &plot.dots {
        if !series.contains(&dot.series.as_str()) {
            series.push(&dot.series);
        }
    }
    let longest = series.iter().map(|name| shortened(name).chars().count()).max().unwrap_or(0);
    let legend = if series.len() > 1 { 40 + longest * 7 } else { 20 };
    let width = LEFT + SIDE + BORDER + 20.0 + legend as f64;
    let height = (TOP + BORDER + SIDE + 60.0).max(TOP + 18.0 * series.len() as f64 + 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        escaped(&format!("{} against {}", plot.up, plot.across))
    );
    axes(plot, scale, &mut svg);
    for dot in &plot.dots {
        let look = series.iter().position(|name| *name == dot.series).unwrap_or(0);
        let (x, y) = (x(scale.along(dot.x)), y(scale.along(dot.y)));
        let about = format!("{} {}: {} across, {} up", dot.name, dot.series, shown(dot.x), shown(dot.y));
        mark(look, x, y, &escaped(&about), &mut svg);
    }
    if series.len() > 1 {
        for (look, name) in series.iter().enumerate() {
            let (x, y) = (LEFT + SIDE + BORDER + 24.0, TOP + 18.0 * look as f64 + 10.0);
            mark(look, x, y, &escaped(name), &mut svg);
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                x + 10.0,
                y + 4.0,
                escaped(&shortened(name))
            );
        }
    }
    svg += "</svg>\n";
    svg
}

/// Frame, decades, the diagonal and the lines of ten times more and less, and what the dots come to.
fn axes(plot: &Plot, scale: Scale, svg: &mut String) {
    let mut line = |from: (f64, f64), to: (f64, f64), look: &str| {
        let ((x1, y1), (x2, y2)) = ((x(from.0), y(from.1)), (x(to.0), y(to.1)));
        let _ = writeln!(svg, "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" {look}/>");
    };
    let end = SIDE + BORDER;
    let decade = SIDE / f64::from(scale.high - scale.low);
    for at in 0..=scale.high - scale.low {
        let along = f64::from(at) * decade;
        line((along, 0.0), (along, SIDE), "stroke=\"#e4e4e4\"");
        line((0.0, along), (SIDE, along), "stroke=\"#e4e4e4\"");
    }
    line((0.0, 0.0), (SIDE, SIDE), "stroke=\"#333333\"");
    if decade < SIDE {
        let dashed = "stroke=\"#999999\" stroke-dasharray=\"4 4\"";
        line((decade, 0.0), (SIDE, SIDE - decade), dashed);
        line((0.0, decade), (SIDE - decade, SIDE), dashed);
    }
    for (from, to) in [((0.0, 0.0), (SIDE, 0.0)), ((0.0, 0.0), (0.0, SIDE))] {
        line(from, to, "stroke=\"black\"");
    }
    for (from, to) in [((0.0, end), (end, end)), ((end, 0.0), (end, end))] {
        line(from, to, "stroke=\"#bbbbbb\"");
    }
    for at in 0..=scale.high - scale.low {
        let along = f64::from(at) * decade;
        let power = format!("10<tspan dy=\"-4\" font-size=\"8\">{}</tspan>", scale.low + at);
        let _ = writeln!(
            svg,
            "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"middle\">{power}</text>",
            x(along),
            y(-18.0)
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"end\">{power}</text>",
            x(-8.0),
            y(along - 4.0)
        );
    }
    let unfinished = "fill=\"#777777\" font-size=\"9\"";
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" {unfinished}>not finished</text>", x(4.0), y(end - 11.0));
    let (across, up) = (escaped(&plot.across), escaped(&plot.up));
    let (middle, below) = (x(SIDE / 2.0), y(-40.0));
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{across}</text>");
    let (before, middle) = (x(-56.0), y(SIDE / 2.0));
    let turned = format!("transform=\"rotate(-90 {before} {middle})\"");
    let _ = writeln!(svg, "<text x=\"{before}\" y=\"{middle}\" text-anchor=\"middle\" {turned}>{up}</text>");
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"22\" font-size=\"13\">{}</text>", escaped(&plot.title));
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"42\">{}</text>", summary(&plot.dots));
}

/// How many dots lie on which side, and the geometric mean of up by across.
fn summary(dots: &[Dot]) -> String {
    let (mut below, mut equal, mut above) = (0, 0, 0);
    let (mut logarithms, mut finished) = (0.0, 0u32);
    for dot in dots {
        let ratio = match (dot.x, dot.y) {
            (Amount::Of(x), Amount::Of(y)) if x > 0.0 && y > 0.0 => {
                logarithms += (y / x).ln();
                finished += 1;
                y / x
            }
            (Amount::Of(x), Amount::Of(y)) if x == y => 1.0,
            (Amount::Of(x), Amount::Of(y)) if x > y => 0.0,
            (Amount::Unfinished, Amount::Of(_)) => 0.0,
            _ => f64::INFINITY,
        };
        let side = match ratio {
            _ if ratio > EQUAL => &mut above,
            _ if ratio < 1.0 / EQUAL => &mut below,
            _ => &mut equal,
        };
        *side += 1;
    }
    let mean = match finished {
        0 => String::new(),
        _ => format!("; geometric mean of up / across {:.3}", (logarithms / f64::from(finished)).exp()),
    };
    format!("{below} below the diagonal, {equal} within 5%, {above} above{mean}")
}

fn shown(amount: Amount) -> String {
    match amount {
        Amount::Of(value) => value.to_string(),
        Amount::Unfinished => "not finished".into(),
    }
}

/// A dot that looks like others of its series: a colour, and when colours are used up another shape.
fn mark(look: usize, x: f64, y: f64, about: &str, svg: &mut String) {
    let colour = COLOURS[look % COLOURS.len()];
    let shape = match look / COLOURS.len() % 3 {
        0 => format!("circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4\""),
        1 => format!("rect x=\"{:.2}\" y=\"{:.2}\" width=\"7\" height=\"7\"", x - 3.5, y - 3.5),
        _ => format!("path d=\"M{x:.2} {:.2}l5 9h-10z\"", y - 5.0),
    };
    let name = shape.split(' ').next().unwrap_or_default();
    let _ = writeln!(
        svg,
        "<{shape} fill=\"{colour}\" fill-opacity=\"0.65\" stroke=\"{colour}\"><title>{about}</title></{name}>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(x: f64, y: f64) -> Dot {
        Dot { name: "a <model>".into(), series: "bfs".into(), x: Amount::Of(x), y: Amount::Of(y) }
    }

    #[test]
    fn equal_amounts_lie_on_the_diagonal() {
        let scale = Scale::around(&[dot(0.004, 17.0), dot(300.0, 1.0)]);
        assert_eq!(scale, Scale { low: -3, high: 3 });
        for value in [0.001, 0.004, 0.5, 1.0, 17.0, 300.0, 1000.0] {
            let along = scale.along(Amount::Of(value));
            // As far from the left as from the bottom.
            assert!((x(along) - x(0.0) - (y(0.0) - y(along))).abs() < 1e-9, "{value}");
        }
        // The line itself goes from corner to corner.
        let (first, last) = (scale.along(Amount::Of(0.001)), scale.along(Amount::Of(1000.0)));
        assert!(first.abs() < 1e-9 && (last - SIDE).abs() < 1e-9, "{first} {last}");
    }

    #[test]
    fn ten_times_as_much_is_a_decade_further() {
        let scale = Scale { low: -2, high: 3 };
        let along = |value: f64| scale.along(Amount::Of(value));
        for value in [0.01, 0.3, 7.0, 99.0] {
            assert!((along(value * 10.0) - along(value) - SIDE / 5.0).abs() < 1e-9, "{value}");
        }
        assert!(along(0.0) == 0.0 && scale.along(Amount::Unfinished) > SIDE);
    }

    #[test]
    fn any_dots_have_a_scale() {
        assert_eq!(Scale::around(&[]), Scale { low: 0, high: 1 });
        assert_eq!(Scale::around(&[dot(0.0, 0.0)]), Scale { low: 0, high: 1 });
        assert_eq!(Scale::around(&[dot(1.0, 1.0)]), Scale { low: 0, high: 1 });
        assert_eq!(Scale::around(&[dot(10.0, 1000.0)]), Scale { low: 1, high: 3 });
    }

    #[test]
    fn the_summary_counts_sides() {
        let unfinished = Dot { x: Amount::Unfinished, ..dot(1.0, 2.0) };
        let dots = [dot(1.0, 2.0), dot(2.0, 1.0), dot(1.0, 1.04), dot(4.0, 1.0), dot(1.0, 4.0), unfinished];
        let text = summary(&dots);
        assert!(
            text.starts_with(
                "3 below the diagonal, 1 within 5%, 2 above; geometric mean of up / across 1.00"
            ),
            "{text}"
        );
    }

    #[test]
    fn the_picture_has_a_dot_a_comparison_with_its_name() {
        let plot = Plot {
            title: "time".into(),
            across: "off".into(),
            up: "on".into(),
            dots: vec![dot(1.0, 10.0), Dot { y: Amount::Unfinished, ..dot(3.0, 1.0) }],
        };
        let svg = picture(&plot);
        assert_eq!(svg.matches("<circle ").count(), 2);
        assert!(svg.contains("<title>a &lt;model&gt; bfs: 1 across, 10 up</title>"), "{svg}");
        let wanted = format!("cx=\"{:.2}\" cy=\"{:.2}\"", LEFT, y(SIDE));
        assert!(svg.contains(&wanted), "{wanted}\n{svg}");
        assert!(svg.contains(&format!("cy=\"{:.2}\"", TOP)), "{svg}");
    }
}
