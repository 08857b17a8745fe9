//! Texts and tests of texts on a device: the values of a domain as bit planes and signatures, and a [`TextTest`] restated
//! as integers, so that kernels decide by looking up what the reference has said beforehand.

use bytemuck::Pod;
use rayon::prelude::*;
use sameas_kernels::layout::text::{self as layout, DECIDED, LEAST, LIMIT, NEVER, PREFIXES, measure};
use sameas_kernels::{DevicePtr, kernel};

use super::number::comparison_code;
use super::slots::TextSlots;
use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::expr::Function;
use crate::measure::{Unit, jaro, jaro_winkler};
use crate::records::encode::{self, AnyStrings, Planes, Signature, Signatures, Strings, Texts};
use crate::threshold::TextTest;

/// The texts of a domain on a device, by code.
pub struct DeviceTexts {
    _words: Buffer<u32>,
    _heads: Buffer<layout::TextHead>,
    _signatures: SignatureBuffer,
    layout: layout::Texts,
    place: Buffer<layout::Texts>,
    longest: usize,
}

/// Signatures of one of the widths.
enum SignatureBuffer {
    Short(Buffer<encode::Short>),
    Long(Buffer<encode::Long>),
}

impl DeviceTexts {
    /// Brings texts to a device.
    pub fn new(gpu: &Gpu, texts: &Texts) -> Result<Self> {
        let (signatures, count) = (texts.signatures(), texts.len() as u32);
        match texts.strings() {
            AnyStrings::U8(strings) => Self::of(gpu, strings, signatures, count),
            AnyStrings::U16(strings) => Self::of(gpu, strings, signatures, count),
            AnyStrings::U32(strings) => Self::of(gpu, strings, signatures, count),
        }
    }

    /// The same for texts of a known width, with codes below `count`.
    pub fn of<U: Unit + Pod + Send + Sync>(
        gpu: &Gpu,
        strings: Strings<'_, U>,
        signatures: &Signatures,
        count: u32,
    ) -> Result<Self> {
        let planes = Planes::new(strings, count).map_err(|_| gpu.too_small(NUMBERED, gpu.free()))?;
        let heads: Vec<layout::TextHead> =
            planes.heads.iter().map(|&[offset, length]| layout::TextHead { offset, length }).collect();
        let longest = heads.iter().map(|head| head.length as usize).max().unwrap_or(0);
        let (words, heads) = (gpu.buffer(planes.words)?, gpu.upload(&heads)?);
        make_planes(gpu, strings, &planes, &heads, &words)?;
        let records = match signatures.records() {
            encode::SignatureRecords::Short(all) => SignatureBuffer::Short(gpu.upload(&all[..count as usize])?),
            encode::SignatureRecords::Long(all) => SignatureBuffer::Long(gpu.upload(&all[..count as usize])?),
        };
        let layout = layout::Texts {
            words: words.at(),
            heads: heads.at(),
            signatures: match &records {
                SignatureBuffer::Short(all) => all.at().untyped(),
                SignatureBuffer::Long(all) => all.at().untyped(),
            },
            planes: planes.planes,
            stride: planes.stride,
            is_long: u32::from(!signatures.is_short()),
            count,
        };
        let place = gpu.upload(&[layout])?;
        Ok(Self { _words: words, _heads: heads, _signatures: records, layout, place, longest })
    }

    /// Where the kernels find all of it.
    pub fn at(&self) -> DevicePtr<layout::Texts> {
        self.place.at()
    }

    /// What is there.
    pub fn layout(&self) -> layout::Texts {
        self.layout
    }

