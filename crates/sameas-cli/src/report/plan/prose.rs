//! Why a plan is as it is, and what changed it, as sentences.

use sameas::plan::{AccessPath, BranchRecord, ChoiceReason, RevisionRecord};
use sameas::rules::LiteralRecord;

use crate::text::{count, one_line, ratio};

/// What a branch joins on, and what that follows from if nobody wrote it.
pub fn join(branch: &BranchRecord) -> String {
    let on: Vec<String> = branch.on.iter().map(|predicate| one_line(predicate)).collect();
    let mut on = on.join(" and ");
    if !branch.follows_from.is_empty() {
        let sums: Vec<String> = branch.follows_from.iter().map(|sum| one_line(&sum.to_string())).collect();
        on = format!("{on}, which follows from {}", sums.join(" and from "));
    }
    match branch.path {
        AccessPath::EquiJoin => format!("Join on {on}"),
        AccessPath::SetJoin => format!("Join records whose sets overlap: {on}"),
        AccessPath::EditJoin => format!("Join records within some edits: {on}"),
        AccessPath::JaroJoin => format!("Join records with similar texts: {on}"),
        AccessPath::Neighbourhood => format!("Join records near each other: {on}"),
        AccessPath::AllPairs => "Look at every pair of records".to_owned(),
    }
}

/// Conditions that must all hold.
pub fn conditions(literals: &[LiteralRecord]) -> String {
    let texts: Vec<String> = literals.iter().map(|literal| one_line(&literal.to_string())).collect();
    texts.join(" and ")
}

/// Why candidates are found this way.
pub fn reason(reason: &ChoiceReason) -> String {
    match reason {
        ChoiceReason::Alternative { path, condition, times_as_long } => {
            let instead = match path {
                AccessPath::AllPairs => "looking at every pair".to_owned(),
                _ => format!("joining on {}", conditions(condition)),
            };
            format!("{instead} instead would take about {} times as long", ratio(*times_as_long))
        }
        ChoiceReason::StrategyDoesNotChoose => "the strategy does not choose".into(),
        ChoiceReason::NothingJoinable => "no condition of the rule can be joined on".into(),
        ChoiceReason::OnlyCommon => "these rules have no other condition in common that can be joined on".into(),
        ChoiceReason::OthersCostMore => "an index on anything else would cost more than this whole join".into(),
        ChoiceReason::OnlyJoinable => "no other condition of the rule can be joined on".into(),
    }
}

/// What was changed of a branch's plan.
pub fn revision(revision: &RevisionRecord) -> String {
    match revision {
        RevisionRecord::ReplannedBeforeStart { joined_on, candidates, expected } => {
            let earlier = match &joined_on[..] {
                [] => "looking at every pair".to_owned(),
                literals => format!("joining on {}", conditions(literals)),
            };
            format!(
                "planned again before it began: {earlier} had given {} candidates, and {} were expected",
                count(*candidates),
                count(*expected)
            )
        }
        RevisionRecord::ChecksReordered { check, passed, expected } => format!(
            "checks were reordered while it ran: {} passed {:.1} % of the candidates that reached it, and {:.1} % were \
             expected",
            one_line(&check.to_string()),
            passed * 100.0,
            expected * 100.0
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(predicate: &str, want: bool) -> LiteralRecord {
        LiteralRecord { predicate: predicate.into(), want }
    }

    #[test]
    fn reasons_are_sentences() {
        let other = |path| ChoiceReason::Alternative {
            path,
            condition: vec![literal("l.a = r.a", true), literal("l.b\n is null", false)],
            times_as_long: 12_345.0,
        };
        let said = [AccessPath::EquiJoin, AccessPath::AllPairs].map(|path| reason(&other(path)));
        assert_eq!(said[0], "joining on l.a = r.a and not (l.b is null) instead would take about 12,000 times as long");
        assert_eq!(said[1], "looking at every pair instead would take about 12,000 times as long");
    }

    #[test]
    fn revisions_are_sentences() {
        let again =
            |joined_on| RevisionRecord::ReplannedBeforeStart { joined_on, candidates: 123_456, expected: 1_000 };
        assert_eq!(
            [again(vec![literal("l.a = r.a", true)]), again(Vec::new())].each_ref().map(revision),
            ["joining on l.a = r.a", "looking at every pair"].map(|earlier| format!(
                "planned again before it began: {earlier} had given 123,456 candidates, and 1,000 were expected"
            ))
        );
        let reordered =
            RevisionRecord::ChecksReordered { check: literal("l.a = r.a", false), passed: 0.5, expected: 0.011 };
        assert_eq!(
            revision(&reordered),
            "checks were reordered while it ran: not (l.a = r.a) passed 50.0 % of the candidates that reached it, and \
             1.1 % were expected"
        );
    }
}
