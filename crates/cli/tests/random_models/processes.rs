//! Small random texts of mCRL2: a few processes with numbers, truth values, structures, lists, sets and
//! functions, that send each other what they have. Numbers stay small, lists short. Some fail now and then:
//! the head of an empty list, a sum without end.

use base::SplitMix64;

const DECLARED: &str = "\
sort D = struct d1 | d2 | d3(n: Nat, e: Bool)?is_d3;
map  f: Nat -> Nat; h: D # Nat -> D; partial: Nat -> Bool;
var  x, y: Nat; b: Bool;
eqn  f(0) = 2; x > 0 -> f(x) = Int2Nat(x - 1);
     h(d1, x) = d2; h(d2, x) = d3(x mod 3, x == 1); h(d3(0, b), x) = d1;
     y > 0 && x < 2 -> h(d3(y, b), x) = d3(2, !b); y > 0 && x >= 2 -> h(d3(y, b), x) = d1;
     partial(0) = true; partial(1) = false; partial(2) = true;
act  go: Nat; s0, r0, c0: Nat; s1, r1, c1: D # Bool; stop;
";

/// What an expression is made of: the sort, and variables of that sort that are known.
struct Scope {
    nats: Vec<&'static str>,
    bools: Vec<&'static str>,
    structs: Vec<&'static str>,
    is_list: bool,
    is_set: bool,
    is_function: bool,
}

/// Parameters that a process may have, with their sorts and how they begin.
const PARAMETERS: &[(&str, &str, &str)] = &[
    ("x", "Nat", "0"),
    ("y", "Nat", "1"),
    ("b", "Bool", "false"),
    ("d", "D", "d1"),
    ("l", "List(Nat)", "[]"),
    ("t", "FSet(Nat)", "{}"),
    ("u", "Nat -> Nat", "f"),
];

impl Scope {
    fn new(parameters: &[usize]) -> Self {
        let mut scope = Self {
            nats: Vec::new(),
            bools: Vec::new(),
            structs: Vec::new(),
            is_list: false,
            is_set: false,
            is_function: false,
        };
        for &at in parameters {
            let (name, sort, _) = PARAMETERS[at];
            match sort {
                "Nat" => scope.nats.push(name),
                "Bool" => scope.bools.push(name),
                "D" => scope.structs.push(name),
                "List(Nat)" => scope.is_list = true,
                "FSet(Nat)" => scope.is_set = true,
                _ => scope.is_function = true,
            }
        }
        scope
    }

    /// A number below four.
    fn small(&self, random: &mut SplitMix64, depth: usize) -> String {
        format!("({}) mod 4", self.nat(random, depth))
    }

    fn nat(&self, random: &mut SplitMix64, depth: usize) -> String {
        if depth == 0 {
            return match self.nats.is_empty() || random.chance(30) {
                true => random.below(4).to_string(),
                false => random.pick(&self.nats).to_owned(),
            };
        }
        let depth = depth - 1;
        match random.below(9) {
            0 => format!("({} + {})", self.nat(random, depth), self.nat(random, depth)),
            1 => format!("f({})", self.nat(random, depth)),
            2 => format!("max({}, {})", self.nat(random, depth), self.nat(random, depth)),
            3 => {
                format!(
                    "if({}, {}, {})",
                    self.truth(random, depth),
                    self.nat(random, depth),
                    self.nat(random, depth)
                )
            }
            4 if self.is_list => "#l".to_owned(),
            5 if self.is_list => "if(l == [], 0, rhead(l))".to_owned(),
            6 if self.is_function => format!("u({})", self.nat(random, depth)),
            7 if self.is_set => "#t".to_owned(),
            8 if !self.structs.is_empty() => {
                let of = random.pick(&self.structs);
                format!("if(is_d3({of}), n({of}), 0)")
            }
            _ => self.nat(random, 0),
        }
    }

