//! An order of places from the units of a nested-unit net: what changes together stands together.

use crate::{Net, PlaceIx};

/// The places unit by unit, each unit before the units inside it; places of no unit come last. `None` where the net has no units that say anything.
pub fn by_units(net: &Net) -> Option<Vec<PlaceIx>> {
    if net.units.len() < 2 {
        return None;
    }
    let mut is_inner = vec![false; net.units.len()];
    net.units.iter().flat_map(|unit| &unit.units).for_each(|&unit| is_inner[unit] = true);
    let mut waiting: Vec<usize> = (0..net.units.len()).filter(|&unit| !is_inner[unit]).rev().collect();
    let mut order = Vec::with_capacity(net.places.len());
    let mut placed = vec![false; net.places.len()];
    let mut entered = vec![false; net.units.len()];
    while let Some(unit) = waiting.pop() {
        if std::mem::replace(&mut entered[unit], true) {
            continue;
        }
        let unit = &net.units[unit];
        for &place in unit.places.iter() {
            if !std::mem::replace(&mut placed[place.ix()], true) {
                order.push(place);
            }
        }
        waiting.extend(unit.units.iter().rev());
    }
    order.extend(PlaceIx::all(net.places.len()).filter(|place| !placed[place.ix()]));
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Unit};

    #[test]
    fn places_of_a_unit_stand_together() {
        let place = |_| Place { name: String::new(), initial: 0, span: None };
        let unit = |places: &[usize], units: &[usize]| Unit {
            name: String::new(),
            places: places.iter().map(|&place| PlaceIx::new(place)).collect(),
            units: units.to_vec(),
        };
        let units = vec![unit(&[], &[1, 3]), unit(&[4], &[2]), unit(&[0, 6], &[]), unit(&[5, 1], &[])];
        let net = Net { places: (0..7).map(place).collect(), units, ..Net::default() };
        let order: Vec<usize> = by_units(&net).unwrap().into_iter().map(|place| place.ix()).collect();
        assert_eq!(order, [4, 0, 6, 5, 1, 2, 3]);
        assert_eq!(by_units(&Net { units: Vec::new(), ..net }), None);
    }
}
