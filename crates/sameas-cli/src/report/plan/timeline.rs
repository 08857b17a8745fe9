//! When each operator of a run began and ended, as a table with a bar for each.

use sameas::record::{Operator, OperatorRecord};

use crate::text::{bytes, cut, names, table};

/// Characters of the longest bar.
const BAR: usize = 30;

/// Characters of the names of rules.
const NAMES: usize = 24;

/// The operators by their start; nothing where none ran.
pub fn timeline(operators: &[OperatorRecord]) -> Option<String> {
    let mut operators: Vec<&OperatorRecord> = operators.iter().collect();
    let order = |a: &OperatorRecord, b: &OperatorRecord| {
        // What a device does is a part of a join, and comes after it.
        let parts = a.device.is_some().cmp(&b.device.is_some());
        a.start.total_cmp(&b.start).then(parts).then(b.seconds.total_cmp(&a.seconds))
    };
    operators.sort_by(|a, b| order(a, b));
    let whole = operators.iter().map(|record| record.end()).fold(0.0, f64::max);
    let mut rows = vec![["Timeline, in seconds", "start", "end", "moved", ""].map(str::to_owned).to_vec()];
    rows.extend(operators.iter().map(|record| {
        let moved = record.bytes.map(bytes).unwrap_or_default();
        vec![
            operator_words(record),
            format!("{:.2}", record.start),
            format!("{:.2}", record.end()),
            moved,
            bar(record, whole),
        ]
    }));
    (!operators.is_empty()).then(|| table(&rows))
}

/// Where an operator lies in the whole run.
fn bar(record: &OperatorRecord, whole: f64) -> String {
    let at = |seconds: f64| if whole > 0.0 { (seconds / whole * BAR as f64).round() as usize } else { 0 };
    let (start, end) = (at(record.start).min(BAR - 1), at(record.end()).min(BAR));
    let filled = end.saturating_sub(start).max(1);
    format!("|{}{}{}|", " ".repeat(start), "=".repeat(filled), " ".repeat(BAR - start - filled))
}

fn operator_words(record: &OperatorRecord) -> String {
    let device = record.device.unwrap_or_default();
    match record.operator {
        Operator::Read => "   read".into(),
        Operator::Derive => "   derive columns".into(),
        Operator::Rank => "   rank for neighbours".into(),
        Operator::Encode => "   encode values".into(),
        Operator::Statistics => "   take statistics".into(),
        Operator::Plan => "   plan".into(),
        Operator::Device => "   start the GPU".into(),
        Operator::Tables => "   decide tables".into(),
        Operator::JoinAndVerify => format!("   join: {}", cut(&names(&record.rules, ", "), NAMES)),
        Operator::PrepareOnDevice => format!("      prepare on GPU {device}"),
        Operator::RunOnDevice => format!("      run on GPU {device}"),
        Operator::Sort => "   sort pairs, form clusters".into(),
        Operator::WritePairs => "   write pairs".into(),
        Operator::WriteClusters => "   write clusters".into(),
        Operator::WriteRecords => "   write records".into(),
        other => format!("   {other:?}"),
    }
}
