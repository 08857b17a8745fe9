//! `sameas relate`: programs over files.

use crate::support::{Folder, has};

const PATHS: &str = ".decl edge(x: number, y: number)\n\
    .decl path(x: number, y: number)\n\
    .decl degree(x: number, n: number)\n\
    .input edge\n\
    .output path, degree\n\
    path(x, y) :- edge(x, y).\n\
    path(x, z) :- path(x, y), edge(y, z).\n\
    degree(x, n) :- path(x, _), n = count : { edge(x, _) }.\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("paths.dl", PATHS);
    folder.write("edges.csv", "from,to,weight\n10,2,x\n2,3,x\n2,3,x\n3,-1,x\n");
    folder
}

#[test]
fn relations_become_sorted_files() {
    let folder = folder();
    let said = folder.ok(&["relate", "paths.dl", "--input", "edge=edges.csv", "-o", "out"]);
    has(&said.out, &["edge 3 tuples", "path 6 tuples, degree 3 tuples", "out"]);
    assert_eq!(folder.read("out/path.csv"), "x,y\n2,-1\n2,3\n3,-1\n10,-1\n10,2\n10,3\n");
    assert_eq!(folder.read("out/degree.csv"), "x,n\n2,1\n3,1\n10,1\n");
    has(&folder.read("out/run.json"), &["\"version\"", "\"path.csv\"", "\"tuples\": 6"]);
    assert_eq!(folder.names(), ["edges.csv", "out", "paths.dl"]);
}

