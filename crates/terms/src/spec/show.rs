//! Expressions as text, in the syntax of mCRL2.

use super::expr::is_nothing;
use super::{DataSpec, Expr, FunIx, Kind, Op, SortIx, VarIx};

impl DataSpec {
    /// An expression as text.
    pub fn show(&self, expr: &Expr) -> String {
        show_expr(self, expr, &|_| None, false)
    }
}

pub(crate) fn show_expr(
    spec: &DataSpec,
    expr: &Expr,
    known: &dyn Fn(VarIx) -> Option<String>,
    inside: bool,
) -> String {
    let all = |parts: &[Expr]| {
        let parts: Vec<String> = parts.iter().map(|part| show_expr(spec, part, known, false)).collect();
        parts.join(", ")
    };
    let name = |function: FunIx| spec.functions[function.ix()].name.as_str();
    let within = |text: String| if inside { format!("({text})") } else { text };
    match &*expr.kind {
        Kind::Var(var) => known(*var).unwrap_or_else(|| spec.vars[var.ix()].name.clone()),
        Kind::Number(value) => value.to_string(),
        Kind::Truth(value) => value.to_string(),
        Kind::Call(function, parts) if parts.is_empty() => name(*function).to_owned(),
        Kind::Call(function, parts) => format!("{}({})", name(*function), all(parts)),
        Kind::Function(function) => name(*function).to_owned(),
        Kind::Op(Op::Number | Op::Widen, parts)
            if is_nothing(Op::Widen, parts, expr.sort) && parts[0].sort <= expr.sort =>
        {
            show_expr(spec, &parts[0], known, inside)
        }
        Kind::Op(Op::List, parts) => format!("[{}]", all(parts)),
        Kind::Op(Op::SetOf, parts) => format!("{{{}}}", all(parts)),
        Kind::Op(Op::BagOf, parts) => {
            let pair = |pair: &[Expr]| {
                pair.iter().map(|part| show_expr(spec, part, known, false)).collect::<Vec<_>>().join(": ")
            };
            let pairs: Vec<String> = parts.chunks(2).map(pair).collect();
            if pairs.is_empty() { "{:}".to_owned() } else { format!("{{{}}}", pairs.join(", ")) }
        }
        Kind::Op(Op::Update, parts) => format!(
            "{}[{} -> {}]",
            show_expr(spec, &parts[0], known, true),
            show_expr(spec, &parts[1], known, false),
            show_expr(spec, &parts[2], known, false)
        ),
        Kind::Op(op, parts) => match (infix(*op), &parts[..]) {
            (Some(sign), [one, other]) => within(format!(
                "{} {sign} {}",
                show_expr(spec, one, known, true),
                show_expr(spec, other, known, true)
            )),
            _ => format!("{}({})", prefix(*op, parts.first().map(|part| part.sort), expr.sort), all(parts)),
        },
        Kind::Apply(function, parts) => format!("{}({})", show_expr(spec, function, known, true), all(parts)),
        Kind::Lambda(vars, body) | Kind::Forall(vars, body) | Kind::Exists(vars, body) => {
            let word = match &*expr.kind {
                Kind::Lambda(..) => "lambda",
                Kind::Forall(..) => "forall",
                _ => "exists",
            };
            let vars: Vec<String> = vars.iter().map(|var| declared(spec, *var)).collect();
            format!("({word} {}. {})", vars.join(", "), show_expr(spec, body, known, false))
        }
        Kind::SetWhere(var, body) | Kind::BagWhere(var, body) => {
            format!("{{ {} | {} }}", declared(spec, *var), show_expr(spec, body, known, false))
        }
        Kind::Where(body, bound) => {
            let bound: Vec<String> = (bound.iter())
                .map(|(var, value)| {
                    format!("{} = {}", spec.vars[var.ix()].name, show_expr(spec, value, known, false))
                })
                .collect();
            within(format!("{} whr {} end", show_expr(spec, body, known, true), bound.join(", ")))
        }
    }
}

pub(crate) fn declared(spec: &DataSpec, var: VarIx) -> String {
    let var = &spec.vars[var.ix()];
    format!("{}: {}", var.name, spec.sorts.show(var.sort))
}

/// The sign of a function that is written between its arguments.
pub(crate) fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Equal => "==",
        Op::NotEqual => "!=",
        Op::Less => "<",
        Op::LessEqual => "<=",
        Op::Greater => ">",
        Op::GreaterEqual => ">=",
        Op::And => "&&",
        Op::Or => "||",
        Op::Implies => "=>",
        Op::Plus | Op::Union => "+",
        Op::Minus | Op::Difference => "-",
        Op::Times | Op::Intersection => "*",
        Op::Divide => "/",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Cons => "|>",
        Op::Snoc => "<|",
        Op::Concat => "++",
        Op::ElementAt => ".",
        Op::In => "in",
        _ => return None,
    })
}

/// The name of a function that is written before its arguments.
pub(crate) fn prefix(op: Op, argument: Option<SortIx>, result: SortIx) -> &'static str {
    let sort = |sort: SortIx| ["Bool", "Pos", "Nat", "Int", "Real"].get(sort.ix()).copied().unwrap_or("");
    match op {
        Op::If => "if",
        Op::Not | Op::Complement => "!",
        Op::Negate => "-",
        Op::Number => match (argument.map_or("", sort), sort(result)) {
            ("Pos", "Nat") => "Pos2Nat",
            ("Pos", "Int") => "Pos2Int",
            ("Pos", "Real") => "Pos2Real",
            ("Nat", "Pos") => "Nat2Pos",
            ("Nat", "Int") => "Nat2Int",
            ("Nat", "Real") => "Nat2Real",
            ("Int", "Pos") => "Int2Pos",
            ("Int", "Nat") => "Int2Nat",
            ("Int", "Real") => "Int2Real",
            ("Real", "Pos") => "Real2Pos",
            ("Real", "Nat") => "Real2Nat",
            _ => "Real2Int",
        },
        Op::Power => "exp",
        Op::Succ => "succ",
        Op::Pred => "pred",
        Op::Abs => "abs",
        Op::Max => "max",
        Op::Min => "min",
        Op::Floor => "floor",
        Op::Ceil => "ceil",
        Op::Round => "round",
        Op::Sqrt => "sqrt",
        Op::Size => "#",
        Op::Head => "head",
        Op::Tail => "tail",
        Op::LastElement => "rhead",
        Op::AllButLast => "rtail",
        Op::Count => "count",
        Op::ToBag => "Set2Bag",
        Op::ToSet => "Bag2Set",
        Op::List => "@list",
        Op::SetOf => "@set",
        Op::BagOf => "@bag",
        Op::Update => "@func_update",
        _ => "@op",
    }
}
