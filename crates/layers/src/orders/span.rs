//! Event spans: how long the rows of a dependency matrix are in some order of the slots. Siminiceanu &
//! Ciardo, "New metrics for static variable ordering in decision diagrams", TACAS'06.
//!
//! Slots stand from the root (level N) to the leaf (level 1). With top(e) and bottom(e) the highest and
//! lowest level that a group e touches, span(e) = top(e) − bottom(e) + 1, and zero if it touches none:
//!
//! - event span = Σ span(e), normalised: divided by N·K;
//! - weighted event span (of moment one) = Σ 2·top(e)/N · span(e), normalised: divided by N·K.

use super::Incidence;

/// The metrics of one order.
#[derive(Clone, PartialEq, Debug)]
pub struct Spans {
    slots: usize,
    groups: usize,
    /// Σ span.
    pub event: u128,
    /// Σ top · span: the weighted span without its factor 2/N.
    weighted: u128,
    /// Σ top.
    pub tops: u128,
    /// The longest span.
    pub longest: usize,
}

/// What an order is judged by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Event span.
    Event,
    /// Weighted event span.
    Weighted,
}

impl Metric {
    /// What a group from the first to the last of these positions, of so many slots, adds.
    pub(super) fn cost(self, slots: usize, (first, last): (usize, usize)) -> u64 {
        let span = (last - first + 1) as u64;
        match self {
            Self::Event => span,
            Self::Weighted => (slots - first) as u64 * span,
        }
    }
}

impl Spans {
    /// The metrics where slots stand in this order.
    pub fn of(incidence: &Incidence, order: &[usize]) -> Self {
        let (slots, groups) = (incidence.slots(), incidence.groups());
        let mut spans = Self { slots, groups, event: 0, weighted: 0, tops: 0, longest: 0 };
        for extent in incidence.extents(order).into_iter().flatten() {
            let span = extent.1 - extent.0 + 1;
            spans.event += span as u128;
            spans.weighted += u128::from(Metric::Weighted.cost(slots, extent));
            spans.tops += (slots - extent.0) as u128;
            spans.longest = spans.longest.max(span);
        }
        spans
    }

    /// A number that is smaller for a better order of the same matrix.
    pub fn cost(&self, metric: Metric) -> u128 {
        match metric {
            Metric::Event => self.event,
            Metric::Weighted => self.weighted,
        }
    }

    /// The event span, between zero and one.
    pub fn event_normalised(&self) -> f64 {
        self.per_entry(self.event as f64)
    }

    /// The weighted event span.
    pub fn weighted(&self) -> f64 {
        if self.slots == 0 { 0.0 } else { 2.0 * self.weighted as f64 / self.slots as f64 }
    }

    /// The weighted event span, between zero and two.
    pub fn weighted_normalised(&self) -> f64 {
        self.per_entry(self.weighted())
    }

    fn per_entry(&self, sum: f64) -> f64 {
        let entries = self.slots as f64 * self.groups as f64;
        if entries == 0.0 { 0.0 } else { sum / entries }
    }
}
