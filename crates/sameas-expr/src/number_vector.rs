//! A column of numbers in as little memory as they need.

use super::types::Num;

/// A column of numbers. An integer or a float takes 16 bytes; only a column with a decimal in it takes more.
#[derive(Clone, Debug)]
pub struct NumberVector(Storage);

#[derive(Clone, Debug)]
enum Storage {
    Narrow(Vec<Option<NarrowNumber>>),
    Wide(Vec<Option<Num>>),
}

/// A number that is not a decimal.
#[derive(Clone, Copy, Debug)]
enum NarrowNumber {
    Int(i64),
    Float(f64),
}

impl NarrowNumber {
    #[inline]
    fn from_number(number: Num) -> Option<Self> {
        match number {
            Num::Int(value) => Some(Self::Int(value)),
            Num::Float(value) => Some(Self::Float(value)),
            Num::Wide(_) => None,
        }
    }
}

impl From<NarrowNumber> for Num {
    #[inline]
    fn from(number: NarrowNumber) -> Self {
        match number {
            NarrowNumber::Int(value) => Self::Int(value),
            NarrowNumber::Float(value) => Self::Float(value),
        }
    }
}

impl NumberVector {
    /// The number of a row, `None` for null.
    #[inline]
    pub fn get(&self, row: usize) -> Option<Num> {
        match &self.0 {
            Storage::Narrow(numbers) => numbers[row].map(Num::from),
            Storage::Wide(numbers) => numbers[row],
        }
    }

    /// Memory it takes.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Storage::Narrow(numbers) => size_of_val(&numbers[..]),
            Storage::Wide(numbers) => size_of_val(&numbers[..]),
        }
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Storage::Narrow(numbers) => numbers.len(),
            Storage::Wide(numbers) => numbers.len(),
        }
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One number, or null, in every row.
    pub fn repeated(number: Option<Num>, rows: usize) -> Self {
        Self(match number {
            Some(wide @ Num::Wide(_)) => Storage::Wide(vec![Some(wide); rows]),
            narrow => Storage::Narrow(vec![narrow.and_then(NarrowNumber::from_number); rows]),
        })
    }

    /// The numbers of all rows.
    pub fn iter(&self) -> impl Iterator<Item = Option<Num>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl FromIterator<Option<Num>> for NumberVector {
    fn from_iter<I: IntoIterator<Item = Option<Num>>>(numbers: I) -> Self {
        let mut rest = numbers.into_iter();
        let mut narrow = Vec::with_capacity(rest.size_hint().0);
        while let Some(number) = rest.next() {
            match number {
                None => narrow.push(None),
                Some(known) => match NarrowNumber::from_number(known) {
                    Some(known) => narrow.push(Some(known)),
                    None => return Self(Storage::Wide(widened(&narrow, number, rest))),
                },
            }
        }
        Self(Storage::Narrow(narrow))
    }
}

/// The numbers so far, the first decimal, and what follows.
fn widened(
    narrow: &[Option<NarrowNumber>],
    first: Option<Num>,
    rest: impl Iterator<Item = Option<Num>>,
) -> Vec<Option<Num>> {
    narrow.iter().map(|number| number.map(Num::from)).chain(std::iter::once(first)).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Decimal;

    #[test]
    fn numbers_come_back_as_they_were() {
        assert!(size_of::<Option<NarrowNumber>>() == 16 && size_of::<Option<Num>>() == 40);
        let decimal = Num::Wide(Decimal::parse("0.10").unwrap());
        let columns = [
            vec![Some(Num::Int(1)), None, Some(Num::Float(0.5))],
            vec![Some(Num::Int(1)), None, Some(decimal), Some(Num::Float(0.5)), None],
            vec![],
        ];
        for column in columns {
            let made: NumberVector = column.iter().copied().collect();
            assert_eq!(made.len(), column.len());
            assert_eq!(made.iter().collect::<Vec<_>>(), column);
        }
        for value in [None, Some(decimal), Some(Num::Int(3))] {
            assert_eq!(NumberVector::repeated(value, 2).iter().collect::<Vec<_>>(), [value; 2]);
        }
    }
}
