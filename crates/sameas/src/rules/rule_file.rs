//! The rule file (TOML): link type, id column, derived columns, rules and `never` rules as text.

use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::{Spanned, Value};

use super::diagnostic::Origin;
use crate::error::{Error, Result};

/// What the pairs of a job are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkType {
    /// Pairs within one input.
    DedupeOnly,
    /// Pairs of a record of the left input and one of the right.
    LinkOnly,
    /// Pairs within and across two inputs.
    LinkAndDedupe,
}

impl LinkType {
    /// Its name in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::DedupeOnly => "dedupe_only",
            Self::LinkOnly => "link_only",
            Self::LinkAndDedupe => "link_and_dedupe",
        }
    }
}

/// A rule as text.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// Its name, or `None` for `rule_N`.
    pub name: Option<String>,
    /// The condition and where it was written.
    pub origin: Origin,
}

/// A derived column as text.
#[derive(Clone, Debug)]
pub struct DeriveText {
    /// The name of the column.
    pub name: String,
    /// The expression and where it was written.
    pub origin: Origin,
}

impl DeriveText {
    /// Equal for the same column by the same expression.
    pub fn identity(&self) -> (&str, &str) {
        (&self.name, &self.origin.text)
    }
}

/// What a rule file says, not yet checked against the data.
///
/// ```
/// # fn main() -> sameas::Result<()> {
/// let text = r#"
///     [[rule]]
///     name = "same email"
///     when = "lower(l.email) = lower(r.email)"
///
///     [[never]]
///     when = "l.birth_date <> r.birth_date"
/// "#;
/// let rules = sameas::RuleFile::parse(text, "rules.toml")?;
/// rules.check_syntax()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// `link_type`, if given.
    pub link_type: Option<LinkType>,
    /// `unique_id`, if it is given as one name for all inputs.
    pub unique_id: Option<String>,
    /// `unique_id` where it is a table: columns by `left`, `right` or the name of an input.
    pub unique_ids: BTreeMap<String, String>,
    /// `encoding` of text files.
    pub encoding: Option<String>,
    /// `null`: texts that stand for a missing value.
    pub null: Vec<String>,
    /// `blank_is_null`: whether a text of white space alone is a missing value.
    pub blank_is_null: Option<bool>,
    /// `skip_null_ids`: whether records without an id are left out.
    pub skip_null_ids: Option<bool>,
    /// Derived columns of the left (or only) and the right input.
    #[doc(hidden)]
    pub derive: [Vec<DeriveText>; 2],
    /// Derived columns of single inputs, by the input's name.
    #[doc(hidden)]
    pub derive_of: BTreeMap<String, Vec<DeriveText>>,
    /// The rules, in order.
    #[doc(hidden)]
    pub rules: Vec<RuleText>,
    /// The `never` rules, in order.
    #[doc(hidden)]
    pub nevers: Vec<RuleText>,
    /// The folders in which files are looked for that rules name, by where the rules were written.
    #[doc(hidden)]
    pub folders: BTreeMap<String, PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileContent {
    link_type: Option<LinkType>,
    unique_id: Option<UniqueId>,
    encoding: Option<String>,
    #[serde(default)]
    null: Vec<String>,
    blank_is_null: Option<bool>,
    skip_null_ids: Option<bool>,
    #[serde(default)]
    derive: BTreeMap<String, Spanned<Value>>,
    #[serde(default)]
    rule: Vec<RuleEntry>,
    #[serde(default)]
    never: Vec<RuleEntry>,
}

/// One column for all inputs, or one for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum UniqueId {
    Same(String),
    Each(BTreeMap<String, String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    name: Option<String>,
    when: Spanned<String>,
}

/// Bytes of a rule file at most: parsing takes many times that.
const MOST_BYTES: u64 = 16 << 20;

