//! The join of texts on a device, all pairs of the lines of a file.
//!
//! Arguments: `--names names.txt` (one text a line), `--measure levenshtein` or another of two texts, `--threshold 2` (edits
//! at most, or similarity at least), `--list N` (only the first lines), `--repeats 5`, `--check` (the same pairs from the
//! CPU), and switches of parts: `--no-signatures`, `--no-unions`, `--no-queue`, `--no-lengths`. `--index` joins by common
//! variants instead (`edit_join`): variants, sorts and all. `--pairs N` decides this many arbitrary pairs instead of all. One line of JSON; seconds are the device's, of the kernels alone. Pairs are not sorted:
//! their digest is a sum, the same in any order, and so is that of the CPU's pairs.

use sameas_device::Gpu;
use sameas_expr::Num;
use sameas_joins::candidates::ValueJoin;
use sameas_joins::candidates::device_value_join::DeviceValueJoin;
use sameas_joins::candidates::edit_join::gpu::{EditJoinInput, GpuEditJoin, VariantPlan};
use sameas_joins::candidates::pair_output::PairOutput;
use sameas_joins::candidates::text_join::TextJoin;
use sameas_joins::candidates::text_join::gpu::{GpuTextJoin, GpuTextJoinSettings, TextJoinInput};
use sameas_joins::candidates::work_division::TaskSizes;
use sameas_joins::device_values::{DeviceTextTest, DeviceTexts, pair_list};
use sameas_joins::verify::TextTest;
use sameas_measures::{MeasureKind, TextMeasure};
use sameas_records::records::encode::Signatures;
use sameas_rules::rules::Comparison;
use serde_json::{Value, json};

use crate::report;
use crate::text_join::Texts;

/// Room for pairs, found or left to the host, at first: where a join finds more, it gets as much as it needs.
const ROOM: usize = 1 << 26;
const OPEN: usize = 1 << 20;

