//! What a text means.

use base::{Source, render_all};
use processes::{ProcessSpec, ProcessTerm, ProcessTermKind};
use terms::{Expr, Kind, Op, Sort};

fn read(text: &str) -> ProcessSpec {
    let source = Source::new("test.mcrl", text);
    match lang_mucrl::read(&source) {
        Ok((spec, warnings)) => {
            assert_eq!(warnings, [], "{text}");
            spec
        }
        Err(problems) => panic!("{}", render_all(&problems, &source, 20)),
    }
}

/// A process term in one line, to compare with.
fn show(spec: &ProcessSpec, term: &ProcessTerm) -> String {
    let all = |parts: &[ProcessTerm], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|part| show(spec, part)).collect();
        format!("({})", parts.join(sign))
    };
    let names = |names: &[processes::NameIx]| {
        names.iter().map(|name| spec.names[name.0 as usize].as_str()).collect::<Vec<_>>().join(",")
    };
    let data = |data: &[Expr]| data.iter().map(|expr| expression(spec, expr)).collect::<Vec<_>>().join(",");
    match &*term.kind {
        ProcessTermKind::Action(action, arguments) => {
            let name = &spec.names[spec.actions[action.0 as usize].name.0 as usize];
            format!("{name}[{}]", data(arguments))
        }
        ProcessTermKind::Call(process, arguments) => format!("{}<{}>", process.0, data(arguments)),
        ProcessTermKind::Tau => "tau".into(),
        ProcessTermKind::Delta => "delta".into(),
        ProcessTermKind::Choice(parts) => all(parts, " + "),
        ProcessTermKind::Sequence(parts) => all(parts, "."),
        ProcessTermKind::Handshake(rules, parts) => all(parts, &format!(" ||{} ", rules.len())),
        ProcessTermKind::HandshakeLeft(rules, left, right) => {
            format!("({} ||_{} {})", show(spec, left), rules.len(), show(spec, right))
        }
        ProcessTermKind::HandshakeBoth(rules, one, other) => {
            format!("({} |{} {})", show(spec, one), rules.len(), show(spec, other))
        }
        ProcessTermKind::Condition(condition, then, otherwise) => {
            let otherwise = otherwise.as_ref().map_or("-".into(), |term| show(spec, term));
            format!("({} ? {} : {otherwise})", expression(spec, condition), show(spec, then))
        }
        ProcessTermKind::Sum(vars, body) => {
            format!("sum {}. {}", spec.data.vars[vars[0].ix()].name, show(spec, body))
        }
        ProcessTermKind::Block(blocked, body) => format!("block{{{}}}{}", names(blocked), show(spec, body)),
        ProcessTermKind::Hide(hidden, body) => format!("hide{{{}}}{}", names(hidden), show(spec, body)),
        ProcessTermKind::Rename(renamings, body) => {
            let renamings: Vec<String> =
                renamings.iter().map(|(from, to)| format!("{}>{}", names(&[*from]), names(&[*to]))).collect();
            format!("rename{{{}}}{}", renamings.join(","), show(spec, body))
        }
        other => panic!("{other:?}"),
    }
}

fn expression(spec: &ProcessSpec, expr: &Expr) -> String {
    let data = |data: &[Expr]| data.iter().map(|expr| expression(spec, expr)).collect::<Vec<_>>().join(",");
    match &*expr.kind {
        Kind::Var(var) => {
            format!("{}{}", spec.data.vars[var.ix()].name, if expr.sort.is_number() { "!" } else { "" })
        }
        Kind::Truth(value) => value.to_string(),
        Kind::Call(function, arguments) if arguments.is_empty() => {
            spec.data.functions[function.ix()].name.clone()
        }
        Kind::Call(function, arguments) => {
            format!("{}:{}({})", spec.data.functions[function.ix()].name, function.0, data(arguments))
        }
        Kind::Op(op, arguments) => format!("{op:?}({})", data(arguments)),
        other => panic!("{other:?}"),
    }
}

const BOOL: &str = "sort Bool func T,F:->Bool ";

#[test]
fn operators_bind_as_they_should() {
    let declared = format!("{BOOL} act a b c d comm a|b=c proc X = a Y = b ");
    for (text, wanted) in [
        ("a+b.c", "(a[] + (b[].c[]))"),
        ("(a+b).c", "((a[] + b[]).c[])"),
        ("a+b||c", "(a[] + (b[] ||1 c[]))"),
        ("a||b||c", "(a[] ||1 b[] ||1 c[])"),
        ("a.b<|T|>c.d+a", "((true ? (a[].b[]) : (c[].d[])) + a[])"),
        ("a<|T|>delta||b", "((true ? a[] : -) ||1 b[])"),
        ("a<|T|>b<|F|>c", "(true ? a[] : (false ? b[] : c[]))"),
        ("a.X.Y", "(a[].0<>.1<>)"),
        ("tau.delta", "(tau.delta)"),
        ("encap({b,a,b},hide({},rename({a->b},X)))", "block{a,b}hide{}rename{a>b}0<>"),
    ] {
        let spec = read(&format!("{declared} init {text}"));
        assert_eq!(show(&spec, &spec.init), wanted, "{text}");
    }
}

