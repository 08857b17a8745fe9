//! What the checks of a job read, on a device: uploaded when the first branch needs it, kept for the others.

use std::collections::HashMap;

use sameas_kernels::layout::verify::{Check as DeviceCheck, NO_SLOT, kind, set_measure};

use crate::device::{Buffer, Gpu, Without};
use crate::device_values::number::{comparison_code, exact, whole_bound};
use crate::device_values::{DeviceTextTest, DeviceTexts};
use crate::error::Result;
use crate::expr::{Function, Num, Side};
use crate::threshold::{Check, Truth};
use crate::verify::program::Program;

/// The columns and values of a job on a device.
pub struct DeviceColumns<'a> {
    gpu: Gpu,
    program: &'a Program,
    without: Without,
    codes: HashMap<usize, Buffer<u32>>,
    verdicts: HashMap<usize, Buffer<u8>>,
    texts: HashMap<usize, DeviceTexts>,
    tests: HashMap<usize, DeviceTextTest>,
    sets: HashMap<usize, (Buffer<u64>, Buffer<u32>)>,
    numbers: HashMap<usize, (Buffer<u64>, Buffer<u8>)>,
    tables: HashMap<usize, (Buffer<u64>, [Buffer<u8>; 2])>,
}

impl<'a> DeviceColumns<'a> {
    /// No column and no value yet.
    pub fn new(gpu: &Gpu, program: &'a Program, without: Without) -> Self {
        Self {
            gpu: gpu.clone(),
            program,
            without,
            codes: HashMap::new(),
            verdicts: HashMap::new(),
            texts: HashMap::new(),
            tests: HashMap::new(),
            sets: HashMap::new(),
            numbers: HashMap::new(),
            tables: HashMap::new(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new(&self.gpu.clone(), self.program, self.without);
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// What the verifier does without.
    pub fn without(&self) -> Without {
        self.without
    }

    /// The job's program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// A predicate as the kernels read it. What they cannot decide is left to the host.
    pub fn check(&mut self, predicate: usize) -> Result<DeviceCheck> {
        let check = &self.program.checks[predicate];
        if self.program.tables[predicate].get().is_some() {
            return self.table(predicate);
        }
        let made = match check {
            Check::Equal { null_safe, .. } => {
                let variant = u32::from(*null_safe);
                DeviceCheck { kind: kind::EQUAL, variant, ..self.operands(check)? }
            }
            Check::OneSided { side, verdicts } => {
                let kind = if *side == Side::Left { kind::LEFT } else { kind::RIGHT };
                DeviceCheck { kind, left: self.verdicts(predicate, verdicts)?, ..blank() }
            }
            Check::Text { .. } => self.text(predicate, check)?,
            Check::Set { .. } | Check::ListHasAny { .. } => self.sets_check(check)?,
            Check::Difference { .. } => self.difference(check)?,
            Check::SameSource { border } => DeviceCheck { kind: kind::SAME_SOURCE, variant: *border, ..blank() },
            Check::Residual { .. } => blank(),
        };
        Ok(made)
    }

    /// The addresses of the codes that a check compares.
    fn operands(&mut self, check: &Check) -> Result<DeviceCheck> {
        let Some(operands) = check.operands() else { unreachable!("a check of values has operands") };
        Ok(DeviceCheck { left: self.codes(operands.left)?, right: self.codes(operands.right)?, ..blank() })
    }

    /// The codes of an operand, by row.
    pub fn codes(&mut self, operand: usize) -> Result<u64> {
        if !self.codes.contains_key(&operand) {
            let codes = self.gpu.upload(&self.program.encoded.columns[operand].codes)?;
            self.codes.insert(operand, codes);
        }
        Ok(self.codes[&operand].at())
    }

    /// Where codes lie on the device, if these are the codes of an operand that are there.
    pub fn resident(&self, codes: &[u32]) -> Option<u64> {
        let is_this = |operand: &usize| std::ptr::eq(codes, &*self.program.encoded.columns[*operand].codes);
        let operand = (0..self.program.encoded.columns.len()).filter(|o| self.codes.contains_key(o)).find(is_this)?;
        Some(self.codes[&operand].at())
    }

    fn verdicts(&mut self, predicate: usize, verdicts: &[Truth]) -> Result<u64> {
        if !self.verdicts.contains_key(&predicate) {
            let bytes: Vec<u8> = verdicts.iter().map(|truth| *truth as u8).collect();
            self.verdicts.insert(predicate, self.gpu.upload(&bytes)?);
        }
        Ok(self.verdicts[&predicate].at())
    }

    /// The texts of an operand's domain.
    pub fn texts(&mut self, operand: usize) -> Result<&DeviceTexts> {
        let domain = self.program.encoded.columns[operand].domain;
        if !self.texts.contains_key(&domain) {
            let texts = self.program.encoded.domains[domain].texts.as_ref();
            let texts = texts.unwrap_or_else(|| unreachable!("the texts of a test of texts are encoded"));
            self.texts.insert(domain, DeviceTexts::new(&self.gpu, texts)?);
        }
        Ok(&self.texts[&domain])
    }

    /// A predicate's test of texts.
    pub fn test(&mut self, predicate: usize) -> Result<Option<&DeviceTextTest>> {
        let Check::Text { test, .. } = &self.program.checks[predicate] else { return Ok(None) };
        if !self.tests.contains_key(&predicate) {
            match DeviceTextTest::new(&self.gpu, test)? {
                Some(made) => self.tests.insert(predicate, made),
                None => return Ok(None),
            };
        }
        Ok(self.tests.get(&predicate))
    }

    /// What a join of texts by a predicate reads.
    pub fn text_join(&mut self, predicate: usize) -> Result<(&DeviceTextTest, &DeviceTexts)> {
        let Some(operands) = self.program.checks[predicate].operands() else { unreachable!("texts are compared") };
        self.texts(operands.left)?;
        self.test(predicate)?;
        let domain = self.program.encoded.columns[operands.left].domain;
        let test = self.tests.get(&predicate).unwrap_or_else(|| unreachable!("the test is one for devices"));
        Ok((test, &self.texts[&domain]))
    }

    fn text(&mut self, predicate: usize, check: &Check) -> Result<DeviceCheck> {
        let Some(operands) = check.operands() else { unreachable!("a check of values has operands") };
        let Some(test) = self.test(predicate)?.map(DeviceTextTest::at) else { return Ok(blank()) };
        let texts = self.texts(operands.left)?.at();
        let variant = u32::from(self.without.signatures);
        Ok(DeviceCheck { kind: kind::TEXT, variant, a: test, b: texts, ..self.operands(check)? })
    }

    fn sets_check(&mut self, check: &Check) -> Result<DeviceCheck> {
        let (tokens, made) = match check {
            Check::Set { tokens, measure, comparison, threshold, .. } => {
                let Some(threshold) = exact(*threshold) else { return Ok(blank()) };
                let (comparison, variant) = (comparison_code(*comparison), measure_code(*measure));
                (tokens, DeviceCheck { kind: kind::SET, comparison, variant, threshold, ..self.operands(check)? })
            }
            Check::ListHasAny { tokens, .. } => (tokens, DeviceCheck { kind: kind::ANY, ..self.operands(check)? }),
            _ => return Ok(blank()),
        };
        let ((a, b), (c, d)) = (self.sets(tokens.left)?, self.sets(tokens.right)?);
        Ok(DeviceCheck { a, b, c, d, ..made })
    }

    /// The addresses of where sets end and of their ids.
    fn sets(&mut self, tokens: usize) -> Result<(u64, u64)> {
        if !self.sets.contains_key(&tokens) {
            let (ids, ends) = self.program.encoded.tokens[tokens].parts();
            let ends: Vec<u64> = ends.iter().map(|end| *end as u64).collect();
            self.sets.insert(tokens, (self.gpu.upload(&ends)?, self.gpu.upload(ids)?));
        }
        let (ends, ids) = &self.sets[&tokens];
        Ok((ends.at(), ids.at()))
    }

    fn difference(&mut self, check: &Check) -> Result<DeviceCheck> {
        let Check::Difference { operands, comparison, threshold } = check else { return Ok(blank()) };
        let Some(float) = exact(*threshold) else { return Ok(blank()) };
        let (variant, whole) = whole_bound(*comparison, *threshold);
        let ((a, b), (c, d)) = (self.numbers(operands.left)?, self.numbers(operands.right)?);
        let comparison = comparison_code(*comparison);
        let kind = kind::DIFFERENCE;
        Ok(DeviceCheck { kind, comparison, variant, whole, threshold: float, a, b, c, d, ..self.operands(check)? })
    }

    /// The addresses of the numbers of an operand's domain and of their kinds: 0 none, 1 whole, 2 float.
    fn numbers(&mut self, operand: usize) -> Result<(u64, u64)> {
        let domain = self.program.encoded.columns[operand].domain;
        if !self.numbers.contains_key(&domain) {
            let of = &self.program.encoded.domains[domain];
            let numbers = (0..of.dictionary.len() as u32).map(|code| match of.number(code) {
                None => (0, 0),
                Some(Num::Int(value)) => (value as u64, 1),
                Some(Num::Float(value)) => (value.to_bits(), 2),
            });
            let (bits, kinds): (Vec<u64>, Vec<u8>) = numbers.unzip();
            self.numbers.insert(domain, (self.gpu.upload(&bits)?, self.gpu.upload(&kinds)?));
        }
        let (bits, kinds) = &self.numbers[&domain];
        Ok((bits.at(), kinds.at()))
    }

    fn table(&mut self, predicate: usize) -> Result<DeviceCheck> {
        let Some(table) = self.program.tables[predicate].get() else { return Ok(blank()) };
        if !self.tables.contains_key(&predicate) {
            let (bits, nulls) = (self.gpu.upload(&table.words())?, table.nulls());
            let nulls = nulls.each_ref().map(|nulls| nulls.iter().map(|null| u8::from(*null)).collect::<Vec<u8>>());
            let nulls = [self.gpu.upload(&nulls[0])?, self.gpu.upload(&nulls[1])?];
            self.tables.insert(predicate, (bits, nulls));
        }
        let (bits, [left, right]) = &self.tables[&predicate];
        let (a, c, d, whole) = (bits.at(), left.at(), right.at(), table.row_words() as i64);
        Ok(DeviceCheck { kind: kind::TABLE, a, c, d, whole, ..self.operands(&self.program.checks[predicate])? })
    }
}

/// A check that the host decides.
fn blank() -> DeviceCheck {
    DeviceCheck { kind: kind::HOST, slot: NO_SLOT, ..DeviceCheck::default() }
}

fn measure_code(measure: Function) -> u32 {
    match measure {
        Function::Jaccard => set_measure::JACCARD,
        Function::Dice => set_measure::DICE,
        Function::Cosine => set_measure::COSINE,
        Function::OverlapCoefficient => set_measure::OVERLAP_COEFFICIENT,
        _ => set_measure::COMMON,
    }
}
