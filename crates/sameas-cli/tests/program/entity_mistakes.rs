//! Mistakes in `[entity]` and in what is asked of entities: each is named with its place, and with what to write.

use crate::support::{Folder, has};

const CRM: &str = "id,name,phone,year,born\n1,ann,555-1,1980,1980-05-31\n2,anna,555-1,1981,\n3,bob,,1990,1990-01-01\n";
const WEB: &str = "id,name,phone,city\n7,ann,555-1,Rome\n8,carl,,Oslo\n";

/// The line of the entry in the rule file.
const LINE: &str = "rules.toml:4";

fn folder(entry: &str) -> Folder {
    let folder = Folder::new();
    folder.write("crm.csv", CRM);
    folder.write("web.csv", WEB);
    folder.write("rules.toml", format!("[[rule]]\nwhen = \"l.phone = r.phone\"\n[entity]\n{entry}\n"));
    folder
}

const LINK: [&str; 5] = ["link", "crm.csv", "web.csv", "--rules", "rules.toml"];

/// What is said of an entry, which stands on the fourth line: by a run, and by `check`.
fn refused(entry: &str) -> String {
    let folder = folder(entry);
    let said = folder.fails(&LINK);
    has(&said, &[LINE, "help: "]);
    let checked = folder.run(&["check", "--link", "crm.csv", "web.csv", "--rules", "rules.toml"]);
    assert_eq!((checked.code, checked.out.as_str(), &checked.err), (Some(1), "", &said), "{entry}");
    said
}

#[test]
fn what_is_taken_must_be_known() {
    for (entry, parts) in [
        ("name = \"most_frequnt\"", &["most_frequnt", "\"most_frequent\""][..]),
        ("name = {}", &["`take`", "take = "]),
        ("name = { by = \"year\" }", &["`name` has no `take`"]),
        ("name = { take = \"first\", wher = \"year > 1\" }", &["wher", "where"]),
        ("name = { strategy = \"first\" }", &["strategy", "take"]),
        ("name = 3", &["name"]),
    ] {
        has(&refused(entry), parts);
    }
}

#[test]
fn what_it_needs_must_be_there_and_nothing_else() {
    for (entry, parts) in [
        ("name = \"newest\"", &["`newest`", "`by`"][..]),
        ("name = { take = \"oldest\" }", &["`oldest`", "`by`"]),
        ("name = { take = \"longest\", by = \"year\" }", &["`longest`", "`by`"]),
        ("name = \"priority\"", &["`priority`", "`sources`"]),
        ("name = { take = \"priority\", sources = [] }", &["`sources`"]),
        ("name = { take = \"first\", sources = [\"crm\"] }", &["`first`", "`sources`"]),
        ("name = { take = \"first\", value = \"city\", columns = [\"city\"] }", &["`value`", "group"]),
        ("some = { take = \"longest\", columns = [\"name\", \"city\"] }", &["`longest`", "group"]),
        ("some = { take = \"sum\", columns = [\"year\"] }", &["`sum`", "group"]),
        ("some = { take = \"first\", columns = [] }", &["no columns"]),
        ("\"*\" = \"longest\"", &["`longest`"]),
    ] {
        has(&refused(entry), parts);
    }
}

#[test]
fn names_must_be_those_of_columns_and_inputs() {
    for (entry, parts) in [
        ("nmae = \"first\"", &["`nmae`", "`name`"][..]),
        ("some = { take = \"first\", columns = [\"name\", \"ciyt\"] }", &["`ciyt`", "`city`"]),
        ("name = { take = \"newest\", by = \"yaer\" }", &["`yaer`", "`year`"]),
        ("name = { take = \"first\", where = \"yaer > 1\" }", &["`yaer`", "`year`"]),
        ("some = { take = \"first\", value = \"lower(nmae)\" }", &["`nmae`", "`name`"]),
        ("some = { take = \"first\", value = { crn = \"name\" } }", &["`crn`", "`crm`"]),
        ("name = { take = \"priority\", sources = [\"crm\", \"wbe\"] }", &["`wbe`", "`web`"]),
    ] {
        has(&refused(entry), parts);
    }
}

#[test]
fn values_must_suit_what_is_taken() {
    let numbers = ["`sum` needs numbers, and column `year` holds text", "cast(year as double)"];
    has(&refused("year = \"sum\""), &numbers);
    has(&refused("name = { take = \"mean\", value = \"lower(name)\" }"), &["`mean` needs numbers", "text"]);
    has(&refused("some = { take = \"longest\", value = \"cast(year as double)\" }"), &["`longest`", "texts or lists"]);
    has(&refused("name = { take = \"first\", where = \"lower(name)\" }"), &["lower(name)"]);
    has(&refused("name = { take = \"first\", where = \"l.name = 'a'\" }"), &["l.name"]);
}

#[test]
fn a_column_is_named_once() {
    let two = folder("name = \"first\"\nsome = { take = \"first\", columns = [\"city\", \"NAME\"] }").fails(&LINK);
    has(&two, &["`name`", "rules.toml:5", "rules.toml:4", "help: "]);
    let rest = folder("\"*\" = \"first\"\nall = { take = \"first\", columns = \"*\" }").fails(&LINK);
    has(&rest, &["rules.toml:5", "rules.toml:4", "help: "]);
}

#[test]
fn all_mistakes_come_at_once() {
    let newest = "name = { take = \"newest\", by = \"yaer\" }";
    let said = folder(&format!("nmae = \"first\"\n{newest}\nyear = {{ take = \"first\", where = \"yaer > 1\" }}"))
        .fails(&LINK);
    has(&said, &["rules.toml:4", "rules.toml:5", "rules.toml:6"]);
}

#[test]
fn options_of_tables_name_what_is_wrong() {
    let folder = folder("name = \"first\"");
    for (options, parts) in [
        (&["--with", "nmae"][..], &["`nmae`", "`name`", "help: "][..]),
        (&["--what", "entites"], &["entites", "entities"]),
        (&["--keep", "worst", "--what", "records"], &["worst", "best"]),
    ] {
        let said = folder.fails(&[&LINK[..], options].concat());
        has(&said, parts);
    }
}

#[test]
fn names_of_results_come_once() {
    let folder = folder("name = \"first\"");
    folder.write("crm.csv", CRM.replacen("born", "entity_id", 1));
    for options in [&["--what", "entities"][..], &["--what", "records"]] {
        has(&folder.fails(&[&LINK[..], options].concat()), &["`entity_id`", "help: "]);
    }
}
