//! A case as the files a user would write: the rule file and the model as TOML, tables as JSON lines or CSV.

use super::{Case, Cell, Compare, Derive, Job, JobKind, Level, LevelShares, Row, Scoring, Table, Threshold};
use super::{source_name, sql};
use std::fmt::Write as _;

/// The rule file of a job over this number of tables.
pub fn job_toml(job: &Job, tables: usize) -> String {
    let kind = match job.kind {
        JobKind::Dedupe => "dedupe_only",
        JobKind::Link => "link_only",
        JobKind::LinkAndDedupe => "link_and_dedupe",
    };
    let mut text = format!("link_type = \"{kind}\"\nunique_id = \"id\"\n");
    for table in [None].into_iter().chain((0..tables).map(Some)) {
        let derives: Vec<&Derive> = job.derives.iter().filter(|derive| derive.table == table).collect();
        if !derives.is_empty() {
            let of = table.map_or(String::new(), |table| source_name(table, tables));
            let of = if of.contains(' ') {
                format!(".{}", quoted(&of))
            } else {
                table.map_or(of.clone(), |_| format!(".{of}"))
            };
            let _ = writeln!(text, "\n[derive{of}]");
        }
        for derive in derives {
            let _ = writeln!(text, "{} = {}", derive.name, quoted(&sql(&derive.expr)));
        }
    }
    for rule in &job.rules {
        text += "\n[[rule]]\n";
        if let Some(name) = &rule.name {
            let _ = writeln!(text, "name = {}", quoted(name));
        }
        let _ = writeln!(text, "when = {}", quoted(&sql(&rule.when)));
        if rule.is_certain {
            text += "certain = true\n";
        }
    }
    for never in &job.nevers {
        let _ = writeln!(text, "\n[[never]]\nwhen = {}", quoted(&sql(never)));
    }
    if let Some(scoring) = &job.scoring {
        scoring.comparisons.iter().for_each(|compare| write_compare(&mut text, compare));
        write_score(&mut text, scoring);
    }
    text
}

fn write_compare(text: &mut String, compare: &Compare) {
    *text += "\n[[compare]]\n";
    if let Some(name) = &compare.name {
        let _ = writeln!(text, "name = {}", quoted(name));
    }
    let levels: Vec<String> = compare.levels.iter().map(|level| quoted(&sql(&level.when))).collect();
    let _ = writeln!(text, "levels = [{}]", levels.join(", "));
    if let Some(of) = &compare.term_frequency {
        let _ = writeln!(text, "term_frequency = {}", quoted(&of.column));
    }
    if let Some((name, _)) = compare.frequency_file() {
        let _ = writeln!(text, "term_frequencies = {}", quoted(&name));
    }
}

fn write_score(text: &mut String, scoring: &Scoring) {
    let _ = writeln!(text, "\n[score]\nlevels = {}", scoring.with_levels);
    let _ = match scoring.threshold {
        Threshold::Even => Ok(()),
        Threshold::Weight(bits) => writeln!(text, "threshold_weight = {bits:?}"),
        Threshold::Probability(probability) => writeln!(text, "threshold = {probability:?}"),
    };
}

/// The file of the model.
pub fn model_toml(scoring: &Scoring) -> String {
    let mut text = format!("prior = {:?}\n", scoring.prior);
    for (at, compare) in scoring.comparisons.iter().enumerate() {
        let _ = writeln!(text, "\n[[comparison]]\nname = {}", quoted(&scoring.name(at)));
        let (weight, minimum) = compare.term_frequency.as_ref().map_or((None, None), |of| (of.weight, of.minimum));
        for (key, value) in [("term_frequency_weight", weight), ("term_frequency_minimum", minimum)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {value:?}");
            }
        }
        for level in &compare.levels {
            let _ = writeln!(text, "\n[[comparison.level]]\nwhen = {}", quoted(&Level::text(level)));
            write_shares(&mut text, level.shares);
        }
        text += "\n[comparison.else]\n";
        write_shares(&mut text, compare.otherwise);
    }
    text
}

fn write_shares(text: &mut String, LevelShares { m, u }: LevelShares) {
    let _ = writeln!(text, "m = {m:?}\nu = {u:?}");
}

/// The table as JSON lines, the id first; a null is written out, so that every line has every column.
pub fn json_lines(table: &Table) -> String {
    let mut text = String::new();
    for row in &table.rows {
        let _ = write!(text, "{{\"id\":{}", quoted(&row.id));
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            let _ = write!(text, ",{}:{}", quoted(&column.name), cell.as_ref().map_or("null".to_owned(), json_cell));
        }
        text += "}\n";
    }
    text
}

/// The table as CSV, for tables without lists (`None` if there are some). The header is written even without rows.
pub fn csv(table: &Table) -> Option<String> {
    if table.columns.iter().any(|column| column.kind.is_list()) {
        return None;
    }
    let mut text = "id".to_owned();
    for column in &table.columns {
        let _ = write!(text, ",{}", column.name);
    }
    text.push('\n');
    for row in &table.rows {
        text += &csv_line(row);
    }
    Some(text)
}

fn csv_line(row: &Row) -> String {
    let mut line = row.id.clone();
    for cell in &row.cells {
        line.push(',');
        match cell {
            Some(Cell::Text(text)) => line += &format!("\"{}\"", text.replace('"', "\"\"")),
            Some(cell) => line += &json_cell(cell),
            None => {}
        }
    }
    line + "\n"
}

