//! The incomplete bios of one device, found by sector.
//!
//! Bios are slots of a slab that are linked into a chain per bucket of 64 KiB, the youngest first:
//! `starting` walks to the end for the oldest, `latest` stops at the first. Nearly all queries are
//! for one start sector or for the range of one request, so they look at one or two buckets. Only
//! damaged recordings have long chains; `SAME_START` and the search budget bound those.
//!
//! Ids stay valid after `remove` until the slot is used again. Requests link bios by id, so a
//! damaged recording may follow a link to a removed bio; `is_live` is what distinguishes it.

use super::sector_table::SectorTable;
use crate::sorting::SortShort;
use serde::{Deserialize, Serialize};

/// The id that means "no such bio" or "no such request".
pub const NONE: u32 = u32::MAX;
/// The time that means "has not happened".
pub const NEVER: u64 = u64::MAX;

/// Order of a bio that was removed: requests of damaged recordings may still link it.
const REMOVED: u64 = u64::MAX;

/// Sectors per bucket, as a shift: 64 KiB, about the size of a request, so that most look-ups need
/// one or two buckets.
const BUCKET: u32 = 7;
/// Bios with the same start that are kept. More do not occur without lost completions; the oldest
/// is dropped then.
const SAME_START: usize = 64;

/// A bio, or a part of one after a split. Times are ns since the trace's start.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Bio {
    pub start: u64,
    /// One past the last sector.
    pub end: u64,
    /// Order of arrival; the older bio has the lower number. `REMOVED` marks a free slot.
    pub order: u64,
    /// Time of the Q.
    pub queued: u64,
    /// Time of the G, or `NEVER`.
    pub allocated: u64,
    /// Time of the last I, or `NEVER`: a request that is handed back is inserted again.
    pub inserted: u64,
    /// Time of the M or F, or `NEVER`.
    pub merged: u64,
    /// Time of the last D, or `NEVER`.
    pub issued: u64,
    /// The process that queued it: later events often run in a kernel thread.
    pub process: u32,
    /// The CPU that queued it.
    pub cpu: u32,
    pub flags: crate::event::Flags,
    /// Index of the split bio that this is a part of, or `NONE`.
    pub whole: u32,
    /// Whether it is part of an issued request.
    pub in_request: bool,
    /// Next bio of the same request, or `NONE`.
    pub sibling: u32,
    /// The next older bio of the same bucket, or `NONE`.
    pub(super) next: u32,
}

impl Bio {
    /// A bio that was queued and has no other event yet.
    pub fn queued(
        start: u64,
        end: u64,
        time: u64,
        process: u32,
        cpu: u32,
        flags: crate::event::Flags,
    ) -> Bio {
        Bio {
            start,
            end,
            order: 0,
            queued: time,
            allocated: NEVER,
            inserted: NEVER,
            merged: NEVER,
            issued: NEVER,
            process,
            cpu,
            flags,
            whole: NONE,
            in_request: false,
            sibling: NONE,
            next: NONE,
        }
    }
}

/// Live bios in buckets of 64 KiB by their first sector.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LiveBios {
    slab: Vec<Bio>,
    free: Vec<u32>,
    buckets: SectorTable,
    arrivals: u64,
}

impl LiveBios {
    pub fn len(&self) -> usize {
        self.slab.len() - self.free.len()
    }

