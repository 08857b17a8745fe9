//! Text files in other encodings than UTF-8.

use super::*;
use crate::error::ErrorCode;

const CSV: &str = "id;Straße\r\n1;\"Zoë \"\"x\"\";\r\nKöln\"\r\n2;€ – ß\r\n3;\r\n";
const ROWS: [[&str; 2]; 3] = [["1", "Zoë \"x\";\r\nKöln"], ["2", "€ – ß"], ["3", "-"]];

fn latin(text: &str) -> Vec<u8> {
    let byte = |c| match c {
        '€' => 0x80,
        '–' => 0x96,
        c => u8::try_from(u32::from(c)).unwrap(),
    };
    text.chars().map(byte).collect()
}

/// UTF-16 with its mark, the least byte of a unit first or last.
fn utf16(text: &str, big: bool) -> Vec<u8> {
    let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// The rows of a file, which are the same for blocks of any size.
fn read(path: &PathBuf, encoding: Option<&str>) -> Result<Table> {
    let input = Input::files([path]);
    let input = encoding.map_or(Ok(input.clone()), |name| input.with_encoding(name)).unwrap();
    let of_blocks = |block_bytes: usize| {
        let source = input.open_in_blocks(block_bytes)?;
        let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
        source.read(&columns, &|_| {})
    };
    let table = of_blocks(BLOCK_BYTES)?;
    for block_bytes in [1, 2, 3, 7, 50] {
        assert_eq!(rows(&of_blocks(block_bytes).unwrap()), rows(&table), "blocks of {block_bytes}");
    }
    Ok(table)
}

#[test]
fn csv_in_every_encoding_gives_the_same_rows() {
    let folder = Folder::new();
    let files = [
        (latin(CSV), Some("windows-1252")),
        (latin(CSV), Some("Latin-1")),
        (latin(CSV), Some("iso-8859-1")),
        (utf16(CSV, false), None),
        (utf16(CSV, true), None),
        (utf16(CSV, true), Some("windows-1252")),
        (utf16(CSV, false)[2..].to_vec(), Some("utf-16le")),
        (utf16(CSV, true)[2..].to_vec(), Some("utf-16be")),
        (CSV.as_bytes().to_vec(), Some("utf-8")),
        (["\u{feff}", CSV].concat().into_bytes(), Some("windows-1252")),
    ];
    for (bytes, encoding) in files {
        for (name, bytes) in [("a.csv", bytes.clone()), ("a.csv.gz", gzip(&bytes)), ("unknown", bytes)] {
            let table = read(&folder.file(name, bytes), encoding).unwrap();
            assert_eq!(types(&table.schema), [("id", &DataType::Utf8), ("Straße", &DataType::Utf8)]);
            assert_eq!(rows(&table), ROWS, "{name} {encoding:?}");
        }
    }
}

#[test]
fn json_lines_too() {
    let folder = Folder::new();
    let text = "{\"id\": 1, \"x\": \"Zoë\"}\n\n{\"id\": 2, \"x\": \"東京 𝄞\"}\n";
    for (name, bytes) in [("a.jsonl", utf16(text, false)), ("a", gzip(&utf16(text, true)))] {
        assert_eq!(rows(&read(&folder.file(name, bytes), None).unwrap()), [["1", "Zoë"], ["2", "東京 𝄞"]]);
    }
    let path = folder.file("b.jsonl", latin("{\"id\": 1, \"x\": \"Zoë\"}\n"));
    assert_eq!(rows(&read(&path, Some("latin1")).unwrap()), [["1", "Zoë"]]);
}

#[test]
fn streams_are_decoded_as_files_are() {
    assert_eq!(rows_of_stream(&utf16(CSV, false), None), ROWS);
    assert_eq!(rows_of_stream(&gzip(&latin(CSV)), Some("latin1")), ROWS);
    assert_eq!(rows_of_stream(&utf16("{\"id\": 1, \"x\": \"ë\"}", true), None), [["1", "ë"]]);
}

/// Characters of every length on every border between two parts that are decoded at a time.
#[test]
fn long_files_are_decoded_in_parts() {
    let folder = Folder::new();
    let values: Vec<String> = (0..30_000).map(|at| format!("{at}aë東𝄞")).collect();
    let text = format!("x\n{}\n", values.join("\n"));
    let table = read_path(&folder.file("a.csv", utf16(&text, false))).unwrap();
    assert_eq!(rows(&table).concat(), values);
}

#[test]
fn parquet_has_no_encoding() {
    let folder = Folder::new();
    let path = folder.file("a.parquet", super::parquet::bytes_of_two_columns());
    assert_eq!(rows(&read(&path, Some("utf-16le")).unwrap()), [["1", "2"]]);
}

#[test]
fn what_is_no_text_is_an_error_that_says_where() {
    let error = |name: &str, bytes: &[u8], encoding: Option<&str>| {
        let (folder, path) = Folder::with(name, bytes);
        let error = read(&path, encoding).unwrap_err();
        assert_eq!(error.code(), ErrorCode::WrongEncoding);
        folder.plain(&error)
    };
    let help = "\n  help: say in which encoding the file is";
    let odd = [&utf16("id,x\n1,2\n", false)[..], b"a"].concat();
    assert_eq!(error("a.csv", &odd, None), format!("a.csv: not valid UTF-16 at byte 20 of the file{help}"));
    let lone = [&utf16("id,x\n1,", false)[..], b"\x1E\xDDa\0\n\0"].concat();
    assert_eq!(
        error("a.csv.gz", &gzip(&lone), None),
        format!("a.csv.gz: not valid UTF-16 at byte 16 of the file{help}")
    );
    let half = [&utf16("{\"x\": \"", true)[..], b"\xD8\x34\0\"\0}"].concat();
    assert_eq!(error("a.jsonl", &half, None), format!("a.jsonl: not valid UTF-16 at byte 16 of the file{help}"));
    let broken = error("a.csv", b"x\n\x93\x8C,\xFF\n", Some("sjis"));
    assert_eq!(broken, format!("a.csv: not valid Shift_JIS at byte 5 of the file{help}"));
    // UTF-16 without its mark.
    let unmarked = &utf16("id,x\n1,2\n", false)[2..];
    let zeros = "the header is not text in UTF-8: it holds zero bytes";
    assert_eq!(error("a.csv", unmarked, None), format!("a.csv:1: {zeros}{help}"));
    let (folder, path) = Folder::with("a.csv", b"\xFF\xFE\0\0i\0\0\0d\0\0\0");
    let utf32 = "a.csv: the file is in UTF-32, which cannot be read\n  help: save it as UTF-8";
    assert_eq!(folder.plain(&read(&path, None).unwrap_err()), utf32);
}

/// Where a row is, is counted in the decoded text.
#[test]
fn places_of_rows_are_lines_of_the_text() {
    let folder = Folder::new();
    let text = "id,x\n1,\"a\nb\"\n2,c\n";
    let path = folder.file("a.csv", &utf16(text, false)[2..]);
    let table = read(&path, Some("utf-16le")).unwrap();
    assert_eq!(table.place(1), format!("{}:4", path.display()));
}
