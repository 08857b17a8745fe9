//! `set_join`: tokenising a file of texts and joining it with itself.
//!
//! `set_join FILE [--tokens qgrams3|words] [--measure jaccard|dice|cosine|overlap_coefficient|overlap]
//! [--threshold T]... [--path prefixes|everything] [--no-bitmap] [--no-positional] [--runs N] [--budget BYTES]
//! [--pairs OUT]`
//!
//! The file has one text per line. A line of JSON is printed for each threshold; `--pairs` writes the pairs of line
//! numbers of the last one. Reading the file is not timed: a run begins with rows in memory.

use std::fmt::Write as _;
use std::time::Instant;

use arrow_array::StringArray;
use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_expr::Vector;
use sameas_joins::candidates::set_join::{Enumeration, SetJoin, SetJoinOptions, collect};
use sameas_measures::set::{cosine, dice, jaccard, overlap_coefficient};
use sameas_records::records::BlockColumn;
use sameas_records::records::encode::{Dictionary, Numbers, TokenSets, Tokenizer};

/// The options of the command line.
struct Arguments {
    file: String,
    tokens: String,
    measure: String,
    thresholds: Vec<f64>,
    options: SetJoinOptions,
    runs: usize,
    pairs: Option<String>,
}

/// Seconds of the steps of a run.
struct Times {
    encode: f64,
    tokenise: f64,
    prepare: f64,
    total: f64,
}

/// Runs the measurements of `args`.
pub fn run(args: &[String]) {
    let arguments = parse(args);
    let blocks = blocks(&arguments.file);
    for threshold in &arguments.thresholds {
        measure(&arguments, &blocks, *threshold);
    }
}

/// The lines of a file as blocks of rows; an empty line is null.
pub fn blocks(file: &str) -> Vec<Vector> {
    let text = std::fs::read_to_string(file).expect("the file of texts is read");
    let block = |lines: &[&str]| StringArray::from_iter(lines.iter().map(|l| (!l.is_empty()).then_some(l)));
    text.lines().collect::<Vec<_>>().chunks(1 << 16).map(|lines| Vector::Text(block(lines))).collect()
}

fn parse(args: &[String]) -> Arguments {
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|at| args.get(at + 1)).cloned();
    let number = |name: &str, usual: usize| value(name).map_or(usual, |v| v.parse().expect("a whole number"));
    let mut options = SetJoinOptions::new(number("--budget", 4 << 30));
    options.bitmap = !args.iter().any(|a| a == "--no-bitmap");
    options.positional = !args.iter().any(|a| a == "--no-positional");
    options.path =
        value("--path").map(|path| if path == "prefixes" { Enumeration::Prefixes } else { Enumeration::Everything });
    let given = args.iter().zip(args.iter().skip(1)).filter(|(name, _)| *name == "--threshold");
    let thresholds: Vec<f64> = given.map(|(_, t)| t.parse().expect("a threshold is a number")).collect();
    Arguments {
        file: args.first().cloned().expect("a file of texts"),
        tokens: value("--tokens").unwrap_or_else(|| "qgrams3".into()),
        measure: value("--measure").unwrap_or_else(|| "jaccard".into()),
        thresholds: if thresholds.is_empty() { vec![0.5, 0.7, 0.9] } else { thresholds },
        options,
        runs: number("--runs", 5),
        pairs: value("--pairs"),
    }
}

/// What makes tokens, by its name.
pub fn tokenizer(name: &str) -> Tokenizer {
    match name.strip_prefix("qgrams") {
        Some(q) => Tokenizer::Qgrams(q.parse().expect("qgrams and a length")),
        None => Tokenizer::Words,
    }
}

/// The threshold of a measure, by its name.
pub fn decision(measure: &str, t: f64) -> Box<dyn Fn(usize, usize, usize) -> bool + Sync> {
    match measure {
        "jaccard" => Box::new(move |i, x, y| jaccard(i, x, y) >= t),
        "dice" => Box::new(move |i, x, y| dice(i, x, y) >= t),
        "cosine" => Box::new(move |i, x, y| cosine(i, x, y) >= t),
        "overlap_coefficient" => Box::new(move |i, x, y| overlap_coefficient(i, x, y) >= t),
        _ => Box::new(move |i, _, _| i as f64 >= t),
    }
}

