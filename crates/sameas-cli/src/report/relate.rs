//! What a Datalog program does, and did.

use std::path::Path;

use sameas::datalog::{PlannedJoin, PlannedRule, RelateExplanation, RelationTuples, RoundRecord, StratumRecord};

use super::no_gpu::place;
use crate::text::{count, counted, facts, one_line, seconds, table};

/// The most rounds of a stratum that are shown.
const MOST_ROUNDS: usize = 30;

/// What a program has found, at its end.
pub fn related(run: &RelateExplanation, output: Option<&Path>) -> String {
    let mut rows: Vec<(&str, String)> = vec![("Input", relations(&run.inputs))];
    rows.push(("Found", relations(&run.outputs)));
    rows.extend(run.seconds.map(|time| ("Time", seconds(time))));
    rows.extend(output.map(|path| ("Results", sameas::printable(&path.display().to_string()))));
    facts(&rows)
}

/// `edge 1,234 tuples, path 5 tuples`.
fn relations(relations: &[RelationTuples]) -> String {
    let one = |relation: &RelationTuples| match relation.tuples {
        Some(tuples) => format!("{} {}", relation.relation, counted(tuples, "tuple")),
        None => relation.relation.clone(),
    };
    let all: Vec<String> = relations.iter().map(one).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// Strata, rules and joins, and after a run its rounds.
pub fn relate_plan(plan: &RelateExplanation) -> String {
    let mut out = facts(&[
        ("Input", relations(&plan.inputs)),
        ("Output", relations(&plan.outputs)),
        ("Joins", format!("about {}", counted(plan.expected_bindings as u64, "binding"))),
        ("Device", place(plan.device, plan.no_gpu.as_ref())),
    ]);
    for (at, one) in plan.strata.iter().enumerate() {
        out += &format!("\nStratum {}: {}\n", at + 1, heading(one));
        out += &one.rules.iter().map(rule).collect::<String>();
        out += &rounds(&one.rounds);
    }
    out + &plan.seconds.map_or(String::new(), |time| format!("\nIn all {}\n", seconds(time)))
}

fn heading(stratum: &StratumRecord) -> String {
    let mut parts = vec![relations(&stratum.relations)];
    parts.extend(stratum.counts.as_ref().map(|counted| format!("counts `{counted}` by groups")));
    match (&stratum.carried, stratum.is_recursive) {
        (Some(column), _) => parts.push(format!("recursive, each value of column {column} on its own")),
        (None, true) => parts.push("recursive, round by round".to_owned()),
        (None, false) => {}
    }
    parts.extend(stratum.seconds.map(seconds));
    parts.join("; ")
}

fn rule(rule: &PlannedRule) -> String {
    let mut out = format!("  {}  ({})\n", one_line(&rule.rule), one_line(&rule.place));
    out += &format!("    join {}\n", join(&rule.first, ""));
    for later in &rule.later {
        out += &format!("    then {}\n", join(later, "new "));
    }
    out
}

/// The atoms of a join in their order, with the bindings that are expected after each.
fn join(join: &PlannedJoin, first: &str) -> String {
    let atoms = join.atoms.iter().enumerate().map(|(at, one)| {
        let prefix = if at == 0 { first } else { "" };
        format!("{prefix}{} [{}]", one_line(&one.atom), count(one.expected as u64))
    });
    atoms.collect::<Vec<_>>().join(" -> ")
}

fn rounds(rounds: &[RoundRecord]) -> String {
    if rounds.is_empty() {
        return String::new();
    }
    let mut rows = vec![["round", "new tuples", "all tuples", "candidates", "time"].map(str::to_owned).to_vec()];
    let row = |round: &RoundRecord| {
        let [new, all, candidates] = [round.new, round.tuples, round.candidates].map(count);
        vec![round.number.to_string(), new, all, candidates, seconds(round.seconds)]
    };
    rows.extend(rounds.iter().take(MOST_ROUNDS).map(row));
    let shown: String = table(&rows).lines().map(|line| format!("    {line}\n")).collect();
    let more = rounds.len().saturating_sub(MOST_ROUNDS);
    if more == 0 { shown } else { format!("{shown}    and {}\n", counted(more as u64, "more round")) }
}
