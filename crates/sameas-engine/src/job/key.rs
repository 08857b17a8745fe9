//! Which job a checkpoint is of: threads, memory and devices do not matter, everything that can change a pair does.

use serde::{Deserialize, Serialize};

use super::spec::JobSpec;
use crate::error::Result;
use crate::rules::{DeriveText, LinkType, RuleFile, RuleText};

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
    /// The rules are others, or the files that they read, or the inputs, or the columns with the ids.
    Rules,
    /// It cannot be read.
    Unreadable,
}

/// What a checkpoint is found by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobKey {
    version: String,
    link_type: LinkType,
    /// The columns with the ids of each input.
    ids: Vec<Option<String>>,
    derived: Vec<(String, Vec<(String, String)>)>,
    rules: Vec<(Option<String>, String)>,
    nevers: Vec<(Option<String>, String)>,
    /// What limits of clusters count: their values are numbered with those of the rules.
    #[serde(default)]
    limits: Vec<String>,
    /// Files that the rules read: their names and hashes.
    #[serde(default)]
    lists: Vec<(String, String)>,
    /// By how much thresholds are loosened for near pairs, as text.
    #[serde(default)]
    near: Option<String>,
    /// What scores are made by.
    #[serde(default)]
    score: Option<String>,
    /// Term frequencies that are given: columns and hashes of tables.
    #[serde(default)]
    term_frequencies: Vec<(String, String)>,
    /// The inputs, as far as rules read them.
    pub inputs: Vec<InputKey>,
}

/// The records of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputKey {
    /// Its name.
    pub name: String,
    /// How many there are.
    pub rows: u64,
    /// The hash of their columns.
    pub xxh128: String,
}

/// What identifies all that a job has read.
#[derive(Clone, Debug, Default)]
pub struct ReadByJob {
    /// The inputs, as far as rules read them.
    pub inputs: Vec<InputKey>,
    /// The columns with the ids of each input.
    pub ids: Vec<Option<String>>,
    /// Files that the rules read: their names and hashes.
    pub lists: Vec<(String, String)>,
    /// What scores are made by.
    pub score: Option<String>,
    /// Term frequencies that are given: columns and hashes of tables.
    pub term_frequencies: Vec<(String, String)>,
}

impl JobKey {
    /// The key of a job that has read this. How its inputs are read, and where its rules were written, is left out: what was
    /// read, and what the rules say, is in it. So a job over records at hand goes on after one that has read its inputs.
    pub fn new(spec: &JobSpec, read: ReadByJob) -> Result<Self> {
        // Every field is named, so that a new one is not forgotten: those without a name are known by what was read.
        let JobSpec {
            link_type,
            rules,
            near,
            version: _,
            inputs: _,
            ids: _,
            ids_of_rules: _,
            skip_null_ids: _,
            model: _,
            scores: _,
            term_frequencies: _,
            // They are applied to what all branches have found.
            decided: _,
            files: _,
            folder: _,
            // It allows a job to be run, and changes no pair.
            all_pairs: _,
            // They are made of pairs.
            tables: _,
        } = spec;
        let file = RuleFile::of_parts(rules)?;
        let derives =
            |texts: &[DeriveText]| texts.iter().map(|text| (text.name.clone(), text.origin.text.clone())).collect();
        let sides =
            ["left", "right"].into_iter().map(str::to_owned).zip(file.derive.iter().map(|texts| derives(texts)));
        let of_inputs = file.derive_of.iter().map(|(name, texts)| (format!("of {name}"), derives(texts)));
        let texts =
            |rules: &[RuleText]| rules.iter().map(|rule| (rule.name.clone(), rule.origin.text.clone())).collect();
        let ReadByJob { inputs, ids, lists, score, term_frequencies } = read;
        Ok(Self {
            version: crate::VERSION.to_owned(),
            link_type: *link_type,
            ids,
            derived: sides.chain(of_inputs).collect(),
            rules: texts(&file.rules),
            nevers: texts(&file.nevers),
            limits: file.cluster_spec().limits.iter().map(|limit| limit.expression.clone()).collect(),
            lists,
            near: near.map(|amount| amount.to_string()),
            score,
            term_frequencies,
            inputs,
        })
    }

    /// Why a stored key is not that of `job`, if it is not. Rules are compared first: they decide which columns are read.
    pub fn check(&self, job: &Self) -> std::result::Result<(), StartOverReason> {
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
    use super::*;
    use crate::job::Job;
    use crate::records::Input;

    /// A job keeps its key when its description is stored and made a job again, wherever its rules were written.
    #[test]
    fn a_key_is_that_of_what_a_description_says() {
        let key = |spec: &JobSpec| JobKey::new(spec, ReadByJob::default()).unwrap();
        let text = "[derive]\nname = \"lower(first)\"\n[[rule]]\nname = \"same\"\nwhen = \"l.name = r.name\"\n\
                    [[never]]\nwhen = \"l.city <> r.city\"\n";
        let job_in = |path: &str| {
            let rules = RuleFile::parse(text, path).unwrap();
            Job::dedupe(Input::files(["people.csv"])).with_rules(rules).with_rule("l.email = r.email")
        };
        let spec = JobSpec::new(&job_in("a.toml"));
        let stored = JobSpec::parse(&serde_json::to_string(&spec).unwrap(), "run.json").unwrap();
        let again = JobSpec::new(&stored.job(&[]).unwrap());
        assert_eq!((key(&spec), key(&spec)), (key(&again), key(&JobSpec::new(&job_in("b.toml")))));
        let JobKey { derived, rules, nevers, .. } = key(&spec);
        assert_eq!(derived[0], ("left".to_owned(), vec![("name".to_owned(), "lower(first)".to_owned())]));
        let [named, other] = &rules[..] else { panic!("{rules:?}") };
        assert_eq!((named.0.as_deref(), other), (Some("same"), &(None, "l.email = r.email".to_owned())));
        assert_eq!(nevers, [(None, "l.city <> r.city".to_owned())]);
        let decided = JobSpec::new(&job_in("a.toml").with_decisions(Input::files(["judged.csv"])));
        assert_eq!(key(&spec), key(&decided));
        let nearer = JobSpec::new(&job_in("a.toml").with_near(0.1));
        assert_eq!(key(&spec).check(&key(&nearer)), Err(StartOverReason::Rules));
    }

    fn key() -> JobKey {
        let input = InputKey { name: "people".into(), rows: 3, xxh128: "00".into() };
        JobKey {
            version: "1".into(),
            link_type: LinkType::DedupeOnly,
            ids: vec![None],
            derived: vec![("left".into(), vec![("a".into(), "lower(b)".into())])],
            rules: vec![(None, "l.a = r.a".into())],
            nevers: Vec::new(),
            limits: Vec::new(),
            lists: vec![("names.csv".into(), "00".into())],
            near: None,
            score: None,
            term_frequencies: vec![("surname".into(), "00".into())],
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
        assert_eq!(reason(&|job| job.term_frequencies[0].1 = "01".into()), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.ids[0] = Some("x".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.limits.push("passport".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.near = Some("0.05".into())), Some(StartOverReason::Rules));
        assert_eq!(reason(&|job| job.inputs.clear()), Some(StartOverReason::Rules));
    }
}
