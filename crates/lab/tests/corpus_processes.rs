//! `pinscher-lab corpus` over texts of process algebra and over transition systems.

mod common;

use common::{Scratch, lab};

const HEADER: &str = "model,property,expected,source,formula,note\n";

/// A relay of two messages in mCRL2.
const RELAY_2: &str = "\
sort D = struct d1 | d2;
act read, give, take, pass, deliver: D; i;
proc In = sum d: D. read(d). give(d). In;
     Way(lost: Bool) = sum d: D. take(d). (i. deliver(d). Way(lost) + i. !lost -> Way(true));
init allow({read, pass, deliver, i}, comm({give | take -> pass}, In || Way(false)));
";

/// The same in µCRL. What is allowed in mCRL2 is what is not encapsulated here.
const RELAY_1: &str = "\
sort Bool D
func T,F: -> Bool
     d1,d2: -> D
act  read,give,take,pass,deliver: D
     i
comm give|take = pass
proc In = sum(d: D, read(d).give(d).In)
     Way(lost: Bool) = sum(d: D, take(d).(i.deliver(d).Way(lost) + i.(delta <| lost |> Way(T))))
init encap({give,take}, In || Way(F))
";

const ROWS: &str = "\
relay.mcrl2,linearises,yes,here,,
relay.mcrl2,states_strong_bisim,32,here,,
relay.mcrl2,transitions_strong_bisim,62,here,,
relay.mcrl2,states_lps2lts,33,here,,
relay.mcrl2,deadlock,yes,here,,
counted.mcrl,states,33,here,,
hard.mcrl2,linearises,no,other: linearise-failed cpu=13.32 ,,
ill.mcrl2,linearises,no,other: linearise-failed cpu=0.1 Unknown process Q,,
ring.aut,states,5,here,,
ring.aut,transitions,6,here,,
ring.aut,states_bisimulation,3,here,,
ring.aut,transitions_bisimulation,3,here,,
ring.aut,labels_bisimulation,3,here,,
ring.aut,deadlock,no,here,,
ring.aut,equivalence:bisim:small.aut,yes,here,,
ring.aut,equivalence:trace:small.aut,yes,here,,
";

fn folder(rows: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.file("relay.mcrl2", RELAY_2);
    scratch.file("twin.mcrl", RELAY_1);
    scratch.file("counted.mcrl", RELAY_1);
    scratch.file("hard.mcrl2", "act a; init a;");
    scratch.file("ill.mcrl2", "act a; init a. Q;");
    scratch.file("part.mcrl", "map not: Bool -> Bool\n");
    scratch.file(
        "ring.aut",
        "des (0,6,5)\n(4,\"b\",4)\n(0,\"a\",1)\n(1,\"b\",2)\n(2,\"a\",3)\n(3,\"b\",0)\n(2,\"a\",1)\n",
    );
    scratch.file("small.aut", "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n");
    scratch.file("expected.csv", format!("{HEADER}{rows}"));
    scratch
}

#[test]
fn processes_and_systems_are_compared() {
    let scratch = folder(ROWS);
    let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(0);
    assert!(run.out.contains("14 compared, 14 matched, 0 differ"), "{}", run.out);
    assert!(!run.out.contains("fewer"), "{}", run.out);
    // Without rows a text is explored all the same, unless it is only a part of one.
    assert!(
        run.out.contains("32 states, 62 transitions, 1 deadlocks modulo strong bisimilarity"),
        "{}",
        run.out
    );
    assert!(run.out.contains("excepted part.mcrl: error: there is no init"), "{}", run.out);
    for (right, wrong) in [
        ("linearises,yes", "linearises,no"),
        ("states_strong_bisim,32", "states_strong_bisim,33"),
        ("transitions_strong_bisim,62", "transitions_strong_bisim,61"),
        ("states_lps2lts,33", "states_lps2lts,31"),
        ("counted.mcrl,states,33", "counted.mcrl,states,31"),
        ("relay.mcrl2,deadlock,yes", "relay.mcrl2,deadlock,no"),
        ("ill.mcrl2,linearises,no", "ill.mcrl2,linearises,yes"),
        ("aut,states,5", "aut,states,4"),
        ("aut,transitions,6", "aut,transitions,5"),
        ("states_bisimulation,3", "states_bisimulation,2"),
        ("transitions_bisimulation,3", "transitions_bisimulation,2"),
        ("labels_bisimulation,3", "labels_bisimulation,2"),
        ("ring.aut,deadlock,no", "ring.aut,deadlock,yes"),
        ("bisim:small.aut,yes", "bisim:small.aut,no"),
    ] {
        assert!(ROWS.contains(right));
        let scratch = folder(&ROWS.replace(right, wrong));
        let run = lab(&["corpus", scratch.path().to_str().unwrap()]).exits(1);
        assert!(run.out.contains("1 differ"), "{wrong}: {}", run.out);
    }
}

#[test]
fn fewer_states_than_by_another_linearisation_are_told() {
    for (same, more) in
        [("states_lps2lts,33", "states_lps2lts,34"), ("counted.mcrl,states,33", "counted.mcrl,states,40")]
    {
        let scratch = folder(&ROWS.replace(same, more));
        let run = lab(&["corpus", scratch.path().to_str().unwrap(), "--quiet"]).exits(0);
        let (about, many) = more.rsplit_once(',').unwrap();
        let about = about.replace(',', ": ");
        assert!(
            run.out.contains(&format!("{about}: 33 of {many} by here: another linearisation")),
            "{}",
            run.out
        );
        assert!(
            run.out.contains("14 compared, 13 matched, 1 fewer by another linearisation, 0 differ"),
            "{}",
            run.out
        );
    }
}
