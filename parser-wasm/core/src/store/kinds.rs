//! What many rows have in common, kept once. A recording of millions of events has some hundred kinds of them: the same action, length,
//! flags, task and CPU again and again. So a row is its time, its place and the number of its kind.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A kind of rows: few of them are distinct.
pub(super) trait Kind: Copy {
    /// All of its content.
    fn words(&self) -> KindWords;
}

/// What two kinds are compared by.
pub(super) type KindWords = [u64; 4];

/// Free slot.
const FREE: u32 = u32::MAX;
/// Slots at first.
const LEAST: usize = 64;

/// The distinct kinds, found by their content in an open table.
#[derive(Clone, Debug)]
pub(super) struct Kinds<K> {
    kinds: Vec<K>,
    words: Vec<KindWords>,
    /// Numbers of kinds. Their number is a power of two, and at least half of them are free.
    slots: Vec<u32>,
}

impl<K> Default for Kinds<K> {
    fn default() -> Kinds<K> {
        Kinds { kinds: Vec::new(), words: Vec::new(), slots: Vec::new() }
    }
}

impl<K: Serialize> Serialize for Kinds<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.kinds.serialize(serializer)
    }
}

impl<'de, K: Kind + Deserialize<'de>> Deserialize<'de> for Kinds<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kinds<K>, D::Error> {
        let mut kinds = Kinds::default();
        for kind in Vec::<K>::deserialize(deserializer)? {
            kinds.number(&kind);
        }
        Ok(kinds)
    }
}

impl<K: Kind> Kinds<K> {
    /// The number of a kind, which is added if it is new. The same kinds in the same order have the same numbers.
    #[inline]
    pub fn number(&mut self, kind: &K) -> u32 {
        let words = kind.words();
        if let Some(mask) = self.slots.len().checked_sub(1) {
            let mut at = home(&words) & mask;
            while let Some(known) = self.words.get(self.slots[at] as usize) {
                if *known == words {
                    return self.slots[at];
                }
                at = (at + 1) & mask;
            }
        }
        self.add(kind, words)
    }

    #[cold]
    fn add(&mut self, kind: &K, words: KindWords) -> u32 {
        let number = self.kinds.len() as u32;
        self.kinds.push(*kind);
        self.words.push(words);
        if self.kinds.len() * 2 > self.slots.len() {
            self.slots = vec![FREE; (self.slots.len() * 2).max(LEAST)];
            (0..=number).for_each(|number| self.enter(number));
        } else {
            self.enter(number);
        }
        number
    }

    fn enter(&mut self, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = home(&self.words[number as usize]) & mask;
        while self.slots[at] != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = number;
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// All of them, by number.
    pub fn each(&self) -> impl Iterator<Item = &K> {
        self.kinds.iter()
    }

    #[inline]
    pub fn get(&self, number: u32) -> &K {
        &self.kinds[number as usize]
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.kinds.len() * (size_of::<K>() + size_of::<KindWords>()) + self.slots.len() * size_of::<u32>()
    }
}

/// Where a kind is looked for first. The fields of its words are moved apart, so that one multiplication mixes all.
#[inline]
fn home(words: &KindWords) -> usize {
    let all = words[0] ^ words[1].rotate_left(21) ^ words[2].rotate_left(42) ^ words[3].rotate_left(11);
    ((all ^ all >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Numbered(u64);

    impl Kind for Numbered {
        fn words(&self) -> KindWords {
            [self.0, 0, 0, self.0 >> 7]
        }
    }

    #[test]
    fn each_kind_has_one_number() {
        let mut kinds = Kinds::default();
        let given: Vec<u64> = (0..20_000u64).map(|i| i * i % 5_003 * 0x1_0000_0001).collect();
        let numbers: Vec<u32> = given.iter().map(|&g| kinds.number(&Numbered(g))).collect();
        let distinct: std::collections::BTreeSet<u64> = given.iter().copied().collect();
        assert_eq!(numbers.iter().max(), Some(&(distinct.len() as u32 - 1)));
        for (given, number) in given.iter().zip(numbers) {
            assert_eq!(kinds.get(number), &Numbered(*given));
        }
    }
}
