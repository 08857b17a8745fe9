//! What a file of Rust names: its `use`s and the paths in its code, found without a compiler.

use std::collections::{BTreeMap, BTreeSet};

/// What a file defines and what it names. Test code, comments and texts in quotes are left out.
#[derive(Default)]
pub(crate) struct FileNames<'a> {
    /// The names of its items.
    pub(crate) defines: BTreeSet<&'a str>,
    /// What each `use` gives a name to, as the path to it.
    pub(crate) imports: BTreeMap<&'a str, Vec<&'a str>>,
    /// The modules of which a `use` takes all names.
    pub(crate) globs: Vec<Vec<&'a str>>,
    /// The paths of `use`s and of code.
    pub(crate) paths: BTreeSet<Vec<&'a str>>,
    /// All words, where a `use` does not say which names it takes.
    pub(crate) words: BTreeSet<&'a str>,
}

impl<'a> FileNames<'a> {
    /// The names of a text.
    pub(crate) fn read(text: &'a str) -> Self {
        let tokens = without_tests(&tokens(text));
        let (mut names, mut at, mut depth) = (Self::default(), 0, 0);
        while at < tokens.len() {
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            match tokens[at] {
                // Neither what a type captures nor what another crate has.
                "use" if !["<", "::"].contains(&next) => {
                    at = names.take_use(&tokens, at + 1, &[]);
                    continue;
                }
                // The crate by another name.
                "extern" if tokens[at..].starts_with(&["extern", "crate", "self", "as"]) => {
                    names.imports.insert(tokens[at + 4], vec!["crate"]);
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "struct" | "enum" | "trait" | "type" | "fn" | "const" | "static" if depth == 0 => {
                    names.defines.insert(next);
                }
                "macro_rules" => names.defines.extend(tokens.get(at + 2)),
                first if is_name(first) && next == "::" && (at == 0 || tokens[at - 1] != "::") => {
                    let mut path = vec![first];
                    while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|name| is_name(name)) {
                        path.push(tokens[at + 2]);
                        at += 2;
                    }
                    names.paths.insert(path);
                }
                _ => {}
            }
            at += 1;
        }
        if !names.globs.is_empty() {
            names.words = tokens.into_iter().collect();
        }
        names
    }

    /// Takes what a `use`, or a part of it, says from a place on; gives the place after it.
    fn take_use(&mut self, tokens: &[&'a str], mut at: usize, before: &[&'a str]) -> usize {
        let (mut path, mut name) = (before.to_vec(), None);
        while ![",", "}", ";"].contains(&tokens[at]) {
            match tokens[at] {
                "::" => {}
                "as" => {
                    name = Some(tokens[at + 1]);
                    at += 1;
                }
                "*" => {
                    self.globs.push(path);
                    return at + 1;
                }
                "{" => {
                    at += 1;
                    while tokens[at] != "}" {
                        at = self.take_use(tokens, at, &path);
                        at += usize::from(tokens[at] == ",");
                    }
                    return at + 1;
                }
                word => path.push(word),
            }
            at += 1;
        }
        if let Some(name) = name.or_else(|| path.iter().copied().rfind(|word| *word != "self")) {
            self.imports.entry(name).or_insert_with(|| path.clone());
        }
        self.paths.insert(path);
        at
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The words and signs of a text. Spaces, comments and texts in quotes are none.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (bytes, is_token) = first_token(rest);
        if is_token {
            tokens.push(&rest[..bytes]);
        }
        rest = &rest[bytes..];
    }
    tokens
}

/// The bytes that a text begins with and that belong together, and whether they are a word or a sign.
fn first_token(text: &str) -> (usize, bool) {
    let until = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let word = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let hashes = text[word..].len() - text[word..].trim_start_matches('#').len();
    if ["r", "br"].contains(&&text[..word]) && text[word + hashes..].starts_with('"') {
        return (until(word + hashes + 1, &format!("\"{}", "#".repeat(hashes))), false);
    }
    let mut chars = text.chars();
    match (chars.next().unwrap_or_default(), chars.next().unwrap_or_default(), chars.next().unwrap_or_default()) {
        _ if word > 0 => (word, true),
        ('/', '/', _) => (until(2, "\n"), false),
        ('/', '*', _) => (until(2, "*/"), false),
        ('"', _, _) => (quoted_bytes(text), false),
        ('\'', '\\', _) => (until(3, "'"), false),
        // Else it is a lifetime.
        ('\'', c, '\'') => (2 + c.len_utf8(), false),
        (':', ':', _) => (2, true),
        (c, _, _) => (c.len_utf8(), !c.is_whitespace()),
    }
}

/// The bytes of a text in quotes.
fn quoted_bytes(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return at + 1,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    text.len()
}

/// What is compiled without tests: `#[cfg(test)]` and its like take the item after them away.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if tokens[at..].starts_with(&["#", "[", "cfg"]) {
            let end = tokens[at..].iter().position(|token| *token == "]").map_or(tokens.len(), |end| at + end + 1);
            if tokens[at..end].contains(&"test") {
                at = item_end(tokens, end);
                continue;
            }
        }
        kept.push(tokens[at]);
        at += 1;
    }
    kept
}

/// The place after an item: after its semicolon, or after the brace that closes its body.
fn item_end(tokens: &[&str], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && ["}", ";"].contains(token) {
            return at + 1;
        }
    }
    tokens.len()
}

fn paths(text: &str) -> Vec<String> {
    FileNames::read(text).paths.iter().map(|path| path.join("::")).collect()
}

#[test]
fn every_use_and_every_path_is_found() {
    let text = "use super::{a::{self, A}, b::B as C}; fn f() -> crate::d::D { a::g::<u8>(&E::F) }";
    assert_eq!(paths(text), ["E::F", "a::g", "crate::d::D", "super::a::A", "super::a::self", "super::b::B"]);
    let names = FileNames::read(text);
    assert_eq!(names.imports["C"], ["super", "b", "B"]);
    assert_eq!(names.imports["a"], ["super", "a", "self"]);
    assert_eq!(names.defines, BTreeSet::from(["f"]));
    assert_eq!(FileNames::read("pub use facts::*;").globs, [["facts"]]);
}

#[test]
fn comments_quotes_and_tests_are_left_out() {
    let text = r##"
        // use crate::a::A;
        /* b::B */ const C: [&str; 3] = ["c::C \" d::D", r#"e::E " f::F"#, "\\"];
        fn g<'a>(x: &'a str) -> [char; 3] { ['"', '\'', '\u{1f}'] }
        #[cfg(all(test, feature = "emulated"))]
        #[allow(unused)]
        mod tests { use super::h::H; fn i() { j::J; } }
        #[cfg(test)]
        use k::K;
        #[cfg(unix)]
        use l::L;
        fn m() -> impl Iterator<Item = n::N> + use<> { ::o::p() }
    "##;
    assert_eq!(paths(text), ["l::L", "n::N"]);
}
