//! Which model of the cost of predicates orders them as their measured cost does?
//!
//! Arguments: `--data FOLDER` with the data sets, `--list` to print every predicate. Prints tables.
//!
//! All models learn from one calibration of made-up records and are tested on data sets they have not learnt from:
//! - constant: the geometric mean of what each kind of check took,
//! - linear: the model of `sameas_engine::plan::cost`,
//! - network: a regression network of three hidden layers (2, 6 and 1 rectified neurons, trained by Adam on logarithms
//!   of nanoseconds), which sees the kind of check and the same features as the linear model.

use std::path::Path;
use std::time::Instant;

use sameas_engine::plan::cost::calibrate::{Calibration, Measurement, nanoseconds};
use sameas_engine::plan::cost::{CheckKind, Costs, Features};
use sameas_joins::candidates::{BATCH, Batch};

use super::network::Network;
use super::random::Random;
use super::ranking::{log_error, ndcg, ndcg_of_chance, spearman};
use super::workload::{DATA_SETS, Workload};
use crate::report;

/// What one run over a check may take, in seconds, and how often it is timed.
const LONGEST: f64 = 0.05;
const RUNS: usize = 9;

/// Runs the experiment.
///
/// # Panics
/// If a data set cannot be read.
pub fn run(args: &[String]) {
    let data = Path::new(report::option(args, "--data").expect("--data names the folder of data sets"));
    let list = args.iter().any(|arg| arg == "--list");
    let models = Models::learn(&Costs::calibrate(false, &mut |_, _| ()).unwrap_or_else(|e| panic!("{e}")));
    println!("| data set | pairs | predicates | model | NDCG | Spearman | log RMSE |\n|---|---|---|---|---|---|---|");
    let mut times = Times::default();
    for set in &DATA_SETS {
        let work = Workload::read(data, set);
        let mut random = Random(2026);
        let samples =
            [("random", work.random_pairs(BATCH, &mut random)), ("half near", work.mixed_pairs(BATCH, &mut random))];
        for (name, pairs) in &samples {
            let facts = Facts::measure(&work, pairs, &models, &mut times);
            facts.print(&work, name);
            if list {
                facts.print_all(&work);
            }
        }
    }
    times.print();
}

struct Models {
    constants: Vec<(CheckKind, f64)>,
    linear: Costs,
    network: Network,
}

impl Models {
    fn learn(calibration: &Calibration) -> Self {
        let measured = &calibration.measurements;
        let constant = |kind: CheckKind| {
            let logs: Vec<f64> = measured.iter().filter(|m| m.kind == kind).map(|m| m.nanoseconds.ln()).collect();
            (kind, (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let inputs: Vec<Vec<f64>> = measured.iter().map(|m| input(m.kind, &m.features)).collect();
        let targets: Vec<f64> = measured.iter().map(|m: &Measurement| m.nanoseconds.ln()).collect();
        Self {
            constants: CheckKind::ALL.map(constant).to_vec(),
            linear: calibration.costs.clone(),
            network: Network::train(&inputs, &targets),
        }
    }

    fn constant(&self, kind: CheckKind) -> f64 {
        self.constants.iter().find(|(of, _)| *of == kind).map_or(0.0, |(_, cost)| *cost)
    }
}

/// What the network sees: which kind, and the features, none much greater than 1.
fn input(kind: CheckKind, features: &Features) -> Vec<f64> {
    let kinds = CheckKind::ALL.iter().map(|of| f64::from(u8::from(*of == kind)));
    kinds.chain([features.filtered / 2.0, features.measured, features.work.ln_1p() / 8.0]).collect()
}

/// Seconds taken over all predicates.
#[derive(Default)]
struct Times {
    predicates: usize,
    constant: f64,
    linear: f64,
    network: f64,
    measuring: f64,
}

impl Times {
    fn print(&self) {
        let each = |seconds: f64| seconds * 1e6 / self.predicates as f64;
        println!("\n| what | µs per predicate |\n|---|---|");
        println!("| constant | {:.3} |", each(self.constant));
        println!("| linear, features of {BATCH} pairs | {:.0} |", each(self.linear));
        println!("| network, features of {BATCH} pairs | {:.0} |", each(self.network));
        println!("| measuring once over {BATCH} pairs | {:.0} |", each(self.measuring));
    }
}

/// What was measured and what each model says, by predicate.
struct Facts {
    measured: Vec<f64>,
    predicted: [(&'static str, Vec<f64>); 3],
}

impl Facts {
    fn measure(work: &Workload, pairs: &Batch, models: &Models, times: &mut Times) -> Self {
        let (mut measured, mut predicted) = (Vec::new(), [const { Vec::new() }; 3]);
        let all: Vec<u32> = (0..pairs.l.len() as u32).collect();
        let encoded = &work.program.encoded;
        for predicate in 0..work.predicates.len() {
            let (check, kind) = (work.check(predicate), CheckKind::from_check(work.check(predicate)));
            let cost = nanoseconds(check, encoded, pairs, RUNS, LONGEST).1;
            measured.push(cost);
            times.measuring += cost * 1e-9 * pairs.l.len() as f64;
            predicted[0].push(timed(&mut times.constant, || models.constant(kind)));
            predicted[1].push(timed(&mut times.linear, || models.linear.predicate(check, encoded, pairs, &all)));
            predicted[2].push(timed(&mut times.network, || {
                models.network.predict(&input(kind, &Features::count(check, encoded, pairs, &all))).exp()
            }));
        }
        times.predicates += work.predicates.len();
        let [constant, linear, network] = predicted;
        Self { measured, predicted: [("constant", constant), ("linear", linear), ("network", network)] }
    }

    fn print(&self, work: &Workload, sample: &str) {
        let head = format!("| {} | {sample} | {} |", work.name, self.measured.len());
        println!("{head} any order | {:.3} | | |", ndcg_of_chance(&self.measured));
        for (model, predicted) in &self.predicted {
            let [gain, correlation] = [ndcg(predicted, &self.measured), spearman(predicted, &self.measured)];
            println!("{head} {model} | {gain:.3} | {correlation:.3} | {:.2} |", log_error(predicted, &self.measured));
        }
    }

    fn print_all(&self, work: &Workload) {
        for (at, (condition, _)) in work.predicates.iter().enumerate() {
            let costs: Vec<String> = self.predicted.iter().map(|(_, costs)| format!("{:.1}", costs[at])).collect();
            eprintln!("{condition}: {:.1} ns; {}", self.measured[at], costs.join(", "));
        }
    }
}

fn timed<T>(seconds: &mut f64, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = act();
    *seconds += start.elapsed().as_secs_f64();
    made
}
