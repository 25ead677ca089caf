//! Specifications and expressions, built by hand.
#![allow(dead_code)]

use base::SplitMix64;
use num_bigint::BigInt;
use terms::{
    Data, DataSpec, Equation, Expr, FunIx, FunKind, Function, Kind, Op, Sort, SortIx, Term, VarIx, VarPlaces,
};

pub const BOOL: SortIx = SortIx::BOOL;
pub const POS: SortIx = SortIx::POS;
pub const NAT: SortIx = SortIx::NAT;
pub const INT: SortIx = SortIx::INT;
pub const REAL: SortIx = SortIx::REAL;

#[derive(Default)]
pub struct Spec(pub DataSpec);

impl Spec {
    pub fn sort(&mut self, name: &str) -> SortIx {
        self.0.sorts.add(Sort::User(name.into()))
    }

    pub fn list(&mut self, element: SortIx) -> SortIx {
        self.0.sorts.add(Sort::List(element))
    }

    pub fn function_sort(&mut self, arguments: &[SortIx], result: SortIx) -> SortIx {
        self.0.sorts.add(Sort::Function(arguments.into(), result))
    }

    pub fn add(&mut self, name: &str, arguments: &[SortIx], result: SortIx, kind: FunKind) -> FunIx {
        let (name, arguments) = (name.to_owned(), arguments.to_vec());
        self.0.function(Function { name, arguments, result, kind, span: None })
    }

    pub fn cons(&mut self, name: &str, arguments: &[SortIx], result: SortIx) -> FunIx {
        self.add(name, arguments, result, FunKind::Constructor)
    }

    pub fn map(&mut self, name: &str, arguments: &[SortIx], result: SortIx) -> FunIx {
        self.add(name, arguments, result, FunKind::Mapping)
    }

    pub fn var(&mut self, name: &str, sort: SortIx) -> (VarIx, Expr) {
        let var = self.0.variable(name, sort);
        (var, Expr::var(var, sort))
    }

    pub fn eq(&mut self, left: &Expr, right: &Expr) {
        self.eq_if(None, left, right);
    }

    pub fn eq_if(&mut self, condition: Option<&Expr>, left: &Expr, right: &Expr) {
        let mut vars = left.free();
        vars.extend(right.free());
        self.0.equations.push(Equation {
            vars: vars.into_iter().collect(),
            condition: condition.cloned(),
            left: left.clone(),
            right: right.clone(),
            span: None,
        });
    }

    pub fn call(&self, function: FunIx, arguments: &[&Expr]) -> Expr {
        let arguments: Box<[Expr]> = arguments.iter().map(|&argument| argument.clone()).collect();
        Expr::new(Kind::Call(function, arguments), self.0.functions[function.ix()].result)
    }

    pub fn data(self) -> Data {
        Data::new(self.0).unwrap_or_else(|errors| panic!("{errors:?}"))
    }
}

pub fn number(value: i64, sort: SortIx) -> Expr {
    Expr::new(Kind::Number(BigInt::from(value)), sort)
}

pub fn nat(value: i64) -> Expr {
    number(value, NAT)
}

pub fn op(op: Op, arguments: &[&Expr], sort: SortIx) -> Expr {
    Expr::op(op, arguments.iter().map(|&argument| argument.clone()).collect::<Vec<_>>(), sort)
}

pub fn eval(data: &Data, expr: &Expr) -> Term {
    let code = data.compile(expr, &VarPlaces::new()).unwrap();
    data.evaluator().eval(&code, &[]).unwrap()
}

pub fn show(data: &Data, expr: &Expr) -> String {
    data.show(eval(data, expr), expr.sort)
}

/// A random generator; its seed is printed where a test fails.
pub fn seeded() -> SplitMix64 {
    let seed = std::env::var("PINSCHER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("PINSCHER_SEED={seed}");
    SplitMix64::new(seed)
}
