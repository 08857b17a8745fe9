//! Warnings about plans, as sentences.

use sameas::{JoinAdvice, KeyValue, PlanWarning};

use super::values::value;
use crate::text::{count, cut};

/// Characters of a value that a warning shows.
const SHOWN: usize = 80;

/// A warning.
pub fn warning(warning: &PlanWarning) -> String {
    match warning {
        PlanWarning::AllPairs { rules, pairs, advice } => format!(
            "{} must look at every pair of records, {} in all; {}",
            rules.join(", "),
            count(*pairs),
            join_advice(advice)
        ),
        PlanWarning::HeavyKey { key, share } => {
            let part = |part: &KeyValue| format!("{} = {}", part.column, cut(&value(&part.value), SHOWN));
            let key: Vec<String> = key.iter().map(part).collect();
            format!("{} alone makes {:.0} % of the candidates", key.join(" and "), share * 100.0)
        }
    }
}

fn join_advice(advice: &JoinAdvice) -> String {
    match advice {
        JoinAdvice::AddEditDistance { condition } => {
            format!("{condition} holds wherever its hamming distance does and can be joined on: add it")
        }
        JoinAdvice::AddEquality { condition, pairs } => format!(
            "an equality would let it join instead: {condition} leaves {} of them, an equality of parts of the two \
             somewhat more",
            count(*pairs)
        ),
        JoinAdvice::AddAnyEquality => "an equality (of a column, or of a part of one, such as \
                                       substr(l.zip, 1, 3) = substr(r.zip, 1, 3)) would let it join instead"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use sameas::FieldValue;

    use super::*;

    #[test]
    fn warnings_are_sentences() {
        let all = |advice| PlanWarning::AllPairs { rules: vec!["a".into(), "b".into()], pairs: 12_000_000, advice };
        let equality = JoinAdvice::AddEquality { condition: "l.x = r.x".into(), pairs: 1_200 };
        let said = warning(&all(equality));
        assert!(said.starts_with("a, b must look at every pair of records, 12,000,000 in all; an equality"), "{said}");
        assert!(said.contains("l.x = r.x leaves 1,200 of them"), "{said}");
        assert!(warning(&all(JoinAdvice::AddAnyEquality)).contains("such as substr(l.zip, 1, 3) = substr"));
        let distance = JoinAdvice::AddEditDistance { condition: "levenshtein(l.x, r.x) <= 1".into() };
        assert!(warning(&all(distance)).ends_with(
            "in all; levenshtein(l.x, r.x) <= 1 holds wherever its hamming distance does and can be joined on: add it"
        ));
        let part = |column: &str, value| KeyValue { column: column.into(), value };
        let key =
            vec![part("city", FieldValue::Text("New York".into())), part("year", FieldValue::Number("1990".into()))];
        let said = warning(&PlanWarning::HeavyKey { key, share: 0.942 });
        assert_eq!(said, "city = 'New York' and year = 1990 alone makes 94 % of the candidates");
    }
}
