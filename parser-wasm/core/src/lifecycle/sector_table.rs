//! Ids by sector, in one open table: a look-up is two multiplications and mostly one line of the cache.

use super::bios::NONE;
use serde::{Deserialize, Serialize};

/// Slots at first.
const LEAST: usize = 16;

/// A map from sectors, or parts of the disk, to ids. At least half of the slots are free, so that searches are short.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SectorTable {
    /// Key and id; `NONE` where free. Their number is a power of two. A key is in its own slot or in the next ones without a free slot
    /// between.
    slots: Vec<(u64, u32)>,
    used: usize,
}

/// The slot of a key. The second multiplication keeps keys of equal distances apart.
#[inline]
fn home(key: u64, mask: usize) -> usize {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize & mask
}

impl SectorTable {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.used
    }

    /// The slot with a key, or the free one where it would be; `None` in an empty table.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = home(key, mask);
        loop {
            let (known, id) = self.slots[at];
            if id == NONE || known == key {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    /// The id of a key, or `NONE`.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        self.find(key).map_or(NONE, |at| self.slots[at].1)
    }

    /// Sets the id of a key and returns the one before, or `NONE`.
    #[inline]
    pub fn put(&mut self, key: u64, id: u32) -> u32 {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let Some(at) = self.find(key) else { return NONE };
        let before = std::mem::replace(&mut self.slots[at], (key, id)).1;
        self.used += usize::from(before == NONE);
        before
    }

    /// Removes a key. Those behind it move up, so that none is behind a free slot.
    #[inline]
    pub fn remove(&mut self, key: u64) {
        let Some(mut free) = self.find(key).filter(|at| self.slots[*at].1 != NONE) else { return };
        let mask = self.slots.len() - 1;
        let mut at = free;
        loop {
            at = (at + 1) & mask;
            let (next, id) = self.slots[at];
            if id == NONE {
                break;
            }
            if at.wrapping_sub(home(next, mask)) & mask >= at.wrapping_sub(free) & mask {
                self.slots[free] = (next, id);
                free = at;
            }
        }
        self.slots[free].1 = NONE;
        self.used -= 1;
    }

    /// All keys and their ids, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.slots.iter().copied().filter(|slot| slot.1 != NONE)
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vec![(0, NONE); (self.slots.len() * 2).max(LEAST)];
        let before = std::mem::replace(&mut self.slots, slots);
        self.used = 0;
        for (key, id) in before.into_iter().filter(|slot| slot.1 != NONE) {
            self.put(key, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn it_says_what_a_map_says() {
        let (mut table, mut map) = (SectorTable::default(), HashMap::new());
        assert_eq!((table.get(7), table.len()), (NONE, 0));
        table.remove(7);
        let mut x = 1u64;
        for step in 0..200_000u32 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            // Neighbours, equal distances, and the largest keys.
            let key = match x % 3 {
                0 => x >> 8 & 0xff,
                1 => (x >> 8 & 0xff) << 32,
                _ => u64::MAX - (x >> 8 & 3),
            };
            if x >> 40 & 1 == 0 {
                assert_eq!(table.put(key, step), map.insert(key, step).unwrap_or(NONE));
            } else {
                table.remove(key);
                map.remove(&key);
            }
            assert_eq!((table.get(key), table.len()), (map.get(&key).copied().unwrap_or(NONE), map.len()));
        }
        let mut all: Vec<(u64, u32)> = table.iter().collect();
        let mut known: Vec<(u64, u32)> = map.into_iter().collect();
        all.sort_unstable();
        known.sort_unstable();
        assert!(known.len() > 100 && all == known);
    }
}
