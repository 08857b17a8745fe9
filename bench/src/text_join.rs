//! The benchmark of the text measures over all pairs of the lines of a file.
//!
//! Arguments: `--file names.txt` (one text per line), `--measure levenshtein|jaro_winkler`, `--cutoff 2` (edits at
//! most, or similarity at least) or `--cutoff none`, `--repeats 5`. One line of JSON.
//!
//! A run begins with the lines in memory: recoding, signatures and the memory for results are timed. With a cutoff the
//! result is the pairs of different lines; without one it is the whole matrix, bytes or `f32`, both sides in order of
//! length.

use std::sync::atomic::Ordering;
use std::time::Instant;

use rayon::prelude::*;
use sameas_joins::candidates::ValueJoin;
use sameas_joins::candidates::text_join::{TextJoin, TextPredicate};
use sameas_measures::EditCount;
use sameas_measures::lanes::{Isa, matrix};
use sameas_records::records::encode::{Signatures, Strings};
use serde_json::{Value, json};

use super::report;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let option = |name: &str| report::option(args, name);
    let file = option("--file").expect("--file names the texts");
    let measure = option("--measure").unwrap_or("levenshtein");
    let cutoff: Option<f64> = match option("--cutoff").unwrap_or("none") {
        "none" => None,
        number => Some(number.parse().expect("--cutoff takes a number or none")),
    };
    let repeats: usize = option("--repeats").map_or(5, |text| text.parse().expect("--repeats takes a number"));
    let lines: Vec<String> = report::lines(file).into_iter().filter(|line| !line.is_empty()).collect();
    let winkler = match measure {
        "levenshtein" => false,
        "jaro_winkler" => true,
        other => panic!("--measure {other}: levenshtein or jaro_winkler"),
    };
    let (mut seconds, mut result) = (Vec::new(), Value::Null);
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        let texts = Texts::new(&lines);
        let outcome = match cutoff {
            Some(cutoff) => Outcome::Pairs(pairs(&texts, predicate(winkler, cutoff))),
            None if winkler => Outcome::Similarities(similarities(&texts)),
            None => Outcome::Distances(distances(&texts)),
        };
        seconds.push(start.elapsed().as_secs_f64());
        result = outcome.facts();
    }
    let mut facts = json!({
        "op": "text_join", "file": file, "n": lines.len(), "measure": measure, "cutoff": cutoff, "seconds": seconds,
        "nominal": lines.len() * lines.len(), "threads": rayon::current_num_threads(), "instructions": Isa::detect().name(),
    });
    for (name, value) in result.as_object().into_iter().flatten() {
        facts[name] = value.clone();
    }
    report::print(&facts);
}

/// Lines as bytes, one for each character of a small alphabet.
pub(crate) struct Texts {
    units: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn new(lines: &[String]) -> Self {
        let mut alphabet: Vec<char> = Vec::new();
        let (mut units, mut ends) = (Vec::new(), Vec::with_capacity(lines.len()));
        let mut ascii = [u8::MAX; 128];
        for line in lines {
            for c in line.chars() {
                let known = ascii.get(c as usize).copied().filter(|code| *code != u8::MAX);
                units.push(known.unwrap_or_else(|| code(&mut alphabet, &mut ascii, c)));
            }
            ends.push(units.len());
        }
        Self { units, ends }
    }

    /// The number of texts.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn strings(&self) -> Strings<'_, u8> {
        Strings::new(&self.units, &self.ends)
    }

    /// All texts, the shortest first.
    fn by_length(&self) -> Vec<&[u8]> {
        let strings = self.strings();
        let mut texts: Vec<&[u8]> = (0..self.ends.len() as u32).map(|code| strings.get(code)).collect();
        texts.sort_by_key(|text| text.len());
        texts
    }
}

/// The code of a character that is new or not ASCII.
fn code(alphabet: &mut Vec<char>, ascii: &mut [u8; 128], c: char) -> u8 {
    let at = alphabet.iter().position(|other| *other == c).unwrap_or_else(|| {
        alphabet.push(c);
        alphabet.len() - 1
    });
    let code = u8::try_from(at).ok().filter(|code| *code != u8::MAX).expect("at most 255 different characters");
    if let Some(entry) = ascii.get_mut(c as usize) {
        *entry = code;
    }
    code
}

fn predicate(winkler: bool, cutoff: f64) -> TextPredicate<'static> {
    if winkler {
        TextPredicate::JaroWinkler(Box::new(move |similarity| similarity >= cutoff))
    } else {
        TextPredicate::Edits(EditCount::Levenshtein, Box::new(move |_, _| Some(cutoff as usize)))
    }
}

/// The pairs of different lines that satisfy the predicate, and the number that the measure decided.
fn pairs(texts: &Texts, predicate: TextPredicate<'_>) -> (Vec<(u32, u32)>, u64) {
    let all: Vec<u32> = (0..texts.ends.len() as u32).collect();
    let signatures = Signatures::new(texts.strings(), all.len() as u32);
    let mut join = TextJoin::new(texts.strings(), &signatures, &all, None, predicate);
    let mut found = Vec::new();
    for round in 0..join.rounds() {
        join.prepare(round);
        let parts = (0..join.tasks()).into_par_iter().map(|task| {
            let mut part = Vec::new();
            join.run(task, &mut |a, b| part.extend((a != b).then_some((a, b))));
            part
        });
        found.extend(parts.collect::<Vec<_>>().into_iter().flatten());
    }
    (found, join.counters().verified.load(Ordering::Relaxed))
}

fn distances(texts: &Texts) -> Vec<u8> {
    let texts = texts.by_length();
    let mut out = vec![0; texts.len() * texts.len()];
    matrix::all_distances::<false>(Isa::detect(), &texts, &texts, &mut out);
    out
}

fn similarities(texts: &Texts) -> Vec<f32> {
    let texts = texts.by_length();
    let mut out = vec![0.0; texts.len() * texts.len()];
    matrix::all_similarities::<true>(Isa::detect(), &texts, &texts, &mut out);
    out
}

/// What a run found.
enum Outcome {
    Pairs((Vec<(u32, u32)>, u64)),
    Distances(Vec<u8>),
    Similarities(Vec<f32>),
}

impl Outcome {
    /// What is compared with a peer: the pairs, or the sum over the matrix.
    fn facts(&self) -> Value {
        match self {
            Self::Pairs((pairs, verified)) => {
                json!({ "pairs": pairs.len(), "digest": report::digest(pairs.iter().copied()), "verified": verified })
            }
            Self::Distances(matrix) => json!({ "sum": matrix.par_iter().map(|d| f64::from(*d)).sum::<f64>() }),
            Self::Similarities(matrix) => json!({ "sum": matrix.par_iter().map(|s| f64::from(*s)).sum::<f64>() }),
        }
    }
}
