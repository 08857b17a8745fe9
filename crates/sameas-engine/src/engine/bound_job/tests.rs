//! The rule of a score as a value: made for all records, and given to some of them.

use std::cmp::Reverse;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array};

use super::*;
use crate::device::DeviceChoice;
use crate::model::{ComparisonModel, LevelModel, MatchWeight, Model};
use crate::plan::{JobPlan, Plan, Planner};
use crate::records::Input;
use crate::rules::{RuleFile, RuleSet, Simplified};
use crate::score::{RareCondition, RareLimit};
use crate::scoring::count_frequencies;
use crate::threshold::{Check, Truth};

/// How many records have each name.
const RECORDS: [usize; 13] = [120, 60, 30, 15, 8, 4, 4, 2, 2, 1, 1, 1, 1];

const RULES: &str = r#"
    [[compare]]
    name = "name"
    levels = ["l.name = r.name"]
    term_frequency = "name"

    [[compare]]
    name = "city"
    levels = ["l.city = r.city"]

    [score]
    threshold_weight = 0.0
"#;

/// With these two comparisons a name suffices that at most four records have, where the city is the same, too.
fn model() -> Model {
    let comparison = |name: &str, when: &str, u: f64| {
        let levels = vec![LevelModel::new(Some(when), 0.9, u)];
        ComparisonModel::new(name, levels, LevelModel::new(None, 0.1, 1.0 - u))
    };
    Model::new(0.01, vec![comparison("name", "l.name = r.name", 0.05), comparison("city", "l.city = r.city", 0.3)])
}

/// Every record, or every second one.
fn people(step: usize) -> Input {
    let names = RECORDS.iter().enumerate().flat_map(|(name, records)| std::iter::repeat_n(name, *records));
    let rows: Vec<(usize, usize)> = names.enumerate().step_by(step).collect();
    let ids: ArrayRef = Arc::new(UInt32Array::from_iter_values(rows.iter().map(|(row, _)| *row as u32)));
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|(_, name)| format!("n{name}"))));
    let cities: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|(row, _)| format!("c{}", row % 7))));
    table("people", &[("id", ids), ("name", names), ("city", cities)])
}

fn table(name: &str, columns: &[(&str, ArrayRef)]) -> Input {
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
    Input::batches(name, batch.schema(), vec![batch]).unwrap()
}

fn job(input: Input, rules: &str) -> Job {
    Job::dedupe(input).with_rules(RuleFile::parse(rules, "rules.toml").unwrap())
}

fn scored_job(step: usize) -> Job {
    job(people(step), RULES).with_model(model())
}

