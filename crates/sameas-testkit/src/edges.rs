//! The fixed list of edges: sizes, strings and tables where off-by-one errors live.

use crate::case::{Case, Cell, Column, Expr, Job, JobKind, Kind, Op, Row, Rule, Table};

/// Numbers of rows around the widths of warps, words and blocks.
pub const SIZES: [usize; 15] = [0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 129, 257, 300];

/// Lengths of strings around one, two and several machine words.
pub const LENGTHS: [usize; 17] = [1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300, 1100];

/// Texts that often reveal mistakes: empty, blank, accents composed and combining, wide scripts, emoji, and for every
/// length of [`LENGTHS`] a string with its near-duplicates at both ends and in the middle.
pub fn texts() -> Vec<Option<String>> {
    let short = [
        "", " ", "a", "b", "ab", "ba", "é", "e\u{301}", "É", "ß", "ss", "İ", "東京", "🐙", "a\u{0}b", "O'Neil", "%_",
        "\\",
    ];
    let short = short.iter().map(|text| Some((*text).to_owned()));
    let long = LENGTHS.iter().flat_map(|length| near_duplicates(*length)).map(Some);
    std::iter::once(None).chain(short).chain(long).collect()
}

/// A string of `length` characters and the same with its first, middle or last character changed.
fn near_duplicates(length: usize) -> [String; 4] {
    let base: Vec<char> = (0..length).map(|at| char::from(b'a' + (at * 7 % 23) as u8)).collect();
    let changed = |at: usize| {
        let mut chars = base.clone();
        chars[at] = 'Z';
        chars.into_iter().collect()
    };
    [base.iter().collect(), changed(0), changed(length / 2), changed(length - 1)]
}

/// Strings of two letters, six of each length up to some words: lengths and letters distinguish none of them.
fn two_letters() -> impl Iterator<Item = String> {
    let letter = |number: usize| if number.is_multiple_of(2) { 'a' } else { 'b' };
    let text = move |length: usize, salt: usize| (0..length).map(|at| letter((at * at * salt) / 3)).collect();
    LENGTHS.iter().filter(|length| **length <= 300).flat_map(move |length| (1..7).map(move |salt| text(*length, salt)))
}

/// A text of this many different characters, and short texts of its start, its end and its middle: wherever texts are
/// recoded by the characters they use, the width of a code is decided by the long one.
fn of_characters(alphabet: usize) -> Vec<String> {
    let all: Vec<char> = ('!'..).take(alphabet).collect();
    let part = |start: usize, length: usize| all[start..start + length].iter().collect::<String>();
    let (middle, end) = (alphabet / 2, alphabet - 12);
    let whole = [part(0, alphabet), part(0, 12), part(0, 11), part(middle, 12), part(end, 12), part(end + 1, 11)];
    let turned = |text: &String| text.chars().rev().collect();
    whole[1..].iter().map(turned).chain(whole.clone()).collect()
}

/// The edges as named cases.
pub fn cases() -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for size in SIZES {
        cases.push((format!("{size} rows"), dedupe(numbered(size))));
        cases.push((format!("{size} equal rows"), dedupe(table((0..size).map(|_| Some("same".to_owned()))))));
    }
    for (left, right) in [(0, 0), (0, 33), (33, 0), (1, 1), (1, 65), (31, 33)] {
        let tables = vec![numbered(left), numbered(right)];
        cases.push((format!("{left} rows with {right}"), with_rules(tables.clone(), JobKind::Link)));
        cases.push((format!("{left} rows and {right}"), with_rules(tables, JobKind::LinkAndDedupe)));
    }
    for sizes in [&[0, 0, 0][..], &[33, 0, 1], &[1, 1, 1, 1], &[31, 2, 33], &[2, 65, 1, 3, 2]] {
        let tables: Vec<Table> = sizes.iter().map(|size| numbered(*size)).collect();
        cases.push((format!("links of {sizes:?} rows"), with_rules(tables.clone(), JobKind::Link)));
        cases.push((format!("links and dedupes of {sizes:?} rows"), with_rules(tables, JobKind::LinkAndDedupe)));
    }
    cases.push(("odd texts".to_owned(), dedupe(table(texts().into_iter()))));
    let nulls = (0..33).map(|_| None);
    cases.push(("all null".to_owned(), dedupe(table(nulls))));
    let block = (0..129).map(|at| Some(if at % 16 == 3 { format!("name {at}") } else { "heavy".to_owned() }));
    cases.push(("one huge block".to_owned(), dedupe(table(block))));
    cases.push(("two letters".to_owned(), dedupe(table(two_letters().map(Some)))));
    for alphabet in [255, 256, 257, 65_537] {
        cases.push((format!("{alphabet} characters"), dedupe(table(of_characters(alphabet).into_iter().map(Some)))));
    }
    cases
}

