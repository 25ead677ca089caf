//! From a coloured net to a place/transition net: a place for every colour that a place can have, a
//! transition for every way in which one can give values to its variables and fire. Colours that can never
//! come up and ways that can never be taken are left out: they change neither the markings that are reached
//! nor what is fired.

use std::sync::Arc as Shared;

use base::{Diagnostic, GroupIx, Problems, SlotIx, Source};
use petri::{Arc, Net, Place, Tokens, Transition};

use super::ground::{Grounded, Limits, TooLarge, ground};
use super::multiset::{Multiset, Pattern};
use super::rule::{Role, Rule, RuleArc, RuleVariable, renumber};
use super::sorts::{BasicIx, Colour, Declarations, Sort};
use super::terms::{Terms, structure};
use crate::plain::{ById, by_id, ends, merge, node_names};
use crate::raw::{ArcKind, RawNet};

/// A coloured net, unfolded.
pub(crate) struct Unfolded {
    /// The net.
    pub net: Net,
    /// For every id of a place its places.
    pub places: ById<SlotIx>,
    /// For every place of the net its place in the file.
    pub origins: Vec<u32>,
    /// For every id of a transition its transitions.
    pub transitions: ById<GroupIx>,
}

/// A coloured net with its terms read.
struct Coloured {
    declared: Declarations,
    /// The sorts of the places.
    sorts: Vec<Sort>,
    /// The markings of the places: colours and how many there are of each.
    markings: Vec<Vec<(Colour, i64)>>,
    /// The transitions.
    rules: Vec<Rule>,
}

/// Unfolds a net. `None` where something is wrong.
pub(crate) fn unfold(
    raw: &RawNet<'_>,
    source: &Shared<Source>,
    limits: Limits,
    problems: &mut Problems,
) -> Option<Unfolded> {
    let coloured = read(raw, limits, problems);
    if problems.any_error() {
        return None;
    }
    let (place_names, transition_names) = node_names(raw);
    let marked = coloured.markings.iter().enumerate();
    let marked = marked.flat_map(|(place, counts)| counts.iter().map(move |(colour, _)| (place, *colour)));
    let grounded = ground(&coloured.declared, &coloured.sorts, &coloured.rules, marked, limits);
    let grounded = match grounded {
        Ok(grounded) => grounded,
        Err(excess) => {
            problems.push(excessive(excess, raw, &coloured, limits, (&place_names, &transition_names)));
            return None;
        }
    };
    let assembly = Assembly { raw, coloured: &coloured, grounded: &grounded };
    assembly.net(source, &place_names, &transition_names, problems)
}

fn excessive(
    excess: TooLarge,
    raw: &RawNet<'_>,
    coloured: &Coloured,
    limits: Limits,
    names: (&[String], &[String]),
) -> Diagnostic {
    let rule_span = |rule: usize| raw.transitions[coloured.rules[rule].transition].span;
    let rule_name = |rule: usize| &names.1[coloured.rules[rule].transition];
    let ways = |rule: usize| {
        let sizes = coloured.rules[rule].variables.iter().map(|variable| u128::from(variable.size));
        sizes.fold(1, u128::saturating_mul)
    };
    match excess {
        TooLarge::Places(place) => Diagnostic::error(
            format!("the net has more than {} places when it is unfolded", limits.places),
            raw.places[place].span,
        )
        .label(format!("`{}` is of a sort of {} colours", names.0[place], coloured.sorts[place].size)),
        TooLarge::Transitions(rule) => Diagnostic::error(
            format!("the net has more than {} transitions when it is unfolded", limits.transitions),
            rule_span(rule),
        )
        .label(format!("`{}` has variables of {} values together", rule_name(rule), ways(rule))),
        TooLarge::Arcs(rule) => {
            let width = coloured.rules[rule].width(&coloured.sorts, &coloured.declared);
            Diagnostic::error(
                format!("the net has more than {} arcs when it is unfolded", limits.arcs),
                rule_span(rule),
            )
            .label(format!("`{}` has {width} of them for each of its ways to fire", rule_name(rule)))
        }
        TooLarge::Tries(rule) => Diagnostic::error(
            format!("more than {} values of variables were tried to unfold the net", limits.tries),
            rule_span(rule),
        )
        .label(format!("`{}` has variables of {} values together", rule_name(rule), ways(rule))),
    }
    .help("take a smaller instance of the model")
}

