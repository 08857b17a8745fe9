//! Judgements as decisions about the records of a job: which pairs are the same, and which are different. One that is unsure
//! decides nothing.

use super::judged_rows::rows_of;
use super::judgement::Judgement;
use super::read::{JudgementReading, Judgements};
use crate::cancel::Cancel;
use crate::error::{Error, ErrorCode, Result};
use crate::memory::MemoryBudget;
use crate::records::{ContentId, Input, NamedRecords};

/// A pair of rows that somebody has decided, as pairs of the job have them: the left or earlier one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecidedPair {
    pub l: u32,
    pub r: u32,
    /// Whether it is decided to be the same; else it is decided to be different.
    pub is_same: bool,
    /// The place of its judgement.
    at: u32,
}

/// All decisions about the records of a job.
#[derive(Debug)]
pub struct DecidedPairs {
    judgements: Judgements,
    /// In the order of their rows.
    pairs: Vec<DecidedPair>,
}

impl DecidedPairs {
    /// Reads judgements, and finds their records, all of which the job must have, and be able to pair.
    pub fn read(input: &Input, records: NamedRecords<'_>, budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<Self> {
        let cancel = cancel.within(budget);
        let progress = |_: u64| cancel.check();
        let how =
            JudgementReading { has_sides: records.has_two_sides, reading: budget, kept: budget, progress: &progress };
        let judgements = Judgements::read(input.open_until(cancel)?, &how)?;
        check_content(input, judgements.content())?;
        let all = judgements.as_slice().iter().enumerate();
        let sure = all.filter_map(|(at, judgement)| Some((at as u32, judgement, judgement.kind.is_same()?)));
        let sure: Vec<(u32, &Judgement, bool)> = sure.collect();
        let decided: Vec<&Judgement> = sure.iter().map(|(_, judgement, _)| *judgement).collect();
        let rows = rows_of(&judgements, &decided, records, cancel)?;
        let pair = |([l, r], (at, _, is_same)): ([u32; 2], &(u32, &Judgement, bool))| DecidedPair {
            l,
            r,
            is_same: *is_same,
            at: *at,
        };
        let mut pairs: Vec<DecidedPair> = rows.into_iter().zip(&sure).map(pair).collect();
        pairs.sort_unstable_by_key(|pair| (pair.l, pair.r));
        Ok(Self { judgements, pairs })
    }

    /// The pairs, in the order of their rows.
    pub fn as_slice(&self) -> &[DecidedPair] {
        &self.pairs
    }

    /// What is decided of a pair of rows, if anything is.
    pub fn pair(&self, l: u32, r: u32) -> Option<&DecidedPair> {
        let found = self.pairs.binary_search_by_key(&(l, r), |pair| (pair.l, pair.r));
        found.ok().map(|at| &self.pairs[at])
    }

    /// Who has said it, and when.
    pub fn judgement(&self, pair: &DecidedPair) -> &Judgement {
        &self.judgements.as_slice()[pair.at as usize]
    }

    /// Where it is said, for messages: `labels.csv:17`.
    pub fn place(&self, pair: &DecidedPair) -> String {
        self.judgements.place(self.judgement(pair))
    }

    /// How many judgements decide nothing.
    pub fn unsure(&self) -> usize {
        self.judgements.as_slice().len() - self.pairs.len()
    }

    /// What identifies the table that has them.
    pub fn content(&self) -> &ContentId {
        self.judgements.content()
    }

    /// Memory they take.
    pub fn bytes(&self) -> usize {
        let judgements: usize = self.judgements.as_slice().iter().map(Judgement::bytes).sum();
        judgements + size_of_val(&self.pairs[..])
    }
}

