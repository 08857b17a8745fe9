//! From rules and records to a program: what rules derive is computed, what the checks read is encoded, and conditions on one
//! record are answered. What is known of the records already is taken as it is.

use super::findings::{AskedFindings, InputFindings};
use super::needed_columns::NeededColumns;
use super::program_parts::{EncodedFrames, ProgramParts};
use super::shared::Dataset;
use super::values_of_all::{AskedOperands, ValuesOfAll};
use crate::cancel::Cancel;
use crate::error::Result;
use crate::expr::Expr;
use crate::observer::Progress;
use crate::records::Frame;
use crate::rules::RuleSet;
use crate::timeline::Timeline;
use crate::verify::{Program, RuleProgram};

/// What is asked of a dataset.
#[derive(Clone, Copy)]
pub struct BindingRequest<'a> {
    /// The rules.
    pub rules: &'a RuleSet,
    /// Their program, or that of the same rules simplified.
    pub program: &'a RuleProgram,
    /// Whether it is asked, too, what of the records rules cannot read.
    pub with_findings: bool,
    /// Whether values that comparisons weigh by their frequency are counted among all records, where these are a part of them.
    pub with_counts: bool,
}

/// The records of a dataset on their way to a program, with what rules derive of them as far as it is needed.
pub struct Binding<'a> {
    dataset: &'a Dataset,
    parts: ProgramParts<'a>,
    findings: AskedFindings<'a>,
    values: Vec<ValuesOfAll<'a>>,
    frames: Vec<Frame>,
}

impl Dataset {
    /// Looks for what is known of the records, and derives of them what the rest needs. `steps` learns how long that took.
    #[doc(hidden)]
    pub fn derive<'a>(
        &'a self,
        request: BindingRequest<'a>,
        steps: &mut Timeline,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Binding<'a>> {
        let BindingRequest { rules, program, with_findings, with_counts } = request;
        let parts = ProgramParts::known(self, rules, program);
        let findings = match with_findings {
            true => AskedFindings::new(rules, &parts.keys, self.layout(), &self.facts()),
            false => AskedFindings::none(),
        };
        let missing: Vec<(usize, &Expr)> = parts.missing().chain(findings.missing()).collect();
        let frames = match missing.is_empty() {
            true => Vec::new(),
            false => {
                let needed = NeededColumns::of_exprs(missing.into_iter(), rules, self.layout(), self.inputs());
                self.frames_of(&needed, &parts.keys, steps, progress, cancel)?
            }
        };
        let values = match with_counts {
            true => self.values_of_all(AskedOperands { rules, program, keys: &parts.keys }, progress, cancel)?,
            false => Vec::new(),
        };
        Ok(Binding { dataset: self, parts, findings, values, frames })
    }

    /// The records with all that rules read of them and, if whole records are to be shown, with all that can be; and the program
    /// of the rules over them.
    pub(crate) fn with_frames(
        &self,
        request: BindingRequest<'_>,
        whole_records: bool,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<(Vec<Frame>, Program)> {
        let BindingRequest { rules, program, with_counts, .. } = request;
        let mut parts = ProgramParts::known(self, rules, program);
        let needed = NeededColumns::of_rules(rules, whole_records, self.inputs());
        let frames = self.frames_of(&needed, &parts.keys, &mut Timeline::start(), progress, cancel)?;
        let values = match with_counts {
            true => self.values_of_all(AskedOperands { rules, program, keys: &parts.keys }, progress, cancel)?,
            false => Vec::new(),
        };
        parts.encode(EncodedFrames::Kept(&frames), cancel);
        parts.count_among_all(&values);
        let program = parts.into_program(cancel);
        self.make_room();
        Ok((frames, program))
    }

    /// The records with their derived columns and, if whole records are to be shown, with all columns that can be. They have no
    /// ranks, and nothing is encoded.
    pub(crate) fn shown_frames(
        &self,
        rules: &RuleSet,
        whole_records: bool,
        progress: Progress<'_>,
        cancel: Cancel<'_>,
    ) -> Result<Vec<Frame>> {
        let needed =
            NeededColumns { rankings: Vec::new(), ..NeededColumns::of_rules(rules, whole_records, self.inputs()) };
        self.unranked_frames_of(&needed, progress, cancel)
    }

    /// The program of rules over the records.
    pub(crate) fn bind(&self, rules: &RuleSet, progress: Progress<'_>, cancel: Cancel<'_>) -> Result<Program> {
        let program = &RuleProgram::compile(rules, self.layout().frames());
        let request = BindingRequest { rules, program, with_findings: false, with_counts: true };
        Ok(self.derive(request, &mut Timeline::start(), progress, cancel)?.bind(progress, cancel))
    }
}

impl Binding<'_> {
    /// What the records say of the rules, if that was asked.
    pub fn findings(&mut self, cancel: Cancel<'_>) -> InputFindings {
        self.findings.find(&self.frames, cancel);
        self.findings.keep(&mut self.dataset.facts());
        self.findings.found()
    }

    /// Encodes what the program reads and nobody has encoded yet. Columns are dropped one by one, and after each time `progress`
    /// learns that memory was freed.
    pub fn bind(self, progress: Progress<'_>, cancel: Cancel<'_>) -> Program {
        let Self { dataset, mut parts, frames, values, .. } = self;
        parts.encode(EncodedFrames::Dropped(frames, &|| progress.memory_freed()), cancel);
        parts.count_among_all(&values);
        let program = parts.into_program(cancel);
        dataset.make_room();
        program
    }
}
