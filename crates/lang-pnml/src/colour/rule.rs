//! A transition of a coloured net: variables, conditions, and what it does to places.

use base::Span;

use super::condition::Condition;
use super::multiset::{Component, Multiset, Pattern};
use super::sorts::Sort;

/// A transition.
pub(crate) struct Rule {
    /// Its number in the file.
    pub transition: usize,
    /// Its variables, in the order of their declaration.
    pub variables: Vec<RuleVariable>,
    /// What must hold of them, all together.
    pub conditions: Vec<Condition>,
    /// What it does to places.
    pub arcs: Vec<RuleArc>,
    /// Colours that must be there before it can fire.
    pub demands: Vec<Demand>,
}

/// A variable of a transition.
pub(crate) struct RuleVariable {
    /// What it is called.
    pub name: String,
    /// Its sort, by its number.
    pub basic: usize,
    /// How many values it has.
    pub size: u64,
}

/// An arc.
pub(crate) struct RuleArc {
    /// The place.
    pub place: usize,
    /// What it does there.
    pub role: Role,
    /// The colours.
    pub colours: Multiset,
    /// Where it stands.
    pub span: Span,
}

/// What an arc does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Takes colours.
    Takes,
    /// Gives colours.
    Gives,
    /// Needs them to be there.
    Needs,
    /// Needs them not to be there.
    Forbids,
}

/// Colours that must be in a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Demand {
    /// The place.
    pub place: usize,
    /// The colours.
    pub form: Form,
}

/// Which colours are demanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// All that fit a pattern.
    Pattern(Pattern),
    /// All of a sum in which colours are taken away from others: which they are is known only when all
    /// variables are.
    Whole(Multiset),
}

impl Form {
    /// The variables in it.
    pub fn variables(&self) -> Vec<usize> {
        match self {
            Self::Pattern(pattern) => pattern.variables().collect(),
            Self::Whole(multiset) => multiset.variables().collect(),
        }
    }
}

impl Rule {
    /// Fills in what the arcs demand.
    pub fn demand(&mut self) {
        for arc in self.arcs.iter().filter(|arc| matches!(arc.role, Role::Takes | Role::Needs)) {
            let forms: Vec<Form> = match arc.colours.is_positive() {
                true => arc.colours.patterns.iter().cloned().map(Form::Pattern).collect(),
                false => vec![Form::Whole(arc.colours.clone())],
            };
            for mut form in forms {
                // Two arcs may demand the same, each some of it.
                if let Form::Pattern(pattern) = &mut form {
                    pattern.count = 1;
                }
                let demand = Demand { place: arc.place, form };
                if !self.demands.contains(&demand) {
                    self.demands.push(demand);
                }
            }
        }
    }

    /// How many arcs it has at most when it is unfolded, whatever its variables are.
    pub fn width(&self, sorts: &[Sort], declared: &super::sorts::Declarations) -> u64 {
        let patterns =
            self.arcs.iter().flat_map(|arc| arc.colours.patterns.iter().map(|pattern| (arc.place, pattern)));
        patterns.map(|(place, pattern)| pattern.width(&sorts[place], declared)).fold(0, u64::saturating_add)
    }
}

/// Gives variables in colours other numbers.
pub(crate) fn renumber(colours: &mut Multiset, number: &impl Fn(usize) -> usize) {
    for part in colours.patterns.iter_mut().flat_map(|pattern| &mut pattern.parts) {
        if let Component::Variable { variable, .. } = part {
            *variable = number(*variable);
        }
    }
}
