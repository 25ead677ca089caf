//! From the tree to a resolved model: names are looked up, statements become the elements of a graph.
//!
//! Names of process types come first, for a `run` may stand before the type that it starts. Then constants,
//! records and shared variables are entered in the order of the text (`names`), and at last each process
//! type is read with its body (`body`).

mod body;
mod expressions;
mod mentions;
mod names;
pub(crate) mod numbering;

use base::{Diagnostic, Span};

use self::body::Body;
use self::expressions::Lookup;
use self::mentions::{features, mentioned_labels};
use self::names::{Field, Names, Problem, SymbolTable, wrong};
use crate::ast::{self, Unit};
use crate::flow::table::MoveTable;
use crate::program::Program;
use crate::resolved::{Initial, Variable};

/// The most processes that Spin lets run.
pub(crate) const MOST_PROCESSES: usize = 255;

/// The model in a tree, with a table of moves for each process type.
pub(crate) fn elaborate(spec: &ast::Spec) -> Result<(Program, Vec<MoveTable>), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut names = Names::default();
    for unit in &spec.units {
        if let Unit::Process(process) = unit {
            if names.processes.iter().any(|(name, _)| *name == process.name.text) {
                problems.push(*wrong(
                    format!("proctype `{}` is there twice", process.name.text),
                    process.name.span,
                ));
            }
            names.processes.push((process.name.text.clone(), process.name.span));
        }
    }
    let mut program = Program::default();
    let mut symbols = SymbolTable::default();
    let mut tables = Vec::new();
    let asked = mentioned_labels(spec);
    for unit in &spec.units {
        let done = match unit {
            Unit::Mtype(decl) => names.mtype(decl),
            Unit::Typedef(typedef) => names.typedef(typedef),
            Unit::Global(declaration) => globals(&names, declaration, &mut symbols, &mut program.globals),
            _ => Ok(()),
        };
        problems.extend(done.err().map(|problem| *problem));
    }
    let arity: Vec<usize> = processes(spec).map(|process| parameters(&names, process)).collect();
    for unit in &spec.units {
        if let Unit::Process(process) = unit {
            match Body::new(&names, &arity, (&symbols, &program.globals)).process(process, &asked) {
                Ok((made, table)) => {
                    program.types.push(made);
                    tables.push(table);
                }
                Err(found) => problems.extend(found),
            }
        }
    }
    if problems.is_empty() && program.types.is_empty() {
        let problem = Diagnostic::error("there is no process", Span::new(0, 0))
            .help("write `init { … }` or `active proctype P() { … }`");
        problems.push(problem);
    }
    program.features = features(spec);
    program.mtypes = std::mem::take(&mut names.mtypes);
    if problems.is_empty() { Ok((program, tables)) } else { Err(problems) }
}

fn processes(spec: &ast::Spec) -> impl Iterator<Item = &ast::Process> {
    spec.units.iter().filter_map(|unit| match unit {
        Unit::Process(process) => Some(process),
        _ => None,
    })
}

/// How many values a process is started with. What is wrong with its parameters is said elsewhere.
fn parameters(names: &Names, process: &ast::Process) -> usize {
    let fields = process.parameters.iter().filter_map(|declaration| names.fields(declaration).ok()).flatten();
    fields.map(|field| names.scalars(&field.shape)).sum()
}

fn globals(
    names: &Names,
    declaration: &ast::Declaration,
    symbols: &mut SymbolTable,
    variables: &mut Vec<Variable>,
) -> Result<(), Problem> {
    for field in names.fields(declaration)? {
        if symbols.get(&field.name).is_some() || names.constant(&field.name).is_some() {
            return Err(twice(&field));
        }
        let mut declared = SymbolTable::default();
        let mut made = Vec::new();
        names.declare(&field, &mut declared, &mut made, &mut |initial, span| {
            let lookup = Lookup { names, globals: (&*symbols, &*variables), locals: (&[], &[]), runs: false };
            initially(&lookup, initial, span)
        })?;
        names.declare(&field, symbols, variables, &mut |_, _| Ok(Initial::Zero))?;
        let start = variables.len() - made.len();
        variables.splice(start.., made);
    }
    Ok(())
}

fn twice(field: &Field) -> Problem {
    Box::new(
        Diagnostic::error(format!("`{}` is declared twice", field.name), field.span)
            .help("give one of the two another name"),
    )
}

fn initially(lookup: &Lookup<'_>, initial: &ast::Initial, span: Span) -> Result<Initial, Problem> {
    Ok(match initial {
        ast::Initial::Value(expr) => Initial::All(lookup.expr(expr)?),
        ast::Initial::Cells(exprs) => {
            Initial::Cells(exprs.iter().map(|expr| lookup.expr(expr)).collect::<Result<_, _>>()?)
        }
        ast::Initial::Channel { capacity, fields } => {
            Initial::Channel(lookup.names.channel(capacity, fields, span)?)
        }
    })
}
