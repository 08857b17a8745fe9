//! The standard errors of what a pass has learned, from the observed information of its mixture.
//!
//! That a level has s matches out of S would leave m an error of `sqrt(m (1 - m) / S)`, if it were known which pairs match. It is
//! not, so there is more error, and the pairs say how much: the information that is missing is the variance that the complete
//! pairs' score still has, given what is seen of them (Louis, 1982). With the share of matches as a logit and m on its simplex
//! as logits too, a complete pair is of an exponential family, and the difference is exact:
//!
//! `information = complete - sum over patterns of pairs * z (1 - z) * v v'`
//!
//! where z is how likely a pattern matches, and v what the score of a matching pair has more than that of another: 1 for the
//! share of matches, and `[the outcome is l] - m_l` for each comparison that is not null. Its inverse is the covariance of the
//! logits. Along the one direction of each comparison in which logits mean nothing (all of them raised together) stands a 1, which
//! changes no error of m. What smoothing adds is left out: it is no evidence, and would make a pass look sure that is not.
//!
//! Where the pairs do not determine something, as with a single comparison, whose m and share of matches can be exchanged for
//! each other, the matrix is singular up to rounding: then m is only known not to be impossible.

use super::design_effect::DesignEffects;
use super::expectation::{Pass, PassBelief, PassRecord};
use super::paired_outcomes::PairedOutcomes;
use crate::cholesky::Cholesky;

/// Parameters up to which comparisons are looked at together. With more, each is looked at with the share of matches alone.
const MOST_TOGETHER: usize = 400;

/// The standard errors of what a pass has learned.
#[derive(Clone, Debug, PartialEq)]
pub struct PassErrors {
    /// That of the share of matches; nothing where the pairs do not determine it.
    pub matches: Option<f64>,
    /// That of m of each outcome of each comparison that takes part.
    pub m: Vec<Vec<f64>>,
}

impl PassErrors {
    /// Of what a pass has learned. Those of a sample are as large as its groups differ.
    pub fn new(pass: Pass<'_>, record: &PassRecord) -> Self {
        Self::with_share(pass, record, false)
    }

    /// Of what a pass has learned whose share of matches was set: its m is best for that share, and not for any other.
    pub fn of_known_share(pass: Pass<'_>, record: &PassRecord) -> Self {
        Self::with_share(pass, record, true)
    }

    fn with_share(pass: Pass<'_>, record: &PassRecord, is_share_known: bool) -> Self {
        let errors = Self::of_single_pairs(pass, record, is_share_known);
        match &pass.table.sample {
            Some(sample) => errors.of_sample(&DesignEffects::new(&sample.groups, pass, &record.belief), &record.belief),
            None => errors,
        }
    }

    /// Those of a sample, and no more than if nothing were known.
    fn of_sample(mut self, effects: &DesignEffects, belief: &PassBelief) -> Self {
        let most = |share: f64| (share * (1.0 - share)).max(0.0).sqrt();
        self.matches = self.matches.map(|error| error * effects.matches.sqrt());
        for ((errors, m), effect) in self.m.iter_mut().zip(&belief.m).zip(&effects.m) {
            for (error, m) in errors.iter_mut().zip(m) {
                *error = (*error * effect.sqrt()).min(most(*m).max(*error));
            }
        }
        self
    }

    /// The same if pairs have nothing to do with each other.
    fn of_single_pairs(pass: Pass<'_>, record: &PassRecord, is_share_known: bool) -> Self {
        let parts = pass.matching(&record.belief).map(|z| z * (1.0 - z));
        let unsure = PairedOutcomes::new(pass.table, parts);
        let of = Information { pass, record, unsure: &unsure, is_share_known };
        let comparisons: Vec<usize> = (0..pass.table.levels.len()).collect();
        if pass.table.levels.iter().sum::<usize>() <= MOST_TOGETHER {
            return of.errors(&comparisons);
        }
        let alone: Vec<Self> = comparisons.iter().map(|at| of.errors(&[*at])).collect();
        let matches = alone.iter().map(|of| of.matches).reduce(|a, b| Some(a?.max(b?))).flatten();
        Self { matches, m: alone.into_iter().flat_map(|of| of.m).collect() }
    }
}

/// What the pairs of a pass say of its parameters.
struct Information<'a> {
    pass: Pass<'a>,
    record: &'a PassRecord,
    /// The pairs by what is not known of them: z (1 - z).
    unsure: &'a PairedOutcomes,
    /// Whether the share of matches is no parameter.
    is_share_known: bool,
}

