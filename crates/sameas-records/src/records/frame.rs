//! A table with everything its rules may read: input columns, derived columns, ranks, the name of its source.

use std::collections::{BTreeMap, HashMap};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::DataType;
use rayon::prelude::*;

use super::block_column::{BlockColumn, BlockValues};
use super::table::Table;
use super::text_reading::ColumnUse;
use crate::cancel::{Cancel, or_end};
use crate::expr::{BESIDE_A_TEXT, SOURCE_DATASET, derived_key, shown_name};
use crate::expr::{Columns, Expr, ExprKind, Num, ParseCounts, Side, Vector, evaluate};
use crate::memory::Held;
use crate::rules::Derived;

/// One or two inputs as one sequence of records. Pairs are named by rows of a frame.
#[derive(Debug, Default)]
pub struct Frame {
    blocks: Vec<FrameBlock>,
}

/// The records of one batch.
#[derive(Debug)]
struct FrameBlock {
    rows: usize,
    /// The input it comes from.
    source: String,
    columns: HashMap<String, HeldColumn>,
}

/// A column of a block.
#[derive(Debug)]
struct HeldColumn {
    column: BlockColumn,
    /// Its memory; texts of the table are not counted twice.
    _held: Held,
}

/// A block whose expressions are evaluated within the memory of a job.
struct BoundedBlock<'a> {
    block: &'a FrameBlock,
    cancel: Cancel<'a>,
    /// A column with whose values those of all columns are aligned: expressions are evaluated for these, not for rows.
    aligned: Option<&'a BlockColumn>,
}

impl Frame {
    /// Reads `tables`, one after the other, with the derived columns of each.
    pub fn new(tables: &[(&Table, &[Derived])], cancel: Cancel<'_>) -> Self {
        let batches = tables.iter().flat_map(|(table, derived)| {
            table.batches.iter().map(|batch| (table.name.as_str(), *derived, batch.clone()))
        });
        Self::from_batches(batches.collect(), cancel)
    }

    /// The same, and takes the records away from the tables: what a block does not need any more is dropped at once.
    pub fn taking(tables: &mut [(&mut Table, &[Derived])], cancel: Cancel<'_>) -> Self {
        let batches = tables.iter_mut().flat_map(|(table, derived)| {
            let (batches, name, derived) = (std::mem::take(&mut table.batches), table.name.as_str(), *derived);
            batches.into_iter().map(move |batch| (name, derived, batch))
        });
        Self::from_batches(batches.collect(), cancel)
    }

    fn from_batches(batches: Vec<(&str, &[Derived], RecordBatch)>, cancel: Cancel<'_>) -> Self {
        let block = |(source, derived, batch)| FrameBlock::new(source, derived, batch, cancel);
        Self { blocks: batches.into_par_iter().map(block).collect() }
    }

    /// Number of records.
    pub fn rows(&self) -> usize {
        self.blocks.iter().map(|b| b.rows).sum()
    }

    /// The values of an expression of one record, block by block, one for each record.
    pub fn evaluate(&self, expr: &Expr, cancel: Cancel<'_>) -> Vec<Vector> {
        let of_block = |block: &FrameBlock| {
            cancel.check();
            block.evaluate(expr, cancel).to_rows(cancel)
        };
        self.blocks.par_iter().map(of_block).collect()
    }

    /// The same with repeated values taken together, and the memory of the values; what is a column of the frame takes
    /// none.
    pub fn evaluate_held(&self, expr: &Expr, cancel: Cancel<'_>) -> (Vec<BlockColumn>, Vec<Held>) {
        let of_block = |block: &FrameBlock| {
            cancel.check();
            let column = block.evaluate(expr, cancel);
            let held = cancel.hold(if cancel.counts_memory() { block.bytes_beside(&column) } else { 0 });
            (column, held)
        };
        self.blocks.par_iter().map(of_block).unzip()
    }

    /// Drops all columns but those that are wanted, by their names in expressions.
    pub fn keep(&mut self, is_wanted: impl Fn(&str) -> bool + Sync) {
        self.blocks.par_iter_mut().for_each(|block| block.columns.retain(|name, _| is_wanted(name)));
    }

    /// The value of a column in a row, as a column of one row; `key` is its name in expressions.
    pub fn value(&self, row: u32, key: &str) -> Vector {
        let mut row = row as usize;
        for block in &self.blocks {
            if row < block.rows {
                return block.column(key).slice(row);
            }
            row -= block.rows;
        }
        Vector::Null(1)
    }

