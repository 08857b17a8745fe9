//! Values that conditions see in another way than Splink's backends do: letters that are several bytes, and empty texts in
//! lists.
//!
//! Settings do not say which values there are. So every comparison and blocking rule that such values could concern is named,
//! all of them in one note.

use super::dialect::SqlBackend;
use super::note::NoteList;
use super::term::SqlTerm;

/// Measures that count bytes in DuckDB.
const OF_BYTES: [&str; 5] = ["levenshtein", "damerau_levenshtein", "jaro", "jaro_winkler", "jaccard"];

/// Functions of the elements of lists.
const OF_ELEMENTS: [&str; 4] = ["array_length", "overlap", "overlap_coefficient", "list_has_any"];

/// The places of such conditions.
#[derive(Debug, Default)]
pub struct OtherValues {
    bytes: Vec<String>,
    elements: Vec<String>,
}

impl OtherValues {
    /// Looks at a condition of the job.
    pub fn look(&mut self, condition: &SqlTerm, backend: SqlBackend, place: &str) {
        condition.walk(&mut |part| {
            let SqlTerm::Call(name, _) = part else { return };
            if backend == SqlBackend::DuckDb && OF_BYTES.contains(name) {
                add(&mut self.bytes, place);
            }
            if OF_ELEMENTS.contains(name) {
                add(&mut self.elements, place);
            }
        });
    }

    /// Says what was seen.
    pub fn note(&self, notes: &mut NoteList) {
        if !self.bytes.is_empty() {
            let what = "measures count characters in sameas and bytes in DuckDB, where a letter such as é has two";
            notes.differs(&self.bytes.join(", "), what, "expect other levels for some values with such letters");
        }
        if !self.elements.is_empty() {
            let what = "an empty text in a list counts as an element in Splink, but not in sameas";
            notes.differs(&self.elements.join(", "), what, "no change is needed where lists have no empty texts");
        }
    }
}

fn add(places: &mut Vec<String>, place: &str) {
    if !places.iter().any(|known| known == place) {
        places.push(place.to_owned());
    }
}
