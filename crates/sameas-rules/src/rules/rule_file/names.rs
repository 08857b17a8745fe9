//! The names of rules, which must differ.

use std::collections::HashMap;

use super::super::diagnostic::{Diagnostic, Origin, Report};
use super::{RuleFile, RuleText};
use crate::error::Result;

impl RuleFile {
    /// The names of the rules, `rule_1`, `rule_2`, ... where none was given.
    pub fn rule_names(&self) -> Result<Vec<String>> {
        let mut report = Report::default();
        let names = self.names(&mut report);
        report.into_result()?;
        Ok(names)
    }

    /// The names of the rules; those that come twice are reported.
    pub(in crate::rules) fn names(&self, report: &mut Report) -> Vec<String> {
        let name = |(i, rule): (usize, &RuleText)| rule.name.clone().unwrap_or_else(|| format!("rule_{}", i + 1));
        let names: Vec<String> = self.rules.iter().enumerate().map(name).collect();
        let mut first: HashMap<&str, &RuleText> = HashMap::with_capacity(names.len());
        for (name, rule) in names.iter().zip(&self.rules) {
            match first.get(name.as_str()) {
                Some(earlier) => repeated(name, earlier, rule, report),
                None => drop(first.insert(name, rule)),
            }
        }
        names
    }
}

fn repeated(name: &str, earlier: &RuleText, later: &RuleText, report: &mut Report) {
    // A rule without a name has one by its number; then the mistake is in the name that was given.
    let (at, other) = if later.named_at.is_some() { (later, earlier) } else { (earlier, later) };
    let numbered = if other.name.is_none() { ", which has no name and is called by its number" } else { "" };
    let help = format!("the other is at {}{numbered}; give each rule a name of its own, or none", place(other).place);
    let twice = Diagnostic::new(place(at).whole(), format!("two rules are called \"{name}\"")).with_help(help);
    report.add(place(at), &[twice]);
}

fn place(rule: &RuleText) -> &Origin {
    rule.named_at.as_ref().unwrap_or(&rule.origin)
}
