//! Domains: where relations lead from, whatever they write, as relations that only test. For example, the
//! rows "x := 1 if y = 2" and "x := 3 if y = 2 or y = 4" have one domain, the relation with the tests y = 2
//! and y = 4.

use crate::store::Stop;
use crate::store::cache::Op;
use crate::store::node::{EMPTY, Id, Info, Kind, Node, UNIT};
use crate::store::scratch::Pending;
use crate::worker::Worker;

impl Worker<'_> {
    /// { x | some y with x → y by one of the writes of a list }, as a relation that tests the slots below.
    pub(crate) fn domain_of_writes(&mut self, writes: Id) -> Result<Id, Stop> {
        let (question, known) = self.cached(Op::Domain, writes, EMPTY, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let mark = self.mark();
        let mut rest = writes;
        while rest != EMPTY {
            let write = self.get(rest);
            rest = write.right;
            let domain = self.domain(write.down)?;
            self.unite_next(mark, domain, rest == EMPTY, Self::unite_steps)?;
        }
        let answer = self.scratch.pending[mark].down;
        self.cut(mark);
        Ok(self.remember(question, answer))
    }

    /// The same of a relation.
    fn domain(&mut self, relation: Id) -> Result<Id, Stop> {
        if relation <= UNIT {
            return Ok(relation);
        }
        let info = self.get(relation).info;
        match info.kind() {
            Kind::Read | Kind::Test => {}
            Kind::Write | Kind::Copy => return self.domain_of_writes(relation),
            Kind::Least | Kind::Most | Kind::Add => panic!("BUG: rules say one thing of a value"),
        }
        let (question, known) = self.cached(Op::Domain, relation, EMPTY, 0);
        if let Some(answer) = known {
            return Ok(answer);
        }
        let mark = self.mark();
        let mut rest = relation;
        while rest != EMPTY {
            let test = self.get(rest);
            let down = match info.kind() {
                Kind::Read => self.domain(test.down)?,
                _ => self.domain_of_writes(test.down)?,
            };
            self.push(test.value, down, EMPTY);
            rest = test.right;
        }
        let info = Info::new(info.height(), Kind::Read);
        let mut list = EMPTY;
        while self.mark() > mark {
            // Popped only when it is in the list: making a node may collect what nobody holds.
            let Pending { value, down, .. } = self.scratch.pending[self.mark() - 1];
            list = self.node_of(Node { value, down, right: list, info })?;
            self.scratch.pending.pop();
        }
        Ok(self.remember(question, list))
    }
}
