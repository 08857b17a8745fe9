use super::*;
use crate::expr::Type;
use crate::rules::{Column, NamedFile, compile};

#[test]
fn reads_a_whole_rule_file() {
    let file = RuleFile::parse(
        "link_type = \"dedupe_only\"\nunique_id = \"key\"\n[derive]\nname = \"lower(a)\"\n[derive.right]\nname = \"lower(b)\"\n\
         [[rule]]\nname = \"x\"\nwhen = \"l.a = r.a\"\n[[rule]]\nwhen = \"l.b = r.b\"\n[[never]]\nwhen = \"l.c <> r.c\"\n",
        "j.toml",
    )
    .unwrap();
    assert_eq!(file.link_type, Some(LinkType::DedupeOnly));
    assert_eq!(file.derive[0][0].origin.text, "lower(a)");
    assert_eq!(file.derive[1][0].origin.text, "lower(b)");
    assert_eq!(file.rule_names().unwrap(), ["x", "rule_2"]);
    assert_eq!(file.rules[0].origin.place, "j.toml:9");
    assert_eq!(file.nevers.len(), 1);
}

#[test]
fn reads_what_says_how_inputs_are_read() {
    let file = RuleFile::parse(
        "unique_id = { left = \"a\", right = \"b\" }\nencoding = \"latin1\"\nnull = [\"-\", \"N/A\"]\n\
         blank_is_null = true\nskip_null_ids = false\n[derive]\nx = \"y\"\n[derive.people]\nx = \"z\"\n",
        "j",
    )
    .unwrap();
    assert_eq!((file.unique_ids["left"].as_str(), file.unique_ids["right"].as_str()), ("a", "b"));
    assert_eq!((file.encoding.as_deref(), file.null), (Some("latin1"), vec!["-".to_owned(), "N/A".to_owned()]));
    assert_eq!((file.blank_is_null, file.skip_null_ids), (Some(true), Some(false)));
    assert_eq!(file.derive_of["people"][0].origin.text, "z");
    assert_eq!(file.derive[0].len(), 1);
}

fn mistakes(text: &str) -> String {
    RuleFile::parse(text, "j.toml").expect_err(text).to_string()
}

#[test]
fn says_where_a_file_is_wrong() {
    assert!(mistakes("a = \n").contains("--> j.toml:1\n"), "{}", mistakes("a = \n"));
    let twice = RuleFile::parse("[[rule]]\nname=\"a\"\nwhen=\"x\"\n[[rule]]\nname=\"a\"\nwhen=\"y\"\n", "j").unwrap();
    let twice = twice.rule_names().unwrap_err().to_string();
    assert!(twice.contains("two rules are called \"a\"\n --> rule \"a\", j:5\n"), "{twice}");
    assert!(twice.contains("5 | name=\"a\"\n  |       ^\n  = help: the other is at j:2; give each rule"), "{twice}");
}