fn read(raw: &RawNet<'_>, limits: Limits, problems: &mut Problems) -> Coloured {
    let mut declared = Declarations::read(&raw.declarations, problems);
    let (mut sorts, mut markings) = (Vec::new(), Vec::new());
    for place in 0..raw.places.len() {
        match read_place(raw, place, &mut declared, limits) {
            Ok((sort, marking)) => {
                sorts.push(sort);
                markings.push(marking);
            }
            Err(problem) => {
                problems.push(problem);
                sorts.push(declared.dot());
                markings.push(Vec::new());
            }
        }
    }
    let rules = match problems.any_error() {
        true => Vec::new(),
        false => read_rules(raw, &mut declared, &sorts, problems),
    };
    Coloured { declared, sorts, markings, rules }
}

fn read_place(
    raw: &RawNet<'_>,
    place: usize,
    declared: &mut Declarations,
    limits: Limits,
) -> Result<(Sort, Vec<(Colour, i64)>), Diagnostic> {
    let place = &raw.places[place];
    let sort = match place.sort.as_ref().map(|label| structure(label.root())).transpose()?.flatten() {
        Some(node) => declared.sort(node)?,
        None => declared.dot(),
    };
    let Some(node) = place.marking.as_ref().map(|label| structure(label.root())).transpose()?.flatten()
    else {
        let plain = i64::try_from(place.initial).map_err(|_| {
            Diagnostic::error("the initial marking is too large for a coloured net", place.span)
        })?;
        if plain != 0 && sort.size != 1 {
            return Err(Diagnostic::error(
                "a number of tokens without colours in a place of coloured ones",
                place.span,
            ));
        }
        return Ok((sort, if plain == 0 { Vec::new() } else { vec![(0, plain)] }));
    };
    let multiset = Terms { declared }.of_sort(node, &sort)?;
    if let Some(variable) = multiset.variables().next() {
        return Err(Diagnostic::error(
            format!("variable number {variable} in an initial marking"),
            node.span(),
        )
        .label("a marking is a constant"));
    }
    let counts = multiset.counts(&sort, declared, &[], limits.places as u64).map_err(|_| {
        Diagnostic::error(
            format!("the initial marking has more than {} different colours", limits.places),
            node.span(),
        )
        .label(format!("the sort has {}", sort.size))
        .help("take a smaller instance of the model")
    })?;
    if counts.iter().any(|(_, count)| *count < 0) {
        return Err(Diagnostic::error("the initial marking has less than no token of a colour", node.span()));
    }
    Ok((sort, counts))
}

/// The variables of basic sorts, by their numbers: names and sorts.
fn basic_variables(declared: &Declarations) -> Vec<(String, BasicIx)> {
    let mut variables: Vec<_> = declared.variables.values().collect();
    variables.sort_unstable_by_key(|variable| variable.first);
    let mut all = Vec::new();
    for variable in variables {
        let parts = variable.sort.parts.iter().enumerate();
        all.extend(parts.map(|(at, &basic)| match variable.sort.parts.len() {
            1 => (variable.name.clone(), basic),
            _ => (format!("{}.{}", variable.name, at + 1), basic),
        }));
    }
    all
}

