//! Coloured nets: constructs that random nets do not have, every mistake with its place, and colours without
//! end.

mod support;

use support::{errors, net};

const DECLARED: &str = "
    <namedsort id='pair' name='pair'><productsort><usersort declaration='day'/><usersort declaration='digit'/></productsort></namedsort>
    <namedsort id='day' name='day'><cyclicenumeration><feconstant id='mo' name='Monday'/><feconstant id='we' name='Wednesday'/>
    <feconstant id='fr' name='Friday'/></cyclicenumeration></namedsort>
    <namedsort id='digit' name='digit'><finiteintrange start='3' end='4'/></namedsort>
    <namedsort id='flag' name='flag'><bool/></namedsort>
    <partition id='parts' name='parts'><usersort declaration='day'/>
    <partitionelement id='early'><useroperator declaration='mo'/></partitionelement>
    <partitionelement id='late'><useroperator declaration='we'/><useroperator declaration='fr'/></partitionelement></partition>
    <variabledecl id='d' name='d'><usersort declaration='day'/></variabledecl>
    <variabledecl id='e' name='e'><usersort declaration='day'/></variabledecl>
    <variabledecl id='n' name='n'><usersort declaration='digit'/></variabledecl>
    <variabledecl id='b' name='b'><usersort declaration='flag'/></variabledecl>
    <variabledecl id='both' name='both'><usersort declaration='pair'/></variabledecl>";

const D: &str = "<variable refvariable='d'/>";
const E: &str = "<variable refvariable='e'/>";
const BOTH: &str = "<variable refvariable='both'/>";

fn all(sort: &str) -> String {
    format!("<all><usersort declaration='{sort}'/></all>")
}

fn apply(operator: &str, terms: &[&str]) -> String {
    let terms: String = terms.iter().map(|term| format!("<subterm>{term}</subterm>")).collect();
    format!("<{operator}>{terms}</{operator}>")
}

fn times(count: i64, term: &str) -> String {
    apply("numberof", &[&format!("<numberconstant value='{count}'><positive/></numberconstant>"), term])
}

/// A place of a sort with a marking, from which a transition with a condition takes.
fn text(sort: &str, marking: &str, condition: &str, takes: &str) -> String {
    let condition = match condition {
        "" => String::new(),
        condition => format!("<condition><structure>{condition}</structure></condition>"),
    };
    format!(
        "<pnml><net id='n' type='symmetricnet'><declaration><structure><declarations>{DECLARED}</declarations></structure></declaration>
<page id='g'><place id='p'><type><structure><usersort declaration='{sort}'/></structure></type>
<hlinitialMarking><structure>{marking}</structure></hlinitialMarking></place>
<transition id='t'>{condition}</transition>
<arc id='a' source='p' target='t'><hlinscription><structure>{takes}</structure></hlinscription></arc></page></net></pnml>"
    )
}

/// The names of the transitions.
fn transitions(text: String) -> Vec<String> {
    net(text).net.transitions.into_iter().map(|transition| transition.name).collect()
}

#[test]
fn places_and_transitions_are_named_by_their_colours() {
    let read = net(text("pair", &times(2, &all("pair")), "", BOTH));
    assert!(read.coloured);
    let names: Vec<&str> = read.net.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(
        names,
        ["p(Monday,3)", "p(Monday,4)", "p(Wednesday,3)", "p(Wednesday,4)", "p(Friday,3)", "p(Friday,4)"]
    );
    assert!(read.net.places.iter().all(|place| place.initial == 2));
    assert_eq!(read.net.transitions[5].name, "t(both.1=Friday, both.2=4)");
    assert_eq!((read.places["p"].len(), read.transitions["t"].len()), (6, 6));
    assert_eq!(read.origins, [0; 6]);
}

