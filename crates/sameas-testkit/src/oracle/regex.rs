//! A small backtracking matcher for regular expressions, leftmost and greedy.
//!
//! It knows literals, `.`, bracket classes, `\d \w \s` over ASCII, escaped punctuation, groups, `|`, `* + ?` and the
//! anchors `^ $`. That is what the testkit's patterns use; other syntax does not parse and yields `None`.

#[derive(Debug)]
enum Node {
    /// One character of a class; the flag inverts it.
    Class(Vec<(char, char)>, bool),
    Start,
    End,
    /// A capturing group, numbered from 1.
    Group(usize, Box<Node>),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    /// A repetition with its least and greatest count.
    Repeat(Box<Node>, usize, usize),
}

/// A parsed pattern.
#[derive(Debug)]
pub struct Regex {
    root: Node,
    groups: usize,
    ignore_case: bool,
}

/// Where each group matched, the whole match first.
pub type Match = Vec<Option<(usize, usize)>>;

impl Regex {
    /// Parses a pattern.
    pub fn parse(pattern: &str, ignore_case: bool) -> Option<Self> {
        let mut parser = Parser { rest: pattern.chars().collect(), groups: 0 };
        let root = parser.choice()?;
        parser.rest.is_empty().then_some(Regex { root, groups: parser.groups, ignore_case })
    }

    /// The first match at or after `from`.
    pub fn find(&self, text: &[char], from: usize) -> Option<Match> {
        (from..=text.len()).find_map(|start| {
            let mut groups = vec![None; self.groups + 1];
            let mut end = None;
            self.step(&self.root, text, start, &mut groups, &mut |at, groups| {
                groups[0] = Some((start, at));
                end = Some(groups.clone());
                true
            });
            end
        })
    }

    /// Matches `node` at `at` and goes on with `next`; true as soon as everything has matched.
    fn step(&self, node: &Node, text: &[char], at: usize, groups: &mut Match, next: &mut Next<'_>) -> bool {
        match node {
            Node::Class(ranges, inverted) => match text.get(at) {
                Some(c) if self.in_class(*c, ranges) != *inverted => next(at + 1, groups),
                _ => false,
            },
            Node::Start => at == 0 && next(at, groups),
            Node::End => at == text.len() && next(at, groups),
            Node::Group(number, inner) => {
                let before = groups[*number];
                let done = self.step(inner, text, at, groups, &mut |end, groups| {
                    let outer = groups[*number].replace((at, end));
                    let done = next(end, groups);
                    if !done {
                        groups[*number] = outer;
                    }
                    done
                });
                if !done {
                    groups[*number] = before;
                }
                done
            }
            Node::Sequence(parts) => self.sequence(parts, text, at, groups, next),
            Node::Choice(parts) => parts.iter().any(|part| self.step(part, text, at, groups, next)),
            Node::Repeat(inner, least, most) => self.repeat((inner, *least, *most), text, at, groups, next),
        }
    }

    fn sequence(&self, parts: &[Node], text: &[char], at: usize, groups: &mut Match, next: &mut Next<'_>) -> bool {
        match parts {
            [] => next(at, groups),
            [first, rest @ ..] => {
                self.step(first, text, at, groups, &mut |end, groups| self.sequence(rest, text, end, groups, next))
            }
        }
    }

    /// As many repetitions as possible first, then fewer.
    fn repeat(
        &self,
        (inner, least, most): (&Node, usize, usize),
        text: &[char],
        at: usize,
        groups: &mut Match,
        next: &mut Next<'_>,
    ) -> bool {
        let more = most > 0
            && self.step(inner, text, at, groups, &mut |end, groups| {
                // A repetition of nothing would never end.
                end > at && self.repeat((inner, least.saturating_sub(1), most - 1), text, end, groups, next)
            });
        more || (least == 0 && next(at, groups))
    }

    fn in_class(&self, c: char, ranges: &[(char, char)]) -> bool {
        let within = |c: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        within(c) || (self.ignore_case && (within(c.to_ascii_lowercase()) || within(c.to_ascii_uppercase())))
    }
}

type Next<'a> = dyn FnMut(usize, &mut Match) -> bool + 'a;

