//! Frequencies that are given: a table with a value and its share of the records in each row.
//!
//! The value is in a column `value`, or in one of the name of the column that it is for; its share in `frequency` or, as
//! Splink calls it, `tf_` and that name. A column `count` has numbers of records, which become shares of their sum.

use arrow_array::ArrayRef;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::expr::{Columns, Decimal, Expr, ExprKind, Function, Num, Side, Span, Type, Vector, evaluate, vector_of};
use crate::memory::{Held, MemoryBudget};
use crate::records::encode::{Numbers, bytes_at};
use crate::records::{Input, OpenSource, Table, content_hash};

/// The columns of a table of frequencies.
pub const VALUE: &str = "value";
pub const FREQUENCY: &str = "frequency";
pub const COUNT: &str = "count";

/// What Splink writes before the name of a column.
const SPLINK_PREFIX: &str = "tf_";

/// Bytes that a value takes in a table beside its own, about.
const BESIDE_A_VALUE: usize = 80;

/// Which table frequencies were given as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrequencySource {
    /// Its path, or its name where it is no file.
    pub name: String,
    /// The values that it has.
    pub values: u64,
    /// The 128-bit XXH3 hash of its two columns.
    pub xxh128: String,
}

/// Frequencies that were given, by the bytes of their values.
#[derive(Debug)]
pub struct FrequencyTable {
    source: FrequencySource,
    shares: HashMap<Box<[u8]>, f64, FixedState>,
    /// As they were read.
    table: Table,
    _held: Held,
}

/// A table of frequencies whose columns are known, and whose rows are not read yet.
pub struct FrequencyReader {
    source: OpenSource,
    name: String,
    /// The column that the frequencies are for.
    column: String,
    /// The places of the values, and of their shares or counts.
    places: [usize; 2],
    has_counts: bool,
}

impl FrequencyReader {
    /// Finds the columns with the frequencies of the values of `column`.
    pub fn open(input: &Input, column: &str, cancel: Cancel<'_>) -> Result<Self> {
        let source = input.open_until(cancel)?;
        let given = input.given();
        let name = if given.is_empty() { source.name().to_owned() } else { given.join(", ") };
        let fields = source.schema().fields();
        let find = |name: &str| fields.iter().position(|field| field.name().eq_ignore_ascii_case(name));
        let value = find(VALUE).or_else(|| find(column));
        let value = value.ok_or_else(|| no_column(&name, column, &source, "values", &value_names(column)))?;
        let beside = |name: &str| find(name).filter(|place| *place != value);
        let share = beside(FREQUENCY).or_else(|| beside(&format!("{SPLINK_PREFIX}{column}")));
        let (place, has_counts) = match (share, beside(COUNT)) {
            (Some(place), _) => (place, false),
            (None, Some(place)) => (place, true),
            (None, None) => return Err(no_column(&name, column, &source, "frequencies", &share_names(column))),
        };
        Ok(Self { source, name, column: column.to_owned(), places: [value, place], has_counts })
    }

    /// Reads the frequencies; `ty` is the type of the column's values in rules.
    pub fn read(self, ty: Type, budget: &MemoryBudget, cancel: Cancel<'_>) -> Result<FrequencyTable> {
        let Self { source, name, column, places, has_counts } = self;
        let table = source.read_within(budget, &places, &|_| cancel.check())?;
        let source =
            FrequencySource { name, values: table.rows() as u64, xxh128: format!("{:032x}", content_hash(&table)) };
        let mut rows = FrequencyRows { table: &table, column, ty, has_counts, first: 0 };
        let (mut shares, mut held, mut bytes) = (HashMap::default(), budget.hold(0)?, 0);
        for (values, numbers) in table.plain_texts(0).zip(table.plain_texts(1)) {
            cancel.check();
            rows.add(&values, &numbers, &mut shares, &mut |value| {
                bytes += value + BESIDE_A_VALUE;
                held.grow(bytes)
            })?;
        }
        held.reach(bytes)?;
        if has_counts {
            into_shares(&mut shares);
        }
        Ok(FrequencyTable { source, shares, table, _held: held })
    }
}