    #[inline]
    pub fn get(&self, id: u32) -> &Bio {
        &self.slab[id as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, id: u32) -> &mut Bio {
        &mut self.slab[id as usize]
    }

    /// Adds a bio. If too many share its start, removes and returns the oldest of them.
    #[inline]
    pub fn insert(&mut self, bio: Bio) -> Option<Bio> {
        let bucket = bio.start >> BUCKET;
        let mut head = self.buckets.get(bucket);
        let mut displaced = None;
        if let Some(oldest) = self.oldest_of_crowd(head, bio.start) {
            displaced = Some(*self.get(oldest)).filter(|_| self.remove(oldest));
            head = self.buckets.get(bucket);
        }
        let order = self.arrivals;
        self.arrivals += 1;
        let id = self.free.pop().unwrap_or(self.slab.len() as u32);
        self.buckets.put(bucket, id);
        let bio = Bio {
            order,
            next: head,
            ..bio
        };
        match self.slab.get_mut(id as usize) {
            Some(place) => *place = bio,
            None => self.slab.push(bio),
        }
        displaced
    }

    #[inline]
    fn oldest_of_crowd(&self, head: u32, start: u64) -> Option<u32> {
        let mut n = 0;
        let mut oldest = None;
        for id in (Chain {
            bios: self,
            next: head,
        }) {
            if self.get(id).start == start {
                n += 1;
                oldest = Some(id);
            }
        }
        oldest.filter(|_| n >= SAME_START)
    }

    /// Whether the bio with this id was not removed.
    pub fn is_live(&self, id: u32) -> bool {
        self.get(id).order != REMOVED
    }

    /// Removes a bio; `false` if that was done before. It can be read until another one is added.
    #[inline]
    pub fn remove(&mut self, id: u32) -> bool {
        let bio = &mut self.slab[id as usize];
        if bio.order == REMOVED {
            return false;
        }
        bio.order = REMOVED;
        let (bucket, next) = (bio.start >> BUCKET, bio.next);
        let mut id_before = self.buckets.get(bucket);
        if id_before == id && next == NONE {
            self.buckets.remove(bucket);
        } else if id_before == id {
            self.buckets.put(bucket, next);
        } else if id_before != NONE {
            while self.slab[id_before as usize].next != id {
                id_before = self.slab[id_before as usize].next;
            }
            self.slab[id_before as usize].next = next;
        }
        self.free.push(id);
        true
    }

    /// The oldest bio that starts at `start` and satisfies `wanted`.
    pub fn starting(&self, start: u64, wanted: impl Fn(&Bio) -> bool) -> Option<u32> {
        let mut best = None;
        // The chain runs from the youngest to the oldest.
        for id in self.chain(start >> BUCKET) {
            let bio = self.get(id);
            if bio.start == start && wanted(bio) {
                best = Some(id);
            }
        }
        best
    }

    /// The youngest bio that starts at `start` and satisfies `wanted`.
    pub fn latest(&self, start: u64, wanted: impl Fn(&Bio) -> bool) -> Option<u32> {
        self.chain(start >> BUCKET)
            .find(|&id| self.get(id).start == start && wanted(self.get(id)))
    }

    /// Collects the bios not in a request that are inside `start..end`. Of overlapping ones the
    /// oldest with the lowest start is taken. Returns how many bios and buckets it looked at.
    pub fn within(&self, start: u64, end: u64, found: &mut Vec<u32>) -> usize {
        found.clear();
        if end <= start {
            return 0;
        }
        let (first, last) = (start >> BUCKET, end.saturating_sub(1) >> BUCKET);
        let mut looked_at = 0;
        let mut collect = |chain: Chain<'_>| {
            looked_at += 1;
            found.extend(chain.filter(|&id| {
                looked_at += 1;
                let bio = self.get(id);
                !bio.in_request && bio.start >= start && bio.end <= end
            }));
        };
        if last - first > self.buckets.len() as u64 {
            self.buckets.iter().for_each(|(_, head)| {
                collect(Chain {
                    bios: self,
                    next: head,
                })
            });
        } else {
            (first..=last).for_each(|bucket| collect(self.chain(bucket)));
        }
        if found.len() > 1 {
            found.sort_unstable_by_key(|&id| (self.get(id).start, self.get(id).order));
            let mut covered = start;
            found.retain(|&id| {
                let keep = self.get(id).start >= covered;
                if keep {
                    covered = self.get(id).end;
                }
                keep
            });
        }
        looked_at
    }

    /// The youngest bio not in a request that begins before `sector` and ends after it, at `end` if
    /// that is known. Looks at all bios.
    pub fn around(&self, sector: u64, end: Option<u64>) -> Option<u32> {
        let fits = |bio: &Bio| {
            !bio.in_request
                && bio.start < sector
                && sector < bio.end
                && end.is_none_or(|end| bio.end == end)
        };
        let all = self.buckets.iter().flat_map(|(_, head)| Chain {
            bios: self,
            next: head,
        });
        all.filter(|&id| fits(self.get(id)))
            .max_by_key(|&id| self.get(id).order)
    }

    /// Visits all bios, and places of former ones.
    pub fn each_mut(&mut self, visit: impl FnMut(&mut Bio)) {
        self.slab.iter_mut().for_each(visit);
    }

    /// Makes all bios younger by so many places.
    pub fn age(&mut self, places: u64) {
        self.arrivals += places;
        self.slab
            .iter_mut()
            .filter(|bio| bio.order != REMOVED)
            .for_each(|bio| bio.order += places);
    }

    /// Adds a bio that is older than all others of its bucket; returns its id.
    pub fn insert_old(&mut self, bio: Bio) -> u32 {
        let id = self.free.pop().unwrap_or(self.slab.len() as u32);
        let bio = Bio { next: NONE, ..bio };
        match self.slab.get_mut(id as usize) {
            Some(place) => *place = bio,
            None => self.slab.push(bio),
        }
        let bucket = bio.start >> BUCKET;
        match self.chain(bucket).last() {
            Some(oldest) => self.slab[oldest as usize].next = id,
            None => {
                self.buckets.put(bucket, id);
            }
        }
        id
    }

    /// All live bios, the oldest first.
    pub fn all(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self
            .buckets
            .iter()
            .flat_map(|(_, head)| Chain {
                bios: self,
                next: head,
            })
            .collect();
        ids.sort_short_by_key(|&id| self.get(id).order);
        ids
    }

    fn chain(&self, bucket: u64) -> Chain<'_> {
        Chain {
            bios: self,
            next: self.buckets.get(bucket),
        }
    }
}

struct Chain<'a> {
    bios: &'a LiveBios,
    next: u32,
}

impl Iterator for Chain<'_> {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        let id = self.next;
        if id == NONE {
            return None;
        }
        self.next = self.bios.get(id).next;
        Some(id)
    }
}
