//! People: names, addresses, phones, mail, birth dates, and what goes wrong with them.

use super::errors;
use super::words::{CITIES, NICKNAMES, STREET_KINDS, Vocabulary, even, zipf, zipf_place};
use crate::rng::Rng;
use std::fmt::Write as _;

/// The columns after the id.
pub const COLUMNS: [&str; 9] =
    ["given_name", "surname", "street", "city", "state", "postcode", "phone", "email", "birth_date"];

const GIVEN: usize = 0;
const SURNAME: usize = 1;
const STREET: usize = 2;
const CITY: usize = 3;
const STATE: usize = 4;
const POSTCODE: usize = 5;
const PHONE: usize = 6;
const EMAIL: usize = 7;
const BIRTH: usize = 8;

/// Fills `fields` with a random person. An empty field is missing.
pub fn original(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    words.push_given(rng, &mut fields[GIVEN]);
    words.push_surname(rng, &mut fields[SURNAME]);
    street(rng, words, &mut fields[STREET]);
    place(rng, words, fields);
    if rng.percent(90) {
        let (area, middle, last) = (rng.between(201, 989), rng.between(200, 999), rng.below(10_000));
        let _ = write!(fields[PHONE], "{area}-{middle}-{last:04}");
    }
    if rng.percent(75) {
        email(rng, words, fields);
    }
    if rng.percent(97) {
        let (year, month, day) = (rng.between(1930, 2008), rng.between(1, 12), rng.between(1, 28));
        let _ = write!(fields[BIRTH], "{year}-{month:02}-{day:02}");
    }
}

fn street(rng: &mut Rng, words: &Vocabulary, field: &mut String) {
    let number = 1 + zipf_place(rng, 9999);
    let (kind, _) = STREET_KINDS[zipf_place(rng, STREET_KINDS.len())];
    let _ = write!(field, "{number} {} {kind}", zipf(rng, &words.streets));
    if rng.percent(12) {
        let _ = write!(field, ", Apt {}", rng.between(1, 40));
    }
}

/// City, state and postcode, which go together: half the people live in a city of the list.
fn place(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    if rng.percent(50) {
        let (city, state, prefix) = CITIES[zipf_place(rng, CITIES.len())];
        fields[CITY].push_str(city);
        fields[STATE].push_str(state);
        let _ = write!(fields[POSTCODE], "{prefix}{:02}", rng.below(100));
    } else {
        let (start, end) = (rng.below(words.town_starts.len()), rng.below(words.town_ends.len()));
        fields[CITY].push_str(words.town_starts[start]);
        fields[CITY].push_str(words.town_ends[end]);
        // A town of one name is in one of three states.
        let state = (start * 7 + end * 3 + rng.below(3)) % words.states.len();
        fields[STATE].push_str(words.states[state]);
        let _ = write!(fields[POSTCODE], "{:02}{:03}", state + 10, (start * 40 + end) % 100 * 10 + rng.below(10));
    }
}

fn email(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    let mut email = String::new();
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    let (given, surname) = (letters(&fields[GIVEN]), letters(&fields[SURNAME]));
    let number = rng.below(100);
    let _ = match rng.below(4) {
        0 => write!(email, "{given}.{surname}"),
        1 => write!(email, "{}{surname}{number}", given.get(..1).unwrap_or("x")),
        2 => write!(email, "{given}{number:02}"),
        _ => write!(email, "{given}_{surname}{number}"),
    };
    let _ = write!(email, "@{}", zipf(rng, &words.domains));
    fields[EMAIL] = email;
}

/// One mistake, in place.
pub fn damage(rng: &mut Rng, words: &Vocabulary, fields: &mut [String]) {
    match rng.below(100) {
        0..38 => {
            let at = *rng.pick(&[GIVEN, GIVEN, SURNAME, SURNAME, STREET, STREET, CITY, POSTCODE, PHONE, EMAIL, BIRTH]);
            errors::typo(rng, &mut fields[at]);
        }
        38..54 => {
            let at = *rng.pick(&[GIVEN, SURNAME, SURNAME, CITY]);
            errors::phonetic(rng, &mut fields[at]);
        }
        54..66 => shorten_street(&mut fields[STREET]),
        66..70 => errors::initial(&mut fields[GIVEN]),
        70..75 => nickname(rng, &mut fields[GIVEN]),
        75..79 => fields.swap(GIVEN, SURNAME),
        79..83 => swap_day_and_month(&mut fields[BIRTH]),
        83..86 => {
            fields[EMAIL].clear();
            email(rng, words, fields);
        }
        86..88 => fields[PHONE] = fields[PHONE].replace('-', even(rng, &["", " ", "."])),
        _ => fields[*rng.pick(&[GIVEN, STREET, CITY, STATE, POSTCODE, PHONE, PHONE, EMAIL, BIRTH])].clear(),
    }
}

fn shorten_street(street: &mut String) {
    let kind = STREET_KINDS.iter().find(|(long, _)| street.contains(&format!(" {long}")));
    if let Some((long, short)) = kind {
        *street = street.replace(&format!(" {long}"), &format!(" {short}"));
    }
}

fn nickname(rng: &mut Rng, given: &mut String) {
    match NICKNAMES.iter().find(|(full, _)| full == given) {
        Some((_, short)) => *given = (*short).to_owned(),
        None => errors::typo(rng, given),
    }
}

/// `1980-03-07` becomes `1980-07-03`; a day above 12 cannot be a month and stays.
fn swap_day_and_month(date: &mut String) {
    if let [year, month, day] = date.split('-').collect::<Vec<_>>()[..]
        && day <= "12"
    {
        *date = format!("{year}-{day}-{month}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_plausible() {
        let (words, mut rng) = (Vocabulary::new(), Rng::new(5));
        for _ in 0..1000 {
            let mut fields = vec![String::new(); COLUMNS.len()];
            original(&mut rng, &words, &mut fields);
            assert!(fields[..6].iter().all(|field| !field.is_empty()), "{fields:?}");
            assert!(
                fields[POSTCODE].len() == 5 && (fields[BIRTH].is_empty() || fields[BIRTH].len() == 10),
                "{fields:?}"
            );
        }
    }

    #[test]
    fn known_mistakes() {
        let mut street = "7 Oak Street, Apt 3".to_owned();
        shorten_street(&mut street);
        assert_eq!(street, "7 Oak St., Apt 3");
        let mut date = "1980-03-07".to_owned();
        swap_day_and_month(&mut date);
        assert_eq!(date, "1980-07-03");
        let mut late = "1980-03-17".to_owned();
        swap_day_and_month(&mut late);
        assert_eq!(late, "1980-03-17");
        let mut given = "Robert".to_owned();
        nickname(&mut Rng::new(1), &mut given);
        assert_eq!(given, "Bob");
    }
}
