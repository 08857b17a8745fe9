//! Small integers in the hybrid of runs and packed bits that Parquet has for places in a dictionary.
//!
//! A run is a varint of its length times two and the value in whole bytes; packed bits are a varint of the number of groups
//! times two plus one, and eight values of `width` bits in each group. Only the last group may have fewer values.

/// Values of a group of packed bits.
const GROUP: usize = 8;

/// Appends values below two to the power of `width`, which is at most 32.
pub fn append(values: &[u32], width: u32, out: &mut Vec<u8>) {
    let mut packed = 0;
    let mut at = 0;
    while at < values.len() {
        let run = values[at..].iter().take_while(|value| **value == values[at]).count();
        // A run may begin only where a group of packed values would.
        let fill = (GROUP - (at - packed) % GROUP) % GROUP;
        if run < fill + GROUP {
            at += run;
            continue;
        }
        append_packed(&values[packed..at + fill], width, out);
        append_run(values[at], run - fill, width, out);
        at += run;
        packed = at;
    }
    append_packed(&values[packed..], width, out);
}

fn append_run(value: u32, length: usize, width: u32, out: &mut Vec<u8>) {
    append_varint((length as u64) << 1, out);
    out.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
}

fn append_packed(values: &[u32], width: u32, out: &mut Vec<u8>) {
    let groups = values.len().div_ceil(GROUP);
    if groups == 0 {
        return;
    }
    append_varint((groups as u64) << 1 | 1, out);
    let end = out.len() + groups * width as usize;
    // At most 7 bits are left before a value of at most 32 is added.
    let (mut bits, mut filled) = (0u64, 0);
    for value in values {
        bits |= u64::from(*value) << filled;
        filled += width;
        while filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(bits as u8);
    }
    out.resize(end, 0);
}

fn append_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads what [`append`] has written, by the definition of the format.
    fn read(mut bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut values = Vec::new();
        while values.len() < count {
            let (mut head, mut shift) = (0u64, 0);
            loop {
                let byte = bytes[0];
                bytes = &bytes[1..];
                head |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            if head & 1 == 0 {
                let size = width.div_ceil(8) as usize;
                let value = bytes[..size].iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                values.extend(std::iter::repeat_n(value, (head >> 1) as usize));
                bytes = &bytes[size..];
                continue;
            }
            let groups = (head >> 1) as usize;
            let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
            let value = |at: usize| (0..width as usize).fold(0, |value, b| value | bit(at * width as usize + b) << b);
            values.extend((0..GROUP * groups).map(value));
            bytes = &bytes[groups * width as usize..];
        }
        assert!(bytes.is_empty());
        values.truncate(count);
        values
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            runs in prop::collection::vec((any::<u32>(), prop_oneof![1usize..4, 1usize..30]), 0..40),
            width in 1u32..=32,
        ) {
            let values: Vec<u32> =
                runs.iter().flat_map(|(value, length)| vec![value >> (32 - width); *length]).collect();
            let mut bytes = Vec::new();
            append(&values, width, &mut bytes);
            prop_assert_eq!(read(&bytes, width, values.len()), values);
        }
    }

    #[test]
    fn a_long_run_takes_few_bytes() {
        let mut bytes = Vec::new();
        append(&[5; 100_000], 20, &mut bytes);
        assert_eq!(bytes.len(), 6);
    }
}
