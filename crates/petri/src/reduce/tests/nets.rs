//! Random small nets, made so that every reduction has something to do.

use base::SplitMix64;

use crate::{Arc, Net, Place, PlaceIx, Tokens, Transition};

/// The weight of an arc, more than one only in nets with heavy arcs.
fn some_weight(random: &mut SplitMix64, heavy: bool) -> Tokens {
    if heavy && random.one_in(3) { 2 + random.below(2) as Tokens } else { 1 }
}

/// An arc more; weights of a place add up.
fn add(arcs: &mut Vec<Arc>, place: usize, weight: Tokens) {
    let place = PlaceIx::new(place);
    match arcs.binary_search_by_key(&place, |arc| arc.place) {
        Ok(at) => arcs[at].weight += weight,
        Err(at) if weight > 0 => arcs.insert(at, Arc { place, weight }),
        Err(_) => {}
    }
}

/// One arc of a place in a list of tests.
fn test(arcs: &mut Vec<Arc>, place: usize, weight: Tokens) {
    if !arcs.iter().any(|arc| arc.place.ix() == place) {
        add(arcs, place, weight);
    }
}

fn weight_of(arcs: &[Arc], place: usize) -> Tokens {
    arcs.iter().find(|arc| arc.place.ix() == place).map_or(0, |arc| arc.weight)
}

fn place(net: &mut Net, initial: Tokens) -> usize {
    let number = net.places.len();
    net.places.push(Place { name: format!("p{number}"), initial, span: None });
    number
}

/// A net, and what was added to it that reductions may take away again.
pub fn net(random: &mut SplitMix64) -> Net {
    let mut net = Net::default();
    let [heavy, reads, inhibitors] = [3, 2, 2].map(|times| random.one_in(times));
    for _ in 0..1 + random.below(5) {
        let initial = if random.one_in(3) { 0 } else { random.below(if heavy { 4 } else { 3 }) };
        place(&mut net, initial as Tokens);
    }
    for _ in 0..1 + random.below(6) {
        let mut transition = Transition::default();
        // Mostly as many tokens out as in: nets that grow are of no use here.
        let inputs = if random.one_in(12) { 0 } else { 1 + random.below(2) };
        let outputs = if random.one_in(8) { inputs + 1 } else { random.below(inputs + 1) };
        for _ in 0..inputs {
            add(&mut transition.takes, random.below(net.places.len()), some_weight(random, heavy));
        }
        for _ in 0..outputs {
            add(&mut transition.gives, random.below(net.places.len()), some_weight(random, heavy));
        }
        if reads && random.one_in(4) {
            test(&mut transition.needs, random.below(net.places.len()), some_weight(random, heavy));
        }
        if inhibitors && random.one_in(4) {
            test(&mut transition.forbids, random.below(net.places.len()), some_weight(random, true));
        }
        net.transitions.push(transition);
    }
    for _ in 0..random.below(5) {
        decorate(&mut net, random);
    }
    for (number, transition) in net.transitions.iter_mut().enumerate() {
        transition.name = format!("t{number}");
    }
    net
}

fn decorate(net: &mut Net, random: &mut SplitMix64) {
    let some_place = random.below(net.places.len());
    let some_transition = random.below(net.transitions.len());
    match random.below(12) {
        0 => doubled_place(net, random, some_place),
        1 => sum_of_places(net, random),
        2 => constant_place(net, random),
        3 => {
            let mut copy = net.transitions[some_transition].clone();
            if random.one_in(2) {
                test(&mut copy.needs, some_place, 1 + random.below(2) as Tokens);
            }
            net.transitions.push(copy);
        }
        4 => {
            // Two firings in one.
            let mut copy = net.transitions[some_transition].clone();
            let arcs = copy.takes.iter_mut().chain(&mut copy.gives).chain(&mut copy.needs);
            arcs.for_each(|arc| arc.weight *= 2);
            net.transitions.push(copy);
        }
        5 => cycle(net, random, some_place),
        6 | 7 => split(net, random, some_transition),
        8 => moved(net, some_place),
        9 | 10 => prepared(net, random),
        _ => {
            // A test of what another place holds.
            let transition = &mut net.transitions[some_transition];
            add(&mut transition.takes, some_place, 1);
            add(&mut transition.gives, some_place, 1);
        }
    }
}

/// A place that changes with another, perhaps by more, perhaps from another beginning.
fn doubled_place(net: &mut Net, random: &mut SplitMix64, of: usize) {
    let factor = 1 + random.below(3) as Tokens;
    let initial = (net.places[of].initial * factor + random.below(3) as Tokens)
        .saturating_sub(random.below(2) as Tokens);
    let copy = place(net, initial);
    for transition in &mut net.transitions {
        for arcs in [&mut transition.takes, &mut transition.gives] {
            add(arcs, copy, weight_of(arcs, of) * factor);
        }
        if random.one_in(6) {
            test(&mut transition.needs, copy, 1 + random.below(3) as Tokens);
        }
        if random.one_in(10) {
            test(&mut transition.forbids, copy, 1 + random.below(4) as Tokens);
        }
    }
}

