//! CSV: delimiters, quotes, packing, several files, blocks of every size, and the order of the rows.

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;
use crate::records::read::read_batches::MAX_BATCH_ROWS;

#[test]
fn delimiters_marks_line_breaks_and_quotes() {
    let texts = [
        "id,name\n1,Ann\n2,\"B \"\"x\"\",\ny\"\n3,\n",
        "\u{feff}id;name\r\n1;Ann\r\n\r\n2;\"B \"\"x\"\",\ny\"\r\n3;\"\"",
        "id\tname\r1\tAnn\r\r2\t\"B \"\"x\"\",\ny\"\r3\t\r",
        "\"id\"|\"name\"\n\n\"1\"|\"Ann\"\n2|\"B \"\"x\"\",\ny\"\n3|",
    ];
    for text in texts {
        let (_folder, path) = Folder::with("people.csv", text);
        let table = read_path(&path).unwrap();
        assert_eq!(types(&table.schema), [("id", &DataType::Utf8), ("name", &DataType::Utf8)]);
        assert_eq!(rows(&table), [["1", "Ann"], ["2", "B \"x\",\ny"], ["3", "-"]], "{text:?}");
        assert_eq!(table.name, "people");
    }
}

#[test]
fn a_given_delimiter_a_single_column_and_no_rows() {
    let (folder, path) = Folder::with("a.txt", "id:x,y\n1:2,3\n");
    let table = read_all(&Input::files([&path]).with_delimiter(b':')).unwrap();
    assert_eq!(rows(&table), [["1", "2,3"]]);
    assert_eq!(rows(&read_path(&folder.file("b.csv", "id\n7\n\n\"\"\n8")).unwrap()), [["7"], ["-"], ["8"]]);
    for empty in ["id,x", "id,x\n", "id,x\r\n\n"] {
        let table = read_path(&folder.file("c.csv", empty)).unwrap();
        assert_eq!((table.rows(), table.schema.fields().len()), (0, 2));
    }
}

#[test]
fn wanted_columns_come_in_the_order_given() {
    let (_folder, path) = Folder::with("a.csv", "a,b,c\n1,2,3\n4,5,6\n");
    let read = |columns: &[usize]| Input::files([&path]).open().unwrap().read(columns, &|_| {}).unwrap();
    assert_eq!(rows(&read(&[2, 0])), [["3", "1"], ["6", "4"]]);
    assert_eq!(read(&[]).rows(), 2);
}

#[test]
fn files_meet_by_name_and_keep_their_order() {
    let folder = Folder::new();
    folder.file("part1.csv", "id,name\n1,a\n");
    folder.file("part0.csv", "name;id\nb;2\n");
    let last = folder.file("0.csv", "id,name\n3,c\n");
    let table = read_all(&Input::files([folder.0.path().join("part?.csv"), last])).unwrap();
    assert_eq!(rows(&table), [["b", "2"], ["a", "1"], ["c", "3"]]);
    assert_eq!(table.name, "part0");
}

#[test]
fn many_files_keep_their_order_on_any_number_of_threads() {
    let folder = Folder::new();
    for file in 0..40 {
        folder.file(&format!("{file:02}.csv"), format!("id\n{file}-0\n{file}-1\n"));
    }
    let expected: Vec<_> = (0..40).flat_map(|file| [vec![format!("{file}-0")], vec![format!("{file}-1")]]).collect();
    for threads in [1, 2, 8] {
        let input = Input::files([folder.0.path().join("*.csv")]);
        let table = pool(threads).install(|| read_all(&input)).unwrap();
        assert_eq!(rows(&table), expected);
    }
}

#[test]
fn packed_files_are_unpacked_whatever_they_are_called() {
    let (head, tail) = (&b"id,name\n1,\"a\n"[..], &b"b\"\n2,c\n"[..]);
    let gzipped = [gzip(head), gzip(tail)].concat();
    let zstd = |bytes| zstd::encode_all(bytes, 1).unwrap();
    let zipped = [zstd(head), zstd(tail)].concat();
    let skippable = [&[0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9][..], &zipped].concat();
    for (name, bytes) in [("a.csv.gz", &gzipped), ("a.csv", &gzipped), ("a.csv.zst", &zipped), ("a", &skippable)] {
        let (_folder, path) = Folder::with(name, bytes);
        let table = read_path(&path).unwrap();
        assert_eq!(rows(&table), [["1", "a\nb"], ["2", "c"]]);
        assert_eq!(table.name, "a");
    }
}

#[test]
fn streams_that_come_once_are_read_as_often_as_wanted() {
    let read = |bytes: &[u8]| rows_of_stream(bytes, None);
    assert_eq!(read(b"id,x\n1,2\n"), [["1", "2"]]);
    assert_eq!(read(&gzip(b"id,x\n1,2\n")), [["1", "2"]]);
    assert_eq!(read(b"{\"id\": 1, \"x\": \"2\"}\n"), [["1", "2"]]);
    assert_eq!(read(&gzip(b"{\"id\": 1, \"x\": \"2\"}\n")), [["1", "2"]]);
    assert_eq!(read(&super::parquet::bytes_of_two_columns()), [["1", "2"]]);
    assert_eq!(read(&gzip(&super::parquet::bytes_of_two_columns())), [["1", "2"]]);
    let many: String = (0..50_000).map(|id| format!("{id},{}\n", id % 7)).collect();
    let expected: Vec<_> = (0..50_000).map(|id| vec![id.to_string(), (id % 7).to_string()]).collect();
    assert_eq!(read(format!("id,x\n{many}").as_bytes()), expected);
}

