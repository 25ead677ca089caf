//! The shape of a table as threads share it.

use std::sync::atomic::Ordering::Relaxed;

use super::quotient::Shape;
use crate::sync::AtomicU64;

/// The shape, which changes at barriers only.
pub(super) struct SharedShape {
    side: AtomicU64,
    /// Bits, base bits and width.
    bits: AtomicU64,
    size: AtomicU64,
    divisor: AtomicU64,
    reciprocal: AtomicU64,
    farthest: AtomicU64,
    room: AtomicU64,
}

impl SharedShape {
    pub(super) fn new(side: usize, shape: &Shape) -> Self {
        let new = || AtomicU64::new(0);
        let (side_, bits, size, divisor) = (new(), new(), new(), new());
        let this = Self { side: side_, bits, size, divisor, reciprocal: new(), farthest: new(), room: new() };
        this.store(side, shape);
        this
    }

    // Relaxed: a barrier orders what comes before and after it.
    pub(super) fn store(&self, side: usize, shape: &Shape) {
        self.side.store(side as u64, Relaxed);
        self.bits
            .store(u64::from(shape.bits) | u64::from(shape.base) << 8 | u64::from(shape.wide) << 16, Relaxed);
        self.size.store(shape.size, Relaxed);
        self.divisor.store(shape.divisor, Relaxed);
        self.reciprocal.store(shape.reciprocal, Relaxed);
        self.farthest.store(shape.farthest, Relaxed);
        self.room.store(shape.room, Relaxed);
    }

    #[inline(always)]
    pub(super) fn load(&self) -> (usize, Shape) {
        let bits = self.bits.load(Relaxed);
        let shape = Shape {
            bits: bits as u32 & 0xff,
            base: (bits >> 8) as u32 & 0xff,
            wide: bits >> 16 != 0,
            size: self.size.load(Relaxed),
            divisor: self.divisor.load(Relaxed),
            reciprocal: self.reciprocal.load(Relaxed),
            farthest: self.farthest.load(Relaxed),
            room: self.room.load(Relaxed),
        };
        (self.side.load(Relaxed) as usize, shape)
    }
}
