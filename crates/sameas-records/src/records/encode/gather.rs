//! Values that are stored one after the other: some of them, stored in the same way.

use rayon::prelude::*;

use crate::numbering::up_to_end;

/// Values that one core copies at a time.
const COPIED: usize = 1 << 14;

/// Some of the values that are stored one after the other, each up to its end; stored in the same way.
pub(super) fn gather<T>(values: &[T], ends: &[usize], kept: &[u32]) -> (Vec<T>, Vec<usize>)
where
    T: Copy + Default + Send + Sync,
{
    let value = |code: u32| up_to_end(values, ends, code as usize);
    let mut new_ends: Vec<usize> = kept.par_iter().map(|code| value(*code).len()).collect();
    let mut all = 0;
    for end in &mut new_ends {
        all += *end;
        *end = all;
    }
    let mut gathered = vec![T::default(); all];
    let (mut rest, mut done) = (&mut gathered[..], 0);
    let mut copies = Vec::with_capacity(kept.len().div_ceil(COPIED));
    for (codes, ends) in kept.chunks(COPIED).zip(new_ends.chunks(COPIED)) {
        let end = ends[ends.len() - 1];
        let (piece, after) = std::mem::take(&mut rest).split_at_mut(end - done);
        copies.push((codes, piece));
        (rest, done) = (after, end);
    }
    copies.into_par_iter().for_each(|(codes, mut piece)| {
        for code in codes {
            let (to, after) = piece.split_at_mut(value(*code).len());
            to.copy_from_slice(value(*code));
            piece = after;
        }
    });
    (gathered, new_ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_gathered_with_their_ends() {
        let (values, ends) = ([1, 2, 3, 4, 5, 6], [0, 2, 2, 5, 6]);
        assert_eq!(gather(&values, &ends, &[]), (vec![], vec![]));
        assert_eq!(gather(&values, &ends, &[0, 1, 3]), (vec![1, 2, 3, 4, 5], vec![0, 2, 5]));
        assert_eq!(gather(&values, &ends, &[2, 4]), (vec![6], vec![0, 1]));
    }
}
