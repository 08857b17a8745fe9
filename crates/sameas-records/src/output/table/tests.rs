//! The formats, cell by cell, and their errors.

use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, StringArray, UInt64Array};
use arrow_schema::Schema;

use super::*;
use crate::error::Error;
use crate::error::ErrorCode;

fn batch() -> RecordBatch {
    let text =
        StringArray::from(vec![Some("a,b"), Some("say \"hi\""), Some("two\nlines\r"), Some(" blank "), Some(""), None]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("te\"xt", Arc::new(text)),
        ("int", Arc::new(Int64Array::from(vec![Some(i64::MIN), Some(0), Some(-1), None, Some(10), Some(99)]))),
        ("big", Arc::new(UInt64Array::from(vec![u64::MAX, 1, 2, 3, 4, 5]))),
        ("float", Arc::new(Float64Array::from(vec![3.0, -0.5, 1e300, f64::NAN, f64::NEG_INFINITY, 0.1]))),
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None, None, None]))),
        ("date", Arc::new(Date32Array::from(vec![Some(0), None, Some(19_000), None, None, None]))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true))).unwrap()
}

fn written(format: Format) -> Vec<u8> {
    let batch = batch();
    let options = WriteOptions { format, path: Path::new("test"), parallel: 2, progress: &|_| {} };
    write_table(Vec::new(), &batch.schema(), &[], 1, &|_| Ok(batch.clone()), &options).unwrap()
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn csv_quotes_where_needed() {
    let expected = "\"te\"\"xt\",int,big,float,bool,date\n\
        \"a,b\",-9223372036854775808,18446744073709551615,3.0,true,1970-01-01\n\
        \"say \"\"hi\"\"\",0,1,-0.5,false,\n\
        \"two\nlines\r\",-1,2,1e300,,2022-01-08\n \
        blank ,,3,NaN,,\n\
        \"\",10,4,-inf,,\n\
        ,99,5,0.1,,\n";
    assert_eq!(String::from_utf8(written(Format::Csv)).unwrap(), expected);
}

#[test]
fn formulas_are_escaped_only_when_that_is_wanted() {
    let texts = ["=cmd|' /C calc'!A0", "-5", "-5+1", "+49 30", "@x", "a=b", "\t=1", "", "=1,2"];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("=id", Arc::new(StringArray::from(texts.to_vec()))),
        ("n", Arc::new(Int64Array::from_iter_values(-9..0))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let written = |format| {
        let options = WriteOptions { format, path: Path::new("test"), parallel: 2, progress: &|_| {} };
        let bytes = write_table(Vec::new(), &batch.schema(), &[], 1, &|_| Ok(batch.clone()), &options).unwrap();
        let mut stream = TableStream::begin(Vec::new(), &batch.schema(), format, Path::new("test")).unwrap();
        stream.write(vec![batch.clone()]).unwrap();
        assert_eq!(stream.finish().unwrap(), bytes);
        String::from_utf8(bytes).unwrap()
    };
    let lines = |format| written(format).lines().map(str::to_owned).collect::<Vec<_>>();
    let plain = lines(Format::Csv);
    assert_eq!(plain[..4], ["=id,n", "=cmd|' /C calc'!A0,-9", "-5,-8", "-5+1,-7"]);
    assert_eq!(plain[4..], ["+49 30,-6", "@x,-5", "a=b,-4", "\t=1,-3", "\"\",-2", "\"=1,2\",-1"]);
    let escaped = lines(Format::EscapedCsv);
    assert_eq!(escaped[..4], ["'=id,n", "'=cmd|' /C calc'!A0,-9", "-5,-8", "'-5+1,-7"]);
    assert_eq!(escaped[4..], ["'+49 30,-6", "'@x,-5", "a=b,-4", "'\t=1,-3", "\"\",-2", "\"'=1,2\",-1"]);
    assert_eq!(Format::EscapedCsv.extension(), "csv");
}

#[test]
fn json_lines_are_json() {
    let text = String::from_utf8(written(Format::Json)).unwrap();
    let first = r#"{"te\"xt":"a,b","int":-9223372036854775808,"big":18446744073709551615,"float":3.0,"bool":true,"date":"1970-01-01"}"#;
    assert_eq!(text.lines().next().unwrap(), first);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[2]["te\"xt"], "two\nlines\r");
    assert_eq!(rows[2]["float"], 1e300);
    assert!(rows[3]["float"].is_null() && rows[4]["float"].is_null() && rows[5]["te\"xt"].is_null());
}

#[test]
fn parquet_reads_back() {
    let file = file_of(&written(Format::Parquet));
    let mut reader = ::parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 100).unwrap();
    assert_eq!(format!("{:?}", reader.next().unwrap().unwrap().columns()), format!("{:?}", batch().columns()));
}

/// Fails after some bytes.
struct Failing(usize, io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(self.1)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failed(format: Format, kind: io::ErrorKind) -> Error {
    let batch = batch();
    let options = WriteOptions { format, path: Path::new("out/t"), parallel: 2, progress: &|_| {} };
    write_table(Failing(100, kind), &batch.schema(), &[], 9, &|_| Ok(batch.clone()), &options).err().unwrap()
}

#[test]
fn failed_writes_say_why() {
    for format in [Format::Parquet, Format::Csv, Format::Json] {
        assert_eq!(failed(format, io::ErrorKind::BrokenPipe).code(), ErrorCode::BrokenPipe);
        let full = failed(format, io::ErrorKind::StorageFull).to_string();
        assert!(full.contains("out/t") && full.contains("help: "), "{full}");
    }
}

#[test]
fn an_empty_table_has_its_columns() {
    let schema = Arc::new(Schema::new(batch().schema().fields().clone()));
    let none = |_| Err(Error::internal("made"));
    let options = WriteOptions { format: Format::Csv, path: Path::new("t"), parallel: 1, progress: &|_| {} };
    let csv = write_table(Vec::new(), &schema, &["int"], 0, &none, &options).unwrap();
    assert_eq!(csv, b"\"te\"\"xt\",int,big,float,bool,date\n");
    let options = WriteOptions { format: Format::Parquet, ..options };
    let file = file_of(&write_table(Vec::new(), &schema, &["int"], 0, &none, &options).unwrap());
    let reader = ::parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 100).unwrap();
    assert_eq!(arrow_array::RecordBatchReader::schema(&reader).fields().len(), 6);
}
