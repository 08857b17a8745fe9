//! A rule file to begin with: the best keys, each with a similarity beside it where that helps.

use std::fmt::Write;

use sameas::profile::{ColumnLook, ColumnProfile, JoinKey, KeyVerdict, Profile};

use super::in_rules;
use crate::text::{counted, one_line};

/// Rules to begin with: more of them say the same in other words.
const RULES: usize = 5;

/// The text of a rule file that a person can begin with.
pub fn first_rules(profile: &Profile) -> String {
    let keys = chosen(profile);
    let names: Vec<String> = profile.inputs.iter().map(|input| one_line(&input.name)).collect();
    let mut out = format!("# Rules to begin with, from the profile of {}.\n", names.join(" and "));
    out += "# Run them, look at the pairs (`sameas why`), then make them stricter or add others.\n";
    let _ = writeln!(out, "\nlink_type = \"{}\"", profile.link_type.name());
    out += &id_column(profile);
    for key in &keys {
        let similar = similarity(profile, key).map(|similar| format!(" and {similar}")).unwrap_or_default();
        let _ = writeln!(out, "\n# {}", counted(key.candidates, "candidate"));
        let _ = writeln!(out, "[[rule]]\nname = {}", quoted(&format!("same {}", key.columns.join(" and "))));
        let _ = writeln!(out, "when = {}", quoted(&format!("{}{similar}", key.condition)));
    }
    if keys.is_empty() {
        out += "\n# No key was found that gives few candidates. A rule looks like this:\n";
        out += "# [[rule]]\n# when = \"jaro_winkler(l.name, r.name) >= 0.92\"\n";
    }
    out
}

/// The best keys of which none is made of the columns of another one.
fn chosen(profile: &Profile) -> Vec<&JoinKey> {
    let mut chosen: Vec<&JoinKey> = Vec::new();
    for key in profile.keys.iter().filter(|key| key.verdict == KeyVerdict::Good) {
        let holds = |other: &&JoinKey| other.columns.iter().all(|column| key.columns.contains(column));
        if chosen.len() < RULES && !chosen.iter().any(holds) {
            chosen.push(key);
        }
    }
    chosen
}

/// Says which column holds the ids, unless it has the name that is looked for anyway.
fn id_column(profile: &Profile) -> String {
    let is_usual = |column: &ColumnProfile| ["id", "unique_id"].contains(&column.name.to_lowercase().as_str());
    if profile.inputs.iter().all(|input| input.columns.iter().any(is_usual)) {
        return String::new();
    }
    let in_all = |name: &str| {
        profile.inputs.iter().all(|input| input.columns.iter().any(|column| column.name == name && column.can_be_id))
    };
    let found = profile.inputs[0].columns.iter().map(|column| column.name.as_str()).find(|name| in_all(name));
    format!("unique_id = {}\n", quoted(found.unwrap_or("row")))
}

/// A similarity of the column that tells records apart best, if the key does not read it.
fn similarity(profile: &Profile, key: &JoinKey) -> Option<String> {
    let tells = |column: &&ColumnProfile| matches!(column.look, ColumnLook::Name | ColumnLook::Text);
    let left = profile.inputs[0].columns.iter().filter(tells);
    let candidates = left.filter_map(|column| Some((column, right_name(profile, &column.name)?)));
    let (column, right) = candidates.max_by_key(|(column, _)| (column.look == ColumnLook::Name, column.distinct))?;
    let is_in_key = key.columns.contains(&column.name);
    let (left, right) = (in_rules(&column.name), in_rules(right));
    (!is_in_key).then(|| format!("jaro_winkler(l.{left}, r.{right}) >= 0.85"))
}

/// The name of a left column in the right input.
fn right_name<'a>(profile: &'a Profile, name: &'a str) -> Option<&'a str> {
    let Some(right) = profile.inputs.get(1) else { return Some(name) };
    let shared = profile.shared_values.iter().find(|shared| shared.left == name).map(|shared| shared.right.as_str());
    let same = right.columns.iter().map(|column| column.name.as_str());
    shared.or_else(|| same.into_iter().find(|other| other.eq_ignore_ascii_case(name)))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out += &format!("\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}
