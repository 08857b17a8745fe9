//! Scratch memory that tasks take and give back: one per thread in practice, and freed with the join.

use std::sync::{Mutex, PoisonError};

/// Things not in use at the moment.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Runs `work` with one of the things. It may nest: a sink that runs other tasks while it waits gets another one.
    pub fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut thing = spare.unwrap_or_else(make);
        let result = work(&mut thing);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
        result
    }
}
