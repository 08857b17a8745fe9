//! Programs against naive evaluation, and every mistake.

mod mistakes;
mod naive;
mod programs;
