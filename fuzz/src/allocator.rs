//! An allocator that counts: how much memory is in use, and how much was at most.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with a count. Programs that judge memory declare it as their global allocator.
#[derive(Clone, Copy, Debug)]
pub struct CountingAllocator;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Bytes in use now. From here on [`peak`] counts again.
pub fn start() -> usize {
    let in_use = IN_USE.load(Relaxed);
    PEAK.store(in_use, Relaxed);
    in_use
}

/// The most bytes that were in use since [`start`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

fn add(bytes: usize) {
    let in_use = IN_USE.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    if in_use > PEAK.load(Relaxed) {
        PEAK.fetch_max(in_use, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator as it is; counting touches no memory but two numbers.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }
}
