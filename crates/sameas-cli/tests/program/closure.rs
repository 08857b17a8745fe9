//! `closure`: pairs in, all connected pairs out, sorted.

use crate::support::{Folder, has};

const EDGES: &str = "from,to\n1,2\n2,3\n10,1\n3,2\n";
const CLOSURE: &str = "from,to\n1,2\n1,3\n2,2\n2,3\n3,2\n3,3\n10,1\n10,2\n10,3\n";

#[test]
fn a_closure_is_counted_written_and_explained() {
    let folder = Folder::new();
    folder.write("edges.csv", EDGES);
    assert_eq!(folder.ok(&["closure", "edges.csv"]).out, CLOSURE);
    assert_eq!(folder.ok(&["closure", "edges.csv", "--count"]).out, "9\n");
    assert_eq!(folder.ok(&["closure", "edges.csv", "--count", "--reflexive"]).out, "11\n");
    assert_eq!(folder.ok(&["closure", "edges.csv", "--count", "--undirected"]).out, "16\n");
    for method in ["auto", "fixpoint", "bit-rows"] {
        let name = format!("{method}.csv");
        let said = folder.ok(&["closure", "edges.csv", "-o", &name, "--method", method, "--memory", "200MB"]).out;
        has(&said, &["9 pairs of 4 ids", "from 4 pairs", &name]);
        assert_eq!(folder.read(&name), CLOSURE, "{method}");
    }
    let said = folder.ok(&["closure", "edges.csv", "--explain"]).out;
    has(&said, &["Pairs read", "3, 1 with a cycle, the largest of 2 ids", "By bit rows over the condensed graph"]);
    has(&folder.ok(&["closure", "edges.csv", "--explain", "--method", "fixpoint"]).out, &["as asked"]);
    has(&said, &["Device", "the CPU: "]);
    let on_cpu = ["closure", "edges.csv", "--explain", "--device", "cpu", "--device-memory", "1GB"];
    has(&folder.ok(&on_cpu).out, &["the CPU, as asked"]);
    assert!(folder.names().iter().all(|name| !name.starts_with('.')), "nothing unfinished is left");
}

#[test]
fn plain_text_and_tables_are_read() {
    let folder = Folder::new();
    folder.write("g.txt", "# a comment\n1\t2\n2 3\n% another\n10,1\n3 2 0.5\n");
    let expected = CLOSURE.replace("from,to", "source,target");
    assert_eq!(folder.ok(&["closure", "g.txt"]).out, expected);
    assert_eq!(folder.feed(&["closure", "-", "--text"], b"1 2\n2 3\n10 1\n3 2\n").out, expected);
    folder.write("rows.jsonl", "{\"w\": 1, \"a\": \"x\", \"b\": \"y\"}\n{\"w\": 2, \"a\": \"y\", \"b\": \"z\"}\n");
    let said = folder.ok(&["closure", "rows.jsonl", "--columns", "a,b"]).out;
    assert_eq!(said, "a,b\nx,y\nx,z\ny,z\n");
    folder.write("names.facts", "a b\tc\nc\td\n");
    assert_eq!(folder.ok(&["closure", "names.facts"]).out, "source,target\na b,c\na b,d\nc,d\n");
    let tabs = ["closure", "-", "--text", "--delimiter", "tab"];
    assert_eq!(folder.feed(&tabs, b"a b\tc\n").out, "source,target\na b,c\n");
    folder.ok(&["closure", "g.txt", "-o", "g.parquet"]);
    assert_eq!(folder.ok(&["closure", "g.parquet"]).out, expected, "a closure is closed");
}

#[test]
fn bad_pairs_get_a_clear_error_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("mixed.jsonl", "{\"a\": 1, \"b\": \"y\"}\n");
    let said = folder.fails(&["closure", "mixed.jsonl", "-o", "out.csv"]);
    has(&said, &["ids are of two types", "whole numbers in column `a`, texts in column `b`"]);
    folder.write("bare.csv", "1,2\n2,3\n");
    has(&folder.fails(&["closure", "bare.csv"]), &["names of columns are expected", "--text"]);
    assert_eq!(folder.ok(&["closure", "bare.csv", "--text", "--count"]).out, "3\n");
    folder.write("short.txt", "1 2\n3\n");
    has(&folder.fails(&["closure", "short.txt"]), &["short.txt:2: the line has 1 of the 2 values"]);
    folder.write("edges.csv", EDGES);
    has(
        &folder.fails(&["closure", "edges.csv", "--columns", "a,b,c"]),
        &["--columns takes two columns, and 3 were given"],
    );
    has(&folder.fails(&["closure", "edges.csv", "--columns", "from,x"]), &["has no column `x`", "`from`, `to`"]);
    has(&folder.fails(&["closure", "edges.csv", "-o", "edges.csv", "--overwrite"]), &["is an input"]);
    assert!(!folder.path("out.csv").exists());
    assert_eq!(folder.read("edges.csv"), EDGES);
}
