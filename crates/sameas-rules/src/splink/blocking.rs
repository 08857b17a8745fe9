//! The blocking rules of Splink as rules: their pairs are the candidates that are scored.

use super::comparison::{JobFacts, RetainedColumns, check};
use super::dialect::SqlBackend;
use super::note::{NotExpressible, NoteList, shown};
use super::settings_json::BlockingJson;
use super::sql::{ColumnStyle, SqlTranslator};
use super::term::SqlTerm;

/// A blocking rule that is in the job.
#[derive(Clone, Debug)]
pub struct TakenRule {
    /// Its number in the settings from 0, which is the `match_key` of its pairs in Splink.
    pub name: String,
    pub text: String,
}

impl JobFacts {
    /// The rule that a blocking rule becomes, and the columns that it reads.
    pub fn rule(
        self,
        of: &BlockingJson,
        at: usize,
        notes: &mut NoteList,
        columns: &mut RetainedColumns,
    ) -> Option<TakenRule> {
        let (sql, dialect, exploded) = of.parts();
        let place = format!("blocking rule {at}");
        let backend = dialect.map_or(self.backend, |name| SqlBackend::named(Some(name)));
        let columns_of = ColumnStyle::Prefix { exploded };
        let mut translator = SqlTranslator { backend, columns: columns_of, place: &place, notes };
        let term = translator.condition(sql).and_then(|term| whole_lists(term, exploded, sql));
        match term.and_then(|term| check(&term.text()).map(|()| term)) {
            Ok(term) => {
                self.note_direction(&term, &place, notes);
                columns.add(&term);
                notes.others.look(&term, backend, &place);
                Some(TakenRule { name: at.to_string(), text: term.text() })
            }
            Err(why) => {
                notes.not_taken(&place, why);
                None
            }
        }
    }
}

/// A condition, unless it reads single elements of a list in another way than by their equality.
fn whole_lists(term: SqlTerm, exploded: &[String], sql: &str) -> Result<SqlTerm, NotExpressible> {
    fn has_element(term: &SqlTerm, exploded: &[String]) -> bool {
        match term {
            SqlTerm::Column(_, name) => exploded.contains(name),
            SqlTerm::Call("list_has_any", _) => false,
            other => other.parts().into_iter().any(|part| has_element(part, exploded)),
        }
    }
    if !has_element(&term, exploded) {
        return Ok(term);
    }
    let what = format!("`{}` reads single elements of a list in another way than by their equality", shown(sql));
    Err(NotExpressible::new(what, "block on equal elements, or give each element a record"))
}
