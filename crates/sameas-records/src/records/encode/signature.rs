//! Character signatures: how often each character occurs in a text, in 64 or 256 bits, to bound what two texts share.
//!
//! Characters fall into buckets: one of their own for common characters, shared ones for rare characters. A bucket has
//! some bits of the signature, and a text sets as many of them, always in the same order, as it has characters in the
//! bucket: counts in unary, not mere presence. What exceeds the bits of its bucket is counted in the overflow.
//!
//! For two texts, `popcount(a & b) + min(overflow_a, overflow_b)` is at least the size of the multiset intersection:
//! 1. Merging characters into buckets can only enlarge the intersection, so count characters by bucket: x and y of them
//!    in a bucket of c bits, min(x, y) in common.
//! 2. The texts set the first min(x, c) and the first min(y, c) bits of the bucket, so the smaller number of them is
//!    common to both, and `a & b` has min(x, y, c) bits there.
//! 3. What is missing, min(x, y) - min(x, y, c), is 0 or min(x, y) - c = min(x - c, y - c): no more than either text
//!    has counted as overflow for this bucket. Summed over the buckets it is no more than either whole overflow.
//!
//! The bits are assigned where they distinguish most texts, by the frequencies of a sample; this decides how sharp the
//! bound is, never whether it holds. The most selective bits are the highest, so that texts sorted by signature are
//! next to similar ones.

use super::strings::Strings;
use crate::measure::Unit;
use bytemuck::{Pod, Zeroable};
use hashbrown::HashMap;
use rayon::prelude::*;

/// Texts of more characters than this on average take 256 bits.
const LONG: usize = 24;

/// Texts sampled to assign the bits.
const SAMPLE: usize = 1 << 15;

/// Occurrences of a bucket in one text that may get bits of their own.
const MOST_BITS: usize = 24;

/// Characters in fewer than one of this many texts share buckets.
const RARE: usize = 250;

/// The characters of a Winkler prefix.
const PREFIX: usize = 4;

/// The signatures of all texts of a domain, by code.
#[derive(Debug)]
pub struct Signatures {
    records: SignatureRecords,
    /// Characters of the longest text, or more.
    longest: usize,
}

/// One record per text, as wide as the domain needs.
#[derive(Debug)]
pub enum SignatureRecords {
    /// 64 bits.
    Short(Vec<Short>),
    /// 256 bits.
    Long(Vec<Long>),
}

/// What two records say about their texts. Always inlined, to be compiled for the instructions that the caller may use.
pub trait SignatureRecord: Copy {
    /// The number of characters.
    fn length(&self) -> usize;

    /// At least the size of the multiset intersection of two texts.
    fn most_common(&self, other: &Self) -> u32;

    /// At least the length of the common prefix of two texts, counted up to four characters.
    fn most_prefix(&self, other: &Self) -> usize;
}

macro_rules! record {
    ($record:ty) => {
        impl SignatureRecord for $record {
            #[inline(always)]
            fn length(&self) -> usize {
                self.length as usize
            }

            #[inline(always)]
            fn most_common(&self, other: &Self) -> u32 {
                let common: u32 = self.bits.iter().zip(&other.bits).map(|(a, b)| (a & b).count_ones()).sum();
                common + u32::from(self.overflow.min(other.overflow))
            }

            #[inline(always)]
            fn most_prefix(&self, other: &Self) -> usize {
                let length = self.length.min(other.length) as usize;
                Signatures::equal_bytes(self.prefix, other.prefix).min(length)
            }
        }
    };
}
record!(Short);
record!(Long);

/// Sixteen bytes: four records per cache line.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Short {
    bits: [u64; 1],
    prefix: u32,
    length: u16,
    overflow: u16,
}

/// One cache line.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Long {
    bits: [u64; 4],
    prefix: u32,
    length: u32,
    overflow: u32,
    /// Named, so that all bytes of a record are initialised and can be copied to a device.
    padding: [u32; 5],
}

