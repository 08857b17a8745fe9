//! Lists of windows on a device: one for each two orders, as on the CPU.

use std::ops::Range;
use std::sync::Arc;

use sameas_kernels::layout::neighbourhood::NeighbourhoodWindows;
use sameas_kernels::layout::tiles::Tile;
use sameas_kernels::layout::verify::DifferenceCheck;
use sameas_kernels::{DevicePtr, kernel};

use super::order::DeviceOrder;
use crate::candidates::heads::{STRIDE_THREADS, strides};
use crate::candidates::neighbourhood::{Neighbourhood, Window, WindowList};
use crate::candidates::tiles::DeviceTiles;
use crate::candidates::work_division::TaskSizes;
use crate::candidates::{Pairing, Shape};
use crate::device::{Buffer, Gpu};
use crate::error::Result;

/// The windows between the rows of two orders.
pub struct DeviceWindowList {
    rows: [Arc<Buffer<u32>>; 2],
    /// How rows of two orders meet; [`Pairing::Ascending`] for an order with itself.
    pairing: Pairing,
    windows: Windows,
}

/// Where windows come from.
enum Windows {
    /// They are found on the device.
    Searched(WindowSearch),
    /// The host has found them.
    Given(Vec<Window>),
}

/// Two orders and what must hold of their numbers.
struct WindowSearch {
    left: Arc<DeviceOrder>,
    right: Arc<DeviceOrder>,
    check: DifferenceCheck,
}

/// The tiles of some windows.
struct WindowTiles {
    /// The rows of a number with those of other numbers.
    tiles: Buffer<Tile>,
    /// The rows of a number with each other, where an order is joined with itself and a number has several rows.
    same: Option<Buffer<Tile>>,
}

/// The lists of all orders: each with itself and each two once, where there is one side; else each left with each right.
pub fn of_orders(
    left: &[Arc<DeviceOrder>],
    right: Option<&[Arc<DeviceOrder>]>,
    shape: Shape,
    check: DifferenceCheck,
) -> Vec<DeviceWindowList> {
    let list = |l: &Arc<DeviceOrder>, r: &Arc<DeviceOrder>, pairing| DeviceWindowList {
        rows: [Arc::clone(&l.rows), Arc::clone(&r.rows)],
        pairing,
        windows: Windows::Searched(WindowSearch { left: Arc::clone(l), right: Arc::clone(r), check }),
    };
    let Some(right) = right else {
        let with_itself = left.iter().map(|order| list(order, order, Pairing::Ascending));
        let of_two = left.iter().enumerate().flat_map(|(at, l)| left[at + 1..].iter().map(move |r| (l, r)));
        return with_itself.chain(of_two.map(|(l, r)| list(l, r, Pairing::Sorted))).collect();
    };
    let pairing = if shape == Shape::Triangle { Pairing::Before } else { Pairing::All };
    left.iter().flat_map(|l| right.iter().map(move |r| (l, r))).map(|(l, r)| list(l, r, pairing)).collect()
}

/// The lists that the host has made.
pub fn of_host(gpu: &Gpu, of: &Neighbourhood) -> Result<Vec<DeviceWindowList>> {
    let orders = of.rows.iter().map(|rows| Ok(Arc::new(gpu.upload(rows)?))).collect::<Result<Vec<_>>>()?;
    let list = |part: &WindowList| DeviceWindowList {
        rows: [Arc::clone(&orders[part.left]), Arc::clone(&orders[part.right])],
        pairing: part.pairing,
        windows: Windows::Given(part.windows.clone()),
    };
    Ok(of.parts.iter().filter(|part| !part.windows.is_empty()).map(list).collect())
}

impl DeviceWindowList {
    /// The number of windows, of which some may be empty.
    pub fn len(&self) -> usize {
        match &self.windows {
            Windows::Searched(search) => search.left.distinct,
            Windows::Given(windows) => windows.len(),
        }
    }

    /// The tiles of some windows.
    pub fn tiles(&self, gpu: &Gpu, windows: Range<usize>, sizes: &TaskSizes) -> Result<Vec<DeviceTiles>> {
        let (count, is_one) = (windows.len(), self.pairing == Pairing::Ascending);
        let WindowTiles { tiles, same } = match &self.windows {
            Windows::Searched(search) => search.tiles(gpu, windows, is_one)?,
            Windows::Given(all) => given(gpu, &all[windows], is_one)?,
        };
        let list = |tiles, pairing| DeviceTiles::new(gpu, tiles, count, pairing, self.rows.clone(), sizes);
        // Two numbers of one order share no row.
        let of_two = list(tiles, if is_one { Pairing::Sorted } else { self.pairing })?;
        let of_one = same.map(|same| list(same, Pairing::Ascending)).transpose()?;
        Ok(std::iter::once(of_two).chain(of_one).collect())
    }
}

impl WindowSearch {
    fn tiles(&self, gpu: &Gpu, windows: Range<usize>, is_one: bool) -> Result<WindowTiles> {
        let Self { left, right, check } = self;
        let (tiles, same) =
            (gpu.buffer::<Tile>(windows.len())?, gpu.buffer::<Tile>(if is_one { windows.len() } else { 0 })?);
        let args = NeighbourhoodWindows {
            check: *check,
            left_keys: left.keys.at(),
            right_keys: right.keys.at(),
            heads: left.heads.at(),
            tiles: tiles.at(),
            same: if is_one { same.at() } else { DevicePtr::NULL },
            first: windows.start as u32,
            count: windows.len() as u32,
            distinct: left.distinct as u32,
            left_len: left.len as u32,
            right_len: right.len as u32,
            left_kind: left.kind,
            right_kind: right.kind,
            unused: 0,
        };
        gpu.launch(kernel::NEIGHBOURHOOD_WINDOWS, strides(windows.len()), STRIDE_THREADS, 0, &args)?;
        let has_several = is_one && left.distinct < left.len;
        Ok(WindowTiles { tiles, same: has_several.then_some(same) })
    }
}

/// Windows of the host as tiles. In one order the rows of a number begin its window.
fn given(gpu: &Gpu, windows: &[Window], is_one: bool) -> Result<WindowTiles> {
    let tile = |window: &Window| {
        let right_begin = if is_one { window.left_end } else { window.right };
        Tile {
            left_begin: window.left,
            left_len: window.left_end - window.left,
            right_begin,
            right_len: window.right_end - right_begin,
        }
    };
    let same = |window: &Window| {
        let (begin, len) = (window.left, window.left_end - window.left);
        Tile { left_begin: begin, left_len: len, right_begin: begin, right_len: len }
    };
    let tiles = gpu.upload(&windows.iter().map(tile).collect::<Vec<Tile>>())?;
    let same = is_one.then(|| gpu.upload(&windows.iter().map(same).collect::<Vec<Tile>>())).transpose()?;
    Ok(WindowTiles { tiles, same })
}