    /// Adds a column of numbers, given by row.
    pub fn add_numbers(&mut self, name: &str, number: impl Fn(usize) -> Option<Num> + Sync) {
        let firsts: Vec<usize> =
            self.blocks.iter().scan(0, |end, block| Some(std::mem::replace(end, *end + block.rows))).collect();
        self.blocks.par_iter_mut().zip(firsts).for_each(|(block, first)| {
            let numbers = (first..first + block.rows).map(&number).collect();
            let column = HeldColumn { column: Vector::Number(numbers).into(), _held: Held::default() };
            block.columns.insert(name.to_owned(), column);
        });
    }

    /// One of the values of a text column, where not one of them can be converted.
    pub fn example_of_unreadable(&self, key: &str, conversion: &Expr, cancel: Cancel<'_>) -> Option<String> {
        let mut example = None;
        for block in &self.blocks {
            let values = block.evaluate(conversion, cancel).values.to_vector();
            if (0..values.len()).any(|row| values.shown(row).is_some()) {
                return None;
            }
            if example.is_none() {
                let texts = block.column(key).values.to_vector();
                example = (0..texts.len()).find_map(|row| texts.shown(row));
            }
        }
        example
    }

    /// Counts the values of a text column that its use as a number or a date cannot read, by the names of columns.
    pub fn count_unreadable(&self, column: &str, of: &ColumnUse, cancel: Cancel<'_>) -> BTreeMap<String, u64> {
        let counts = ParseCounts::default();
        for block in &self.blocks {
            cancel.check();
            let block = BoundedBlock { block, cancel, aligned: None };
            match of {
                ColumnUse::Everywhere(conversion) => drop(evaluate(conversion, &block, Some(&counts))),
                ColumnUse::Missed(missed) => counts.add(column, true_rows(&evaluate(missed, &block, None))),
            }
        }
        counts.snapshot()
    }
}

fn true_rows(values: &Vector) -> u64 {
    match values {
        Vector::Bool(values) => values.iter().filter(|value| **value == Some(true)).count() as u64,
        _ => 0,
    }
}

impl FrameBlock {
    /// A batch with its derived columns. What is made of it is counted before it is made, or while it is.
    fn new(source: &str, derived: &[Derived], batch: RecordBatch, cancel: Cancel<'_>) -> Self {
        let mut block = Self { rows: batch.num_rows(), source: source.to_owned(), columns: HashMap::new() };
        let (schema, arrays, _) = batch.into_parts();
        for (field, array) in schema.fields().iter().zip(arrays) {
            let mut held = cancel.hold(bytes_as_vector(&array));
            let column = BlockColumn::new(&array);
            or_end(held.add(if column.places.is_some() { column.bytes() } else { 0 }));
            block.columns.insert(field.name().clone(), HeldColumn { column, _held: held });
        }
        for column in derived {
            cancel.check();
            let values = block.evaluate(&column.expr, cancel);
            let held = cancel.hold(block.bytes_beside(&values));
            block.columns.insert(derived_key(&column.name), HeldColumn { column: values, _held: held });
        }
        block
    }

    /// The values of an expression. Where all columns that it reads have their values at the same places, it is
    /// computed once for each of these.
    fn evaluate(&self, expr: &Expr, cancel: Cancel<'_>) -> BlockColumn {
        if let ExprKind::Column(_, name) = &expr.kind {
            return self.column(name);
        }
        let aligned = self.aligned(expr);
        let _copied = cancel.hold(self.copied_bytes(expr));
        let values = evaluate(expr, &BoundedBlock { block: self, cancel, aligned }, None);
        BlockColumn { values: BlockValues::Plain(values), places: aligned.and_then(|column| column.places.clone()) }
    }

    /// Memory of the views that are copied while an expression is computed.
    fn copied_bytes(&self, expr: &Expr) -> usize {
        let mut bytes = 0;
        expr.each_column(&mut |_, name| {
            bytes += self.columns.get(name).map_or(0, |held| held.column.values.copied_bytes());
        });
        bytes
    }

    /// A column that an expression reads, if all others that it reads have their values at the same places.
    fn aligned(&self, expr: &Expr) -> Option<&BlockColumn> {
        let mut columns = Vec::new();
        expr.each_column(&mut |_, name| columns.push(self.columns.get(name).map(|held| &held.column)));
        let first = (*columns.first()?)?;
        columns.iter().all(|other| other.is_some_and(|other| other.has_places_of(first))).then_some(first)
    }

