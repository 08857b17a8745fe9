//! From an access condition to the path that finds its candidates on a device.

use crate::candidates::all_pairs::gpu::GpuAllPairs;
use crate::candidates::by_value::gpu::{GpuByValue, Resolve, ValueWork, capacity as pair_capacity};
use crate::candidates::by_value::{RowsByCode, rows_by_code};
use crate::candidates::device_path::{DevicePath, SharedPath};
use crate::candidates::device_value_join::DeviceValueJoin;
use crate::candidates::edit_join::gpu::{EditJoinInput, GpuEditJoin, VariantPlan};
use crate::candidates::equi_join::SideKeys;
use crate::candidates::equi_join::gpu::{GpuEquiJoin, GpuEquiJoinSettings};
use crate::candidates::neighbourhood::Neighbourhood;
use crate::candidates::neighbourhood::gpu::{DeviceNumbers, GpuNeighbourhood};
use crate::candidates::set_join::Enumeration;
use crate::candidates::set_join::gpu::{GpuSetJoin, GpuSetJoinSettings, piece_for as set_piece_for};
use crate::candidates::text_join::gpu::{GpuTextJoin, GpuTextJoinSettings, TextJoinInput, piece_for};
use crate::candidates::work_division::DeviceShare;
use crate::candidates::{Access, AccessPath, Condition, JoinSource, Parting, PathInput, Rows, Shape};
use crate::error::{Error, Result};
use crate::records::encode::AnyStrings;
use crate::threshold::Check;
use crate::verify::Program;
use crate::verify::gpu::DeviceColumns;

/// A path on a device, with what it borrows.
pub type AnyDevicePath<'a> = Box<dyn DevicePath + Send + 'a>;

/// What a path on a device is made with.
#[derive(Clone, Debug)]
pub struct DevicePlan {
    /// Records of both sides that take part.
    pub rows: [Rows; 2],
    /// Which pairs are pairs.
    pub shape: Shape,
    /// What of the work is done here, and how it is cut.
    pub share: DeviceShare,
    /// Whether texts are joined by an index where there is one; where nothing is said, whether that pays.
    pub text_index: Option<bool>,
}

/// Groups of records no two of which share a candidate: those whose keys have the same hash, as far as some of its bits
/// tell, after those that were `spent` before. Nothing for a path without keys.
pub fn key_groups(
    condition: &Condition,
    program: &Program,
    rows: [Rows; 2],
    shape: Shape,
    (spent, bits): (u32, u32),
) -> Option<Vec<[Rows; 2]>> {
    let Parting::Keys(keys) = condition.access.parting(&program.checks) else { return None };
    Some(SideKeys::new(&keys, path_input(program.source(), rows, shape)).groups(spent, bits))
}

/// The path to the candidates on a device.
pub fn device_path<'a>(
    condition: &Condition,
    columns: &mut DeviceColumns<'a>,
    plan: DevicePlan,
) -> Result<AnyDevicePath<'a>> {
    let DevicePlan { rows, shape, share, text_index } = plan;
    let (access, input) = (&condition.access, path_input(columns.program().source(), rows, shape));
    match access.path {
        AccessPath::EquiJoin => equi_join(access, input, columns, share),
        AccessPath::EditJoin | AccessPath::JaroJoin => text_join(access.on[0], &input, columns, share, text_index),
        AccessPath::AllPairs => all_pairs(&input, columns, share),
        AccessPath::SetJoin => set_join(access.on[0], &input, columns, share),
        AccessPath::Neighbourhood => neighbourhood(access.on[0], &input, columns, share),
    }
}

/// What a path on a device is made from.
fn path_input(source: JoinSource<'_>, rows: [Rows; 2], shape: Shape) -> PathInput<'_> {
    PathInput { source, rows, shape, memory: usize::MAX }
}

fn all_pairs<'a>(input: &PathInput<'a>, columns: &DeviceColumns<'a>, share: DeviceShare) -> Result<AnyDevicePath<'a>> {
    let [left, right] = &input.rows;
    let path = GpuAllPairs::new(columns.gpu(), left, right, input.shape, share.sizes())?;
    Ok(Box::new(SharedPath::new(path, share)))
}

fn equi_join<'a>(
    access: &Access,
    input: PathInput<'a>,
    columns: &mut DeviceColumns<'a>,
    share: DeviceShare,
) -> Result<AnyDevicePath<'a>> {
    let Parting::Keys(keys) = access.parting(input.source.checks) else { unreachable!("an equi-join is one of keys") };
    for key in &keys {
        columns.codes(key.operands.left)?;
        columns.codes(key.operands.right)?;
    }
    let SideKeys { left, right, which, .. } = SideKeys::new(&keys, input);
    let gpu = columns.gpu().clone();
    let right = right.map(|right| right.on_device(&gpu, |codes| columns.codes_of_side(codes, 1))).transpose()?;
    let left = left.on_device(&gpu, |codes| columns.codes_of_side(codes, 0))?;
    let settings = GpuEquiJoinSettings { sizes: Some(*share.sizes()), ..GpuEquiJoinSettings::default() };
    let path = GpuEquiJoin::new(&gpu, left, right, which, settings);
    Ok(Box::new(SharedPath::new(path, share)))
}

