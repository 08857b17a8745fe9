//! Several programs over one dataset: what one has encoded, others find.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::*;
use crate::cancel::catch;
use crate::error::ErrorCode;

/// A dedupe of people by one rule.
fn dedupe(people_up_to: usize, when: &str) -> Job {
    Job::dedupe(people("people", 0..people_up_to)).with_rule(when)
}

#[test]
fn the_same_rules_encode_nothing_a_second_time() {
    for keep in [Keep::Nothing, Keep::IfRoom, Keep::Always] {
        let job = Job::dedupe(people("people", 0..60)).with_rules(rules(EVERY_KIND));
        let (dataset, rules) = kept(&job, keep);
        let first = bound(&dataset, &rules);
        let (made, expected) = (dataset.encoded_so_far(), alone(&job));
        assert!(made >= 10, "{made} domains, conditions and sets");
        let second = bound(&dataset, &compiled(&dataset, &job));
        assert_eq!(dataset.encoded_so_far(), made, "{keep:?}");
        let columns = first.encoded.columns.iter().zip(&second.encoded.columns);
        assert!(
            columns.clone().all(|(first, second)| Arc::ptr_eq(&first.codes, &second.codes)) && columns.count() >= 7
        );
        let pairs = all_pairs(dataset.layout().rows());
        for program in [first, second] {
            assert_eq!(verdicts_on(&program, &pairs), verdicts_on(&expected, &pairs));
            assert_eq!(program.bytes(), expected.bytes());
        }
    }
}

#[test]
fn only_what_is_new_is_encoded() {
    let (dataset, rules) = kept(&dedupe(60, "l.name = r.name"), Keep::Always);
    bound(&dataset, &rules);
    assert_eq!(dataset.encoded_so_far(), 1);
    // One more domain, and texts for the one that is there.
    let similar = dedupe(60, "levenshtein(l.name, r.name) <= 2 and l.city = r.city");
    let program = bound(&dataset, &compiled(&dataset, &similar));
    assert_eq!(dataset.encoded_so_far(), 3);
    let pairs = all_pairs(dataset.layout().rows());
    assert_eq!(verdicts_on(&program, &pairs), verdicts_on(&alone(&similar), &pairs));
    // Nobody pays for what others have wanted.
    let equal = bound(&dataset, &rules);
    assert!(equal.encoded.domains[0].texts.is_none() && program.encoded.domains.iter().any(|of| of.texts.is_some()));
    // A derived column of the same name is another one where it is derived in another way.
    let derived = |how: &str| {
        let text = format!("[derive]\nx = \"{how}(name)\"\n[[rule]]\nwhen = \"l.x = r.x\"\n");
        Job::dedupe(people("people", 0..60)).with_rules(super::rules(&text))
    };
    for how in ["upper", "length"] {
        let program = bound(&dataset, &compiled(&dataset, &derived(how)));
        assert_eq!(verdicts_on(&program, &pairs), verdicts_on(&alone(&derived(how)), &pairs));
    }
    assert_eq!(dataset.encoded_so_far(), 5);
}

#[test]
fn known_columns_are_compared_with_each_other() {
    for keep in [Keep::Nothing, Keep::Always] {
        let (dataset, rules) = kept(&dedupe(50, "l.name = r.name and l.other = r.other"), keep);
        bound(&dataset, &rules);
        let swapped = dedupe(50, "l.name = r.other");
        let program = bound(&dataset, &compiled(&dataset, &swapped));
        let pairs = all_pairs(dataset.layout().rows());
        let verdicts = verdicts_on(&program, &pairs);
        assert_eq!(verdicts, verdicts_on(&alone(&swapped), &pairs));
        assert!(verdicts[0].contains(&Truth::True) && verdicts[0].contains(&Truth::Null));
        assert_eq!(dataset.encoded_so_far(), 3, "the two together are a domain of their own");
    }
}

