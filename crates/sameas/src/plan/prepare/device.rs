//! From an access condition to the path that finds its candidates on a device.

use crate::candidates::all_pairs::gpu::GpuAllPairs;
use crate::candidates::by_value::gpu::{Decide, GpuByValue, Work, capacity as gpu_capacity};
use crate::candidates::by_value::{RowsByCode, rows_by_code};
use crate::candidates::device_path::{DevicePath, Share};
use crate::candidates::equi_join::gpu::{GpuEquiJoin, Settings};
use crate::candidates::equi_join::keys;
use crate::candidates::text_join::gpu::{self as text_join, GpuTextJoin, Sources};
use crate::candidates::{AccessPath, Condition, JoinSource, PathInput, Rows, Shape, ValueLists};
use crate::error::Result;
use crate::records::encode::AnyStrings;
use crate::verify::gpu::Image;
use crate::verify::{Check, Program};

/// What a path on a device is made with.
#[derive(Clone, Debug)]
pub struct DevicePlan {
    /// Records of both sides that take part.
    pub rows: [Rows; 2],
    /// Which pairs are pairs.
    pub shape: Shape,
    /// Which share of the work is done here, and of how many.
    pub share: (usize, usize),
}

impl Condition {
    /// Groups of records no two of which share a candidate: those whose keys have the same hash, as far as three of its
    /// bits tell, behind those that were `spent` before. Nothing for a path without keys.
    pub fn groups(&self, program: &Program, rows: [Rows; 2], shape: Shape, spent: u32) -> Option<Vec<[Rows; 2]>> {
        if self.access.path != AccessPath::EquiJoin {
            return None;
        }
        let (left, right, ..) = keys(&self.access.on, path_input(program.source(), rows, shape));
        let lefts = left.groups(spent);
        let rights = right.map_or_else(|| lefts.clone(), |right| right.groups(spent));
        Some(lefts.into_iter().zip(rights).map(|(left, right)| [left, right]).collect())
    }

    /// The path to the candidates on a device.
    pub fn device_path<'a>(&self, image: &mut Image<'a>, plan: DevicePlan) -> Result<Box<dyn DevicePath + Send + 'a>> {
        let input = path_input(image.program().source(), plan.rows, plan.shape);
        match self.access.path {
            AccessPath::EquiJoin => gpu_equi_join(&self.access.on, input, image, plan.share),
            AccessPath::EditJoin | AccessPath::JaroJoin => gpu_values(self.access.on[0], &input, image, plan.share),
            AccessPath::AllPairs => {
                let path = GpuAllPairs::new(image.gpu(), &input.rows[0], &input.rows[1], plan.shape)?;
                Ok(Box::new(Share::new(path, plan.share)))
            }
            AccessPath::SetJoin | AccessPath::Neighbourhood => unreachable!("it has no path on a device"),
        }
    }
}

/// What a path on a device is made from.
fn path_input(source: JoinSource<'_>, rows: [Rows; 2], shape: Shape) -> PathInput<'_> {
    PathInput { source, rows, shape, memory: usize::MAX }
}

fn gpu_equi_join<'a>(
    equalities: &[usize],
    input: PathInput<'a>,
    image: &mut Image<'a>,
    share: (usize, usize),
) -> Result<Box<dyn DevicePath + Send + 'a>> {
    for operands in equalities.iter().filter_map(|predicate| input.source.checks[*predicate].operands()) {
        image.codes(operands.left)?;
        image.codes(operands.right)?;
    }
    let (left, right, which, _) = keys(equalities, input);
    let gpu = image.gpu().clone();
    let resident = |codes: &[u32]| image.resident(codes);
    let right = right.map(|right| right.on_device(&gpu, resident)).transpose()?;
    // Devices that share the work must divide it alike, whatever each of them has free.
    let memory = (share.1 > 1).then(|| gpu.bytes() / 4);
    let settings = Settings { memory, ..Settings::default() };
    let path = GpuEquiJoin::new(&gpu, left.on_device(&gpu, resident)?, right, which, settings);
    Ok(Box::new(Share::new(path, share)))
}

fn gpu_values<'a>(
    predicate: usize,
    input: &PathInput<'a>,
    image: &mut Image<'a>,
    share: (usize, usize),
) -> Result<Box<dyn DevicePath + Send + 'a>> {
    let check = &input.source.checks[predicate];
    let Check::Text { operands, test, .. } = check else { unreachable!("a join of texts is one of texts") };
    let (left, right) = rows_by_code(check, input);
    let lists = ValueLists { left: left.codes(), right: right.as_ref().map(RowsByCode::codes) };
    let texts = input.source.encoded.domain(operands.left).texts.as_ref();
    let texts = texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded"));
    let gpu = image.gpu().clone();
    let (on_device, texts_on_device) = image.text_join(predicate)?;
    let sources = Sources { texts: texts_on_device, signatures: texts.signatures(), test, on_device };
    // Devices that share the work must divide it alike, whatever each of them has free.
    let capacity = gpu_capacity(if share.1 > 1 { gpu.bytes() / 4 } else { gpu.free() });
    let settings = text_join::Settings { piece: text_join::piece_for(capacity), ..Default::default() };
    let join = GpuTextJoin::new(&gpu, sources, &lists.left, lists.right.as_deref(), settings)?;
    let decide: Decide<'a> = Box::new(move |a, b| match texts.strings() {
        AnyStrings::U8(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
        AnyStrings::U16(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
        AnyStrings::U32(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
    });
    let rows = (&left, right.as_ref());
    Ok(Box::new(GpuByValue::new(&gpu, join, rows, input.shape, Work { share, capacity, decide })?))
}
