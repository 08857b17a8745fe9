//! The kernels, read from their sources, so that no second list is kept by hand.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

/// Writes `kernels.rs`: a constant for each kernel, and the table of all. `pointers` says where addresses lie in structs.
pub fn write(pointers: &HashMap<String, Vec<usize>>) {
    let mut kernels: Vec<(String, String)> = sources().iter().flat_map(|text| kernels_in(text)).collect();
    kernels.sort_unstable();
    let (mut constants, mut table) = (String::new(), String::new());
    for (name, args) in &kernels {
        let constant = name.to_uppercase();
        let pointers = pointers.get(args).unwrap_or_else(|| panic!("`{args}` is not in a header of layouts"));
        let new = format!("Kernel::new(\"{name}\", &{pointers:?})");
        writeln!(constants, "/// `{name}`.\npub const {constant}: Kernel<{args}> = {new};").expect("a string grows");
        writeln!(table, "    ({constant}.name(), size_of::<{args}>()),").expect("a string grows");
    }
    let about = "/// The names of all kernels, in order, and the bytes of their arguments.";
    let text = format!("{constants}\n{about}\npub const ALL: &[(&str, usize)] = &[\n{table}];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("kernels.rs");
    fs::write(out, text).expect("the build folder is writable");
}

fn sources() -> Vec<String> {
    let entries = fs::read_dir("kernels").expect("the crate has a folder kernels");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|e| e == "cu"));
    sources.map(|path| fs::read_to_string(path).expect("a readable source")).collect()
}

/// A kernel is defined by a line that opens with `KERNEL(name, Args`: its name and the struct of its arguments.
fn kernels_in(text: &str) -> Vec<(String, String)> {
    let definitions = text.lines().filter_map(|line| line.strip_prefix("KERNEL("));
    let parts = definitions.filter_map(|rest| {
        let (name, rest) = rest.split_once(',')?;
        Some((name.trim().to_owned(), rest.split([',', ')']).next()?.trim().to_owned()))
    });
    parts.collect()
}
