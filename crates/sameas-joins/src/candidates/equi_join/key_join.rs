//! The join of records by their keys, whatever the bits of a key.

use super::keys::Keys;
use super::{EquiJoin, SideKeys};
use crate::candidates::batch::OnlyBefore;
use crate::candidates::tile::{EqualKeyPairs, Sink};

/// A join of records by their keys.
pub struct KeyJoin<'a> {
    join: KeyWidth<'a>,
    which: EqualKeyPairs,
}

enum KeyWidth<'a> {
    /// Keys of 32 bits.
    Narrow(EquiJoin<u32, Keys<'a>, Keys<'a>>),
    /// Keys of 64 bits.
    Wide(EquiJoin<u64, Keys<'a>, Keys<'a>>),
}

impl<'a> KeyJoin<'a> {
    /// The join of these keys; what it keeps of a round takes about `memory` bytes.
    pub fn new(SideKeys { left, right, which, bits }: SideKeys<'a>, memory: usize) -> Self {
        let join = if bits <= u32::BITS {
            KeyWidth::Narrow(EquiJoin::new(left, right, memory))
        } else {
            KeyWidth::Wide(EquiJoin::new(left, right, memory))
        };
        Self { join, which }
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        match &self.join {
            KeyWidth::Narrow(join) => join.rounds(),
            KeyWidth::Wide(join) => join.rounds(),
        }
    }

    /// Prepares a round.
    pub fn prepare(&mut self, round: usize) {
        match &mut self.join {
            KeyWidth::Narrow(join) => join.prepare(round),
            KeyWidth::Wide(join) => join.prepare(round),
        }
    }

    /// Number of tasks of the prepared round.
    pub fn tasks(&self) -> usize {
        match &self.join {
            KeyWidth::Narrow(join) => join.tasks(),
            KeyWidth::Wide(join) => join.tasks(),
        }
    }

    /// Runs a task of the prepared round.
    pub fn run<S: Sink>(&self, task: usize, sink: &mut S) {
        match self.which {
            EqualKeyPairs::All => self.run_all(task, sink),
            EqualKeyPairs::Before => self.run_all(task, &mut OnlyBefore(sink)),
        }
    }

    fn run_all<S: Sink>(&self, task: usize, sink: &mut S) {
        match &self.join {
            KeyWidth::Narrow(join) => join.run(task, sink),
            KeyWidth::Wide(join) => join.run(task, sink),
        }
    }

    /// The number of pairs of the prepared round with equal keys, and whether all of them are wanted.
    pub fn pairs(&self) -> (u64, bool) {
        let pairs = match &self.join {
            KeyWidth::Narrow(join) => join.pairs(),
            KeyWidth::Wide(join) => join.pairs(),
        };
        (pairs, self.which == EqualKeyPairs::All)
    }
}
