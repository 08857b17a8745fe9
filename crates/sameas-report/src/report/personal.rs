//! Which columns seem to hold personal data: a guess by their names and values, so that whoever hands a report on thinks of
//! it.

/// Parts of names of columns with personal data.
const PARTS: [&str; 31] = [
    "name", "surname", "given", "first", "last", "vorname", "nachname", "mail", "phone", "tel", "mobile", "fax",
    "birth", "born", "dob", "geb", "age", "street", "strasse", "address", "adresse", "addr", "postcode", "zip", "plz",
    "ssn", "iban", "passport", "gender", "sex", "author",
];

/// Whether a column seems to hold personal data.
pub fn seems_personal(name: &str, example: Option<&str>) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| PARTS.iter().any(|part| word == *part || part.len() > 3 && word.contains(part)))
        || example.is_some_and(is_mail)
}

fn is_mail(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !text.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_tell() {
        for name in ["surname", "Given_Name", "E-Mail", "birth_date", "NACH.NAME", "phone2", "authors"] {
            assert!(seems_personal(name, None), "{name}");
        }
        for name in ["title", "year", "venue", "price", "id", "page", "revenue"] {
            assert!(!seems_personal(name, None), "{name}");
        }
        assert!(seems_personal("contact", Some("ann@example.org")) && !seems_personal("x", Some("a @ b")));
    }
}
