//! `[clusters]` and `[[limit]]`: how clusters are made of pairs.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::super::diagnostic::{Diagnostic, Origin, Report};
use super::super::nearest;
use super::RuleFile;
use super::cluster_spec::{ClusterPlace, ClusterSpec, CountedSpec, LimitSpec, MethodSpec, OneToSpec, SplitSpec};
use super::toml_value::{Placed, Reader, TomlKey, is_tables, span};

/// What `[clusters]` and `[[limit]]` say, and where.
#[derive(Clone, Debug, Default)]
pub struct ClustersText {
    /// What they say.
    pub spec: ClusterSpec,
    /// Where the keys of `[clusters]` were written.
    pub places: BTreeMap<&'static str, Origin>,
    /// The expressions of the limits, and where they were written.
    pub limits: Vec<Origin>,
}

const CLUSTERS: &[&str] =
    &["threshold", "method", "least", "max_size", "keep_apart", "one_to", "one_to_many", "split", "density"];
const LIMIT: &[&str] = &["most", "values_of", "records_of"];
const LIMIT_EXAMPLE: &str = "values_of = \"passport\"";

impl ClustersText {
    /// Where a part of it was written. A key that is missing is asked for by another one, which is there.
    fn place(&self, place: ClusterPlace) -> Option<&Origin> {
        match place {
            ClusterPlace::Key(key) => self.places.get(key),
            ClusterPlace::Limit(at) => self.limits.get(at),
        }
    }

    /// Takes over what another file says: its limits, and the rest where this one says nothing.
    pub(super) fn merge(&mut self, other: Self, report: &mut Report) {
        let Self { mut spec, places, limits } = other;
        let mine = std::mem::take(&mut self.spec.limits);
        let theirs = std::mem::take(&mut spec.limits);
        if self.places.is_empty() {
            (self.spec, self.places) = (spec, places);
        } else if let (Some(at), Some(earlier)) = (places.values().next(), self.places.values().next())
            && self.spec != spec
        {
            let help = format!("the other is at {}; leave one of them out", earlier.place);
            let message = "two rule files say how clusters are made";
            report.add(at, &[Diagnostic::new(at.whole(), message).with_help(help)]);
        }
        self.spec.limits = [mine, theirs].concat();
        self.limits.extend(limits);
    }
}

impl RuleFile {
    /// How clusters are made of pairs.
    pub fn cluster_spec(&self) -> &ClusterSpec {
        &self.clusters.spec
    }

    /// What is wrong with how clusters are made.
    pub(in crate::rules) fn add_cluster_mistakes(&self, report: &mut Report) {
        for mistake in self.clusters.spec.mistakes() {
            match self.clusters.place(mistake.place) {
                Some(at) => report.add(at, &[Diagnostic::new(at.whole(), mistake.message).with_help(mistake.help)]),
                None => report.add_plain(format!("{}: {}\n  help: {}", mistake.place, mistake.message, mistake.help)),
            }
        }
    }
}

impl Reader {
    /// `[clusters]`.
    pub(super) fn clusters(&mut self, clusters: &mut ClustersText, key: TomlKey<'_>, value: Placed<'_>) {
        let Some(table) = self.table(key, value, "method = \"components\"") else { return };
        for (meant, key, value) in self.entries(table, CLUSTERS, advice_for_clusters) {
            let origin = self.value_origin("clusters", value);
            if matches!(meant, "one_to" | "one_to_many") && clusters.spec.one_to.is_some() {
                let help = "`one_to_many` has one record of each other source, too: leave `one_to` out";
                self.mistake(key.span, "`one_to` and `one_to_many` are two of one kind", help);
            }
            self.cluster_entry(&mut clusters.spec, meant, key, value);
            clusters.places.insert(meant, origin);
        }
    }

