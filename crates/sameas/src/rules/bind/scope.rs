//! Names of columns to columns.

use sqlparser::ast::Ident;

use crate::expr::{Side, Type};

/// A column that a rule or a derive may name.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name as the user spells it.
    pub name: String,
    /// Its name in expressions, which differs between an input column and a derived one of the same name.
    pub key: String,
    /// Its type, or why rules cannot use it.
    pub ty: Result<Type, String>,
}

/// The visible columns.
pub enum Scope<'a> {
    /// One record, whose columns are named without a letter: in `derive`.
    Record(&'a [Column]),
    /// Two records, `l` and `r`: in rules. The flag says that both are of the same table.
    Pair([&'a [Column]; 2], bool),
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
    pub fn resolve(&self, names: &[Ident]) -> Result<(Side, String, Type), Mistake> {
        let (side, name) = self.qualified(names)?;
        let columns = match (self, side) {
            (Self::Record(columns), _) => *columns,
            (Self::Pair(columns, _), Side::Left) => columns[0],
            (Self::Pair(columns, _), Side::Right) => columns[1],
            (Self::AnyRecord | Self::AnyPair, _) => return Ok((side, name.value.clone(), Type::Null)),
        };
        let column = find(columns, name).map_err(|e| e.unwrap_or_else(|| unknown(columns, name, self, side)))?;
        match &column.ty {
            Ok(ty) => Ok((side, column.key.clone(), *ty)),
            Err(reason) => Err((
                format!("column `{}` cannot be used in rules: {reason}", column.name),
                "convert it to text, numbers, dates or lists before reading it".into(),
            )),
        }
    }
}

impl Scope<'_> {
    fn is_pair(&self) -> bool {
        matches!(self, Self::Pair(..) | Self::AnyPair)
    }

    /// The record an identifier names, and the name of the column.
    fn qualified<'n>(&self, names: &'n [Ident]) -> Result<(Side, &'n Ident), Mistake> {
        match (self.is_pair(), names) {
            (false, [name]) => Ok((Side::Left, name)),
            (true, [letter, name]) => match letter.value.to_lowercase().as_str() {
                "l" => Ok((Side::Left, name)),
                "r" => Ok((Side::Right, name)),
                other => Err((format!("unknown record `{other}`"), "a rule knows the records `l` and `r`".into())),
            },
            (true, [name]) => Err(unqualified(name)),
            (false, _) => Err(("a derive sees one record only".into(), "name its columns without a letter".into())),
            (true, _) => Err(("this is not a column".into(), "write `l.column` or `r.column`".into())),
        }
    }
}

/// The column of that name; `Err(None)` where there is none.
fn find<'c>(columns: &'c [Column], name: &Ident) -> Result<&'c Column, Option<Mistake>> {
    if name.quote_style.is_some() {
        return columns.iter().find(|c| c.name == name.value).ok_or(None);
    }
    let lower = name.value.to_lowercase();
    let matching: Vec<&Column> = columns.iter().filter(|c| c.name.to_lowercase() == lower).collect();
    match matching[..] {
        [] => Err(None),
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

fn unqualified(name: &Ident) -> Mistake {
    (
        format!("`{0}` does not say which record it belongs to", name.value),
        format!("write `l.{0}` or `r.{0}`; texts are written in 'single quotes'", name.value),
    )
}

fn unknown(columns: &[Column], name: &Ident, scope: &Scope<'_>, side: Side) -> Mistake {
    let letter = if scope.is_pair() { format!("{}.", side.letter()) } else { String::new() };
    let help = match crate::rules::nearest(&name.value, columns.iter().map(|c| c.name.as_str())) {
        Some(near) => format!("did you mean `{letter}{near}`?"),
        None => {
            let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
            format!("the columns are: {}", names.join(", "))
        }
    };
    (format!("unknown column `{letter}{}`", name.value), help)
}