    /// The memory of a column beside those of the block: what a function leaves as it is, it does not copy.
    fn bytes_beside(&self, column: &BlockColumn) -> usize {
        let place = |column: &BlockColumn| match &column.values {
            BlockValues::Plain(Vector::Text(texts)) => Some(texts.value_data().as_ptr()),
            _ => None,
        };
        let own = place(column);
        let is_shared = own.is_some() && self.columns.values().any(|other| place(&other.column) == own);
        // Places are always those of a column of the table.
        if is_shared { 0 } else { column.values.bytes() }
    }

    fn column(&self, name: &str) -> BlockColumn {
        match self.columns.get(name) {
            Some(held) => held.column.clone(),
            None if shown_name(name) == SOURCE_DATASET => {
                Vector::Text(StringArray::from(vec![self.source.as_str(); self.rows])).into()
            }
            None => Vector::Null(self.rows).into(),
        }
    }
}

/// What a column of a table takes as a column of expressions: nothing for texts, which both share.
fn bytes_as_vector(array: &ArrayRef) -> usize {
    match array.as_list_opt::<i32>() {
        _ if matches!(array.data_type(), DataType::Utf8 | DataType::Utf8View | DataType::Dictionary(..)) => 0,
        Some(lists) => {
            let own = array.to_data().get_slice_memory_size();
            lists.values().len() * BESIDE_A_TEXT + own.unwrap_or_else(|_| array.get_array_memory_size())
        }
        None => array.len() * size_of::<Option<Num>>(),
    }
}

impl Columns for BoundedBlock<'_> {
    fn rows(&self) -> usize {
        self.aligned.map_or(self.block.rows, |column| column.values.count())
    }

    fn column(&self, _: Side, name: &str) -> Vector {
        let column = self.block.column(name);
        if self.aligned.is_some() { column.values.to_vector() } else { column.to_rows(self.cancel) }
    }

    fn cancel(&self) -> Cancel<'_> {
        self.cancel
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("operands are made of records, not read by them")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cancel::catch;
    use crate::error::{ErrorCode, Result};
    use crate::expr::{Function, Span, Type};
    use crate::memory::MemoryBudget;
    use crate::records::RowOrigin;

    fn text(kind: ExprKind) -> Expr {
        Expr { kind, ty: Type::Text, span: Span::default() }
    }

    fn column(key: &str) -> Expr {
        text(ExprKind::Column(Side::Left, key.to_owned()))
    }

    fn derived(name: &str, function: Function, args: Vec<Expr>) -> Derived {
        Derived { name: name.to_owned(), expr: text(ExprKind::Call(function, args)) }
    }

    /// A frame of a megabyte of text with these columns, within 128 MiB.
    fn frame(derived: &[Derived]) -> Result<usize> {
        let text = |row: usize| format!("{row:x}{}", "a".repeat((1 << 16) - 1));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..16).map(text)));
        let batch = RecordBatch::try_from_iter([("a", texts)]).unwrap();
        let table = Table {
            name: "t".to_owned(),
            schema: batch.schema(),
            batches: vec![batch],
            files: Vec::new(),
            origin: RowOrigin::default(),
        };
        let budget = MemoryBudget::new(0);
        catch(|| Ok(Frame::new(&[(&table, derived)], Cancel::NEVER.within(&budget)).rows()))
    }

    #[test]
    fn derived_texts_are_counted_while_they_are_written() {
        let twice = |name: &str, of: &str| derived(name, Function::Concat, vec![column(of), column(of)]);
        let mut chain = vec![twice("d0", "a")];
        chain.extend((1..5).map(|at| twice(&format!("d{at}"), &derived_key(&format!("d{}", at - 1)))));
        assert_eq!(frame(&chain).unwrap(), 16);
        chain.extend((5..9).map(|at| twice(&format!("d{at}"), &derived_key(&format!("d{}", at - 1)))));
        let error = frame(&chain).unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        assert!(error.message().starts_with("the records and what is made of them take "), "{error}");
        let literal = |value: String| text(ExprKind::Literal(crate::expr::Value::Text(value)));
        for function in [Function::Replace, Function::RegexpReplace] {
            let mut args = vec![column("a"), literal("a".to_owned()), literal("b".repeat(1 << 12))];
            args.extend((function == Function::RegexpReplace).then(|| literal("g".to_owned())));
            let error = frame(&[derived("d", function, args)]).unwrap_err();
            assert_eq!(error.code(), ErrorCode::MemoryLimit, "{function:?}");
        }
    }
}
