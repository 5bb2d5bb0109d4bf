//! The part that many rows share, kept once. A recording of millions of events has some hundred
//! kinds of them: the same action, length, flags and CPU again and again. So a row is its time, its
//! place and the number of its kind.
//!
//! The task is no part of a kind of events: with thousands of tasks there would be a hundred
//! thousand kinds, and a look at each of them would miss the cache. A row has the number of its
//! kind and task together ([`KindOfTask`]), which is 8 bytes.
//!
//! Kinds are found in an open hash table by content. A recording can be made so that all of its
//! kinds share a slot; once a search would become long, the table becomes a tree.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A kind of rows: few of them are distinct.
pub trait Kind<const WORDS: usize = 4>: Copy {
    /// The complete content: two kinds with equal words are the same kind.
    fn words(&self) -> KindWords<WORDS>;
}

/// A kind's content as words, for comparison and hashing.
pub type KindWords<const WORDS: usize = 4> = [u64; WORDS];

/// A kind of rows, and the task that they are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KindOfTask {
    /// The number of the kind.
    pub kind: u32,
    /// Index of the task in the store's processes.
    pub process: u32,
}

impl Kind<1> for KindOfTask {
    #[inline]
    fn words(&self) -> KindWords<1> {
        [u64::from(self.kind) | u64::from(self.process) << 32]
    }
}

/// Marks a free slot.
const FREE: u32 = u32::MAX;
/// Slots of the smallest table: so many that the kinds of most recordings do not meet in one.
const MIN_SLOTS: usize = 256;
/// Slots between a kind and its own, at most. Where half of them are free, kinds that nobody chose
/// do not reach a hundred.
const FARTHEST: usize = 256;

/// Numbers by content, in an open table, in the order in which they were added. Contents that were
/// made up to share a slot go into a tree.
#[derive(Clone, Debug, Default)]
pub struct KindNumbers<const WORDS: usize = 4> {
    words: Vec<KindWords<WORDS>>,
    /// Numbers of kinds. The count of slots is a power of two, and at least half of them are free,
    /// so that searches are short.
    slots: Vec<u32>,
    /// Holds all kinds instead of `slots`, once one was too far from its slot.
    tree: Option<BTreeMap<KindWords<WORDS>, u32>>,
}

impl<const WORDS: usize> KindNumbers<WORDS> {
    /// The number of the kind with this content.
    #[inline(always)]
    pub fn find(&self, words: &KindWords<WORDS>) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let slot = home(words) & mask;
        // Nearly always it is in its own slot.
        match self.slots.get(slot) {
            Some(&number) if self.words.get(number as usize) == Some(words) => Some(number),
            _ => self.find_beyond(words, slot),
        }
    }

    #[inline(never)]
    fn find_beyond(&self, words: &KindWords<WORDS>, mut slot: usize) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        while let Some(words_in_slot) = self.words.get(self.slots[slot] as usize) {
            if words_in_slot == words {
                return Some(self.slots[slot]);
            }
            slot = (slot + 1) & mask;
        }
        self.tree.as_ref().and_then(|tree| tree.get(words).copied())
    }

    /// Adds a content that is new; returns its number.
    #[cold]
    pub fn add(&mut self, words: KindWords<WORDS>) -> u32 {
        let number = self.words.len() as u32;
        self.words.push(words);
        if let Some(tree) = &mut self.tree {
            tree.insert(words, number);
            return number;
        }
        let fits = if self.words.len() * 2 > self.slots.len() {
            self.slots = vec![FREE; (self.slots.len() * 2).max(MIN_SLOTS)];
            (0..=number).all(|number| self.enter(number))
        } else {
            self.enter(number)
        };
        if !fits {
            self.slots = vec![FREE; 1];
            self.tree = Some(self.words.iter().copied().zip(0..).collect());
        }
        number
    }

    /// `false` if it would be too far from its slot.
    fn enter(&mut self, number: u32) -> bool {
        let mask = self.slots.len() - 1;
        let from = home(&self.words[number as usize]);
        let free = (0..=FARTHEST)
            .map(|distance| (from + distance) & mask)
            .find(|&slot| self.slots[slot] == FREE);
        free.map(|slot| self.slots[slot] = number).is_some()
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        let tree = self
            .tree
            .as_ref()
            .map_or(0, |tree| tree.len() * 2 * size_of::<KindWords<WORDS>>());
        self.words.capacity() * size_of::<KindWords<WORDS>>()
            + self.slots.capacity() * size_of::<u32>()
            + tree
    }
}

