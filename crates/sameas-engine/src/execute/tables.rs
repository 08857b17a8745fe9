//! Predicates that are decided once for all distinct values, before a plan runs that reads them.

use std::time::Instant;

use super::machine::Machine;
use crate::observer::{Progress, Stage};
use crate::plan::TablePlan;
use crate::rules::RuleSet;
use crate::timeline::{Operator, OperatorRecord};
use crate::verify::{Program, verdict_table};

/// The tables of a plan that were made.
pub struct MadeTables {
    /// Seconds that each took.
    pub seconds: Vec<f64>,
    /// All of them together.
    pub operator: OperatorRecord,
}

/// Makes the tables of a plan, where nobody has made them.
pub fn make_tables(
    tables: &[TablePlan],
    program: &Program,
    rules: &RuleSet,
    machine: &Machine,
    progress: Progress<'_>,
) -> MadeTables {
    let (all, memory) = (Instant::now(), machine.memory.join);
    let make = |table: &TablePlan| {
        let (begun, predicate) = (Instant::now(), rules.predicates[table.predicate].text.clone());
        progress.begin(&Stage::DecidingTable { predicate }, None);
        program.tables[table.predicate]
            .get_or_init(|| verdict_table(program, table.predicate, memory, progress.cancel()));
        begun.elapsed().as_secs_f64()
    };
    let (seconds, rows) = (tables.iter().map(make).collect(), tables.len() as u64);
    MadeTables { seconds, operator: machine.since(all, Operator::Tables).with_rows([rows, rows]) }
}
