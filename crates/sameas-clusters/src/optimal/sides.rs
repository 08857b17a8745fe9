//! The two sides of a component, and the edges between them.

use crate::component::Component;
use crate::outcome::{ClusterConflict, CutCause};

/// What a record is called that is on neither side.
const NEITHER: u32 = u32::MAX;

/// An edge of a left record.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideEdge {
    /// The number of the right record.
    pub(super) right: u32,
    /// What the edge counts: at least one unit.
    pub(super) worth: u64,
}

/// The records that are free to have a partner, by their places in the component, ascending on both sides.
pub(super) struct MatchSides {
    pub(super) left: Vec<u32>,
    pub(super) right: Vec<u32>,
    /// The edges of all left records, by left and then by right record.
    edges: Vec<SideEdge>,
    starts: Vec<usize>,
}

impl MatchSides {
    /// Bytes for each edge, while edges are put in order.
    pub(super) const BYTES_OF_EDGE: usize = size_of::<(u32, u32, i64)>() + size_of::<SideEdge>();

    /// Bytes for each record, at most: its side and number, in lists that have just grown, its set, and the sides of decided pairs.
    pub(super) const BYTES_OF_RECORD: usize =
        size_of::<[u32; 8]>() + size_of::<[usize; 4]>() + 3 * size_of::<[u32; 3]>();

    /// The sides of a component in which decisions hold together what has one label.
    pub(super) fn new(component: &Component<'_>, sources: &[u32], labels: &[u32]) -> Result<Self, ClusterConflict> {
        let first_source = component.rows.iter().map(|row| sources[*row as usize]).min().unwrap_or(0);
        let is_left: Vec<bool> = component.rows.iter().map(|row| sources[*row as usize] == first_source).collect();
        let is_free = free_records(component, sources, labels)?;
        let (mut left, mut right, mut number) = (Vec::new(), Vec::new(), vec![NEITHER; labels.len()]);
        for record in (0..labels.len()).filter(|record| is_free[*record]) {
            let side = if is_left[record] { &mut left } else { &mut right };
            number[record] = side.len() as u32;
            side.push(record as u32);
        }
        let (edge_units, mut edges) = (component.edge_units(), Vec::with_capacity(component.size().edges));
        let mut least = i64::MAX;
        for edge in component.edges() {
            let units = edge_units.count(&edge);
            least = least.min(units);
            let [a, b] = edge.ends.map(|end| end as usize);
            if is_left[a] != is_left[b] && is_free[a] && is_free[b] {
                let (l, r) = if is_left[a] { (a, b) } else { (b, a) };
                edges.push((number[l], number[r], units));
            }
        }
        edges.sort_unstable();
        let starts = (0..=left.len()).map(|at| edges.partition_point(|edge| (edge.0 as usize) < at)).collect();
        let side_edge = |(_, right, units): (u32, u32, i64)| SideEdge { right, worth: units.abs_diff(least) + 1 };
        let edges = edges.into_iter().map(side_edge).collect();
        Ok(Self { left, right, edges, starts })
    }

    /// The edges of a left record.
    pub(super) fn edges(&self, left: usize) -> &[SideEdge] {
        &self.edges[self.starts[left]..self.starts[left + 1]]
    }
}

/// Whether each record is in no decided pair.
fn free_records(component: &Component<'_>, sources: &[u32], labels: &[u32]) -> Result<Vec<bool>, ClusterConflict> {
    let mut sizes = vec![0_u32; labels.len()];
    labels.iter().for_each(|label| sizes[*label as usize] += 1);
    let is_free: Vec<bool> = labels.iter().map(|label| sizes[*label as usize] == 1).collect();
    let held = labels.iter().zip(component.rows).zip(&is_free).filter(|(_, is_free)| !**is_free);
    let mut held: Vec<[u32; 3]> = held.map(|((label, row), _)| [*label, sources[*row as usize], *row]).collect();
    held.sort_unstable();
    match held.chunk_by(|one, other| one[..2] == other[..2]).find(|same| same.len() > 1) {
        Some(same) => {
            let (source, rows) = (same[0][1], same.iter().map(|held| held[2]).collect());
            Err(ClusterConflict::TooMany { limit: CutCause::OneTo { source }, rows })
        }
        None => Ok(is_free),
    }
}