#[test]
fn conditions_mean_what_they_say() {
    let day = |name: &str| format!("<useroperator declaration='{name}'/>");
    let part = |term: &str| {
        format!("<partitionelementof refpartition='parts'><subterm>{term}</subterm></partitionelementof>")
    };
    let cases = [
        (apply("equality", &[D, &day("we")]), vec!["Wednesday"]),
        (apply("not", &[&apply("equality", &[D, &day("we")])]), vec!["Monday", "Friday"]),
        (apply("equality", &[&part(D), &day("late")]), vec!["Wednesday", "Friday"]),
        (apply("gtp", &[&day("late"), &part(D)]), vec!["Monday"]),
        (apply("ltp", &[&part(D), &part(&apply("successor", &[D]))]), vec!["Monday"]),
        (apply("equality", &[&apply("successor", &[D]), &day("mo")]), vec!["Friday"]),
        (apply("lessthan", &[&apply("predecessor", &[D]), D]), vec!["Wednesday", "Friday"]),
        (
            apply("imply", &[&apply("greaterthan", &[D, &day("mo")]), &apply("equality", &[D, &day("fr")])]),
            vec!["Monday", "Friday"],
        ),
        (
            apply("equality", &[&apply("cardinality", &[&all("day")]), "<numberconstant value='3'/>"]),
            vec!["Monday", "Wednesday", "Friday"],
        ),
        ("<booleanconstant value='false'/>".to_owned(), vec![]),
        (
            apply("or", &[&apply("equality", &[D, &day("we")]), "<booleanconstant value='false'/>"]),
            vec!["Wednesday"],
        ),
    ];
    for (condition, expected) in cases {
        let expected: Vec<String> = expected.into_iter().map(|day| format!("t(d={day})")).collect();
        assert_eq!(transitions(text("day", &all("day"), &condition, D)), expected, "{condition}");
    }
    let tuple = apply(
        "tuple",
        &[
            &day("we"),
            "<finiteintrangeconstant value='4'><finiteintrange start='0' end='9'/></finiteintrangeconstant>",
        ],
    );
    let same = |operator: &str| {
        transitions(text("pair", &all("pair"), &apply(operator, &[BOTH, &tuple]), BOTH)).len()
    };
    assert_eq!((same("equality"), same("inequality")), (1, 5));
    let flag = "<variable refvariable='b'/>";
    assert_eq!(transitions(text("flag", &all("flag"), flag, flag)), ["t(b=true)"]);
    assert_eq!(transitions(text("flag", &all("flag"), &apply("not", &[flag]), flag)), ["t(b=false)"]);
}

#[test]
fn sums_products_and_differences_are_counted() {
    let weights = |takes: &str| {
        let read = net(text("day", &times(9, &all("day")), "", takes));
        let first = read
            .net
            .transitions
            .first()
            .map(|transition| transition.takes.iter().map(|arc| arc.weight).collect::<Vec<_>>());
        (first.unwrap_or_default(), read.net.transitions.len(), read.warnings.len())
    };
    assert_eq!(weights(&apply("add", &[&times(2, &all("day")), D])), (vec![3, 2, 2], 3, 0));
    assert_eq!(weights(&apply("subtract", &[&times(2, &all("day")), D, E])), (vec![2, 2], 9, 0));
    assert_eq!(
        weights(&apply("scalarproduct", &["<numberconstant value='3'/>", &apply("add", &[D, E])])),
        (vec![6], 9, 0)
    );
    assert_eq!(weights(&times(0, D)), (vec![], 1, 0));
    assert_eq!(weights("<empty><usersort declaration='day'/></empty>"), (vec![], 1, 0));
    // More is taken away than there is: nothing is left, and that is told.
    assert_eq!(weights(&apply("subtract", &[&all("day"), D, D])), (vec![1, 1], 3, 1));
    // A marking without a structure, arcs without inscriptions: dots.
    let dots = net(
        "<pnml><net id='n' type='symmetricnet'><place id='p'><initialMarking><text>4</text></initialMarking></place>
                    <transition id='t'/><arc id='a' source='p' target='t'/></net></pnml>",
    );
    assert_eq!((dots.net.places[0].name.as_str(), dots.net.places[0].initial), ("p", 4));
    assert_eq!(dots.net.transitions[0].takes.len(), 1);
}

