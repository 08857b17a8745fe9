//! What the frequency of a value is worth: a rare value that two records share says more than a frequent one.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::model::{ComparisonModel, MatchWeight};
use crate::records::encode::{Encoded, NULL};
use crate::rules::ComparisonRules;
use crate::threshold::Sides;

use super::value_frequencies::ValueFrequencies;

/// Bands of given frequencies at most, but for one: enough to tell rare values from frequent ones.
const BANDS: i64 = 32;

/// What rare values of a comparison are worth.
#[derive(Debug)]
pub struct TermFrequencies {
    /// How frequent its values are.
    pub values: ValueFrequencies,
    /// What is added for each value, by its code.
    adjustments: Vec<MatchWeight>,
    /// Whether each level holds for equal values only.
    levels: Vec<bool>,
}

/// Values that are about equally rare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueBand {
    /// Which values it and all bands before it have; nothing for the last, with which they have all.
    pub limit: Option<RareLimit>,
    /// The most that one of its values adds.
    pub adjustment: MatchWeight,
    /// Its share of the pairs that have one value.
    pub share: f64,
}

/// How rare values are at least. The limits of one comparison are of one kind, and a larger one admits more values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RareLimit {
    /// Few records have the value.
    Rows {
        /// How many, at most.
        most: u64,
        /// Of how many with any value.
        of: u64,
    },
    /// The value adds this much, at least.
    Adjustment(Reverse<MatchWeight>),
}

impl TermFrequencies {
    /// Of a comparison with these frequencies. A value whose frequency is not known adds nothing.
    pub(super) fn new(rules: &ComparisonRules, model: &ComparisonModel, values: ValueFrequencies) -> Self {
        let exact = rules.levels.iter().zip(&model.levels).find(|(level, _)| level.has_term_frequency);
        let u = exact.map_or(1.0, |(_, level)| level.u);
        let (strength, minimum) =
            (model.term_frequency_weight.unwrap_or(1.0), model.term_frequency_minimum.unwrap_or(0.0));
        let adjustment = |code: usize| match values.share(code as u32) {
            None => MatchWeight(0),
            Some(share) => MatchWeight::of_bits(strength * (u.log2() - share.max(minimum).log2())),
        };
        let adjustments = (0..values.rows().len()).map(adjustment).collect();
        let levels = rules.levels.iter().map(|level| level.has_term_frequency).collect();
        Self { values, adjustments, levels }
    }

    /// The adjustment of a pair with one value.
    pub(super) fn adjustment_of(&self, (l, _): (u32, u32), encoded: &Encoded) -> MatchWeight {
        match encoded.columns[self.operands().left].codes[l as usize] {
            NULL => MatchWeight(0),
            code => self.adjustments[code as usize],
        }
    }

    /// Whether an outcome is a level that holds for equal values only.
    pub fn adjusts(&self, outcome: usize) -> bool {
        self.levels.get(outcome) == Some(&true)
    }

    /// The adjustment of each value, by its code.
    pub fn adjustments(&self) -> &[MatchWeight] {
        &self.adjustments
    }

    /// Where its values are encoded.
    pub fn operands(&self) -> Sides<usize> {
        self.values.operands()
    }

    /// Whether a value is as rare as a limit says. Where frequencies are given, a limit on records is one on shares: a job over
    /// some of the records then says the same of each of them as the job over all of them that has set the limit. A value
    /// whose share is not known is rare.
    pub fn is_within(&self, code: u32, limit: RareLimit) -> bool {
        match limit {
            RareLimit::Rows { most, of } => match self.values.source() {
                None => self.values.rows()[code as usize] <= most,
                Some(_) => self.values.share(code).is_none_or(|share| share <= most as f64 / of as f64),
            },
            RareLimit::Adjustment(Reverse(least)) => self.adjustments[code as usize] >= least,
        }
    }

    /// The values of the records in bands, the rarest first.
    ///
    /// No pair is lost by joining on bands:
    /// 1. Every value of a record is in one band, and adds at most what the band says: its adjustment is the largest.
    /// 2. A value of a band is within its limit, and within those of all later bands: the values are in the order of what
    ///    limits compare, so that a limit only grows.
    /// 3. Both hold whatever frequencies are, also where given ones have nothing to do with how many records have a value.
    pub fn bands(&self) -> Vec<ValueBand> {
        let rows = self.values.rows();
        let codes = (0..rows.len()).filter(|code| rows[*code] > 0);
        let values: Vec<(u64, MatchWeight)> = codes.map(|code| (rows[code], self.adjustments[code])).collect();
        match self.values.source() {
            None => bands_of_rows(values),
            Some(_) => bands_of_adjustments(values),
        }
    }
}

/// A value of the records: how many have it, and what it adds.
type BandValue = (u64, MatchWeight);

