//! Which job a checkpoint is of: threads, memory and devices do not matter, everything that can change a pair does.

use serde::{Deserialize, Serialize};

use crate::engine::prepared::Prepared;
use crate::engine::scoring::{OutsideScores, score_key};
use crate::rules::{DeriveText, LinkType, RuleText};

/// Whether a run went on where an interrupted one had ended. Exhaustive on purpose: programs have a sentence for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Resumption {
    /// No run was interrupted.
    NothingStored,
    /// It went on.
    Resumed {
        /// The branches that had ended.
        branches: usize,
    },
    /// It did everything again.
    StartedOver {
        /// Why.
        reason: StartOverReason,
    },
}

/// Why what an interrupted run has left cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StartOverReason {
    /// Another version of sameas has left it.
    Version {
        /// That version.
        stored: String,
    },
    /// The records of an input are others.
    Input {
        /// The name of the input.
        name: String,
    },
    /// The rules are others, or the inputs, or the columns with the ids.
    Rules,
    /// It cannot be read.
    Unreadable,
}

/// What a checkpoint is found by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobKey {
    version: String,
    link_type: LinkType,
    /// The columns with the ids of each input.
    ids: Vec<Option<String>>,
    derived: Vec<(String, Vec<(String, String)>)>,
    rules: Vec<(Option<String>, String)>,
    nevers: Vec<(Option<String>, String)>,
    /// Files that the rules read: their names and hashes.
    #[serde(default)]
    lists: Vec<(String, String)>,
    /// By how much thresholds are loosened for near pairs, as text.
    #[serde(default)]
    near: Option<String>,
    /// What scores are made by.
    #[serde(default)]
    score: Option<String>,
    inputs: Vec<InputKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputKey {
    name: String,
    rows: u64,
    xxh128: String,
}

impl JobKey {
    /// The key of a job whose inputs have been read.
    pub fn of(prepared: &Prepared) -> Self {
        let (job, file) = (&prepared.job, &prepared.job.rules);
        let derives =
            |texts: &[DeriveText]| texts.iter().map(|text| (text.name.clone(), text.origin.text.clone())).collect();
        let sides =
            ["left", "right"].into_iter().map(str::to_owned).zip(file.derive.iter().map(|texts| derives(texts)));
        let of_inputs = file.derive_of.iter().map(|(name, texts)| (format!("of {name}"), derives(texts)));
        let texts =
            |rules: &[RuleText]| rules.iter().map(|rule| (rule.name.clone(), rule.origin.text.clone())).collect();
        let input = |input: &crate::engine::InputRecord| InputKey {
            name: input.name.clone(),
            rows: input.rows,
            xxh128: input.xxh128.clone(),
        };
        Self {
            version: crate::VERSION.to_owned(),
            link_type: job.link_type,
            ids: prepared.id_columns.clone(),
            derived: sides.chain(of_inputs).collect(),
            rules: texts(&file.rules),
            nevers: texts(&file.nevers),
            lists: prepared.rules.lists.iter().map(|list| (list.path().into(), list.xxh128().into())).collect(),
            near: job.near.map(|amount| amount.to_string()),
            score: prepared.outside.as_ref().map(OutsideScores::key).or_else(|| score_key(job)),
            inputs: prepared.inputs.iter().map(input).collect(),
        }
    }

    /// Why a stored key is not that of `job`, if it is not. Rules are compared first: they decide which columns are read.
    pub fn check(&self, job: &Self) -> Result<(), StartOverReason> {
        if self.version != job.version {
            return Err(StartOverReason::Version { stored: self.version.clone() });
        }
        let others = Self { inputs: job.inputs.clone(), ..self.clone() };
        if others != *job || self.inputs.len() != job.inputs.len() {
            return Err(StartOverReason::Rules);
        }
        let changed = self.inputs.iter().zip(&job.inputs).find(|(stored, input)| stored != input);
        changed.map_or(Ok(()), |(_, input)| Err(StartOverReason::Input { name: input.name.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    use super::*;
    use crate::device::DeviceChoice;
    use crate::engine::{Job, Progress, Settings};
    use crate::records::Input;

    fn key() -> JobKey {
        let input = InputKey { name: "people".into(), rows: 3, xxh128: "00".into() };
        JobKey {
            version: "1".into(),
            link_type: LinkType::DedupeOnly,
            ids: vec![None],
            derived: vec![("left".into(), vec![("a".into(), "lower(b)".into())])],
            rules: vec![(None, "l.a = r.a".into())],
            nevers: Vec::new(),
            lists: vec![("names.csv".into(), "00".into())],
            near: None,
            score: None,
            inputs: vec![input],
        }
    }

    #[test]
    fn what_changed_is_the_reason() {
        let reason = |change: &dyn Fn(&mut JobKey)| {
            let mut job = key();
            change(&mut job);
            key().check(&job).err()
        };
        assert_eq!(reason(&|_| {}), None);
        assert_eq!(reason(&|job| job.version = "2".into()), Some(StartOverReason::Version { stored: "1".into() }));
        let input = Some(StartOverReason::Input { name: "people".into() });
        assert_eq!(reason(&|job| job.inputs[0].xxh128 = "01".into()), input);
        assert_eq!(reason(&|job| job.inputs[0].rows = 4), input);
        assert_eq!(reason(&|job| job.rules[0].0 = Some("same".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.derived[0].1.clear()), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.lists[0].1 = "01".into()), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.ids[0] = Some("x".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.near = Some("0.05".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.inputs.clear()), Some(StartOverReason::Rules));
    }

    /// The key of a dedupe of these records.
    fn key_of(input: Input, id: &str) -> JobKey {
        let job = Job::dedupe(input).with_rule("l.x = r.x").with_id(id).with_null_ids_skipped();
        let settings = Settings { device: DeviceChoice::Cpu, ..Settings::default() };
        let is_cancelled = || false;
        JobKey::of(&Prepared::unplanned(&job, &settings, Progress::new(&(), &is_cancelled)).unwrap())
    }

    #[test]
    fn how_records_are_read_is_part_of_the_job() {
        let text = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
        let columns = [("id", text(["1", "2", "-"])), ("no", text(["1", "2", "3"])), ("x", text(["a", "-", "b"]))];
        let people = RecordBatch::try_from_iter(columns).unwrap();
        let input = Input::batches("people", people.schema(), vec![people]).unwrap();
        let plain = key_of(input.clone(), "id");
        assert_eq!(plain.check(&key_of(input.clone(), "id")), Ok(()));
        let changed = Err(StartOverReason::Input { name: "people".into() });
        let with_nulls = key_of(input.clone().with_null_texts(["-"]), "id");
        assert_eq!(plain.check(&with_nulls), changed);
        assert_eq!((plain.inputs[0].rows, with_nulls.inputs[0].rows), (3, 2));
        // Texts that no record has change nothing.
        assert_eq!(plain.check(&key_of(input.clone().with_null_texts(["NULL"]), "id")), Ok(()));
        assert_eq!(plain.check(&key_of(input, "no")), Err(StartOverReason::Rules));
    }
}
