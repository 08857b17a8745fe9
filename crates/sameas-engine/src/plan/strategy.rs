//! Which parts of the planner are active: experiments switch them off by name.

use crate::candidates::AccessPath;

use serde::{Deserialize, Serialize};

/// Which parts of the planner are active, for experiments. The result of a job never depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[non_exhaustive]
pub enum Strategy {
    /// Everything the planner knows.
    #[default]
    Full,
    /// No planning: every rule joins on its written equalities, and checks what it says in the order it says it.
    NoEpg,
    /// Checks in the order they were written, in trees that are otherwise planned.
    NoPredicateOrder,
    /// Subtrees in the order of the rules.
    NoRuleOrder,
    /// Cheap checks first, however many candidates they pass.
    CheapFirst,
    /// Selective checks first, whatever they cost.
    SelectiveFirst,
    /// Any access conditions and any order of checks: for tests.
    #[doc(hidden)]
    Random(Draw),
}

/// What a random plan is drawn by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
    /// The access path that every conjunction takes that can.
    pub path: Option<AccessPath>,
}

impl Strategy {
    /// The strategies a user can name.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("full", Self::Full),
        ("no-epg", Self::NoEpg),
        ("no-predicate-order", Self::NoPredicateOrder),
        ("no-rule-order", Self::NoRuleOrder),
        ("cheap-first", Self::CheapFirst),
        ("selective-first", Self::SelectiveFirst),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(_, strategy)| *strategy == self).map_or("random", |(name, _)| name)
    }
}

impl From<Strategy> for String {
    fn from(strategy: Strategy) -> Self {
        strategy.name().into()
    }
}

/// By name; what a random plan was drawn by is not part of the name.
impl TryFrom<String> for Strategy {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let random = ("random", Self::Random(Draw::default()));
        let found = Self::NAMED.into_iter().chain([random]).find(|(known, _)| *known == name);
        found.map(|(_, strategy)| strategy).ok_or_else(|| format!("unknown strategy `{name}`"))
    }
}
