//! What the inputs of a run hold, column by column, and which values make the most candidates.

use std::collections::{HashMap, HashSet};

use super::facts::{DataColumnKind, ReportData, ReportHeavyKey, ReportHeavyValue, ReportInputColumn};
use super::mask::ColumnMasks;
use super::personal::seems_personal;
use crate::dataset::InputColumnCounts;
use crate::engine::{HeavyKey, InspectedRecords, RunRecord, has_keys};
use crate::plan::BranchRecord;
use crate::records::stats::{ColumnStatistics, HeavyValue};

/// Heavy values that are listed, over all keys.
const MOST_KEYS: usize = 40;

/// Characters of a heavy value that are shown.
const SHOWN: usize = 80;

/// What is known of the columns and keys of a run. Values of the record are as it has them.
pub fn data_facts(run: &RunRecord, records: Option<&InspectedRecords>, masks: &ColumnMasks) -> ReportData {
    let columns = DataColumns::new(run, records, masks);
    ReportData { columns: columns.all(), heavy_keys: heavy_keys(run, records, masks) }
}

struct DataColumns<'a> {
    run: &'a RunRecord,
    records: Option<&'a InspectedRecords>,
    masks: &'a ColumnMasks,
    /// The columns of inputs that rules read.
    used: HashSet<&'a str>,
    /// The names of derived columns, in small letters.
    derived: HashSet<String>,
    /// What the run has counted, by expression and input.
    known: HashMap<(&'a str, &'a str), &'a ColumnStatistics>,
}

impl<'a> DataColumns<'a> {
    fn new(run: &'a RunRecord, records: Option<&'a InspectedRecords>, masks: &'a ColumnMasks) -> Self {
        let columns = records.iter().flat_map(|records| records.columns());
        let used = columns.filter(|column| !column.is_derived && column.is_used).map(|column| column.name.as_str());
        let derived = run.job.derive.iter().map(|derive| derive.name.to_ascii_lowercase());
        // Of several with one name the first counts.
        let known = run.statistics.columns.iter().rev().map(|of| ((of.column.as_str(), of.input.as_str()), of));
        Self { run, records, masks, used: used.collect(), derived: derived.collect(), known: known.collect() }
    }

    fn all(&self) -> Vec<ReportInputColumn> {
        let mut all: Vec<ReportInputColumn> = Vec::new();
        for (input, record) in self.run.inputs.iter().enumerate() {
            let counted = self.records.iter().flat_map(|records| &records.counts);
            let first = all.len();
            all.extend(counted.filter(|counts| counts.input == input).map(|counts| self.counted(counts)));
            let mut names: HashSet<String> = all[first..].iter().map(|column| column.name.clone()).collect();
            let known = self.run.statistics.columns.iter().filter(|column| column.input == record.name);
            all.extend(known.filter(|of| names.insert(of.column.clone())).map(|of| self.operand(input, of)));
        }
        all
    }

    /// A column of an input; what the run has counted of it is exact, too.
    fn counted(&self, counts: &InputColumnCounts) -> ReportInputColumn {
        let input = &self.run.inputs[counts.input].name;
        let known = self.known.get(&(counts.name.as_str(), input.as_str()));
        let known = known.filter(|known| known.rows == counts.records);
        let is_masked = self.masks.has(&counts.name);
        let frequent = match known {
            Some(known) => known.heavy.iter().map(|heavy| (heavy.value.clone(), heavy.rows)).collect(),
            None => counts.frequent.clone(),
        };
        ReportInputColumn {
            input: counts.input,
            kind: DataColumnKind::Column,
            records: counts.records,
            nulls: counts.nulls,
            distinct: known.map_or(counts.distinct, |known| known.distinct),
            heavy: self.heavy(frequent, is_masked),
            exact: known.is_some() || counts.is_exact,
            unreadable: self.unreadable(&counts.name),
            masked: is_masked,
            personal: seems_personal(&counts.name, counts.example.as_deref()),
            used: self.used.contains(counts.name.as_str()),
            name: counts.name.clone(),
        }
    }

    /// An expression that rules compare.
    fn operand(&self, input: usize, column: &ColumnStatistics) -> ReportInputColumn {
        let is_derived = self.derived.contains(&column.column.to_ascii_lowercase());
        let is_masked = self.masks.is_read_by(&column.column);
        let frequent = column.heavy.iter().map(|heavy| (heavy.value.clone(), heavy.rows)).collect();
        ReportInputColumn {
            input,
            name: column.column.clone(),
            kind: if is_derived { DataColumnKind::Derived } else { DataColumnKind::Expression },
            records: column.rows,
            nulls: column.nulls,
            distinct: column.distinct,
            heavy: self.heavy(frequent, is_masked),
            exact: true,
            unreadable: self.unreadable(&column.column),
            masked: is_masked,
            personal: seems_personal(&column.column, None),
            used: true,
        }
    }

