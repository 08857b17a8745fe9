//! What a rule file says of clusters, as the rules of a clustering: sources by their numbers in place of their names.

use sameas_clusters::{BridgeSplit, ClusterLimit, ClusterMethod, ClusterRules, Counted, Linkage, OneTo};

use crate::error::{Error, Result};
use crate::rules::{
    ClusterMistake, ClusterPlace, ClusterSpec, CountedSpec, LimitSpec, MethodSpec, OneToSpec, SplitSpec, nearest,
};

/// The rules of a clustering of records of these sources, checked. Where each of several thresholds gives clusters of its own,
/// there is none in the rules.
pub fn rules_of_spec(spec: &ClusterSpec, sources: &[String]) -> Result<ClusterRules> {
    if let Some(mistake) = spec.mistakes().first() {
        return Err(error_of(mistake));
    }
    let limit = |limit: &LimitSpec| ClusterLimit { counted: counted_of(limit.counted), most: limit.most };
    let rules = ClusterRules {
        threshold: spec.thresholds.first().copied().filter(|_| !spec.has_several_thresholds()),
        method: method_of(spec, sources)?,
        max_size: spec.max_size,
        keep_apart: spec.keep_apart,
        one_to: spec.one_to.as_ref().map(|one_to| one_to_of(one_to, sources)).transpose()?,
        limits: spec.limits.iter().map(limit).collect(),
        split: spec.split.zip(spec.density).map(|(SplitSpec::Bridges, density)| BridgeSplit { density }),
    };
    rules.check(sources.len() as u32)?;
    Ok(rules)
}

fn method_of(spec: &ClusterSpec, sources: &[String]) -> Result<ClusterMethod> {
    let linkage = |linkage| ClusterMethod::Linkage { linkage, threshold: spec.least.unwrap_or_default() };
    Ok(match spec.method {
        MethodSpec::Components => ClusterMethod::Components,
        MethodSpec::Optimal if sources.len() == 2 => ClusterMethod::Optimal,
        MethodSpec::Optimal => {
            let message = format!("the method `optimal` is for two sources, and there {}", number_of(sources));
            let help = "write `one_to = \"one\"` instead, which works for any number of sources from two on";
            return Err(wrong("method", message, help.to_owned()));
        }
        MethodSpec::Average => linkage(Linkage::Average),
        MethodSpec::Complete => linkage(Linkage::Complete),
        MethodSpec::Louvain => ClusterMethod::Louvain,
    })
}

fn one_to_of(one_to: &OneToSpec, sources: &[String]) -> Result<OneTo> {
    let key = match one_to {
        OneToSpec::One => "one_to",
        OneToSpec::Many(_) => "one_to_many",
    };
    if sources.len() < 2 {
        let message = format!("`{key}` is for records of several sources, and there {}", number_of(sources));
        let help = "leave it out, or write `max_size`, the most records of a cluster";
        return Err(wrong(key, message, help.to_owned()));
    }
    let OneToSpec::Many(name) = one_to else { return Ok(OneTo::One) };
    match sources.iter().position(|source| source == name) {
        Some(repeated) => Ok(OneTo::Many { repeated: repeated as u32 }),
        None => Err(wrong(key, format!("there is no source `{name}`"), known_sources(name, sources))),
    }
}

fn counted_of(counted: CountedSpec) -> Counted {
    match counted {
        CountedSpec::ValuesOf => Counted::DifferentValues,
        CountedSpec::RecordsOf => Counted::RecordsOfEach,
    }
}

/// The most sources that a message names.
const MOST_NAMES: usize = 20;

fn known_sources(wrong: &str, sources: &[String]) -> String {
    let near = nearest(wrong, sources.iter().map(String::as_str));
    let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let shown: Vec<&str> = sources.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = sources.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{near}the sources are: {}{more}", shown.join(", "))
}

fn number_of(sources: &[String]) -> String {
    match sources.len() {
        0 => "is none".to_owned(),
        1 => "is one".to_owned(),
        several => format!("are {several}"),
    }
}

fn wrong(key: &'static str, message: String, help: String) -> Error {
    error_of(&ClusterMistake { place: ClusterPlace::Key(key), message, help })
}

fn error_of(ClusterMistake { place, message, help }: &ClusterMistake) -> Error {
    Error::rules(format!("{place}: {message}")).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn every_part_becomes_a_rule() {
        let limit = |counted| LimitSpec { most: 2, counted, expression: "a".to_owned() };
        let spec = ClusterSpec {
            thresholds: vec![0.9],
            method: MethodSpec::Complete,
            least: Some(0.5),
            max_size: Some(50),
            keep_apart: true,
            one_to: Some(OneToSpec::Many("b".to_owned())),
            split: Some(SplitSpec::Bridges),
            density: Some(0.3),
            limits: vec![limit(CountedSpec::ValuesOf), limit(CountedSpec::RecordsOf)],
        };
        let rules = rules_of_spec(&spec, &names(&["a", "b"])).unwrap();
        let counted = |counted| ClusterLimit { counted, most: 2 };
        let expected = ClusterRules {
            threshold: Some(0.9),
            method: ClusterMethod::Linkage { linkage: Linkage::Complete, threshold: 0.5 },
            max_size: Some(50),
            keep_apart: true,
            one_to: Some(OneTo::Many { repeated: 1 }),
            limits: vec![counted(Counted::DifferentValues), counted(Counted::RecordsOfEach)],
            split: Some(BridgeSplit { density: 0.3 }),
        };
        assert_eq!(rules, expected);
        assert_eq!(rules_of_spec(&ClusterSpec::default(), &[]).unwrap(), ClusterRules::default());
        let several = ClusterSpec { thresholds: vec![0.5, 0.9], ..ClusterSpec::default() };
        assert_eq!(rules_of_spec(&several, &[]).unwrap(), ClusterRules::default());
    }

    #[test]
    fn mistakes_name_their_place_and_the_sources() {
        let spec = ClusterSpec::default;
        let many = |name: &str| ClusterSpec { one_to: Some(OneToSpec::Many(name.to_owned())), ..spec() };
        let one = ClusterSpec { one_to: Some(OneToSpec::One), ..spec() };
        let optimal = ClusterSpec { method: MethodSpec::Optimal, ..spec() };
        for (spec, sources, message, help) in [
            (many("lft"), &["left", "right"][..], "`one_to_many`: there is no source `lft`", "did you mean `left`?"),
            (many("x"), &["left", "right"][..], "there is no source `x`", "the sources are: left, right"),
            (
                one,
                &["people"][..],
                "`one_to`: `one_to` is for records of several sources, and there is one",
                "leave it out",
            ),
            (
                optimal,
                &["a", "b", "c"][..],
                "`method`: the method `optimal` is for two sources, and there are 3",
                "one_to",
            ),
            (
                ClusterSpec { max_size: Some(0), ..spec() },
                &[][..],
                "`max_size`: `max_size` is 0",
                "the least number is 1",
            ),
        ] {
            let error = rules_of_spec(&spec, &names(sources)).unwrap_err();
            assert!(error.message().contains(message), "{error}");
            assert!(error.help().is_some_and(|found| found.contains(help)), "{error:?}");
        }
    }
}
