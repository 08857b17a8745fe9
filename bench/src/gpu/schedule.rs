//! Schedulers of several devices, simulated from recorded times: the units of a join of Zipf-distributed keys are run and
//! timed one by one on the GPU there is, and each scheduler gives them to devices as the engine does.
//!
//! Arguments, all optional: `--rows 8000000` a side, `--zipf 0.9`, `--devices 8`. One line of JSON for each scheduler and
//! each kind of devices: all equal, one three times slower, half of them twice as slow. `makespan` is when the last device
//! is done, `ideal` what no division of the work could beat.

use sameas::Result;
use sameas_device::{Gpu, Scheduler};
use sameas_joins::candidates::device_path::{DevicePath, DeviceSink};
use sameas_joins::candidates::work_division::UnitQueue;
use sameas_kernels::layout::consume::Consume;
use serde_json::json;

use super::equi_join::join_of;
use crate::equi_join::zipf::Zipf;
use crate::report::{option, print};

/// Units for each device, as the engine cuts them.
const UNITS: u64 = 16;

/// Runs the simulation.
///
/// # Panics
/// If there is no usable GPU.
pub fn run(args: &[String]) {
    let number = |name: &str, usual: usize| option(args, name).map_or(usual, |text| text.parse().expect("a number"));
    let (rows, devices) = (number("--rows", 8_000_000), number("--devices", 8));
    let exponent = option(args, "--zipf").map_or(0.9, |text| text.parse().expect("--zipf takes a number"));
    let gpu = super::open(None);
    let seconds = recorded(&gpu, rows, exponent, UNITS * devices as u64).unwrap_or_else(|error| panic!("{error}"));
    for (kind, slowdowns) in kinds(devices) {
        for scheduler in Scheduler::ALL {
            let makespan = makespan(scheduler, &seconds, &slowdowns);
            let total: f64 = seconds.iter().sum();
            print(&json!({
                "op": "schedule",
                "device": gpu.info().name,
                "rows": rows,
                "zipf": exponent,
                "devices": devices,
                "kind": kind,
                "scheduler": scheduler.name(),
                "units": seconds.len(),
                "longest_unit": seconds.iter().copied().fold(0.0, f64::max),
                "makespan": makespan,
                "ideal": total / slowdowns.iter().map(|slowdown| 1.0 / slowdown).sum::<f64>(),
            }));
        }
    }
}

/// How much slower each device is.
fn kinds(devices: usize) -> [(&'static str, Vec<f64>); 3] {
    let of = |slowdown: fn(usize, usize) -> f64| (0..devices).map(|device| slowdown(device, devices)).collect();
    [
        ("equal", of(|_, _| 1.0)),
        ("one three times slower", of(|device, _| if device == 0 { 3.0 } else { 1.0 })),
        ("half twice as slow", of(|device, devices| if device < devices / 2 { 2.0 } else { 1.0 })),
    ]
}

/// The seconds of each unit of a join on the device's clock.
fn recorded(gpu: &Gpu, rows: usize, exponent: f64, units: u64) -> Result<Vec<f64>> {
    let zipf = Zipf::new(rows, exponent);
    let keys = [gpu.upload(&zipf.keys(rows, 1))?, gpu.upload(&zipf.keys(rows, 2))?];
    let mut join = join_of(gpu, &keys, false)?;
    let counters = gpu.zeroed::<u64>(3)?;
    let (pairs, matched, cursor) = (counters.at(), counters.at_index(1), counters.at_index(2));
    let consume = Consume { pairs, matched, cursor, ..Consume::default() };
    let mut seconds = Vec::new();
    while join.next_round()? {
        let cut = UnitQueue::of_units(Scheduler::EvenSplit, join.tasks(), units.min(join.tasks()), &[1]);
        for unit in 0..units.min(join.tasks()) {
            seconds.push(gpu.timed(|| join.launch(cut.tasks(unit), DeviceSink::Count, &consume))?.1);
        }
    }
    Ok(seconds)
}

/// When the last device is done, if the scheduler takes them for equal.
fn makespan(scheduler: Scheduler, seconds: &[f64], slowdowns: &[f64]) -> f64 {
    let units = seconds.len() as u64;
    let mut queue = UnitQueue::of_units(scheduler, units, units, &vec![1; slowdowns.len()]);
    let mut free_at: Vec<(f64, usize)> = (0..slowdowns.len()).map(|device| (0.0, device)).collect();
    let mut end = 0.0_f64;
    while let Some(at) = (0..free_at.len()).min_by(|a, b| free_at[*a].0.total_cmp(&free_at[*b].0)) {
        let (now, device) = free_at[at];
        match queue.take(device) {
            Some(unit) => free_at[at].0 = now + seconds[unit as usize] * slowdowns[device],
            None => {
                end = end.max(now);
                free_at.swap_remove(at);
            }
        }
    }
    end
}
