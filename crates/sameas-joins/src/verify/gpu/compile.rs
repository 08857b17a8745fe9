//! A branch flattened for the kernels.

use std::sync::Arc;

use sameas_kernels::DevicePtr;
use sameas_kernels::layout::verify::{
    Check, Conjunction, GateCheck, Literal as DeviceLiteral, NO_SLOT, Program as DeviceProgramLayout, Rule, SLOTS, Step,
};

use super::columns::DeviceColumns;
use super::gate::gate;
use super::scoring::DeviceScoring;
use super::stage::DeviceStage;
use crate::device::{Buffer, Gpu};
use crate::error::Result;
use crate::rules::Literal;
use crate::threshold::Truth;
use crate::verify::program::Program;
use crate::verify::steps::BranchProgram;

/// A branch on a device.
pub struct DeviceProgram {
    /// The struct that the kernels read.
    layout: Buffer<DeviceProgramLayout>,
    /// The predicate of each slot.
    slots: Vec<usize>,
    checks: Arc<DeviceChecks>,
    buffers: ProgramBuffers,
    /// How its pairs are scored, if they are.
    scoring: Option<Arc<DeviceScoring>>,
    depth: usize,
}

/// All checks of the job: they do not depend on the order of steps.
struct DeviceChecks {
    here: Vec<Check>,
    on_device: Buffer<Check>,
    /// Whether there is a gate.
    are_gated: bool,
}

/// What the struct points to besides.
struct ProgramBuffers {
    steps: Buffer<Step>,
    literals: Buffer<DeviceLiteral>,
    conjunctions: Buffer<Conjunction>,
    nevers: Buffer<Conjunction>,
    rules: Buffer<Rule>,
    gate: Buffer<GateCheck>,
}

impl DeviceProgram {
    /// Compiles a branch, and what is done with its pairs, and brings what its checks read to the device.
    pub fn new(
        columns: &mut DeviceColumns<'_>,
        branch: &BranchProgram,
        stage: Option<DeviceStage<'_>>,
    ) -> Result<Self> {
        let parts = BranchChecks::new(columns.program(), branch, Vec::new());
        let asked = stage.map(|stage| stage.predicates()).unwrap_or_default();
        let here = parts.device_checks(columns, branch, &asked)?;
        let (gpu, are_gated) = (columns.gpu().clone(), !columns.ablation().no_gate);
        let checks = Arc::new(DeviceChecks { on_device: gpu.upload(&here)?, here, are_gated });
        let scoring = stage.map(|stage| DeviceScoring::new(columns, stage.program()).map(Arc::new)).transpose()?;
        Ok(Self { scoring, ..Self::assembled(&gpu, checks, parts, branch)? })
    }

    /// The same branch with its checks in another order.
    pub fn reordered(&self, gpu: &Gpu, program: &Program, branch: &BranchProgram) -> Result<Self> {
        let parts = BranchChecks::new(program, branch, self.slots.clone());
        let scoring = self.scoring.clone();
        Ok(Self { scoring, ..Self::assembled(gpu, Arc::clone(&self.checks), parts, branch)? })
    }

    fn assembled(gpu: &Gpu, all: Arc<DeviceChecks>, checks: BranchChecks, branch: &BranchProgram) -> Result<Self> {
        let steps: Vec<Step> = branch.steps.iter().map(step).collect();
        let gate = if all.are_gated { gate(branch, &all.here) } else { Vec::new() };
        let buffers = ProgramBuffers {
            steps: gpu.upload(&steps)?,
            literals: gpu.upload(&checks.literals)?,
            conjunctions: gpu.upload(&checks.conjunctions)?,
            nevers: gpu.upload(&checks.nevers)?,
            rules: gpu.upload(&checks.rules)?,
            gate: gpu.upload(&gate)?,
        };
        let depth = branch.steps.iter().map(|step| step.depth + 1).max().unwrap_or(0);
        let (implied_true, implied_false) = checks.implied(branch);
        let layout = DeviceProgramLayout {
            checks: all.on_device.at(),
            steps: buffers.steps.at(),
            literals: buffers.literals.at(),
            conjunctions: buffers.conjunctions.at(),
            rules: buffers.rules.at(),
            nevers: buffers.nevers.at(),
            gate: buffers.gate.at(),
            step_count: steps.len() as u32,
            rule_count: checks.rules.len() as u32,
            never_count: branch.nevers.len() as u32,
            shadowed_count: branch.shadowed_nevers.len() as u32,
            settled: u32::from(!branch.settled.is_empty()),
            gate_count: gate.len() as u32,
            implied_true,
            implied_false,
        };
        let layout = gpu.upload(&[layout])?;
        Ok(Self { layout, slots: checks.slots, checks: all, buffers, scoring: None, depth })
    }

    /// The predicates that a branch checks.
    pub fn predicates(program: &Program, branch: &BranchProgram) -> Vec<usize> {
        BranchChecks::new(program, branch, Vec::new()).predicates(branch).collect()
    }

