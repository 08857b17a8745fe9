//! Estimates: how many candidates an access condition gives, what checks cost on them, and how many pass.
//!
//! Everything is read off pairs drawn from the candidates themselves (`draw`), whose verdicts on every predicate are
//! kept as bits: the share of a composite key, the probability of a check after another and the cost of a whole tree
//! are population counts. Independence is never assumed.
//!
//! Pairs are evaluated over the records of samples alone (`sample_program`), and counts are of all records, from
//! statistics (`full_counts`): whatever has these two can estimate.

mod across;
mod bits;
mod draw;
mod effort;
mod facts;
mod full_counts;
mod input_sample;
mod joined_rows;
mod place;
mod row_sample;
mod sample_program;

use std::collections::HashMap;
use std::sync::OnceLock;

pub use crate::records::stats::Random;
pub use bits::PairBits;
pub use facts::{Compared, SeenCandidates};
pub use full_counts::{FullCounts, shape_of};
pub use place::{Place, RelativeCost};
pub use sample_program::SampleProgram;

use self::draw::{Drawn, Reservoir, draw_band, draw_path};
use super::cost::{CheckKind, Costs, Features};
use super::weight::Weight;
use crate::candidates::{Access, AccessPath, Batch, Condition, PathInput, Rows, SAMPLE_MEMORY, Shape};
use crate::records::stats::{SEED, Statistics};
use crate::rules::Literal;
use crate::verify::{Check, Program, Truth};

/// Fewer pairs than this in a sample say nothing about shares: those of a larger sample are taken.
const FEW: usize = 8;

/// Nanoseconds for a candidate at any check: its verdict is remembered, and it is selected or not.
pub const SELECTING: f64 = 4.0;

/// Bytes that stay in the nearer caches of a core, and in the cache of a device.
const NEAR: u64 = 1 << 21;
const NEAR_ON_DEVICE: u64 = 1 << 25;

/// How many times as long an evaluation takes beyond that: costs are measured where what is read stays near.
const REMOTE: f64 = 2.5;

/// Nanoseconds that the verdicts of one predicate on one sample may take, by what evaluations are known to cost: no clock
/// is read. Usual checks take a thousandth of it; long texts and large sets could take hours.
const VERDICTS_COST: f64 = 2e7;

/// The same for the join of a sample.
const SAMPLE_JOIN_COST: f64 = 3e8;

/// Rows of a sample that is joined, at least.
const FEWEST_ROWS: usize = 2;

/// Pairs drawn from the join of one predicate, with their verdicts.
#[derive(Debug)]
pub struct JoinSample {
    drawn: Drawn,
    all: PairBits,
    verdicts: Vec<OnceLock<DrawnVerdicts>>,
}

/// What drawn pairs say to a predicate.
#[derive(Clone, Copy, Debug)]
pub struct DrawnVerdicts {
    yes: PairBits,
    no: PairBits,
    /// Nanoseconds of an evaluation.
    pub cost: f64,
    /// The same on a device, in nanoseconds of the cores that it stands for.
    pub device_cost: f64,
}

impl DrawnVerdicts {
    /// The pairs for which the predicate is so.
    pub fn pairs_where(&self, want: bool) -> PairBits {
        if want { self.yes } else { self.no }
    }
}

/// What an access condition comes to.
#[derive(Clone, Copy, Debug)]
pub struct Estimate<'e> {
    /// The pairs it is estimated from.
    pub sample: &'e JoinSample,
    /// Those of them that satisfy the condition, or all, where too few do.
    pub mask: PairBits,
    /// Its candidates.
    pub candidates: f64,
    /// Whether that number is exact.
    pub exact: bool,
}

/// Answers the planner's questions about a program over its records.
#[derive(Debug)]
pub struct Estimator<'a> {
    /// The checks and what they read of the sampled records.
    pub program: &'a Program,
    /// The drawn pairs of these records, and those to be joined.
    sample: &'a SampleProgram,
    /// The counts of all records.
    pub counts: FullCounts<'a>,
    /// What an evaluation costs on a core.
    pub costs: &'a Costs,
    /// What it costs on a device.
    device_costs: Costs,
    /// Nanoseconds of looking a verdict up, for predicates that have a table.
    pub tables: Vec<Option<f64>>,
    /// What was seen instead of estimated.
    pub facts: SeenCandidates,
    /// The relative cost of the job's device, if it has one.
    pub device: Option<RelativeCost>,
    join_samples: Vec<OnceLock<JoinSample>>,
    values_costs: Vec<OnceLock<f64>>,
    measured: Vec<OnceLock<f64>>,
    any: OnceLock<JoinSample>,
}

