//! Processes: states, what is said of them, and transitions.

use base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::{Acceptance, AcceptanceKind, Effect, Item, Name, Parameter, Process, Sync, Transition};
use crate::lexer::Token;

impl Parser<'_> {
    /// A process, or an instance of a template.
    pub(super) fn process(&mut self, is_property: bool) -> Parsed<Item> {
        self.words.expect(Token::Process, "")?;
        let name = self.name("the name of the process")?;
        let mut parameters = Vec::new();
        if self.words.take(Token::Open) {
            // A template has names here and a body behind; an instance has values and `;`.
            if self.closed_before(Token::Semicolon) {
                let values = self.expressions(Token::Close)?;
                self.words.expect(Token::Close, "behind the values")?;
                self.words.expect(Token::Semicolon, "behind the instance")?;
                return Ok(Item::Instance(name, values));
            }
            parameters = self.parameters()?;
        }
        self.words.expect(Token::OpenBrace, "before the body of the process")?;
        let mut process = Process {
            name,
            is_property,
            parameters,
            declarations: Vec::new(),
            states: Vec::new(),
            init: None,
            committed: Vec::new(),
            accept: None,
            assertions: Vec::new(),
            transitions: Vec::new(),
        };
        while !matches!(self.words.peek(), Token::CloseBrace | Token::End | Token::Process | Token::System) {
            if self.statement(&mut process).is_err() {
                self.skip_statement();
            }
        }
        self.words.expect(Token::CloseBrace, "at the end of the process")?;
        Ok(Item::Process(process))
    }

    /// Whether this word stands behind the parenthesis that closes the open one.
    fn closed_before(&self, token: Token) -> bool {
        let mut open = 1usize;
        for (at, (word, _)) in self.words.rest().iter().enumerate() {
            match word {
                Token::Open => open += 1,
                Token::Close => open -= 1,
                _ => {}
            }
            if open == 0 {
                return self.words.peek_behind(at + 1) == token;
            }
        }
        false
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut parameters = Vec::new();
        loop {
            let key = self.at_word("key") && self.words.peek_behind(1) == Token::Name;
            if key {
                self.words.step();
            }
            parameters.push(Parameter { name: self.name("the name of a parameter")?, key });
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Close, "behind the parameters")?;
        Ok(parameters)
    }

    fn statement(&mut self, process: &mut Process) -> Parsed<()> {
        match self.words.peek() {
            Token::Const | Token::Int | Token::Byte | Token::Channel => {
                self.declaration(&mut process.declarations)
            }
            Token::State => {
                self.words.step();
                process.states.extend(self.names("the name of a state")?);
                self.words.expect(Token::Semicolon, "behind the states")?;
            }
            Token::Init => self.init(process)?,
            Token::Commit => {
                self.words.step();
                process.committed.extend(self.names("the name of a state")?);
                self.words.expect(Token::Semicolon, "behind the committed states")?;
            }
            Token::Accept => self.accept(process)?,
            Token::Assert => self.assertions(process)?,
            Token::Trans => self.transitions(process)?,
            _ => {
                return self.words.fail(
                    "expected a declaration, `state`, `init`, `commit`, `accept`, `assert`, `trans` or `}`",
                );
            }
        }
        Ok(())
    }

    fn init(&mut self, process: &mut Process) -> Parsed<()> {
        self.words.step();
        let name = self.name("the name of the initial state")?;
        if process.init.is_some() {
            let problem = Diagnostic::error("this process has an initial state already", name.span)
                .help("a process starts in one state; keep one `init`");
            self.words.report(problem);
        }
        process.init = Some(name);
        self.words.expect(Token::Semicolon, "behind the initial state")?;
        Ok(())
    }

    fn accept(&mut self, process: &mut Process) -> Parsed<()> {
        self.words.step();
        let kinds = [
            ("buchi", AcceptanceKind::Buchi),
            ("genbuchi", AcceptanceKind::GeneralisedBuchi),
            ("muller", AcceptanceKind::Muller),
            ("rabin", AcceptanceKind::Rabin),
            ("streett", AcceptanceKind::Streett),
        ];
        let given = kinds.iter().find(|(word, _)| {
            self.at_word(word) && !matches!(self.words.peek_behind(1), Token::Comma | Token::Semicolon)
        });
        let kind = given.map_or(AcceptanceKind::Buchi, |(_, kind)| *kind);
        if given.is_some() {
            self.words.step();
        }
        let sets = if kind == AcceptanceKind::Buchi {
            vec![self.names("the name of a state")?]
        } else {
            self.acceptance_sets(matches!(kind, AcceptanceKind::Rabin | AcceptanceKind::Streett))?
        };
        process.accept = Some(Acceptance { kind, sets });
        self.words.expect(Token::Semicolon, "behind the accepting states")?;
        Ok(())
    }

    /// `(a, b), (c)`, or `(a; b), (c;)` for pairs.
    fn acceptance_sets(&mut self, pairs: bool) -> Parsed<Vec<Vec<Name>>> {
        let mut sets = Vec::new();
        loop {
            self.words.expect(Token::Open, "before a set of states")?;
            if pairs {
                sets.push(self.names_before(Token::Semicolon)?);
                self.words.expect(Token::Semicolon, "between the sets of a pair")?;
            }
            sets.push(self.names_before(Token::Close)?);
            self.words.expect(Token::Close, "behind a set of states")?;
            if !self.words.take(Token::Comma) {
                return Ok(sets);
            }
        }
    }

    fn names_before(&mut self, end: Token) -> Parsed<Vec<Name>> {
        if self.words.peek() == end { Ok(Vec::new()) } else { self.names("the name of a state") }
    }

    fn assertions(&mut self, process: &mut Process) -> Parsed<()> {
        self.words.step();
        loop {
            let state = self.name("the name of a state")?;
            self.words.expect(Token::Colon, "behind the state")?;
            process.assertions.push((state, self.expression()?));
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Semicolon, "behind the assertions")?;
        Ok(())
    }

    fn transitions(&mut self, process: &mut Process) -> Parsed<()> {
        self.words.step();
        loop {
            if self.transition(process).is_err() {
                // To the end of this transition, so that the next ones are read.
                while !matches!(self.words.peek(), Token::CloseBrace | Token::End) {
                    self.words.step();
                }
                self.words.take(Token::CloseBrace);
            }
            // DiVinE 3 lets the commas and the last semicolon go.
            let comma = self.words.take(Token::Comma);
            if !comma && !matches!(self.words.peek(), Token::Name | Token::Arrow) {
                break;
            }
        }
        self.words.take(Token::Semicolon);
        Ok(())
    }

    fn transition(&mut self, process: &mut Process) -> Parsed<()> {
        let start = self.words.span();
        let from = if self.words.peek() == Token::Arrow {
            match process.transitions.last() {
                Some(last) => last.from.clone(),
                None => return self.words.fail("the first transition needs a state before `->`"),
            }
        } else {
            self.name("the name of a state")?
        };
        if self.words.peek() == Token::WideArrow {
            return self.choice(process, from);
        }
        self.words.expect(Token::Arrow, "behind the state")?;
        let to = self.name("the name of a state")?;
        self.words.expect(Token::OpenBrace, "behind the states of the transition")?;
        let mut transition =
            Transition { from, to, guards: Vec::new(), sync: None, effects: Vec::new(), span: start };
        loop {
            match self.words.peek() {
                Token::Guard => self.guard(&mut transition)?,
                Token::Sync => self.sync(&mut transition)?,
                Token::Effect => self.effect(&mut transition)?,
                Token::CloseBrace => break,
                _ => return self.words.fail("expected `guard`, `sync`, `effect` or `}`"),
            }
        }
        transition.span = start.to(self.words.step());
        process.transitions.push(transition);
        Ok(())
    }

    /// `s => {a : 1, b : 3}`: a probabilistic choice. Which states can be reached does not depend on the
    /// weights.
    fn choice(&mut self, process: &mut Process, from: Name) -> Parsed<()> {
        self.words.step();
        self.words.expect(Token::OpenBrace, "before the choices")?;
        loop {
            let to = self.name("the name of a state")?;
            self.words.expect(Token::Colon, "behind the state")?;
            self.words.expect(Token::Number, "as the weight of the choice")?;
            let span = to.span;
            let from = from.clone();
            process.transitions.push(Transition {
                from,
                to,
                guards: vec![],
                sync: None,
                effects: vec![],
                span,
            });
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::CloseBrace, "behind the choices")?;
        Ok(())
    }

    fn guard(&mut self, transition: &mut Transition) -> Parsed<()> {
        self.words.step();
        loop {
            transition.guards.push(self.expression()?);
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Semicolon, "behind the guard")?;
        Ok(())
    }

    fn sync(&mut self, transition: &mut Transition) -> Parsed<()> {
        let start = self.words.step();
        let mut channel = self.name("the name of a channel")?;
        let mut process = None;
        if self.words.take(Token::Arrow) {
            process = Some(channel);
            channel = self.name("the name of a channel")?;
        }
        let sends = match self.words.peek() {
            Token::Bang => true,
            Token::Question => false,
            _ => return self.words.fail("expected `!` to send or `?` to receive"),
        };
        self.words.step();
        let items = match self.words.peek() {
            Token::Semicolon => Vec::new(),
            Token::OpenBrace => {
                self.words.step();
                let items = self.expressions(Token::CloseBrace)?;
                self.words.expect(Token::CloseBrace, "behind the values")?;
                items
            }
            _ => vec![self.expression()?],
        };
        let span = start.to(self.words.last_span());
        if transition.sync.is_some() {
            self.words.report(
                Diagnostic::error("this transition synchronises already", span)
                    .help("split it into two transitions with a committed state between them"),
            );
        }
        transition.sync = Some(Sync { process, channel, sends, items, span });
        self.words.expect(Token::Semicolon, "behind the synchronisation")?;
        Ok(())
    }

    fn effect(&mut self, transition: &mut Transition) -> Parsed<()> {
        self.words.step();
        loop {
            let target = self.expression()?;
            self.words.expect(Token::Assign, "behind what is assigned")?;
            let value = self.expression()?;
            transition.effects.push(Effect { target, value });
            if !self.words.take(Token::Comma) {
                break;
            }
        }
        self.words.expect(Token::Semicolon, "behind the effect")?;
        Ok(())
    }
}
