//! What is asked: a program and the files of its relations.

use std::collections::HashSet;

use super::program::RelateProgram;
use crate::error::{Error, Result};
use crate::records::Input;
use crate::rules::nearest;

/// A program and the inputs of its relations, for `Session::relate`.
#[derive(Clone, Debug)]
pub struct RelateJob {
    pub(super) program: RelateProgram,
    /// The places of relations in the program, with their inputs.
    pub(super) inputs: Vec<(usize, Input)>,
    /// The same places.
    given: HashSet<usize>,
}

impl RelateJob {
    /// A program whose inputs are to be named.
    pub fn new(program: RelateProgram) -> Self {
        Self { program, inputs: Vec::new(), given: HashSet::new() }
    }

    /// The same with an input for a relation: its first columns are those of the relation, in their order.
    pub fn with_input(mut self, relation: &str, input: Input) -> Result<Self> {
        let core = &self.program.checked().core;
        let Some(place) = core.find(relation) else {
            let error = Error::usage(format!("the program has no relation `{relation}`"));
            return Err(match nearest(relation, core.names()) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error.with_help("an input has the name of a relation that the program declares"),
            });
        };
        if !self.given.insert(place) {
            let error = Error::usage(format!("relation `{relation}` has two inputs"));
            return Err(error.with_help("several files go into one input"));
        }
        self.inputs.push((place, input));
        Ok(self)
    }

    /// The program.
    pub fn program(&self) -> &RelateProgram {
        &self.program
    }

    /// The inputs, to protect their files from being replaced.
    pub fn inputs(&self) -> Vec<Input> {
        self.inputs.iter().map(|(_, input)| input.clone()).collect()
    }

    /// The relations that have inputs.
    pub(super) fn input_places(&self) -> Vec<usize> {
        self.inputs.iter().map(|(place, _)| *place).collect()
    }

    /// Refuses a job in which a relation of `.input` has no input.
    pub(super) fn check_inputs(&self) -> Result<()> {
        let core = &self.program.checked().core;
        let missing = core.inputs.iter().find(|place| !self.given.contains(*place));
        missing.map_or(Ok(()), |place| {
            let name = &core.relations[*place].name;
            Err(Error::usage(format!("no input is given for relation `{name}`"))
                .with_help(format!("name its file, as in `{name}=FILE`, or remove `.input {name}` from the program")))
        })
    }
}
