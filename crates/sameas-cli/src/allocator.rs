//! Memory that was freed goes back to the system.
//!
//! Records are read, derived and encoded in blocks of some hundred kilobytes each. When these are freed, the allocator of
//! the C library keeps them for blocks of the same size, and what comes next is larger: without this, a job would hold its
//! records twice.

/// Gives back what is free.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    // SAFETY: any thread may call it at any time; it takes the allocator's own locks.
    unsafe { libc::malloc_trim(0) };
}

/// Other allocators give back what they do not need by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
