//! The contract of joins over distinct values.

/// Finds the pairs of distinct values that satisfy a predicate: exactly these, each once.
///
/// A join of a list of values with itself yields each unordered pair once, a value with itself included; a join of two
/// lists yields (left, right). Where the index of all values exceeds the budget it was made with, it is built for one
/// part of the values at a time: `for round in 0..rounds() { prepare(round); run every task }`.
pub trait ValueJoin: Sync {
    /// How many times an index is built.
    fn rounds(&self) -> usize;

    /// Builds the index of a round, on all cores, in place of the one before.
    fn prepare(&mut self, round: usize);

    /// Independent pieces of work in the prepared round, small enough to keep all cores busy to the end.
    fn tasks(&self) -> usize;

    /// Runs a task; `found` is called with each pair of codes.
    fn run(&self, task: usize, found: &mut impl FnMut(u32, u32));
}

/// [`ValueJoin`] for joins of which one kind or another is chosen at run time.
pub trait AnyValueJoin: Sync {
    /// See [`ValueJoin::rounds`].
    fn any_rounds(&self) -> usize;

    /// See [`ValueJoin::prepare`].
    fn any_prepare(&mut self, round: usize);

    /// See [`ValueJoin::tasks`].
    fn any_tasks(&self) -> usize;

    /// See [`ValueJoin::run`].
    fn any_run(&self, task: usize, found: &mut dyn FnMut(u32, u32));
}

impl<J: ValueJoin> AnyValueJoin for J {
    fn any_rounds(&self) -> usize {
        self.rounds()
    }

    fn any_prepare(&mut self, round: usize) {
        self.prepare(round);
    }

    fn any_tasks(&self) -> usize {
        self.tasks()
    }

    fn any_run(&self, task: usize, mut found: &mut dyn FnMut(u32, u32)) {
        self.run(task, &mut found);
    }
}
