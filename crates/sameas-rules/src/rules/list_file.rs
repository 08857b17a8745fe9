//! Files of groups, for `in_list`: each row is a group, each cell of it a member.
//!
//! CSV without a header, with commas, or with semicolons or tabs where the first row has no comma. Blanks around a member
//! are dropped, empty cells are nothing; else members are compared as they are written.
//!
//! Rules name files, of groups and others, by paths. A relative one is that of a file beside the rule file, or else in the
//! current folder. Rules that were made elsewhere, in another current folder, find the files of that time: there their paths
//! are looked for first. What a file is called (`named_from`) does not depend on where it was found, so that a later run of the
//! same rules knows it by its name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env::current_dir;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Trim};
use xxhash_rust::xxh3::xxh3_128;

use super::diagnostic::Origin;
use super::rule_file::{RuleFile, RuleFileText, RulePart};
use crate::expr::ValueGroups;
use crate::memory::MemoryBudget;

/// What is wrong and what to do.
type ListMistake = (String, String);

/// A file that rules name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// What it is called wherever it lies: its path as the rules have it, from the folder of their rule file.
    pub name: String,
    /// Where it is.
    pub place: PathBuf,
}

/// The files that rules name, each read once.
pub struct ListFiles<'a> {
    budget: &'a MemoryBudget,
    /// The current folder of whoever made the rules, if it was another one.
    made_in: Option<&'a Path>,
    known: RefCell<BTreeMap<PathBuf, Arc<ValueGroups>>>,
    /// The same by what they are called.
    named: RefCell<BTreeMap<String, Arc<ValueGroups>>>,
}

/// The same for rules of one rule file, in whose folder files are looked for first.
#[derive(Clone, Copy)]
pub struct ListFolder<'a> {
    files: &'a ListFiles<'a>,
    folder: Option<&'a Path>,
}

impl<'a> ListFiles<'a> {
    /// None yet; what they take is counted by `budget`.
    pub fn new(budget: &'a MemoryBudget) -> Self {
        Self { budget, made_in: None, known: RefCell::default(), named: RefCell::default() }
    }

    /// The same for rules that were made in this current folder, if that is known.
    pub fn made_in(self, made_in: Option<&'a Path>) -> Self {
        Self { made_in, ..self }
    }

    /// For rules that stand in a file of this folder, if they stand in a file.
    pub fn near(&'a self, folder: Option<&'a Path>) -> ListFolder<'a> {
        ListFolder { files: self, folder }
    }

    /// All that were read, in the order of their places, and by what they are called.
    pub fn into_groups(self) -> (Vec<Arc<ValueGroups>>, BTreeMap<String, Arc<ValueGroups>>) {
        (self.known.into_inner().into_values().collect(), self.named.into_inner())
    }

    fn read(&self, place: PathBuf, path: &str) -> Result<Arc<ValueGroups>, ListMistake> {
        if let Some(known) = self.known.borrow().get(&place) {
            return Ok(known.clone());
        }
        let groups = Arc::new(read(&place, path, self.budget)?);
        self.known.borrow_mut().insert(place, groups.clone());
        Ok(groups)
    }
}

impl ListFolder<'_> {
    /// The groups of a file: of that in the folder of the rule file if there is one, else of that in the current folder.
    pub fn read(&self, path: &str) -> Result<Arc<ValueGroups>, ListMistake> {
        let NamedFile { name, place } = NamedFile::find(path, self.folder, self.files.made_in);
        let groups = self.files.read(place, path)?;
        self.files.named.borrow_mut().insert(name, groups.clone());
        Ok(groups)
    }
}

impl NamedFile {
    /// A file that is named in a rule file of this folder, if it is one, by rules that were made in this current folder.
    fn find(path: &str, folder: Option<&Path>, made_in: Option<&Path>) -> Self {
        // What is in the current folder keeps its path.
        let made_in = made_in.filter(|made_in| !current_dir().is_ok_and(|current| current == **made_in));
        let near = folder.map(|folder| folder.join(path)).into_iter().chain([PathBuf::from(path)]);
        let near: Vec<PathBuf> = near.collect();
        let from = made_in.into_iter().chain([Path::new("")]);
        let mut places = from.flat_map(|from| near.iter().map(move |place| from.join(place)));
        let place = places.find(|place| place.exists()).unwrap_or_else(|| PathBuf::from(path));
        Self { name: named_from(folder, path), place }
    }
}

