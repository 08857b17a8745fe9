//! The declaration of `set_join`: sets of tokens with enough in common.

use super::element_join::ElementJoin;
use super::{Enumeration, SetJoin, SetJoinOptions};
use crate::candidates::by_value::path_over_values;
use crate::candidates::declaration::{Declaration, DeviceCost, JoinFacts, START, ValueDeclaration, ValueLists};
use crate::candidates::value_cost::{GROUPED_ROW, SIGNATURE, VALUE, ValuePairs, rows_cost};
use crate::candidates::value_join::{AnyValueJoin, ValueJoin};
use crate::candidates::{Parting, Path, PathInput, SAMPLE_MEMORY};
use crate::records::encode::{Encoded, Sets};
use crate::rules::Comparison;
use crate::threshold::{Check, Sides};

/// Nanoseconds of an entry in a list. Not the figure by which the join itself chooses (`choose`), which is for each probing
/// entry of lists whose lengths are known: here the number of entries is an estimate ([`PREFIX`]).
const POSTING: f64 = 250.0;
/// Nanoseconds of two sets that meet in a list, compared by signature.
const IN_LIST: f64 = 2.0;
/// Nanoseconds of two sets that signatures have left to the measure, which mostly sees soon that they have too little in
/// common.
const VERIFIED: f64 = 100.0;
/// Two sets compared by signature on a device, in nanoseconds of a core that a device takes a share of: its tensor cores
/// compare them at the rate of some thousand cores.
const SIGNATURE_ON_DEVICE: f64 = 0.12;
/// A value whose code goes to a device.
const VALUE_TO_DEVICE: f64 = 5.0;
/// Nanoseconds of two sets that similar elements have led to: whether it is for the first time, and the measure.
const ELEMENTS_MET: f64 = 300.0;
/// The share of a set's tokens that its prefix has, about.
const PREFIX: f64 = 0.3;

/// Sets of tokens with enough in common.
pub struct SetJoinPath;

impl Declaration for SetJoinPath {
    fn name(&self) -> &'static str {
        "set_join"
    }

    /// Measures of sets rise with what the sets have in common, so only a lower bound joins.
    #[deny(clippy::wildcard_enum_match_arm)]
    fn serves(&self, check: &Check) -> bool {
        use Comparison::{Greater, GreaterEqual};
        match check {
            Check::Elements { test, .. } => test.has_partners(),
            Check::Set { comparison, .. } => matches!(comparison, Greater | GreaterEqual),
            Check::ListHasAny { .. } => true,
            Check::Equal { .. } | Check::OneSided { .. } | Check::Text { .. } => false,
            Check::Difference { .. } | Check::SameSource { .. } | Check::Residual { .. } => false,
        }
    }

    fn over_values(&self) -> Option<&dyn ValueDeclaration> {
        Some(self)
    }

    fn cost(&self, on: &[usize], facts: &dyn JoinFacts) -> f64 {
        rows_cost(on, facts)
    }

    fn path<'a>(&self, on: &[usize], input: PathInput<'a>) -> Path<'a> {
        path_over_values(self, on[0], &input)
    }

    /// Records would be repeated for every token.
    fn parting(&self, _: &[usize], _: &[Check]) -> Parting {
        Parting::Rows
    }

    fn has_device_path(&self) -> bool {
        true
    }

    /// Elements have no kernel that joins them.
    fn serves_on_device(&self, check: &Check) -> bool {
        !matches!(check, Check::Elements { .. })
    }

    /// The host puts rows to their values. The device orders, signs and joins these; it compares all signatures, or has
    /// lists as the CPU has, whichever is cheaper.
    fn device_cost(&self, on: &[usize], facts: &dyn JoinFacts) -> DeviceCost {
        let all = |predicate: usize| START + ValuePairs::for_predicate(predicate, facts).pairs * SIGNATURE_ON_DEVICE;
        let join = |predicate: &usize| all(*predicate).min(START + facts.values_cost(*predicate));
        let values = |predicate: &usize| facts.distinct(*predicate).iter().sum::<f64>() * VALUE_TO_DEVICE;
        DeviceCost {
            host: facts.rows() * GROUPED_ROW + on.iter().map(values).sum::<f64>(),
            device: on.iter().map(join).sum(),
        }
    }
}

