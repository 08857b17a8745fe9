//! Values that were stored, encoded again: the records of a sample, wherever the others are.

use std::sync::Arc;

use super::bytes::is_value;
use super::dictionary::{Dictionary, NULL};
use super::encode_wanted::{SharedCodes, SharedDomain, in_order};
use super::wanted::WantedOperands;
use super::{Domain, Encoded};
use crate::cancel::Cancel;
use crate::numbering::GrowingNumbers;

/// The values of an operand, by row.
pub type StoredColumn<'v> = Vec<Option<&'v [u8]>>;

impl WantedOperands {
    /// Encodes the values of each operand. Nothing if one of them is no value of its operand's type.
    pub fn encode_stored(&self, columns: &[StoredColumn<'_>], cancel: Cancel<'_>) -> Option<Encoded> {
        let mut typed = self.operands.iter().zip(columns);
        if !typed.all(|(operand, values)| values.iter().flatten().all(|value| is_value(operand.expr.ty, value))) {
            return None;
        }
        let members = self.domain_members();
        let domains = members.iter().map(|members| self.stored_domain(members, columns, cancel)).collect();
        let mut encoded = self.put_together(&members, domains);
        let groups = self.token_groups();
        encoded.tokens = in_order(&groups, self.token_sets(&groups, &encoded, cancel));
        Some(encoded)
    }

    fn stored_domain(&self, members: &[usize], columns: &[StoredColumn<'_>], cancel: Cancel<'_>) -> SharedDomain {
        let mut numbers = GrowingNumbers::default();
        let mut code = |value: &Option<&[u8]>| value.map_or(NULL, |value| numbers.number(value));
        let columns = members.iter().map(|member| &columns[*member]);
        let codes = columns.map(|column| SharedCodes::from(column.iter().map(&mut code).collect::<Vec<_>>())).collect();
        let dictionary = Dictionary::from(numbers.into_values());
        let plain = Domain { ty: self.operands[members[0]].expr.ty, dictionary, texts: None, integers: None };
        let domain = self.completed(members, plain, &mut cancel.hold(0), cancel);
        (Arc::new(domain), codes)
    }
}
