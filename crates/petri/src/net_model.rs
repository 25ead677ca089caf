//! The model that a net is to engines: a place is a slot, a transition a group, and each transition tests and
//! changes each place by itself.
//!
//! Matrices are as Meijer 2014 defines them: what is changed is read as well, since the number afterwards
//! depends on the one before; what is only tested is read, and not by the update. Guards are tests of one
//! place, and transitions that test the same share them.
//!
//! Numbers of tokens are exact up to [`MOST_TOKENS`]; past that a step meets a limit of the tool. An
//! effect cannot fail, so a transition has one only where its places are known to be bounded, or where so
//! many markings would come before the limit that no search gets there.

use std::collections::HashMap;

use base::{Diagnostic, GroupIx, GuardIx, LabelIx, Severity, SlotIx, TypeIx};
use model::waiting::Waiting;
use model::{
    Change, Dependencies, Effect, EvalError, EvalErrorKind, Group, Guard, Model, Rule, Signature, Slot,
    SlotRole, Stepper, Successors, Truth, Type, Value,
};

use crate::firing::{Firing, MOST_TOKENS, Overflow, Test, shifts, tests};
use crate::waiting::waiting;
use crate::{Net, Place, Tokens, bounds};

/// A place that is not known to be bounded takes so many values, and a set of markings so many nodes, before
/// it overflows: else there is no effect.
const FEWEST_VALUES: Value = 1 << 28;

/// A net as a model.
pub struct NetModel {
    net: Net,
    signature: Signature,
    dependencies: Dependencies,
    initial: Vec<Value>,
    firing: Firing,
    guards: Vec<Test>,
    /// Whether each place is known to stay within what a slot holds.
    bounded: Vec<bool>,
}

impl NetModel {
    /// The model of a net, with the bounds of places that are quick to see; or what is wrong with the net.
    pub fn new(net: Net) -> Result<Self, Vec<Diagnostic>> {
        let bounds = bounds::quick(&net);
        Self::with_bounds(net, &bounds)
    }

    /// The same with bounds that somebody proved: no reachable marking has more tokens in a place than its
    /// bound.
    ///
    /// # Panics
    /// When there are more or fewer bounds than places.
    pub fn with_bounds(net: Net, bounds: &[Option<Tokens>]) -> Result<Self, Vec<Diagnostic>> {
        assert_eq!(net.places.len(), bounds.len(), "BUG: not one bound for each place");
        let initial = initial(&net)?;
        let most: Vec<Value> =
            net.places.iter().zip(bounds).map(|(place, bound)| most(place, *bound)).collect();
        let is_bounded = |(place, bound): (&Place, &Option<Tokens>)| {
            bound.is_some_and(|most| (place.initial..=MOST_TOKENS.into()).contains(&most))
        };
        let bounded: Vec<bool> = net.places.iter().zip(bounds).map(is_bounded).collect();
        let firing = Firing::new(&net);
        let mut guards: Vec<Test> = Vec::new();
        let mut numbers: HashMap<Test, GuardIx> = HashMap::new();
        let checked = checked_places(&net, &initial, &bounded);
        let mut groups = Vec::with_capacity(net.transitions.len());
        for transition in &net.transitions {
            let tests = tests(transition);
            let number = |&test: &Test| {
                *numbers.entry(test).or_insert_with(|| {
                    guards.push(test);
                    GuardIx::new(guards.len() - 1)
                })
            };
            groups.push(Group {
                name: transition.name.clone(),
                guards: tests.iter().map(number).collect(),
                spans: transition.span.into_iter().collect(),
                effect: effect(&tests, &shifts(transition), &checked),
            });
        }
        let (types, type_of) = types(&most);
        let slot = |(place, ty): (&Place, TypeIx)| Slot {
            name: place.name.clone(),
            ty,
            span: place.span,
            role: SlotRole::Variable,
        };
        let guard = |test: &Test| {
            let place = &net.places[test.place as usize];
            Guard { name: show(*test, &place.name), span: place.span }
        };
        let signature = Signature {
            name: net.name.clone(),
            types,
            slots: net.places.iter().zip(type_of).map(slot).collect(),
            groups,
            guards: guards.iter().map(guard).collect(),
            labels: Vec::new(),
            action: Type::names(
                "transition",
                net.transitions.iter().map(|transition| transition.name.clone()).collect(),
            ),
            alarms: Vec::new(),
            source: net.source.clone(),
        };
        let dependencies = dependencies(&net, &firing, &guards);
        Ok(Self { net, signature, dependencies, initial, firing, guards, bounded })
    }

