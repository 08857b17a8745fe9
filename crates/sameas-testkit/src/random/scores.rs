//! Random scores: comparisons of many shapes, the numbers of a model, and thresholds that some pair just reaches.

use super::rules::Author;
use super::tables::Pools;
use super::{JobKind, tables_of};
use crate::case::{
    Case, Compare, Expr, FrequencyTable, Job, Level, LevelShares, Op, Rule, Scoring, Side, TermFrequency, Threshold,
};
use crate::oracle::{all_scores, bits, value_texts};
use crate::rng::Rng;

/// What makes the stream of a case with scores another than that of the case without.
const SALT: u64 = 0x5c0_2e5;

/// What makes the stream of its tables of frequencies another one: all else is drawn as if there were none.
const TABLE_SALT: u64 = 0x007a_b1e5;

/// The case with scores of a seed.
pub fn scored_case(seed: u64) -> Case {
    let rng = &mut Rng::new(seed ^ SALT);
    let kind = *rng.pick(&[JobKind::Dedupe, JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe]);
    let pools = Pools::new(rng);
    let number = tables_of(rng, kind);
    let tables = (0..number).map(|_| rows(rng, number)).collect::<Vec<_>>();
    let tables = tables.into_iter().map(|rows| pools.table(rng, rows, false)).collect();
    let job = Author::new(rng, &pools, kind, number).scored_job();
    let mut case = Case { tables, job };
    give_frequencies(&mut Rng::new(seed ^ SALT ^ TABLE_SALT), &mut case);
    let threshold = threshold(rng, &case);
    case.job.scoring.iter_mut().for_each(|scoring| scoring.threshold = threshold);
    case
}

/// Gives some comparisons the frequencies of their values as tables.
fn give_frequencies(rng: &mut Rng, case: &mut Case) {
    let Some(mut scoring) = case.job.scoring.take() else { return };
    for of in scoring.comparisons.iter_mut().filter_map(|compare| compare.term_frequency.as_mut()) {
        let texts = if rng.percent(45) { value_texts(case, &of.column) } else { Vec::new() };
        of.given = (!texts.is_empty()).then(|| frequency_table(rng, texts));
    }
    case.job.scoring = Some(scoring);
}

/// Frequencies of most of these values, and of one that no record has.
fn frequency_table(rng: &mut Rng, texts: Vec<String>) -> FrequencyTable {
    let (are_counts, is_of_splink) = (rng.percent(40), rng.percent(50));
    let mut rows = vec![("-77".to_owned(), 1.0)];
    for text in texts {
        let number = match are_counts {
            true => rng.between(1, 50) as f64,
            false if rng.percent(5) => 1.0,
            false => 10.0_f64.powf(-7.0 * rng.unit()),
        };
        if rng.percent(70) && text != "-77" {
            rows.push((text, number));
        }
    }
    FrequencyTable { rows, are_counts, is_of_splink }
}

/// Rows of a table: the oracle looks at every pair twice.
fn rows(rng: &mut Rng, tables: usize) -> usize {
    match rng.below(30) {
        0 if tables == 1 => rng.between(66, 140) as usize,
        0..=4 => *rng.pick(&[0, 1, 2, 33, 65]),
        _ => rng.between(4, 32) as usize,
    }
}

/// A threshold: often the very score of a pair, or the least that it does not reach.
fn threshold(rng: &mut Rng, case: &Case) -> Threshold {
    let mut scores: Vec<i64> = all_scores(case).iter().map(|(_, score)| score.total()).collect();
    scores.sort_unstable();
    let at = |place: usize| scores.get(place).copied().unwrap_or_default();
    let all = scores.len().max(1);
    let high = at(all - 1 - rng.below(all.div_ceil(8)));
    let weight = match rng.below(20) {
        0..=8 => high,
        9..=11 => high + 1,
        12 | 13 => at(rng.below(all)),
        14 => at(0) - 1,
        15 => at(all - 1) + 1,
        16 => return Threshold::Probability(*rng.pick(&[0.5, 0.9, 0.999, 0.01])),
        17 => return Threshold::Even,
        _ => return Threshold::Weight(rng.unit() * 24.0 - 8.0),
    };
    Threshold::Weight(bits(weight))
}