    fn truth(&self, random: &mut SplitMix64, depth: usize) -> String {
        if depth == 0 {
            return match self.bools.is_empty() || random.chance(20) {
                true => random.pick(&["true", "false"]).to_owned(),
                false => random.pick(&self.bools).to_owned(),
            };
        }
        let depth = depth - 1;
        match random.below(10) {
            0 => format!("!{}", self.truth(random, depth)),
            1 | 2 => {
                let sign = random.pick(&["&&", "||", "=>"]);
                format!("({} {sign} {})", self.truth(random, depth), self.truth(random, depth))
            }
            3 if self.is_set => format!("({} in t)", self.nat(random, depth)),
            4 if self.is_list => {
                format!("(l {} [{}])", random.pick(&["==", "<", "!="]), self.nat(random, depth))
            }
            // Of an empty list the head is no number.
            3 if random.chance(20) && self.is_list => "(head(l) < 2)".to_owned(),
            5 => format!("({} == {})", self.structure(random, depth), self.structure(random, depth)),
            6 if random.chance(15) => format!("partial({})", self.nat(random, depth)),
            7 if random.chance(40) => {
                format!("(exists z: Nat. z < 3 && {} == z)", self.nat(random, depth))
            }
            _ => {
                let sign = random.pick(&["==", "!=", "<", "<=", ">"]);
                format!("({} {sign} {})", self.nat(random, depth), self.nat(random, depth))
            }
        }
    }

    fn structure(&self, random: &mut SplitMix64, depth: usize) -> String {
        match random.below(5) {
            0 | 1 if !self.structs.is_empty() => random.pick(&self.structs).to_owned(),
            2 if depth > 0 => {
                format!("d3({}, {})", self.small(random, depth - 1), self.truth(random, depth - 1))
            }
            3 if depth > 0 => {
                format!("h({}, {})", self.structure(random, depth - 1), self.small(random, depth - 1))
            }
            _ => random.pick(&["d1", "d2"]).to_owned(),
        }
    }

    /// What a parameter becomes.
    fn next(&self, random: &mut SplitMix64, sort: &str) -> String {
        match sort {
            "Nat" => self.small(random, 2),
            "Bool" => self.truth(random, 2),
            "D" => self.structure(random, 2),
            "List(Nat)" => {
                let more = self.small(random, 1);
                random.pick(&[
                    format!("if(#l < 2, l <| {more}, tail(l))"),
                    format!("if(#l < 2, {more} |> l, rtail(l))"),
                    "[]".to_owned(),
                ])
            }
            "FSet(Nat)" => {
                let sign = random.pick(&["+", "-", "*"]);
                format!("t {sign} {{{}, {}}}", self.small(random, 1), random.below(3))
            }
            _ => format!("u[{} -> {}]", self.small(random, 1), self.small(random, 1)),
        }
    }
}

fn summand(
    random: &mut SplitMix64,
    name: &str,
    parameters: &[usize],
    scope: &Scope,
    others: &[String],
) -> String {
    // A sum makes variables known that the rest may use.
    let (mut sum, mut bound) = (String::new(), String::new());
    let mut scope = Scope {
        nats: scope.nats.clone(),
        bools: scope.bools.clone(),
        structs: scope.structs.clone(),
        ..*scope
    };
    if random.chance(40) {
        match random.below(4) {
            0 => {
                sum = "sum w: Bool. ".to_owned();
                scope.bools.push("w");
            }
            1 => {
                sum = "sum k: D. ".to_owned();
                bound = "(is_d3(k) => n(k) < 2) && ".to_owned();
                scope.structs.push("k");
            }
            _ => {
                sum = "sum m: Nat. ".to_owned();
                // Without a bound it has no end.
                bound = match random.chance(95) {
                    true => format!("(m < {}) && ", 1 + random.below(3)),
                    false => String::new(),
                };
                scope.nats.push("m");
            }
        }
    }
    let condition = match random.chance(50) || !bound.is_empty() {
        true => format!("({bound}{}) -> ", scope.truth(random, 2)),
        false => String::new(),
    };
    let action = match random.below(10) {
        0..3 => format!("s0({})", scope.small(random, 1)),
        3..5 => format!("s1({}, {})", scope.structure(random, 1), scope.truth(random, 1)),
        5..7 => format!("go({})", scope.small(random, 1)),
        7 => format!("go({}) | s0({})", scope.small(random, 1), scope.small(random, 1)),
        8 => "stop".to_owned(),
        _ => "tau".to_owned(),
    };
    let next = |random: &mut SplitMix64| -> Vec<String> {
        parameters.iter().map(|&at| scope.next(random, PARAMETERS[at].1)).collect()
    };
    let called = match random.below(12) {
        0 => "delta".to_owned(),
        1 => random.pick(others),
        2..4 => {
            let at = parameters[random.below(parameters.len())];
            let (variable, sort, _) = PARAMETERS[at];
            format!("{name}({variable} = {})", scope.next(random, sort))
        }
        4 => {
            let (one, other) = (next(random).join(", "), next(random).join(", "));
            format!("({}) -> {name}({one}) <> {name}({other})", scope.truth(random, 1))
        }
        _ => format!("{name}({})", next(random).join(", ")),
    };
    format!("{sum}{condition}{action} . ({called})")
}

