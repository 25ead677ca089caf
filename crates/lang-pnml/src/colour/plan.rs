//! In which order the variables of a transition get their values, so that few are tried in vain: first what
//! follows from an equality, then colours that are in its places, and only what occurs nowhere else is tried
//! value by value. Conditions are asked as soon as they can be.

use super::multiset::Component;
use super::rule::{Form, Rule};
use super::table::Table;

/// An order for the case that some colour has just come up, which fits one of the demands.
pub(crate) struct Plan {
    /// What to do, one after the other.
    pub steps: Vec<Step>,
}

/// Something to do.
pub(crate) enum Step {
    /// A condition must hold.
    Check(usize),
    /// A condition gives a variable its value.
    Solve {
        /// The condition.
        condition: usize,
        /// The variable.
        variable: usize,
    },
    /// All colours of a demand must be there.
    Present(usize),
    /// The colours that are there give variables their values, one colour after the other.
    Lookup {
        /// The demand, which is a pattern.
        demand: usize,
        /// The index of its place's table.
        index: usize,
        /// The parts of the colour that are known.
        known: Vec<usize>,
        /// Other parts, their variables, and whether the variable is known from a part before.
        unknown: Vec<(usize, usize, bool)>,
    },
    /// A variable takes all values.
    Range {
        /// The variable.
        variable: usize,
        /// Conditions that leave out values.
        limits: Vec<usize>,
    },
}

impl Plan {
    /// The order for a colour that fits a demand, or for none at all.
    pub fn new(rule: &Rule, trigger: Option<usize>, tables: &mut [Table]) -> Self {
        let mut known = vec![false; rule.variables.len()];
        let mut demands: Vec<bool> = vec![true; rule.demands.len()];
        if let Some(trigger) = trigger
            && let Form::Pattern(pattern) = &rule.demands[trigger].form
        {
            pattern.variables().for_each(|variable| known[variable] = true);
            demands[trigger] = pattern.has_all();
        }
        let mut planner = Planner {
            rule,
            known,
            conditions: vec![true; rule.conditions.len()],
            demands,
            steps: Vec::new(),
        };
        while planner.step(tables) {}
        Self { steps: planner.steps }
    }
}

struct Planner<'r> {
    rule: &'r Rule,
    known: Vec<bool>,
    /// Conditions that were not asked yet.
    conditions: Vec<bool>,
    /// Demands that were not asked yet.
    demands: Vec<bool>,
    steps: Vec<Step>,
}

impl Planner<'_> {
    /// Adds a step, unless there is none to add.
    fn step(&mut self, tables: &mut [Table]) -> bool {
        let step =
            self.check().or_else(|| self.present()).or_else(|| self.solve()).or_else(|| self.lookup(tables));
        match step.or_else(|| self.range()) {
            Some(step) => {
                self.steps.push(step);
                true
            }
            None => false,
        }
    }

    fn check(&mut self) -> Option<Step> {
        let is_ready = |&at: &usize| {
            let mut ready = self.conditions[at];
            self.rule.conditions[at].variables(&mut |variable| ready &= self.known[variable]);
            ready
        };
        let at = (0..self.conditions.len()).find(is_ready)?;
        self.conditions[at] = false;
        Some(Step::Check(at))
    }

    fn present(&mut self) -> Option<Step> {
        let is_ready = |&at: &usize| {
            self.demands[at]
                && self.rule.demands[at].form.variables().iter().all(|&variable| self.known[variable])
        };
        let at = (0..self.demands.len()).find(is_ready)?;
        self.demands[at] = false;
        Some(Step::Present(at))
    }

    fn solve(&mut self) -> Option<Step> {
        let (condition, variable) =
            (0..self.conditions.len()).filter(|&at| self.conditions[at]).find_map(|at| {
                let (unknown, _) = self.rule.conditions[at].solvable(|variable| self.known[variable])?;
                let Component::Variable { variable, .. } = unknown.part else { return None };
                Some((at, variable))
            })?;
        self.conditions[condition] = false;
        self.known[variable] = true;
        Some(Step::Solve { condition, variable })
    }

    fn lookup(&mut self, tables: &mut [Table]) -> Option<Step> {
        let patterns = (0..self.demands.len()).filter(|&at| self.demands[at]).filter_map(|at| {
            match &self.rule.demands[at].form {
                Form::Pattern(pattern) if !pattern.has_all() => Some((at, pattern)),
                _ => None,
            }
        });
        let is_known = |part: &Component| match part {
            Component::Variable { variable, .. } => self.known[*variable],
            _ => true,
        };
        // The fewest values are left where the unknown parts are the smallest.
        let open = |(at, pattern): &(usize, &super::multiset::Pattern)| {
            let sizes = &tables[self.rule.demands[*at].place].sizes;
            let unknown = pattern.parts.iter().zip(sizes).filter(|(part, _)| !is_known(part));
            unknown.map(|(_, &size)| u128::from(size)).fold(1, u128::saturating_mul)
        };
        let (demand, pattern) = patterns.min_by_key(open)?;
        let (known, unknown): (Vec<usize>, Vec<usize>) =
            (0..pattern.parts.len()).partition(|&at| is_known(&pattern.parts[at]));
        let mask = known.iter().fold(0, |mask, &at| mask | 1_u64 << at);
        let mut bound = Vec::with_capacity(unknown.len());
        for at in unknown {
            if let Component::Variable { variable, .. } = pattern.parts[at] {
                bound.push((at, variable, std::mem::replace(&mut self.known[variable], true)));
            }
        }
        self.demands[demand] = false;
        let index = tables[self.rule.demands[demand].place].index(mask);
        Some(Step::Lookup { demand, index, known, unknown: bound })
    }

    fn range(&mut self) -> Option<Step> {
        let unknown = (0..self.known.len()).filter(|&variable| !self.known[variable]);
        let variable = unknown.min_by_key(|&variable| self.rule.variables[variable].size)?;
        let is_limit = |&at: &usize| {
            self.conditions[at] && self.rule.conditions[at].limits(variable, |other| self.known[other])
        };
        let limits = (0..self.conditions.len()).filter(is_limit).collect();
        self.known[variable] = true;
        Some(Step::Range { variable, limits })
    }
}
