//! Groups of values that mean the same, from a file: what `in_list` looks values up in.

use hashbrown::HashMap;

use super::vector::BESIDE_A_TEXT;
use crate::error::Result;
use crate::memory::Held;

/// Bytes that a value takes beside its characters: its place in the table and the list of its groups.
const BESIDE_A_VALUE: usize = BESIDE_A_TEXT + 56;

/// The groups that each value is in. A value may be in several.
#[derive(Debug)]
pub struct ValueGroups {
    path: String,
    bytes: u64,
    xxh128: String,
    groups_of: HashMap<Box<str>, Vec<u32>, foldhash::fast::RandomState>,
    groups: u32,
    taken: usize,
    held: Held,
}

impl ValueGroups {
    /// No groups yet, of a file with this many bytes and this hash. What the values take is added to `held`.
    pub fn new(path: &str, bytes: u64, xxh128: u128, held: Held) -> Self {
        let xxh128 = format!("{xxh128:032x}");
        Self { path: path.to_owned(), bytes, xxh128, groups_of: HashMap::default(), groups: 0, taken: 0, held }
    }

    /// Adds a group, or says that its values do not fit the memory. Empty values are no members.
    pub fn add<'v>(&mut self, values: impl Iterator<Item = &'v str>) -> Result<()> {
        for value in values.filter(|value| !value.is_empty()) {
            let group = self.groups;
            let groups = self.groups_of.entry(value.into()).or_default();
            if groups.last() != Some(&group) {
                groups.push(group);
                self.taken += BESIDE_A_VALUE + value.len();
            }
            self.held.grow(self.taken)?;
        }
        self.groups += 1;
        Ok(())
    }

    /// The groups of a value, in ascending order.
    pub fn containing(&self, value: &str) -> &[u32] {
        self.groups_of.get(value).map_or(&[], |groups| groups)
    }

    /// The number of groups, with those that have no member.
    pub fn group_count(&self) -> u64 {
        u64::from(self.groups)
    }

    /// The file as the rule names it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The hash of the file, in hexadecimal digits.
    pub fn xxh128(&self) -> &str {
        &self.xxh128
    }
}

impl PartialEq for ValueGroups {
    /// Equal content.
    fn eq(&self, other: &Self) -> bool {
        self.xxh128 == other.xxh128
    }
}