fn neighbourhood<'a>(
    predicate: usize,
    input: &PathInput<'a>,
    columns: &mut DeviceColumns<'a>,
    share: DeviceShare,
) -> Result<AnyDevicePath<'a>> {
    let (gpu, check) = (columns.gpu().clone(), &input.source.checks[predicate]);
    let Check::Difference { operands, .. } = check else { unreachable!("a neighbourhood is one of numbers") };
    let Some(difference) = columns.difference(predicate)? else {
        let path = GpuNeighbourhood::of_host(&gpu, &Neighbourhood::for_predicate(predicate, input), share.sizes())?;
        return Ok(Box::new(SharedPath::new(path, share)));
    };
    let mut numbers = |operand: usize, side: usize, numbers, kinds| {
        let all_rows = input.source.encoded.columns[operand].codes.len();
        Ok::<_, Error>(DeviceNumbers {
            rows: &input.rows[side],
            all_rows,
            codes: columns.codes(operand)?,
            numbers,
            kinds,
        })
    };
    let left = numbers(operands.left, 0, difference.left_numbers, difference.left_kinds)?;
    let right = numbers(operands.right, 1, difference.right_numbers, difference.right_kinds)?;
    let right = (!input.is_self_join([*operands])).then_some(&right);
    let path = GpuNeighbourhood::new(&gpu, &left, right, input.shape, difference, share.sizes())?;
    Ok(Box::new(SharedPath::new(path, share)))
}

fn text_join<'a>(
    predicate: usize,
    input: &PathInput<'a>,
    columns: &mut DeviceColumns<'a>,
    share: DeviceShare,
    index: Option<bool>,
) -> Result<AnyDevicePath<'a>> {
    let check = &input.source.checks[predicate];
    let Check::Text { operands, test, .. } = check else { unreachable!("a join of texts is one of texts") };
    let (left, right) = rows_by_code(check, input);
    let (left_codes, right_codes) = (left.codes(), right.as_ref().map(RowsByCode::codes));
    let texts = input.source.encoded.domain(operands.left).texts.as_ref();
    let texts = texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded"));
    let gpu = columns.gpu().clone();
    let (on_device, texts_on_device) = columns.text_join(predicate)?;
    let (sizes, bound) = (share.sizes(), test.predicate());
    let capacity = pair_capacity(sizes.memory(&gpu));
    let plan = VariantPlan::for_texts(texts, (&left_codes, right_codes.as_deref()), test);
    let join: Box<dyn DeviceValueJoin + Send> = match plan.filter(|plan| index.unwrap_or(plan.pays)) {
        Some(plan) => {
            let (left, right) = (&left_codes[..], right_codes.as_deref());
            let input = EditJoinInput { texts: texts_on_device, test: on_device, left, right };
            Box::new(GpuEditJoin::new(&gpu, input, &plan, sizes.with_task_limit(capacity))?)
        }
        None => {
            let (signatures, predicate) = (texts.signatures(), bound.as_ref());
            let input = TextJoinInput { texts: texts_on_device, signatures, predicate, on_device };
            let (piece, processors) = (piece_for(capacity), Some(sizes.processors));
            let settings = GpuTextJoinSettings { piece, processors, ..GpuTextJoinSettings::default() };
            Box::new(GpuTextJoin::new(&gpu, input, &left_codes, right_codes.as_deref(), settings)?)
        }
    };
    let resolve: Resolve<'a> = Box::new(move |a, b| match texts.strings() {
        AnyStrings::U8(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
        AnyStrings::U16(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
        AnyStrings::U32(strings) => test.holds(&strings.get(a), strings.get(b)) == Some(true),
    });
    let work = ValueWork { join, share, capacity, resolve };
    Ok(Box::new(GpuByValue::new(&gpu, (&left, right.as_ref()), input.shape, work)?))
}

fn set_join<'a>(
    predicate: usize,
    input: &PathInput<'a>,
    columns: &mut DeviceColumns<'a>,
    share: DeviceShare,
) -> Result<AnyDevicePath<'a>> {
    let check = &input.source.checks[predicate];
    let Some(tokens) = check.tokens() else { unreachable!("a join of sets is one of sets") };
    let (left, right) = rows_by_code(check, input);
    let (left_codes, right_codes) = (left.codes(), right.as_ref().map(RowsByCode::codes));
    let gpu = columns.gpu().clone();
    let (left_sets, right_sets) = (columns.sets(tokens.left)?, columns.sets(tokens.right)?);
    let (capacity, rows) =
        (pair_capacity(share.sizes().memory(&gpu)), left.bytes() + right.as_ref().map_or(0, RowsByCode::bytes));
    let path = |lists| if lists { Enumeration::Prefixes } else { Enumeration::Everything };
    let settings = GpuSetJoinSettings {
        path: columns.ablation().set_lists.map(path),
        piece: set_piece_for(capacity),
        processors: Some(share.sizes().processors),
        // A quarter is for the pairs that are found, and a sixteenth for what lies between the others.
        memory: share.sizes().shared_memory().map(|all| (all - all / 4 - all / 16).saturating_sub(rows)),
        ..GpuSetJoinSettings::default()
    };
    let holds = |common, x, y| check.holds_for_sets(common, x, y);
    let right_side = right_codes.as_deref().map(|codes| (right_sets, codes));
    let join = Box::new(GpuSetJoin::new(&gpu, (left_sets, &left_codes), right_side, holds, settings)?);
    let resolve: Resolve<'a> = Box::new(|_, _| unreachable!("no pair of sets is left to the host"));
    let work = ValueWork { join, share, capacity, resolve };
    Ok(Box::new(GpuByValue::new(&gpu, (&left, right.as_ref()), input.shape, work)?))
}