impl RuleFile {
    /// Reads a rule file, of at most 16 MiB.
    pub fn read(path: &Path) -> Result<Self> {
        let mut text = String::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
        if text.len() as u64 > MOST_BYTES {
            return Err(Error::rules(format!("`{}` is longer than {} MiB", path.display(), MOST_BYTES >> 20)));
        }
        read.map_err(|e| match e.kind() {
            std::io::ErrorKind::InvalidData => Error::rules(format!("`{}` is not UTF-8 text", path.display())),
            _ => Error::io("cannot read the rules", path, e),
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self::parse(&text, &path.display().to_string())?.in_folder(folder))
    }

    /// Parses the text of a rule file; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Result<Self> {
        let parsed: FileContent = toml::from_str(text).map_err(|e| toml_error(&e, text, file))?;
        let lines = LineNumbers::new(text);
        let place = |at: usize| format!("{file}:{}", lines.of(at));
        let (unique_id, unique_ids) = match parsed.unique_id {
            Some(UniqueId::Same(column)) => (Some(column), BTreeMap::new()),
            Some(UniqueId::Each(columns)) => (None, columns),
            None => Default::default(),
        };
        let mut result = Self {
            link_type: parsed.link_type,
            unique_id,
            unique_ids,
            encoding: parsed.encoding,
            null: parsed.null,
            blank_is_null: parsed.blank_is_null,
            skip_null_ids: parsed.skip_null_ids,
            ..Self::default()
        };
        // Common expressions first, so that a side's own can replace them.
        let (sided, common): (Vec<_>, Vec<_>) = parsed.derive.into_iter().partition(|(_, d)| d.get_ref().is_table());
        for (name, derive) in common.into_iter().chain(sided) {
            let place = place(derive.span().start);
            result.add_derive(name, derive.into_inner(), &place)?;
        }
        result.rules = parsed.rule.into_iter().map(|rule| rule_text(rule, "rule", &place)).collect();
        result.nevers = parsed.never.into_iter().map(|rule| rule_text(rule, "never", &place)).collect();
        Ok(result)
    }

    /// The number of rules.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// The number of `never` rules.
    pub fn never_count(&self) -> usize {
        self.nevers.len()
    }

    /// Adds a rule that is not in a file.
    pub fn add_rule(&mut self, when: &str) {
        self.add_rule_from(when, "given without a file");
    }

    /// Adds a rule; `place` says in messages where it was written.
    pub fn add_rule_from(&mut self, when: &str, place: &str) {
        let origin = Origin { what: "rule".into(), place: place.to_owned(), text: when.to_owned() };
        self.rules.push(RuleText { name: None, origin });
    }

    /// Adds the derives, rules and `never` rules of another file after those of this one.
    pub fn extend(&mut self, other: Self) -> Result<()> {
        if let (Some(a), Some(b)) = (self.link_type, other.link_type)
            && a != b
        {
            return Err(Error::rules("two rule files give different values of `link_type`"));
        }
        self.link_type = self.link_type.or(other.link_type);
        self.unique_id = self.unique_id.take().or(other.unique_id);
        other.unique_ids.into_iter().for_each(|(input, column)| drop(self.unique_ids.entry(input).or_insert(column)));
        self.encoding = self.encoding.take().or(other.encoding);
        self.null.extend(other.null);
        self.blank_is_null = self.blank_is_null.or(other.blank_is_null);
        self.skip_null_ids = self.skip_null_ids.or(other.skip_null_ids);
        for (mine, theirs) in self.derive.iter_mut().zip(other.derive) {
            let known: HashSet<&str> = mine.iter().map(|d| d.name.as_str()).collect();
            if let Some(twice) = theirs.iter().find(|d| known.contains(d.name.as_str())) {
                return Err(Error::rules(format!("two rule files derive a column `{}`", twice.name)));
            }
            mine.extend(theirs);
        }
        self.rules.extend(other.rules);
        self.nevers.extend(other.nevers);
        self.folders.extend(other.folders);
        Ok(())
    }

    /// The names of the rules, `rule_1`, `rule_2`, ... where none was given.
    pub fn rule_names(&self) -> Result<Vec<String>> {
        let names: Vec<String> = self
            .rules
            .iter()
            .enumerate()
            .map(|(i, r)| r.name.clone().unwrap_or_else(|| format!("rule_{}", i + 1)))
            .collect();
        let mut known = HashSet::with_capacity(names.len());
        for name in &names {
            if !known.insert(name) {
                return Err(Error::rules(format!("two rules are called \"{name}\""))
                    .with_help("give each rule a name of its own, or none"));
            }
        }
        Ok(names)
    }

    /// Whether one side derives a column differently from the other.
    pub fn has_sided_derives(&self) -> bool {
        let [left, right] = &self.derive;
        let right: HashSet<_> = right.iter().map(DeriveText::identity).collect();
        left.len() != right.len() || !left.iter().all(|l| right.contains(&l.identity()))
    }