    fn cluster_entry(&mut self, spec: &mut ClusterSpec, meant: &str, key: TomlKey<'_>, value: Placed<'_>) {
        match meant {
            "threshold" => spec.thresholds = self.thresholds(key, value),
            "method" => {
                let named = MethodSpec::ALL.map(|method| (method.name(), method));
                spec.method = self.named(key, value, &named).unwrap_or_default();
            }
            "least" => spec.least = self.number(key, value, "least = 0.5"),
            "max_size" => spec.max_size = self.count(key, value, "max_size = 50"),
            "keep_apart" => spec.keep_apart = self.truth(key, value).unwrap_or_default(),
            "one_to" => {
                if self.named(key, value, &[("one", ())]).is_some() {
                    spec.one_to = Some(OneToSpec::One);
                }
            }
            "one_to_many" => {
                let source = self.text(key, value, "one_to_many = \"right\"");
                spec.one_to = source.map(OneToSpec::Many).or(spec.one_to.take());
            }
            "split" => {
                let named = SplitSpec::ALL.map(|split| (split.name(), split));
                spec.split = self.named(key, value, &named);
            }
            _ => spec.density = self.number(key, value, "density = 0.3"),
        }
    }

    /// One number or several.
    fn thresholds(&mut self, key: TomlKey<'_>, value: Placed<'_>) -> Vec<f64> {
        let example = "threshold = 0.9";
        match value.get_ref() {
            DeValue::Array(items) if items.is_empty() => {
                let help = format!("write for example `{example}`, or leave it out");
                self.mistake(span(value.span()), "`threshold` is an empty list", help);
                Vec::new()
            }
            DeValue::Array(items) => items.iter().filter_map(|item| self.number(key, item, example)).collect(),
            _ => self.number(key, value, example).into_iter().collect(),
        }
    }

