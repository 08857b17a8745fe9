//! Term frequencies as files: written by `term-frequencies`, read by jobs, and refused where they are none.

use crate::scores::{PEOPLE, RULES};
use crate::support::{Folder, has};

/// A folder with people, rules with a model, and the results of a run that counts frequencies.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    folder.write("rules.toml", RULES);
    folder.ok(&["train", "people.csv", "--rules", "rules.toml", "-o", "model.toml", "-q"]);
    folder.ok(&scored("rules.toml", "counted"));
    folder
}

fn scored<'a>(rules: &'a str, output: &'a str) -> Vec<&'a str> {
    vec!["dedupe", "people.csv", "--rules", rules, "--model", "model.toml", "--format", "csv", "-o", output]
}

/// The same with a file of frequencies of names.
fn given<'a>(file: &'a str, output: &'a str) -> Vec<&'a str> {
    [&scored("rules.toml", output)[..], &["--term-frequencies", file]].concat()
}

/// The rules with a file of frequencies of names.
fn rules_with(file: &str) -> String {
    RULES.replace("term_frequency = \"name\"\n", &format!("term_frequency = \"name\"\nterm_frequencies = \"{file}\"\n"))
}

fn results(folder: &Folder, output: &str) -> [String; 2] {
    ["pairs", "clusters"].map(|table| folder.read(&format!("{output}/{table}.csv")))
}

#[test]
fn a_job_with_the_frequencies_of_another_gives_the_same_bytes() {
    let folder = folder();
    let count = ["term-frequencies", "people.csv", "--rules", "rules.toml", "-o", "tf"];
    for (format, ending) in [("csv", "csv"), ("parquet", "parquet"), ("json", "jsonl")] {
        let said = folder.ok(&[&count[..], &["--format", format]].concat()).out;
        let file = format!("tf/name.{ending}");
        has(&said, &["Column", "values", "name", &file]);
        let output = format!("by_{format}");
        let said = folder.ok(&given(&format!("name={file}"), &output)).out;
        has(&said, &["Frequency", &format!("name by {file}")]);
        assert_eq!(results(&folder, &output), results(&folder, "counted"), "{format}");
    }
    let counts = "value,count,frequency\nann smith,2,0.25\nbob jones,2,0.25\nanne smith,1,0.125\ncarl orf,1,0.125\n\
                  carl orff,1,0.125\ndora maar,1,0.125\n";
    assert_eq!(folder.read("tf/name.csv"), counts);
    // Named by rules, the file is looked for beside them.
    folder.write("tf/rules.toml", rules_with("name.parquet"));
    folder.ok(&scored("tf/rules.toml", "by_rules"));
    assert_eq!(results(&folder, "by_rules"), results(&folder, "counted"));
    let complaint = folder.fails(&[&count[..], &["--format", "csv"]].concat());
    has(&complaint, &["name.csv` is there already", "use --overwrite for that"]);
    folder.ok(&[&count[..], &["--format", "csv", "--overwrite", "-q"]].concat());
}

#[test]
fn a_part_of_the_records_is_scored_as_all_of_them_are() {
    let folder = folder();
    folder.ok(&["term-frequencies", "people.csv", "--rules", "rules.toml", "-o", "tf", "-q"]);
    let all = folder.read("counted/pairs.csv");
    let is_of_some = |line: &&str| line.split(',').take(2).all(|id| id.parse::<u32>().is_ok_and(|id| id <= 5));
    let of_some: Vec<&str> = all.lines().skip(1).filter(is_of_some).collect();
    let some: Vec<&str> = PEOPLE.lines().take(6).collect();
    folder.write("people.csv", some.join("\n"));
    folder.ok(&given("name=tf/name.parquet", "some"));
    assert!(!of_some.is_empty());
    assert_eq!(folder.read("some/pairs.csv").lines().skip(1).collect::<Vec<_>>(), of_some);
    folder.ok(&scored("rules.toml", "other"));
    assert_ne!(folder.read("other/pairs.csv"), folder.read("some/pairs.csv"));
}

