//! The rules of a case as a rule file.

use super::{EntityCase, EntityEntry, EntitySection, PairSource, ValueExpr};
use crate::case::sql;

/// The rule file of a case, whose last line is the last entry of `[entity]` if it has any.
pub fn job_text(case: &EntityCase) -> String {
    let ids =
        case.inputs.iter().map(|input| format!("{} = {}", quoted(&input.name), quoted(&input.columns[input.id].name)));
    let mut text = match &case.inputs[..] {
        [one] => format!("unique_id = {}\n", quoted(&one.columns[one.id].name)),
        _ => format!("unique_id = {{ {} }}\n", ids.collect::<Vec<_>>().join(", ")),
    };
    text += &format!("null = [{}]\nblank_is_null = {}\n", list(&case.nulls), case.blank_is_null);
    text += "[derive]\n";
    for (name, expr) in &case.derives {
        text += &format!("{name} = {}\n", quoted(&sql(expr)));
    }
    text += match case.source {
        PairSource::Scored => "[score]\npairs = \"scored.csv\"\nthreshold = -1000000.0\n",
        PairSource::Links => "[[rule]]\nwhen = \"list_has_any(words(l.links), words(r.links))\"\n",
    };
    text + &case.section.as_ref().map_or(String::new(), |section| section_text(case, section))
}

fn section_text(case: &EntityCase, section: &EntitySection) -> String {
    let mut text = "[entity]\n".to_owned();
    if section.leaves_rest_out {
        text += "\"*\" = \"none\"\n";
    }
    for entry in &section.entries {
        text += &format!("{} = {}\n", quoted(&entry.key), entry_text(case, section, entry));
    }
    text
}

/// The text of an entry: only what is taken, or all it has.
fn entry_text(case: &EntityCase, section: &EntitySection, entry: &EntityEntry) -> String {
    let take = quoted(entry.take.name());
    let mut keys = vec![format!("take = {take}")];
    let input = |at: &usize| input_name(case, section, *at);
    keys.extend(entry.by.iter().map(|by| format!("by = {}", quoted(&sql(by)))));
    if !entry.sources.is_empty() {
        keys.push(format!("sources = [{}]", list(&entry.sources.iter().map(input).collect::<Vec<_>>())));
    }
    keys.extend(entry.condition.iter().map(|condition| format!("where = {}", quoted(&sql(condition)))));
    keys.extend(entry.value.iter().map(|value| match value {
        ValueExpr::Same(expr) => format!("value = {}", quoted(&sql(expr))),
        ValueExpr::ByInput(all) => {
            let each = all.iter().map(|(at, expr)| format!("{} = {}", quoted(&input(at)), quoted(&sql(expr))));
            format!("value = {{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
    }));
    keys.extend(entry.columns.iter().map(|columns| match columns.as_slice() {
        [all] if all == "*" => "columns = \"*\"".to_owned(),
        columns => format!("columns = [{}]", list(columns)),
    }));
    if keys.len() == 1 { take } else { format!("{{ {} }}", keys.join(", ")) }
}

/// What an input is called: `left` and `right` where the section says so.
fn input_name(case: &EntityCase, section: &EntitySection, at: usize) -> String {
    match case.inputs.len() {
        2 if section.says_sides => ["left", "right"][at].to_owned(),
        _ => case.inputs[at].name.clone(),
    }
}

fn list(texts: &[String]) -> String {
    texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ")
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
