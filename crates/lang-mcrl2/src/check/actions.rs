//! Names of actions in `block`, `hide`, `allow`, `rename` and `comm`.

use std::collections::HashSet;

use ::processes::{Communication, NameIx};
use base::Diagnostic;

use super::Checker;
use super::types::Ty;
use crate::ast::Name;

impl<'a> Checker<'a> {
    /// The name of actions.
    fn action_name(&mut self, name: Name<'a>) -> Option<NameIx> {
        if let Some(&(number, _)) = self.actions_by_name.get(name.text) {
            return Some(number);
        }
        let known: Vec<&str> = self.actions_by_name.keys().copied().collect();
        self.unknown("action", name.text, name.span, known, "declare it with `act`, or correct the name");
        None
    }

    pub fn action_set(&mut self, names: &[Name<'a>], what: &str) -> Vec<NameIx> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        for &name in names {
            let Some(number) = self.action_name(name) else { continue };
            if seen.insert(number) {
                all.push(number);
            } else {
                self.warnings
                    .push(Diagnostic::warning(format!("`{what}` names `{}` twice", name.text), name.span));
            }
        }
        all
    }

    /// `a|b`, sorted.
    pub fn multi_action(&mut self, names: &[Name<'a>]) -> Vec<NameIx> {
        let mut all: Vec<NameIx> = names.iter().filter_map(|&name| self.action_name(name)).collect();
        all.sort_unstable();
        all
    }

    /// The sorts of arguments that actions of this name have.
    fn sorts_of_action(&self, name: Name<'a>) -> HashSet<Box<[Ty]>> {
        let known = self.actions_by_name.get(name.text).map(|(_, known)| &known[..]).unwrap_or_default();
        known.iter().map(|action| self.action_types[action.0 as usize].clone()).collect()
    }

    pub fn renaming(&mut self, pairs: &[(Name<'a>, Name<'a>)]) -> Vec<(NameIx, NameIx)> {
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        for &(from, to) in pairs {
            let (Some(old), Some(new)) = (self.action_name(from), self.action_name(to)) else { continue };
            if self.sorts_of_action(from).is_disjoint(&self.sorts_of_action(to)) {
                self.report_different(from, to);
            }
            if !seen.insert(old) {
                self.report(
                    Diagnostic::error(format!("action `{}` is renamed twice", from.text), from.span)
                        .help("keep one of them"),
                );
            }
            all.push((old, new));
        }
        all
    }

    fn report_different(&mut self, from: Name<'a>, to: Name<'a>) {
        self.report(
            Diagnostic::error(
                format!("actions `{}` and `{}` have no sorts in common", from.text, to.text),
                from.span,
            )
            .help("one can become the other only with the same arguments"),
        );
    }

    pub fn communications(&mut self, rules: &[(Vec<Name<'a>>, Name<'a>)]) -> Vec<Communication> {
        let mut all = Vec::new();
        let mut taken: HashSet<NameIx> = HashSet::new();
        for (names, to) in rules {
            if let [alone] = names[..] {
                self.report(
                    Diagnostic::error("one action alone does not communicate", alone.span)
                        .help("use `rename` to give it another name"),
                );
                continue;
            }
            let numbers: Vec<NameIx> = names.iter().filter_map(|&name| self.action_name(name)).collect();
            let Some(new) = self.action_name(*to) else { continue };
            if numbers.len() < names.len() {
                continue;
            }
            let mut common = self.sorts_of_action(*to);
            for &name in names {
                let sorts = self.sorts_of_action(name);
                common.retain(|known| sorts.contains(known));
                if common.is_empty() {
                    self.report_different(name, *to);
                    break;
                }
            }
            for (&name, number) in names.iter().zip(&numbers) {
                if taken.contains(number) {
                    self.report(
                        Diagnostic::error(
                            format!("action `{}` communicates in two ways", name.text),
                            name.span,
                        )
                        .label("it is in a rule before this one, too")
                        .help("an action can be on the left side of one rule only"),
                    );
                }
            }
            taken.extend(&numbers);
            let mut from = numbers;
            from.sort_unstable();
            all.push(Communication { from, to: Some(new) });
        }
        all
    }
}
