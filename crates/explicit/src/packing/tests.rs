//! Packing against the vectors themselves.

use std::collections::{HashMap, HashSet};

use base::TypeIx;
use model::{Group, Slot, SlotRole, Type};

use super::*;
use crate::budget::Budget;

/// A model's signature with a slot of each of these ranges, and so many groups.
fn signature(ranges: &[(i32, i32)], groups: usize) -> Signature {
    let slot =
        |at| Slot { name: format!("s{at}"), ty: TypeIx::new(at), span: None, role: SlotRole::Variable };
    let group = Group { name: "g".into(), guards: Vec::new(), spans: Vec::new(), effect: None };
    Signature {
        name: "packing".into(),
        types: ranges.iter().map(|&(lo, hi)| Type::range("t", lo, hi)).collect(),
        slots: (0..ranges.len()).map(slot).collect(),
        groups: vec![group; groups],
        guards: Vec::new(),
        labels: Vec::new(),
        action: Type::names("action", vec!["a".into()]),
        alarms: Vec::new(),
        source: None,
    }
}

/// The first group writes all slots, the others these.
fn may_write(slots: usize, written: &[Vec<usize>]) -> BitMatrix {
    let mut may_write = BitMatrix::new(written.len() + 1, slots);
    (0..slots).for_each(|slot| may_write.set(0, slot));
    for (group, slots) in written.iter().enumerate() {
        slots.iter().for_each(|&slot| may_write.set(group + 1, slot));
    }
    may_write
}

/// A packer that widens and grows as it must, as workers do at barriers; `None` where there is no room.
fn pack(
    packer: &mut Packer,
    pack: impl Fn(&mut Packer, &mut [u64]) -> Result<(), Misfit>,
) -> Option<Vec<u64>> {
    let budget = Arc::new(Budget::new(None));
    loop {
        let layout = Arc::clone(packer.layout());
        let mut words = vec![0; layout.words()];
        match pack(packer, &mut words) {
            Ok(()) => return Some(words),
            Err(Misfit::Narrow { leaf, width }) => packer.adapt(Arc::new(layout.widened(leaf, width, 0)?)),
            Err(Misfit::Crowded) => layout.grow(&mut Account::new(&budget)).expect("room"),
            Err(Misfit::Value(slot, value)) => panic!("{value} in slot {}", slot.ix()),
        }
    }
}

fn unpacked(packer: &mut Packer, words: &[u64], slots: usize) -> Vec<Value> {
    let mut state = vec![7; slots];
    packer.unpack(words, &mut state);
    state
}

/// A number that looks random.
fn scrambled(number: u64) -> u64 {
    let x = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 7
}

