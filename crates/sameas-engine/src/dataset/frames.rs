//! From tables to frames: the records of the sides of a job, with their derived columns and ranks.

use std::sync::Arc;

use super::needed_columns::NeededColumns;
use super::operand_keys::OperandKeys;
use super::shared::Dataset;
use super::tables::Keep;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::observer::Progress;
use crate::records::{Frame, Table, add_rankings, add_ranks, ranks_of};
use crate::rules::{Derived, Ranking, RuleSet};
use crate::timeline::{Operator, Timeline};

/// The frames of tables with all that rules read. The records are taken from the tables, which keep none.
pub fn frames(tables: &mut [Table], rules: &RuleSet, cancel: Cancel<'_>) -> Vec<Frame> {
    let mut frames = unranked_frames(tables, &rules.derived, rules.has_two_sides(), cancel);
    add_rankings(&rules.rankings, &mut frames, cancel);
    frames
}

/// The same with these derived columns of each input, and without ranks: two frames where each side is one input, otherwise one
/// that holds all inputs.
fn unranked_frames(
    tables: &mut [Table],
    derived: &[Vec<Derived>],
    has_two_sides: bool,
    cancel: Cancel<'_>,
) -> Vec<Frame> {
    let mut with_derived: Vec<(&mut Table, &[Derived])> =
        tables.iter_mut().zip(derived).map(|(table, derived)| (table, &derived[..])).collect();
    match has_two_sides {
        true => with_derived.chunks_mut(1).map(|one| Frame::taking(one, cancel)).collect(),
        false => vec![Frame::taking(&mut with_derived, cancel)],
    }
}

impl Dataset {
    /// The records with what is needed of them; `steps` learns how long deriving and ranking took.
    pub(super) fn frames_of(
        &self,
        needed: &NeededColumns,
        keys: &OperandKeys,
        steps: &mut Timeline,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Frame>> {
        let mut frames = self.unranked_frames_of(needed, progress, cancel)?;
        steps.lap(Operator::Derive);
        if !needed.rankings.is_empty() {
            for ranking in &needed.rankings {
                let ranks = self.ranks(ranking, needed, keys, &frames, progress, cancel)?;
                add_ranks(&ranking.name, &ranks, &mut frames);
            }
            steps.lap(Operator::Rank);
        }
        Ok(frames)
    }

    /// The same without ranks.
    pub(super) fn unranked_frames_of(
        &self,
        needed: &NeededColumns,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Frame>> {
        let mut tables = self.tables_with(&needed.columns, progress, cancel)?;
        Ok(unranked_frames(&mut tables, &needed.derived, self.layout().has_two_sides(), cancel))
    }

    /// The ranks of its records, one after the other, among all records that they are a part of. Frames have what they are sorted
    /// by.
    fn ranks(
        &self,
        ranking: &Ranking,
        needed: &NeededColumns,
        keys: &OperandKeys,
        frames: &[Frame],
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Arc<Vec<u32>>> {
        if let Some(known) = self.known_ranks(ranking, keys) {
            return Ok(known);
        }
        let made = Arc::new(match self.subset_of() {
            Some(of) => of.of_all(&of.whole.ranks_of_all(ranking, needed, keys, progress, cancel)?),
            None => ranks_of(ranking, frames, cancel),
        });
        if let Some(key) = keys.of_rank(&ranking.name).filter(|_| self.tables().keep() != Keep::Nothing) {
            self.columns().put_ranks(key, Arc::clone(&made));
        }
        Ok(made)
    }

    /// The same where no frames are at hand.
    fn ranks_of_all(
        &self,
        ranking: &Ranking,
        needed: &NeededColumns,
        keys: &OperandKeys,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Arc<Vec<u32>>> {
        if let Some(known) = self.known_ranks(ranking, keys) {
            return Ok(known);
        }
        let of_keys = needed.of_rank(ranking, self.layout());
        let frames = self.frames_of(&of_keys, keys, &mut Timeline::start(), progress, cancel)?;
        self.ranks(ranking, needed, keys, &frames, progress, cancel)
    }

    fn known_ranks(&self, ranking: &Ranking, keys: &OperandKeys) -> Option<Arc<Vec<u32>>> {
        let key = keys.of_rank(&ranking.name)?;
        self.columns().ranks(key)
    }
}
