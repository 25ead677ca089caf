//! Expressions of a text against others that they should be equal to.

use processes::ProcessTermKind;
use terms::{Data, Expr};

use super::read;

/// What the expressions are made of.
pub const DECLARED: &str = "
sort E = struct a | b(x: Nat, y: Bool)?is_b | c(l: List(Nat));
     D = struct d1 | d2 | d3;
map  f, g, h: Bool -> Nat; k: Nat -> Nat; m: D -> D; u: Nat;
var  v: Bool; n: Nat;
eqn  f(v) = if(v, 3, 4); g(v) = if(!v, 4, 3); h(v) = 3; k(n) = n * n; m(d1) = d2; m(d2) = d3; m(d3) = d1;
";

/// The value of the first expression of an action, as text, and whether the second one is the same term.
pub fn compare(declared: &str, pairs: &[(String, String, String)]) -> Vec<Result<(), String>> {
    let mut text = format!("{declared}\n");
    for (at, (sort, ..)) in pairs.iter().enumerate() {
        text += &format!("act out{at}: ({sort}) # ({sort});\n");
    }
    let calls: Vec<String> =
        pairs.iter().enumerate().map(|(at, (_, one, other))| format!("out{at}({one}, {other})")).collect();
    text += &format!("init {};\n", calls.join(" + "));
    let spec = read(&text);
    let parts = match &*spec.init.kind {
        ProcessTermKind::Choice(parts) => parts.clone(),
        _ => vec![spec.init.clone()],
    };
    let data = Data::new(spec.data).unwrap_or_else(|problems| panic!("{problems:?}"));
    let same = |(part, (_, one, other)): (&processes::ProcessTerm, &(String, String, String))| {
        let ProcessTermKind::Action(_, arguments) = &*part.kind else { panic!("{part:?}") };
        let value = |expr: &Expr| match data.evaluate(expr) {
            Ok(Ok(term)) => Ok(term),
            Ok(Err(fault)) => Err(format!("{one}: {fault}")),
            Err(problem) => Err(format!("{one}: {problem:?}")),
        };
        let (found, wanted) = (value(&arguments[0])?, value(&arguments[1])?);
        let sort = arguments[0].sort;
        match found == wanted {
            true => Ok(()),
            false => {
                Err(format!("{one} is {}, not {other} = {}", data.show(found, sort), data.show(wanted, sort)))
            }
        }
    };
    parts.iter().zip(pairs).map(same).collect()
}
