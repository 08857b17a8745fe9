//! What is counted of the texts of a column, on all cores: each distinct value is looked at once.

use hashbrown::HashTable;
use rayon::prelude::*;

use super::characters::{Characters, pattern, pattern_hash};
use super::column_values::ColumnValues;
use super::dates::{self, DateTally};
use super::report::{FormatCount, GarbledText, PatternCount, TextFormat, TextProfile, ValueCount};
use super::text_format::{ValueClass, class_of, is_garbled, is_missing_like, repaired};
use crate::cancel::{Cancel, or_end};
use crate::memory::Held;

/// Patterns that a report shows.
const PATTERNS: usize = 5;

/// Records of texts, by what the texts are.
#[derive(Default)]
pub struct TextTally {
    /// Texts in all.
    pub records: u64,
    /// Their words.
    pub words: u64,
    /// Texts without digits.
    pub without_digits: u64,
    /// Texts without white space.
    pub single_words: u64,
    characters: u64,
    shortest: u64,
    longest: u64,
    blank: u64,
    padded: u64,
    upper: u64,
    lower: u64,
    mixed: u64,
    not_ascii: u64,
    /// Texts that look like a missing value, and blank ones.
    pub meaningless: u64,
    classes: [ClassTally; CLASSES],
    /// Dates by form.
    pub dates: Vec<DateTally>,
    missing_like: Vec<u32>,
    garbled: ClassTally,
    patterns: PatternTally,
}

/// Classes that are counted as a whole, in the order of [`class_place`].
const CLASSES: usize = 9;

/// Records, and the least code of their values as an example.
#[derive(Clone, Copy, Default)]
struct ClassTally {
    records: u64,
    example: u32,
}

impl ClassTally {
    fn add(&mut self, records: u64, example: u32) {
        self.example = if self.records == 0 { example } else { self.example.min(example) };
        self.records += records;
    }

    fn merge(&mut self, other: Self) {
        if other.records > 0 {
            self.add(other.records, other.example);
        }
    }
}

impl TextTally {
    /// Counts the texts of a column.
    pub fn count(values: &ColumnValues, cancel: Cancel<'_>) -> Self {
        let of_block = |codes: std::ops::Range<u32>| {
            cancel.check();
            let mut tally = Self { patterns: PatternTally::new(cancel), ..Self::default() };
            codes.for_each(|code| tally.add(code, values.text(code), u64::from(values.counts[code as usize])));
            tally
        };
        let start = || Self { patterns: PatternTally::new(cancel), ..Self::default() };
        values.code_blocks().map(of_block).reduce(start, Self::merged)
    }

    fn add(&mut self, code: u32, text: &str, records: u64) {
        let found = Characters::scan(text);
        self.add_characters(&found, records);
        match class_of(text, &found) {
            ValueClass::Date(form, numbers) => dates::tally(&mut self.dates, (form, numbers), records, code),
            class => self.classes[class_place(class)].add(records, code),
        }
        let looks_missing = is_missing_like(text);
        if looks_missing {
            self.missing_like.push(code);
        }
        if looks_missing || found.are_blank() {
            self.meaningless += records;
        }
        if !found.is_ascii && is_garbled(text) {
            self.garbled.add(records, code);
        }
        if found.have_pattern() {
            self.patterns.add(text, records, code);
        }
    }

    fn add_characters(&mut self, found: &Characters, records: u64) {
        let all = found.all;
        self.shortest = if self.records == 0 { all } else { self.shortest.min(all) };
        self.longest = self.longest.max(all);
        self.records += records;
        self.characters += all * records;
        self.words += found.words * records;
        let count = |is_so: bool, of: &mut u64| *of += if is_so { records } else { 0 };
        count(found.digits == 0, &mut self.without_digits);
        count(found.blanks == 0, &mut self.single_words);
        count(found.are_blank(), &mut self.blank);
        count(found.is_padded && !found.are_blank(), &mut self.padded);
        count(found.upper > 0 && found.lower == 0, &mut self.upper);
        count(found.lower > 0 && found.upper == 0, &mut self.lower);
        count(found.lower > 0 && found.upper > 0, &mut self.mixed);
        count(!found.is_ascii, &mut self.not_ascii);
    }

    /// Everything that is added up.
    fn sums(&mut self) -> [&mut u64; 12] {
        let Self { records, words, without_digits, single_words, characters, blank, .. } = self;
        let Self { padded, upper, lower, mixed, not_ascii, meaningless, .. } = self;
        [
            records,
            words,
            without_digits,
            single_words,
            characters,
            blank,
            padded,
            upper,
            lower,
            mixed,
            not_ascii,
            meaningless,
        ]
    }

    fn merged(mut self, mut other: Self) -> Self {
        self.shortest = match (self.records, other.records) {
            (0, _) => other.shortest,
            (_, 0) => self.shortest,
            _ => self.shortest.min(other.shortest),
        };
        self.longest = self.longest.max(other.longest);
        let theirs = other.sums().map(|sum| *sum);
        self.sums().into_iter().zip(theirs).for_each(|(own, theirs)| *own += theirs);
        self.classes.iter_mut().zip(other.classes).for_each(|(own, theirs)| own.merge(theirs));
        other.dates.into_iter().for_each(|theirs| dates::merge(&mut self.dates, theirs));
        self.missing_like.append(&mut other.missing_like);
        self.garbled.merge(other.garbled);
        self.patterns.merge(&other.patterns);
        self
    }

    /// Whether texts may differ from others in case or accents alone: there is a capital letter, or one that is not ASCII.
    pub fn has_case_or_accents(&self) -> bool {
        self.upper + self.mixed + self.not_ascii > 0
    }

