//! Reads Thrift's compact form as far as it is needed to know sizes before anything is decoded.
//!
//! The decoder reserves memory for what a footer or a page says it holds. A damaged file may say anything, so this walk
//! comes first: it takes no memory, and it fails where something cannot lie within the bytes there are.

/// Structures within structures, at most; those of Parquet are a few.
const DEPTH: usize = 64;

const STOP: u8 = 0;
pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
pub(super) const BYTE: u8 = 3;
pub(super) const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
pub(super) const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(super) const STRUCT: u8 = 12;

/// A place in bytes. Everything is `None` where the bytes end too early or make no sense.
pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes walked over.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn advance(&mut self, count: usize) -> Option<()> {
        self.at = self.at.checked_add(count).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }

    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The number and the type of the next field of a structure, after that of number `last`; `None` inside at its end.
    pub(super) fn field(&mut self, last: &mut i64) -> Option<Option<(i64, u8)>> {
        let head = self.byte()?;
        if head == STOP {
            return Some(None);
        }
        *last = if head >> 4 == 0 { self.zigzag()? } else { last.checked_add(i64::from(head >> 4))? };
        Some(Some((*last, head & 0x0F)))
    }

    /// Walks over a field of a structure.
    pub(super) fn skip_field(&mut self, kind: u8) -> Option<()> {
        match kind {
            TRUE | FALSE => Some(()),
            kind => self.value(kind, DEPTH),
        }
    }

    fn structure(&mut self, depth: usize) -> Option<()> {
        let mut last = 0;
        while let Some((_, kind)) = self.field(&mut last)? {
            match kind {
                TRUE | FALSE => {}
                kind => self.value(kind, depth)?,
            }
        }
        Some(())
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<()> {
        match kind {
            TRUE | FALSE | BYTE => self.advance(1),
            I16..=I64 => self.varint().map(|_| ()),
            DOUBLE => self.advance(8),
            BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.advance(length)
            }
            LIST | SET => self.list(depth.checked_sub(1)?),
            MAP => self.map(depth.checked_sub(1)?),
            STRUCT => self.structure(depth.checked_sub(1)?),
            _ => None,
        }
    }

    fn list(&mut self, depth: usize) -> Option<()> {
        let (kind, size) = self.list_head()?;
        (0..size).try_for_each(|_| self.value(kind, depth))
    }

    /// The type and the number of the elements of a list.
    pub(super) fn list_head(&mut self) -> Option<(u8, u64)> {
        let head = self.byte()?;
        let size = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        // Every element takes a byte at least.
        self.has(size)?;
        Some((head & 0x0F, size))
    }

    fn map(&mut self, depth: usize) -> Option<()> {
        let size = self.varint()?;
        self.has(size)?;
        let kinds = if size > 0 { self.byte()? } else { 0 };
        (0..size).try_for_each(|_| {
            self.value(kinds >> 4, depth)?;
            self.value(kinds & 0x0F, depth)
        })
    }

    fn has(&self, count: u64) -> Option<()> {
        (count <= (self.bytes.len() - self.at) as u64).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_sound(bytes: &[u8]) -> bool {
        Walk::new(bytes).structure(DEPTH).is_some()
    }

    #[test]
    fn what_cannot_lie_within_the_bytes_is_found() {
        // A field 1 of type i32, a field 2 that is a list of two i64, the end.
        assert!(is_sound(&[0x15, 4, 0x19, 0x26, 2, 4, STOP]));
        assert!(!is_sound(&[0x15, 4, 0x19, 0x26, 2, 4]), "the end is missing");
        assert!(!is_sound(&[0x19, 0xF6, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 1, STOP]), "a list of 2^31 elements");
        assert!(!is_sound(&[0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 1, STOP]), "a text of 2 GiB");
        assert!(!is_sound(&[0x1C; 100]), "structures without end");
        assert!(!is_sound(&[0x1D, STOP]), "a type that does not exist");
    }
}
