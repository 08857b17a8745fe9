//! What the errors say: file, line, column, and what is wrong there.

use super::*;

/// The error of reading one file, whatever the size of the blocks.
fn error(name: &str, content: impl AsRef<[u8]>) -> String {
    let (folder, path) = Folder::with(name, content);
    let read = |block_bytes: usize| {
        let source = Input::files([&path]).open_in_blocks(block_bytes)?;
        let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
        source.read(&columns, &|_| {})
    };
    let text = folder.plain(&read(BLOCK_BYTES).unwrap_err());
    for block_bytes in [1, 4, 9] {
        assert_eq!(folder.plain(&read(block_bytes).unwrap_err()), text, "blocks of {block_bytes}");
    }
    text
}

#[test]
fn rows_with_too_many_or_too_few_fields() {
    assert_eq!(error("a.csv", "a,b\n1,2\n\n1\n"), "a.csv:4: 1 field, but the header has 2");
    assert_eq!(error("a.csv", "a,b\n\"1\n\n\",2\r\n1,2,3\n"), "a.csv:5: 3 fields, but the header has 2");
    assert_eq!(error("a.csv.gz", gzip(b"a\r1,2")), "a.csv.gz:2: 2 fields, but the header has 1");
    assert_eq!(error("a.csv", "a,b\n1,2\n1,2,3\n\"1,2"), "a.csv:3: 3 fields, but the header has 2");
}

#[test]
fn quotes_that_stay_open() {
    let what = "the quoted field that begins here is never closed";
    assert_eq!(error("a.csv", "a,b\n1,2\n3,\"4\n5,6\n"), format!("a.csv:3: {what}"));
    assert_eq!(error("a.csv", "a,b\n\"1\n\",\"2\"\"\n"), format!("a.csv:3: {what}"));
    assert_eq!(error("a.csv", "a,b\n1,\""), format!("a.csv:2: {what}"));
}

#[test]
fn text_that_is_not_utf8() {
    let what = "is not valid UTF-8 at byte";
    let help = "\n  help: say in which encoding the file is";
    assert_eq!(
        error("a.csv", b"a,b\n1,2\n3,\"x\n\xFF\"\n"),
        format!("a.csv:4: column `b` {what} 13 of the file{help}")
    );
    assert_eq!(error("a.csv", b"a,,\n1,2,\xFF\n"), format!("a.csv:2: column 3 {what} 8 of the file{help}"));
    // Two broken halves of a character in neighbouring fields make no whole one.
    assert_eq!(error("a.csv", b"a,b\n\xC3,\xA9\n"), format!("a.csv:2: column `a` {what} 4 of the file{help}"));
    assert_eq!(error("a.csv", b"\xEF\xBB\xBFa,b\n1,2\xE9"), format!("a.csv:2: column `b` {what} 10 of the file{help}"));
    assert_eq!(
        error("a.jsonl", b"{\"a\": \"x\"}\n{\"a\": \"\xFF\"}\n"),
        format!("a.jsonl:2: not valid UTF-8 at byte 18 of the file{help}")
    );
}

#[test]
fn files_that_are_empty_or_not_what_they_claim() {
    assert_eq!(error("a.csv", ""), "a.csv: the file is empty");
    assert_eq!(error("a.jsonl", "\n"), "a.jsonl: the file is empty");
    assert_eq!(
        error("a.parquet", "id,x"),
        "a.parquet: cannot be read as Parquet: EOF: Parquet file too small. Size is 4 but need 8"
    );
    assert_eq!(
        error("a.parquet", "id,x\n1,2\n3,4\n"),
        "a.parquet: cannot be read as Parquet: Parquet error: Invalid Parquet file. Corrupt footer"
    );
    let whole = gzip(&b"a,b\n1,2\n".repeat(1000));
    let broken = error("a.csv.gz", &whole[..whole.len() - 9]);
    assert!(broken.starts_with("a.csv.gz: cannot be decompressed: "), "{broken}");
}

/// The beginning of an archive whose first file has this name.
fn archive(name: &str) -> Vec<u8> {
    let mut header = b"PK\x03\x04".to_vec();
    header.resize(30, 0);
    header.extend_from_slice(name.as_bytes());
    header.extend_from_slice(&[0xFF, 0x9C, 0x0D]);
    header
}