#[test]
fn a_wider_domain_serves_unless_it_is_far_wider() {
    let (dataset, rules) = kept(&dedupe(50, "l.name = r.other and l.city = r.id"), Keep::Always);
    bound(&dataset, &rules);
    assert_eq!(dataset.encoded_so_far(), 2);
    let pairs = all_pairs(dataset.layout().rows());
    // Names and other names have the same values; of ids and cities nearly all are ids.
    for (when, made) in [("l.name = r.name and l.other = r.other", 2), ("l.id = r.id", 2), ("l.city = r.city", 3)] {
        let job = dedupe(50, when);
        let program = bound(&dataset, &compiled(&dataset, &job));
        assert_eq!(dataset.encoded_so_far(), made, "{when}");
        assert_eq!(verdicts_on(&program, &pairs), verdicts_on(&alone(&job), &pairs), "{when}");
    }
    // Two domains of a program that are one in the cache count once.
    let both = bound(&dataset, &compiled(&dataset, &dedupe(50, "l.name = r.name and l.other = r.other")));
    let values = both.encoded.domains[0].dictionary.bytes();
    let codes: usize = both.encoded.columns.iter().map(|column| 4 * column.codes.len()).sum();
    assert_eq!((both.encoded.domains.len(), both.encoded.bytes()), (2, codes + values));
}

/// Rules that each have what some before it have, and more.
fn growing(job: usize) -> Job {
    let parts = [
        "l.name = r.name",
        "levenshtein(l.name, r.name) <= 2",
        "jaccard(words(l.name), words(r.name)) >= 0.5",
        "l.name = r.other",
        "l.city = r.city and l.age > 10",
        "abs(l.age - r.age) <= 4",
        "neighbours(l.year, r.year, 3)",
        "upper(l.city) = upper(r.city)",
        "l.age + r.age = 30",
        "cast(l.year as bigint) = cast(r.year as bigint)",
    ];
    let mut job_of_parts = Job::dedupe(people("people", 0..3000));
    // In another order for every job, so that domains meet that have the same operands in another order.
    for at in 0..=job {
        job_of_parts = job_of_parts.with_rule(parts[(at * 7 + job) % parts.len()]);
    }
    job_of_parts
}

#[test]
fn jobs_at_the_same_time_have_the_results_of_single_ones() {
    let rows: Vec<(u32, u32)> = (0..3000).map(|row| (row * 7 % 3000, row * 13 % 3000)).collect();
    let expected: Vec<Vec<Vec<Truth>>> = (0..10).map(|job| verdicts_on(&alone(&growing(job)), &rows)).collect();
    for (threads, keep) in [(2, Keep::Always), (8, Keep::Nothing), (8, Keep::IfRoom)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (dataset, _) = kept(&growing(0), keep);
        // A thread that waits for others of its job takes up the work of another job.
        let found: Vec<Vec<Vec<Truth>>> = pool.install(|| {
            let of_job = |job: usize| verdicts_on(&bound(&dataset, &compiled(&dataset, &growing(job))), &rows);
            (0..10).into_par_iter().with_max_len(1).map(of_job).collect()
        });
        assert_eq!(found, expected, "{threads} threads, {keep:?}");
    }
}

#[test]
fn a_cancelled_job_leaves_the_dataset_as_it_is() {
    let job = Job::dedupe(people("people", 0..60)).with_rules(rules(EVERY_KIND));
    let (dataset, rules) = kept(&job, Keep::Always);
    let pairs = all_pairs(dataset.layout().rows());
    let expected = verdicts_on(&alone(&job), &pairs);
    for checks in [0, 1, 3, 7, 20] {
        let checked = AtomicUsize::new(0);
        let is_cancelled = || checked.fetch_add(1, Relaxed) >= checks;
        let ended = catch(|| dataset.bind(&rules, unobserved(), Cancel::when(&is_cancelled)));
        assert_eq!(ended.unwrap_err().code(), ErrorCode::Cancelled, "after {checks} checks");
    }
    assert_eq!(verdicts_on(&bound(&dataset, &rules), &pairs), expected);
}

