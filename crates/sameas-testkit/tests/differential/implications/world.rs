//! Two tables that hold the same records, so that every value meets every other one, and what the oracle says about
//! them.

use sameas_rules::rules::{Column as RuleColumn, LinkType, RuleFile, RuleSet, compile};
use sameas_testkit::case::{Case, Cell, Column, Expr, Job, JobKind, Kind, Row, Rule, Table, job_toml};
use sameas_testkit::oracle::evaluate;

const TEXTS: [&str; 33] = [
    "", "a", "b", "ab", "ba", "abc", "acb", "cab", "ca", "aab", "abab", "baba", "!!", "a!", "A", "Ab", "é", "éa", "aé",
    "e\u{301}", " a", "a ", " ", "a b", "b a", "a b c", "martha", "marhta", "dixon", "dicksonx", "1", "1.0", "01",
];
const DAYS: [&str; 7] = ["", "2024-01-01", "20240101", "2024-01-02", "2024-01-01T9", "x", "1999-12-31"];
/// One row for each text, and one for null.
const ROWS: usize = TEXTS.len() + 1;

/// Numbers that are equal without being the same, that differ by less than a float can express, and whose difference is
/// null.
fn numbers() -> Vec<Option<Cell>> {
    let ints = [0, 1, 2, 3, -1, 1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN].map(|value| Some(Cell::Int(value)));
    let floats = [0.0, -0.0, 1.0, 1.5, 0.1, 0.1 + 0.2, 0.3, 9_007_199_254_740_992.0, 1e300, -1.7e308, 1.7e308, 5e-324];
    let floats = floats.map(|value| Some(Cell::Float(value)));
    let decimals = ["0.1", "0.3", "1.50", "9007199254740993.0", "18446744073709551615", "18446744073709551614"];
    let decimals = decimals.map(|text| Some(Cell::Decimal(text.to_owned())));
    [vec![None], ints.to_vec(), floats.to_vec(), decimals.to_vec()].concat()
}

fn lists() -> Vec<Option<Cell>> {
    let list = |items: &[Option<&str>]| Some(Cell::TextList(items.iter().map(|i| i.map(str::to_owned)).collect()));
    let letters = |text: &str| list(&text.split(' ').map(Some).collect::<Vec<_>>());
    let odd = vec![None, list(&[]), list(&[None]), list(&[Some("")]), list(&[None, Some("a")])];
    let sets = ["a", "b", "a a", "a b", "b a b", "a b c", "b c d", "c d", "a b c d", "e f g h i", "a e f g h i"];
    odd.into_iter().chain(sets.map(letters)).collect()
}

/// The pairs for which something holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Satisfied(Vec<bool>);

impl Satisfied {
    pub fn everywhere() -> Self {
        Self(vec![true; ROWS * ROWS])
    }

    pub fn nowhere() -> Self {
        Self(vec![false; ROWS * ROWS])
    }

    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| *a && *b).collect())
    }

    pub fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| *a || *b).collect())
    }

    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    /// The first pair that `other` does not hold.
    pub fn first_outside(&self, other: &Self) -> Option<usize> {
        self.0.iter().zip(&other.0).position(|(here, there)| *here && !there)
    }
}

/// The records.
pub struct World {
    table: Table,
}

impl World {
    pub fn new() -> Self {
        let texts = |values: &[&str]| -> Vec<Option<Cell>> {
            std::iter::once(None).chain(values.iter().map(|text| Some(Cell::Text((*text).to_owned())))).collect()
        };
        let kinds = [("t", Kind::Text), ("d", Kind::Text), ("n", Kind::Number), ("xs", Kind::TextList)];
        let values = [texts(&TEXTS), texts(&DAYS), numbers(), lists()];
        assert!(values.iter().all(|values| values.len() <= ROWS));
        // Shorter lists of values start again, so that all of them occur.
        let cells = |row: usize| values.iter().map(|values| values[row % values.len()].clone()).collect();
        let rows = (0..ROWS).map(|row| Row { id: row.to_string(), cells: cells(row) }).collect();
        let columns = kinds.map(|(name, kind)| Column { name: name.to_owned(), kind }).to_vec();
        Self { table: Table { columns, rows } }
    }

    fn job(rules: &[Expr], nevers: &[Expr]) -> Job {
        let rules = rules.iter().cloned().map(Rule::new).collect();
        Job { kind: JobKind::Link, derives: Vec::new(), rules, nevers: nevers.to_vec(), scoring: None }
    }

    /// The pairs for which the oracle says that a condition is true.
    pub fn satisfied(&self, when: &Expr) -> Satisfied {
        let tables = vec![self.table.clone(), self.table.clone()];
        let case = Case { tables, job: Self::job(std::slice::from_ref(when), &[]) };
        let mut found = Satisfied::nowhere();
        for (l, r, _) in evaluate(&case).pairs {
            found.0[l * ROWS + (r - ROWS)] = true;
        }
        found
    }

    /// The engine's rules of these conditions.
    pub fn compile(&self, rules: &[Expr], nevers: &[Expr]) -> Result<RuleSet, String> {
        use sameas_expr::Type;
        let job = RuleFile::parse(&job_toml(&Self::job(rules, nevers), 2), "job.toml").map_err(|e| e.to_string())?;
        let column = |column: &Column| {
            let ty = match column.kind {
                Kind::Text => Type::Text,
                Kind::Number => Type::Number,
                Kind::TextList => Type::TextList,
                Kind::NumberList => Type::NumberList,
                Kind::Unsigned => Type::Number,
                Kind::Decimal(..) => Type::Decimal,
                Kind::Integers => Type::NumberList,
            };
            RuleColumn { name: column.name.clone(), key: column.name.clone(), ty: Ok(ty) }
        };
        let columns: Vec<RuleColumn> = self.table.columns.iter().map(column).collect();
        compile(&job, LinkType::LinkOnly, [&columns, &columns]).map_err(|error| error.to_string())
    }

    /// The two records of a pair, for people.
    pub fn shown(&self, pair: usize) -> String {
        format!("{:?} and {:?}", self.table.rows[pair / ROWS].cells, self.table.rows[pair % ROWS].cells)
    }
}
