//! What the numbers of a stored plan stand for: it is run with the rules that it was made for and with no others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::{Conjunction, Derived, LinkType, Literal, Predicate, Ranking, Rule, RuleSet};

/// Everything of a rule set that a plan depends on. The names of rules are not part of it: they change no number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlanKey {
    link_type: LinkType,
    /// The derived columns of each input, with what they are computed by.
    derived: Vec<BTreeMap<String, String>>,
    /// The ranks of `neighbours`, with what they are sorted by.
    rankings: BTreeMap<String, [String; 2]>,
    /// The predicates, as literals count them.
    predicates: Vec<String>,
    rules: Vec<RuleKey>,
    nevers: Vec<RuleKey>,
    /// Conjunctions of `never` rules that only say which is the first to forbid a pair.
    shadowed_nevers: Vec<(usize, Vec<Literal>)>,
}

/// A rule, or a `never` rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RuleKey {
    is_certain: bool,
    conjunctions: Vec<Vec<Literal>>,
}

impl PlanKey {
    /// The key of simplified rules.
    pub fn new(rules: &RuleSet) -> Self {
        let shadowed = |of: &Conjunction| (of.rule, of.literals.clone());
        Self {
            link_type: rules.link_type,
            derived: rules.derived.iter().map(|of| expressions(of)).collect(),
            rankings: rules.rankings.iter().map(ranking).collect(),
            predicates: rules.predicates.iter().map(Predicate::identity).collect(),
            rules: rule_keys(&rules.rules, &rules.conjunctions),
            nevers: rule_keys(&rules.nevers, &rules.never_conjunctions),
            shadowed_nevers: rules.shadowed_nevers.iter().map(shadowed).collect(),
        }
    }

    /// What a job has others of than the plan was made for, if anything.
    pub fn difference(&self, job: &Self) -> Option<&'static str> {
        if (self.link_type, self.derived.len()) != (job.link_type, job.derived.len()) {
            return Some("inputs");
        }
        // Rules decide which derived columns there are.
        if (Self { derived: job.derived.clone(), ..self.clone() }) != *job {
            return Some("rules");
        }
        (self.derived != job.derived).then_some("derived columns")
    }
}

fn expressions(derived: &[Derived]) -> BTreeMap<String, String> {
    derived.iter().map(|column| (column.name.clone(), column.expr.canonical())).collect()
}

fn ranking(ranking: &Ranking) -> (String, [String; 2]) {
    let [left, right] = &ranking.keys;
    (ranking.name.clone(), [left.canonical(), right.canonical()])
}

fn rule_keys(rules: &[Rule], conjunctions: &[Conjunction]) -> Vec<RuleKey> {
    let literals = |rule: &Rule| conjunctions[rule.conjunctions.clone()].iter().map(|of| of.literals.clone()).collect();
    rules.iter().map(|rule| RuleKey { is_certain: rule.is_certain, conjunctions: literals(rule) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Type;
    use crate::rules::{Column, RuleFile, compile};

    /// Stored plans are compared with it.
    #[test]
    fn predicates_keep_their_texts() {
        let column = |name: &str| Column { name: name.to_owned(), key: name.to_owned(), ty: Ok(Type::Text) };
        let columns = [column("name"), column("city")];
        let mut file = RuleFile::default();
        file.add_rule("l.city = r.city and jaro_winkler(l.name, r.name) >= 0.9");
        file.add_rule("cosine(words(l.name), words(r.name)) > 0.5");
        let rules = compile(&file, LinkType::LinkOnly, [&columns, &columns]).unwrap();
        assert_eq!(
            PlanKey::new(&rules).predicates,
            [
                r#"equal false l."city" l."city""#,
                r#"JaroWinkler l."name" l."name" GreaterEqual 0.9"#,
                r#"Cosine Words(l."name") Words(l."name") Greater 0.5"#,
            ]
        );
    }
}
