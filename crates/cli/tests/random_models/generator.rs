//! Small random models, as texts of DVE: variables, arrays that are indexed by numbers and by variables,
//! channels of all kinds, committed states, assertions. Much of it fails now and then: values that do not
//! fit, indices outside, division by zero.

use std::fmt::Write;

use base::SplitMix64;

/// A model and what is asked of it. Parts can be taken out of it; what is left need not be a model.
#[derive(Clone)]
pub struct RandomModel {
    pub declarations: Vec<String>,
    pub processes: Vec<Process>,
    pub invariant: String,
    pub action: String,
    is_synchronous: bool,
}

#[derive(Clone)]
pub struct Process {
    name: String,
    pub declarations: Vec<String>,
    states: usize,
    pub committed: Vec<usize>,
    pub assertions: Vec<String>,
    pub transitions: Vec<Transition>,
}

#[derive(Clone)]
pub struct Transition {
    from: usize,
    to: usize,
    pub guards: Vec<String>,
    pub sync: Option<String>,
    pub effects: Vec<String>,
}

impl RandomModel {
    pub fn text(&self) -> String {
        let mut text = String::new();
        let lines = |of: &[String], indent: &str| {
            of.iter().map(|line| format!("{indent}{line}\n")).collect::<String>()
        };
        text += &lines(&self.declarations, "");
        for process in &self.processes {
            let states: Vec<String> = (0..process.states).map(|state| format!("s{state}")).collect();
            _ = writeln!(text, "process {} {{", process.name);
            text += &lines(&process.declarations, "    ");
            _ = writeln!(text, "    state {};\n    init s0;", states.join(", "));
            if !process.committed.is_empty() {
                let committed: Vec<String> =
                    process.committed.iter().map(|state| format!("s{state}")).collect();
                _ = writeln!(text, "    commit {};", committed.join(", "));
            }
            if !process.assertions.is_empty() {
                _ = writeln!(text, "    assert {};", process.assertions.join(", "));
            }
            let transitions: Vec<String> = process.transitions.iter().map(Transition::text).collect();
            if !transitions.is_empty() {
                _ = writeln!(text, "    trans\n{};", transitions.join(",\n"));
            }
            text += "}\n";
        }
        text + if self.is_synchronous { "system sync;\n" } else { "system async;\n" }
    }
}

impl Transition {
    fn text(&self) -> String {
        let mut text = format!("        s{} -> s{} {{", self.from, self.to);
        if !self.guards.is_empty() {
            _ = write!(text, " guard {};", self.guards.join(", "));
        }
        if let Some(sync) = &self.sync {
            _ = write!(text, " sync {sync};");
        }
        if !self.effects.is_empty() {
            _ = write!(text, " effect {};", self.effects.join(", "));
        }
        text + " }"
    }
}

/// Variables, each with the number of its cells if it is an array.
type Variables = Vec<(String, Option<usize>)>;

/// Makes models.
struct Generator<'r> {
    random: &'r mut SplitMix64,
    /// Those that everybody sees.
    variables: Variables,
    /// Channels, with the number of values in a message and how many messages fit.
    channels: Vec<(String, usize, usize)>,
    /// How many states each process has.
    states: Vec<usize>,
}

/// A model; equal numbers make equal models.
pub fn random_model(random: &mut SplitMix64) -> RandomModel {
    let count = 1 + random.below(4);
    let states = (0..count).map(|_| 1 + random.below(4)).collect();
    let mut generator = Generator { random, variables: Vec::new(), channels: Vec::new(), states };
    let mut declarations = Vec::new();
    for at in 0..1 + generator.random.below(3) {
        let (text, variable) = generator.variable(&format!("v{at}"));
        declarations.push(text);
        generator.variables.push(variable);
    }
    for at in 0..generator.random.below(3) {
        declarations.push(generator.channel(&format!("c{at}")));
    }
    let processes: Vec<Process> = (0..count).map(|at| generator.process(at)).collect();
    let globals = generator.variables.clone();
    let invariant = generator.condition(&globals, None);
    let action = generator.action(&processes);
    let is_synchronous = generator.random.chance(5);
    RandomModel { declarations, processes, invariant, action, is_synchronous }
}

