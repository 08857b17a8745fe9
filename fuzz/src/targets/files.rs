//! Files of records: CSV, JSON lines and Parquet, whole or broken.

use std::path::Path;
use std::sync::OnceLock;

use sameas::{Input, Job};

use crate::{edits, parquet_files, world};

/// Reads every column and joins on some of them.
const RULE: &str = "l.a = r.a or l.b = r.b and levenshtein(l.a, r.b) <= 1";

/// A CSV file. The first byte says whether a header comes before the rest, and which delimiter is given.
pub fn csv(input: &[u8]) {
    let Some((how, rest)) = input.split_first() else { return };
    let header: &[u8] = if how & 1 == 0 { b"" } else { b"id,a,b\n" };
    let folder = world::folder();
    let input = written(folder.path(), "input.csv", &[header, rest]);
    let input = match (how >> 1) & 3 {
        0 | 1 => input,
        2 => input.with_delimiter(b';'),
        _ => input.with_delimiter(b'\t'),
    };
    read(input, how >> 3);
}

/// JSON lines. The first byte says whether a complete record comes before the rest.
pub fn json(input: &[u8]) {
    let Some((how, rest)) = input.split_first() else { return };
    let first: &[u8] = if how & 1 == 0 { b"" } else { b"{\"id\":\"0\",\"a\":\"x\",\"b\":\"y\"}\n" };
    let folder = world::folder();
    read(written(folder.path(), "input.jsonl", &[first, rest]), how >> 3);
}

/// A Parquet file: one of the valid ones with edits.
pub fn parquet(input: &[u8]) {
    static VALID: OnceLock<[Vec<u8>; parquet_files::FILES]> = OnceLock::new();
    let file = edits::file(input, VALID.get_or_init(parquet_files::all));
    let folder = world::folder();
    let file = written(folder.path(), "input.parquet", &[&file]);
    match input.first() {
        Some(&first) if parquet_files::has_all_types(first) => {
            world::run(&Job::dedupe(file).with_rule(parquet_files::RULE));
        }
        _ => read(file, 0),
    }
}

fn read(input: Input, how: u8) {
    let job = Job::dedupe(input).with_rule(RULE);
    world::run(&if how & 1 == 0 { job.with_id("row") } else { job });
}

fn written(folder: &Path, name: &str, parts: &[&[u8]]) -> Input {
    let path = folder.join(name);
    std::fs::write(&path, parts.concat()).expect("a temporary file");
    Input::files([path])
}
