//! The join of texts on a device, all pairs of the lines of a file.
//!
//! Arguments: `--names names.txt` (one text a line), `--measure levenshtein|osa|jaro|jaro_winkler`, `--threshold 2` (edits
//! at most, or similarity at least), `--list N` (only the first lines), `--repeats 5`, `--check` (the same pairs from the
//! CPU), and switches of parts: `--no-signatures`, `--no-unions`, `--no-queue`, `--no-lengths`. `--pairs N` decides so many
//! arbitrary pairs instead of all. One line of JSON; seconds are the device's, of the kernels alone.

use sameas::candidates::ValueJoin;
use sameas::candidates::text_join::TextJoin;
use sameas::candidates::text_join::gpu::{GpuTextJoin, Settings, Sources};
use sameas::device::{Buffer, Gpu};
use sameas::expr::{Function, Num};
use sameas::records::encode::Signatures;
use sameas::rules::Comparison;
use sameas::verify::TextTest;
use sameas::verify::gpu::pair_list;
use sameas::verify::gpu::text::{DeviceTest, TextsImage};
use sameas_kernels::layout::text::TextOut;
use serde_json::{Value, json};

use crate::report;
use crate::text_join::Texts;

/// Room for pairs, found or left to the host.
const ROOM: usize = 1 << 26;
const OPEN: usize = 1 << 20;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let asked = |name: &str| report::option(args, name);
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let number = |name: &str, default: usize| asked(name).map_or(default, |text| text.parse().expect(name));
    let file = asked("--names").expect("--names names the texts");
    let mut lines: Vec<String> = report::lines(file).into_iter().filter(|line| !line.is_empty()).collect();
    lines.truncate(number("--list", usize::MAX));
    lines.sort_unstable();
    lines.dedup();
    let texts = Texts::new(&lines);
    let signatures = Signatures::new(texts.strings(), lines.len() as u32);
    let test = test(asked("--measure").unwrap_or("levenshtein"), asked("--threshold").unwrap_or("2"));
    let gpu = super::open();
    let image = TextsImage::of(&gpu, texts.strings(), &signatures, lines.len() as u32).expect("the texts fit");
    let on_device = DeviceTest::new(&gpu, &test).expect("the test fits").expect("a device can decide the test");
    let repeats = number("--repeats", 5).max(1);
    let sources = Sources { texts: &image, signatures: &signatures, test: &test, on_device: &on_device };
    let result = match number("--pairs", 0) {
        0 => {
            let settings = Settings {
                signatures: !has("--no-signatures"),
                unions: !has("--no-unions"),
                queue: !has("--no-queue"),
                lengths: !has("--no-lengths"),
                piece: asked("--piece").map(|text| text.parse().expect("--piece takes a number")),
            };
            let checked = has("--check").then(|| on_cpu(&texts, &signatures, &test));
            join(&gpu, sources, lines.len(), settings, repeats, checked)
        }
        pairs => list(&gpu, sources, lines.len(), pairs, repeats),
    };
    let mut facts = json!({
        "op": "gpu_text_join", "file": file, "n": lines.len(), "device": gpu.info().name, "arguments": args,
    });
    result.as_object().into_iter().flatten().for_each(|(name, value)| facts[name] = value.clone());
    report::print(&facts);
}

fn test(measure: &str, threshold: &str) -> TextTest {
    let threshold = Num::parse(threshold).expect("--threshold takes a number");
    let (measure, comparison) = match measure {
        "levenshtein" => (Function::Levenshtein, Comparison::LessEqual),
        "osa" => (Function::Osa, Comparison::LessEqual),
        "jaro" => (Function::Jaro, Comparison::GreaterEqual),
        "jaro_winkler" => (Function::JaroWinkler, Comparison::GreaterEqual),
        other => panic!("--measure {other}: levenshtein, osa, jaro or jaro_winkler"),
    };
    TextTest::new(measure, comparison, threshold)
}