    /// What one of some words stands for; what is misspelt is reported and taken for what was meant.
    pub(super) fn named<T: Copy>(
        &mut self,
        key: TomlKey<'_>,
        value: Placed<'_>,
        named: &[(&'static str, T)],
    ) -> Option<T> {
        let names = || named.iter().map(|(name, _)| *name);
        let text = self.text(key, value, &format!("{} = \"{}\"", key.name, named[0].0))?;
        let meaning = |wanted: &str| named.iter().find(|(name, _)| *name == wanted).map(|(_, meaning)| *meaning);
        if let Some(meaning) = meaning(&text) {
            return Some(meaning);
        }
        let all = names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let (near, all) = (nearest(&text, names()), format!("it is one of: {all}"));
        let help = near.map_or(all.clone(), |near| format!("did you mean \"{near}\"? {all}"));
        self.mistake(span(value.span()), format!("`{}` is not \"{text}\"", key.name), help);
        near.and_then(meaning)
    }

    /// A whole number.
    fn count(&mut self, key: TomlKey<'_>, value: Placed<'_>, example: &str) -> Option<u32> {
        if let DeValue::Integer(integer) = value.get_ref()
            && let Ok(count) = integer.as_str().replace('_', "").parse()
        {
            return Some(count);
        }
        let message = format!("`{}` must be a whole number from 1 to {}", key.name, u32::MAX);
        self.mistake(span(value.span()), message, format!("write for example `{example}`"));
        None
    }

    /// The limits of a file.
    pub(super) fn limits(&mut self, clusters: &mut ClustersText, key: TomlKey<'_>, value: Placed<'_>) {
        match value.get_ref() {
            DeValue::Array(items) if is_tables(items) => {
                for item in items.iter() {
                    if let DeValue::Table(table) = item.get_ref() {
                        self.limit(clusters, item, table);
                    }
                }
            }
            DeValue::Array(items) if items.is_empty() => {}
            _ => {
                let help = format!("write `[[limit]]`, and below it `most = 1` and `{LIMIT_EXAMPLE}`");
                self.mistake(span(value.span()), format!("`{}` must be a list of tables", key.name), help);
            }
        }
    }

    fn limit(&mut self, clusters: &mut ClustersText, at: Placed<'_>, table: &DeTable<'_>) {
        let (mut most, mut counted) = (None, Vec::new());
        let entries = self.entries(table, LIMIT, advice_for_limit);
        for (meant, key, value) in &entries {
            let (key, value) = (*key, *value);
            let what = match *meant {
                "most" => {
                    most = self.count(key, value, "most = 1");
                    continue;
                }
                "values_of" => CountedSpec::ValuesOf,
                _ => CountedSpec::RecordsOf,
            };
            let name = format!("limit {}", clusters.limits.len() + 1);
            let text = self.text(key, value, LIMIT_EXAMPLE);
            counted.push((what, text.map(|text| self.origin(name, value.span(), &text))));
        }
        if !entries.iter().any(|(meant, ..)| *meant == "most") {
            let help = "say how many a cluster may have: `most = 1`";
            self.mistake(span(at.span()), "this limit has no `most`", help);
        }
        match (most, &counted[..]) {
            (Some(most), [(counted, Some(origin))]) => {
                let limit = LimitSpec { most, counted: *counted, expression: origin.text.clone() };
                clusters.spec.limits.push(limit);
                clusters.limits.push(origin.clone());
            }
            (_, [_, _, ..]) => {
                let help = "leave one of them out, or write two limits";
                self.mistake(span(at.span()), "this limit has `values_of` and `records_of`", help);
            }
            (_, []) => {
                let help = format!("say what is counted: `{LIMIT_EXAMPLE}`, or `records_of = \"source\"`");
                self.mistake(span(at.span()), "this limit counts nothing", help);
            }
            // What is missing has been reported.
            _ => {}
        }
    }
}

/// What others call the parts of `[clusters]`.
fn advice_for_clusters(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "thresholds" | "at" => ("threshold", "it is called `threshold`, and is a number or a list of numbers"),
        "algorithm" | "clustering" => ("method", "it is called `method`"),
        "maximum" | "size" | "max" => ("max_size", "the most records of a cluster are called `max_size`"),
        "one_to_one" => ("one_to", "it is written `one_to = \"one\"`"),
        "never" => ("keep_apart", "it is written `keep_apart = true`"),
        "limit" | "limits" => {
            return Some((None, "each limit has a table of its own: `[[limit]]`".to_owned()));
        }
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}

/// What others call the parts of a limit.
fn advice_for_limit(wrong: &str) -> Option<(Option<&'static str>, String)> {
    let (meant, help) = match wrong.to_lowercase().as_str() {
        "max" | "at_most" | "maximum" => ("most", "it is called `most`"),
        "column" | "values" | "value_of" | "of" => ("values_of", "different values are counted by `values_of`"),
        "records" | "record_of" => ("records_of", "records of each value are counted by `records_of`"),
        _ => return None,
    };
    Some((Some(meant), help.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RulePart;

    const FULL: &str = "[[rule]]\nwhen = \"l.a = r.a\"\n[clusters]\nthreshold = 0.9\nmethod = \"average\"\nleast = 0.5\n\
                        max_size = 50\nkeep_apart = true\none_to_many = \"right\"\nsplit = \"bridges\"\ndensity = 0.3\n\
                        [[limit]]\nmost = 1\nvalues_of = \"passport\"\n[[limit]]\nmost = 3\nrecords_of = \"upper(a)\"\n";

    fn spec(text: &str) -> ClusterSpec {
        let rules = RuleFile::parse(text, "j.toml").unwrap();
        rules.check_syntax().unwrap();
        rules.cluster_spec().clone()
    }

    #[test]
    fn every_key_is_read() {
        let limit = |most, counted, expression: &str| LimitSpec { most, counted, expression: expression.to_owned() };
        let expected = ClusterSpec {
            thresholds: vec![0.9],
            method: MethodSpec::Average,
            least: Some(0.5),
            max_size: Some(50),
            keep_apart: true,
            one_to: Some(OneToSpec::Many("right".to_owned())),
            split: Some(SplitSpec::Bridges),
            density: Some(0.3),
            limits: vec![limit(1, CountedSpec::ValuesOf, "passport"), limit(3, CountedSpec::RecordsOf, "upper(a)")],
        };
        assert_eq!(spec(FULL), expected);
        assert_eq!(spec("[clusters]\nthreshold = [0.8, 1, 0.9]\n").thresholds, [0.8, 1.0, 0.9]);
        assert_eq!(spec("[clusters]\none_to = \"one\"\n").one_to, Some(OneToSpec::One));
        assert!(spec("[[rule]]\nwhen = \"l.a = r.a\"\n").is_default());
    }

    #[test]
    fn rules_that_are_made_again_have_the_same_clusters() {
        let rules = RuleFile::parse(FULL, "j.toml").unwrap();
        let stored = serde_json::to_string(rules.parts()).unwrap();
        let parts: Vec<RulePart> = serde_json::from_str(&stored).unwrap();
        assert_eq!(RuleFile::of_parts(&parts).unwrap().cluster_spec(), rules.cluster_spec());
    }

    #[test]
    fn each_mistake_has_its_place() {
        for (text, line, message, help) in [
            (
                "[clusters]\nmethod = \"averege\"\nleast = 0.5\n",
                2,
                "`method` is not \"averege\"",
                "did you mean \"average\"?",
            ),
            ("[clusters]\nmethod = 3\n", 2, "`method` must be a text", "method = \"components\""),
            ("[clusters]\nthreshold = \"high\"\n", 2, "`threshold` must be a number", "threshold = 0.9"),
            ("[clusters]\nthreshold = []\n", 2, "`threshold` is an empty list", "leave it out"),
            ("[clusters]\nthreshold = [0.5, 0.5]\n", 2, "the threshold 0.5 stands twice", "leave one of them out"),
            ("[clusters]\nthresholds = 0.5\n", 2, "unknown key `thresholds`", "it is called `threshold`"),
            ("[clusters]\nmethod = \"complete\"\n", 2, "`complete` has no `least`", "`least = 0.5`"),
            ("[clusters]\nleast = 0.5\n", 2, "`least` belongs to linkages", "method = \"average\""),
            ("[clusters]\nmax_size = 0\n", 2, "`max_size` is 0", "the least number is 1"),
            ("[clusters]\nmax_size = -1\n", 2, "`max_size` must be a whole number", "max_size = 50"),
            ("[clusters]\nmax_size = 2.5\n", 2, "`max_size` must be a whole number", "max_size = 50"),
            ("[clusters]\none_to = \"many\"\n", 2, "`one_to` is not \"many\"", "it is one of: \"one\""),
            ("[clusters]\nsplit = \"bridges\"\n", 2, "`split` has no `density`", "density = 0.3"),
            ("[clusters]\nlimit = 3\n", 2, "unknown key `limit`", "`[[limit]]`"),
            ("clusters = \"louvain\"\n", 1, "`clusters` must be a table", "method = \"components\""),
            ("[limit]\nmost = 1\n", 1, "`limit` must be a list of tables", "write `[[limit]]`"),
            ("[[limit]]\nvalues_of = \"a\"\n", 1, "this limit has no `most`", "`most = 1`"),
            ("[[limit]]\nmost = 1\n", 1, "this limit counts nothing", "records_of = \"source\""),
            ("[[limit]]\nmost = 0\nvalues_of = \"a\"\n", 3, "`most` is 0", "the least number is 1"),
            ("[[limit]]\nmost = 1\nvalues_of = \"lowr(a)\"\n", 3, "unknown function `lowr`", "lower"),
        ] {
            let said = match RuleFile::parse(text, "j.toml") {
                Ok(rules) => rules.check_syntax().expect_err(text).to_string(),
                Err(error) => error.to_string(),
            };
            assert!(!said.contains("mistakes in the rules"), "{said}");
            for part in [message, help, &format!("j.toml:{line}\n")] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }

    #[test]
    fn two_files_say_it_once() {
        let rules = |text: &str, name: &str| RuleFile::parse(text, name).unwrap();
        let mut first = rules(FULL, "one.toml");
        first.extend(rules("[[limit]]\nmost = 2\nvalues_of = \"b\"\n", "two.toml")).unwrap();
        assert_eq!(first.cluster_spec().limits.len(), 3);
        let error = first.extend(rules("[clusters]\nmax_size = 3\n", "three.toml")).unwrap_err().to_string();
        assert!(
            error.contains("two rule files say how clusters are made") && error.contains("three.toml:2"),
            "{error}"
        );
    }
}