    /// Whether each place was proved to be bounded.
    pub fn is_bounded(&self) -> bool {
        self.bounded.iter().all(|bounded| *bounded)
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    fn overflow(&self, transition: usize, overflow: Overflow, from: &[Value]) -> EvalError {
        let place = overflow.place as usize;
        let gives = self.net.transitions[transition].gives.iter().find(|arc| arc.place.ix() == place);
        let takes = self.net.transitions[transition].takes.iter().find(|arc| arc.place.ix() == place);
        let weight = |arc: Option<&crate::Arc>| arc.map_or(0, |arc| i128::from(arc.weight));
        let value = i128::from(from[place]) + weight(gives) - weight(takes);
        EvalError {
            kind: EvalErrorKind::Limit(format!(
                "place `{}` would hold {value} tokens, and at most {MOST_TOKENS} can be counted",
                self.net.places[place].name
            )),
            span: self.net.transitions[transition].span,
        }
    }
}

impl Model for NetModel {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(NetStepper { model: self })
    }

    fn may_fail(&self, group: GroupIx) -> bool {
        self.firing
            .shifts(group.ix())
            .iter()
            .any(|shift| shift.is_gain() && !self.bounded[shift.place as usize])
    }

    fn waiting(&self, state: &[Value]) -> Waiting {
        waiting(&self.net, |transition| self.firing.tests(transition), state)
    }
}

/// The marking in the beginning, if slots hold it.
fn initial(net: &Net) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let fits = |tokens: Tokens| Value::try_from(tokens).ok().filter(|&tokens| tokens <= MOST_TOKENS);
    let too_many = net.places.iter().filter(|place| fits(place.initial).is_none());
    let problem = |place: &Place| Diagnostic {
        severity: Severity::Error,
        message: format!("place `{}` holds {} tokens in the beginning", place.name, place.initial),
        span: place.span,
        label: format!("at most {MOST_TOKENS} can be counted"),
        help: None,
    };
    let problems: Vec<Diagnostic> = too_many.map(problem).collect();
    if problems.is_empty() {
        Ok(net.places.iter().filter_map(|place| fits(place.initial)).collect())
    } else {
        Err(problems)
    }
}

/// The greatest value of a slot's type. A bound that the initial marking is past is none.
fn most(place: &Place, bound: Option<Tokens>) -> Value {
    let bound = bound.filter(|&bound| bound >= place.initial).and_then(|bound| Value::try_from(bound).ok());
    bound.map_or(MOST_TOKENS, |bound| bound.min(MOST_TOKENS))
}

/// A type for each greatest value, and which is whose.
fn types(most: &[Value]) -> (Vec<Type>, Vec<TypeIx>) {
    let mut values = most.to_vec();
    values.sort_unstable();
    values.dedup();
    let of = |value: &Value| {
        values.binary_search(value).map_or_else(|_| panic!("BUG: a value got lost"), TypeIx::new)
    };
    let type_of = most.iter().map(of).collect();
    let name = |value: Value| if value == MOST_TOKENS { "tokens".to_owned() } else { format!("0..{value}") };
    (values.iter().map(|&value| Type::range(name(value), 0, value.cast_signed())).collect(), type_of)
}

/// The places that could overflow within a search: who adds to them must look.
fn checked_places(net: &Net, initial: &[Value], bounded: &[bool]) -> Vec<bool> {
    let mut steps: Vec<i128> = vec![0; net.places.len()];
    for (place, change) in net.transitions.iter().flat_map(crate::firing::changes) {
        steps[place] = steps[place].max(change);
    }
    let room = |place: usize| i128::from(MOST_TOKENS - initial[place]);
    let place = |place: usize| {
        !bounded[place] && steps[place] > 0 && room(place) / steps[place] < FEWEST_VALUES.into()
    };
    (0..net.places.len()).map(place).collect()
}

