//! `--memory` bounds everything: hostile inputs and rules are refused in time, or done within the limit.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::support::{Folder, Said, at_most, has, program};

/// The limit of all runs here.
const LIMIT: &str = "200MB";

/// What a run may take at most, in KiB: the limit, and 150 MB for the program itself and for what it does not count.
const MOST_KIB: u64 = 350_000_000 / 1024;

/// The limit of programs over relations, and what they may take at most.
const RELATE_LIMIT: &str = "100MB";
const RELATE_KIB: u64 = 250_000_000 / 1024;

/// What a run said, and the most memory it had in use.
struct Measured {
    said: Said,
    peak_kib: u64,
}

/// The most memory that a process has had in use so far.
fn peak_kib(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Runs the program with the limit. A run that exceeds it by far is ended.
fn measured(folder: &Folder, args: &[&str]) -> Measured {
    measured_within(folder, args, LIMIT)
}

fn measured_within(folder: &Folder, args: &[&str], limit: &str) -> Measured {
    run(folder, &[args, &["--memory", limit, "--threads", "2"]].concat())
}

fn run(folder: &Folder, args: &[&str]) -> Measured {
    let out = std::fs::File::create(folder.path("stdout")).unwrap();
    let err = std::fs::File::create(folder.path("stderr")).unwrap();
    let mut child = folder.command(args).stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
    let (mut most, started) = (0, Instant::now());
    let code = loop {
        most = most.max(peak_kib(&child).unwrap_or(0));
        if most > 2 * MOST_KIB || started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
        }
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None => std::thread::sleep(Duration::from_millis(3)),
        }
    };
    let said = Said { code, out: folder.read("stdout"), err: folder.read("stderr") };
    Measured { said, peak_kib: most }
}

/// A run that must stay within its memory and be refused with these words.
fn refused(folder: &Folder, args: &[&str], words: &[&str]) {
    let Measured { said, peak_kib } = measured(folder, args);
    assert_eq!(said.code, Some(2), "{args:?}: {said:?}, {peak_kib} KiB");
    has(&said.err, words);
    assert!(peak_kib < MOST_KIB, "{args:?}: {peak_kib} KiB, {said:?}");
}

/// A run that must stay within its memory, whether it is refused or not.
fn bounded(folder: &Folder, args: &[&str]) {
    let Measured { said, peak_kib } = measured(folder, args);
    assert!(matches!(said.code, Some(0 | 2)), "{args:?}: {said:?}, {peak_kib} KiB");
    assert!(said.code == Some(0) || said.err.contains("error: "), "{args:?}: {said:?}");
    assert!(peak_kib < MOST_KIB, "{args:?}: {peak_kib} KiB, {said:?}");
}

const TOO_LONG: [&str; 3] = ["is longer than 23 MiB", "an eighth of the memory limit", "--memory sets the limit"];
const TOO_MUCH: [&str; 2] = ["too much for a memory limit of 191 MiB", "--memory sets the limit"];

fn gzip(folder: &Folder, name: &str, parts: &[&[u8]]) {
    let file = std::fs::File::create(folder.path(name)).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    parts.iter().for_each(|part| encoder.write_all(part).unwrap());
    encoder.finish().unwrap();
}

#[test]
fn headers_and_records_without_end() {
    let folder = Folder::new();
    let rule = ["--rule", "l.a = r.a", "-o", "out"];
    let dedupe = |file: &'static str| [&["dedupe", file][..], &rule].concat();
    refused(&folder, &dedupe("/dev/zero"), &TOO_LONG);
    let zeros = vec![0; 100 << 20];
    gzip(&folder, "zeros.csv.gz", &[&zeros]);
    refused(&folder, &dedupe("zeros.csv.gz"), &TOO_LONG);
    gzip(&folder, "commas.csv.gz", &[&vec![b','; 100 << 20]]);
    bounded(&folder, &dedupe("commas.csv.gz"));
    gzip(&folder, "record.csv.gz", &[b"id,a\n1,\"", &zeros]);
    refused(&folder, &dedupe("record.csv.gz"), &TOO_LONG);
    gzip(&folder, "line.jsonl.gz", &[b"{\"id\": 1, \"a\": \"", &vec![b'x'; 100 << 20]]);
    refused(&folder, &dedupe("line.jsonl.gz"), &TOO_LONG);
    folder.write("deep.jsonl", "[".repeat(1 << 20));
    bounded(&folder, &dedupe("deep.jsonl"));
    let nested = format!("{{\"id\": 1, \"a\": {}", "[".repeat(1 << 20));
    folder.write("nested.jsonl", nested);
    refused(&folder, &dedupe("nested.jsonl"), &["recursion limit"]);
    let mut zstd =
        zstd::stream::write::Encoder::new(std::fs::File::create(folder.path("many.csv.zst")).unwrap(), 3).unwrap();
    zstd.write_all(b"id,a\n").unwrap();
    (0..40).for_each(|_| zstd.write_all("1234567,some text that repeats itself\n".repeat(1 << 17).as_bytes()).unwrap());
    zstd.finish().unwrap();
    refused(&folder, &dedupe("many.csv.zst"), &TOO_MUCH);
}

