//! How long a traversal of a diagram may go on, and how much it may write down.

/// A long walk asks whether it may go on once in so many steps, the first time before the first.
pub(crate) const BETWEEN_LOOKS: u32 = 1 << 12;

/// Asks now and then whether a walk may go on.
pub(crate) struct Allowance<'g> {
    steps: u32,
    go_on: &'g mut dyn FnMut() -> bool,
    /// Bytes that may still be taken for what is written down on the way.
    pub room: u64,
}

impl<'g> Allowance<'g> {
    pub fn new(go_on: &'g mut dyn FnMut() -> bool) -> Self {
        Self { steps: 0, go_on, room: u64::MAX }
    }

    /// A step is taken, if it may be.
    #[inline]
    pub fn goes_on(&mut self) -> bool {
        let is_due = self.steps.is_multiple_of(BETWEEN_LOOKS);
        self.steps = self.steps.wrapping_add(1);
        !is_due || (self.go_on)()
    }
}
