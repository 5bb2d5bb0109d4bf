//! Places that changed hands during the recording, in sectors of their file systems.

use super::buckets::Buckets;
use super::inodes::{Inodes, Owner, OwnerTable, When};
use super::overlay::{Overlay, Piece};
use super::volumes::{Volume, Volumes};
use crate::events::PlaceUnit;
use crate::events::log::{Change, EventLog, Subject};
use crate::ranges::SECTOR;
use crate::side::NO_INODE;
use rustc_hash::FxHashMap;
use seekscope_trace::store::{NO_OFFSET, ObjectKind};

/// Changes of all places; more are left out. One event of a mirrored file system gives several.
const MAX_CHANGES: usize = 32 << 20;
/// Places above are none of a disk.
const MAX_SECTOR: u64 = 1 << 60;

/// From a time on, sectors have another owner.
#[derive(Clone, Copy, Debug)]
pub struct PlaceChange {
    pub time: u64,
    pub start: u64,
    /// Byte in the file, or `NO_OFFSET`.
    pub offset: u64,
    pub sectors: u32,
    /// Index of `Changes::states`.
    pub state: u32,
}

/// What a change makes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceState {
    pub owner: u32,
    pub volume: u32,
    pub change: Change,
}

/// The last changes of a file system, ascending.
#[derive(Debug, Default)]
struct Last {
    pieces: Vec<Piece>,
    buckets: Buckets,
}

/// All changes in time order, and the last one of each place.
#[derive(Debug, Default)]
pub struct Changes {
    pub rows: Vec<PlaceChange>,
    pub states: Vec<PlaceState>,
    /// Of each file system.
    last: Vec<Last>,
    /// Whether events say of all places when they change hands.
    tells_all: Vec<bool>,
    pub left_out: u64,
}

impl Changes {
    pub fn new(
        log: &EventLog,
        volumes: &Volumes,
        inodes: &[Inodes],
        owners: &mut OwnerTable,
    ) -> Changes {
        let mut builder = Builder {
            changes: Changes::default(),
            numbers: FxHashMap::default(),
        };
        let places: Vec<Option<u32>> = log
            .subjects
            .iter()
            .map(|subject| single(volumes.of_event(subject.volume)))
            .collect();
        for row in &log.places {
            let subject = log.subjects[row.subject as usize];
            let Some(volume) = places[row.subject as usize] else {
                continue;
            };
            let place = &volumes.list[volume as usize];
            let Some((start, offset, sectors)) = sectors_of(row, &subject, place) else {
                builder.changes.left_out += 1;
                continue;
            };
            let owner = owner_of(&subject, volume, &inodes[volume as usize], owners, row.time);
            let state = PlaceState {
                owner,
                volume,
                change: subject.change,
            };
            let offset = match subject.change {
                Change::Mapped | Change::Written
                    if matches!(subject.kind, ObjectKind::File | ObjectKind::Directory) =>
                {
                    offset
                }
                _ => NO_OFFSET,
            };
            // Without chunks, a logical address is no place.
            let logical = place.kind == "btrfs";
            if !logical {
                builder.push(row.time, (start, offset, sectors), state);
                continue;
            }
            place.physical(start, sectors, |start, sectors, behind| {
                let offset = match offset {
                    NO_OFFSET => NO_OFFSET,
                    offset => offset.saturating_add(behind.saturating_mul(SECTOR)),
                };
                builder.push(row.time, (start, offset, sectors), state);
            });
        }
        let mut changes = builder.changes;
        changes.rows.sort_by_key(|row| row.time);
        changes.find_last(volumes.list.len());
        // Allocations of ext4 have events, those of others only their writes.
        let ext = volumes
            .list
            .iter()
            .map(|volume| volume.kind.starts_with("ext"));
        let mut tells: Vec<bool> = ext.collect();
        for state in &changes.states {
            tells[state.volume as usize] |= state.change == Change::Written;
        }
        let has = changes.last.iter().map(|last| !last.pieces.is_empty());
        changes.tells_all = has.zip(tells).map(|(has, tells)| has && tells).collect();
        changes
    }

    fn find_last(&mut self, volumes: usize) {
        let mut overlays = vec![Overlay::default(); volumes];
        for (i, row) in (0..).zip(&self.rows) {
            let volume = self.states[row.state as usize].volume;
            self.apply(i, &mut overlays[volume as usize]);
        }
        let last = |overlay: Overlay| {
            let pieces = overlay.into_pieces();
            let buckets = Buckets::new(pieces.len(), |i| pieces[i].end);
            Last { pieces, buckets }
        };
        self.last = overlays.into_iter().map(last).collect();
    }

    /// Applies a change to the places of its file system. A lookup leaves what is known to be so:
    /// that it is about to be written must not be forgotten.
    pub fn apply(&self, place: u32, overlay: &mut Overlay) {
        let row = &self.rows[place as usize];
        let PlaceState { owner, change, .. } = self.state(place);
        let (mut sector, end) = (row.start, end_of(row));
        if change != Change::Mapped {
            overlay.paint(sector, end, place);
            return;
        }
        while sector < end {
            let piece = overlay.find(sector).filter(|piece| piece.start < end);
            let stop = match piece {
                Some(piece) if piece.start <= sector => piece.end.min(end),
                Some(piece) => piece.start,
                None => end,
            };
            let is_mapped = piece.is_some_and(|piece| {
                piece.start <= sector
                    && self.state(piece.place).owner == owner
                    && self.offset(piece.place, sector) == self.offset(place, sector)
            });
            if !is_mapped {
                overlay.paint(sector, stop, place);
            }
            sector = stop;
        }
    }