#[test]
fn it_is_said_where_frequencies_are_from() {
    let folder = folder();
    folder.write("names.csv", "name,tf_name\nbob jones,0.5\nnobody,0.25\n");
    let run = given("name=names.csv", "out");
    has(&folder.ok(&run).out, &["name by names.csv (5 lacking)"]);
    let record: serde_json::Value = serde_json::from_str(&folder.read("out/run.json")).unwrap();
    let of = &record["term_frequencies"][0];
    assert_eq!((of["comparison"].as_str(), of["column"].as_str()), (Some("name"), Some("name")));
    assert_eq!((of["values"].as_u64(), of["lacking"].as_u64()), (Some(2), Some(5)));
    assert_eq!(of["given"].as_str(), Some("names.csv"));
    assert_eq!(of["xxh128"].as_str().map(str::len), Some(32));
    let job = ["people.csv", "--rules", "rules.toml", "--model", "model.toml"];
    let table = ["--term-frequencies", "name=names.csv"];
    let plan = |more: &[&str]| folder.ok(&[&["explain"][..], &job, more].concat()).out;
    has(&plan(&[]), &["Term frequencies:", "name: counted over all records"]);
    has(&plan(&table), &["name: given by names.csv, 2 values; 5 values of the records are not"]);
    let why = |ids: [&str; 2]| folder.ok(&[&["why"][..], &job, &table, &["--pair"], &ids].concat()).out;
    has(&why(["4", "5"]), &["by its frequency in names.csv"]);
    has(&why(["1", "2"]), &["the value is not in names.csv", "+0.000"]);
    // A report is of the run, and not of frequencies that have changed since.
    folder.ok(&["report", "out", "-q"]);
    folder.write("names.csv", "name,tf_name\nbob jones,0.75\nnobody,0.25\n");
    let complaint = folder.fails(&["report", "out", "--overwrite", "-q"]);
    has(&complaint, &["the term frequencies of `name` are not those of the run"]);
    std::fs::remove_file(folder.path("names.csv")).unwrap();
    folder.ok(&["report", "out", "--overwrite", "-q"]);
}

#[test]
fn what_is_no_table_of_frequencies_is_refused() {
    let folder = folder();
    for (rows, expected) in [
        ("value,frequency\nann,nan\n", "names.csv:2: the frequency of `ann` is not a number"),
        ("value,frequency\nann,1\nbob,0\n", "names.csv:3: the frequency of `bob` is 0"),
        ("value,frequency\nann,-0.5\n", "names.csv:2: the frequency of `ann` is -0.5"),
        ("value,frequency\nann,1.01\n", "names.csv:2: the frequency of `ann` is 1.01"),
        ("value,frequency\nann,0.5\nann,0.5\n", "names.csv:3: the value `ann` comes a second time"),
        ("value,frequency\n,0.5\n", "names.csv:2: the value is missing"),
        ("value,count\nann,2.5\n", "names.csv:2: the count of `ann` is 2.5"),
        ("value,share\nann,0.5\n", "`names.csv`, have no column with the frequencies"),
        ("surname,frequency\nann,0.5\n", "`names.csv`, have no column with the values"),
    ] {
        folder.write("names.csv", rows);
        has(&folder.fails(&given("name=names.csv", "out")), &[expected, "help: "]);
    }
    has(&folder.fails(&given("name=none.csv", "out")), &["none.csv: no such file"]);
    has(&folder.fails(&given("city=names.csv", "out")), &["no comparison has term frequencies of a column `city`"]);
    has(&folder.fails(&given("names.csv", "out")), &["write for example surname=surnames.parquet"]);
    folder.write("named.toml", rules_with("none.csv"));
    has(&folder.fails(&scored("named.toml", "out")), &["none.csv: no such file"]);
    has(&folder.fails(&["check", "people.csv", "--rules", "named.toml"]), &["none.csv: no such file"]);
    folder.write("plain.toml", "[[rule]]\nwhen = \"l.name = r.name\"\n");
    let count = ["term-frequencies", "people.csv", "--rules", "plain.toml", "-o", "tf"];
    has(&folder.fails(&count), &["no comparison has term frequencies", "term_frequency = \"surname\""]);
}
