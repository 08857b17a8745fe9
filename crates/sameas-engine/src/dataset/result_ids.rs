//! What results call the records of a dataset: the ids of its inputs, made one column where there are several, once for all jobs.

use super::dataset_input::DatasetInput;
use super::shared::Dataset;
use crate::error::Result;
use crate::records::{RecordNames, RowIds};

/// The ids of records, as results have them.
#[derive(Clone, Debug)]
pub struct ResultIds {
    /// Those of left and right rows. Where both may be of either input, they say which.
    pub pairs: [RowIds; 2],
    /// Those of all records, of several inputs with the input's name.
    pub all: RowIds,
}

impl ResultIds {
    fn new(inputs: &[DatasetInput], has_two_sides: bool) -> Result<Self> {
        let ids: Vec<RowIds> = inputs.iter().map(|input| input.ids.clone()).collect();
        let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
        let ids = RowIds::unify(&ids)?;
        let all = match &ids[..] {
            [only] => only.clone(),
            several => RowIds::join(several, &names)?,
        };
        let pairs = match &ids[..] {
            [left, right] if has_two_sides => [left.clone(), right.clone()],
            _ => [all.clone(), all.clone()],
        };
        Ok(Self { pairs, all })
    }

    /// Memory of what they do not share with the ids of the inputs.
    pub fn bytes_beside(&self, inputs: &[DatasetInput]) -> usize {
        let are_shared = inputs.iter().all(|input| input.ids.data_type() == self.all.data_type());
        if are_shared { 0 } else { self.all.bytes() }
    }
}

impl Dataset {
    /// What results call its records. Ids of different types are converted once.
    pub(crate) fn result_ids(&self) -> Result<ResultIds> {
        if let Some(known) = &*self.known_ids() {
            return Ok(known.clone());
        }
        let made = ResultIds::new(self.inputs(), self.layout().has_two_sides())?;
        Ok(self.known_ids().get_or_insert(made).clone())
    }

    /// What tables of pairs call its records.
    pub(crate) fn record_names(&self) -> RecordNames {
        RecordNames {
            ids: self.inputs().iter().map(|input| input.ids.clone()).collect(),
            names: self.inputs().iter().map(|input| input.name.clone()).collect(),
            link_type: self.layout().link_type(),
            has_two_sides: self.layout().has_two_sides(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};

    use super::*;
    use crate::dataset::Keep;
    use crate::job::Job;
    use crate::memory::MemoryBudget;
    use crate::observer::Progress;
    use crate::records::Input;

    fn input(name: &str, ids: ArrayRef) -> Input {
        let names: ArrayRef = Arc::new(StringArray::from(vec!["n"; ids.len()]));
        let batch = RecordBatch::try_from_iter([("id", ids), ("name", names)]).unwrap();
        Input::batches(name, batch.schema(), vec![batch]).unwrap()
    }

    fn texts(ids: &RowIds) -> Vec<String> {
        (0..ids.len()).map(|row| ids.text(row)).collect()
    }

    #[test]
    fn ids_of_several_inputs_have_one_type_and_are_converted_once() {
        let numbers = || input("a", Arc::new(Int64Array::from(vec![1, 2])));
        let words = || input("b", Arc::new(StringArray::from(vec!["x"])));
        let is_cancelled = || false;
        let opened = |job: Job| {
            let (budget, job) = (MemoryBudget::unlimited(), job.with_rule("l.name = r.name"));
            Dataset::open(&job, Keep::Always, &budget, Progress::new(&(), &is_cancelled)).unwrap().0
        };
        for job in [Job::link(words(), numbers()), Job::link_and_dedupe(words(), numbers())] {
            let dataset = opened(job);
            let [first, again] = [0, 1].map(|_| dataset.result_ids().unwrap());
            assert_eq!(texts(&first.all), ["x", "1", "2"]);
            let of_right = if dataset.layout().has_two_sides() { &["1", "2"][..] } else { &["x", "1", "2"] };
            assert_eq!(texts(&first.pairs[1]), of_right);
            assert!(first.pairs[1].is_shared(&again.pairs[1]) && first.all.is_shared(&again.all));
            assert!(first.bytes_beside(dataset.inputs()) > 0);
        }
        let alone = opened(Job::dedupe(numbers())).result_ids().unwrap();
        assert_eq!((texts(&alone.all), alone.all.has_sources()), (vec!["1".to_owned(), "2".to_owned()], false));
    }
}
