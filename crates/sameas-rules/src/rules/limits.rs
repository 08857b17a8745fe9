//! Limits of clusters: an expression of one record each, whose values are numbered as those of an equality are.

use super::compile::RuleCompiler;
use super::derive::empty_is_null;
use super::diagnostic::{Diagnostic, Origin};
use super::rule_file::RuleFile;
use crate::expr::{Expr, ExprKind, Type};

impl RuleCompiler<'_> {
    /// For each limit the predicate that both records have one value of its expression: equal values have equal codes.
    pub(super) fn limits(&mut self) -> Vec<usize> {
        let file: &RuleFile = self.file;
        file.clusters.limits.iter().filter_map(|origin| self.limit(origin)).collect()
    }

    fn limit(&mut self, origin: &Origin) -> Option<usize> {
        let [left, right] = self.of_each_record(origin)?;
        let mistake = mistake_in(&left).or_else(|| mistake_in(&right)).or_else(|| mistake_of_both(left.ty, right.ty));
        if let Some((message, help)) = mistake {
            self.report.add(origin, &[Diagnostic::new(origin.whole(), message).with_help(help)]);
            return None;
        }
        let text = format!("the same value of {}", origin.text.split_whitespace().collect::<Vec<_>>().join(" "));
        Some(self.predicates.equality(value_of(left), value_of(right), text))
    }
}

/// The value as it is counted: no text is as good as none, as in derived columns.
fn value_of(expr: Expr) -> Expr {
    if matches!(expr.kind, ExprKind::Column(..)) { expr } else { empty_is_null(expr) }
}

/// What is wrong with an expression, and what to do about it.
pub(super) fn mistake_in(expr: &Expr) -> Option<(String, &'static str)> {
    let mut reads_record = false;
    expr.each_column(&mut |_, _| reads_record = true);
    if !reads_record {
        return Some(("this is the same for every record".to_owned(), "name a column"));
    }
    if matches!(expr.ty, Type::TextList | Type::NumberList | Type::Null) {
        let message = format!("a limit counts texts, numbers, dates, true or false; this is {}", expr.ty.name());
        return Some((message, "write an expression with one value for each record"));
    }
    None
}

fn mistake_of_both(left: Type, right: Type) -> Option<(String, &'static str)> {
    if left == right || left.is_number() && right.is_number() {
        return None;
    }
    let message = format!("this is {} in the left input and {} in the right one", left.name(), right.name());
    Some((message, "convert one of them, as by `cast(... as text)`, in a derived column"))
}

#[cfg(test)]
mod tests {
    use crate::expr::Type;
    use crate::rules::{Column, LinkType, RuleFile, RuleSet, Test, compile};

    fn column(name: &str, ty: Type) -> Column {
        Column { name: name.into(), key: name.into(), ty: Ok(ty) }
    }

    fn compiled(limit: &str, link_type: LinkType, right: Type) -> crate::error::Result<RuleSet> {
        let text = format!(
            "[derive]\nupper_b = \"upper(b)\"\n[[rule]]\nwhen = \"l.a = r.a\"\n\
             [[limit]]\nmost = 1\nvalues_of = \"{limit}\"\n"
        );
        let rules = RuleFile::parse(&text, "j.toml").unwrap();
        let columns = |ty| [column("a", Type::Text), column("b", ty), column("words", Type::TextList)];
        compile(&rules, link_type, [&columns(Type::Text), &columns(right)])
    }

    #[test]
    fn values_of_limits_are_those_of_an_equality() {
        for (limit, predicates, derived) in [("a", 1, 0), ("b", 2, 0), ("upper_b", 2, 1), ("lower(b)", 2, 0)] {
            for link_type in [LinkType::DedupeOnly, LinkType::LinkOnly] {
                let set = compiled(limit, link_type, Type::Text).unwrap();
                assert_eq!((set.predicates.len(), set.derived[0].len()), (predicates, derived), "{limit}");
                assert_eq!(set.limits, [predicates - 1]);
                assert!(matches!(set.predicates[set.limits[0]].test, Test::Equal { null_safe: false, .. }));
            }
        }
    }

    #[test]
    fn a_limit_counts_values_of_one_record() {
        for (limit, message) in [
            ("c", "unknown column `c`"),
            ("l.b", "this sees one record only"),
            ("1", "this is the same for every record"),
            ("words", "a limit counts texts, numbers, dates, true or false"),
            ("b", "in the left input and"),
        ] {
            let error = compiled(limit, LinkType::LinkOnly, Type::Number).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains("limit 1, j.toml:7\n"), "{error}");
        }
    }
}
