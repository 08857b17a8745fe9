//! Tables of entities, and of records with their entities.

use crate::support::{Folder, SAME_PHONE, has};

const RULES: &str = "[[rule]]\nwhen = \"l.phone = r.phone\"\n\
    [entity]\n\
    name = { take = \"longest\", where = \"name like '% %'\" }\n\
    year = { take = \"mean\", value = \"cast(year as double)\" }\n";

#[test]
fn a_folder_gets_entities_where_the_rules_say_what_they_are() {
    let folder = Folder::with_people();
    folder.write("rules.toml", RULES);
    let said = folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--format", "csv"]);
    has(&said.out, &["entities.csv", "pairs.csv"]);
    let expected = "entity_id,entity_size,name,phone,year\n\
        1,2,john smith,555-1,1980.0\n\
        3,2,marie jonas,555-2,1975.0\n\
        5,1,alan poe,,1990.0\n\
        6,1,zoe adams,555-3,\n";
    assert_eq!(folder.read("out/entities.csv"), expected);
    has(&folder.read("out/run.json"), &["\"entities.csv\"", "\"disagreeing\": 2", "\"take\": \"longest\""]);
    let again = ["dedupe", "people.csv", "--rules", "rules.toml", "-o", "out", "--format", "csv", "--overwrite"];
    folder.ok(&[&again[..], &["--what", "records,entities", "--provenance", "--threads", "1"]].concat());
    has(&folder.read("out/entities.csv"), &["name_record,name_disagreed", "1,2,john smith,555-1,1980.0,1,1,"]);
    has(
        &folder.read("out/records.csv"),
        &["entity_id,id,name,phone,year\n1,1,john smith", "\n1,2,jon smith,555-1,1980\n"],
    );
}

#[test]
fn files_of_others_are_not_replaced() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-o", "out", "--format", "csv", "--overwrite"];
    folder.ok(&run);
    folder.write("out/records.csv", "mine");
    folder.ok(&run);
    let said = folder.run(&[&run[..], &["--what", "records"]].concat());
    has(&said.err, &["records.csv` would be replaced, and it was not written by sameas"]);
    assert_eq!((said.code, folder.read("out/records.csv")), (Some(2), "mine".to_owned()));
    std::fs::remove_file(folder.path("out/records.csv")).unwrap();
    folder.ok(&[&run[..], &["--what", "records"]].concat());
    has(&folder.read("out/records.csv"), &["1,2,jon smith"]);
    folder.ok(&run);
    assert!(!folder.path("out/records.csv").exists());
}

#[test]
fn one_file_or_standard_output_gets_one_of_them() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-q"];
    let to = |more: &[&str]| folder.ok(&[&run[..], more].concat()).out;
    let records = to(&["-o", "-", "--what", "records"]);
    assert_eq!(
        records.lines().take(3).collect::<Vec<_>>(),
        ["entity_id,id,name,phone,year", "1,1,john smith,555-1,1980", "1,2,jon smith,555-1,1980"]
    );
    let best = to(&["-o", "-", "--what", "records", "--keep", "best"]);
    assert_eq!((best.lines().count(), best.lines().nth(1)), (6, Some("1,1,john smith,555-1,1980")));
    to(&["-o", "golden.jsonl", "--what", "entities"]);
    has(
        &folder.read("golden.jsonl"),
        &["{\"entity_id\":\"1\",\"entity_size\":2,\"name\":\"john smith\",\"phone\":\"555-1\",\"year\":\"1980\"}"],
    );
    to(&["-o", "golden.parquet", "--what", "entities", "--provenance"]);
    assert!(folder.bytes("golden.parquet").starts_with(b"PAR1"));
}

