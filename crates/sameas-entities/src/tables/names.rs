//! Names of the columns of tables, and what is recorded of those of entities.

use std::collections::HashSet;

use arrow_schema::Schema;
use serde::{Deserialize, Serialize};

use super::{Error, ErrorCode, Result};
use crate::rules::Take;

/// The column of entities and records that says which cluster they are.
pub const ENTITY_ID: &str = "entity_id";

/// How many records an entity has.
pub const ENTITY_SIZE: &str = "entity_size";

/// What begins the record of a column of entities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityColumnRecord {
    /// The column.
    pub column: String,
    /// How its values are taken.
    pub take: Take,
    /// Entities that have a value.
    pub filled: u64,
    /// Entities whose records have other values, too.
    pub disagreeing: u64,
}

/// Refuses a table in which two columns have one name.
pub fn check_names(schema: &Schema) -> Result<()> {
    let mut known = HashSet::new();
    match schema.fields().iter().find(|field| !known.insert(field.name().as_str())) {
        None => Ok(()),
        Some(twice) => Err(Error::data(format!("a table of results would have two columns called `{}`", twice.name()))
            .with_code(ErrorCode::RepeatedColumn)
            .with_help("rename the column of the input that has this name")),
    }
}
