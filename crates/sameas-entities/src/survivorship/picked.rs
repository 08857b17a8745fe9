//! The row of each cluster whose value is taken.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::BooleanBuffer;
use arrow_schema::DataType;

use super::different::ValuesOfCluster;
use super::order::ValueOrder;
use super::{ClusterRows, Error, Result, Take};

/// What rows are chosen by.
pub struct PickedBy<'a> {
    /// How.
    pub take: Take,
    /// The rows that count.
    pub counting: &'a BooleanBuffer,
    /// The values, or the columns of a group.
    pub columns: &'a [ArrayRef],
    /// What rows are ordered by.
    pub by: Option<&'a ArrayRef>,
    /// How many columns of each row have a value.
    pub filled: Option<&'a [u32]>,
    /// The place of the source of each row among the preferred ones.
    pub ranks: &'a dyn Fn(u32) -> u32,
    /// What the pairs of each row weigh.
    pub weights: &'a dyn Fn(u32) -> i64,
    /// The different values of each cluster, where they are known.
    pub different: Option<&'a [ValuesOfCluster]>,
}

/// Whether the first row is better than the second one.
type IsBetter<'a> = Box<dyn Fn(u32, u32) -> bool + 'a>;

/// The chosen row of each cluster, if one counts.
pub fn picked(groups: &ClusterRows, request: &PickedBy<'_>) -> Result<Vec<Option<u32>>> {
    if request.take == Take::MostFrequent {
        let different = request.different.ok_or_else(|| Error::internal("values that were not counted"))?;
        return Ok(different.iter().map(|different| different.most_frequent).collect());
    }
    let is_better = is_better(request)?;
    let counts = |row: &u32| request.counting.value(*row as usize);
    let best = |rows: &[u32]| {
        // The earliest of equals stays.
        rows.iter().copied().filter(counts).reduce(|best, row| if is_better(row, best) { row } else { best })
    };
    Ok(groups.each().map(best).collect())
}

fn is_better<'a>(request: &'a PickedBy<'a>) -> Result<IsBetter<'a>> {
    let column = || request.columns.first().ok_or_else(|| Error::internal("an entry without columns"));
    let by = || request.by.ok_or_else(|| Error::internal("an entry without an order"));
    let first_of = |order: ValueOrder| -> IsBetter<'a> { Box::new(move |a, b| order.compare(a, b).is_lt()) };
    Ok(match request.take {
        Take::First if request.by.is_none() => Box::new(|_, _| false),
        Take::First | Take::Oldest => first_of(ValueOrder::of_column(by()?)?),
        Take::Newest => first_of(ValueOrder::largest_first(by()?)?),
        Take::Min => first_of(ValueOrder::of_column(column()?)?),
        Take::Max => first_of(ValueOrder::largest_first(column()?)?),
        Take::Longest => {
            let length = lengths(column()?)?;
            Box::new(move |a, b| length(a) > length(b))
        }
        Take::MostComplete => {
            let filled = request.filled.ok_or_else(|| Error::internal("values that were not counted"))?;
            Box::new(move |a, b| filled[a as usize] > filled[b as usize])
        }
        Take::Priority => Box::new(|a, b| (request.ranks)(a) < (request.ranks)(b)),
        Take::Strongest => Box::new(|a, b| (request.weights)(a) > (request.weights)(b)),
        Take::MostFrequent | Take::Sum | Take::Mean | Take::Union => {
            return Err(Error::internal("no row is chosen for this"));
        }
    })
}

/// The characters of a text, or the elements of a list.
fn lengths(column: &ArrayRef) -> Result<Box<dyn Fn(u32) -> usize + '_>> {
    match column.data_type() {
        DataType::Utf8 => {
            let texts = column.as_string::<i32>();
            Ok(Box::new(|row| if texts.is_null(row as usize) { 0 } else { characters(texts.value(row as usize)) }))
        }
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            Ok(Box::new(|row| lists.value_length(row as usize) as usize))
        }
        _ => Err(Error::internal("values without a length")),
    }
}

fn characters(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
