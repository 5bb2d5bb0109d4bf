//! The requests in flight of one device, found by the sector of their next completion.

use super::bios::NONE;
use super::sector_table::SectorTable;
use crate::sorting::SortShort;
use serde::{Deserialize, Serialize};

/// The key of flushes, which have no sector.
pub const FLUSH: u64 = u64::MAX;
/// The key of passthrough requests, whose sectors mean nothing.
pub const PASSTHROUGH: u64 = u64::MAX - 1;

/// Requests with the same key that are kept. More do not occur without lost completions; the oldest
/// is dropped then.
const SAME_KEY: usize = 64;

/// A request that was issued and has not completed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct InFlight {
    /// One past its last sector.
    pub end: u64,
    /// Its row in the store.
    pub row: u32,
    /// First of its bios (linked by `sibling`), or `NONE`.
    pub bios: u32,
    next: u32,
}

impl InFlight {
    /// A request that was just issued.
    pub fn new(end: u64, row: u32, bios: u32) -> InFlight {
        InFlight {
            end,
            row,
            bios,
            next: NONE,
        }
    }
}

/// Requests in flight, first in first out where they share a key.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InFlights {
    slab: Vec<InFlight>,
    free: Vec<u32>,
    heads: SectorTable,
    /// Whether of several requests with one key an older one was taken: after a loss the youngest
    /// would have been right.
    pub took_older: bool,
}

impl InFlights {
    pub fn len(&self) -> usize {
        self.slab.len() - self.free.len()
    }

    /// Adds a request; returns the oldest one of the key when too many share it.
    pub fn insert(&mut self, key: u64, request: InFlight) -> Option<InFlight> {
        // It may have been in flight before, in another place.
        let request = InFlight {
            next: NONE,
            ..request
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.slab[id as usize] = request;
                id
            }
            None => {
                self.slab.push(request);
                (self.slab.len() - 1) as u32
            }
        };
        let head = self.heads.get(key);
        if head == NONE {
            self.heads.put(key, id);
            return None;
        }
        let (mut last, mut n) = (head, 1);
        while self.slab[last as usize].next != NONE {
            last = self.slab[last as usize].next;
            n += 1;
        }
        self.slab[last as usize].next = id;
        if n >= SAME_KEY {
            self.take(key, None, false)
        } else {
            None
        }
    }

    /// Requests with their keys: by key, the oldest first.
    pub fn all(&self) -> Vec<(u64, InFlight)> {
        let mut heads: Vec<(u64, u32)> = self.heads.iter().collect();
        heads.sort_short();
        let chain = |id: u32| {
            std::iter::successors(self.slab.get(id as usize), |request| {
                self.slab.get(request.next as usize)
            })
        };
        heads
            .into_iter()
            .flat_map(|(key, head)| chain(head).map(move |request| (key, *request)))
            .collect()
    }

    /// Visits all requests, and places of former ones.
    pub fn each_mut(&mut self, visit: impl FnMut(&mut InFlight)) {
        self.slab.iter_mut().for_each(visit);
    }

    /// Row of a request of `key` that ends at `end`.
    pub fn find(&self, key: u64, end: u64) -> Option<u32> {
        let mut id = self.heads.get(key);
        while id != NONE && self.slab[id as usize].end != end {
            id = self.slab[id as usize].next;
        }
        (id != NONE).then(|| self.slab[id as usize].row)
    }

    /// The nearest key below `sector` of a request of `sectors`. Looks at all requests in flight.
    pub fn below(&self, sector: u64, sectors: u64) -> Option<u64> {
        self.heads
            .iter()
            .map(|head| head.0)
            .filter(|&key| key < sector && self.find(key, key.saturating_add(sectors)).is_some())
            .max()
    }

    /// Removes the request of `key` that ends at `end`, or any if none does: the oldest, or with
    /// `newest` the youngest.
    pub fn take(&mut self, key: u64, end: Option<u64>, newest: bool) -> Option<InFlight> {
        let head = self.heads.get(key);
        if head == NONE {
            return None;
        }
        let mut best = (NONE, head);
        if self.slab[head as usize].next != NONE {
            self.took_older |= !newest;
            best = self.choose(head, end, newest);
        }
        let (before, id) = best;
        let request = self.slab[id as usize];
        if before != NONE {
            self.slab[before as usize].next = request.next;
        } else if request.next == NONE {
            self.heads.remove(key);
        } else {
            self.heads.put(key, request.next);
        }
        self.free.push(id);
        Some(request)
    }

    fn choose(&self, head: u32, end: Option<u64>, newest: bool) -> (u32, u32) {
        let fits = |id: u32| end.is_some_and(|end| self.slab[id as usize].end == end);
        let (mut before, mut id) = (NONE, head);
        let mut best = (NONE, head);
        let mut best_fits = fits(head);
        while id != NONE {
            let better = fits(id) && !best_fits;
            let as_good = fits(id) == best_fits;
            if better || (newest && as_good) {
                best = (before, id);
                best_fits = fits(id);
            }
            before = id;
            id = self.slab[id as usize].next;
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_comes_back_leaves_those_behind_it() {
        let mut all = InFlights::default();
        for row in 0..3 {
            all.insert(8, InFlight::new(16, row, NONE));
        }
        // The rest of the first one is at another sector, as after a partial completion.
        let first = all.take(8, Some(16), false).expect("three are in flight");
        all.insert(12, first);
        all.insert(12, InFlight::new(16, 3, NONE));
        let rows = |all: &InFlights| {
            all.all()
                .iter()
                .map(|(key, request)| (*key, request.row))
                .collect::<Vec<_>>()
        };
        assert_eq!(rows(&all), [(8, 1), (8, 2), (12, 0), (12, 3)]);
        assert_eq!(all.take(12, None, true).map(|request| request.row), Some(3));
        assert_eq!((all.len(), rows(&all)), (3, vec![(8, 1), (8, 2), (12, 0)]));
    }
}
