//! Branches on devices: every device runs its share of the units, and the host takes what passes. Where the columns of a
//! branch do not fit, its records are cut into parts that do, and the devices take these one by one.

mod part;
mod seat;
mod taking;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::adaptive::Revision;
use super::join::{Joiner, lock};
use super::prepared::Prepared;
use crate::candidates::{NoDevicePath, Rows};
use crate::cluster::Components;
use crate::device::Gpu;
use crate::error::Result;
use crate::plan::Place;
use crate::verify::gpu::DeviceProgram;
use part::Part;
use seat::{Fit, Running, Seat, Task};

/// The devices of a job.
pub struct Devices<'a> {
    seats: Vec<Mutex<Seat<'a>>>,
}

/// What devices have left to the CPU.
pub struct Rest {
    /// Left and right rows whose pairs are still to be found.
    pub rows: Vec<[Rows; 2]>,
    /// What there is to tell of it.
    pub note: Option<String>,
}

impl<'a> Devices<'a> {
    /// The devices of a job, if it runs on any.
    pub fn of(prepared: &'a Prepared) -> Result<Option<Self>> {
        let seat = |gpu: &Gpu| Ok(Mutex::new(Seat::new(gpu, prepared)?));
        let seats: Vec<Mutex<Seat<'a>>> = prepared.device.gpus.iter().map(seat).collect::<Result<_>>()?;
        Ok((!seats.is_empty()).then_some(Self { seats }))
    }

    /// Runs a branch, as far as devices can.
    pub fn run(&self, version: &Revision, joiner: &Joiner<'a>) -> Result<Rest> {
        let (prepared, condition) = (joiner.prepared, &version.branch.condition);
        let rows = condition.rows_of_both(&prepared.program.checks, prepared.rows);
        if version.branch.place == Place::Cpu {
            let reason = match condition.access.no_device_path(&prepared.program.checks) {
                Some(NoDevicePath::Path) => format!("{} has no kernel yet", condition.access.name()),
                Some(NoDevicePath::Measure) => "this measure has no kernel".to_owned(),
                None => "it is expected to end sooner there".to_owned(),
            };
            return Ok(Rest::all(rows, &reason));
        }
        let task = Task { version, joiner };
        if prepared.options.device_options.cuts > 0 {
            return self.run_in_parts(&task, Part::whole(rows), "it was to be cut");
        }
        let begin =
            |(place, seat): (usize, &Mutex<Seat<'a>>)| lock(seat).start(&task, &rows, (place, self.seats.len()));
        let begun: Vec<Fit<Running<'a>>> =
            self.seats.par_iter().enumerate().with_max_len(1).map(begin).collect::<Result<_>>()?;
        // Either all devices run their share of the units or none does.
        match begun.into_iter().collect::<Fit<Vec<Running<'a>>>>() {
            Ok(shares) => {
                shares.into_par_iter().with_max_len(1).try_for_each(|share| share.run(&task))?;
                Ok(Rest { rows: Vec::new(), note: None })
            }
            Err(reason) => self.run_in_parts(&task, Part::whole(rows), &reason),
        }
    }

    fn run_in_parts(&self, task: &Task<'_, 'a>, whole: Part, reason: &str) -> Result<Rest> {
        self.seats.iter().for_each(|seat| lock(seat).clear());
        let asked = DeviceProgram::predicates(&task.joiner.prepared.program, &task.version.program);
        let predicates = [&asked[..], task.condition().access.predicates()].concat();
        // What is needed for no record at all must fit, or no part does.
        if let Err(reason) = lock(&self.seats[0]).run_part(task, &Part::empty(), &predicates)? {
            return Ok(Rest::all(whole.rows, &reason));
        }
        let parts = Parts { waiting: Mutex::default(), rest: Mutex::default(), done: AtomicUsize::new(0) };
        parts.cut(whole, task);
        self.seats.par_iter().with_max_len(1).try_for_each(|seat| parts.run(&lock(seat), task, &predicates))?;
        Ok(parts.rest(reason))
    }

    /// Adds the components that the devices found to those of the host.
    pub fn finish(self, components: &Components) -> Result<()> {
        let seats = self.seats.into_iter().map(|seat| seat.into_inner().unwrap_or_else(PoisonError::into_inner));
        seats.into_iter().try_for_each(|seat| seat.finish(components))
    }
}

impl Rest {
    fn all(rows: [Rows; 2], reason: &str) -> Self {
        Self { rows: vec![rows], note: Some(format!("ran on the CPU: {reason}")) }
    }
}

/// The parts of a branch.
struct Parts {
    waiting: Mutex<Vec<Part>>,
    /// Those that the CPU takes.
    rest: Mutex<Vec<[Rows; 2]>>,
    done: AtomicUsize,
}

impl Parts {
    /// Runs parts until none waits; one that does not fit is cut on.
    fn run(&self, seat: &Seat<'_>, task: &Task<'_, '_>, predicates: &[usize]) -> Result<()> {
        let least = task.joiner.prepared.options.device_options.cuts;
        while let Some(part) = self.next() {
            if part.cuts >= least && seat.run_part(task, &part, predicates)?.is_ok() {
                self.done.fetch_add(1, Relaxed);
            } else {
                self.cut(part, task);
            }
        }
        Ok(())
    }

    fn next(&self) -> Option<Part> {
        lock(&self.waiting).pop()
    }

    fn cut(&self, part: Part, task: &Task<'_, '_>) {
        let prepared = task.joiner.prepared;
        match part.cut(task.condition(), &prepared.program, prepared.shape()) {
            Some(smaller) => lock(&self.waiting).extend(smaller),
            None => lock(&self.rest).push(part.rows),
        }
    }

    fn rest(self, reason: &str) -> Rest {
        let rows = self.rest.into_inner().unwrap_or_else(PoisonError::into_inner);
        let on_cpu = if rows.is_empty() { String::new() } else { format!(", {} of them on the CPU", rows.len()) };
        let count = self.done.into_inner() + rows.len();
        Rest { rows, note: Some(format!("ran in {count} parts{on_cpu}: {reason}")) }
    }
}
