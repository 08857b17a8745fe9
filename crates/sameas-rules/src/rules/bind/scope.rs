//! Names of columns to columns.

use std::collections::HashMap;

use super::quotes::written;
use crate::expr::{Side, Type};
use crate::rules::syntax::NamePart;

/// A column that a rule or a derive may name.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name as the user spells it.
    pub name: String,
    /// Its name in expressions, which differs between an input column and a derived one of the same name.
    pub key: String,
    /// Its type, or why rules cannot use it.
    pub ty: Result<Type, Unusable>,
}

/// Why rules cannot use a column.
#[derive(Clone, Debug)]
pub enum Unusable {
    /// What it holds is nothing that rules know.
    Type(String),
    /// Other columns have the same name: these.
    Repeated(String),
}

impl Unusable {
    fn mistake(&self, name: &str) -> Mistake {
        match self {
            Self::Type(reason) => (
                format!("column `{name}` cannot be used in rules: {reason}"),
                "convert it to text, numbers, dates or lists before reading it".into(),
            ),
            Self::Repeated(places) => (
                format!("the name of column `{name}` is repeated: {places} have it"),
                "give them different names in the first line of the file".into(),
            ),
        }
    }
}

/// Columns that are found by their names, whatever the case.
#[derive(Default)]
pub struct ColumnIndex {
    columns: Vec<Column>,
    by_name: HashMap<String, Vec<usize>>,
    /// Names in lower case of what cannot be used, and why.
    refused: HashMap<String, Mistake>,
}

impl ColumnIndex {
    /// Adds a column.
    pub fn push(&mut self, column: Column) {
        self.by_name.entry(column.name.to_lowercase()).or_default().push(self.columns.len());
        self.columns.push(column);
    }

    /// A column of that name is there, but cannot be used: says why and what to do.
    pub fn refuse(&mut self, name: &str, what: String, help: String) {
        self.refused.entry(name.to_lowercase()).or_insert((what, help));
    }

    /// All columns, in order.
    pub fn all(&self) -> &[Column] {
        &self.columns
    }

    /// The columns of that name in lower case.
    pub fn named<'a>(&'a self, lower: &str) -> impl Iterator<Item = &'a Column> + use<'a> {
        self.by_name.get(lower).into_iter().flatten().map(|at| &self.columns[*at])
    }

    /// The column of that name; `Err(None)` where there is none.
    fn find(&self, name: &NamePart) -> Result<&Column, Option<Mistake>> {
        let mut matching = self.named(&name.value.to_lowercase());
        let refused = || self.refused.get(&name.value.to_lowercase()).cloned();
        if name.quoted {
            return matching.find(|c| c.name == name.value).ok_or_else(refused);
        }
        let matching: Vec<&Column> = matching.collect();
        match matching[..] {
            [] => Err(refused()),
            [only] => Ok(only),
            _ => {
                let spellings: Vec<String> = matching.iter().map(|c| format!("\"{}\"", c.name)).collect();
                Err(Some((
                    format!("`{}` could be {}", name.value, spellings.join(" or ")),
                    "columns that differ only in case need double quotes".into(),
                )))
            }
        }
    }
}

impl FromIterator<Column> for ColumnIndex {
    fn from_iter<T: IntoIterator<Item = Column>>(columns: T) -> Self {
        let mut index = Self::default();
        columns.into_iter().for_each(|column| index.push(column));
        index
    }
}

/// The visible columns.
pub enum Scope<'a> {
    /// One record, whose columns are named without a letter: in `derive`.
    Record {
        /// The columns that a derive sees.
        columns: &'a ColumnIndex,
        /// Those of the input: the name of the derived column itself, in lower case, means one of them.
        input: &'a ColumnIndex,
        own: &'a str,
    },
    /// Two records, `l` and `r`: in rules. The flag says that both are of the same table.
    Pair([&'a ColumnIndex; 2], bool),
    /// One record, nothing known about it: every name is a column of a type that fits.
    AnyRecord,
    /// Two records, nothing known about them.
    AnyPair,
}

/// What is wrong and what to do.
type Mistake = (String, String);

impl Scope<'_> {
    /// True where `l` and `r` are records of the same table.
    pub fn is_one_table(&self) -> bool {
        matches!(self, Self::Pair(_, true))
    }

    /// The column an identifier names.
    pub fn resolve(&self, names: &[NamePart]) -> Result<(Side, String, Type), Mistake> {
        let (side, name) = self.qualified(names)?;
        let columns = match (self, side) {
            (Self::Record { input, own, .. }, _) if name.value.to_lowercase() == *own => *input,
            (Self::Record { columns, .. }, _) => *columns,
            (Self::Pair(columns, _), Side::Left) => columns[0],
            (Self::Pair(columns, _), Side::Right) => columns[1],
            (Self::AnyRecord | Self::AnyPair, _) => return Ok((side, name.value.clone(), Type::Null)),
        };
        let found = columns.find(name);
        let column = found.map_err(|e| e.unwrap_or_else(|| unknown(columns.all(), name, self, side)))?;
        match &column.ty {
            Ok(ty) => Ok((side, column.key.clone(), *ty)),
            Err(unusable) => Err(unusable.mistake(&column.name)),
        }
    }
}

impl Scope<'_> {
    fn is_pair(&self) -> bool {
        matches!(self, Self::Pair(..) | Self::AnyPair)
    }

    /// The record an identifier names, and the name of the column.
    fn qualified<'n>(&self, names: &'n [NamePart]) -> Result<(Side, &'n NamePart), Mistake> {
        match (self.is_pair(), names) {
            (false, [name]) => Ok((Side::Left, name)),
            (true, [letter, name]) => match letter.value.to_lowercase().as_str() {
                "l" => Ok((Side::Left, name)),
                "r" => Ok((Side::Right, name)),
                other => Err((format!("unknown record `{other}`"), "a rule knows the records `l` and `r`".into())),
            },
            (true, [name]) => Err(unqualified(name)),
            (false, _) => Err(("this sees one record only".into(), "name its columns without a letter".into())),
            (true, _) => Err(("this is not a column".into(), "write `l.column` or `r.column`".into())),
        }
    }
}

fn unqualified(name: &NamePart) -> Mistake {
    (
        format!("`{0}` does not say which record it belongs to", name.value),
        format!("write `l.{0}` or `r.{0}`; texts are written in 'single quotes'", name.value),
    )
}

fn unknown(columns: &[Column], name: &NamePart, scope: &Scope<'_>, side: Side) -> Mistake {
    let letter = if scope.is_pair() { format!("{}.", side.letter()) } else { String::new() };
    let help = match crate::rules::nearest(&name.value, columns.iter().map(|c| c.name.as_str())) {
        Some(near) => format!("did you mean `{letter}{}`?", written(near)),
        None => {
            let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
            format!("the columns are: {}", names.join(", "))
        }
    };
    (format!("unknown column `{letter}{}`", name.value), help)
}
