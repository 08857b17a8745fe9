//! Jobs with an `[entity]` section as plain data: inputs of any types, pairs with scores, and what an entity takes from its records.
//!
//! - `value` is a value of any type, with its order; `types` says which types columns have;
//! - `input` are the inputs; `section` is `[entity]` as a tree, and `toml` writes it.

mod input;
mod section;
mod toml;
mod types;
mod value;

pub use input::{EntityCase, EntityColumn, EntityInput, EntityPair, PairSource, WithColumns};
pub use section::{ENTITY_FILE, EntityEntry, EntitySection, SurvivorRule, ValueExpr};
pub use toml::{job_text, quoted};
pub use types::{common_type, is_text_list, kept_type, list_of, rule_type, same_type};
pub use value::{Item, Whole};