/// Random walks over slots of all kinds, through widenings and restarts: what was packed stays, and different
/// vectors differ.
#[test]
fn what_was_packed_comes_back_however_often_the_layout_changes() {
    let kinds =
        [(0, 1), (-3, 2), (0, 0), (0, 255), (i32::MIN, i32::MAX), (0, 4), (-1, 0), (0, i32::MAX), (5, 9)];
    for seed in 0..30u64 {
        let ranges: Vec<(i32, i32)> = (0..3 + seed * 2)
            .map(|at| kinds[(scrambled(seed * 100 + at) % kinds.len() as u64) as usize])
            .collect();
        let slots = ranges.len();
        let touched = |group: u64| {
            (0..3).map(|at| (scrambled(seed * 977 + group * 5 + at) % slots as u64) as usize).collect()
        };
        let written: Vec<Vec<usize>> = (0..4).map(touched).collect();
        let (signature, may_write) = (signature(&ranges, 5), may_write(slots, &written));
        let initial: Vec<Value> = ranges.iter().map(|&(lo, _)| lo.max(0).cast_unsigned()).collect();
        let sample = Sample::of(&signature, &initial, [0, 14, 30][seed as usize % 3]);
        let layout = if seed % 2 == 0 {
            Layout::new(&signature, &may_write, &sample)
        } else {
            Layout::for_tree(&signature, &may_write, &sample)
        };
        let mut packer = Packer::new(Arc::new(layout.expect("addresses")));
        let mut all: Vec<(Vec<Value>, Vec<u64>)> = Vec::new();
        let mut state = initial;
        let mut restarts = 0;
        for step in 0..600u64 {
            let random = scrambled(step * 31 + seed);
            let words = match pack(&mut packer, |packer, words| packer.pack(&state, words)) {
                Some(words) => words,
                None => {
                    // Begins anew with the same leaves, as a search does.
                    let widths = packer.layout().widths().iter().map(|width| (width + 1).min(32)).collect();
                    packer = Packer::new(Arc::new(packer.layout().roomier(widths)));
                    all.clear();
                    restarts += 1;
                    assert!(restarts < 100, "restarts without end");
                    continue;
                }
            };
            assert_eq!(unpacked(&mut packer, &words, slots), state);
            all.push((state.clone(), words.clone()));
            // A group writes some of its slots.
            let group = (random % 4) as usize;
            let mut next = state.clone();
            for &slot in &written[group] {
                let (lo, hi) = (i64::from(ranges[slot].0), i64::from(ranges[slot].1));
                let far = scrambled(random + slot as u64) % if step % 7 == 0 { 1 << 33 } else { 4 };
                next[slot] = ((lo + far as i64 % (hi - lo + 1)) as i32).cast_unsigned();
            }
            let repacked = pack(&mut packer, |packer, into| {
                into.copy_from_slice(&words);
                packer.repack(GroupIx::new(group + 1), &next, into)
            });
            let whole = pack(&mut packer, |packer, words| packer.pack(&next, words));
            assert_eq!(repacked, whole, "seed {seed}, step {step}");
            if random.is_multiple_of(3) {
                state = next;
            }
        }
        let mut of_words = HashMap::new();
        for (state, words) in &all {
            assert_eq!(of_words.entry(words).or_insert(state), &state, "two vectors with the same words");
            assert_eq!(&unpacked(&mut packer, words, slots), state);
        }
        let states: HashSet<_> = all.iter().map(|(state, _)| state).collect();
        assert_eq!(states.len(), of_words.len());
    }
}

#[test]
fn extremes_of_every_width_come_back_and_their_neighbours_are_refused() {
    let ranges: Vec<(i32, i32)> = (0..=31)
        .flat_map(|bits| {
            let past = 1i64 << bits;
            [(0, (past - 1) as i32), ((-past) as i32, (past - 1) as i32)]
        })
        .chain([(0, 0)])
        .collect();
    let (signature, may_write) = (signature(&ranges, 1), may_write(ranges.len(), &[]));
    let samples = [Sample::declared(&signature), Sample::of(&signature, &vec![0; ranges.len()], 14)];
    for sample in samples {
        let mut packer =
            Packer::new(Arc::new(Layout::new(&signature, &may_write, &sample).expect("addresses")));
        let middle: Vec<Value> = vec![0; ranges.len()];
        for (slot, &(lo, hi)) in ranges.iter().enumerate() {
            for value in [lo, hi, 0, lo / 2, hi / 2] {
                let mut state = middle.clone();
                state[slot] = value.cast_unsigned();
                let words =
                    pack(&mut packer, |packer, words| packer.pack(&state, words)).unwrap_or_else(|| {
                        let widths =
                            packer.layout().widths().iter().map(|width| (width + 8).min(32)).collect();
                        packer = Packer::new(Arc::new(packer.layout().roomier(widths)));
                        pack(&mut packer, |packer, words| packer.pack(&state, words)).expect("room now")
                    });
                assert_eq!(unpacked(&mut packer, &words, ranges.len()), state);
            }
            // The bits of a type are exact for powers of two: the next value outside is the first that does
            // not fit.
            for value in [i64::from(lo) - 1, i64::from(hi) + 1] {
                if let Ok(value) = i32::try_from(value) {
                    let mut state = middle.clone();
                    state[slot] = value.cast_unsigned();
                    let mut words = vec![0; packer.layout().words()];
                    let misfit = Misfit::Value(SlotIx::new(slot), value.cast_unsigned());
                    assert_eq!(packer.pack(&state, &mut words), Err(misfit));
                    assert_eq!(wrong_slot(&signature, &state), Some(SlotIx::new(slot)));
                }
            }
        }
    }
}