/// What a file is called that is named in a rule file of this folder, wherever it lies.
fn named_from(folder: Option<&Path>, path: &str) -> String {
    folder.map_or_else(|| path.to_owned(), |folder| folder.join(path).display().to_string())
}

impl RuleFile {
    /// The same rules, made in this current folder: what they name by a relative path is looked for there first.
    #[must_use]
    #[doc(hidden)]
    pub fn made_in(mut self, folder: Option<PathBuf>) -> Self {
        self.made_in = folder;
        self
    }

    /// The current folder in which they were made, if it is known.
    #[doc(hidden)]
    pub fn folder_made_in(&self) -> Option<&Path> {
        self.made_in.as_deref()
    }

    /// With files that the rules name, such as those of `in_list`, looked for in this folder first, then in the current
    /// one. A rule file that is [read](RuleFile::read) has its own folder.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.parts.push(RulePart::Folder { path: folder.display().to_string() });
        self.looking_in(folder)
    }

    /// The same, where how it is made says so already.
    pub(super) fn looking_in(mut self, folder: &Path) -> Self {
        let places: Vec<String> = self.origins().map(|origin| origin.place.clone()).collect();
        self.folders.extend(places.into_iter().map(|place| (place, folder.to_owned())));
        self
    }

    /// Everything that may name a file.
    fn origins(&self) -> impl Iterator<Item = &Origin> {
        let derives = self.derive.iter().chain(self.derive_of.values()).flatten().map(|derive| &derive.origin);
        let training = self.train.rules.iter().chain(&self.train.deterministic);
        let rules = self.rules.iter().chain(&self.nevers).chain(training).map(|rule| &rule.origin);
        let weighted = self.compares.iter().filter_map(|compare| compare.weighted.as_ref());
        let weighted = weighted.flat_map(|of| of.within.iter().chain([&of.similarity]));
        let frequencies = self.compares.iter().filter_map(|compare| compare.term_frequencies.as_ref());
        let compares = self.compares.iter().flat_map(|compare| &compare.levels).chain(weighted).chain(frequencies);
        let columns = self.columns.iter().map(|column| &column.origin).chain(&self.score.pairs);
        derives.chain(rules).chain(compares).chain(columns)
    }

    /// The file with scores that others have given, and the column of it that has them.
    #[doc(hidden)]
    pub fn scored_pairs(&self) -> Option<(NamedFile, Option<&str>)> {
        let origin = self.score.pairs.as_ref()?;
        Some((self.named_file(&origin.text, origin), self.score_column()))
    }

    /// The column that has the scores that others have given, whether a file has them or the job.
    #[doc(hidden)]
    pub fn score_column(&self) -> Option<&str> {
        self.score.column.as_ref().map(|column| column.text.as_str())
    }

    /// For each comparison with levels the column with term frequencies, if it has one, and the file that has them, if the
    /// rules name one.
    #[doc(hidden)]
    pub fn term_frequencies(&self) -> impl Iterator<Item = Option<(&str, Option<NamedFile>)>> {
        let with_levels = self.compares.iter().filter(|compare| compare.weighted.is_none());
        with_levels.map(move |compare| {
            let file = compare.term_frequencies.as_ref().map(|origin| self.named_file(&origin.text, origin));
            compare.term_frequency.as_ref().map(|column| (column.text.trim(), file))
        })
    }

    /// The files that the rules were read from, and those that they name, as far as they are there. Rules that are not
    /// compiled do not say which of their texts are names of lists: all of them count.
    #[doc(hidden)]
    pub fn files_read(&self) -> Vec<PathBuf> {
        let files = self.parts.iter().flat_map(RulePart::each).filter_map(|part| match part {
            RulePart::File(RuleFileText { path, .. }) => Some(PathBuf::from(path)),
            _ => None,
        });
        let with_lists = self.origins().filter(|origin| origin.text.to_ascii_lowercase().contains("in_list"));
        let lists = with_lists.flat_map(|origin| {
            let texts = origin.text.split('\'').skip(1).step_by(2);
            texts.map(move |text| self.named_file(text, origin))
        });
        let scores = self.scored_pairs().map(|(file, _)| file);
        let frequencies = self.term_frequencies().flatten().filter_map(|(_, file)| file);
        let named = lists.chain(scores).chain(frequencies).map(|file| file.place);
        files.chain(named).filter(|path| path.is_file()).collect()
    }

    /// A file that is named there: beside the rule file if it is there, else in the current folder.
    fn named_file(&self, path: &str, origin: &Origin) -> NamedFile {
        NamedFile::find(path, self.folder_of(origin), self.made_in.as_deref())
    }

    /// The folder of what was written there.
    pub(super) fn folder_of(&self, origin: &Origin) -> Option<&Path> {
        self.folders.get(&origin.place).map(PathBuf::as_path)
    }
}

