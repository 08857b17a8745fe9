//! The encodings of text files: by name, and by the mark that a file may begin with.

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::{Error, ErrorCode, Result};
use crate::rules::nearest;

/// Names that people know encodings by. The labels of the Encoding Standard are known too, which has some more.
const NAMES: [&str; 54] = [
    "utf-8",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "windows-1252",
    "cp1252",
    "latin1",
    "iso-8859-1",
    "us-ascii",
    "ascii",
    "windows-1250",
    "windows-1251",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "cp1250",
    "cp1251",
    "latin2",
    "latin3",
    "latin4",
    "latin5",
    "latin6",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-9",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "x-mac-cyrillic",
    "ibm866",
    "cp866",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "gbk",
    "gb2312",
    "gb18030",
    "big5",
    "euc-kr",
    "tis-620",
];

/// Names that the standard does not have, and those it has for them.
const ALIASES: [(&str, &str); 6] = [
    ("latin7", "iso-8859-13"),
    ("latin8", "iso-8859-14"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("win1252", "windows-1252"),
    ("cp932", "shift_jis"),
];

/// How the text of a file is written as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextEncoding(&'static Encoding);

impl TextEncoding {
    /// The encoding that this name stands for, whatever its case and the hyphens in it. As on the web, `latin1` and
    /// `ascii` stand for windows-1252, which has more characters.
    pub fn named(name: &str) -> Result<Self> {
        let mut known = NAMES.into_iter().map(|name| (name, name)).chain(ALIASES);
        let same = known.find(|(known, _)| letters(known) == letters(name)).map(|(_, label)| label);
        let label = |name: &str| Encoding::for_label(name.as_bytes());
        let found = label(name).or_else(|| same.and_then(label));
        // The standard's name for encodings that nobody should decode.
        found.filter(|found| *found != REPLACEMENT).map(Self).ok_or_else(|| unknown(name))
    }

    /// What the mark at the beginning of a file says, and the bytes it takes.
    pub(super) fn of_mark(first: &[u8]) -> Option<(Self, usize)> {
        Encoding::for_bom(first).map(|(encoding, bytes)| (Self(encoding), bytes))
    }

    /// Whether this is what texts are in memory.
    pub(super) fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }

    /// What messages call it.
    pub(super) fn name(self) -> &'static str {
        match self.0 {
            encoding if encoding == UTF_16LE || encoding == UTF_16BE => "UTF-16",
            encoding => encoding.name(),
        }
    }

    /// A decoder for what follows the mark.
    pub(super) fn decoder(self) -> encoding_rs::Decoder {
        self.0.new_decoder_without_bom_handling()
    }

    /// Some text, with a character for what is no text.
    pub(super) fn lossy(self, bytes: &[u8]) -> Vec<u8> {
        self.0.decode_without_bom_handling(bytes).0.into_owned().into_bytes()
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn unknown(name: &str) -> Error {
    let near = nearest(name, NAMES.into_iter()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help =
        format!("{near}such names are utf-8, utf-16le, windows-1252, latin1, iso-8859-15, shift_jis and gb18030");
    Error::usage(format!("unknown encoding `{name}`")).with_help(help).with_code(ErrorCode::UnknownEncoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_have_many_names() {
        for name in NAMES.into_iter().chain(ALIASES.map(|(_, label)| label)) {
            assert!(Encoding::for_label(name.as_bytes()).is_some_and(|known| known != REPLACEMENT), "{name}");
        }
        let name = |name: &str| TextEncoding::named(name).unwrap().0.name();
        assert_eq!(
            (name("latin1"), name("Latin-1"), name("ISO_8859-1")),
            ("windows-1252", "windows-1252", "windows-1252")
        );
        assert_eq!((name("CP1252"), name("utf8"), name("UTF_16_BE")), ("windows-1252", "UTF-8", "UTF-16BE"));
        assert_eq!((name("sjis"), name("x-sjis"), name("latin-9")), ("Shift_JIS", "Shift_JIS", "ISO-8859-15"));
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() {
        let text = |name: &str| TextEncoding::named(name).unwrap_err().to_string();
        let some = "such names are utf-8, utf-16le, windows-1252, latin1, iso-8859-15, shift_jis and gb18030";
        assert_eq!(
            text("windos-1252"),
            format!("unknown encoding `windos-1252`\n  help: did you mean `windows-1252`? {some}")
        );
        assert_eq!(text("klingon"), format!("unknown encoding `klingon`\n  help: {some}"));
        // Known to the standard as one that is not to be decoded.
        assert!(text("hz-gb-2312").starts_with("unknown encoding `hz-gb-2312`"));
    }
}
