//! The columns of a table of pairs.

use super::job::PairColumnNames;
use crate::error::{Error, Result};
use crate::records::OpenSource;
use crate::rules::nearest;

/// Where a table of pairs has its columns, among those that are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PairColumnPlaces {
    /// The places in the table of all columns that are read.
    pub wanted: Vec<usize>,
    /// The two ids.
    pub ids: [usize; 2],
    pub sources: Option<[usize; 2]>,
    pub score: Option<usize>,
    pub match_key: Option<usize>,
    pub certain: Option<usize>,
}

/// The most columns that a message names.
const MOST_NAMES: usize = 20;

/// Names of the columns with the ids.
const IDS: [[&str; 2]; 2] = [["unique_id_l", "unique_id_r"], ["id_l", "id_r"]];

/// Names of the columns with the sources.
const SOURCES: [&str; 2] = ["source_dataset_l", "source_dataset_r"];

/// Names of columns with a score.
const SCORES: [&str; 3] = ["match_probability", "match_weight", "score"];

impl PairColumnPlaces {
    /// Finds the columns of pairs: what was named must be there, and what is usual may be there.
    pub fn find(source: &OpenSource, names: &PairColumnNames) -> Result<Self> {
        let mut found = Self::of_ids(source, names)?;
        let given = |name: &Option<String>, usual: &[&str]| match name {
            Some(name) => place_of(source, name).map(Some),
            None => Ok(usual.iter().find_map(|name| find(source, name))),
        };
        let (score, match_key) = (given(&names.score, &SCORES)?, given(&names.match_key, &["match_key"])?);
        let certain = given(&names.certain, &["certain"])?;
        [found.score, found.match_key, found.certain] =
            [score, match_key, certain].map(|place| place.map(|place| found.add(place)));
        Ok(found)
    }

    /// Finds the ids and the sources alone.
    pub fn of_ids(source: &OpenSource, names: &PairColumnNames) -> Result<Self> {
        let ids = match &names.ids {
            Some([left, right]) if left == right => {
                let message = format!("the ids of a pair are in two columns, and `{left}` was named twice");
                return Err(Error::usage(message).with_help("name the column of the other ids, too"));
            }
            Some([left, right]) => [place_of(source, left)?, place_of(source, right)?],
            None => usual_ids(source)?,
        };
        let sources = match &names.sources {
            Some([left, right]) => Some([place_of(source, left)?, place_of(source, right)?]),
            None => usual_sources(source)?,
        };
        let mut found = Self::default();
        found.ids = ids.map(|place| found.add(place));
        found.sources = sources.map(|sources| sources.map(|place| found.add(place)));
        Ok(found)
    }

    /// Reads one more column, if it is not read already; gives its place among those that are.
    fn add(&mut self, place: usize) -> usize {
        self.wanted.iter().position(|other| *other == place).unwrap_or_else(|| {
            self.wanted.push(place);
            self.wanted.len() - 1
        })
    }
}

fn usual_ids(source: &OpenSource) -> Result<[usize; 2]> {
    let both = |names: &[&str; 2]| Some([find(source, names[0])?, find(source, names[1])?]);
    IDS.iter().find_map(both).ok_or_else(|| {
        let message = format!("`{}` has no columns `unique_id_l` and `unique_id_r`", source.name());
        Error::data(message)
            .with_help(format!("say which columns hold the two ids of a pair; its columns are {}", columns_of(source)))
    })
}

/// Both sources or none: one alone says nothing.
fn usual_sources(source: &OpenSource) -> Result<Option<[usize; 2]>> {
    match SOURCES.map(|name| find(source, name)) {
        [Some(left), Some(right)] => Ok(Some([left, right])),
        [None, None] => Ok(None),
        [left, _] => {
            let [there, gone] = if left.is_some() { SOURCES } else { [SOURCES[1], SOURCES[0]] };
            let message = format!("`{}` has a column `{there}`, and no column `{gone}`", source.name());
            Err(Error::data(message).with_help("give it both, or neither where ids alone tell records apart"))
        }
    }
}

/// The place of a column that was named.
pub(super) fn place_of(source: &OpenSource, name: &str) -> Result<usize> {
    find(source, name).ok_or_else(|| {
        let names = source.schema().fields().iter().map(|field| field.name().as_str());
        let near = nearest(name, names).map_or(String::new(), |near| format!("did you mean `{near}`? "));
        Error::usage(format!("`{}` has no column `{name}`", source.name()))
            .with_help(format!("{near}its columns are {}", columns_of(source)))
    })
}

/// The first column of a name, spelt like this if there is one. One whose name is repeated is refused when it is read.
pub(super) fn find(source: &OpenSource, name: &str) -> Option<usize> {
    let fields = source.schema().fields();
    let spelt = fields.iter().position(|field| field.name() == name);
    spelt.or_else(|| fields.iter().position(|field| field.name().eq_ignore_ascii_case(name)))
}

/// The columns of a table, or the first of them where there are many.
pub(super) fn columns_of(source: &OpenSource) -> String {
    let fields = source.schema().fields();
    let names = fields.iter().take(MOST_NAMES).map(|field| format!("`{}`", field.name()));
    let more = fields.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    names.collect::<Vec<_>>().join(", ") + &more
}