/// Names that repeat every seventh row and differ a little otherwise.
fn numbered(size: usize) -> Table {
    table((0..size).map(|at| Some(format!("person number {}", at % 7 + at / 50))))
}

/// A table with the text in column `a` and the row's number modulo 5 in column `n`.
fn table(texts: impl Iterator<Item = Option<String>>) -> Table {
    let columns = [("a", Kind::Text), ("n", Kind::Number)];
    let columns = columns.map(|(name, kind)| Column { name: name.to_owned(), kind }).to_vec();
    let row = |(at, text): (usize, Option<String>)| Row {
        id: format!("e{}", (at * 7919) % 1_000_003),
        cells: vec![text.map(Cell::Text), Some(Cell::Int((at % 5) as i64))],
    };
    Table { columns, rows: texts.enumerate().map(row).collect() }
}

fn dedupe(table: Table) -> Case {
    with_rules(vec![table], JobKind::Dedupe)
}

/// Rules for each access path: a key, a set, an edit distance, a similarity, windows.
fn with_rules(tables: Vec<Table>, kind: JobKind) -> Case {
    let both = |op| Expr::binary(op, Expr::l("a"), Expr::r("a"));
    let compare = |op, measure, threshold| Expr::binary(op, measure, threshold);
    let same = |name: &str| Expr::binary(Op::Equal, Expr::l(name), Expr::r(name));
    let grams = |column: Expr| Expr::binary(Op::Qgrams, column, Expr::int(3));
    let key = |column: Expr| Expr::unary(Op::SortKey, column);
    let key_distance = Expr::binary(Op::Subtract, key(Expr::l("a")), key(Expr::r("a")));
    let conditions = [
        ("key", Expr::binary(Op::And, same("a"), same("n"))),
        ("edit", Expr::binary(Op::And, compare(Op::LessEqual, both(Op::Levenshtein), Expr::int(1)), same("n"))),
        (
            "set",
            compare(
                Op::GreaterEqual,
                Expr::binary(Op::Jaccard, grams(Expr::l("a")), grams(Expr::r("a"))),
                Expr::float(0.9),
            ),
        ),
        ("similar", compare(Op::GreaterEqual, both(Op::JaroWinkler), Expr::float(0.97))),
        ("typo", compare(Op::LessEqual, both(Op::Osa), Expr::int(1))),
        ("close", compare(Op::LessEqual, Expr::unary(Op::Abs, key_distance), Expr::int(1))),
        ("window", Expr::Call(Op::Neighbours, vec![Expr::l("a"), Expr::r("a"), Expr::int(2)])),
    ];
    let rules = conditions.map(|(name, when)| Rule { name: Some(name.to_owned()), ..Rule::new(when) }).to_vec();
    let apart = Expr::unary(Op::Abs, Expr::binary(Op::Subtract, Expr::l("n"), Expr::r("n")));
    let nevers = vec![Expr::binary(Op::Equal, apart, Expr::int(4))];
    Case { tables, job: Job { kind, derives: vec![], rules, nevers, scoring: None } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::evaluate;

    #[test]
    fn every_edge_is_a_whole_case() {
        for (name, case) in cases() {
            assert!(case.has_its_columns(), "{name}");
            for table in &case.tables {
                let mut ids: Vec<&String> = table.rows.iter().map(|row| &row.id).collect();
                ids.sort();
                ids.dedup();
                assert_eq!(ids.len(), table.rows.len(), "{name}");
            }
        }
    }

    #[test]
    fn edges_find_what_they_should() {
        let pairs = |wanted: &str| {
            let (_, case) = cases().into_iter().find(|(name, _)| name == wanted).unwrap();
            evaluate(&case).pairs.len()
        };
        assert_eq!((pairs("0 rows"), pairs("1 equal rows"), pairs("all null")), (0, 0, 0));
        // Of 33 rows the numbers modulo 5 fall into classes of 7, 7, 7, 6, 6; the veto separates the first from the
        // last.
        assert_eq!(pairs("33 equal rows"), 33 * 32 / 2 - 7 * 6);
        assert!(pairs("odd texts") > 20 && pairs("one huge block") > 1000);
    }
}
