//! A `D_proctype` promises that it never has a choice: where two of its statements can be done, the model is
//! in error. As in Spin a `d_step`, a `skip` or a jump may be a second possibility behind a statement that
//! can be done.

use std::collections::HashMap;

use commands::{At, Command, Effect, Expr as Code};
use model::EvalErrorKind;

use super::{Draft, Lowering, Next};
use crate::flow::ElementIx;
use crate::resolved::Basic;

impl Lowering<'_, '_> {
    /// Whether a process must not do this move where another can be done.
    pub(super) fn must_be_alone(&self, instance: usize, place: ElementIx, number: usize) -> bool {
        let ty = self.world.instances[instance].ty;
        let process = &self.world.program.types[ty];
        let basic = || self.world.tables[ty].places[&place][number].basic(&process.graph);
        process.deterministic && !matches!(basic(), None | Some(Basic::Skip))
    }

    /// The command that fails where this one can be done and other guards hold too.
    pub(super) fn not_alone(made: &Draft, others: &[Code]) -> Draft {
        let Draft { command, mover, on_timeout, .. } = made;
        let why = EvalErrorKind::Other("a D_proctype can do two statements here".into());
        let command = Command {
            guards: [&command.guards[..], others].concat(),
            effect: Effect::Fail(why, At(command.spans.first().copied())),
            alarm: false,
            message: None,
            ..command.clone()
        };
        Draft { command, next: Next::Rest, mover: *mover, on_timeout: *on_timeout }
    }

    /// For each two moves from the same place of such a process a command that fails where both can be done.
    /// `else` and escapes exclude others already. Spin complains of a rendezvous send before it looks for a
    /// receiver.
    pub(super) fn determinism(&mut self) {
        let mut at: HashMap<(usize, ElementIx, bool), Vec<&Draft>> = HashMap::new();
        for made in &self.drafts {
            at.entry((made.mover.0, made.mover.1, made.on_timeout)).or_default().push(made);
        }
        let alone = |made: &&Draft| self.must_be_alone(made.mover.0, made.mover.1, made.mover.2);
        let mut failing = Vec::new();
        let halves = |made: &&Draft| made.command.movers.len() == 1;
        for made in self.drafts.iter().filter(halves).chain(&self.attempts).filter(alone) {
            let others = at.get(&(made.mover.0, made.mover.1, made.on_timeout));
            let before = others.into_iter().flatten().filter(|other| other.mover.2 < made.mover.2);
            failing.extend(before.map(|other| Self::not_alone(made, &other.command.guards)));
        }
        self.drafts.extend(failing);
    }
}