impl FrequencyTable {
    /// Which table it was.
    pub fn source(&self) -> &FrequencySource {
        &self.source
    }

    /// The same table as an input that is in memory, by the same name, and the bytes that it takes.
    pub fn into_input(self) -> Result<(Input, usize)> {
        let Self { source, table, .. } = self;
        let bytes = table.bytes();
        Ok((Input::batches(&source.name, table.schema, table.batches)?, bytes))
    }

    /// The share of the records with a value, by its bytes in a dictionary; nothing where the table lacks it.
    pub fn share(&self, value: &[u8]) -> Option<f64> {
        self.shares.get(value).copied()
    }
}

/// Counts as shares of their sum.
fn into_shares(counts: &mut HashMap<Box<[u8]>, f64, FixedState>) {
    // Counts are whole numbers: their sum does not depend on their order.
    let all = counts.values().map(|count| *count as u128).sum::<u128>() as f64;
    counts.values_mut().for_each(|count| *count /= all);
}

/// The rows of a table of frequencies, batch by batch.
struct FrequencyRows<'a> {
    table: &'a Table,
    column: String,
    ty: Type,
    has_counts: bool,
    /// The number of the first row of the next batch.
    first: usize,
}

impl FrequencyRows<'_> {
    /// Adds the values of a batch with their shares or counts; `taken` counts the bytes of each value.
    fn add(
        &mut self,
        values: &ArrayRef,
        numbers: &ArrayRef,
        shares: &mut HashMap<Box<[u8]>, f64, FixedState>,
        taken: &mut dyn FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        let (given, numbers) = (vector_of(values), vector_of(numbers));
        let values = converted(&given, self.ty).ok_or_else(|| self.wrong_type(&given, self.ty))?;
        let numbers = converted(&numbers, Type::Number).ok_or_else(|| self.wrong_type(&numbers, Type::Number))?;
        for row in 0..given.len() {
            let Some(bytes) = bytes_at(&values, row, Numbers::ByValue) else { return Err(self.no_value(&given, row)) };
            let number = match &numbers {
                Vector::Number(numbers) => numbers.get(row),
                _ => None,
            };
            let share = self.checked(number).ok_or_else(|| self.wrong_number(&given, row, number))?;
            taken(bytes.len())?;
            match shares.entry(Box::from(&bytes[..])) {
                Entry::Vacant(place) => place.insert(share),
                Entry::Occupied(_) => return Err(self.repeated(&given, row)),
            };
        }
        self.first += given.len();
        Ok(())
    }

    /// A share, or a count that floats hold; nothing where it is none.
    fn checked(&self, number: Option<Num>) -> Option<f64> {
        match (self.has_counts, number?.canonical()) {
            (true, Num::Int(count)) => (count > 0).then_some(count as f64),
            (true, _) => None,
            (false, number) => Some(number.to_f64()).filter(|share| *share > 0.0 && *share <= 1.0),
        }
    }

    fn place(&self, row: usize) -> String {
        self.table.place(self.first + row)
    }

    fn no_value(&self, given: &Vector, row: usize) -> Error {
        let place = self.place(row);
        match given.shown(row) {
            None => Error::data(format!("{place}: the value is missing"))
                .with_help("leave the row out: only values have frequencies"),
            Some(value) => {
                let (column, kind) = (&self.column, self.ty.name());
                Error::data(format!("{place}: `{value}` is not {kind}"))
                    .with_help(format!("the column `{column}`, which the frequencies are for, has no such value"))
            }
        }
    }

    fn repeated(&self, given: &Vector, row: usize) -> Error {
        let (place, value) = (self.place(row), given.shown(row).unwrap_or_default());
        Error::data(format!("{place}: the value `{value}` comes a second time")).with_help("give every value one row")
    }

    fn wrong_number(&self, given: &Vector, row: usize, number: Option<Num>) -> Error {
        let (place, value) = (self.place(row), given.shown(row).unwrap_or_default());
        let (what, help) = match self.has_counts {
            true => ("count", "a count is a whole number of records, from 1 on"),
            false => ("frequency", "a frequency is a share of the records: more than 0 and at most 1"),
        };
        let is = number.map_or("not a number".to_owned(), Num::to_text);
        Error::data(format!("{place}: the {what} of `{value}` is {is}")).with_help(help)
    }

    fn wrong_type(&self, given: &Vector, wanted: Type) -> Error {
        let (place, have, wanted, column) = (self.place(0), given.ty().name(), wanted.name(), &self.column);
        Error::data(format!("{place}: this is {have}, where {wanted} is needed"))
            .with_help(format!("the values are those of the column `{column}`, and their frequencies are numbers"))
    }
}