/// A second definition of CSV, written as a table of states over characters.
fn simple_parser(text: &str, delimiter: char) -> Vec<Vec<String>> {
    #[derive(PartialEq)]
    enum At {
        RecordStart,
        FieldStart,
        Plain,
        Quoted,
        QuoteInQuoted,
    }
    let (mut records, mut record, mut field, mut at) = (Vec::new(), Vec::new(), String::new(), At::RecordStart);
    for c in text.chars() {
        let line_break = c == '\n' || c == '\r';
        at = match at {
            At::RecordStart if line_break => At::RecordStart,
            At::RecordStart | At::FieldStart if c == '"' => At::Quoted,
            At::Quoted if c == '"' => At::QuoteInQuoted,
            At::QuoteInQuoted if c == '"' => {
                field.push('"');
                At::Quoted
            }
            At::Quoted => {
                field.push(c);
                At::Quoted
            }
            _ if c == delimiter || line_break => {
                record.push(std::mem::take(&mut field));
                if line_break {
                    records.push(std::mem::take(&mut record));
                }
                if line_break { At::RecordStart } else { At::FieldStart }
            }
            _ => {
                field.push(c);
                At::Plain
            }
        };
    }
    if at != At::RecordStart {
        record.push(field);
        records.push(record);
    }
    records
}

/// Fields that look like trouble, some of them written in ways no writer would.
fn field() -> impl Strategy<Value = String> {
    let quoted = "[ab\"é,;\n\r]{0,6}".prop_map(|text| format!("\"{}\"", text.replace('"', "\"\"")));
    let tail = ("[ab\n,]{0,3}", "[a\" é]{1,3}").prop_map(|(text, tail)| format!("\"{text}\"x{tail}"));
    prop_oneof!["[ab é;]{0,5}", "[ab]{1,2}[\"a]{0,4}", quoted, tail, Just("\u{feff}".to_owned())]
}

fn file() -> impl Strategy<Value = String> {
    let line_break = prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just("\n\n")];
    let row = (prop::collection::vec(field(), 3), line_break);
    prop::collection::vec(row, 0..40)
        .prop_map(|rows| rows.into_iter().map(|(fields, line_break)| fields.join(",") + line_break).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_block_size_reads_what_a_simple_parser_reads(text in file()) {
        let (_folder, path) = Folder::with("a.csv", format!("a,b,c\n{text}"));
        let null = |field: String| if field.is_empty() { "-".to_owned() } else { field };
        let expected: Vec<Vec<String>> =
            simple_parser(&text, ',').into_iter().map(|row| row.into_iter().map(null).collect()).collect();
        for block_bytes in [1, 2, 3, 5, 7, 11, 16, 31, 64, 257, BLOCK_BYTES] {
            let source = Input::files([&path]).open_in_blocks(block_bytes).unwrap();
            let table = source.read(&[0, 1, 2], &|_| {}).unwrap();
            prop_assert_eq!(&rows(&table), &expected, "blocks of {}", block_bytes);
        }
    }
}

#[test]
fn rows_of_a_large_file_come_in_the_order_written() {
    let folder = Folder::new();
    let path = folder.0.path().join("large.csv");
    let mut file = std::io::BufWriter::with_capacity(1 << 20, std::fs::File::create(&path).unwrap());
    let count = 1_600_000u64;
    file.write_all(b"id,name,note\n").unwrap();
    for id in 0..count {
        writeln!(file, "{id},\"name, of \"\"{id}\"\"\",some plain text that makes the row {id} longer").unwrap();
    }
    file.into_inner().unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() > 100_000_000);
    for threads in [1, 2, 8] {
        let reported = AtomicU64::new(0);
        let progress = |rows: u64| _ = reported.fetch_add(rows, Ordering::Relaxed);
        let table = pool(threads).install(|| Input::files([&path]).open().unwrap().read(&[0, 1], &progress)).unwrap();
        assert_eq!(reported.into_inner(), count);
        let mut expected = 0u64;
        for batch in &table.batches {
            assert!(batch.num_rows() <= MAX_BATCH_ROWS);
            let (ids, names) = (batch.column(0).as_string::<i32>(), batch.column(1).as_string::<i32>());
            for row in 0..batch.num_rows() {
                assert_eq!(ids.value(row).parse(), Ok(expected));
                assert!(
                    names.value(row).strip_prefix("name, of \"").is_some_and(|rest| rest.starts_with(ids.value(row)))
                );
                expected += 1;
            }
        }
        assert_eq!(expected, count);
    }
}