#[test]
fn a_job_without_memory_leaves_the_dataset_as_it_is() {
    let job = Job::dedupe(people("people", 0..600)).with_rules(rules(EVERY_KIND));
    let (dataset, rules) = kept(&job, Keep::Always);
    let pairs: Vec<(u32, u32)> = (0..600).map(|row| (row, row * 7 % 600)).collect();
    for bytes in [0, 5_000, 20_000] {
        let budget = MemoryBudget::of_relations(bytes);
        let ended = catch(|| dataset.bind(&rules, unobserved(), Cancel::NEVER.within(&budget)));
        assert_eq!(ended.unwrap_err().code(), ErrorCode::MemoryLimit, "{bytes} bytes");
    }
    assert_eq!(verdicts_on(&bound(&dataset, &rules), &pairs), verdicts_on(&alone(&job), &pairs));
}

#[test]
fn what_no_job_uses_goes_before_memory_is_short() {
    let (dataset, rules) = kept(&dedupe(300, "l.name = r.name and l.age > 3"), Keep::Always);
    let used = bound(&dataset, &rules);
    let (with_used, of_others) = (dataset.bytes(), dataset.bytes_of_others(&used));
    for when in [
        "l.city = r.city",
        "levenshtein(l.year, r.year) <= 1",
        "jaccard(words(l.other), words(r.other)) > 0.4",
        "neighbours(l.year, r.year, 3)",
    ] {
        bound(&dataset, &compiled(&dataset, &dedupe(300, when)));
    }
    let (with_unused, tries) = (dataset.bytes(), AtomicUsize::new(0));
    assert!(with_unused > with_used);
    assert_eq!(dataset.bytes_of_others(&used) - of_others, with_unused - with_used, "a job is charged for all of it");
    // Work that needs more than there is until nothing is left to drop.
    let ended = dataset.within(1 << 20, |budget| {
        tries.fetch_add(1, Relaxed);
        budget.check_room(usize::MAX)
    });
    assert_eq!(ended.unwrap_err().code(), ErrorCode::MemoryLimit);
    assert!((2..10).contains(&tries.load(Relaxed)), "{tries:?}");
    assert_eq!(dataset.bytes(), with_used, "what a program has stays");
    let made = dataset.encoded_so_far();
    let again = bound(&dataset, &rules);
    assert_eq!(dataset.encoded_so_far(), made);
    assert!(Arc::ptr_eq(&again.encoded.columns[0].codes, &used.encoded.columns[0].codes));
    assert_eq!(dataset.within(1 << 20, |_| Ok(7)).unwrap(), 7);
}

#[test]
fn work_that_does_not_fit_is_not_done_again_without_more_room() {
    let (dataset, rules) = kept(&dedupe(300, "l.name = r.name"), Keep::Always);
    let _used = bound(&dataset, &rules);
    let (before, tries) = (dataset.bytes(), AtomicUsize::new(0));
    let ended = dataset.within(1 << 20, |budget| {
        tries.fetch_add(1, Relaxed);
        // What it has encoded until then is unused when it has ended.
        bound(&dataset, &compiled(&dataset, &dedupe(300, "l.city = r.city")));
        budget.check_room(usize::MAX)
    });
    assert_eq!(ended.unwrap_err().code(), ErrorCode::MemoryLimit);
    assert_eq!((tries.load(Relaxed), dataset.bytes()), (1, before));
}

#[test]
fn memory_of_others_is_what_a_program_does_not_read() {
    let (dataset, rules) = kept(&dedupe(200, "levenshtein(l.name, r.name) <= 2 and l.age > 3"), Keep::Always);
    let first = bound(&dataset, &rules);
    let before = dataset.bytes();
    assert_eq!(dataset.bytes_of_others(&first), 0);
    let other = dedupe(200, "l.city = r.city and jaccard(words(l.other), words(r.other)) > 0.4 and l.age > 10");
    let second = bound(&dataset, &compiled(&dataset, &other));
    assert!(dataset.bytes() > before);
    assert_eq!(dataset.bytes_of_others(&first), dataset.bytes() - before);
    // A program counts the verdicts on its condition for the left and for the right record; they are the same ones.
    assert_eq!(dataset.bytes_of_others(&second), first.bytes() - 200);
    // Two columns of a domain, of which a program reads one.
    let [both, one] =
        ["l.year = r.id", "l.id = r.id"].map(|when| bound(&dataset, &compiled(&dataset, &dedupe(200, when))));
    assert_eq!(dataset.bytes_of_others(&one), dataset.bytes_of_others(&both) + 200 * size_of::<u32>());
}
