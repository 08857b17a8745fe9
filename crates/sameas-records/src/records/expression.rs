//! Expressions of the rule language over tables of the caller.

use std::collections::HashMap;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Fields, Schema};

use super::read::EngineTypes;
use crate::cancel;
use crate::error::{Error, Result};
use crate::expr::{Columns, Expr, Side, Vector, array_of, array_type, evaluate, vector_of};
use crate::rules::{input_columns, record_expression};

/// An expression over the columns of a table, as `derive` has them: `jaro_winkler(name, other_name)`, `lower(name)`.
///
/// ```
/// # mod sameas { pub use arrow_array; pub use sameas_core::error::*; pub use sameas_records::records::*; }
/// use std::sync::Arc;
/// use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, cast::AsArray, types::Float64Type};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let [a, b] = [["Ann", "Bob"], ["Anne", "Rob"]].map(|names| Arc::new(StringArray::from(names.to_vec())) as ArrayRef);
/// let names = RecordBatch::try_from_iter([("a", a), ("b", b)])?;
/// let edits = sameas::Expression::new("levenshtein(a, b)", &names.schema())?.evaluate(&names)?;
/// assert_eq!(edits.as_primitive::<Float64Type>().values(), &[1.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    expr: Expr,
    /// The columns of the tables that it is for.
    fields: Fields,
}

impl Expression {
    /// An expression over tables with these columns.
    pub fn new(text: &str, schema: &Schema) -> Result<Self> {
        let normal = EngineTypes::schema(schema);
        let expr = record_expression(text, &input_columns(&normal, false))?;
        Ok(Self { expr, fields: schema.fields().clone() })
    }

    /// The type of its values: texts, 64-bit floats, dates, truth values, and lists of texts and numbers.
    pub fn data_type(&self) -> DataType {
        array_type(self.expr.ty)
    }

    /// Its value for every row. Empty texts are null, as everywhere.
    pub fn evaluate(&self, batch: &RecordBatch) -> Result<ArrayRef> {
        if batch.schema().fields() != &self.fields {
            return Err(Error::usage("the table has other columns than the expression was made for"));
        }
        let mut columns = HashMap::new();
        let mut wanted = Vec::new();
        self.expr.each_column(&mut |_, name| wanted.push(name.to_owned()));
        for name in wanted {
            let Some(array) = batch.column_by_name(&name) else { continue };
            let array = EngineTypes::column(array, batch.num_rows())
                .map_err(|error| Error::data(format!("column `{name}` cannot be read: {error}")).with_source(error))?;
            columns.insert(name, vector_of(&array));
        }
        let columns = BatchColumns { rows: batch.num_rows(), columns };
        cancel::catch(|| Ok(array_of(self.expr.ty, &[evaluate(&self.expr, &columns, None)])))
    }
}

/// The columns of a batch.
struct BatchColumns {
    rows: usize,
    columns: HashMap<String, Vector>,
}

impl Columns for BatchColumns {
    fn rows(&self) -> usize {
        self.rows
    }

    fn column(&self, _: Side, name: &str) -> Vector {
        self.columns.get(name).cloned().unwrap_or(Vector::Null(self.rows))
    }

    fn operand(&self, _: Side, _: usize) -> Vector {
        unreachable!("operands are made of rules, and this is none")
    }
}
