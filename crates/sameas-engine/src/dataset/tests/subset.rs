//! Some records as a dataset of their own.

use super::*;
use crate::dataset::BindingRequest;
use crate::records::encode::NULL;
use crate::records::stats::ValueRows;
use crate::threshold::Check;
use crate::verify::RuleProgram;

/// Jobs of every link type over the same people.
fn jobs() -> Vec<Job> {
    vec![
        Job::dedupe(people("people", 0..60)),
        Job::link(people("left", 0..30), people("right", 20..60)),
        Job::link_all([people("a", 0..20), people("b", 15..30), people("c", 0..25)]),
        Job::link_and_dedupe(people("left", 0..30), people("right", 20..50)),
    ]
}

/// Each of some records, which ascend, by its frame and its row.
fn places(dataset: &Dataset, records: &[u32], frame: usize) -> Vec<u32> {
    let places = records.iter().map(|record| dataset.layout().place(*record));
    places.filter(|(of, _)| *of == frame).map(|(_, row)| row).collect()
}

/// The rows of pairs.
type RowPairs = Vec<(u32, u32)>;

/// Pairs of rows of a subset of these records, and the rows of the same records among all.
fn pairs_of_both(dataset: &Dataset, records: &[u32]) -> (RowPairs, RowPairs) {
    let (left, right) = (places(dataset, records, 0), places(dataset, records, dataset.layout().frames() - 1));
    let of_subset = all_pairs([left.len() as u32, right.len() as u32]);
    let of_all = of_subset.iter().map(|(l, r)| (left[*l as usize], right[*r as usize])).collect();
    (of_subset, of_all)
}

/// Some of this many records: none, one, the first and the last, and every third.
fn choices(records: u32) -> [Vec<u32>; 4] {
    [Vec::new(), vec![7], vec![0, records - 1], (0..records).filter(|record| record % 3 == 1).collect()]
}

#[test]
fn a_subset_says_of_its_records_what_all_say() {
    for job in jobs().into_iter().map(|job| job.with_rules(rules(EVERY_KIND))) {
        let whole = alone(&job);
        for keep in [Keep::Nothing, Keep::IfRoom, Keep::Always] {
            let (dataset, rules) = kept(&job, keep);
            for records in choices(dataset.layout().records() as u32) {
                let subset = dataset.subset(&records).unwrap();
                let (own, of_all) = pairs_of_both(&dataset, &records);
                let program = bound(&subset, &rules);
                assert_eq!(verdicts_on(&program, &own), verdicts_on(&whole, &of_all), "{keep:?} {records:?}");
                let frames = subset.layout().frames();
                let program = &RuleProgram::compile(&rules, frames);
                let request = BindingRequest { rules: &rules, program, with_findings: false, with_counts: false };
                let (frames, program) = subset.with_frames(request, true, unobserved(), Cancel::NEVER).unwrap();
                assert_eq!(verdicts_on(&program, &own), verdicts_on(&whole, &of_all), "{keep:?} {records:?}");
                let rows: Vec<usize> = frames.iter().map(crate::records::Frame::rows).collect();
                assert_eq!(rows.iter().sum::<usize>(), records.len());
            }
        }
    }
}

#[test]
fn a_subset_reads_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("people.csv");
    std::fs::write(&file, "id,name,city\n1,ann,rome\n2,bo,oslo\n3,ann,oslo\n4,cy,rome\n").unwrap();
    let job = |when: &str| Job::dedupe(Input::files([&file])).with_rule(when);
    let (dataset, rules) = kept(&job("neighbours(l.name, r.name, 2)"), Keep::IfRoom);
    std::fs::remove_file(&file).unwrap();
    // By their names they are the second and the third of four.
    let close = dataset.subset(&[1, 2]).unwrap();
    assert_eq!(verdicts_on(&bound(&close, &rules), &[(0, 1)]), [[Truth::True]]);
    let far = dataset.subset(&[0, 3]).unwrap();
    assert_eq!(verdicts_on(&bound(&far, &rules), &[(0, 1)]), [[Truth::False]]);
    let ids: Vec<String> = (0..2).map(|row| far.inputs()[0].ids.text(row)).collect();
    assert_eq!(ids, ["1", "4"]);
    // What was never read is not at hand.
    let other = compiled(&dataset, &job("l.city = r.city"));
    assert!(far.bind(&other, unobserved(), Cancel::NEVER).is_err());
}

#[test]
fn a_subset_of_a_subset_is_one_of_all() {
    let job = Job::dedupe(people("people", 0..60)).with_rule("neighbours(l.other, r.other, 2)");
    let (dataset, rules) = kept(&job, Keep::IfRoom);
    let some: Vec<u32> = (0..60).filter(|record| record % 2 == 0).collect();
    let fewer = dataset.subset(&some).unwrap().subset(&[1, 4, 29]).unwrap();
    assert_eq!(fewer.inputs()[0].ids.find("p58"), Some(2));
    let (own, of_all) = pairs_of_both(&dataset, &[2, 8, 58]);
    assert_eq!(verdicts_on(&bound(&fewer, &rules), &own), verdicts_on(&alone(&job), &of_all));
    for wrong in [&[3, 2][..], &[4, 4], &[60]] {
        assert!(dataset.subset(wrong).is_err(), "{wrong:?}");
    }
}

/// Rules that weigh names by their frequency, and compare them with others besides.
const WEIGHED: &str = r#"
[[rule]]
when = "l.city = r.city and jaccard(words(l.name), words(r.name)) > 0.3"

[[compare]]
name = "name"
levels = ["l.name = r.name", "levenshtein(l.name, r.name) <= 2", "l.name = r.other"]
term_frequency = "name"
"#;

/// By row of the left frame: how many records of both sides have its name, and how many have any.
fn frequencies(program: &Program, rules: &RuleSet) -> Vec<Option<(u32, u64)>> {
    let predicate = rules.scoring.comparisons[0].term_frequency.unwrap();
    let Check::Equal { operands, .. } = program.checks[predicate] else { panic!("an equality") };
    let mut both = vec![operands.left, operands.right];
    both.dedup();
    let counted: Vec<&ValueRows> = both.iter().map(|operand| program.encoded.value_rows(*operand)).collect();
    let rows = |code: u32| counted.iter().map(|of| of.by_code[code as usize]).sum::<u32>();
    let of_code = |code: &u32| (*code != NULL).then(|| (rows(*code), counted.iter().map(|of| of.present).sum::<u64>()));
    program.encoded.columns[operands.left].codes.iter().map(of_code).collect()
}

#[test]
fn frequencies_are_those_among_all_records() {
    for job in jobs().into_iter().map(|job| job.with_rules(rules(WEIGHED))) {
        for (keep, is_bound) in [(Keep::Nothing, false), (Keep::IfRoom, true), (Keep::IfRoom, false)] {
            let (dataset, rules) = kept(&job, keep);
            let of_all = frequencies(&alone(&job), &rules);
            // What a job has encoded of all records serves, and otherwise names alone are encoded.
            let before = is_bound.then(|| bound(&dataset, &rules));
            let made = dataset.encoded_so_far();
            for records in choices(dataset.layout().records() as u32) {
                let subset = dataset.subset(&records).unwrap();
                let own = frequencies(&bound(&subset, &rules), &rules);
                let rows = places(&dataset, &records, 0);
                let expected: Vec<_> = rows.iter().map(|row| of_all[*row as usize]).collect();
                assert_eq!(own, expected, "{keep:?} {records:?}");
            }
            assert_eq!(dataset.encoded_so_far(), made + u64::from(before.is_none()));
        }
    }
}
