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

/// What is known of a column of entities.
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

/// What is known of the entities of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EntityRecord {
    /// How many there are.
    pub entities: u64,
    /// Their columns.
    pub columns: Vec<EntityColumnRecord>,
}

impl EntityRecord {
    /// Of a table of entities.
    pub fn new(entities: u64, columns: Vec<EntityColumnRecord>) -> Self {
        Self { entities, columns }
    }
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
