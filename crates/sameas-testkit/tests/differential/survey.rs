//! What random cases were like, and the loop over them for any subject under test.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;

use sameas_testkit::case::{Case, Compare, Expr, JobKind, Level, LevelShares, MeasureKind, Op, Side, Threshold};
use sameas_testkit::oracle::{Answer, Coverage, PairScore, ScorePart, bits};
use sameas_testkit::selftest::Settings;
use sameas_testkit::selftest::compare::{Failure, Subject};
use sameas_testkit::selftest::groups::random_tasks;
use sameas_testkit::selftest::runner::{Runner, Task};

/// Cases unless `SAMEAS_CASES` says otherwise; enough to meet everything that a run should have met.
pub const CASES: u64 = 400;

/// The seeds of the random cases to run.
pub fn seeds() -> Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("SAMEAS_SEED").unwrap_or(0);
    first..first + number("SAMEAS_CASES").unwrap_or(CASES)
}

/// What the cases were like.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Cases run.
    pub cases: u64,
    /// Cases with pairs.
    pub with_pairs: u64,
    /// What was seen of every measure.
    pub coverage: Coverage,
    /// Conditions with `or`.
    pub with_or: u64,
    /// Conditions with `not`.
    pub with_not: u64,
    /// Rules that change if the two records change places.
    pub asymmetric: u64,
    /// Vetoes.
    pub nevers: u64,
    /// Derived columns.
    pub derives: u64,
    /// Dedupes, links, and both at once.
    pub kinds: [u64; 3],
    /// Those of more than two inputs.
    pub of_several: [u64; 3],
    /// Rules carried by one kind of similarity, by the join that supports it and by the kind of job.
    pub carried: BTreeMap<&'static str, [u64; 3]>,
    /// Cases with such a rule.
    pub with_carried: u64,
    /// What scores were like.
    pub scores: ScoreSurvey,
}

/// What the scores of cases were like: numbers of cases.
#[derive(Clone, Debug, Default)]
pub struct ScoreSurvey {
    /// Without rules.
    pub without_rules: u64,
    /// With a pair of a certain rule.
    pub certain: u64,
    /// With a level adjusted by the frequency of a value, in a pair that is kept.
    pub adjusted: u64,
    /// The same by a table of frequencies, and where that lacks the value.
    pub given: u64,
    pub lacking: u64,
    /// With an outcome that is null, in a pair that is kept.
    pub null: u64,
    /// With a pair at the very threshold.
    pub at_threshold: u64,
    /// Where null weighs more than else.
    pub null_beats_else: u64,
    /// Where a level weighs less than else.
    pub else_beats_level: u64,
}

impl ScoreSurvey {
    fn add(&mut self, case: &Case, answer: &Answer) {
        let Some(scoring) = &case.job.scoring else { return };
        let weight = |shares: LevelShares| shares.m.log2() - shares.u.log2();
        let any = |is: &dyn Fn(&Compare) -> bool| u64::from(scoring.comparisons.iter().any(is));
        let of_parts = |is: &dyn Fn(usize, &ScorePart) -> bool| {
            let is_in = |score: &PairScore| score.parts.iter().enumerate().any(|(at, part)| is(at, part));
            u64::from(answer.scores.values().any(is_in))
        };
        self.without_rules += u64::from(case.job.rules.is_empty());
        let is_certain = |rule: usize| case.job.rules.get(rule).is_some_and(|rule| rule.is_certain);
        self.certain += u64::from(answer.pairs.iter().any(|(_, _, rule)| is_certain(*rule)));
        self.adjusted += of_parts(&|_, part| part.adjustment.is_some_and(|more| more != 0));
        let is_given = |at: usize| scoring.comparisons[at].term_frequency.as_ref().is_some_and(|of| of.given.is_some());
        self.given += of_parts(&|at, part| is_given(at) && part.adjustment.is_some_and(|more| more != 0));
        self.lacking += of_parts(&|at, part| is_given(at) && part.adjustment == Some(0));
        self.null += of_parts(&|at, part| part.outcome > scoring.comparisons[at].levels.len());
        let is_at = |score: &PairScore| scoring.threshold == Threshold::Weight(bits(score.total()));
        self.at_threshold += u64::from(answer.scores.values().any(is_at));
        self.null_beats_else += any(&|compare| weight(compare.otherwise) < 0.0);
        let is_less = |compare: &Compare, level: &Level| weight(level.shares) < weight(compare.otherwise);
        self.else_beats_level += any(&|compare| compare.levels.iter().any(|level| is_less(compare, level)));
    }
}

