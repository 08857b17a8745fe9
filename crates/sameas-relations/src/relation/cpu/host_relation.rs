//! One relation in host memory.

use super::set::TupleSet;
use super::store::TupleStore;
use crate::relation::program::RelationDeclaration;

/// A relation in host memory.
pub struct HostRelation {
    pub(super) declaration: RelationDeclaration,
    pub(super) store: TupleStore,
    pub(super) set: Option<TupleSet>,
}

impl HostRelation {
    /// A relation without tuples.
    pub(super) fn new(declaration: RelationDeclaration) -> Self {
        Self { declaration, store: TupleStore::default(), set: None }
    }
}