fn measure(arguments: &Arguments, blocks: &[Vector], threshold: f64) {
    let holds = decision(&arguments.measure, threshold);
    let column = vec![blocks.iter().cloned().map(BlockColumn::from).collect()];
    let mut times = Vec::new();
    for run in 0..arguments.runs {
        let start = Instant::now();
        let (dictionary, codes) = Dictionary::encode(&column, Numbers::ByValue, Cancel::NEVER);
        let encode = start.elapsed().as_secs_f64();
        let sets = TokenSets::tokenize(&[(&dictionary, tokenizer(&arguments.tokens))], Cancel::NEVER).remove(0);
        let tokenise = start.elapsed().as_secs_f64() - encode;
        let values: Vec<u32> = (0..dictionary.len() as u32).collect();
        let mut join = SetJoin::new((sets.view(), &values), None, &holds, arguments.options);
        let prepare = start.elapsed().as_secs_f64() - encode - tokenise;
        let pairs = collect(&mut join);
        times.push(Times { encode, tokenise, prepare, total: start.elapsed().as_secs_f64() });
        if run + 1 == arguments.runs {
            report(arguments, threshold, &times, &join, &codes[0], &pairs);
        }
    }
}

fn report(
    arguments: &Arguments,
    threshold: f64,
    times: &[Times],
    join: &SetJoin<'_>,
    codes: &[u32],
    pairs: &[(u32, u32)],
) {
    let list = |of: fn(&Times) -> f64| times.iter().map(|t| format!("{:.4}", of(t))).collect::<Vec<_>>().join(",");
    let counters = join.counters();
    let rows = rows_by_code(codes);
    println!(
        "{{\"op\":\"set_join\",\"file\":\"{}\",\"tokens\":\"{}\",\"measure\":\"{}\",\"threshold\":{threshold},\
         \"path\":\"{:?}\",\"seconds\":[{}],\"encode_seconds\":[{}],\"tokenise_seconds\":[{}],\"index_seconds\":[{}],\
         \"pairs_rows\":{},\"pairs_values\":{},\"nominal\":{},\"compared\":{},\"verified\":{},\"found\":{},\
         \"signature_bits\":{},\"cores\":{}}}",
        arguments.file,
        arguments.tokens,
        arguments.measure,
        join.path(),
        list(|t| t.total),
        list(|t| t.encode),
        list(|t| t.tokenise),
        list(|t| t.prepare),
        pairs.iter().map(|(l, r)| expanded(&rows, *l, *r)).sum::<u64>(),
        pairs.len(),
        join.nominal_pairs(),
        counters.compared,
        counters.verified,
        counters.found,
        join.signature_words() * 32,
        rayon::current_num_threads(),
    );
    if let Some(path) = &arguments.pairs {
        write_pairs(path, &rows, pairs);
    }
}

/// Rows by code of their value.
pub fn rows_by_code(codes: &[u32]) -> Vec<Vec<u32>> {
    let known = || codes.iter().zip(0_u32..).filter(|(code, _)| **code != sameas_records::records::encode::NULL);
    let mut rows = vec![Vec::new(); known().map(|(code, _)| *code as usize + 1).max().unwrap_or(0)];
    known().for_each(|(code, row)| rows[*code as usize].push(row));
    rows
}

/// The number of pairs of rows that a pair of values stands for.
pub fn expanded(rows: &[Vec<u32>], l: u32, r: u32) -> u64 {
    let n = |code: u32| rows[code as usize].len() as u64;
    if l == r { n(l) * (n(l) - 1) / 2 } else { n(l) * n(r) }
}

fn write_pairs(path: &str, rows: &[Vec<u32>], pairs: &[(u32, u32)]) {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (l, r) in pairs {
        for a in &rows[*l as usize] {
            let others = rows[*r as usize].iter().filter(|b| l != r || a < *b);
            all.extend(others.map(|b| (*a.min(b), *a.max(b))));
        }
    }
    all.par_sort_unstable();
    let mut text = String::new();
    for (a, b) in all {
        let _ = writeln!(text, "{a},{b}");
    }
    std::fs::write(path, text).expect("the pairs are written");
}