/// What is received: of any value there is, or of those that a condition takes.
fn receiver(random: &mut SplitMix64, name: &str, parameters: &[usize], scope: &Scope) -> String {
    let mut scope = Scope {
        nats: scope.nats.clone(),
        bools: scope.bools.clone(),
        structs: scope.structs.clone(),
        ..*scope
    };
    let (sum, action) = match random.chance(60) {
        true => {
            scope.nats.push("m");
            ("sum m: Nat. ", "r0(m)")
        }
        false => {
            scope.structs.push("k");
            scope.bools.push("w");
            ("sum k: D, w: Bool. ", "r1(k, w)")
        }
    };
    let condition =
        if random.chance(40) { format!("({}) -> ", scope.truth(random, 1)) } else { String::new() };
    let next: Vec<String> = parameters.iter().map(|&at| scope.next(random, PARAMETERS[at].1)).collect();
    format!("{sum}{condition}{action} . {name}({})", next.join(", "))
}

/// A text of two or three processes side by side.
pub fn random_processes(random: &mut SplitMix64) -> String {
    let count = 2 + random.below(2);
    let mut text = DECLARED.to_owned();
    let mut chosen: Vec<Vec<usize>> = Vec::new();
    for _ in 0..count {
        let mut parameters: Vec<usize> = (0..PARAMETERS.len()).filter(|_| random.chance(35)).collect();
        if parameters.is_empty() {
            parameters.push(0);
        }
        chosen.push(parameters);
    }
    let begin = |at: usize| {
        let values: Vec<&str> = chosen[at].iter().map(|&at| PARAMETERS[at].2).collect();
        format!("P{at}({})", values.join(", "))
    };
    text += "proc\n";
    for (at, parameters) in chosen.iter().enumerate() {
        let declared: Vec<String> =
            parameters.iter().map(|&at| format!("{}: {}", PARAMETERS[at].0, PARAMETERS[at].1)).collect();
        let (name, scope) = (format!("P{at}"), Scope::new(parameters));
        let others: Vec<String> = (0..count).map(&begin).collect();
        let mut summands: Vec<String> =
            (0..2 + random.below(3)).map(|_| summand(random, &name, parameters, &scope, &others)).collect();
        summands.push(receiver(random, &name, parameters, &scope));
        text += &format!("  {name}({}) =\n      {};\n", declared.join(", "), summands.join("\n    + "));
    }
    let all: Vec<String> = (0..count).map(begin).collect();
    let inner = format!("comm({{s0|r0 -> c0, s1|r1 -> c1}}, {})", all.join(" || "));
    let allowed = random.pick(&[
        "allow({c0, c1, go, stop}, ",
        "allow({c0, c1, go, stop, go|c0}, ",
        "allow({c0, c1, go|stop, go, s0}, ",
        "block({s0, r0, s1, r1, stop}, ",
    ]);
    let outer = random.pick(&["(", "hide({c1}, ", "rename({c0 -> go}, ", "hide({stop, go}, "]);
    text + &format!("init {outer}{allowed}{inner}));\n")
}
