//! An edge between two rows, how strong it is, and what it counts in sums.
//!
//! Edges have one order, the strongest first: decided together, certain, score descending, rule, left row, right row. The
//! left row of an edge is the lower one. An edge without a score comes after those that have one.
//!
//! Sums must not depend on their order, so what is summed is a weight in *units*: whole multiples of 2^-32, the nearest one,
//! of two the even one. Weights of models are such multiples already. The order of edges compares weights as they are.

use sameas_core::error::{Error, Result};

/// Units of the weight 1.
pub(crate) const ONE: i64 = 1 << 32;

/// No weight is as large as this, either way: so its units fit 64 bits.
const MOST_WEIGHT: f64 = (1_u64 << 31) as f64;

/// The place of an edge without a weight, after all others.
const WITHOUT_WEIGHT: u64 = u64::MAX;

/// What says that two records belong together, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// Somebody has decided it.
    DecidedTogether,
    /// A certain rule, whatever the score.
    Certain,
    /// Any other rule, with a score or without.
    Scored,
}

/// Two rows that may belong together, and how strongly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    rows: [u32; 2],
    kind: EdgeKind,
    weight: Option<f64>,
    rule: u32,
}

impl Edge {
    /// An edge between two rows, in any order, by the rule of this number. A weight is a number between -2^31 and 2^31.
    pub fn new(rows: [u32; 2], kind: EdgeKind, weight: Option<f64>, rule: u32) -> Result<Self> {
        let [a, b] = rows;
        let rows = [a.min(b), a.max(b)];
        match weight {
            Some(weight) if !is_weight(weight) => Err(no_weight(rows, weight)),
            // The two zeros are one weight.
            Some(0.0) => Ok(Self { rows, kind, weight: Some(0.0), rule }),
            weight => Ok(Self { rows, kind, weight, rule }),
        }
    }

    /// An edge as it was packed.
    pub(crate) fn unpacked(rows: [u32; 2], kind: EdgeKind, place: u64, rule: u32) -> Self {
        Self { rows, kind, weight: weight_at(place), rule }
    }

    /// The same edge between other rows, the lower one first.
    pub(crate) fn between(self, rows: [u32; 2]) -> Self {
        Self { rows, ..self }
    }

    /// Its rows, the lower one first.
    pub fn rows(&self) -> [u32; 2] {
        self.rows
    }

    /// What says that its rows belong together.
    pub fn kind(&self) -> EdgeKind {
        self.kind
    }

    /// Its score, if it has one.
    pub fn weight(&self) -> Option<f64> {
        self.weight
    }

    /// The number of its rule.
    pub fn rule(&self) -> u32 {
        self.rule
    }

    /// The place of its weight among all weights, the highest first.
    pub(crate) fn place(&self) -> u64 {
        self.weight.map_or(WITHOUT_WEIGHT, place_of)
    }
}

/// Whether edges can have this weight: it can be compared, and its units fit 64 bits.
pub(crate) fn is_weight(weight: f64) -> bool {
    weight.abs() < MOST_WEIGHT
}

/// A weight in units.
pub(crate) fn units(weight: f64) -> i64 {
    (weight * ONE as f64).round_ties_even() as i64
}

/// The place of a weight among all weights, the highest first. It is below that of an edge without one.
pub(crate) fn place_of(weight: f64) -> u64 {
    !(flipped(weight.to_bits() as i64) as u64 ^ 1 << 63)
}

fn weight_at(place: u64) -> Option<f64> {
    (place != WITHOUT_WEIGHT).then(|| f64::from_bits(flipped((!place ^ 1 << 63) as i64) as u64))
}

/// The bits of a float as an integer that compares as the float does, and back: a negative float is larger the smaller its
/// other bits are.
fn flipped(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

fn no_weight([l, r]: [u32; 2], weight: f64) -> Error {
    Error::data(format!("the edge between the rows {l} and {r} has the weight {weight}"))
        .with_help("a weight is a number between -2^31 and 2^31; what is beyond doubt is a certain edge")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_have_places_in_their_order() {
        let descending = [2_147_483_647.5, 17.25, 1.0, f64::MIN_POSITIVE, 0.0, -1e-300, -1.0, -17.25, -2_147_483_647.5];
        let places = descending.map(place_of);
        assert!(places.is_sorted() && places.windows(2).all(|two| two[0] != two[1]));
        assert!(places[8] < WITHOUT_WEIGHT);
        for weight in descending {
            assert_eq!(weight_at(place_of(weight)).map(f64::to_bits), Some(weight.to_bits()));
        }
        assert_eq!(weight_at(WITHOUT_WEIGHT), None);
    }

    #[test]
    fn what_is_no_number_is_no_weight() {
        for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_147_483_648.0] {
            let error = Edge::new([7, 3], EdgeKind::Scored, Some(weight), 0).unwrap_err();
            assert!(error.message().contains("the rows 3 and 7"), "{error}");
        }
        let edge = Edge::new([7, 3], EdgeKind::Scored, Some(-0.0), 0).unwrap();
        assert_eq!((edge.rows(), edge.place()), ([3, 7], place_of(0.0)));
    }

    #[test]
    fn sums_count_whole_units() {
        let largest = f64::from_bits(2_147_483_648_f64.to_bits() - 1);
        assert_eq!([1.0, -0.25, 0.75 / ONE as f64].map(units), [ONE, -ONE / 4, 1]);
        assert_eq!([0.5, 1.5].map(|half| units(half / ONE as f64)), [0, 2]);
        assert!(is_weight(largest) && units(largest) > i64::MAX - (1 << 11) && units(-largest) < -units(1.0));
    }
}
