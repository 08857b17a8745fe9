//! Candidates: the pairs an access condition allows, each at most once and none missing.
//!
//! One contract for every access path ([`Path`]): an index is prepared, in several rounds where memory is short, and
//! tasks, which run on all cores, push [`Tile`]s of rows into a [`Sink`]. Pairs are enumerated where they are verified.
//! Paths over distinct values ([`ValueJoin`]) decide pairs of values; `by_value` turns these into tiles of rows.
//!
//! Every path has a folder with its [`Declaration`], and a line in the list of [`AccessPath`]s: whatever chooses, runs,
//! explains or tests paths reads these.
//!
//! **Rounds, tasks, sinks.** A path has rounds, one index each. A round has tasks, which are independent. On the CPU
//! (`path`) a task pushes tiles, and pairs are enumerated in the cache of the core that verifies them (`batch`). On a
//! device (`device_path`) a task is some work of a kernel, and the sink is compiled into the kernel. `slices` runs the
//! tasks of a device some at a time, `work_division` divides them among devices, and `tiles` enumerates pairs there: a
//! rectangle of a large tile per warp, light tiles by the number of the pair. Warps take tasks from a counter; the
//! windows and the stealing of "HyperBlocker" are there to be compared with it (`kernels/units.h`, `WarpSchedule`).
//!
//! **What a declaration does not have.** What a device needs to make a path, its columns, is known only above, so the
//! engine makes device paths (`execute/gpu/path`, a `match` without a wildcard). And sentences about paths are made by
//! the program. A path is named after what it serves, a folder after how it works: `edit_join` and `jaro_join` both use
//! `text_join`.

pub mod all_pairs;
pub mod batch;
pub mod by_value;
mod condition;
mod declaration;
#[cfg(all(test, feature = "emulated"))]
mod device_pairs;
pub mod device_path;
pub mod device_value_join;
pub mod edit_join;
pub mod equi_join;
pub mod heads;
mod mix;
pub mod neighbourhood;
pub mod pair_output;
mod pairs_of_rows;
mod parting;
mod path;
mod path_input;
mod rows;
pub mod set_join;
mod shape;
pub mod slices;
pub mod text_join;
mod tile;
pub mod tiles;
mod value_cost;
mod value_join;
pub mod work_division;

pub use batch::{BATCH, Batch, Batches};
pub use condition::{Access, Condition};
pub use declaration::{
    Declaration, DeviceCost, JoinFacts, NoDevicePath, SAMPLE_MEMORY, START, ValueDeclaration, ValueLists,
};
pub use pairs_of_rows::{PairsOfRows, RowPair};
pub use parting::{Parting, PartingKey};
pub use path::Path;
pub use path_input::{JoinSource, PathInput};
pub use rows::Rows;
pub use shape::Shape;
pub use tile::{EqualKeyPairs, Pairing, Sink, Tile};
pub use value_join::{AnyValueJoin, ValueJoin};

declaration::access_paths! {
    /// Equal composite keys.
    EquiJoin => equi_join::declaration::EquiJoinPath,
    /// Sets of tokens with enough in common.
    SetJoin => set_join::declaration::SetJoinPath,
    /// Texts within some edits of each other.
    EditJoin => edit_join::declaration::EditJoinPath,
    /// Numbers, dates or ranks near each other.
    Neighbourhood => neighbourhood::declaration::NeighbourhoodPath,
    /// Texts of at least some Jaro or Jaro-Winkler similarity.
    JaroJoin => text_join::declaration::JaroJoinPath,
    /// Every pair.
    AllPairs => all_pairs::declaration::AllPairsPath,
}
