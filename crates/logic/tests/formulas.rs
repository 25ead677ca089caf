//! Formulas: which logic they belong to, and that no two of them have the same text.

use std::collections::HashMap;

use base::{LabelIx, SlotIx};
use logic::{Actions, Atom, Fixpoint, Formula, Fragment, Quantifier, Reachability, Regular};
use model::{Linear, Predicate};

fn p() -> Formula {
    Formula::Atom(Atom::text("p"))
}

fn q() -> Formula {
    Formula::Atom(Atom::Enabled(Actions::Matching("q*".into())))
}

/// An operator of two formulas.
type Pair = fn(Box<Formula>, Box<Formula>) -> Formula;

const PAIRS: [Pair; 5] =
    [Formula::Until, Formula::WeakUntil, Formula::Release, Formula::StrongRelease, Formula::Iff];

#[test]
fn the_logic_of_a_formula_is_seen_from_its_form() {
    use Formula as F;
    let (always, sometimes) = (F::all_paths, F::some_path);
    let x = || F::Variable("X".into());
    let mu = |inner| F::Fixpoint(Fixpoint::Least, "X".into(), Box::new(inner));
    let step = |inner| F::After(Quantifier::Some, Regular::Step(Actions::every()), Box::new(inner));
    let within = |inner| F::Paths(Quantifier::Every, Some(Actions::Matching("a".into())), Box::new(inner));
    let happens = || F::Atom(Atom::Action(Actions::every()));
    for (formula, expected) in [
        (p(), Some(Fragment::State)),
        (F::All(vec![p().negated(), q()]), Some(Fragment::State)),
        (always(F::globally(p())), Some(Fragment::Reachability)),
        (F::globally(p()), Some(Fragment::Reachability)),
        (sometimes(F::finally(p())), Some(Fragment::Reachability)),
        (sometimes(F::finally(p())).negated(), Some(Fragment::Reachability)),
        (F::globally(happens()), Some(Fragment::Ltl)),
        (F::globally(p()).negated(), Some(Fragment::Ltl)),
        (within(F::globally(p())), Some(Fragment::Ctl)),
        (always(F::finally(p())), Some(Fragment::Ctl)),
        (always(F::globally(sometimes(F::finally(p())))), Some(Fragment::Ctl)),
        (sometimes(F::globally(p())), Some(Fragment::Ctl)),
        (F::globally(F::finally(p())), Some(Fragment::Ltl)),
        (always(F::finally(F::globally(p()))), Some(Fragment::Ltl)),
        (sometimes(F::globally(F::finally(p()))), Some(Fragment::CtlStar)),
        (F::globally(sometimes(F::finally(p()))), Some(Fragment::CtlStar)),
        (always(p()), Some(Fragment::Ltl)),
        (step(p()), Some(Fragment::Mu)),
        (mu(F::Any(vec![p(), step(x())])), Some(Fragment::Mu)),
        (mu(step(x().negated()).negated()), Some(Fragment::Mu)),
        (mu(mu(step(x().negated())).negated()), None),
        (mu(step(x().negated())), None),
        (mu(F::Iff(Box::new(x()), Box::new(p()))), None),
        (step(x()), None),
        (mu(step(F::finally(x()))), None),
        (step(always(F::next(p()))), None),
    ] {
        assert_eq!(formula.fragment(), expected, "{formula}");
    }
}

#[test]
fn a_question_about_reachable_states_is_known_by_all_its_forms() {
    let reachable = |formula: Formula| formula.into_reachability().ok();
    let asked = |quantifier, is_negated| Some(Reachability { quantifier, is_negated, state: p() });
    let possible = || Formula::some_path(Formula::finally(p()));
    let always = || Formula::all_paths(Formula::globally(p()));
    let not = |formula| Formula::Not(Box::new(formula));
    assert_eq!(reachable(possible()), asked(Quantifier::Some, false));
    assert_eq!(reachable(not(possible())), asked(Quantifier::Every, true));
    assert_eq!(reachable(always()), asked(Quantifier::Every, false));
    assert_eq!(reachable(Formula::globally(p())), asked(Quantifier::Every, false));
    assert_eq!(reachable(not(always())), asked(Quantifier::Some, true));
    assert_eq!(reachable(not(not(always()))), asked(Quantifier::Every, false));
    // Of all runs it is not so that p holds everywhere on them: no question about one reachable state.
    assert_eq!(reachable(not(Formula::globally(p()))), None);
    assert_eq!(reachable(Formula::finally(p())), None);
    assert_eq!(reachable(p()), None);
}

