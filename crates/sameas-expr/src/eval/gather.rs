//! Rows from values that are stored once each.

use arrow_array::cast::AsArray;
use arrow_array::{StringArray, UInt16Array};
use arrow_buffer::ScalarBuffer;
use arrow_select::take::take;

use super::write::too_long;
use crate::cancel::{Cancel, end};
use crate::expr::Vector;

/// The values at these places. Ends the job where texts do not fit its memory, or no array.
pub fn gather(values: &Vector, places: &[u16], cancel: Cancel<'_>) -> Vector {
    let at = || places.iter().map(|place| usize::from(*place));
    match values {
        Vector::Null(_) => Vector::Null(places.len()),
        Vector::Text(texts) => Vector::Text(gather_texts(texts, places, cancel)),
        Vector::Bool(values) => Vector::Bool(at().map(|place| values[place]).collect()),
        Vector::Number(values) => Vector::Number(at().map(|place| values.get(place)).collect()),
        Vector::Date(values) => Vector::Date(at().map(|place| values[place]).collect()),
        Vector::TextList(values) => Vector::TextList(at().map(|place| values[place].clone()).collect()),
        Vector::NumberList(values) => Vector::NumberList(at().map(|place| values[place].clone()).collect()),
    }
}

fn gather_texts(texts: &StringArray, places: &[u16], cancel: Cancel<'_>) -> StringArray {
    let bytes: usize = places.iter().map(|place| texts.value_length(usize::from(*place)) as usize).sum();
    if i32::try_from(bytes).is_err() {
        end(too_long(places.len()));
    }
    cancel.check_room(bytes);
    let places = UInt16Array::new(ScalarBuffer::from(places.to_vec()), None);
    let rows = take(texts, &places, None).expect("places are those of values, and the texts fit an array");
    rows.as_string().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::catch;
    use crate::expr::Num;

    #[test]
    fn values_of_every_type_come_to_their_rows() {
        let places = [1, 0, 1, 2];
        let shown = |values: Vector| -> Vec<Option<String>> {
            let rows = gather(&values, &places, Cancel::NEVER);
            (0..rows.len()).map(|row| rows.shown(row)).collect()
        };
        let rows = |a: &str, b: &str| vec![Some(b.to_owned()), Some(a.to_owned()), Some(b.to_owned()), None];
        assert_eq!(shown(Vector::Text(StringArray::from(vec![Some("x"), Some(""), None]))), rows("x", ""));
        assert_eq!(shown(Vector::Bool(vec![Some(true), Some(false), None])), rows("true", "false"));
        let numbers = [Some(Num::Int(7)), Some(Num::Float(0.5)), None];
        assert_eq!(shown(Vector::Number(numbers.into_iter().collect())), rows("7", "0.5"));
        assert_eq!(shown(Vector::Date(vec![Some(0), Some(1), None])), rows("1970-01-01", "1970-01-02"));
        let list = |text: &str| Some(vec![Box::from(text)].into());
        assert_eq!(shown(Vector::TextList(vec![list("a"), list("b"), None])), rows("[a]", "[b]"));
        assert_eq!(shown(Vector::Null(3)), vec![None; 4]);
    }

    #[test]
    fn texts_that_fit_no_array_end_the_job() {
        let long = Vector::Text(StringArray::from(vec!["x".repeat(1 << 20)]));
        let error = catch(|| Ok(gather(&long, &[0; 1 << 11], Cancel::NEVER).len())).unwrap_err();
        assert_eq!(error.code(), crate::error::ErrorCode::MemoryLimit);
    }
}