const _: () = {
    use sameas_kernels::layout::text::{TextLong, TextShort};
    // A device reads the records as they are, each word of the bits as two halves, the lower first.
    assert!(size_of::<Short>() == size_of::<TextShort>() && size_of::<Long>() == size_of::<TextLong>());
    assert!(cfg!(target_endian = "little"));
};

/// What a record says about its text; see [`Signatures::signature`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<const WORDS: usize> {
    /// The counts in unary.
    pub bits: [u64; WORDS],
    /// The low bytes of the first four character codes, the first one lowest.
    pub prefix: u32,
    /// Characters.
    pub length: u32,
    /// Characters without a bit.
    pub overflow: u32,
}

impl Signatures {
    /// The signatures of the texts with codes below `count`.
    pub fn new<U: Unit + Send + Sync>(strings: Strings<'_, U>, count: u32) -> Self {
        let lengths = (0..count).into_par_iter().map(|code| strings.length(code));
        let (sum, longest) = lengths.map(|l| (l, l)).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)));
        assert!(u32::try_from(longest).is_ok(), "a text has fewer than 2^32 characters");
        // Lengths, and so overflows, of the short form are exact in 16 bits.
        let short = sum <= LONG * count as usize && u16::try_from(longest).is_ok();
        let records = if short {
            let bits = BitAssignment::<1>::new(strings, count);
            SignatureRecords::Short(
                (0..count).into_par_iter().map(|code| bits.signature(strings.get(code)).into()).collect(),
            )
        } else {
            let bits = BitAssignment::<4>::new(strings, count);
            SignatureRecords::Long(
                (0..count).into_par_iter().map(|code| bits.signature(strings.get(code)).into()).collect(),
            )
        };
        Self { records, longest }
    }

    /// Those of some texts, in this order.
    pub(super) fn part(&self, kept: &[u32]) -> Self {
        let records = match &self.records {
            SignatureRecords::Short(all) => {
                SignatureRecords::Short(kept.par_iter().map(|code| all[*code as usize]).collect())
            }
            SignatureRecords::Long(all) => {
                SignatureRecords::Long(kept.par_iter().map(|code| all[*code as usize]).collect())
            }
        };
        Self { records, longest: self.longest }
    }

    /// The characters of the longest text; of a part of the texts perhaps more.
    #[inline]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        match &self.records {
            SignatureRecords::Short(records) => size_of_val(&records[..]),
            SignatureRecords::Long(records) => size_of_val(&records[..]),
        }
    }

    /// Whether signatures have 64 bits; otherwise they have 256.
    #[inline]
    pub fn is_short(&self) -> bool {
        matches!(self.records, SignatureRecords::Short(_))
    }

    /// The records, as wide as the domain needs.
    #[inline]
    pub fn records(&self) -> &SignatureRecords {
        &self.records
    }

    /// The leading characters that two texts may have in common, given their packed prefixes. Equal characters have
    /// equal bytes, so there are at most as many as bytes; where codes fit a byte, exactly as many, up to the end of
    /// the shorter text.
    #[inline(always)]
    pub fn equal_bytes(a: u32, b: u32) -> usize {
        (a ^ b).trailing_zeros() as usize / 8
    }

    /// The signature of a text in four words, the first the most selective; one of 64 bits is followed by zeros.
    #[inline]
    pub fn signature(&self, code: u32) -> Signature<4> {
        match &self.records {
            SignatureRecords::Short(records) => {
                let Short { bits, prefix, length, overflow } = records[code as usize];
                let (length, overflow) = (u32::from(length), u32::from(overflow));
                Signature { bits: [bits[0], 0, 0, 0], prefix, length, overflow }
            }
            SignatureRecords::Long(records) => {
                let Long { bits, prefix, length, overflow, .. } = records[code as usize];
                Signature { bits, prefix, length, overflow }
            }
        }
    }
}

impl From<Signature<1>> for Short {
    fn from(signature: Signature<1>) -> Self {
        let Signature { bits, prefix, length, overflow } = signature;
        Short { bits, prefix, length: length as u16, overflow: overflow as u16 }
    }
}

impl From<Signature<4>> for Long {
    fn from(signature: Signature<4>) -> Self {
        let Signature { bits, prefix, length, overflow } = signature;
        Long { bits, prefix, length, overflow, padding: [0; 5] }
    }
}

