//! Candidates: the pairs an access condition allows, each at most once and none missing.
//!
//! One contract for every access path ([`Path`]): an index is prepared, in several rounds where memory is short, and
//! tasks, which run on all cores, push [`Tile`]s of rows into a [`Sink`]. Pairs are enumerated where they are verified.
//! Paths over distinct values ([`ValueJoin`]) decide pairs of values; `by_value` turns these into tiles of rows.
//!
//! Every path has a folder with its [`Declaration`], and a line in the list of [`AccessPath`]s: whatever chooses, runs,
//! explains or tests paths reads these.

pub mod all_pairs;
pub mod batch;
pub mod by_value;
mod condition;
mod declaration;
pub mod device_path;
pub mod device_value_join;
pub mod edit_join;
pub mod equi_join;
pub mod heads;
pub mod keys;
pub mod neighbourhood;
pub mod pair_output;
mod path;
mod rows;
pub mod set_join;
pub mod slices;
pub mod text_join;
mod tile;
pub mod tiles;
mod value_cost;
mod value_join;
pub mod work_division;
#[cfg(all(test, feature = "emulated"))]
mod written;

pub use batch::{BATCH, Batch, Batches};
pub use condition::{Access, Condition};
pub use declaration::{
    Declaration, DeviceCost, JoinFacts, JoinSource, NoDevicePath, PathInput, START, ValueDeclaration, ValueLists,
};
pub use path::{Path, Which};
pub use rows::Rows;
pub use tile::{Pairing, Sink, Tile};
pub use value_join::{AnyValueJoin, ValueJoin};

declaration::access_paths! {
    /// Equal composite keys.
    EquiJoin => equi_join::EquiJoinPath,
    /// Sets of tokens with enough in common.
    SetJoin => set_join::SetJoinPath,
    /// Texts within some edits of each other.
    EditJoin => edit_join::EditJoinPath,
    /// Numbers, dates or ranks near each other.
    Neighbourhood => neighbourhood::NeighbourhoodPath,
    /// Texts of at least some Jaro or Jaro-Winkler similarity.
    JaroJoin => text_join::JaroJoinPath,
    /// Every pair.
    AllPairs => all_pairs::AllPairsPath,
}

/// Bytes that a join of sampled rows may take, however little the job has: it needs no more than some of them.
pub const SAMPLE_MEMORY: usize = 1 << 26;

/// Which pairs of rows are pairs at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every row of the left frame with every row of the right.
    Rectangle,
    /// Both frames are one; only pairs with the left row before the right.
    Triangle,
}