fn read(place: &Path, path: &str, budget: &MemoryBudget) -> Result<ValueGroups, ListMistake> {
    let cannot = |why: String, help: &str| (format!("cannot read `{path}`: {why}"), help.to_owned());
    let beside = "a list is looked for beside the rule file, then in the current folder";
    let facts = std::fs::metadata(place).map_err(|error| cannot(error.to_string(), beside))?;
    // A pipe could be read only once, and a device never ends.
    if !facts.is_file() {
        return Err(cannot("it is not a file".into(), "name a CSV file whose rows are groups of values"));
    }
    let too_large =
        |error: crate::error::Error| cannot(error.message().to_owned(), "allow more memory, or shorten the list");
    let held = budget.hold(usize::try_from(facts.len()).unwrap_or(usize::MAX)).map_err(too_large)?;
    let content = std::fs::read(place).map_err(|error| cannot(error.to_string(), beside))?;
    let mut groups =
        ValueGroups::new(path, content.len() as u64, xxh3_128(&content), budget.hold(0).map_err(too_large)?);
    let mut rows = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .delimiter(delimiter(&content))
        .from_reader(content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content));
    let mut row = StringRecord::new();
    while rows.read_record(&mut row).map_err(|error| cannot(described(&error), "save it as CSV in UTF-8"))? {
        groups.add(row.iter()).map_err(too_large)?;
    }
    drop(held);
    Ok(groups)
}

/// What stands between the cells.
fn delimiter(content: &[u8]) -> u8 {
    let first = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has = |byte: &u8| first.contains(byte);
    *[b',', b';', b'\t'].iter().find(|byte| has(byte)).unwrap_or(&b',')
}

