//! JSON lines: types found over all rows, in blocks of every size.

use super::*;

fn read_blocks(path: &PathBuf, block_bytes: usize) -> Table {
    let source = Input::files([path]).open_in_blocks(block_bytes).unwrap();
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    source.read(&columns, &|_| {}).unwrap()
}

#[test]
fn types_are_found_over_all_rows() {
    let text = concat!(
        "\u{feff}{\"i\": 1, \"f\": 1, \"t\": 1.50, \"b\": true, \"l\": [\"a\", \"\"], \"n\": null, \"e\": \"\"}\n",
        "\r\n",
        "{\"f\": 2.5, \"i\": null, \"t\": \"x\", \"l\": null, \"late\": 9007199254740993}\r\n",
        "  {\"t\": true, \"l\": [1, null], \"e\": \"é\\n\\u00e9\"}",
    );
    let (_folder, path) = Folder::with("a.jsonl", text);
    for block_bytes in [1, 10, 50, 100, BLOCK_BYTES] {
        let table = read_blocks(&path, block_bytes);
        use DataType::*;
        let texts = logical_types::list_of(Utf8);
        let expected = [
            ("i", &Int64),
            ("f", &Float64),
            ("t", &Utf8),
            ("b", &Boolean),
            ("l", &texts),
            ("n", &Utf8),
            ("e", &Utf8),
            ("late", &Int64),
        ];
        assert_eq!(types(&table.schema), expected);
        assert_eq!(
            rows(&table),
            [
                ["1", "1.0", "1.50", "true", "[a, ]", "-", "-", "-"],
                ["-", "2.5", "x", "-", "-", "-", "-", "9007199254740993"],
                ["-", "-", "true", "-", "[1, ]", "-", "é\né", "-"],
            ]
        );
    }
}

#[test]
fn integers_of_64_bits_without_a_sign_are_exact() {
    let text = "{\"id\": 18446744073709551615, \"l\": [18446744073709551614]}\n{\"id\": -1, \"l\": [1]}\n";
    let (_folder, path) = Folder::with("a.jsonl", text);
    let table = read_blocks(&path, BLOCK_BYTES);
    let whole = DataType::Decimal128(20, 0);
    assert_eq!(types(&table.schema), [("id", &whole), ("l", &logical_types::list_of(whole.clone()))]);
    assert_eq!(rows(&table), [["18446744073709551615", "[18446744073709551614]"], ["-1", "[1]"]]);
}

#[test]
fn nested_objects_stay_in_the_schema_and_fail_only_when_read() {
    let (folder, path) = Folder::with("a.ndjson", "{\"id\": 1, \"o\": {\"x\": 1}}\n{\"id\": 2, \"o\": \"text\"}\n");
    let open = || Input::files([&path]).open().unwrap();
    assert!(matches!(open().schema().field(1).data_type(), DataType::Struct(_)));
    assert_eq!(rows(&open().read(&[0], &|_| {}).unwrap()), [["1"], ["2"]]);
    let error = open().read(&[0, 1], &|_| {}).unwrap_err();
    assert_eq!(folder.plain(&error), "a.ndjson: column `o` holds nested objects, which rules cannot use");
}

#[test]
fn files_of_several_formats_meet_in_one_table() {
    let folder = Folder::new();
    let paths = [
        folder.file("a.csv", "id,x\n1,one\n"),
        folder.file("b.json", "{\"x\": 2.50, \"id\": 2}\n"),
        folder.file("c.jsonl.gz", gzip(b"{\"id\": 3, \"y\": [1]}\n")),
        folder.file("d.jsonl", ""),
    ];
    let table = read_all(&Input::files(paths)).unwrap();
    assert_eq!(rows(&table), [["1", "one", "-"], ["2", "2.50", "-"], ["3", "-", "[1]"]]);
    let table = Input::files([folder.0.path().join("*.*")]).open().unwrap().read(&[2], &|_| {}).unwrap();
    assert_eq!(rows(&table), [["-"], ["-"], ["[1]"]]);
}

#[test]
fn rows_keep_their_order_on_any_number_of_threads() {
    let text: String = (0..20_000).map(|id| format!("{{\"id\": {id}, \"name\": \"n{id}\"}}\n")).collect();
    let (_folder, path) = Folder::with("a", text);
    let expected: Vec<_> = (0..20_000).map(|id| vec![id.to_string(), format!("n{id}")]).collect();
    for threads in [1, 2, 8] {
        let table = pool(threads).install(|| read_blocks(&path, 10_000));
        assert_eq!(rows(&table), expected);
    }
}