/// A place that holds what two others do, or a little less or more.
fn sum_of_places(net: &mut Net, random: &mut SplitMix64) {
    let (a, b) = (random.below(net.places.len()), random.below(net.places.len()));
    let initial = (net.places[a].initial + net.places[b].initial + random.below(2) as Tokens)
        .saturating_sub(random.below(2) as Tokens);
    let sum = place(net, initial);
    for transition in &mut net.transitions {
        for arcs in [&mut transition.takes, &mut transition.gives] {
            add(arcs, sum, weight_of(arcs, a) + weight_of(arcs, b));
        }
    }
}

fn constant_place(net: &mut Net, random: &mut SplitMix64) {
    let constant = place(net, random.below(3) as Tokens);
    for transition in &mut net.transitions {
        match random.below(4) {
            0 => test(&mut transition.needs, constant, 1 + random.below(2) as Tokens),
            1 => test(&mut transition.forbids, constant, 1 + random.below(3) as Tokens),
            _ => {}
        }
    }
}

/// A token can leave the place and come back.
fn cycle(net: &mut Net, random: &mut SplitMix64, from: usize) {
    let initial = random.below(2) as Tokens;
    let away = place(net, initial);
    let arc = |place| vec![Arc { place: PlaceIx::new(place), weight: 1 }];
    net.transitions.push(Transition { takes: arc(from), gives: arc(away), ..Transition::default() });
    net.transitions.push(Transition { takes: arc(away), gives: arc(from), ..Transition::default() });
    let other = random.below(net.transitions.len());
    if random.one_in(3) {
        let looked_at = if random.one_in(2) { away } else { from };
        test(&mut net.transitions[other].forbids, looked_at, 1 + random.below(2) as Tokens);
    } else if random.one_in(2) {
        add(&mut net.transitions[other].gives, away, 1);
        add(&mut net.transitions[other].takes, if random.one_in(2) { away } else { from }, 1);
    }
}

/// A transition becomes two with a place between, and perhaps there is a choice.
fn split(net: &mut Net, random: &mut SplitMix64, transition: usize) {
    let weight = some_weight(random, true);
    let between = place(net, if random.one_in(6) { weight } else { 0 });
    let arc = |weight| vec![Arc { place: PlaceIx::new(between), weight }];
    let gives = std::mem::replace(&mut net.transitions[transition].gives, arc(weight));
    let mut second = Transition { takes: arc(weight), gives, ..Transition::default() };
    if random.one_in(4) {
        add(&mut second.takes, random.below(between), 1);
    }
    // Somebody minds what comes out.
    if let Some(given) = second.gives.first().filter(|_| random.one_in(4)) {
        let shy = random.below(net.transitions.len());
        test(&mut net.transitions[shy].forbids, given.place.ix(), given.weight);
    }
    net.transitions.push(second);
    if random.one_in(3) {
        let to = random.below(between);
        net.transitions.push(Transition {
            takes: arc(weight),
            gives: vec![Arc { place: PlaceIx::new(to), weight: 1 }],
            ..Transition::default()
        });
    }
    if random.one_in(3) {
        let from = random.below(between);
        net.transitions.push(Transition {
            takes: vec![Arc { place: PlaceIx::new(from), weight: 1 }],
            gives: arc(weight),
            ..Transition::default()
        });
    }
    if random.one_in(8) {
        let taker = random.below(net.transitions.len());
        add(&mut net.transitions[taker].takes, between, weight);
    }
}

/// A place that is filled from places of its own and wanted by others.
fn prepared(net: &mut Net, random: &mut SplitMix64) {
    let weight = some_weight(random, true);
    let some = random.below(net.places.len());
    let full = place(net, 0);
    let arc = |place, weight| vec![Arc { place: PlaceIx::new(place), weight }];
    let mut own = place(net, random.below(5) as Tokens);
    for _ in 0..1 + random.below(2) {
        let takes = arc(own, some_weight(random, true));
        net.transitions.push(Transition { takes, gives: arc(full, weight), ..Transition::default() });
        if random.one_in(3) {
            let giver = random.below(net.transitions.len());
            add(&mut net.transitions[giver].gives, own, 1);
        }
        if random.one_in(4) {
            let rival = random.below(net.transitions.len());
            add(&mut net.transitions[rival].takes, own, 1);
        }
        // The next takes from the same place, or from another.
        if random.one_in(2) {
            own = place(net, random.below(4) as Tokens);
        }
    }
    for _ in 0..1 + random.below(2) {
        let times = 1 + random.below(4) as Tokens / 2;
        let mut consumer = Transition { takes: arc(full, weight * times), ..Transition::default() };
        add(&mut consumer.takes, some, 1);
        add(&mut consumer.gives, random.below(net.places.len() - 1), 1);
        net.transitions.push(consumer);
    }
}

/// A place that never runs out.
fn moved(net: &mut Net, place: usize) {
    net.places[place].initial += 2;
    let touching = |arcs: &[Arc]| arcs.iter().any(|arc| arc.place.ix() == place);
    for transition in net.transitions.iter_mut().filter(|transition| touching(&transition.takes)) {
        add(&mut transition.takes, place, 2);
        add(&mut transition.gives, place, 2);
    }
}
