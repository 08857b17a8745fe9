//! Parts of a branch: where its columns do not fit a device, records are cut into parts that do.
//!
//! No loss and no repetition: records with equal keys have equal hashes, so groups by hash share no candidate, and
//! a record without a key has no partner. Where there is no key, or all records of a part have the same, lists are cut in
//! the middle, and every left half meets every right one.

use rayon::prelude::*;

use super::path::key_groups;
use crate::candidates::{Rows, Shape};
use crate::plan::Condition;
use crate::verify::Program;

/// How often records are cut at most: parts of one in some thousand records are better left to the CPU.
const MOST_CUTS: u32 = 12;

/// Cuts that one division into four pairs of halves stands for.
const OF_ROWS: u32 = 2;

/// Some left and some right records, whose pairs are found by themselves.
#[derive(Clone, Debug)]
pub struct Part {
    /// Left and right rows, ascending.
    pub rows: [Rows; 2],
    /// How often it has been cut.
    pub cuts: u32,
    /// Bits of the hashes of its keys that are all the same.
    spent: u32,
}

/// The records of a part, and where among them both sides are.
pub struct PartRows {
    /// Records by frame.
    pub frames: Vec<Rows>,
    /// Places of the left and of the right ones.
    pub sides: [Rows; 2],
}

impl Part {
    /// All records of a branch.
    pub fn whole(rows: [Rows; 2]) -> Self {
        Self { rows, cuts: 0, spent: 0 }
    }

    /// None of them.
    pub fn empty() -> Self {
        Self::whole([Rows::new(), Rows::new()])
    }

    /// Parts that have its candidates among them, each once; nothing where it has been cut often enough. Where there are
    /// keys, this many `times` at once.
    pub fn cut(&self, condition: &Condition, program: &Program, shape: Shape, times: u32) -> Option<Vec<Self>> {
        let with_pairs = |parts: Vec<Self>| parts.into_iter().filter(|part| part.has_pairs(shape)).collect();
        self.by_key(condition, program, shape, times).or_else(|| self.by_row(shape)).map(with_pairs)
    }

    /// Groups of keys, unless one of them is all there is.
    fn by_key(&self, condition: &Condition, program: &Program, shape: Shape, times: u32) -> Option<Vec<Self>> {
        let cuts = self.cuts + times;
        if cuts > MOST_CUTS {
            return None;
        }
        let groups = key_groups(condition, program, self.rows.clone(), shape, (self.spent, times))?;
        let helps = |[left, right]: &[Rows; 2]| left.len() < self.rows[0].len() || right.len() < self.rows[1].len();
        let of = |rows| Self { rows, cuts, spent: self.spent + times };
        groups.iter().all(helps).then(|| groups.into_iter().map(of).collect())
    }

    /// Pairs of halves.
    fn by_row(&self, shape: Shape) -> Option<Vec<Self>> {
        let cuts = self.cuts + OF_ROWS;
        let is_small = self.rows.iter().all(|rows| rows.len() < 2);
        let of = |rows| Self { rows, cuts, spent: self.spent };
        (cuts <= MOST_CUTS && !is_small).then(|| halves(&self.rows, shape).into_iter().map(of).collect())
    }

    /// Records of both sides.
    pub fn records(&self) -> usize {
        self.rows.iter().map(|rows| rows.len()).sum()
    }

    fn has_pairs(&self, shape: Shape) -> bool {
        match (shape, self.rows[0].first(), self.rows[1].last()) {
            (_, None, _) | (_, _, None) => false,
            (Shape::Rectangle, ..) => true,
            (Shape::Triangle, Some(first), Some(last)) => first < last,
        }
    }

    /// Its records, numbered from 0 on: in one list where both sides are of one frame, so that their order stays.
    pub fn local(&self, shape: Shape) -> PartRows {
        let [left, right] = &self.rows;
        if shape == Shape::Rectangle {
            let sides = Rows::of_sides([left.len() as u32, right.len() as u32]);
            return PartRows { frames: vec![left.clone(), right.clone()], sides };
        }
        if left == right {
            let [places, _] = Rows::of_sides([left.len() as u32; 2]);
            return PartRows { frames: vec![left.clone()], sides: [places.clone(), places] };
        }
        let mut all = [&left[..], right].concat();
        all.par_sort_unstable();
        all.dedup();
        let place = |row: &u32| all.partition_point(|other| other < row) as u32;
        let places = |rows: &Rows| rows.par_iter().map(place).collect::<Vec<u32>>().into();
        let sides = [places(left), places(right)];
        PartRows { frames: vec![Rows::from(all)], sides }
    }
}

/// Every half of the left rows with every one of the right. Rows of one frame are cut at the same row.
fn halves([left, right]: &[Rows; 2], shape: Shape) -> Vec<[Rows; 2]> {
    let middle = |rows: &Rows| rows.get(rows.len() / 2).copied().unwrap_or(0);
    let longer = middle(if left.len() > right.len() { left } else { right });
    let borders = if shape == Shape::Triangle { [longer; 2] } else { [middle(left), middle(right)] };
    let cut = |rows: &Rows, border: u32| {
        let (before, after) = rows.split_at(rows.partition_point(|row| *row < border));
        [before, after].map(|rows| Rows::from(rows.to_vec()))
    };
    let (lefts, rights) = (cut(left, borders[0]), cut(right, borders[1]));
    lefts.iter().flat_map(|left| rights.iter().map(|right| [left.clone(), right.clone()])).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pairs of a part, in order.
    fn pairs(rows: &[Rows; 2], shape: Shape) -> Vec<(u32, u32)> {
        let all = rows[0].iter().flat_map(|l| rows[1].iter().map(move |r| (*l, *r)));
        all.filter(|(l, r)| shape == Shape::Rectangle || l < r).collect()
    }

    fn rows() -> impl Strategy<Value = Rows> {
        prop::collection::btree_set(0u32..30, 0..12).prop_map(|rows| rows.into_iter().collect())
    }

    proptest! {
        #[test]
        fn halves_have_every_pair_once(left in rows(), right in rows(), same in any::<bool>(), triangle in any::<bool>()) {
            let whole = [left.clone(), if same { left } else { right }];
            let shape = if triangle { Shape::Triangle } else { Shape::Rectangle };
            let mut found: Vec<(u32, u32)> = halves(&whole, shape).iter().flat_map(|part| pairs(part, shape)).collect();
            found.sort_unstable();
            prop_assert_eq!(found, pairs(&whole, shape));
        }

        #[test]
        fn numbers_of_a_part_lead_back_to_its_records(left in rows(), right in rows(), triangle in any::<bool>()) {
            let shape = if triangle { Shape::Triangle } else { Shape::Rectangle };
            let part = Part::whole([left, right]);
            let PartRows { frames, sides } = part.local(shape);
            for (side, rows) in part.rows.iter().enumerate() {
                let frame = &frames[side.min(frames.len() - 1)];
                let back: Rows = sides[side].iter().map(|place| frame[*place as usize]).collect();
                prop_assert_eq!(&back, rows);
            }
        }
    }
}