/// Sets of actions, of every kind.
fn some_actions() -> Vec<Actions> {
    vec![
        Actions::every(),
        Actions::Any(vec![]),
        Actions::Matching("a".into()),
        Actions::Not(Box::new(Actions::Matching("a".into()))),
        Actions::Matching("!\"a\"".into()),
        Actions::All(vec![Actions::Matching("a".into()), Actions::Matching("b".into())]),
        Actions::Any(vec![Actions::Matching("a".into()), Actions::Matching("b".into())]),
    ]
}

/// Regular sets of steps, of every kind.
fn some_steps(actions: &[Actions]) -> Vec<Regular> {
    let one = |at: usize| Regular::Step(actions[at].clone());
    let star = Regular::Star(Box::new(one(0)));
    vec![
        one(0),
        one(2),
        star.clone(),
        Regular::Sequence(vec![]),
        Regular::Choice(vec![]),
        Regular::Sequence(vec![one(2), one(3)]),
        Regular::Choice(vec![one(2), one(3)]),
        Regular::Sequence(vec![Regular::Choice(vec![one(2), one(3)]), star]),
    ]
}

/// Formulas without operators, of every kind.
fn small_formulas(actions: &[Actions]) -> Vec<Formula> {
    let sum = |factor| Linear::new([(SlotIx::new(1), factor)]).unwrap();
    let small = |factor| Predicate::AtMost(sum(factor), 3);
    let mut all: Vec<Formula> = vec![
        Formula::constant(true),
        Formula::constant(false),
        Formula::Variable("X".into()),
        Formula::Atom(Atom::Label(LabelIx::new(2))),
    ];
    all.extend(
        ["p", "label 2", "true", "p} && {q", "\"p} && {q\"", "p)"]
            .map(|text| Formula::Atom(Atom::text(text))),
    );
    let linear = [
        Predicate::Constant(true),
        small(1),
        small(-1),
        Predicate::All(vec![small(1), small(2)]),
        Predicate::Any(vec![small(1), small(2)]),
        Predicate::Any(vec![Predicate::All(vec![small(1)]), small(2)]),
    ];
    all.extend(linear.map(|predicate| Formula::Atom(Atom::Linear(predicate))));
    for set in actions {
        all.extend([Formula::Atom(Atom::Enabled(set.clone())), Formula::Atom(Atom::Action(set.clone()))]);
    }
    all
}

#[test]
fn no_two_formulas_have_the_same_text() {
    let actions = some_actions();
    let steps = some_steps(&actions);
    let mut all = small_formulas(&actions);
    // All formulas of one operator more, twice, though of the second time only some.
    for round in 0..2 {
        let inner: Vec<Formula> =
            if round == 0 { all.clone() } else { all.iter().step_by(37).cloned().collect() };
        for formula in &inner {
            let boxed = || Box::new(formula.clone());
            all.extend([
                Formula::Not(boxed()),
                Formula::Next(boxed()),
                Formula::Finally(boxed()),
                Formula::Globally(boxed()),
                Formula::all_paths(formula.clone()),
                Formula::some_path(formula.clone()),
                Formula::Paths(Quantifier::Some, Some(actions[2].clone()), boxed()),
                Formula::Fixpoint(Fixpoint::Least, "X".into(), boxed()),
                Formula::Fixpoint(Fixpoint::Greatest, "Y".into(), boxed()),
                Formula::All(vec![formula.clone()]),
                Formula::Any(vec![formula.clone()]),
            ]);
            for step in &steps {
                all.extend(
                    [Quantifier::Every, Quantifier::Some]
                        .map(|each| Formula::After(each, step.clone(), boxed())),
                );
            }
        }
        for (left, right) in inner.iter().flat_map(|left| inner.iter().map(move |right| (left, right))) {
            all.extend(PAIRS.map(|pair| pair(Box::new(left.clone()), Box::new(right.clone()))));
            all.extend([
                Formula::All(vec![left.clone(), right.clone()]),
                Formula::Any(vec![left.clone(), right.clone()]),
            ]);
        }
        all.push(Formula::All(inner.iter().take(3).cloned().collect()));
    }
    assert!(all.len() > 20_000, "{}", all.len());
    let mut texts: HashMap<String, &Formula> = HashMap::new();
    for formula in &all {
        if let Some(other) = texts.insert(formula.to_string(), formula) {
            assert_eq!(other, formula, "{formula}");
        }
    }
}
