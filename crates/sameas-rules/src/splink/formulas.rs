//! Long formulas that Splink writes out, and that are one function here.

use sqlparser::ast::{BinaryOperator, Expr};

use super::sql::{SqlTranslator, Translated};
use super::term::SqlTerm;

impl SqlTranslator<'_> {
    /// The distance of two places, or the cosine of two vectors in Spark.
    pub(super) fn known_formula(&mut self, expr: &Expr) -> Option<Translated> {
        match expr {
            Expr::Cast { .. } => self.great_circle(expr),
            Expr::BinaryOp { op: BinaryOperator::Divide, .. } => self.cosine(expr),
            _ => None,
        }
    }

    fn great_circle(&mut self, expr: &Expr) -> Option<Translated> {
        let text = expr.to_string();
        let angles = arguments_of(&text, "radians(");
        let [lat_l, lat_r, _, _, longitudes, ..] = &angles[..] else { return None };
        let Expr::BinaryOp { left: long_r, op: BinaryOperator::Minus, right: long_l } =
            self.backend.parse(longitudes).ok()?
        else {
            return None;
        };
        self.is_written(&distance_formula([lat_l, lat_r, &long_l.to_string(), &long_r.to_string()]), &text)?;
        let what = "kilometres are counted on a sphere of radius 6371.0088 km in sameas, and of 6371 km in Splink";
        self.note(what, "no change is needed: a kilometre differs by 1.4 mm");
        let mut places = Vec::new();
        for part in [lat_l.as_str(), &long_l.to_string(), lat_r, &long_r.to_string()] {
            match self.backend.parse(part).and_then(|part| self.term(&part)) {
                Ok(term) => places.push(term),
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(SqlTerm::Call("haversine_km", places)))
    }

    fn cosine(&mut self, expr: &Expr) -> Option<Translated> {
        let text = expr.to_string();
        let (inside, _) = text.strip_prefix("(aggregate(zip_with(")?.split_once(", (x, y)")?;
        // A comma between two vectors; each may have commas of its own.
        let vectors = inside.match_indices(", ").find_map(|(at, comma)| {
            let (a, b) = (&inside[..at], &inside[at + comma.len()..]);
            self.is_written(&cosine_formula(a, b), &text).map(|()| [a, b])
        })?;
        let mut terms = Vec::new();
        for vector in vectors {
            match self.backend.parse(vector).and_then(|vector| self.term(&vector)) {
                Ok(term) => terms.push(term),
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(SqlTerm::Call("cosine_similarity", terms)))
    }

    /// Whether a formula is what a text is, blanks and cases aside.
    fn is_written(&self, formula: &str, text: &str) -> Option<()> {
        let wanted = self.backend.parse(formula).ok()?.to_string();
        (wanted.to_lowercase() == text.to_lowercase()).then_some(())
    }
}

/// What stands between the parentheses of each call of a function, in the order of the calls.
fn arguments_of(text: &str, call: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let argument = |start: usize| {
        let mut depth = 1;
        let end = text[start..].find(|c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        })?;
        Some(text[start..start + end].to_owned())
    };
    lower.match_indices(call).filter_map(|(at, _)| argument(at + call.len())).collect()
}

/// The law of cosines on a sphere, kept between -1 and 1.
fn distance_formula([lat_l, lat_r, long_l, long_r]: [&str; 4]) -> String {
    let cosine = format!(
        "(sin(radians({lat_l})) * sin(radians({lat_r})) \
         + cos(radians({lat_l})) * cos(radians({lat_r})) * cos(radians({long_r} - {long_l})))"
    );
    format!("cast(acos(case when {cosine} > 1 then 1 when {cosine} < -1 then -1 else {cosine} end) * 6371 as float)")
}

/// The product of two vectors by the product of their lengths.
fn cosine_formula(a: &str, b: &str) -> String {
    let sum = "CAST(0.0 AS DOUBLE), (acc, x) -> acc + x";
    let length = |of: &str| format!("(sqrt(aggregate(transform({of}, x -> x * x), {sum})))");
    format!("(aggregate(zip_with({a}, {b}, (x, y) -> x * y), {sum})) / (nullif({} * {}, 0.0))", length(a), length(b))
}
