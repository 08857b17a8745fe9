//! Names of columns that need quotes, or that several columns have.

use super::*;
use crate::rules::bind::Unusable;

fn columns() -> Vec<Column> {
    let column = |name: &str, ty| Column { name: name.into(), key: name.into(), ty };
    let names = ["NACH.NAME", "Geb Datum", "e-mail", "Plz/Ort", "name"];
    let mut columns: Vec<Column> = names.into_iter().map(|name| column(name, Ok(Type::Text))).collect();
    columns.push(column("twice", Err(Unusable::Repeated("columns 2 and 7 of a.csv".into()))));
    columns
}

fn mistakes(toml: &str) -> String {
    let file = RuleFile::parse(toml, "rules.toml").unwrap();
    let columns = columns();
    compile(&file, LinkType::LinkOnly, [&columns, &columns]).expect_err(toml).to_string()
}

fn of_rule(rule: &str) -> String {
    mistakes(&format!("[[rule]]\nwhen = '''{rule}'''"))
}

const HELP: &str = "a name with dots, blanks or other signs needs double quotes, and in a rule file the rule is then written \
                    between '...'";

#[test]
fn a_name_without_its_quotes_is_recognised() {
    let names = [
        ("l.NACH.NAME", "NACH.NAME", "l.\"NACH.NAME\""),
        ("l.nach.name", "NACH.NAME", "l.\"NACH.NAME\""),
        ("NACH.NAME", "NACH.NAME", "l.\"NACH.NAME\""),
        ("l.Geb Datum", "Geb Datum", "l.\"Geb Datum\""),
        ("r.e-mail", "e-mail", "r.\"e-mail\""),
        ("e-mail", "e-mail", "l.\"e-mail\""),
        ("l.Plz/Ort", "Plz/Ort", "l.\"Plz/Ort\""),
    ];
    for (wrong, name, right) in names {
        let said = of_rule(&format!("{wrong} = r.name"));
        let carets = "^".repeat(wrong.len());
        assert!(said.starts_with(&format!("the name of column `{name}` needs quotes\n")), "{wrong}: {said}");
        let shown = format!(
            "| when = '''{wrong} = r.name'''\n  |           {carets}\n  = help: did you mean `{right}`? {HELP}"
        );
        assert!(said.contains(&shown), "{said}");
        assert!(!said.contains("mistakes"), "one mistake is one: {said}");
    }
    let said = of_rule("l.name = r.Geb Datum");
    assert!(said.contains("  |                    ^^^^^^^^^^^\n"), "{said}");
}

#[test]
fn a_derive_sees_the_same_names() {
    let rule = "\n[[rule]]\nwhen = 'l.name = r.name and l.x = r.x'";
    for wrong in ["lower(NACH.NAME)", "lower(Geb Datum)", "lower(e-mail)"] {
        let said = mistakes(&format!("[derive]\nx = '{wrong}'{rule}"));
        let name = &wrong[6..wrong.len() - 1];
        assert!(said.contains(&format!("the name of column `{name}` needs quotes")), "{said}");
        assert!(said.contains(&format!("did you mean `\"{name}\"`?")), "{said}");
    }
}

#[test]
fn names_in_quotes_are_found_and_suggested_with_them() {
    let file = RuleFile::parse("[[rule]]\nwhen = 'l.\"NACH.NAME\" = r.\"Geb Datum\"'", "rules.toml").unwrap();
    assert!(compile(&file, LinkType::LinkOnly, [&columns(), &columns()]).is_ok());
    assert!(of_rule("l.\"NACH.NAM\" = r.name").contains("help: did you mean `l.\"NACH.NAME\"`?"));
    assert!(of_rule("l.\"nach.name\" = r.name").contains("help: did you mean `l.\"NACH.NAME\"`?"));
    assert!(of_rule("l.nam = r.name").contains("help: did you mean `l.name`?"));
}

#[test]
fn a_name_that_several_columns_have_cannot_be_used() {
    let said = of_rule("l.twice = r.name");
    assert!(said.starts_with("the name of column `twice` is repeated: columns 2 and 7 of a.csv have it\n"), "{said}");
    assert!(said.contains("= help: give them different names in the first line of the file"), "{said}");
}
