//! Values of records, in one line.

use sameas::{FieldValue, printable};

use crate::text::cut;

/// A value as a rule would write it: texts in quotes. Characters that cannot be printed are escaped.
pub fn value(value: &FieldValue) -> String {
    match value {
        FieldValue::Null => "null".into(),
        FieldValue::Bool(truth) => truth.to_string(),
        FieldValue::Text(text) => format!("'{}'", printable(text)),
        FieldValue::Number(text) | FieldValue::Date(text) => printable(text),
        FieldValue::TextList(list) => format!("[{}]", printable(&list.join(", "))),
        FieldValue::NumberList(list) => format!("[{}]", list.join(", ")),
    }
}

/// A value of this many characters at most.
pub fn value_in_short(value: &FieldValue, width: usize) -> String {
    match value {
        FieldValue::Text(text) => format!("'{}'", cut(&printable(text), width)),
        other => cut(&self::value(other), width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_rules() {
        let texts = [FieldValue::Null, FieldValue::Text("a\tb".into()), FieldValue::Number("1.50".into())];
        assert_eq!(texts.each_ref().map(value), ["null", "'a\\tb'", "1.50"]);
        let lists = [
            FieldValue::TextList(vec!["a".into(), "b".into()]),
            FieldValue::NumberList(vec!["1.0".into(), "2.5".into()]),
        ];
        assert_eq!(lists.each_ref().map(value), ["[a, b]", "[1.0, 2.5]"]);
    }
}
