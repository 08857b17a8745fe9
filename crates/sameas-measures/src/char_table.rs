//! A table from character codes to small values, cheap to fill and to clear for every pair of strings.
//!
//! Codes below 256 index an array. Wider codes share an open-addressing table that costs nothing until one occurs.
//! Clearing touches only what the string touched.

use super::Unit;

const DIRECT: usize = 256;
/// Space for the 64 characters of one machine word at half load.
const FIRST_SLOTS: usize = 128;

/// Values by character code; a code never written has the default value.
pub struct CharTable<V> {
    direct: [V; DIRECT],
    wide: WideTable<V>,
}

impl<V: Copy> CharTable<V> {
    /// A table in which every code has the value `empty`.
    pub(super) const fn new(empty: V) -> Self {
        CharTable { direct: [empty; DIRECT], wide: WideTable::new(empty) }
    }

    #[inline]
    pub(super) fn get<U: Unit>(&self, code: U) -> V {
        let code: u32 = code.into();
        if (code as usize) < DIRECT { self.direct[code as usize] } else { self.wide.get(code) }
    }

    #[inline]
    pub(super) fn slot<U: Unit>(&mut self, code: U) -> &mut V {
        let code: u32 = code.into();
        if (code as usize) < DIRECT { &mut self.direct[code as usize] } else { self.wide.slot(code) }
    }

    /// Takes back everything written for the characters of `text`; nothing else may have been written.
    #[inline]
    pub(super) fn clear<U: Unit>(&mut self, text: &[U]) {
        for &code in text {
            let code: u32 = code.into();
            if (code as usize) < DIRECT {
                self.direct[code as usize] = self.wide.empty;
            }
        }
        if self.wide.used > 0 {
            self.wide.clear();
        }
    }
}

/// Open addressing with linear probing. Key 0 marks a free slot: it is not a wide code.
struct WideTable<V> {
    keys: Vec<u32>,
    values: Vec<V>,
    used: usize,
    empty: V,
}

impl<V: Copy> WideTable<V> {
    const fn new(empty: V) -> Self {
        WideTable { keys: Vec::new(), values: Vec::new(), used: 0, empty }
    }

    /// The slot that holds `code`, or the free one where it belongs. At least half of the slots are free.
    fn find(&self, code: u32) -> usize {
        let mask = self.keys.len() - 1;
        // Fibonacci hashing: the high bits of the product are the well-mixed ones.
        let mut slot = (code.wrapping_mul(0x9E37_79B1) >> 8) as usize & mask;
        while self.keys[slot] != code && self.keys[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, code: u32) -> V {
        if self.used == 0 {
            return self.empty;
        }
        let slot = self.find(code);
        if self.keys[slot] == code { self.values[slot] } else { self.empty }
    }

    fn slot(&mut self, code: u32) -> &mut V {
        if self.used * 2 >= self.keys.len() {
            self.grow();
        }
        let slot = self.find(code);
        if self.keys[slot] == 0 {
            self.keys[slot] = code;
            self.values[slot] = self.empty;
            self.used += 1;
        }
        &mut self.values[slot]
    }

    fn grow(&mut self) {
        let slots = (self.keys.len() * 2).max(FIRST_SLOTS);
        let keys = std::mem::replace(&mut self.keys, vec![0; slots]);
        let values = std::mem::replace(&mut self.values, vec![self.empty; slots]);
        for (key, value) in keys.into_iter().zip(values).filter(|(key, _)| *key != 0) {
            let slot = self.find(key);
            self.keys[slot] = key;
            self.values[slot] = value;
        }
    }

    /// Empties the table and returns to the first size, so that a long string does not burden the short ones after it.
    fn clear(&mut self) {
        self.keys.truncate(FIRST_SLOTS);
        self.values.truncate(FIRST_SLOTS);
        self.keys.fill(0);
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_narrow_and_wide_codes_until_cleared() {
        let codes: Vec<u32> = (0..5_000).map(|i| i * 37).collect();
        let mut table = CharTable::new(0u32);
        for &code in &codes {
            *table.slot(code) = code + 1;
        }
        assert!(codes.iter().all(|&code| table.get(code) == code + 1));
        assert_eq!(table.get(36u32), 0);
        assert_eq!(table.get(300u32), 0);
        table.clear(&codes);
        assert!(codes.iter().all(|&code| table.get(code) == 0));
        *table.slot(u32::MAX) = 7;
        assert_eq!((table.get(u32::MAX), table.get(300u32)), (7, 0));
    }
}