impl<'a> Estimator<'a> {
    /// Nothing is evaluated yet.
    pub fn new(sample: &'a SampleProgram, statistics: &'a Statistics, costs: &'a Costs) -> Self {
        let predicates = sample.program.checks.len();
        Self {
            program: &sample.program,
            sample,
            counts: FullCounts::new(&sample.program, &sample.keys, statistics),
            costs,
            device_costs: Costs::shipped_for_gpu(),
            tables: vec![None; predicates],
            facts: SeenCandidates::default(),
            device: None,
            join_samples: (0..predicates).map(|_| OnceLock::new()).collect(),
            values_costs: vec![OnceLock::new(); predicates],
            measured: vec![OnceLock::new(); predicates],
            any: OnceLock::new(),
        }
    }

    /// Pairs of the join of a predicate.
    pub fn join_sample(&self, predicate: usize) -> &JoinSample {
        self.join_samples[predicate].get_or_init(|| self.new_sample(self.draw(predicate)))
    }

    /// Pairs of any kind.
    pub fn any(&self) -> &JoinSample {
        self.any.get_or_init(|| self.new_sample(self.sample.any.clone()))
    }

    fn new_sample(&self, drawn: Drawn) -> JoinSample {
        let all = PairBits::first(drawn.pairs.l.len());
        JoinSample { drawn, all, verdicts: self.program.checks.iter().map(|_| OnceLock::new()).collect() }
    }

    fn draw(&self, predicate: usize) -> Drawn {
        if let Some(pairs) = &self.sample.drawn[predicate] {
            let (total, exact) = (self.counts.same(predicate), self.counts.is_exact(predicate));
            return Drawn { pairs: pairs.clone(), total, exact };
        }
        let check = &self.program.checks[predicate];
        let mut random = Random::new(SEED ^ predicate as u64);
        let rows = self.sampled(check);
        let sampled = rows.clone();
        let drawn = match check {
            Check::Difference { operands, .. } => {
                let encoded = &self.program.encoded;
                let number = |operand: usize, row: u32| {
                    encoded.domain(operand).number(encoded.columns[operand].codes[row as usize])
                };
                draw_band(check, &number, *operands, &rows, self.counts.shape, self.reservoir(&mut random))
            }
            _ => {
                let access = Access::on_predicate(predicate, check).unwrap_or_else(Access::all_pairs);
                let (source, shape) = (self.program.source(), self.counts.shape);
                let input = PathInput { source, rows: rows.map(Rows::from), shape, memory: SAMPLE_MEMORY };
                draw_path(access.path(input), self.reservoir(&mut random))
            }
        };
        let seen = self.pairs_of(&sampled);
        let nominal = self.counts.nominal;
        let exact = seen >= nominal;
        // Half a pair more than was seen: none in the sample is not none at all.
        let share = if exact { drawn.total / seen.max(1.0) } else { (drawn.total + 0.5) / (seen + 1.0) };
        let same = if self.holds_for_same(check) { self.counts.same(predicate) } else { 0.0 };
        Drawn { total: (share * nominal).max(same), exact, ..drawn }
    }

    fn reservoir<'r>(&'r self, random: &'r mut Random) -> Reservoir<'r> {
        Reservoir::new(random, self.program.across.as_ref())
    }

    /// The pairs of sampled rows.
    fn pairs_of(&self, [left, right]: &[Vec<u32>; 2]) -> f64 {
        let (rows, others) = (left.len() as f64, right.len() as f64);
        let of_one_list = |rows: f64| rows * (rows - 1.0).max(0.0) / 2.0;
        match (&self.program.across, self.counts.shape) {
            (Some(inputs), _) => {
                let of_input = |rows: &[u32]| of_one_list(rows.len() as f64);
                of_one_list(rows) - left.chunk_by(|a, b| !inputs.are_apart(*a, *b)).map(of_input).sum::<f64>()
            }
            (_, Shape::Triangle) => of_one_list(rows),
            (_, Shape::Rectangle) => rows * others,
        }
    }

