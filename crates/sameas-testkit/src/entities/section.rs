//! `[entity]` as a tree.

use crate::case::Expr;

/// The name of the rule file of a case.
pub const ENTITY_FILE: &str = "job.toml";

/// What is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SurvivorRule {
    /// `first`
    First,
    /// `newest`
    Newest,
    /// `oldest`
    Oldest,
    /// `most_frequent`
    MostFrequent,
    /// `longest`
    Longest,
    /// `most_complete`
    MostComplete,
    /// `priority`
    Priority,
    /// `min`
    Min,
    /// `max`
    Max,
    /// `strongest`
    Strongest,
    /// `sum`
    Sum,
    /// `mean`
    Mean,
    /// `union`
    Union,
}

impl SurvivorRule {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::First,
        Self::Newest,
        Self::Oldest,
        Self::MostFrequent,
        Self::Longest,
        Self::MostComplete,
        Self::Priority,
        Self::Min,
        Self::Max,
        Self::Strongest,
        Self::Sum,
        Self::Mean,
        Self::Union,
    ];

    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Newest => "newest",
            Self::Oldest => "oldest",
            Self::MostFrequent => "most_frequent",
            Self::Longest => "longest",
            Self::MostComplete => "most_complete",
            Self::Priority => "priority",
            Self::Min => "min",
            Self::Max => "max",
            Self::Strongest => "strongest",
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Union => "union",
        }
    }

    /// Whether it is computed of all values, and not taken from a record.
    pub fn is_aggregate(self) -> bool {
        matches!(self, Self::Sum | Self::Mean | Self::Union)
    }
}

/// What is computed of a record.
#[derive(Clone, Debug)]
pub enum ValueExpr {
    /// One expression for all inputs.
    Same(Expr),
    /// One for each of these inputs, by their places.
    ByInput(Vec<(usize, Expr)>),
}

/// An entry.
#[derive(Clone, Debug)]
pub struct EntityEntry {
    /// Its key; of a group only a name; `*` for the rest.
    pub key: String,
    /// `take`
    pub take: SurvivorRule,
    /// `by`
    pub by: Option<Expr>,
    /// `sources`, by their places.
    pub sources: Vec<usize>,
    /// `where`: which records count.
    pub condition: Option<Expr>,
    /// `value`
    pub value: Option<ValueExpr>,
    /// `columns`; a group of `*` has all that no other entry names.
    pub columns: Option<Vec<String>>,
}

impl EntityEntry {
    /// An entry that needs nothing else.
    pub fn plain(key: &str, take: SurvivorRule) -> Self {
        let key = key.to_owned();
        EntityEntry { key, take, by: None, sources: Vec::new(), condition: None, value: None, columns: None }
    }

    /// Whether it is the group of all columns that no other entry names.
    pub fn is_whole_record(&self) -> bool {
        self.columns.as_ref().is_some_and(|columns| columns == &["*"])
    }
}

/// The section, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct EntitySection {
    /// Entries besides `"*"`, and that of `"*"` if it has one.
    pub entries: Vec<EntityEntry>,
    /// Whether `"*"` is `"none"`.
    pub leaves_rest_out: bool,
    /// Whether two inputs are called `left` and `right`, and not by their names.
    pub says_sides: bool,
}
