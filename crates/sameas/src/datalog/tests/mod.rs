//! Programs against naive evaluation, and every mistake.

mod files;
mod limits;
mod mistakes;
mod naive;
mod programs;
