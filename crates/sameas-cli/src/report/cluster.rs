//! The records of a cluster, side by side: a line for each column, and a column for each record.

use std::collections::BTreeMap;
use std::fmt::Write;

use sameas::printable;
use sameas::report::{ClusterCut, ClusterEntityColumn, ClusterPair, ClusterRecords};

use super::connection::cause_words;
use super::page_words::without_values;
use crate::text::{count, counted, cut, one_line, width, wrap};

/// Characters between columns.
const GAP: usize = 2;

/// Characters that the names of columns take at most.
const NAMES: usize = 24;

/// The least characters that a value gets.
const LEAST: usize = 14;

/// The records of a cluster, with `*` where they differ, and the pairs among them.
pub fn cluster(of: &ClusterRecords, full: bool) -> String {
    let mut out = format!("{}\n", wrap(&title(of), 0, 0));
    if let Some(why) = &of.without_values {
        let _ = writeln!(out, "{}", wrap(&without_values(why), 0, 0));
    }
    out += &entity(of, full);
    let names: Vec<String> = of.columns.iter().map(|c| name(&c.name, c.is_derived)).collect();
    let of_names = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(2, NAMES);
    let room = width().saturating_sub(2 + of_names);
    let at_once = (room / (LEAST + GAP)).clamp(1, of.records.len().max(1));
    let widths = (of_names, room / at_once - GAP);
    let usual: Vec<Option<&str>> = (0..of.columns.len()).map(|column| most_frequent(of, column)).collect();
    for (block, records) in of.records.chunks(at_once).enumerate() {
        let first = block * at_once;
        out.push('\n');
        line(&mut out, ' ', "id", &ids(of, first, records.len()), widths);
        for (at, name) in names.iter().enumerate().filter(|(at, _)| !is_id(of, *at)) {
            let value = |record: usize| of.records[record].values.get(at).and_then(Option::as_deref);
            let differs = (0..of.records.len()).any(|record| value(record) != value(0));
            let marked = |record: usize| {
                let mark = if differs && value(record) != usual[at] { "*" } else { "" };
                let text = value(record).map_or("-".to_owned(), printable);
                // A mark is never cut off.
                format!("{}{mark}", if full { text } else { cut(&text, widths.1 - mark.len()) })
            };
            let values: Vec<String> = (first..first + records.len()).map(marked).collect();
            line(&mut out, if differs { '*' } else { ' ' }, name, &values, widths);
        }
    }
    out + &pairs(of) + &cut_pairs(of)
}

/// What the records become together: each column with its value, the record that it is from, and how many other values there are.
fn entity(of: &ClusterRecords, full: bool) -> String {
    if of.entity.is_empty() {
        return String::new();
    }
    const OTHERS: &str = "other values";
    let text = |value: &Option<String>| value.as_deref().map_or("-".to_owned(), printable);
    let row = |column: &ClusterEntityColumn| {
        [printable(&column.column), text(&column.value), text(&column.record), count(column.others)]
    };
    let head = ["entity", "value", "from", OTHERS].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(of.entity.iter().map(row)).collect();
    let widest = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or_default();
    let (names, from) = (widest(0).min(NAMES), widest(2).min(NAMES));
    let room = width().saturating_sub(2 + names + from + OTHERS.len() + 3 * GAP).max(LEAST);
    let values = if full { widest(1) } else { widest(1).min(room) };
    let mut out = "\n".to_owned();
    for [name, value, record, others] in &rows {
        let (name, value, record) = (cut(name, names), cut(value, values), cut(record, from));
        let text = format!("  {name:<names$}{:GAP$}{value:<values$}{:GAP$}{record:<from$}", "", "");
        let _ = writeln!(out, "{text}{:GAP$}{others:>1$}", "", OTHERS.len());
    }
    out
}

fn title(of: &ClusterRecords) -> String {
    let shown = of.records.len() as u64;
    let first = if shown < of.size { format!(", of which the first {} are here", count(shown)) } else { String::new() };
    let marks = if of.size > 1 { "; * marks where they differ" } else { "" };
    format!("Cluster {}: {}{first}{marks}", printable(&of.cluster_id), counted(of.size, "record"))
}

fn name(name: &str, is_derived: bool) -> String {
    format!("{}{}", printable(name), if is_derived { " (derived)" } else { "" })
}

/// What the records are called; with their inputs where these are several.
fn ids(of: &ClusterRecords, first: usize, records: usize) -> Vec<String> {
    let has_inputs = of.records.iter().any(|record| record.input != of.records[0].input);
    let id = |record: &sameas::report::ClusterMember| match has_inputs {
        true => format!("{}:{}", printable(&record.input), printable(&record.id)),
        false => printable(&record.id),
    };
    of.records[first..first + records].iter().map(id).collect()
}

