//! Tables large enough that every access path has many values, heavy ones among them, and works in several parts:
//! several blocks of threads, several tiles, several rounds of a small budget.

use crate::case::{Case, Cell, Column, Expr, Job, JobKind, Kind, Op, Row, Rule, Table};

/// Rows for conditions that cost the oracle little, for measures of texts, and for both together.
const ROWS: [usize; 3] = [1000, 400, 300];

/// Rows of the largest table, which is used with the cheapest conditions only, and of its partner.
const MOST_ROWS: [usize; 2] = [2000, 250];

/// The large tables as named cases; every rule has pairs.
pub fn cases() -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for ((rows, about), conditions) in
        ROWS.into_iter().zip(["keys", "texts", "texts of a key"]).zip([cheap(), of_texts(), of_texts_of_a_key()])
    {
        cases.push((format!("{rows} rows, {about}"), case(JobKind::Dedupe, vec![table(rows, 0)], &conditions)));
        let tables = vec![table(rows, 0), table(rows / 4, 1)];
        cases.push((format!("{rows} rows with {}, {about}", rows / 4), case(JobKind::Link, tables, &conditions)));
        let tables = vec![table(rows, 0), table(rows / 4, 1), table(rows / 8, 2)];
        cases.push((format!("{rows} rows with two other inputs, {about}"), case(JobKind::Link, tables, &conditions)));
    }
    let [left, right] = MOST_ROWS;
    let few = [cheap()[0].clone(), cheap()[3].clone()];
    let tables = vec![table(left, 0), table(right, 1)];
    cases.push((format!("{left} rows with {right}, keys"), case(JobKind::Link, tables, &few)));
    cases
}

/// Column `heavy` is one value for nine of ten rows, `tags` share a frequent element, `n` counts, and `name` spells a
/// number, so that near numbers have near names.
fn table(rows: usize, salt: usize) -> Table {
    let column = |(name, kind): (&str, Kind)| Column { name: name.to_owned(), kind };
    let columns = [("heavy", Kind::Text), ("tags", Kind::TextList), ("n", Kind::Number), ("name", Kind::Text)];
    let row = |at: usize| {
        let heavy = if at % 10 == 3 { format!("rare {}", at % 70) } else { "heavy".to_owned() };
        let tags = (0..at % 4).map(|tag| Some(format!("t{}", tag * (at % 11)))).collect();
        let number = (at + salt) * 7919 % rows;
        let cells = [
            Cell::Text(heavy),
            Cell::TextList(tags),
            Cell::Int(number as i64),
            Cell::Text(spelled(if at.is_multiple_of(9) { 0 } else { at * 31 % 257 })),
        ];
        Row { id: format!("{salt}-{at}"), cells: cells.map(Some).to_vec() }
    };
    Table { columns: columns.map(column).to_vec(), rows: (0..rows).map(row).collect() }
}

/// A number in letters, of one to nine.
fn spelled(mut number: usize) -> String {
    let mut text = "x".repeat(number % 5);
    for _ in 0..4 {
        text.push(char::from(b'a' + (number % 4) as u8));
        number /= 4;
    }
    text
}

fn case(kind: JobKind, tables: Vec<Table>, conditions: &[Expr]) -> Case {
    let rules = conditions.iter().cloned().map(Rule::new).collect();
    Case { tables, job: Job { kind, derives: vec![], rules, nevers: vec![], scoring: None } }
}

fn both(op: Op, name: &str) -> Expr {
    Expr::binary(op, Expr::l(name), Expr::r(name))
}

/// A condition, and one that few of its pairs satisfy and no join supports: `l.n - r.n` compared with a number.
fn and_far(condition: Expr, op: Op, by: i64) -> Expr {
    Expr::binary(Op::And, condition, Expr::binary(op, both(Op::Subtract, "n"), Expr::int(by)))
}

/// Few pairs of many candidates of a key, a common element, a band, and nothing.
fn cheap() -> Vec<Expr> {
    let near = Expr::binary(Op::LessEqual, Expr::unary(Op::Abs, both(Op::Subtract, "n")), Expr::int(40));
    vec![
        and_far(both(Op::Equal, "heavy"), Op::Equal, 5),
        and_far(both(Op::ListHasAny, "tags"), Op::Greater, 900),
        Expr::binary(Op::Equal, both(Op::Add, "n"), Expr::int(777)),
        Expr::binary(Op::And, near, both(Op::NotEqual, "heavy")),
        Expr::Call(Op::Neighbours, vec![Expr::l("name"), Expr::r("name"), Expr::int(3)]),
    ]
}

/// Few pairs of many candidates of each join by a measure of texts, on many values and on a heavy one.
fn of_texts() -> Vec<Expr> {
    let grams = |column: Expr| Expr::binary(Op::Qgrams, column, Expr::int(2));
    let jaccard = Expr::binary(Op::Jaccard, grams(Expr::l("name")), grams(Expr::r("name")));
    let like = |op: Op, name: &str, least: f64| Expr::binary(Op::GreaterEqual, both(op, name), Expr::float(least));
    vec![
        Expr::binary(Op::LessEqual, both(Op::Osa, "name"), Expr::int(1)),
        and_far(like(Op::LevenshteinSimilarity, "heavy", 0.8), Op::Equal, 3),
        like(Op::JaroWinkler, "name", 0.95),
        and_far(like(Op::Jaro, "heavy", 0.7), Op::Equal, 7),
        and_far(Expr::binary(Op::GreaterEqual, jaccard, Expr::float(0.5)), Op::Greater, 100),
    ]
}

/// Rules that share the candidates of a heavy key, with different checks of all kinds on them.
fn of_texts_of_a_key() -> Vec<Expr> {
    let grams = |column: Expr| Expr::binary(Op::Qgrams, column, Expr::int(2));
    let long = |of: fn(&str) -> Expr| {
        ["heavy", "name", "heavy", "name", "name"]
            .into_iter()
            .fold(of("name"), |text, name| Expr::binary(Op::Concat, text, of(name)))
    };
    let of_key = |condition: Expr| Expr::binary(Op::And, both(Op::Equal, "heavy"), condition);
    let at_least = |measure: Expr, least: f64| Expr::binary(Op::GreaterEqual, measure, Expr::float(least));
    let turned = Expr::binary(Op::Levenshtein, Expr::l("name"), Expr::r("heavy"));
    let alike = at_least(Expr::binary(Op::Dice, grams(Expr::l("name")), grams(Expr::r("name"))), 0.7);
    vec![
        of_key(and_far(at_least(Expr::binary(Op::JaroWinkler, long(Expr::l), long(Expr::r)), 0.9), Op::Greater, 50)),
        of_key(Expr::binary(Op::And, Expr::binary(Op::LessEqual, both(Op::Osa, "name"), Expr::int(1)), alike)),
        of_key(and_far(both(Op::ListHasAny, "tags"), Op::Greater, 90)),
        of_key(Expr::binary(Op::LessEqual, turned, Expr::int(5))),
        of_key(Expr::binary(Op::And, both(Op::Equal, "name"), both(Op::Less, "n"))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::evaluate;

    #[test]
    fn every_rule_has_pairs() {
        for (name, case) in cases() {
            let alone = evaluate(&case).alone;
            assert!(alone.iter().all(|pairs| *pairs > 0), "{name}: rules give {alone:?} pairs");
        }
    }
}
