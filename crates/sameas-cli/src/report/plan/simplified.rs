//! What need not be checked of the rules, as sentences.

use sameas::printable;
use sameas::rules::{Contradiction, RuleLabel, Simplification};

use super::prose::conditions;
use crate::text::{count, one_line};

/// A simplification.
pub fn simplification(simplification: &Simplification) -> String {
    match simplification {
        Simplification::ConditionImplied { rule, condition, by } => {
            let [condition, by] = [condition, by].map(|literal| one_line(&literal.to_string()));
            format!("{}: {condition} follows from {by} and is not checked", label(rule))
        }
        Simplification::RuleNeverHolds { rule, contradiction } => {
            format!("{} can never hold: {}", label(rule), contradicts(contradiction))
        }
        Simplification::ConjunctionNeverHolds { rule, contradiction } => {
            format!("{}: one way for it to hold is left out: {}", label(rule), contradicts(contradiction))
        }
        Simplification::ConjunctionSubsumed { rule, conjunction, by_rule, by } => {
            let whose = if rule == by_rule { String::new() } else { format!(" of {}", label(by_rule)) };
            let (left_out, by) = (conditions(conjunction), conditions(by));
            format!("{}: `{left_out}` is left out because `{by}`{whose} holds wherever it does", label(rule))
        }
        Simplification::RuleShadowed { rule, by } => format!(
            "{} adds no pair: every pair it gives already belongs to {} (or an earlier one); it is only counted",
            label(rule),
            label(by)
        ),
        Simplification::NotCompared { conditions } => format!(
            "which of {} conditions follow from each other was not searched for: too many read the same columns",
            count(*conditions as u64)
        ),
    }
}

/// A rule with its name.
pub fn label(rule: &RuleLabel) -> String {
    match rule {
        RuleLabel::Rule(name) => format!("rule \"{}\"", printable(name)),
        RuleLabel::Never(name) => format!("never \"{}\"", printable(name)),
    }
}

fn contradicts(contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::Unsatisfiable { condition } => format!("{} holds for no pair", one_line(&condition.to_string())),
        Contradiction::Conflict { first, second } => {
            let [first, second] = [first, second].map(|literal| one_line(&literal.to_string()));
            format!("{first} contradicts {second}")
        }
    }
}

#[cfg(test)]
mod tests {
    use sameas::rules::LiteralRecord;

    use super::*;

    fn literal(predicate: &str) -> LiteralRecord {
        LiteralRecord { predicate: predicate.into(), want: true }
    }

    #[test]
    fn simplifications_are_sentences() {
        let [rule, never] = [RuleLabel::Rule("a".into()), RuleLabel::Never("a".into())];
        let conflict = Contradiction::Conflict { first: literal("x"), second: literal("y") };
        let unsatisfiable = Contradiction::Unsatisfiable { condition: literal("x") };
        let subsumed = |by_rule: &RuleLabel| Simplification::ConjunctionSubsumed {
            rule: never.clone(),
            conjunction: vec![literal("x"), literal("y")],
            by_rule: by_rule.clone(),
            by: vec![literal("y")],
        };
        for (given, said) in [
            (
                Simplification::ConditionImplied { rule: rule.clone(), condition: literal("x"), by: literal("y") },
                "rule \"a\": x follows from y and is not checked",
            ),
            (
                Simplification::RuleNeverHolds { rule: rule.clone(), contradiction: conflict },
                "rule \"a\" can never hold: x contradicts y",
            ),
            (
                Simplification::ConjunctionNeverHolds { rule: rule.clone(), contradiction: unsatisfiable },
                "rule \"a\": one way for it to hold is left out: x holds for no pair",
            ),
            (subsumed(&never), "never \"a\": `x and y` is left out because `y` holds wherever it does"),
            (subsumed(&rule), "never \"a\": `x and y` is left out because `y` of rule \"a\" holds wherever it does"),
            (
                Simplification::RuleShadowed { rule: rule.clone(), by: rule.clone() },
                "rule \"a\" adds no pair: every pair it gives already belongs to rule \"a\" (or an earlier one); it is \
                 only counted",
            ),
            (
                Simplification::NotCompared { conditions: 3_000 },
                "which of 3,000 conditions follow from each other was not searched for: too many read the same columns",
            ),
        ] {
            assert_eq!(simplification(&given), said);
        }
    }
}
