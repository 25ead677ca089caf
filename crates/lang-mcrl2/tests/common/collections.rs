//! Random lists, sets, bags and structures.

use std::collections::{BTreeMap, BTreeSet};

use super::maker::{Maker, Sort};
use super::values::{Value, numbers};

impl Maker {
    pub fn any_list(&mut self, depth: usize) -> (String, Value) {
        if depth == 0 || self.below(4) == 0 {
            let list: Vec<i128> = (0..1 + self.below(3)).map(|_| self.below(4) as i128).collect();
            let text = Value::List(list.clone()).text();
            // Nothing else would tell that these are natural numbers.
            return (format!("(0 |> {text})"), Value::List([0].into_iter().chain(list).collect()));
        }
        let depth = depth - 1;
        let (text, mut list) = self.list(depth);
        match self.below(6) {
            0 => {
                let (first, value) = self.whole(Sort::Nat, depth);
                list.insert(0, value);
                (format!("({first} |> {text})"), Value::List(list))
            }
            1 => {
                let (last, value) = self.whole(Sort::Nat, depth);
                list.push(value);
                (format!("({text} <| {last})"), Value::List(list))
            }
            2 if !list.is_empty() => (format!("tail({text})"), Value::List(list[1..].to_vec())),
            3 if !list.is_empty() => (format!("rtail({text})"), Value::List(list[..list.len() - 1].to_vec())),
            _ => {
                let (other, more) = self.list(depth);
                list.extend(more);
                (format!("({text} ++ {other})"), Value::List(list))
            }
        }
    }

    pub fn any_set(&mut self, sort: Sort, depth: usize) -> (String, Value) {
        let set =
            |text: String, all_but: bool, members: BTreeSet<i128>| (text, Value::Set { all_but, members });
        let most = self.below(5) as i128;
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 | 1 => {
                let members: BTreeSet<i128> = (0..1 + self.below(4)).map(|_| self.below(6) as i128).collect();
                let text = format!("({{0}} + {{{}}})", numbers(members.iter().copied()));
                set(text, false, members.into_iter().chain([0]).collect())
            }
            2 if sort == Sort::Set && self.by_condition => match self.below(2) {
                0 => set(format!("{{n: Nat | n < {most}}}"), false, (0..most).collect()),
                _ => set(format!("{{n: Nat | n >= {most}}}"), true, (0..most).collect()),
            },
            3 if sort == Sort::Set => {
                let (text, all_but, members) = self.set(sort, depth - 1);
                set(format!("!{text}"), !all_but, members)
            }
            4 if sort == Sort::Set => self.expr(Sort::FiniteSet, depth - 1),
            5.. => {
                let ((one, a, x), (other, b, y)) = (self.set(sort, depth - 1), self.set(sort, depth - 1));
                let both = |x: &BTreeSet<i128>, y: &BTreeSet<i128>| x.intersection(y).copied().collect();
                let either = |x: &BTreeSet<i128>, y: &BTreeSet<i128>| x.union(y).copied().collect();
                let without = |x: &BTreeSet<i128>, y: &BTreeSet<i128>| x.difference(y).copied().collect();
                // The intersection; the others are made of it.
                let meet = |(a, x): (bool, &BTreeSet<i128>), (b, y): (bool, &BTreeSet<i128>)| match (a, b) {
                    (false, false) => (false, both(x, y)),
                    (false, true) => (false, without(x, y)),
                    (true, false) => (false, without(y, x)),
                    (true, true) => (true, either(x, y)),
                };
                match self.below(3) {
                    0 => {
                        let (all_but, members) = meet((!a, &x), (!b, &y));
                        set(format!("({one} + {other})"), !all_but, members)
                    }
                    1 => {
                        let (all_but, members) = meet((a, &x), (b, &y));
                        set(format!("({one} * {other})"), all_but, members)
                    }
                    _ => {
                        let (all_but, members) = meet((a, &x), (!b, &y));
                        set(format!("({one} - {other})"), all_but, members)
                    }
                }
            }
            _ => set(format!("{{0, {}}}", most + 1), false, [0, most + 1].into()),
        }
    }

    pub fn any_bag(&mut self, depth: usize) -> (String, Value) {
        if depth == 0 || self.below(3) == 0 {
            let pairs: Vec<(i128, i128)> =
                (0..1 + self.below(3)).map(|_| (self.below(5) as i128, self.below(3) as i128)).collect();
            let mut bag: BTreeMap<i128, i128> = BTreeMap::from([(0, 1)]);
            pairs.iter().for_each(|&(element, count)| *bag.entry(element).or_default() += count);
            bag.retain(|_, count| *count > 0);
            let shown: Vec<String> =
                pairs.iter().map(|(element, count)| format!("{element}: {count}")).collect();
            return (format!("{{0: 1, {}}}", shown.join(", ")), Value::Bag(bag));
        }
        let ((one, x), (other, y)) = (self.bag(depth - 1), self.bag(depth - 1));
        let count = |bag: &BTreeMap<i128, i128>, element: i128| bag.get(&element).copied().unwrap_or(0);
        let (sign, by): (&str, fn(i128, i128) -> i128) = match self.below(3) {
            0 => ("+", |x, y| x + y),
            1 => ("*", i128::min),
            _ => ("-", |x, y| (x - y).max(0)),
        };
        let elements: BTreeSet<i128> = x.keys().chain(y.keys()).copied().collect();
        let made = elements.into_iter().map(|element| (element, by(count(&x, element), count(&y, element))));
        (format!("({one} {sign} {other})"), Value::Bag(made.filter(|(_, count)| *count > 0).collect()))
    }

    pub fn any_struct(&mut self, depth: usize) -> (String, Value) {
        match (depth, self.below(3)) {
            (1.., 0) => {
                let ((x, number), (y, truth)) = (self.whole(Sort::Nat, depth - 1), self.truth(depth - 1));
                (format!("b({x}, {y})"), Value::B(number, truth))
            }
            (1.., 1) => {
                let (l, list) = self.list(depth - 1);
                (format!("c({l})"), Value::C(list))
            }
            _ => ("a".into(), Value::A),
        }
    }
}
