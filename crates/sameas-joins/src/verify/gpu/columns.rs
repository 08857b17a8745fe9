//! What the checks of a job read, on a device: uploaded when the first branch needs it, kept for the others.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::Zeroable;
use rayon::prelude::*;
use sameas_kernels::DevicePtr;
use sameas_kernels::layout::arithmetic::{ArithmeticOp, code};
use sameas_kernels::layout::set_join::{SetSummary, Sets};
use sameas_kernels::layout::text::Texts;
use sameas_kernels::layout::verify::{
    Check as DeviceCheck, Codes, DifferenceCheck, ElementsCheck, SetCheck, TableCheck, TextCheck, number_kind,
};

use super::source::{ColumnSource, GatheredRecords, LentColumns};
use crate::candidates::Rows;
use crate::device::{Ablation, Buffer, Gpu, LentMemory};
use crate::device_values::arithmetic::{PostfixStep, postfix};
use crate::device_values::number::{comparison_code, exact, whole_bound};
use crate::device_values::{DeviceCodes, DeviceColumn, DevicePart, DeviceSets, DeviceTextTest, DeviceTexts};
use crate::error::Result;
use crate::expr::{Expr, Num, Side};
use crate::records::encode::{self, Domain, Elements};
use crate::threshold::{Check, Truth};
use crate::verify::program::Program;

/// The numbers of a domain as bits, and the kind of each.
type NumberBuffers = (Buffer<u64>, Buffer<u8>);

/// The columns and values of a job on a device.
pub struct DeviceColumns<'a> {
    gpu: Gpu,
    program: &'a Program,
    ablation: Ablation,
    source: ColumnSource<'a>,
    codes: HashMap<usize, DeviceColumn<u32>>,
    verdicts: HashMap<usize, Buffer<u8>>,
    texts: HashMap<usize, DeviceTexts>,
    /// They do not depend on the records, and are shared by all parts of these.
    tests: HashMap<usize, Arc<DeviceTextTest>>,
    sets: HashMap<usize, DeviceSets>,
    summaries: HashMap<usize, DeviceColumn<SetSummary>>,
    /// Sets of elements, by token sets.
    element_sets: HashMap<usize, DeviceSets>,
    /// By the address that they have on the host. All of them are shared by all parts of the records.
    element_texts: HashMap<usize, Arc<DeviceTexts>>,
    /// By domain; nothing where some of its numbers are decimals.
    numbers: HashMap<usize, Option<NumberBuffers>>,
    tables: HashMap<usize, (Buffer<u64>, [Buffer<u8>; 2])>,
    /// By predicate; nothing where the host decides.
    arithmetic: HashMap<usize, Option<Buffer<ArithmeticOp>>>,
    borders: Option<Buffer<u32>>,
    /// What values add to scores, by the address that they have on the host.
    adjustments: HashMap<usize, Buffer<i64>>,
}

impl<'a> DeviceColumns<'a> {
    /// No column and no value yet.
    pub fn new(gpu: &Gpu, program: &'a Program, ablation: Ablation) -> Self {
        Self {
            gpu: gpu.clone(),
            program,
            ablation,
            source: ColumnSource::Copied,
            codes: HashMap::new(),
            verdicts: HashMap::new(),
            texts: HashMap::new(),
            tests: HashMap::new(),
            sets: HashMap::new(),
            summaries: HashMap::new(),
            element_sets: HashMap::new(),
            element_texts: HashMap::new(),
            numbers: HashMap::new(),
            tables: HashMap::new(),
            arithmetic: HashMap::new(),
            borders: None,
            adjustments: HashMap::new(),
        }
    }

    /// Forgets everything that takes memory of the device, but for tests, which are small.
    pub fn clear(&mut self) {
        let mut old = std::mem::replace(self, Self::new(&self.gpu.clone(), self.program, self.ablation));
        old.texts.retain(|_, texts| !texts.are_here());
        (self.tests, self.texts) = (old.tests, old.texts);
    }