struct Parser {
    rest: Vec<char>,
    groups: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.rest.first().copied()
    }

    fn take(&mut self) -> Option<char> {
        (!self.rest.is_empty()).then(|| self.rest.remove(0))
    }

    fn choice(&mut self) -> Option<Node> {
        let mut parts = vec![self.sequence()?];
        while self.peek() == Some('|') {
            self.take();
            parts.push(self.sequence()?);
        }
        Some(Node::Choice(parts))
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let atom = self.atom()?;
            parts.push(self.repeated(atom));
        }
        Some(Node::Sequence(parts))
    }

    fn repeated(&mut self, atom: Node) -> Node {
        let (least, most) = match self.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            _ => return atom,
        };
        self.take();
        Node::Repeat(Box::new(atom), least, most)
    }

    fn atom(&mut self) -> Option<Node> {
        match self.take()? {
            '.' => Some(Node::Class(vec![('\n', '\n')], true)),
            '^' => Some(Node::Start),
            '$' => Some(Node::End),
            '[' => self.class(),
            '\\' => escaped(self.take()?).map(|ranges| Node::Class(ranges, false)),
            '(' => {
                self.groups += 1;
                let number = self.groups;
                let inner = self.choice()?;
                (self.take()? == ')').then(|| Node::Group(number, Box::new(inner)))
            }
            '*' | '+' | '?' | '{' | ')' => None,
            c => Some(Node::Class(vec![(c, c)], false)),
        }
    }

    fn class(&mut self) -> Option<Node> {
        let inverted = self.peek() == Some('^');
        if inverted {
            self.take();
        }
        let mut ranges = Vec::new();
        loop {
            match self.take()? {
                ']' => return (!ranges.is_empty()).then_some(Node::Class(ranges, inverted)),
                '\\' => ranges.extend(escaped(self.take()?)?),
                low if self.peek() == Some('-') && self.rest.get(1) != Some(&']') => {
                    self.take();
                    ranges.push((low, self.take()?));
                }
                c => ranges.push((c, c)),
            }
        }
    }
}

fn escaped(c: char) -> Option<Vec<(char, char)>> {
    match c {
        'd' => Some(vec![('0', '9')]),
        'w' => Some(vec![('0', '9'), ('a', 'z'), ('A', 'Z'), ('_', '_')]),
        's' => Some(vec![(' ', ' '), ('\t', '\r')]),
        c if c.is_ascii_punctuation() => Some(vec![(c, c)]),
        _ => None,
    }
}

/// `regexp_replace`: the first match, or all with flag `g`; `\1` in `to` is a group.
pub fn replace(text: &str, pattern: &str, to: &str, flags: &str) -> Option<String> {
    let regex = Regex::parse(pattern, flags.contains('i'))?;
    let chars: Vec<char> = text.chars().collect();
    let (mut result, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(found) = regex.find(&chars, from) {
        let (start, end) = found[0]?;
        result.extend(&chars[copied..start]);
        result += &expand(to, &found, &chars);
        (copied, from) = (end, end.max(start + 1));
        if !flags.contains('g') || from > chars.len() {
            break;
        }
    }
    result.extend(&chars[copied..]);
    Some(result)
}

fn expand(to: &str, found: &Match, text: &[char]) -> String {
    let mut result = String::new();
    let mut chars = to.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(digit @ '0'..='9')) => {
                chars.next();
                result += &group(found, digit as usize - '0' as usize, text);
            }
            ('\\', Some('\\')) => result.extend(chars.next()),
            _ => result.push(c),
        }
    }
    result
}

/// `regexp_extract`: the match or one of its groups, empty where there is none.
pub fn extract(text: &str, pattern: &str, number: usize) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let found = Regex::parse(pattern, false)?.find(&chars, 0);
    Some(found.map_or(String::new(), |found| group(&found, number, &chars)))
}

fn group(found: &Match, number: usize, text: &[char]) -> String {
    let range = found.get(number).copied().flatten();
    range.map_or(String::new(), |(start, end)| text[start..end].iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing() {
        let replace = |text, pattern, to, flags| replace(text, pattern, to, flags).unwrap();
        assert_eq!(replace("a1b22", "[0-9]+", "#", ""), "a#b22");
        assert_eq!(replace("a1b22", "[0-9]+", "#", "g"), "a#b#");
        assert_eq!(replace("Ann Lee", "(\\w+) (\\w+)", "\\2 \\1", ""), "Lee Ann");
        assert_eq!(replace("abc", "x*", "-", "g"), "-a-b-c-");
        assert_eq!(replace("ABC", "b", "x", "i"), "AxC");
    }

    #[test]
    fn extracting() {
        let extract = |text, pattern, group| extract(text, pattern, group).unwrap();
        assert_eq!(extract("12 Main St", "^([0-9]+) (.*)$", 2), "Main St");
        assert_eq!(extract("Main", "[0-9]", 0), "");
        assert_eq!(extract("foobar", "(foo|foobar)(b?)", 1), "foo");
        assert_eq!(extract("aaab", "(a|ab)+b?$", 0), "aaab");
        assert!(super::extract("a", "(", 0).is_none());
    }
}
