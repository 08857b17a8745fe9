//! What kernels call the measures is what the engine calls them.

use std::fmt::Debug;

use sameas_kernels::layout::codes::{SET_FORMULAS, TEXT_COUNTS, TEXT_FORMULAS};
use sameas_kernels::layout::text::HOST;

use crate::measure::{EditFormula, SetFormula, TextCount};

/// The name of a variant as an enumerator has it.
fn enumerator(variant: impl Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_uppercase());
    }
    name
}

#[test]
fn kernels_number_measures_as_the_engine_does() {
    let host = ("HOST".to_owned(), HOST);
    let named = |list: &[(&str, u32)]| -> Vec<(String, u32)> {
        list.iter().map(|(name, code)| ((*name).to_owned(), *code)).collect()
    };
    let counts: Vec<_> = TextCount::ALL.iter().map(|of| (enumerator(of), *of as u32)).chain([host]).collect();
    let formulas: Vec<_> = EditFormula::ALL.iter().map(|of| (enumerator(of), *of as u32)).collect();
    let shared: Vec<_> = SetFormula::ALL.iter().map(|of| (enumerator(of), *of as u32)).collect();
    assert_eq!(counts, named(TEXT_COUNTS));
    assert_eq!(formulas, named(TEXT_FORMULAS));
    assert_eq!(shared, named(SET_FORMULAS));
}
