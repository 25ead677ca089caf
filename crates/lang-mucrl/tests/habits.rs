//! What models in µCRL are often written like.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Source;
use model::{EvalError, Successors};

/// The actions of the first steps.
fn first_steps(text: &str) -> Result<BTreeSet<String>, EvalError> {
    let source = Arc::new(Source::new("habit.mcrl", text));
    let loaded = lang_mucrl::load(source).unwrap_or_else(|problems| panic!("{problems:?}"));
    let model = loaded.model;
    let mut to = Successors::new(model.initial().len());
    model.stepper().all(model.initial(), &mut to)?;
    Ok(to.iter().map(|step| model.signature().show_action(step.action).into_owned()).collect())
}

const NUMERALS: &str = "
    sort Bool
    func T, F: -> Bool
    sort NAT
    func 0, 1, 2: -> NAT
    map succ: NAT -> NAT
        eq: NAT # NAT -> Bool
    var n, m: NAT
    rew 1 = succ(0)
        2 = succ(1)
        eq(0, 0) = T
        eq(0, succ(n)) = F
        eq(succ(n), 0) = F
        eq(succ(n), succ(m)) = eq(n, m)
    act a: NAT
";

#[test]
fn numerals_are_constructors_and_explained_by_a_successor() {
    let steps = |process: &str| first_steps(&format!("{NUMERALS} proc P = {process} init P")).unwrap();
    assert_eq!(steps("sum(n: NAT, a(n) . P <| eq(n, 1) |> delta)"), BTreeSet::from(["a(succ(0))".into()]));
    let all = ["a(0)", "a(succ(0))", "a(succ(succ(0)))"].map(str::to_owned);
    assert_eq!(steps("sum(n: NAT, a(n) . P)"), BTreeSet::from(all));
    assert_eq!(
        steps("sum(n: NAT, a(n) . P <| eq(succ(n), 2) |> delta)"),
        BTreeSet::from(["a(succ(0))".into()])
    );
}
