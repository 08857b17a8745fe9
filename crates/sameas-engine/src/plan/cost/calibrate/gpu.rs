//! Calibration on a GPU: each check over all pairs of some records, on the device's clock. The coefficients come with the
//! program; they only order the checks of a branch, and that order is much the same on all GPUs.

use super::data::{CalibrationData, TimedCondition};
use super::{Calibration, Effort, Features, Measurement, fitted};
use crate::candidates::Shape;
use crate::candidates::all_pairs::gpu::GpuAllPairs;
use crate::candidates::device_path::DevicePath;
use crate::candidates::work_division::TaskSizes;
use crate::device::{Ablation, Gpu};
use crate::device_values::arithmetic::postfix;
use crate::error::Result;
use crate::plan::cost::{CORES, CheckKind, Costs};
use crate::rules::Literal;
use crate::verify::gpu::{
    CountedRules, Deferred, DeviceColumns, DeviceProgram, DeviceVerifier, Resolved, ResultSink, SliceCounts,
    VerifierSetup,
};
use crate::verify::{BranchProgram, Check, Step};

/// Left records of a first run, which finds how many a run takes that is long enough and not too long.
const FIRST: usize = 64;

/// Seconds of a run, at most.
const LONGEST: f64 = 0.004;

impl Costs {
    /// Measures a GPU, in nanoseconds of the cores that an H200 stands for.
    #[doc(hidden)]
    pub fn calibrate_gpu(gpu: &Gpu) -> Result<Calibration> {
        let data = CalibrationData::new(Effort::FULL.records)?;
        let mut columns = DeviceColumns::new(gpu, &data.program, Ablation::default());
        let is_for_devices = |timed: &&TimedCondition| match &data.program.checks[timed.check] {
            Check::Residual { expr } => postfix(expr, &data.program.encoded).is_some(),
            _ => true,
        };
        let timed = data.timed.iter().filter(is_for_devices);
        let measurements: Vec<Measurement> =
            timed.map(|timed| measure(&data, timed, &mut columns)).collect::<Result<_>>()?;
        Ok(Calibration { costs: fitted(&measurements, "cuda"), measurements })
    }
}

fn measure(data: &CalibrationData, timed: &TimedCondition, columns: &mut DeviceColumns<'_>) -> Result<Measurement> {
    let first = seconds(data, timed, columns, FIRST)?;
    let lefts = (FIRST as f64 * LONGEST / first.max(1e-9)) as usize;
    let lefts = lefts.clamp(FIRST, Effort::FULL.records);
    let pairs = (lefts * Effort::FULL.records) as f64;
    let check = &data.program.checks[timed.check];
    let all: Vec<u32> = (0..data.far.l.len() as u32).collect();
    Ok(Measurement {
        kind: CheckKind::from_check(check),
        condition: timed.condition.clone(),
        length: timed.length,
        near: false,
        features: Features::count(check, &data.program.encoded, &data.far, &all),
        nanoseconds: seconds(data, timed, columns, lefts)? * 1e9 * CORES / pairs,
    })
}

/// The seconds that a check takes for some left records with all right ones, the lesser of two runs.
fn seconds(
    data: &CalibrationData,
    timed: &TimedCondition,
    columns: &mut DeviceColumns<'_>,
    lefts: usize,
) -> Result<f64> {
    let (gpu, program) = (columns.gpu().clone(), DeviceProgram::new(columns, &branch(data, timed), None)?);
    let sizes = TaskSizes::alone(&gpu);
    let counted = CountedRules { rules: data.program.rules, nevers: 0 };
    let capacity = DeviceVerifier::capacity(&gpu, &program, sizes.task_limit);
    let mut verifier = DeviceVerifier::new(&gpu, program, counted, capacity, VerifierSetup::default())?;
    let rows: Vec<u32> = (0..Effort::FULL.records as u32).collect();
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let mut path = GpuAllPairs::new(&gpu, &rows[..lefts], &rows, Shape::Rectangle, &sizes)?;
        path.next_round()?;
        let ((), seconds) = gpu.timed(|| verifier.run(&path, &mut NoResults))?;
        best = best.min(seconds);
    }
    Ok(best)
}

/// The check, and after it one that nothing passes: results would take time.
fn branch(data: &CalibrationData, timed: &TimedCondition) -> BranchProgram {
    let step = |predicate: usize, depth: usize, complete: Vec<usize>| Step {
        literal: Literal { predicate, want: true },
        depth,
        skip: 2,
        complete,
    };
    let steps = vec![step(timed.check, 0, Vec::new()), step(data.refusal, 1, vec![0])];
    BranchProgram::new(&data.program, vec![0], steps, Vec::new(), Vec::new(), &|_| 0.0)
}

/// Takes nothing.
struct NoResults;

impl ResultSink for NoResults {
    fn take(&mut self, _: &Resolved<'_>, _: &Deferred<'_>, _: &SliceCounts) -> Result<()> {
        Ok(())
    }

    fn progress(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}
