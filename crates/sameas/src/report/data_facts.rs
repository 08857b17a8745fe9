//! What the inputs of a run hold, column by column, and which values make the most candidates.

use super::facts::{DataColumnKind, ReportData, ReportHeavyKey, ReportHeavyValue, ReportInputColumn};
use super::mask::ColumnMasks;
use super::personal::seems_personal;
use crate::candidates::AccessPath;
use crate::engine::{InputColumnCounts, InspectedRecords, RunRecord};
use crate::plan::BranchRecord;
use crate::records::stats::ColumnStatistics;
use crate::rules::LinkType;

/// Heavy values that are listed, over all keys.
const MOST_KEYS: usize = 40;

/// Characters of a heavy value that are shown.
const SHOWN: usize = 80;

/// What is known of the columns and keys of a run. Values of the record are as it has them.
pub fn data_facts(run: &RunRecord, records: Option<&InspectedRecords>, masks: &ColumnMasks) -> ReportData {
    let columns = DataColumns { run, records, masks };
    ReportData { columns: columns.all(), heavy_keys: heavy_keys(run, masks) }
}

struct DataColumns<'a> {
    run: &'a RunRecord,
    records: Option<&'a InspectedRecords>,
    masks: &'a ColumnMasks,
}

impl DataColumns<'_> {
    fn all(&self) -> Vec<ReportInputColumn> {
        let mut all: Vec<ReportInputColumn> = Vec::new();
        for (input, record) in self.run.inputs.iter().enumerate() {
            let counted = self.records.iter().flat_map(|records| &records.counts);
            all.extend(counted.filter(|counts| counts.input == input).map(|counts| self.counted(counts)));
            let known = self.run.statistics.columns.iter().filter(|column| column.input == record.name);
            for column in known {
                let is_new = |other: &ReportInputColumn| other.input != input || other.name != column.column;
                if all.iter().all(is_new) {
                    all.push(self.operand(input, column));
                }
            }
        }
        all
    }

    /// A column of an input; what the run has counted of it is exact, too.
    fn counted(&self, counts: &InputColumnCounts) -> ReportInputColumn {
        let input = &self.run.inputs[counts.input].name;
        let known = self.run.statistics.of_column(&counts.name, input).filter(|known| known.rows == counts.records);
        let is_masked = self.masks.has(&counts.name);
        let frequent = match known {
            Some(known) => known.heavy.iter().map(|heavy| (heavy.value.clone(), heavy.rows)).collect(),
            None => counts.frequent.clone(),
        };
        let used = self.records.iter().flat_map(|records| &records.columns);
        let is_used =
            |name: &str| used.clone().any(|column| !column.is_derived && column.name == name && column.is_used);
        ReportInputColumn {
            input: counts.input,
            kind: DataColumnKind::Column,
            records: counts.records,
            nulls: counts.nulls,
            distinct: known.map(|known| known.distinct).or(counts.distinct),
            heavy: self.heavy(frequent, is_masked),
            unreadable: self.unreadable(&counts.name),
            masked: is_masked,
            personal: seems_personal(&counts.name, counts.example.as_deref()),
            used: is_used(&counts.name),
            name: counts.name.clone(),
        }
    }

    /// An expression that rules compare.
    fn operand(&self, input: usize, column: &ColumnStatistics) -> ReportInputColumn {
        let is_derived = self.run.job.derive.iter().any(|derive| derive.name.eq_ignore_ascii_case(&column.column));
        let is_masked = self.masks.is_read_by(&column.column);
        let frequent = column.heavy.iter().map(|heavy| (heavy.value.clone(), heavy.rows)).collect();
        ReportInputColumn {
            input,
            name: column.column.clone(),
            kind: if is_derived { DataColumnKind::Derived } else { DataColumnKind::Expression },
            records: column.rows,
            nulls: column.nulls,
            distinct: Some(column.distinct),
            heavy: self.heavy(frequent, is_masked),
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

/// Values of keys of one equality, by the candidates that they make.
fn heavy_keys(run: &RunRecord, masks: &ColumnMasks) -> Vec<ReportHeavyKey> {
    let branches = run.plan.iter().enumerate();
    let mut keys: Vec<ReportHeavyKey> = branches.flat_map(|(at, branch)| of_branch(run, masks, at, branch)).collect();
    keys.sort_by(|a, b| b.candidates.cmp(&a.candidates).then_with(|| a.value.cmp(&b.value)));
    keys.truncate(MOST_KEYS);
    keys
}

fn of_branch(run: &RunRecord, masks: &ColumnMasks, at: usize, branch: &BranchRecord) -> Vec<ReportHeavyKey> {
    let [on] = &branch.on[..] else { return Vec::new() };
    // Of a filtered branch it is not known how many records have a value and pass the filter.
    if branch.path != AccessPath::EquiJoin || !branch.filters.is_empty() {
        return Vec::new();
    }
    let Some((left, right)) = on.split_once(" = ") else { return Vec::new() };
    let has_two_sides = run.link_type == LinkType::LinkOnly && run.inputs.len() == 2;
    // Between more inputs it matters which of them the records are from.
    if run.link_type == LinkType::LinkOnly && !has_two_sides {
        return Vec::new();
    }
    let names: Vec<&str> = run.inputs.iter().map(|input| input.name.as_str()).collect();
    let operand = |text: &str, letter: char, input: &str| run.statistics.of_column(&of_one_record(text, letter), input);
    let (Some(of_left), Some(of_right)) =
        (operand(left, 'l', names[0]), operand(right, 'r', if has_two_sides { names[1] } else { names[0] }))
    else {
        return Vec::new();
    };
    // Within one input, a key that exchanges columns has its candidates spread over two values.
    if !has_two_sides && of_left.column != of_right.column {
        return Vec::new();
    }
    let is_masked = masks.is_read_by(on);
    let key = |(value, records, candidates): (&str, u64, u64)| ReportHeavyKey {
        branch: Some(at),
        on: on.clone(),
        value: masks.value(value.to_owned(), is_masked),
        records,
        candidates,
    };
    let heavy = of_left.heavy.iter().filter_map(|heavy| {
        if !has_two_sides {
            return Some((heavy.value.as_str(), heavy.rows, heavy.rows * (heavy.rows - 1) / 2));
        }
        let other = of_right.heavy.iter().find(|other| other.value == heavy.value)?;
        Some((heavy.value.as_str(), heavy.rows + other.rows, heavy.rows * other.rows))
    });
    heavy.map(key).collect()
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
