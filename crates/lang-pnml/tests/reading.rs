//! Place/transition nets: every construct, and every mistake with its place.

mod support;

use base::{GroupIx, SlotIx};
use support::{errors, net};

/// A net around what stands on its page.
fn page(content: &str) -> String {
    format!(
        "<pnml>\n<net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>\n<page id='g'>\n{content}\n</page>\n</net>\n</pnml>\n"
    )
}

const TWO: &str = "<place id='p'><initialMarking><text>3</text></initialMarking></place><transition id='t'/>";

/// The arcs of the first transition: takes, gives, needs, forbids.
fn arcs(content: &str) -> [Vec<(usize, u64)>; 4] {
    let net = net(page(content)).net;
    let transition = &net.transitions[0];
    [&transition.takes, &transition.gives, &transition.needs, &transition.forbids]
        .map(|list| list.iter().map(|arc| (arc.place.ix(), arc.weight)).collect())
}

#[test]
fn nodes_names_and_markings_are_read() {
    let read = net(page(
        "<place id='p1'><name><graphics><offset x='1'/></graphics><text>idle &amp; free</text></name>
         <initialMarking><text> 18446744073709551615 </text></initialMarking></place>
         <place id='p2'><name><text>idle</text></name></place><place id='p3'><name><value>x</value></name>
         <initialMarking><value>Default,2</value></initialMarking></place>
         <transition id='t1'><name><text>go</text></name></transition><unknown><place id='no'/></unknown>",
    ));
    let places: Vec<_> = read.net.places.iter().map(|place| (place.name.as_str(), place.initial)).collect();
    assert_eq!(places, [("idle & free", u64::MAX), ("idle", 0), ("x", 2)]);
    assert_eq!(read.net.transitions[0].name, "go");
    assert_eq!((read.net.name.as_str(), read.coloured), ("n", false));
    assert_eq!(read.places["p3"], [SlotIx::new(2)]);
    assert_eq!(read.transitions["t1"], [GroupIx::new(0)]);
    assert_eq!(read.origins, [0, 1, 2]);
}

#[test]
fn arcs_add_up_and_have_types() {
    let arc = |source: &str, target: &str, inside: &str| {
        format!("<arc id='a' source='{source}' target='{target}'>{inside}</arc>")
    };
    let weight = |weight: u64| format!("<inscription><text>{weight}</text></inscription>");
    let all = [
        TWO,
        "<place id='q'/>",
        &arc("q", "t", &weight(4)),
        &arc("p", "t", ""),
        &arc("p", "t", &weight(2)),
        &arc("t", "p", "<type value='normal'/>"),
        &arc("p", "t", &format!("<type value='inhibitor'/>{}", weight(5))),
        &arc("p", "t", &format!("<arctype><text>inhibitor</text></arctype>{}", weight(7))),
        &arc("q", "t", &format!("<type value='test'/>{}", weight(5))),
        &arc("q", "t", &format!("<type><text>read</text></type>{}", weight(2))),
    ];
    assert_eq!(arcs(&all.concat()), [vec![(0, 3), (1, 4)], vec![(0, 1)], vec![(1, 5)], vec![(0, 5)]]);
}

#[test]
fn arcs_may_come_before_their_nodes_and_nodes_may_be_on_other_pages() {
    let content = "<arc id='a' source='r2' target='s'/><page id='inner'><referencePlace id='r2' ref='r1'/><referencePlace id='r1' ref='p'/>
                   <page id='innermost'><referenceTransition id='s' ref='t'/></page></page>";
    let text = content.to_owned() + TWO;
    assert_eq!(arcs(&text), [vec![(0, 1)], vec![], vec![], vec![]]);
    let read = net(page(&text));
    assert_eq!(read.places["r2"], read.places["p"]);
    assert_eq!(read.transitions["s"], read.transitions["t"]);
}