/// Which bits belong to which characters.
struct BitAssignment<const WORDS: usize> {
    /// The bucket of each character code.
    buckets: Buckets,
    /// The bits of each bucket; the highest is set first.
    masks: Vec<[u64; WORDS]>,
}

impl<const WORDS: usize> BitAssignment<WORDS> {
    fn new<U: Unit>(strings: Strings<'_, U>, count: u32) -> Self {
        let step = (count as usize).div_ceil(SAMPLE).max(1);
        let sample: Vec<&[U]> = (0..count).step_by(step).map(|code| strings.get(code)).collect();
        let buckets = Buckets::new(&sample, WORDS * 64);
        let masks = assign(&buckets.texts_by_count(&sample));
        Self { buckets, masks }
    }

    fn signature<U: Unit>(&self, text: &[U]) -> Signature<WORDS> {
        let mut bits = [0; WORDS];
        let mut overflow = 0;
        for &code in text {
            overflow += u32::from(!set_next(&mut bits, &self.masks[self.buckets.bucket(code.into())]));
        }
        let prefix = text.iter().take(PREFIX).rev().fold(0, |packed, &code| packed << 8 | (code.into() & 0xFF));
        Signature { bits, prefix, length: text.len() as u32, overflow }
    }
}

/// Sets the highest bit of the mask that is not yet set, the first word being the highest; false if all are.
#[inline]
fn set_next<const WORDS: usize>(bits: &mut [u64; WORDS], mask: &[u64; WORDS]) -> bool {
    for (bits, mask) in bits.iter_mut().zip(mask) {
        let free = mask & !*bits;
        if free != 0 {
            *bits |= 1 << (63 - free.leading_zeros());
            return true;
        }
    }
    false
}

/// The bucket of each character.
struct Buckets {
    by_code: Vec<u8>,
    count: usize,
}

impl Buckets {
    /// Most of the `bits` may go to single characters, an eighth to shared buckets.
    fn new<U: Unit>(sample: &[&[U]], bits: usize) -> Self {
        let ranked = by_frequency(sample);
        let common = ranked.iter().take(bits * 5 / 8).take_while(|(_, texts)| texts * RARE >= sample.len()).count();
        // Characters that the sample lacks are rare as well.
        let shared = bits / 8;
        let codes = ranked.iter().map(|(code, _)| *code as usize + 1).max().unwrap_or(0);
        let mut by_code: Vec<u8> = (0..codes).map(|code| (common + code % shared) as u8).collect();
        for (rank, (code, _)) in ranked.iter().enumerate() {
            by_code[*code as usize] = if rank < common { rank } else { common + rank % shared } as u8;
        }
        Self { by_code, count: common + shared }
    }

    #[inline]
    fn bucket(&self, code: u32) -> usize {
        self.by_code.get(code as usize).map_or(self.count - 1, |&bucket| usize::from(bucket))
    }

    /// For each bucket and each n from 1, the share of texts with at least n of its characters.
    fn texts_by_count<U: Unit>(&self, sample: &[&[U]]) -> Vec<[f64; MOST_BITS]> {
        let mut texts = vec![[0.0; MOST_BITS]; self.count];
        let mut counts = vec![0; self.count];
        for text in sample {
            text.iter().for_each(|&code| counts[self.bucket(code.into())] += 1);
            for (texts, count) in texts.iter_mut().zip(&mut counts) {
                texts.iter_mut().take(std::mem::take(count)).for_each(|n| *n += 1.0 / sample.len() as f64);
            }
        }
        texts
    }
}

/// The characters of a sample and the number of texts with each, the most frequent first.
fn by_frequency<U: Unit>(sample: &[&[U]]) -> Vec<(u32, usize)> {
    let mut texts: HashMap<u32, (usize, usize), foldhash::fast::RandomState> = HashMap::default();
    for (i, text) in sample.iter().enumerate() {
        for &code in *text {
            let (count, last) = texts.entry(code.into()).or_default();
            *count += usize::from(std::mem::replace(last, i + 1) != i + 1);
        }
    }
    let mut ranked: Vec<(u32, usize)> = texts.into_iter().map(|(code, (count, _))| (code, count)).collect();
    ranked.sort_unstable_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
    ranked
}