/// The distinct kinds of a store, with their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Kinds<K, const WORDS: usize = 4> {
    kinds: Vec<K>,
    numbers: KindNumbers<WORDS>,
}

impl<K, const WORDS: usize> Default for Kinds<K, WORDS> {
    fn default() -> Kinds<K, WORDS> {
        Kinds {
            kinds: Vec::new(),
            numbers: KindNumbers::default(),
        }
    }
}

impl<K: Serialize, const WORDS: usize> Serialize for Kinds<K, WORDS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.kinds.serialize(serializer)
    }
}

impl<'de, K, const WORDS: usize> Deserialize<'de> for Kinds<K, WORDS>
where
    K: Kind<WORDS> + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kinds<K, WORDS>, D::Error> {
        let mut kinds = Kinds::default();
        for kind in Vec::<K>::deserialize(deserializer)? {
            kinds.number(&kind);
        }
        Ok(kinds)
    }
}

impl<K: Kind<WORDS>, const WORDS: usize> Kinds<K, WORDS> {
    /// The number of a kind, which is added if it is new. The same kinds in the same order have the
    /// same numbers.
    #[inline]
    pub fn number(&mut self, kind: &K) -> u32 {
        let words = kind.words();
        match self.numbers.find(&words) {
            Some(number) => number,
            None => self.add(kind, words),
        }
    }

    #[cold]
    fn add(&mut self, kind: &K, words: KindWords<WORDS>) -> u32 {
        self.kinds.push(*kind);
        self.numbers.add(words)
    }

    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// All kinds, by number.
    pub fn each(&self) -> impl Iterator<Item = &K> {
        self.kinds.iter()
    }

    #[inline]
    pub fn get(&self, number: u32) -> &K {
        &self.kinds[number as usize]
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        self.kinds.capacity() * size_of::<K>() + self.numbers.bytes()
    }
}

/// The slot in which a content is looked for first. Its words are moved apart, so that one
/// multiplication mixes all of them.
#[inline(always)]
fn home<const WORDS: usize>(words: &KindWords<WORDS>) -> usize {
    let moved = words.iter().zip([0, 21, 42, 11]);
    let all = moved.fold(0, |all, (word, shift)| all ^ word.rotate_left(shift));
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
        let values: Vec<u64> = (0..20_000u64)
            .map(|i| i * i % 5_003 * 0x1_0000_0001)
            .collect();
        let numbers: Vec<u32> = values.iter().map(|&g| kinds.number(&Numbered(g))).collect();
        let distinct: std::collections::BTreeSet<u64> = values.iter().copied().collect();
        assert_eq!(numbers.iter().max(), Some(&(distinct.len() as u32 - 1)));
        for (value, number) in values.iter().zip(numbers) {
            assert_eq!(kinds.get(number), &Numbered(*value));
        }
    }

    /// Kinds that were made for it share one slot in tables of any size.
    #[test]
    fn kinds_of_one_slot_go_into_a_tree() {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        struct Alike(u64);
        impl Kind for Alike {
            fn words(&self) -> KindWords {
                [self.0, self.0.rotate_right(21), 0, 0]
            }
        }
        let mut kinds = Kinds::default();
        for i in 0..4 * FARTHEST as u64 {
            assert_eq!(kinds.number(&Alike(i)), i as u32);
        }
        assert!(kinds.numbers.tree.is_some());
        assert!((0..4 * FARTHEST as u64).all(|i| kinds.number(&Alike(i)) == i as u32));
        assert_eq!(
            (kinds.len(), kinds.numbers.find(&[1, 1, 1, 1])),
            (4 * FARTHEST, None)
        );
    }
}
