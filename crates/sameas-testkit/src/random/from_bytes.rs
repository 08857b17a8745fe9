//! Cases that bytes decide, for fuzzers: the rules first, so that a few bytes are enough to say them, and small tables.

use super::rules::Author;
use super::tables::Pools;
use super::tables_of;
use crate::case::{Case, Derive, Expr, Job, JobKind, Op, Rule};
use crate::rng::Rng;

/// The most rows of a table: the oracle looks at every pair.
const ROWS: i64 = 24;

/// A job of any kind with small tables.
pub fn case_of_bytes(bytes: &[u8]) -> Case {
    let rng = &mut Rng::from_bytes(bytes);
    let kind = *rng.pick(&[JobKind::Dedupe, JobKind::Link, JobKind::LinkAndDedupe]);
    let pools = pools(rng);
    let tables = tables_of(rng, kind);
    let job = Author::new(rng, &pools, kind, tables).job();
    let tables = (0..tables).map(|_| rows(rng)).collect::<Vec<_>>();
    Case { tables: tables.into_iter().map(|rows| pools.table(rng, rows, false)).collect(), job }
}

/// Expressions over the columns of one small table, as derived columns; rules compare their values in every way.
pub fn expressions_of_bytes(bytes: &[u8]) -> Case {
    let rng = &mut Rng::from_bytes(bytes);
    let pools = pools(rng);
    let job = job_of_expressions(&mut Author::new(rng, &pools, JobKind::Dedupe, 1));
    let rows = rows(rng);
    Case { tables: vec![pools.table(rng, rows, false)], job }
}

/// Pools of a seed: their many choices would use up the bytes.
fn pools(rng: &mut Rng) -> Pools {
    Pools::new(&mut Rng::new(rng.below(256) as u64))
}

fn rows(rng: &mut Rng) -> usize {
    rng.between(0, ROWS) as usize
}

fn job_of_expressions(author: &mut Author<'_>) -> Job {
    let derive = |name: &str, expr: Expr| Derive { name: name.to_owned(), table: None, expr };
    let condition = author.one_sided();
    let derives = vec![
        derive("x_text", author.text()),
        derive("x_number", author.number()),
        derive("x_list", author.tokens()),
        derive("x_choice", Expr::Call(Op::Case, vec![condition, author.text(), author.text()])),
    ];
    let mut rules: Vec<Expr> = ["x_text", "x_number", "x_choice"].into_iter().flat_map(comparisons).collect();
    rules.push(Expr::binary(Op::ListHasAny, Expr::l("x_list"), Expr::r("x_list")));
    let rules = rules.into_iter().map(Rule::new).collect();
    Job { kind: JobKind::Dedupe, derives, rules, nevers: Vec::new(), scoring: None }
}

/// Equal, in order, or one is null: what can be said of two values.
fn comparisons(column: &str) -> [Expr; 3] {
    let (l, r) = (Expr::l(column), Expr::r(column));
    let is_null = Expr::unary(Op::IsNull, l.clone());
    [
        Expr::binary(Op::Equal, l.clone(), r.clone()),
        Expr::binary(Op::Less, l, r.clone()),
        Expr::binary(Op::And, is_null, Expr::unary(Op::IsNotNull, r)),
    ]
}
