//! Looks up who owns sectors at the moment of a request.

use super::Resolver;
use crate::owners::decide::{Judge, LastChange, SectorView};
use crate::owners::inodes::Owner;
use crate::owners::layer::MapLayer;
use crate::owners::overlay::Piece;
use crate::owners::parts::Found;
use crate::owners::writers::Submitted;
use crate::ranges::SECTOR;
use seekscope_trace::store::{NO_OFFSET, ObjectKind};
use std::ops::Range;

impl Resolver<'_> {
    /// The owner of `sector` and of what follows it, up to `end` at most.
    pub(super) fn find(
        &self,
        volume: u32,
        sectors: Range<u64>,
        write: bool,
        submitted: Submitted,
    ) -> Found {
        let (sector, mut stop) = (sectors.start, sectors.end);
        let maps = &self.maps[volume as usize];
        let mut look_up = |layer: &MapLayer| {
            let extent = layer.find(sector)?;
            if extent.start > sector {
                stop = stop.min(extent.start);
                return None;
            }
            stop = stop.min(extent.end());
            let behind = (sector - extent.start) * SECTOR;
            let offset = match extent.offset {
                NO_OFFSET => NO_OFFSET,
                offset => offset.saturating_add(behind),
            };
            Some((extent.name, offset))
        };
        let (before, after) = (look_up(&maps.start), look_up(&maps.end));
        let tree = look_up(&maps.trees);
        let mut piece = |piece: Option<Piece>| {
            let piece = piece?;
            let inside = piece.start <= sector;
            stop = stop.min(if inside { piece.end } else { piece.start });
            inside.then_some(piece)
        };
        let now = piece(self.overlays[volume as usize].find(sector));
        let last = piece(self.changes.last(volume, sector));
        let state = |row: u32| LastChange {
            row,
            change: self.changes.state(row).change,
            owner: (
                self.changes.state(row).owner,
                self.changes.offset(row, sector),
            ),
        };
        let mut view = SectorView {
            before,
            after,
            tree,
            now: now.map(|piece| (state(piece.place), piece.used)),
            last: last.map(|piece| state(piece.place)),
            direct: None,
        };
        if write {
            let candidates = [view.now.map(|(now, _)| now.owner), after];
            for candidate in candidates.into_iter().flatten() {
                if let Some(length) = self.direct_length(candidate, submitted) {
                    stop = stop.min(sector.saturating_add(length));
                    view.direct = Some(candidate);
                }
            }
        }
        let place = &self.volumes.list[volume as usize];
        let judge = Judge {
            owners: &self.owners.list,
            kind: &place.kind,
            journals_data: place.journals_data,
            tells_all: self.changes.tells_all(volume),
            write,
        };
        let (owner, offset, last) = judge.decide(&view);
        Found {
            end: stop,
            owner,
            offset,
            last,
        }
    }

    /// The file of the page cache that an owner is.
    pub(super) fn cached_file(&self, owner: &Owner) -> Option<u32> {
        let inode = self.volumes.plain_inode(owner);
        self.writers.file(owner.volume, inode)
    }

    /// Sectors that direct I/O of the submitter writes to a file from an offset on, if it does.
    fn direct_length(&self, (owner, offset): (u32, u64), submitted: Submitted) -> Option<u64> {
        let owner = self.owners.list[owner as usize];
        if owner.kind != ObjectKind::File || offset == NO_OFFSET {
            return None;
        }
        let file = self.cached_file(&owner)?;
        let bytes = self
            .writers
            .direct_length(file, offset, submitted, self.tasks)?;
        Some(bytes.div_ceil(SECTOR))
    }
}
