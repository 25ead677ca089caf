//! What the tests share: a tree as Promela again, with all parentheses and nothing left to expand.
#![allow(dead_code, reason = "each test uses some of it")]

use std::fmt::Write;

use base::{Diagnostic, Source};
use lang_promela::Options;
use lang_promela::ast::*;

/// Reads a text.
pub fn parse(text: &str) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    lang_promela::parse(&Source::new("test.pml", text), &Options::default())
}

/// The tree of a text, as text.
pub fn shown(text: &str) -> String {
    let source = Source::new("test.pml", text);
    match lang_promela::parse(&source, &Options::default()) {
        Ok((spec, _)) => show(&spec),
        Err(problems) => panic!("{text}\n{}", base::render_all(&problems, &source, 9)),
    }
}

/// The body of `init`, one line a statement, without the braces.
pub fn body(text: &str) -> String {
    let whole = shown(text);
    let inside = whole.split_once("init {\n").unwrap_or_else(|| panic!("no init in {whole}")).1;
    inside.trim_end_matches("}\n").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The tree as Promela.
pub fn show(spec: &Spec) -> String {
    let mut text = String::new();
    for unit in &spec.units {
        show_unit(unit, &mut text).unwrap();
        text.push('\n');
    }
    text
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show_unit(unit: &Unit, text: &mut String) -> std::fmt::Result {
    match unit {
        Unit::Mtype(constants) => {
            let set = constants.set.as_ref().map_or(String::new(), |set| format!(":{}", set.text));
            write!(text, "mtype{set} = {{ {} }};", list(&constants.names, |name| name.text.clone()))
        }
        Unit::Typedef(record) => {
            let fields: Vec<String> = record.fields.iter().map(declaration).collect();
            write!(text, "typedef {} {{ {} }};", record.name.text, fields.join("; "))
        }
        Unit::Global(variables) => write!(text, "{};", declaration(variables)),
        Unit::Process(process) => show_process(process, text),
        Unit::Never(never) => {
            let name = never.name.as_ref().map_or("", |name| &name.text);
            write!(text, "never {name} {{\n{}}}", sequence(&never.body))
        }
        Unit::Ltl(ltl) => {
            let name = ltl.name.as_ref().map_or("", |name| &name.text);
            let words: Vec<&str> = ltl.words.iter().map(|word| word.text.as_str()).collect();
            write!(text, "ltl {name} {{ {} }}", words.join(" "))
        }
        Unit::Trace(trace) => {
            write!(
                text,
                "{} {{\n{}}}",
                if trace.negated { "notrace" } else { "trace" },
                sequence(&trace.body)
            )
        }
    }
}

fn show_process(process: &Process, text: &mut String) -> std::fmt::Result {
    let priority =
        process.priority.as_ref().map_or(String::new(), |n| format!(" priority {}", expression(n)));
    if process.is_init {
        return write!(text, "init{priority} {{\n{}}}", sequence(&process.body));
    }
    let active = match &process.active {
        None => String::new(),
        Some(None) => "active ".into(),
        Some(Some(count)) => format!("active [{}] ", expression(count)),
    };
    let kind = if process.deterministic { "D_proctype" } else { "proctype" };
    let parameters: Vec<String> = process.parameters.iter().map(declaration).collect();
    let provided =
        process.provided.as_ref().map_or(String::new(), |e| format!(" provided ({})", expression(e)));
    let (name, body) = (&process.name.text, sequence(&process.body));
    write!(text, "{active}{kind} {name}({}){priority}{provided} {{\n{body}}}", parameters.join("; "))
}

fn type_name(ty: &TypeName) -> String {
    match ty {
        TypeName::Bit => "bit".into(),
        TypeName::Bool => "bool".into(),
        TypeName::Byte => "byte".into(),
        TypeName::Pid => "pid".into(),
        TypeName::Short => "short".into(),
        TypeName::Int => "int".into(),
        TypeName::Unsigned => "unsigned".into(),
        TypeName::Chan => "chan".into(),
        TypeName::Mtype(None) => "mtype".into(),
        TypeName::Mtype(Some(set)) => format!("mtype:{}", set.text),
        TypeName::User(name) => name.text.clone(),
    }
}

fn declaration(declaration: &Declaration) -> String {
    let visibility = match declaration.visibility {
        Visibility::Plain => "",
        Visibility::Hidden => "hidden ",
        Visibility::Show => "show ",
        Visibility::Local => "local ",
    };
    let variable = |variable: &Variable| {
        let mut text = variable.name.text.clone();
        text += &variable.width.as_ref().map_or(String::new(), |width| format!(" : {}", expression(width)));
        text += &variable.length.as_ref().map_or(String::new(), |length| format!("[{}]", expression(length)));
        text += &match &variable.initial {
            None => String::new(),
            Some(Initial::Value(value)) => format!(" = {}", expression(value)),
            Some(Initial::Cells(cells)) => format!(" = {{ {} }}", list(cells, expression)),
            Some(Initial::Channel { capacity, fields }) => {
                format!(" = [{}] of {{ {} }}", expression(capacity), list(fields, type_name))
            }
        };
        text
    };
    format!("{visibility}{} {}", type_name(&declaration.ty), list(&declaration.variables, variable))
}

fn sequence(sequence: &Sequence) -> String {
    sequence.statements.iter().map(|step| format!("{};\n", statement(step))).collect()
}

fn options(options: &[Sequence]) -> String {
    options.iter().map(|option| format!(":: {}", sequence(option))).collect()
}

fn statement(statement: &Statement) -> String {
    let labels: String = statement.labels.iter().map(|label| format!("{}: ", label.text)).collect();
    labels + &kind(&statement.kind)
}

fn kind(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Declare(variables) => declaration(variables),
        StatementKind::Exclusive { receive, channels } => {
            format!("{} {}", if *receive { "xr" } else { "xs" }, list(channels, reference))
        }
        StatementKind::Condition(Expr { kind: ExprKind::SetPriority(process, priority), .. }) => {
            format!("set_priority({}, {})", expression(process), expression(priority))
        }
        StatementKind::Condition(condition) => expression(condition),
        StatementKind::Assign(target, value) => format!("{} = {}", reference(target), expression(value)),
        StatementKind::Send { channel, fields, sorted } => {
            format!("{}{}{}", reference(channel), if *sorted { "!!" } else { "!" }, list(fields, expression))
        }
        StatementKind::Receive { channel, fields, random, peek } => {
            let (open, close) = if *peek { ("<", ">") } else { ("", "") };
            let sign = if *random { "??" } else { "?" };
            format!("{}{sign}{open}{}{close}", reference(channel), list(fields, pattern))
        }
        StatementKind::If(all) => format!("if\n{}fi", options(all)),
        StatementKind::Do(all) => format!("do\n{}od", options(all)),
        StatementKind::For { counter, from, to, body } => format!(
            "for ({} : {} .. {}) {{\n{}}}",
            reference(counter),
            expression(from),
            expression(to),
            sequence(body)
        ),
        StatementKind::ForIn { counter, collection, body } => {
            format!("for ({} in {}) {{\n{}}}", reference(counter), reference(collection), sequence(body))
        }
        StatementKind::Select { counter, from, to } => {
            format!("select ({} : {} .. {})", reference(counter), expression(from), expression(to))
        }
        StatementKind::Atomic(body) => format!("atomic {{\n{}}}", sequence(body)),
        StatementKind::DStep(body) => format!("d_step {{\n{}}}", sequence(body)),
        StatementKind::Block(body) => format!("{{\n{}}}", sequence(body)),
        StatementKind::Unless(main, escape) => format!("{} unless {}", statement(main), statement(escape)),
        StatementKind::Goto(label) => format!("goto {}", label.text),
        StatementKind::Break => "break".into(),
        StatementKind::Else => "else".into(),
        StatementKind::Assert(condition) => format!("assert({})", expression(condition)),
        StatementKind::Print(text, values) => {
            let values: String = values.iter().map(|value| format!(", {}", expression(value))).collect();
            format!("printf(\"{text}\"{values})")
        }
        StatementKind::PrintMtype(value) => format!("printm({})", expression(value)),
    }
}

fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Name(name) => reference(name),
        // No parentheses may stand around a constant here.
        Pattern::Constant(value) => match &value.kind {
            ExprKind::Unary(UnaryOp::Minus, inside) => format!("-{}", expression(inside)),
            _ => expression(value),
        },
        Pattern::Eval(value) => format!("eval({})", expression(value)),
    }
}

