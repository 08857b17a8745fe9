//! The join of sets on a device, all pairs of the lines of a file.
//!
//! `gpu-set-join FILE [--tokens qgrams3|words] [--measure jaccard|dice|cosine|overlap_coefficient|overlap]
//! [--threshold T]... [--path prefixes|everything] [--words 8|16|32] [--repeats N] [--memory BYTES] [--check]`
//!
//! A line of JSON for each threshold. `seconds` are the device's, from token ids that are there to pairs on the device:
//! ordering, signing, lists and the join. `join_seconds` are the join's alone. `text_seconds` are the host's, from rows in
//! memory to pairs in memory, with the device open. `--check` compares the pairs with those of the CPU's join.

use std::time::Instant;

use rayon::prelude::*;
use sameas_core::cancel::Cancel;
use sameas_device::Gpu;
use sameas_expr::Vector;
use sameas_joins::candidates::device_value_join::DeviceValueJoin;
use sameas_joins::candidates::pair_output::PairOutput;
use sameas_joins::candidates::set_join::gpu::{GpuSetJoin, GpuSetJoinSettings};
use sameas_joins::candidates::set_join::{Enumeration, SetJoin, SetJoinOptions, collect};
use sameas_joins::device_values::DeviceSets;
use sameas_records::records::BlockColumn;
use sameas_records::records::encode::{Dictionary, Numbers, TokenSets};
use serde_json::json;

use crate::report;
use crate::set_join::{blocks, decision, expanded, rows_by_code, tokenizer};

/// Room for pairs at first: where a join finds more, it gets as much as it needs.
const ROOM: usize = 1 << 26;

type Decision = Box<dyn Fn(usize, usize, usize) -> bool + Sync>;

/// Runs the benchmark.
pub fn run(args: &[String]) {
    let asked = |name: &str| report::option(args, name);
    let file = args.first().expect("a file of texts");
    let (tokens, measure) = (asked("--tokens").unwrap_or("qgrams3"), asked("--measure").unwrap_or("jaccard"));
    let given = args.iter().zip(args.iter().skip(1)).filter(|(name, _)| *name == "--threshold");
    let thresholds: Vec<f64> = given.map(|(_, t)| t.parse().expect("a threshold is a number")).collect();
    let repeats = asked("--repeats").map_or(5, |text| text.parse().expect("--repeats takes a number"));
    let settings = GpuSetJoinSettings {
        path: asked("--path").map(|p| if p == "prefixes" { Enumeration::Prefixes } else { Enumeration::Everything }),
        words: asked("--words").map(|text| text.parse().expect("--words takes a number")),
        ..GpuSetJoinSettings::default()
    };
    let gpu = super::open(asked("--memory").map(|text| text.parse().expect("--memory takes bytes")));
    let (blocks, has_check) = (blocks(file), args.iter().any(|arg| arg == "--check"));
    for threshold in if thresholds.is_empty() { vec![0.5, 0.7, 0.9] } else { thresholds } {
        let measured = Measured { gpu: &gpu, blocks: &blocks, tokens, holds: decision(measure, threshold), settings };
        measured.run(repeats, has_check, &json!({ "file": file, "threshold": threshold, "arguments": args }));
    }
}

/// What is measured.
struct Measured<'a> {
    gpu: &'a Gpu,
    blocks: &'a [Vector],
    tokens: &'a str,
    holds: Decision,
    settings: GpuSetJoinSettings,
}

impl Measured<'_> {
    fn run(&self, repeats: usize, has_check: bool, facts: &serde_json::Value) {
        let mut out = room(self.gpu, ROOM);
        let (mut seconds, mut joining, mut from_text) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let start = Instant::now();
            let column = vec![self.blocks.iter().cloned().map(BlockColumn::from).collect()];
            let (dictionary, codes) = Dictionary::encode(&column, Numbers::ByValue, Cancel::NEVER);
            let sets = TokenSets::tokenize(&[(&dictionary, tokenizer(self.tokens))], Cancel::NEVER).remove(0);
            let values: Vec<u32> = (0..dictionary.len() as u32).collect();
            let resident = DeviceSets::new(self.gpu, sets.view()).expect("the sets fit");
            out.clear().expect("the device works");
            self.gpu.wait().expect("the device works");
            let (mut join, mut made) = self.gpu.timed(|| self.join(&resident, &values)).expect("the join fits");
            let (mut joined, mut tasks, mut rounds) = (0.0, 0, 0);
            loop {
                let (more, seconds) = self.gpu.timed(|| join.next_round()).expect("the lists fit");
                made += seconds;
                if !more {
                    break;
                }
                joined += self.gpu.timed(|| join.launch(0..join.tasks(), &out)).expect("the join runs").1;
                (tasks, rounds) = (tasks + join.tasks(), rounds + 1);
            }
            let found = out.found().expect("the device works")[0];
            // A launch without room counted its pairs; the next one writes them all, and its time is the one that counts.
            if found > out.pairs[0].len() {
                drop(out);
                out = room(self.gpu, found);
                continue;
            }
            let pairs = read(self.gpu, &out, found);
            from_text.push(start.elapsed().as_secs_f64());
            seconds.push(made + joined);
            joining.push(joined);
            if seconds.len() < repeats {
                continue;
            }
            let same = has_check.then(|| summary(&self.on_cpu(&sets, &values)) == summary(&pairs));
            let (rows, counters) = (rows_by_code(&codes[0]), join.counters().expect("the device works"));
            let mut all = json!({
                "op": "gpu_set_join", "device": self.gpu.info().name, "path": join.path().map(|path| format!("{path:?}")),
                "seconds": seconds, "join_seconds": joining, "text_seconds": from_text,
                "signature_bits": 32 * join.signature_words(), "tasks": tasks, "rounds": rounds, "nominal": join.nominal_pairs(),
                "counted": { "tested": counters.compared, "verified": counters.verified, "found": counters.found },
                "pairs_values": found, "pairs": pairs.par_iter().map(|(l, r)| expanded(&rows, *l, *r)).sum::<u64>(),
                "digest": summary(&pairs).1, "as_on_the_cpu": same,
            });
            facts.as_object().into_iter().flatten().for_each(|(name, value)| all[name] = value.clone());
            return report::print(&all);
        }
    }

    fn join(&self, sets: &DeviceSets, values: &[u32]) -> sameas::Result<GpuSetJoin> {
        GpuSetJoin::new(self.gpu, (sets.layout(), values), None, &self.holds, self.settings)
    }

    fn on_cpu(&self, sets: &TokenSets, values: &[u32]) -> Vec<(u32, u32)> {
        collect(&mut SetJoin::new((sets.view(), values), None, &self.holds, SetJoinOptions::new(4 << 30)))
    }
}

/// Output for the pairs of a join: this many, or fewer at first on a small device.
fn room(gpu: &Gpu, pairs: usize) -> PairOutput {
    let pairs = if pairs == ROOM { pairs.min(gpu.free() / 32) } else { pairs };
    PairOutput::new(gpu, pairs, 1).expect("there is room for pairs")
}

fn read(gpu: &Gpu, out: &PairOutput, found: usize) -> Vec<(u32, u32)> {
    let [left, right] = out.pairs.each_ref().map(|side| gpu.read(side, 0..found).expect("the device works"));
    left.into_par_iter().zip(right).collect()
}

/// The number of pairs and their digest, the same in any order.
fn summary(pairs: &[(u32, u32)]) -> (usize, String) {
    let sum = pairs.par_iter().map(|pair| report::mixed(*pair)).reduce(|| 0, u64::wrapping_add);
    (pairs.len(), format!("{sum:016x}"))
}
