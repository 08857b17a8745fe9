//! What a job does at the moment, in words.

use sameas::Stage;
use sameas::record::WorkUnit;

use crate::text;

/// What is done in a stage.
pub fn stage_text(stage: &Stage) -> String {
    match stage {
        Stage::Reading => "reading".into(),
        Stage::Encoding => "preparing the values that rules compare".into(),
        Stage::Planning => "planning".into(),
        Stage::DecidingTable { predicate } => format!("deciding {} once for all values", text::one_line(predicate)),
        Stage::Joining { rules, near, branch, round, frequent_values, .. } => {
            let branch = if branch.1 > 1 { format!(", branch {} of {}", branch.0, branch.1) } else { String::new() };
            let round = if round.1 > 1 { format!(", round {} of {}", round.0, round.1) } else { String::new() };
            let frequent = if *frequent_values { ", frequent values" } else { "" };
            let pairs = if *near { "near pairs" } else { "pairs" };
            format!("finding {pairs}{branch}{round}{frequent} ({})", text::cut(&text::names(rules, ", "), 32))
        }
        Stage::Condensing => "numbering ids and joining cycles".into(),
        Stage::Counting => "counting the pairs of the closure".into(),
        Stage::Training => "learning how much agreement says".into(),
        Stage::Profiling => "describing columns and trying keys".into(),
        Stage::Reporting => "looking at the results".into(),
        Stage::Sorting => "sorting pairs, forming clusters".into(),
        Stage::Relating { stratum, round, tuples } => {
            format!("stratum {} of {}, round {round}, {} so far", stratum.0, stratum.1, text::counted(*tuples, "tuple"))
        }
        Stage::WritingRelations => "writing relations".into(),
        Stage::WritingPairs => "writing pairs".into(),
        Stage::WritingResults => "writing pairs and clusters".into(),
        Stage::WritingClusters => "writing clusters".into(),
        Stage::WritingRecords => "writing records".into(),
        other => format!("{other:?}"),
    }
}

/// What its work is counted in; nothing where that says nothing to a person.
pub fn unit_text(unit: WorkUnit) -> &'static str {
    match unit {
        WorkUnit::Records => "records",
        WorkUnit::Pairs => "pairs",
        WorkUnit::Rows => "rows",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_pairs_are_called_so() {
        let stage = |near| Stage::Joining {
            path: sameas::plan::AccessPath::EquiJoin,
            rules: vec!["a".into()],
            near,
            branch: (2, 3),
            work: None,
            round: (1, 1),
            frequent_values: false,
        };
        assert_eq!(stage_text(&stage(false)), "finding pairs, branch 2 of 3 (a)");
        assert_eq!(stage_text(&stage(true)), "finding near pairs, branch 2 of 3 (a)");
    }
}