fn read_rules(
    raw: &RawNet<'_>,
    declared: &mut Declarations,
    sorts: &[Sort],
    problems: &mut Problems,
) -> Vec<Rule> {
    let empty = |transition| Rule {
        transition,
        variables: Vec::new(),
        conditions: Vec::new(),
        arcs: Vec::new(),
        demands: Vec::new(),
    };
    let mut rules: Vec<Rule> = (0..raw.transitions.len()).map(empty).collect();
    for (rule, transition) in rules.iter_mut().zip(&raw.transitions) {
        let condition = transition.condition.as_ref().map(|label| structure(label.root())).transpose();
        let condition = condition.and_then(|node| {
            node.flatten().map(|node| Terms { declared }.condition(node, false, 0)).transpose()
        });
        match condition {
            Ok(Some(condition)) => condition.conjuncts(&mut rule.conditions),
            Ok(None) => {}
            Err(problem) => problems.push(problem),
        }
    }
    for arc in &raw.arcs {
        if problems.are_too_many() {
            break;
        }
        let Some(ends) = ends(raw, arc, problems) else { continue };
        let role = match (arc.kind, ends.is_input) {
            (ArcKind::Normal, true) => Role::Takes,
            (ArcKind::Normal, false) => Role::Gives,
            (ArcKind::Read, _) => Role::Needs,
            (ArcKind::Inhibitor, _) => Role::Forbids,
        };
        let place = ends.place as usize;
        let node = arc.inscription.as_ref().map(|label| structure(label.root())).transpose();
        let colours = node.and_then(|node| match node.flatten() {
            Some(node) => Terms { declared }.of_sort(node, &sorts[place]),
            None => plain_inscription(arc.weight, &sorts[place]).ok_or_else(|| {
                Diagnostic::error("an arc without colours at a place of coloured tokens", arc.span)
            }),
        });
        match colours {
            Ok(colours) => {
                rules[ends.transition as usize].arcs.push(RuleArc { place, role, colours, span: arc.span })
            }
            Err(problem) => problems.push(problem),
        }
    }
    let names = basic_variables(declared);
    for rule in &mut rules {
        number_variables(rule, &names, declared);
        rule.demand();
    }
    rules
}

/// So many dots.
fn plain_inscription(weight: Tokens, sort: &Sort) -> Option<Multiset> {
    let count = i64::try_from(weight).ok().filter(|_| sort.size == 1)?;
    let parts = vec![super::multiset::Component::Constant(0); sort.parts.len()];
    Some(Multiset { parts: sort.parts.clone(), patterns: vec![Pattern { count, parts }] })
}

/// Gives a rule's variables numbers of its own.
fn number_variables(rule: &mut Rule, names: &[(String, BasicIx)], declared: &Declarations) {
    let mut used: Vec<usize> = rule.arcs.iter().flat_map(|arc| arc.colours.variables()).collect();
    rule.conditions.iter().for_each(|condition| condition.variables(&mut |variable| used.push(variable)));
    used.sort_unstable();
    used.dedup();
    let number = |variable: usize| used.binary_search(&variable).expect("BUG: a variable that is not used");
    rule.arcs.iter_mut().for_each(|arc| renumber(&mut arc.colours, &number));
    rule.conditions.iter_mut().for_each(|condition| condition.renumber(&number));
    let variable = |&used: &usize| {
        let (name, basic) = &names[used];
        RuleVariable { name: name.clone(), basic: *basic, size: declared.basics[*basic].size }
    };
    rule.variables = used.iter().map(variable).collect();
}

struct Assembly<'a, 't> {
    raw: &'a RawNet<'t>,
    coloured: &'a Coloured,
    grounded: &'a Grounded,
}

