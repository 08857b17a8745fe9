//! What is counted of records once: values, pairs with equal values, and samples.

use super::*;
use crate::dataset::{CountedRecords, OperandKeys, RecordCounter};
use crate::plan::SampleProgram;
use crate::records::stats::SampledRow;
use crate::verify::RuleProgram;

/// What is known of the records, for a program over them.
fn counted(dataset: &Dataset, rules: &RuleSet) -> (Program, OperandKeys, CountedRecords) {
    let frames = dataset.layout().frames();
    let (program, keys) =
        (bound(dataset, rules), OperandKeys::new(&RuleProgram::compile(rules, frames), rules, frames));
    let found = dataset.count(&program, &keys, Cancel::NEVER);
    (program, keys, found)
}

/// The same without anything that is known.
fn counted_alone(dataset: &Dataset, program: &Program, keys: &OperandKeys) -> CountedRecords {
    let names: Vec<String> = dataset.inputs().iter().map(|input| input.name.clone()).collect();
    let (keys, layout) = (&keys.operands[..], dataset.layout());
    RecordCounter { program, keys, layout, names: &names, numbers: None }.count(Cancel::NEVER)
}

fn jobs() -> [Job; 4] {
    let inputs = || [people("a", 0..40), people("b", 30..75), people("c", 70..100)];
    let [left, right, _] = inputs();
    [
        Job::dedupe(people("people", 0..90)),
        Job::link(left, right),
        Job::link_all(inputs()),
        Job::link_and_dedupe_all(inputs()),
    ]
}

#[test]
fn a_second_job_counts_draws_and_samples_nothing() {
    for job in jobs() {
        let job = job.with_rules(rules(EVERY_KIND));
        let (dataset, written) = kept(&job, Keep::Always);
        let (program, keys, first) = counted(&dataset, &written);
        let known = dataset.counted_so_far();
        assert!(known >= 10, "{known} operands, sets, equalities and samples");
        let (_, _, second) = counted(&dataset, &compiled(&dataset, &job));
        assert_eq!(dataset.counted_so_far(), known);
        assert_eq!((&second.statistics, &second.columns), (&first.statistics, &first.columns));
        let alone = counted_alone(&dataset, &program, &keys);
        assert_eq!((alone.statistics, alone.columns), (first.statistics, first.columns));
    }
}

#[test]
fn only_what_is_new_is_counted() {
    let job = |when: &str| Job::dedupe(people("people", 0..60)).with_rule(when);
    let (dataset, rules) = kept(&job("levenshtein(l.name, r.name) <= 1"), Keep::Always);
    counted(&dataset, &rules);
    // An operand, how many of its pairs are equal, and a sample of the rows.
    assert_eq!(dataset.counted_so_far(), 3);
    // Pairs are drawn where an equality asks for them.
    counted(&dataset, &compiled(&dataset, &job("l.name = r.name")));
    assert_eq!(dataset.counted_so_far(), 4);
    counted(&dataset, &compiled(&dataset, &job("l.name = r.name and l.city = r.city")));
    assert_eq!(dataset.counted_so_far(), 6);
    counted(&dataset, &compiled(&dataset, &job("list_has_any(words(l.name), words(r.name))")));
    assert_eq!(dataset.counted_so_far(), 7, "sets of an operand that is known");
}

/// Sampled rows and drawn pairs are those of the records, whatever inputs they are of.
#[test]
fn drawn_pairs_have_equal_values() {
    for job in jobs() {
        let (dataset, rules) = kept(&job.with_rule("l.city = r.city"), Keep::Nothing);
        let (program, keys, CountedRecords { statistics, .. }) = counted(&dataset, &rules);
        let pairs: Vec<_> = statistics.equalities.values().flat_map(|of| of.drawn.iter().flatten()).collect();
        assert!(pairs.len() > 50, "{pairs:?}");
        let layout = dataset.layout();
        let code = |operand: usize, row: SampledRow| {
            let (_, place) = layout.place(layout.record(row.input as usize, row.row as u32));
            program.encoded.columns[operand].codes[place as usize]
        };
        let operands = program.checks[0].operands().unwrap();
        assert!(pairs.iter().all(|pair| code(operands.left, pair.l) == code(operands.right, pair.r)));
        assert!(pairs.windows(2).all(|two| two[0] <= two[1]));
        let sample = SampleProgram::new(&program, &keys.operands, &statistics);
        assert_eq!(sample.program.checks.len(), program.checks.len());
    }
}
