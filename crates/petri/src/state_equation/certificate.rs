//! Proofs by weightings, checked in integers.
//!
//! Let z weigh places so that no transition makes the weight greater: zᵀC ≤ 0. Then z·m ≤ z·m₀ for every
//! reachable m. With limits aᵢ·m ≤ bᵢ that m keeps and λᵢ ≥ 0 of them, and with z ≥ c − Σ λᵢaᵢ, it follows
//! that c·m ≤ z·m + Σ λᵢaᵢ·m ≤ z·m₀ + Σ λᵢbᵢ. Where c = 0 and the right side is less than zero, no reachable
//! m keeps all limits. (The duality of linear programs; Farkas' lemma.)
//!
//! The simplex method gives z and λ as floating-point numbers; they are made fractions of a common
//! denominator, and then all of the above is checked.

use super::{Limit, StateEquation};
use crate::Tokens;

/// Denominators of single numbers, and of all together.
const DENOMINATOR: i128 = 1000;
const COMMON_DENOMINATOR: i128 = 1 << 40;

/// What the simplex method says that rows cost.
pub(super) struct Multipliers<'m> {
    pub places: &'m [f64],
    pub limits: &'m [f64],
}

/// A weighting of places that was checked: a proof of a bound.
#[derive(Clone, Debug)]
pub struct Weighting {
    /// The weights of places, those that are not zero.
    pub weights: Vec<(usize, i128)>,
    /// What all weights are to be divided by.
    pub denominator: i128,
    /// The weight of every reachable marking is at most this, with limits counted in.
    pub total: i128,
    /// No limit was needed, and no weight is negative: then each place by itself is bounded, too.
    plain: bool,
}

impl Weighting {
    /// The bound of the sum that it was made for.
    pub fn most(&self) -> i128 {
        self.total.div_euclid(self.denominator)
    }

    /// Bounds of places that follow.
    pub fn place_bounds(&self) -> impl Iterator<Item = (usize, Tokens)> + '_ {
        let bound = |&(place, weight): &(usize, i128)| {
            let tokens = (self.plain && weight > 0).then(|| self.total / weight)?;
            Some((place, Tokens::try_from(tokens).ok()?))
        };
        self.weights.iter().filter_map(bound)
    }
}

/// The proof that these multipliers make, if they make one: of a bound for the objective, or, where `absurd`,
/// that no marking keeps the limits.
pub(super) fn check(
    equation: &StateEquation<'_>,
    objective: &[(usize, i128)],
    limits: &[&Limit],
    multipliers: &Multipliers<'_>,
    absurd: bool,
) -> Option<Weighting> {
    let all: Vec<f64> = multipliers.places.iter().chain(multipliers.limits).copied().collect();
    let least = all.iter().copied().filter(|value| *value > 1e-7).min_by(f64::total_cmp).unwrap_or(1.0);
    // Of a contradiction any multiple is one: the least number as one makes the others whole more often than
    // not.
    let scales: &[f64] = if absurd { &[1.0, 1.0 / least] } else { &[1.0] };
    scales.iter().find_map(|scale| {
        let scaled: Vec<f64> = all.iter().map(|value| value * scale).collect();
        let (whole, denominator) = fractions(&scaled)?;
        let (places, of_limits) = whole.split_at(multipliers.places.len());
        check_whole(equation, objective, limits, (places, of_limits), denominator)
            .filter(|weighting| !absurd || weighting.total < 0)
    })
}

fn check_whole(
    equation: &StateEquation<'_>,
    objective: &[(usize, i128)],
    limits: &[&Limit],
    (places, of_limits): (&[i128], &[i128]),
    denominator: i128,
) -> Option<Weighting> {
    // z = c + y − Σ λᵢaᵢ with y ≥ 0, which is z ≥ c − Σ λᵢaᵢ.
    let mut weights = places.to_vec();
    if places.iter().chain(of_limits).any(|&multiplier| multiplier < 0) || denominator <= 0 {
        return None;
    }
    for &(place, factor) in objective {
        weights[place] = weights[place].checked_add(factor.checked_mul(denominator)?)?;
    }
    let mut total = 0i128;
    for (limit, &multiplier) in limits.iter().zip(of_limits).filter(|(_, multiplier)| **multiplier != 0) {
        for &(place, factor) in &limit.terms {
            weights[place] = weights[place].checked_sub(factor.checked_mul(multiplier)?)?;
        }
        total = total.checked_add(limit.most.checked_mul(multiplier)?)?;
    }
    for column in &equation.columns {
        let mut change = 0i128;
        for &(place, amount) in column {
            change = change.checked_add(weights[place].checked_mul(amount)?)?;
        }
        if change > 0 {
            return None;
        }
    }
    for (&weight, &tokens) in weights.iter().zip(&equation.initial) {
        total = total.checked_add(weight.checked_mul(tokens)?)?;
    }
    let plain =
        of_limits.iter().all(|&multiplier| multiplier == 0) && weights.iter().all(|&weight| weight >= 0);
    let weights = weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0).collect();
    Some(Weighting { weights, denominator, total, plain })
}

/// The numbers as fractions with a common denominator, if they are close to such. Those below zero are taken
/// for zero.
fn fractions(values: &[f64]) -> Option<(Vec<i128>, i128)> {
    let mut common = 1i128;
    let mut parts = Vec::with_capacity(values.len());
    for &value in values {
        let (above, below) = if value < 1e-9 { (0, 1) } else { fraction(value)? };
        common = common / gcd(common, below) * below;
        if common > COMMON_DENOMINATOR {
            return None;
        }
        parts.push((above, below));
    }
    let whole =
        parts.into_iter().map(|(above, below)| above.checked_mul(common / below)).collect::<Option<_>>()?;
    Some((whole, common))
}

