//! What a clustering gives: clusters, the edges between them with what cut each, or decisions that contradict each other.

/// Clusters, and the edges that they cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// For each row the first row of its cluster.
    pub first_rows: Vec<u32>,
    /// The edges whose ends are in different clusters, by rows; those below the threshold are none.
    pub cut: Vec<CutEdge>,
}

/// An edge whose ends are in different clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CutEdge {
    /// Its rows, the lower one first.
    pub rows: [u32; 2],
    /// Why they are not together.
    pub cause: CutCause,
}

/// Why the ends of an edge are in different clusters. Constraints are asked in the order that they have here: a cause is the
/// first that refuses the union of the two clusters that constraints have left of the ends, before these are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutCause {
    /// The method has not put them together.
    Method,
    /// They would have been too many.
    MaxSize,
    /// Somebody has decided it, for these two rows of the two clusters: the first such pair.
    DecidedApart {
        /// The rows, the lower one first.
        pair: [u32; 2],
    },
    /// These two rows of the two clusters are forbidden to be together: the first such pair.
    Forbidden {
        /// The rows, the lower one first.
        pair: [u32; 2],
    },
    /// Both clusters have a record of this source: of several the first.
    OneTo {
        /// The source.
        source: u32,
    },
    /// There would have been too many records of a value, or too many values.
    Limit {
        /// The number of the limit among the limits of the rules.
        limit: u32,
        /// The first value with too many records, or the first that the cluster of the left row lacks.
        value: u32,
    },
    /// The edge was a bridge at which a cluster was divided.
    Bridge,
}

impl CutCause {
    /// What causes are called, each at its [place](Self::place).
    pub const NAMES: [&str; 7] = ["method", "max_size", "decided", "never", "one_to", "limit", "bridge"];

    /// The place of its name.
    pub fn place(self) -> usize {
        match self {
            Self::Method => 0,
            Self::MaxSize => 1,
            Self::DecidedApart { .. } => 2,
            Self::Forbidden { .. } => 3,
            Self::OneTo { .. } => 4,
            Self::Limit { .. } => 5,
            Self::Bridge => 6,
        }
    }

    /// What it is called in results.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.place()]
    }

    /// What it says beside its place, in two numbers: the first is a row, the number of a limit, or nothing.
    pub(crate) fn details(self) -> [u32; 2] {
        match self {
            Self::Method | Self::MaxSize | Self::Bridge => [0, 0],
            Self::DecidedApart { pair } | Self::Forbidden { pair } => pair,
            Self::OneTo { source } => [0, source],
            Self::Limit { limit, value } => [limit, value],
        }
    }

    /// The cause at a place that says this.
    pub(crate) fn with_details(place: usize, [a, b]: [u32; 2]) -> Self {
        match place {
            0 => Self::Method,
            1 => Self::MaxSize,
            2 => Self::DecidedApart { pair: [a, b] },
            3 => Self::Forbidden { pair: [a, b] },
            4 => Self::OneTo { source: b },
            5 => Self::Limit { limit: a, value: b },
            _ => Self::Bridge,
        }
    }
}

/// Decisions that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClusterConflict {
    /// Two rows are decided to be different, and decisions hold them together.
    HeldTogether {
        /// The rows from one to the other, each decided to be together with the next one: a shortest way.
        chain: Vec<u32>,
    },
    /// Rows that decisions hold together break a limit.
    TooMany {
        /// The limit: `MaxSize`, `OneTo` or `Limit`, with the first value that is too much.
        limit: CutCause,
        /// The rows that count for it.
        rows: Vec<u32>,
    },
}
