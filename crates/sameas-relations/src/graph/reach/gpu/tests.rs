use super::*;
use crate::graph::reach::{ReachCounts, count};
use crate::graph::testing::{naive_closure, random_graphs};
use crate::graph::{Condensation, Graph};

/// A random graph of components, each of which leads to smaller ones.
struct RandomCondensed {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    starts: Vec<u32>,
    members: Vec<u32>,
    has_cycle: Vec<bool>,
    component: Vec<u32>,
    ids: Vec<u32>,
}

fn random(components: u32, most: u32, seed: u64) -> RandomCondensed {
    let mut state = seed;
    let mut draw = |bound: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % bound
    };
    let (mut offsets, mut targets, mut sizes, mut has_cycle) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    for component in 0..components {
        let successors = if component == 0 { 0 } else { draw(most + 1) };
        targets.extend((0..successors).map(|_| draw(component)));
        offsets.push(targets.len() as u32);
        let size = if draw(10) == 0 { 1 + draw(40) } else { 1 };
        sizes.push(size);
        has_cycle.push(size > 1 || draw(5) == 0);
    }
    let mut component: Vec<u32> =
        (0..components).flat_map(|at| std::iter::repeat_n(at, sizes[at as usize] as usize)).collect();
    for at in (1..component.len()).rev() {
        component.swap(at, draw(at as u32 + 1) as usize);
    }
    let ids = (0..component.len() as u32).map(|vertex| 7 + 3 * vertex).collect();
    let mut members: Vec<u32> = (0..component.len() as u32).collect();
    members.sort_by_key(|vertex| component[*vertex as usize]);
    let starts = (0..=components).map(|at| sizes[..at as usize].iter().sum()).collect();
    RandomCondensed { offsets, targets, starts, members, has_cycle, component, ids }
}

impl RandomCondensed {
    fn parts(&self) -> CondensedParts<'_> {
        let Self { offsets, targets, starts, members, has_cycle, component, .. } = self;
        CondensedParts { component, offsets, targets, starts, members, has_cycle }
    }

    /// All pairs of ids, in order.
    fn pairs(&self) -> Vec<[u32; 2]> {
        let mut rows: Vec<Vec<bool>> = Vec::new();
        for at in 0..self.has_cycle.len() {
            let mut row = vec![false; self.has_cycle.len()];
            row[at] = self.has_cycle[at];
            for to in &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize] {
                row[*to as usize] = true;
                (0..row.len()).for_each(|other| row[other] |= rows[*to as usize][other]);
            }
            rows.push(row);
        }
        let reaches = |x: usize, y: usize| rows[self.component[x] as usize][self.component[y] as usize];
        let all = 0..self.ids.len();
        let pairs = all.clone().flat_map(|x| all.clone().map(move |y| (x, y)));
        pairs.filter(|(x, y)| reaches(*x, *y)).map(|(x, y)| [self.ids[x], self.ids[y]]).collect()
    }
}

#[test]
fn pairs_are_those_of_the_closure() -> Result<()> {
    for (seed, (components, most)) in [(1, 0), (3, 2), (70, 3), (600, 2), (1100, 4), (40, 70)].into_iter().enumerate() {
        let graph = random(components, most, seed as u64);
        let expected = graph.pairs();
        // Room for all bits and pairs, and for a slice or two and some rows.
        let longest = 1 + expected.chunk_by(|a, b| a[0] == b[0]).map(<[_]>::len).max().unwrap_or(0);
        for (memory, capacity) in [(64 << 20, expected.len() + 1), (600 << 10, longest)] {
            let gpu = Gpu::emulated(memory, seed as u64);
            let reach = GpuReach::new(&gpu, &graph.parts())?;
            assert_eq!(reach.count(Cancel::NEVER)?, expected.len() as u64, "seed {seed}");
            let (buffer, mut pairs) = (gpu.buffer::<[u32; 2]>(capacity)?, Vec::new());
            let count = reach.pairs(&graph.parts(), &graph.ids, &buffer, Cancel::NEVER, &mut |len| {
                pairs.extend(gpu.read(&buffer, 0..len)?);
                Ok(())
            })?;
            assert_eq!(count, expected.len() as u64);
            pairs.sort_unstable();
            assert!(pairs == expected, "seed {seed}: {} pairs of {}", pairs.len(), expected.len());
        }
    }
    Ok(())
}

#[test]
fn rows_and_counts_are_those_of_the_definition() -> Result<()> {
    for (name, vertices, pairs) in random_graphs(4).into_iter().filter(|(_, vertices, _)| *vertices > 0) {
        let graph = Graph::from_pairs(vertices, &pairs, Cancel::NEVER)?;
        let condensed = Condensation::new(&graph, Cancel::NEVER)?;
        for reflexive in [false, true] {
            let (gpu, expected) = (Gpu::emulated(16 << 20, 1), naive_closure(vertices, &pairs, reflexive));
            let on_device = DeviceCondensation::new(&condensed, reflexive);
            let reach = GpuReach::new(&gpu, &on_device.parts())?;
            let counts = ReachCounts::new(&condensed, reach.counts(Cancel::NEVER, &|_| {})?);
            assert_eq!(counts, count(&condensed, reflexive, Cancel::NEVER, &|_| {})?, "{name}, {reflexive}");
            let rows = GpuReachRows::new(reach, &on_device.parts())?;
            let mut found = Vec::new();
            for sources in counts.cut(&condensed, 100) {
                for (source, targets) in rows.unsorted(sources)?.iter() {
                    let mut targets = targets.to_vec();
                    targets.sort_unstable();
                    found.extend(targets.into_iter().map(|target| [source, target]));
                }
            }
            assert!(found == expected, "{name}, {reflexive}");
        }
    }
    Ok(())
}

#[test]
fn rows_need_all_bits_in_memory() -> Result<()> {
    let pairs: Vec<[u32; 2]> = (1..3000).map(|v| [v - 1, v]).collect();
    let condensed = Condensation::new(&Graph::from_pairs(3000, &pairs, Cancel::NEVER)?, Cancel::NEVER)?;
    let (gpu, on_device) = (Gpu::emulated(600 << 10, 1), DeviceCondensation::new(&condensed, false));
    let reach = GpuReach::new(&gpu, &on_device.parts())?;
    let error = GpuReachRows::new(reach, &on_device.parts()).unwrap_err();
    assert_eq!(error.code(), crate::error::ErrorCode::DoesNotFitDevice);
    Ok(())
}