    pub fn state(&self, row: u32) -> PlaceState {
        self.states[self.rows[row as usize].state as usize]
    }

    /// The last change at `sector`, or the next place behind it that changes.
    pub fn last(&self, volume: u32, sector: u64) -> Option<Piece> {
        let Last { pieces, buckets } = &self.last[volume as usize];
        let near = buckets.near(sector);
        let behind = pieces[near.clone()].partition_point(|piece| piece.end <= sector);
        pieces.get(near.start + behind).copied()
    }

    /// The byte in the file of a sector, by the change that holds there.
    pub fn offset(&self, row: u32, sector: u64) -> u64 {
        let row = &self.rows[row as usize];
        match row.offset {
            NO_OFFSET => NO_OFFSET,
            offset => {
                let behind = sector.saturating_sub(row.start).saturating_mul(SECTOR);
                offset.saturating_add(behind)
            }
        }
    }

    /// Whether events of a file system say of all places when they change hands.
    pub fn tells_all(&self, volume: u32) -> bool {
        self.tells_all[volume as usize]
    }
}

fn end_of(row: &PlaceChange) -> u64 {
    row.start.saturating_add(row.sectors.into())
}

struct Builder {
    changes: Changes,
    numbers: FxHashMap<PlaceState, u32>,
}

impl Builder {
    fn push(&mut self, time: u64, (start, offset, sectors): (u64, u64, u64), state: PlaceState) {
        let changes = &mut self.changes;
        let next = changes.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            changes.states.push(state);
        }
        match u32::try_from(sectors) {
            Ok(sectors) if changes.rows.len() < MAX_CHANGES && start < MAX_SECTOR => {
                changes.rows.push(PlaceChange {
                    time,
                    start,
                    offset,
                    sectors,
                    state: number,
                });
            }
            _ => changes.left_out += 1,
        }
    }
}

/// The only one of a list.
pub fn single(list: Vec<u32>) -> Option<u32> {
    match list[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Start in sectors, offset in bytes, and sectors of an event.
fn sectors_of(
    row: &crate::events::log::PlaceRow,
    subject: &Subject,
    volume: &Volume,
) -> Option<(u64, u64, u64)> {
    let length = match row.length {
        0 if subject.change == Change::Tree => volume.node_size,
        length => length.into(),
    };
    match subject.unit {
        PlaceUnit::Bytes => Some((row.start / SECTOR, row.offset, length.div_ceil(SECTOR))),
        PlaceUnit::Blocks => {
            let (start, block) = volume.block_place(row.start)?;
            let offset = row.offset.checked_mul(block)?.checked_mul(SECTOR)?;
            Some((start, offset, length.checked_mul(block)?))
        }
    }
}

fn owner_of(
    subject: &Subject,
    volume: u32,
    inodes: &Inodes,
    owners: &mut OwnerTable,
    time: u64,
) -> u32 {
    match (subject.change, subject.kind) {
        (Change::Mapped | Change::Written, ObjectKind::File) => {
            owners.file(volume, inodes, subject.inode, When::During(time))
        }
        (Change::Mapped | Change::Written, ObjectKind::Directory) => {
            match inodes.find(subject.inode, When::During(time)) {
                Some(_) => owners.file(volume, inodes, subject.inode, When::During(time)),
                None => owners.number(Owner {
                    inode: subject.inode,
                    ..Owner::structure(volume, ObjectKind::Directory)
                }),
            }
        }
        (_, kind) => {
            let inode = match kind {
                ObjectKind::ExtentBlock => subject.inode,
                _ => NO_INODE,
            };
            owners.number(Owner {
                inode,
                ..Owner::structure(volume, kind)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_does_not_hide_what_is_about_to_be_written() {
        let state = |change, owner| PlaceState {
            owner,
            volume: 0,
            change,
        };
        let row = |start, offset, sectors, state| PlaceChange {
            time: 0,
            start,
            offset,
            sectors,
            state,
        };
        let changes = Changes {
            rows: vec![
                row(8, 4096, 8, 0),
                row(0, 0, 32, 1),
                row(0, 0, 32, 2),
                row(0, SECTOR, 32, 1),
            ],
            states: vec![
                state(Change::Written, 5),
                state(Change::Mapped, 5),
                state(Change::Mapped, 6),
            ],
            ..Changes::default()
        };
        let applied = |places: &[u32]| -> Vec<(u64, u64, u32)> {
            let mut overlay = Overlay::default();
            places
                .iter()
                .for_each(|&place| changes.apply(place, &mut overlay));
            let pieces = overlay.into_pieces().into_iter();
            pieces
                .map(|piece| (piece.start, piece.end, piece.place))
                .collect()
        };
        assert_eq!(applied(&[0, 1]), [(0, 8, 1), (8, 16, 0), (16, 32, 1)]);
        // Of another file, or at another place in it.
        assert_eq!(applied(&[0, 2]), [(0, 8, 2), (8, 16, 2), (16, 32, 2)]);
        assert_eq!(applied(&[0, 3]), [(0, 8, 3), (8, 16, 3), (16, 32, 3)]);
        assert_eq!(applied(&[1, 1]), [(0, 32, 1)]);
    }
}
