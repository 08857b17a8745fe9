//! Texts that are keys: predicates are distinguished and put in order by them, stored plans and checkpoints are found by them.
//! A change here makes what older runs have stored useless.

use super::*;

/// Conditions, and the text that each predicate is known by.
const IDENTITIES: [(&str, &str); 18] = [
    ("levenshtein(l.name, r.name) <= 2", r#"Levenshtein l."name" l."name" LessEqual 2"#),
    ("osa(l.name, r.given) < 3", r#"Osa l."name" l."given" Less 3"#),
    ("damerau_levenshtein(r.name, l.given) <= 1", r#"DamerauLevenshtein l."given" l."name" LessEqual 1"#),
    ("levenshtein_similarity(l.name, r.name) >= 0.8", r#"LevenshteinSimilarity l."name" l."name" GreaterEqual 0.8"#),
    ("osa_similarity(l.name, r.name) > 0.80", r#"OsaSimilarity l."name" l."name" Greater 0.8"#),
    ("damerau_similarity(l.name, r.name) >= 0.9", r#"DamerauSimilarity l."name" l."name" GreaterEqual 0.9"#),
    ("hamming(l.zip, r.zip) <= 1", r#"Hamming l."zip" l."zip" LessEqual 1"#),
    ("0.9 <= jaro(l.name, r.name)", r#"Jaro l."name" l."name" GreaterEqual 0.9"#),
    ("jaro_winkler(l.name, r.name) >= 0.92", r#"JaroWinkler l."name" l."name" GreaterEqual 0.92"#),
    ("jaccard(words(l.name), words(r.name)) >= 0.5", r#"Jaccard Words(l."name") Words(l."name") GreaterEqual 0.5"#),
    ("dice(qgrams(l.name, 3), qgrams(r.name, 3)) > 0.7", r#"Dice Qgrams(l."name", 3) Qgrams(l."name", 3) Greater 0.7"#),
    ("cosine(l.tags, r.tags) >= 0.5", r#"Cosine l."tags" l."tags" GreaterEqual 0.5"#),
    ("overlap_coefficient(r.tags, words(l.name)) > 0.5", r#"OverlapCoefficient Words(l."name") l."tags" Greater 0.5"#),
    ("overlap(l.tags, r.tags) >= 2", r#"Overlap l."tags" l."tags" GreaterEqual 2"#),
    ("monge_elkan(words(l.name), r.tags) >= 0.9", r#"MongeElkan Words(l."name") l."tags" GreaterEqual 0.9"#),
    ("monge_elkan(r.tags, words(l.name)) >= 0.9", r#"MongeElkan of r Words(l."name") l."tags" GreaterEqual 0.9"#),
    (
        "jaro(r.name, l.name) + jaro_winkler(l.zip, r.zip) > 1.5",
        r#"residual Less(1.5, Add(Jaro(l."name", r."name"), JaroWinkler(l."zip", r."zip")))"#,
    ),
    (
        "levenshtein(r.name, l.name) < length(l.zip || r.zip)",
        r#"residual Less(Levenshtein(l."name", r."name"), Length(Concat(l."zip", r."zip")))"#,
    ),
];

#[test]
fn predicates_keep_the_texts_that_they_are_known_by() {
    for (condition, identity) in IDENTITIES {
        let set = compiled(LinkType::LinkOnly, &[condition]).unwrap_or_else(|e| panic!("{condition}: {e}"));
        assert_eq!(set.predicates[0].identity(), identity, "{condition}");
    }
}

/// A measure whose arguments cannot be exchanged is asked both ways round of the records of one table.
#[test]
fn measures_that_are_not_symmetric_have_a_direction() {
    let set = compiled(LinkType::DedupeOnly, &["monge_elkan(words(r.name), words(l.name)) >= 0.9"]).unwrap();
    let texts: Vec<String> = set.predicates.iter().map(Predicate::identity).collect();
    assert_eq!(
        texts,
        [
            r#"MongeElkan of r Words(l."name") Words(l."name") GreaterEqual 0.9"#,
            r#"MongeElkan Words(l."name") Words(l."name") GreaterEqual 0.9"#,
        ]
    );
    assert_eq!(set.conjunctions.len(), 2);
    let symmetric = compiled(LinkType::DedupeOnly, &["jaccard(words(r.name), words(l.name)) >= 0.9"]).unwrap();
    assert_eq!((symmetric.predicates.len(), symmetric.conjunctions.len()), (1, 1));
}

/// Predicates are numbered in the order of their first use, whatever they measure.
#[test]
fn predicates_keep_their_order() {
    let rule = "overlap(l.tags, r.tags) >= 2 and jaro(l.name, r.name) >= 0.9 and levenshtein(l.zip, r.zip) <= 1";
    let set = compiled(LinkType::LinkOnly, &[rule]).unwrap();
    let texts: Vec<String> = set.predicates.iter().map(Predicate::identity).collect();
    assert_eq!(
        texts,
        [
            r#"Overlap l."tags" l."tags" GreaterEqual 2"#,
            r#"Jaro l."name" l."name" GreaterEqual 0.9"#,
            r#"Levenshtein l."zip" l."zip" LessEqual 1"#,
        ]
    );
    let order: Vec<usize> = set.conjunctions[0].literals.iter().map(|literal| literal.predicate).collect();
    assert_eq!(order, [0, 1, 2]);
}
