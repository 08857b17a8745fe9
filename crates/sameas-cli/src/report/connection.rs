//! What connects two records in a run: the chain of pairs between them, or what comes closest, and what has cut it.

use std::fmt::Write;

use sameas::printable;
use sameas::report::{ConnectingPair, Connection, CutReason};

use crate::text::{count, counted, cut, one_line, width, wrap};

/// Pairs at either end of a long chain that are listed.
const LISTED: usize = 10;

/// Characters of two ids that are shown.
const IDS: usize = 60;

/// A sentence about two records, and the pairs that connect them. A long chain is cut in its middle, unless it is wanted in full.
pub fn connection(of: &Connection, ids: &[String; 2], full: bool) -> String {
    let [first, second] = of.clusters.each_ref().map(|id| printable(id));
    let is_one = first == second;
    let sentence = match (&of.closest, &of.chain[..]) {
        (Some(pair), _) => format!("They are in two clusters, {first} and {second}: {}.", closest(pair, ids)),
        (None, []) if is_one => format!("They are in one cluster, {first}, and no chain of pairs connects them."),
        (None, []) => format!("They are in two clusters, {first} and {second}, and no chain of pairs connects them."),
        (None, chain) if is_one => format!("They are in one cluster, {first}, by a chain of {}", length(chain)),
        (None, chain) => format!(
            "They are in two clusters, {first} and {second}, and there is no pair between these. Other clusters connect them, by a \
             chain of {}",
            length(chain)
        ),
    };
    let mut out = format!("\n{}\n{}", wrap(&sentence, 0, 0), chain(of, full));
    // A chain that leads through other clusters holds none together.
    if is_one && !of.chain.is_empty() && of.chain.iter().all(|pair| pair.cut.is_none()) {
        let _ = writeln!(out, "{}", wrap(&loss(of, ids), 0, 0));
    }
    out
}

fn length(chain: &[ConnectingPair]) -> String {
    let pairs = counted(chain.len() as u64, "pair");
    if chain.len() > 1 { format!("{pairs}; < marks the weakest") } else { pairs }
}

/// What the loss of the weakest pair would do.
fn loss(of: &Connection, ids: &[String; 2]) -> String {
    let weakest = if of.chain.len() == 1 { "this pair" } else { "the weakest pair" };
    match of.parts {
        None => format!("Without {weakest} nothing would change: another path connects the two."),
        Some(parts) => {
            let [l, r] = parts.map(|records| counted(records, "record"));
            let [first, second] = ids.each_ref().map(|id| printable(id));
            format!("Without {weakest} the cluster would fall apart: {l} with {first}, {r} with {second}.")
        }
    }
}

/// A pair between two clusters.
fn closest(pair: &ConnectingPair, ids: &[String; 2]) -> String {
    let is_itself = pair.ids == *ids;
    let score = pair.score.map_or_else(String::new, |score| format!(" ({score:.2})"));
    let which = match is_itself {
        true => format!("this pair{score}"),
        false => {
            format!("the strongest pair between these, {}{score} by \"{}\",", both(pair), one_line(&pair.match_key))
        }
    };
    format!("{which} {}", what_cut(pair))
}

fn what_cut(pair: &ConnectingPair) -> String {
    match &pair.cut {
        Some(reason) => format!("was cut by {}", cut_words(reason)),
        None => "is too weak for the threshold of clusters".to_owned(),
    }
}

/// What has cut a pair, and what was in the way.
fn cut_words(reason: &CutReason) -> String {
    let because = reason.because.as_ref().map_or_else(String::new, |text| format!(" ({})", one_line(text)));
    format!("{}{because}", cause_words(&reason.cause))
}

/// What has cut a pair.
pub fn cause_words(cause: &str) -> String {
    let words = match cause {
        "method" => "the method",
        "decided" => "a decision",
        "never" => "a `never`",
        "limit" => "a limit",
        "bridge" => "the split at bridges",
        other => other,
    };
    printable(words)
}

fn both(pair: &ConnectingPair) -> String {
    let [l, r] = pair.ids.each_ref().map(|id| printable(id));
    format!("{l} and {r}")
}

/// The pairs of a chain, each in a line; the weakest is marked.
fn chain(of: &Connection, full: bool) -> String {
    let (last, is_scored) = (of.chain.len(), of.chain.iter().any(|pair| pair.score.is_some()));
    let is_listed = |at: usize| full || at < LISTED || at + LISTED >= last || of.weakest == Some(at);
    let listed: Vec<usize> = (0..last).filter(|at| is_listed(*at)).collect();
    let widest = listed.iter().map(|at| both(&of.chain[*at]).chars().count()).max().unwrap_or(0).min(IDS);
    let (mut out, mut next) = (String::new(), 0);
    for at in listed {
        if at > next {
            let _ = writeln!(out, "   ... {} more", count((at - next) as u64));
        }
        next = at + 1;
        let pair = &of.chain[at];
        let score = match (pair.score, is_scored) {
            (Some(score), _) => format!("  {score:>8.2}"),
            (None, true) => format!("  {:8}", ""),
            (None, false) => String::new(),
        };
        let (ids, rule) = (cut(&both(pair), IDS), one_line(&pair.match_key));
        let because = pair.cut.as_ref().map_or_else(String::new, |reason| format!(", cut by {}", cut_words(reason)));
        let mark = if of.weakest == Some(at) && last > 1 { '<' } else { ' ' };
        let line = format!(" {mark} {ids:<widest$}{score}  {rule}{because}");
        let _ = writeln!(out, "{}", if full { line } else { cut(&line, width()) });
    }
    out
}
