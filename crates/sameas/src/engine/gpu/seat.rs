//! One device at work: a share of a branch over all records, or a part of them by itself.

use rayon::prelude::*;
use sameas_kernels::layout::components::ComponentsFlatten;

use super::part::{Local, Part};
use super::taking::Taking;
use crate::candidates::Rows;
use crate::candidates::device_path::{DevicePath, unit_limit};
use crate::cluster::Components;
use crate::device::{Buffer, Gpu};
use crate::engine::adaptive::Revision;
use crate::engine::join::Joiner;
use crate::engine::prepared::Prepared;
use crate::error::{ErrorKind, Result};
use crate::plan::{Condition, DevicePlan};
use crate::verify::gpu::{DeviceProgram, Image, Places, Survivors};

/// Threads of a block of `components_flatten`.
const THREADS: u32 = 256;

/// A branch, and who takes what passes.
#[derive(Clone, Copy)]
pub struct Task<'t, 'a> {
    pub version: &'t Revision,
    pub joiner: &'t Joiner<'a>,
}

impl Task<'_, '_> {
    /// How its candidates are found.
    pub fn condition(&self) -> &Condition {
        &self.version.branch.condition
    }
}

/// What was asked for, or why it does not fit the device.
pub type Fit<T> = std::result::Result<T, String>;

/// One device with the job's columns and the components of the pairs found there.
pub struct Seat<'a> {
    image: Image<'a>,
    /// Nothing where they do not fit: the host joins components then.
    parents: Option<Buffer<u32>>,
}

/// Work that has all the memory it needs, and of which nothing has been handed over.
pub struct Running<'p> {
    survivors: Survivors,
    path: Box<dyn DevicePath + Send + 'p>,
    /// The records of the rows, where rows are those of a part.
    _records: Vec<Buffer<u32>>,
    has_part: bool,
    joined: bool,
}

impl<'a> Seat<'a> {
    /// A device with every record a component of its own.
    pub fn new(gpu: &Gpu, prepared: &'a Prepared) -> Result<Self> {
        let alone: Vec<u32> = (0..prepared.records()).collect();
        let image = Image::new(gpu, &prepared.program, prepared.options.device_options.without);
        Ok(Self { image, parents: fit(gpu.upload(&alone))?.ok() })
    }

    /// Forgets what earlier branches have left.
    pub fn clear(&mut self) {
        self.image.clear();
    }

    /// Prepares one of several shares of a branch over all of its records.
    pub fn start(&mut self, task: &Task<'_, '_>, rows: &[Rows; 2], share: (usize, usize)) -> Result<Fit<Running<'a>>> {
        let plan = || DevicePlan { rows: rows.clone(), shape: task.joiner.prepared.shape(), share };
        let places = self.places(task);
        if let Ok(running) = fit(start(&mut self.image, task, plan(), places, &[]))? {
            return Ok(Ok(running));
        }
        // What earlier branches have left may be in the way.
        self.clear();
        fit(start(&mut self.image, task, plan(), places, &[]))
    }

    /// Runs a part of a branch, of whose program only these predicates are needed, unless it does not fit.
    pub fn run_part(&self, task: &Task<'_, '_>, part: &Part, predicates: &[usize]) -> Result<Fit<()>> {
        let prepared = task.joiner.prepared;
        let Local { frames, sides } = part.local(prepared.shape());
        let rows: Vec<&[u32]> = frames.iter().map(|rows| &rows[..]).collect();
        let program = prepared.program.part(&rows, predicates);
        let mut image = Image::new(self.image.gpu(), &program, self.image.without());
        let plan = DevicePlan { rows: sides, shape: prepared.shape(), share: (0, 1) };
        match fit(start(&mut image, task, plan, self.places(task), &frames))? {
            Ok(running) => running.run(task).map(Ok),
            Err(reason) => Ok(Err(reason)),
        }
    }

    fn places(&self, task: &Task<'_, '_>) -> Places {
        let parents = self.parents.as_ref().map_or(0, Buffer::at);
        let (prepared, at_once) = (task.joiner.prepared, self.image.without().queue);
        let count_steps = prepared.options.device_options.count_checks;
        Places { rows: [0, 0], parents, right_offset: prepared.right_offset(), at_once, count_steps }
    }

    /// Adds the components that the device found to those of the host.
    pub fn finish(self, components: &Components) -> Result<()> {
        let Some(parents) = self.parents else { return Ok(()) };
        let gpu = self.image.gpu();
        let args = ComponentsFlatten { parent: parents.at(), rows: parents.len() as u64 };
        let blocks = (parents.len() as u32).div_ceil(THREADS).clamp(1, 4096);
        gpu.launch("components_flatten", blocks, THREADS, 0, &args)?;
        let roots = gpu.read(&parents, 0..parents.len())?;
        let joined = roots.par_iter().enumerate().filter(|(row, root)| *row != **root as usize);
        joined.for_each(|(row, root)| components.join(row as u32, *root));
        Ok(())
    }
}

impl Running<'_> {
    /// Runs it to its end.
    pub fn run(mut self, task: &Task<'_, '_>) -> Result<()> {
        let slots = self.survivors.slots().to_vec();
        let mut taking = Taking { joiner: task.joiner, version: task.version, slots: &slots, joined: self.joined };
        while self.has_part {
            self.survivors.run(&*self.path, &mut taking)?;
            self.has_part = self.path.advance()?;
        }
        Ok(())
    }
}

/// Brings a branch to a device, up to the first part of its path: whether all of it fits is known then, and nothing has
/// been handed over yet.
fn start<'p>(
    image: &mut Image<'p>,
    task: &Task<'_, '_>,
    plan: DevicePlan,
    places: Places,
    frames: &[Rows],
) -> Result<Running<'p>> {
    let gpu = image.gpu().clone();
    let records: Vec<Buffer<u32>> = frames.iter().map(|rows| gpu.upload(rows)).collect::<Result<_>>()?;
    let at = |record: Option<&Buffer<u32>>| record.map_or(0, Buffer::at);
    let places = Places { rows: [at(records.first()), at(records.last())], ..places };
    let program = DeviceProgram::new(image, &task.version.program)?;
    let mut path = task.condition().device_path(image, plan)?;
    let (rules, capacity) = (task.joiner.prepared.program.rules, Survivors::capacity(&gpu, unit_limit(&gpu)));
    let survivors = Survivors::new(&gpu, program, rules, capacity, places)?;
    let has_part = path.advance()?;
    Ok(Running { survivors, path, _records: records, has_part, joined: places.parents != 0 })
}

/// Tells what does not fit from what fails.
fn fit<T>(result: Result<T>) -> Result<Fit<T>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error) if error.kind() == ErrorKind::Resource => Ok(Err(error.message().to_owned())),
        Err(error) => Err(error),
    }
}
