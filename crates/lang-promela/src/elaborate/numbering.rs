//! The numbers that Spin gives to statements in the files where it writes runs down (trails).
//!
//! Spin numbers the elements of all process types, claims and traces in one row, in the order in which its
//! parser makes them. The builder of graphs (`flow::builder`) makes the elements of a process type in that
//! order, too. What is missing is where each type begins. Elements of claims and traces are only counted for
//! that.
//!
//! Example: a type with 7 elements, a claim with 4, and another type: the first type begins with number 0,
//! the second one with number 11.

use crate::ast::{Sequence, Spec, Statement, StatementKind, Unit};
use crate::program::Program;

/// Tells each process type the number of its first element, as far as that is known.
pub(crate) fn number(spec: &Spec, program: &mut Program) {
    let mut next = Some(0u32);
    let mut types = program.types.iter_mut();
    for unit in &spec.units {
        let elements = match unit {
            Unit::Process(_) => {
                let Some(process) = types.next() else { return };
                process.first_number = next;
                Some(process.graph.parsed)
            }
            // Behind the last statement comes the end.
            Unit::Never(never) => sequence(&never.body, true).map(|count| count + 1),
            Unit::Trace(trace) => sequence(&trace.body, true).map(|count| count + 1),
            // Spin makes a claim of a formula when all else is read.
            Unit::Ltl(_) | Unit::Mtype(_) | Unit::Typedef(_) | Unit::Global(_) => Some(0),
        };
        next =
            next.zip(elements).and_then(|(next, elements)| next.checked_add(u32::try_from(elements).ok()?));
    }
}

/// How many elements the statements of a sequence are; none where that takes more than the tree to know.
fn sequence(sequence: &Sequence, mut at_start: bool) -> Option<usize> {
    let mut count = 0;
    for statement in &sequence.statements {
        if let StatementKind::Declare(_) = statement.kind {
            // Only declarations at the very start are no steps.
            if !at_start {
                return None;
            }
            continue;
        }
        at_start = false;
        count += self::statement(statement)?;
    }
    Some(count)
}

/// A sequence that does nothing is a `skip`.
fn filled(inside: &Sequence) -> Option<usize> {
    sequence(inside, false).map(|count| count.max(1))
}

fn statement(statement: &Statement) -> Option<usize> {
    let special = |prefix: &str| statement.labels.iter().any(|label| label.text.starts_with(prefix));
    let options = |options: &[Sequence]| options.iter().map(filled).sum::<Option<usize>>();
    Some(match &statement.kind {
        StatementKind::If(inside) => options(inside)? + 2,
        StatementKind::Do(inside) => options(inside)? + 3,
        StatementKind::Atomic(inside) | StatementKind::DStep(inside) | StatementKind::Block(inside) => {
            filled(inside)? + 1
        }
        StatementKind::Unless(main, escape) => side(main)? + side(escape)? + 2,
        StatementKind::For { body, .. } => sequence(body, false)? + 8,
        StatementKind::Select { .. } => 7,
        // An array or a channel: names would have to be looked up.
        StatementKind::ForIn { .. } | StatementKind::Declare(_) => return None,
        StatementKind::Exclusive { .. } => 0,
        // One that keeps a label has a `skip` before it.
        StatementKind::Goto(_) | StatementKind::Break => {
            1 + usize::from(["end", "accept", "progress"].into_iter().any(special))
        }
        _ => 1,
    })
}

