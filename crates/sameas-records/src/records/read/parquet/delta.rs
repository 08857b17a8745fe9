//! The lengths of delta-encoded texts, checked before the decoder trusts them: it reserves memory for what they say.

use super::thrift::Walk;

/// The bytes of the longest text of a page of `DELTA_LENGTH_BYTE_ARRAY` (lengths, then texts); `None` where it is broken.
pub(super) fn longest_of_lengths(bytes: &[u8], values: usize) -> Option<usize> {
    let (lengths, end) = numbers(bytes, values)?;
    let mut left = bytes.len() - end;
    for length in &lengths {
        left = left.checked_sub(usize::try_from(*length).ok()?)?;
    }
    usize::try_from(lengths.into_iter().max().unwrap_or(0)).ok()
}

/// The same of `DELTA_BYTE_ARRAY`: what each text shares with the one before, then what is new in each.
pub(super) fn longest_of_prefixes(bytes: &[u8], values: usize) -> Option<usize> {
    let (prefixes, end) = numbers(bytes, values)?;
    let (suffixes, after) = numbers(&bytes[end..], values)?;
    let mut left = bytes.len() - end - after;
    let (mut before, mut longest) = (0, 0);
    for (prefix, suffix) in prefixes.iter().zip(&suffixes) {
        let (prefix, suffix) = (usize::try_from(*prefix).ok()?, usize::try_from(*suffix).ok()?);
        left = left.checked_sub(suffix)?;
        if prefix > before {
            return None;
        }
        before = prefix + suffix;
        longest = longest.max(before);
    }
    (prefixes.len() == suffixes.len()).then_some(longest)
}

/// The numbers of `DELTA_BINARY_PACKED`, at most `most`, and the bytes they take.
fn numbers(bytes: &[u8], most: usize) -> Option<(Vec<i64>, usize)> {
    let mut walk = Walk::new(bytes);
    let block = usize::try_from(walk.varint()?).ok()?;
    let parts = usize::try_from(walk.varint()?).ok().filter(|parts| *parts > 0 && *parts <= block)?;
    let count = usize::try_from(walk.varint()?).ok().filter(|count| *count <= most)?;
    let mut value = walk.zigzag()?;
    let of_part = block / parts;
    if !of_part.is_multiple_of(32) || of_part == 0 {
        return None;
    }
    let mut numbers = Vec::new();
    if count > 0 {
        numbers.push(value);
    }
    let mut at = walk.at();
    while numbers.len() < count {
        let mut walk = Walk::new(&bytes[at..]);
        let least = walk.zigzag()?;
        at += walk.at();
        let widths = bytes.get(at..at.checked_add(parts)?)?;
        at += parts;
        for width in widths {
            if numbers.len() == count {
                break;
            }
            let width = usize::from(*width);
            let packed = bytes.get(at..at.checked_add(of_part.checked_mul(width)? / 8)?)?;
            at += packed.len();
            for index in 0..of_part.min(count - numbers.len()) {
                value = value.wrapping_add(least).wrapping_add(unpacked(packed, index * width, width)?);
                numbers.push(value);
            }
        }
    }
    Some((numbers, at))
}

/// The number of `width` bits at a place, the lowest bit first.
fn unpacked(bytes: &[u8], bit: usize, width: usize) -> Option<i64> {
    if width > 64 {
        return None;
    }
    let mut number = 0_u64;
    let mut known = 0;
    while known < width {
        let at = bit + known;
        let byte = u64::from(*bytes.get(at / 8)?) >> (at % 8);
        number |= byte << known;
        known += 8 - at % 8;
    }
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    Some((number & mask) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_they_are_packed() {
        // Blocks of 128 in 4 parts; 5 values from 3; deltas 1, -1, 2, 0 as 2 bits above -1.
        let packed = [0b01_11_00_10, 0, 0, 0, 0, 0, 0, 0];
        let head = [0x80, 1, 4, 5, 6, 1, 2, 0, 0, 0];
        let bytes: Vec<u8> = head.iter().chain(&packed).copied().collect();
        assert_eq!(numbers(&bytes, 5), Some((vec![3, 4, 3, 5, 5], bytes.len())));
        assert_eq!(numbers(&bytes, 4), None, "more values than the page has");
        assert_eq!(numbers(&bytes[..12], 5), None, "cut off");
        let with_text = [&bytes[..], &[b'x'; 20]].concat();
        assert_eq!(longest_of_lengths(&with_text, 5), Some(5));
        assert_eq!(longest_of_lengths(&with_text[..with_text.len() - 1], 5), None, "less text than the lengths say");
    }
}
