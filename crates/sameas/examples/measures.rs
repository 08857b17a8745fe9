//! Computes the string measures of pairs read from standard input, one `a<TAB>b` a line.
//!
//! Each line of the answer holds, separated by tabs: the Levenshtein, OSA and Damerau-Levenshtein distances; the bits,
//! in hexadecimal, of the three similarities belonging to them, of Jaro and of Jaro-Winkler; and the Hamming distance,
//! or `-` for different lengths. Bits, so that another implementation can be compared without rounding.

use sameas::measure::{Unit, damerau, hamming, jaro, jaro_winkler, levenshtein, osa};
use std::io::{self, BufRead, BufWriter, Error, ErrorKind, Write};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let Some((a, b)) = line.split_once('\t').filter(|(a, b)| !a.is_empty() && !b.is_empty()) else {
            let message = format!("line {}: two non-empty texts separated by a tab are needed", number + 1);
            return Err(Error::new(ErrorKind::InvalidData, message));
        };
        writeln!(out, "{}", measures_of_text(a, b))?;
    }
    out.flush()
}

/// Takes bytes for characters below 256 and the general form for all others, as the engine does.
fn measures_of_text(a: &str, b: &str) -> String {
    let narrow = |text: &str| text.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>();
    let wide = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
    match (narrow(a), narrow(b)) {
        (Some(a), Some(b)) => measures(&a, &b),
        _ => measures(&wide(a), &wide(b)),
    }
}

fn measures<U: Unit>(a: &[U], b: &[U]) -> String {
    let distances = [levenshtein::distance(a, b), osa::distance(a, b), damerau::distance(a, b)];
    let similarities = [
        levenshtein::similarity(a, b),
        osa::similarity(a, b),
        damerau::similarity(a, b),
        jaro::similarity(a, b),
        jaro_winkler::similarity(a, b),
    ];
    let mut fields: Vec<String> = distances.iter().map(usize::to_string).collect();
    fields.extend(similarities.iter().map(|similarity| format!("{:016x}", similarity.to_bits())));
    fields.push(hamming::distance(a, b).map_or("-".to_owned(), |distance| distance.to_string()));
    fields.join("\t")
}
