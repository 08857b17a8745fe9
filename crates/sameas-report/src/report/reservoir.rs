//! A sample of fixed size from a stream of unknown length: every item is as likely to be in it as any other.

use crate::records::stats::Random;

/// Some of the items that were offered.
#[derive(Clone, Debug)]
pub struct PairReservoir<T> {
    room: usize,
    seen: u64,
    random: Random,
    items: Vec<T>,
}

impl<T> PairReservoir<T> {
    /// For this many items; the seed says which are taken.
    pub fn new(room: usize, seed: u64) -> Self {
        Self { room, seen: 0, random: Random::new(seed), items: Vec::new() }
    }

    /// One more item.
    pub fn offer(&mut self, item: T) {
        self.seen += 1;
        if self.items.len() < self.room {
            self.items.push(item);
        } else if self.room > 0 {
            // The upper bits of a product are as even as a number of 64 bits can be.
            let place = ((u128::from(self.random.word()) * u128::from(self.seen)) >> 64) as usize;
            if place < self.room {
                self.items[place] = item;
            }
        }
    }

    /// How many items one of the sample stands for.
    pub fn weight(&self) -> f64 {
        if self.items.is_empty() { 0.0 } else { self.seen as f64 / self.items.len() as f64 }
    }

    /// Whether it has all that were offered.
    pub fn is_complete(&self) -> bool {
        self.seen == self.items.len() as u64
    }

    /// The sample.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_are_equally_likely() {
        let mut times = [0; 20];
        for seed in 0..2000 {
            let mut reservoir = PairReservoir::new(5, seed);
            (0..20).for_each(|item| reservoir.offer(item));
            assert_eq!((reservoir.weight(), reservoir.is_complete()), (4.0, false));
            reservoir.into_items().into_iter().for_each(|item: usize| times[item] += 1);
        }
        // 500 expected of each, with a standard deviation of about 19.
        assert!(times.iter().all(|times| (400..600).contains(times)), "{times:?}");
    }

    #[test]
    fn few_items_are_all_taken() {
        let mut reservoir = PairReservoir::new(5, 1);
        (0..3).for_each(|item| reservoir.offer(item));
        assert!(reservoir.is_complete() && reservoir.weight() == 1.0);
        assert_eq!(reservoir.into_items(), [0, 1, 2]);
        assert_eq!(PairReservoir::<u8>::new(0, 1).weight(), 0.0);
    }
}
