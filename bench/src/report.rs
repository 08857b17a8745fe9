//! What measurements share: options, lines of a file, and the result as a line of JSON.

/// The value that follows an option.
pub fn option<'a>(args: &'a [String], name: &str) -> Option<&'a str> {
    args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).map(String::as_str)
}

/// The lines of a file.
///
/// # Panics
/// If the file cannot be read.
pub fn lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(str::to_owned).collect()
}

/// Prints a measurement.
pub fn print(facts: &serde_json::Value) {
    println!("{facts}");
}

/// A hash of a set of pairs, in any order: the sum of each pair's mixed bits. The peers' scripts compute the
/// same.
pub fn digest(pairs: impl IntoIterator<Item = (u32, u32)>) -> String {
    format!("{:016x}", pairs.into_iter().map(mixed).fold(0, u64::wrapping_add))
}

/// What a pair, in either order, adds to a digest.
pub fn mixed((a, b): (u32, u32)) -> u64 {
    mix(u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
}

/// The finaliser of SplitMix64.
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}
