//! The groups below that one group above is made of, and what they are together.

use base::{GroupIx, SlotIx};
use model::{Effect, Group, Signature, Value};

/// One of the groups below that a group above is made of.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) group: GroupIx,
    /// Whether the group above has all its guards. Then its update is enough where those are true.
    pub(super) guards_are_shared: bool,
}

/// The members of a merged group, and which of them have no guards but those that all have.
pub(super) fn members(below: &Signature, groups: &[GroupIx]) -> Vec<Member> {
    let guards = |group: &GroupIx| &below.groups[group.ix()].guards;
    let mut shared = groups.first().map(guards).cloned().unwrap_or_default();
    for group in groups {
        shared.retain(|guard| guards(group).contains(guard));
    }
    let has_no_other = |group: &GroupIx| guards(group).iter().all(|guard| shared.contains(guard));
    groups.iter().map(|&group| Member { group, guards_are_shared: has_no_other(&group) }).collect()
}

/// What the members are called, guarded by and where they stand, together; not what they do.
pub(super) fn merged_group(below: &Signature, members: &[Member]) -> Group {
    let groups = || members.iter().map(|member| &below.groups[member.group.ix()]);
    if let [only] = members {
        let Group { name, guards, spans, .. } = &below.groups[only.group.ix()];
        return Group { name: name.clone(), guards: guards.clone(), spans: spans.clone(), effect: None };
    }
    let mut spans = Vec::new();
    for span in groups().flat_map(|group| &group.spans) {
        if !spans.contains(span) {
            spans.push(*span);
        }
    }
    // A member whose guards all others have, too: its guards are those of the merged group.
    let shared = members.iter().find(|member| member.guards_are_shared);
    Group {
        name: groups().map(|group| group.name.as_str()).collect::<Vec<_>>().join(" | "),
        guards: shared.map(|member| below.groups[member.group.ix()].guards.clone()).unwrap_or_default(),
        spans,
        effect: None,
    }
}

/// The effect with its slots elsewhere; none where a constant that is left out disables it.
pub(super) fn moved(effect: &Effect, initial: &[Value], position: &[Option<usize>]) -> Option<Effect> {
    let is_left_out = |slot: SlotIx| position[slot.ix()].is_none();
    let mut rest = effect.clone();
    rest.slots.retain(|(slot, _)| !is_left_out(*slot));
    let left_out = effect.slots.iter().map(|(slot, _)| *slot).filter(|&slot| is_left_out(slot));
    let is_enabled = left_out.map(|slot| effect.rule(slot, initial[slot.ix()])).all(|rule| rule.is_some());
    let place = |slot: SlotIx| SlotIx::new(position[slot.ix()].expect("BUG: the slot is not left out"));
    is_enabled.then(|| rest.moved(place))
}