/// All pairs of different texts.
fn join(
    gpu: &Gpu,
    sources: Sources<'_>,
    texts: usize,
    settings: Settings,
    repeats: usize,
    checked: Option<(usize, String)>,
) -> Value {
    let codes: Vec<u32> = (0..texts as u32).collect();
    let out = Out::new(gpu);
    let (mut seconds, mut pairs) = (Vec::new(), Vec::new());
    let (mut counted, mut units) = (None, 0);
    for _ in 0..repeats {
        let join = GpuTextJoin::new(gpu, sources, &codes, None, settings).expect("the join fits");
        gpu.fill_zero(&out.cursors).expect("the device works");
        gpu.wait().expect("the device works");
        let run = || join.launch(0..join.units(), &out.layout);
        seconds.push(gpu.timed(run).expect("the join runs").1);
        (counted, units) = (Some(join.counted().expect("the device works")), join.units());
        pairs = out.pairs(gpu);
    }
    pairs.retain(|(a, b)| a != b);
    let (found, digest) = (pairs.len(), report::digest(pairs));
    let nominal = texts as f64 * (texts as f64 - 1.0) / 2.0;
    let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let counted = counted.map(|c| json!({ "tested": c.tested, "verified": c.verified, "found": c.found }));
    let same = checked.as_ref().map(|checked| *checked == (found, digest.clone()));
    json!({
        "seconds": seconds, "nominal": nominal, "nominal_per_second": nominal / best, "units": units,
        "counted": counted, "pairs": found, "digest": digest, "as_on_the_cpu": same,
    })
}

/// The number of pairs of different texts, and their digest, by the CPU's join.
fn on_cpu(texts: &Texts, signatures: &Signatures, test: &TextTest) -> (usize, String) {
    use rayon::prelude::*;
    let codes: Vec<u32> = (0..texts.count() as u32).collect();
    let predicate = test.predicate().expect("the test is a bound");
    let mut join = TextJoin::new(texts.strings(), signatures, &codes, None, predicate);
    let mut all: Vec<(u32, u32)> = Vec::new();
    for round in 0..join.rounds() {
        join.prepare(round);
        let parts = (0..join.tasks()).into_par_iter().map(|task| {
            let mut part = Vec::new();
            join.run(task, &mut |a, b| part.extend((a != b).then_some((a, b))));
            part
        });
        all.extend(parts.collect::<Vec<_>>().into_iter().flatten());
    }
    (all.len(), report::digest(all))
}

/// Arbitrary pairs of texts.
fn list(gpu: &Gpu, sources: Sources<'_>, texts: usize, pairs: usize, repeats: usize) -> Value {
    let code = |seed: u64| move |i: usize| (report::mix(i as u64 ^ seed) % texts as u64) as u32;
    let codes = |seed| (0..pairs).map(code(seed)).collect::<Vec<u32>>();
    let (left, right) = (gpu.upload(&codes(1)).expect("the pairs fit"), gpu.upload(&codes(1 << 40)).expect("they fit"));
    let (mut seconds, mut holding) = (Vec::new(), 0);
    for _ in 0..repeats {
        gpu.wait().expect("the device works");
        let run = || pair_list::verdicts(gpu, sources.texts, sources.on_device, (&left, &right), pairs);
        let (verdicts, took) = gpu.timed(run).expect("the list is decided");
        seconds.push(took);
        let words = gpu.read(&verdicts.holds, 0..pairs.div_ceil(32)).expect("the device works");
        holding = words.iter().map(|word| word.count_ones() as usize).sum();
    }
    let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    json!({ "seconds": seconds, "list": pairs, "pairs_per_second": pairs as f64 / best, "holding": holding })
}

/// Room for the pairs of a join.
struct Out {
    codes: [Buffer<u32>; 4],
    cursors: Buffer<u64>,
    layout: TextOut,
}

impl Out {
    fn new(gpu: &Gpu) -> Self {
        // A small device gets less room.
        let room = ROOM.min(gpu.free() / 32);
        let of = |len| gpu.buffer::<u32>(len).expect("there is room for pairs");
        let codes = [of(room), of(room), of(OPEN.min(room)), of(OPEN.min(room))];
        let cursors = gpu.zeroed::<u64>(2).expect("there is room");
        let layout = TextOut {
            left: codes[0].at(),
            right: codes[1].at(),
            capacity: codes[0].len() as u64,
            cursor: cursors.at(),
            open_left: codes[2].at(),
            open_right: codes[3].at(),
            open_capacity: codes[2].len() as u64,
            open_cursor: cursors.at() + 8,
            bits: 0,
            row_words: 0,
        };
        Self { codes, cursors, layout }
    }

    fn pairs(&self, gpu: &Gpu) -> Vec<(u32, u32)> {
        let counts = gpu.read(&self.cursors, 0..2).expect("the device works");
        let count = counts[0] as usize;
        assert!(count <= self.codes[0].len(), "{count} pairs, room for {}", self.codes[0].len());
        assert_eq!(counts[1], 0, "no text of a benchmark is beyond the device's limit");
        let read = |which: usize| gpu.read(&self.codes[which], 0..count).expect("the device works");
        read(0).into_iter().zip(read(1)).collect()
    }
}
