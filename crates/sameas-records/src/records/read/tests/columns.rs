//! Columns without a name, columns that share one, and texts that stand for a missing value.

use super::*;

#[test]
fn columns_without_a_name_are_left_out() {
    let folder = Folder::new();
    for text in ["id,,x,,\n1,a,2,b,\n3,,4,,\n", "id;\"\";x; ;\n1;a;2;b;\n3;;4;;\n"] {
        let table = read_path(&folder.file("a.csv", text)).unwrap();
        assert_eq!(types(&table.schema), [("id", &DataType::Utf8), ("x", &DataType::Utf8)]);
        assert_eq!(rows(&table), [["1", "2"], ["3", "4"]]);
    }
    // Files of one input may differ in them.
    let (first, second) = (folder.file("b.csv", "id,x,,\n1,2,,\n"), folder.file("c.csv", ",x,id\n9,4,3\n"));
    assert_eq!(rows(&read_all(&Input::files([first, second])).unwrap()), [["1", "2"], ["3", "4"]]);
}

#[test]
fn a_repeated_name_is_an_error_only_where_it_is_read() {
    let (folder, path) = Folder::with("a.csv", "id,x,y,x,X\n1,a,b,c,d\n");
    let source = || Input::files([&path]).open().unwrap();
    let names: Vec<String> = source().schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["id", "x", "y", "X"]);
    assert_eq!(rows(&source().read(&[3, 2, 0], &|_| {}).unwrap()), [["d", "b", "1"]]);
    let error = folder.plain(&source().read(&[0, 1], &|_| {}).unwrap_err());
    let help = "give them different names in the first line of the file";
    assert_eq!(error, format!("the name of column `x` is repeated: columns 2 and 4 of a.csv have it\n  help: {help}"));
    // It is repeated if it is in any file.
    let other = folder.file("b.csv", "id,x,y,X\n1,a,b,d\n");
    let source = Input::files([other, path]).open().unwrap();
    assert!(source.read(&[1], &|_| {}).is_err());
}

#[test]
fn texts_that_stand_for_a_missing_value_in_every_format() {
    let folder = Folder::new();
    let csv = folder.file("a.csv", "id,x\nNULL,a\n2,NULL\n3,\" \"\n4,null\n5,\"-\"\n");
    let nulls = |path: &PathBuf| Input::files([path]).with_null_texts(["NULL", "-"]);
    let expected = [["-", "a"], ["2", "-"], ["3", " "], ["4", "null"], ["5", "-"]];
    assert_eq!(rows(&read_all(&nulls(&csv)).unwrap()), expected);
    let blank = read_all(&Input::files([&csv]).with_blank_as_null(true)).unwrap();
    assert_eq!(rows(&blank)[2], ["3", "-"]);
    assert_eq!(rows(&blank)[1], ["2", "NULL"]);
    let json = folder.file("a.jsonl", "{\"id\": 1, \"x\": [\"a\", \"NULL\"]}\n{\"id\": \"NULL\", \"x\": []}\n");
    let table = read_all(&nulls(&json)).unwrap();
    assert_eq!(rows(&table), [["1", "[a, ]"], ["-", "[]"]]);
}

/// A column in which texts stand for missing values is the same as one in which nothing stands there.
#[test]
fn a_null_text_leaves_nothing_behind() {
    let folder = Folder::new();
    let with = folder.file("a.csv", "id,x\n1,NULL\n2,b\n");
    let without = folder.file("b.csv", "id,x\n1,\n2,b\n");
    let read = |path: &PathBuf| read_all(&Input::files([path]).with_null_texts(["NULL"])).unwrap();
    let hash = |path: &PathBuf| crate::records::content_hash(&read(path));
    assert_eq!(hash(&with), hash(&without));
    assert_ne!(crate::records::content_hash(&read_path(&with).unwrap()), hash(&with));
}
