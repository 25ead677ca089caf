//! What traces show of a statement: who does it, in which words, with which number, and which message is
//! passed.

use std::collections::HashMap;

use base::{Source, Span};
use commands::{Expr as Code, MessageDef};
use model::{Mover, Passing, StatementNumber};

use crate::flow::table::MoveTable;
use crate::flow::{ElementIx, Kind};
use crate::program::{ProcessType, Program};
use crate::resolved::{Basic, Expr, Pattern, Place, Scope};
use crate::world::World;

/// The words of the source, on one line.
pub(crate) fn words(source: &Source, span: Span) -> String {
    let text: String = source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// How the places of a process type are called: by their labels, or by their lines. Where two would be called
/// the same, the column tells them apart, and if that does not, a number.
pub(crate) fn place_names(
    source: &Source,
    process: &ProcessType,
    table: &MoveTable,
) -> HashMap<ElementIx, String> {
    let graph = &process.graph;
    let position = |place: ElementIx| source.position(graph.elements[place].span);
    let plain = |place: ElementIx| match graph.labels.at(place) {
        Some(label) => label.name.clone(),
        None if matches!(graph.elements[place].kind, Kind::Basic(Basic::End)) => "-end-".into(),
        None => format!("line {}", position(place).line),
    };
    let mut names: Vec<(ElementIx, String)> =
        table.places.keys().map(|&place| (place, plain(place))).collect();
    let mut told_apart = |other: &dyn Fn(ElementIx, &str, usize) -> String| {
        let mut count: HashMap<String, usize> = HashMap::new();
        names.iter().for_each(|(_, name)| *count.entry(name.clone()).or_default() += 1);
        let mut met: HashMap<String, usize> = HashMap::new();
        for (place, name) in &mut names {
            if count[name.as_str()] > 1 {
                let number = met.entry(name.clone()).or_default();
                *number += 1;
                *name = other(*place, name, *number);
            }
        }
    };
    told_apart(&|place, name, _| match name.starts_with("line ") {
        true => format!("{name}:{}", position(place).column),
        false => format!("{name} (line {})", position(place).line),
    });
    told_apart(&|_, name, number| if number == 1 { name.to_owned() } else { format!("{name} #{number}") });
    names.into_iter().collect()
}

impl World<'_> {
    /// A message of a channel.
    pub fn message(&self, queue: usize, passing: Passing, values: Vec<Code>) -> MessageDef {
        let known = self.channel(queue);
        MessageDef {
            channel: known.name.clone(),
            passing,
            fields: known.types.iter().copied().zip(values).collect(),
        }
    }

    /// A process that does an element. Statements inside a `d_step` have no numbers of their own: `numbered`
    /// is the element that has the number.
    pub fn mover(
        &self,
        source: &Source,
        instance: usize,
        element: ElementIx,
        numbered: Option<ElementIx>,
    ) -> Mover {
        let who = &self.instances[instance];
        let process = &self.program.types[who.ty];
        let known = |element: ElementIx| element < process.graph.parsed && !process.graph.disordered;
        let statement = match (numbered, process.first_number) {
            (None, _) => StatementNumber::Part,
            (Some(element), Some(first)) if known(element) => {
                StatementNumber::Known(first + process.graph.elements[element].number as u32)
            }
            _ => StatementNumber::Unknown,
        };
        Mover {
            process: who.pid as u32,
            name: format!("{}({})", process.name, who.pid),
            words: self::statement(self.program, source, process, element),
            statement,
        }
    }
}

/// What an element does.
fn statement(program: &Program, source: &Source, process: &ProcessType, element: ElementIx) -> String {
    let element = &process.graph.elements[element];
    let written = words(source, element.span);
    let basic = match &element.kind {
        Kind::Basic(basic) => basic,
        Kind::Step(_) => return "d_step".into(),
        Kind::Goto(_) if written.starts_with("break") || written.starts_with("goto ") => return written,
        Kind::Goto(_) if is_name(&written) => return format!("goto {written}"),
        Kind::Goto(_) => return "break".into(),
        _ => return "end of the choice".into(),
    };
    // Of a `for` or a `select` there is no text for each of its steps.
    let is_whole = written.contains("..") || written.contains(" in ") || written.starts_with("for ");
    let text = Text { program, process };
    match basic {
        Basic::End => "-end-".into(),
        Basic::Else => "else".into(),
        Basic::Skip if is_name(&written) && written != "true" => "skip".into(),
        Basic::Assign(place, value) if is_whole => format!("{} = {}", text.place(place), text.expr(value)),
        Basic::Condition(expr) if is_whole => text.expr(expr),
        Basic::Send { channel, fields, .. } if is_whole => {
            format!("{}!{}", text.place(channel), text.exprs(fields))
        }
        Basic::Receive { channel, fields, .. } if is_whole => {
            let fields: Vec<String> = fields.iter().map(|field| text.pattern(field)).collect();
            format!("{}?{}", text.place(channel), fields.join(","))
        }
        _ => written,
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Expressions as text again.
struct Text<'a> {
    program: &'a Program,
    process: &'a ProcessType,
}

impl Text<'_> {
    fn place(&self, place: &Place) -> String {
        let variable = match place.scope {
            Scope::Global => &self.program.globals[place.variable],
            Scope::Own => &self.process.locals[place.variable],
        };
        // What has no name in the text is the counter of a loop.
        let name = if variable.name.contains('@') { "i" } else { &variable.name };
        let indices = place.indices.iter().map(|index| format!("[{}]", self.expr(index)));
        std::iter::once(name.to_owned()).chain(indices).collect()
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Into(place) => self.place(place),
            Pattern::Equal(expr) => self.expr(expr),
            Pattern::Any => "_".into(),
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(",")
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(value) => value.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Channel(_, place) => format!("len({})", self.place(place)),
            Expr::Unary(op, operand) => format!("{op}({})", self.expr(operand)),
            Expr::Binary(op, left, right, _) => {
                let side = |side: &Expr| match side {
                    Expr::Binary(..) => format!("({})", self.expr(side)),
                    _ => self.expr(side),
                };
                format!("{} {op} {}", side(left), side(right))
            }
            Expr::Pid => "_pid".into(),
            Expr::Processes => "_nr_pr".into(),
            Expr::Last => "_last".into(),
            _ => "…".into(),
        }
    }
}
