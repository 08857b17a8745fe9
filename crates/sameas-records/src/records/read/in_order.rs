//! Work on all threads whose results come back in order, with a bounded number of items in flight.

use rayon::prelude::*;

use crate::error::{Error, Result};

/// Applies `work` to everything `next` returns and hands the results to `take` in the same order.
///
/// Items go in waves of `wave`: while one is worked on, the following is being fetched, so at most two waves are in
/// memory. Nothing blocks inside the pool, so a pool of one thread works too. An error of `next` counts only after the
/// items before it, which makes the reported error independent of the number of threads.
pub(super) fn in_order<T: Send, R: Send>(
    wave: usize,
    mut next: impl FnMut() -> Result<Option<T>> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let mut current = fetch(wave, &mut next);
    loop {
        let Wave { items, failed, last } = current;
        let follow = || if last { Wave::default() } else { fetch(wave, &mut next) };
        let (following, done) = rayon::join(follow, || items.into_par_iter().map(&work).collect::<Vec<_>>());
        done.into_iter().try_for_each(&mut take)?;
        match failed {
            Some(error) => return Err(error),
            None if last => return Ok(()),
            None => current = following,
        }
    }
}

/// Items fetched together, and how the fetching ended.
struct Wave<T> {
    items: Vec<T>,
    failed: Option<Error>,
    last: bool,
}

impl<T> Default for Wave<T> {
    fn default() -> Self {
        Self { items: Vec::new(), failed: None, last: true }
    }
}

fn fetch<T>(wave: usize, next: &mut impl FnMut() -> Result<Option<T>>) -> Wave<T> {
    let mut fetched = Wave { last: false, ..Wave::default() };
    while fetched.items.len() < wave && !fetched.last {
        match next() {
            Ok(Some(item)) => fetched.items.push(item),
            Ok(None) => fetched.last = true,
            Err(error) => {
                fetched.failed = Some(error);
                fetched.last = true;
            }
        }
    }
    fetched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, wave: usize, count: u32, fail_at: Option<u32>) -> (Vec<u32>, Result<()>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut from, mut taken) = (0..count, Vec::new());
        let next = || match from.next() {
            Some(item) if Some(item) == fail_at => Err(Error::internal("stop")),
            item => Ok(item),
        };
        let result = pool.install(|| {
            in_order(
                wave,
                next,
                |item| item * 2,
                |item| {
                    taken.push(item);
                    Ok(())
                },
            )
        });
        (taken, result)
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        for (threads, wave, count) in [(1, 1, 0), (1, 1, 5), (2, 4, 33), (8, 16, 1000), (3, 7, 7)] {
            let (taken, result) = run(threads, wave, count, None);
            assert!(result.is_ok());
            assert_eq!(taken, (0..count).map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_comes_after_the_items_before_it() {
        for threads in [1, 2, 8] {
            let (taken, result) = run(threads, 4, 100, Some(10));
            assert_eq!(taken, (0..10).map(|item| item * 2).collect::<Vec<_>>());
            assert_eq!(result.unwrap_err().to_string(), "stop");
        }
    }
}
