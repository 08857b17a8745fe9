//! The last word on the pairs that the signatures left over: one after the other, or in lanes where many are left.

use super::ScanSettings;
use super::scan::GROUP;
use crate::measure::lanes::edits::{self, LaneCount};
use crate::measure::lanes::jaro::{self, LaneCounts};
use crate::measure::lanes::{Isa, PatternTile, Word};
use crate::measure::{PreparedText, Unit, jaro as scalar_jaro};
use crate::records::encode::Strings;
use crate::threshold::{LengthRequirements, TextPredicate};
use std::ops::Range;

/// Character codes that texts are made of.
pub trait TextUnit: Unit + Send + Sync {
    /// The same texts, where their codes are bytes.
    fn bytes(strings: Strings<'_, Self>) -> Option<Strings<'_, u8>>;
}

impl TextUnit for u8 {
    fn bytes(strings: Strings<'_, u8>) -> Option<Strings<'_, u8>> {
        Some(strings)
    }
}

impl TextUnit for u16 {
    fn bytes(_: Strings<'_, u16>) -> Option<Strings<'_, u8>> {
        None
    }
}

impl TextUnit for u32 {
    fn bytes(_: Strings<'_, u32>) -> Option<Strings<'_, u8>> {
        None
    }
}

// The partners of a right text are bits of a word.
const _: () = assert!(GROUP <= u32::BITS as usize);

/// Right texts measured between two looks at the results.
const BATCH: usize = 64;

/// Fewer pairs than this are decided one after the other.
const MANY: usize = 64;

/// A scan's pairs and where they come from: texts of one length on either side.
pub(super) struct Scanned<'a> {
    /// The codes of the two lists, by place.
    pub(super) codes: (&'a [u32], &'a [u32]),
    /// The left places: at most [`GROUP`].
    pub(super) group: Range<usize>,
    /// The right places.
    pub(super) run: Range<usize>,
    /// The pairs of places, by left place.
    pub(super) pairs: &'a [(u32, u32)],
}

/// Decides pairs.
pub(super) struct TextVerifier<'a, U> {
    strings: Strings<'a, U>,
    prepared: PreparedText<U>,
    lanes: Option<Box<LaneVerifier<'a>>>,
    pub(super) verified: u64,
    pub(super) found: u64,
}

impl<'a, U: TextUnit> TextVerifier<'a, U> {
    pub(super) fn new(strings: Strings<'a, U>) -> Self {
        TextVerifier { strings, prepared: PreparedText::default(), lanes: None, verified: 0, found: 0 }
    }

    /// Reports the pairs that hold.
    pub(super) fn verify(
        &mut self,
        predicate: &TextPredicate<'_>,
        needs: &LengthRequirements,
        settings: ScanSettings,
        scanned: &Scanned<'_>,
        found: &mut impl FnMut(u32, u32),
    ) {
        self.verified += scanned.pairs.len() as u64;
        let mut count = 0;
        let mut found = |a, b| {
            count += 1;
            found(a, b);
        };
        if !(settings.lanes && self.in_lanes(predicate, needs, settings.isa, scanned, &mut found)) {
            self.one_by_one(predicate, needs, scanned, &mut found);
        }
        self.found += count;
    }

    fn one_by_one(
        &mut self,
        predicate: &TextPredicate<'_>,
        needs: &LengthRequirements,
        scanned: &Scanned<'_>,
        found: &mut impl FnMut(u32, u32),
    ) {
        for pairs in scanned.pairs.chunk_by(|a, b| a.0 == b.0) {
            let code = scanned.codes.0[pairs[0].0 as usize];
            self.prepared.set(self.strings.get(code));
            for other in pairs.iter().map(|pair| scanned.codes.1[pair.1 as usize]) {
                if predicate.holds(&self.prepared, self.strings.get(other), needs) {
                    found(code, other);
                }
            }
        }
    }

    /// Decides the pairs in lanes if they are many and fit; false if they were not decided.
    fn in_lanes(
        &mut self,
        predicate: &TextPredicate<'_>,
        needs: &LengthRequirements,
        isa: Isa,
        scanned: &Scanned<'_>,
        found: &mut impl FnMut(u32, u32),
    ) -> bool {
        if scanned.pairs.len() < MANY {
            return false;
        }
        let Some(strings) = U::bytes(self.strings) else { return false };
        let length = |codes: &[u32], place: u32| strings.length(codes[place as usize]);
        let (a, b) = (length(scanned.codes.0, scanned.pairs[0].0), length(scanned.codes.1, scanned.pairs[0].1));
        let (measure, most) = match predicate {
            TextPredicate::Edits(count, _) => {
                (LaneCount::from_count(*count).map(LaneMeasure::Edits), edits::MAX_TEXT - 1)
            }
            TextPredicate::Jaro(_) | TextPredicate::JaroWinkler(_) => (Some(LaneMeasure::Jaro), jaro::MAX_TEXT),
        };
        let Some(measure) = measure.filter(|_| a <= u64::BITS as usize && b <= most) else { return false };
        let lanes = self.lanes.get_or_insert_with(|| Box::new(LaneVerifier::new(strings)));
        lanes.verify(&LaneTest { predicate, measure, needs, isa, lengths: (a, b) }, scanned, found)
    }
}

/// The left texts of a group in lanes, each right text against them.
struct LaneVerifier<'a> {
    strings: Strings<'a, u8>,
    /// For each right place of the run, the left places of the group it is paired with.
    partners: Vec<u32>,
    tiles: (PatternTile<u16>, PatternTile<u32>, PatternTile<u64>),
    results: LaneResults,
}

/// What lanes have found out about a batch of right texts: one of the two, by what is measured.
struct LaneResults {
    counts: Vec<LaneCounts>,
    distances: Vec<u8>,
}

/// What lanes find out.
#[derive(Clone, Copy)]
enum LaneMeasure {
    /// Numbers of edits.
    Edits(LaneCount),
    /// Jaro's counts and the prefix.
    Jaro,
}

/// What a tile is tested for.
struct LaneTest<'a, 'p> {
    predicate: &'a TextPredicate<'p>,
    measure: LaneMeasure,
    needs: &'a LengthRequirements,
    isa: Isa,
    /// The lengths of left and right texts.
    lengths: (usize, usize),
}

impl<'a> LaneVerifier<'a> {
    fn new(strings: Strings<'a, u8>) -> Self {
        LaneVerifier {
            strings,
            partners: Vec::new(),
            tiles: Default::default(),
            results: LaneResults { counts: vec![LaneCounts::ZERO; BATCH], distances: vec![0; BATCH * u16::LANES] },
        }
    }