/// Gives every bucket one bit and the others to the counts that distinguish most texts: a bit that a share s of the
/// texts has set distinguishes a share s (1 - s) of the pairs, in one direction.
fn assign<const WORDS: usize>(texts_by_count: &[[f64; MOST_BITS]]) -> Vec<[u64; WORDS]> {
    let telling = |share: &f64| share * (1.0 - share);
    let by_value = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0);
    let mut further: Vec<(f64, usize)> = Vec::new();
    for (bucket, shares) in texts_by_count.iter().enumerate() {
        further.extend(shares[1..].iter().filter(|share| **share > 0.0).map(|share| (telling(share), bucket)));
    }
    further.sort_by(by_value);
    let mut counts = vec![1; texts_by_count.len()];
    further.iter().take(WORDS * 64 - counts.len()).for_each(|(_, bucket)| counts[*bucket] += 1);
    let mut bits: Vec<(f64, usize)> = Vec::new();
    for (bucket, shares) in texts_by_count.iter().enumerate() {
        bits.extend(shares[..counts[bucket]].iter().map(|share| (telling(share), bucket)));
    }
    bits.sort_by(by_value);
    let mut masks = vec![[0; WORDS]; texts_by_count.len()];
    for (place, (_, bucket)) in bits.into_iter().enumerate() {
        masks[bucket][place / 64] |= 1 << (63 - place % 64);
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::common_prefix;
    use proptest::prelude::*;

    fn intersection<U: Unit>(a: &[U], b: &[U]) -> usize {
        let mut rest = b.to_vec();
        a.iter().filter(|x| rest.iter().position(|y| y == *x).map(|i| rest.swap_remove(i)).is_some()).count()
    }

    fn check<U: Unit + Send + Sync>(texts: &[Vec<U>], exact_prefix: bool) {
        let units: Vec<U> = texts.concat();
        let ends: Vec<usize> = texts
            .iter()
            .scan(0, |end, t| {
                *end += t.len();
                Some(*end)
            })
            .collect();
        match Signatures::new(Strings::new(&units, &ends), texts.len() as u32).records() {
            SignatureRecords::Short(records) => check_records(texts, records, exact_prefix),
            SignatureRecords::Long(records) => check_records(texts, records, exact_prefix),
        }
    }

    fn check_records<U: Unit, R: SignatureRecord>(texts: &[Vec<U>], records: &[R], exact_prefix: bool) {
        for (a, x) in texts.iter().zip(records) {
            assert_eq!(x.length(), a.len());
            assert_eq!(x.most_common(x) as usize, a.len(), "each character counts once");
            for (b, y) in texts.iter().zip(records) {
                assert!(x.most_common(y) as usize >= intersection(a, b));
                let (prefix, most) = (common_prefix(a, b).min(PREFIX), x.most_prefix(y));
                assert!(most >= prefix && (!exact_prefix || most == prefix), "{most} {prefix}");
            }
        }
    }

    #[test]
    fn no_texts_and_empty_texts() {
        check::<u8>(&[], true);
        check::<u8>(&[vec![], vec![0], vec![0; 70_000], vec![]], true);
    }

    proptest! {
        #[test]
        fn bounds_the_intersection(
            alphabet in prop_oneof![Just(1u32), Just(3), Just(30), Just(256), Just(5000)],
            texts in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..90), 1..30),
            longest in prop_oneof![Just(3usize), Just(20), Just(90)],
        ) {
            let texts: Vec<Vec<u32>> = texts.into_iter()
                .map(|t| t.into_iter().take(longest).map(|c| c % alphabet).collect()).collect();
            check(&texts, alphabet <= 256);
            if alphabet <= 256 {
                let narrow: Vec<Vec<u8>> = texts.iter().map(|t| t.iter().map(|&c| c as u8).collect()).collect();
                check(&narrow, true);
            }
        }
    }
}
