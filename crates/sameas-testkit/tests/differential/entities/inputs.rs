//! The inputs of a case: record batches, or files of Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use sameas_records::records::Input;
use sameas_testkit::entities::{EntityCase, EntityInput, PairSource, job_text};

use super::arrays::{array, field};

/// The inputs, whose files are written into a folder.
pub(super) fn inputs(case: &EntityCase, folder: &Path) -> Vec<Input> {
    case.inputs.iter().map(|input| input_of(input, folder)).collect()
}

fn input_of(input: &EntityInput, folder: &Path) -> Input {
    let schema: SchemaRef = Arc::new(Schema::new(
        input.columns.iter().map(|column| field(&column.name, &column.physical)).collect::<Vec<_>>(),
    ));
    let parts = parts(input, &schema);
    if !input.is_file {
        return Input::batches(&input.name, schema, parts).unwrap();
    }
    let path = |(at, part): (usize, &RecordBatch)| {
        // The name of the input is that of its first file.
        let name = if at == 0 { input.name.clone() } else { format!("more of {}", input.name) };
        let path = folder.join(format!("{name}.parquet"));
        let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), part.schema(), None).unwrap();
        writer.write(part).unwrap();
        writer.close().unwrap();
        path
    };
    Input::files(parts.iter().enumerate().map(path))
}

/// The records, cut where the case says.
fn parts(input: &EntityInput, schema: &SchemaRef) -> Vec<RecordBatch> {
    let ends = input.cuts.iter().copied().chain([input.rows()]);
    let mut start = 0;
    let part = |end: usize| {
        let rows = start..end;
        start = end;
        let columns = input.columns.iter().map(|column| array(&column.physical, &column.items[rows.clone()]));
        RecordBatch::try_new(Arc::clone(schema), columns.collect()).unwrap()
    };
    ends.map(part).collect()
}

/// The rules of a case; the pairs that they name are written into the folder.
pub(super) fn rule_text(case: &EntityCase, folder: &Path) -> String {
    if case.source == PairSource::Scored {
        std::fs::write(folder.join("scored.csv"), scored(case)).unwrap();
    }
    job_text(case)
}

/// The pairs with their scores; each side with its input where an id alone does not say it.
fn scored(case: &EntityCase) -> String {
    let rows = case.rows();
    let mut text = "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,score\n".to_owned();
    for pair in &case.pairs {
        let [l, r] = pair.rows.map(|row| {
            let (input, at) = rows[row];
            format!("{},{}", case.inputs[input].name, case.inputs[input].id_text(at))
        });
        text += &format!("{l},{r},{:?}\n", pair.score.unwrap_or(0.0));
    }
    if case.inputs.len() == 1 {
        text.replace("source_dataset_l,", "").replace("source_dataset_r,", "").replace("crm,", "")
    } else {
        text
    }
}