/// What a transition does to each place by itself.
fn effect(tests: &[Test], shifts: &[crate::firing::Shift], checked: &[bool]) -> Option<Effect> {
    if shifts.iter().any(|shift| shift.limit == 0 || shift.is_gain() && checked[shift.place as usize]) {
        return None;
    }
    let mut slots: Vec<(u32, Value, Value, Change)> =
        tests.iter().map(|test| (test.place, test.least, test.most, Change::Keep)).collect();
    for shift in shifts {
        // What would overflow has no rule: a rule must not wrap, or it would lead somewhere when it is turned
        // round.
        let (change, fits) =
            (Change::Add(shift.add), if shift.is_gain() { shift.limit - 1 } else { Value::MAX });
        match slots.iter_mut().find(|(place, ..)| *place == shift.place) {
            Some((_, _, most, keep)) => (*most, *keep) = ((*most).min(fits), change),
            None => slots.push((shift.place, 0, fits, change)),
        }
    }
    slots.sort_unstable_by_key(|(place, ..)| *place);
    let rules = |(place, least, most, change)| {
        let rule = (least <= most).then_some(Rule { least, most, change });
        (SlotIx::new(place as usize), rule.into_iter().collect())
    };
    Some(Effect { slots: slots.into_iter().map(rules).collect() })
}

/// A test as a person reads it.
fn show(test: Test, place: &str) -> String {
    match (test.least, test.most) {
        (least, most) if least > most => format!("{place} holds more than {MOST_TOKENS}, or the impossible"),
        (least, Value::MAX) => format!("{place} ≥ {least}"),
        (0, most) => format!("{place} ≤ {most}"),
        (least, most) => format!("{least} ≤ {place} ≤ {most}"),
    }
}

fn dependencies(net: &Net, firing: &Firing, guards: &[Test]) -> Dependencies {
    let mut matrices = Dependencies::none(net.places.len(), net.transitions.len(), guards.len(), 0);
    for transition in 0..firing.len() {
        for test in firing.tests(transition) {
            matrices.read.set(transition, test.place as usize);
        }
        for shift in firing.shifts(transition) {
            let place = shift.place as usize;
            matrices.read.set(transition, place);
            matrices.update_read.set(transition, place);
            matrices.may_write.set(transition, place);
            matrices.must_write.set(transition, place);
        }
    }
    for (guard, test) in guards.iter().enumerate() {
        matrices.tests.set(guard, test.place as usize);
    }
    matrices
}

/// Arrays are only read, so a stepper has no state of its own.
struct NetStepper<'m> {
    model: &'m NetModel,
}

impl NetStepper<'_> {
    #[inline(always)]
    fn fire(&self, transition: usize, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let before = to.len();
        let target = to.push(GroupIx::new(transition), transition as Value, from);
        self.model.firing.fire(transition, target).map_err(|overflow| {
            to.truncate(before);
            self.model.overflow(transition, overflow, from)
        })
    }
}

impl Stepper for NetStepper<'_> {
    #[inline(always)]
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        if self.model.firing.is_enabled(group.ix(), from) { self.fire(group.ix(), from, to) } else { Ok(()) }
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.fire(group.ix(), from, to)
    }

    fn guard(&mut self, guard: GuardIx, from: &[Value]) -> Truth {
        if self.model.guards[guard.ix()].holds(from) { Truth::True } else { Truth::False }
    }

    fn label(&mut self, _label: LabelIx, _from: &[Value]) -> Result<Value, EvalError> {
        panic!("BUG: a net has no labels of its own")
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        let before = to.len();
        let mut failed = None;
        self.model.firing.enabled(from, |transition| {
            if failed.is_none() {
                failed = self.fire(transition, from, to).err();
            }
        });
        match failed {
            None => Ok(()),
            Some(error) => {
                to.truncate(before);
                Err(error)
            }
        }
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> model::Part {
        model::some_groups(self, groups, most, from, to)
    }
}