fn side(statement: &Statement) -> Option<usize> {
    match &statement.kind {
        StatementKind::Block(inside) if statement.labels.is_empty() => filled(inside),
        _ => self::statement(statement),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::process::Command;

    use base::Source;

    use super::*;
    use crate::flow::Kind;
    use crate::resolved::Basic;

    /// What Spin calls an element of this kind, as far as it is always the same.
    fn called(kind: &Kind, text: &str) -> bool {
        match kind {
            Kind::Basic(Basic::End) => text == "-end-",
            Kind::Basic(Basic::Else) => text == "else",
            Kind::Basic(Basic::Skip) => text == "(1)" || text.is_empty() || text.starts_with('('),
            Kind::Basic(Basic::Print) => text.starts_with("print") || text.contains('='),
            Kind::Basic(Basic::Assert(_)) => text.starts_with("assert"),
            Kind::Basic(Basic::Assign(..)) => text.contains(" = "),
            Kind::Basic(Basic::Send { .. }) => text.contains('!'),
            Kind::Basic(Basic::Receive { .. }) => text.contains('?'),
            Kind::Basic(Basic::Condition(_)) => text.starts_with('('),
            Kind::Basic(_) => !text.contains("goto"),
            Kind::Goto(_) => text.starts_with("goto") || text == "break" || text == ".(goto)",
            Kind::Joint => text == ".(goto)",
            Kind::Exit => text == "break",
            Kind::If(_) => text == "IF",
            Kind::Do(_) => text == "DO",
            Kind::Atomic(_) => text == "ATOMIC",
            Kind::Block(_) => ["sub-sequence", "ATOMIC"].contains(&text),
            Kind::Unless(..) => text == "sub-sequence" || text == "UNLESS",
            Kind::Step(_) => text.starts_with("D_STEP"),
        }
    }

    /// The elements by number, with their texts, as Spin writes them down for its verifier; none if it is not
    /// installed or refuses.
    fn spin(folder: &Path, text: &str) -> Option<BTreeMap<u32, String>> {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("model.pml"), text).unwrap();
        let arguments = ["-a", "-o1", "-o2", "-o3", "model.pml"];
        let run = Command::new("spin").args(arguments).current_dir(folder).output().ok()?;
        let table = std::fs::read_to_string(folder.join("pan.t")).ok().filter(|_| run.status.success());
        std::fs::remove_dir_all(folder).unwrap();
        let mut elements = BTreeMap::new();
        for line in table?
            .lines()
            .filter(|line| line.contains("settr(") && line.contains("trans[") && !line.contains("_NP_"))
        {
            let after = line.split_once("settr(")?.1;
            let number = after.split(',').next()?.parse().ok()?;
            let from = after.find('"')? + 1;
            elements.insert(number, after[from..after.rfind('"')?].to_owned());
        }
        Some(elements)
    }

    /// Compares all elements that Spin mentions; the answer is how many there are.
    fn compare(name: &str, text: &str) -> usize {
        let source = Source::new(name, text);
        let Ok((spec, _)) = crate::parse(&source, &crate::Options::default()) else { return 0 };
        let Ok((mut program, _)) = crate::elaborate::elaborate(&spec) else { return 0 };
        number(&spec, &mut program);
        let folder = std::env::temp_dir().join(format!("pinscher-numbering-{}-{name}", std::process::id()));
        let Some(known) = spin(&folder, text) else { return 0 };
        let mut compared = 0;
        for process in &program.types {
            let Some(first) = process.first_number else { continue };
            for element in
                process.graph.elements[..process.graph.parsed].iter().filter(|_| !process.graph.disordered)
            {
                let number = first + element.number as u32;
                if let Some(text) = known.get(&number) {
                    assert!(
                        called(&element.kind, text),
                        "{name}: {number} is `{text}`, not {:?}",
                        element.kind
                    );
                    compared += 1;
                }
            }
        }
        compared
    }

    const TEXTS: &[(&str, &str)] = &[
        ("choices", "byte x; active proctype P() { do :: x < 2 -> x++ :: else -> break od; if :: x == 1 :: skip fi }
                     active proctype Q() { assert(x < 3); L: if :: x -> goto L :: else fi }"),
        ("loops", "byte x; byte a[3]; active proctype P() { for (x : 1 .. 3) { a[0] = x; skip }; select (x : 1 .. 4);
                   byte y; y = 2; select (x : 0 .. y); for (x in a) { a[x] = 1 } } init { x = 1 }"),
        ("steps", "byte x; chan q = [1] of { byte }; inline both(v) { v = 1; v = 2 }
                   active proctype P() { atomic { x = 1; both(x); { x = 2; x = 4 } }; d_step { x = 3; if :: x > 1 -> x = 0 :: else fi }; both(x) }
                   active proctype Q() { { q!1; q?x } unless { x == 3; x = 7 }; x = 1 unless x == 2; printf(\"x\") }"),
        ("labels", "byte x; active proctype P() { progress: goto end; accept: x = 1; do :: x = 2 :: progress_2: break :: end_2: goto accept od; end: skip }
                    init { x = 2 }"),
        ("labelled", "byte x; active proctype P() { L: { x = 1; x = 2 } unless { x == 3; x = 4 }; M: atomic { x = 5; skip } unless { x == 6 }; x = 7 }"),
        ("claims", "byte x; active proctype P() { x = 1 } never { do :: x == 0 :: atomic { x > 0 -> assert(false) } od; accept: if :: true -> goto accept fi }
                    active proctype Q() { x = 2; skip } ltl p { [] (x < 3) } init { assert(x) }"),
        ("traces", "chan q = [1] of { byte }; byte x; trace { do :: q!1; q?1 :: q!2 od } active proctype P() { q!1; q?x }"),
    ];

    #[test]
    fn elements_have_the_numbers_that_spin_gives_them() {
        let compared: usize = TEXTS.iter().map(|(name, text)| compare(name, text)).sum();
        let installed = Command::new("spin").arg("-V").output().is_ok();
        assert!(compared > 90 || !installed, "only {compared}");
    }

    #[test]
    fn elements_of_shared_models_have_the_numbers_that_spin_gives_them() {
        let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/promela");
        let comparable = all.exists() && Command::new("spin").arg("-V").output().is_ok();
        let mut folders = vec![all];
        let mut compared = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path)
                    && !text.contains("#include")
                {
                    compared += compare(&entry.file_name().to_string_lossy(), &text);
                }
            }
        }
        assert!(compared > 1000 || !comparable, "only {compared}");
    }
}
