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

/// What overflowed the stack or took minutes.
#[test]
fn long_and_deep_rules_are_checked_soon() {
    let folder = Folder::with_people();
    let list = |count: usize, separator: &str, part: &str| vec![part; count].join(separator);
    for (name, rule) in [
        ("or", list(20_000, " or ", "l.phone = r.phone || 'x'")),
        ("and", list(20_000, " and ", "l.phone = r.phone")),
        ("sum", format!("l.year = r.year + {}", list(20_000, " + ", "l.year"))),
        ("text", format!("l.phone = {}", list(20_000, " || ", "r.phone"))),
        ("in", format!("l.phone = r.phone and l.name in ({})", list(100_000, ", ", "'somebody'"))),
        ("calls", format!("l.phone = {}r.phone{}", "lower(".repeat(900), ")".repeat(900))),
    ] {
        let file = format!("{name}.toml");
        folder.write(&file, format!("[[rule]]\nwhen = \"{rule}\"\n"));
        folder.ok(&["check", "--rules", &file]);
        folder.ok(&["check", "people.csv", "--rules", &file]);
        folder.ok(&["dedupe", "people.csv", "--rules", &file, "-o", name]);
    }
    let deep = format!("[[rule]]\nwhen = \"l.phone = {}r.phone{}\"\n", "lower(".repeat(9_000), ")".repeat(9_000));
    folder.write("deep.toml", &deep);
    let said = folder.run(&["check", "--rules", "deep.toml"]);
    assert_eq!(said.code, Some(1));
    has(&said.err, &["nested more than 1000 levels deep", "deep.toml:2", "derived column"]);
}

/// Every mistake of a file at once, each with its line, its caret and the nearest word.
#[test]
fn all_mistakes_of_a_file_are_reported() {
    let folder = Folder::with_people();
    folder.write(
        "rules.toml",
        "uniqe_id = \"id\"\n\n[derive]\nshort = \"lowr(name)\"\n\n[[rules]]\nwhen = \"l.short = r.short\"\n\n[[never]]\n\
         whn = \"\"\"\n  l.phone = r.phone\n  and l.year = = r.year\n\"\"\"\n",
    );
    let said = folder.run(&["check", "people.csv", "--rules", "rules.toml"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    has(
        &said.err,
        &[
            "5 mistakes in the rules",
            "did you mean `unique_id`?",
            "derive `short`, rules.toml:4",
            "did you mean `lower`?",
            "6 | [[rules]]\n  |   ^^^^^",
            "10 | whn = \"\"\"\n   | ^^^",
            "12 |   and l.year = = r.year\n   |                ^",
        ],
    );
    folder.write("table.toml", "[rule]\nwhen = \"l.phone = r.phone\"\n");
    has(&folder.run(&["check", "--rules", "table.toml"]).err, &["table.toml:1", "write `[[rule]]`"]);
}

/// One mistake in a derived column is one mistake, whatever reads it; names that come twice hide nothing.
#[test]
fn a_mistake_has_no_others_behind_it() {
    let folder = Folder::with_people();
    folder.write(
        "rules.toml",
        "[derive]\na = \"lower(nme)\"\nb = \"substr(a, 1, 3)\"\nc = \"d || 'x'\"\nd = \"c || 'x'\"\n\
         [[rule]]\nname = \"n\"\nwhen = \"l.a = r.a and jaro(l.b, r.b) > 0.5 and l.c = r.c\"\n\
         [[rule]]\nname = \"n\"\nwhen = \"l.phne = r.phone\"\n",
    );
    let two = ["check", "people.csv", "--rules", "rules.toml"];
    let links = ["check", "people.csv", "people.csv", "--link", "--rules", "rules.toml"];
    for args in [&two[..], &links] {
        let err = folder.run(args).err;
        let mistakes =
            ["4 mistakes", "`nme`", "depend on each other: `c`, `d`", "two rules are called \"n\"", "`l.phne`"];
        has(&err, &mistakes);
        has(&err, &["rules.toml:10", "the other is at rules.toml:7"]);
    }
    folder.write("other.toml", "[derive]\nb = \"lower(name)\"\n");
    let both = folder.run(&["check", "--rules", "rules.toml", "--rules", "other.toml"]).err;
    has(&both, &["derive a column `b`", "other.toml:2", "the other is at rules.toml:3"]);
}
