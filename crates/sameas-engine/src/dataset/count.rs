//! One pass over every operand, domain by domain: how often values occur, exact numbers of pairs with equal values, and pairs
//! drawn from them. What is known already is taken as it is.
//!
//! The rows of each value are counted for the operands of one domain at a time, so that the counts of few are in memory.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::equal_pairs::{EqualCount, EqualSides};
use super::known_statistics::{KnownStatistics, TokenKey};
use super::layout::RecordLayout;
use super::operand_keys::OperandKeys;
use super::shared::Dataset;
use crate::cancel::Cancel;
use crate::candidates::Shape;
use crate::expr::FieldValue;
use crate::records::encode::{Domain, Encoded, OperandKey};
use crate::records::stats::{
    ColumnFacts, ColumnStatistics, EqualityKey, EqualityStatistics, ExactPairs, ExactValues, Frequencies, HashedRow,
    HeaviestValue, InputCount, OperandStatistics, Random, SAMPLE, SEED, SampledPair, SampledRow, Statistics,
    TokenStatistics, least_of, least_rows, sample_rows, sampled_of_each, tokenizer_name,
};
use crate::verify::{Check, Program, Sides};

/// What was counted of all records of a job.
#[derive(Clone, Debug)]
pub struct CountedRecords {
    /// What plans are made from.
    pub statistics: Statistics,
    /// What readers want to know of columns.
    pub columns: ColumnFacts,
}

/// Counts the records that a program is over.
#[derive(Clone, Copy)]
pub struct RecordCounter<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its operands are.
    pub keys: &'a [OperandKey],
    /// Where the records lie.
    pub layout: &'a RecordLayout,
    /// What results call the inputs.
    pub names: &'a [String],
    /// The numbers of the records of each input among all there are, ascending, where these are some of them.
    pub numbers: Option<&'a [Vec<u64>]>,
}

/// Two operands of one domain that a check compares.
struct AskedEquality {
    key: EqualityKey,
    operands: Sides<usize>,
    null_safe: bool,
    /// Whether pairs are drawn.
    is_drawn: bool,
}

/// What is to be counted of a domain.
#[derive(Default)]
struct UncountedDomain<'q> {
    operands: Vec<usize>,
    equalities: Vec<&'q AskedEquality>,
}

impl Dataset {
    /// What is known of the records that a program of these operands is over. Whatever nobody has counted before is counted.
    #[doc(hidden)]
    pub fn count(&self, program: &Program, keys: &OperandKeys, cancel: Cancel<'_>) -> CountedRecords {
        let names: Vec<String> = self.inputs().iter().map(|input| input.name.clone()).collect();
        let (keys, layout) = (&keys.operands[..], self.layout());
        let counter = RecordCounter { program, keys, layout, names: &names, numbers: None };
        let (tokens, equalities) = (counter.tokens(), counter.equalities());
        let mut known = self.facts().statistics.select(keys, tokens.iter(), equalities.iter().map(|asked| &asked.key));
        let found = counter.find(&known, &tokens, &equalities, cancel);
        self.count_found(found.entries());
        self.facts().statistics.add(found.clone());
        known.add(found);
        counter.put_together(&known, &tokens)
    }
}

