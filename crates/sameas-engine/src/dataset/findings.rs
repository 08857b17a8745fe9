//! What inputs say of the rules: values that cannot be read as rules read them, and conditions that are likely mistakes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rayon::prelude::*;

use super::facts::{FactCache, FactKey, TextUseKey};
use super::layout::RecordLayout;
use super::operand_keys::OperandKeys;
use super::wanted_columns::wanted_names;
use crate::cancel::Cancel;
use crate::expr::{Expr, Side, Type, shown_name};
use crate::records::{ColumnUse, ColumnUses, Frame};
use crate::rules::{Doubt, LinkType, RuleSet, Test, TextReading};

/// What the records of inputs say of the rules.
#[derive(Clone, Debug, Default)]
pub struct InputFindings {
    /// How many values of each column no use could read.
    pub unreadable: BTreeMap<String, u64>,
    /// Columns of which rules can read no value.
    pub doubts: Vec<Doubt>,
}

/// The doubts that rules and ids give without any record; `id` is the column with the ids of the first input, if it has one.
pub fn known_before_reading(rules: &RuleSet, id: Option<&str>) -> Vec<Doubt> {
    let mut doubts = rules.forbidden_rules();
    // Between two inputs ids may be equal.
    if let Some(id) = id.filter(|_| rules.link_type == LinkType::DedupeOnly) {
        doubts.extend(rules.equal_ids(id));
    }
    doubts
}

/// Columns of which rules can read no value; `records` says in words which records there are.
pub fn never_read(rules: &RuleSet, frames: &[Frame], records: &str, cancel: Cancel<'_>) -> Vec<Doubt> {
    let doubt = |(frame, reading): (usize, &TextReading)| {
        let example = frames[frame].example_of_unreadable(&reading.key, &reading.conversion, cancel)?;
        Some(reading.doubt(&example, records))
    };
    readings_of(rules, frames.len()).into_iter().filter_map(doubt).collect()
}

/// What is asked of records: what of them rules could not read.
pub struct AskedFindings<'a> {
    uses: Vec<AskedUse>,
    readings: Vec<AskedReading<'a>>,
}

/// A text column of a frame that rules read as a number or a date.
struct AskedUse {
    frame: usize,
    key: TextUseKey,
    of: ColumnUse,
    known: Option<BTreeMap<String, u64>>,
}

/// A conversion of a text column of a frame.
struct AskedReading<'a> {
    frame: usize,
    key: FactKey,
    reading: &'a TextReading,
    known: Option<Option<String>>,
}

impl<'a> AskedFindings<'a> {
    /// Nothing.
    pub fn none() -> Self {
        Self { uses: Vec::new(), readings: Vec::new() }
    }

    /// What rules ask, with what is known already.
    pub fn new(rules: &'a RuleSet, keys: &OperandKeys, layout: &RecordLayout, known: &FactCache) -> Self {
        let (inputs, frames) = (layout.inputs().len(), layout.frames());
        let read: Vec<BTreeSet<String>> = (0..inputs).map(|input| wanted_names(rules, input)).collect();
        let key = |frame: usize, expr: &Expr| {
            let of_frame = (0..inputs).filter(|input| layout.frame_of(*input) == frame);
            let missing = of_frame.flat_map(|input| missing_columns(expr, input, &read[input])).collect();
            FactKey { expression: keys.of_expression(frame, expr), missing }
        };
        let mut uses = Vec::new();
        for (frame, exprs) in expressions_of(rules, frames).into_iter().enumerate() {
            let mut of_frame = ColumnUses::default();
            exprs.into_iter().for_each(|expr| of_frame.add(expr));
            uses.extend(of_frame.into_vec().into_iter().map(|(column, of)| {
                let key = (column, key(frame, of.expression()));
                AskedUse { frame, known: known.unreadable(&key), key, of }
            }));
        }
        let reading = |(frame, reading): (usize, &'a TextReading)| {
            let key = key(frame, &reading.conversion);
            AskedReading { frame, known: known.example(&key), key, reading }
        };
        Self { uses, readings: readings_of(rules, frames).into_iter().map(reading).collect() }
    }