    /// Forgets columns of the job that these predicates do not read, to make room.
    pub fn keep_for(&mut self, predicates: &[usize]) {
        let (read, encoded) = (self.program.read_by(predicates), &self.program.encoded);
        let domains: Vec<usize> = read.operands.iter().map(|operand| encoded.columns[*operand].domain).collect();
        self.codes.retain(|operand, _| read.operands.contains(operand));
        self.texts.retain(|domain, texts| domains.contains(domain) || !texts.are_here());
        self.numbers.retain(|domain, _| domains.contains(domain));
        self.sets.retain(|tokens, _| read.tokens.contains(tokens));
        self.summaries.retain(|tokens, _| read.tokens.contains(tokens));
        self.element_sets.retain(|tokens, _| read.tokens.contains(tokens));
        let elements = read.tokens.iter().filter_map(|tokens| encoded.tokens[*tokens].elements());
        let texts: Vec<usize> = elements.map(address_of_texts).collect();
        self.element_texts.retain(|address, _| texts.contains(address));
        self.tables.retain(|predicate, _| predicates.contains(predicate));
        // They point to codes and numbers.
        self.arithmetic.clear();
    }

    /// The columns of some records, listed by frame here and on the device, that these predicates need.
    pub fn gathered(
        &self,
        lent: &Arc<LentMemory<'a>>,
        rows: Vec<Rows>,
        records: &[Buffer<u32>],
        predicates: &[usize],
    ) -> Result<Self> {
        let part = DevicePart::new(lent, &self.program.encoded, records, &self.program.read_by(predicates).operands)?;
        let source = ColumnSource::Gathered(GatheredRecords { lent: Arc::clone(lent), part, rows });
        let (tests, element_texts) = (self.tests.clone(), self.element_texts.clone());
        Ok(Self { source, tests, element_texts, ..Self::new(&self.gpu, self.program, self.ablation) })
    }

    /// Makes the tests of texts that these predicates need and the texts of elements, for [`gathered`](Self::gathered)
    /// columns to share.
    pub fn make_tests(&mut self, predicates: &[usize]) -> Result<()> {
        for predicate in predicates {
            self.test(*predicate)?;
            if let Check::Elements { tokens, test, .. } = &self.program.checks[*predicate]
                && test.is_for_devices()
            {
                self.element_texts(tokens.left)?;
            }
        }
        Ok(())
    }

    /// Forgets what lies in the memory of the host: the next branch may have room for it.
    pub fn forget_lent(&mut self) {
        self.codes.retain(|_, column| column.is_here());
        self.summaries.retain(|_, column| column.is_here());
        self.sets.retain(|_, sets| sets.are_here());
        self.element_sets.retain(|_, sets| sets.are_here());
    }

    /// The same for texts, whose planes are made with some work.
    pub fn forget_lent_texts(&mut self) {
        self.texts.retain(|_, texts| texts.are_here());
        self.element_texts.retain(|_, texts| texts.are_here());
    }

    /// Whether there is memory for a column that could stay on the host.
    fn has_room(&self, bytes: usize, lent: &LentColumns<'a>) -> bool {
        !self.ablation.no_copies && self.gpu.free() >= bytes.saturating_add(lent.left)
    }

