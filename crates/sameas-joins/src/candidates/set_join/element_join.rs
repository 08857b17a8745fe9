//! Pairs of values whose means of best matches reach a threshold, by way of similar elements.
//!
//! 1. Where a mean reaches the threshold, at least k elements of the first set have a partner in the second: an element of at
//!    least some similarity ([`ElementTest::least_partners`] derives k). So of any n - k + 1 of its n elements one has a
//!    partner. The prefix of a set is this many of them: those that fewest second sets have.
//! 2. The elements of all prefixes are joined with all elements of the second sets, as texts ([`TextJoin`]). A pair of
//!    partners leads to the sets that have them, and these are decided by the measure itself. So no pair is lost.
//! 3. A pair of sets may have many partners. It counts where the element is the first of the prefix that has one, and the
//!    partner the first of the second set. So it comes once.
//!
//! Where memory is short, some first sets meet some second sets at a time: each pair is met in one round.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::candidates::text_join::TextJoin;
use crate::candidates::value_join::{AnyValueJoin, ValueJoin};
use crate::expr::Side;
use crate::records::encode::{AnyStrings, Elements, Sets, Texts};
use crate::threshold::ElementTest;

/// Bytes that an element of a set takes in a round, and a set besides.
const ELEMENT_BYTES: usize = 2 * size_of::<u32>();
const SET_BYTES: usize = size_of::<usize>();

/// A join of the elements of distinct values, as a [`ValueJoin`].
pub(super) struct ElementJoin<'a> {
    test: ElementTest,
    texts: &'a Texts,
    /// The sets of the first argument and of the second.
    sides: [ElementSide<'a>; 2],
    /// The record that the first argument is of.
    first: Side,
    prepared: Option<PreparedElements<'a>>,
    met: AtomicU64,
}

/// The sets of some values.
struct ElementSide<'a> {
    sets: Sets<'a>,
    codes: Vec<u32>,
    /// The codes of each round.
    pieces: Vec<Range<usize>>,
}

/// What a round reads.
struct PreparedElements<'a> {
    /// Elements of prefixes and their partners.
    partners: Box<dyn AnyValueJoin + 'a>,
    /// The first sets, by their places among those of the round.
    codes: Range<usize>,
    prefixes: Prefixes,
    /// Places by element of a prefix.
    places: SetsByElement,
    /// Codes of second sets by element.
    others: SetsByElement,
}

/// The prefixes of some sets.
#[derive(Default)]
struct Prefixes {
    elements: Vec<u32>,
    ends: Vec<usize>,
}

/// Sets by the elements that they have.
struct SetsByElement {
    starts: Vec<usize>,
    sets: Vec<u32>,
}