/// Bands of counted values, by the records that have them: about up to each power of two.
fn bands_of_rows(mut values: Vec<BandValue>) -> Vec<ValueBand> {
    values.sort_unstable();
    let of: u64 = values.iter().map(|(rows, _)| rows).sum();
    let belongs = |band: &ValueBand, (rows, _): BandValue| match band.limit {
        Some(RareLimit::Rows { most, .. }) => rows < most.next_power_of_two().max(2) || rows == most,
        _ => false,
    };
    in_bands(&values, |(most, _)| RareLimit::Rows { most, of }, belongs)
}

/// Bands of given values, by what they add: a bit in each, or more where that would make too many.
fn bands_of_adjustments(mut values: Vec<BandValue>) -> Vec<ValueBand> {
    values.sort_unstable_by_key(|(rows, adjustment)| (Reverse(*adjustment), *rows));
    let range = values.first().zip(values.last()).map_or(0, |((_, most), (_, least))| most.0 - least.0);
    let width = MatchWeight::of_bits(1.0).0.max(range / BANDS);
    let belongs = |band: &ValueBand, (_, adjustment): BandValue| band.adjustment.0 - adjustment.0 <= width;
    in_bands(&values, |(_, adjustment)| RareLimit::Adjustment(Reverse(adjustment)), belongs)
}

/// Values in the order of their limits, cut where one does not belong to the band of those before it.
fn in_bands(
    values: &[BandValue],
    limit: impl Fn(BandValue) -> RareLimit,
    belongs: impl Fn(&ValueBand, BandValue) -> bool,
) -> Vec<ValueBand> {
    let mut bands: Vec<ValueBand> = Vec::new();
    for value in values {
        let (rows, adjustment) = *value;
        let (limit, pairs) = (Some(limit(*value)), rows as f64 * (rows as f64 - 1.0).max(0.0));
        match bands.last_mut() {
            Some(band) if belongs(band, *value) => {
                *band = ValueBand { limit, adjustment: band.adjustment.max(adjustment), share: band.share + pairs };
            }
            _ => bands.push(ValueBand { limit, adjustment, share: pairs }),
        }
    }
    let all: f64 = bands.iter().map(|band| band.share).sum();
    bands.iter_mut().for_each(|band| band.share /= all.max(1.0));
    if let Some(last) = bands.last_mut() {
        last.limit = None;
    }
    bands
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn weight(bits: f64) -> MatchWeight {
        MatchWeight::of_bits(bits)
    }

    #[test]
    fn counted_values_are_in_bands_of_about_twice_as_many_records() {
        let values = [(9, -3.0), (1, 4.0), (2, 3.0), (3, 2.0), (1, 4.0)];
        let bands = bands_of_rows(values.map(|(rows, bits)| (rows, weight(bits))).to_vec());
        let limits: Vec<Option<RareLimit>> = bands.iter().map(|band| band.limit).collect();
        let most = |most: u64| Some(RareLimit::Rows { most, of: 16 });
        assert_eq!(limits, [most(1), most(2), most(3), None]);
        assert_eq!((bands[0].adjustment, bands[3].adjustment), (weight(4.0), weight(-3.0)));
        assert!(bands_of_rows(Vec::new()).is_empty());
    }

    #[test]
    fn given_values_are_in_bands_of_what_they_add() {
        // Many records have the value that is rarest elsewhere, and one that is lacking adds nothing.
        let values = [(50, 7.5), (1, 7.0), (3, 0.0), (2, -2.0), (1, -2.5)];
        let bands = bands_of_adjustments(values.map(|(rows, bits)| (rows, weight(bits))).to_vec());
        let least = |bits: f64| Some(RareLimit::Adjustment(Reverse(weight(bits))));
        let limits: Vec<Option<RareLimit>> = bands.iter().map(|band| band.limit).collect();
        assert_eq!(limits, [least(7.0), least(0.0), None]);
        assert_eq!(bands.iter().map(|band| band.adjustment.bits()).collect::<Vec<_>>(), [7.5, 0.0, -2.0]);
        assert!(least(0.0) > least(7.0), "a larger limit admits more values");
    }

    proptest! {
        /// A value is in the first band whose limit admits it, and that band adds as much as it.
        #[test]
        fn no_value_adds_more_than_its_band(values in prop::collection::vec((1_u64..40, -900.0..900.0_f64), 1..60)) {
            let values: Vec<BandValue> = values.into_iter().map(|(rows, bits)| (rows, weight(bits))).collect();
            let (by_rows, by_adjustment) = (bands_of_rows(values.clone()), bands_of_adjustments(values.clone()));
            prop_assert!(by_adjustment.len() <= BANDS as usize + 1);
            for (rows, adjustment) in values {
                let is_within = |band: &&ValueBand| match band.limit {
                    None => true,
                    Some(RareLimit::Rows { most, .. }) => rows <= most,
                    Some(RareLimit::Adjustment(Reverse(least))) => adjustment >= least,
                };
                for bands in [&by_rows, &by_adjustment] {
                    let band = bands.iter().find(is_within).unwrap();
                    prop_assert!(band.adjustment >= adjustment);
                }
            }
        }
    }
}
