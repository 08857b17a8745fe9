//! Lines of `[entity]` that a job refuses.

use super::entity_case;
use crate::entities::{EntityCase, EntityEntry, SurvivorRule};
use crate::rng::Rng;

/// A line that must be refused.
pub struct Mistake {
    /// The line, as the last one of the section.
    pub line: String,
    /// Words that an error has, besides the place of the line.
    pub parts: Vec<String>,
    /// Whether it says what to do. What is no expression has a mark where it ends, and nothing else can be said.
    pub has_help: bool,
}

/// Lines about columns that every job has, and what is said of them. `INPUT` is the name of an input.
const LINES: [(&str, &[&str]); 41] = [
    ("name = \"most_frequnt\"", &["most_frequnt", "most_frequent"]),
    ("name = \"\"", &["most_frequent"]),
    ("name = 3", &["name"]),
    ("name = []", &["name"]),
    ("name = {}", &["take"]),
    ("name = { take = 7 }", &["take"]),
    ("name = { by = \"num\" }", &["take"]),
    ("name = { take = \"first\", wher = \"num > 1\" }", &["wher", "where"]),
    ("name = { take = \"first\", sorces = [\"INPUT\"] }", &["sorces", "sources"]),
    ("name = { take = \"newest\" }", &["newest", "by"]),
    ("name = \"oldest\"", &["oldest", "by"]),
    ("name = { take = \"longest\", by = \"num\" }", &["longest", "by"]),
    ("name = { take = \"most_frequent\", by = \"num\" }", &["most_frequent", "by"]),
    ("num = { take = \"sum\", by = \"name\" }", &["sum", "by"]),
    ("name = \"priority\"", &["priority", "sources"]),
    ("name = { take = \"priority\", sources = [] }", &["sources"]),
    ("name = { take = \"priority\", sources = [\"INPUT\", \"nowhere\"] }", &["sources", "nowhere", "INPUT"]),
    ("name = { take = \"priority\", sources = \"INPUT\" }", &["sources"]),
    ("name = { take = \"first\", sources = [\"INPUT\"] }", &["first", "sources"]),
    ("nmae = \"first\"", &["nmae", "name"]),
    ("name = { take = \"newest\", by = \"nmu\" }", &["nmu", "num"]),
    ("name = { take = \"newest\", by = \"l.num\" }", &["l.num"]),
    ("name = { take = \"newest\", by = \"num +\" }", &["num +"]),
    ("name = { take = \"first\", where = \"nmu > 1\" }", &["nmu", "num"]),
    ("name = { take = \"first\", where = \"num + 1\" }", &["num + 1"]),
    ("name = { take = \"first\", where = \"lower(name)\" }", &["lower(name)"]),
    ("name = { take = \"first\", where = 1 }", &["where"]),
    ("fresh = { take = \"first\", value = \"nmae\" }", &["nmae", "name"]),
    ("fresh = { take = \"first\", value = \"lower(name\" }", &["lower(name"]),
    ("fresh = { take = \"first\", value = { nowhere = \"name\" } }", &["nowhere"]),
    ("fresh = { take = \"first\", value = \"name\", columns = [\"name\"] }", &["value", "columns"]),
    ("fresh = { take = \"first\", columns = [] }", &["columns"]),
    ("fresh = { take = \"first\", columns = [\"name\", \"nmu\"] }", &["nmu", "num"]),
    ("fresh = { take = \"first\", columns = [\"name\", \"NAME\"] }", &["name"]),
    ("fresh = { take = \"first\", columns = \"name\" }", &["columns"]),
    ("fresh = { take = \"sum\", columns = [\"num\"] }", &["sum"]),
    ("fresh = { take = \"longest\", columns = [\"name\", \"city\"] }", &["longest"]),
    ("name = \"sum\"", &["sum", "name", "numbers"]),
    ("day = \"mean\"", &["mean", "day", "numbers"]),
    ("num = \"longest\"", &["longest", "num"]),
    ("\"*\" = \"longest\"", &["longest"]),
];

/// Texts that are no expressions.
const NO_EXPRESSIONS: [&str; 2] = ["\"num +\"", "\"lower(name\""];

/// A second entry for a column that has one.
const REPEATED: (&str, &[&str]) = ("fresh = { take = \"first\", columns = [\"city\", \"name\"] }", &["name"]);

/// The case of a seed with a line that must be refused.
pub fn mistake(seed: u64) -> (EntityCase, Mistake) {
    let rng = &mut Rng::new(seed ^ 0x6d69_7374_616b_6573);
    let mut case = entity_case(seed);
    // Entries about other columns, which are as they should be.
    let mut section = case.section.take().unwrap_or_default();
    section.leaves_rest_out = false;
    let is_other = |key: &str| key.starts_with(['x', 'X']) || key.starts_with("new");
    section.entries.retain(|entry| entry.columns.is_none() && is_other(&entry.key));
    let is_repeated = rng.percent(8);
    if is_repeated {
        section.entries.push(EntityEntry::plain("name", SurvivorRule::First));
    }
    case.section = Some(section);
    let (line, parts) = if is_repeated { &REPEATED } else { rng.pick(&LINES) };
    let named = |text: &str| text.replace("INPUT", &case.inputs[0].name);
    let parts = parts.iter().map(|part| named(part)).collect();
    let mistake = Mistake { line: named(line), parts, has_help: !NO_EXPRESSIONS.iter().any(|no| line.contains(no)) };
    (case, mistake)
}
