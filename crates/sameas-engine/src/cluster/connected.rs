//! The clustering that every run has where nothing else is said.

use super::{ClusterInput, Clustering};
use crate::error::Result;

/// Records are in one cluster where a path of pairs connects them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectedComponents;

impl Clustering for ConnectedComponents {
    fn begins_with_components(&self) -> bool {
        true
    }

    fn roots(&self, input: ClusterInput<'_>) -> Result<Vec<u32>> {
        Ok(input.into_components()?.into_roots())
    }
}