    /// Characters of the longest text.
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// Bytes of the planes of a domain that kernels can number.
const NUMBERED: usize = 64 << 30;

/// Threads of a block that makes planes, and blocks of a launch at most.
const THREADS: u32 = 256;
const BLOCKS: u32 = 1 << 14;

/// Makes the planes on the device, which has the characters only meanwhile.
fn make_planes<U: Pod>(
    gpu: &Gpu,
    strings: Strings<'_, U>,
    planes: &Planes,
    heads: &Buffer<layout::TextHead>,
    words: &Buffer<u32>,
) -> Result<()> {
    let (units, ends) = strings.parts();
    let (units, ends) = (gpu.upload(units)?, gpu.upload(&ends.iter().map(|end| *end as u64).collect::<Vec<u64>>())?);
    let count = heads.len() as u32;
    let args = layout::TextPlanes {
        units: units.at().untyped(),
        ends: ends.at(),
        heads: heads.at(),
        words: words.at(),
        count,
        stride: planes.stride,
    };
    let kernel = match size_of::<U>() {
        1 => kernel::TEXT_PLANES_U8,
        2 => kernel::TEXT_PLANES_U16,
        _ => kernel::TEXT_PLANES_U32,
    };
    gpu.launch(kernel, count.div_ceil(THREADS / 32).clamp(1, BLOCKS), THREADS, 0, &args)
}

/// A record of 64 bits, with the length or what stands for it.
pub fn short(signature: &Signature<4>, length: u32) -> layout::TextShort {
    let [low, high] = halves(signature.bits[0]);
    let (length, overflow) = (length as u16, signature.overflow as u16);
    layout::TextShort { bits: [low, high], prefix: signature.prefix, length, overflow }
}

/// A record of 256 bits, with the length or what stands for it.
pub fn long(signature: &Signature<4>, length: u32) -> layout::TextLong {
    let bits = std::array::from_fn(|word| halves(signature.bits[word / 2])[word % 2]);
    layout::TextLong { bits, prefix: signature.prefix, length, overflow: signature.overflow, padding: [0; 5] }
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// A test as the kernels read it.
pub struct DeviceTextTest {
    _edits: Buffer<u32>,
    _least: Buffer<u8>,
    _decisions: Buffer<u32>,
    _slots: TextSlots,
    layout: layout::TextTest,
    place: Buffer<layout::TextTest>,
}

impl DeviceTextTest {
    /// Restates a test of texts of up to `longest` characters; `None` where a device can neither decide it nor rule out
    /// anything.
    pub fn new(gpu: &Gpu, test: &TextTest, longest: usize) -> Result<Option<Self>> {
        let measure = if test.is_for_devices() { measure_code(test.measure()) } else { measure::HOST };
        let bounded = test.predicate().is_some();
        if measure == measure::HOST && !bounded {
            return Ok(None);
        }
        let is_jaro = matches!(measure, measure::JARO | measure::JARO_WINKLER);
        let edits = gpu.upload(&if is_jaro { Vec::new() } else { edits(test) })?;
        let least = gpu.upload(&least(test))?;
        let decisions = gpu.upload(&if is_jaro { decisions(test) } else { Vec::new() })?;
        let slots = TextSlots::new(gpu, measure, longest)?;
        let layout = layout::TextTest {
            edits: edits.at(),
            least: least.at(),
            decisions: decisions.at(),
            threshold: test.threshold().to_f64(),
            measure,
            comparison: comparison_code(test.comparison()),
            same: u32::from(test.holds_for_same()),
            bounded: u32::from(bounded),
            similarity: u32::from(test.measure().is_edit_similarity()),
            slots: slots.len(),
            scratch: slots.scratch(),
            taken: slots.taken(),
            slot_words: slots.words(),
            unused: 0,
        };
        let place = gpu.upload(&[layout])?;
        Ok(Some(Self { _edits: edits, _least: least, _decisions: decisions, _slots: slots, layout, place }))
    }

    /// Where the kernels find it.
    pub fn at(&self) -> DevicePtr<layout::TextTest> {
        self.place.at()
    }

    /// What is there.
    pub fn layout(&self) -> layout::TextTest {
        self.layout
    }
}

fn measure_code(measure: Function) -> u32 {
    match measure {
        Function::Levenshtein | Function::LevenshteinSimilarity => measure::LEVENSHTEIN,
        Function::Osa | Function::OsaSimilarity => measure::OSA,
        Function::DamerauLevenshtein | Function::DamerauSimilarity => measure::DAMERAU,
        Function::Hamming => measure::HAMMING,
        Function::Jaro => measure::JARO,
        Function::JaroWinkler => measure::JARO_WINKLER,
        _ => measure::HOST,
    }
}

/// For each length of the longer text the fewest edits with which the test holds and, in the upper half, the most; more
/// than the most where it never holds.
fn edits(test: &TextTest) -> Vec<u32> {
    let packed = |length| test.edits_that_hold(length).map_or(1, |edits| *edits.start() | *edits.end() << 16);
    (0..=LIMIT).into_par_iter().map(|length| packed(length) as u32).collect()
}

/// The least number of common characters, by both lengths less one and the prefix; nothing where the test is no bound.
fn least(test: &TextTest) -> Vec<u8> {
    let Some(predicate) = test.predicate() else { return Vec::new() };
    let narrow = |need: u32| u8::try_from(need).unwrap_or(NEVER);
    let needs = |at: usize| predicate.needs(at / LEAST + 1, at % LEAST + 1);
    let rows = (0..LEAST * LEAST).into_par_iter().with_min_len(LEAST);
    let rows: Vec<[u8; PREFIXES]> =
        rows.map(|at| needs(at).map_or([NEVER; PREFIXES], |needs| needs.common.map(narrow))).collect();
    rows.concat()
}

/// The verdicts on all short texts: by the lengths `x <= y`, the matches and the prefix, one bit for each number of
/// transpositions. Lengths may be exchanged, as the formula adds their shares in either order with the same result.
fn decisions(test: &TextTest) -> Vec<u32> {
    let is_winkler = test.measure() == Function::JaroWinkler;
    let holds = |[x, y]: [usize; 2], matches, transpositions, prefix| {
        let value = jaro::from_counts(x, y, matches, transpositions);
        test.holds_for(if is_winkler { jaro_winkler::from_jaro(value, prefix) } else { value })
    };
    let lengths: Vec<[usize; 2]> = (1..=DECIDED).flat_map(|y| (1..=y).map(move |x| [x, y])).collect();
    let row = |lengths: [usize; 2], matches: usize, prefix: usize| {
        // No more characters match than the shorter text has.
        let possible = if matches <= lengths[0] { matches / 2 + 1 } else { 0 };
        (0..possible).fold(0, |bits, t| bits | u32::from(holds(lengths, matches, t, prefix)) << t)
    };
    let counts = || (0..=DECIDED).flat_map(|matches| (0..PREFIXES).map(move |prefix| (matches, prefix)));
    let rows =
        lengths.par_iter().flat_map_iter(|lengths| counts().map(|(matches, prefix)| row(*lengths, matches, prefix)));
    rows.collect()
}