    /// Where it lies.
    pub fn at(&self) -> DevicePtr<DeviceProgramLayout> {
        self.layout.at()
    }

    /// Whether its pairs leave the device with scores.
    pub fn gives_scores(&self) -> bool {
        self.scoring().is_some_and(DeviceScoring::gives_scores)
    }

    /// How its pairs are scored, if they are.
    pub fn scoring(&self) -> Option<&DeviceScoring> {
        self.scoring.as_deref()
    }

    /// The number of its steps.
    pub fn steps(&self) -> usize {
        self.buffers.steps.len()
    }

    /// The number of steps that lie below each other.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The predicate of each slot.
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }
}

/// All checks of a candidate of a branch.
struct BranchChecks {
    slots: Vec<usize>,
    literals: Vec<DeviceLiteral>,
    conjunctions: Vec<Conjunction>,
    /// Those that decide, then those that are shadowed.
    nevers: Vec<Conjunction>,
    /// Up to the last with a conjunction of the branch: no later one matters to it.
    rules: Vec<Rule>,
}

impl BranchChecks {
    /// Predicates with slots keep them.
    fn new(program: &Program, branch: &BranchProgram, slots: Vec<usize>) -> Self {
        let all = &program.conjunctions;
        let end = branch.mine.last().map_or(0, |last| all.iter().take_while(|c| c.rule <= all[*last].rule).count());
        let mut checks =
            Self { slots, literals: Vec::new(), conjunctions: Vec::new(), nevers: Vec::new(), rules: Vec::new() };
        branch.steps.iter().for_each(|step| checks.remember(step.literal.predicate));
        for (index, conjunction) in all.iter().enumerate().take(end) {
            let mine = branch.is_mine[index];
            let made = checks.conjunction(&branch.asked[index], conjunction.rule, mine);
            checks.conjunctions.push(made);
            checks.add_to_rule(conjunction.rule, index as u32, mine);
        }
        for never in branch.nevers.iter().chain(&branch.shadowed_nevers) {
            let made = checks.conjunction(&never.literals, never.rule, false);
            checks.nevers.push(made);
        }
        checks
    }

    /// Gives a predicate a slot, while there are any: what has none is evaluated again where it is needed again.
    fn remember(&mut self, predicate: usize) {
        if self.slots.len() < SLOTS && !self.slots.contains(&predicate) {
            self.slots.push(predicate);
        }
    }

    fn conjunction(&mut self, literals: &[Literal], rule: usize, mine: bool) -> Conjunction {
        let begin = self.literals.len() as u32;
        for literal in literals {
            self.remember(literal.predicate);
            self.literals.push(device_literal(*literal));
        }
        Conjunction { begin, end: self.literals.len() as u32, rule: rule as u32, mine: u32::from(mine) }
    }

    /// Conjunctions come in the order of their rules, so those of a rule lie side by side.
    fn add_to_rule(&mut self, rule: usize, index: u32, mine: bool) {
        while self.rules.len() <= rule {
            self.rules.push(Rule { begin: index, end: index, needed: index, padding: 0 });
        }
        let rule = &mut self.rules[rule];
        rule.end = index + 1;
        if mine {
            rule.needed = index + 1;
        }
    }

    /// The predicates that are checked, some more than once; first those that most candidates reach.
    fn predicates(&self, branch: &BranchProgram) -> impl Iterator<Item = usize> {
        let of_steps = branch.steps.iter().map(|step| step.literal.predicate);
        of_steps.chain(self.literals.iter().map(|literal| literal.predicate as usize))
    }

    /// All checks of the job: those of the branch, those that its score asks, and nothing for the others.
    fn device_checks(
        &self,
        columns: &mut DeviceColumns<'_>,
        branch: &BranchProgram,
        asked: &[usize],
    ) -> Result<Vec<Check>> {
        let mut checks = vec![Check::host(); columns.program().checks.len()];
        for predicate in self.predicates(branch).chain(asked.iter().copied()) {
            let slot = self.slots.iter().position(|p| *p == predicate).map_or(NO_SLOT, |slot| slot as u32);
            checks[predicate] = columns.check(predicate)?.with_slot(slot);
        }
        Ok(checks)
    }

    /// The slots that the access condition makes true, and false.
    fn implied(&self, branch: &BranchProgram) -> (u64, u64) {
        let mut masks = (0, 0);
        for literal in &branch.implied {
            if let Some(slot) = self.slots.iter().position(|p| *p == literal.predicate) {
                let mask = if literal.want { &mut masks.0 } else { &mut masks.1 };
                *mask |= 1 << slot;
            }
        }
        masks
    }
}

fn device_literal(literal: Literal) -> DeviceLiteral {
    DeviceLiteral { predicate: literal.predicate as u32, want: Truth::from(literal.want) as u32 }
}

fn step(step: &crate::verify::Step) -> Step {
    let completes = u32::from(!step.complete.is_empty());
    Step { literal: device_literal(step.literal), skip: step.skip as u32, completes }
}
