//! A case as the files a user would write: the rule file as TOML, tables as JSON lines or CSV.

use super::{Case, Cell, Derive, Job, JobKind, Row, Table, source_name, sql};
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
    }
    for never in &job.nevers {
        let _ = writeln!(text, "\n[[never]]\nwhen = {}", quoted(&sql(never)));
    }
    text
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
        for (name, content) in self.lists() {
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
    use crate::case::{Column, Expr, Kind, Op, Rule};

    #[test]
    fn a_rule_file() {
        let job = Job {
            kind: JobKind::Link,
            derives: vec![Derive { name: "k".into(), table: Some(0), expr: Expr::unary(Op::Lower, Expr::own("a")) }],
            rules: vec![Rule { name: None, when: Expr::binary(Op::Equal, Expr::l("k"), Expr::text("\"x\"")) }],
            nevers: vec![Expr::unary(Op::IsNull, Expr::r("a"))],
        };
        let text = job_toml(&job, 2);
        assert!(text.contains("[derive.left]\nk = \"lower(a)\"\n"), "{text}");
        assert!(job_toml(&job, 3).contains("[derive.\"table 1\"]\nk = \"lower(a)\"\n"));
        assert!(text.contains("[[rule]]\nwhen = \"l.k = '\\\"x\\\"'\"\n"), "{text}");
        assert!(text.ends_with("[[never]]\nwhen = \"r.a is null\"\n"), "{text}");
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
