//! Edges packed into integers whose order is the order of edges: 16 bytes for each edge, or 24 where rows and rules need more.
//!
//! From the highest bits down a packed edge has its kind, the place of its weight, its rule and its rows. So comparing
//! integers compares edges, and sorting needs neither keys beside the edges nor a look at what they refer to.

use crate::edge::{Edge, EdgeKind};

/// Bits of a narrow edge for its rule and rows: what the kind (2 bits) and the place of the weight (64) leave of 128.
const LOW_BITS: u32 = 62;

/// How rows lie in packed edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeLayout {
    /// Bits of a row.
    row_bits: u32,
}

impl EdgeLayout {
    pub(crate) fn new(rows: u32) -> Self {
        Self { row_bits: bits_below(rows) }
    }

    /// Whether edges by this many rules are narrow.
    pub(crate) fn is_narrow(self, rules: u32) -> bool {
        2 * self.row_bits + bits_below(rules) <= LOW_BITS
    }
}

/// Bits of the numbers below this one.
fn bits_below(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

/// An edge of 24 bytes: its kind, the place of its weight in two halves, its rule, its rows.
pub(crate) type WideEdge = [u32; 6];

/// Packed edges, one after the other.
#[derive(Clone, Copy)]
pub(crate) enum PackedSlice<'a> {
    Narrow(&'a [u128]),
    Wide(&'a [WideEdge]),
}

impl PackedSlice<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Narrow(edges) => edges.len(),
            Self::Wide(edges) => edges.len(),
        }
    }

    pub(crate) fn edge(self, layout: EdgeLayout, at: usize) -> Edge {
        match self {
            Self::Narrow(edges) => edges[at].unpack(layout),
            Self::Wide(edges) => edges[at].unpack(layout),
        }
    }
}

/// An edge as an integer: the least is the strongest.
pub(crate) trait PackedEdge: Copy + Ord + Send + Sync {
    /// Ascends with the rows, and for the same rows with the edges.
    type ByRows: Ord;

    fn pack(edge: &Edge, layout: EdgeLayout) -> Self;
    fn unpack(self, layout: EdgeLayout) -> Edge;
    fn rows(self, layout: EdgeLayout) -> [u32; 2];
    fn with_rows(self, rows: [u32; 2], layout: EdgeLayout) -> Self;
    fn by_rows(self, layout: EdgeLayout) -> Self::ByRows;
    fn slice(edges: &[Self]) -> PackedSlice<'_>;
}

impl PackedEdge for u128 {
    type ByRows = u128;

    fn pack(edge: &Edge, layout: EdgeLayout) -> Self {
        let rule = u128::from(edge.rule()) << (2 * layout.row_bits);
        let high = (edge.kind() as u128) << 126 | u128::from(edge.place()) << LOW_BITS;
        (high | rule).with_rows(edge.rows(), layout)
    }

    fn unpack(self, layout: EdgeLayout) -> Edge {
        let low = self as u64 & ((1 << LOW_BITS) - 1);
        let rule = (low >> (2 * layout.row_bits)) as u32;
        Edge::unpacked(self.rows(layout), kind_of((self >> 126) as u32), (self >> LOW_BITS) as u64, rule)
    }

    fn rows(self, layout: EdgeLayout) -> [u32; 2] {
        let (low, mask) = (self as u64, (1_u64 << layout.row_bits) - 1);
        [(low >> layout.row_bits & mask) as u32, (low & mask) as u32]
    }

    fn with_rows(self, [l, r]: [u32; 2], layout: EdgeLayout) -> Self {
        let both = 2 * layout.row_bits;
        self >> both << both | u128::from(l) << layout.row_bits | u128::from(r)
    }

    /// Rows first.
    fn by_rows(self, layout: EdgeLayout) -> u128 {
        self.rotate_right(2 * layout.row_bits)
    }

    fn slice(edges: &[Self]) -> PackedSlice<'_> {
        PackedSlice::Narrow(edges)
    }
}

impl PackedEdge for WideEdge {
    type ByRows = WideEdge;

