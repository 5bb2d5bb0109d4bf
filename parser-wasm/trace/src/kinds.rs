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

    /// From a slot that another content has to the next one.
    const STEP: usize = 1;

    /// The slot in which a content is looked for first. Its words are moved apart, so that one
    /// multiplication mixes all of them.
    #[inline(always)]
    fn slot(words: &KindWords<WORDS>) -> usize {
        let moved = words.iter().zip([0, 21, 42, 11]);
        let all = moved.fold(0, |all, (word, shift)| all ^ word.rotate_left(shift));
        mix(all ^ all >> 32)
    }
}

/// A kind's content as words, for comparison and hashing.
pub type KindWords<const WORDS: usize = 4> = [u64; WORDS];

impl Kind for KindWords {
    #[inline(always)]
    fn words(&self) -> KindWords {
        *self
    }
}

#[inline(always)]
fn mix(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

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

    /// Past the neighbours: where a task has kinds in all of its slots, another one with the same
    /// slots would try them one by one. Odd, so that all slots are tried.
    const STEP: usize = NEIGHBOURS as usize + 1;

    /// The kinds of a task are neighbours: what it does in a moment is then in few lines of the
    /// cache. With 10,000 tasks, reading takes a quarter less time.
    #[inline(always)]
    fn slot(&[word]: &KindWords<1>) -> usize {
        let neighbour = word % NEIGHBOURS;
        (mix(word - neighbour) & !(NEIGHBOURS as usize - 1)) + neighbour as usize
    }
}

/// Slots of a task that follow one another, a power of two.
const NEIGHBOURS: u64 = 16;

/// Marks a free slot.
const FREE: u32 = u32::MAX;
/// Slots of the smallest table: so many that the kinds of most recordings do not meet in one.
const MIN_SLOTS: usize = 256;
/// Steps from a kind's own slot, at most. Where half of them are free, kinds that nobody chose do
/// not reach a hundred.
const FARTHEST: usize = 256;

/// Distinct kinds, with their numbers.
#[derive(Clone, Debug)]
pub struct Kinds<K, const WORDS: usize = 4> {
    kinds: Vec<K>,
    /// Numbers of kinds. The count of slots is a power of two, and at least half of them are free,
    /// so that searches are short.
    slots: Vec<u32>,
    /// Holds all kinds instead of `slots`, once one was too far from its slot.
    tree: Option<BTreeMap<KindWords<WORDS>, u32>>,
}

impl<K, const WORDS: usize> Default for Kinds<K, WORDS> {
    fn default() -> Kinds<K, WORDS> {
        Kinds {
            kinds: Vec::new(),
            slots: Vec::new(),
            tree: None,
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
        match self.find(kind) {
            Some(number) => number,
            None => self.add(*kind),
        }
    }

    #[inline(always)]
    pub fn find(&self, kind: &K) -> Option<u32> {
        let words = kind.words();
        let mask = self.slots.len().wrapping_sub(1);
        let slot = K::slot(&words) & mask;
        // Nearly always it is in its own slot.
        match self.slots.get(slot) {
            Some(&number) if self.has(number, &words) => Some(number),
            _ => self.find_beyond(&words, slot),
        }
    }

    #[inline(always)]
    fn has(&self, number: u32, words: &KindWords<WORDS>) -> bool {
        let kind = self.kinds.get(number as usize);
        kind.is_some_and(|kind| kind.words() == *words)
    }

    #[inline(never)]
    fn find_beyond(&self, words: &KindWords<WORDS>, mut slot: usize) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        while self.slots[slot] != FREE {
            if self.has(self.slots[slot], words) {
                return Some(self.slots[slot]);
            }
            slot = (slot + K::STEP) & mask;
        }
        self.tree.as_ref().and_then(|tree| tree.get(words).copied())
    }

    /// Adds a kind that is new; returns its number.
    #[cold]
    pub fn add(&mut self, kind: K) -> u32 {
        let number = self.kinds.len() as u32;
        self.kinds.push(kind);
        if let Some(tree) = &mut self.tree {
            tree.insert(kind.words(), number);
            return number;
        }
        let fits = if self.kinds.len() * 2 > self.slots.len() {
            self.slots = vec![FREE; (self.slots.len() * 2).max(MIN_SLOTS)];
            (0..=number).all(|number| self.enter(number))
        } else {
            self.enter(number)
        };
        if !fits {
            self.slots = vec![FREE; 1];
            self.tree = Some(self.kinds.iter().map(K::words).zip(0..).collect());
        }
        number
    }

    /// `false` if it would be too far from its slot.
    fn enter(&mut self, number: u32) -> bool {
        let mask = self.slots.len() - 1;
        let from = K::slot(&self.get(number).words());
        let free = (0..=FARTHEST)
            .map(|distance| (from + distance * K::STEP) & mask)
            .find(|&slot| self.slots[slot] == FREE);
        free.map(|slot| self.slots[slot] = number).is_some()
    }

    pub(crate) fn len(&self) -> usize {
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
        let in_tree = self.tree.as_ref().map_or(0, BTreeMap::len);
        self.kinds.capacity() * size_of::<K>()
            + self.slots.capacity() * size_of::<u32>()
            + in_tree * 2 * size_of::<KindWords<WORDS>>()
    }
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
        assert!(kinds.tree.is_some());
        assert!((0..4 * FARTHEST as u64).all(|i| kinds.number(&Alike(i)) == i as u32));
        assert_eq!(
            (kinds.len(), kinds.find(&Alike(u64::MAX))),
            (4 * FARTHEST, None)
        );
    }
}
