//! `functions`: what rules can be made of; dates, numbers and lists of names as people have them.

use crate::support::{Folder, has};

#[test]
fn all_functions_are_listed_in_groups() {
    let folder = Folder::new();
    let said = folder.ok(&["functions"]).out;
    has(
        &said,
        &["How similar two texts are", "jaro_winkler(a, b)", "Operators", "a || b", "in_list(a, b, 'file.csv')"],
    );
    let json: serde_json::Value = serde_json::from_str(&folder.ok(&["functions", "--format", "json"]).out).unwrap();
    let all = json.as_array().unwrap();
    assert!(all.len() > 70);
    for function in all {
        let signature = function["signature"].as_str().unwrap();
        assert!(said.contains(signature), "{signature}");
    }
}

#[test]
fn one_function_is_explained() {
    let folder = Folder::new();
    has(
        &folder.ok(&["functions", "concat"]).out,
        &["Write     concat(a, b, ...)", "null if all are null", "'Ann Smith'"],
    );
    has(&folder.ok(&["functions", "||"]).out, &["Null with null", "`concat` leaves nulls out"]);
    has(&folder.ok(&["functions", "-"]).out, &["a - b"]);
    has(&folder.ok(&["functions", "words"]).out, &["longest runs of letters and digits", "[Ann, Neil, O, Smith]"]);
    has(&folder.ok(&["functions", "REGEXP_REPLACE"]).out, &["`\\1` to `\\9`", "'Ann Smith'"]);
    let json = folder.ok(&["functions", "strptime", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["result"], "2024-05-31");
}

#[test]
fn an_unknown_function_names_the_nearest() {
    let folder = Folder::new();
    let said = folder.fails(&["functions", "jaro_winkle"]);
    has(&said, &["there is no function or operator `jaro_winkle`", "did you mean `jaro_winkler`?"]);
    has(&folder.fails(&["functions", "to_date"]), &["did you mean `strptime`?"]);
    has(&folder.fails(&["functions", "qqqqqqqqqq"]), &["without a name, all functions and operators are listed"]);
}

#[test]
fn formats_and_marks_that_mean_nothing_are_mistakes() {
    let folder = Folder::with_people();
    let fails = |rule: &str| {
        let said = folder.run(&["check", "people.csv", "--rule", rule]);
        assert_eq!(said.code, Some(1), "{said:?}");
        said.out + &said.err
    };
    let said = fails("strptime(l.name, '%d.%Q.%Y') = strptime(r.name, '%d.%Q.%Y')");
    has(&said, &["`%Q` means nothing in a format of dates", "                     ^^\n", "%d %e (day), %m (month)"]);
    has(&fails("strptime(l.name, '%d.%m.') is null and l.phone = r.phone"), &["this format has no year: `%Y` or `%y`"]);
    has(&fails("strptime(l.name, l.phone) = r.name"), &["the format must be written here, as a text in quotes"]);
    has(&fails("strptime(l.name) = r.name"), &["`strptime` takes at least 2 arguments, not 1", "strptime(a, format"]);
    has(&fails("parse_number(l.year, ';') = 1 and l.phone = r.phone"), &["the decimal mark must be ',' or '.'"]);
    has(&fails("parse_number(1 + l.year, ',') = 1 and l.phone = r.phone"), &["this is a number already"]);
    has(&fails("in_list(l.name, r.name, 'no.csv')"), &["cannot read `no.csv`: ", "beside the rule file", "^^^^^^^^\n"]);
    has(&fails("in_list(l.name, r.name, l.phone)"), &["the file must be written here, as a text in quotes"]);
    has(&fails("in_list(l.name, r.name)"), &["`in_list` takes 3 arguments, not 2"]);
}

const PEOPLE: &str = "id,given,born\n1,Bill,31.05.1980\n2,William,31.5.1980\n3,Ann,1980-05-31\n4,Liam,unknown\n";

#[test]
fn a_list_is_found_beside_the_rule_file_and_shown_by_its_name() {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    std::fs::create_dir(folder.path("rules")).unwrap();
    folder.write("rules/names.csv", "William,Bill,Liam\n");
    folder.write("names.csv", "Ann,Bill\n");
    folder.write("rules/rules.toml", "[[rule]]\nwhen = \"in_list(l.given, r.given, 'names.csv')\"\n");
    let pairs = |args: &[&str]| folder.ok(&[&["dedupe", "people.csv", "-q", "-o", "-"], args].concat()).out;
    let near = pairs(&["--rules", "rules/rules.toml"]);
    assert_eq!(near, "unique_id_l,unique_id_r,match_key\n1,2,rule_1\n1,4,rule_1\n2,4,rule_1\n");
    let here = pairs(&["--rule", "in_list(l.given, r.given, 'names.csv')"]);
    assert_eq!(here, "unique_id_l,unique_id_r,match_key\n1,3,rule_1\n");
    let why = folder.ok(&["why", "people.csv", "--rules", "rules/rules.toml", "--pair", "1", "2"]).out;
    has(&why, &["true   in_list(l.given, r.given, 'names.csv')", "l = 'Bill',  r = 'William'"]);
    let explained = folder.ok(&["explain", "people.csv", "--rules", "rules/rules.toml"]).out;
    has(&explained, &["in_list(l.given, r.given, 'names.csv')"]);
    // Rules are checked without their inputs, and without their lists, too.
    folder.ok(&["check", "--rule", "in_list(l.given, r.given, 'elsewhere.csv')"]);
}

#[test]
fn dates_that_fit_no_format_are_counted() {
    let folder = Folder::new();
    folder.write("people.csv", PEOPLE);
    let rules = "[derive]\nday = \"strptime(born, '%d.%m.%Y', '%Y-%m-%d')\"\n[[rule]]\nwhen = \"l.day = r.day\"\n";
    folder.write("rules.toml", rules);
    let said = folder.ok(&["dedupe", "people.csv", "--rules", "rules.toml"]);
    has(&(said.out + &said.err), &["Pairs        3", "1 value", "`born`"]);
}