#[test]
fn spreadsheets_and_archives() {
    let sheet = "the file is a spreadsheet, and CSV, JSON lines or Parquet is needed\n  \
        help: save the sheet as CSV in UTF-8, or read it in Python, where `read_excel` of pandas or polars gives a frame to use";
    // By what is in it, or by its name.
    assert_eq!(error("a.xlsx", archive("[Content_Types].xml")), format!("a.xlsx: {sheet}"));
    assert_eq!(error("a.XLSX", archive("something")), format!("a.XLSX: {sheet}"));
    assert_eq!(error("a.ods", archive("mimetype")), format!("a.ods: {sheet}"));
    assert_eq!(error("a.csv", archive("xl/workbook.xml")), format!("a.csv: {sheet}"));
    assert_eq!(error("a.xls", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"), format!("a.xls: {sheet}"));
    assert_eq!(
        error("a.zip", archive("people.csv")),
        "a.zip: the file is a zip archive, and CSV, JSON lines or Parquet is needed\n  \
         help: unpack it; files that gzip or zstd has packed are read as they are"
    );
}

#[test]
fn lines_that_are_not_json_objects() {
    let what = "not one JSON object per line";
    assert_eq!(error("a.jsonl", "{\"a\": 1}\n\n{\"a\": }\n"), format!("a.jsonl:3:7: {what}: expected value"));
    assert_eq!(error("a.jsonl", "{\"a\": 1} {\"a\": 2}\n"), format!("a.jsonl:1:10: {what}: trailing characters"));
    assert_eq!(error("a.json", "{\n\"a\": 1}\n"), format!("a.json:1:1: {what}: EOF while parsing an object"));
    let number = error("a.json", "{\"a\": 1}\n17\n");
    assert!(number.starts_with("a.json:2:"), "{number}");
    assert!(
        error("a", "[{\"a\": 1}]")
            .starts_with("a:1: the file is a JSON array, but one JSON object per line is needed\n")
    );
    assert_eq!(error("a.json", "{\"a\": 1}\n{\"a\": [1]}\n"), "a.json: column `a` holds lists and single values");
}

#[test]
fn later_files_with_other_columns() {
    let folder = Folder::new();
    let first = folder.file("a.csv", "x,y\n");
    let both = |text: &str| {
        let second = folder.file("b.csv", text);
        folder.plain(&read_all(&Input::files([&first, &second])).unwrap_err())
    };
    assert_eq!(both("x\n"), "b.csv: column `y` is missing, which a.csv has");
    assert_eq!(both("y,z,x\n"), "b.csv: column `z` is not in a.csv");
}

#[test]
fn the_first_error_of_the_first_file_is_reported_on_any_number_of_threads() {
    let folder = Folder::new();
    let paths = ["a", "b", "c"].map(|name| {
        let rows = if name == "a" { "1,2\n".repeat(5000) } else { "1,2\n1\n".repeat(5000) };
        folder.file(&format!("{name}.csv"), format!("x,y\n{rows}1,2,3\n"))
    });
    for threads in [1, 2, 8] {
        for block_bytes in [100, 5000] {
            let read = || Input::files(&paths).open_in_blocks(block_bytes).unwrap().read(&[0], &|_| {});
            let text = folder.plain(&pool(threads).install(read).unwrap_err());
            assert_eq!(text, "a.csv:5002: 3 fields, but the header has 2");
        }
    }
}

#[test]
fn a_file_that_is_replaced_between_its_columns_and_its_rows_is_refused() {
    let parquet = super::parquet::bytes_of_two_columns();
    let files: [(&str, &[u8]); 4] = [
        ("a.csv", b"id,x\n1,2\n"),
        ("a.csv.gz", b"id,x\n1,2\n"),
        ("a.jsonl", b"{\"id\": 1, \"x\": 2}\n"),
        ("a.parquet", &parquet),
    ];
    for (name, content) in files {
        let (folder, path) = Folder::with(name, content);
        let other = folder.file("other", content);
        let source = Input::files([&path]).open().unwrap();
        std::fs::rename(&other, &path).unwrap();
        let error = source.read(&[0, 1], &|_| {}).unwrap_err();
        let help = "run again when nothing writes to it or replaces it";
        assert_eq!(folder.plain(&error), format!("{name}: the file changed while it was read\n  help: {help}"));
    }
}

/// Half-way through the rows the file is replaced: what was read until then does not count.
#[test]
fn a_file_that_is_replaced_while_its_rows_are_read_is_refused() {
    let parquet = super::parquet::bytes_of_two_columns();
    for (name, content) in
        [("a.csv", &b"id,x\n1,2\n"[..]), ("a.jsonl", b"{\"id\": 1, \"x\": 2}\n"), ("a.parquet", &parquet)]
    {
        let (folder, path) = Folder::with(name, content);
        let other = folder.file("other", content);
        let source = Input::files([&path]).open().unwrap();
        let replace = |_: u64| drop(std::fs::rename(&other, &path));
        let error = source.read(&[0, 1], &replace).unwrap_err();
        assert!(error.message().ends_with("the file changed while it was read"), "{error}");
    }
}
