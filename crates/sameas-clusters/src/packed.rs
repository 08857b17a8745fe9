//! Edges packed into integers whose order is the order of edges: 16 bytes for each edge, or 24 where rows and rules need more.
//!
//! From the highest bits down a packed edge has its kind, the place of its weight, its rule and its rows. So comparing
//! integers compares edges, and sorting needs neither keys beside the edges nor a look at what they refer to.
//!
//! An edge that is cut stays where it was in a list, and has the cause where its weight was: cut edges need no list of their own.

use crate::edge::{Edge, EdgeKind};
use crate::outcome::CutCause;

/// Bits of a narrow edge for its rule and rows: what the kind (2 bits) and the place of the weight (64) leave of 128.
const LOW_BITS: u32 = 62;

/// Where the kind of a narrow edge begins.
const KIND_AT: u32 = 126;

/// What an edge that is cut has in place of its kind.
const CUT: u32 = 3;

/// The most bits of a row of a narrow edge: with a row of 29 bits, one of 32 and which cause it is, a cause has 64.
const MOST_ROW_BITS: u32 = 29;

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
        self.row_bits <= MOST_ROW_BITS && 2 * self.row_bits + bits_below(rules) <= LOW_BITS
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
    fn pack(edge: &Edge, layout: EdgeLayout) -> Self;
    fn unpack(self, layout: EdgeLayout) -> Edge;
    fn rows(self, layout: EdgeLayout) -> [u32; 2];
    fn with_rows(self, rows: [u32; 2], layout: EdgeLayout) -> Self;
    fn slice(edges: &[Self]) -> PackedSlice<'_>;

    /// The two rows as one number that has their order.
    fn row_order(self, layout: EdgeLayout) -> u64;

    /// What has the order of rows, and for the same rows that of edges.
    fn rows_first(self, layout: EdgeLayout) -> Self;

    /// The edge again.
    fn rows_last(self, layout: EdgeLayout) -> Self;

    /// What is less than this reaches the threshold with this place, and nothing else does.
    fn below(threshold: u64) -> Self;

    /// The same edge, cut.
    fn cut(self, cause: CutCause, layout: EdgeLayout) -> Self;

    /// What has cut it, if something has.
    fn cause(self) -> Option<CutCause>;
}

impl PackedEdge for u128 {
    fn pack(edge: &Edge, layout: EdgeLayout) -> Self {
        let rule = u128::from(edge.rule()) << (2 * layout.row_bits);
        let high = (edge.kind() as u128) << KIND_AT | u128::from(edge.place()) << LOW_BITS;
        (high | rule).with_rows(edge.rows(), layout)
    }

    fn unpack(self, layout: EdgeLayout) -> Edge {
        let low = self as u64 & ((1 << LOW_BITS) - 1);
        let rule = (low >> (2 * layout.row_bits)) as u32;
        Edge::unpacked(self.rows(layout), kind_of((self >> KIND_AT) as u32), (self >> LOW_BITS) as u64, rule)
    }

    fn rows(self, layout: EdgeLayout) -> [u32; 2] {
        let (low, mask) = (self as u64, (1_u64 << layout.row_bits) - 1);
        [(low >> layout.row_bits & mask) as u32, (low & mask) as u32]
    }

    fn with_rows(self, [l, r]: [u32; 2], layout: EdgeLayout) -> Self {
        let both = 2 * layout.row_bits;
        self >> both << both | u128::from(l) << layout.row_bits | u128::from(r)
    }

    fn row_order(self, layout: EdgeLayout) -> u64 {
        self as u64 & ((1 << (2 * layout.row_bits)) - 1)
    }

    fn rows_first(self, layout: EdgeLayout) -> Self {
        self.rotate_right(2 * layout.row_bits)
    }

    fn rows_last(self, layout: EdgeLayout) -> Self {
        self.rotate_left(2 * layout.row_bits)
    }

    fn slice(edges: &[Self]) -> PackedSlice<'_> {
        PackedSlice::Narrow(edges)
    }

    fn below(threshold: u64) -> Self {
        ((EdgeKind::Scored as u128) << KIND_AT) + ((u128::from(threshold) + 1) << LOW_BITS)
    }

    fn cut(self, cause: CutCause, layout: EdgeLayout) -> Self {
        let [a, b] = cause.details();
        let details = (cause.place() as u64) << (32 + MOST_ROW_BITS) | u64::from(a) << 32 | u64::from(b);
        let rows = self & ((1 << (2 * layout.row_bits)) - 1);
        u128::from(CUT) << KIND_AT | u128::from(details) << LOW_BITS | rows
    }

    fn cause(self) -> Option<CutCause> {
        let details = (self >> LOW_BITS) as u64;
        let a = (details >> 32) as u32 & ((1 << MOST_ROW_BITS) - 1);
        let is_cut = (self >> KIND_AT) as u32 == CUT;
        is_cut.then(|| CutCause::with_details((details >> (32 + MOST_ROW_BITS)) as usize, [a, details as u32]))
    }
}

