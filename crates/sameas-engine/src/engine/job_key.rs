//! What the checkpoint of a job is found by.

use super::bound_job::BoundJob;
use crate::dataset::InputRecord;
use crate::error::Result;
use crate::job::{InputKey, JobKey, JobSpec, ReadByJob};

/// The key of a job whose inputs and scores have been read.
pub(super) fn key_of(BoundJob { job, dataset, rules, inputs, scores, .. }: &BoundJob) -> Result<JobKey> {
    let input =
        |input: &InputRecord| InputKey { name: input.name.clone(), rows: input.rows, xxh128: input.xxh128.clone() };
    let read = ReadByJob {
        inputs: inputs.iter().map(input).collect(),
        ids: dataset.inputs().iter().map(|input| input.id_column.clone()).collect(),
        lists: rules.set().lists.iter().map(|list| (list.path().into(), list.xxh128().into())).collect(),
        score: scores.key(job),
        term_frequencies: scores.frequency_key(),
    };
    JobKey::new(&JobSpec::new(job), read)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};

    use super::*;
    use crate::device::DeviceChoice;
    use crate::engine::bound_job::{OpenedJob, RecordsOfJob};
    use crate::job::{Job, StartOverReason};
    use crate::observer::Progress;
    use crate::records::Input;
    use crate::settings::Settings;

    /// The key of a dedupe of these records.
    fn key_of_people(input: Input, id: &str) -> JobKey {
        let job = Job::dedupe(input).with_rule("l.x = r.x").with_id(id).with_null_ids_skipped();
        let settings = Settings { device: DeviceChoice::Cpu, ..Settings::default() };
        let is_cancelled = || false;
        let (records, progress) = (RecordsOfJob::at_hand_or_read(None), Progress::new(&(), &is_cancelled));
        let opened = OpenedJob::open(&job, records, &settings, progress).unwrap();
        key_of(&opened.bound).unwrap()
    }

    #[test]
    fn how_records_are_read_is_part_of_the_job() {
        let text = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
        let columns = [("id", text(["1", "2", "-"])), ("no", text(["1", "2", "3"])), ("x", text(["a", "-", "b"]))];
        let people = RecordBatch::try_from_iter(columns).unwrap();
        let input = Input::batches("people", people.schema(), vec![people]).unwrap();
        let plain = key_of_people(input.clone(), "id");
        assert_eq!(plain.check(&key_of_people(input.clone(), "id")), Ok(()));
        let changed = Err(StartOverReason::Input { name: "people".into() });
        let with_nulls = key_of_people(input.clone().with_null_texts(["-"]), "id");
        assert_eq!(plain.check(&with_nulls), changed);
        assert_eq!((plain.inputs[0].rows, with_nulls.inputs[0].rows), (3, 2));
        // Texts that no record has change nothing.
        assert_eq!(plain.check(&key_of_people(input.clone().with_null_texts(["NULL"]), "id")), Ok(()));
        assert_eq!(plain.check(&key_of_people(input, "no")), Err(StartOverReason::Rules));
    }
}
