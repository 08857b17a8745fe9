//! Whether a condition means the same when the two records change places.

use super::term::SqlTerm;
use crate::expr::Side;
use crate::measure::{SetMeasure, TextMeasure};

/// Functions whose arguments may change places, besides measures that say so themselves.
const SYMMETRIC: [&str; 4] = ["list_has_any", "cosine_similarity", "least", "greatest"];

/// Whether the arguments of a function may change places.
fn has_symmetric_arguments(name: &str) -> bool {
    let texts = TextMeasure::ALL.iter().map(|measure| measure.facts());
    let mut measures = texts.chain(SetMeasure::ALL.iter().map(|measure| measure.facts()));
    SYMMETRIC.contains(&name) || measures.any(|facts| facts.is_symmetric && facts.words.name == name)
}

/// Whether it does. What cannot be seen to do so is taken not to.
pub fn is_symmetric(condition: &SqlTerm) -> bool {
    canonical(condition, false) == canonical(condition, true)
}

/// One text for all ways to write the same condition, with the records exchanged or not.
fn canonical(term: &SqlTerm, exchanged: bool) -> String {
    let of = |term: &SqlTerm| canonical(term, exchanged);
    match term {
        SqlTerm::Column(side, name) => {
            let is_left = (*side == Side::Left) != exchanged;
            format!("{}.{name:?}", if is_left { "l" } else { "r" })
        }
        SqlTerm::Literal(text) => text.clone(),
        SqlTerm::Infix(operator, operands) => {
            let mut texts = [of(&operands[0]), of(&operands[1])];
            let operator = match *operator {
                ">" | ">=" => {
                    texts.reverse();
                    operator.replace('>', "<")
                }
                operator => operator.to_owned(),
            };
            if ["=", "<>", "+", "*", "is distinct from", "is not distinct from"].contains(&operator.as_str()) {
                texts.sort();
            }
            format!("({} {operator} {})", texts[0], texts[1])
        }
        SqlTerm::Call("abs", args) => match &args[..] {
            [SqlTerm::Infix("-", operands)] => sorted("distance", operands.iter().map(of).collect()),
            [SqlTerm::Call("date_diff_days", dates)] => sorted("days", dates.iter().map(of).collect()),
            args => format!("abs({})", args.iter().map(of).collect::<String>()),
        },
        SqlTerm::Call("haversine_km", args) => {
            sorted("haversine_km", args.chunks(2).map(|place| place.iter().map(of).collect()).collect())
        }
        SqlTerm::Call(name, args) if has_symmetric_arguments(name) => sorted(name, args.iter().map(of).collect()),
        SqlTerm::And(parts) => sorted("and", parts.iter().map(of).collect()),
        SqlTerm::Or(parts) => sorted("or", parts.iter().map(of).collect()),
        other => {
            let parts: Vec<String> = other.parts().into_iter().map(of).collect();
            format!("{}({})", kind(other), parts.join(", "))
        }
    }
}

fn sorted(name: &str, mut parts: Vec<String>) -> String {
    parts.sort();
    format!("{name}[{}]", parts.join(", "))
}

/// What distinguishes expressions of the same parts.
fn kind(term: &SqlTerm) -> String {
    match term {
        SqlTerm::Call(name, _) | SqlTerm::Like(name, _) | SqlTerm::Test(_, name) | SqlTerm::Cast(_, name) => {
            (*name).to_owned()
        }
        SqlTerm::Not(_) => "not".to_owned(),
        SqlTerm::In(..) => "in".to_owned(),
        SqlTerm::Case(whens, otherwise) => format!("case {} {}", whens.len(), otherwise.is_some()),
        _ => "seconds".to_owned(),
    }
}
