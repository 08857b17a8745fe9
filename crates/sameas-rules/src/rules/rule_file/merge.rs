//! Several rule files as one.

use std::collections::{HashMap, HashSet};

use super::super::diagnostic::{Diagnostic, Origin, Report};
use super::{DeriveText, RuleFile, RulePart};
use crate::error::Result;

impl RuleFile {
    /// Adds the derives, rules and `never` rules of another file after those of this one.
    pub fn extend(&mut self, other: Self) -> Result<()> {
        let mut report = Report::default();
        self.merge(other, &mut report);
        report.into_result().map(drop)
    }

    pub(super) fn merge(&mut self, other: Self, report: &mut Report) {
        if let (Some(a), Some(b)) = (self.link_type, other.link_type)
            && a != b
        {
            report.add_plain(format!(
                "two rule files give different values of `link_type`: {} and {}\n  help: leave one of them out",
                a.name(),
                b.name()
            ));
        }
        self.report_repeated(&other, report);
        self.link_type = self.link_type.or(other.link_type);
        self.unique_id = self.unique_id.take().or(other.unique_id);
        for (input, column) in other.unique_ids {
            self.unique_ids.entry(input).or_insert(column);
        }
        self.encoding = self.encoding.take().or(other.encoding);
        self.null.extend(other.null);
        self.blank_is_null = self.blank_is_null.or(other.blank_is_null);
        self.skip_null_ids = self.skip_null_ids.or(other.skip_null_ids);
        self.derive.iter_mut().zip(other.derive).for_each(|(mine, theirs)| mine.extend(theirs));
        other.derive_of.into_iter().for_each(|(of, theirs)| self.derive_of.entry(of).or_default().extend(theirs));
        self.rules.extend(other.rules);
        self.nevers.extend(other.nevers);
        self.columns.extend(other.columns);
        self.clusters.merge(other.clusters, report);
        self.entity.is_given |= other.entity.is_given;
        self.entity.entries.extend(other.entity.entries);
        self.merge_scoring(other.compares, other.score, other.train);
        self.add_parts(other.parts);
        self.folders.extend(other.folders);
        self.made_in = self.made_in.take().or(other.made_in);
    }

    /// Adds how others were made. What was said there of all of them must not be said of those that are here already.
    fn add_parts(&mut self, others: Vec<RulePart>) {
        if self.parts.is_empty() || !others.iter().any(RulePart::is_of_all_before) {
            self.parts.extend(others);
        } else {
            self.parts.push(RulePart::Added { parts: others });
        }
    }

    /// Columns that both files derive for the same input.
    fn report_repeated(&self, other: &Self, report: &mut Report) {
        let sides = self.derive.iter().zip(&other.derive);
        let inputs = self.derive_of.iter().filter_map(|(of, mine)| Some((mine, other.derive_of.get(of)?)));
        // What is derived for both sides is one mistake.
        let mut reported: HashSet<&str> = HashSet::new();
        for (mine, theirs) in sides.chain(inputs) {
            let known: HashMap<&str, &Origin> = mine.iter().map(|d| (d.name.as_str(), &d.named_at)).collect();
            for derive in theirs {
                if let Some(earlier) = known.get(derive.name.as_str())
                    && reported.insert(&derive.named_at.place)
                {
                    report.add(&derive.named_at, &[repeated(derive, earlier)]);
                }
            }
        }
    }
}

fn repeated(derive: &DeriveText, earlier: &Origin) -> Diagnostic {
    let message = format!("two rule files derive a column `{}`", derive.name);
    let help = format!("the other is at {}; leave one of them out or rename it", earlier.place);
    Diagnostic::new(derive.named_at.whole(), message).with_help(help)
}
