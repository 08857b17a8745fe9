//! ColumnMasks: what takes the place of values that are not to be seen. Equal values have equal masks.
//!
//! A mask is a keyed hash, SipHash-2-4, under a key that is made of all values of the masked columns. So a report gives the
//! same masks whenever it is made, and whoever has the report without the data cannot try values out.

use std::collections::BTreeSet;

use crate::engine::{DeriveRecord, RunRecord};
use crate::expr::FieldValue;
use crate::plan::{BranchRecord, PlanWarning};

/// Which columns are masked, and how.
#[derive(Clone, Debug, Default)]
pub struct ColumnMasks {
    /// Their names in small letters, with those of derived columns that read one.
    columns: BTreeSet<String>,
    key: [u64; 2],
}

impl ColumnMasks {
    /// ColumnMasks for these columns, and for all that is derived of them.
    pub fn new(columns: &[String], derived: &[DeriveRecord]) -> Self {
        let mut all = Self { columns: columns.iter().map(|name| name.to_lowercase()).collect(), key: [0; 2] };
        if all.columns.is_empty() {
            return all;
        }
        // A derived column may be written before those that it reads.
        for _ in 0..=derived.len() {
            let reading = derived.iter().filter(|column| all.is_read_by(&column.expression));
            let more: Vec<String> = reading.map(|column| column.name.to_lowercase()).collect();
            let before = all.columns.len();
            all.columns.extend(more);
            if all.columns.len() == before {
                break;
            }
        }
        all
    }

    /// With a key that is made of this number.
    #[must_use]
    pub fn with_secret(self, secret: u128) -> Self {
        Self { key: [secret as u64, (secret >> 64) as u64], ..self }
    }

    /// Whether nothing is masked.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether a column is masked.
    pub fn has(&self, column: &str) -> bool {
        self.columns.contains(&column.to_lowercase())
    }

    /// Whether an expression reads a masked column, by the names in its text. It may say so where it is not quite true:
    /// a name may stand for something else there.
    pub fn is_read_by(&self, expression: &str) -> bool {
        if self.columns.is_empty() {
            return false;
        }
        let text = expression.to_lowercase();
        let words: BTreeSet<&str> = text.split(|c: char| !is_name_character(c)).collect();
        self.columns.iter().any(|column| match column.chars().all(is_name_character) {
            true => words.contains(column.as_str()),
            // In quotes; quotes in it are doubled.
            false => text.contains(&column.replace('"', "\"\"")),
        })
    }

    /// What takes the place of a value.
    pub fn mask(&self, value: &str) -> String {
        format!("#{:012x}", siphash(self.key, value.as_bytes()) & 0xffff_ffff_ffff)
    }

    /// The value, or its mask.
    pub fn value(&self, value: String, is_masked: bool) -> String {
        if is_masked { self.mask(&value) } else { value }
    }

    /// The record of a run without values of masked columns: what sentences are made of.
    pub fn record(&self, run: &RunRecord, ids_are_masked: bool) -> RunRecord {
        let mut run = run.clone();
        if self.is_empty() {
            return run;
        }
        let near = run.near.iter_mut().flat_map(|near| &mut near.plan);
        run.plan.iter_mut().chain(near).for_each(|branch| self.branch(branch));
        run.doubts.retain(|doubt| !self.is_read_by(&doubt.condition) && !self.is_read_by(&doubt.message));
        for column in &mut run.statistics.columns {
            if self.is_read_by(&column.column) {
                column.heavy.iter_mut().for_each(|heavy| heavy.value = self.mask(&heavy.value));
                (column.range, column.lengths) = (None, None);
            }
        }
        if let Some(largest) = run.largest_cluster.as_mut().filter(|_| ids_are_masked) {
            largest.cluster_id = self.mask(&largest.cluster_id);
            if let Some(cause) = &mut largest.out_of_proportion {
                cause.example = cause.example.each_ref().map(|id| self.mask(id));
            }
        }
        run
    }

