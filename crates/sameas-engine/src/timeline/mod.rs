//! When each operator of a run began, and how long it took. `operator` says what is recorded of one.

mod operator;

use std::time::Instant;

pub use operator::{Operator, OperatorRecord};

/// The operators of a run that have ended, in the order they ended in. Every time counts from the start of the run.
pub struct Timeline {
    begun: Instant,
    /// When the last one of those that run one after the other has ended.
    last: Instant,
    operators: Vec<OperatorRecord>,
}

impl Timeline {
    /// The run begins now.
    pub fn start() -> Self {
        let now = Instant::now();
        Self { begun: now, last: now, operators: Vec::new() }
    }

    /// When the run began.
    pub fn begun(&self) -> Instant {
        self.begun
    }

    /// The record of an operator that began at this moment and ends now.
    pub fn since(&self, begun: Instant, operator: Operator) -> OperatorRecord {
        OperatorRecord::since(begun, operator, self.begun)
    }

    /// An operator ends now that began when the last one ended.
    pub fn lap(&mut self, operator: Operator) -> &mut OperatorRecord {
        let record = self.since(self.last, operator);
        self.go_on();
        self.add(record)
    }

    /// The same for an operator that has as many rows after it as before it.
    pub fn end(&mut self, operator: Operator, rows: u64) {
        let record = self.lap(operator);
        (record.input, record.output) = (rows, rows);
    }

    /// What comes next begins now.
    pub fn go_on(&mut self) {
        self.last = Instant::now();
    }

    /// Adds an operator that has ended.
    pub fn add(&mut self, record: OperatorRecord) -> &mut OperatorRecord {
        let at = self.operators.len();
        self.operators.push(record);
        &mut self.operators[at]
    }

    /// Adds operators that have ended; what comes next begins now.
    pub fn add_all(&mut self, records: impl IntoIterator<Item = OperatorRecord>) {
        self.operators.extend(records);
        self.go_on();
    }

    /// All that have ended.
    pub fn operators(&self) -> &[OperatorRecord] {
        &self.operators
    }

    /// The operators until now had these rows before and after them.
    pub fn set_rows(&mut self, rows: u64) {
        self.operators.iter_mut().for_each(|record| (record.input, record.output) = (rows, rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_follow_each_other_unless_they_began_before() {
        let mut timeline = Timeline::start();
        let begun = Instant::now();
        timeline.end(Operator::Read, 3);
        timeline.lap(Operator::Derive).bytes = Some(7);
        let beside = timeline.since(begun, Operator::Device).with_rows([1, 2]);
        timeline.add(beside);
        let [read, derive, device] = timeline.operators() else { panic!("three have ended") };
        assert_eq!((read.start, read.input, read.output), (0.0, 3, 3));
        assert!(derive.start >= read.end() && derive.bytes == Some(7));
        assert!(device.start <= read.end() && device.seconds >= derive.seconds);
        assert_eq!((device.operator, device.input, device.output), (Operator::Device, 1, 2));
    }
}
