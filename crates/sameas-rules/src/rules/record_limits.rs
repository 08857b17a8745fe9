//! What `[[limit]]`s count, where records are at hand and no rule compares them.

use super::bind::{Binder, ColumnIndex, Scope};
use super::columns_of_inputs::{InputColumns, derives_by_input};
use super::derive::{Derived, bind_derives, empty_is_null};
use super::diagnostic::{Diagnostic, Report};
use super::limits::mistake_in;
use super::list_file::ListFiles;
use super::rule_file::{DeriveText, RuleFile};
use super::stack::on_a_deep_stack;
use crate::error::Result;
use crate::expr::Expr;
use crate::memory::MemoryBudget;

/// What the limits of clusters count of the records of an input.
#[derive(Clone, Debug, Default)]
pub struct RecordLimits {
    /// Its derived columns, in the order of computation.
    pub derived: Vec<Derived>,
    /// What each limit counts, over its columns and the derived ones.
    pub values: Vec<Expr>,
}

/// What the limits of a rule file count, for each input. All mistakes are reported at once. The memory of the files that
/// expressions name is counted.
pub fn record_limits(file: &RuleFile, inputs: &[InputColumns<'_>], budget: &MemoryBudget) -> Result<Vec<RecordLimits>> {
    on_a_deep_stack(|| {
        let lists = ListFiles::new(budget).made_in(file.folder_made_in());
        let mut report = Report::default();
        let texts = derives_by_input(file, inputs, &mut report);
        // A mistake in what all inputs have is one in each of many: one is enough.
        let mut enough = Report::default();
        let mut found = Vec::with_capacity(inputs.len());
        for (texts, input) in texts.iter().zip(inputs) {
            let report = if report.is_empty() { &mut report } else { &mut enough };
            found.push(limits_of_input(file, texts, input, &lists, report));
        }
        report.into_result()?;
        Ok(found)
    })
}

fn limits_of_input(
    file: &RuleFile,
    texts: &[DeriveText],
    input: &InputColumns<'_>,
    lists: &ListFiles<'_>,
    report: &mut Report,
) -> RecordLimits {
    let (derived, columns) = bind_derives(file, texts, input.columns, lists, report);
    let none = ColumnIndex::default();
    let scope = Scope::Record { columns: &columns, input: &none, own: "" };
    let mut values = Vec::with_capacity(file.clusters.limits.len());
    for origin in &file.clusters.limits {
        let mut binder = Binder::new(&origin.text, &scope).with_lists(lists.near(file.folder_of(origin)));
        let bound = binder.expression().map(empty_is_null);
        report.add(origin, &binder.diagnostics);
        if let Some((message, help)) = bound.as_ref().and_then(mistake_in) {
            report.add(origin, &[Diagnostic::new(origin.whole(), message).with_help(help)]);
        }
        values.extend(bound);
    }
    RecordLimits { derived, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Type;
    use crate::rules::Column;

    fn column(name: &str) -> Column {
        Column { name: name.to_owned(), key: name.to_owned(), ty: Ok(Type::Text) }
    }

    fn limits(text: &str) -> Result<Vec<RecordLimits>> {
        let columns = [column("id"), column("passport")];
        let file = RuleFile::parse(text, "c.toml").unwrap();
        record_limits(&file, &[InputColumns { name: "people", columns: &columns }], &MemoryBudget::unlimited())
    }

    #[test]
    fn limits_read_columns_of_the_input_and_derived_ones() {
        let text = "[derive]\npass = \"upper(passport)\"\n[[limit]]\nmost = 1\nvalues_of = \"pass\"\n\
                    [[limit]]\nmost = 2\nrecords_of = \"lower(passport)\"\n";
        let found = limits(text).unwrap();
        assert_eq!((found.len(), found[0].derived.len(), found[0].values.len()), (1, 1, 2));
        let error = limits("[[limit]]\nmost = 1\nvalues_of = \"pasport\"\n").unwrap_err().to_string();
        assert!(error.contains("c.toml:3") && error.contains("passport"), "{error}");
    }
}