#[test]
fn each_mistake_has_its_place_and_the_nearest_word() {
    for (text, line, message, help) in [
        ("uniqe_id = \"a\"\n", 1, "unknown key `uniqe_id`", "did you mean `unique_id`?"),
        ("\n[[rules]]\nwhen = \"l.a = r.a\"\n", 2, "unknown key `rules`", "`[[rule]]`"),
        ("[rule]\nwhen = \"l.a = r.a\"\n", 1, "`[rule]` is one table", "write `[[rule]]`"),
        ("[never]\nwhen = \"l.a = r.a\"\n", 1, "`[never]` is one table", "write `[[never]]`"),
        ("[rule.phone]\nwhen = \"l.a = r.a\"\n", 1, "a rule has its name inside", "`name = \"phone\"`"),
        ("rule = \"l.a = r.a\"\n", 1, "`rule` must be a list of tables", "write `[[rule]]`"),
        ("[[rule]]\nwhn = \"l.a = r.a\"\n", 2, "unknown key `whn`", "did you mean `when`?"),
        ("[[rule]]\ncondition = \"l.a = r.a\"\n", 2, "unknown key `condition`", "called `when`"),
        ("[[rule]]\nname = \"x\"\n", 1, "this rule has no `when`", "when = \"l.email = r.email\""),
        ("[[rule]]\nwhen = 3\n", 2, "`when` must be a text in quotes; this is a number", "for example `when = "),
        ("[[rule]]\nname = true\nwhen = \"l.a = r.a\"\n", 2, "`name` must be a text", "name = \"same email\""),
        ("[[rule]]\nwhen = \"l.a = r.a\"\nunique_id = \"a\"\n", 3, "unknown key `unique_id`", "top of the file"),
        ("link_type = \"dedupe\"\n", 1, "unknown link type `dedupe`", "dedupe_only, link_only, link_and_dedupe"),
        ("link_type = \"link_onyl\"\n", 1, "unknown link type", "did you mean `link_only`?"),
        ("null = \"N/A\"\n", 1, "`null` must be a list of texts; this is a text", "null = [\"NULL\", \"N/A\"]"),
        ("null = [\"a\", 0]\n", 1, "`null` must be a text in quotes; this is a number", "null = ["),
        ("blank_is_null = \"yes\"\n", 1, "`blank_is_null` must be true or false", "blank_is_null = true"),
        ("unique_id = { left = 3 }\n", 1, "`left` must be a text", "right = \"key\""),
        ("[derive]\na = 3\n", 2, "the derived column `a` must be an SQL expression", "a = \"lower(given_name)\""),
        ("[[derive]]\na = \"b\"\n", 1, "`derive` must be one table", "write `[derive]`"),
        ("[derive]\na = \"b\"\nlink_type = \"link_only\"\n", 3, "is not a derived column", "top of the file"),
        ("[derive]\na = \"b\"\na = \"c\"\n", 3, "stands twice in one table", "rename it"),
    ] {
        let said = mistakes(text);
        assert!(!said.contains("mistakes in the rules"), "{said}");
        for part in [message, help, &format!("--> j.toml:{line}\n"), &format!("\n{line} | ")] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}

#[test]
fn all_mistakes_of_a_file_are_reported_at_once() {
    let said = mistakes(
        "uniqe_id = \"a\"\nnull = \"-\"\n[derive]\nx = 1\ny = \"lower(\"\n[[rules]]\nwhn = \"l.a = = r.a\"\n\
         [[never]]\nname = \"n\"\n[[never]]\nwhen = \"\"\"\n  l.a = r.a\n  and lowr(l.b) = r.b\"\"\"\n",
    );
    for part in [
        "9 mistakes in the rules",
        "`uniqe_id`\n --> j.toml:1\n  |\n1 | uniqe_id = \"a\"\n  | ^^^^^^^^\n",
        "j.toml:2\n",
        "j.toml:4\n",
        "derive `y`, j.toml:5\n",
        "`rules`\n --> j.toml:6\n  |\n6 | [[rules]]\n  |   ^^^^^\n",
        "`whn`\n --> j.toml:7\n",
        "rule, j.toml:7\n  |\n7 | whn = \"l.a = = r.a\"\n  |              ^\n",
        "never has no `when`\n --> j.toml:8\n",
        "unknown function `lowr`\n  --> never, j.toml:13\n   |\n13 |   and lowr(l.b) = r.b\"\"\"\n   |       ^^^^\n",
    ] {
        assert!(said.contains(part), "{part}\n---\n{said}");
    }
}

#[test]
fn two_files_may_not_derive_one_column() {
    let parse = |text: &str, name: &str| RuleFile::parse(text, name).unwrap();
    let mut first = parse("[derive]\na = \"x\"\nb = \"x\"\n", "one.toml");
    let second = parse("\n[derive]\na = \"y\"\n[derive.left]\nb = \"z\"\nc = \"x\"\n", "two.toml");
    let said = first.extend(second).unwrap_err().to_string();
    for part in [
        "2 mistakes",
        "derive a column `a`\n --> derive `a`, two.toml:3\n",
        "the other is at one.toml:2",
        "column `b`\n --> derive `b`, two.toml:5\n",
    ] {
        assert!(said.contains(part), "{part}\n---\n{said}");
    }
}

#[test]
fn misspelt_tables_are_read_beside_the_others() {
    let said = mistakes(
        "[[rule]]\nname = \"n\"\nwhen = \"l.a = r.a\"\n[[rules]]\nname = \"n\"\nwhen = 3\n[[rules]]\nname = \"n\"\n\
         when = \"l.b = = r.b\"\n",
    );
    let wrong = "found: =\n --> rule \"n\", j.toml:9\n";
    for part in ["4 mistakes", "`rules`", "`when` must be a text", "two rules are called \"n\"", wrong] {
        assert!(said.contains(part), "{part}\n---\n{said}");
    }
}

/// The line and the caret are those of the mistake, however the text is written.
#[test]
fn carets_stand_at_the_mistake() {
    for (when, line, shown, caret) in [
        ("\"\"\"\n  l.a = r.a\n  and lowr(l.b) = r.b\n\"\"\"", 4, "  and lowr(l.b) = r.b", 6),
        ("\"\"\"\n  l.a = r.a\r\n  and lowr(l.b) = r.b\n\"\"\"", 4, "  and lowr(l.b) = r.b", 6),
        ("'''l.a = r.a\n  and lowr(l.b) = r.b'''", 3, "  and lowr(l.b) = r.b'''", 6),
        ("\"l.\\\"a\\\" = r.a and lowr(l.b) = r.b\"", 2, "when = \"l.\\\"a\\\" = r.a and lowr(l.b) = r.b\"", 26),
        ("\"\"\"\\\n    l.a = r.a \\\n    and lowr(l.b) = r.b\"\"\"", 4, "    and lowr(l.b) = r.b\"\"\"", 8),
        ("\"\"\"\n\n  l.a\"\"\"", 4, "  l.a\"\"\"", 2),
    ] {
        let file = RuleFile::parse(&format!("[[rule]]\nwhen = {when}\n"), "j.toml").unwrap();
        let columns = ["a", "b"].map(|name| Column { name: name.into(), key: name.into(), ty: Ok(Type::Text) });
        let said = compile(&file, LinkType::DedupeOnly, [&columns, &columns]).unwrap_err().to_string();
        assert!(said.contains(&format!("j.toml:{line}\n")), "{said}");
        assert!(said.contains(&format!("\n{line} | {shown}\n  | {}^", " ".repeat(caret))), "{shown}\n{said}");
    }
}

/// What is wrong with a file that can be read.
fn mistakes_of_scores(text: &str) -> String {
    RuleFile::parse(text, "j.toml").unwrap().check_syntax().expect_err(text).to_string()
}

const COMPARED: &str = "[[compare]]\nlevels = [\"l.a = r.a\"]\n";

#[test]
fn a_score_says_nothing_where_nothing_is_compared() {
    let pairs = "[[rule]]\nwhen = \"l.a = r.a\"\n[score]\npairs = \"p.csv\"\n";
    let rule = "[[rule]]\nwhen = \"l.a = r.a\"\n[score]\n\n";
    let compare =
        "add a comparison, `[[compare]]` with `levels`, or name a file with scores: `pairs = \"scored.parquet\"`";
    for (before, line, why, help) in [
        (pairs, "threshold_weight = 3.5", "the scores are given", "write the least of them as `threshold`"),
        (pairs, "prior = 0.1", "the scores are given", "leave it out"),
        (pairs, "levels = true", "the scores are given", "leave it out"),
        (rule, "threshold = 0.9", "nothing is compared", compare),
        (rule, "threshold_weight = -2", "nothing is compared", compare),
        (rule, "prior = 0.1", "nothing is compared", compare),
    ] {
        let (key, value) = line.split_once(" = ").unwrap();
        let what = if key == "threshold_weight" { "threshold" } else { key };
        let (blanks, carets) = (" ".repeat(key.len() + 3), "^".repeat(value.len()));
        let expected = format!(
            "`{key}` has no meaning here: {why}\n --> {what}, j.toml:5\n  |\n5 | {line}\n  | {blanks}{carets}\n  \
             = help: {help}"
        );
        assert_eq!(mistakes_of_scores(&format!("{before}{line}\n")), expected);
    }
    for fine in [format!("{pairs}threshold = 7\n"), format!("{COMPARED}[score]\nthreshold = 0.9\nprior = 0.1\n")] {
        RuleFile::parse(&fine, "j.toml").unwrap().check_syntax().unwrap();
    }
    // A comparison that is wrong is one mistake.
    let said = mistakes("[[compare]]\nlevels = []\n[score]\nthreshold = 0.9\n");
    assert!(said.starts_with("this comparison has no level\n"), "{said}");
}

#[test]
fn mistakes_of_thresholds_are_shown_in_their_lines() {
    let said = mistakes_of_scores(&format!("{COMPARED}\n[score]\nthreshold = 1.5 # high\n"));
    let expected = "`threshold` is a probability: more than 0 and less than 1\n --> threshold, j.toml:5\n  |\n\
                    5 | threshold = 1.5 # high\n  |             ^^^\n  = help: write for example `threshold = 0.9`";
    assert_eq!(said, expected);
    let weighted = "\n[[compare]]\nsimilarity = \"jaro(l.a, r.a)\"\n[score]\nprior = 0.5\n";
    let said = mistakes_of_scores(weighted);
    assert!(said.contains("--> prior, j.toml:5\n  |\n5 | prior = 0.5\n  |         ^^^\n"), "{said}");
    // A comparison without a name is shown by its table.
    let said = mistakes_of_scores(&format!("[score]\npairs = \"p.csv\"\n{COMPARED}"));
    assert!(said.contains("--> comparison, j.toml:3\n  |\n3 | [[compare]]\n"), "{said}");
}

#[test]
fn the_first_file_with_a_threshold_counts() {
    let parse = |text: &str| RuleFile::parse(text, "j.toml").unwrap();
    let mut first = parse("[score]\nthreshold = 0.9\n");
    first.extend(parse("[score]\nthreshold_weight = 3\nprior = 0.1\n")).unwrap();
    assert_eq!((first.score.threshold, first.score.threshold_weight, first.score.prior), (Some(0.9), None, Some(0.1)));
}

#[test]
fn a_file_of_term_frequencies_belongs_to_a_column() {
    let text = format!("{COMPARED}term_frequency = \" a \"\nterm_frequencies = \"names.parquet\"\n{COMPARED}");
    let file = RuleFile::parse(&text, "j.toml").unwrap();
    let named: Vec<_> = file.term_frequencies().collect();
    let table = NamedFile { name: "names.parquet".to_owned(), place: "names.parquet".into() };
    assert_eq!(named, [Some(("a", Some(table))), None]);
    for (text, message, help) in [
        (format!("{COMPARED}term_frequencies = \"a.csv\"\n"), "no column has term frequencies", "`term_frequency = "),
        (format!("{COMPARED}term_frequencies = 3\n"), "`term_frequencies`", "surnames.parquet"),
        (format!("{COMPARED}tf_table = \"a.csv\"\n"), "unknown key `tf_table`", "it is called `term_frequencies`"),
        (
            "[[compare]]\nsimilarity = \"jaro(l.a, r.a)\"\nterm_frequencies = \"a.csv\"\n".to_owned(),
            "`term_frequencies` belongs to levels",
            "leave it out",
        ),
    ] {
        let said = mistakes(&text);
        assert!(said.contains(message) && said.contains(help), "{said}");
    }
}
