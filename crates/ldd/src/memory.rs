//! Arrays that are reserved at their largest and touched as they are used: the system gives memory a page at a time.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// Zeroed words; `None` where the system refuses to reserve as many.
pub(crate) fn words(count: usize) -> Option<Box<[AtomicU64]>> {
    bytemuck::try_zeroed_slice_box(count).ok()
}

/// Zeroed half-words; `None` where the system refuses to reserve as many.
pub(crate) fn half_words(count: usize) -> Option<Box<[AtomicU32]>> {
    bytemuck::try_zeroed_slice_box(count).ok()
}
