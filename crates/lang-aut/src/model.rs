//! A transition system as a model: the transitions of a state are looked up where the system has them.

use base::{GroupIx, GuardIx, LabelIx, TypeIx};
use lts::{Lts, StateIx};
use model::{
    Dependencies, EvalError, EvalErrorKind, Group, Model, Part, Signature, Slot, SlotRole, Stepper,
    Successors, Truth, Type, Value,
};

/// A transition system as a model.
pub(crate) struct SystemModel {
    signature: Signature,
    dependencies: Dependencies,
    initial: [Value; 1],
    system: Lts,
}

/// Bytes that the model of a system takes beside the system: a text for each label, which a string and its
/// place in memory make larger by these.
pub(crate) fn bytes_beside(system: &Lts) -> u64 {
    const STRING: usize = size_of::<String>() + 16;
    system.labels().map(|label| (label.len() + STRING) as u64).sum()
}

impl SystemModel {
    /// The model with this name, or how many states there are, where that is more than a slot can number.
    pub fn new(name: &str, system: Lts) -> Result<Self, usize> {
        let last = i32::try_from(system.states() - 1).map_err(|_| system.states())?;
        let slot = Slot { name: "state".into(), ty: TypeIx::new(0), span: None, role: SlotRole::Variable };
        // A group for each label was tried: a symbolic search of 40,000 states took a third of the time where
        // three labels step three counters, and three times as long where eight are random, as every group is
        // asked in every state. Systems may have as many labels as states.
        let group = Group { name: "transition".into(), guards: Vec::new(), spans: Vec::new(), effect: None };
        let signature = Signature {
            name: name.to_owned(),
            types: vec![Type::range("state", 0, last)],
            slots: vec![slot],
            groups: vec![group],
            guards: Vec::new(),
            labels: Vec::new(),
            action: Type::names("action", system.labels().map(str::to_owned).collect()),
            alarms: Vec::new(),
            source: None,
        };
        let mut dependencies = Dependencies::none(1, 1, 0, 0);
        dependencies.read.set(0, 0);
        dependencies.update_read.set(0, 0);
        dependencies.may_write.set(0, 0);
        dependencies.must_write.set(0, 0);
        Ok(Self { signature, dependencies, initial: [system.initial().0], system })
    }
}

impl Model for SystemModel {
    model::from_fields!(signature, dependencies, initial);

    fn stepper(&self) -> Box<dyn Stepper + '_> {
        Box::new(Edges { system: &self.system })
    }

    /// A state has a transition or it has none.
    fn may_fail(&self, _group: GroupIx) -> bool {
        false
    }

    /// They do not become more, but a large system is what takes most of a search's memory.
    fn bytes(&self) -> u64 {
        self.system.bytes() + bytes_beside(&self.system)
    }
}

/// A system is only read, so a stepper has no state of its own.
struct Edges<'m> {
    system: &'m Lts,
}

impl Edges<'_> {
    fn step(&self, group: GroupIx, from: &[Value], to: &mut Successors) {
        // A number that no state has leads nowhere.
        if (from[0] as usize) < self.system.states() {
            for edge in self.system.edges(StateIx(from[0])) {
                to.push(group, edge.action.0, from)[0] = edge.target.0;
            }
        }
    }
}

impl Stepper for Edges<'_> {
    fn group(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.step(group, from, to);
        Ok(())
    }

    fn update(&mut self, group: GroupIx, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.group(group, from, to)
    }

    fn guard(&mut self, _guard: GuardIx, _from: &[Value]) -> Truth {
        panic!("BUG: a transition system has no guards")
    }

    fn label(&mut self, _label: LabelIx, _from: &[Value]) -> Result<Value, EvalError> {
        let message = "a transition system has no state labels".to_owned();
        Err(EvalError { kind: EvalErrorKind::Other(message), span: None })
    }

    fn all(&mut self, from: &[Value], to: &mut Successors) -> Result<(), EvalError> {
        self.step(GroupIx::new(0), from, to);
        Ok(())
    }

    fn some(
        &mut self,
        groups: std::ops::Range<usize>,
        most: usize,
        from: &[Value],
        to: &mut Successors,
    ) -> Part {
        model::some_groups(self, groups, most, from, to)
    }
}
