//! One list of numbers.

use std::sync::Arc;

use super::types::Num;

/// The numbers of a list, in the type they have in the input: a list of integers is not one of floats.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberItems {
    /// Finite floats: most vectors.
    Floats(Arc<[f64]>),
    /// 64-bit integers.
    Ints(Arc<[i64]>),
    /// Decimals, or integers that need more bits.
    Wides(Arc<[Num]>),
}

impl NumberItems {
    /// Number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Floats(list) => list.len(),
            Self::Ints(list) => list.len(),
            Self::Wides(list) => list.len(),
        }
    }

    /// Memory its elements take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Floats(list) => size_of_val(&list[..]),
            Self::Ints(list) => size_of_val(&list[..]),
            Self::Wides(list) => size_of_val(&list[..]),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at a place.
    #[inline]
    pub fn get(&self, at: usize) -> Num {
        match self {
            Self::Floats(list) => Num::Float(list[at]),
            Self::Ints(list) => Num::Int(list[at]),
            Self::Wides(list) => list[at],
        }
    }

    /// The elements.
    pub fn iter(&self) -> impl Iterator<Item = Num> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The nearest floats, for measures of vectors.
    pub fn to_floats(&self) -> Arc<[f64]> {
        match self {
            Self::Floats(list) => Arc::clone(list),
            _ => self.iter().map(Num::to_f64).collect(),
        }
    }

    /// The elements as texts.
    pub fn to_texts(&self) -> Vec<String> {
        self.iter().map(Num::to_text).collect()
    }
}

impl From<&[f64]> for NumberItems {
    fn from(list: &[f64]) -> Self {
        Self::Floats(list.into())
    }
}

/// Elements of any kind: integers if all are, else numbers one by one.
impl FromIterator<Num> for NumberItems {
    fn from_iter<I: IntoIterator<Item = Num>>(numbers: I) -> Self {
        let list: Vec<Num> = numbers.into_iter().collect();
        let int = |number: &Num| match number {
            Num::Int(value) => Some(*value),
            _ => None,
        };
        match list.iter().map(int).collect::<Option<Arc<[i64]>>>() {
            Some(ints) => Self::Ints(ints),
            None => Self::Wides(list.into()),
        }
    }
}