    fn pack(edge: &Edge, _: EdgeLayout) -> Self {
        let ([l, r], place) = (edge.rows(), edge.place());
        [edge.kind() as u32, (place >> 32) as u32, place as u32, edge.rule(), l, r]
    }

    fn unpack(self, _: EdgeLayout) -> Edge {
        let [kind, high, low, rule, l, r] = self;
        Edge::unpacked([l, r], kind_of(kind), u64::from(high) << 32 | u64::from(low), rule)
    }

    fn rows(self, _: EdgeLayout) -> [u32; 2] {
        [self[4], self[5]]
    }

    fn with_rows(self, [l, r]: [u32; 2], _: EdgeLayout) -> Self {
        let [kind, high, low, rule, ..] = self;
        [kind, high, low, rule, l, r]
    }

    fn by_rows(self, _: EdgeLayout) -> WideEdge {
        let [kind, high, low, rule, l, r] = self;
        [l, r, kind, high, low, rule]
    }

    fn slice(edges: &[Self]) -> PackedSlice<'_> {
        PackedSlice::Wide(edges)
    }
}

/// The kind that has this number.
fn kind_of(number: u32) -> EdgeKind {
    match number {
        0 => EdgeKind::DecidedTogether,
        1 => EdgeKind::Certain,
        _ => EdgeKind::Scored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges() -> Vec<Edge> {
        let edge = |rows, kind, weight, rule| Edge::new(rows, kind, weight, rule).unwrap();
        vec![
            edge([0, 9], EdgeKind::DecidedTogether, None, 6),
            edge([0, 1], EdgeKind::Certain, Some(-3.5), 6),
            edge([2, 7], EdgeKind::Certain, None, 0),
            edge([8, 9], EdgeKind::Scored, Some(12.0), 6),
            edge([3, 8], EdgeKind::Scored, Some(0.25), 0),
            edge([1, 8], EdgeKind::Scored, Some(0.25), 1),
            edge([1, 9], EdgeKind::Scored, Some(0.25), 1),
            edge([2, 3], EdgeKind::Scored, Some(0.25), 1),
            edge([0, 1], EdgeKind::Scored, Some(-0.25), 0),
            edge([0, 1], EdgeKind::Scored, None, 0),
        ]
    }

    fn comes_back_in_order<K: PackedEdge>(layout: EdgeLayout) {
        let packed: Vec<K> = edges().iter().map(|edge| K::pack(edge, layout)).collect();
        assert!(packed.is_sorted());
        let slice = K::slice(&packed);
        let back: Vec<Edge> = (0..slice.len()).map(|at| slice.edge(layout, at)).collect();
        assert_eq!(back, edges());
        let moved: Vec<[u32; 2]> = packed.iter().map(|edge| edge.with_rows([5, 6], layout).rows(layout)).collect();
        assert_eq!(moved, [[5, 6]; 10]);
        let mut by_rows = packed;
        by_rows.sort_unstable_by_key(|edge| edge.by_rows(layout));
        let rows: Vec<[u32; 2]> = by_rows.iter().map(|edge| edge.rows(layout)).collect();
        assert!(rows.is_sorted());
        let weights: Vec<Option<f64>> = by_rows[..3].iter().map(|edge| edge.unpack(layout).weight()).collect();
        assert_eq!(weights, [Some(-3.5), Some(-0.25), None], "the strongest of the same rows comes first");
    }

    #[test]
    fn packed_edges_have_the_order_of_edges() {
        comes_back_in_order::<u128>(EdgeLayout::new(10));
        comes_back_in_order::<u128>(EdgeLayout::new(1 << 29));
        comes_back_in_order::<WideEdge>(EdgeLayout::new(u32::MAX));
    }

    #[test]
    fn edges_are_wide_where_they_must_be() {
        let is_narrow = |rows, rules| EdgeLayout::new(rows).is_narrow(rules);
        assert!(is_narrow(0, 0) && is_narrow(1 << 27, 256) && is_narrow(1 << 31, 1));
        assert!(!is_narrow(1 << 27, 257) && !is_narrow((1 << 31) + 1, 1));
    }
}
