//! Whether and how texts are joined by their variants on a device.

use sameas_kernels::layout::edit_join::{EDIT_JOIN_DELETIONS, EDIT_JOIN_LONGEST};

use crate::candidates::edit_join::by_length::ByLength;
use crate::candidates::edit_join::estimate::{self, EditEstimate};
use crate::candidates::edit_join::lengths::{Allowed, DeletionLengths, LengthHistogram};
use crate::records::encode::{AnyStrings, Texts};
use crate::threshold::{TextPredicate, TextTest};

/// What an entry of the index costs on a device, in comparisons of signatures: it is made twice, sorted and looked at,
/// some 40 bytes to and from memory, while signatures are compared in registers.
pub const INDEX_ENTRY: f64 = 400.0;

/// What the variants of some texts are.
#[derive(Clone, Debug)]
pub struct VariantPlan {
    /// By length: bit d where variants with d deletions are wanted.
    pub(super) deletions: Vec<u8>,
    /// By length: the most edits of a text and any that is no longer, by which they meet.
    pub(super) most: Vec<u8>,
    /// Entries of all texts, at most.
    pub(super) entries: f64,
    /// Whether an index of them costs less than comparing the signatures of all texts of near lengths.
    pub pays: bool,
}

impl VariantPlan {
    /// The plan for the texts of one list or two.
    pub fn for_texts(texts: &Texts, (left, right): (&[u32], Option<&[u32]>), test: &TextTest) -> Option<Self> {
        let histogram = match texts.strings() {
            AnyStrings::U8(strings) => LengthHistogram::new(strings, left, right),
            AnyStrings::U16(strings) => LengthHistogram::new(strings, left, right),
            AnyStrings::U32(strings) => LengthHistogram::new(strings, left, right),
        };
        Self::new(&histogram, test)
    }

    /// The plan for texts of these lengths that are joined with themselves.
    pub fn of_lengths(lengths: impl Iterator<Item = usize>, test: &TextTest) -> Option<Self> {
        let mut left = ByLength::default();
        for length in lengths.filter(|length| *length > 0) {
            *left.get_mut(length) += 1;
        }
        Self::new(&LengthHistogram { left, right: None }, test)
    }

    /// Whether the kernels serve the measure of a test.
    pub fn may_serve(test: &TextTest) -> bool {
        matches!(test.predicate(), Some(TextPredicate::Edits(count, _)) if count.leaves_subsequence())
    }

    /// The plan for texts of some lengths; nothing where the kernels do not serve the measure, the edits or a length, or
    /// where too many texts meet at variants of few characters.
    pub(in crate::candidates::edit_join) fn new(histogram: &LengthHistogram, test: &TextTest) -> Option<Self> {
        if !Self::may_serve(test) {
            return None;
        }
        let most_edits = |length| test.most_edits_of_longer(length);
        let EditEstimate { entries, pairs } = estimate::of_lengths(histogram, most_edits, usize::MAX);
        if histogram.longest() > EDIT_JOIN_LONGEST || entries.is_infinite() {
            return None;
        }
        let lengths = DeletionLengths::new(histogram, Allowed::new(histogram, most_edits), |_, _| None)?;
        let mut deletions = vec![0; EDIT_JOIN_LONGEST + 1];
        for (length, mask) in deletions.iter_mut().enumerate().take(histogram.longest() + 1) {
            for &count in lengths.deletions(length) {
                if count > EDIT_JOIN_DELETIONS {
                    return None;
                }
                *mask |= 1 << count;
            }
        }
        let most = |length: usize| lengths.most(length, length).unwrap_or(0).min(length).min(EDIT_JOIN_LONGEST - 1);
        let most = (0..=EDIT_JOIN_LONGEST).map(|length| most(length) as u8).collect();
        Some(Self { deletions, most, entries, pays: entries * INDEX_ENTRY < pairs })
    }
}
