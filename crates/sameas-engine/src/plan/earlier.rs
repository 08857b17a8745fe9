//! What an earlier run over the same records has seen: facts instead of estimates.

use std::collections::HashMap;

use super::explain::BranchRecord;
use crate::candidates::{Access, Condition};
use crate::error::{Error, ErrorCode, Result};
use crate::rules::{Literal, LiteralRecord, RuleSet};
use crate::threshold::Check;

/// What an earlier run has seen, for the plan of a later one over the same records. A
/// [`RunRecord`](crate::engine::RunRecord) becomes one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EarlierRun {
    /// Its inputs: their names and numbers of records.
    pub inputs: Vec<(String, u64)>,
    /// Its branches, those for near pairs among them.
    pub branches: Vec<BranchRecord>,
}

impl EarlierRun {
    /// Refuses facts about other records than those of these inputs.
    pub(crate) fn check(&self, inputs: &[(String, u64)]) -> Result<()> {
        if self.inputs == inputs {
            return Ok(());
        }
        let (then, now) = (described(&self.inputs), described(inputs));
        Err(Error::usage(format!("the statistics are of {then}, the inputs are {now}"))
            .with_help("leave the statistics out, or give those of a run over these records")
            .with_code(ErrorCode::OtherStatistics))
    }

    /// The access conditions that these rules can use, with the candidates they gave.
    pub(crate) fn facts(&self, rules: &RuleSet, checks: &[Check]) -> Vec<(Condition, f64)> {
        let predicates = rules.predicates.iter().enumerate().rev();
        let by_text: HashMap<&str, usize> = predicates.map(|(at, predicate)| (predicate.text.as_str(), at)).collect();
        let joined = |text: &String| by_text.get(text.as_str()).copied();
        let literal = |record: &LiteralRecord| {
            joined(&record.predicate).map(|predicate| Literal { predicate, want: record.want })
        };
        let fact = |branch: &BranchRecord| {
            let on: Vec<usize> = branch.on.iter().map(joined).collect::<Option<_>>()?;
            let mut filters: Vec<Literal> = branch.filters.iter().map(literal).collect::<Option<_>>()?;
            filters.sort_unstable();
            let access = match &on[..] {
                [] => Access::all_pairs(),
                [one] => Access::on_predicate(*one, &checks[*one])?,
                _ => Access::on_predicates(on.clone(), checks)?,
            };
            Some((Condition { access, filters }, branch.candidates? as f64))
        };
        self.branches.iter().filter_map(fact).collect()
    }
}

fn described(inputs: &[(String, u64)]) -> String {
    let one = |(name, rows): &(String, u64)| format!("{name} with {rows} records");
    inputs.iter().map(one).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::candidates::AccessPath;
    use crate::expr::Type;
    use crate::rules::{Column, LinkType, RuleFile, compile};
    use crate::threshold::Sides;

    fn branch(on: &[&str], filters: &[(&str, bool)], candidates: Option<u64>) -> BranchRecord {
        let literal = |(predicate, want): &(&str, bool)| json!({"predicate": predicate, "want": want});
        let filters: Vec<Value> = filters.iter().map(literal).collect();
        let branch = json!({
            "path": "equi_join", "on": on, "filters": filters, "rules": ["a"], "reason": {"kind": "only_joinable"},
            "estimated_candidates": 9, "exact": false, "estimated_seconds": 0.5, "settled": [], "steps": [],
            "candidates": candidates,
        });
        serde_json::from_value(branch).unwrap()
    }

    fn earlier(branches: Vec<BranchRecord>) -> EarlierRun {
        EarlierRun { inputs: vec![("people".into(), 6), ("others".into(), 7)], branches }
    }

    fn rules() -> RuleSet {
        let mut file = RuleFile::default();
        file.add_rule("l.a = r.a and l.b = r.b and l.c = 'x' and r.c = 'x'");
        let columns = ["a", "b", "c"].map(|name| Column { name: name.into(), key: name.into(), ty: Ok(Type::Text) });
        compile(&file, LinkType::DedupeOnly, [&columns, &columns]).unwrap()
    }

    #[test]
    fn conditions_are_known_again_by_their_texts() {
        let rules = rules();
        let equality = Check::Equal { operands: Sides { left: 0, right: 0 }, null_safe: false };
        let checks = vec![equality; rules.predicates.len()];
        let earlier = earlier(vec![
            branch(&["l.a = r.a"], &[("r.c = 'x'", true), ("l.c = 'x'", true)], Some(10)),
            branch(&["l.b = r.b", "l.a = r.a"], &[], Some(4)),
            branch(&[], &[("l.c = 'x'", false)], Some(15)),
            branch(&["l.other = r.other"], &[], Some(3)),
            branch(&["l.b = r.b"], &[("l.other is null", true)], Some(3)),
            branch(&["l.b = r.b"], &[], None),
        ]);
        let place = |text: &str| rules.predicates.iter().position(|predicate| predicate.text == text).unwrap();
        let [a, b, l, r] = ["l.a = r.a", "l.b = r.b", "l.c = 'x'", "r.c = 'x'"].map(place);
        let mut both = [l, r].map(|predicate| Literal { predicate, want: true });
        both.sort_unstable();
        let keys = |on: Vec<usize>| Access { path: AccessPath::EquiJoin, on };
        let condition = |access: Access, filters: &[Literal]| Condition { access, filters: filters.to_vec() };
        let expected = [
            (condition(keys(vec![a]), &both), 10.0),
            (condition(keys(vec![b, a]), &[]), 4.0),
            (condition(Access::all_pairs(), &[Literal { predicate: l, want: false }]), 15.0),
        ];
        assert_eq!(earlier.facts(&rules, &checks), expected);
    }

    #[test]
    fn other_records_are_refused() {
        let earlier = earlier(Vec::new());
        let inputs = |people: u64| vec![("people".to_owned(), people), ("others".to_owned(), 7)];
        earlier.check(&inputs(6)).unwrap();
        for (inputs, now) in [
            (inputs(5), "people with 5 records and others with 7 records"),
            (inputs(6)[..1].to_vec(), "people with 6 records"),
        ] {
            let error = earlier.check(&inputs).unwrap_err();
            assert_eq!(error.code(), ErrorCode::OtherStatistics);
            let then = "people with 6 records and others with 7 records";
            assert_eq!(error.message(), format!("the statistics are of {then}, the inputs are {now}"));
        }
    }
}