    /// Whether a predicate is true of a value and itself, as far as is known without the value.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn holds_for_same(&self, check: &Check) -> bool {
        match check {
            Check::Text { test, .. } => test.holds_for_same(),
            Check::Difference { .. } => true,
            Check::Equal { .. } | Check::OneSided { .. } | Check::Set { .. } | Check::Elements { .. } => false,
            Check::ListHasAny { .. } | Check::SameSource { .. } | Check::Residual { .. } => false,
        }
    }

    /// The verdicts of drawn pairs on a predicate.
    pub fn verdicts<'e>(&self, sample: &'e JoinSample, predicate: usize) -> &'e DrawnVerdicts {
        sample.verdicts[predicate].get_or_init(|| {
            let pairs = &sample.drawn.pairs;
            let selection: Vec<u32> = (0..pairs.l.len() as u32).collect();
            let check = &self.program.checks[predicate];
            let (kind, features) =
                (CheckKind::from_check(check), Features::count(check, &self.program.encoded, pairs, &selection));
            let cost = self.costs.nanoseconds(kind, &features);
            let truths = self.truths(check, pairs, (VERDICTS_COST / cost.max(1.0)) as usize);
            let (mut yes, mut no) = (PairBits::default(), PairBits::default());
            for (at, truth) in truths.iter().enumerate() {
                match truth {
                    Truth::True => yes.set(at),
                    Truth::False => no.set(at),
                    _ => {}
                }
            }
            let remoteness = |near: u64| if self.counts.bytes_read_by(check) > near { REMOTE } else { 1.0 };
            let device_cost = self.device_costs.nanoseconds(kind, &features) * remoteness(NEAR_ON_DEVICE);
            DrawnVerdicts { yes, no, cost: cost * remoteness(NEAR), device_cost }
        })
    }

    /// The verdicts on drawn pairs, of which at most `most` are evaluated. A pair that was drawn before has the verdict it
    /// had, and the pairs beyond are taken to be like those before them, one after the other.
    fn truths(&self, check: &Check, pairs: &Batch, most: usize) -> Vec<Truth> {
        let rows = || pairs.l.iter().copied().zip(pairs.r.iter().copied());
        let mut truths = vec![Truth::Unknown; pairs.l.len()];
        if pairs.l.len() <= most {
            let selection: Vec<u32> = (0..pairs.l.len() as u32).collect();
            check.evaluate(&self.program.encoded, pairs, &selection, &mut truths);
            return truths;
        }
        let mut firsts: HashMap<(u32, u32), usize> = HashMap::new();
        let first: Vec<usize> = rows().enumerate().map(|(at, pair)| *firsts.entry(pair).or_insert(at)).collect();
        let distinct = (0..first.len()).filter(|at| first[*at] == *at);
        let selection: Vec<u32> = distinct.take(most).map(|at| at as u32).collect();
        check.evaluate(&self.program.encoded, pairs, &selection, &mut truths);
        let known: Vec<Truth> = selection.iter().map(|at| truths[*at as usize]).collect();
        let of_pair = |at: usize| match truths[first[at]] {
            Truth::Unknown if !known.is_empty() => known[at % known.len()],
            truth => truth,
        };
        (0..first.len()).map(of_pair).collect()
    }

    /// The rows of which a predicate is joined to estimate it, fewer where comparing them takes long.
    fn sampled(&self, check: &Check) -> [Vec<u32>; 2] {
        let pairs = &self.any().drawn.pairs;
        let selection: Vec<u32> = (0..pairs.l.len() as u32).collect();
        let is_evaluated = AccessPath::serving(check).is_some_and(|path| path.declaration().over_values().is_some());
        let cost =
            if is_evaluated { self.costs.predicate(check, &self.program.encoded, pairs, &selection) } else { 0.0 };
        // The pairs of n rows are about half the square of n.
        let rows = (2.0 * SAMPLE_JOIN_COST / cost.max(1.0)).sqrt() as usize;
        self.sample.joined.first(rows.max(FEWEST_ROWS))
    }

    /// Nanoseconds of an evaluation on pairs like these.
    pub fn cost(&self, sample: &JoinSample, predicate: usize) -> f64 {
        SELECTING + self.tables[predicate].unwrap_or_else(|| self.verdicts(sample, predicate).cost)
    }

    /// What an access condition comes to.
    pub fn condition(&self, condition: &Condition) -> Estimate<'_> {
        let predicates = condition.access.predicates();
        let sample = match predicates
            .iter()
            .min_by(|a, b| self.join_sample(**a).drawn.total.total_cmp(&self.join_sample(**b).drawn.total))
        {
            Some(predicate) => self.join_sample(*predicate),
            None => self.any(),
        };
        let passing =
            condition.literals().iter().fold(sample.all, |mask, literal| mask.and(self.holding(sample, *literal)));
        let (passed, drawn) = (passing.count() as f64, sample.all.count() as f64);
        let sure = passed == drawn;
        let share = if sure { 1.0 } else { (passed + 0.5) / (drawn + 1.0) };
        let is_one = predicates.len() <= 1 && condition.filters.is_empty();
        let estimated = sample.drawn.total * share;
        let corrected = self.facts.corrected(condition, self.compared(&condition.access), estimated);
        let candidates = corrected.min(self.counts.nominal);
        let exact = is_one && sample.drawn.exact;
        let (sample, mask) = match (passing.count(), sample.all.count()) {
            // Nothing is known of what this join gives but that it gives pairs.
            (_, 0) => (self.any(), self.any().all),
            (few, _) if few < FEW => (sample, sample.all),
            _ => (sample, passing),
        };
        Estimate { sample, mask, candidates, exact }
    }

    /// The operands that an access path compares, where they are sampled to estimate it.
    pub fn compared(&self, access: &Access) -> Compared {
        if !access.path.declaration().samples_values() {
            return None;
        }
        let predicate = *access.on.first()?;
        self.program.checks[predicate].operands().map(|operands| (operands.left, operands.right))
    }

    /// The drawn pairs that satisfy a literal.
    pub fn holding(&self, sample: &JoinSample, literal: Literal) -> PairBits {
        self.verdicts(sample, literal.predicate).pairs_where(literal.want)
    }

    /// The probability that a candidate satisfies a literal.
    pub fn probability(&self, estimate: &Estimate<'_>, literal: Literal) -> f64 {
        let seen = estimate.mask.count() as f64;
        let holding = self.holding(estimate.sample, literal).and(estimate.mask).count() as f64;
        // Where every candidate was drawn the share is what it is; else none of the drawn is not none at all.
        if seen > 0.0 && seen == estimate.candidates { holding / seen } else { (holding + 0.5) / (seen + 1.0) }
    }

    /// Nanoseconds of an evaluation at a place. What a device leaves to the host costs there what it does on a core.
    fn cost_at(&self, sample: &JoinSample, predicate: usize, place: Place) -> f64 {
        if place == Place::Cpu || !self.is_for_devices(predicate) {
            return self.cost(sample, predicate);
        }
        let look_up = || self.device_costs.nanoseconds(CheckKind::Equal, &Features::default());
        self.tables[predicate].map_or_else(|| self.verdicts(sample, predicate).device_cost, |_| look_up())
    }

    /// What a check does to the candidates of a condition.
    pub fn weight(&self, estimate: &Estimate<'_>, literal: Literal, place: Place) -> Weight {
        let cost = self.cost_at(estimate.sample, literal.predicate, place);
        Weight { probability: self.probability(estimate, literal), cost, passes: None }
    }

    /// The predicates of some literals that are evaluated one after the other, each with the drawn candidates that reach it.
    pub fn reached(&self, estimate: &Estimate<'_>, literals: &[Literal]) -> Vec<(usize, PairBits)> {
        let mut left = estimate.mask;
        let of_literal = |literal: &Literal| {
            let reaching = left;
            left = left.and(self.holding(estimate.sample, *literal));
            (literal.predicate, reaching)
        };
        literals.iter().map(of_literal).collect()
    }

    /// The pair at a place of a sample.
    pub fn pair(sample: &JoinSample, at: usize) -> (u32, u32) {
        (sample.drawn.pairs.l[at], sample.drawn.pairs.r[at])
    }
}
