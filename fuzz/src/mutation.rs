//! Simple changes of bytes, all by a seed: for a run without a fuzzer, which would see what a change is worth.

use sameas_testkit::rng::Rng;

/// Bytes that mean something in one of the formats.
const TELLING: [u8; 24] = *b"\0\x01\x7f\x80\xff\n\r\t \"'(),;:.[]{}\\-0";

/// `input` with some changes, of at most `longest` bytes; `other` is what pieces may come from.
pub fn changed(rng: &mut Rng, input: &[u8], other: &[u8], longest: usize) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..rng.between(1, 4) {
        change(rng, &mut bytes, other);
    }
    bytes.truncate(longest);
    bytes
}

fn change(rng: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = rng.below(bytes.len() + 1);
    match rng.below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => bytes[at] = *rng.pick(&TELLING),
        2 => bytes.insert(at, *rng.pick(&TELLING)),
        3 => drop(bytes.drain(piece(rng, bytes.len()))),
        4 => {
            let copy = bytes[piece(rng, bytes.len())].to_vec();
            bytes.splice(at..at, copy);
        }
        5 => {
            let copy = &other[piece(rng, other.len())];
            bytes.splice(at..at, copy.iter().copied());
        }
        _ => bytes.insert(at, rng.below(256) as u8),
    }
}

/// A short piece of that many bytes.
fn piece(rng: &mut Rng, length: usize) -> std::ops::Range<usize> {
    let from = rng.below(length + 1);
    from..length.min(from + rng.below(16))
}
