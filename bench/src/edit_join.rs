//! The benchmark of `edit_join`: the distinct lines of a file joined with themselves by edit distance.
//!
//! Arguments: `--file texts.txt` (one text per line), `--measure levenshtein` or another, `--k 2` edits or `--similarity
//! 0.85`, `--budget-mb 1024`, `--repeats 3`, `--pairs out.csv` to write the pairs, `--check 100000` to compare the
//! pairs of this many texts, spread evenly, with those a nested loop finds. One line of JSON.

use std::io::Write;
use std::time::Instant;

use rayon::prelude::*;
use sameas_joins::candidates::ValueJoin;
use sameas_joins::candidates::edit_join::{EditEstimate, EditJoin, EditLimits, EditWork, estimate};
use sameas_measures::{EditCount, PreparedText, Unit, edit_similarity};
use sameas_records::records::encode::Strings;

/// What is to be measured.
struct Options {
    file: String,
    measure: String,
    k: usize,
    similarity: Option<f64>,
    budget: usize,
    repeats: usize,
    pairs: Option<String>,
    check: usize,
}

impl Options {
    fn parse(args: &[String]) -> Self {
        let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
        let number = |name: &str, otherwise: usize| {
            value(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
        };
        Self {
            file: value("--file").expect("--file names the texts").clone(),
            measure: value("--measure").map_or("levenshtein", String::as_str).to_owned(),
            k: number("--k", 2),
            similarity: value("--similarity").map(|text| text.parse().expect("--similarity takes a number")),
            budget: number("--budget-mb", 1024) << 20,
            repeats: number("--repeats", 3),
            pairs: value("--pairs").cloned(),
            check: number("--check", 0),
        }
    }

    /// True if pairs are needed after the join; else they are counted.
    fn keeps_pairs(&self) -> bool {
        self.pairs.is_some() || self.check > 0
    }

    fn count(&self) -> EditCount {
        let named = |count: &&EditCount| count.count().facts().name == self.measure && count.leaves_subsequence();
        *EditCount::ALL.iter().find(named).unwrap_or_else(|| panic!("--measure {}: there is no index", self.measure))
    }

    /// The most edits of two texts; the longer one has this length.
    fn most_edits(&self, longest: usize) -> Option<usize> {
        match self.similarity {
            None => Some(self.k),
            Some(least) => (0..=longest).rev().find(|&edits| edit_similarity(edits, longest, longest) >= least),
        }
    }
}

/// The texts of a file, distinct and in the order of the file, as characters numbered by an alphabet.
struct Texts {
    lines: Vec<String>,
    alphabet: usize,
    codes: Vec<u32>,
    ends: Vec<usize>,
}

impl Texts {
    fn read(path: &str) -> Self {
        let file = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut order: Vec<(usize, &str)> = file.lines().enumerate().filter(|(_, line)| !line.is_empty()).collect();
        order.sort_unstable_by_key(|&(at, line)| (line, at));
        order.dedup_by_key(|&mut (_, line)| line);
        order.sort_unstable();
        let mut alphabet: Vec<char> = file.chars().collect();
        alphabet.sort_unstable();
        alphabet.dedup();
        let (mut codes, mut ends) = (Vec::new(), Vec::new());
        for (_, line) in &order {
            codes.extend(line.chars().map(|c| alphabet.partition_point(|&other| other < c) as u32));
            ends.push(codes.len());
        }
        let lines = order.into_iter().map(|(_, line)| line.to_owned()).collect();
        Self { lines, alphabet: alphabet.len(), codes, ends }
    }
}

/// One measurement of texts of one width.
struct Run {
    seconds: Vec<f64>,
    /// Seconds of all cores together: on a shared machine the steadier figure.
    core_seconds: Vec<f64>,
    pairs: u64,
    work: EditWork,
    estimate: EditEstimate,
}

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let options = Options::parse(args);
    let texts = Texts::read(&options.file);
    if texts.alphabet <= usize::from(u8::MAX) {
        measure(&options, &texts, &texts.codes.iter().map(|&code| code as u8).collect::<Vec<u8>>());
    } else if texts.alphabet <= usize::from(u16::MAX) {
        measure(&options, &texts, &texts.codes.iter().map(|&code| code as u16).collect::<Vec<u16>>());
    } else {
        measure(&options, &texts, &texts.codes);
    }
}

