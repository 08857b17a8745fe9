//! Made-up records, and the conditions that are timed over them.
//!
//! Texts come in columns of several lengths, once without nulls and once with two nulls per text. The right side holds
//! a misspelt copy of each left text, so that pairs of one row are similar, and all others are unrelated.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use crate::cancel::Cancel;
use crate::candidates::{BATCH, Batch};
use crate::error::{Error, Result};
use crate::measure::{MeasureKind, SetForm, SetMeasure, TextForm, TextMeasure};
use crate::records::{Frame, RowOrigin, Table};
use crate::rules::{LinkType, RuleFile, compile, input_columns};
use crate::verify::{Check, Program, RuleProgram};

/// The lengths of texts, in characters.
const LENGTHS: [usize; 6] = [8, 16, 32, 64, 128, 512];

/// Letters as frequent as in names and titles.
const LETTERS: &[u8] = b"eeeeeeeaaaaaiiiiinnnnnoooorrrrtttsssllllddhhccuummggppbbkyfvwzj      ";

/// Encoded records, checks over them and pairs to check.
pub struct CalibrationData {
    /// The checks and what they read.
    pub program: Program,
    /// One that is false of every pair.
    pub refusal: usize,
    /// What is timed.
    pub timed: Vec<TimedCondition>,
    /// Pairs of unrelated records.
    pub far: Batch,
    /// Pairs; half of them are a record and its copy.
    pub near: Batch,
}

/// A condition to time.
pub struct TimedCondition {
    /// As rules write it.
    pub condition: String,
    /// The length of its texts, if it compares texts.
    pub length: Option<usize>,
    /// Its check.
    pub check: usize,
}

impl CalibrationData {
    /// Makes this many records per side.
    pub fn new(records: usize) -> Result<Self> {
        let mut random = TextGenerator(0x5EED);
        let [left, right] = tables(records, &mut random)?;
        let (mut job, conditions) = (RuleFile::default(), conditions());
        conditions.iter().for_each(|(condition, _)| job.add_rule(condition));
        job.add_rule("l.n < 0");
        let columns = [&left, &right].map(|table| input_columns(&table.schema, true));
        let rules = compile(&job, LinkType::LinkOnly, [&columns[0], &columns[1]])?;
        let frames = [Frame::new(&[(&left, &[])], Cancel::NEVER), Frame::new(&[(&right, &[])], Cancel::NEVER)];
        let compiled = RuleProgram::compile(&rules, frames.len());
        let (encoded, verdicts) =
            (compiled.wanted.encode(&frames, Cancel::NEVER), compiled.verdicts(&frames, Cancel::NEVER));
        let mut program = compiled.bind(encoded, verdicts, &[], None);
        let mut predicates: Vec<usize> = rules
            .rules
            .iter()
            .map(|rule| program.conjunctions[rule.conjunctions.start].literals[0].predicate)
            .collect();
        let refusal = predicates.pop().unwrap_or_default();
        let timed = conditions.into_iter().zip(predicates);
        let timed = timed.map(|((condition, length), check)| TimedCondition { condition, length, check });
        let mut timed: Vec<TimedCondition> = timed.collect();
        let check = program.add_check(Check::SameSource { borders: vec![records as u32 / 2] });
        timed.push(TimedCondition { condition: "same source".to_owned(), length: None, check });
        let [far, near] = [0, 2].map(|share| pairs(records, share, &mut random));
        Ok(Self { program, refusal, timed, far, near })
    }
}

/// A batch of pairs; one in `share` of them is a record and its copy, none for 0.
fn pairs(records: usize, share: usize, random: &mut TextGenerator) -> Batch {
    let mut batch = Batch::default();
    for at in 0..BATCH {
        let l = random.below(records);
        let copy = share > 0 && at % share == 0;
        batch.l.push(l as u32);
        batch.r.push(if copy { l } else { random.below(records) } as u32);
    }
    batch
}

/// The conditions, with the lengths of their texts. Each is one predicate.
fn conditions() -> Vec<(String, Option<usize>)> {
    let plain = ["abs(l.n - r.n) <= 5", "l.n > 500", "l.n < r.n", "l.n + r.n > 700", "(l.n + r.n) * 2 > l.n * r.n"];
    let mut all: Vec<(String, Option<usize>)> = plain.iter().map(|text| ((*text).to_owned(), None)).collect();
    for length in LENGTHS {
        all.extend(of_length(length).into_iter().map(|text| (text, Some(length))));
    }
    all
}

