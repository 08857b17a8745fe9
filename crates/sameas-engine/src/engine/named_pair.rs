//! Which two records are meant by their ids, as results show them.

use crate::dataset::{Dataset, DatasetInput};
use crate::error::{Error, ErrorCode, Result};
use crate::rules::LinkType;

/// An input and a row of it.
pub(super) type RecordPlace = (usize, usize);

/// The two records, the left or earlier one first. Both may be of one input of a link, which compares no such two.
pub(super) fn find_pair(dataset: &Dataset, ids: [&str; 2]) -> Result<[RecordPlace; 2]> {
    let [first, second] = [find_records(dataset, ids[0], 0)?, find_records(dataset, ids[1], 1)?];
    let both: Vec<[RecordPlace; 2]> = first.iter().flat_map(|l| second.iter().map(move |r| [*l, *r])).collect();
    let is_link = dataset.layout().link_type() == LinkType::LinkOnly;
    let is_compared = |[l, r]: &&[RecordPlace; 2]| if is_link { l.0 != r.0 } else { l != r };
    // Two records of one input of a link are meant where nothing else can be.
    match both.iter().find(is_compared).or_else(|| both.iter().find(|[l, r]| l != r)) {
        Some([l, r]) => Ok(if l < r { [*l, *r] } else { [*r, *l] }),
        None => Err(Error::usage(format!("`{}` is one record; a pair needs two", name_of(dataset, first[0])))),
    }
}

/// What a record is called: its id, with the input's name where there are several.
pub(super) fn name_of(dataset: &Dataset, (input, row): RecordPlace) -> String {
    let DatasetInput { name, ids, .. } = &dataset.inputs()[input];
    let id = ids.text(row);
    if dataset.inputs().len() == 1 { id } else { format!("{name}:{id}") }
}

/// The record that is [called](name_of) so.
pub(super) fn find_called(dataset: &Dataset, name: &str) -> Option<RecordPlace> {
    match dataset.inputs() {
        [input] => Some((0, input.ids.find(name)?)),
        _ => find_named(dataset, name),
    }
}

/// The records that `id` may mean, the likeliest first; at least one.
///
/// It means the record that results call so. In the `pairs` of a dedupe or a link of two inputs that is the id alone, the
/// left one first in a link; all others, and all clusters of a link, have the input's name too, as in `people:17`.
fn find_records(dataset: &Dataset, id: &str, side: usize) -> Result<Vec<RecordPlace>> {
    let has_two_sides = dataset.layout().has_two_sides();
    let inputs: Vec<usize> = if has_two_sides { vec![side] } else { (0..dataset.inputs().len()).collect() };
    let place = |input: &usize| Some((*input, dataset.inputs()[*input].ids.find(id)?));
    let mut found: Vec<RecordPlace> = inputs.iter().filter_map(place).collect();
    let is_named = inputs.len() > 1;
    match find_named(dataset, id) {
        // No id alone can say that it is this one.
        Some(named) if is_named => found = vec![named],
        None if is_named && found.len() > 1 => return Err(ambiguous(dataset, id, &found)),
        named => found.extend(named),
    }
    // Only where both have a side does the other id say which is meant.
    if !has_two_sides {
        found.truncate(1);
    }
    if found.is_empty() { Err(no_such_record(dataset, id, &inputs)) } else { Ok(found) }
}

/// `people:17` names record 17 of the input `people`. It can name only one, by the choice of the names.
fn find_named(dataset: &Dataset, id: &str) -> Option<RecordPlace> {
    let mut inputs = dataset.inputs().iter().enumerate();
    inputs.find_map(|(at, input)| {
        let rest = id.strip_prefix(&input.name)?.strip_prefix(':')?;
        Some((at, input.ids.find(rest)?))
    })
}

fn ambiguous(dataset: &Dataset, id: &str, found: &[RecordPlace]) -> Error {
    let names = found.iter().map(|(input, _)| dataset.inputs()[*input].name.clone());
    let full = found.iter().map(|(input, _)| format!("`{}:{id}`", dataset.inputs()[*input].name));
    Error::usage(format!("there is a record with id `{id}` in {}", some(names, " and in ")))
        .with_help(format!("say which is meant: {}", some(full, " or ")))
}

fn no_such_record(dataset: &Dataset, id: &str, inputs: &[usize]) -> Error {
    let names = inputs.iter().map(|input| dataset.inputs()[*input].name.clone());
    // Of a link the other side may have it.
    let help = match dataset.inputs().iter().find(|input| input.ids.find(id).is_some()) {
        Some(DatasetInput { name, .. }) => format!("`{name}:{id}` is the one of {name}"),
        None => "ids are compared as text; check which column holds them".to_owned(),
    };
    Error::usage(format!("there is no record with id `{id}` in {}", some(names, " or ")))
        .with_help(help)
        .with_code(ErrorCode::NoSuchId)
}

/// The most inputs that a message names.
const MOST_NAMES: usize = 20;

/// These, or the first of them where there are many.
fn some(names: impl ExactSizeIterator<Item = String>, between: &str) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let shown = names.take(MOST_NAMES).collect::<Vec<_>>().join(between);
    if more > 0 { format!("{shown}{between}{more} more") } else { shown }
}
