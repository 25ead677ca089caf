//! What a transition has to do with a place, in one normal form: how many tokens it asks for, below how many
//! they must be, and by how many it changes them. Arcs that take, give, read and inhibit all come to that,
//! and so does a sequence of transitions.

use crate::{Net, Transition};

/// No inhibitor arc.
pub(in crate::reduce) const FREE: u64 = u64::MAX;

/// Numbers at least as large are left alone: below, sums and differences of two fit into 64 bits with a sign.
pub(in crate::reduce) const LARGE: u64 = 1 << 61;

/// A transition at a place. It never takes more than it asks for: `demand ≥ −effect`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::reduce) struct Touch {
    pub place: u32,
    /// At least so many tokens are there.
    pub demand: u64,
    /// Fewer tokens than these are there.
    pub below: u64,
    /// So many more are there afterwards.
    pub effect: i64,
}

impl Touch {
    pub fn new(place: u32) -> Self {
        Self { place, demand: 0, below: FREE, effect: 0 }
    }

    /// Whether it asks anything.
    pub fn tests(&self) -> bool {
        self.demand > 0 || self.below != FREE
    }

    pub fn is_nothing(&self) -> bool {
        !self.tests() && self.effect == 0
    }

    /// How many tokens it takes, if that is all it does.
    pub fn only_takes(&self) -> Option<u64> {
        let taken = self.effect.unsigned_abs();
        (self.effect < 0 && self.demand == taken && self.below == FREE).then_some(taken)
    }

    /// How many tokens it gives, if that is all it does.
    pub fn only_gives(&self) -> Option<u64> {
        (self.effect > 0 && !self.tests()).then_some(self.effect.unsigned_abs())
    }

    /// Whether these tokens are as it asks.
    pub fn allows(&self, tokens: u64) -> bool {
        self.demand <= tokens && tokens < self.below
    }

    /// Whether tokens as the other asks are always as this one asks.
    pub fn is_weaker(&self, other: &Self) -> bool {
        self.demand <= other.demand && self.below >= other.below
    }
}

/// What comes of two transitions, one after the other.
pub(in crate::reduce) enum Sequence {
    Fires(Vec<Touch>),
    /// The second can never follow at once.
    Never,
    /// Its numbers are too large.
    TooLarge,
}

/// The touches of a transition by place, ascending.
fn touches(transition: &Transition, all: &mut Vec<Touch>) -> Option<Vec<Touch>> {
    let Transition { takes, gives, needs, forbids, .. } = transition;
    all.clear();
    let lists = [(takes, 0), (needs, 1), (forbids, 2), (gives, 3)];
    for (arc, kind) in lists.iter().flat_map(|(arcs, kind)| arcs.iter().map(move |arc| (arc, kind))) {
        let mut touch = Touch::new(u32::try_from(arc.place.ix()).ok()?);
        if arc.weight >= LARGE {
            return None;
        }
        match kind {
            0 => (touch.demand, touch.effect) = (arc.weight, -i64::try_from(arc.weight).ok()?),
            1 => touch.demand = arc.weight,
            2 => touch.below = arc.weight,
            _ => touch.effect = i64::try_from(arc.weight).ok()?,
        }
        all.push(touch);
    }
    all.sort_by_key(|touch| touch.place);
    all.dedup_by(|next, touch| {
        let same = next.place == touch.place;
        if same {
            touch.demand = touch.demand.max(next.demand);
            touch.below = touch.below.min(next.below);
            touch.effect += next.effect;
        }
        same
    });
    all.retain(|touch| !touch.is_nothing());
    Some(all.to_vec())
}

/// A number made of others: the same for the same.
pub(in crate::reduce) fn mark(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |mark, number| {
        let mixed = (mark ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

/// The touches of all transitions. `None` if a number is too large for us.
pub(in crate::reduce) fn touches_of_net(net: &Net) -> Option<Vec<Vec<Touch>>> {
    if net.places.iter().any(|place| place.initial >= LARGE) {
        return None;
    }
    let mut scratch = Vec::new();
    net.transitions.iter().map(|transition| touches(transition, &mut scratch)).collect()
}

/// One after the other as one: m ≥ d₁ and m + e₁ ≥ d₂, m < b₁ and m + e₁ < b₂.
pub(in crate::reduce) fn sequence(first: &[Touch], second: &[Touch]) -> Sequence {
    let mut all = Vec::with_capacity(first.len() + second.len());
    let (mut left, mut right) = (first.iter().peekable(), second.iter().peekable());
    loop {
        let place = match (left.peek(), right.peek()) {
            (None, None) => return Sequence::Fires(all),
            (Some(a), Some(b)) => a.place.min(b.place),
            (Some(a), None) => a.place,
            (None, Some(b)) => b.place,
        };
        let a = left.next_if(|touch| touch.place == place).copied().unwrap_or(Touch::new(place));
        let b = right.next_if(|touch| touch.place == place).copied().unwrap_or(Touch::new(place));
        let later = i128::from(b.demand) - i128::from(a.effect);
        let demand = later.max(i128::from(a.demand));
        let mut below = i128::from(a.below);
        if b.below != FREE {
            below = below.min(i128::from(b.below) - i128::from(a.effect));
        }
        if below <= demand {
            return Sequence::Never;
        }
        let effect = i128::from(a.effect) + i128::from(b.effect);
        let free = below >= i128::from(FREE);
        if demand >= i128::from(LARGE)
            || effect.unsigned_abs() >= u128::from(LARGE)
            || (!free && below >= i128::from(LARGE))
        {
            return Sequence::TooLarge;
        }
        let below = if free { FREE } else { below as u64 };
        let touch = Touch { place, demand: demand as u64, below, effect: effect as i64 };
        if !touch.is_nothing() {
            all.push(touch);
        }
    }
}

/// One transition several times, by squaring.
pub(in crate::reduce) fn repeated(touches: &[Touch], mut times: u64) -> Sequence {
    let (mut result, mut square) = (Vec::new(), touches.to_vec());
    loop {
        if times & 1 == 1 {
            match sequence(&result, &square) {
                Sequence::Fires(both) => result = both,
                other => return other,
            }
        }
        times >>= 1;
        if times == 0 {
            return Sequence::Fires(result);
        }
        match sequence(&square, &square) {
            Sequence::Fires(both) => square = both,
            other => return other,
        }
    }
}

/// The same touches where places have become one: what was asked of several is asked of it together.
pub(in crate::reduce) fn renamed(touches: &[Touch], becomes: &[u32]) -> Vec<Touch> {
    let mut renamed: Vec<Touch> =
        touches.iter().map(|touch| Touch { place: becomes[touch.place as usize], ..*touch }).collect();
    renamed.sort_by_key(|touch| touch.place);
    let mut summed: Vec<Touch> = Vec::with_capacity(renamed.len());
    for touch in renamed {
        match summed.last_mut().filter(|last| last.place == touch.place) {
            Some(last) => {
                last.demand += touch.demand;
                last.effect += touch.effect;
                last.below = last.below.min(touch.below);
            }
            None => summed.push(touch),
        }
    }
    summed.retain(|touch| !touch.is_nothing());
    summed
}

/// The greatest number that divides both; all divide zero.
pub(in crate::reduce) fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