    /// `name = "sql"`, or one of the tables `[derive.left]` and `[derive.right]`.
    fn add_derive(&mut self, name: String, derive: Value, place: &str) -> Result<()> {
        match (name.as_str(), derive) {
            ("left", Value::Table(columns)) => self.add_side(0, columns, place),
            ("right", Value::Table(columns)) => self.add_side(1, columns, place),
            (_, Value::String(sql)) => {
                let text = derive_text(name, sql, place);
                self.derive[0].push(text.clone());
                self.derive[1].push(text);
                Ok(())
            }
            (_, Value::Table(_)) => Err(Error::rules(format!("{place}: `[derive.{name}]` is not known"))
                .with_help("write `[derive]`, `[derive.left]` or `[derive.right]`")),
            _ => Err(not_sql(&name, place)),
        }
    }

    /// A side's own expression replaces the common one of that name.
    fn add_side(&mut self, side: usize, columns: toml::Table, place: &str) -> Result<()> {
        self.derive[side].retain(|d| !columns.contains_key(&d.name));
        for (name, sql) in columns {
            let Value::String(sql) = sql else { return Err(not_sql(&name, place)) };
            self.derive[side].push(derive_text(name, sql, place));
        }
        Ok(())
    }
}

fn not_sql(name: &str, place: &str) -> Error {
    Error::rules(format!("{place}: the derived column `{name}` must be an SQL expression in quotes"))
}

fn derive_text(name: String, sql: String, place: &str) -> DeriveText {
    let origin = Origin { what: format!("derive `{name}`"), place: place.to_owned(), text: sql };
    DeriveText { name, origin }
}

fn rule_text(rule: RuleEntry, kind: &str, place: &dyn Fn(usize) -> String) -> RuleText {
    let what = rule.name.as_ref().map_or(kind.to_owned(), |name| format!("{kind} \"{name}\""));
    let origin = Origin { what, place: place(rule.when.span().start), text: rule.when.into_inner() };
    RuleText { name: rule.name, origin }
}

/// The numbers of lines, by places in bytes.
struct LineNumbers {
    /// Where lines end.
    ends: Vec<usize>,
}

impl LineNumbers {
    fn new(text: &str) -> Self {
        Self { ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect() }
    }

    fn of(&self, at: usize) -> usize {
        self.ends.partition_point(|end| *end < at) + 1
    }
}

fn toml_error(error: &toml::de::Error, text: &str, file: &str) -> Error {
    let place =
        error.span().map_or(file.to_owned(), |span| format!("{file}:{}", LineNumbers::new(text).of(span.start)));
    let message = match error.message().trim() {
        message if message.contains("recurs") => "tables or lists are nested too deeply for a rule file",
        message => message,
    };
    Error::rules(format!("{place}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_whole_rule_file() {
        let file = RuleFile::parse(
            "link_type = \"dedupe_only\"\nunique_id = \"key\"\n[derive]\nname = \"lower(a)\"\n[derive.right]\nname = \"lower(b)\"\n\
             [[rule]]\nname = \"x\"\nwhen = \"l.a = r.a\"\n[[rule]]\nwhen = \"l.b = r.b\"\n[[never]]\nwhen = \"l.c <> r.c\"\n",
            "j.toml",
        )
        .unwrap();
        assert_eq!(file.link_type, Some(LinkType::DedupeOnly));
        assert_eq!(file.derive[0][0].origin.text, "lower(a)");
        assert_eq!(file.derive[1][0].origin.text, "lower(b)");
        assert_eq!(file.rule_names().unwrap(), ["x", "rule_2"]);
        assert_eq!(file.rules[0].origin.place, "j.toml:9");
        assert_eq!(file.nevers.len(), 1);
    }

    #[test]
    fn says_where_a_file_is_wrong() {
        let message = |text: &str| RuleFile::parse(text, "j.toml").unwrap_err().to_string();
        assert!(message("a = \n").starts_with("j.toml:1: "), "{}", message("a = \n"));
        assert!(message("[[rule]]\nwhn = \"x\"\n").contains("unknown field `whn`"));
        assert!(message("[derive.middle]\na = \"b\"\n").contains("[derive.middle]"));
        let twice =
            RuleFile::parse("[[rule]]\nname=\"a\"\nwhen=\"x\"\n[[rule]]\nname=\"a\"\nwhen=\"y\"\n", "j").unwrap();
        assert!(twice.rule_names().is_err());
    }
}
