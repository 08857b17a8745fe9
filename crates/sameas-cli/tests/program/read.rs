//! Files as people have them: other encodings, headers of spreadsheets, texts that mean nothing, ids of other names, records
//! without an id.

use crate::support::{Folder, has};

/// An export of a spreadsheet: semicolons, Latin-1, line breaks of Windows, columns without a name at the end.
fn spreadsheet(rows: &str) -> Vec<u8> {
    let text = format!("Kunden-Nr;NACH.NAME;Straße;;\r\n{rows}");
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

const SAME_STREET: &str = "l.Straße = r.Straße and l.\"NACH.NAME\" = r.\"NACH.NAME\"";

#[test]
fn an_encoding_is_named_by_an_option_or_the_rule_file() {
    let folder = Folder::new();
    folder.write("kunden.csv", spreadsheet("1;Müller;Hauptstraße 1;;\r\n2;Müller;Hauptstraße 1;;\r\n3;Groß;-;;\r\n"));
    let find = ["dedupe", "kunden.csv", "--id", "Kunden-Nr", "--rule", SAME_STREET, "-o", "-", "-q"];
    let complaint = folder.fails(&find);
    has(&complaint, &["kunden.csv:1: the name of column 3 is not valid UTF-8"]);
    has(&complaint, &["help: say in which encoding the file is; for example --encoding windows-1252"]);
    for encoding in ["latin1", "ISO-8859-1", "windows-1252", "cp1252"] {
        let said = folder.ok(&[&find[..], &["--encoding", encoding]].concat());
        assert_eq!(said.out, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n");
    }
    folder.write(
        "rules.toml",
        format!("encoding = \"latin1\"\nunique_id = \"Kunden-Nr\"\n[[rule]]\nwhen = '{SAME_STREET}'\n"),
    );
    let by_file = ["dedupe", "kunden.csv", "--rules", "rules.toml", "-o", "-", "-q"];
    assert_eq!(folder.ok(&by_file).out, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n");
    // The option wins.
    has(&folder.fails(&[&by_file[..], &["--encoding", "utf-8"]].concat()), &["not valid UTF-8"]);
    for command in [&["check"][..], &["explain"], &["why", "--pair", "1", "2"]] {
        let given = ["kunden.csv", "--id", "Kunden-Nr", "--rule", SAME_STREET, "--encoding", "latin-1"];
        folder.ok(&[command, &given].concat());
    }
}

#[test]
fn a_wrong_encoding_is_explained() {
    let folder = Folder::with_people();
    let run =
        |encoding: &str| folder.fails(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "--encoding", encoding]);
    let known = "such names are utf-8, utf-16le, windows-1252, latin1, iso-8859-15, shift_jis and gb18030";
    has(&run("windows-125"), &["unknown encoding `windows-125`", "did you mean `windows-1252`?", known]);
    has(&run("x"), &["unknown encoding `x`", known]);
    folder.write("rules.toml", "encoding = \"latin-11\"\n[[rule]]\nwhen = \"l.phone = r.phone\"\n");
    let check = folder.run(&["check", "people.csv", "--rules", "rules.toml"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    has(&check.err, &["the rules say: unknown encoding `latin-11`", "did you mean `latin1`?"]);
    has(&run("utf-16le"), &["people.csv: not valid UTF-16 at byte ", "--encoding windows-1252"]);
}

#[test]
fn utf_16_is_known_by_its_mark_on_standard_input_too() {
    let text = "id,x\n1,Zoë\n2,Zoë\n";
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let said = Folder::new().feed(&["dedupe", "-", "--rule", "l.x = r.x", "-o", "-", "-q"], &bytes);
    assert_eq!(said.out, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n", "{said:?}");
}

#[test]
fn the_truth_may_be_in_another_encoding() {
    let folder = Folder::new();
    folder.write("pairs.csv", "unique_id_l,unique_id_r,match_key\nÄ,Ö,rule_1\n");
    folder.write("truth.csv", b"a,b\n\xC4,\xD6\n");
    let evaluate = ["evaluate", "--pairs", "pairs.csv", "--truth", "truth.csv"];
    has(&folder.fails(&evaluate), &["truth.csv:2: column `a` is not valid UTF-8", "--encoding windows-1252"]);
    has(&folder.ok(&[&evaluate[..], &["--encoding", "latin1"]].concat()).out, &["Found and true             1"]);
}

#[test]
fn columns_that_no_rule_names_need_no_name_of_their_own() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x,y,x,,\n1,a,b,c,,\n2,d,b,e,,\n");
    let find = |rule: &'static str| ["dedupe", "a.csv", "--rule", rule, "-o", "-", "-q"];
    assert_eq!(folder.ok(&find("l.y = r.y")).out, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n");
    let complaint = folder.fails(&find("l.x = r.x"));
    has(&complaint, &["the name of column `x` is repeated: columns 2 and 4 of a.csv have it"]);
    has(&complaint, &["help: give them different names in the first line of the file"]);
    let complaint = folder.fails(&[&find("l.y = r.y")[..], &["--id", "x"]].concat());
    has(&complaint, &["the name of column `x` is repeated: columns 2 and 4 of a.csv have it"]);
    folder.write("b.csv", "id,id,y\n1,a,b\n2,d,b\n");
    let complaint = folder.fails(&["dedupe", "b.csv", "--rule", "l.y = r.y"]);
    has(&complaint, &["the name of column `id` is repeated: columns 1 and 2 of b.csv have it"]);
}

#[test]
fn a_name_that_needs_quotes_is_suggested_with_them() {
    let folder = Folder::new();
    folder.write("a.csv", "id,NACH.NAME,Geb Datum\n1,a,b\n2,a,b\n");
    let check = |rule: &str| folder.run(&["check", "a.csv", "--rule", rule]).err;
    has(&check("l.NACH.NAME = r.NACH.NAME"), &["did you mean `l.\"NACH.NAME\"`?", "did you mean `r.\"NACH.NAME\"`?"]);
    has(&check("l.Geb Datum = r.Geb Datum"), &["did you mean `l.\"Geb Datum\"`?"]);
    folder.ok(&["check", "a.csv", "--rule", "l.\"NACH.NAME\" = r.\"NACH.NAME\" and l.\"Geb Datum\" = r.\"Geb Datum\""]);
}

#[test]
fn texts_that_mean_nothing_are_missing() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,NULL\n2,NULL\n3,N/A\n4,N/A\n5, \n6, \n7,null\n8,null\n");
    let pairs = |options: &[&str]| {
        let find = ["dedupe", "a.csv", "--rule", "l.x = r.x", "-o", "-", "-q"];
        let out = folder.ok(&[&find[..], options].concat()).out;
        out.lines().skip(1).map(|line| line[..3].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&[]), ["1,2", "3,4", "5,6", "7,8"]);
    assert_eq!(pairs(&["--null", "NULL,N/A"]), ["5,6", "7,8"]);
    assert_eq!(pairs(&["--null", "-,NULL", "--null", "N/A"]), ["5,6", "7,8"]);
    assert_eq!(pairs(&["--blank-is-null"]), ["1,2", "3,4", "7,8"]);
    folder.write("rules.toml", "null = [\"NULL\", \"null\"]\nblank_is_null = true\n[[rule]]\nwhen = \"l.x = r.x\"\n");
    let by_file = ["dedupe", "a.csv", "--rules", "rules.toml", "-o", "-", "-q"];
    assert_eq!(folder.ok(&by_file).out, "unique_id_l,unique_id_r,match_key\n3,4,rule_1\n");
    // The option takes the place of the file's texts.
    let other = folder.ok(&[&by_file[..], &["--null", "N/A"]].concat()).out;
    assert_eq!(other, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n7,8,rule_1\n");
}

/// Two tables whose ids have other names.
fn two_tables() -> Folder {
    let folder = Folder::new();
    folder.write("kunden.csv", "knr,x\nk1,a\nk2,b\n");
    folder.write("people.csv", "id,pno,x\n1,p1,b\n2,p2,a\n");
    folder
}

#[test]
fn each_side_of_a_link_may_have_its_own_id_column() {
    let folder = two_tables();
    let link = ["link", "kunden.csv", "people.csv", "--rule", "l.x = r.x", "-o", "-", "-q"];
    has(&folder.fails(&link), &["`kunden` has no column `id`", "--id-left"]);
    let found = |more: &[&str]| folder.ok(&[&link[..], more].concat()).out;
    assert!(found(&["--id-left", "knr"]).ends_with("\nk1,2,rule_1\nk2,1,rule_1\n"));
    assert!(found(&["--id-left", "knr", "--id-right", "pno"]).ends_with("\nk1,p2,rule_1\nk2,p1,rule_1\n"));
    assert!(found(&["--id", "pno", "--id-left", "knr"]).ends_with("\nk1,p2,rule_1\nk2,p1,rule_1\n"));
    let by_file = |ids: &str| {
        folder.write("rules.toml", format!("unique_id = {ids}\n[[rule]]\nwhen = \"l.x = r.x\"\n"));
        ["link", "kunden.csv", "people.csv", "--rules", "rules.toml", "-o", "-", "-q"]
    };
    assert!(folder.ok(&by_file("{ left = \"knr\", right = \"pno\" }")).out.ends_with("\nk1,p2,rule_1\nk2,p1,rule_1\n"));
    assert!(folder.ok(&by_file("{ kunden = \"knr\" }")).out.ends_with("\nk1,2,rule_1\nk2,1,rule_1\n"));
    // An option says more than the file.
    let other = [&by_file("{ left = \"x\", right = \"pno\" }")[..], &["--id-left", "knr"]].concat();
    assert!(folder.ok(&other).out.ends_with("\nk1,p2,rule_1\nk2,p1,rule_1\n"));
    let why =
        ["why", "--link", "kunden.csv", "people.csv", "--rule", "l.x = r.x", "--id-left", "knr", "--pair", "k1", "2"];
    has(&folder.ok(&why).out, &["are a pair"]);
}

#[test]
fn an_id_column_for_an_input_that_is_not_there_is_a_mistake() {
    let folder = two_tables();
    folder.write("rules.toml", "unique_id = { kunde = \"knr\" }\n[[rule]]\nwhen = \"l.x = r.x\"\n");
    let complaint = folder.fails(&["link", "kunden.csv", "people.csv", "--rules", "rules.toml"]);
    has(&complaint, &["an id column is given for `kunde`, and no input has that name", "did you mean `kunden`?"]);
    has(&complaint, &["an input of this job can be called `left` or `right` or `kunden` or `people`"]);
    let check = folder.run(&["check", "--link", "kunden.csv", "people.csv", "--rules", "rules.toml"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    folder.write("one.toml", "unique_id = { left = \"knr\" }\n[[rule]]\nwhen = \"l.x = r.x\"\n");
    let complaint = folder.fails(&["dedupe", "kunden.csv", "--rules", "one.toml"]);
    has(&complaint, &["an id column is given for `left`", "can be called `kunden`"]);
}

#[test]
fn records_without_an_id_are_an_error_or_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,a\n,a\nnone,a\n2,a\n,b\n");
    folder.write("b.csv", "id,x\n,a\n3,a\n");
    let find = ["dedupe", "a.csv", "b.csv", "--rule", "l.x = r.x", "--format", "csv", "--overwrite"];
    let complaint = folder.fails(&find);
    has(&complaint, &["a.csv:3: the id in column `id` is missing, and those of 2 more records"]);
    has(
        &complaint,
        &["help: every record needs an id; row numbers can be used instead, or records without an id left out"],
    );
    has(&complaint, &["; use `--id row` or --skip-null-ids for that"]);
    let said = folder.ok(&[&find[..], &["--skip-null-ids", "--null", "none"]].concat()).out;
    has(
        &said,
        &["a: 3 records in 2 files", "4 records of `a` have no id and were left out: row 2 of a.csv, row 3 of a.csv"],
    );
    has(&said, &["row 1 of b.csv", "sameas-out/skipped.csv lists"]);
    assert_eq!(
        folder.read("sameas-out/pairs.csv"),
        "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n1,3,rule_1\n2,3,rule_1\n"
    );
    assert_eq!(folder.read("sameas-out/clusters.csv"), "unique_id,cluster_id\n1,1\n2,1\n3,1\n");
    let skipped = "source_dataset,file,row\na,a.csv,2\na,a.csv,3\na,a.csv,5\na,b.csv,1\n";
    assert_eq!(folder.read("sameas-out/skipped.csv"), skipped);
    let run: serde_json::Value = serde_json::from_str(&folder.read("sameas-out/run.json")).unwrap();
    assert_eq!((&run["inputs"][0]["rows"], &run["inputs"][0]["skipped_records"]), (&3.into(), &4.into()));
    assert_eq!(run["files"].as_array().unwrap().len(), 3);
    // The next run has none to list, and removes the list.
    folder.ok(&[&find[..], &["--id", "row"]].concat());
    assert!(!folder.path("sameas-out/skipped.csv").exists());
    let run: serde_json::Value = serde_json::from_str(&folder.read("sameas-out/run.json")).unwrap();
    assert_eq!(run["inputs"][0]["skipped_records"], 0);
}

#[test]
fn after_records_were_left_out_places_are_still_right() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n,a\n1,b\n\n,c\n2,d\n1,e\n");
    folder.write("rules.toml", "skip_null_ids = true\n[[rule]]\nwhen = \"l.x = r.x\"\n");
    let complaint = folder.fails(&["dedupe", "a.csv", "--rules", "rules.toml"]);
    has(&complaint, &["a.csv:7: the id `1` in column `id` was used before, at a.csv:3"]);
}

#[test]
fn a_pair_on_standard_output_comes_with_a_note_of_what_was_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "id,x\n1,a\n,a\n2,a\n");
    let said = folder.ok(&["dedupe", "a.csv", "--rule", "l.x = r.x", "--skip-null-ids", "-o", "-"]);
    assert_eq!(said.out, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n");
    has(&said.err, &["1 record of `a` has no id and was left out: row 2 of a.csv"]);
}

/// Not text in an old encoding, whatever its name ends in and wherever it comes from.
#[test]
fn a_spreadsheet_is_recognised() {
    let folder = Folder::new();
    let book = [&b"PK\x03\x04"[..], &[0; 26], b"[Content_Types].xml\xFF\x9C\x0D"].concat();
    folder.write("people.xlsx", &book);
    folder.write("people.csv", &book);
    for file in ["people.xlsx", "people.csv"] {
        for command in [&["profile"][..], &["dedupe", "--rule", "l.a = r.a", "-o", "out"]] {
            let complaint = folder.fails(&[command, &[file]].concat());
            let what = format!("error: {file}: the file is a spreadsheet, and CSV, JSON lines or Parquet is needed\n");
            has(&complaint, &[&what, "help: save the sheet as CSV in UTF-8, or read it in Python"]);
        }
    }
    let said = folder.feed(&["dedupe", "-", "--rule", "l.a = r.a", "-o", "-"], &book);
    assert_eq!(said.code, Some(2));
    has(&said.err, &["<stdin>: the file is a spreadsheet"]);
}