    /// Leaves in the memory of the host what is not on the device, has no room there and can be read there; or no longer.
    pub fn lend(&mut self, lent: Option<LentColumns<'a>>) {
        self.source = lent.map_or(ColumnSource::Copied, ColumnSource::Lent);
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// What the verifier does without.
    pub fn ablation(&self) -> Ablation {
        self.ablation
    }

    /// The job's program.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// A predicate as the kernels read it. What they cannot decide is left to the host.
    pub fn check(&mut self, predicate: usize) -> Result<DeviceCheck> {
        let check = &self.program.checks[predicate];
        // Tables know all values, and not those of a part.
        let has_all = !matches!(self.source, ColumnSource::Gathered(_));
        if has_all && self.program.tables[predicate].get().is_some() {
            return self.table(predicate);
        }
        let made = match check {
            Check::Equal { null_safe, .. } => DeviceCheck::equal(self.operands(check)?, *null_safe),
            Check::OneSided { side: Side::Left, verdicts } => DeviceCheck::left(self.verdicts(predicate, 0, verdicts)?),
            Check::OneSided { side: Side::Right, verdicts } => {
                DeviceCheck::right(self.verdicts(predicate, 1, verdicts)?)
            }
            Check::Text { .. } => self.text(predicate, check)?,
            Check::Set { .. } | Check::ListHasAny { .. } => self.sets_check(check)?,
            Check::Elements { .. } => self.elements_check(check)?,
            Check::Difference { .. } => self.difference_check(predicate, check)?,
            Check::SameSource { borders } => DeviceCheck::same_source(self.borders(borders)?, borders.len() as u32),
            Check::Residual { expr } => self.arithmetic(predicate, expr)?,
        };
        Ok(made)
    }

    /// The codes that a check compares.
    fn operands(&mut self, check: &Check) -> Result<Codes> {
        let Some(operands) = check.operands() else { unreachable!("a check of values has operands") };
        Ok(Codes { left: self.codes(operands.left)?, right: self.codes(operands.right)? })
    }

    /// The codes of an operand, by row.
    pub fn codes(&mut self, operand: usize) -> Result<DevicePtr<u32>> {
        if !self.codes.contains_key(&operand) {
            let codes = &self.program.encoded.columns[operand].codes[..];
            let column = match &self.source {
                ColumnSource::Lent(of) if !self.has_room(size_of_val(codes), of) => {
                    DeviceColumn::Elsewhere(of.lent.at(codes)?)
                }
                ColumnSource::Gathered(records) => DeviceColumn::Elsewhere(records.part.codes(operand).at()),
                _ => DeviceColumn::copied(&self.gpu, codes)?,
            };
            self.codes.insert(operand, column);
        }
        Ok(self.codes[&operand].at())
    }

    /// What is added to scores for each value, which stays where it is as long as the job runs.
    pub fn adjustments(&mut self, by_code: &[i64]) -> Result<DevicePtr<i64>> {
        let address = by_code.as_ptr().addr();
        if !self.adjustments.contains_key(&address) {
            self.adjustments.insert(address, self.gpu.upload(by_code)?);
        }
        Ok(self.adjustments[&address].at())
    }

    /// These codes of one side's records on the device: those of an operand where they are, else copied.
    pub fn codes_of_side(&self, codes: &[u32], side: usize) -> Result<DeviceCodes> {
        let is_this = |operand: &usize| std::ptr::eq(codes, &self.program.encoded.columns[*operand].codes[..]);
        let mut there = (0..self.program.encoded.columns.len()).filter(|operand| self.codes.contains_key(operand));
        let there = there.find(is_this).map(|operand| (self.codes[&operand].at(), operand));
        Ok(match (&self.source, there) {
            (ColumnSource::Gathered(records), Some((at, operand))) => {
                DeviceCodes::There(at, records.part.codes(operand).len())
            }
            (_, Some((at, _))) => DeviceCodes::There(at, codes.len()),
            (ColumnSource::Gathered(records), None) => {
                DeviceCodes::Copied(self.gpu.upload(&records.of_side(codes, side))?)
            }
            (_, None) => DeviceCodes::Copied(self.gpu.upload(codes)?),
        })
    }

    /// The first rows of inputs: the same for every check.
    fn borders(&mut self, borders: &[u32]) -> Result<DevicePtr<u32>> {
        if self.borders.is_none() {
            let borders = match &self.source {
                ColumnSource::Gathered(records) => records.places(borders),
                _ => borders.to_vec(),
            };
            self.borders = Some(self.gpu.upload(&borders)?);
        }
        Ok(self.borders.as_ref().map_or(DevicePtr::NULL, Buffer::at))
    }

    fn verdicts(&mut self, predicate: usize, side: usize, verdicts: &[Truth]) -> Result<DevicePtr<u8>> {
        if !self.verdicts.contains_key(&predicate) {
            let bytes: Vec<u8> = match &self.source {
                ColumnSource::Gathered(records) => {
                    records.of_side(verdicts, side).par_iter().map(|truth| *truth as u8).collect()
                }
                _ => verdicts.par_iter().map(|truth| *truth as u8).collect(),
            };
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
            let texts = match &self.source {
                ColumnSource::Gathered(of) => DeviceTexts::part(&of.lent, texts, of.part.values(domain))?,
                ColumnSource::Lent(of) if !self.has_room(2 * texts.bytes(), of) => DeviceTexts::lent(&of.lent, texts)?,
                _ => DeviceTexts::new(&self.gpu, texts)?,
            };
            self.texts.insert(domain, texts);
        }
        Ok(&self.texts[&domain])
    }

    /// A predicate's test of texts.
    pub fn test(&mut self, predicate: usize) -> Result<Option<&DeviceTextTest>> {
        let Check::Text { test, operands, .. } = &self.program.checks[predicate] else { return Ok(None) };
        if !self.tests.contains_key(&predicate) {
            let texts = self.program.encoded.domain(operands.left).texts.as_ref();
            let longest = texts.map_or(0, |texts| texts.plane_shape().longest);
            match DeviceTextTest::new(&self.gpu, test, longest)? {
                Some(made) => self.tests.insert(predicate, Arc::new(made)),
                None => return Ok(None),
            };
        }
        Ok(self.tests.get(&predicate).map(|test| &**test))
    }

    /// What a join of texts by a predicate reads.
    pub fn text_join(&mut self, predicate: usize) -> Result<(&DeviceTextTest, &DeviceTexts)> {
        let Some(operands) = self.program.checks[predicate].operands() else { unreachable!("texts are compared") };
        let domain = self.program.encoded.columns[operands.left].domain;
        // A join reads texts over and over.
        if self.texts.get(&domain).is_some_and(|texts| !texts.are_here()) {
            self.texts.remove(&domain);
        }
        self.texts(operands.left)?;
        self.test(predicate)?;
        let test = self.tests.get(&predicate).unwrap_or_else(|| unreachable!("the test is one for devices"));
        Ok((test, &self.texts[&domain]))
    }

    fn text(&mut self, predicate: usize, check: &Check) -> Result<DeviceCheck> {
        let Some(operands) = check.operands() else { unreachable!("a check of values has operands") };
        let Some(test) = self.test(predicate)?.map(DeviceTextTest::at) else { return Ok(DeviceCheck::host()) };
        let texts = self.texts(operands.left)?.at();
        let skip_signatures = u32::from(self.ablation.no_signatures);
        let text = TextCheck { test, texts, skip_signatures, unused: [0; 11] };
        Ok(DeviceCheck::text(self.operands(check)?, text))
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    fn sets_check(&mut self, check: &Check) -> Result<DeviceCheck> {
        match check {
            Check::Set { tokens, formula, comparison, threshold, .. } => {
                let Some(threshold) = exact(*threshold) else { return Ok(DeviceCheck::host()) };
                let (comparison, formula) = (comparison_code(*comparison), *formula as u32);
                let sets = self.both_sets(tokens.left, tokens.right)?;
                Ok(DeviceCheck::set(self.operands(check)?, SetCheck { threshold, comparison, formula, ..sets }))
            }
            Check::ListHasAny { tokens, .. } => {
                let sets = self.both_sets(tokens.left, tokens.right)?;
                Ok(DeviceCheck::any(self.operands(check)?, sets))
            }
            Check::Elements { .. } | Check::Text { .. } | Check::Residual { .. } => Ok(DeviceCheck::host()),
            Check::Equal { .. } | Check::OneSided { .. } | Check::Difference { .. } => Ok(DeviceCheck::host()),
            Check::SameSource { .. } => Ok(DeviceCheck::host()),
        }
    }

    /// The sets of both sides, without a measure.
    fn both_sets(&mut self, left: usize, right: usize) -> Result<SetCheck> {
        Ok(SetCheck {
            left: self.sets(left)?,
            right: self.sets(right)?,
            left_summaries: self.summaries(left)?,
            right_summaries: self.summaries(right)?,
            threshold: 0.0,
            comparison: 0,
            formula: 0,
        })
    }

    /// Token sets at a glance.
    fn summaries(&mut self, tokens: usize) -> Result<DevicePtr<SetSummary>> {
        if self.ablation.no_signatures {
            return Ok(DevicePtr::NULL);
        }
        if !self.summaries.contains_key(&tokens) {
            let all = self.program.encoded.tokens[tokens].summaries();
            let column = match &self.source {
                ColumnSource::Lent(of) if !self.has_room(size_of_val(all), of) => {
                    DeviceColumn::Elsewhere(of.lent.at(all)?)
                }
                ColumnSource::Gathered(of) => {
                    DeviceColumn::Here(of.part.values(self.domain_of(tokens)).records(&of.lent, all)?)
                }
                _ => DeviceColumn::copied(&self.gpu, all)?,
            };
            self.summaries.insert(tokens, column);
        }
        Ok(self.summaries[&tokens].at())
    }

    /// The token sets of one of the encoded columns of them.
    pub fn sets(&mut self, tokens: usize) -> Result<Sets> {
        if !self.sets.contains_key(&tokens) {
            let all = &self.program.encoded.tokens[tokens];
            let sets = self.sets_of(tokens, all.view(), all.bytes())?;
            self.sets.insert(tokens, sets);
        }
        Ok(self.sets[&tokens].layout())
    }

    /// Sets of the values that have these token sets.
    fn sets_of(&self, tokens: usize, all: encode::Sets<'a>, bytes: usize) -> Result<DeviceSets> {
        match &self.source {
            ColumnSource::Lent(of) if !self.has_room(bytes, of) => DeviceSets::lent(&of.lent, all),
            ColumnSource::Gathered(of) => DeviceSets::part(&of.lent, all, of.part.values(self.domain_of(tokens))),
            _ => DeviceSets::new(&self.gpu, all),
        }
    }

    /// A mean of best matches, if it is one that kernels know.
    fn elements_check(&mut self, check: &Check) -> Result<DeviceCheck> {
        let Check::Elements { tokens, first, test, .. } = check else { return Ok(DeviceCheck::host()) };
        let Some(threshold) = exact(test.threshold).filter(|_| test.is_for_devices()) else {
            return Ok(DeviceCheck::host());
        };
        let elements = ElementsCheck {
            left: self.element_sets(tokens.left)?,
            right: self.element_sets(tokens.right)?,
            texts: self.element_texts(tokens.left)?,
            threshold,
            comparison: comparison_code(test.comparison),
            exchanged: u32::from(*first == Side::Right),
            winkler: u32::from(test.counts_prefix()),
            unused: 0,
        };
        Ok(DeviceCheck::elements(self.operands(check)?, elements))
    }

    /// The elements of token sets.
    fn elements(&self, tokens: usize) -> &'a Elements {
        let elements = self.program.encoded.tokens[tokens].elements();
        elements.unwrap_or_else(|| unreachable!("the elements of a test of them are encoded"))
    }

    fn element_sets(&mut self, tokens: usize) -> Result<Sets> {
        if !self.element_sets.contains_key(&tokens) {
            let elements = self.elements(tokens);
            let sets = self.sets_of(tokens, elements.view(), elements.bytes())?;
            self.element_sets.insert(tokens, sets);
        }
        Ok(self.element_sets[&tokens].layout())
    }

    /// The texts of all elements of token sets and of those that they are compared with.
    fn element_texts(&mut self, tokens: usize) -> Result<DevicePtr<Texts>> {
        let elements = self.elements(tokens);
        let address = address_of_texts(elements);
        if !self.element_texts.contains_key(&address) {
            let texts = elements.texts();
            let texts = match &self.source {
                ColumnSource::Lent(of) if !self.has_room(2 * texts.bytes(), of) => DeviceTexts::lent(&of.lent, texts)?,
                _ => DeviceTexts::new(&self.gpu, texts)?,
            };
            self.element_texts.insert(address, Arc::new(texts));
        }
        Ok(self.element_texts[&address].at())
    }

    /// The domain whose values have these token sets.
    fn domain_of(&self, tokens: usize) -> usize {
        let encoded = &self.program.encoded;
        encoded.columns[encoded.token_sources[tokens].0].domain
    }

    /// A condition on numbers of both rows, if it is one that kernels know.
    fn arithmetic(&mut self, predicate: usize, expr: &Expr) -> Result<DeviceCheck> {
        if !self.arithmetic.contains_key(&predicate) {
            let ops = match postfix(expr, &self.program.encoded) {
                Some(steps) => steps.iter().map(|step| self.arithmetic_op(step)).collect::<Result<Option<Vec<_>>>>()?,
                None => None,
            };
            let ops = ops.map(|ops| self.gpu.upload(&ops)).transpose()?;
            self.arithmetic.insert(predicate, ops);
        }
        let ops = self.arithmetic[&predicate].as_ref();
        Ok(ops.map_or_else(DeviceCheck::host, |ops| DeviceCheck::arithmetic(ops.at(), ops.len() as u32)))
    }

    /// One operation; nothing where some numbers of its operand are decimals.
    fn arithmetic_op(&mut self, step: &PostfixStep) -> Result<Option<ArithmeticOp>> {
        let plain = ArithmeticOp { code: code::CONSTANT, ..ArithmeticOp::zeroed() };
        Ok(match *step {
            PostfixStep::Constant(kind, bits) => Some(ArithmeticOp { kind, bits, ..plain }),
            PostfixStep::Apply(code) => Some(ArithmeticOp { code, ..plain }),
            PostfixStep::Operand(side, operand) => {
                let code = if side == Side::Left { code::LEFT } else { code::RIGHT };
                let codes = self.codes(operand)?;
                self.numbers(operand)?.map(|(numbers, kinds)| ArithmeticOp { code, codes, numbers, kinds, ..plain })
            }
        })
    }

    fn difference_check(&mut self, predicate: usize, check: &Check) -> Result<DeviceCheck> {
        match self.difference(predicate)? {
            Some(difference) => Ok(DeviceCheck::difference(self.operands(check)?, difference)),
            None => Ok(DeviceCheck::host()),
        }
    }

    /// A predicate's threshold of the difference of two numbers. Kernels know integers and floats: nothing where a number
    /// or the threshold is neither.
    pub fn difference(&mut self, predicate: usize) -> Result<Option<DifferenceCheck>> {
        let Check::Difference { operands, comparison, threshold } = self.program.checks[predicate] else {
            return Ok(None);
        };
        let Some(float) = exact(threshold) else { return Ok(None) };
        let (whole, whole_bound) = whole_bound(comparison, threshold);
        let (Some((left_numbers, left_kinds)), Some((right_numbers, right_kinds))) =
            (self.numbers(operands.left)?, self.numbers(operands.right)?)
        else {
            return Ok(None);
        };
        Ok(Some(DifferenceCheck {
            left_numbers,
            left_kinds,
            right_numbers,
            right_kinds,
            threshold: float,
            whole_bound,
            comparison: comparison_code(comparison),
            whole,
            unused: 0,
        }))
    }

    /// The addresses of the numbers of an operand's domain and of their kinds; nothing where some are decimals.
    fn numbers(&mut self, operand: usize) -> Result<Option<(DevicePtr<u64>, DevicePtr<u8>)>> {
        let domain = self.program.encoded.columns[operand].domain;
        if !self.numbers.contains_key(&domain) {
            let all = &self.program.encoded.domains[domain];
            let made = match &self.source {
                ColumnSource::Gathered(of) => {
                    numbers_of(all, of.part.values(domain).on_host(&self.gpu)?.into_par_iter())
                }
                _ => numbers_of(all, (0..all.dictionary.len() as u32).into_par_iter()),
            };
            let on_device =
                |(bits, kinds): (Vec<u64>, Vec<u8>)| Ok((self.gpu.upload(&bits)?, self.gpu.upload(&kinds)?));
            self.numbers.insert(domain, made.map(on_device).transpose()?);
        }
        Ok(self.numbers[&domain].as_ref().map(|(bits, kinds)| (bits.at(), kinds.at())))
    }

    fn table(&mut self, predicate: usize) -> Result<DeviceCheck> {
        let Some(table) = self.program.tables[predicate].get() else { return Ok(DeviceCheck::host()) };
        if !self.tables.contains_key(&predicate) {
            let (bits, nulls) = (self.gpu.upload(&table.words())?, table.nulls());
            let nulls = nulls.each_ref().map(|nulls| nulls.iter().map(|null| u8::from(*null)).collect::<Vec<u8>>());
            let nulls = [self.gpu.upload(&nulls[0])?, self.gpu.upload(&nulls[1])?];
            self.tables.insert(predicate, (bits, nulls));
        }
        let (bits, [left, right]) = &self.tables[&predicate];
        let table = TableCheck {
            bits: bits.at(),
            row_words: table.row_words() as u64,
            left_nulls: left.at(),
            right_nulls: right.at(),
            unused: [0; 4],
        };
        Ok(DeviceCheck::table(self.operands(&self.program.checks[predicate])?, table))
    }
}

/// What tells the texts of elements from others.
fn address_of_texts(elements: &Elements) -> usize {
    std::ptr::from_ref(elements.texts()).addr()
}

/// The bits of some numbers of a domain, and their kinds; nothing where some are decimals.
fn numbers_of(domain: &Domain, codes: impl IndexedParallelIterator<Item = u32>) -> Option<(Vec<u64>, Vec<u8>)> {
    let number = |code: u32| match domain.number(code) {
        None => Some((0, number_kind::NOT_A_NUMBER)),
        Some(Num::Int(value)) => Some((value as u64, number_kind::WHOLE)),
        Some(Num::Float(value)) => Some((value.to_bits(), number_kind::FLOAT)),
        Some(Num::Wide(_)) => None,
    };
    codes.map(number).collect()
}