impl Generator<'_> {
    fn variable(&mut self, name: &str) -> (String, (String, Option<usize>)) {
        let ty = if self.random.chance(70) { "byte" } else { "int" };
        if self.random.chance(35) {
            let length = 1 + self.random.below(4);
            let values: Vec<String> = (0..length).map(|_| self.random.below(4).to_string()).collect();
            let initial =
                if self.random.chance(50) { format!(" = {{{}}}", values.join(", ")) } else { String::new() };
            return (format!("{ty} {name}[{length}]{initial};"), (name.to_owned(), Some(length)));
        }
        let initial = if self.random.chance(50) { self.random.below(4) } else { 0 };
        (format!("{ty} {name} = {initial};"), (name.to_owned(), None))
    }

    fn channel(&mut self, name: &str) -> String {
        let (values, room) = (self.random.below(3), self.random.below(3));
        self.channels.push((name.to_owned(), values, room));
        let types: Vec<&str> = (0..values).map(|_| self.random.pick(&["byte", "int"])).collect();
        match (values, room) {
            // A channel that stores has to say what.
            (0, _) => {
                self.channels.last_mut().unwrap().2 = 0;
                format!("channel {name};")
            }
            _ => format!("channel {{{}}} {name}[{room}];", types.join(", ")),
        }
    }

    fn process(&mut self, at: usize) -> Process {
        let states = self.states[at];
        let mut seen = self.variables.clone();
        let mut declarations = Vec::new();
        for number in 0..self.random.below(3) {
            let (text, variable) = self.variable(&format!("w{number}"));
            declarations.push(text);
            seen.push(variable);
        }
        let committed = if self.random.chance(15) { vec![self.random.below(states)] } else { Vec::new() };
        let assertions = if self.random.chance(30) {
            let state = self.random.below(states);
            vec![format!("s{state}: {}", self.condition(&seen, Some(at)))]
        } else {
            Vec::new()
        };
        let transitions = (0..1 + self.random.below(6)).map(|_| self.transition(at, &seen)).collect();
        Process { name: format!("P{at}"), declarations, states, committed, assertions, transitions }
    }

    fn transition(&mut self, process: usize, seen: &Variables) -> Transition {
        let states = self.states[process];
        let (from, to) = (self.random.below(states), self.random.below(states));
        let guards = (0..self.random.below(3)).map(|_| self.condition(seen, Some(process))).collect();
        let sync = if self.random.chance(40) { self.sync(seen) } else { None };
        let effects = (0..self.random.below(3)).map(|_| self.assignment(seen)).collect();
        Transition { from, to, guards, sync, effects }
    }

    fn sync(&mut self, seen: &Variables) -> Option<String> {
        if self.channels.is_empty() {
            return None;
        }
        let channels = self.channels.clone();
        let (name, values, _) = self.random.pick(&channels);
        let sends = self.random.chance(50);
        let items: Vec<String> =
            (0..values).map(|_| if sends { self.sum(seen, 1) } else { self.place(seen) }).collect();
        let items = if items.is_empty() { String::new() } else { format!("{{{}}}", items.join(", ")) };
        Some(format!("{name}{}{items}", if sends { '!' } else { '?' }))
    }

    /// An action that one of the processes has by itself.
    fn action(&mut self, processes: &[Process]) -> String {
        let process = self.random.pick(processes);
        let alone: Vec<&Transition> = process.transitions.iter().filter(|step| step.sync.is_none()).collect();
        if alone.is_empty() || self.random.chance(10) {
            return "*".to_owned();
        }
        let step = self.random.pick(&alone);
        format!("{}.s{}->s{}*", process.name, step.from, step.to)
    }

    /// Something that can be assigned to.
    fn place(&mut self, seen: &Variables) -> String {
        let (name, length) = self.random.pick(seen);
        match length {
            None => name,
            Some(length) if self.random.chance(50) => format!("{name}[{}]", self.random.below(length)),
            Some(length) => {
                let index = self.scalar(seen);
                // An index that may be outside is good, one that mostly is, is not.
                if self.random.chance(60) {
                    format!("{name}[{index} % {length}]")
                } else {
                    format!("{name}[{index}]")
                }
            }
        }
    }

    fn scalar(&mut self, seen: &Variables) -> String {
        let scalars: Vec<&String> =
            seen.iter().filter(|(_, length)| length.is_none()).map(|(name, _)| name).collect();
        match scalars.is_empty() {
            true => self.random.below(3).to_string(),
            false => self.random.pick(&scalars).clone(),
        }
    }

    fn assignment(&mut self, seen: &Variables) -> String {
        let place = self.place(seen);
        let value = match self.random.below(10) {
            0..3 => self.random.below(4).to_string(),
            3..6 => format!("({place} + {}) % {}", 1 + self.random.below(2), 2 + self.random.below(4)),
            6 => format!("{place} {} 1", self.random.pick(&["+", "-"])),
            7 | 8 => format!("({}) % {}", self.sum(seen, 2), 2 + self.random.below(4)),
            _ => self.sum(seen, 2),
        };
        format!("{place} = {value}")
    }

    fn sum(&mut self, seen: &Variables, depth: usize) -> String {
        if depth == 0 || self.random.chance(40) {
            return if self.random.chance(40) { self.random.below(4).to_string() } else { self.place(seen) };
        }
        let op = self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]);
        format!("({} {op} {})", self.sum(seen, depth - 1), self.sum(seen, depth - 1))
    }

    /// A condition, as DVE and as predicates have it.
    fn condition(&mut self, seen: &Variables, process: Option<usize>) -> String {
        let depth = self.random.below(3);
        self.condition_of(depth, seen, process)
    }

    fn condition_of(&mut self, depth: usize, seen: &Variables, process: Option<usize>) -> String {
        if depth > 0 {
            let op = self.random.pick(&["and", "or"]);
            let (left, right) =
                (self.condition_of(depth - 1, seen, process), self.condition_of(depth - 1, seen, process));
            return format!("({left} {op} {right})");
        }
        if self.random.chance(20) {
            let other = self.random.below(self.states.len());
            let state = self.random.below(self.states[other]);
            let not = if self.random.chance(50) { "not " } else { "" };
            return if Some(other) == process {
                "1 == 1".to_owned()
            } else {
                format!("{not}P{other}.s{state}")
            };
        }
        let op = self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let left = match process {
            Some(_) => self.sum(seen, 1),
            None => self.plain(seen),
        };
        format!("{left} {op} {}", self.random.below(4))
    }

    /// A value that predicates know how to write.
    fn plain(&mut self, seen: &Variables) -> String {
        let (name, length) = self.random.pick(seen);
        let of_cell = |index: String| format!("{name}[{index}]");
        match length {
            None if self.random.chance(20) => format!("{} % {name}", 1 + self.random.below(3)),
            None => name,
            Some(length) => of_cell(self.random.below(length).to_string()),
        }
    }
}