    /// False, with nothing decided, where a right text has too few partners for lanes to pay.
    fn verify(&mut self, asked: &LaneTest<'_, '_>, scanned: &Scanned<'_>, found: &mut impl FnMut(u32, u32)) -> bool {
        self.partners.clear();
        self.partners.resize(scanned.run.len(), 0);
        for &(a, b) in scanned.pairs {
            self.partners[b as usize - scanned.run.start] |= 1 << (a as usize - scanned.group.start);
        }
        let paired = self.partners.iter().filter(|partners| **partners != 0).count();
        if scanned.pairs.len() < paired * 2 {
            return false;
        }
        let LaneVerifier { strings, partners, tiles, results } = self;
        match asked.lengths.0 {
            1..=16 => measure(&mut tiles.0, *strings, partners, asked, scanned, results, found),
            17..=32 => measure(&mut tiles.1, *strings, partners, asked, scanned, results, found),
            _ => measure(&mut tiles.2, *strings, partners, asked, scanned, results, found),
        }
        true
    }
}

/// Decides all pairs with lanes of one width.
fn measure<W: Word>(
    tile: &mut PatternTile<W>,
    strings: Strings<'_, u8>,
    partners: &[u32],
    asked: &LaneTest<'_, '_>,
    scanned: &Scanned<'_>,
    results: &mut LaneResults,
    found: &mut impl FnMut(u32, u32),
) {
    let codes = &scanned.codes.0[scanned.group.clone()];
    for (part, codes) in codes.chunks(W::LANES).enumerate() {
        tile.set(codes.iter().map(|&code| strings.get(code)));
        let lanes = (!0u32 >> (32 - codes.len())) << (part * W::LANES);
        let mut paired = partners.iter().enumerate().filter(|(_, partners)| **partners & lanes != 0);
        loop {
            let batch: Vec<(u32, u32)> = paired
                .by_ref()
                .take(BATCH)
                .map(|(i, partners)| (scanned.codes.1[scanned.run.start + i], (partners & lanes) >> (part * W::LANES)))
                .collect();
            if batch.is_empty() {
                break;
            }
            let texts: Vec<&[u8]> = batch.iter().map(|(code, _)| strings.get(*code)).collect();
            asked.measure(tile, &texts, results);
            for (i, &(code, partners)) in batch.iter().enumerate() {
                let holding = bits(partners).filter(|&lane| asked.holds::<W>(i, lane, results));
                holding.for_each(|lane| found(codes[lane], code));
            }
        }
    }
}

/// The set bits, ascending.
fn bits(mut word: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

impl LaneTest<'_, '_> {
    fn measure<W: Word>(&self, tile: &PatternTile<W>, texts: &[&[u8]], results: &mut LaneResults) {
        // A limit of 254 does not limit: no text that fits is longer, and 255 marks what was abandoned.
        let max = self.needs.edits.min(254) as u8;
        match self.measure {
            LaneMeasure::Edits(count) => count.within(self.isa, tile, texts, max, &mut results.distances, W::LANES),
            LaneMeasure::Jaro => jaro::counts(self.isa, tile, texts, &mut results.counts[..texts.len()]),
        }
    }

    /// The decision for a text of the batch and a lane.
    #[inline]
    fn holds<W: Word>(&self, text: usize, lane: usize, results: &LaneResults) -> bool {
        if matches!(self.measure, LaneMeasure::Edits(_)) {
            return results.distances[text * W::LANES + lane] <= self.needs.edits.min(254) as u8;
        }
        let counts = &results.counts[text];
        let (matches, prefix) = (usize::from(counts.matches[lane]), usize::from(counts.prefix[lane]));
        let transpositions = usize::from(counts.differing[lane]) / 2;
        matches as u32 >= self.needs.common[prefix]
            && self.predicate.holds_for(
                self.lengths.0,
                self.lengths.1,
                scalar_jaro::JaroCounts { matches, transpositions },
                prefix,
            )
    }
}
