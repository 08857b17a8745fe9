//! Where a closure is found: on a device, or on the host where that does not pay or has no room.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::plan::{ClosureMethod, ClosurePlan};
use crate::cancel::Cancel;
use crate::device::{Device, DeviceChoice, Gpu, HostWork, OnFailure, Starting};
use crate::error::{Error, ErrorCode, Result};
use crate::graph::Condensation;
use crate::graph::reach::ReachCounts;
use crate::graph::reach::gpu::{DeviceCondensation, GpuReach};
use crate::settings::Settings;

/// Nanoseconds of a step of a sweep, which hands on a line of the cache, and of one of the fixpoint.
const STEP_NANOSECONDS: [u64; 2] = [12, 2];

/// Milliseconds that all threads of the host are expected to take until the pairs are counted.
pub(super) fn host_milliseconds(plan: &ClosurePlan, threads: usize) -> u64 {
    let [sweep, step] = STEP_NANOSECONDS;
    let nanoseconds = match plan.method {
        ClosureMethod::Fixpoint => plan.fixpoint_steps.saturating_mul(step),
        // Components suffice.
        _ if !plan.directed => 0,
        _ => plan.bit_row_steps.saturating_mul(sweep),
    };
    nanoseconds / threads.max(1) as u64 / 1_000_000
}

/// The device of a closure, if it has any.
pub(super) struct ClosureDevice {
    device: Device,
    on_failure: OnFailure,
    /// It has failed, and is not used again.
    has_failed: AtomicBool,
}

impl ClosureDevice {
    /// Waits for the device that was chosen, and notes it in the plan.
    pub(super) fn ready(starting: Starting, settings: &Settings, plan: &mut ClosurePlan) -> Result<Self> {
        plan.host_milliseconds = host_milliseconds(plan, settings.threads);
        let bytes = 8 * (plan.rows + plan.vertices) as usize;
        let device = starting.ready(bytes, HostWork::Milliseconds(plan.host_milliseconds))?;
        (plan.device, plan.no_gpu) = (device.kind, device.no_gpu.clone());
        let on_failure = match settings.device {
            DeviceChoice::Auto => OnFailure::UseCpu,
            _ => settings.device_options.on_failure,
        };
        Ok(Self { device, on_failure, has_failed: AtomicBool::new(false) })
    }

    fn gpu(&self) -> Option<&Gpu> {
        self.device.gpus.first().filter(|_| !self.has_failed.load(Relaxed))
    }

    /// Whether what ended with this error on the device is done by the host instead.
    fn is_left(&self, error: &Error) -> bool {
        let has_failed = error.code() == ErrorCode::DeviceFailed && self.on_failure == OnFailure::UseCpu;
        self.has_failed.fetch_or(has_failed, Relaxed);
        has_failed || error.code() == ErrorCode::DoesNotFitDevice
    }

    /// Does something on the device; `None` where there is none or it cannot, and the host has to.
    pub(super) fn tried<'a, R>(&'a self, work: impl FnOnce(&'a Gpu) -> Result<R>) -> Result<Option<R>> {
        let Some(gpu) = self.gpu() else { return Ok(None) };
        match work(gpu) {
            Err(error) if self.is_left(&error) => Ok(None),
            result => result.map(Some),
        }
    }
}

/// The number of targets of each vertex, counted by a device.
pub(super) fn device_counts(
    gpu: &Gpu,
    condensed: &Condensation,
    reflexive: bool,
    cancel: Cancel<'_>,
    done: &dyn Fn(u64),
) -> Result<ReachCounts> {
    let graph = DeviceCondensation::new(condensed, reflexive);
    let of_component = GpuReach::new(gpu, &graph.parts())?.counts(cancel, done)?;
    Ok(ReachCounts::new(condensed, of_component))
}
