//! One row for all rows with the same values: what two rows compare as depends on their values alone.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::records::encode::{Encoded, NULL, Texts};
use crate::rules::ComparisonRules;
use crate::threshold::Check;
use crate::verify::Program;

/// The rows of one side by the values that a comparison reads.
pub(super) struct Representatives {
    /// The first row of each group for which some check may have a value, ascending.
    pub rows: Vec<u32>,
    /// By row, for those of `rows`: the rows of its group.
    pub counts: Vec<u32>,
    /// Which checks are null for them.
    pub nulls: NullClasses,
}

/// Rows by the checks that are null for every pair with them.
#[derive(Default)]
pub(super) struct NullClasses {
    /// By row, for those that represent others: its class.
    pub of_rows: Vec<u16>,
    /// By class and check, whether that is null.
    pub nulls: Vec<Vec<bool>>,
    known: HashMap<Vec<bool>, u16, FixedState>,
    /// The class of the row that was put into one last.
    last: u16,
}

/// Classes at most: what pairs of classes can come to is worked out for each two of them.
const MOST_CLASSES: usize = 64;

impl NullClasses {
    /// Puts a row into its class; all that are too many are in the last.
    fn add(&mut self, row: u32, nulls: &[bool]) {
        // Most rows are in the class of the one before.
        if self.nulls.get(usize::from(self.last)).is_none_or(|last| last != nulls) {
            self.last = self.class(nulls);
        }
        self.of_rows[row as usize] = self.last;
    }

    fn class(&mut self, nulls: &[bool]) -> u16 {
        let next = self.nulls.len();
        let class = self.known.get(nulls).copied().unwrap_or(next.min(MOST_CLASSES) as u16);
        if usize::from(class) == next {
            self.known.insert(nulls.to_vec(), class);
            self.nulls.push(nulls.to_vec());
        }
        class
    }

    /// Whether there are not too many of them.
    pub fn are_known(&self) -> bool {
        self.nulls.len() <= MOST_CLASSES
    }

    /// Whether some rows have some of the values that are read, and lack others.
    pub fn are_mixed(&self) -> bool {
        self.nulls.iter().flatten().any(|null| *null)
    }
}

/// What a comparison reads of one side: a check of each of its predicates.
pub(super) struct ReadValues<'a> {
    pub checks: Vec<&'a Check>,
    pub is_right: bool,
}

/// Whether a check depends on one value of each record, and is null where one of these is.
pub(super) fn is_of_values(check: &Check) -> bool {
    match check {
        Check::Equal { null_safe, .. } => !null_safe,
        Check::Text { measure, .. } => !measure.facts().has_more_nulls,
        Check::Set { .. } | Check::ListHasAny { .. } | Check::Difference { .. } => true,
        // Whoever exchanges the records of a pair must not exchange the arguments.
        Check::Elements { .. } => false,
        Check::OneSided { .. } | Check::SameSource { .. } | Check::Residual { .. } => false,
    }
}

/// The predicates of a comparison, each once, in order.
pub(super) fn predicates_of(comparison: &ComparisonRules) -> Vec<usize> {
    let literals = comparison.levels.iter().flat_map(|level| level.deciding().iter().flatten());
    let mut predicates: Vec<usize> = literals.map(|literal| literal.predicate).collect();
    predicates.sort_unstable();
    predicates.dedup();
    predicates
}

impl<'a> ReadValues<'a> {
    /// What a comparison reads of both sides; nothing where its outcome depends on more than the values of text, number and
    /// set measures.
    pub fn of_both(comparison: &ComparisonRules, program: &'a Program) -> Option<[Self; 2]> {
        let checks: Vec<&Check> = predicates_of(comparison).iter().map(|at| &program.checks[*at]).collect();
        let is_fit = !checks.is_empty() && checks.iter().all(|check| is_of_values(check));
        is_fit.then(|| [false, true].map(|is_right| Self { checks: checks.clone(), is_right }))
    }

    fn operand(&self, check: &Check) -> usize {
        let operands = check.operands().expect("it compares values");
        if self.is_right { operands.right } else { operands.left }
    }