/// The simplest fraction close to a number: its continued fraction.
fn fraction(value: f64) -> Option<(i128, i128)> {
    if !value.is_finite() || value > 1e15 {
        return None;
    }
    let (mut before, mut last) = ((0i128, 1i128), (1i128, 0i128));
    let mut rest = value;
    for _ in 0..30 {
        let whole = rest.floor();
        let next = (whole as i128 * last.0 + before.0, whole as i128 * last.1 + before.1);
        if next.1 > DENOMINATOR {
            return None;
        }
        (before, last) = (last, next);
        if (last.0 as f64 / last.1 as f64 - value).abs() <= 1e-7 * value.max(1.0) {
            return Some(last);
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

fn gcd(left: i128, right: i128) -> i128 {
    if right == 0 { left } else { gcd(right, left % right) }
}

#[cfg(test)]
mod tests {
    use base::SlotIx;

    use super::*;
    use crate::{Arc, Net, Place, Transition, TransitionIx, walk};
    use base::SplitMix64;

    fn random_net(random: &mut SplitMix64) -> Net {
        let places = 1 + random.below(3);
        let arcs = |random: &mut SplitMix64| {
            let place = |place| Arc { place: SlotIx::new(place), weight: 1 + random.below(2) as Tokens };
            let all: Vec<Arc> = (0..places).map(place).collect();
            all.into_iter().filter(|_| random.below(2) == 0).collect::<Vec<_>>()
        };
        let transition = |random: &mut SplitMix64| Transition {
            takes: arcs(random),
            gives: arcs(random),
            ..Transition::default()
        };
        let place = |initial| Place { name: String::new(), initial, span: None };
        let count = 1 + random.below(3);
        Net {
            transitions: (0..count).map(|_| transition(random)).collect(),
            places: (0..places).map(|_| place(random.below(3) as Tokens)).collect(),
            ..Net::default()
        }
    }

    /// Markings that are met in some hundred steps.
    fn met(net: &Net, random: &mut SplitMix64) -> Vec<Vec<u32>> {
        let start = walk::replay(net, &[]).unwrap();
        let mut met = vec![start.clone()];
        for _ in 0..20 {
            let mut marking = start.clone();
            for _ in 0..20 {
                let transition = TransitionIx::new(random.below(net.transitions.len()));
                if walk::fire(net, transition, &mut marking).is_some() {
                    met.push(marking.clone());
                }
            }
        }
        met
    }

    /// Multipliers at random, right and wrong: what passes is so in all markings that are met.
    #[test]
    fn what_is_no_proof_does_not_pass() {
        let mut random =
            SplitMix64::new(std::env::var("PINSCHER_SEED").map_or(1, |seed| seed.parse().unwrap()));
        let (mut passed, mut refused) = (0, 0);
        for _ in 0..3000 {
            let net = random_net(&mut random);
            let equation = StateEquation::new(&net);
            let met = met(&net, &mut random);
            let sum = |random: &mut SplitMix64| {
                (0..net.places.len()).map(|place| (place, random.below(4) as i128 - 1)).collect::<Vec<_>>()
            };
            let value = |terms: &[(usize, i128)], marking: &[u32]| {
                terms.iter().map(|&(place, factor)| factor * i128::from(marking[place])).sum::<i128>()
            };
            let objective = sum(&mut random);
            // A limit that the markings keep, and one that they need not keep.
            let terms = sum(&mut random);
            let limit = Limit { most: value(&terms, &met[0]) - 1 + random.below(3) as i128, terms };
            let places: Vec<i128> =
                net.places.iter().map(|_| random.below(4) as i128 - random.below(4) as i128 / 3).collect();
            let of_limit = [random.below(3) as i128 - random.below(4) as i128 / 3];
            let denominator = 1 + random.below(3) as i128;
            let check = check_whole(&equation, &objective, &[&limit], (&places, &of_limit), denominator);
            let Some(weighting) = check else {
                refused += 1;
                continue;
            };
            passed += 1;
            for marking in met.iter().filter(|marking| value(&limit.terms, marking) <= limit.most) {
                assert!(
                    value(&objective, marking) <= weighting.most(),
                    "{weighting:?} in {marking:?} of {net:?}"
                );
            }
            for marking in &met {
                for (place, bound) in weighting.place_bounds() {
                    assert!(
                        Tokens::from(marking[place]) <= bound,
                        "place {place} ≤ {bound}: {marking:?} of {net:?}"
                    );
                }
            }
        }
        assert!(passed > 100 && refused > 100, "{passed} {refused}");
    }

    #[test]
    fn fractions_are_found_again() {
        for below in 1..=40i128 {
            for above in 1..=120i128 {
                let shared = gcd(above, below);
                let value = above as f64 / below as f64 + 1e-11;
                assert_eq!(fraction(value), Some((above / shared, below / shared)));
            }
        }
        assert_eq!(fraction(std::f64::consts::SQRT_2 / 1e3), None);
        assert_eq!(fractions(&[0.5, -1e-12, 1.0 / 3.0, 2.0]), Some((vec![3, 0, 2, 12], 6)));
    }
}