impl RecordCounter<'_> {
    /// Counts everything.
    pub fn count(&self, cancel: Cancel<'_>) -> CountedRecords {
        let (tokens, equalities) = (self.tokens(), self.equalities());
        let found = self.find(&KnownStatistics::default(), &tokens, &equalities, cancel);
        self.put_together(&found, &tokens)
    }

    fn encoded(&self) -> &Encoded {
        &self.program.encoded
    }

    fn shape(&self) -> Shape {
        if self.layout.has_two_sides() { Shape::Rectangle } else { Shape::Triangle }
    }

    /// What each token set of the program is.
    fn tokens(&self) -> Vec<TokenKey> {
        let sources = self.encoded().token_sources.iter();
        sources.map(|(operand, tokenizer)| (self.keys[*operand].clone(), tokenizer_name(*tokenizer))).collect()
    }

    /// What is compared within domains. Several thresholds of one measure compare the same operands. Words of a text and
    /// elements of a list are compared where texts and lists themselves are not.
    fn equalities(&self) -> Vec<AskedEquality> {
        let mut asked: BTreeMap<EqualityKey, AskedEquality> = BTreeMap::new();
        for check in &self.program.checks {
            let Some(operands) = check.operands() else { continue };
            let domain = |operand: usize| self.encoded().columns[operand].domain;
            if domain(operands.left) != domain(operands.right) {
                continue;
            }
            let null_safe = matches!(check, Check::Equal { null_safe: true, .. });
            let key = EqualityKey::new(&self.keys[operands.left], &self.keys[operands.right], null_safe);
            let new = || AskedEquality { key: key.clone(), operands, null_safe, is_drawn: false };
            asked.entry(key.clone()).or_insert_with(new).is_drawn |= matches!(check, Check::Equal { .. });
        }
        asked.into_values().collect()
    }

    /// Counts what is not known.
    fn find(
        &self,
        known: &KnownStatistics,
        tokens: &[TokenKey],
        equalities: &[AskedEquality],
        cancel: Cancel<'_>,
    ) -> KnownStatistics {
        let domains = self.uncounted(known, equalities);
        let is_new = |(_, key): &(usize, &TokenKey)| !known.tokens.contains_key(*key);
        let new: Vec<(usize, &TokenKey)> = tokens.iter().enumerate().filter(is_new).collect();
        let sampled = match domains.is_empty() && new.is_empty() {
            true => [Vec::new(), Vec::new()],
            false => rows_looked_at(self.layout.rows()),
        };
        let counted: Vec<KnownStatistics> = domains
            .par_iter()
            .with_max_len(1)
            .map(|domain| {
                cancel.check();
                self.count_domain(domain, &sampled)
            })
            .collect();
        let mut found = KnownStatistics::default();
        counted.into_iter().for_each(|of_domain| found.add(of_domain));
        let of_tokens = |(number, key): &(usize, &TokenKey)| {
            let frame = self.encoded().columns[self.encoded().token_sources[*number].0].frame;
            ((*key).clone(), TokenStatistics::of_sampled(self.encoded(), *number, &sampled[frame]))
        };
        found.tokens = new.par_iter().map(of_tokens).collect();
        if known.samples.is_none() {
            found.samples = Some(self.samples());
        }
        found
    }

    /// What is not known, by domain: there may be many domains, so that it is found once for all.
    fn uncounted<'q>(&self, known: &KnownStatistics, equalities: &'q [AskedEquality]) -> Vec<UncountedDomain<'q>> {
        let mut domains: Vec<UncountedDomain<'q>> = Vec::new();
        domains.resize_with(self.encoded().domains.len(), UncountedDomain::default);
        let columns = &self.encoded().columns;
        for (key, (operand, column)) in self.keys.iter().zip(columns.iter().enumerate()) {
            if !known.columns.contains_key(key) {
                domains[column.domain].operands.push(operand);
            }
        }
        for asked in equalities.iter().filter(|asked| !known.has_equality(&asked.key, asked.is_drawn)) {
            domains[columns[asked.operands.left].domain].equalities.push(asked);
        }
        domains.retain(|domain| !domain.operands.is_empty() || !domain.equalities.is_empty());
        domains
    }

    fn count_domain(&self, domain: &UncountedDomain<'_>, sampled: &[Vec<u32>; 2]) -> KnownStatistics {
        let encoded = self.encoded();
        let compared = domain.equalities.iter().flat_map(|asked| [asked.operands.left, asked.operands.right]);
        let operands: BTreeSet<usize> = domain.operands.iter().copied().chain(compared).collect();
        let counts: BTreeMap<usize, Frequencies> =
            operands.into_iter().map(|operand| (operand, frequencies(encoded, operand))).collect();
        let column = |operand: &usize| {
            let frame = encoded.columns[*operand].frame;
            let input = self.names.get(frame).map_or("", String::as_str);
            let found = ColumnStatistics::new(encoded, *operand, &counts[operand], input, &sampled[frame]);
            (self.keys[*operand].clone(), found)
        };
        let equality = |asked: &&AskedEquality| (asked.key.clone(), self.count_equality(asked, &counts));
        KnownStatistics {
            columns: domain.operands.iter().map(column).collect(),
            equalities: domain.equalities.iter().map(equality).collect(),
            ..KnownStatistics::default()
        }
    }

    fn count_equality(&self, asked: &AskedEquality, counts: &BTreeMap<usize, Frequencies>) -> EqualityStatistics {
        let (encoded, Sides { left, right }) = (self.encoded(), asked.operands);
        let sides = EqualSides {
            left: &encoded.columns[left],
            right: &encoded.columns[right],
            left_rows: &counts[&left],
            right_rows: &counts[&right],
            is_self_join: self.shape() == Shape::Triangle && left == right,
            shape: self.shape(),
            null_safe: asked.null_safe,
        };
        let count = sides.count();
        let across = self.program.across.as_ref();
        let twice_within = count.twice - across.map_or(0, |inputs| sides.twice_within(inputs));
        let draw = || {
            let seed = SEED ^ asked.key.seed();
            let mut pairs = sides.draw(count.pairs, &mut Random::new(seed));
            pairs.retain(|(l, r)| across.is_none_or(|inputs| inputs.are_apart(*l, *r)));
            let stands_for = twice_within as f64 / 2.0 / pairs.len().max(1) as f64;
            let [of_left, of_right] = [left, right].map(|operand| encoded.columns[operand].frame);
            let borders = self.layout.borders();
            let numbered = |frame: usize, row: u32| self.numbered(self.layout.input_row(&borders, frame, row));
            let rows = pairs.iter().map(|(l, r)| [numbered(of_left, *l), numbered(of_right, *r)]);
            SampledPair::of_draw(rows, stands_for, seed)
        };
        let exact = ExactPairs { heaviest: heaviest_value(&count, encoded.domain(left)) };
        EqualityStatistics { twice_within, drawn: asked.is_drawn.then(draw), exact: Some(exact) }
    }

    /// A row of an input by its number among all.
    fn numbered(&self, (input, row): (usize, u32)) -> SampledRow {
        let number = self.numbers.map_or(u64::from(row), |numbers| numbers[input][row as usize]);
        SampledRow { input: input as u32, row: number }
    }

    /// Rows of each input: those whose numbers have the least hashes.
    fn samples(&self) -> Vec<Vec<HashedRow>> {
        let inputs = self.layout.inputs();
        let most = sampled_of_each(inputs.len());
        let of_input = |(at, rows): (usize, &u32)| match self.numbers {
            Some(numbers) => least_of(numbers[at].iter().copied(), most, SEED ^ at as u64),
            None => least_rows(*rows, most, SEED ^ at as u64),
        };
        inputs.iter().enumerate().map(of_input).collect()
    }

    /// What is known, in the order of the program.
    fn put_together(&self, known: &KnownStatistics, tokens: &[TokenKey]) -> CountedRecords {
        let inputs = self.names.iter().zip(self.layout.inputs());
        let statistics = Statistics::new(
            self.layout.link_type(),
            inputs.map(|(name, rows)| InputCount { name: name.clone(), rows: u64::from(*rows) }).collect(),
            (0..self.keys.len()).map(|operand| self.operand(operand, known)).collect(),
            known.equalities.clone(),
            known.samples.clone().unwrap_or_default(),
        );
        let mut columns: Vec<ColumnStatistics> =
            self.keys.iter().filter_map(|key| known.columns.get(key).cloned()).collect();
        for (column, encoded) in columns.iter_mut().zip(&self.encoded().columns) {
            column.column.clone_from(&encoded.text);
        }
        for ((operand, _), key) in self.encoded().token_sources.iter().zip(tokens) {
            columns[*operand].tokens.extend(known.tokens.get(key).cloned());
        }
        CountedRecords { statistics, columns: ColumnFacts::new(columns) }
    }

    /// What plans ask about an operand.
    fn operand(&self, operand: usize, known: &KnownStatistics) -> (OperandKey, OperandStatistics) {
        let (key, domain) = (&self.keys[operand], self.encoded().domain(operand));
        let sets =
            self.encoded().token_sources.iter().zip(&self.encoded().tokens).filter(|((of, _), _)| *of == operand);
        let counted = known.columns.get(key);
        let found = OperandStatistics {
            rows: self.encoded().columns[operand].codes.len() as u64,
            nulls: counted.map_or(0, |counted| counted.nulls),
            signature_bytes: domain.texts.as_ref().map_or(0, |texts| texts.signatures().bytes()) as u64,
            set_bytes: sets.map(|((_, by), sets)| (tokenizer_name(*by), sets.bytes() as u64)).collect(),
            exact: counted.map(|counted| ExactValues {
                distinct: counted.distinct,
                domain_values: domain.dictionary.len() as u64,
            }),
            sketches: None,
        };
        (key.clone(), found)
    }
}

/// The rows of each frame whose values are looked at: the same for all operands of a frame.
fn rows_looked_at([left, right]: [u32; 2]) -> [Vec<u32>; 2] {
    let of_left = sample_rows(left, SAMPLE, SEED);
    let of_right = if right == left { of_left.clone() } else { sample_rows(right, SAMPLE, SEED) };
    [of_left, of_right]
}

/// The value with the most of some pairs with equal values.
fn heaviest_value(count: &EqualCount, domain: &Domain) -> Option<HeaviestValue> {
    let value = FieldValue::from_row(&domain.gather(std::iter::once(count.heaviest?)), 0);
    Some(HeaviestValue { value, share: count.most / count.pairs.max(1.0) })
}

fn frequencies(encoded: &Encoded, operand: usize) -> Frequencies {
    Frequencies::count(&encoded.columns[operand].codes, encoded.domain(operand).dictionary.len())
}