#[test]
fn what_can_never_matter_is_left_out() {
    let two = apply("add", &["<useroperator declaration='mo'/>", "<useroperator declaration='fr'/>"]);
    let read = net(text("day", &two, "", &apply("add", &[D, &apply("predecessor", &[D])])));
    // Only from Friday to Monday are both colours there.
    assert_eq!((read.net.places.len(), read.net.transitions.len()), (2, 1));
    assert_eq!(read.net.transitions[0].name, "t(d=Monday)");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let (day, digit) = (all("day"), all("digit"));
    for (text, message) in [
        (text("day", &digit, "", D), "a colour of another sort than its place has"),
        (text("pair", &day, "", BOTH), "a tuple of 1 where one of 2 is due"),
        (text("week", &day, "", D), "the sort `week` is not declared"),
        (text("days", &day, "", D), "did you mean `day`?"),
        (text("day", D, "", D), "in an initial marking"),
        (text("day", &apply("subtract", &[&day, &times(2, &day)]), "", D), "less than no token"),
        (text("day", &day, "", "<variable refvariable='z'/>"), "the variable `z` is not declared"),
        (text("day", &day, "", "<useroperator declaration='su'/>"), "the constant `su` is not declared"),
        (
            text("day", &day, "", &apply("stringappend", &[D])),
            "the operator <stringappend> is not supported for colours",
        ),
        (
            text("day", &day, &apply("contains", &[D, E]), D),
            "the operator <contains> is not supported in conditions",
        ),
        (
            text("day", &day, &apply("equality", &[D, "<variable refvariable='n'/>"]), D),
            "colours of different sorts",
        ),
        (text("pair", &all("pair"), &apply("lessthan", &[BOTH, BOTH]), BOTH), "tuples have no order"),
        (text("day", &day, &apply("equality", &[D]), D), "<equality> takes 2 terms, and has 1"),
        (text("day", &day, &apply("equality", &[D, &day]), D), "more than one colour"),
        (text("day", &day, "", &times(-1, D)), "never negative"),
        (text("pair", &all("pair"), "", &apply("successor", &[BOTH])), "<successor> of a tuple"),
        (
            text(
                "digit",
                "<finiteintrangeconstant value='7'><finiteintrange start='3' end='9'/></finiteintrangeconstant>",
                "",
                "<variable refvariable='n'/>",
            ),
            "outside of the range",
        ),
        (
            text("day", &day, "", D)
                .replace("<structure><variable refvariable='d'/></structure>", "<text>d</text>"),
            "no <structure>",
        ),
        (
            text("day", &day, "", D).replace(
                "<hlinscription><structure><variable refvariable='d'/></structure></hlinscription>",
                "",
            ),
            "an arc without colours",
        ),
        (
            text("day", &day, "", D).replace(
                "<usersort declaration='digit'/></productsort>",
                "<usersort declaration='pair'/></productsort>",
            ),
            "consists of itself",
        ),
        (
            text("day", &day, "", D).replace("<feconstant id='we'", "<feconstant id='mo'"),
            "the constant `mo` is declared twice",
        ),
        (text("day", &day, "", D).replace("start='3'", "start='5'"), "the range from 5 to 4 is empty"),
        (text("day", &day, "", D).replace("<useroperator declaration='we'/>", ""), "leaves out values"),
        (text("day", &day, "", D).replace("<bool/>", "<string/>"), "sorts of <string> are not supported"),
        (text("day", &day, &(apply("not", &[D]).replace(D, "") + ""), D), "<not> takes 1 terms, and has 0"),
        (text("day", &day, &("<not>".repeat(5000) + &"</not>".repeat(5000)), D), "nested deeper"),
        (text("day", &day, "", &("<successor>".repeat(290) + D + &"</successor>".repeat(310))), "is due"),
    ] {
        let said = errors(&text);
        assert!(said.contains(message) && said.contains("--> net.pnml:"), "{message}\n{said}");
    }
}

#[test]
fn terms_may_be_nested() {
    let deep = "<successor>".repeat(290) + D + &"</successor>".repeat(290);
    assert_eq!(transitions(text("day", &all("day"), "", &deep)).len(), 3);
    let deep =
        "<not><subterm>".repeat(290) + "<booleanconstant value='true'/>" + &"</subterm></not>".repeat(290);
    assert_eq!(transitions(text("day", &all("day"), &deep, D)).len(), 3);
}

#[test]
fn colours_without_end_are_no_problem_unless_they_are_used() {
    let huge = |text: String| text.replace("start='3' end='4'", "start='1' end='1000000000'");
    let one =
        "<finiteintrangeconstant value='999999999'><usersort declaration='digit'/></finiteintrangeconstant>";
    let n = "<variable refvariable='n'/>";
    // Whoever bound variables first and looked at places then would try 10^9 values.
    let read = net(huge(text("digit", one, "", n)));
    assert_eq!((read.net.places.len(), read.net.transitions.len()), (1, 1));
    assert_eq!(read.net.places[0].name, "p(999999999)");
    let below = apply(
        "greaterthan",
        &["<finiteintrangeconstant value='4'><usersort declaration='digit'/></finiteintrangeconstant>", n],
    );
    let gives = |text: String| text.replace("source='p' target='t'", "source='t' target='p'");
    assert_eq!(net(gives(huge(text("digit", one, &below, n)))).net.places.len(), 4);
    let said = errors(huge(text("digit", &all("digit"), "", n)));
    assert!(said.contains("more than 5000000 different colours") && said.contains("1000000000"), "{said}");
    let said = errors(gives(huge(text("digit", one, "", n))));
    assert!(
        said.contains("more than 5000000 places when it is unfolded") && said.contains("1000000000 colours"),
        "{said}"
    );
    let said = errors(
        text("digit", one, "", n)
            .replace("start='3' end='4'", "start='-9223372036854775808' end='9223372036854775807'"),
    );
    assert!(said.contains("this range is too large"), "{said}");
}