impl Survey {
    fn add_case(&mut self, case: &Case, answer: &Answer) {
        let calls = |wanted: Op| {
            let calls_it = |expr: &Expr| {
                let mut found = false;
                expr.walk(&mut |part| found |= matches!(part, Expr::Call(op, _) if *op == wanted));
                found
            };
            case.job.conditions().filter(|condition| calls_it(condition)).count() as u64
        };
        self.cases += 1;
        self.scores.add(case, answer);
        self.with_pairs += u64::from(!answer.pairs.is_empty());
        self.with_or += calls(Op::Or);
        self.with_not += calls(Op::Not);
        self.asymmetric += case.job.rules.iter().filter(|rule| is_asymmetric(&rule.when)).count() as u64;
        self.nevers += case.job.nevers.len() as u64;
        self.derives += case.job.derives.len() as u64;
        let kind = [JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe].iter().position(|k| *k == case.job.kind);
        let kind = kind.unwrap_or(0);
        self.kinds[kind] += 1;
        self.of_several[kind] += u64::from(case.tables.len() > 2);
        let carriers: Vec<&str> = case.job.rules.iter().filter_map(|rule| carrier(&rule.when)).collect();
        self.with_carried += u64::from(!carriers.is_empty());
        for join in carriers {
            self.carried.entry(join).or_default()[kind] += 1;
        }
    }
}

/// Whether the left columns of a rule are others than the right ones.
fn is_asymmetric(rule: &Expr) -> bool {
    let of_side = |wanted: Side| {
        let mut names: Vec<&str> = rule.columns().iter().filter(|(side, _)| *side == wanted).map(|(_, n)| *n).collect();
        names.sort_unstable();
        names
    };
    of_side(Side::Left) != of_side(Side::Right)
}

/// The join that must find the pairs of a rule: of a conjunction without an equality, that of its one kind of
/// similarity.
fn carrier(rule: &Expr) -> Option<&'static str> {
    let parts = match rule {
        Expr::Call(Op::And, parts) => parts.as_slice(),
        whole => std::slice::from_ref(whole),
    };
    let is_equality = |part: &Expr| matches!(part, Expr::Call(Op::Equal | Op::NotDistinct, _));
    let joins: BTreeSet<&str> = parts.iter().filter_map(join_of).collect();
    let carries = joins.len() == 1 && !parts.iter().any(is_equality);
    carries.then(|| joins.into_iter().next()).flatten()
}

/// The join that supports a similarity.
fn join_of(part: &Expr) -> Option<&'static str> {
    let Expr::Call(op, arguments) = part else { return None };
    match (op, arguments.as_slice()) {
        (Op::ListHasAny | Op::InList, _) => Some("set_join"),
        (Op::Neighbours, _) => Some("neighbourhood"),
        (Op::GreaterEqual | Op::Greater, [Expr::Call(measure, _), Expr::Literal(_)])
        | (Op::LessEqual | Op::Less, [Expr::Literal(_), Expr::Call(measure, _)]) => match measure.kind() {
            Some(MeasureKind::Distance) | None => None,
            Some(MeasureKind::TextSimilarity | MeasureKind::SetSimilarity | MeasureKind::Common) => measure.join(),
        },
        (Op::LessEqual | Op::Less, [Expr::Call(measure, of), Expr::Literal(_)])
        | (Op::GreaterEqual | Op::Greater, [Expr::Literal(_), Expr::Call(measure, of)]) => match measure {
            measure if measure.kind() == Some(MeasureKind::Distance) => measure.join(),
            Op::Abs if matches!(of[0], Expr::Call(Op::Subtract | Op::DateDiffDays, _)) => Some("neighbourhood"),
            _ => None,
        },
        _ => None,
    }
}

/// Runs the cases of these seeds on `threads` threads until one fails; returns the seed of the failed one.
pub fn run(seeds: Range<u64>, threads: usize, subject: &Subject<'_>) -> (Survey, Option<(u64, Failure)>) {
    let tasks = random_tasks(&Settings { seed: seeds.start, cases: seeds.end - seeds.start, ..Settings::default() });
    run_tasks(&tasks, threads, subject)
}

/// Runs some cases in the same way.
pub fn run_tasks(tasks: &[Task], threads: usize, subject: &Subject<'_>) -> (Survey, Option<(u64, Failure)>) {
    let survey = Mutex::new(Survey::default());
    let observer = |case: &Case, answer: &Answer, coverage: &Coverage| {
        let mut survey = survey.lock().unwrap();
        survey.add_case(case, answer);
        survey.coverage.add(coverage);
    };
    let failed = Runner { threads, stops: true, subject, observer: &observer }.run(tasks);
    let first = failed.into_iter().next().map(|failed| (tasks[failed.at].seed, failed.failure));
    (survey.into_inner().unwrap(), first)
}
