//! The parts of all requests, while they are decided.

use super::overlay::Overlay;
use super::resolve::Found;
use seekscope_trace::store::{NO_OBJECT, NO_OFFSET, NO_WRITERS, ObjectPart, UnknownObject};
use std::collections::BTreeMap;
use std::ops::Range;

/// Parts of all requests, 24 bytes each; those of later requests are left out.
const MAX_PARTS: usize = 80 << 20;

/// A part that belongs to an owner unless something is written there later.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    part: u32,
    owner: u32,
    offset: u64,
    reason: UnknownObject,
    broken: bool,
}

#[derive(Debug, Default)]
pub struct PartTable {
    /// Their objects are indices of owners.
    pub parts: Vec<ObjectPart>,
    pub first_parts: Vec<u32>,
    pub unknown: BTreeMap<UnknownObject, u64>,
    pub left_out: u64,
    doubts: Vec<Doubt>,
    /// Of each file system, where a doubt is the last that was written.
    last: BTreeMap<u32, Overlay>,
}

impl PartTable {
    /// The parts that follow are of the next row. Called once more at the end.
    pub fn begin_row(&mut self) {
        self.first_parts.push(self.parts.len() as u32);
    }

    pub fn push_unknown(&mut self, sectors: u64, reason: Option<UnknownObject>) {
        match reason {
            Some(reason) => {
                let owner = Err(reason);
                let found = Found {
                    end: 0,
                    owner,
                    offset: NO_OFFSET,
                    last: None,
                };
                self.push(sectors, &found, NO_WRITERS);
            }
            None => self.add(sectors, NO_OBJECT, NO_OFFSET, NO_WRITERS),
        }
    }

    /// Adds a part of a file system, from `sector` to the end of what was found.
    pub fn push_at(&mut self, volume: u32, sector: u64, found: &Found, writers: u32) {
        let sectors = found.end.saturating_sub(sector);
        self.push(sectors, found, writers);
        let (Some((owner, offset)), Err(reason)) = (found.last, found.owner) else {
            return;
        };
        let Some(part) = self.parts.len().checked_sub(1) else {
            return;
        };
        let doubt = self.doubts.len() as u32;
        let part = part as u32;
        self.doubts.push(Doubt {
            part,
            owner,
            offset,
            reason,
            broken: false,
        });
        self.last
            .entry(volume)
            .or_default()
            .paint(sector, found.end, doubt);
    }

    /// Adds a part.
    pub fn push(&mut self, sectors: u64, found: &Found, writers: u32) {
        match found.owner {
            Ok(owner) => self.add(sectors, owner, found.offset, writers),
            Err(reason) => {
                *self.unknown.entry(reason).or_default() += sectors * 512;
                // A doubt stays a part of its own.
                let offset = if found.last.is_some() {
                    self.doubts.len() as u64
                } else {
                    NO_OFFSET
                };
                self.add(sectors, NO_OBJECT, offset, writers);
            }
        }
    }

    fn add(&mut self, sectors: u64, object: u32, offset: u64, writers: u32) {
        let first = self.first_parts.last().map_or(0, |&first| first as usize);
        let sectors = u32::try_from(sectors).unwrap_or(u32::MAX);
        if self.parts.len() > first
            && let Some(last) = self.parts.last_mut()
        {
            let next = match last.offset {
                NO_OFFSET => NO_OFFSET,
                offset => offset.saturating_add(u64::from(last.sectors) * 512),
            };
            let contiguous = next == offset || object == NO_OBJECT && last.offset == offset;
            let same = last.object == object && last.writers == writers;
            if same && contiguous && !(object == NO_OBJECT && offset != NO_OFFSET) {
                last.sectors = last.sectors.saturating_add(sectors);
                return;
            }
        }
        if self.parts.len() >= MAX_PARTS {
            self.left_out += 1;
            return;
        }
        self.parts.push(ObjectPart {
            sectors,
            object,
            offset,
            writers,
        });
    }

    /// Sectors are written: what was written there before is not the last any more.
    pub fn forget_last(&mut self, volume: u32, sectors: &Range<u64>) {
        let Some(last) = self.last.get_mut(&volume).filter(|last| !last.is_empty()) else {
            return;
        };
        let mut at = sectors.start;
        while let Some(piece) = last.find(at).filter(|piece| piece.start < sectors.end) {
            self.doubts[piece.place as usize].broken = true;
            at = piece.end;
        }
        last.clear(sectors.start, sectors.end);
    }

    /// Decides the doubts: what nothing was written over belongs to the owner at the end.
    pub fn settle(&mut self) {
        for doubt in std::mem::take(&mut self.doubts) {
            let Some(part) = self.parts.get_mut(doubt.part as usize) else {
                continue;
            };
            part.offset = NO_OFFSET;
            if !doubt.broken {
                (part.object, part.offset) = (doubt.owner, doubt.offset);
                let bytes = self.unknown.entry(doubt.reason).or_default();
                *bytes = bytes.saturating_sub(u64::from(part.sectors) * 512);
            }
        }
    }
}
