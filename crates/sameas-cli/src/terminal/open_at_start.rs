//! Whether standard output was open when the program began.
//!
//! Rust's library opens `/dev/null` in place of a standard stream that is closed, before `main` begins, and results would
//! vanish there. Who looks later cannot tell that from a `/dev/null` that the user wants; so this looks earlier, in a
//! function that the system calls before those of the library.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed.
pub fn was_closed() -> bool {
    WAS_CLOSED.load(Relaxed)
}

#[cfg(unix)]
extern "C" fn look() {
    // SAFETY: the call reads the flags of a file descriptor, open or not, and has no other effect.
    if unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1 {
        WAS_CLOSED.store(true, Relaxed);
    }
}

// SAFETY: the section holds addresses of functions that are called once, before `main`; this one needs nothing that is
// made ready only later.
#[cfg(unix)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;