#[test]
fn units_are_read() {
    let units = |inside: &str| {
        let content = format!(
            "<place id='p'/><place id='q'/><place id='r'/><toolspecific tool='nupn' version='1.1'><size places='3'/>
             <structure units='3' root='u0' safe='true'>{inside}</structure></toolspecific>"
        );
        net(page(&content))
    };
    let good = "<unit id='u1'><places>q r</places><subunits/></unit><unit id='u0'><places>p</places><subunits>u1 u2</subunits></unit>
                <unit id='u2'><places/><subunits/></unit>";
    let read = units(good);
    assert_eq!(read.warnings, []);
    assert!(read.net.unit_safe);
    let units_of: Vec<_> = read
        .net
        .units
        .iter()
        .map(|unit| (unit.name.as_str(), unit.places.len(), unit.units.clone()))
        .collect();
    assert_eq!(units_of, [("u0", 1, vec![1, 2]), ("u1", 2, vec![]), ("u2", 0, vec![])]);
    for (from, to, message) in [
        ("<places>p</places>", "<places>p q</places>", "in two units"),
        ("<places>p</places>", "<places></places>", "`p` is in no unit"),
        ("<places>p</places>", "<places>pp</places>", "`pp`, which is none"),
        ("u1 u2", "u1 u3", "`u3`, which is none"),
        ("u1 u2", "u1 u1", "is in two units"),
        ("u1 u2", "u1", "not inside of the root"),
        ("u1 u2", "u1 u2 u0", "or is the root"),
        ("id='u2'", "id='u1'", "two units are called `u1`"),
        ("id='u0'", "id='u9'", "the root `u0` is no unit"),
    ] {
        let read = units(&good.replace(from, to));
        assert!(read.net.units.is_empty() && !read.net.unit_safe, "{to}");
        assert!(
            read.warnings.len() == 1 && read.warnings[0].message.contains(message),
            "{:?}",
            read.warnings
        );
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    let place = |marking: &str| {
        format!("<place id='p'><initialMarking><text>{marking}</text></initialMarking></place>")
    };
    let arc = |inside: &str| format!("{TWO}\n<arc id='a' source='p' target='t'>{inside}</arc>");
    let weight = |weight: &str| arc(&format!("<inscription><text>{weight}</text></inscription>"));
    for (content, message, at) in [
        (place("-1"), "the initial marking -1 is negative", "4:"),
        (place("many"), "the initial marking `many` is no number", "4:"),
        (place("+1"), "is no number", "4:"),
        (place(""), "is no number", "4:"),
        (place("18446744073709551616"), "is too large", "4:"),
        (weight("0"), "the weight of an arc is 0", "5:"),
        (weight("-3"), "the weight -3 is negative", "5:"),
        (weight("1.5"), "the weight `1.5` is no number", "5:"),
        (arc("<type value='reset'/>"), "arcs of type `reset` are not supported", "5:"),
        (format!("{TWO}\n<place id='p'/>"), "the first is in line 4", "5:12"),
        (format!("{TWO}\n<transition id='p'/>"), "the id `p` is taken", "5:"),
        (format!("{TWO}\n<arc id='a' source='p' target='tt'/>"), "did you mean `t`?", "5:"),
        (
            format!("{TWO}\n<arc id='a' source='zebra' target='t'/>"),
            "an arc comes from `zebra`, which is no node",
            "5:",
        ),
        (format!("{TWO}\n<arc id='a' source='p' target='p'/>"), "an arc from a place to a place", "5:"),
        (
            format!("{TWO}\n<arc id='a' source='t' target='t'/>"),
            "an arc from a transition to a transition",
            "5:",
        ),
        (
            format!("{TWO}\n<arc id='a' source='t' target='p'><type value='inhibitor'/></arc>"),
            "an arc that inhibits goes from a place",
            "5:",
        ),
        (format!("{TWO}\n<arc id='a' target='p'/>"), "<arc> has no attribute `source`", "5:"),
        ("<place/>".to_owned(), "<place> has no attribute `id`", "4:"),
        ("<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>".to_owned(), "to no node", "4:"),
        ("<referencePlace id='r' ref='x'/>".to_owned(), "`r` refers to `x`, and that to no node", "4:"),
        (
            TWO.to_owned() + &weight("18446744073709551615")[TWO.len()..].repeat(2),
            "weigh too much together",
            "4:",
        ),
    ] {
        let said = errors(page(&content));
        assert!(said.contains(message) && said.contains(&format!("net.pnml:{at}")), "{content}\n{said}");
    }
}

#[test]
fn files_that_are_no_nets_are_refused() {
    for (text, message) in [
        ("", "the file is empty"),
        ("<html/>", "<html> is no Petri net"),
        ("<pnml/>", "the file has no net"),
        (
            "<pnml><net id='n' type='http://x/timednet'/></pnml>",
            "nets of type `http://x/timednet` are not known",
        ),
        ("<pnml>\n<net id='n' type='ptnet'>\n<place id='p'>", "net.pnml:3:"),
        ("<!DOCTYPE pnml [<!ENTITY a 'ha'>]><pnml><net id='&a;' type='ptnet'/></pnml>", "`&a;` is not known"),
        (&"<pnml>".repeat(20_000), "nested deeper"),
    ] {
        let said = errors(text);
        assert!(said.contains(message), "{text}\n{said}");
    }
}

#[test]
fn the_first_net_of_a_known_type_is_taken() {
    let read = net("<pnml><net id='a' type='x'/><net id='b' type='ptnet'/><net id='c' type='ptnet'/></pnml>");
    assert_eq!(read.net.name, "b");
    assert_eq!(read.warnings.len(), 1);
}

#[test]
fn many_mistakes_are_told_in_short_time() {
    let arcs: String =
        (0..50_000).map(|at| format!("<arc id='a{at}' source='x{at}' target='y{at}'/>")).collect();
    assert!(errors(page(&arcs)).contains("more"));
}
