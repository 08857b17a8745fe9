//! What a target is.

/// A target: what is done with the bytes of an input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also that of its folder of the corpus.
    pub name: &'static str,
    /// What it does. It panics where the engine does wrong.
    pub run: fn(&[u8]),
    /// The longest input worth trying, in bytes.
    pub longest: usize,
}
