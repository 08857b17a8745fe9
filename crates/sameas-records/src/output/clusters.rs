//! Writes `clusters`: every record once, in row order, with the cluster it belongs to.
//!
//! Columns: `unique_id`, `cluster_id`, the id of the cluster's first row; where the inputs have names,
//! `source_dataset`, `unique_id`, `cluster_id`, and a cluster is called `<source_dataset>:<unique_id>`. Further clusterings of
//! the same records have a column each after it.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::pairs::text_field;
use super::{RowIds, WriteOptions, write_table};
use crate::error::{Error, Result};
use crate::records::broken;

/// The records and the clusters they belong to.
#[derive(Clone, Copy)]
pub struct ClusterTable<'a> {
    /// The ids of all records.
    pub rows: &'a RowIds,
    /// The first row of the cluster of every row.
    pub roots: &'a [u32],
    /// Further clusterings of the same rows.
    pub more: &'a [ClusterIdColumn],
}

/// A further clustering of the same rows.
#[derive(Clone, Debug)]
pub struct ClusterIdColumn {
    /// The name of its column.
    pub name: String,
    /// The first row of the cluster of every row.
    pub roots: Vec<u32>,
}

/// Writes `clusters` and returns the flushed writer.
pub fn write_clusters<W: Write + Send>(out: W, table: &ClusterTable<'_>, options: &WriteOptions<'_>) -> Result<W> {
    let ClusterTable { rows, roots, more } = table;
    let mut all = more.iter().map(|column| column.roots.len()).chain([roots.len()]);
    if let Some(clustered) = all.find(|clustered| *clustered != rows.len()) {
        return Err(Error::internal(format!("{} rows have {clustered} clusters", rows.len())));
    }
    let ids: Vec<&str> =
        ["unique_id", "cluster_id"].into_iter().chain(more.iter().map(|column| column.name.as_str())).collect();
    let (schema, step) = (table.schema(), options.format.chunk_rows(roots.len() as u64) as usize);
    let make_chunk = |k: u64| {
        let from = k as usize * step;
        table.batch(&schema, from..roots.len().min(from + step))
    };
    write_table(out, &schema, &ids, roots.len().div_ceil(step) as u64, &make_chunk, options)
}

impl ClusterTable<'_> {
    /// Names and types of the columns.
    pub fn schema(&self) -> SchemaRef {
        let rows = self.rows;
        let cluster = |name: &str| match rows.has_sources() {
            true => Field::new(name, DataType::Utf8, false),
            false => rows.field(name),
        };
        let mut fields = if rows.has_sources() { vec![text_field("source_dataset")] } else { Vec::new() };
        fields.extend([rows.field("unique_id"), cluster("cluster_id")]);
        fields.extend(self.more.iter().map(|column| cluster(&column.name)));
        Arc::new(Schema::new(fields))
    }

    /// Some of the rows.
    pub fn batch(&self, schema: &SchemaRef, range: Range<usize>) -> Result<RecordBatch> {
        let rows = self.rows;
        let cluster = |roots: &[u32]| {
            let roots = UInt32Array::from(roots[range.clone()].to_vec());
            if rows.has_sources() { rows.gather_names(&roots) } else { rows.gather(&roots) }
        };
        let mut columns: Vec<ArrayRef> = Vec::new();
        if rows.has_sources() {
            let here = UInt32Array::from_iter_values(range.clone().map(|row| row as u32));
            columns.push(rows.gather_sources(&here)?);
        }
        columns.push(rows.gather_range(range.clone())?);
        columns.push(cluster(self.roots)?);
        for column in self.more {
            columns.push(cluster(&column.roots)?);
        }
        RecordBatch::try_new(Arc::clone(schema), columns).map_err(|error| broken(&error))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use arrow_array::{Int64Array, StringArray};

    use super::*;
    use crate::output::Format;

    fn csv(rows: &RowIds, roots: &[u32]) -> String {
        let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 2, progress: &|_| {} };
        String::from_utf8(write_clusters(Vec::new(), &ClusterTable { rows, roots, more: &[] }, &options).unwrap())
            .unwrap()
    }

    #[test]
    fn one_input() {
        let rows = RowIds::new(&[Arc::new(Int64Array::from(vec![30, 10, 20])) as ArrayRef]).unwrap();
        assert_eq!(csv(&rows, &[0, 1, 0]), "unique_id,cluster_id\n30,30\n10,10\n20,30\n");
    }

    #[test]
    fn two_inputs() {
        let left = RowIds::new(&[Arc::new(Int64Array::from(vec![1, 2])) as ArrayRef]).unwrap();
        let right = RowIds::new(&[Arc::new(StringArray::from(vec!["x"])) as ArrayRef]).unwrap();
        let rows = RowIds::join(&[left, right], &["a".to_owned(), "b".to_owned()]).unwrap();
        let expected = "source_dataset,unique_id,cluster_id\na,1,a:1\na,2,a:2\nb,x,a:2\n";
        assert_eq!(csv(&rows, &[0, 1, 1]), expected);
    }

    #[test]
    fn further_clusterings_have_columns_of_their_own() {
        let rows = RowIds::new(&[Arc::new(Int64Array::from(vec![30, 10, 20])) as ArrayRef]).unwrap();
        let more = [ClusterIdColumn { name: "cluster_id_0.9".to_owned(), roots: vec![0, 1, 2] }];
        let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 2, progress: &|_| {} };
        let table = ClusterTable { rows: &rows, roots: &[0, 1, 0], more: &more };
        let written = String::from_utf8(write_clusters(Vec::new(), &table, &options).unwrap()).unwrap();
        assert_eq!(written, "unique_id,cluster_id,cluster_id_0.9\n30,30,30\n10,10,10\n20,30,20\n");
    }

    #[test]
    fn many_rows_keep_their_order() {
        let count = 300_000;
        let rows = RowIds::new(&[Arc::new(Int64Array::from_iter_values(0..count)) as ArrayRef]).unwrap();
        let roots: Vec<u32> = (0..count as u32).map(|row| row / 3 * 3).collect();
        let expected: String = (0..count).map(|row| format!("{row},{}\n", row / 3 * 3)).collect();
        assert_eq!(csv(&rows, &roots), format!("unique_id,cluster_id\n{expected}"));
    }

    #[test]
    fn a_row_without_a_cluster_is_an_internal_error() {
        let rows = RowIds::new(&[Arc::new(Int64Array::from(vec![1])) as ArrayRef]).unwrap();
        let options = WriteOptions { format: Format::Csv, path: Path::new("-"), parallel: 2, progress: &|_| {} };
        assert!(write_clusters(Vec::new(), &ClusterTable { rows: &rows, roots: &[], more: &[] }, &options).is_err());
    }
}