    /// Number of different patterns.
    pub fn patterns(&self) -> usize {
        self.patterns.found.len()
    }

    /// Records of a class; dates such as `20240531` are counted by [`Self::compact_dates`].
    pub fn of_class(&self, class: ValueClass) -> u64 {
        self.classes[class_place(class)].records
    }

    /// Records with a date that date functions do not read.
    pub fn other_dates(&self) -> u64 {
        self.dates.iter().map(|date| date.records).sum()
    }

    /// Records with a date such as `20240531`, if nearly all numbers are such dates: else they are numbers.
    pub fn compact_dates(&self) -> u64 {
        let compact = self.of_class(ValueClass::CompactDate);
        if compact > 10 * self.of_class(ValueClass::Digits) { compact } else { 0 }
    }

    /// All of it for people.
    pub fn profile(mut self, values: &ColumnValues) -> TextProfile {
        self.missing_like.sort_unstable();
        let missing_like =
            |code: &u32| ValueCount { value: values.value(*code), records: u64::from(values.counts[*code as usize]) };
        let mut missing_like: Vec<ValueCount> = self.missing_like.iter().map(missing_like).collect();
        missing_like.sort_by_key(|value| std::cmp::Reverse(value.records));
        let garbled = (self.garbled.records > 0).then(|| {
            let example = values.text(self.garbled.example).to_owned();
            GarbledText { records: self.garbled.records, repaired: repaired(&example), example }
        });
        TextProfile {
            shortest: self.shortest,
            longest: self.longest,
            mean_length: self.characters as f64 / self.records.max(1) as f64,
            formats: self.formats(values),
            patterns: self.patterns.most_frequent(values),
            missing_like,
            blank: self.blank,
            padded: self.padded,
            upper: self.upper,
            lower: self.lower,
            mixed: self.mixed,
            folded: None,
            garbled,
        }
    }

    fn formats(&self, values: &ColumnValues) -> Vec<FormatCount> {
        let mut classes = self.classes;
        let compact = std::mem::take(&mut classes[class_place(ValueClass::CompactDate)]);
        let becomes = if self.compact_dates() > 0 { ValueClass::IsoDate } else { ValueClass::Digits };
        classes[class_place(becomes)].merge(compact);
        let counted = FORMATS.iter().filter_map(|(class, format)| {
            let ClassTally { records, example } = classes[class_place(*class)];
            (records > 0).then(|| (format.clone(), records, example))
        });
        let dates = self.dates.iter().map(|date| {
            let formats = date.formats();
            (TextFormat::Date { formats }, date.records, date.example)
        });
        let mut all: Vec<_> = counted.chain(dates).collect();
        all.sort_by_key(|(_, records, example)| (std::cmp::Reverse(*records), *example));
        let format =
            |(format, records, example)| FormatCount { format, records, example: values.text(example).to_owned() };
        all.into_iter().map(format).collect()
    }
}

const FORMATS: [(ValueClass, TextFormat); 8] = [
    (ValueClass::IsoDate, TextFormat::IsoDate),
    (ValueClass::Digits, TextFormat::Digits),
    (ValueClass::Number, TextFormat::Number),
    (ValueClass::DecimalComma, TextFormat::DecimalComma),
    (ValueClass::Email, TextFormat::Email),
    (ValueClass::Phone, TextFormat::Phone),
    (ValueClass::Words, TextFormat::Words),
    (ValueClass::Other, TextFormat::Other),
];

fn class_place(class: ValueClass) -> usize {
    match class {
        ValueClass::IsoDate => 0,
        ValueClass::CompactDate => 1,
        ValueClass::Digits => 2,
        ValueClass::Number => 3,
        ValueClass::DecimalComma => 4,
        ValueClass::Email => 5,
        ValueClass::Phone => 6,
        ValueClass::Words => 7,
        ValueClass::Other | ValueClass::Date(..) => 8,
    }
}

/// Patterns by hash: a pattern is written only where it is shown.
#[derive(Default)]
struct PatternTally {
    found: HashTable<(u64, ClassTally)>,
    held: Held,
    scratch: Vec<u8>,
}

impl PatternTally {
    fn new(cancel: Cancel<'_>) -> Self {
        Self { found: HashTable::new(), held: cancel.hold(0), scratch: Vec::new() }
    }

    fn add(&mut self, text: &str, records: u64, code: u32) {
        let hash = pattern_hash(text, &mut self.scratch);
        self.add_hash(hash, records, code);
    }

    fn add_hash(&mut self, hash: u64, records: u64, code: u32) {
        let entry = self.found.entry(hash, |known| known.0 == hash, |known| known.0);
        entry.or_insert((hash, ClassTally::default())).into_mut().1.add(records, code);
        or_end(self.held.grow(self.found.capacity() * size_of::<(u64, ClassTally)>()));
    }

    fn merge(&mut self, other: &Self) {
        other.found.iter().for_each(|(hash, of)| self.add_hash(*hash, of.records, of.example));
    }

    fn most_frequent(&self, values: &ColumnValues) -> Vec<PatternCount> {
        let mut all: Vec<ClassTally> = self.found.iter().map(|(_, of)| *of).collect();
        all.sort_unstable_by_key(|of| (std::cmp::Reverse(of.records), of.example));
        let shown = |of: &ClassTally| {
            let example = values.text(of.example);
            PatternCount { pattern: pattern(example), records: of.records, example: example.to_owned() }
        };
        all.iter().take(PATTERNS).map(shown).collect()
    }
}
