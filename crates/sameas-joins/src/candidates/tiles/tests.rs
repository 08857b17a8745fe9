//! Tiles against nested loops, on the emulated device: every pair of every tile once.

use super::*;
use crate::candidates::device_pairs::DevicePairs;

/// Rows of which no two are equal, ascending within a side, the low halves often equal; sides are interleaved.
fn rows(len: u32, side: u32) -> Vec<u32> {
    (0..len).map(|at| (at / 5) << 17 | (at % 5) << 1 | side).collect()
}

fn naive(tiles: &[Tile], pairing: Pairing, left: &[u32], right: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for tile in tiles {
        for (i, l) in left[tile.left_begin as usize..].iter().take(tile.left_len as usize).enumerate() {
            for (j, r) in right[tile.right_begin as usize..].iter().take(tile.right_len as usize).enumerate() {
                match pairing {
                    Pairing::All => pairs.push((*l, *r)),
                    Pairing::Ascending if i < j => pairs.push((*l, *r)),
                    Pairing::Sorted => pairs.push((*l.min(r), *l.max(r))),
                    Pairing::Before if l < r => pairs.push((*l, *r)),
                    _ => {}
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Tiles one after the other, of the given lengths.
fn tiles(lengths: &[(u32, u32)]) -> Vec<Tile> {
    let (mut left_begin, mut right_begin) = (0, 0);
    let tile = |(left_len, right_len): &(u32, u32)| {
        let tile = Tile { left_begin, left_len: *left_len, right_begin, right_len: *right_len };
        (left_begin, right_begin) = (left_begin + left_len, right_begin + right_len);
        tile
    };
    lengths.iter().map(tile).collect()
}

fn check(lengths: &[(u32, u32)], pairing: Pairing, memory: usize) {
    check_by(lengths, pairing, memory, WarpSchedule::Queue);
}

fn check_by(lengths: &[(u32, u32)], pairing: Pairing, memory: usize, schedule: WarpSchedule) {
    let gpu = Gpu::emulated(memory, lengths.len() as u64);
    let list = tiles(lengths);
    let itself = pairing == Pairing::Ascending;
    let left = rows(lengths.iter().map(|(left, _)| left).sum(), 0);
    let right = if itself { left.clone() } else { rows(lengths.iter().map(|(_, right)| right).sum(), 1) };
    let expected = naive(&list, pairing, &left, &right);
    let written = DevicePairs::new(&gpu, expected.len());
    let lists = [&left, &right].map(|rows| Arc::new(gpu.upload(rows).unwrap()));
    let sizes = TaskSizes::alone(&gpu).with_schedule(schedule);
    let tiles = DeviceTiles::new(&gpu, gpu.upload(&list).unwrap(), list.len(), pairing, lists, &sizes).unwrap();
    let cut = tiles.tasks() / 3;
    for tasks in [0..cut, cut..tiles.tasks()] {
        tiles.launch(tasks.clone(), DeviceSink::Write, &written.writing()).unwrap();
        tiles.launch(tasks, DeviceSink::Count, &written.counting()).unwrap();
    }
    assert!(written.read() == expected, "{pairing:?} of {lengths:?} by {schedule:?}");
}

const MEMORY: usize = 32 << 20;
const ALL: [Pairing; 3] = [Pairing::All, Pairing::Sorted, Pairing::Before];

#[test]
fn light_tiles_with_empty_ones_between() {
    let many: Vec<(u32, u32)> = (0..300).map(|at| (at % 7, at * 5 % 11)).collect();
    let sparse: Vec<(u32, u32)> = (0..500).map(|at| if at % 90 == 0 { (3, 2) } else { (0, at % 4) }).collect();
    for pairing in ALL {
        check(&many, pairing, MEMORY);
        check(&sparse, pairing, MEMORY);
        check(&[(1, 1); 2100], pairing, MEMORY);
    }
}

#[test]
fn dense_tiles_of_all_shapes() {
    let lengths = [(33, 32), (1, 1500), (1500, 1), (3, 700), (40, 40), (257, 65), (65, 300), (300, 300), (129, 511)];
    for pairing in ALL {
        check(&lengths, pairing, MEMORY);
    }
    // Tasks are smaller where the device is: sides of 64 rows.
    check(&lengths[..7], Pairing::All, 8 << 20);
}

#[test]
fn triangles() {
    let light: Vec<(u32, u32)> = (0..46).map(|len| (len, len)).collect();
    check(&light, Pairing::Ascending, MEMORY);
    check(&[46, 63, 64, 65, 256, 257, 600].map(|len| (len, len)), Pairing::Ascending, MEMORY);
}

#[test]
fn every_schedule_does_every_task_once() {
    let light: Vec<(u32, u32)> = (0..700).map(|at| (at % 7, at * 5 % 11)).collect();
    for schedule in WarpSchedule::ALL {
        check_by(&light, Pairing::All, MEMORY, schedule);
        check_by(&[(300, 700), (1, 1), (65, 900)], Pairing::All, MEMORY, schedule);
        check_by(&[(1, 1)], Pairing::All, MEMORY, schedule);
    }
}

#[test]
fn no_tiles() {
    check(&[], Pairing::All, MEMORY);
    check(&[(0, 5)], Pairing::All, MEMORY);
}