fn reference(variable: &Reference) -> String {
    let index = variable.index.as_ref().map_or(String::new(), |index| format!("[{}]", expression(index)));
    let field = variable.field.as_ref().map_or(String::new(), |field| format!(".{}", reference(field)));
    format!("{}{index}{field}", variable.name.text)
}

/// An expression with all its parentheses.
pub fn expression(expr: &Expr) -> String {
    let pid =
        |pid: &Option<Box<Expr>>| pid.as_ref().map_or(String::new(), |pid| format!("[{}]", expression(pid)));
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Name(name) => reference(name),
        ExprKind::Unary(op, inside) => format!("({op}{})", expression(inside)),
        ExprKind::Binary(op, left, right) => format!("({} {op} {})", expression(left), expression(right)),
        ExprKind::Conditional(condition, then, otherwise) => {
            format!("({} -> {} : {})", expression(condition), expression(then), expression(otherwise))
        }
        ExprKind::Run { process, arguments, priority } => {
            let priority =
                priority.as_ref().map_or(String::new(), |n| format!(" priority {}", expression(n)));
            format!("run {}({}){priority}", process.text, list(arguments, expression))
        }
        ExprKind::Channel(test, channel) => {
            let test = match test {
                ChannelTest::Len => "len",
                ChannelTest::Empty => "empty",
                ChannelTest::Full => "full",
                ChannelTest::Nempty => "nempty",
                ChannelTest::Nfull => "nfull",
            };
            format!("{test}({})", reference(channel))
        }
        ExprKind::Poll { channel, fields, random } => {
            format!("{}{}[{}]", reference(channel), if *random { "??" } else { "?" }, list(fields, pattern))
        }
        ExprKind::Enabled(process) => format!("enabled({})", expression(process)),
        ExprKind::PcValue(process) => format!("pc_value({})", expression(process)),
        ExprKind::GetPriority(process) => format!("get_priority({})", expression(process)),
        ExprKind::SetPriority(..) => panic!("a value of set_priority"),
        ExprKind::Timeout => "timeout".into(),
        ExprKind::NonProgress => "np_".into(),
        ExprKind::RemoteLabel { process, pid: number, label } => {
            format!("{}{}@{}", process.text, pid(number), label.text)
        }
        ExprKind::RemoteVariable { process, pid: number, variable } => {
            format!("{}{}:{}", process.text, pid(number), reference(variable))
        }
    }
}