    fn branch(&self, branch: &mut BranchRecord) {
        for warning in &mut branch.warnings {
            if let PlanWarning::HeavyKey { key, .. } = warning {
                for part in key.iter_mut().filter(|part| self.is_read_by(&part.name)) {
                    part.value = FieldValue::Text(self.mask(&shown(&part.value)));
                }
            }
        }
    }
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A value as text.
pub fn shown(value: &FieldValue) -> String {
    match value {
        FieldValue::Null => String::new(),
        FieldValue::Bool(truth) => truth.to_string(),
        FieldValue::Text(text) | FieldValue::Number(text) | FieldValue::Date(text) => text.clone(),
        FieldValue::TextList(items) | FieldValue::NumberList(items) => format!("[{}]", items.join(", ")),
    }
}

/// SipHash-2-4.
fn siphash(key: [u64; 2], bytes: &[u8]) -> u64 {
    let mut v = [
        key[0] ^ 0x736f_6d65_7073_6575,
        key[1] ^ 0x646f_7261_6e64_6f6d,
        key[0] ^ 0x6c79_6765_6e65_7261,
        key[1] ^ 0x7465_6462_7974_6573,
    ];
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        v[3] ^= word;
        sip_round(&mut v);
        sip_round(&mut v);
        v[0] ^= word;
    }
    let rest = words.remainder().iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let last = rest | (bytes.len() as u64) << 56;
    v[3] ^= last;
    sip_round(&mut v);
    sip_round(&mut v);
    v[0] ^= last;
    v[2] ^= 0xff;
    (0..4).for_each(|_| sip_round(&mut v));
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

fn sip_round(v: &mut [u64; 4]) {
    v[0] = v[0].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(13) ^ v[0];
    v[0] = v[0].rotate_left(32);
    v[2] = v[2].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(16) ^ v[2];
    v[0] = v[0].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(21) ^ v[0];
    v[2] = v[2].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(17) ^ v[2];
    v[2] = v[2].rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of the paper: the key 00 01 .. 0f, and the texts 00, 00 01, and so on.
    #[test]
    fn hashes_are_those_of_the_paper() {
        let key = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        let text: Vec<u8> = (0..15).collect();
        assert_eq!(siphash(key, &text), 0xa129_ca61_49be_45e5);
        assert_eq!(siphash(key, &[]), 0x726f_db47_dd0e_0e31);
    }

    #[test]
    fn what_reads_a_masked_column_is_masked() {
        let derive = |name: &str, expression: &str| -> DeriveRecord {
            serde_json::from_value(serde_json::json!({ "name": name, "expression": expression })).unwrap()
        };
        let derived =
            [derive("key", "first || zip"), derive("first", "lower(\"Given\")"), derive("other", "upper(city)")];
        let masks = ColumnMasks::new(&["given".into(), "NACH.NAME".into()], &derived);
        assert!(masks.has("GIVEN") && masks.has("first") && masks.has("key"));
        assert!(!masks.has("other") && !masks.has("zip"));
        assert!(masks.is_read_by("jaro(l.\"nach.name\", r.x) > 0.9") && masks.is_read_by("substr(l.key, 1, 3)"));
        assert!(!masks.is_read_by("l.given_name = r.given_name"));
        assert!(!ColumnMasks::new(&[], &derived).is_read_by("l.given = r.given"));
    }

    #[test]
    fn equal_values_have_equal_masks() {
        let masks = ColumnMasks::new(&["a".into()], &[]).with_secret(7);
        assert_eq!(masks.mask("x"), masks.value("x".into(), true));
        assert_ne!(masks.mask("x"), masks.mask("y"));
        assert_ne!(masks.mask("x"), masks.clone().with_secret(8).mask("x"));
        assert_eq!(masks.value("x".into(), false), "x");
        assert_eq!(masks.mask("x").len(), 13);
    }
}
