//! Computes the measures of pairs read from standard input, one `a<TAB>b` a line.
//!
//! The first line of the answer names the measures, separated by tabs: those of two texts, then those of two sets, which are
//! computed of the words of both. Each further line has their values: whole numbers as they are, similarities as the bits of
//! a float in hexadecimal, and `-` where there is no value. Bits, so that another implementation can be compared without
//! rounding.

use sameas::measures::{MeasureValue, SetMeasure, TextMeasure, Unit, tokens};
use std::io::{self, BufRead, BufWriter, Error, ErrorKind, Write};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let texts = TextMeasure::ALL.iter().map(|measure| measure.facts().words.name);
    let sets = SetMeasure::ALL.iter().map(|measure| measure.facts().words.name);
    writeln!(out, "{}", texts.chain(sets).collect::<Vec<_>>().join("\t"))?;
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let Some((a, b)) = line.split_once('\t').filter(|(a, b)| !a.is_empty() && !b.is_empty()) else {
            let message = format!("line {}: two non-empty texts separated by a tab are needed", number + 1);
            return Err(Error::new(ErrorKind::InvalidData, message));
        };
        let fields: Vec<String> = of_texts(a, b).into_iter().chain(of_words(a, b)).map(field).collect();
        writeln!(out, "{}", fields.join("\t"))?;
    }
    out.flush()
}

fn field(value: Option<MeasureValue>) -> String {
    match value {
        Some(MeasureValue::Whole(value)) => value.to_string(),
        Some(MeasureValue::Share(value)) => format!("{:016x}", value.to_bits()),
        None => "-".to_owned(),
    }
}

/// Takes bytes for characters below 256 and the general form for all others, as the engine does.
fn of_texts(a: &str, b: &str) -> Vec<Option<MeasureValue>> {
    let narrow = |text: &str| text.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>();
    let wide = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
    match (narrow(a), narrow(b)) {
        (Some(a), Some(b)) => of_codes(&a, &b),
        _ => of_codes(&wide(a), &wide(b)),
    }
}

fn of_codes<U: Unit>(a: &[U], b: &[U]) -> Vec<Option<MeasureValue>> {
    TextMeasure::ALL.iter().map(|measure| measure.value(a, b)).collect()
}

fn of_words(a: &str, b: &str) -> Vec<Option<MeasureValue>> {
    let (x, y) = (words(a), words(b));
    let is_null = x.is_empty() || y.is_empty();
    SetMeasure::ALL.iter().map(|measure| (!is_null).then(|| measure.value(&x, &y))).collect()
}

/// The words of a text, in order and each once.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = tokens::words(text).collect();
    words.sort_unstable();
    words.dedup();
    words
}
