//! What dividing a component takes beside its edges, counted.
//!
//! Each step knows beforehand what it takes at most, and gives it back in the end. So a component takes what its largest step
//! does.

use sameas_core::cancel::{Cancel, end, or_end};
use sameas_core::error::{Error, ErrorCode};
use sameas_core::memory::{Held, MemoryBudget};

/// What grows a little at a time is counted in pieces of this size.
const GRAIN: usize = 1 << 18;

/// How large a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ComponentSize {
    /// The number of its first row among those of all components.
    pub(crate) first: u32,
    pub(crate) records: usize,
    /// Its edges, perhaps with repetitions.
    pub(crate) edges: usize,
}

/// The memory of one component, and whether all cores may work on it.
pub(crate) struct WorkMemory<'a> {
    cancel: Cancel<'a>,
    size: ComponentSize,
    /// What counts it, unless somebody else has counted the most that it may be.
    budget: Option<&'a MemoryBudget>,
    is_alone: bool,
    held: Held,
    bytes: usize,
}

impl<'a> WorkMemory<'a> {
    /// Counts what is taken, by a component that is divided alone.
    pub(crate) fn counted(cancel: Cancel<'a>, size: ComponentSize) -> Self {
        Self { cancel, size, budget: cancel.budget(), is_alone: true, held: cancel.hold(0), bytes: 0 }
    }

    /// Counts nothing, of a component that is divided beside others: the most that it may be is counted.
    pub(crate) fn covered(cancel: Cancel<'a>, size: ComponentSize) -> Self {
        Self { cancel, size, budget: None, is_alone: false, held: Held::default(), bytes: 0 }
    }

    /// A step takes this much, or ends the job here if it does not fit. What a step before it has taken is free again.
    pub(crate) fn reach(&mut self, step: &str, bytes: usize) {
        let Some(budget) = self.budget.filter(|_| bytes > self.bytes) else { return };
        let room = budget.room().saturating_add(self.bytes);
        if bytes > room {
            end(too_large(step, self.size, [bytes, room, budget.most()]));
        }
        or_end(self.held.reach(bytes));
        self.bytes = bytes;
    }

    /// The same for a step that takes a little more each time.
    pub(crate) fn grow(&mut self, step: &str, bytes: usize) {
        self.reach(step, bytes.next_multiple_of(GRAIN));
    }

    /// Ends the job here if that is wanted.
    pub(crate) fn check(&self) {
        self.cancel.check();
    }

    /// What ends the job on any thread.
    pub(crate) fn cancel(&self) -> Cancel<'a> {
        self.cancel
    }

    /// Whether all cores may work on the component. Beside others they may not: a thread that waits for its part would divide one
    /// of these meanwhile, and nobody has counted the memory of both.
    pub(crate) fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// As many items as a thread takes at least: beside other components one thread takes all.
    pub(crate) fn least_at_a_time(&self) -> usize {
        if self.is_alone { 1 } else { usize::MAX }
    }
}

/// The error for a step that does not fit: what it takes, what is left, and what there is.
fn too_large(step: &str, size: ComponentSize, bytes: [usize; 3]) -> Error {
    let [takes, left, most] = bytes.map(|bytes| bytes.div_ceil(1 << 20));
    let ComponentSize { records, edges, .. } = size;
    let message = format!(
        "{step} of a component with {records} records and {edges} pairs takes {takes} MiB or more, and {left} MiB of {most} \
         MiB are left"
    );
    Error::resource(message)
        .with_help("raise the memory limit, or make components smaller: by a higher threshold, or by stricter rules")
        .with_code(ErrorCode::MemoryLimit)
}

#[cfg(test)]
mod tests {
    use sameas_core::cancel::catch;

    use super::*;

    const SIZE: ComponentSize = ComponentSize { first: 0, records: 120_000, edges: 5_000_000 };

    #[test]
    fn the_largest_step_counts() {
        let budget = MemoryBudget::new(200 << 20);
        let mut memory = WorkMemory::counted(Cancel::NEVER.within(&budget), SIZE);
        memory.reach("the first step", 50 << 20);
        memory.reach("the second", 30 << 20);
        assert_eq!(budget.room(), 150 << 20);
        memory.grow("the third", (50 << 20) + 1);
        assert_eq!(budget.room(), (150 << 20) - GRAIN);
        drop(memory);
        assert_eq!(budget.room(), 200 << 20);
        WorkMemory::covered(Cancel::NEVER.within(&budget), SIZE).reach("what is counted elsewhere", usize::MAX);
    }

    #[test]
    fn what_does_not_fit_says_where_it_is() {
        let budget = MemoryBudget::new(200 << 20);
        let error = catch(|| {
            let cancel = Cancel::NEVER.within(&budget);
            let _records = cancel.hold(50 << 20);
            WorkMemory::counted(cancel, SIZE).reach("average linkage", 151 << 20);
            Ok(())
        });
        let error = error.unwrap_err();
        assert_eq!(error.code(), ErrorCode::MemoryLimit);
        let expected = "average linkage of a component with 120000 records and 5000000 pairs takes 151 MiB or more, and \
            150 MiB of 200 MiB are left";
        assert_eq!(error.message(), expected);
        assert!(error.help().is_some_and(|help| help.starts_with("raise the memory limit")), "{error}");
        assert_eq!(budget.room(), 200 << 20, "all is free again");
    }
}