impl PackedEdge for WideEdge {
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

    fn row_order(self, _: EdgeLayout) -> u64 {
        u64::from(self[4]) << 32 | u64::from(self[5])
    }

    fn rows_first(self, _: EdgeLayout) -> Self {
        let [kind, high, low, rule, l, r] = self;
        [l, r, kind, high, low, rule]
    }

    fn rows_last(self, _: EdgeLayout) -> Self {
        let [l, r, kind, high, low, rule] = self;
        [kind, high, low, rule, l, r]
    }

    fn slice(edges: &[Self]) -> PackedSlice<'_> {
        PackedSlice::Wide(edges)
    }

    fn below(threshold: u64) -> Self {
        let next = u128::from(threshold) + 1;
        [EdgeKind::Scored as u32 + (next >> 64) as u32, (next >> 32) as u32, next as u32, 0, 0, 0]
    }

    fn cut(self, cause: CutCause, _: EdgeLayout) -> Self {
        let ([a, b], [.., l, r]) = (cause.details(), self);
        [CUT, a, b, cause.place() as u32, l, r]
    }

    fn cause(self) -> Option<CutCause> {
        let [kind, a, b, place, ..] = self;
        (kind == CUT).then(|| CutCause::with_details(place as usize, [a, b]))
    }
}

/// The kind that has this number. What a cut edge was, nobody asks.
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
    use crate::edge::place_of;

    impl EdgeLayout {
        /// The last row that there can be.
        fn last_row(self) -> u32 {
            u32::MAX >> (u32::BITS - self.row_bits)
        }
    }

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
        let mut by_rows: Vec<K> = packed.iter().map(|edge| edge.rows_first(layout)).collect();
        by_rows.sort_unstable();
        by_rows.iter_mut().for_each(|edge| *edge = edge.rows_last(layout));
        let rows: Vec<[u32; 2]> = by_rows.iter().map(|edge| edge.rows(layout)).collect();
        assert!(rows.is_sorted() && by_rows.is_sorted_by_key(|edge| edge.row_order(layout)));
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
        assert!(is_narrow(0, 0) && is_narrow(1 << 27, 256) && is_narrow(1 << 29, 16));
        assert!(!is_narrow(1 << 27, 257) && !is_narrow((1 << 29) + 1, 1));
    }

    fn causes_come_back<K: PackedEdge>(layout: EdgeLayout) {
        let (last, most) = (layout.last_row(), u32::MAX);
        let causes = [
            CutCause::Method,
            CutCause::MaxSize,
            CutCause::DecidedApart { pair: [last - 1, last] },
            CutCause::Forbidden { pair: [0, last] },
            CutCause::OneTo { source: most },
            CutCause::Limit { limit: (1 << MOST_ROW_BITS) - 1, value: most },
            CutCause::Bridge,
        ];
        for edge in edges() {
            let packed = K::pack(&edge, layout).with_rows([last - 2, last], layout);
            assert_eq!(packed.cause(), None);
            for cause in causes {
                let cut = packed.cut(cause, layout);
                assert_eq!((cut.cause(), cut.rows(layout)), (Some(cause), [last - 2, last]));
                assert_eq!(cut.with_rows([1, 2], layout).cause(), Some(cause));
            }
        }
    }

    #[test]
    fn cut_edges_have_their_causes() {
        causes_come_back::<u128>(EdgeLayout::new(10));
        causes_come_back::<u128>(EdgeLayout::new(1 << 29));
        causes_come_back::<WideEdge>(EdgeLayout::new(u32::MAX));
    }

    fn is_below<K: PackedEdge>(layout: EdgeLayout) {
        for threshold in [12.0, 0.25, -0.25, -1.0].map(place_of).into_iter().chain([0, u64::MAX]) {
            for edge in edges() {
                let reaches = edge.kind() != EdgeKind::Scored || edge.place() <= threshold;
                assert_eq!(K::pack(&edge, layout) < K::below(threshold), reaches, "{edge:?} at {threshold}");
            }
        }
    }

    #[test]
    fn what_is_less_reaches_a_threshold() {
        is_below::<u128>(EdgeLayout::new(1 << 29));
        is_below::<WideEdge>(EdgeLayout::new(u32::MAX));
    }
}