fn with_progress<T>(work: impl FnOnce(Progress<'_>) -> T) -> T {
    let is_cancelled = || false;
    work(Progress::new(&(), &is_cancelled))
}

/// A job that has read what its pairs are scored by, and not been given its rule.
fn scored(job: &Job) -> (BoundJob, Machine) {
    let settings = Settings { device: DeviceChoice::Cpu, memory: 1 << 28, ..Settings::default() };
    with_progress(|progress| {
        let OpenedJob { bound, mut machine, .. } =
            OpenedJob::unscored(job, RecordsOfJob::at_hand_or_read(None), &settings, progress).unwrap();
        (bound.with_scores(&mut machine, progress.cancel()).unwrap(), machine)
    })
}

fn rule_of((bound, machine): &(BoundJob, Machine)) -> ScoreRule {
    bound.score_rule(machine).unwrap().unwrap()
}

fn applied(rule: &ScoreRule, (to, _): &(BoundJob, Machine)) -> (Simplified, Program) {
    rule.apply(to.rules.set(), &to.program, to.scores.model().map(|scoring| &scoring.scorer)).unwrap()
}

/// The verdicts of the last condition, which is on one record.
fn verdicts(program: &Program) -> Vec<Truth> {
    match program.checks.last() {
        Some(Check::OneSided { verdicts, .. }) => verdicts.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_rule_of_all_records_says_the_same_of_some() {
    let all = scored(&scored_job(1));
    let rule = rule_of(&all);
    let records: usize = RECORDS.iter().sum();
    let limit = RareLimit::Rows { most: 4, of: records as u64 };
    assert_eq!(rule.rare, [RareCondition { comparison: 0, limit }]);
    assert_eq!(rule.ways.len(), 1);
    let (rules_of_all, program_of_all) = applied(&rule, &all);
    let of_all = verdicts(&program_of_all);
    assert_eq!(of_all.iter().filter(|verdict| **verdict == Truth::True).count(), 16);
    assert_eq!(of_all.iter().filter(|verdict| **verdict == Truth::False).count(), records - 16);
    // The frequencies of all records go with the rule.
    let counted = with_progress(|progress| count_frequencies(&scored_job(1), None, 1 << 28, progress)).unwrap();
    let with_frequencies = scored_job(2).with_term_frequencies("name", counted[0].input().unwrap());
    let part = scored(&with_frequencies);
    let (rules_of_part, program_of_part) = applied(&rule, &part);
    let plan = JobPlan::new(&rules_of_all.rules, program_of_all.source(), Plan::default());
    assert!(plan.is_of(&rules_of_part.rules));
    let of_part = verdicts(&program_of_part);
    let every_second: Vec<Truth> = of_all.iter().copied().step_by(2).collect();
    assert_eq!(of_part, every_second);
    // Counted over the part, a name of eight records would be one of four.
    let (_, program_of_counts) = applied(&rule, &scored(&scored_job(2)));
    assert_ne!(verdicts(&program_of_counts), every_second);
}

#[test]
fn a_job_without_rules_has_that_of_its_scores() {
    let compare = "[[compare]]\nname = \"name\"\nsimilarity = \"jaro(l.name, r.name)\"\n[score]\nthreshold = 0.9\n";
    for job in [scored_job(1), job(people(1), compare)] {
        let (bound, machine) = scored(&job);
        let (written, sampled) = (bound.rules.written.rules.len(), bound.sample.program.conjunctions.len());
        let bound = bound.with_score_rule(&machine).unwrap();
        let names: Vec<&str> = bound.rules.set().rules.iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!((names, written, bound.rules.written.rules.len()), (vec!["score"], 0, 0));
        assert!(sampled == 0 && !bound.sample.program.conjunctions.is_empty(), "the sample follows the program");
    }
}

/// Of the pairs with one name, few have one that at most four records have: they are counted, and not drawn.
#[test]
fn pairs_of_rare_values_are_known_to_the_planner() {
    let (bound, machine) = scored(&scored_job(1));
    let bound = bound.with_score_rule(&machine).unwrap();
    let [(condition, pairs)] = &bound.facts[..] else { panic!("{:?}", bound.facts) };
    let rare = RECORDS.iter().filter(|records| **records <= 4);
    assert_eq!(*pairs, rare.map(|records| (records * (records - 1) / 2) as f64).sum::<f64>());
    let planner = Planner::new(bound.plan_input(&machine));
    assert_eq!(planner.estimator().condition(condition).candidates, *pairs);
}

#[test]
fn a_rule_is_stored_and_refused_for_other_comparisons() {
    let rule = rule_of(&scored(&scored_job(1)));
    let given = RareLimit::Adjustment(Reverse(MatchWeight::of_bits(1.5)));
    let with_given = ScoreRule { rare: vec![RareCondition { comparison: 0, limit: given }], ..rule.clone() };
    for rule in [&rule, &with_given] {
        let text = serde_json::to_string(rule).unwrap();
        assert_eq!(serde_json::from_str::<ScoreRule>(&text).unwrap(), *rule);
    }
    let (other, _) = scored(&job(people(1), "[[rule]]\nwhen = \"l.city = r.city\"\n"));
    let error = rule.apply(other.rules.set(), &other.program, None).unwrap_err();
    assert!(error.message().contains("other comparisons"), "{error}");
    let wrong = ScoreRule { rare: Vec::new(), ..rule };
    let (all, _) = scored(&scored_job(1));
    assert!(wrong.apply(all.rules.set(), &all.program, None).is_err(), "it has a literal without a predicate");
}

#[test]
fn certain_rules_and_nevers_stay_beside_scores_of_others() {
    let rules = "[[rule]]\nwhen = \"l.city = r.city\"\n\
                 [[rule]]\nwhen = \"l.name = r.name\"\ncertain = true\n\
                 [[never]]\nwhen = \"l.city <> r.city\"\n";
    let ids = |id: u32| Arc::new(UInt32Array::from(vec![id])) as ArrayRef;
    let score: ArrayRef = Arc::new(Float64Array::from(vec![0.75]));
    let pairs = table("scored", &[("unique_id_l", ids(0)), ("unique_id_r", ids(7)), ("score", score)]);
    let all = scored(&job(people(1), rules).with_scores(pairs));
    let rule = rule_of(&all);
    assert!(rule.ways.is_empty() && rule.rare.is_empty());
    let (simplified, program) = applied(&rule, &all);
    let RuleSet { rules, conjunctions, never_conjunctions, .. } = &simplified.rules;
    assert_eq!(rules.iter().map(|rule| rule.is_certain).collect::<Vec<_>>(), [true, false]);
    assert_eq!((rules[1].name.as_str(), rules[1].text.as_str()), ("score", "score >= 0.5"));
    assert_eq!((conjunctions.len(), never_conjunctions.len()), (1, 1));
    assert_eq!((program.rules, program.conjunctions.len(), program.never_rules), (2, 1, 1));
    assert_eq!(program.checks.len(), all.0.program.checks.len());
}
