//! Ids by sector, in one open table: a look-up is two multiplications and mostly one line of the
//! cache. Sectors that were made up to share a slot go into a tree.

use super::bios::NONE;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Slots of the smallest table.
const MIN_SLOTS: usize = 16;
/// Slots between a key and its own, at most. Where half of them are free, millions of sectors that
/// nobody chose reach a hundred.
const FARTHEST: usize = 256;

/// A map from sectors, or parts of the disk, to ids. At least half of the slots are free, so that
/// searches are short.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SectorTable {
    /// Key and id; `NONE` where free. Their number is a power of two. A key is in its own slot or
    /// in the next ones without a free slot between.
    slots: Vec<(u64, u32)>,
    used: usize,
    /// The largest distance of any key from its own slot: a search ends there.
    reach: usize,
    /// Holds all keys instead of `slots`, once one was too far from its slot.
    tree: BTreeMap<u64, u32>,
    in_tree: bool,
}

/// The slot of a key. The second multiplication keeps keys of equal distances apart.
#[inline]
fn home(key: u64, mask: usize) -> usize {
    let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize & mask
}

impl SectorTable {
    pub fn len(&self) -> usize {
        self.used
    }

    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let from = home(key, mask);
        for distance in 0..=self.reach {
            let slot = (from + distance) & mask;
            let (found, id) = self.slots[slot];
            if id == NONE {
                return None;
            }
            if found == key {
                return Some(slot);
            }
        }
        None
    }

    /// The id of a key, or `NONE`.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        if self.in_tree {
            return self.tree.get(&key).copied().unwrap_or(NONE);
        }
        self.find(key).map_or(NONE, |slot| self.slots[slot].1)
    }

    /// Sets the id of a key and returns the one before, or `NONE`.
    #[inline]
    pub fn put(&mut self, key: u64, id: u32) -> u32 {
        if self.used * 2 >= self.slots.len() && !self.in_tree {
            self.grow();
        }
        let before = if self.in_tree {
            self.put_in_tree(key, id)
        } else {
            self.put_in_slot(key, id)
        };
        self.used += usize::from(before == NONE);
        before
    }

    #[inline]
    fn put_in_slot(&mut self, key: u64, id: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let from = home(key, mask);
        for distance in 0..=FARTHEST {
            let slot = &mut self.slots[(from + distance) & mask];
            if slot.1 == NONE || slot.0 == key {
                self.reach = self.reach.max(distance);
                return std::mem::replace(slot, (key, id)).1;
            }
        }
        self.tree = std::mem::take(&mut self.slots)
            .into_iter()
            .filter(|slot| slot.1 != NONE)
            .collect();
        self.in_tree = true;
        self.put_in_tree(key, id)
    }

    #[cold]
    fn put_in_tree(&mut self, key: u64, id: u32) -> u32 {
        self.tree.insert(key, id).unwrap_or(NONE)
    }

    /// Removes a key. Those behind it move up, so that none is behind a free slot.
    #[inline]
    pub fn remove(&mut self, key: u64) {
        if self.in_tree {
            self.used -= usize::from(self.tree.remove(&key).is_some());
            return;
        }
        let Some(mut free) = self.find(key) else {
            return;
        };
        let mask = self.slots.len() - 1;
        let mut slot = free;
        loop {
            slot = (slot + 1) & mask;
            let (next, id) = self.slots[slot];
            let distance = slot.wrapping_sub(free) & mask;
            if id == NONE || distance > self.reach {
                break;
            }
            if slot.wrapping_sub(home(next, mask)) & mask >= distance {
                self.slots[free] = (next, id);
                free = slot;
            }
        }
        self.slots[free].1 = NONE;
        self.used -= 1;
    }

    /// All keys and their ids, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.slots
            .iter()
            .copied()
            .filter(|slot| slot.1 != NONE)
            .chain(self.tree.iter().map(|(&key, &id)| (key, id)))
    }

    #[cold]
    fn grow(&mut self) {
        let slots = vec![(0, NONE); (self.slots.len() * 2).max(MIN_SLOTS)];
        let before = std::mem::replace(&mut self.slots, slots);
        (self.used, self.reach) = (0, 0);
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
            assert_eq!(
                (table.get(key), table.len()),
                (map.get(&key).copied().unwrap_or(NONE), map.len())
            );
        }
        let mut all: Vec<(u64, u32)> = table.iter().collect();
        let mut expected: Vec<(u64, u32)> = map.into_iter().collect();
        all.sort_unstable();
        expected.sort_unstable();
        assert!(expected.len() > 100 && all == expected);
    }

    /// The multiplicative inverse of an odd number, modulo 2^64.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |x, _| {
            x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
        })
    }

    /// Sectors that were made for it share one slot in tables of any size.
    #[test]
    fn keys_of_one_slot_go_into_a_tree() {
        let key = |i: u64| {
            let mixed = i.wrapping_mul(inverse(0xd6e8_feb8_6659_fd93));
            (mixed ^ mixed >> 32).wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15))
        };
        let (mut table, few, many) = (
            SectorTable::default(),
            FARTHEST as u64 / 2,
            3 * FARTHEST as u64,
        );
        for i in 1..=few {
            table.put(key(i), i as u32);
        }
        assert!(!table.in_tree && table.reach == few as usize - 1);
        for i in few + 1..=many {
            assert_eq!(table.put(key(i), i as u32), NONE);
        }
        assert!(table.in_tree);
        assert_eq!(
            (
                table.len(),
                table.iter().count(),
                table.get(key(7)),
                table.get(key(0))
            ),
            (many as usize, many as usize, 7, NONE)
        );
        assert_eq!(table.put(key(7), 8), 7);
        table.remove(key(7));
        table.remove(key(7));
        assert_eq!(
            (table.len(), table.get(key(7)), table.get(key(9))),
            (many as usize - 1, NONE, 9)
        );
    }
}