    /// The operands, each once.
    pub fn operands(&self) -> Vec<usize> {
        let mut operands: Vec<usize> = self.checks.iter().map(|check| self.operand(check)).collect();
        operands.sort_unstable();
        operands.dedup();
        operands
    }

    /// Whether the other side reads the same.
    pub fn reads_what(&self, other: &Self) -> bool {
        let mut both = self.checks.iter().zip(&other.checks);
        both.all(|(own, of)| self.operand(own) == other.operand(of) && self.tokens(own) == other.tokens(of))
    }

    /// The token sets that a check compares, if it does.
    fn tokens(&self, check: &Check) -> Option<usize> {
        check.tokens().map(|tokens| if self.is_right { tokens.right } else { tokens.left })
    }

    /// Whether a check is null for every pair with this row.
    fn is_null(&self, check: &Check, encoded: &Encoded, row: usize) -> bool {
        let operand = self.operand(check);
        let code = encoded.columns[operand].codes[row];
        match (code, check) {
            (NULL, _) => true,
            (code, Check::Difference { .. }) => encoded.domain(operand).number(code).is_none(),
            // An expression may make an empty text, which has a value and no measure.
            (code, Check::Text { .. }) => encoded.domain(operand).texts.as_ref().and_then(Texts::empty) == Some(code),
            (code, _) => self.tokens(check).is_some_and(|tokens| encoded.tokens[tokens].set(code).is_empty()),
        }
    }

    /// Groups the rows of a side; those of different inputs, by `input`, are in different groups. A row for which all checks
    /// are null is in none: no level holds for it.
    pub fn grouped(&self, encoded: &Encoded, rows: u32, input: Option<&dyn Fn(u32) -> u32>) -> Representatives {
        let groups = self.groups(encoded, rows, input);
        let most = groups.iter().copied().filter(|group| *group != NULL).max().map_or(0, |most| most as usize + 1);
        // The first row of each group; a row whose value is null may be in a group of that number.
        let mut first = vec![NULL; most + 1];
        let (mut own, mut counts) = (Vec::new(), vec![0; rows as usize]);
        for (row, group) in (0..rows).zip(&groups) {
            let first = &mut first[(*group as usize).min(most)];
            if *first == NULL {
                *first = row;
                own.push(row);
            }
            counts[*first as usize] += 1;
        }
        let nulls = self.classify(encoded, rows, &mut own);
        Representatives { rows: own, counts, nulls }
    }

    /// The classes of some rows, of which those are left for which some check may have a value.
    fn classify(&self, encoded: &Encoded, rows: u32, own: &mut Vec<u32>) -> NullClasses {
        let mut classes = NullClasses { of_rows: vec![0; rows as usize], ..NullClasses::default() };
        let mut nulls = Vec::with_capacity(self.checks.len());
        own.retain(|row| {
            nulls.clear();
            nulls.extend(self.checks.iter().map(|check| self.is_null(check, encoded, *row as usize)));
            let has_value = nulls.contains(&false);
            if has_value {
                classes.add(*row, &nulls);
            }
            has_value
        });
        classes
    }

    /// The group of each row. One column needs no other number than the code of its value.
    fn groups(&self, encoded: &Encoded, rows: u32, input: Option<&dyn Fn(u32) -> u32>) -> Vec<u32> {
        let operands = self.operands();
        let codes = |operand: usize| &encoded.columns[operand].codes[..rows as usize];
        let mut groups: Vec<u32> = match input {
            Some(input) => (0..rows).map(input).collect(),
            None => codes(operands[0]).to_vec(),
        };
        let others = if input.is_some() { &operands[..] } else { &operands[1..] };
        others.iter().for_each(|operand| refine(&mut groups, codes(*operand)));
        groups
    }
}

/// Divides groups by the codes of one more column.
fn refine(groups: &mut [u32], codes: &[u32]) {
    let mut numbers: HashMap<(u32, u32), u32, FixedState> = HashMap::default();
    for (group, code) in groups.iter_mut().zip(codes) {
        let next = numbers.len() as u32;
        *group = *numbers.entry((*group, *code)).or_insert(next);
    }
}