#[test]
fn names_are_told_apart_by_the_sorts_of_their_arguments() {
    let text = format!(
        "{BOOL} sort D E func d:->D e:->E in:D->E in:D#E->E map f:D->D f:E->Bool \
         act a a:D a:E#D proc P(x:D)=a(x).P(e,x) P(x:E,y:D)=a(x,y).P(y)<|f(x)|>a \
         init sum(x:E, P(in(d,in(d)),f(d)))"
    );
    let spec = read(&text);
    assert_eq!(spec.names, ["a"]);
    assert_eq!(spec.actions.len(), 3);
    assert_eq!(show(&spec, &spec.init), "sum x. 1<in:3(d,in:2(d)),f:4(d)>");
    assert_eq!(show(&spec, &spec.processes[1].body), "(f:5(x) ? (a[x,y].0<y>) : a[])");
    let user = |name: &str| spec.data.sorts.find(&Sort::User(name.into())).is_some();
    assert!(user("D") && user("E") && !user("Bool"));
}

#[test]
fn variables_hide_constants_and_end_with_their_section() {
    let spec = read(&format!(
        "{BOOL} map f:Bool->Bool x:->Bool var x:Bool rew f(x)=x rew x=T act a:Bool init sum(x:Bool,a(x)).a(x)"
    ));
    let shown: Vec<String> = spec
        .data
        .equations
        .iter()
        .map(|equation| {
            format!("{}={}", expression(&spec, &equation.left), expression(&spec, &equation.right))
        })
        .collect();
    assert_eq!(shown, ["f:0(x)=x", "x=true"]);
    assert!(matches!(&*spec.data.equations[0].right.kind, Kind::Var(_)));
    assert!(matches!(&*spec.data.equations[1].left.kind, Kind::Call(..)));
    let ProcessTermKind::Sequence(parts) = &*spec.init.kind else { panic!() };
    assert!(show(&spec, &parts[0]).contains("a[x]"));
}

#[test]
fn three_come_together_where_communication_goes_on() {
    let spec = read("act a b c d e comm a|b=c c|d=e init a||b||d");
    assert_eq!(show(&spec, &spec.init), "((a[] ||2 b[]) ||2 d[])");
    let ProcessTermKind::Handshake(rules, _) = &*spec.init.kind else { panic!() };
    assert_eq!((rules[1].from.len(), rules[1].to), (2, Some(processes::NameIx(4))));
    let spec = read("act a b comm b|a=tau a|b=tau init a||b");
    let ProcessTermKind::Handshake(rules, _) = &*spec.init.kind else { panic!() };
    assert_eq!((rules.len(), rules[0].to, rules[0].from[0].0), (1, None, 0));
}

/// Which functions of a specification became built-in ones, by a condition that calls them all.
fn recognised(data: &str, call: &str) -> String {
    let spec = read(&format!("{BOOL} {data} act a init sum(x:Bool,sum(y:Bool,a<|{call}|>delta))"));
    let mut inner = &spec.init;
    while let ProcessTermKind::Sum(_, body) = &*inner.kind {
        inner = body;
    }
    let ProcessTermKind::Condition(condition, ..) = &*inner.kind else { panic!() };
    expression(&spec, condition)
}

#[test]
fn functions_of_truth_values_are_known_by_their_tables() {
    let one = "map f:Bool->Bool var x:Bool rew";
    let two = "map f:Bool#Bool->Bool g:Bool->Bool var x,y:Bool rew g(T)=F g(F)=T g(g(x))=x";
    for (data, call, wanted) in [
        (format!("{one} f(T)=F f(F)=T f(f(x))=x"), "f(x)", "Not(x)"),
        (format!("{one} f(x)=x"), "f(x)", "f:0(x)"),
        (format!("{one} f(T)=F"), "f(x)", "f:0(x)"),
        (format!("{one} f(T)=F f(F)=T f(F)=F"), "f(x)", "f:0(x)"),
        (format!("{one} f(x)=f(x)"), "f(x)", "f:0(x)"),
        (format!("{two} f(T,x)=x f(F,x)=F"), "f(x,y)", "And(x,y)"),
        (format!("{two} f(x,y)=f(y,x) f(T,x)=x f(F,F)=F"), "f(x,y)", "And(x,y)"),
        (format!("{two} f(T,x)=T f(F,x)=x"), "f(x,y)", "Or(x,y)"),
        (format!("{two} f(F,x)=T f(T,x)=x"), "f(x,y)", "Implies(x,y)"),
        (format!("{two} f(x,T)=T f(T,F)=F f(F,F)=T"), "f(x,y)", "Implies(x,y)"),
        (format!("{two} f(T,x)=T f(F,x)=g(x)"), "f(x,y)", "f:0(x,y)"),
        (format!("{two} f(x,x)=T f(T,x)=x f(x,T)=x"), "f(x,y)", "Equal(x,y)"),
        (format!("{two} f(x,y)=g(x) f(T,T)=F"), "f(x,g(y))", "f:0(x,Not(y))"),
        (format!("{two} f(T,x)=g(x) f(F,x)=x"), "f(x,y)", "NotEqual(x,y)"),
        ("map f:Bool#Bool#Bool->Bool var x,y:Bool rew f(T,x,y)=x f(F,x,y)=y".into(), "f(x,y,x)", "If(x,y,x)"),
        (
            "map f:Bool#Bool#Bool->Bool var x,y:Bool rew f(T,x,y)=y f(F,x,y)=x".into(),
            "f(x,y,x)",
            "f:0(x,y,x)",
        ),
    ] {
        assert_eq!(recognised(&data, call), wanted, "{data}");
    }
}