fn json_cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => quoted(text),
        Cell::Int(value) => value.to_string(),
        Cell::Float(value) => format!("{value:?}"),
        Cell::NumberList(values) => format!("{values:?}"),
        Cell::Unsigned(value) => value.to_string(),
        Cell::Decimal(text) => text.clone(),
        Cell::Integers(values) => format!("{values:?}"),
        Cell::TextList(values) => {
            let items = values.iter().map(|value| value.as_ref().map_or("null".to_owned(), |text| quoted(text)));
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
    }
}

/// A string in double quotes with escapes that JSON and TOML read the same way.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

impl std::fmt::Display for Case {
    /// The rule file and the tables, as a failed test prints them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}", job_toml(&self.job, self.tables.len()))?;
        if let Some(scoring) = &self.job.scoring {
            writeln!(f, "# the model\n{}", model_toml(scoring))?;
        }
        for (name, content) in self.lists() {
            writeln!(f, "# {name}\n{content}")?;
        }
        for (name, content) in self.frequency_files() {
            writeln!(f, "# {name}\n{content}")?;
        }
        for (at, table) in self.tables.iter().enumerate() {
            writeln!(f, "# table {at}, {} rows\n{}", table.rows.len(), json_lines(table))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Column, Expr, FrequencyTable, Kind, Op, Rule, TermFrequency};

    #[test]
    fn a_rule_file() {
        let job = Job {
            kind: JobKind::Link,
            derives: vec![Derive { name: "k".into(), table: Some(0), expr: Expr::unary(Op::Lower, Expr::own("a")) }],
            rules: vec![Rule::new(Expr::binary(Op::Equal, Expr::l("k"), Expr::text("\"x\"")))],
            nevers: vec![Expr::unary(Op::IsNull, Expr::r("a"))],
            scoring: None,
        };
        let text = job_toml(&job, 2);
        assert!(text.contains("[derive.left]\nk = \"lower(a)\"\n"), "{text}");
        assert!(job_toml(&job, 3).contains("[derive.\"table 1\"]\nk = \"lower(a)\"\n"));
        assert!(text.contains("[[rule]]\nwhen = \"l.k = '\\\"x\\\"'\"\n"), "{text}");
        assert!(text.ends_with("[[never]]\nwhen = \"r.a is null\"\n"), "{text}");
    }

    #[test]
    fn comparisons_and_their_model() {
        let shares = |m, u| LevelShares { m, u };
        let equal = Expr::binary(Op::Equal, Expr::l("a"), Expr::r("a"));
        let levels = vec![Level { when: equal, shares: shares(0.9, 0.25) }];
        let of = TermFrequency { column: "a".into(), weight: Some(0.5), minimum: None, given: None };
        let compare = Compare { name: None, levels, otherwise: shares(0.1, 0.75), term_frequency: Some(of) };
        let threshold = Threshold::Weight(-3.0);
        let scoring = Scoring { comparisons: vec![compare], prior: 1e-7, threshold, with_levels: true };
        let model = "prior = 1e-7\n\n[[comparison]]\nname = \"compare_1\"\nterm_frequency_weight = 0.5\n\n\
            [[comparison.level]]\nwhen = \"l.a = r.a\"\nm = 0.9\nu = 0.25\n\n[comparison.else]\nm = 0.1\nu = 0.75\n";
        assert_eq!(model_toml(&scoring), model);
        let (kind, rules, nevers) = (JobKind::Dedupe, vec![], vec![]);
        let text = job_toml(&Job { kind, derives: vec![], rules, nevers, scoring: Some(scoring) }, 1);
        let end = "\n[[compare]]\nlevels = [\"l.a = r.a\"]\nterm_frequency = \"a\"\n\n\
            [score]\nlevels = true\nthreshold_weight = -3.0\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn frequencies_are_a_file() {
        let rows = vec![("x \"y\"".to_owned(), 0.25), ("z".to_owned(), 1.0)];
        let mut table = FrequencyTable { rows, are_counts: false, is_of_splink: false };
        assert_eq!(table.csv("a"), "frequency,value\n0.25,\"x \"\"y\"\"\"\n1.0,\"z\"\n");
        table.is_of_splink = true;
        assert!(table.csv("a").starts_with("tf_a,a\n"));
        table.are_counts = true;
        assert!(table.csv("a").ends_with("\n1,\"z\"\n"));
    }

    #[test]
    fn tables_as_text() {
        let mut table = Table::of_texts(&["a"], &[&[Some("x\t\"y\"")], &[None]]);
        assert_eq!(csv(&table).unwrap(), "id,a\nx0,\"x\t\"\"y\"\"\"\nx1,\n");
        table.columns.push(Column { name: "v".into(), kind: Kind::NumberList });
        table.rows[0].cells.push(Some(Cell::NumberList(vec![1.0, -0.5])));
        table.rows[1].cells.push(Some(Cell::TextList(vec![None, Some("t".into())])));
        let lines = "{\"id\":\"x0\",\"a\":\"x\\u0009\\\"y\\\"\",\"v\":[1.0, -0.5]}\n{\"id\":\"x1\",\"a\":null,\"v\":[null,\"t\"]}\n";
        assert_eq!(json_lines(&table), lines);
        assert!(csv(&table).is_none());
    }
}
