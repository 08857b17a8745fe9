//! What random cases are like.

use super::*;
use crate::case::Type;
use crate::oracle::{Coverage, evaluate_and_record};

#[test]
fn a_seed_determines_the_case() {
    assert_eq!(case(5), case(5));
    assert_ne!(case(5), case(6));
}

#[test]
fn ids_are_unique() {
    for seed in 0..50 {
        for table in case(seed).tables {
            let mut ids: Vec<&String> = table.rows.iter().map(|row| &row.id).collect();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), table.rows.len());
        }
    }
}

#[test]
fn rules_are_conditions_over_columns_that_exist() {
    for seed in 0..2000 {
        let case = case(seed);
        assert!(case.has_its_columns(), "{case}");
        for condition in case.job.conditions() {
            assert_eq!(case.rule_type(condition), Type::Bool, "{case}");
            assert!(!condition.columns().is_empty(), "{case}");
        }
    }
}

#[test]
fn smaller_cases_are_still_whole() {
    for seed in 0..8 {
        let case = case(seed);
        for smaller in case.shrink().step_by(7) {
            assert!(smaller.has_its_columns(), "{smaller}");
            assert!(smaller.job.conditions().all(|condition| smaller.rule_type(condition) == Type::Bool), "{smaller}");
            assert!(
                smaller.tables.iter().all(|table| table.rows.iter().all(|row| row.cells.len() == table.columns.len()))
            );
        }
    }
}

#[test]
fn most_cases_find_something_and_every_measure_is_seen() {
    let mut coverage = Coverage::default();
    let cases = 200;
    let mut found = 0;
    for seed in 0..cases {
        found += u64::from(!evaluate_and_record(&case(seed), &mut coverage).pairs.is_empty());
    }
    assert!(found * 3 >= cases * 2, "only {found} of {cases} cases have pairs");
    assert_eq!(coverage.missing(), Vec::<String>::new());
}
