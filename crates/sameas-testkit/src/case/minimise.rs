//! From a failing case to a small one that still fails.

use super::Case;

/// The smallest case reachable by [`Case::shrink`] for which `fails` still holds; `case` itself must fail.
pub fn minimise(case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut smallest = case;
    loop {
        let next = smallest.shrink().find(|smaller| fails(smaller));
        match next {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Cell, Expr, Job, JobKind, Op, Rule, Table};

    #[test]
    fn a_failure_about_one_value_ends_in_one_value() {
        let rows: Vec<[Option<&str>; 2]> =
            (0..40).map(|i| [Some(if i == 23 { "abczdef" } else { "abc" }), None]).collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|row| row.as_slice()).collect();
        let equal = |name: &str| Expr::binary(Op::Equal, Expr::l(name), Expr::r(name));
        let when = Expr::binary(Op::And, equal("a"), Expr::unary(Op::Not, equal("b")));
        let rules = vec![Rule::new(when), Rule::new(equal("b"))];
        let job = Job { kind: JobKind::Dedupe, derives: vec![], rules, nevers: vec![equal("b")], scoring: None };
        let case = Case { tables: vec![Table::of_texts(&["a", "b"], &rows)], job };
        let holds_z = |cell: &Option<Cell>| matches!(cell, Some(Cell::Text(text)) if text.contains('z'));
        let small = minimise(case, |case| case.tables[0].rows.iter().any(|row| row.cells.iter().any(holds_z)));
        assert_eq!(small.tables[0].rows.len(), 1);
        assert_eq!(small.tables[0].rows[0].cells[0], Some(Cell::Text("z".into())));
        assert!(small.job.rules.len() == 1 && small.job.nevers.is_empty());
    }
}