impl Information<'_> {
    /// The errors of the share of matches and of m of some comparisons, where the others are known.
    fn errors(&self, comparisons: &[usize]) -> PassErrors {
        let share = self.record.belief.matches;
        let (matrix, places) = self.matrix(comparisons);
        let known = Cholesky::new(matrix);
        let inverse = known.as_ref().map(Cholesky::inverse);
        let m = comparisons.iter().zip(&places);
        let m = m.map(|(at, place)| self.errors_of_m(*at, inverse.as_deref(), *place)).collect();
        // A share of none or all is as uncertain as one pair makes it.
        let pairs = self.pass.table.all_pairs();
        let inner = (share * pairs + 0.5) / (pairs + 1.0);
        let least = (inner * (1.0 - inner) / (pairs + 1.0)).sqrt();
        let matches = inverse.map(|inverse| (share * (1.0 - share) * inverse[0][0].max(0.0).sqrt()).max(least));
        PassErrors { matches: matches.filter(|error| error.is_finite()), m }
    }

    /// The information matrix: the share of matches first, then the outcomes of each comparison from its place on.
    fn matrix(&self, comparisons: &[usize]) -> (Vec<Vec<f64>>, Vec<usize>) {
        let levels = |at: &usize| self.pass.table.levels[*at];
        let mut next = 1;
        let place = |at: &usize| {
            next += levels(at);
            next - levels(at)
        };
        let places: Vec<usize> = comparisons.iter().map(place).collect();
        let mut matrix = vec![vec![0.0; next]; next];
        let share = self.record.belief.matches;
        matrix[0][0] = self.pass.table.all_pairs() * share * (1.0 - share) - self.unsure.all + LEAST;
        for (at, place) in comparisons.iter().zip(&places) {
            self.add_own(&mut matrix, *at, *place);
        }
        for ((a, b), table) in self.unsure.tables() {
            let place = |at: usize| comparisons.iter().position(|of| *of == at).map(|found| places[found]);
            let (Some(row), Some(column)) = (place(a), place(b)) else { continue };
            let [m, other] = [a, b].map(|at| &self.record.belief.m[at]);
            let [rows, columns] = table.margins();
            let all: f64 = rows.iter().sum();
            for (i, m) in m.iter().enumerate() {
                for (j, other) in other.iter().enumerate() {
                    let missing = table.sum(i, j) - rows[i] * other - m * columns[j] + all * m * other;
                    matrix[row + i][column + j] = -missing;
                    matrix[column + j][row + i] = -missing;
                }
            }
        }
        if self.is_share_known {
            matrix.iter_mut().for_each(|row| row[0] = 0.0);
            matrix[0].fill(0.0);
            matrix[0][0] = 1.0;
        }
        (matrix, places)
    }

    /// What concerns a comparison, and it with the share of matches.
    fn add_own(&self, matrix: &mut [Vec<f64>], at: usize, place: usize) {
        let (m, expected, unsure) = (&self.record.belief.m[at], &self.record.expected[at], &self.unsure.single[at]);
        let matches: f64 = expected.iter().sum();
        let all: f64 = unsure.iter().sum();
        for i in 0..m.len() {
            let with_share = -(unsure[i] - all * m[i]);
            (matrix[0][place + i], matrix[place + i][0]) = (with_share, with_share);
            for j in 0..m.len() {
                let is_same = f64::from(u8::from(i == j));
                let missing = is_same * unsure[i] - unsure[i] * m[j] - m[i] * unsure[j] + all * m[i] * m[j];
                matrix[place + i][place + j] =
                    matches * (is_same * m[i] - m[i] * m[j]) - missing + 1.0 + LEAST * is_same;
            }
        }
    }

    /// The errors of m of a comparison, from the covariance of logits. No less than if it were known which pairs match, and no
    /// more than if nothing were known.
    fn errors_of_m(&self, at: usize, covariance: Option<&[Vec<f64>]>, place: usize) -> Vec<f64> {
        let m = &self.record.belief.m[at];
        let matches: f64 = self.record.expected[at].iter().sum();
        let error = |(outcome, share): (usize, &f64)| {
            let most = (share * (1.0 - share)).max(0.0).sqrt();
            let least = most / (matches + 1.0).sqrt();
            let Some(covariance) = covariance else { return most };
            // d m_l / d logit_i is m_l ([i = l] - m_i).
            let slope = |i: usize| share * (f64::from(u8::from(i == outcome)) - m[i]);
            let of_row = |i: usize| (0..m.len()).map(|j| slope(j) * covariance[place + i][place + j]).sum::<f64>();
            let variance: f64 = (0..m.len()).map(|i| slope(i) * of_row(i)).sum();
            variance.max(0.0).sqrt().clamp(least, most.max(least))
        };
        m.iter().enumerate().map(error).collect()
    }
}

/// What keeps a parameter about which nothing is known from having no information at all.
const LEAST: f64 = 1e-9;

#[cfg(test)]
mod tests;