#[test]
fn wide_files() {
    let folder = Folder::new();
    let columns = |count: usize| (0..count).map(|at| format!("c{at}")).collect::<Vec<_>>();
    let wide =
        |count: usize| format!("id,{}\n1{}\n2{}\n", columns(count).join(","), ",".repeat(count), ",".repeat(count));
    folder.write("wide.csv", wide(100_000));
    let dedupe = |file: &'static str| ["dedupe", file, "--rule", "l.c7 = r.c7", "-o", "out", "--overwrite"];
    let Measured { said, peak_kib } = measured(&folder, &dedupe("wide.csv"));
    assert!(said.code == Some(0) && peak_kib < MOST_KIB, "{said:?} {peak_kib}");
    folder.write("wider.csv", wide(2_000_000));
    bounded(&folder, &dedupe("wider.csv"));
    folder.write("short.csv", format!("id,{}\n{}", columns(100_000).join(","), "\n1".repeat(100_000)));
    bounded(&folder, &dedupe("short.csv"));
    let objects: String = (0..1_000_000).map(|row| format!("{{\"k{row}\":1}}\n")).collect();
    folder.write("keys.jsonl", objects);
    refused(&folder, &dedupe("keys.jsonl"), &TOO_MUCH);
}

/// What a command may take with 100 MB, in KiB.
const SMALL_KIB: u64 = 250_000_000 / 1024;

/// Runs a command with 100 MB, and says whether it was done; else it was refused for the lack of memory.
fn is_done_with_little(folder: &Folder, args: &[&str]) -> bool {
    let Measured { said, peak_kib } = run(folder, &[args, &["--memory", "100MB"]].concat());
    assert!(peak_kib < SMALL_KIB, "{args:?}: {peak_kib} KiB, {said:?}");
    if said.code == Some(2) {
        has(&said.err, &["a memory limit of 96 MiB", "--memory sets the limit"]);
    }
    assert!(matches!(said.code, Some(0 | 2)), "{args:?}: {said:?}");
    said.code == Some(0)
}

#[test]
fn commands_after_a_run_keep_to_their_memory() {
    let folder = Folder::new();
    folder.ok(&["generate", "people", "--records", "600000", "-o", "p", "-q"]);
    folder.write("rules.toml", folder.ok(&["demo", "--print-rules"]).out);
    folder.ok(&["dedupe", "p/records.csv", "--rules", "rules.toml", "-o", "out", "-q"]);
    let input = ["p/records.csv", "--rules", "rules.toml"];
    let truth = ["--truth", "p/truth.csv"];
    is_done_with_little(&folder, &[&["report", "out", "-o", "r.html", "-q"][..], &truth].concat());
    is_done_with_little(&folder, &["show", "r7", "--in", "out"]);
    is_done_with_little(&folder, &[&["why", "--pair", "r7", "r8"][..], &input].concat());
    assert!(is_done_with_little(&folder, &[&["check"][..], &input].concat()));
    assert!(is_done_with_little(&folder, &[&["evaluate", "--pairs", "out/pairs.parquet"][..], &truth].concat()));
    let clusters = [&["evaluate", "--clusters", "out/clusters.parquet", "--wrong", "w.csv"][..], &truth].concat();
    is_done_with_little(&folder, &clusters);
}

/// Two million pairs in each cluster, of which a report may draw some.
#[test]
fn a_report_of_large_clusters_keeps_to_its_memory() {
    let folder = Folder::new();
    texts(&folder, "x.csv", 16_000, |row| format!("c{}", row % 8));
    folder.ok(&["dedupe", "x.csv", "--rule", "l.a = r.a", "-o", "out", "-q"]);
    assert!(is_done_with_little(&folder, &["report", "out", "-o", "r.html", "-q"]));
}

/// Records with a text of that many bytes each.
fn texts(folder: &Folder, name: &str, rows: usize, text: impl Fn(usize) -> String) {
    let rows: String = (0..rows).map(|row| format!("{row},{}\n", text(row))).collect();
    folder.write(name, format!("id,a\n{rows}"));
}