#[test]
fn objects_and_lists_of_json_lines_pass_through() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        "{\"id\":1,\"name\":\"ann\",\"at\":{\"city\":\"Rome\",\"years\":[1,2]},\"tags\":[\"x\"]}\n\
         {\"id\":2,\"name\":\"ann\",\"at\":{\"city\":\"Oslo\",\"zip\":{\"code\":\"0150\"}}}\n",
    );
    let run = ["dedupe", "a.jsonl", "--rule", "l.name = r.name", "-q", "-o"];
    let to = |file: &str, what: &str| {
        folder.ok(&[&run[..], &[file, "--what", what]].concat());
        folder.bytes(file)
    };
    let records = String::from_utf8(to("records.jsonl", "records")).unwrap();
    let rows: Vec<serde_json::Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = serde_json::json!({"city": "Oslo", "years": null, "zip": {"code": "0150"}});
    assert_eq!((&rows[1]["entity_id"], &rows[1]["at"]), (&serde_json::json!(1), &place), "{records}");
    assert_eq!(rows[0]["at"]["years"], serde_json::json!([1, 2]), "{records}");
    let entities = String::from_utf8(to("entities.jsonl", "entities")).unwrap();
    has(&entities, &["\"at\":{\"city\":\"Rome\",\"years\":[1,2],\"zip\":null}", "\"tags\":[\"x\"]"]);
    assert!(to("records.parquet", "records").starts_with(b"PAR1"));
    // No type holds all of these.
    folder.write(
        "a.jsonl",
        "{\"id\":1,\"name\":\"ann\",\"at\":{\"city\":\"Rome\"}}\n{\"id\":2,\"name\":\"ann\",\"at\":7}\n",
    );
    let said = folder.fails(&[&run[..], &["-", "--what", "records"]].concat());
    has(&said, &["a.jsonl: column `at` holds objects", "mixed with other values, which are not taken over"]);
}

#[test]
fn what_does_not_fit_together_is_said_before_anything_is_done() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE];
    let fails = |more: &[&str]| folder.fails(&[&run[..], more].concat());
    has(&fails(&["-o", "-", "--what", "records,entities"]), &["one file or standard output gets one table"]);
    has(&fails(&["-o", "-", "--keep", "best"]), &["--keep says which records are written", "--what records"]);
    has(&fails(&["-o", "-", "--provenance"]), &["--provenance is of entities", "--what entities"]);
    has(&fails(&["-o", "out", "--what", "pairs"]), &["a folder gets both tables"]);
    folder.write(
        "wrong.toml",
        "[entity]\nnmae = \"first\"\nyear = \"sum\"\nphone = { take = \"priority\", sources = [\"crm\"] }\n",
    );
    let said = fails(&["--rules", "wrong.toml", "-o", "out"]);
    has(
        &said,
        &[
            "wrong.toml:2",
            "no input has a column `nmae`",
            "did you mean `name`?",
            "no input of this job is called `crm`",
            "wrong.toml:4",
        ],
    );
    folder.write("text.toml", "[entity]\nyear = \"sum\"\n");
    let said = fails(&["--rules", "text.toml", "-o", "out"]);
    has(&said, &["text.toml:2", "`sum` needs numbers, and column `year` holds text", "cast(year as double)"]);
}

#[test]
fn a_link_names_the_inputs() {
    let folder = Folder::new();
    folder.write("crm.csv", "id,name,mail\n1,Ann,ann@x\n2,Bob,\n");
    folder.write("web.csv", "id,full,mail\n7,Anna,ann@x\n");
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.mail = r.mail\"\n[entity]\nname = { take = \"priority\", sources = [\"web\"], value = { web = \"full\" } }\nfull = \"first\"\n");
    let run = ["link", "crm.csv", "web.csv", "--rules", "rules.toml", "-q", "-o", "-"];
    let said = folder.ok(&[&run[..], &["--what", "entities"]].concat());
    assert_eq!(said.out, "entity_id,entity_size,name,mail,full\ncrm:1,2,Anna,ann@x,Anna\ncrm:2,1,Bob,,\n");
    let said = folder.ok(&[&run[..], &["--what", "records"]].concat());
    assert_eq!(
        said.out,
        "entity_id,source_dataset,id,name,mail,full\ncrm:1,crm,1,Ann,ann@x,\ncrm:2,crm,2,Bob,,\ncrm:1,web,7,,ann@x,Anna\n"
    );
}

#[test]
fn pairs_have_columns_of_both_records() {
    let folder = Folder::with_people();
    let run = ["dedupe", "people.csv", "--rule", SAME_PHONE, "-q", "-o", "-"];
    let said = folder.ok(&[&run[..], &["--with", "name,Year"]].concat());
    let expected =
        "unique_id_l,unique_id_r,match_key,name_l,name_r,year_l,year_r\n1,2,rule_1,john smith,jon smith,1980,1980\n";
    assert_eq!(said.out, expected);
    let all = folder.ok(&[&run[..], &["--with", "all"]].concat()).out;
    has(&all, &["unique_id_l,unique_id_r,match_key,name_l,name_r,phone_l,phone_r,year_l,year_r\n"]);
    let said = folder.fails(&[&run[..], &["--with", "nmae"]].concat());
    has(&said, &["no input has a column `nmae`", "did you mean `name`?"]);
    has(
        &folder.fails(&[&run[..], &["--with", "name", "--what", "clusters"]].concat()),
        &["--with gives columns to pairs"],
    );
}