impl<'a> ElementJoin<'a> {
    /// A join of the sets of left codes with those of right codes, of which those of the `first` record are first arguments.
    pub(super) fn new(
        test: ElementTest,
        first: Side,
        left: (&'a Elements, Vec<u32>),
        right: (&'a Elements, Vec<u32>),
        memory: usize,
    ) -> Self {
        let texts = left.0.texts();
        let (x, y) = first.in_order(left, right);
        let sides = [x, y].map(|(elements, codes)| ElementSide::new(elements.view(), codes, memory / 2));
        Self { test, texts, sides, first, prepared: None, met: AtomicU64::new(0) }
    }

    /// Pairs of sets that partners have led to so far, some of them more than once.
    pub(super) fn met(&self) -> u64 {
        self.met.load(Relaxed)
    }

    /// The elements of a set that lead to others: as many that one of them must have a partner.
    fn prefix(&self, set: &[u32], others: &SetsByElement) -> Vec<u32> {
        let mut elements = set.to_vec();
        elements.sort_unstable_by_key(|element| (others.sets_with(*element).len(), *element));
        elements.truncate(set.len() + 1 - self.test.least_partners(set.len()));
        elements
    }

    /// Finds the sets that have two partners and reach the threshold.
    fn meet(&self, prepared: &PreparedElements<'a>, (element, partner): (u32, u32), found: &mut impl FnMut(u32, u32)) {
        let ([first, second], others) = (&self.sides, prepared.others.sets_with(partner));
        for place in prepared.places.sets_with(element) {
            let code = first.codes[prepared.codes.start + *place as usize];
            let (x, prefix) = (first.sets.set(code), prepared.prefixes.prefix(*place));
            for other in others {
                let y = second.sets.set(*other);
                if self.is_first(prefix, (element, partner), y) && self.test.holds(self.texts, x, y) == Some(true) {
                    let (left, right) = self.first.in_order(code, *other);
                    found(left, right);
                }
            }
        }
        self.met.fetch_add((prepared.places.sets_with(element).len() * others.len()) as u64, Relaxed);
    }

    /// Whether an element is the first of a prefix that has a partner in a set, and this its first partner there.
    fn is_first(&self, prefix: &[u32], (element, partner): (u32, u32), set: &[u32]) -> bool {
        let before = &set[..set.partition_point(|other| *other < partner)];
        let mut earlier = prefix.iter().take_while(|other| **other != element);
        !self.test.has_partner(self.texts, element, before)
            && earlier.all(|other| !self.test.has_partner(self.texts, *other, set))
    }

    fn partners(&self, left: &[u32], right: &[u32]) -> Box<dyn AnyValueJoin + 'a> {
        let predicate = self.test.partners().unwrap_or_else(|| unreachable!("the test is one that has partners"));
        let (signatures, right) = (self.texts.signatures(), Some(right));
        match self.texts.strings() {
            AnyStrings::U8(strings) => Box::new(TextJoin::new(strings, signatures, left, right, predicate)),
            AnyStrings::U16(strings) => Box::new(TextJoin::new(strings, signatures, left, right, predicate)),
            AnyStrings::U32(strings) => Box::new(TextJoin::new(strings, signatures, left, right, predicate)),
        }
    }
}

impl ValueJoin for ElementJoin<'_> {
    fn rounds(&self) -> usize {
        self.sides[0].pieces.len() * self.sides[1].pieces.len()
    }

    fn prepare(&mut self, round: usize) {
        self.prepared = None;
        let ([first, second], elements) = (&self.sides, self.texts.len());
        let (x, y) = (round / second.pieces.len(), round % second.pieces.len());
        let (codes, others) = (first.pieces[x].clone(), &second.codes[second.pieces[y].clone()]);
        let others = SetsByElement::new(elements, others.iter().map(|code| (*code, second.sets.set(*code))));
        let mut prefixes = Prefixes::default();
        for code in &first.codes[codes.clone()] {
            prefixes.elements.append(&mut self.prefix(first.sets.set(*code), &others));
            prefixes.ends.push(prefixes.elements.len());
        }
        let places = (0..codes.len() as u32).map(|place| (place, prefixes.prefix(place)));
        let places = SetsByElement::new(elements, places);
        let partners = self.partners(&places.elements(), &others.elements());
        self.prepared = Some(PreparedElements { partners, codes, prefixes, places, others });
    }

    fn tasks(&self) -> usize {
        self.prepared.as_ref().map_or(0, |prepared| prepared.partners.any_tasks())
    }

    fn run(&self, task: usize, found: &mut impl FnMut(u32, u32)) {
        let Some(prepared) = &self.prepared else { return };
        let mut meet = |element, partner| self.meet(prepared, (element, partner), found);
        prepared.partners.any_run(task, &mut meet);
    }
}

impl<'a> ElementSide<'a> {
    /// Sets of which as many as take about these bytes, or one, are read in a round.
    fn new(sets: Sets<'a>, codes: Vec<u32>, bytes: usize) -> Self {
        let (mut pieces, mut start, mut taken) = (Vec::new(), 0, 0);
        for (at, code) in codes.iter().enumerate() {
            let more = SET_BYTES + sets.set(*code).len() * ELEMENT_BYTES;
            if at > start && taken + more > bytes {
                pieces.push(start..at);
                (start, taken) = (at, 0);
            }
            taken += more;
        }
        if start < codes.len() {
            pieces.push(start..codes.len());
        }
        Self { sets, codes, pieces }
    }
}

