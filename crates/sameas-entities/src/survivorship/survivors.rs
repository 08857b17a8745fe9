//! What the entries of `[entity]` take of each cluster.

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, UInt32Array, cast::AsArray};
use arrow_buffer::BooleanBuffer;
use arrow_schema::DataType;
use arrow_select::take::take;

use super::counting::{counting_rows, filled_columns};
use super::different::{ValuesOfCluster, different_values};
use super::lists::{union_type, unions};
use super::order::ValueOrder;
use super::picked::{PickedBy, picked};
use super::totals::{means, sum_type, sums};
use super::{ClusterRows, Result, Take, broken};

/// An entry, with the places of what it reads among the columns of rows.
#[derive(Clone, Debug)]
pub struct EntryWork {
    /// How values are taken.
    pub take: Take,
    /// Whether all its columns are taken from one record.
    pub is_group: bool,
    /// The places of its columns.
    pub columns: Vec<usize>,
    /// The places of those by which a record is chosen, if not all are.
    pub chosen_by: Option<Vec<usize>>,
    /// That of what rows are ordered by.
    pub by: Option<usize>,
    /// That of the condition.
    pub condition: Option<usize>,
    /// That of the number of columns that have a value; without it those of the entry are counted.
    pub filled: Option<usize>,
}

/// The columns of rows that entries read, and what else is known of rows.
pub struct EntryColumns<'a> {
    /// The columns.
    pub columns: &'a [ArrayRef],
    /// How many rows there are.
    pub rows: usize,
    /// The place of the source of a row among those that an entry prefers.
    pub ranks: &'a dyn Fn(u32) -> u32,
    /// What the pairs of a row weigh.
    pub weights: &'a dyn Fn(u32) -> i64,
}

/// A column of entities.
pub struct SurvivingColumn {
    /// The value of each cluster.
    pub values: ArrayRef,
    /// The row that it came from, if it came from one.
    pub rows: Option<Arc<Vec<Option<u32>>>>,
    /// How many different other values there are.
    pub disagreed: Vec<u32>,
}

/// What an entry takes of rows.
pub struct Survivors<'a> {
    groups: &'a ClusterRows,
    of: &'a EntryColumns<'a>,
}

/// The type of what is taken of values of this type; nothing where that cannot be.
pub fn result_type(take: Take, values: &DataType) -> Option<DataType> {
    match take {
        Take::Sum => sum_type(values),
        Take::Mean => sum_type(values).map(|_| DataType::Float64),
        Take::Union => Some(union_type(values)),
        Take::Longest => matches!(values, DataType::Utf8 | DataType::List(_)).then(|| values.clone()),
        _ => Some(values.clone()),
    }
}

impl<'a> Survivors<'a> {
    /// Of rows by cluster.
    pub fn new(groups: &'a ClusterRows, of: &'a EntryColumns<'a>) -> Self {
        Self { groups, of }
    }

    /// The columns of an entry: of a group together, others one by one.
    pub fn of_entry(&self, entry: &EntryWork) -> Result<Vec<SurvivingColumn>> {
        let columns: Vec<ArrayRef> = entry.columns.iter().map(|column| self.of.columns[*column].clone()).collect();
        if entry.is_group {
            return self.of_columns(entry, &columns);
        }
        let mut all = Vec::with_capacity(columns.len());
        for column in columns {
            all.extend(self.of_columns(entry, &[column])?);
        }
        Ok(all)
    }