impl ValueDeclaration for SetJoinPath {
    fn join<'a>(
        &self,
        check: &'a Check,
        encoded: &'a Encoded,
        values: &ValueLists,
        memory: usize,
    ) -> Box<dyn AnyValueJoin + 'a> {
        match element_join(check, encoded, values, memory) {
            Some(join) => Box::new(join),
            None => Box::new(join(check, encoded, values, SetJoinOptions::new(memory))),
        }
    }

    fn cost(&self, predicate: usize, facts: &dyn JoinFacts) -> f64 {
        if let Some(cost) = elements_cost(predicate, facts) {
            return cost;
        }
        let (work, values) = (sampled_work(predicate, facts), ValuePairs::for_predicate(predicate, facts));
        let index = values.values * work.entries * POSTING + values.pairs * work.met * IN_LIST;
        values.cost(index, work.verified * VERIFIED)
    }
}

fn join<'a>(check: &'a Check, encoded: &'a Encoded, values: &ValueLists, options: SetJoinOptions) -> SetJoin<'a> {
    let tokens = tokens_of(check);
    let sets = |side: usize| -> Sets<'a> { encoded.tokens[side].view() };
    let right = values.right.as_ref().map(|codes| (sets(tokens.right), &codes[..]));
    let holds = |common, x, y| check.holds_for_sets(common, x, y);
    SetJoin::new((sets(tokens.left), &values.left), right, holds, options)
}

/// The join of elements, where a check compares these.
fn element_join<'a>(
    check: &Check,
    encoded: &'a Encoded,
    values: &ValueLists,
    memory: usize,
) -> Option<ElementJoin<'a>> {
    let Check::Elements { tokens, first, test, .. } = check else { return None };
    let (left, right) = (encoded.tokens[tokens.left].elements()?, encoded.tokens[tokens.right].elements()?);
    let right = (right, values.right.clone().unwrap_or_else(|| values.left.clone()));
    Some(ElementJoin::new(*test, *first, (left, values.left.clone()), right, memory))
}

/// What joining the elements of a predicate takes: all of them are compared by signature, and then the sets that similar
/// ones lead to, as often as in a sample.
fn elements_cost(predicate: usize, facts: &dyn JoinFacts) -> Option<f64> {
    let (check, encoded) = (facts.check(predicate), facts.encoded());
    let Check::Elements { operands, tokens, .. } = check else { return None };
    let [left, right] = facts.sampled_values(predicate, *operands);
    let sampled = (left.len() as f64 * right.len() as f64).max(1.0);
    let mut join = element_join(check, encoded, &ValueLists { left, right: Some(right) }, SAMPLE_MEMORY)?;
    for round in 0..join.rounds() {
        join.prepare(round);
        (0..join.tasks()).for_each(|task| join.run(task, &mut |_, _| ()));
    }
    let elements = encoded.tokens[tokens.left].elements()?.texts().len() as f64;
    let [left, right] = facts.distinct(predicate);
    let met = join.met() as f64 / sampled * left * right;
    Some((left + right) * VALUE + elements * elements * SIGNATURE + met * ELEMENTS_MET)
}

fn tokens_of(check: &Check) -> Sides<usize> {
    match check {
        Check::Set { tokens, .. } | Check::ListHasAny { tokens, .. } => *tokens,
        _ => unreachable!("a join of sets is one of sets"),
    }
}

/// What the lists of prefixes have to do.
struct SampledWork {
    /// Entries for each value.
    entries: f64,
    /// The share of all pairs of values that meet in a list.
    met: f64,
    /// The share of all pairs of values that signatures leave to the measure.
    verified: f64,
}

/// The work of a join of sampled values.
fn sampled_work(predicate: usize, facts: &dyn JoinFacts) -> SampledWork {
    let (check, encoded) = (facts.check(predicate), facts.encoded());
    let Some(operands) = check.operands() else { unreachable!("sets are operands") };
    let [left, right] = facts.sampled_values(predicate, operands);
    let tokens = tokens_of(check);
    let one_list = tokens.left == tokens.right && left == right;
    let values = ValueLists { left, right: (!one_list).then_some(right) };
    let options = SetJoinOptions { path: Some(Enumeration::Prefixes), ..SetJoinOptions::new(SAMPLE_MEMORY) };
    let mut join = join(check, encoded, &values, options);
    for round in 0..join.rounds() {
        join.prepare(round);
        (0..join.tasks()).for_each(|task| join.run(task, &mut |_, _| ()));
    }
    let size = values.left.iter().map(|code| encoded.tokens[tokens.left].view().set(*code).len()).sum::<usize>();
    let (counters, nominal) = (join.counters(), (join.nominal_pairs() as f64).max(1.0));
    SampledWork {
        entries: PREFIX * size as f64 / (values.left.len() as f64).max(1.0),
        met: counters.compared as f64 / nominal,
        verified: counters.verified as f64 / nominal,
    }
}
