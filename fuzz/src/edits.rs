//! Edits of a valid Parquet file, as short inputs say them: most random bytes are no Parquet file at all, and a file whose
//! footer says another length than it has ends at the first check.

/// The magic number at both ends of a file.
const MAGIC: &[u8] = b"PAR1";

/// Values at the edges of what a varint, a length or a count can be.
const EDGES: [&[u8]; 10] = [
    &[0x00],
    &[0x01],
    &[0x7f],
    &[0xff, 0x01],
    &[0xff, 0xff, 0xff, 0xff, 0x0f],
    &[0xfe, 0xff, 0xff, 0xff, 0x0f],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    &[0x80, 0x80, 0x80, 0x80, 0x08],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0xff; 8],
];

/// The pages and the footer of a file, which change separately: bytes of a page are replaced, so that what the footer says
/// of places stays true; bytes of the footer also come and go, and its length is written last.
struct Parts {
    pages: Vec<u8>,
    footer: Vec<u8>,
}

impl Parts {
    fn split(file: &[u8]) -> Self {
        let end = file.len() - 8;
        let length = u32::from_le_bytes([file[end], file[end + 1], file[end + 2], file[end + 3]]) as usize;
        Parts { pages: file[..end - length].to_vec(), footer: file[end - length..end].to_vec() }
    }

    fn file(self) -> Vec<u8> {
        let length = (self.footer.len() as u32).to_le_bytes();
        [&self.pages, &self.footer, &length[..], MAGIC].concat()
    }

    /// One edit of five bytes: what, where, and two values.
    fn edit(&mut self, [what, high, low, value, more]: [u8; 5]) {
        let place = usize::from(u16::from_be_bytes([high, low]));
        let edge = EDGES[usize::from(value) % EDGES.len()];
        match what % 8 {
            0 => replace(&mut self.pages, place, &[value]),
            1 => replace(&mut self.pages, place, &[value, more]),
            2 => replace(&mut self.pages, place, edge),
            3 => replace(&mut self.footer, place, &[value]),
            4 => splice(&mut self.footer, place, usize::from(more % 8), edge),
            5 => splice(&mut self.footer, place, 0, &[value, more]),
            6 => splice(&mut self.footer, place, usize::from(value) + 1, &[]),
            _ => self.copy(place, usize::from(value), usize::from(more)),
        }
    }

    /// Copies a piece of the footer to another place of it: a second column, page or row group.
    fn copy(&mut self, place: usize, from: usize, length: usize) {
        let from = (from * 4).min(self.footer.len());
        let piece = self.footer[from..self.footer.len().min(from + length)].to_vec();
        splice(&mut self.footer, place, 0, &piece);
    }
}

fn replace(bytes: &mut [u8], place: usize, by: &[u8]) {
    if !bytes.is_empty() {
        let place = place % bytes.len();
        bytes.iter_mut().skip(place).zip(by).for_each(|(byte, new)| *byte = *new);
    }
}

fn splice(bytes: &mut Vec<u8>, place: usize, remove: usize, by: &[u8]) {
    let place = place % (bytes.len() + 1);
    let end = bytes.len().min(place + remove);
    bytes.splice(place..end, by.iter().copied());
}

/// The file that an input says: one of the valid files with edits; where the first byte is 255, the rest as it is.
pub fn file(input: &[u8], valid: &[Vec<u8>]) -> Vec<u8> {
    let Some((first, rest)) = input.split_first() else { return Vec::new() };
    if *first == u8::MAX {
        return rest.to_vec();
    }
    let mut parts = Parts::split(&valid[usize::from(*first) % valid.len()]);
    rest.as_chunks().0.iter().for_each(|edit| parts.edit(*edit));
    parts.file()
}
