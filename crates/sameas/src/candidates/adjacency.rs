//! Left rows, each with a slice of right rows, and the candidates numbered through.

use super::{BATCH, Batch, Shape};

/// A left row and where its partners lie.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The left row.
    pub row: u32,
    /// How many partners it has.
    pub len: u32,
    /// Where they begin.
    pub start: usize,
}

impl Probe {
    /// A row whose partners are those of `group` (which begins at `start` of all partners), in a triangle only those
    /// behind the row.
    pub fn new(row: u32, start: usize, group: &[u32], shape: Shape) -> Self {
        let skipped = match shape {
            Shape::Rectangle => 0,
            Shape::Triangle => group.partition_point(|partner| *partner <= row),
        };
        Self { row, len: (group.len() - skipped) as u32, start: start + skipped }
    }
}

/// Candidates as a list of probes over one array of partners. Probes are in order of their rows and partners in order
/// of theirs, so that candidates come nearly sorted for the output.
#[derive(Debug, Default)]
pub struct Adjacency {
    probes: Vec<Probe>,
    /// Number of candidates up to and with each probe.
    ends: Vec<u64>,
    partners: Vec<u32>,
}

impl Adjacency {
    /// Probes without partners are left out.
    pub fn new(probes: impl Iterator<Item = Probe>, partners: Vec<u32>) -> Self {
        let mut made = Self { probes: Vec::new(), ends: Vec::new(), partners };
        let mut sum = 0;
        for probe in probes.filter(|p| p.len > 0) {
            sum += u64::from(probe.len);
            made.probes.push(probe);
            made.ends.push(sum);
        }
        made
    }

    /// Number of candidates.
    pub fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Fills the batch from candidate `at` on; returns where to resume.
    pub fn fill(&self, mut at: u64, end: u64, batch: &mut Batch) -> u64 {
        let mut probe = self.probe_at(at);
        while at < end && batch.l.len() < BATCH {
            let room = (end - at).min((BATCH - batch.l.len()) as u64) as usize;
            let (row, partners) = self.slice(probe, at, room);
            batch.r.extend_from_slice(partners);
            batch.l.resize(batch.r.len(), row);
            at += partners.len() as u64;
            probe += usize::from(at == self.ends[probe]);
        }
        at
    }

    /// The index of the probe that candidate `at` belongs to.
    pub fn probe_at(&self, at: u64) -> usize {
        self.ends.partition_point(|end| *end <= at)
    }

    /// The first candidate behind those of a probe.
    pub fn end_of(&self, probe: usize) -> u64 {
        self.ends[probe]
    }

    /// The row of a probe and its partners from candidate `at` on, at most `room`.
    pub fn slice(&self, probe: usize, at: u64, room: usize) -> (u32, &[u32]) {
        let Probe { row, len, start } = self.probes[probe];
        let left = (self.ends[probe] - at) as usize;
        let from = start + len as usize - left;
        (row, &self.partners[from..from + left.min(room)])
    }
}
