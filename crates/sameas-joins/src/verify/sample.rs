//! The program of a job over a few of its records, for estimates: it has every check, and shares the values of all.

use super::program::Program;
use crate::records::InputRows;
use crate::records::encode::Encoded;

impl Program {
    /// The program over other records that are some of its own, as these are encoded. Tables of verdicts, which know all
    /// values, and values of pairs are not there.
    pub(in crate::verify) fn over(&self, rows: &[&[u32]], encoded: Encoded, across: Option<InputRows>) -> Self {
        Self {
            checks: self.checks.iter().map(|check| check.part(rows)).collect(),
            conjunctions: self.conjunctions.clone(),
            nevers: self.nevers.clone(),
            shadowed_nevers: self.shadowed_nevers.clone(),
            rules: self.rules,
            never_rules: self.never_rules,
            encoded,
            across,
            tables: self.tables.iter().map(|_| Default::default()).collect(),
            values: Vec::new(),
        }
    }

    /// The program over some records, ascending and by frame, which become rows 0, 1, and so on. Tables of verdicts and
    /// values of pairs are not there.
    pub fn sample(&self, rows: &[&[u32]]) -> Self {
        self.over(rows, self.encoded.sample(rows), self.across.as_ref().map(|inputs| inputs.part(rows[0])))
    }

    /// Takes over the rules of the program that it is a sample of, where other rules were given to that, and the checks
    /// that were added to it.
    pub fn follow(&mut self, whole: &Self, rows: &[&[u32]]) {
        let added = whole.checks.iter().skip(self.checks.len()).map(|check| check.part(rows));
        self.checks.extend(added);
        self.tables.resize_with(whole.tables.len(), Default::default);
        self.conjunctions.clone_from(&whole.conjunctions);
        self.nevers.clone_from(&whole.nevers);
        self.shadowed_nevers.clone_from(&whole.shadowed_nevers);
        (self.rules, self.never_rules) = (whole.rules, whole.never_rules);
    }
}
