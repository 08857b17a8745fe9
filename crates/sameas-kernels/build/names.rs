//! The names of all kernels, read from their sources, so that no second list is kept by hand.

use std::{env, fs, path::Path};

/// Writes `kernels.rs`, the array of all names in order.
pub fn write() {
    let mut names: Vec<String> = sources().iter().flat_map(|text| names_in(text)).collect();
    names.sort_unstable();
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("kernels.rs");
    fs::write(out, format!("&{names:?}\n")).expect("the build folder is writable");
}

fn sources() -> Vec<String> {
    let entries = fs::read_dir("kernels").expect("the crate has a folder kernels");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|e| e == "cu"));
    sources.map(|path| fs::read_to_string(path).expect("a readable source")).collect()
}

/// A kernel is defined by a line that opens with `KERNEL(name,`.
fn names_in(text: &str) -> Vec<String> {
    let definitions = text.lines().filter_map(|line| line.strip_prefix("KERNEL("));
    definitions.filter_map(|rest| Some(rest.split_once(',')?.0.trim().to_owned())).collect()
}