/// The values of a column as another type, converted as rules do it; what cannot be converted is null. Nothing where the
/// two types have nothing to do with each other.
pub fn converted(values: &Vector, ty: Type) -> Option<Vector> {
    let function = match (values, ty) {
        (Vector::Null(_), _) | (_, Type::Null) | (Vector::Number(_), Type::Number | Type::Decimal) => {
            return Some(values.clone());
        }
        (Vector::Text(texts), Type::Decimal) => {
            // As a float, `0.1` would equal no decimal.
            let decimal = |text: Option<&str>| text.and_then(|text| Decimal::parse(text.trim())).map(Num::Wide);
            return Some(Vector::Number(texts.iter().map(decimal).collect()));
        }
        (of, ty) if of.ty() == ty => return Some(values.clone()),
        (Vector::Text(_), Type::Number) => Function::ToNumber,
        (Vector::Text(_), Type::Date) => Function::ToDate,
        (Vector::Text(_), Type::Bool) => Function::ToBool,
        (Vector::Number(_) | Vector::Date(_) | Vector::Bool(_), Type::Text) => Function::ToText,
        _ => return None,
    };
    let column = Expr { kind: ExprKind::Column(Side::Left, VALUE.to_owned()), ty: values.ty(), span: Span::default() };
    let call = Expr { kind: ExprKind::Call(function, vec![column]), ty, span: Span::default() };
    Some(evaluate(&call, &ValueColumn(values), None))
}

/// A column that conversions read.
struct ValueColumn<'a>(&'a Vector);

impl Columns for ValueColumn<'_> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn column(&self, _: Side, _: &str) -> Vector {
        self.0.clone()
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("a conversion of a column reads no operand of rules")
    }
}

fn value_names(column: &str) -> String {
    format!("call it `{VALUE}` or `{column}`")
}

fn share_names(column: &str) -> String {
    let share = format!("`{FREQUENCY}` or `{SPLINK_PREFIX}{column}`");
    format!("call it {share} if it has shares of the records, `{COUNT}` if it counts them")
}

