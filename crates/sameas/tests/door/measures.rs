//! A new measure is a new variant, and the compiler names every place that has to know it. A wildcard would take it for
//! another measure.

use crate::house::{library, none};
use crate::imports::tokens;

/// The types to which a new measure, or a new algorithm or formula, adds a variant.
const OF_MEASURES: [&str; 10] = [
    "TextMeasure",
    "SetMeasure",
    "TextForm",
    "SetForm",
    "TextCount",
    "EditCount",
    "EditFormula",
    "SetFormula",
    "CountScale",
    "MeasureKind",
];

/// The fewest matches over them that the library has: with fewer this test would read nothing.
const FEWEST: usize = 20;

#[test]
fn no_match_over_measures_has_a_wildcard() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (path, text) in library() {
        let tokens = tokens(&text);
        for patterns in matches_of(&tokens).into_iter().filter(|patterns| patterns.iter().any(|of| names_measure(of))) {
            seen += 1;
            if patterns.iter().any(|pattern| is_wildcard(pattern)) {
                wrong.push(format!("{}: {}", path.display(), patterns.concat().join(" ")));
            }
        }
    }
    none(&wrong, "a match over measures names all of them");
    assert!(seen >= FEWEST, "only {seen} matches over measures were found");
}

fn names_measure(pattern: &[&str]) -> bool {
    pattern.windows(2).any(|two| OF_MEASURES.contains(&two[0]) && two[1] == "::")
}

/// Whether a pattern takes whatever is left: `_`, a name, or several of these. One with a condition does not.
fn is_wildcard(pattern: &[&str]) -> bool {
    let is_name = |token: &str| token.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    !pattern.contains(&"if")
        && !pattern.iter().any(|token| ["true", "false"].contains(token))
        && pattern.iter().all(|token| ["(", ")", ",", "&", ".", "|"].contains(token) || is_name(token))
}

/// The patterns of each `match`, with their conditions.
fn matches_of<'a>(tokens: &[&'a str]) -> Vec<Vec<Vec<&'a str>>> {
    let starts = (0..tokens.len()).filter(|at| tokens[*at] == "match");
    starts.filter_map(|at| Some(patterns(&tokens[body(tokens, at)?..]))).collect()
}

/// The place after the brace that opens the arms of the `match` at a place.
fn body(tokens: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at + 1) {
        match *token {
            "{" if depth == 0 => return Some(place + 1),
            ";" | "}" if depth == 0 => return None,
            token => depth += change_of_depth(token),
        }
    }
    None
}

/// The patterns of arms, up to the brace that closes them.
fn patterns<'a>(tokens: &[&'a str]) -> Vec<Vec<&'a str>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(arrow) = end_of(tokens, at, |rest| rest.starts_with(&["=", ">"])) {
        found.push(tokens[at..arrow].to_vec());
        let value = arrow + 2;
        // A block needs no comma after it.
        at = if tokens.get(value) == Some(&"{") {
            let Some(close) = end_of(tokens, value + 1, |rest| rest[0] == "}") else { break };
            close + 1
        } else {
            let Some(comma) = end_of(tokens, value, |rest| rest[0] == ",") else { break };
            comma
        };
        at += usize::from(tokens.get(at) == Some(&","));
    }
    found
}

/// The first place from which on what is wanted stands, in no inner bracket; nothing where the brackets around are closed
/// before.
fn end_of(tokens: &[&str], from: usize, is_wanted: impl Fn(&[&str]) -> bool) -> Option<usize> {
    let mut depth = 0;
    for at in from..tokens.len() {
        let rest = &tokens[at..];
        if depth == 0 && is_wanted(rest) {
            return Some(at);
        }
        depth += change_of_depth(rest[0]);
        if depth < 0 {
            return None;
        }
    }
    None
}

fn change_of_depth(token: &str) -> i32 {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// The patterns of the only `match` of a text, as texts.
fn patterns_of(text: &str) -> Vec<String> {
    let found = matches_of(&tokens(text));
    assert_eq!(found.len(), 1, "{text}");
    found[0].iter().map(|pattern| pattern.join(" ")).collect()
}

#[test]
fn the_patterns_of_a_match_are_found() {
    let text = "fn f() { match g(|x| { x }) { A::B { c: 1..=2, .. } | A::D(_) if e >= f => { h(); } A::I => j(k, [l]), _ => m } }";
    assert_eq!(patterns_of(text), ["A :: B { c : 1 . . = 2 , . . } | A :: D ( _ ) if e > = f", "A :: I", "_"]);
    assert_eq!(patterns_of("match a { Some(b) => if c { d } else { e }, None => f, }"), ["Some ( b )", "None"]);
    let nested = matches_of(&tokens("match a { B => match c { D => e, _ => f }, _ => g }"));
    assert_eq!(nested.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn a_wildcard_takes_whatever_is_left() {
    let is_wild = |pattern: &str| is_wildcard(&tokens(pattern));
    assert!(["_", "other", "(_, _)", "(_, x)", "(..)"].into_iter().all(is_wild));
    assert!(!["TextForm::Jaro", "(TextForm::Jaro, _)", "_ if a", "Some(x)", "true"].into_iter().any(is_wild));
    assert!(names_measure(&tokens("Some(TextForm::Edits(..))")) && !names_measure(&tokens("MyTextForm::Edits")));
}