#[test]
fn derived_texts_that_explode() {
    let folder = Folder::new();
    texts(&folder, "x.csv", 20_000, |row| format!("{row} {}", "a".repeat(90)));
    let long = "b".repeat(5_000);
    let run = |derived: &str, words: &[&str]| {
        folder.write("rules.toml", format!("[derive]\n{derived}\n[[rule]]\nwhen = \"l.d = r.d\"\n"));
        refused(&folder, &["dedupe", "x.csv", "--rules", "rules.toml", "-o", "out"], words);
    };
    run(&format!("d = \"replace(a, 'a', '{long}')\""), &TOO_MUCH);
    run(&format!("d = \"regexp_replace(a, '[a-z]', '{long}', 'g')\""), &TOO_MUCH);
    run(&format!("d = \"a || '{long}' || a || '{long}' || a\""), &TOO_MUCH);
    let chain: String = (1..16).map(|at| format!("d{at} = \"d{} || d{}\"\n", at - 1, at - 1)).collect();
    run(&format!("d0 = \"a || a\"\n{chain}d = \"lower(d15)\""), &TOO_MUCH);
    run(
        &format!(
            "c = \"replace(replace(replace('aaaaaaaaaa', 'a', '{long}'), 'b', '{long}'), 'b', '{long}')\"\nd = \"a || c\""
        ),
        &TOO_MUCH,
    );
    texts(&folder, "x.csv", 2, |row| format!("{row} {}", "a".repeat(1 << 20)));
    run(&format!("d = \"replace(a, 'a', '{long}')\""), &TOO_MUCH);
    texts(&folder, "x.csv", 20_000, |row| format!("{row} {}", "a".repeat(90)));
    let rule = format!("replace(l.a, 'a', '{long}') = replace(r.a, 'a', '{long}')");
    refused(&folder, &["dedupe", "x.csv", "--rule", &rule, "-o", "out"], &TOO_MUCH);
}

