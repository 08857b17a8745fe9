//! Some records of a run with all that can be shown of them. Only these are derived; nothing is encoded.

use super::asked_records::AskedRecords;
use super::inspected_columns::InspectedColumn;
use super::inspected_inputs::{InspectedInputs, InspectedRun};
use crate::dataset::RecordLayout;
use crate::error::Result;
use crate::observer::Progress;
use crate::records::Frame;

/// Records of a run with their values.
pub struct ShownRecords {
    /// Frames of these records, and of others perhaps.
    pub(super) frames: Vec<Frame>,
    /// The frame and the row of each record.
    pub(super) places: Vec<(usize, u32)>,
    /// The input of each.
    pub(super) inputs: Vec<usize>,
    /// Their columns.
    pub columns: Vec<InspectedColumn>,
}

impl ShownRecords {
    /// Records of a run by their numbers among those of all inputs, ascending; and all of them, for more questions.
    pub fn open(run: InspectedRun<'_>, records: &[u32], progress: Progress<'_>) -> Result<(Self, AskedRecords)> {
        let read = |inputs: InspectedInputs| Ok((Self::read(&inputs, records, progress)?, inputs.records));
        InspectedInputs::open(run, progress)?.used(run, progress, read)
    }

    fn read(inputs: &InspectedInputs, records: &[u32], progress: Progress<'_>) -> Result<Self> {
        let whole_records = inputs.has_all_columns();
        let InspectedInputs { records: AskedRecords { dataset, rules, .. }, budget, columns, .. } = inputs;
        let part = dataset.subset(records)?;
        let frames = part.shown_frames(rules, whole_records, progress, progress.cancel().within(budget))?;
        let places = (0..records.len() as u32).map(|record| part.layout().place(record)).collect();
        let inputs = input_of_each(dataset.layout(), records);
        Ok(Self { frames, places, inputs, columns: columns.clone() })
    }

    /// The value of a column of a record as text; nothing where it is missing.
    pub fn value(&self, record: usize, column: &InspectedColumn) -> Option<String> {
        let key = column.keys[self.inputs[record]].as_ref()?;
        let (frame, row) = self.places[record];
        self.frames[frame].value(row, key).shown(0)
    }
}

/// The input that each record is from.
pub fn input_of_each(layout: &RecordLayout, records: &[u32]) -> Vec<usize> {
    let borders = layout.borders();
    records.iter().map(|record| borders.partition_point(|border| border <= record)).collect()
}
