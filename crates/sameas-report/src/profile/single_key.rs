//! A key of one column: an expression that is computed once for each distinct value.

use std::sync::Arc;

use rayon::prelude::*;

use super::column_values::{ColumnValues, value_of};
use super::key_templates::AS_IT_IS;
use super::pair_count::KeyCount;
use crate::cancel::Cancel;
use crate::expr::{Columns, Expr, FieldValue, Side, Type, Vector, evaluate};
use crate::memory::Held;
use crate::records::BlockColumn;
use crate::records::encode::{Dictionary, Domain, NULL, Numbers};
use crate::rules::LinkType;

/// A key of one column, with its value for each distinct value of the column.
pub struct SingleKey {
    /// The condition that rules have: `soundex(l.name) = soundex(r.name)`.
    pub condition: String,
    /// The values of the key.
    pub domain: Arc<Domain>,
    /// For each input the code of the key of each distinct value; none where the key is the value.
    of_values: Option<Vec<Vec<u32>>>,
    _held: Held,
}

/// The expressions of a key: that of the left record, and that of the right one.
pub type KeyExprs = [Expr; 2];

/// The distinct values of a column, for expressions that read nothing else.
struct OneColumn<'a> {
    values: &'a Vector,
    cancel: Cancel<'a>,
}

impl Columns for OneColumn<'_> {
    fn rows(&self) -> usize {
        self.values.len()
    }

    fn column(&self, _: Side, _: &str) -> Vector {
        self.values.clone()
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("a key reads a column")
    }

    fn cancel(&self) -> Cancel<'_> {
        self.cancel
    }
}

impl SingleKey {
    /// Computes the key for the distinct values of a column, `blocks`, of each input.
    pub fn new(condition: String, exprs: &KeyExprs, blocks: &[Vec<Vector>], cancel: Cancel<'_>) -> Self {
        let of_block = |expr: &Expr, values: &Vector| {
            let computed = evaluate(expr, &OneColumn { values, cancel }, None);
            let held = cancel.hold(computed.bytes());
            (computed.into(), held)
        };
        let of_input = |(expr, blocks): (&Expr, &Vec<Vector>)| -> (Vec<BlockColumn>, Vec<Held>) {
            blocks.par_iter().map(|block| of_block(expr, block)).unzip()
        };
        let (columns, of_columns): (Vec<_>, Vec<_>) = exprs.iter().zip(blocks).map(of_input).unzip();
        let (dictionary, of_values) = Dictionary::encode(&columns, Numbers::ByValue, cancel);
        drop((columns, of_columns));
        let codes: usize = of_values.iter().map(Vec::len).sum();
        let held = cancel.hold(dictionary.bytes() + 4 * codes);
        let domain = Arc::new(Domain { ty: exprs[0].ty, dictionary, texts: None, integers: None });
        Self { condition, domain, of_values: Some(of_values), _held: held }
    }

    /// The key that is the only input's column itself.
    pub fn of_column(condition: String, column: &ColumnValues) -> Self {
        Self { condition, domain: column.domain.clone(), of_values: None, _held: Held::default() }
    }

    /// Whether a key is an empty text, which is a value in a rule: most columns that have it do not mean that.
    pub fn has_empty_text(&self) -> bool {
        let dictionary = &self.domain.dictionary;
        self.domain.ty == Type::Text && (0..dictionary.len() as u32).any(|code| dictionary.value(code).is_empty())
    }

    /// Counts its candidates.
    pub fn count(&self, columns: &[ColumnValues], link_type: LinkType, cancel: Cancel<'_>) -> KeyCount<u32> {
        let Some(of_values) = &self.of_values else { return count_values(&columns[0], link_type) };
        let _held = cancel.hold(size_of::<[u64; 2]>() * self.domain.dictionary.len());
        let mut sizes = vec![[0_u64; 2]; self.domain.dictionary.len()];
        for (input, (column, of_values)) in columns.iter().zip(of_values).enumerate() {
            for (code, records) in of_values.iter().zip(&column.counts).filter(|(code, _)| **code != NULL) {
                sizes[*code as usize][input] += u64::from(*records);
            }
        }
        let mut count = KeyCount::default();
        for (code, size) in sizes.into_iter().enumerate() {
            count.add(code as u32, size, link_type);
        }
        count
    }

    /// The code of the key of each record, the inputs one after the other.
    pub fn row_codes(&self, columns: &[ColumnValues]) -> Vec<u32> {
        let Some(of_values) = &self.of_values else { return columns[0].codes.clone() };
        let mut codes = Vec::with_capacity(columns.iter().map(|column| column.codes.len()).sum());
        for (column, of_values) in columns.iter().zip(of_values) {
            let key = |code: &u32| of_values.get(*code as usize).copied().unwrap_or(NULL);
            codes.par_extend(column.codes.par_iter().map(key));
        }
        codes
    }

    /// A value of the key.
    pub fn value(&self, code: u32) -> FieldValue {
        value_of(&self.domain, code)
    }
}

fn count_values(column: &ColumnValues, link_type: LinkType) -> KeyCount<u32> {
    let mut count = KeyCount::default();
    for (code, records) in column.counts.iter().enumerate() {
        count.add(code as u32, [u64::from(*records), 0], link_type);
    }
    count
}

/// A condition of two records: a template with the columns of the left and the right input, as rules name them.
pub fn condition(template: &str, columns: &[String; 2]) -> String {
    let side = |letter: &str, column: &str| template.replace(AS_IT_IS, &format!("{letter}.{column}"));
    format!("{} = {}", side("l", &columns[0]), side("r", &columns[1]))
}

/// The name of a column as rules name it: in quotes where they need them, as they do for names that differ in case only.
pub fn in_rules(name: &str, is_ambiguous: bool) -> String {
    let plain = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let bare = name.chars().all(plain) && name.starts_with(|c: char| plain(c) && !c.is_ascii_digit());
    if bare && !is_ambiguous { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
