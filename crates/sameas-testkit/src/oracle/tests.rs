//! Small jobs with known answers.

use super::*;
use crate::case::{Case, Derive, Expr, Job, JobKind, Literal, Op, Rule, Table};

fn compare(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

fn case(kind: JobKind, tables: Vec<Table>, rules: Vec<Expr>) -> Case {
    let rules = rules.into_iter().map(Rule::new).collect();
    Case { tables, job: Job { kind, derives: vec![], rules, nevers: vec![], scoring: None } }
}

fn people() -> Table {
    Table::of_texts(
        &["given", "surname", "age"],
        &[
            &[Some("ann"), Some("lee"), Some("007")],
            &[Some("lee"), Some("ann"), Some("7")],
            &[Some("ann"), Some(""), Some("7.0")],
            &[None, None, Some("x")],
        ],
    )
}

fn pairs(case: &Case) -> Vec<(usize, usize, usize)> {
    evaluate(case).pairs
}

#[test]
fn an_asymmetric_rule_holds_either_way_round() {
    let swapped = compare(Op::Equal, Expr::l("given"), Expr::r("surname"));
    let mut case = case(JobKind::Dedupe, vec![people()], vec![swapped]);
    assert_eq!(pairs(&case), [(0, 1, 0), (1, 2, 0)]);
    case.tables.push(people());
    case.job.kind = JobKind::Link;
    assert_eq!(pairs(&case), [(0, 5, 0), (1, 4, 0), (2, 5, 0)]);
    case.job.kind = JobKind::LinkAndDedupe;
    let all = [(0, 1, 0), (0, 5, 0), (1, 2, 0), (1, 4, 0), (2, 5, 0), (4, 5, 0), (5, 6, 0)];
    assert_eq!(pairs(&case), all);
    assert_eq!(evaluate(&case).clusters, [0, 0, 0, 3, 0, 0, 0, 7]);
}

#[test]
fn of_several_inputs_the_earlier_one_is_on_the_left() {
    let in_order = compare(Op::Equal, Expr::l("given"), Expr::r("surname"));
    let one = |given: &str, surname: &str| Table::of_texts(&["given", "surname"], &[&[Some(given), Some(surname)]]);
    let tables = vec![one("a", "b"), one("c", "a"), one("b", "c"), one("d", "a")];
    let mut case = case(JobKind::Link, tables, vec![in_order]);
    assert_eq!(pairs(&case), [(0, 1, 0), (0, 3, 0), (1, 2, 0)]);
    let copied = case.tables[1].rows[0].clone();
    case.tables[0].rows.push(copied);
    assert_eq!(pairs(&case), [(0, 2, 0), (0, 4, 0), (1, 3, 0), (2, 3, 0)]);
    case.job.kind = JobKind::LinkAndDedupe;
    assert_eq!(pairs(&case), [(0, 1, 0), (0, 2, 0), (0, 4, 0), (1, 3, 0), (2, 3, 0)]);
}

#[test]
fn types_belong_to_a_use() {
    let same = compare(Op::Equal, Expr::l("age"), Expr::r("age"));
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![same])), []);
    let seven = |column: Expr| compare(Op::Equal, column, Expr::int(7));
    let both = Expr::binary(Op::And, seven(Expr::l("age")), seven(Expr::r("age")));
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![both])).len(), 3);
    let apart = Expr::unary(Op::Abs, Expr::binary(Op::Subtract, Expr::l("age"), Expr::r("age")));
    let near = compare(Op::LessEqual, apart, Expr::int(0));
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![near])).len(), 3);
}

#[test]
fn nulls_are_neither_true_nor_false() {
    let same = |op| compare(op, Expr::l("surname"), Expr::r("surname"));
    let count = |rule| pairs(&case(JobKind::Dedupe, vec![people()], vec![rule])).len();
    assert_eq!(count(Expr::unary(Op::Not, same(Op::Equal))), 1);
    assert_eq!(count(Expr::binary(Op::Or, same(Op::Equal), Expr::unary(Op::Not, same(Op::Equal)))), 1);
    assert_eq!(count(same(Op::NotDistinct)), 1);
    let listed = |op, items: Vec<Expr>| Expr::Call(op, [vec![Expr::l("surname")], items].concat());
    let null = Expr::Literal(Literal::Null);
    assert_eq!(count(listed(Op::In, vec![Expr::text("lee"), null.clone()])), 3);
    assert_eq!(count(listed(Op::NotIn, vec![Expr::text("lee"), null])), 0);
}

#[test]
fn vetoes_names_and_alone() {
    let same = |name: &str| compare(Op::Equal, Expr::l(name), Expr::r(name));
    let any = Expr::unary(Op::IsNotNull, Expr::l("given"));
    let mut case = case(JobKind::Dedupe, vec![people()], vec![same("given"), any]);
    assert_eq!(pairs(&case), [(0, 1, 1), (0, 2, 0), (0, 3, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1)]);
    assert_eq!(evaluate(&case).alone, [1, 6]);
    case.job.nevers.push(Expr::unary(Op::IsNull, Expr::r("surname")));
    assert_eq!(pairs(&case), [(0, 1, 1)]);
    assert_eq!(evaluate(&case).alone, [0, 1]);
}

#[test]
fn a_derive_sees_the_input_under_its_own_name() {
    let upper = Expr::unary(Op::Upper, Expr::own("given"));
    let initial = Expr::Call(Op::Left, vec![Expr::own("given"), Expr::int(1)]);
    let mut case = case(JobKind::Dedupe, vec![people()], vec![compare(Op::Equal, Expr::l("i"), Expr::text("A"))]);
    case.job.derives.push(Derive { name: "i".into(), table: None, expr: initial });
    case.job.derives.push(Derive { name: "given".into(), table: None, expr: upper });
    assert_eq!(pairs(&case).len(), 5);
}

#[test]
fn neighbours_rank_all_records() {
    let call = |width| Expr::Call(Op::Neighbours, vec![Expr::l("given"), Expr::r("given"), Expr::int(width)]);
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![call(2)])), [(0, 2, 0), (1, 2, 0)]);
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![call(1)])), []);
    let link = case(JobKind::Link, vec![people(), people()], vec![call(2)]);
    assert_eq!(pairs(&link), [(1, 5, 0), (1, 6, 0), (2, 4, 0)]);
}

#[test]
fn choices_meet_as_text() {
    let chosen = Expr::Call(Op::Coalesce, vec![Expr::l("surname"), Expr::int(5)]);
    let five = compare(Op::Equal, chosen, Expr::text("5"));
    assert_eq!(pairs(&case(JobKind::Dedupe, vec![people()], vec![five])).len(), 5);
}

#[test]
fn coverage_counts_predicates() {
    let mut coverage = Coverage::default();
    let jaro = Expr::binary(Op::Jaro, Expr::l("given"), Expr::r("given"));
    let rule = compare(Op::GreaterEqual, jaro, Expr::float(0.9));
    evaluate_and_record(&case(JobKind::Dedupe, vec![people()], vec![rule]), &mut coverage);
    assert_eq!(coverage.seen(Op::Jaro), Seen { yes: 2, no: 4, null: 6 });
}