impl Prefixes {
    fn prefix(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.elements[start..self.ends[place]]
    }
}

impl SetsByElement {
    /// Sets by this many elements, each with a number.
    fn new<'s>(elements: usize, sets: impl Iterator<Item = (u32, &'s [u32])> + Clone) -> Self {
        let mut starts = vec![0; elements + 1];
        sets.clone().flat_map(|(_, set)| set).for_each(|element| starts[*element as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut all) = (starts.clone(), vec![0; starts[elements]]);
        for (number, set) in sets {
            for element in set {
                let place = &mut next[*element as usize];
                all[*place] = number;
                *place += 1;
            }
        }
        Self { starts, sets: all }
    }

    /// The sets that have an element.
    fn sets_with(&self, element: u32) -> &[u32] {
        &self.sets[self.starts[element as usize]..self.starts[element as usize + 1]]
    }

    /// The elements that some set has.
    fn elements(&self) -> Vec<u32> {
        (0..self.starts.len() as u32 - 1).filter(|element| !self.sets_with(*element).is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::*;
    use crate::cancel::Cancel;
    use crate::expr::{Num, Vector};
    use crate::measure::TextMeasure;
    use crate::records::encode::{Dictionary, Numbers, TokenSets, Tokenizer};
    use crate::rules::Comparison;

    /// Values, and the token sets of them with their elements.
    fn sets_of(values: &[String]) -> (Vec<u32>, TokenSets) {
        let column = Vector::Text(StringArray::from_iter_values(values));
        let (dictionary, mut codes) = Dictionary::encode(&[vec![column.into()]], Numbers::ByValue, Cancel::NEVER);
        let sources = [(&dictionary, Tokenizer::Words)];
        let sets = TokenSets::with_elements(TokenSets::tokenize(&sources, Cancel::NEVER), &sources, Cancel::NEVER);
        let mut codes = codes.remove(0);
        codes.sort_unstable();
        codes.dedup();
        (codes, sets.into_iter().next().expect("one source has one"))
    }

    fn found(mut join: ElementJoin<'_>) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for round in 0..join.rounds() {
            join.prepare(round);
            (0..join.tasks()).for_each(|task| join.run(task, &mut |a, b| pairs.push((a, b))));
        }
        pairs.sort_unstable();
        pairs
    }

    proptest! {
        #[test]
        fn finds_what_the_nested_loop_finds_each_pair_once(
            values in prop::collection::vec("(anna|ana|smith|smyth|smithe|[ab-]{1,3})( (anna|anne|smith|[ab]{1,4})){0,4}", 1..25),
            inner in prop::sample::select(vec![TextMeasure::Jaro, TextMeasure::JaroWinkler]),
            threshold in prop::sample::select(vec![0.8, 0.85, 0.9, 0.95, 0.97, 1.0, 1.1]),
            comparison in prop::sample::select(vec![Comparison::Greater, Comparison::GreaterEqual]),
            first in prop::sample::select(vec![Side::Left, Side::Right]),
            memory in prop::sample::select(vec![0, 300, 1 << 20]),
        ) {
            let (codes, sets) = sets_of(&values);
            let elements = sets.elements().expect("they were wanted");
            let test = ElementTest { inner, comparison, threshold: Num::Float(threshold) };
            prop_assert!(test.has_partners());
            let holds = |a: u32, b: u32| {
                let (x, y) = first.in_order(elements.view().set(a), elements.view().set(b));
                test.holds(elements.texts(), x, y) == Some(true)
            };
            let all = codes.iter().flat_map(|a| codes.iter().map(move |b| (*a, *b)));
            let expected: Vec<(u32, u32)> = all.filter(|(a, b)| holds(*a, *b)).collect();
            let side = || (elements, codes.clone());
            let join = ElementJoin::new(test, first, side(), side(), memory);
            prop_assert!(memory > 0 || join.rounds() == codes.len() * codes.len());
            prop_assert_eq!(found(join), expected);
        }
    }
}