fn of_length(length: usize) -> Vec<String> {
    let (t, most) = (format!("t{length}"), length / 8 + 1);
    let both = format!("l.{t}, r.{t}");
    let mut texts = vec![
        format!("l.{t} = r.{t}"),
        format!("levenshtein({both}) <= {most}"),
        format!("levenshtein({both}) > {}", length * 2 / 3),
        format!("hamming({both}) <= {most}"),
        format!("list_has_any(words(l.{t}), words(r.{t}))"),
        format!("starts_with(l.{t}, r.{t})"),
        format!("length(l.{t} || r.{t}) > {length}"),
    ];
    let sparse = format!("l.sparse_{t}, r.sparse_{t}");
    for measure in TextMeasure::ALL {
        let (name, is_of_edits) = (measure.facts().words.name, matches!(measure.form(), TextForm::Edits(..)));
        match measure.facts().kind {
            MeasureKind::Similarity => {
                let least = if is_of_edits { [0.8, 0.6, 0.4] } else { [0.9, 0.8, 0.6] };
                texts.extend(least.map(|least| format!("{name}({both}) >= {least}")));
                if !is_of_edits {
                    texts.push(format!("{name}({sparse}) >= 0.8"));
                }
            }
            MeasureKind::Distance | MeasureKind::Common => texts.push(format!("{name}({sparse}) <= {most}")),
        }
    }
    let sparse = format!("words(l.sparse_{t}), words(r.sparse_{t})");
    texts.extend([format!("jaccard({sparse}) >= 0.5"), format!("list_has_any({sparse})")]);
    for sets in [format!("words(l.{t}), words(r.{t})"), format!("qgrams(l.{t}, 3), qgrams(r.{t}, 3)")] {
        texts.extend(["jaccard", "cosine"].map(|measure| format!("{measure}({sets}) >= 0.5")));
    }
    let of_elements = SetMeasure::ALL.iter().filter(|measure| matches!(measure.form(), SetForm::BestMatches(_)));
    for name in of_elements.map(|measure| measure.facts().words.name) {
        texts.push(format!("{name}({sparse}) >= 0.8"));
        texts.extend([0.9, 0.6].map(|least| format!("{name}(words(l.{t}), words(r.{t})) >= {least}")));
    }
    texts
}

fn tables(records: usize, random: &mut TextGenerator) -> Result<[Table; 2]> {
    let mut sides: [Vec<(String, ArrayRef)>; 2] = Default::default();
    let mut add = |name: &str, left: ArrayRef, right: ArrayRef| {
        sides[0].push((name.to_owned(), left));
        sides[1].push((name.to_owned(), right));
    };
    let numbers = |random: &mut TextGenerator| -> ArrayRef {
        Arc::new((0..records).map(|_| Some(random.below(1000) as i64)).collect::<Int64Array>())
    };
    add("n", numbers(random), numbers(random));
    for length in LENGTHS {
        let left: Vec<String> = (0..records).map(|_| random.text(length)).collect();
        let right: Vec<String> = left.iter().map(|text| random.misspelt(text)).collect();
        let whole = |texts: &[String]| -> ArrayRef { Arc::new(StringArray::from_iter_values(texts)) };
        let sparse = |texts: &[String]| -> ArrayRef {
            Arc::new(texts.iter().enumerate().map(|(at, text)| (at % 3 == 0).then_some(text)).collect::<StringArray>())
        };
        add(&format!("t{length}"), whole(&left), whole(&right));
        add(&format!("sparse_t{length}"), sparse(&left), sparse(&right));
    }
    let [left, right] = sides.map(RecordBatch::try_from_iter);
    let table = |name: &str, batch: RecordBatch| Table {
        name: name.to_owned(),
        schema: batch.schema(),
        batches: vec![batch],
        files: Vec::new(),
        origin: RowOrigin::default(),
    };
    let failed = |error: arrow_schema::ArrowError| Error::internal(error.to_string());
    Ok([table("left", left.map_err(failed)?), table("right", right.map_err(failed)?)])
}

/// Random texts from a stream of random numbers (SplitMix64).
struct TextGenerator(u64);

impl TextGenerator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn letter(&mut self) -> char {
        char::from(LETTERS[self.below(LETTERS.len())])
    }

    /// A text of about `length` characters: a quarter more or less.
    fn text(&mut self, length: usize) -> String {
        let letters = length - length / 4 + self.below(length / 2 + 1);
        (0..letters).map(|_| self.letter()).collect()
    }

    /// A copy in which up to a third of the characters have been replaced, left out or doubled.
    fn misspelt(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..self.below(letters.len() / 3 + 2) {
            let at = self.below(letters.len());
            match self.below(3) {
                0 => letters[at] = self.letter(),
                1 if letters.len() > 1 => drop(letters.remove(at)),
                _ => letters.insert(at, letters[at]),
            }
        }
        letters.into_iter().collect()
    }
}
