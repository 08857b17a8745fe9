//! What evaluates rules.

use super::carried::Carried;
use super::program::{FixpointRule, RelationDeclaration, RelationId};
use super::report::{FixpointReport, FixpointRound};
use super::rows::CarriedSource;
use crate::cancel::Cancel;
use crate::error::Result;

/// Receives some tuples at a time: one list for each column.
pub type TupleSink<'a> = dyn FnMut(&[Vec<u32>]) -> Result<()> + 'a;

/// Learns what each round has added.
pub type RoundObserver<'a> = dyn FnMut(&FixpointRound) + 'a;

/// What evaluates rules: one per kind of device. Arguments have been checked: relations exist, columns have the right
/// number and length, values are below their domains, rules bind what they use.
pub trait RelationEngine: Send + Sync {
    /// A further relation; its id is the number of those before it.
    fn declare(&mut self, declaration: &RelationDeclaration) -> Result<()>;
    /// Removes the tuples of a relation, which is declared so from now on.
    fn clear(&mut self, id: RelationId, declaration: &RelationDeclaration) -> Result<()>;
    /// Adds tuples; gives the number of those that were not there.
    fn insert(&mut self, id: RelationId, columns: &[&[u32]], cancel: Cancel<'_>) -> Result<u64>;
    /// The number of tuples.
    fn len(&self, id: RelationId) -> u64;
    /// Evaluates rules to their fixpoint; `carried` where each value of a column can be followed on its own.
    fn fixpoint(
        &mut self,
        rules: &[FixpointRule],
        carried: Option<&Carried>,
        cancel: Cancel<'_>,
        seen: &mut RoundObserver<'_>,
    ) -> Result<FixpointReport>;
    /// The same without keeping the tuples; `None` where this engine has no room for it.
    fn carried_rows<'a>(
        &'a mut self,
        rules: &[FixpointRule],
        carried: &Carried,
        cancel: Cancel<'_>,
    ) -> Result<Option<Box<dyn CarriedSource + 'a>>>;
    /// The groups of some columns and the number of tuples of each.
    fn counts(&self, from: RelationId, group: &[usize], cancel: Cancel<'_>) -> Result<Vec<Vec<u32>>>;
    /// All tuples in lexicographic order, some at a time.
    fn sorted(&self, id: RelationId, cancel: Cancel<'_>, block: &mut TupleSink<'_>) -> Result<()>;
}
