//! Reports: what they hold, that they stay within their size, and that they show nothing that is masked.

use std::collections::BTreeMap;
use std::io::Read;

use arrow_ipc::reader::StreamReader;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use sameas::arrow_array::RecordBatch;
use sameas::arrow_array::cast::AsArray;
use sameas::arrow_array::types::{Float64Type, Int32Type, UInt8Type, UInt32Type};
use serde_json::Value;

use crate::support::{Folder, PEOPLE, SAME_PHONE, has};

/// A report, unpacked.
pub struct Unpacked {
    html: String,
    pub facts: Value,
    pub tables: BTreeMap<String, RecordBatch>,
    /// Facts and tables as bytes: whatever is in the report is in these.
    bytes: Vec<u8>,
}

fn block<'a>(html: &'a str, id: &str) -> &'a str {
    let (_, rest) = html.split_once(&format!("id=\"{id}\">")).unwrap();
    rest.split_once("</script>").unwrap().0
}

fn unpacked(packed: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(&STANDARD.decode(packed).unwrap()[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

impl Unpacked {
    pub fn read(folder: &Folder, name: &str) -> Self {
        let html = folder.read(name);
        let [facts, tables] = ["facts", "tables"].map(|id| unpacked(block(&html, id)));
        let bytes = [&facts[..], &tables].concat();
        let facts = serde_json::from_slice(&facts).unwrap();
        Self { html, facts, tables: read_tables(&tables), bytes }
    }

    fn texts(&self, table: &str, column: &str) -> Vec<Option<String>> {
        let column = self.tables[table].column_by_name(column).unwrap_or_else(|| panic!("{table}.{column}"));
        let owned = |text: Option<&str>| text.map(str::to_owned);
        match column.as_dictionary_opt::<Int32Type>() {
            Some(texts) => {
                texts.downcast_dict::<sameas::arrow_array::StringArray>().unwrap().into_iter().map(owned).collect()
            }
            None => column.as_string::<i32>().iter().map(owned).collect(),
        }
    }

    pub fn numbers(&self, table: &str, column: &str) -> Vec<Option<u32>> {
        self.tables[table].column_by_name(column).unwrap().as_primitive::<UInt32Type>().iter().collect()
    }

    pub fn floats(&self, table: &str, column: &str) -> Vec<Option<f64>> {
        self.tables[table].column_by_name(column).unwrap().as_primitive::<Float64Type>().iter().collect()
    }

    /// The ids of the pairs of a kind.
    pub fn pairs(&self, kind: u8) -> Vec<(String, String)> {
        let ids = self.texts("records", "id");
        let id = |record: Option<u32>| ids[record.unwrap() as usize].clone().unwrap();
        let kinds = self.tables["pairs"].column_by_name("kind").unwrap().as_primitive::<UInt8Type>().clone();
        let both = self.numbers("pairs", "left").into_iter().zip(self.numbers("pairs", "right"));
        let of_kind = both.enumerate().filter(|(row, _)| kinds.value(*row) == kind);
        let mut pairs: Vec<_> = of_kind.map(|(_, (left, right))| (id(left), id(right))).collect();
        pairs.sort();
        pairs
    }

    pub fn has_bytes(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|window| window == text.as_bytes())
    }

    fn column(&self, name: &str) -> Vec<Option<String>> {
        let columns = self.facts["columns"].as_array().unwrap();
        let column = columns.iter().find(|column| column["name"] == name).unwrap_or_else(|| panic!("no column {name}"));
        self.texts("records", column["key"].as_str().unwrap())
    }
}

fn read_tables(bytes: &[u8]) -> BTreeMap<String, RecordBatch> {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (mut at, mut tables) = (4, BTreeMap::new());
    for _ in 0..number(0) {
        let name = String::from_utf8(bytes[at + 4..at + 4 + number(at)].to_vec()).unwrap();
        at += 4 + number(at);
        let content = &bytes[at + 4..at + 4 + number(at)];
        at += 4 + number(at);
        let batches: Vec<RecordBatch> = StreamReader::try_new(content, None).unwrap().map(|b| b.unwrap()).collect();
        assert_eq!(batches.len(), 1, "{name}");
        tables.insert(name, batches[0].clone());
    }
    assert_eq!(at, bytes.len());
    tables
}

pub fn pair(left: &str, right: &str) -> (String, String) {
    (left.to_owned(), right.to_owned())
}

#[test]
fn a_report_shows_where_records_of_entities_disagree() {
    let folder = Folder::with_people();
    let entity = "[entity]\nname = \"longest\"\nfirst = { take = \"max\", value = \"split_part(name, ' ', 1)\" }\n";
    folder.write("rules.toml", format!("[[rule]]\nwhen = \"{SAME_PHONE}\"\n{entity}"));
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--report"]);
    let report = Unpacked::read(&folder, "out/report.html");
    let entities = &report.facts["entities"];
    let columns = entities["columns"].as_array().unwrap();
    let numbers = |of: &Value| (of["name"].to_string(), of["filled"].as_u64(), of["disagreeing"].as_u64());
    let counted = |name: &str, filled, disagreeing| (format!("\"{name}\""), Some(filled), Some(disagreeing));
    let expected = [("name", 5, 1), ("phone", 4, 0), ("year", 4, 0), ("first", 5, 1)];
    assert_eq!(columns.iter().map(numbers).collect::<Vec<_>>(), expected.map(|(name, f, d)| counted(name, f, d)));
    assert_eq!((entities["entities"].as_u64(), columns[0]["take"].as_str()), (Some(5), Some("longest")));
    let example = &columns[0]["examples"][0];
    assert_eq!((example["value"].as_str(), example["others"].as_u64()), (Some("john smith"), Some(1)));
    let record = example["record"].as_u64().unwrap() as usize;
    assert_eq!(report.column("name")[record].as_deref(), Some("john smith"));
    assert_eq!(report.numbers("records", "cluster")[record].map(u64::from), example["cluster"].as_u64());
    assert_eq!((columns[3]["column"].as_u64(), columns[3]["examples"][0]["value"].as_str()), (None, Some("jon")));
    // What is computed of a masked column is masked, too.
    folder.ok(&["report", "out", "--mask", "name", "-o", "masked.html"]);
    let masked = Unpacked::read(&folder, "masked.html");
    assert!(!masked.has_bytes("john") && !masked.has_bytes("\"jon\""));
    assert_eq!(masked.facts["entities"]["columns"][3]["masked"], true);
    std::fs::remove_file(folder.path("people.csv")).unwrap();
    folder.ok(&["report", "out", "-o", "gone.html"]);
    let gone = Unpacked::read(&folder, "gone.html");
    assert_eq!(gone.facts["entities"]["columns"][0]["disagreeing"].as_u64(), Some(1));
    assert_eq!(gone.facts["entities"]["columns"][0]["examples"].as_array().unwrap().len(), 0);
}

#[test]
fn a_report_shows_a_run() {
    let folder = Folder::with_people();
    let rules = ["--rule", SAME_PHONE, "--rule", "l.year = r.year and l.name <> r.name"];
    folder.ok(&[&["dedupe", "people.csv", "-o", "out"][..], &rules].concat());
    let said = folder.ok(&["report", "out"]).out;
    has(&said, &["Report   out/report.html, "]);
    let report = Unpacked::read(&folder, "out/report.html");
    let facts = &report.facts;
    assert_eq!((facts["format"].as_u64(), facts["header"]["title"].as_str()), (Some(1), Some("people")));
    assert_eq!((facts["overview"]["records"].as_u64(), facts["overview"]["pairs"].as_u64()), (Some(6), Some(2)));
    assert_eq!(facts["overview"]["duplicates"].as_u64(), Some(2));
    assert_eq!(facts["sampling"]["records"]["shown"].as_u64(), Some(6));
    assert_eq!(facts["words"]["sampling"].as_array().unwrap().len(), 0);
    let list = facts["rules"]["list"].as_array().unwrap();
    let numbers = |rule: &Value| [&rule["alone"], &rule["marginal"], &rule["pairs"]].map(|n| n.as_u64().unwrap());
    assert_eq!((numbers(&list[0]), numbers(&list[1])), ([1, 1, 1], [2, 1, 1]));
    // Both rules give the first pair, the second one alone the other.
    let overlaps = facts["rules"]["overlaps"].to_string();
    assert_eq!(overlaps, r#"[{"pairs":1.0,"rules":[0,1]},{"pairs":1.0,"rules":[1]}]"#);
    assert_eq!(facts["rules"]["overlapsExact"], true);
    let threshold = &facts["rules"]["thresholds"][0];
    assert_eq!(threshold["above"].as_array().unwrap().iter().map(|b| b["pairs"].as_f64().unwrap()).sum::<f64>(), 1.0);
    // Another rule gives the pair, too.
    assert_eq!(threshold["above"].as_array().unwrap().iter().map(|b| b["lost"].as_f64().unwrap()).sum::<f64>(), 0.0);
    assert_eq!(report.column("name")[1].as_deref(), Some("jon smith"));
    assert_eq!(report.column("phone")[4], None);
    assert_eq!(report.pairs(0), [pair("1", "2"), pair("3", "4")]);
    let conditions = facts["conditions"].as_array().unwrap();
    let jaro = conditions.iter().position(|c| c["text"].as_str().unwrap().starts_with("jaro")).unwrap();
    assert_eq!(conditions[jaro]["threshold"]["direction"], "atLeast");
    let of = report.numbers("findings", "condition").iter().position(|c| *c == Some(jaro as u32)).unwrap();
    assert_eq!(report.texts("findings", "left")[of].as_deref(), Some("john smith"));
    assert!(report.floats("findings", "measured")[of].unwrap() > 0.9);
    assert_eq!(report.texts("clusters", "id"), [Some("1".to_owned()), Some("3".to_owned())]);
    assert_eq!(report.numbers("edges", "rule"), [Some(0), Some(1)]);
}

/// Whatever format the results have, the report is the same.
#[test]
fn results_of_all_formats_give_the_same_tables() {
    let folder = Folder::with_people();
    let tables: Vec<BTreeMap<String, RecordBatch>> = ["parquet", "csv", "json"]
        .iter()
        .map(|format| {
            folder.ok(&[
                "dedupe",
                "people.csv",
                "--rule",
                SAME_PHONE,
                "--format",
                format,
                "-o",
                format,
                "--near",
                "0.3",
            ]);
            folder.ok(&["report", format, "-q"]);
            Unpacked::read(&folder, &format!("{format}/report.html")).tables
        })
        .collect();
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
    assert!(tables[0]["findings"].num_rows() > 0);
}

#[test]
fn a_report_is_repeatable_and_changes_no_result() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--report"];
    has(&folder.ok(&run).out, &["Report       out/report.html\n"]);
    let files = ["out/pairs.parquet", "out/clusters.parquet", "out/run.json"];
    let before = files.map(|file| folder.bytes(file));
    folder.ok(&["report", "out", "-o", "first.html"]);
    folder.ok(&["report", "out", "-o", "second.html", "--threads", "1"]);
    assert_eq!(folder.bytes("first.html"), folder.bytes("second.html"));
    assert_eq!(folder.bytes("first.html"), folder.bytes("out/report.html"));
    assert_eq!(files.map(|file| folder.bytes(file)), before);
    has(&folder.fails(&["report", "out", "-o", "first.html"]), &["is there already", "--overwrite"]);
    folder.ok(&["report", "out", "-o", "first.html", "--overwrite"]);
    has(&folder.fails(&["report", "out", "-o", "people.csv", "--overwrite"]), &["is an input"]);
}

#[test]
fn results_without_pairs_and_without_records() {
    let folder = Folder::with_people();
    folder.write("empty.csv", "id,name\n");
    for (input, records) in [("people.csv", 6), ("empty.csv", 0)] {
        folder.ok(&["dedupe", input, "--rule", "l.name = r.name", "-o", "out", "--overwrite", "--report"]);
        let report = Unpacked::read(&folder, "out/report.html");
        assert_eq!(report.tables["records"].num_rows(), records);
        assert_eq!((report.tables["pairs"].num_rows(), report.tables["edges"].num_rows()), (0, 0));
        assert_eq!(report.facts["overview"]["pairs"].as_u64(), Some(0));
        assert_eq!(report.facts["clusters"]["largest"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn hostile_values_are_data_and_nothing_else() {
    let folder = Folder::new();
    let long = "x".repeat(10_000);
    let hostile = [
        "<script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        "=HYPERLINK(\"http://example.org\")",
        "\u{202e}txt.exe\u{2066}",
        "@@FACTS@@",
        &long,
    ];
    let mut csv = "id,\"<b>name\",zip\n".to_owned();
    for (at, value) in hostile.iter().enumerate() {
        for copy in 0..2 {
            csv += &format!("{at}{copy},\"{}\",{at}\n", value.replace('"', "\"\""));
        }
    }
    folder.write("hostile.csv", csv);
    folder.ok(&[
        "dedupe",
        "hostile.csv",
        "--rule",
        "l.zip = r.zip and l.\"<b>name\" = r.\"<b>name\"",
        "-o",
        "o",
        "--report",
    ]);
    let report = Unpacked::read(&folder, "o/report.html");
    let page = include_str!("../../src/report_page/page.html");
    assert_eq!(report.html.matches("<script").count(), page.matches("<script").count());
    assert!(!report.html.contains("alert(1)") && !report.html.contains("onerror"));
    let names = report.column("<b>name");
    for (at, value) in hostile[..5].iter().enumerate() {
        assert_eq!(names[2 * at].as_deref(), Some(*value));
    }
    assert_eq!(names[10].as_deref(), Some(format!("{}…", &long[..500]).as_str()));
    assert!(!report.has_bytes(&long));
}

#[test]
fn masked_values_are_nowhere() {
    let folder = Folder::new();
    let mut csv = "id,surname,phone,born\n".to_owned();
    for at in 0..400 {
        csv += &format!("Z{at:05}Q,Meier{},0{},19{}-01-02\n", at % 20, 1_000 + at % 50, 10 + at % 80);
    }
    folder.write("people.csv", csv);
    let rules = "[derive]\nkey = \"lower(surname)\"\nyear = \"substr(born, 1, 4)\"\n\
                 [[rule]]\nname = \"a\"\nwhen = \"l.phone = r.phone and jaro_winkler(l.key, r.key) >= 0.5\"\n\
                 [[rule]]\nname = \"b\"\nwhen = \"l.surname = r.surname and abs(cast(l.year as bigint) - cast(r.year as bigint)) <= 1\"\n";
    folder.write("rules.toml", rules);
    folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--near", "0.2"]);
    folder.ok(&["report", "out"]);
    let open = Unpacked::read(&folder, "out/report.html");
    assert!(open.has_bytes("Meier7") && open.has_bytes("meier7") && open.has_bytes("Z00003Q"));
    folder.ok(&["report", "out", "--mask", "SURNAME", "--mask", "id", "-o", "masked.html"]);
    let masked = Unpacked::read(&folder, "masked.html");
    for secret in ["Meier", "meier", "Z0"] {
        assert!(!masked.has_bytes(secret), "{secret}");
    }
    assert!(masked.has_bytes("01003"));
    assert_eq!(masked.facts["header"]["maskedColumns"].to_string(), r#"["id","surname","key"]"#);
    assert_eq!(masked.facts["header"]["idsMasked"], true);
    // Equal values have equal masks.
    let names = masked.column("surname");
    assert_eq!(names[3], names[23]);
    assert_ne!(names[3], names[4]);
    assert!(names[3].as_deref().unwrap().starts_with('#'));
    has(&folder.fails(&["report", "out", "--mask", "surnmae", "-o", "x.html"]), &["no column `surnmae`"]);
}

#[test]
fn inputs_and_results_must_be_as_they_were() {
    let folder = Folder::with_people();
    folder.ok(&["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out"]);
    folder.write("people.csv", PEOPLE.replace("john", "joan"));
    has(&folder.fails(&["report", "out"]), &["the records of `people` are not those that the run has read"]);
    std::fs::remove_file(folder.path("people.csv")).unwrap();
    folder.ok(&["report", "out"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!(
        (&report.facts["header"]["hasValues"], report.facts["columns"].as_array().unwrap().len()),
        (&Value::Bool(false), 0)
    );
    has(report.facts["words"]["withoutValues"].as_str().unwrap(), &["the input people.csv is not there any more"]);
    assert_eq!(report.pairs(0), [pair("1", "2")]);
    assert_eq!(report.tables["findings"].num_rows(), 0);
    folder.write("out/pairs.parquet", "no");
    has(&folder.fails(&["report", "out", "--overwrite"]), &["is not as the run in its folder wrote it"]);
    has(&folder.fails(&["report", "nowhere"]), &["there is no folder `nowhere`"]);
}

#[test]
fn near_pairs_are_shown_below_their_threshold() {
    let folder = Folder::with_people();
    let rule = "l.phone = r.phone and levenshtein(l.name, r.name) <= 2";
    folder.ok(&["dedupe", "people.csv", "--rule", rule, "-o", "out", "--near", "0.05", "--report"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!((report.pairs(0), report.pairs(1)), (vec![pair("1", "2")], vec![pair("3", "4")]));
    let threshold = &report.facts["rules"]["thresholds"][0];
    assert_eq!(threshold["below"].to_string(), r#"[{"from":3.0,"pairs":1.0,"to":4.0}]"#);
    assert_eq!((threshold["near"].as_u64(), threshold["belowExact"].as_bool()), (Some(1), Some(true)));
    // Without them, the report looks for near misses itself.
    folder.ok(&["dedupe", "people.csv", "--rule", rule, "-o", "other", "--report"]);
    let other = Unpacked::read(&folder, "other/report.html");
    assert_eq!((other.pairs(1).len(), other.pairs(2)), (0, vec![pair("3", "4")]));
    assert_eq!(other.facts["search"]["misses"], "report");
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_run() {
    let folder = Folder::with_people();
    folder.write("there.html", "something else");
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out"];
    has(&folder.fails(&[&run[..], &["--report", "there.html"]].concat()), &["--report=there.html"]);
    has(&folder.fails(&[&run[..], &["--report=there.html"]].concat()), &["there.html", "--overwrite"]);
    has(&folder.fails(&[&run[..], &["--report=nowhere/x.html"]].concat()), &["nowhere"]);
    assert!(!folder.path("out").exists() && folder.read("there.html") == "something else");
    folder.ok(&[&run[..], &["--report=here.html"]].concat());
    assert!(folder.read("here.html").starts_with("<!doctype html>"));
}

#[test]
fn several_inputs() {
    let folder = Folder::with_people();
    folder.write("other.csv", "id,name,phone\na,john smith,555-1\n1,marie jonas,555-2\n");
    folder.write("third.csv", "id,name,phone\n1,john smith,555-1\n");
    let rule = "l.phone = r.phone and jaro_winkler(l.name, r.name) >= 0.9";
    folder.ok(&["link", "people.csv", "other.csv", "--rule", rule, "-o", "two", "--report"]);
    let two = Unpacked::read(&folder, "two/report.html");
    assert_eq!(two.pairs(0), [pair("1", "a"), pair("2", "a"), pair("4", "1")]);
    assert_eq!(two.numbers("records", "input").into_iter().flatten().filter(|input| *input == 1).count(), 2);
    assert_eq!(two.column("year")[6], None);
    folder.ok(&["link", "people.csv", "other.csv", "third.csv", "--dedupe", "--rule", rule, "-o", "three", "--report"]);
    let three = Unpacked::read(&folder, "three/report.html");
    assert_eq!(three.facts["header"]["linkType"], "link_and_dedupe");
    assert_eq!(three.pairs(0).len(), three.facts["overview"]["pairs"].as_u64().unwrap() as usize);
    assert_eq!(three.texts("clusters", "id")[0].as_deref(), Some("people:1"));
}

/// The heavy keys of a report: value, records, candidates, and whether these are exact.
fn heavy_keys(report: &Unpacked) -> Vec<(String, u64, u64, bool)> {
    let number = |key: &Value, name: &str| key[name].as_u64().unwrap();
    let keys = report.facts["data"]["heavyKeys"].as_array().unwrap().iter();
    keys.map(|key| {
        let text = key["value"].as_str().unwrap().to_owned();
        (text, number(key, "records"), number(key, "candidates"), key["exact"].as_bool().unwrap())
    })
    .collect()
}

#[test]
fn keys_of_several_values_are_counted_together() {
    let folder = Folder::new();
    let rows = ["Ann,Ulm,1", "Ann,Ulm,2", "Ann,Ulm,3", "Ann,Bonn,4", "Bob,Ulm,5", "Bob,Ulm,6", ",Ulm,7", ",Ulm,8"];
    folder.write("a.csv", format!("name,city,n\n{}\n", rows.join("\n")));
    folder.write("b.csv", "name,city,n\nAnn,Ulm,1\nAnn,Ulm,2\nBob,Bonn,3\n");
    folder.write("c.csv", "name,city,n\nAnn,Ulm,1\n");
    let rule = ["--id", "row", "--rule", "l.name = r.name and l.city = r.city and l.n <> r.n"];
    let key = |value: &str, records, candidates| (value.to_owned(), records, candidates, true);
    folder.ok(&[&["dedupe", "a.csv", "-o", "one", "--report"][..], &rule].concat());
    let report = Unpacked::read(&folder, "one/report.html");
    assert_eq!(heavy_keys(&report), [key("Ann | Ulm", 3, 3), key("Bob | Ulm", 2, 1)]);
    // Between inputs only pairs of different ones count: 3 with 2, and 3 with 1, and 2 with 1.
    folder.ok(&[&["link", "a.csv", "b.csv", "-o", "two", "--report"][..], &rule].concat());
    assert_eq!(heavy_keys(&Unpacked::read(&folder, "two/report.html")), [key("Ann | Ulm", 5, 6)]);
    folder.ok(&[&["link", "a.csv", "b.csv", "c.csv", "-o", "three", "--report"][..], &rule].concat());
    assert_eq!(heavy_keys(&Unpacked::read(&folder, "three/report.html")), [key("Ann | Ulm", 6, 11)]);
    // A masked part of a key is nowhere.
    folder.ok(&["report", "one", "-o", "masked.html", "--mask", "name"]);
    let masked = heavy_keys(&Unpacked::read(&folder, "masked.html"));
    assert!(masked[0].0.ends_with(" | Ulm") && !masked[0].0.contains("Ann"), "{masked:?}");
}

#[test]
fn keys_and_values_of_many_records_are_estimated() {
    let folder = Folder::new();
    let names = |at: u32| if at.is_multiple_of(150) { "Ann,Ulm".to_owned() } else { format!("n{at},c{at}") };
    let row = |at: u32| format!("{},o{},{}\n", names(at), at % 7_000, at % 100);
    folder.write("many.csv", (0..150_000).map(row).fold("name,city,other,number\n".to_owned(), |all, row| all + &row));
    folder.ok(&[
        "dedupe",
        "many.csv",
        "-o",
        "out",
        "--report",
        "--id",
        "row",
        "--rule",
        "l.name = r.name and l.city = r.city",
    ]);
    let report = Unpacked::read(&folder, "out/report.html");
    let keys = heavy_keys(&report);
    let [(value, records, candidates, false)] = &keys[..] else { panic!("{keys:?}") };
    // 1,000 records, of which about 333 are in the sample.
    assert_eq!(value, "Ann | Ulm");
    assert!((900..1_100).contains(records), "{records}");
    assert!((380_000..630_000).contains(candidates), "{candidates}");
    let columns = report.facts["data"]["columns"].as_array().unwrap();
    let distinct = |name: &str| {
        let column = columns.iter().find(|column| column["name"] == name).unwrap();
        let heavy = column["heavy"][0]["records"].as_u64().unwrap();
        (column["distinct"].as_u64().unwrap(), heavy, column["exact"].as_bool().unwrap())
    };
    // The run has counted what its rules read.
    assert_eq!(distinct("name"), (149_001, 1_000, true));
    let (others, _, false) = distinct("other") else { panic!() };
    assert!((6_600..7_400).contains(&others), "{others}");
    let (numbers, each, false) = distinct("number") else { panic!() };
    assert!((98..=102).contains(&numbers) && (1_300..1_900).contains(&each), "{numbers} {each}");
}

#[test]
fn bridges_are_marked() {
    let folder = Folder::new();
    // Two groups of three records, and a pair between them.
    let group = |first: u32, key: &str, more: &str| {
        (0..3).map(|at| format!("{},{key},{}\n", first + at, if at == 0 { more } else { "" })).collect::<String>()
    };
    folder.write("r.csv", format!("id,a,b\n{}{}", group(1, "x", "m"), group(11, "y", "m")));
    folder.ok(&["dedupe", "r.csv", "--rule", "l.a = r.a", "--rule", "l.b = r.b", "-o", "out", "--report"]);
    let report = Unpacked::read(&folder, "out/report.html");
    assert_eq!(report.numbers("clusters", "smaller_part"), [Some(3)]);
    assert_eq!(report.numbers("edges", "smaller_part").into_iter().flatten().collect::<Vec<_>>(), [3]);
    assert_eq!(report.facts["clusters"]["withBridge"].as_u64(), Some(1));
    assert_eq!(report.facts["clusters"]["bridged"].to_string(), "[0]");
    // Two records of it that are no pair, and what they miss.
    assert!(report.pairs(3).contains(&pair("1", "12")));
}

/// As long as there is room, nothing is left out.
#[test]
fn a_report_fills_its_size() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "30000", "-q", "-o", "p"]);
    folder.write("rules.toml", folder.ok(&["demo", "--print-rules"]).out);
    folder.ok(&["dedupe", "p/records.csv", "--rules", "rules.toml", "-o", "out", "-q"]);
    folder.ok(&["report", "out", "-q"]);
    let whole = Unpacked::read(&folder, "out/report.html");
    assert_eq!(whole.facts["sampling"]["records"]["shown"].as_u64(), Some(30_000));
    assert_eq!(whole.tables["records"].num_rows(), 30_000);
    assert!(whole.html.len() < 10_000_000, "{}", whole.html.len());
    // A smaller one is cut to about its size.
    folder.ok(&["report", "out", "-q", "-o", "small.html", "--size", "2MB"]);
    let small = Unpacked::read(&folder, "small.html");
    let size = small.html.len();
    assert!((1_600_000..=2_000_000).contains(&size), "{size}");
    assert!(small.tables["records"].num_rows() < 30_000 && small.tables["pairs"].num_rows() > 0);
}

#[test]
fn a_report_stays_within_its_size() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "3000", "-q", "-o", "p"]);
    folder.write("rules.toml", folder.ok(&["demo", "--print-rules"]).out);
    folder.ok(&["dedupe", "p/records.csv", "--rules", "rules.toml", "-o", "out", "--report"]);
    let whole = Unpacked::read(&folder, "out/report.html");
    assert_eq!(whole.tables["records"].num_rows(), 3000);
    let page = include_str!("../../src/report_page/page.html").len();
    let size = page + 120_000;
    folder.ok(&["report", "out", "-o", "small.html", "--size", &format!("{size}B")]);
    let small = Unpacked::read(&folder, "small.html");
    assert!(small.html.len() <= size && small.html.len() > page + 75_000, "{} of {size}", small.html.len());
    let sampling = &small.facts["sampling"]["records"];
    assert_eq!(sampling["shown"].as_u64(), Some(small.tables["records"].num_rows() as u64));
    has(small.facts["words"]["sampling"][0].as_str().unwrap(), &["of 3,000 records are in this report"]);
    // What a sample says about all pairs is near the truth.
    let pairs = whole.facts["overview"]["pairs"].as_u64().unwrap() as f64;
    let sum = |report: &Unpacked| -> f64 {
        report.facts["rules"]["overlaps"].as_array().unwrap().iter().map(|set| set["pairs"].as_f64().unwrap()).sum()
    };
    assert!((sum(&whole) - pairs).abs() < 1e-6 && (sum(&small) - pairs).abs() < 1e-6 * pairs);
    let too_small = folder.fails(&["report", "out", "-o", "x.html", "--size", "10kB"]);
    has(&too_small, &["a report cannot be as small as 10000 bytes"]);
    let truth = ["report", "out", "-o", "truth.html", "--truth", "p/truth.csv"];
    folder.ok(&truth);
    let evaluation = &Unpacked::read(&folder, "truth.html").facts["overview"]["evaluation"];
    assert!(evaluation["precision"].as_f64().unwrap() > 0.9, "{evaluation}");
    assert_eq!(evaluation["rules"].as_array().unwrap().len(), 5);
}

/// What comes once is kept for the report of its run, and for no later one.
#[test]
fn standard_input_has_values_in_the_report_of_its_run() {
    let folder = Folder::new();
    let said = folder.feed(&["dedupe", "-", "--rule", SAME_PHONE, "-o", "out", "--report"], PEOPLE.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(Unpacked::read(&folder, "out/report.html").has_bytes("jon smith"));
    folder.ok(&["report", "out", "-o", "later.html"]);
    let later = Unpacked::read(&folder, "later.html");
    has(later.facts["words"]["withoutValues"].as_str().unwrap(), &["the input stdin can be read only once"]);
    assert!(!later.has_bytes("jon smith"));
}
