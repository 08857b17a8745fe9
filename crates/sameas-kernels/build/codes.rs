//! The numbers by which the host names what kernels compute, read from the enumerations of the measures, so that a test can
//! compare them with the lists of the engine.

use std::fmt::Write as _;
use std::{env, fs, path::Path};

/// Each enumeration: its header, its name, what its enumerators begin with, and the constant that lists them.
const ENUMERATIONS: [(&str, &str, &str, &str); 3] = [
    ("kernels/text_measures.h", "TextCount", "TEXT_", "TEXT_COUNTS"),
    ("kernels/text_measures.h", "TextFormula", "FORMULA_", "TEXT_FORMULAS"),
    ("kernels/set_measures.h", "SetFormula", "SET_", "SET_FORMULAS"),
];

/// Writes `codes.rs`: a list of names and numbers for each enumeration.
pub fn write() {
    let mut text = String::new();
    for (header, name, prefix, constant) in ENUMERATIONS {
        let source = fs::read_to_string(header).expect("a readable header");
        let codes = codes(&source, name, prefix);
        assert!(!codes.is_empty(), "{header} has no enumerators of `{name}`");
        let about = format!("/// The enumerators of `{name}` in `{header}`, without `{prefix}`, and their numbers.");
        writeln!(text, "{about}\npub const {constant}: &[(&str, u32)] = &{codes:?};").expect("a string grows");
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("codes.rs");
    fs::write(out, text).expect("the build folder is writable");
}

/// The enumerators of an enumeration, each on a line of its own as `PREFIX_NAME = NUMBER,`.
fn codes<'s>(source: &'s str, name: &str, prefix: &str) -> Vec<(&'s str, u32)> {
    let body = source.split(&format!("enum {name} : u32 {{")).nth(1).and_then(|rest| rest.split('}').next());
    let code = |line: &'s str| {
        let (name, number) = line.trim().trim_end_matches(',').split_once(" = ")?;
        Some((name.strip_prefix(prefix)?, number.parse().expect("an enumerator has a number")))
    };
    body.unwrap_or_default().lines().filter_map(code).collect()
}
