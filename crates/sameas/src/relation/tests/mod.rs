//! The room as a whole: known answers, and random programs against naive evaluation.

mod known;
