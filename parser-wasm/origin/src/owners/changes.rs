//! Places that changed hands during the recording, in sectors of their file systems.

use super::inodes::{Inodes, Owner, Owners, When};
use super::overlay::{Overlay, Piece};
use super::volumes::{Volume, Volumes};
use crate::events::Unit;
use crate::events::log::{Change, EventLog, Subject};
use crate::ranges::SECTOR;
use crate::side::NO_INODE;
use rustc_hash::FxHashMap;
use seekscope_trace::store::{NO_OFFSET, ObjectKind};

/// Changes of all places; more are left out. One event of a mirrored file system gives several.
const MAX_CHANGES: usize = 32 << 20;

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
pub struct State {
    pub owner: u32,
    pub volume: u32,
    pub change: Change,
}

/// All changes in time order, and the last one of each place.
#[derive(Debug, Default)]
pub struct Changes {
    pub rows: Vec<PlaceChange>,
    pub states: Vec<State>,
    /// Of each file system, the last changes, ascending.
    last: Vec<Vec<Piece>>,
    /// Whether events name the places of writes.
    names_writes: Vec<bool>,
    /// Whether events say of all places when they change hands.
    tells_all: Vec<bool>,
    pub left_out: u64,
}

impl Changes {
    pub fn new(
        log: &EventLog,
        volumes: &Volumes,
        inodes: &[Inodes],
        owners: &mut Owners,
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
            let state = State {
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
        changes.names_writes = vec![false; volumes.list.len()];
        for state in &changes.states {
            if state.change == Change::Written {
                changes.names_writes[state.volume as usize] = true;
            }
        }
        changes.rows.sort_by_key(|row| row.time);
        changes.find_last(volumes.list.len());
        // Allocations of ext4 have events, those of others only their writes.
        let tells = |(volume, &writes): (&Volume, &bool)| writes || volume.kind.starts_with("ext");
        let tells: Vec<bool> = volumes
            .list
            .iter()
            .zip(&changes.names_writes)
            .map(tells)
            .collect();
        let has = changes.last.iter().map(|last| !last.is_empty());
        changes.tells_all = has.zip(tells).map(|(has, tells)| has && tells).collect();
        changes
    }

    fn find_last(&mut self, volumes: usize) {
        let mut overlays = vec![Overlay::default(); volumes];
        for (i, row) in (0..).zip(&self.rows) {
            let volume = self.states[row.state as usize].volume;
            overlays[volume as usize].paint(row.start, end_of(row), i);
        }
        self.last = overlays.into_iter().map(Overlay::into_pieces).collect();
    }

    pub fn state(&self, row: u32) -> State {
        self.states[self.rows[row as usize].state as usize]
    }

    /// The last change at `sector`, or the next place behind it that changes.
    pub fn last(&self, volume: u32, sector: u64) -> Option<Piece> {
        let pieces = &self.last[volume as usize];
        pieces
            .get(pieces.partition_point(|piece| piece.end <= sector))
            .copied()
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

    /// Whether events of a file system name the place of all that write-back writes.
    pub fn names_writes(&self, volume: u32) -> bool {
        self.names_writes[volume as usize]
    }
}

pub fn end_of(row: &PlaceChange) -> u64 {
    row.start.saturating_add(row.sectors.into())
}

struct Builder {
    changes: Changes,
    numbers: FxHashMap<State, u32>,
}

impl Builder {
    fn push(&mut self, time: u64, (start, offset, sectors): (u64, u64, u64), state: State) {
        let changes = &mut self.changes;
        let next = changes.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            changes.states.push(state);
        }
        match u32::try_from(sectors) {
            Ok(sectors) if changes.rows.len() < MAX_CHANGES => {
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
        [one] => Some(one),
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
        Unit::Bytes => Some((row.start / SECTOR, row.offset, length.div_ceil(SECTOR))),
        Unit::Blocks => {
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
    owners: &mut Owners,
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