fn described(error: &csv::Error) -> String {
    match (error.kind(), error.position()) {
        (csv::ErrorKind::Utf8 { .. }, Some(place)) => format!("line {} is not UTF-8 text", place.line()),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups_of(content: &[u8], value: &str) -> Result<Vec<u32>, ListMistake> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("list.csv"), content).unwrap();
        let budget = MemoryBudget::unlimited();
        let files = ListFiles::new(&budget);
        let groups = files.near(Some(folder.path())).read("list.csv")?;
        Ok(groups.containing(value).to_vec())
    }

    #[test]
    fn rows_are_groups() {
        let list = b"\xef\xbb\xbfWilliam, Bill ,Will,,\n\n\"Smith, J\",Bill,Bill\r\nbill\n";
        for (value, groups) in
            [("Bill", &[0, 1][..]), ("William", &[0]), ("Smith, J", &[1]), ("bill", &[2]), ("", &[]), ("Ann", &[])]
        {
            assert_eq!(groups_of(list, value).unwrap(), groups, "{value}");
        }
        assert_eq!(groups_of(b"Anna;Anne\nJo;Joe", "Joe").unwrap(), [1]);
        assert_eq!(groups_of(b"Anna\tAnne\n", "Anne").unwrap(), [0]);
        assert_eq!(groups_of(b"", "Anne").unwrap(), [0; 0]);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let (message, _) = groups_of(b"a,b\n\xff,c\n", "a").unwrap_err();
        assert_eq!(message, "cannot read `list.csv`: line 2 is not UTF-8 text");
        let budget = MemoryBudget::unlimited();
        let files = ListFiles::new(&budget);
        let (message, help) = files.near(None).read("no such list.csv").unwrap_err();
        assert!(message.starts_with("cannot read `no such list.csv`: "), "{message}");
        assert!(help.contains("beside the rule file"), "{help}");
        let (message, _) = files.near(None).read("/dev/null").unwrap_err();
        assert_eq!(message, "cannot read `/dev/null`: it is not a file");
    }

    #[test]
    fn the_files_of_rules_are_known_before_they_are_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let text = "[[rule]]\nwhen = \"IN_LIST(l.a, r.a, 'names.csv') and l.b <> 'x.csv'\"\n\
                    [[rule]]\nwhen = \"l.b = 'other.csv'\"\n[score]\npairs = \"scores.csv\"\n\
                    [[compare]]\nlevels = [\"l.a = r.a\"]\nterm_frequency = \"a\"\nterm_frequencies = \"a.csv\"\n";
        std::fs::write(path("rules.toml"), text).unwrap();
        for name in ["names.csv", "other.csv", "scores.csv", "a.csv"] {
            std::fs::write(path(name), "a\n").unwrap();
        }
        let rules = RuleFile::read(&path("rules.toml")).unwrap();
        assert_eq!(rules.files_read(), ["rules.toml", "names.csv", "scores.csv", "a.csv"].map(path));
        let given = RuleFile::parse("[[rule]]\nwhen = \"l.a = r.a\"\n", path("rules.toml").to_str().unwrap()).unwrap();
        assert!(given.files_read().is_empty(), "a text that was given is no file that was read");
    }

    /// Beside the rule file, then in the current folder; both from the folder in which the rules were made, then from here.
    #[test]
    fn files_are_found_from_the_folder_in_which_rules_were_made() {
        let made_in = tempfile::tempdir().unwrap();
        let path = |name: &str| made_in.path().join(name);
        std::fs::create_dir(path("rules")).unwrap();
        let find = || NamedFile::find("names.csv", Some(Path::new("rules")), Some(made_in.path()));
        let name = "rules/names.csv".to_owned();
        assert_eq!(find(), NamedFile { name: name.clone(), place: "names.csv".into() });
        for place in [path("names.csv"), path("rules/names.csv")] {
            std::fs::write(&place, "a\n").unwrap();
            assert_eq!(find(), NamedFile { name: name.clone(), place });
        }
        // What is here has the paths that it was named by.
        let here = current_dir().unwrap();
        let found = NamedFile::find("Cargo.toml", Some(Path::new("src")), Some(&here));
        assert_eq!(found, NamedFile { name: "src/Cargo.toml".into(), place: "Cargo.toml".into() });
        let found = NamedFile::find("Cargo.toml", None, Some(made_in.path()));
        assert_eq!(found, NamedFile { name: "Cargo.toml".into(), place: "Cargo.toml".into() });
    }

    /// Two rule files in folders of their own have a list of one name each, and both are known.
    #[test]
    fn lists_are_known_by_where_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let budget = MemoryBudget::unlimited();
        let files = ListFiles::new(&budget);
        let folders = ["one", "two"].map(|name| folder.path().join(name));
        for (folder, list) in folders.iter().zip(["a,b\n", "a,c\nb,c\n"]) {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("names.csv"), list).unwrap();
            files.near(Some(folder)).read("names.csv").unwrap();
            files.near(None).read(folder.join("names.csv").to_str().unwrap()).unwrap();
        }
        let (lists, named) = files.into_groups();
        assert_eq!(lists.iter().map(|list| list.group_count()).collect::<Vec<_>>(), [1, 2]);
        let names: Vec<&String> = named.keys().collect();
        assert_eq!(names, folders.each_ref().map(|folder| folder.join("names.csv").display().to_string()).each_ref());
    }

    #[test]
    fn the_memory_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        let rows: String = (0..300_000).map(|row| format!("{row:040},x{row:040}\n")).collect();
        std::fs::write(&path, rows).unwrap();
        let budget = MemoryBudget::new(0);
        let _taken = budget.hold(budget.room() - (40 << 20)).unwrap();
        let (message, _) = ListFiles::new(&budget).near(None).read(path.to_str().unwrap()).unwrap_err();
        assert!(message.contains("memory limit"), "{message}");
    }
}