impl Assembly<'_, '_> {
    fn net(
        &self,
        source: &Shared<Source>,
        place_names: &[String],
        transition_names: &[String],
        problems: &mut Problems,
    ) -> Option<Unfolded> {
        let (mut places, mut origins) = (Vec::new(), Vec::new());
        let mut place_lists: Vec<Vec<SlotIx>> = Vec::new();
        for (place, colours) in self.grounded.colours.iter().enumerate() {
            let sort = &self.coloured.sorts[place];
            let first = places.len();
            let marking = &self.coloured.markings[place];
            places.extend(colours.iter().map(|&colour| {
                let at = marking.binary_search_by_key(&colour, |(colour, _)| *colour);
                Place {
                    name: format!(
                        "{}{}",
                        place_names[place],
                        self.coloured.declared.colour_name(sort, colour)
                    ),
                    initial: at.map_or(0, |at| marking[at].1.unsigned_abs()),
                    span: Some(self.raw.places[place].span),
                }
            }));
            origins.resize(places.len(), place as u32);
            place_lists.push((first..places.len()).map(SlotIx::new).collect());
        }
        let mut transitions = Vec::new();
        let mut transition_lists: Vec<Vec<GroupIx>> = Vec::new();
        for (rule, name) in self.coloured.rules.iter().zip(transition_names) {
            let first = transitions.len();
            self.transitions(rule, name, &place_lists, &mut transitions, problems);
            transition_lists.push((first..transitions.len()).map(GroupIx::new).collect());
        }
        let (place_ids, transition_ids) = by_id(
            self.raw,
            |place| place_lists[place].clone(),
            |transition| transition_lists[transition].clone(),
        );
        let source = Some(Shared::clone(source));
        let net = Net {
            name: self.raw.name.clone(),
            places,
            transitions,
            units: Vec::new(),
            unit_safe: false,
            source,
        };
        Some(Unfolded { net, places: place_ids, origins, transitions: transition_ids })
    }

    /// Adds the transitions of a rule, in the order of the values of its variables.
    fn transitions(
        &self,
        rule: &Rule,
        name: &str,
        places: &[Vec<SlotIx>],
        transitions: &mut Vec<Transition>,
        problems: &mut Problems,
    ) {
        let declared = &self.coloured.declared;
        let width = rule.variables.len();
        let all = &self.grounded.values[rule.transition];
        let mut ways: Vec<&[u64]> =
            (0..self.grounded.ways[rule.transition]).map(|at| &all[at * width..][..width]).collect();
        ways.sort_unstable();
        let mut is_warned = false;
        for values in ways {
            let mut transition = Transition {
                name: name.to_owned(),
                span: Some(self.raw.transitions[rule.transition].span),
                ..Transition::default()
            };
            if width > 0 {
                let bound = rule.variables.iter().zip(values);
                let bound = bound.map(|(variable, &value)| {
                    format!("{}={}", variable.name, declared.value_name(variable.basic, value))
                });
                transition.name += &format!("({})", bound.collect::<Vec<_>>().join(", "));
            }
            for arc in &rule.arcs {
                let counts = arc.colours.counts(&self.coloured.sorts[arc.place], declared, values, u64::MAX);
                let Ok(counts) = counts else {
                    problems.push(Diagnostic::error("an arc with more colours than 64 bits count", arc.span));
                    return;
                };
                let list = match arc.role {
                    Role::Takes => &mut transition.takes,
                    Role::Gives => &mut transition.gives,
                    Role::Needs => &mut transition.needs,
                    Role::Forbids => &mut transition.forbids,
                };
                for (colour, count) in counts {
                    if count < 0 {
                        if !is_warned {
                            let warning = Diagnostic::warning(
                                "this takes more away from a sum than is in it",
                                arc.span,
                            );
                            problems
                                .push(warning.label(format!("for {}: taken for nothing", transition.name)));
                        }
                        is_warned = true;
                        continue;
                    }
                    // A colour that never comes up is always absent, so that it is forbidden says nothing.
                    if let Ok(at) = self.grounded.colours[arc.place].binary_search(&colour) {
                        list.push(Arc { place: places[arc.place][at], weight: count.unsigned_abs() });
                    }
                }
            }
            let fits = merge(&mut transition.takes, Tokens::checked_add)
                .and(merge(&mut transition.gives, Tokens::checked_add));
            if fits.is_none() {
                let span = self.raw.transitions[rule.transition].span;
                problems.push(Diagnostic::error("the arcs to one place weigh too much together", span));
            }
            merge(&mut transition.needs, |one, other| Some(one.max(other)));
            merge(&mut transition.forbids, |one, other| Some(one.min(other)));
            transitions.push(transition);
        }
    }
}
