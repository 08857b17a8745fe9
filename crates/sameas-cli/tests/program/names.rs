//! Names with control characters in them do nothing to a terminal, in messages and in reports.

use crate::support::{Folder, Said};

/// Clears a screen, rings, goes back to the line's start, begins a line, is a C1 control, turns the direction of writing,
/// is invisible.
const EVIL: &str = "e\u{1b}[2J\u{7}\r\u{9b}1m\u{202e}\u{200b}v";
const SHOWN: &str = "e\\u{1b}[2J\\u{7}\\r\\u{9b}1m\\u{202e}\\u{200b}v";

/// What is said has the name in it, escaped, and no line that a name has begun.
fn is_clean(said: &Said, shown: &str, args: &[&str]) {
    let text = format!("{}{}", said.out, said.err);
    let is_raw = |c: char| c.is_control() && c != '\n' || ['\u{202e}', '\u{200b}'].contains(&c);
    assert!(!text.contains(is_raw), "{args:?}: {text:?}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(shown), "{args:?}: no {shown} in {text:?}");
    assert!(!text.lines().any(|line| line.trim_start().starts_with("forged")), "{args:?}: {text:?}");
}

/// Runs the program, and its text must be clean and have the name in it.
fn clean(folder: &Folder, args: &[&str], shown: &str) {
    is_clean(&folder.run(args), shown, args);
}

#[test]
fn names_of_files_columns_and_ids_in_errors() {
    let folder = Folder::new();
    let rule = ["--rule", "l.a = r.a"];
    let run = |args: &[&str], shown: &str| clean(&folder, &[args, &rule].concat(), shown);
    let missing = format!("{EVIL}\nforged: x.csv");
    run(&["dedupe", &missing], &format!("{SHOWN}\\nforged: x.csv: not a valid pattern"));
    folder.write("twice.csv", format!("id,a\n\"{EVIL}\nforged\",x\n\"{EVIL}\nforged\",y\n"));
    run(&["dedupe", "twice.csv"], &format!("the id `{SHOWN}\\nforged`"));
    folder.write("columns.csv", format!("\"{EVIL}\nforged\",a\n1,x\n"));
    run(&["dedupe", "columns.csv"], &format!("columns are: {SHOWN}\\nforged, a"));
    run(&["dedupe", "columns.csv", "--id", EVIL], &format!("no column `{SHOWN}`"));
    run(&["why", "twice.csv", "--pair", &missing, "1"], SHOWN);
    run(&["dedupe", "columns.csv", "-o", "columns.csv/\u{1b}[31m"], "columns.csv/\\u{1b}[31m");
    run(&["dedupe", "columns.csv", "--threads", &missing], &format!("{SHOWN}\\nforged"));
    run(&["dedupe", "columns.csv", &format!("--{missing}")], &format!("{SHOWN}\\nforged"));
}

#[test]
fn names_in_rules() {
    let folder = Folder::with_people();
    let json = |name: &str| serde_json::to_string(name).unwrap().replace('\u{9b}', "\\u009b");
    let evil = json(&format!("{EVIL}\nforged"));
    let shown = format!("{SHOWN}\\nforged");
    for rules in [
        format!("{evil} = 1\n"),
        format!("[[rule]]\nwhen = \"l.a = r.a\"\n{evil} = 1\n"),
        format!("[derive]\n{evil} = 3\n[[rule]]\nwhen = \"l.a = r.a\"\n"),
        format!("[[rule]]\nname = {evil}\nwhen = \"l.a = = r.a\"\n"),
        format!("[[rule]]\nname = {evil}\nwhen = \"l.phone = r.phone\"\n").repeat(2),
    ] {
        folder.write("rules.toml", rules);
        clean(&folder, &["check", "people.csv", "--rules", "rules.toml"], &shown);
    }
    let text = json(&format!("l.phone = r.phone and l.name = '{EVIL}' and l.none = r.none"));
    folder.write("rules.toml", format!("[[rule]]\nwhen = {text}\n"));
    // The line is shown as it is written in the file, with its escapes; what is not escaped there is escaped here.
    let line = r"l.name = 'e\u001b[2J\u0007\r\u009b1m\u{202e}\u{200b}v' and l.none";
    clean(&folder, &["check", "people.csv", "--rules", "rules.toml"], line);
    let args = ["check", "people.csv", "--rule", &format!("l.name = '{EVIL}' and l.none = r.none")];
    clean(&folder, &args, &format!("l.name = '{SHOWN}' and l.none"));
}

#[test]
fn names_in_reports() {
    let folder = Folder::new();
    let json = |name: &str| serde_json::to_string(name).unwrap().replace('\u{9b}', "\\u009b");
    let name = format!("{EVIL}\nforged");
    let shown = format!("{SHOWN}\\nforged");
    let input = format!("{EVIL}.csv");
    folder.write(&input, format!("id,a,b\n\"{name}\",x,1\n2,x,2\n3,y,3\n4,\"{EVIL}\",4\n"));
    let rules = format!(
        "[derive]\n{unused} = \"a\"\n[[rule]]\nname = {evil}\nwhen = \"l.a = r.a\"\n[[rule]]\nname = \"b\"\n\
         when = \"jaro(l.a, r.b) > 0.5\"\n[[never]]\nname = {evil}\nwhen = \"l.a = '7'\"\n",
        evil = json(&name),
        unused = json(&name)
    );
    folder.write("rules.toml", rules);
    let given = [input.as_str(), "--rules", "rules.toml"];
    let run = |before: &[&str], after: &[&str], shown: &str| clean(&folder, &[before, &given, after].concat(), shown);
    run(&["dedupe"], &["-o", &format!("out{EVIL}")], &shown);
    let args = [&["dedupe"], &given[..], &["-o", "-"]].concat();
    let said = folder.ok(&args);
    is_clean(&Said { out: String::new(), ..said }, &shown, &args);
    run(&["explain"], &[], &shown);
    run(&["explain"], &["--analyze"], &shown);
    run(&["check"], &[], &format!("the derived column `{shown}`"));
    run(&["why"], &["--pair", "2", &name], &format!("{shown} and 2 are a pair: rule \"{shown}\" holds."));
    clean(&folder, &["generate", "people", "--records", "3", "-o", EVIL], &format!("{SHOWN}/records.csv"));
}

#[test]
fn data_stays_as_it_is() {
    let folder = Folder::new();
    folder.write("x.csv", format!("id,a\n\"{EVIL}\nx\",x\n2,x\n"));
    let said = folder.ok(&["dedupe", "x.csv", "--rule", "l.a = r.a", "-o", "-", "-q"]);
    assert_eq!(said.out, format!("unique_id_l,unique_id_r,match_key\n\"{EVIL}\nx\",2,rule_1\n"));
    let plan = folder.ok(&["explain", "x.csv", "--rule", "l.a = r.a and l.a <> '\u{202e}'", "--format", "json"]).out;
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    assert!(plan.to_string().contains('\u{202e}'));
}