#[test]
fn results_are_replaced_together_or_not_at_all() {
    let folder = folder();
    let relate = ["relate", "paths.dl", "--input", "edge=edges.csv", "-o", "out", "-q"];
    folder.ok(&relate);
    let said = folder.fails(&relate);
    has(&said, &["the output folder `", "is not empty", "--overwrite"]);
    folder.write("edges.csv", "from,to\n1,2\n");
    folder.ok(&[&relate[..], &["--overwrite"]].concat());
    assert_eq!(folder.read("out/path.csv"), "x,y\n1,2\n");
    // Earlier results of other names go, and so do those of another program.
    folder.write("other.dl", ".decl edge(x: number, y: number)\n.input edge\n.output edge\n");
    let other = ["relate", "other.dl", "--input", "edge=edges.csv", "-o", "out", "-q", "--overwrite"];
    folder.ok(&[&other[..], &["--format", "json"]].concat());
    let mut names: Vec<_> = std::fs::read_dir(folder.path("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["edge.jsonl", "run.json"]);
    assert_eq!(folder.read("out/edge.jsonl"), "{\"x\":1,\"y\":2}\n");
    // Files that no run has written are never replaced, and others stay.
    folder.write("out/notes.txt", "mine");
    folder.write("out/edge.csv", "mine");
    has(&folder.fails(&other), &["edge.csv` would be replaced, and it was not written by sameas"]);
    std::fs::remove_file(folder.path("out/edge.csv")).unwrap();
    folder.ok(&other);
    assert_eq!((folder.read("out/notes.txt"), folder.read("out/edge.csv")), ("mine".into(), "x,y\n1,2\n".into()));
    assert!(!folder.path("out/edge.jsonl").exists());
}

#[test]
fn texts_parquet_and_json_lines() {
    let folder = folder();
    let program = ".decl likes(a: symbol, b: symbol)\n.decl both(a: symbol, b: symbol)\n.input likes\n.output both\n\
        both(a, b) :- likes(a, b), likes(b, a), a < b.\n";
    folder.write("likes.dl", program);
    folder.write(
        "likes.jsonl",
        "{\"a\":\"zoë\",\"b\":\"ann\"}\n{\"a\":\"ann\",\"b\":\"zoë\"}\n{\"a\":\"bob\",\"b\":\"ann\"}\n",
    );
    folder.ok(&["relate", "likes.dl", "--input", "likes=likes.jsonl", "-o", "a", "-q", "--format", "parquet"]);
    folder.ok(&["relate", "likes.dl", "--input", "likes=a/both.parquet", "-o", "b", "-q"]);
    assert_eq!(folder.read("b/both.csv"), "a,b\n");
    let again = ".decl both(a: symbol, b: symbol)\n.input both\n.output both\n";
    folder.write("again.dl", again);
    folder.ok(&["relate", "again.dl", "--input", "both=a/both.parquet", "-o", "c", "-q"]);
    assert_eq!(folder.read("c/both.csv"), "a,b\nann,zoë\n");
}

#[test]
fn plain_text_has_no_names() {
    let folder = folder();
    folder.write("edges.txt", "# a graph\n10\t2\n2 3\n3 -1\n");
    folder.ok(&["relate", "paths.dl", "--input", "edge=edges.txt", "-o", "out", "-q"]);
    assert_eq!(folder.read("out/path.csv"), "x,y\n2,-1\n2,3\n3,-1\n10,-1\n10,2\n10,3\n");
}

#[test]
fn files_without_names_keep_their_first_tuple() {
    let folder = folder();
    let relate = |file: &str| {
        let said = folder.ok(&["relate", "paths.dl", "--input", &format!("edge={file}"), "-o", "out", "--overwrite"]);
        has(&said.out, &["edge 3 tuples"]);
        assert_eq!(folder.read("out/degree.csv"), "x,n\n1,1\n2,1\n3,1\n", "{file}");
    };
    for name in ["edge.facts", "edge.tsv", "edge.csv"] {
        folder.write(name, "1\t2\n2\t3\n3\t1\n");
        relate(name);
    }
    folder.write("likes.dl", ".decl likes(a: symbol, b: symbol)\n.input likes\n.output likes\n");
    let likes = |args: &[&str]| {
        folder.ok(&[&["relate", "likes.dl", "-o", "likes", "--overwrite", "-q"][..], args].concat());
        folder.read("likes/likes.csv")
    };
    folder.write("likes.tab", "a b\tc\n\"d\"\te, f\n");
    let expected = "a,b\n\"\"\"d\"\"\",\"e, f\"\na b,c\n";
    assert_eq!(likes(&["--input", "likes=likes.tab", "--text"]), expected);
    assert_eq!(likes(&["--input", "likes=likes.tab", "--text", "--delimiter", "tab"]), expected);
    folder.write("likes.facts", "a b\tc\n\"d\"\te, f\n");
    assert_eq!(likes(&["--input", "likes=likes.facts"]), expected);
}

#[test]
fn numbers_in_the_place_of_names_are_refused() {
    let folder = folder();
    folder.write("bare.csv", "1,2\n2,3\n");
    let said = folder.fails(&["relate", "paths.dl", "--input", "edge=bare.csv", "-o", "out"]);
    let expected = "error: `bare.csv` begins with the numbers 1 and 2, where names of columns are expected\n  \
        help: give it a first line with names, or read it as plain text, which has none; use --text for that";
    has(&said, &[expected]);
    folder.ok(&["relate", "paths.dl", "--input", "edge=bare.csv", "-o", "out", "-q", "--text"]);
    assert_eq!(folder.read("out/path.csv"), "x,y\n1,2\n1,3\n2,3\n");
}

#[test]
fn the_first_bad_row_is_named() {
    let folder = folder();
    let rows: String = (0..300_000).map(|row| if row < 100_000 { "1,2\n" } else { "1,x\n,2\n" }).collect();
    folder.write("bad.csv", format!("a,b\n{rows}"));
    for threads in ["1", "2", "7"] {
        let said = folder.fails(&["relate", "paths.dl", "--input", "edge=bad.csv", "-o", "out", "--threads", threads]);
        has(&said, &["error: bad.csv:100002: `x` is not a whole number, and column `y` of `edge` has numbers\n"]);
    }
}

#[test]
fn plans_and_rounds_are_shown() {
    let folder = folder();
    let said = folder.ok(&["relate", "paths.dl", "--input", "edge=edges.csv", "--explain"]);
    has(&said.out, &["Stratum 1: path; recursive, each value of column `x` of `path` on its own"]);
    has(&said.out, &["path(x, z) :- path(x, y), edge(y, z).  (paths.dl:7)", "then new path(x, y)", "-> edge(y, z)"]);
    has(&said.out, &["counts `edge` by groups"]);
    let said = folder.ok(&["relate", "paths.dl", "--input", "edge=edges.csv", "--analyze"]);
    has(&said.out, &["round", "new tuples", "path 6 tuples", "In all "]);
    let json = folder.ok(&["relate", "paths.dl", "--input", "edge=edges.csv", "--analyze", "--plan-format", "json"]);
    has(&json.out, &["\"strata\": [", "\"rounds\": ["]);
    assert_eq!(folder.names(), ["edges.csv", "paths.dl"]);
}

#[test]
fn bad_programs_and_bad_inputs_are_refused() {
    let folder = folder();
    folder.write("bad.dl", ".decl a(x: number)\n.output a\na(x) :- b(x).\na(1) :- !a(2).\n");
    let said = folder.fails(&["relate", "bad.dl", "-o", "out"]);
    has(&said, &["2 mistakes in the rules", "unknown relation `b`", "bad.dl:3", "negation through recursion: a -> !a"]);
    let relate = |args: &[&str]| folder.fails(&[&["relate", "paths.dl", "-o", "out"][..], args].concat());
    has(&relate(&[]), &["no input is given for relation `edge`", "`edge=FILE`"]);
    has(&relate(&["--input", "egde=edges.csv"]), &["the program has no relation `egde`", "did you mean `edge`?"]);
    has(&relate(&["--input", "edge=no.csv"]), &["no.csv: no such file"]);
    folder.write("one.csv", "a\n1\n");
    has(&relate(&["--input", "edge=one.csv"]), &["`one` has 1 column, and relation `edge` has 2 columns"]);
    folder.write("text.csv", "a,b\n1,2\n3,four\n");
    has(&relate(&["--input", "edge=text.csv"]), &["text.csv:3: `four` is not a whole number", "declare the column"]);
    folder.write("gap.csv", "a,b\n1,2\n,4\n");
    has(&relate(&["--input", "edge=gap.csv"]), &["gap.csv:3: the value of column `x` of relation `edge` is missing"]);
    has(&folder.fails(&["relate", "no.dl"]), &["cannot read the program `no.dl`"]);
    folder.write("latin.dl", b".decl \xe9");
    has(&folder.fails(&["relate", "latin.dl"]), &["latin.dl: the program is not UTF-8"]);
    let wrong = folder.run(&["relate", "paths.dl", "--input", "edges.csv"]);
    assert_eq!(wrong.code, Some(2));
    has(&wrong.err, &["write for example edge=edges.csv"]);
}