fn measure<U: Unit + Send + Sync>(options: &Options, texts: &Texts, units: &[U]) {
    let strings = Strings::new(units, &texts.ends);
    let all: Vec<u32> = (0..texts.ends.len() as u32).collect();
    let most = |longest: usize| options.most_edits(longest);
    let estimate = estimate(strings, (&all, None), most, options.budget);
    let (mut seconds, mut core_seconds) = (Vec::new(), Vec::new());
    let (mut pairs, mut count, mut work) = (Vec::new(), 0, EditWork::default());
    for _ in 0..options.repeats.max(1) {
        (pairs, count) = (Vec::new(), 0);
        let (start, core_start) = (Instant::now(), core_time());
        let limits = EditLimits { of_longer: &most, of_pair: &|longer, _| most(longer) };
        let mut join = EditJoin::new(strings, (&all, None), options.count(), &limits, options.budget);
        for round in 0..join.rounds() {
            join.prepare(round);
            let found = (0..join.tasks()).into_par_iter().map(|task| consume(&join, task, options.keeps_pairs()));
            for (found, of_task) in found.collect::<Vec<_>>() {
                pairs.extend(found);
                count += of_task;
            }
        }
        seconds.push(start.elapsed().as_secs_f64());
        core_seconds.push(core_time() - core_start);
        work = join.work();
    }
    check(options, strings, &all, &pairs);
    write_pairs(options, texts, &pairs);
    report(options, texts.ends.len(), &Run { seconds, core_seconds, pairs: count, work, estimate });
}

/// Runs a task: its pairs, if they are to be kept, and their number.
fn consume(join: &impl ValueJoin, task: usize, keep: bool) -> (Vec<(u32, u32)>, u64) {
    let (mut pairs, mut count) = (Vec::new(), 0);
    join.run(task, &mut |a, b| {
        count += 1;
        if keep {
            pairs.push((a, b));
        }
    });
    (pairs, count)
}

/// Compares the pairs of some texts with those of a nested loop.
fn check<U: Unit + Send + Sync>(options: &Options, strings: Strings<'_, U>, all: &[u32], pairs: &[(u32, u32)]) {
    let some = all.iter().copied().step_by((all.len() / options.check.max(1)).max(1)).take(options.check);
    let some: Vec<u32> = some.collect();
    let expected: Vec<Vec<(u32, u32)>> = some.par_iter().map(|&a| partners(options, strings, all, a)).collect();
    let mut expected = expected.concat();
    let chosen = |code: &u32| some.binary_search(code).is_ok();
    let sort = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
    let mut found: Vec<(u32, u32)> = pairs.iter().filter(|(a, b)| chosen(a) || chosen(b)).map(sort).collect();
    found.sort_unstable();
    expected.sort_unstable();
    expected.dedup();
    assert!(found == expected, "{} pairs found, {} expected", found.len(), expected.len());
}

fn partners<U: Unit>(options: &Options, strings: Strings<'_, U>, all: &[u32], a: u32) -> Vec<(u32, u32)> {
    let (prepared, count) = (PreparedText::new(strings.get(a)), options.count());
    let is_pair = |b: &u32| {
        let other = strings.get(*b);
        let most = options.most_edits(prepared.codes().len().max(other.len()));
        most.is_some_and(|most| count.is_within(&prepared, other, most))
    };
    all.iter().filter(|b| is_pair(b)).map(|&b| (a.min(b), a.max(b))).collect()
}

fn write_pairs(options: &Options, texts: &Texts, pairs: &[(u32, u32)]) {
    let Some(path) = &options.pairs else { return };
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).expect("the file for pairs can be made"));
    for &(a, b) in pairs {
        writeln!(out, "{},{}", texts.lines[a as usize], texts.lines[b as usize]).expect("pairs can be written");
    }
}

fn report(options: &Options, n: usize, run: &Run) {
    let EditWork { entries, meetings, verified, peak_bytes, rounds } = run.work;
    let estimated = Some(run.estimate.entries).filter(|entries| entries.is_finite());
    let estimated = estimated.map_or("null".to_owned(), |entries| format!("{entries:.0}"));
    let edits = options.similarity.map_or(format!("\"k\":{}", options.k), |least| format!("\"similarity\":{least}"));
    let line = format!(
        "{{\"op\":\"edit_join\",\"file\":\"{}\",\"n\":{n},\"measure\":\"{}\",{edits},\"threads\":{},\"seconds\":{:.3?},\
         \"core_seconds\":{:.2?},\"pairs\":{},\"entries\":{entries},\"candidates\":{meetings},\"verified\":{verified},\"rounds\":{rounds},\
         \"index_bytes\":{peak_bytes},\"peak_resident_kb\":{},\"estimated_entries\":{estimated},\"band_pairs\":{:.0}}}\n",
        options.file,
        options.measure,
        rayon::current_num_threads(),
        run.seconds,
        run.core_seconds,
        run.pairs,
        peak_resident(),
        run.estimate.pairs,
    );
    std::io::stdout().write_all(line.as_bytes()).expect("the result can be printed");
}

/// The processor time of the process so far, where the system reports it.
fn core_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields are counted from after the name of the program; times are in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory the process ever held, in kB, where the system reports it.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
