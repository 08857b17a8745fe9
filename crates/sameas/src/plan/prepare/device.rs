//! From an access condition to the path that finds its candidates on a device.

use super::super::condition::{Access, Condition};
use super::{Lists, Preparer, is_one_list};
use crate::candidates::all_pairs::gpu::GpuAllPairs;
use crate::candidates::by_value::RowsByCode;
use crate::candidates::by_value::gpu::{Decide, GpuByValue, Work, capacity as gpu_capacity};
use crate::candidates::device_path::{DevicePath, Share};
use crate::candidates::equi_join::gpu::{GpuEquiJoin, Settings};
use crate::candidates::text_join::gpu::{self as text_join, GpuTextJoin, Sources};
use crate::candidates::{Rows, Shape};
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

impl Access {
    /// Why candidates cannot be found on a device, if they cannot.
    pub fn no_device_path(&self, program: &Program) -> Option<String> {
        match self {
            Self::EquiJoin(_) | Self::AllPairs => None,
            Self::EditJoin(predicate) | Self::JaroJoin(predicate) => match &program.checks[*predicate] {
                Check::Text { test, .. } if test.is_for_devices() => None,
                _ => Some("this measure has no kernel".into()),
            },
            Self::SetJoin(_) | Self::Neighbourhood(_) => Some(format!("{} has no kernel yet", self.name())),
        }
    }
}

impl Condition {
    /// Groups of records no two of which share a candidate: those whose keys have the same hash, as far as three of its
    /// bits tell, behind those that were `spent` before. Nothing for a path without keys.
    pub fn groups(
        &self,
        program: &Program,
        [left, right]: [Rows; 2],
        shape: Shape,
        spent: u32,
    ) -> Option<Vec<[Rows; 2]>> {
        let Access::EquiJoin(equalities) = &self.access else { return None };
        let preparer = Preparer { program, left, right, shape, memory: usize::MAX };
        let (left, right, ..) = preparer.keys(equalities);
        let lefts = left.groups(spent);
        let rights = right.map_or_else(|| lefts.clone(), |right| right.groups(spent));
        Some(lefts.into_iter().zip(rights).map(|(left, right)| [left, right]).collect())
    }

    /// The path to the candidates on a device.
    pub fn device_path<'a>(&self, image: &mut Image<'a>, plan: DevicePlan) -> Result<Box<dyn DevicePath + Send + 'a>> {
        let program = image.program();
        let [left, right] = plan.rows;
        let preparer = Preparer { program, left, right, shape: plan.shape, memory: usize::MAX };
        match &self.access {
            Access::EquiJoin(equalities) => preparer.gpu_equi_join(equalities, image, plan.share),
            Access::EditJoin(predicate) | Access::JaroJoin(predicate) => {
                preparer.gpu_values(*predicate, image, plan.share)
            }
            _ => {
                let path = GpuAllPairs::new(image.gpu(), &preparer.left, &preparer.right, plan.shape)?;
                Ok(Box::new(Share::new(path, plan.share)))
            }
        }
    }
}

impl<'a> Preparer<'a> {
    fn gpu_equi_join(
        self,
        equalities: &[usize],
        image: &mut Image<'a>,
        share: (usize, usize),
    ) -> Result<Box<dyn DevicePath + Send + 'a>> {
        for operands in equalities.iter().filter_map(|predicate| self.program.checks[*predicate].operands()) {
            image.codes(operands.left)?;
            image.codes(operands.right)?;
        }
        let (left, right, which, _) = self.keys(equalities);
        let gpu = image.gpu().clone();
        let resident = |codes: &[u32]| image.resident(codes);
        let right = right.map(|right| right.on_device(&gpu, resident)).transpose()?;
        // Devices that share the work must divide it alike, whatever each of them has free.
        let memory = (share.1 > 1).then(|| gpu.bytes() / 4);
        let settings = Settings { memory, ..Settings::default() };
        let path = GpuEquiJoin::new(&gpu, left.on_device(&gpu, resident)?, right, which, settings);
        Ok(Box::new(Share::new(path, share)))
    }

    fn gpu_values(
        self,
        predicate: usize,
        image: &mut Image<'a>,
        share: (usize, usize),
    ) -> Result<Box<dyn DevicePath + Send + 'a>> {
        let check = &self.program.checks[predicate];
        let Check::Text { operands, test, .. } = check else { unreachable!("a join of texts is one of texts") };
        let (left, right) = self.by_code(*operands, is_one_list(check));
        let lists = Lists { left: left.codes(), right: right.as_ref().map(RowsByCode::codes) };
        let texts = self.program.encoded.domain(operands.left).texts.as_ref();
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
        Ok(Box::new(GpuByValue::new(&gpu, join, rows, self.shape, Work { share, capacity, decide })?))
    }
}
