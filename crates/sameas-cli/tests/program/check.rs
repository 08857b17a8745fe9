//! `check`: 0 without mistakes, 1 with, 2 where it cannot look.

use crate::support::{Folder, has};

#[test]
fn rules_without_mistakes() {
    let folder = Folder::with_people();
    folder.write("rules.toml", "[[rule]]\nwhen = \"l.phone = r.phone\"\n[[never]]\nwhen = \"l.year <> r.year\"\n");
    has(&folder.ok(&["check", "--rules", "rules.toml"]).out, &["1 rule, 1 never: no mistakes found"]);
    has(&folder.ok(&["check", "people.csv", "--rules", "rules.toml"]).out, &["all columns are there"]);
    assert_eq!(folder.names(), ["people.csv", "rules.toml"]);
}

#[test]
fn mistakes_are_findings() {
    let folder = Folder::with_people();
    folder.write("broken.toml", "[[rule]]\nwhn = \"x\"\n");
    folder.write("syntax.toml", "[[rule]]\nwhen = \"l.a = = r.a\"\n");
    folder.write("column.toml", "[[rule]]\nwhen = \"l.phne = r.phone\"\n");
    for args in [
        &["check", "--rules", "broken.toml"][..],
        &["check", "--rules", "syntax.toml"],
        &["check", "people.csv", "--rules", "column.toml"],
    ] {
        let said = folder.run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
        has(&said.err, &["error: ", ".toml:2"]);
    }
    folder.ok(&["check", "--rules", "column.toml"]);
}

#[test]
fn what_keeps_it_from_looking_is_a_failure() {
    let folder = Folder::with_people();
    folder.fails(&["check"]);
    folder.fails(&["check", "--rules", "none.toml"]);
    folder.fails(&["check", "none.csv", "--rule", "l.a = r.a"]);
}