/// The value that most records have; of several the one that comes first.
fn most_frequent(of: &ClusterRecords, column: usize) -> Option<&str> {
    let mut times: BTreeMap<Option<&str>, (usize, usize)> = BTreeMap::new();
    for (at, record) in of.records.iter().enumerate() {
        let value = record.values.get(column).and_then(Option::as_deref);
        times.entry(value).or_insert((0, of.records.len() - at)).0 += 1;
    }
    // What is there says more than what is missing.
    times.into_iter().max_by_key(|(value, times)| (value.is_some(), *times)).and_then(|(value, _)| value)
}

/// Whether a column has the ids, which stand above the values.
fn is_id(of: &ClusterRecords, column: usize) -> bool {
    of.records.iter().all(|record| record.values.get(column).and_then(Option::as_deref) == Some(record.id.as_str()))
}

/// A line for a column, or several where values are long.
fn line(out: &mut String, mark: char, name: &str, values: &[String], (names, room): (usize, usize)) {
    let piece = |value: &String| {
        let characters: Vec<char> = value.chars().collect();
        characters.chunks(room).map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>()
    };
    let pieces: Vec<Vec<String>> = values.iter().map(piece).collect();
    let lines = pieces.iter().map(Vec::len).max().unwrap_or(0).max(1);
    for at in 0..lines {
        let name = if at == 0 { cut(name, names) } else { String::new() };
        let mut text = format!("{} {name:<names$}", if at == 0 { mark } else { ' ' });
        for pieces in &pieces {
            let _ = write!(text, "{:GAP$}{:<room$}", "", pieces.get(at).map_or("", String::as_str));
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
}

/// The pairs among the records by rule: those that are pairs, and those that are only together through others.
fn pairs(of: &ClusterRecords) -> String {
    let all = of.records.len() * of.records.len().saturating_sub(1) / 2;
    if all == 0 {
        return String::new();
    }
    let mut rules: BTreeMap<&str, Vec<&ClusterPair>> = BTreeMap::new();
    of.pairs.iter().for_each(|pair| rules.entry(&pair.rule).or_default().push(pair));
    let mut out = format!("\nPairs: {} of {} possible\n", count(of.pairs.len() as u64), count(all as u64));
    for (rule, pairs) in rules {
        let id = |at: usize| printable(&of.records[at].id);
        let shown: Vec<String> = pairs.iter().take(MOST_PAIRS).map(|pair| pair_text(pair, &id)).collect();
        let text = format!("{}: {}{}", one_line(rule), shown.join(", "), more(pairs.len()));
        let _ = writeln!(out, "   {}", wrap(&text, 3, 6));
    }
    out
}

/// The pairs with records of other clusters, by what has cut them.
fn cut_pairs(of: &ClusterRecords) -> String {
    if of.cut.is_empty() {
        return String::new();
    }
    let mut causes: BTreeMap<String, Vec<&ClusterCut>> = BTreeMap::new();
    of.cut.iter().for_each(|pair| causes.entry(cause_words(&pair.reason.cause)).or_default().push(pair));
    let mut out = format!("\nCut: {} with records of other clusters\n", counted(of.cut.len() as u64, "pair"));
    for (cause, pairs) in causes {
        let shown: Vec<String> = pairs.iter().take(MOST_PAIRS).map(|pair| cut_text(pair, of)).collect();
        let text = format!("by {cause}: {}{}", shown.join("; "), more(pairs.len()));
        let _ = writeln!(out, "   {}", wrap(&text, 3, 6));
    }
    out
}

fn cut_text(pair: &ClusterCut, of: &ClusterRecords) -> String {
    let (own, other, cluster) = (&of.records[pair.record].id, &pair.other, &pair.cluster_id);
    let place = if cluster == other { String::new() } else { format!(" of cluster {}", printable(cluster)) };
    let because = pair.reason.because.as_ref().map_or_else(String::new, |text| format!(", {}", one_line(text)));
    format!("{} and {}{place}{}{because}", printable(own), printable(other), score_text(pair.score))
}

/// How many pairs are not listed.
fn more(pairs: usize) -> String {
    let more = pairs.saturating_sub(MOST_PAIRS);
    if more > 0 { format!(", and {} more", count(more as u64)) } else { String::new() }
}

fn score_text(score: Option<f64>) -> String {
    score.map_or(String::new(), |score| format!(" ({score:.2})"))
}

/// Pairs of a rule, or of a cause, that are listed.
const MOST_PAIRS: usize = 10;

fn pair_text(pair: &ClusterPair, id: &dyn Fn(usize) -> String) -> String {
    format!("{} and {}{}", id(pair.records[0]), id(pair.records[1]), score_text(pair.score))
}
