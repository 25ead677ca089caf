//! Words to a tree. Where a section goes wrong the rest of it is left out, and the next one is read.

mod process;

use base::{Diagnostic, Source, Span};

use crate::ast::{Actions, Communication, Data, Functions, Name, Process, Rules, Specification};
use crate::lexer::{Keyword, Token, Word, words};
use crate::problems::{Problems, Reported};

/// Terms nested deeper than this are refused: who goes through a tree does so by recursion.
pub(crate) const DEEPEST: usize = 1000;

/// The tree of a text, or all that is wrong with its grammar.
pub fn parse(source: &Source) -> Result<Specification<'_>, Vec<Diagnostic>> {
    let (words, strange) = words(source.text());
    let mut problems = Problems::default();
    for problem in strange {
        problems.add(problem);
    }
    let mut parser = Parser { words, at: 0, depth: 0, problems };
    let tree = parser.specification();
    parser.problems.into_result()?;
    Ok(tree)
}

struct Parser<'a> {
    words: Vec<Word<'a>>,
    at: usize,
    depth: usize,
    problems: Problems,
}

impl<'a> Parser<'a> {
    fn specification(&mut self) -> Specification<'a> {
        let mut tree = Specification::default();
        // Those that wait for their equations.
        let mut variables = Vec::new();
        loop {
            let word = self.next();
            let section = match word.token {
                Token::End => break,
                Token::Keyword(keyword) if keyword.opens_section() => keyword,
                _ => {
                    let sections = "a section: sort, func, map, var, rew, act, comm, proc or init";
                    self.at -= 1;
                    self.expected(sections);
                    self.skip_section();
                    continue;
                }
            };
            self.depth = 0;
            if self.section(section, word.span, &mut variables, &mut tree).is_err() {
                self.skip_section();
            }
        }
        if let Some((name, _)) = variables.first() {
            let name: &Name<'_> = name;
            self.problems.add(Diagnostic::warning("these variables are for no equations", name.span));
        }
        tree
    }

    fn section(
        &mut self,
        section: Keyword,
        span: Span,
        variables: &mut Vec<(Name<'a>, Name<'a>)>,
        tree: &mut Specification<'a>,
    ) -> Result<(), Reported> {
        match section {
            Keyword::Sort => {
                tree.sorts.push(self.name("the name of a sort")?);
                while self.is_name() {
                    tree.sorts.push(self.name("the name of a sort")?);
                }
            }
            Keyword::Func | Keyword::Map => {
                tree.functions.push(self.functions(section == Keyword::Func)?);
                while self.is_name() {
                    tree.functions.push(self.functions(section == Keyword::Func)?);
                }
            }
            Keyword::Var => {
                self.variables(variables)?;
                while self.is_name() {
                    self.variables(variables)?;
                }
            }
            Keyword::Rew => {
                // In their place before anything goes wrong: what is wrong with one equation is no reason to
                // miss them in the others.
                tree.rules.push(Rules { variables: std::mem::take(variables), rules: Vec::new() });
                loop {
                    let left = self.data()?;
                    self.sign("=")?;
                    let rule = (left, self.data()?);
                    if let Some(last) = tree.rules.last_mut() {
                        last.rules.push(rule);
                    }
                    if !self.is_name() {
                        break;
                    }
                }
            }
            Keyword::Act => {
                tree.actions.push(self.actions()?);
                while self.is_name() {
                    tree.actions.push(self.actions()?);
                }
            }
            Keyword::Comm => {
                tree.communications.push(self.communication()?);
                while self.is_name() {
                    tree.communications.push(self.communication()?);
                }
            }
            Keyword::Proc => {
                tree.processes.push(self.process()?);
                while self.is_name() {
                    tree.processes.push(self.process()?);
                }
            }
            _ => {
                let body = self.term()?;
                tree.inits.push((span, body));
            }
        }
        Ok(())
    }

    /// Goes to where the next section begins.
    fn skip_section(&mut self) {
        while !matches!(self.peek(), Token::End) {
            if matches!(self.peek(), Token::Keyword(keyword) if keyword.opens_section()) {
                return;
            }
            self.at += 1;
        }
    }

    /// `f, g: D # E -> F`
    fn functions(&mut self, makes_values: bool) -> Result<Functions<'a>, Reported> {
        let names = self.names("the name of a function")?;
        self.sign(":")?;
        let arguments = if self.is_sign("->") { Vec::new() } else { self.sorts()? };
        self.sign("->")?;
        let result = self.name("the sort of the answer")?;
        Ok(Functions { makes_values, names, arguments, result })
    }

    /// `x, y: D`
    fn variables(&mut self, variables: &mut Vec<(Name<'a>, Name<'a>)>) -> Result<(), Reported> {
        let names = self.names("the name of a variable")?;
        self.sign(":")?;
        let sort = self.name("the sort of the variables")?;
        variables.extend(names.into_iter().map(|name| (name, sort)));
        Ok(())
    }

    /// `a, b: D # E`, or `a`
    fn actions(&mut self) -> Result<Actions<'a>, Reported> {
        let names = self.names("the name of an action")?;
        let sorts = if self.take(":") { self.sorts()? } else { Vec::new() };
        Ok(Actions { names, sorts })
    }

    /// `a|b = c`
    fn communication(&mut self) -> Result<Communication<'a>, Reported> {
        let first = self.name("the name of an action")?;
        self.sign("|")?;
        let from = [first, self.name("the name of an action")?];
        self.sign("=")?;
        let to = match self.peek() {
            Token::Keyword(Keyword::Tau) => {
                self.at += 1;
                None
            }
            _ => Some(self.name("the name of an action")?),
        };
        Ok(Communication { from, to })
    }

    /// `X(d: D, e: E) = p`
    fn process(&mut self) -> Result<Process<'a>, Reported> {
        let name = self.name("the name of a process")?;
        let mut parameters = Vec::new();
        if self.take("(") {
            loop {
                self.variables(&mut parameters)?;
                if !self.take(",") {
                    break;
                }
            }
            self.sign(")")?;
        }
        self.sign("=")?;
        let body = self.term()?;
        Ok(Process { name, parameters, body })
    }

    /// `f(d, g(e))`
    fn data(&mut self) -> Result<Data<'a>, Reported> {
        let name = self.name("a data term")?;
        let mut arguments = Vec::new();
        let mut span = name.span;
        if self.is_sign("(") {
            self.deeper()?;
            self.at += 1;
            arguments.push(self.data()?);
            while self.take(",") {
                arguments.push(self.data()?);
            }
            span = span.to(self.sign(")")?);
            self.depth -= 1;
        }
        Ok(Data { name, arguments, span })
    }

    fn deeper(&mut self) -> Result<(), Reported> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        let span = self.words[self.at].span;
        let problem = Diagnostic::error(format!("terms are nested deeper than {DEEPEST} levels"), span);
        Err(self.problems.add(problem.help("name parts of it by functions or processes of their own")))
    }

    fn names(&mut self, what: &str) -> Result<Vec<Name<'a>>, Reported> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// `D # E`
    fn sorts(&mut self) -> Result<Vec<Name<'a>>, Reported> {
        let mut sorts = vec![self.name("a sort")?];
        while self.take("#") {
            sorts.push(self.name("a sort")?);
        }
        Ok(sorts)
    }

    fn next(&mut self) -> Word<'a> {
        let word = self.words[self.at];
        self.at += 1;
        word
    }

    fn peek(&self) -> Token<'a> {
        self.words[self.at].token
    }

    fn is_name(&self) -> bool {
        matches!(self.peek(), Token::Name(_))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if found == sign)
    }

    /// Goes past a sign if it is there.
    fn take(&mut self, sign: &'static str) -> bool {
        let is_there = self.peek() == Token::Sign(sign);
        self.at += usize::from(is_there);
        is_there
    }

    fn sign(&mut self, sign: &'static str) -> Result<Span, Reported> {
        let span = self.words[self.at].span;
        if self.take(sign) { Ok(span) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<Name<'a>, Reported> {
        let Word { token, span } = self.words[self.at];
        let Token::Name(text) = token else { return Err(self.expected(what)) };
        self.at += 1;
        Ok(Name { text, span })
    }

    /// Says what should be here.
    fn expected(&mut self, what: &str) -> Reported {
        let Word { token, span } = self.words[self.at];
        let found = match token {
            Token::Name(name) => format!("`{name}`"),
            Token::Keyword(keyword) => format!("the keyword `{}`", keyword.text()),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".to_owned(),
        };
        self.problems.error(format!("expected {what}, found {found}"), span, format!("expected {what}"))
    }
}