/// Pairs that are read from the device at a time.
const PART: usize = 1 << 26;

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
    let gpu = super::open(asked("--memory").map(|text| text.parse().expect("--memory takes bytes")));
    let image =
        DeviceTexts::from_strings(&gpu, texts.strings(), &signatures, lines.len() as u32).expect("the texts fit");
    let on_device = DeviceTextTest::new(&gpu, &test, image.longest())
        .expect("the test fits")
        .expect("a device can decide the test");
    let repeats = number("--repeats", 5).max(1);
    let predicate = test.predicate();
    let sources =
        TextJoinInput { texts: &image, signatures: &signatures, predicate: predicate.as_ref(), on_device: &on_device };
    let result = match number("--pairs", 0) {
        0 if has("--index") => {
            let checked = has("--check").then(|| on_cpu(&texts, &signatures, &test));
            by_index(&gpu, sources, &lines, &test, repeats, checked.as_ref())
        }
        0 => {
            let settings = GpuTextJoinSettings {
                signatures: !has("--no-signatures"),
                unions: !has("--no-unions"),
                queue: !has("--no-queue"),
                lengths: !has("--no-lengths"),
                piece: asked("--piece").map(|text| text.parse().expect("--piece takes a number")),
                processors: None,
            };
            let checked = has("--check").then(|| on_cpu(&texts, &signatures, &test));
            join(&gpu, sources, lines.len(), settings, repeats, checked.as_ref())
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
    let named = |of: &&TextMeasure| of.facts().words.name == measure;
    let measure = TextMeasure::ALL.iter().find(named).unwrap_or_else(|| panic!("--measure {measure}: there is none"));
    let comparison = match measure.facts().kind {
        MeasureKind::Distance => Comparison::LessEqual,
        MeasureKind::Common | MeasureKind::Similarity => Comparison::GreaterEqual,
    };
    TextTest::new(*measure, comparison, threshold)
}

/// All pairs of different texts.
fn join(
    gpu: &Gpu,
    sources: TextJoinInput<'_>,
    texts: usize,
    settings: GpuTextJoinSettings,
    repeats: usize,
    checked: Option<&(usize, String)>,
) -> Value {
    let codes: Vec<u32> = (0..texts as u32).collect();
    let (mut counted, mut units) = (None, 0);
    let (out, seconds) = repeated(gpu, repeats, |out| {
        let join = GpuTextJoin::new(gpu, sources, &codes, None, settings).expect("the join fits");
        let took = timed(gpu, out, || join.launch(0..join.tasks(), &out.layout()));
        (counted, units) = (Some(join.counted().expect("the device works")), join.tasks());
        took
    });
    let (found, digest) = summary(gpu, &out);
    let nominal = texts as f64 * (texts as f64 - 1.0) / 2.0;
    let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let counted = counted.map(|c| json!({ "tested": c.tested, "verified": c.verified, "found": c.found }));
    let same = checked.map(|checked| *checked == (found, digest.clone()));
    json!({
        "seconds": seconds, "nominal": nominal, "nominal_per_second": nominal / best, "units": units,
        "counted": counted, "pairs": found, "digest": digest, "as_on_the_cpu": same, "room": out.pairs[0].len(),
        "digest_of": "a sum over the pairs, in any order",
    })
}

/// The same by common variants.
fn by_index(
    gpu: &Gpu,
    sources: TextJoinInput<'_>,
    lines: &[String],
    test: &TextTest,
    repeats: usize,
    checked: Option<&(usize, String)>,
) -> Value {
    let codes: Vec<u32> = (0..lines.len() as u32).collect();
    let lengths = lines.iter().map(|line| line.chars().count());
    let plan = VariantPlan::of_lengths(lengths, test).expect("the index serves the measure");
    let mut work = None;
    let (out, seconds) = repeated(gpu, repeats, |out| {
        let input = EditJoinInput { texts: sources.texts, test: sources.on_device, left: &codes, right: None };
        let mut join = GpuEditJoin::new(gpu, input, &plan, TaskSizes::alone(gpu)).expect("the join fits");
        let took = timed(gpu, out, || {
            while join.next_round()? {
                join.launch(0..join.tasks(), out)?;
            }
            Ok(())
        });
        work = Some(join.work().expect("the device works"));
        took
    });
    let (found, digest) = summary(gpu, &out);
    let nominal = codes.len() as f64 * (codes.len() as f64 - 1.0) / 2.0;
    let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let counted = work.map(|work| {
        json!({ "entries": work.entries, "tested": work.meetings, "verified": work.verified, "rounds": work.rounds })
    });
    json!({
        "seconds": seconds, "nominal": nominal, "nominal_per_second": nominal / best, "counted": counted, "pairs": found,
        "digest": digest, "as_on_the_cpu": checked.map(|checked| *checked == (found, digest.clone())),
        "pays": plan.pays, "digest_of": "a sum over the pairs, in any order",
    })
}

/// The number of pairs of different texts, and their digest, by the CPU's join.
fn on_cpu(texts: &Texts, signatures: &Signatures, test: &TextTest) -> (usize, String) {
    use rayon::prelude::*;
    let codes: Vec<u32> = (0..texts.count() as u32).collect();
    let predicate = test.predicate().expect("the test is a bound");
    let mut join = TextJoin::new(texts.strings(), signatures, &codes, None, predicate);
    let mut all = (0, 0);
    for round in 0..join.rounds() {
        join.prepare(round);
        let parts = (0..join.tasks()).into_par_iter().map(|task| {
            let mut part = (0, 0);
            join.run(task, &mut |a, b| add(&mut part, a, b));
            part
        });
        all = parts.chain([all]).reduce(Default::default, sum);
    }
    (all.0, digest(all))
}

/// Counts a pair of different texts and adds it to a sum whose order does not matter: see [`report::digest`].
fn add(to: &mut (usize, u64), a: u32, b: u32) {
    if a != b {
        *to = sum(*to, (1, report::mixed((a, b))));
    }
}

fn sum(a: (usize, u64), b: (usize, u64)) -> (usize, u64) {
    (a.0 + b.0, a.1.wrapping_add(b.1))
}

fn digest(of: (usize, u64)) -> String {
    format!("{:016x}", of.1)
}

/// Arbitrary pairs of texts.
fn list(gpu: &Gpu, sources: TextJoinInput<'_>, texts: usize, pairs: usize, repeats: usize) -> Value {
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

/// Output for the pairs of a join: this many, or fewer at first on a small device.
fn room(gpu: &Gpu, pairs: usize) -> PairOutput {
    let pairs = if pairs == ROOM { pairs.min(gpu.free() / 32) } else { pairs };
    PairOutput::new(gpu, pairs, OPEN.min(pairs)).expect("there is room for pairs")
}

/// Runs a join again and again; its last output, and the seconds of each run. A launch without room counted its pairs; the
/// next one writes them all, and its time is the one that counts.
fn repeated(gpu: &Gpu, repeats: usize, mut run: impl FnMut(&PairOutput) -> f64) -> (PairOutput, Vec<f64>) {
    let (mut out, mut seconds) = (room(gpu, ROOM), Vec::new());
    while seconds.len() < repeats {
        let took = run(&out);
        match wanted(&out) {
            Some(wanted) => {
                drop(out);
                out = room(gpu, wanted);
            }
            None => seconds.push(took),
        }
    }
    (out, seconds)
}

/// The seconds of a join that writes into an empty output.
fn timed(gpu: &Gpu, out: &PairOutput, join: impl FnOnce() -> sameas::Result<()>) -> f64 {
    out.clear().expect("the device works");
    gpu.wait().expect("the device works");
    gpu.timed(join).expect("the join runs").1
}

/// The number of pairs found, if there was no room for all.
fn wanted(room: &PairOutput) -> Option<usize> {
    let [found, open] = room.found().expect("the device works");
    assert_eq!(open, 0, "no text of a benchmark is beyond the device's limit");
    (found > room.pairs[0].len()).then_some(found)
}

/// The number of pairs of different texts, and their digest, by all cores. Pairs come from the device part by part.
fn summary(gpu: &Gpu, room: &PairOutput) -> (usize, String) {
    use rayon::prelude::*;
    let [count, _] = room.found().expect("the device works");
    let mut all = (0, 0);
    for begin in (0..count).step_by(PART) {
        let places = begin..(begin + PART).min(count);
        let [left, right] = room.pairs.each_ref().map(|side| gpu.read(side, places.clone()).expect("the device works"));
        let add_pair = |mut to, (a, b): (&u32, &u32)| {
            add(&mut to, *a, *b);
            to
        };
        let pairs = left.par_iter().zip(&right).with_min_len(1 << 16);
        all = sum(all, pairs.fold(Default::default, add_pair).reduce(Default::default, sum));
    }
    (all.0, digest(all))
}