    fn unreadable(&self, name: &str) -> u64 {
        self.run.unreadable_values.get(name).copied().unwrap_or_default()
    }

    fn heavy(&self, values: Vec<(String, u64)>, is_masked: bool) -> Vec<ReportHeavyValue> {
        let of = |(value, records): (String, u64)| ReportHeavyValue { value: self.shown(value, is_masked), records };
        values.into_iter().map(of).collect()
    }

    fn shown(&self, value: String, is_masked: bool) -> String {
        if is_masked { self.masks.mask(&value) } else { cut(value, SHOWN) }
    }
}

/// A text of at most this many characters; a longer one ends in `…`.
pub fn cut(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The keys of all joins, by the candidates that they make.
fn heavy_keys(run: &RunRecord, records: Option<&InspectedRecords>, masks: &ColumnMasks) -> Vec<ReportHeavyKey> {
    let sampled = records.map_or(&[][..], |records| &records.heavy_keys);
    let of_join = |(at, branch): (usize, &BranchRecord)| {
        let counted = by_the_run(run, masks, at, branch);
        counted.unwrap_or_else(|| {
            let mine = sampled.iter().filter(|key| key.branch == at);
            mine.map(|key| of_sample(masks, branch, key)).collect()
        })
    };
    let mut keys: Vec<ReportHeavyKey> = run.plan.iter().enumerate().flat_map(of_join).collect();
    keys.sort_by(|a, b| b.candidates.cmp(&a.candidates).then_with(|| a.value.cmp(&b.value)));
    keys.truncate(MOST_KEYS);
    keys
}

/// A key that was counted in a sample.
fn of_sample(masks: &ColumnMasks, branch: &BranchRecord, key: &HeavyKey) -> ReportHeavyKey {
    let value = |(on, value): (&String, &String)| masks.value(value.clone(), masks.is_read_by(on));
    let values: Vec<String> = branch.on.iter().zip(&key.values).map(value).collect();
    ReportHeavyKey {
        branch: Some(key.branch),
        on: branch.on.join(" and "),
        value: values.join(" | "),
        records: key.records.round() as u64,
        candidates: key.candidates.round() as u64,
        exact: key.is_exact,
    }
}

/// The keys of a join on one equality, as the run has counted its values; nothing where it has not.
fn by_the_run(run: &RunRecord, masks: &ColumnMasks, at: usize, branch: &BranchRecord) -> Option<Vec<ReportHeavyKey>> {
    let [on] = &branch.on[..] else { return None };
    if !has_keys(branch) {
        return None;
    }
    let (left, right) = on.split_once(" = ")?;
    // A value that is frequent in one of several inputs need not be so in the others.
    let [input] = &run.inputs[..] else { return None };
    let operand = |text: &str, letter: char| run.statistics.of_column(&of_one_record(text, letter), &input.name);
    let (of_left, of_right) = (operand(left, 'l')?, operand(right, 'r')?);
    // A key that exchanges columns has its candidates spread over two values.
    if of_left.column != of_right.column {
        return None;
    }
    let is_masked = masks.is_read_by(on);
    let key = |heavy: &HeavyValue| ReportHeavyKey {
        branch: Some(at),
        on: on.clone(),
        value: masks.value(heavy.value.clone(), is_masked),
        records: heavy.rows,
        candidates: heavy.rows * heavy.rows.saturating_sub(1) / 2,
        exact: true,
    };
    Some(of_left.heavy.iter().map(key).collect())
}

/// An expression of one record, without the letter of its side.
fn of_one_record(text: &str, letter: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let begins_name = !before.is_alphanumeric() && before != '_' && before != '.' && before != '"';
        if c.eq_ignore_ascii_case(&letter) && begins_name && rest.peek() == Some(&'.') {
            rest.next();
            before = '.';
            continue;
        }
        out.push(c);
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operand_is_written_without_its_side() {
        assert_eq!(of_one_record("l.phone", 'l'), "phone");
        assert_eq!(of_one_record("substr(l.zip, 1, 3)", 'l'), "substr(zip, 1, 3)");
        assert_eq!(of_one_record("lower(l.a || l.\"b c\")", 'l'), "lower(a || \"b c\")");
        assert_eq!(of_one_record("tel.x", 'l'), "tel.x");
    }

    #[test]
    fn long_values_are_cut() {
        assert_eq!(cut("äöü".into(), 2), "äö…");
        assert_eq!(cut("äö".into(), 2), "äö");
    }
}
