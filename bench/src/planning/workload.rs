//! Data sets with predicates that rules might use.

use std::path::Path;

use sameas_core::cancel::Cancel;
use sameas_joins::candidates::Batch;
use sameas_joins::verify::{Check, Program, RuleProgram, Truth};
use sameas_records::records::encode::NULL;
use sameas_records::records::{Frame, Input, Table};
use sameas_rules::rules::{LinkType, RuleFile, compile, input_columns};

use super::random::Random;

/// A data set of two tables, `a.csv` and `b.csv` in a folder of its name.
pub struct DataSet {
    name: &'static str,
    /// The text columns of the left and the right table.
    texts: [(&'static str, &'static str); 3],
    /// Other conditions.
    others: &'static [&'static str],
}

/// The data sets.
pub const DATA_SETS: [DataSet; 3] = [
    DataSet {
        name: "dblp_acm",
        texts: [("title", "title"), ("authors", "authors"), ("venue", "venue")],
        others: &["l.year = r.year", "abs(l.year - r.year) <= 1", "starts_with(l.title, r.title)"],
    },
    DataSet {
        name: "amazon_google",
        texts: [("title", "name"), ("description", "description"), ("manufacturer", "manufacturer")],
        others: &["abs(l.price - r.price) <= 10", "l.price = r.price", "starts_with(l.title, r.name)"],
    },
    DataSet {
        name: "febrl4",
        texts: [("given_name", "given_name"), ("surname", "surname"), ("address_1", "address_1")],
        others: &[
            "l.postcode = r.postcode",
            "l.state = r.state",
            "l.suburb = r.suburb",
            "l.date_of_birth = r.date_of_birth",
            "abs(l.street_number - r.street_number) <= 2",
        ],
    },
];

/// Pairs of a data set, encoded, and predicates over them.
pub struct Workload {
    /// The name of the data set.
    pub name: &'static str,
    /// The conditions, each with its check.
    pub predicates: Vec<(String, usize)>,
    /// The checks and what they read.
    pub program: Program,
    /// Records of each side.
    pub rows: [u32; 2],
    /// The check that finds similar pairs.
    near: usize,
}

impl Workload {
    /// Reads a data set from the folder that holds all of them.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn read(folder: &Path, set: &DataSet) -> Self {
        let [left, right] = ["a.csv", "b.csv"].map(|file| table(&folder.join(set.name).join(file)));
        let conditions = conditions(set);
        let mut job = RuleFile::default();
        conditions.iter().for_each(|condition| job.add_rule(condition));
        let columns = [&left, &right].map(|table| input_columns(&table.schema, true));
        let rules = compile(&job, LinkType::LinkOnly, [&columns[0], &columns[1]]).unwrap_or_else(|e| panic!("{e}"));
        let frames = [Frame::new(&[(&left, &[])], Cancel::NEVER), Frame::new(&[(&right, &[])], Cancel::NEVER)];
        let compiled = RuleProgram::compile(&rules, frames.len());
        let (encoded, verdicts) =
            (compiled.wanted.encode(&frames, Cancel::NEVER), compiled.verdicts(&frames, Cancel::NEVER));
        let program = compiled.bind(encoded, verdicts, &[], None);
        let check = |at: usize| program.conjunctions[rules.rules[at].conjunctions.start].literals[0].predicate;
        let near = check(NEAR);
        let predicates = conditions.into_iter().enumerate().map(|(at, text)| (text, check(at))).collect();
        Self { name: set.name, predicates, program, rows: [left.rows() as u32, right.rows() as u32], near }
    }

    /// The check of a predicate.
    pub fn check(&self, predicate: usize) -> &Check {
        &self.program.checks[self.predicates[predicate].1]
    }

    /// Pairs drawn at random.
    pub fn random_pairs(&self, count: usize, random: &mut Random) -> Batch {
        let mut draw = |side: usize| (0..count).map(|_| random.below(self.rows[side])).collect();
        Batch { l: draw(0), r: draw(1) }
    }

    /// Pairs drawn at random, every second one replaced by a pair that is similar in the first text column.
    pub fn mixed_pairs(&self, count: usize, random: &mut Random) -> Batch {
        let mut pairs = self.random_pairs(count, random);
        let near = self.near_pairs(count / 2, random);
        for (at, (l, r)) in near.iter().cycle().take(if near.is_empty() { 0 } else { count / 2 }).enumerate() {
            (pairs.l[2 * at], pairs.r[2 * at]) = (*l, *r);
        }
        pairs
    }

    fn near_pairs(&self, count: usize, random: &mut Random) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for _ in 0..self.rows[0] {
            let row = random.below(self.rows[0]);
            let pairs = Batch { l: vec![row; self.rows[1] as usize], r: (0..self.rows[1]).collect() };
            let verdicts = self.verdicts(&self.program.checks[self.near], &pairs);
            found.extend(pairs.r.iter().zip(verdicts).filter(|(_, v)| *v == Truth::True).map(|(r, _)| (row, *r)));
            if found.len() >= count {
                break;
            }
        }
        found
    }

    /// The results of a check for some pairs.
    pub fn verdicts(&self, check: &Check, pairs: &Batch) -> Vec<Truth> {
        let mut truths = vec![Truth::Unknown; pairs.l.len()];
        let all: Vec<u32> = (0..pairs.l.len() as u32).collect();
        check.evaluate(&self.program.encoded, pairs, &all, &mut truths);
        truths
    }

    /// The codes of the operands of a check that compares two columns, without nulls.
    pub fn operand_codes(&self, check: &Check) -> Option<[Vec<u32>; 2]> {
        let operands = check.operands()?;
        let codes = |operand: usize| {
            self.program.encoded.columns[operand].codes.iter().copied().filter(|code| *code != NULL).collect()
        };
        Some([codes(operands.left), codes(operands.right)])
    }
}

/// The condition on the first text column that finds similar pairs.
const NEAR: usize = 7;

fn conditions(set: &DataSet) -> Vec<String> {
    let mut all = Vec::new();
    for (l, r) in set.texts {
        let both = format!("l.{l}, r.{r}");
        all.extend([
            format!("l.{l} = r.{r}"),
            format!("levenshtein({both}) <= 2"),
            format!("levenshtein_similarity({both}) >= 0.8"),
            format!("damerau_similarity({both}) >= 0.8"),
            format!("jaro_winkler({both}) >= 0.9"),
            format!("jaro({both}) >= 0.75"),
            format!("jaccard(words(l.{l}), words(r.{r})) >= 0.5"),
            format!("jaccard(qgrams(l.{l}, 3), qgrams(r.{r}, 3)) >= 0.5"),
        ]);
    }
    all.extend(set.others.iter().map(|text| (*text).to_owned()));
    all
}

fn table(path: &Path) -> Table {
    let source = Input::files([path]).open().unwrap_or_else(|e| panic!("{e}"));
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    source.read(&columns, &|_| ()).unwrap_or_else(|e| panic!("{e}"))
}
