//! Tables large enough that every access path hands out its candidates in several pieces.

use sameas_testkit::case::{Case, Cell, Column, Expr, Job, JobKind, Kind, Op, Row, Rule, Table};
use sameas_testkit::oracle::evaluate;

use super::compare::{Failure, compare};
use super::engine::Engine;

/// So many rows have more pairs than one task of a branch takes.
const ROWS: usize = 1000;

#[test]
fn the_engine_agrees_with_the_oracle_on_large_tables() {
    let engine = Engine::default();
    let folder = tempfile::tempdir().unwrap();
    let subject = |case: &_, seed, folder: &_| engine.run(case, seed, folder);
    let dedupe = case(JobKind::Dedupe, vec![table(ROWS, 0)]);
    let link = case(JobKind::Link, vec![table(ROWS, 0), table(ROWS / 2, 1)]);
    for (seed, case) in (1..).zip([dedupe, link]) {
        match compare(&case, &evaluate(&case), seed, folder.path(), &subject) {
            None => {}
            Some(Failure::Refused(text) | Failure::Differs(text)) => panic!("{:?}\n{text}", case.job.kind),
        }
    }
    assert_eq!(engine.paths(), ["all_pairs", "equi_join", "overlap_join"]);
}

/// Column `heavy` is one value for nine of ten rows, `tags` share a frequent element, `n` counts.
fn table(rows: usize, salt: usize) -> Table {
    let column = |(name, kind): (&str, Kind)| Column { name: name.to_owned(), kind };
    let columns = [("heavy", Kind::Text), ("tags", Kind::TextList), ("n", Kind::Number)].map(column).to_vec();
    let row = |at: usize| {
        let heavy = if at % 10 == 3 { format!("rare {}", at % 70) } else { "heavy".to_owned() };
        let tags = (0..at % 4).map(|tag| Some(format!("t{}", tag * (at % 11)))).collect();
        let cells = [Cell::Text(heavy), Cell::TextList(tags), Cell::Int(((at + salt) * 7919 % rows) as i64)];
        Row { id: format!("{salt}-{at}"), cells: cells.map(Some).to_vec() }
    };
    Table { columns, rows: (0..rows).map(row).collect() }
}

/// Few pairs of many candidates on each path.
fn case(kind: JobKind, tables: Vec<Table>) -> Case {
    let sum = Expr::binary(Op::Add, Expr::l("n"), Expr::r("n"));
    let far = |op, by| Expr::binary(op, Expr::binary(Op::Subtract, Expr::l("n"), Expr::r("n")), Expr::int(by));
    let conditions = [
        Expr::binary(Op::And, Expr::binary(Op::Equal, Expr::l("heavy"), Expr::r("heavy")), far(Op::Equal, 5)),
        Expr::binary(Op::And, Expr::binary(Op::ListHasAny, Expr::l("tags"), Expr::r("tags")), far(Op::Greater, 900)),
        Expr::binary(Op::Equal, sum, Expr::int(777)),
    ];
    let rules = conditions.map(|when| Rule { name: None, when }).to_vec();
    Case { tables, job: Job { kind, derives: vec![], rules, nevers: vec![] } }
}
