//! Random specifications whose data are truth values.

use base::SplitMix64;
use processes::{
    ActIx, Action, Communication, NameIx, ProcIx, Process, ProcessSpec, ProcessTerm, ProcessTermKind,
};
use terms::{DataSpec, Expr, Op, SortIx, VarIx};

/// The seed to begin with: `PINSCHER_SEED`, or this one.
pub fn seed(otherwise: u64) -> u64 {
    std::env::var("PINSCHER_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

pub fn term(kind: ProcessTermKind) -> ProcessTerm {
    ProcessTerm::new(kind, None)
}

/// Names 0 to 3 without data, 4 to 7 with a truth value.
const NAMES: usize = 8;

pub struct Maker<'r> {
    pub random: &'r mut SplitMix64,
    data: DataSpec,
    parameters: Vec<Vec<VarIx>>,
}

impl Maker<'_> {
    /// A specification of some processes side by side under operators.
    pub fn spec(random: &mut SplitMix64) -> ProcessSpec {
        let mut maker = Maker { random, data: DataSpec::default(), parameters: Vec::new() };
        for _ in 0..3 {
            let count = maker.random.below(3);
            let parameters = (0..count).map(|at| maker.variable(["x", "y"][at])).collect();
            maker.parameters.push(parameters);
        }
        let bodies: Vec<ProcessTerm> = (0..3)
            .map(|at| {
                let scope = maker.parameters[at].clone();
                maker.sequential(3, &scope, at, false)
            })
            .collect();
        let init = maker.skeleton(2);
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"].map(str::to_owned).to_vec();
        let sorts = |name: usize| if name < 4 { Vec::new() } else { vec![SortIx::BOOL] };
        let action = |name: usize| Action { name: NameIx(name as u32), sorts: sorts(name) };
        let process = |(at, body): (usize, ProcessTerm)| Process {
            name: ["P", "Q", "R"][at].to_owned(),
            parameters: maker.parameters[at].clone(),
            body,
            span: None,
        };
        ProcessSpec {
            processes: bodies.into_iter().enumerate().map(process).collect(),
            data: maker.data,
            names,
            actions: (0..NAMES).map(action).collect(),
            globals: Vec::new(),
            init,
        }
    }

    fn variable(&mut self, name: &str) -> VarIx {
        self.data.variable(name, SortIx::BOOL)
    }

    fn expr(&mut self, depth: usize, scope: &[VarIx]) -> Expr {
        let op = |op: Op, parts: Vec<Expr>| Expr::op(op, parts, SortIx::BOOL);
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => Expr::truth(self.random.chance(60)),
            1 | 2 if !scope.is_empty() => {
                let at = self.random.below(scope.len());
                Expr::var(scope[at], SortIx::BOOL)
            }
            3 => op(Op::Not, vec![self.expr(depth - 1, scope)]),
            4 => op(Op::And, vec![self.expr(depth - 1, scope), self.expr(depth - 1, scope)]),
            5 => op(Op::Or, vec![self.expr(depth - 1, scope), self.expr(depth - 1, scope)]),
            6 => op(Op::Equal, vec![self.expr(depth - 1, scope), self.expr(depth - 1, scope)]),
            7 => op(Op::Implies, vec![self.expr(depth - 1, scope), self.expr(depth - 1, scope)]),
            _ => Expr::truth(true),
        }
    }

    fn action(&mut self, scope: &[VarIx]) -> ProcessTerm {
        let name = self.name();
        self.action_of(name, scope)
    }

    fn action_of(&mut self, name: NameIx, scope: &[VarIx]) -> ProcessTerm {
        let arguments = if name.0 < 4 { Vec::new() } else { vec![self.expr(1, scope)] };
        term(ProcessTermKind::Action(ActIx(name.0), arguments))
    }

    fn call(&mut self, process: usize, scope: &[VarIx]) -> ProcessTerm {
        let count = self.parameters[process].len();
        let arguments = (0..count).map(|_| self.expr(1, scope)).collect();
        term(ProcessTermKind::Call(ProcIx(process as u32), arguments))
    }

    /// A sequential term in process number `own`. Where it is `guarded` any process may be called at its end,
    /// otherwise later ones only.
    fn sequential(&mut self, depth: usize, scope: &[VarIx], own: usize, guarded: bool) -> ProcessTerm {
        let kind = self.random.below(if depth == 0 { 4 } else { 17 });
        term(match kind {
            0 => ProcessTermKind::Tau,
            1 if self.random.chance(30) => ProcessTermKind::Delta,
            2 if guarded || own < 2 => {
                let process =
                    if guarded { self.random.below(3) } else { own + 1 + self.random.below(2 - own) };
                return self.call(process, scope);
            }
            4 | 5 => ProcessTermKind::Choice(self.several(depth, scope, own, guarded)),
            6..=9 => {
                let mut parts = vec![self.sequential(depth - 1, scope, own, false)];
                for _ in 0..self.random.below(2) {
                    // In the middle, processes that come later are called: what is after the call is not
                    // forgotten.
                    parts.push(self.sequential(depth - 1, scope, own, false));
                }
                parts.push(self.sequential(depth - 1, scope, own, true));
                ProcessTermKind::Sequence(parts)
            }
            10 | 11 => {
                let yes = self.sequential(depth - 1, scope, own, guarded);
                let no = self.random.chance(50).then(|| self.sequential(depth - 1, scope, own, guarded));
                ProcessTermKind::Condition(self.expr(2, scope), yes, no)
            }
            12..=14 => {
                let name = ["x", "y", "z"][self.random.below(3)];
                let variable = self.variable(name);
                let mut inner = scope.to_vec();
                inner.push(variable);
                ProcessTermKind::Sum(vec![variable], self.sequential(depth - 1, &inner, own, guarded))
            }
            15 => ProcessTermKind::Sync(vec![self.action(scope), self.action(scope)]),
            16 => {
                // Both take part in a rule; one of them may go on.
                let one = self.name();
                let other = self.alike(one);
                let mut from = vec![one, other];
                from.sort();
                let rule = Communication { from, to: self.random.chance(80).then(|| self.alike(one)) };
                let first = self.action_of(one, scope);
                let goes_on = term(ProcessTermKind::Sequence(vec![first.clone(), self.action(scope)]));
                let choice = term(ProcessTermKind::Choice(vec![first, goes_on]));
                let variable = self.variable("w");
                let mut inner = scope.to_vec();
                inner.push(variable);
                let any = term(ProcessTermKind::Sum(vec![variable], self.action_of(other, &inner)));
                ProcessTermKind::HandshakeBoth([rule].into(), choice, any)
            }
            _ => return self.action(scope),
        })
    }

    fn several(&mut self, depth: usize, scope: &[VarIx], own: usize, guarded: bool) -> Vec<ProcessTerm> {
        let count = 2 + self.random.below(2);
        (0..count).map(|_| self.sequential(depth - 1, scope, own, guarded)).collect()
    }

    fn name(&mut self) -> NameIx {
        NameIx(self.random.below(NAMES) as u32)
    }

    /// Names of the same arguments: data goes with them.
    fn alike(&mut self, name: NameIx) -> NameIx {
        NameIx(name.0 / 4 * 4 + self.random.below(4) as u32)
    }

    fn multiset(&mut self) -> Vec<NameIx> {
        let count = 1 + self.random.below(3);
        let mut names: Vec<NameIx> = (0..count).map(|_| self.name()).collect();
        names.sort();
        names
    }

    fn rules(&mut self, pairs: bool) -> Vec<Communication> {
        let (mut rules, mut used): (Vec<Communication>, Vec<NameIx>) = (Vec::new(), Vec::new());
        for _ in 0..1 + self.random.below(2) {
            let one = self.name();
            let mut from = vec![one, self.alike(one)];
            if !pairs && self.random.chance(20) {
                from.push(self.alike(one));
            }
            from.sort();
            let to = self.random.chance(80).then(|| self.alike(one));
            // Left sides share no name, and no result communicates again: otherwise the language says nothing
            // of it.
            if from.iter().any(|name| used.contains(name)) {
                continue;
            }
            used.extend(&from);
            rules.push(Communication { from, to });
        }
        rules
    }

    pub fn skeleton(&mut self, depth: usize) -> ProcessTerm {
        let kind = if depth == 0 { 0 } else { self.random.below(15) };
        let names = |maker: &mut Self| {
            let count = 1 + maker.random.below(3);
            (0..count).map(|_| maker.name()).collect::<Vec<_>>()
        };
        term(match kind {
            0 | 1 => {
                let process = self.random.below(3);
                return self.call(process, &[]);
            }
            2 => return self.sequential(2, &[], 0, true),
            3 | 4 => ProcessTermKind::Parallel(vec![self.skeleton(depth - 1), self.skeleton(depth - 1)]),
            5 => ProcessTermKind::Allow((0..4).map(|_| self.multiset()).collect(), self.wide(depth)),
            6 => ProcessTermKind::Block(names(self), self.wide(depth)),
            7 => ProcessTermKind::Hide(names(self), self.wide(depth)),
            8 => {
                let from = self.name();
                let to = self.alike(from);
                ProcessTermKind::Rename(vec![(from, to)], self.wide(depth))
            }
            9 => ProcessTermKind::Comm(self.rules(false), self.wide(depth)),
            10 => ProcessTermKind::LeftMerge(self.skeleton(depth - 1), self.skeleton(depth - 1)),
            11 => {
                let parts = (0..2).map(|_| self.skeleton(0)).collect();
                ProcessTermKind::Handshake(self.rules(true).into(), parts)
            }
            12 => ProcessTermKind::HandshakeLeft(
                self.rules(true).into(),
                self.skeleton(depth - 1),
                self.skeleton(0),
            ),
            13 => ProcessTermKind::HandshakeBoth(
                self.rules(true).into(),
                self.skeleton(depth - 1),
                self.skeleton(0),
            ),
            _ => {
                let count = 2 + self.random.below(2);
                ProcessTermKind::Sync((0..count).map(|_| self.skeleton(depth - 1)).collect())
            }
        })
    }

    /// Operators say something where several run side by side.
    fn wide(&mut self, depth: usize) -> ProcessTerm {
        if self.random.chance(70) {
            let inner = self.skeleton(depth - 1);
            let other = self.skeleton(depth - 1);
            return term(ProcessTermKind::Parallel(vec![inner, other]));
        }
        self.skeleton(depth - 1)
    }
}