#[test]
fn sets_of_many_tokens() {
    let folder = Folder::new();
    // So mixed that nearly all substrings are different.
    let mixed = |row: usize, at: usize| {
        let number = (row as u64 * 250 + at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        char::from(b'a' + (number >> 40) as u8 % 26)
    };
    texts(&folder, "x.csv", 40_000, |row| (0..250).map(|at| mixed(row, at)).collect());
    let dedupe = |rule: &'static str| ["dedupe", "x.csv", "--rule", rule, "-o", "out", "--overwrite"];
    refused(&folder, &dedupe("jaccard(qgrams(l.a, 10), qgrams(r.a, 10)) >= 0.9"), &TOO_MUCH);
    refused(&folder, &dedupe("jaccard(qgrams(l.a, 40), qgrams(r.a, 40)) >= 0.9"), &TOO_MUCH);
    texts(&folder, "x.csv", 2, |row| format!("{row} {}", "ab ".repeat(3 << 20)));
    bounded(&folder, &dedupe("jaccard(words(l.a), words(r.a)) >= 0.9"));
    bounded(&folder, &dedupe("jaccard(qgrams(l.a, 3), qgrams(r.a, 3)) >= 0.9"));
    let list = vec!["\"a\""; 5_000_000].join(",");
    folder.write("list.jsonl", format!("{{\"id\":1,\"a\":[{list}]}}\n{{\"id\":2,\"a\":[{list}]}}\n"));
    bounded(&folder, &["dedupe", "list.jsonl", "--rule", "list_has_any(l.a, r.a)", "-o", "out", "--overwrite"]);
}

#[test]
fn long_texts_within_the_limit_and_beyond() {
    let folder = Folder::new();
    texts(&folder, "x.csv", 300, |row| format!("{row} {}", "x".repeat(60_000)));
    let dedupe = |rule: &'static str| ["dedupe", "x.csv", "--rule", rule, "-o", "out", "--overwrite"];
    let equal = "l.a = r.a and length(l.a) + length(r.a) > 5";
    let Measured { said, peak_kib } = measured(&folder, &dedupe(equal));
    assert!(said.code == Some(0) && peak_kib < MOST_KIB, "{said:?} {peak_kib}");
    let residual = "substr(l.a, 1, 2) = substr(r.a, 1, 2) and l.a || r.a < r.a || l.a || 'x'";
    let Measured { said, peak_kib } = measured(&folder, &dedupe(residual));
    assert!(said.code == Some(0) && peak_kib < MOST_KIB, "{said:?} {peak_kib}");
    refused(
        &folder,
        &dedupe("substr(l.a, 1, 2) = substr(r.a, 1, 2) and length(replace(l.a, 'x', r.a)) > 5"),
        &["an expression of two records takes 3436 MiB or more, and 64 MiB are possible", "make the texts shorter"],
    );
    texts(&folder, "x.csv", 2_000, |row| format!("{row} {}", "x".repeat(60_000)));
    bounded(&folder, &dedupe("l.a = r.a"));
}

/// Texts of eight megabytes, two edits apart: a few edits are looked for in little memory. To count any number of them
/// takes more than there is.
#[test]
fn edits_of_long_texts() {
    let folder = Folder::new();
    texts(&folder, "x.csv", 2, |row| {
        let mut text = "xy".repeat(4_000_000).into_bytes();
        if row == 1 {
            text.swap(1_000, 1_001);
            text[7_999_000] = b'z';
        }
        String::from_utf8(text).unwrap()
    });
    let dedupe = |rule: &'static str| ["dedupe", "x.csv", "--rule", rule, "-o", "pairs.csv", "--overwrite"];
    bounded(&folder, &dedupe("damerau_levenshtein(l.a, r.a) <= 2"));
    assert_eq!(folder.read("pairs.csv"), "unique_id_l,unique_id_r,match_key\n0,1,rule_1\n");
    let too_much = ["the records, and comparing their longest texts on all threads, take ", TOO_MUCH[0], TOO_MUCH[1]];
    refused(&folder, &dedupe("damerau_levenshtein(l.a, r.a) = 2"), &too_much);
    let too_large = ["an expression of two records takes ", "and 64 MiB are possible"];
    refused(&folder, &dedupe("damerau_levenshtein(l.a, r.a) + osa(l.a, r.a) <= 2"), &too_large);
}

/// A program over relations, which must stay within its memory, and be done or refused as these words say.
fn relate(folder: &Folder, args: &[&str], code: i32, words: &[&str]) {
    let args = [&["relate"][..], args, &["-o", "out", "--overwrite"]].concat();
    let Measured { said, peak_kib } = measured_within(folder, &args, RELATE_LIMIT);
    assert_eq!(said.code, Some(code), "{args:?}: {said:?}, {peak_kib} KiB");
    has(if code == 0 { &said.out } else { &said.err }, words);
    assert!(peak_kib < RELATE_KIB, "{args:?}: {peak_kib} KiB, {said:?}");
}

#[test]
fn programs_with_many_facts() {
    let folder = Folder::new();
    let head = ".decl edge(x: number, y: number)\n.decl loop(x: number)\n.output loop\nloop(x) :- edge(x, x).\n";
    let facts: String = (0..1_000_000_u64).map(|at| format!("edge({at}, {}).\n", at * 7919 % 1_000_003)).collect();
    folder.write("facts.dl", format!("{head}{facts}"));
    relate(&folder, &["facts.dl"], 0, &["loop 1 tuple"]);
    folder.write("more.dl", format!("{head}{}", facts.repeat(2)));
    relate(&folder, &["more.dl"], 2, &["more.dl: the program is longer than 32 MiB", "--memory sets the limit"]);
    let names: String = (0..600_000).map(|at| format!("name({at}, \"name {at}\").\n")).collect();
    folder.write("names.dl", format!(".decl name(x: number, t: symbol)\n.output name\n{names}"));
    relate(&folder, &["names.dl"], 0, &["name 600,000 tuples"]);
}

#[test]
fn programs_without_end_and_without_sense() {
    let folder = Folder::new();
    folder.write("edge.dl", ".decl edge(x: number, y: number)\n.input edge\n.output edge\n");
    let too_long = ["/dev/zero: the program is longer than 32 MiB", "a program may take a quarter of the memory limit"];
    relate(&folder, &["/dev/zero"], 2, &too_long);
    let zeros = ["edge.dl", "--input", "edge=/dev/zero"];
    relate(&folder, &zeros, 2, &["/dev/zero: the header at byte 0 is longer than 16 MiB", "--memory sets the limit"]);
    let text = [&zeros[..], &["--text"]].concat();
    relate(&folder, &text, 2, &["/dev/zero: the record at byte 0 is longer than 16 MiB", "--memory sets the limit"]);
    folder.write("zeros.dl", vec![0; 30 << 20]);
    relate(&folder, &["zeros.dl"], 2, &["1000 mistakes in the rules", "unexpected `\\u{0}`", "zeros.dl:1"]);
    folder.write("lines.dl", "\n".repeat(30 << 20));
    relate(&folder, &["lines.dl"], 2, &["the program takes 540 MiB or more", "--memory sets the limit"]);
    folder.write("list.dl", format!(".output {}a\n", "a, ".repeat(8 << 20)));
    relate(&folder, &["list.dl"], 2, &["the statement has more than 65536 words and signs"]);
    folder.write("text.dl", format!(".decl a(t: symbol)\n.output a\na(\"{}\").\n", "x".repeat(25 << 20)));
    relate(&folder, &["text.dl"], 2, &["the text has more than 1048576 bytes"]);
}

#[test]
fn programs_with_many_relations() {
    let folder = Folder::new();
    let ring = |length: usize| -> String {
        let declared = (0..length).map(|at| format!(".decl r{at}(x: number)\n"));
        let rules = (0..length).map(|at| format!("r{}(x) :- r{at}(x).\n", (at + 1) % length));
        declared.chain(rules).chain([".output r0\nr0(1).\n".to_owned()]).collect()
    };
    folder.write("ring.dl", ring(10_000));
    let started = Instant::now();
    relate(&folder, &["ring.dl"], 0, &["r0 1 tuple"]);
    assert!(started.elapsed() < at_most(Duration::from_secs(3)), "{:?}", started.elapsed());
    folder.write("large.dl", ring(200_000));
    relate(&folder, &["large.dl"], 2, &["the program takes 129 MiB or more, too much for a memory limit of 96 MiB"]);
}

#[test]
fn relations_from_large_files() {
    let folder = Folder::new();
    folder.write("edge.dl", ".decl edge(x: number, y: number)\n.input edge\n.output edge\n");
    folder.write("name.dl", ".decl name(a: symbol, b: symbol)\n.input name\n.output name\n");
    let too_much = ["too much for a memory limit of 96 MiB", "--memory sets the limit"];
    let numbers: String = (0..4_000_000_u64).map(|at| format!("{at}\t{}\n", at * 7)).collect();
    folder.write("edge.facts", numbers);
    relate(&folder, &["edge.dl", "--input", "edge=edge.facts"], 2, &too_much);
    let names: String = (0..2_500_000).map(|at| format!("n{at}\tm{at}\n")).collect();
    folder.write("name.facts", names);
    relate(&folder, &["name.dl", "--input", "name=name.facts"], 2, &too_much);
}

/// Under a limit of the address space the default limit is lower.
#[test]
fn the_limits_of_the_process_count() {
    let folder = Folder::new();
    texts(&folder, "x.csv", 20_000, |row| format!("{row} {}", "x".repeat(5_000)));
    let program = program();
    let run =
        format!("ulimit -v 700000; exec {} dedupe x.csv --rule 'l.a = r.a' -o out --threads 2", program.display());
    let said = std::process::Command::new("sh").args(["-c", &run]).current_dir(folder.path("")).output().unwrap();
    let said = Said::from(said);
    assert!(said.code == Some(0) || said.code == Some(2) && said.err.contains("a memory limit of "), "{said:?}");
}

#[test]
fn too_many_threads() {
    let folder = Folder::with_people();
    let said = folder.fails(&["dedupe", "people.csv", "--rule", "l.phone = r.phone", "--threads", "100000"]);
    has(&said, &["'--threads <N>'", "at most 4096 threads are possible; a thread for each core is enough"]);
}

/// Two long records are planned in about the time of comparing them.
#[test]
fn planning_takes_no_longer_than_the_work() {
    let folder = Folder::new();
    let text = |row: usize| {
        (0..3_000)
            .map(|at: usize| char::from(b'a' + ((at * 7 + at / 13 + row * (at / 5)) % 23) as u8))
            .collect::<String>()
    };
    texts(&folder, "x.csv", 2, text);
    let started = Instant::now();
    folder.ok(&["dedupe", "x.csv", "--rule", "damerau_levenshtein_similarity(l.a, r.a) >= 0.5", "-o", "out"]);
    assert!(started.elapsed() < at_most(Duration::from_secs(4)), "{:?}", started.elapsed());
    // Thousands of rules that share a key, each with a filter of its own.
    texts(&folder, "names.csv", 50, |row| format!("name {}", row % 17));
    let rule = |at: usize| {
        format!("[[rule]]\nwhen = \"l.a = r.a and levenshtein(l.a, r.a) <= {} and l.a <> '{at}'\"\n", at % 9)
    };
    folder.write("rules.toml", (0..3_000).map(rule).collect::<String>());
    let started = Instant::now();
    folder.ok(&["dedupe", "names.csv", "--rules", "rules.toml", "-o", "many", "-q"]);
    assert!(started.elapsed() < at_most(Duration::from_secs(10)), "{:?}", started.elapsed());
}
