//! Access paths by name.

use serde::{Deserialize, Serialize};

use super::condition::Access;

/// How a branch finds its candidates, without what it joins on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessPath {
    /// Every pair.
    AllPairs,
    /// Texts within some edits of each other.
    EditJoin,
    /// Equal composite keys.
    EquiJoin,
    /// Texts of at least some Jaro or Jaro-Winkler similarity.
    JaroJoin,
    /// Numbers, dates or ranks near each other.
    Neighbourhood,
    /// Sets of tokens with enough in common.
    SetJoin,
}

impl AccessPath {
    /// The kind of an access.
    pub fn of(access: &Access) -> Self {
        match access {
            Access::EquiJoin(_) => Self::EquiJoin,
            Access::SetJoin(_) => Self::SetJoin,
            Access::EditJoin(_) => Self::EditJoin,
            Access::Neighbourhood(_) => Self::Neighbourhood,
            Access::JaroJoin(_) => Self::JaroJoin,
            Access::AllPairs => Self::AllPairs,
        }
    }

    /// Its name in `run.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllPairs => "all_pairs",
            Self::EditJoin => "edit_join",
            Self::EquiJoin => "equi_join",
            Self::JaroJoin => "jaro_join",
            Self::Neighbourhood => "neighbourhood",
            Self::SetJoin => "set_join",
        }
    }
}
