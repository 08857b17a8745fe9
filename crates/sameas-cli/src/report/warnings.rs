//! Warnings about plans, as sentences.

use sameas::plan::PlanWarning;
use sameas::printable;
use sameas::rules::NamedValue;

use super::values::value;
use crate::text::{about, count, cut, names, one_line};

/// Characters of a value that a warning shows.
const SHOWN: usize = 80;

/// A warning.
pub fn warning(warning: &PlanWarning) -> String {
    match warning {
        PlanWarning::AllPairs { rules, pairs, seconds, implied, equality } => format!(
            "{} must look at every pair of records, {} in all{}; {}",
            names(rules, ", "),
            count(*pairs),
            seconds.map_or(String::new(), |seconds| format!(", which takes {}", about(seconds))),
            join_advice(implied.as_deref(), equality.as_ref())
        ),
        PlanWarning::HeavyKey { key, share } => {
            let part = |part: &NamedValue| format!("{} = {}", printable(&part.name), cut(&value(&part.value), SHOWN));
            let key: Vec<String> = key.iter().map(part).collect();
            format!("{} alone makes {:.0} % of the candidates", key.join(" and "), share * 100.0)
        }
    }
}

fn join_advice(implied: Option<&str>, equality: Option<&(String, u64)>) -> String {
    match (implied, equality) {
        (Some(condition), _) => {
            let condition = one_line(condition);
            format!("{condition} holds wherever its hamming distance does and can be joined on: add it")
        }
        (None, Some((condition, pairs))) => format!(
            "an equality would let it join instead: {} leaves {} of them, an equality of parts of the two \
             somewhat more",
            one_line(condition),
            count(*pairs)
        ),
        (None, None) => "an equality (of a column, or of a part of one, such as \
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
        let all = |implied: Option<&str>, equality: Option<(&str, u64)>| PlanWarning::AllPairs {
            rules: vec!["a".into(), "b".into()],
            pairs: 12_000_000,
            seconds: None,
            implied: implied.map(str::to_owned),
            equality: equality.map(|(condition, pairs)| (condition.to_owned(), pairs)),
        };
        let said = warning(&all(None, Some(("l.x = r.x", 1_200))));
        assert!(said.starts_with("a, b must look at every pair of records, 12,000,000 in all; an equality"), "{said}");
        assert!(said.contains("l.x = r.x leaves 1,200 of them"), "{said}");
        assert!(warning(&all(None, None)).contains("such as substr(l.zip, 1, 3) = substr"));
        assert!(warning(&all(Some("levenshtein(l.x, r.x) <= 1"), None)).ends_with(
            "in all; levenshtein(l.x, r.x) <= 1 holds wherever its hamming distance does and can be joined on: add it"
        ));
        let part = |column: &str, value| NamedValue { name: column.into(), value };
        let key =
            vec![part("city", FieldValue::Text("New York".into())), part("year", FieldValue::Number("1990".into()))];
        let said = warning(&PlanWarning::HeavyKey { key, share: 0.942 });
        assert_eq!(said, "city = 'New York' and year = 1990 alone makes 94 % of the candidates");
    }
}
