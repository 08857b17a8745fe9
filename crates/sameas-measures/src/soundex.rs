//! American Soundex: a letter and three digits that names of similar sound share.

/// The Soundex code of a text, or `None` if it has no letter A to Z.
///
/// Everything but ASCII letters is dropped first. The first letter stays; the others become digits by the sound they
/// stand for. Neighbours of one digit count once, also across `h` and `w`, while vowels and `y` separate them.
pub fn soundex(text: &str) -> Option<[u8; 4]> {
    let mut letters = text.bytes().filter(u8::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
    let first = letters.next()?;
    let mut code = [first, b'0', b'0', b'0'];
    let mut filled = 1;
    let mut last = sound(first);
    for letter in letters {
        let this = sound(letter);
        match this {
            Sound::Silent => continue,
            Sound::Digit(digit) if this != last => {
                code[filled] = digit;
                filled += 1;
            }
            _ => {}
        }
        if filled == code.len() {
            break;
        }
        last = this;
    }
    Some(code)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sound {
    Digit(u8),
    Vowel,
    /// `h` and `w`, which do not keep equal neighbours apart.
    Silent,
}

fn sound(letter: u8) -> Sound {
    match letter {
        b'B' | b'F' | b'P' | b'V' => Sound::Digit(b'1'),
        b'C' | b'G' | b'J' | b'K' | b'Q' | b'S' | b'X' | b'Z' => Sound::Digit(b'2'),
        b'D' | b'T' => Sound::Digit(b'3'),
        b'L' => Sound::Digit(b'4'),
        b'M' | b'N' => Sound::Digit(b'5'),
        b'R' => Sound::Digit(b'6'),
        b'H' | b'W' => Sound::Silent,
        _ => Sound::Vowel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        String::from_utf8(soundex(text).unwrap().to_vec()).unwrap()
    }

    #[test]
    fn known_answers() {
        let list = [
            ("Robert", "R163"),
            ("Rupert", "R163"),
            ("Rubin", "R150"),
            ("Ashcraft", "A261"),
            ("Ashcroft", "A261"),
            ("Tymczak", "T522"),
            ("Pfister", "P236"),
            ("Honeyman", "H555"),
            ("Lee", "L000"),
            ("Gutierrez", "G362"),
            ("Jackson", "J250"),
            ("VanDeusen", "V532"),
            ("Washington", "W252"),
            ("A", "A000"),
            ("Hh", "H000"),
            ("Wwb", "W100"),
        ];
        for (name, expected) in list {
            assert_eq!(code(name), expected, "{name}");
        }
    }

    #[test]
    fn other_characters_are_dropped_first() {
        assert_eq!(code("  o'Brien-2 "), code("OBRIEN"));
        assert_eq!(code("Müller"), code("Mller"));
        assert_eq!(soundex("4711 éß"), None);
        assert_eq!(soundex(""), None);
    }
}
