//! Which processes there are: templates and loops written out.

use base::{Diagnostic, Span};
use logic::Formula;

use crate::ast::{Expr, Item, Name, Process, System};

/// More processes than this are a slip of the pen.
const MOST_PROCESSES: usize = 10_000;

/// So are loops that go round more often, all loops together.
const MOST_TURNS: usize = 1 << 16;

/// A process of the system, or of a property.
#[derive(Clone, Debug)]
pub(crate) struct Instance<'a> {
    /// `P`, or `a(1)` for an instance of a template.
    pub name: String,
    pub process: &'a Process,
    /// The values of the template's parameters.
    pub parameters: Vec<(&'a str, i64)>,
    pub is_property: bool,
    pub span: Span,
}

/// What a model's items come to.
#[derive(Default)]
pub(crate) struct Items<'a> {
    pub instances: Vec<Instance<'a>>,
    pub expressions: Vec<(&'a Name, &'a Expr)>,
    pub formulas: Vec<(&'a Name, &'a Formula)>,
}

/// The value of an expression over constants and the given names.
type Evaluate<'e> = dyn FnMut(&Expr, &[(&str, i64)]) -> Option<i64> + 'e;

/// Writes out templates and loops.
pub(crate) fn expand<'a, 'e>(
    system: &'a System,
    problems: &'e mut Vec<Diagnostic>,
    evaluate: &'e mut Evaluate<'e>,
) -> Items<'a> {
    let mut expansion = Expansion { system, items: Items::default(), problems, evaluate, turns: 0 };
    expansion.expand(&system.items, &mut Vec::new());
    expansion.items
}

struct Expansion<'a, 'b> {
    system: &'a System,
    items: Items<'a>,
    problems: &'b mut Vec<Diagnostic>,
    evaluate: &'b mut Evaluate<'b>,
    /// How often loops went round so far.
    turns: usize,
}

impl<'a> Expansion<'a, '_> {
    fn expand(&mut self, items: &'a [Item], names: &mut Vec<(&'a str, i64)>) {
        for item in items {
            match item {
                // A template stands for its instances.
                Item::Process(process) if !process.parameters.is_empty() => {}
                Item::Process(process) => {
                    self.add(process.name.text.clone(), process, Vec::new(), process.name.span)
                }
                Item::Instance(name, values) => self.instance(name, values, names),
                Item::For(name, first, last, body) => self.repeat(name, (first, last), body, names),
                Item::Expression(name, body) => self.items.expressions.push((name, body)),
                Item::Ltl(name, formula) => self.items.formulas.push((name, formula)),
            }
        }
    }

    fn add(&mut self, name: String, process: &'a Process, parameters: Vec<(&'a str, i64)>, span: Span) {
        if self.items.instances.len() >= MOST_PROCESSES {
            return;
        }
        let named = self.system.property.as_ref().is_some_and(|property| property.text == name);
        let is_property = process.is_property || named;
        self.items.instances.push(Instance { name, process, parameters, is_property, span });
        if self.items.instances.len() == MOST_PROCESSES {
            self.problems.push(
                Diagnostic::error(format!("more than {MOST_PROCESSES} processes"), span)
                    .help("make the loop shorter"),
            );
        }
    }

    fn template(&self, name: &Name) -> Option<&'a Process> {
        self.system.items.iter().find_map(|item| match item {
            Item::Process(process) if process.name.text == name.text && !process.parameters.is_empty() => {
                Some(process)
            }
            _ => None,
        })
    }

    fn instance(&mut self, name: &'a Name, values: &'a [Expr], names: &[(&'a str, i64)]) {
        let Some(template) = self.template(name) else {
            self.problems.push(
                Diagnostic::error(format!("no process `{}` with parameters", name.text), name.span)
                    .help(format!("declare it: `process {}(key id) {{ … }}`", name.text)),
            );
            return;
        };
        if template.parameters.len() != values.len() {
            let message = format!("`{}` has {} parameters", name.text, template.parameters.len());
            let label = format!("{} values are given", values.len());
            self.problems.push(Diagnostic::error(message, name.span).label(label));
            return;
        }
        let values: Option<Vec<i64>> = values.iter().map(|value| (self.evaluate)(value, names)).collect();
        let Some(values) = values else { return };
        let keys: Vec<String> = template
            .parameters
            .iter()
            .zip(&values)
            .filter(|(parameter, _)| parameter.key)
            .map(|(_, value)| value.to_string())
            .collect();
        let bound = template.parameters.iter().map(|p| p.name.text.as_str()).zip(values).collect();
        self.add(format!("{}({})", name.text, keys.join(",")), template, bound, name.span);
    }

    fn repeat(
        &mut self,
        name: &'a Name,
        (first, last): (&Expr, &Expr),
        body: &'a [Item],
        names: &mut Vec<(&'a str, i64)>,
    ) {
        let bounds = ((self.evaluate)(first, names), (self.evaluate)(last, names));
        let (Some(first), Some(last)) = bounds else { return };
        for value in first..=last {
            self.turns += 1;
            if self.turns > MOST_TURNS {
                return;
            }
            if self.turns == MOST_TURNS {
                let problem =
                    Diagnostic::error(format!("loops go round more than {MOST_TURNS} times"), name.span);
                self.problems.push(problem.help("make the loop shorter"));
                return;
            }
            names.push((&name.text, value));
            self.expand(body, names);
            names.pop();
            if self.items.instances.len() >= MOST_PROCESSES {
                return;
            }
        }
    }
}
