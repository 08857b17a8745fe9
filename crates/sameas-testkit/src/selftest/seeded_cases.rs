//! The random cases of the suite by their seeds.

use super::inputs;
use crate::case::Case;
use crate::random;

/// The case of a seed; some hold everything as text, and some have numbers as ids, the same in all inputs.
pub fn case_of(seed: u64) -> Case {
    with_variety(random::case(seed), seed)
}

/// The case with scores of a seed, in the same variety.
pub fn scored_case_of(seed: u64) -> Case {
    with_variety(random::scored_case(seed), seed)
}

fn with_variety(mut case: Case, seed: u64) -> Case {
    if seed % 3 == 1 {
        for table in &mut case.tables {
            for (at, row) in table.rows.iter_mut().enumerate() {
                row.id = (at * 7919 % 1_000_003).to_string();
            }
        }
    }
    if seed % 5 == 4 { inputs::as_texts(case) } else { case }
}