fn no_column(name: &str, column: &str, source: &OpenSource, what: &str, help: &str) -> Error {
    let columns: Vec<&str> = source.schema().fields().iter().map(|field| field.name().as_str()).collect();
    Error::data(format!("the term frequencies of `{column}`, `{name}`, have no column with the {what}"))
        .with_help(format!("{help}; its columns are: {}", columns.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &str, ty: Type) -> Result<FrequencyTable> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.csv");
        std::fs::write(&path, content).unwrap();
        let budget = MemoryBudget::unlimited();
        FrequencyReader::open(&Input::files([path]), "name", Cancel::NEVER)?.read(ty, &budget, Cancel::NEVER)
    }

    fn share(content: &str, value: &str) -> Option<f64> {
        read(content, Type::Text).unwrap().share(value.as_bytes())
    }

    /// What is wrong, without the folder of the file.
    fn mistake(content: &str, ty: Type) -> String {
        let text = read(content, ty).unwrap_err().message().to_owned();
        text.split_once("names.csv").map_or(text.clone(), |(_, rest)| rest.to_owned())
    }

    #[test]
    fn columns_are_known_by_their_names() {
        assert_eq!(share("value,frequency\nann,0.25\n bob,1\n", "ann"), Some(0.25));
        assert_eq!(share("value,frequency\nann,0.25\n bob,1\n", "bob"), None);
        assert_eq!(share("tf_name,other,Name\n0.5,x,ann\n", "ann"), Some(0.5));
        assert_eq!(share("value,count\nann,3\nbob,1\n", "ann"), Some(0.75));
        // A share says more than a count.
        assert_eq!(share("value,count,frequency\nann,3,0.1\n", "ann"), Some(0.1));
        assert_eq!(share("value,frequency\n", "ann"), None);
        let no_value = mistake("a,frequency\nann,1\n", Type::Text);
        assert!(no_value.ends_with("have no column with the values"), "{no_value}");
        let no_share = mistake("value,other\nann,1\n", Type::Text);
        assert!(no_share.ends_with("have no column with the frequencies"), "{no_share}");
    }

    #[test]
    fn values_are_read_as_those_of_the_column() {
        let number = |value: i64| {
            let mut bytes = vec![0];
            bytes.extend(value.to_le_bytes());
            bytes
        };
        let table = read("value,frequency\n3.0,0.5\n 4,0.25\n", Type::Number).unwrap();
        assert_eq!([3, 4, 5].map(|value| table.share(&number(value))), [Some(0.5), Some(0.25), None]);
        let table = read("value,frequency\n1970-01-03,0.5\n", Type::Date).unwrap();
        assert_eq!(table.share(&2_i32.to_le_bytes()), Some(0.5));
        assert_eq!((table.source().values, table.source().xxh128.len()), (1, 32));
        // Two ways to write one number are one value.
        let twice = mistake("value,frequency\n3,0.5\n3.0,0.5\n", Type::Decimal);
        assert_eq!(twice, ":3: the value `3.0` comes a second time");
    }

    #[test]
    fn what_is_no_frequency_is_refused() {
        for (row, expected) in [
            (",0.5", "the value is missing"),
            ("bob,", "the frequency of `bob` is not a number"),
            ("bob,nan", "the frequency of `bob` is not a number"),
            ("bob,x", "the frequency of `bob` is not a number"),
            ("bob,0", "the frequency of `bob` is 0"),
            ("bob,-0.5", "the frequency of `bob` is -0.5"),
            ("bob,1.5", "the frequency of `bob` is 1.5"),
            ("ann,0.5", "the value `ann` comes a second time"),
        ] {
            assert_eq!(mistake(&format!("value,frequency\nann,1\n{row}\n"), Type::Text), format!(":3: {expected}"));
        }
        for (count, expected) in [("0", "0"), ("-2", "-2"), ("1.5", "1.5"), ("x", "not a number")] {
            let expected = format!(":2: the count of `ann` is {expected}");
            assert_eq!(mistake(&format!("value,count\nann,{count}\n"), Type::Text), expected);
        }
        assert_eq!(mistake("value,frequency\nann,1\n", Type::Number), ":2: `ann` is not a number");
    }

    #[test]
    fn the_memory_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.csv");
        let rows: String = (0..400_000).map(|row| format!("{row:060},1\n")).collect();
        std::fs::write(&path, format!("value,count\n{rows}")).unwrap();
        let budget = MemoryBudget::new(0);
        let _taken = budget.hold(budget.room() - (60 << 20)).unwrap();
        let reader = FrequencyReader::open(&Input::files([path]), "name", Cancel::NEVER).unwrap();
        let error = reader.read(Type::Text, &budget, Cancel::NEVER).unwrap_err();
        assert!(error.message().contains("memory limit"), "{error}");
    }
}
