//! Lists in lists of Python, before they are taken apart: how deep they are, and how many values they have.
//!
//! A list may contain itself, and one that is in many others is taken apart in each of them: what is small in Python may be
//! without end. Here each list is looked at once, and no way down is longer than the limit.

use std::collections::HashMap;

use pyo3::prelude::*;
use sameas::{Error, Result};

use crate::python_columns::is_list;

/// Lists inside each other, at most. Rules can use none of them beyond the first.
const MOST_LEVELS: usize = 100;

/// Values in lists of lists of a column, at most.
const MOST_VALUES: u64 = 1 << 28;

/// Refuses lists that are in lists, if they are too deep or have too many values.
pub fn check(name: &str, lists: &[Option<&Bound<'_, PyAny>>]) -> PyResult<Result<()>> {
    let (mut known, mut values) = (KnownLists::default(), 0_u64);
    for list in lists.iter().flatten() {
        let Some(extent) = known.extent(list, 2)? else { return Ok(Err(too_deep(name))) };
        values = values.saturating_add(extent.values);
    }
    Ok(if values > MOST_VALUES { Err(too_many(name)) } else { Ok(()) })
}

/// A list and all that is in it.
#[derive(Clone, Copy, Debug)]
struct ListExtent {
    /// The list and those inside each other in it.
    levels: usize,
    /// Values of all of these, lists too.
    values: u64,
}

/// Lists by their addresses, which stay theirs while the lists are held.
#[derive(Default)]
struct KnownLists<'py>(HashMap<usize, (Bound<'py, PyAny>, ListExtent)>);

impl<'py> KnownLists<'py> {
    /// The extent of a list at a level, counted from 1; nothing where that is too deep.
    fn extent(&mut self, list: &Bound<'py, PyAny>, level: usize) -> PyResult<Option<ListExtent>> {
        let address = list.as_ptr().addr();
        if let Some((_, known)) = self.0.get(&address) {
            return Ok(Some(*known).filter(|known| level + known.levels <= MOST_LEVELS + 1));
        }
        if level > MOST_LEVELS {
            return Ok(None);
        }
        list.py().check_signals()?;
        let mut extent = ListExtent { levels: 1, values: 0 };
        for item in list.try_iter()? {
            let item = item?;
            extent.values = extent.values.saturating_add(1);
            if is_list(&item)? {
                let Some(inner) = self.extent(&item, level + 1)? else { return Ok(None) };
                extent.levels = extent.levels.max(inner.levels + 1);
                extent.values = extent.values.saturating_add(inner.values);
            }
        }
        self.0.insert(address, (list.clone(), extent));
        Ok(Some(extent))
    }
}

const HELP: &str = "rules use lists of texts and of numbers: take the values out of the inner lists";

fn too_deep(name: &str) -> Error {
    let what = format!("column `{name}` has lists in lists that are more than {MOST_LEVELS} levels deep");
    Error::data(what).with_help(HELP)
}

fn too_many(name: &str) -> Error {
    Error::data(format!("column `{name}` has lists in lists with more than {MOST_VALUES} values")).with_help(HELP)
}