    fn of_columns(&self, entry: &EntryWork, columns: &[ArrayRef]) -> Result<Vec<SurvivingColumn>> {
        let condition = entry.condition.map(|condition| &self.of.columns[condition]);
        let counting = counting_rows(columns, condition, self.of.rows);
        if let (true, [column]) = (entry.take.is_of_all(), columns) {
            let values = match entry.take {
                Take::Sum => sums(self.groups, &counting, column)?,
                Take::Mean => means(self.groups, &counting, column)?,
                _ => unions(self.groups, &counting, column)?,
            };
            return Ok(vec![SurvivingColumn { values, rows: None, disagreed: vec![0; self.groups.len()] }]);
        }
        let is_counted = columns.len() == 1 || entry.take == Take::MostFrequent;
        let different = is_counted.then(|| self.combinations(columns, &counting)).transpose()?;
        let rows = Arc::new(self.chosen_of(entry, columns, &counting, different.as_deref())?);
        let places = UInt32Array::from(rows.as_ref().clone());
        let mut all = Vec::with_capacity(columns.len());
        for column in columns {
            let different = match (&different, columns.len()) {
                (Some(different), 1) => different.clone(),
                _ => self.different_of(column, condition)?,
            };
            let values = take(column, &places, None).map_err(|error| broken(&error))?;
            let disagreed = others(&different, &values);
            all.push(SurvivingColumn { values, rows: Some(Arc::clone(&rows)), disagreed });
        }
        Ok(all)
    }

    /// The row of each cluster that an entry takes all its columns from.
    pub fn chosen(&self, entry: &EntryWork) -> Result<Vec<Option<u32>>> {
        let places = entry.chosen_by.as_ref().unwrap_or(&entry.columns);
        let columns: Vec<ArrayRef> = places.iter().map(|column| self.of.columns[*column].clone()).collect();
        let condition = entry.condition.map(|condition| &self.of.columns[condition]);
        let counting = counting_rows(&columns, condition, self.of.rows);
        let is_counted = entry.take == Take::MostFrequent;
        let different = is_counted.then(|| self.combinations(&columns, &counting)).transpose()?;
        self.chosen_of(entry, &columns, &counting, different.as_deref())
    }

    fn combinations(&self, columns: &[ArrayRef], counting: &BooleanBuffer) -> Result<Vec<ValuesOfCluster>> {
        let order = match columns {
            [column] => ValueOrder::of_column(column)?,
            columns => ValueOrder::of_columns(columns)?,
        };
        Ok(different_values(self.groups, counting, &order))
    }

    fn chosen_of(
        &self,
        entry: &EntryWork,
        columns: &[ArrayRef],
        counting: &BooleanBuffer,
        different: Option<&[ValuesOfCluster]>,
    ) -> Result<Vec<Option<u32>>> {
        let own;
        let filled = match (entry.take, entry.filled) {
            (Take::MostComplete, Some(filled)) => Some(self.of.columns[filled].as_primitive::<UInt32Type>()),
            (Take::MostComplete, None) => {
                own = filled_columns(columns, self.of.rows);
                Some(&own)
            }
            _ => None,
        };
        let request = PickedBy {
            take: entry.take,
            counting,
            columns,
            by: entry.by.map(|by| &self.of.columns[by]),
            filled: filled.map(|filled| &filled.values()[..]),
            ranks: self.of.ranks,
            weights: self.of.weights,
            different,
        };
        picked(self.groups, &request)
    }

    /// The different values of a column of a group.
    fn different_of(&self, column: &ArrayRef, condition: Option<&ArrayRef>) -> Result<Vec<ValuesOfCluster>> {
        let counting = counting_rows(std::slice::from_ref(column), condition, self.of.rows);
        Ok(different_values(self.groups, &counting, &ValueOrder::of_column(column)?))
    }
}

/// How many different values there are besides those that were taken.
fn others(different: &[ValuesOfCluster], values: &ArrayRef) -> Vec<u32> {
    let nulls = values.logical_nulls();
    let is_there = |at: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
    different.iter().enumerate().map(|(at, of)| of.count - u32::from(is_there(at))).collect()
}

#[cfg(test)]
mod tests {
    use arrow_array::{BooleanArray, Int64Array, StringArray};

    use super::*;