    /// What has to be computed of the records of frames, because it is not known.
    pub fn missing(&self) -> impl Iterator<Item = (usize, &Expr)> {
        let uses = self.uses.iter().filter(|of| of.known.is_none()).map(|of| (of.frame, of.of.expression()));
        let readings = self.readings.iter().filter(|of| of.known.is_none());
        uses.chain(readings.map(|of| (of.frame, &of.reading.conversion)))
    }

    /// Looks for what is not known in frames that have what it needs.
    pub fn find(&mut self, frames: &[Frame], cancel: Cancel<'_>) {
        self.uses.par_iter_mut().filter(|of| of.known.is_none()).for_each(|of| {
            of.known = Some(frames[of.frame].count_unreadable(&of.key.0, &of.of, cancel));
        });
        for of in self.readings.iter_mut().filter(|of| of.known.is_none()) {
            let (frame, reading) = (&frames[of.frame], of.reading);
            of.known = Some(frame.example_of_unreadable(&reading.key, &reading.conversion, cancel));
        }
    }

    /// Keeps what was found for other jobs.
    pub fn keep(&self, facts: &mut FactCache) {
        for of in &self.uses {
            of.known.iter().for_each(|counts| facts.put_unreadable(of.key.clone(), counts.clone()));
        }
        for of in &self.readings {
            of.known.iter().for_each(|example| facts.put_example(of.key.clone(), example.clone()));
        }
    }

    /// What was found.
    pub fn found(&self) -> InputFindings {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (column, values) in self.uses.iter().flat_map(|of| &of.known).flatten() {
            *counts.entry(column).or_default() += values;
        }
        let counted = counts.into_iter().filter(|(_, values)| *values > 0);
        let example = |of: &AskedReading<'_>| Some(of.reading.doubt(of.known.as_ref()?.as_ref()?, "the inputs"));
        InputFindings {
            unreadable: counted.map(|(column, values)| (shown_name(column).to_owned(), values)).collect(),
            doubts: self.readings.iter().filter_map(example).collect(),
        }
    }
}

/// The columns of an expression that rules do not read of an input, where it is looked at because of another one.
fn missing_columns(expr: &Expr, input: usize, read: &BTreeSet<String>) -> Vec<(usize, String)> {
    let mut missing = BTreeSet::new();
    expr.each_column(&mut |_, column| {
        if !read.contains(column) {
            missing.insert((input, column.to_owned()));
        }
    });
    missing.into_iter().collect()
}

/// The conversions that rules make, each with the frame of its column.
fn readings_of(rules: &RuleSet, frames: usize) -> Vec<(usize, &TextReading)> {
    // With one frame both records of a pair are in it.
    let mut seen = HashSet::new();
    let mut is_new =
        |reading: &&TextReading| frames > 1 || seen.insert((reading.key.clone(), reading.conversion.ty == Type::Date));
    let frame = |side: Side| if side == Side::Left { 0 } else { frames - 1 };
    rules.readings.iter().filter(&mut is_new).map(|reading| (frame(reading.side), reading)).collect()
}

/// All that rules compute of the records of each frame.
fn expressions_of(rules: &RuleSet, frames: usize) -> Vec<Vec<&Expr>> {
    let last = frames - 1;
    let mut of_frame: Vec<Vec<&Expr>> = vec![Vec::new(); frames];
    for predicate in &rules.predicates {
        match &predicate.test {
            Test::Equal { left, right, .. } | Test::Measure { left, right, .. } | Test::ListHasAny { left, right } => {
                of_frame[0].push(left);
                of_frame[last].push(right);
            }
            Test::OneSided { side: Side::Left, condition } => of_frame[0].push(condition),
            Test::OneSided { side: Side::Right, condition } => of_frame[last].push(condition),
            Test::Residual(expr) => of_frame.iter_mut().for_each(|f| f.push(expr)),
            Test::SameSource => {}
        }
    }
    of_frame.iter_mut().for_each(|f| f.extend(&rules.values));
    for (side, derived) in rules.derived.iter().enumerate() {
        of_frame[side.min(last)].extend(derived.iter().map(|d| &d.expr));
    }
    of_frame
}