impl Author<'_> {
    /// A job whose pairs have scores; its threshold is to be drawn.
    pub(super) fn scored_job(mut self) -> Job {
        let derives = self.derives();
        let number = if self.rng.percent(55) { 0 } else { self.rng.between(1, 3) };
        let rules = (0..number).map(|at| self.perhaps_certain(at)).collect();
        let nevers = if self.rng.percent(25) { vec![self.never()] } else { vec![] };
        let scoring = Some(self.scoring());
        Job { kind: self.kind, derives, rules, nevers, scoring }
    }

    fn perhaps_certain(&mut self, at: i64) -> Rule {
        Rule { is_certain: self.rng.percent(30), ..self.named_rule(at) }
    }

    fn scoring(&mut self) -> Scoring {
        let mut comparisons: Vec<Compare> = (0..self.rng.between(1, 4)).map(|_| self.compare()).collect();
        if self.rng.percent(15) {
            // The same once more, with other numbers.
            let mut again = comparisons[0].clone();
            again.levels.iter_mut().for_each(|level| level.shares = self.shares(true));
            comparisons.push(with_possible_sums(again));
        }
        for (at, compare) in comparisons.iter_mut().enumerate() {
            compare.name = self.rng.percent(40).then(|| format!("of words {at}"));
        }
        let prior = *self.rng.pick(&[0.5, 0.01, 1e-4, 1e-9, 0.3, 0.999]);
        Scoring { comparisons, prior, threshold: Threshold::Even, with_levels: self.rng.percent(60) }
    }

    fn compare(&mut self) -> Compare {
        let (levels, column) = match self.rng.below(20) {
            0..=6 => self.text_levels(),
            7 | 8 => self.number_levels(),
            9 | 10 => (self.set_levels(), None),
            11..=13 => self.levels_of_two(),
            14 => (vec![self.carried_by_similarity()], None),
            15 | 16 => ((0..self.rng.between(1, 3)).map(|_| self.atom()).collect(), None),
            17 => (vec![self.rule()], None),
            18 => (vec![self.nested(2), self.equality()], None),
            _ => (vec![Expr::unary(Op::Not, self.atom()), self.carrier()], None),
        };
        let term_frequency = column.filter(|_| self.rng.percent(65)).map(|column| self.term_frequency(column));
        let levels = levels.into_iter().map(|when| Level { when, shares: self.shares(true) }).collect();
        with_possible_sums(Compare { name: None, levels, otherwise: self.shares(false), term_frequency })
    }

    /// Equal texts, then similar ones, and the column.
    fn text_levels(&mut self) -> (Vec<Expr>, Option<String>) {
        let column = if self.rng.percent(60) { self.short_column() } else { self.text_column() };
        let (l, r) = (Expr::l(&column), Expr::r(&column));
        let edits = |most: i64| {
            Expr::binary(Op::LessEqual, Expr::binary(Op::Levenshtein, l.clone(), r.clone()), Expr::int(most))
        };
        let alike = |least: f64| {
            Expr::binary(Op::GreaterEqual, Expr::binary(Op::JaroWinkler, l.clone(), r.clone()), Expr::float(least))
        };
        let mut levels = vec![self.same(&column)];
        match self.rng.below(5) {
            0 => {}
            1 => levels.extend([edits(1), edits(3)]),
            2 => levels.extend([alike(0.9), alike(0.7)]),
            3 => levels.push(edits(self.rng.between(1, 2))),
            _ => {
                let own = if self.rng.percent(50) { Expr::own(&column) } else { self.text() };
                let coded = Expr::unary(*self.rng.pick(&[Op::Soundex, Op::Lower, Op::Metaphone]), own);
                levels.push(Expr::binary(Op::Equal, coded.on(Side::Left), coded.on(Side::Right)));
            }
        }
        (levels, Some(column))
    }

    /// Equal numbers, then near ones.
    fn number_levels(&mut self) -> (Vec<Expr>, Option<String>) {
        let column = self.one_of(&["age", "age", "price", "big", "serial", "lat"]);
        let apart = Expr::unary(Op::Abs, Expr::binary(Op::Subtract, Expr::l(column), Expr::r(column)));
        let near = |most: i64| Expr::binary(Op::LessEqual, apart.clone(), Expr::int(most));
        (vec![self.same(column), near(1), near(4)], Some(column.to_owned()))
    }

    fn set_levels(&mut self) -> Vec<Expr> {
        let (set, op) = (self.tokens(), *self.rng.pick(&[Op::Jaccard, Op::Dice, Op::OverlapCoefficient]));
        let alike = Expr::binary(op, set.on(Side::Left), set.on(Side::Right));
        let least = |least: f64| Expr::binary(Op::GreaterEqual, alike.clone(), Expr::float(least));
        if self.rng.percent(30) { vec![least(0.5)] } else { vec![least(0.8), least(0.3)] }
    }

    /// Levels on two columns, of which the first has term frequencies.
    fn levels_of_two(&mut self) -> (Vec<Expr>, Option<String>) {
        let (a, mut b) = (self.short_column(), self.text_column());
        if a == b {
            b = "born".to_owned();
        }
        let both = Expr::binary(Op::And, self.same(&a), self.same(&b));
        let levels = match self.rng.below(5) {
            0 => vec![both, self.same(&a), self.same(&b)],
            1 => vec![both, Expr::binary(Op::Or, self.same(&a), self.same(&b))],
            2 => vec![Expr::binary(Op::And, self.same(&a), self.atom()), self.same(&a)],
            3 => {
                let either = Expr::binary(Op::And, self.same(&a), self.sided());
                vec![Expr::binary(Op::Or, either, both), self.carrier()]
            }
            // The level that says least comes first, so others only matter where it is null or false.
            _ => vec![Expr::binary(Op::And, Expr::unary(Op::Not, self.same(&b)), self.same(&a)), self.same(&b)],
        };
        (levels, Some(a))
    }

    /// Both records have one value, in one of the ways to write it.
    fn same(&mut self, column: &str) -> Expr {
        let (l, r) = (Expr::l(column), Expr::r(column));
        match self.rng.below(12) {
            0 => Expr::binary(Op::Equal, r, l),
            1 => Expr::unary(Op::Not, Expr::binary(Op::NotEqual, l, r)),
            2 => Expr::binary(Op::In, l, r),
            _ => Expr::binary(Op::Equal, l, r),
        }
    }

    fn term_frequency(&mut self, column: String) -> TermFrequency {
        let weight = *self.rng.pick(&[None, None, Some(1.0), Some(0.5), Some(0.0), Some(2.5)]);
        let minimum = *self.rng.pick(&[None, None, Some(0.05), Some(0.4), Some(1e-9)]);
        TermFrequency { column, weight, minimum, given: None }
    }

    /// Shares of a level that speaks for a match, or of one that speaks against it; some are the other way round, and some
    /// are extreme.
    fn shares(&mut self, is_for: bool) -> LevelShares {
        if self.rng.percent(8) {
            let extreme = [1.0, 0.5, 1.0 / 3.0, 1e-9, 1e-300, 5e-324];
            return LevelShares { m: *self.rng.pick(&extreme), u: *self.rng.pick(&extreme) };
        }
        let (likely, rare) = (0.2 + 0.8 * self.rng.unit(), 0.3 * (0.001 + self.rng.unit()).powi(3));
        let is_for = if self.rng.percent(12) { !is_for } else { is_for };
        if is_for { LevelShares { m: likely, u: rare } } else { LevelShares { m: rare, u: likely } }
    }
}