/// Refuses judgements that are not those that a run has read before.
fn check_content(input: &Input, read: &ContentId) -> Result<()> {
    match input.expected() {
        Some(expected) if !expected.is_of(read) => {
            Err(Error::data("the judgements are not those that the run has read")
                .with_help("run the job again, or bring back the judgements as they were")
                .with_code(ErrorCode::OtherRecords))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray};
    use tempfile::NamedTempFile;

    use super::*;
    use crate::records::{RecordNames, RowIds};
    use crate::rules::LinkType;

    /// People by number, and others by name.
    fn records(link_type: LinkType, inputs: usize) -> RecordNames {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..40_000));
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["x", "y", "1"]));
        let ids = [numbers, texts].map(|ids| RowIds::new(&[ids]).unwrap());
        let names = ["people", "others"].map(str::to_owned);
        let has_two_sides = link_type == LinkType::LinkOnly;
        RecordNames { ids: ids[..inputs].to_vec(), names: names[..inputs].to_vec(), link_type, has_two_sides }
    }

    fn written(text: &str) -> NamedTempFile {
        let mut file = tempfile::Builder::new().prefix("judged").suffix(".csv").tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn read_file(file: &NamedTempFile, records: &RecordNames) -> Result<DecidedPairs> {
        DecidedPairs::read(&Input::files([file.path()]), records.all(), &MemoryBudget::unlimited(), Cancel::NEVER)
    }

    fn read(text: &str, records: &RecordNames) -> Result<DecidedPairs> {
        read_file(&written(text), records)
    }

    fn pairs(text: &str, records: &RecordNames) -> Vec<(u32, u32, bool)> {
        let decided = read(text, records).unwrap_or_else(|error| panic!("{error}"));
        decided.as_slice().iter().map(|pair| (pair.l, pair.r, pair.is_same)).collect()
    }

    const HEAD: &str = "unique_id_l,unique_id_r,judgement\n";
    const NAMED: &str = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,judgement\n";

    #[test]
    fn decisions_have_the_rows_that_pairs_have() {
        let people = records(LinkType::DedupeOnly, 1);
        let text = format!("{HEAD}39999,2,same\n5,3,different\n7,8,unsure\n");
        assert_eq!(pairs(&text, &people), [(2, 39_999, true), (3, 5, false)]);
        // The file is there while it is asked for lines.
        let file = written(&text);
        let decided = read_file(&file, &people).unwrap();
        let [_, pair] = decided.as_slice() else { panic!("{decided:?}") };
        assert!(decided.place(pair).ends_with(".csv:3") && decided.unsure() == 1 && decided.bytes() > 0);
        assert_eq!((decided.pair(3, 5), decided.pair(5, 3)), (Some(pair), None));
        // Of two sides each has rows of its own, whichever record comes first.
        let link = records(LinkType::LinkOnly, 2);
        assert_eq!(pairs(&format!("{HEAD}1,1,same\n0,x,different\n"), &link), [(0, 0, false), (1, 2, true)]);
        assert_eq!(pairs(&format!("{NAMED}others,y,people,7,same\n"), &link), [(7, 1, true)]);
        let both = records(LinkType::LinkAndDedupe, 2);
        let text = format!("{NAMED}others,y,people,7,same\npeople,1,people,0,same\n");
        assert_eq!(pairs(&text, &both), [(0, 1, true), (7, 40_001, true)]);
    }

    #[test]
    fn decisions_about_what_is_no_pair_of_the_job_have_their_place() {
        let people = records(LinkType::DedupeOnly, 1);
        let (link, both) = (records(LinkType::LinkOnly, 2), records(LinkType::LinkAndDedupe, 2));
        for (records, text, message) in [
            (
                &people,
                format!("{HEAD}1,2,same\n3,40000,same\n"),
                ".csv:3: there is no record with id `40000` in people",
            ),
            (&people, format!("{HEAD}01,2,different\n"), ".csv:2: there is no record with id `01` in people"),
            (&link, format!("{HEAD}x,y,same\n"), ".csv:2: there is no record with id `x` in people"),
            (&link, format!("{NAMED}people,1,people,2,same\n"), ".csv:2: `1` and `2` are both records of people"),
            (
                &both,
                format!("{NAMED}people,1,their,2,same\n"),
                ".csv:2: there is no input `their`: they are people, others",
            ),
            (&both, format!("{HEAD}1,2,same\n"), "do not say which inputs records are from"),
        ] {
            let error = read(&text, records).unwrap_err();
            assert!(error.message().contains(message), "{error}");
        }
        assert!(pairs(&format!("{HEAD}1,2,unsure\n7,none,unsure\n"), &people).is_empty());
    }
}
