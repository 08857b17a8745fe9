//! What plans ask about all records, and no sample of them says.

use crate::candidates::Shape;
use crate::records::encode::{EncodedColumn, OperandKey};
use crate::records::stats::{
    DistinctSketch, EqualityKey, EqualityStatistics, HeaviestValue, OperandStatistics, Statistics, tokenizer_name,
};
use crate::verify::{Check, Program};

/// What statistics say about the operands and checks of a program, by their numbers.
#[derive(Debug)]
pub struct FullCounts<'a> {
    /// Records of both sides.
    pub rows: [f64; 2],
    /// Which pairs are pairs.
    pub shape: Shape,
    /// All pairs there are.
    pub nominal: f64,
    operands: Vec<OperandCounts<'a>>,
    /// Bytes of token sets, by their number.
    set_bytes: Vec<u64>,
    /// The operands of each check that has two, and the pairs in which they are equal.
    checks: Vec<Option<EqualPairs<'a>>>,
}

/// Counts of an operand.
#[derive(Clone, Copy, Debug, Default)]
struct OperandCounts<'a> {
    known: Option<&'a OperandStatistics>,
    /// Distinct values.
    distinct: f64,
    /// Those of its domain.
    domain_values: usize,
}

/// The pairs with equal values of two operands.
#[derive(Clone, Copy, Debug)]
struct EqualPairs<'a> {
    operands: [usize; 2],
    known: Option<&'a EqualityStatistics>,
    pairs: f64,
}

impl<'a> FullCounts<'a> {
    /// What statistics say about a program, whose operands have these keys.
    pub fn new(program: &Program, keys: &[OperandKey], statistics: &'a Statistics) -> Self {
        let operands = operand_counts(program, keys, statistics);
        let of_sets = |(operand, tokenizer): &(usize, _)| {
            let known = operands[*operand].known;
            known.and_then(|known| known.set_bytes.get(&tokenizer_name(*tokenizer))).copied().unwrap_or(0)
        };
        let set_bytes = program.encoded.token_sources.iter().map(of_sets).collect();
        let of_check = |check: &Check| {
            let operands = check.operands().map(|of| [of.left, of.right])?;
            let [left, right] = operands.map(|operand| &keys[operand]);
            let key = EqualityKey::new(left, right, is_null_safe(check));
            let known = statistics.equalities.get(&key);
            let pairs = known.map_or(0.0, |known| match known.exact {
                Some(_) => known.pairs_within(),
                None => known.pairs_within().max(statistics.sketched_pairs(left, right, is_null_safe(check))),
            });
            Some(EqualPairs { operands, known, pairs })
        };
        Self {
            rows: statistics.rows().map(|rows| rows as f64),
            shape: shape_of(statistics),
            nominal: statistics.nominal_pairs(),
            set_bytes,
            checks: program.checks.iter().map(of_check).collect(),
            operands,
        }
    }

    /// The values of the domains of a check's two operands.
    pub fn domain_values(&self, check: &Check) -> [usize; 2] {
        check.operands().map_or([0; 2], |o| [o.left, o.right].map(|operand| self.operands[operand].domain_values))
    }

    /// Bytes that evaluations of a check read here and there.
    pub fn bytes_read_by(&self, check: &Check) -> u64 {
        let is_of_texts = matches!(check, Check::Text { .. });
        let of_operand = |operand: usize| {
            let signatures = |known: &OperandStatistics| if is_of_texts { known.signature_bytes } else { 0 };
            self.operands[operand].known.map_or(0, |known| known.code_bytes() + signatures(known))
        };
        let of_sets = check.tokens().map_or(0, |tokens| self.set_bytes[tokens.left]);
        check.operands().map_or(0, |o| of_operand(o.left) + of_operand(o.right)) + of_sets
    }

    /// Distinct values of a predicate's operands.
    pub fn distinct(&self, predicate: usize) -> [f64; 2] {
        self.checks[predicate].map_or([0.0; 2], |of| of.operands.map(|operand| self.operands[operand].distinct))
    }

    /// Pairs of rows whose two values of a predicate are the same.
    pub fn same(&self, predicate: usize) -> f64 {
        self.checks[predicate].map_or(0.0, |of| of.pairs)
    }

    /// Whether that number is exact: of two operands of one frame about half of the pairs have the left row first.
    pub fn is_exact(&self, predicate: usize) -> bool {
        self.checks[predicate].is_some_and(|of| {
            let is_countable = self.shape == Shape::Rectangle || of.operands[0] == of.operands[1];
            is_countable && of.known.is_some_and(|known| known.exact.is_some())
        })
    }

    /// The value with the most pairs of an equality.
    pub fn heaviest(&self, predicate: usize) -> Option<&'a HeaviestValue> {
        self.checks[predicate]?.known?.exact.as_ref()?.heaviest.as_ref()
    }
}

/// What is known of each operand. Where its domain was not counted as a whole, its values are about those of all its operands.
fn operand_counts<'a>(program: &Program, keys: &[OperandKey], statistics: &'a Statistics) -> Vec<OperandCounts<'a>> {
    let of_operand = |operand: usize| statistics.operands.get(&keys[operand]);
    let mut sketched: Vec<Option<DistinctSketch>> = vec![None; program.encoded.domains.len()];
    for (operand, column) in program.encoded.columns.iter().enumerate() {
        if let Some(known) = of_operand(operand).filter(|known| known.exact.is_none())
            && let Some(sketches) = &known.sketches
        {
            sketched[column.domain].get_or_insert_default().merge(&sketches.distinct);
        }
    }
    let of_domain: Vec<f64> =
        sketched.iter().map(|sketch| sketch.as_ref().map_or(0.0, DistinctSketch::estimate).round()).collect();
    let counts = |(operand, column): (usize, &EncodedColumn)| {
        let known = of_operand(operand);
        let exact = known.and_then(|known| known.exact);
        let domain_values = exact.map_or(of_domain[column.domain] as usize, |exact| exact.domain_values as usize);
        OperandCounts { known, distinct: known.map_or(0.0, OperandStatistics::distinct), domain_values }
    };
    program.encoded.columns.iter().enumerate().map(counts).collect()
}

/// Whether a check takes two nulls for equal.
pub fn is_null_safe(check: &Check) -> bool {
    matches!(check, Check::Equal { null_safe: true, .. })
}

/// Which pairs of the records are pairs.
pub fn shape_of(statistics: &Statistics) -> Shape {
    if statistics.has_two_sides() { Shape::Rectangle } else { Shape::Triangle }
}
