//! Values that are more than text or a number: amounts of memory, delimiters, shares.

use clap::builder::PossibleValuesParser;
use sameas::{Session, Strategy};

/// The units of memory, the longest names first.
const UNITS: [(&str, u64); 13] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("t", 1_000_000_000_000),
    ("b", 1),
];

/// An amount of memory: `512MB`, `2GiB`, `1.5 GB`, or a number of bytes.
pub fn memory(text: &str) -> Result<usize, String> {
    let lower = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find(|(name, _)| lower.ends_with(name));
    let (number, unit) = unit.map_or((&lower[..], 1), |(name, size)| (&lower[..lower.len() - name.len()], *size));
    let bytes = match number.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => number * unit as f64,
        Ok(0.0) => return Err("some memory is needed; write for example 512MB".into()),
        _ => return Err("not an amount of memory; write for example 512MB or 2GiB".into()),
    };
    // A limit above all memory there could be is no limit.
    Ok((bytes as usize).max(1))
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one thread is needed".into()),
        Ok(threads) if threads > Session::MOST_THREADS => {
            Err(format!("at most {} threads are possible; a thread for each core is enough", Session::MOST_THREADS))
        }
        Ok(threads) => Ok(threads),
        Err(_) => Err("not a number of threads".into()),
    }
}

/// A delimiter of CSV files.
pub fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() => Ok(*byte),
            _ => Err("must be one ASCII character, such as ';', or `tab`".into()),
        },
    }
}

/// The name of a way to plan.
pub fn strategy() -> PossibleValuesParser {
    Strategy::NAMED.map(|(name, _)| name).into()
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("must be a number from 0 to 1".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(memory("512MB"), Ok(512_000_000));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert_eq!(memory("1.5 gb"), Ok(1_500_000_000));
        assert_eq!((memory("64k"), memory("100"), memory("7B")), (Ok(64_000), Ok(100), Ok(7)));
        for wrong in ["", "MB", "12XB", "-1GB", "infGB", "NaN", "0", "1e"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_delimiters_and_shares() {
        assert_eq!((threads("3"), threads("0").is_err(), threads("-1").is_err()), (Ok(3), true, true));
        let most = "at most 4096 threads are possible; a thread for each core is enough";
        assert_eq!(threads("100000"), Err(most.to_owned()));
        assert_eq!((delimiter(";"), delimiter("tab"), delimiter("\t")), (Ok(b';'), Ok(b'\t'), Ok(b'\t')));
        assert!(delimiter("").is_err() && delimiter("ab").is_err() && delimiter("é").is_err());
        assert_eq!((share("0.2"), share("1.1").is_err(), share("NaN").is_err()), (Ok(0.2), true, true));
    }
}