/// What takes time by the square of the slots would not come to an end here.
#[test]
fn a_million_slots_are_laid_out() {
    let kinds = [(0, 255), (0, 1), (0, 70_000)];
    let mut signature = signature(&kinds, 1);
    let slot = |at: usize| Slot {
        name: String::new(),
        ty: TypeIx::new(at % 3),
        span: None,
        role: SlotRole::Variable,
    };
    signature.slots = (0..1_000_000).map(slot).collect();
    let may_write = may_write(1_000_000, &[]);
    let layout = Layout::new(&signature, &may_write, &Sample::declared(&signature)).expect("addresses");
    // 26 bits for each three slots.
    assert!(layout.words() * 64 < 1_000_000 * 26 / 3 * 11 / 10, "{} words", layout.words());
    let state: Vec<Value> =
        (0..1_000_000).map(|slot| slot as u32 % (1 + kinds[slot % 3].1.cast_unsigned())).collect();
    let mut packer = Packer::new(Arc::new(layout));
    let words =
        pack(&mut packer, |packer, words| packer.pack(&state, words)).expect("declared widths are enough");
    assert_eq!(unpacked(&mut packer, &words, state.len()), state);
}

/// Groups that write everything share the fields of all slots; those that write little have their own.
#[test]
fn groups_that_write_much_take_no_memory_each() {
    let (slots, groups) = (3000, 1500);
    let signature = signature(&vec![(0, 255); slots], groups + 1);
    let written: Vec<Vec<usize>> = (0..groups)
        .map(|group| [0..slots, group..group + 3, group..group + 1400][group % 3].clone().collect())
        .collect();
    let may_write = may_write(slots, &written);
    let layout = Layout::new(&signature, &may_write, &Sample::declared(&signature)).expect("addresses");
    // Lists for all would take 26 MB and more.
    assert!(layout.bytes() < 40 << 20, "{} bytes", layout.bytes());
    let source: Vec<Value> = (0..slots).map(|slot| slot as u32 % 251).collect();
    let mut packer = Packer::new(Arc::new(layout));
    let words = pack(&mut packer, |packer, words| packer.pack(&source, words)).expect("room");
    unpacked(&mut packer, &words, slots);
    for group in [0, 1, 2, 749, 1497, 1498, 1499] {
        let mut target = source.clone();
        written[group].iter().for_each(|&slot| target[slot] ^= 4);
        let mut repacked = words.clone();
        packer.repack(GroupIx::new(group + 1), &target, &mut repacked).expect("declared widths are enough");
        assert_eq!(Some(repacked), pack(&mut packer, |packer, words| packer.pack(&target, words)));
    }
}

/// A ring of processes whose channels all come after them: a process and the channels beside it go to the
/// same half, but for those where the ring is cut.
#[test]
fn what_is_written_together_is_in_one_half_of_a_tree() {
    const RING: usize = 12;
    // A process writes to the channel behind it, and reads from the one before.
    let written: Vec<Vec<usize>> =
        (0..RING).flat_map(|at| [vec![at, RING + at], vec![at, RING + (at + RING - 1) % RING]]).collect();
    let signature = signature(&[(0, 255); 2 * RING], written.len() + 1);
    let may_write = may_write(2 * RING, &written);
    let states: Vec<Value> = (0..50 * 2 * RING as u64).map(|at| (scrambled(at) % 256) as Value).collect();
    let layout =
        Layout::for_tree(&signature, &may_write, &Sample::of(&signature, &states, 8)).expect("addresses");
    let half = |slot: usize| {
        let leaf = layout.leaves_of([slot].into_iter())[0];
        layout.places[leaf].first.word as usize >= layout.middle()
    };
    let cut = written.iter().filter(|slots| half(slots[0]) != half(slots[1])).count();
    assert!((0..2 * RING).any(half) && (0..2 * RING).any(|slot| !half(slot)));
    // A ring that is cut in two is cut in two places.
    assert!(cut <= 2, "{cut} of {} ties are cut", written.len());
}
