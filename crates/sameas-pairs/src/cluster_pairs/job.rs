//! What is to be clustered, and how.

use std::path::Path;

use crate::engine::{DECIDED, RunRecord};
use crate::error::{Error, Result};
use crate::output::current;
use crate::records::Input;
use crate::rules::{ClusterSpec, LinkType, RuleFile};

/// Pairs, and how clusters are to be made of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterPairsJob {
    /// The pairs.
    pub pairs: Input,
    /// What their columns are called; also those of forbidden pairs.
    pub columns: PairColumnNames,
    /// The sources of the left and of the right records, where no column names them: an id of both sides is then that of two records.
    pub sides: Option<[String; 2]>,
    /// All records, where they are known: those without a pair are clusters of their own, and limits count their values. Without
    /// them the records are those of the pairs.
    pub records: Vec<Input>,
    /// The column of the records with their ids; by default `id`, else `unique_id`.
    pub id: Option<String>,
    /// The column of the records with their sources; by default `source_dataset`, and where there is none, an input is a source.
    pub source: Option<String>,
    /// How clusters are made.
    pub spec: ClusterSpec,
    /// The rules whose limits and derived columns are meant, and whose order decides between pairs of equal score.
    pub rules: RuleFile,
    /// Pairs that must not be together.
    pub keep_apart: Option<Input>,
    /// Judgements: pairs that are the same, or different.
    pub decided: Option<Input>,
    /// The names of rules in their order, as far as it is known; others come after them, by name.
    pub rule_order: Vec<String>,
    /// Rules whose pairs are certain, whatever their score.
    pub certain_rules: Vec<String>,
    /// The command that makes it, for its record.
    pub command: Vec<String>,
}

/// What the columns of pairs are called, where it is not what results of a run call them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairColumnNames {
    /// The two ids; by default `unique_id_l` and `unique_id_r`, else `id_l` and `id_r`.
    pub ids: Option<[String; 2]>,
    /// The two sources; by default `source_dataset_l` and `source_dataset_r`, if they are there.
    pub sources: Option<[String; 2]>,
    /// The score; by default `match_probability`, else `match_weight`, else `score`, if one of them is there.
    pub score: Option<String>,
    /// The rule; by default `match_key`, if it is there.
    pub match_key: Option<String>,
    /// Whether a pair is certain; by default `certain`, if it is there.
    pub certain: Option<String>,
}

impl ClusterPairsJob {
    /// The connected components of these pairs.
    pub fn new(pairs: Input) -> Self {
        Self {
            pairs,
            columns: PairColumnNames::default(),
            sides: None,
            records: Vec::new(),
            id: None,
            source: None,
            spec: ClusterSpec::default(),
            rules: RuleFile::default(),
            keep_apart: None,
            decided: None,
            rule_order: Vec::new(),
            certain_rules: Vec::new(),
            command: Vec::new(),
        }
    }

    /// The same of the pairs of a run, whose results are in a folder: the order of its rules is known, and which are certain. Of a
    /// link of two inputs it is known which input each side is from.
    pub fn of_run(folder: &Path) -> Result<Self> {
        let path = folder.join("run.json");
        let run = RunRecord::read(&current(&path))?;
        let pairs = run.files.iter().find(|file| file.name.starts_with("pairs.")).ok_or_else(|| {
            Error::data(format!("the run in `{}` has written no pairs", folder.display()))
                .with_help("name the folder that a dedupe or a link has written, or a file of pairs")
        })?;
        let mut job = Self::new(Input::files([folder.join(&pairs.name)]));
        if let (LinkType::LinkOnly, [left, right]) = (run.link_type, &run.inputs[..]) {
            job.sides = Some([left.name.clone(), right.name.clone()]);
        }
        job.rule_order = run.rules.iter().map(|rule| rule.name.clone()).collect();
        if let Some(spec) = &run.job.spec {
            let rules = RuleFile::of_parts(&spec.rules)?;
            let certain = rules.rules.iter().filter(|rule| rule.is_certain).count();
            job.certain_rules = job.rule_order.iter().take(certain).cloned().collect();
        }
        if run.decided.is_some() {
            // Pairs that were decided to be the same in the run stay the strongest.
            for names in [&mut job.rule_order, &mut job.certain_rules] {
                names.insert(0, DECIDED.to_owned());
            }
        }
        Ok(job)
    }

    /// The same with clusters as a rule file says; it needs no rules.
    #[must_use]
    pub fn with_rules(mut self, rules: RuleFile) -> Self {
        self.spec = rules.cluster_spec().clone();
        self.rules = rules;
        self
    }

    /// The same with clusters that are made like this.
    #[must_use]
    pub fn with_spec(mut self, spec: ClusterSpec) -> Self {
        self.spec = spec;
        self
    }

    /// The same with all records of an input, one more of perhaps several.
    #[must_use]
    pub fn with_records(mut self, records: Input) -> Self {
        self.records.push(records);
        self
    }

    /// The same with pairs that must not be together.
    #[must_use]
    pub fn with_kept_apart(mut self, pairs: Input) -> Self {
        self.keep_apart = Some(pairs);
        self
    }

    /// The same with judgements.
    #[must_use]
    pub fn with_decided(mut self, judgements: Input) -> Self {
        self.decided = Some(judgements);
        self
    }

    /// All that it reads.
    pub fn files_read(&self) -> Vec<Input> {
        let others = self.keep_apart.iter().chain(&self.decided);
        std::iter::once(&self.pairs).chain(&self.records).chain(others).cloned().collect()
    }
}
