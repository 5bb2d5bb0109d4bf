//! The parts of all requests, while they are decided.

use crate::spans::Spans;
use seekscope_trace::event::Op;
use seekscope_trace::store::{NO_OBJECT, NO_OFFSET, NO_WRITERS, ObjectPart, Store, UnknownObject};
use std::collections::BTreeMap;

/// Parts of all requests, 24 bytes each; those of later requests are left out.
const MAX_PARTS: usize = 80 << 20;

/// The owner of the first sectors of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it ends.
    pub end: u64,
    /// Index of an owner, or why there is none.
    pub owner: Result<u32, UnknownObject>,
    pub offset: u64,
    /// Who it is if nothing writes there any more: owner and offset.
    pub last: Option<(u32, u64)>,
}

/// A part that belongs to an owner unless something is written there later.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    part: u32,
    row: u32,
    device: u32,
    sector: u64,
    owner: u32,
    offset: u64,
    /// Why the owner is not known yet; absent if a more general one is.
    reason: Option<UnknownObject>,
}

#[derive(Debug, Default)]
pub struct PartTable {
    /// Their objects are indices of owners.
    pub parts: Vec<ObjectPart>,
    pub first_parts: Vec<u32>,
    pub unknown: BTreeMap<UnknownObject, u64>,
    pub left_out: u64,
    /// In the order of rows.
    doubts: Vec<Doubt>,
}

impl PartTable {
    /// The parts that follow are of the next row. Called once more at the end.
    pub fn begin_row(&mut self) {
        self.first_parts.push(self.parts.len() as u32);
    }

    /// Adds sectors of no owner; without a reason they count as none.
    pub fn push_unknown(&mut self, sectors: u64, reason: Option<UnknownObject>) {
        if let Some(reason) = reason {
            *self.unknown.entry(reason).or_default() += sectors.saturating_mul(512);
        }
        let length = u32::try_from(sectors).unwrap_or(u32::MAX);
        self.add(ObjectPart {
            sectors: length,
            object: NO_OBJECT,
            offset: NO_OFFSET,
            writers: NO_WRITERS,
        });
    }

    /// Adds the sectors from `sector` of a device to the end of what was found.
    pub fn push(
        &mut self,
        (device, sector): (u32, u64),
        sectors: u32,
        found: &Found,
        writers: u32,
    ) {
        let (object, offset) = match found.owner {
            Ok(owner) => (owner, found.offset),
            Err(reason) => {
                *self.unknown.entry(reason).or_default() += u64::from(sectors) * 512;
                (NO_OBJECT, NO_OFFSET)
            }
        };
        let part = ObjectPart {
            sectors,
            object,
            offset,
            writers,
        };
        let Some((owner, offset)) = found.last else {
            self.add(part);
            return;
        };
        // It stays a part of its own, since it may get an owner later.
        if self.parts.len() >= MAX_PARTS {
            self.left_out += 1;
            return;
        }
        let row = self.first_parts.len().saturating_sub(1) as u32;
        self.doubts.push(Doubt {
            part: self.parts.len() as u32,
            row,
            device,
            sector,
            owner,
            offset,
            reason: found.owner.err(),
        });
        self.parts.push(part);
    }

    fn add(&mut self, part: ObjectPart) {
        let first = self.first_parts.last().map_or(0, |&first| first as usize);
        let next = self.parts.len() as u32;
        let doubtful = self
            .doubts
            .last()
            .is_some_and(|doubt| doubt.part + 1 == next);
        if self.parts.len() > first
            && !doubtful
            && let Some(last) = self.parts.last_mut()
            && follows(last, &part)
        {
            last.sectors = last.sectors.saturating_add(part.sectors);
            return;
        }
        if self.parts.len() >= MAX_PARTS {
            self.left_out += 1;
            return;
        }
        self.parts.push(part);
    }

    /// Decides the doubts: sectors that nothing is written to later belong to the owner at the
    /// end.
    pub fn settle(&mut self, store: &Store) {
        let mut doubts = std::mem::take(&mut self.doubts);
        let Some(first) = doubts.first().map(|doubt| doubt.row as usize) else {
            return;
        };
        let mut written = vec![Spans::default(); store.devices.len()];
        for row in (first..store.requests.len()).rev() {
            while let Some(doubt) = doubts.pop_if(|doubt| doubt.row as usize == row) {
                let part = &mut self.parts[doubt.part as usize];
                let end = doubt.sector.saturating_add(part.sectors.into());
                let later = written.get(doubt.device as usize);
                if later.is_none_or(|later| later.touches(doubt.sector, end)) {
                    part.writers = NO_WRITERS;
                    continue;
                }
                (part.object, part.offset) = (doubt.owner, doubt.offset);
                if let Some(reason) = doubt.reason {
                    let bytes = self.unknown.entry(reason).or_default();
                    *bytes = bytes.saturating_sub(u64::from(part.sectors) * 512);
                }
            }
            let request = store.requests.row(row);
            if let (Op::Write, Some(written)) =
                (request.op(), written.get_mut(request.device() as usize))
            {
                let start = request.sector();
                written.add(start, start.saturating_add(request.sectors()));
            }
        }
    }
}

/// Whether a part goes on where the last one ended: on the disk it does.
fn follows(last: &ObjectPart, part: &ObjectPart) -> bool {
    let next = match last.offset {
        NO_OFFSET => NO_OFFSET,
        offset => offset.saturating_add(u64::from(last.sectors) * 512),
    };
    next == part.offset && last.object == part.object && last.writers == part.writers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_within_a_row_only() {
        let found = |offset| Found {
            end: 0,
            owner: Ok(3),
            offset,
            last: None,
        };
        let mut parts = PartTable::default();
        parts.begin_row();
        parts.push((0, 0), 8, &found(0), 1);
        parts.push((0, 8), 8, &found(4096), 1);
        parts.push((0, 16), 8, &found(0), 1);
        parts.begin_row();
        parts.push((0, 24), 8, &found(4096), 1);
        parts.begin_row();
        let sectors: Vec<u32> = parts.parts.iter().map(|part| part.sectors).collect();
        assert_eq!(
            (sectors, parts.first_parts),
            (vec![16, 8, 8], vec![0, 2, 3])
        );
    }
}
