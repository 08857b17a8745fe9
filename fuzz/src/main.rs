//! The targets under libFuzzer. `SAMEAS_FUZZ_TARGET` names the target; the arguments are those of libFuzzer. For the target
//! `functions` it prints a dictionary of the names of functions, and ends.
//!
//! `SAMEAS_FUZZ_LAST` names a file that always holds the input of this moment: a stack overflow ends a process before
//! libFuzzer can write what it was working on.
#![no_main]

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use libfuzzer_sys::fuzz_target;
use sameas_fuzz::allocator::CountingAllocator;
use sameas_fuzz::{TARGETS, Target, find, limits};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

static SETTINGS: OnceLock<(Target, Option<PathBuf>)> = OnceLock::new();
/// The last panic: only where nobody catches it is it a finding.
static PANIC: Mutex<String> = Mutex::new(String::new());

fuzz_target!(init: prepare(), |input: &[u8]| {
    let (target, last) = SETTINGS.get().expect("settings are made before the first input");
    if let Some(last) = last {
        let _ = std::fs::write(last, input);
    }
    if std::panic::catch_unwind(|| limits::run(*target, input)).is_err() {
        give_up();
    }
});

fn prepare() {
    let name = std::env::var("SAMEAS_FUZZ_TARGET").unwrap_or_default();
    if name == "functions" {
        print_functions();
    }
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let target = find(&name).unwrap_or_else(|| panic!("SAMEAS_FUZZ_TARGET must be one of {names:?}"));
    let last = std::env::var_os("SAMEAS_FUZZ_LAST").map(PathBuf::from);
    SETTINGS.get_or_init(|| (target, last));
    // In place of the hook that ends the process: readers may catch the panics of a library.
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = PANIC.lock() {
            *last = panic.to_string();
        }
    }));
}

/// Prints the beginning of a call of every function, as libFuzzer reads a dictionary, and ends the process.
#[expect(clippy::print_stdout, reason = "this is what was asked for")]
fn print_functions() -> ! {
    let is_word = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    for name in sameas::functions().iter().map(|function| function.name).filter(is_word) {
        println!("\"{name}(\"");
    }
    std::process::exit(0);
}

/// Ends the process; libFuzzer then writes the input to a file.
#[expect(clippy::print_stderr, reason = "this is what a finding is reported by")]
fn give_up() -> ! {
    let text = PANIC.lock().map(|text| text.clone()).unwrap_or_default();
    let first: Vec<&str> = text.lines().take(2).collect();
    eprintln!("FINDING: {}\n{text}", first.join(" "));
    std::process::abort();
}