    fn entry(take: Take, columns: &[usize]) -> EntryWork {
        let is_group = columns.len() > 1;
        EntryWork {
            take,
            is_group,
            columns: columns.to_vec(),
            chosen_by: None,
            by: None,
            condition: None,
            filled: None,
        }
    }

    /// Two clusters: rows 0, 2, 3 and 5, and rows 1 and 4.
    fn survive(entry: &EntryWork) -> Vec<SurvivingColumn> {
        let names = [Some("ann"), Some("x"), Some("anna"), Some("ann"), None, Some("bo")];
        let cities = [None, Some("rome"), Some("oslo"), None, None, Some("oslo")];
        let times = [Some(5), Some(1), Some(9), None, Some(2), Some(9)];
        let valid = [true, false, true, false, true, true];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(names.to_vec())),
            Arc::new(StringArray::from(cities.to_vec())),
            Arc::new(Int64Array::from(times.to_vec())),
            Arc::new(BooleanArray::from(valid.to_vec())),
        ];
        let groups = ClusterRows::new(&[0, 1, 0, 0, 1, 0], 0, &[4, 2]);
        let of =
            EntryColumns { columns: &columns, rows: 6, ranks: &|row| 9 - row, weights: &|row| i64::from(row == 3) };
        Survivors::new(&groups, &of).of_entry(entry).unwrap()
    }

    fn rows(entry: &EntryWork) -> Vec<Option<u32>> {
        survive(entry)[0].rows.as_ref().unwrap().to_vec()
    }

    #[test]
    fn each_rule_chooses_its_row() {
        let by = |take| EntryWork { by: Some(2), ..entry(take, &[0]) };
        assert_eq!(rows(&entry(Take::First, &[0])), [Some(0), Some(1)]);
        assert_eq!(rows(&by(Take::First)), [Some(0), Some(1)]);
        assert_eq!(rows(&by(Take::Newest)), [Some(2), Some(1)]);
        assert_eq!(rows(&by(Take::Oldest)), [Some(0), Some(1)]);
        assert_eq!(rows(&entry(Take::MostFrequent, &[0])), [Some(0), Some(1)]);
        assert_eq!(rows(&entry(Take::MostFrequent, &[1])), [Some(2), Some(1)]);
        assert_eq!(rows(&entry(Take::Longest, &[0])), [Some(2), Some(1)]);
        assert_eq!(rows(&entry(Take::Priority, &[0])), [Some(5), Some(1)]);
        assert_eq!(rows(&entry(Take::Min, &[0])), [Some(0), Some(1)]);
        assert_eq!(rows(&entry(Take::Max, &[0])), [Some(5), Some(1)]);
        assert_eq!(rows(&entry(Take::Strongest, &[0])), [Some(3), Some(1)]);
        let valid = EntryWork { condition: Some(3), ..entry(Take::MostFrequent, &[0]) };
        assert_eq!((rows(&valid), survive(&valid)[0].disagreed.clone()), (vec![Some(0), None], vec![2, 0]));
    }

    #[test]
    fn a_group_comes_from_one_row() {
        let complete = survive(&entry(Take::MostComplete, &[0, 1]));
        assert_eq!(complete[0].rows.as_ref().unwrap().to_vec(), [Some(2), Some(1)]);
        assert_eq!(complete[1].values.as_string::<i32>(), &StringArray::from(vec!["oslo", "rome"]));
        assert_eq!((complete[0].disagreed.clone(), complete[1].disagreed.clone()), (vec![2, 0], vec![0, 0]));
        let first = survive(&entry(Take::First, &[0, 1]));
        assert_eq!(first[1].values.as_string::<i32>(), &StringArray::from(vec![None, Some("rome")]));
        assert_eq!(first[1].disagreed, [1, 0]);
        let frequent = survive(&entry(Take::MostFrequent, &[0, 1]));
        assert_eq!(frequent[0].rows.as_ref().unwrap().to_vec(), [Some(0), Some(1)]);
    }
}