/// The sum of the shares of all outcomes, at most: a model with more is refused.
const MOST_SUM: f64 = 1.9;

/// The comparison with smaller shares, where they add up to more than shares can.
fn with_possible_sums(mut compare: Compare) -> Compare {
    let outcomes = |compare: &Compare, share: fn(&LevelShares) -> f64| -> f64 {
        compare.levels.iter().map(|level| &level.shares).chain([&compare.otherwise]).map(share).sum()
    };
    let factors = [|of: &LevelShares| of.m, |of: &LevelShares| of.u].map(|share| MOST_SUM / outcomes(&compare, share));
    let scaled = |share: f64, factor: f64| if factor < 1.0 { (share * factor).max(5e-324) } else { share };
    for of in compare.levels.iter_mut().map(|level| &mut level.shares).chain([&mut compare.otherwise]) {
        *of = LevelShares { m: scaled(of.m, factors[0]), u: scaled(of.u, factors[1]) };
    }
    compare
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::evaluate;

    #[test]
    fn cases_are_whole_and_most_keep_some_pairs() {
        let (mut some, mut all) = (0, 0);
        for seed in 0..80 {
            let case = scored_case(seed);
            assert!(case.has_its_columns(), "{case}");
            let scoring = case.job.scoring.as_ref().unwrap();
            assert!(scoring.comparisons.iter().all(Compare::has_its_equality), "{case}");
            let (kept, compared) = (evaluate(&case).pairs.len(), all_scores(&case).len());
            some += u64::from(kept > 0 && kept < compared);
            all += u64::from(kept > 0 && kept == compared);
        }
        assert!(some >= 40 && all <= 20, "{some} keep some, {all} keep all");
        assert_eq!(scored_case(3), scored_case(3));
    }

    #[test]
    fn smaller_cases_are_still_whole() {
        for smaller in (0..6).flat_map(|seed| scored_case(seed).shrink().step_by(40).collect::<Vec<_>>()) {
            assert!(smaller.has_its_columns(), "{smaller}");
            let mut comparisons = smaller.job.scoring.iter().flat_map(|scoring| &scoring.comparisons);
            assert!(comparisons.all(Compare::has_its_equality), "{smaller}");
        }
    }
}
