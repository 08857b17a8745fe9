//! Lists that are changed where they are: of a hundred million edges there is no room for a second list.

use rayon::prelude::*;
use sameas_core::cancel::Cancel;

/// Items that one thread looks through at a time.
const AT_A_TIME: usize = 1 << 16;

/// Keeps some of the items, each as what `change` makes of it, in their order; gives back the memory of the others.
pub(crate) fn keep<T: Copy + Send>(items: &mut Vec<T>, cancel: Cancel<'_>, change: impl Fn(T) -> Option<T> + Sync) {
    let keep_some = |some: &mut [T]| {
        cancel.check();
        let mut kept = 0;
        for at in 0..some.len() {
            if let Some(item) = change(some[at]) {
                some[kept] = item;
                kept += 1;
            }
        }
        kept
    };
    let kept: Vec<usize> = items.par_chunks_mut(AT_A_TIME).map(keep_some).collect();
    let mut end = 0;
    for (begin, kept) in (0..).step_by(AT_A_TIME).zip(kept) {
        if begin > end {
            items.copy_within(begin..begin + kept, end);
        }
        end += kept;
    }
    items.truncate(end);
    items.shrink_to_fit();
}

/// Puts the items of which something is true before the others, in some order, and says how many they are.
pub(crate) fn put_first<T: Copy>(items: &mut [T], is_first: impl Fn(&T) -> bool) -> usize {
    let mut firsts = 0;
    for at in 0..items.len() {
        let is_first = is_first(&items[at]);
        // Two items change places in any case: which of the two it is, no processor could guess.
        items.swap(at, firsts);
        firsts += usize::from(is_first);
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_keeps_its_order() {
        let all: Vec<usize> = (0..3 * AT_A_TIME + 7).collect();
        for modulus in [1, 2, 3, AT_A_TIME] {
            let mut items = all.clone();
            keep(&mut items, Cancel::NEVER, |item| (item % modulus == 0).then_some(item + 1));
            let expected: Vec<usize> = all.iter().filter(|item| *item % modulus == 0).map(|item| item + 1).collect();
            assert_eq!(items, expected, "{modulus}");
        }
        let mut items = all;
        keep(&mut items, Cancel::NEVER, |_| None);
        assert_eq!((items.len(), items.capacity()), (0, 0));
    }

    #[test]
    fn what_is_first_comes_first() {
        for first in [0, 1, 50, 99, 100] {
            let mut items: Vec<usize> = (0..100).map(|at| at * 37 % 100).collect();
            assert_eq!(put_first(&mut items, |item| *item < first), first);
            assert!(items[..first].iter().all(|item| *item < first));
            items.sort_unstable();
            assert!(items.iter().enumerate().all(|(at, item)| at == *item), "none is lost");
        }
    }
}
