//! What a job runs on: threads, memory, and the device, which starts while files are read.

use std::time::Instant;

use crate::candidates::tiles::pace;
use crate::device::{Device, DeviceChoice, DeviceKind, HostWork, Starting};
use crate::error::Result;
use crate::memory::Shares;
use crate::plan::RelativeCost;
use crate::settings::Settings;
use crate::timeline::{Operator, OperatorRecord, Timeline};

/// What a job runs on.
pub struct Machine {
    /// Threads, memory and devices, as they were asked for.
    pub settings: Settings,
    /// The device; the CPU until it has been [waited for](Self::start_device).
    pub device: Device,
    /// Bytes for what there is beside the records.
    pub memory: Shares,
    /// When the run began: every time counts from there.
    pub begun: Instant,
    /// What will be the device, as long as nothing has been run.
    starting: Option<Starting>,
    /// The relative cost of the device, as far as plans count on it.
    relative_cost: Option<RelativeCost>,
}

impl Machine {
    /// A machine whose device is starting.
    pub fn new(settings: &Settings, starting: Starting, memory: Shares, begun: Instant) -> Self {
        Self {
            settings: settings.clone(),
            device: Device::default(),
            memory,
            begun,
            starting: Some(starting),
            relative_cost: relative_cost_of(settings),
        }
    }

    /// What a device does with a plan, compared with the CPU, if plans count on one.
    pub fn relative_cost(&self) -> Option<RelativeCost> {
        self.relative_cost
    }

    /// Waits for the device, for columns of this many bytes and a plan of this many seconds of one core. Says whether it is
    /// one that plans did not count on until now, or one of another pace.
    pub fn start_device(&mut self, bytes: usize, seconds: f64, timeline: &mut Timeline) -> Result<bool> {
        let Some(starting) = self.starting.take() else { return Ok(false) };
        self.device = starting.ready(bytes, HostWork::CoreSeconds(seconds))?;
        if !self.device.gpus.is_empty() {
            timeline.add(OperatorRecord::new(Operator::Device, self.device.started.as_secs_f64()));
        }
        Ok(self.count_on_device())
    }

    /// Plans count on the GPU from now on. Says whether they did not, or not with its pace.
    fn count_on_device(&mut self) -> bool {
        let (DeviceKind::Cuda, Some(gpu)) = (self.device.kind, self.device.gpus.first()) else { return false };
        let cost = RelativeCost::of_gpu(self.settings.threads, pace(gpu));
        self.relative_cost.replace(cost) != Some(cost)
    }

    /// The record of an operator that began at this moment and ends now.
    pub fn since(&self, begun: Instant, operator: Operator) -> OperatorRecord {
        OperatorRecord::since(begun, operator, self.begun)
    }
}

/// The relative cost of the device that the user has chosen. Whether `auto` takes one is seen when there is a plan.
fn relative_cost_of(settings: &Settings) -> Option<RelativeCost> {
    match settings.device {
        DeviceChoice::Cuda => Some(RelativeCost::of_gpu(settings.threads, 1.0)),
        other => (Some(other) == DeviceChoice::emulated()).then(RelativeCost::of_emulated),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(device: DeviceChoice) -> Machine {
        let settings = Settings { device, ..Settings::default() };
        let starting = settings.drivers.start(settings.device, &settings.device_options).unwrap();
        Machine::new(&settings, starting, Shares { join: 1 << 20, sort: 1 << 20 }, Instant::now())
    }

    #[test]
    fn a_device_is_waited_for_once() {
        let (mut machine, mut timeline) = (machine(DeviceChoice::Cpu), Timeline::start());
        assert_eq!(machine.relative_cost(), None);
        for seconds in [0.0, 1e9] {
            assert!(!machine.start_device(1 << 20, seconds, &mut timeline).unwrap());
        }
        assert_eq!((machine.device.kind, machine.device.gpus.len()), (DeviceKind::Cpu, 0));
        assert!(machine.starting.is_none() && timeline.operators().is_empty());
    }

    /// Plans count on an emulated device from the beginning, so its start changes none of them.
    #[cfg(feature = "emulated")]
    #[test]
    fn the_start_of_a_device_is_recorded_once() {
        let (mut machine, mut timeline) = (machine(DeviceChoice::Emulated), Timeline::start());
        let expected = machine.relative_cost();
        assert!(expected.is_some() && machine.device.gpus.is_empty());
        for _ in 0..2 {
            assert!(!machine.start_device(1 << 20, 0.0, &mut timeline).unwrap());
        }
        assert_eq!((machine.device.kind, machine.relative_cost()), (DeviceKind::Emulated, expected));
        assert_eq!(timeline.operators().iter().map(|of| of.operator).collect::<Vec<_>>(), [Operator::Device]);
    }
}
