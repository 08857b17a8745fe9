//! The keys of a profile: what to join on, and what not.

use std::fmt::Write;

use sameas::LinkType;
use sameas::profile::{InputProfile, JoinKey, KeySearch, KeyVerdict, LargestGroup, Profile, SharedBy};

use super::{VALUE, item, wrap_items};
use crate::report::values;
use crate::text::{count, counted, one_line, percent, ratio, wrap};

/// Keys of each kind that are listed.
const GOOD: usize = 12;
const LOOSE: usize = 6;
const BAD: usize = 10;

const INDENT: usize = 6;

/// All there is to say about keys.
pub fn keys(profile: &Profile) -> String {
    let rows = profile.inputs.iter().map(|input| input.rows).sum();
    let of = |verdict: KeyVerdict| profile.keys.iter().filter(move |key| key.verdict == verdict).collect::<Vec<_>>();
    // What is bad alone may be fine in a combination: of bad keys only whole columns are worth a word.
    let is_bad = |key: &&JoinKey| !matches!(key.verdict, KeyVerdict::Good | KeyVerdict::Loose) && is_column(key);
    let bad: Vec<&JoinKey> = profile.keys.iter().filter(is_bad).collect();
    let mut out = String::new();
    let pairs = counted(profile.nominal_pairs, "possible pair");
    let _ = writeln!(out, "{}: {pairs}. Numbers of candidates are exact.", pairs_of(profile));
    for shared in &profile.shared_values {
        let names = format!("l.{} and r.{}", one_line(&shared.left), one_line(&shared.right));
        let what = if shared.by == SharedBy::Words { "words" } else { "values" };
        let _ = writeln!(out, "{names} have different names and share {what} ({:.0} %).", 100.0 * shared.share);
    }
    out += &listed("Good keys, the best first", &of(KeyVerdict::Good), GOOD, rows, counts);
    out += &listed(
        "Loose keys: join on them only together with more conditions",
        &of(KeyVerdict::Loose),
        LOOSE,
        rows,
        counts,
    );
    out += &listed("Bad keys", &bad, BAD, rows, why_bad);
    if profile.keys.is_empty() {
        out += "\nNo column can be a key.\n";
    }
    out + "\n" + &tried(&profile.search) + &next(profile)
}

fn pairs_of(profile: &Profile) -> String {
    let name = |input: &InputProfile| one_line(&input.name);
    match (profile.link_type, &profile.inputs[..]) {
        (LinkType::LinkOnly, [left, right]) => format!("Keys between {} (l) and {} (r)", name(left), name(right)),
        (LinkType::LinkAndDedupe, [left, right]) => {
            format!("Keys within and between {} and {}", name(left), name(right))
        }
        _ => "Keys".into(),
    }
}

/// Whether a key is a column as it is.
fn is_column(key: &JoinKey) -> bool {
    key.columns.len() == 1 && key.condition.starts_with("l.")
}

fn listed(title: &str, keys: &[&JoinKey], most: usize, rows: u64, describe: fn(&JoinKey, u64) -> String) -> String {
    if keys.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{title}\n");
    for key in keys.iter().take(most) {
        let described = wrap_items(&describe(key, rows), INDENT);
        let _ = writeln!(out, "\n  {}\n{:INDENT$}{described}", key.condition, "");
    }
    if keys.len() > most {
        let _ = writeln!(out, "\n  and {} more: see --format json", count((keys.len() - most) as u64));
    }
    out
}

fn counts(key: &JoinKey, rows: u64) -> String {
    let largest =
        key.largest.as_ref().map(|largest| format!("; the most for {}: {}", group(largest), count(largest.candidates)));
    format!(
        "{}; {} of the records have it{}",
        candidates(key, rows),
        percent(key.records, rows),
        largest.unwrap_or_default()
    )
}

fn candidates(key: &JoinKey, rows: u64) -> String {
    let per_record = key.candidates as f64 / rows.max(1) as f64;
    let per_record = if per_record < 0.1 { format!("{per_record:.2}") } else { ratio(per_record) };
    format!("{}, {per_record} per record", counted(key.candidates, "candidate"))
}

/// The values of a group.
fn group(largest: &LargestGroup) -> String {
    let values: Vec<String> = largest.values.iter().map(|value| item(&values::value_in_short(value, VALUE))).collect();
    values.join(" and ")
}

fn why_bad(key: &JoinKey, rows: u64) -> String {
    let of_one = |largest: &LargestGroup| {
        let value: Vec<String> = largest.values.iter().map(|value| values::value_in_short(value, VALUE)).collect();
        let (records, value) = (percent(largest.records, rows), value.join(" and "));
        format!(
            "one value, {value}, has {records} of the records and gives {} of the candidates",
            count(largest.candidates)
        )
    };
    match key.verdict {
        KeyVerdict::NoCandidates => "no two records share a value: it finds nothing".into(),
        KeyVerdict::OwnNumbers => {
            "each input numbers its own records: equal numbers mean nothing, unless both count the same \
                                   things"
                .into()
        }
        KeyVerdict::MostlyMissing => {
            format!("only {} of the records have a value; {}", item(&percent(key.records, rows)), candidates(key, rows))
        }
        KeyVerdict::OneValue => {
            let largest = key.largest.as_ref().map(of_one).unwrap_or_default();
            format!("{}: {largest}", candidates(key, rows))
        }
        _ => format!("{}: only {}", candidates(key, rows), counted(key.distinct, "different value")),
    }
}

fn tried(search: &KeySearch) -> String {
    let single = counted(search.single_keys, "key");
    let mut text = format!("Tried: {single} of one column");
    if search.combinations > 0 {
        let of = if search.combined < search.combinable {
            format!("the {} most promising of {} keys", search.combined, search.combinable)
        } else {
            format!("{} keys", search.combined)
        };
        let _ = write!(
            text,
            ", and {} of two columns, from {of} that are too loose alone but may be good together",
            counted(search.combinations, "combination")
        );
    }
    wrap(&(text + "."), 0, 0) + "\n"
}

/// What to do with the best key.
fn next(profile: &Profile) -> String {
    let best = profile.keys.first().filter(|key| key.verdict == KeyVerdict::Good);
    let Some(best) = best else { return String::new() };
    let command = if profile.link_type == LinkType::DedupeOnly { "dedupe INPUT" } else { "link LEFT RIGHT" };
    let rule = best.condition.replace('"', "\\\"");
    format!(
        "A first run:\n  sameas {command} --rule \"{rule}\"\nAdd a similarity to a key to be sure, such as `and \
         jaro_winkler(l.name, r.name) >= 0.9`.\n"
    )
}