#[test]
fn choices_are_known_for_every_sort() {
    let data = "sort D func d,e:->D map if,fi:Bool#D#D->D is:D->Bool var x,y:D b:Bool rew is(d)=T is(e)=F";
    for (rules, wanted) in [
        ("if(T,x,y)=x if(F,x,y)=y", "is:4(If(x,d,e))"),
        ("if(T,x,y)=x if(F,x,y)=y if(b,x,x)=x", "is:4(If(x,d,e))"),
        ("if(T,x,y)=x", "is:4(if:2(x,d,e))"),
        ("if(T,x,y)=x if(F,x,y)=x", "is:4(if:2(x,d,e))"),
        ("if(T,x,y)=x if(F,x,y)=y if(b,d,y)=d", "is:4(if:2(x,d,e))"),
        ("if(T,x,y)=x if(F,x,y)=y if(b,x,y)=y", "is:4(if:2(x,d,e))"),
    ] {
        assert_eq!(recognised(&format!("{data} {rules}"), "is(if(x,d,e))"), wanted, "{rules}");
    }
}

#[test]
fn equalities_are_known_by_their_cases() {
    let and = "map and:Bool#Bool->Bool beq:Bool#Bool->Bool var x,y:Bool rew and(T,x)=x and(F,x)=F beq(T,x)=x beq(F,T)=F beq(F,F)=T";
    let nat = "sort N func 0:->N S:N->N map eq:N#N->Bool var n,m,k:N rew";
    let list = "sort L func nil:->L in:N#Bool#L->L map eq:L#L->Bool var l,k:L n,m:N b,c:Bool rew \
                eq(nil,nil)=T eq(nil,in(n,b,l))=F eq(in(n,b,l),nil)=F";
    let good = "eq(0,0)=T eq(0,S(n))=F eq(S(n),0)=F eq(S(n),S(m))=eq(n,m)";
    for (rules, call, is_equality) in [
        (format!("{nat} {good}"), "eq(0,S(0))", true),
        (format!("{nat} {good} eq(n,n)=T"), "eq(0,S(0))", true),
        (format!("{nat} eq(n,n)=T eq(0,S(n))=F eq(S(n),0)=F eq(S(n),S(m))=eq(m,n)"), "eq(0,S(0))", true),
        // Equal on the left only, nothing for two of the cases, something else for one, two answers, a loop.
        (format!("{nat} {good} eq(S(n),S(m))=eq(n,n)"), "eq(0,S(0))", false),
        (format!("{nat} eq(0,0)=T eq(0,S(n))=F eq(S(n),S(m))=eq(n,m)"), "eq(0,S(0))", false),
        (format!("{nat} eq(n,n)=T eq(0,S(n))=F eq(S(n),0)=F"), "eq(0,S(0))", false),
        (format!("{nat} eq(0,n)=T eq(S(n),0)=F eq(S(n),S(m))=eq(n,m)"), "eq(0,S(0))", false),
        (format!("{nat} {good} eq(n,n)=F"), "eq(0,S(0))", false),
        (format!("{nat} {good} S(S(n))=n"), "eq(0,S(0))", false),
        (format!("{nat} {good} eq(S(S(n)),S(m))=F"), "eq(0,S(0))", false),
        (format!("{nat} eq(n,m)=eq(m,n)"), "eq(0,S(0))", false),
        (
            format!("{and} {nat} {good} {list} eq(in(n,b,l),in(m,c,k))=and(eq(n,m),and(beq(b,c),eq(l,k)))"),
            "eq(nil,nil)",
            true,
        ),
        (
            format!("{and} {nat} {good} {list} eq(in(n,b,l),in(m,c,k))=and(eq(n,m),eq(l,k))"),
            "eq(nil,nil)",
            false,
        ),
        (
            format!("{and} {nat} {good} {list} eq(in(n,b,l),in(m,c,k))=and(eq(n,m),and(b,eq(l,k)))"),
            "eq(nil,nil)",
            false,
        ),
        // One that is no equality takes those with it that are made of it.
        (
            format!(
                "{and} {nat} eq(0,n)=T eq(S(n),m)=T {list} eq(in(n,b,l),in(m,c,k))=and(eq(n,m),and(beq(b,c),eq(l,k)))"
            ),
            "eq(nil,nil)",
            false,
        ),
    ] {
        assert_eq!(recognised(&rules, call).starts_with(&format!("{:?}", Op::Equal)), is_equality, "{rules}");
    }
}
