//! Who owns a sector, from what the maps and the events say about it.

use super::inodes::Owner;
use crate::events::log::Change;
use seekscope_trace::store::{NO_OFFSET, ObjectKind, UnknownObject};

/// Index of an owner, and the byte in its file.
pub type OwnerOffset = (u32, u64);

/// What a change made of a sector.
#[derive(Clone, Copy, Debug)]
pub struct LastChange {
    pub row: u32,
    pub change: Change,
    pub owner: OwnerOffset,
}

/// What the sources say about a sector.
#[derive(Clone, Copy, Debug, Default)]
pub struct SectorView {
    /// In the maps before and after the recording.
    pub before: Option<OwnerOffset>,
    pub after: Option<OwnerOffset>,
    /// In a chunk that holds trees only.
    pub tree: Option<OwnerOffset>,
    /// The last change up to now, and whether it was written since.
    pub now: Option<(LastChange, bool)>,
    /// The last change of all.
    pub last: Option<LastChange>,
    /// The owner to which direct I/O of the submitter goes.
    pub direct: Option<OwnerOffset>,
}

/// Index of an owner or why there is none, the byte in its file, and who it is if nothing writes
/// there any more.
pub type Decision = (Result<u32, UnknownObject>, u64, Option<OwnerOffset>);

/// Decides for the sectors of a file system.
pub struct Judge<'a> {
    pub owners: &'a [Owner],
    /// As mounts name it.
    pub kind: &'a str,
    /// Whether the data of files goes through the journal.
    pub journals_data: bool,
    /// Whether events say of all sectors when they change hands.
    pub tells_all: bool,
    pub write: bool,
}

impl Judge<'_> {
    pub fn decide(&self, view: &SectorView) -> Decision {
        let copies = self.kind == "btrfs";
        let decision = match copies && self.write {
            true => self.decide_copy(view),
            false => self.decide_in_place(view),
        };
        match (decision.0, view.direct, view.tree) {
            (Err(_), Some(direct), _) => certain(direct),
            (Err(_), None, Some(tree)) => (Ok(tree.0), NO_OFFSET, decision.2),
            _ => decision,
        }
    }

    /// A write of btrfs, which never writes over what it has: each extent is new, and the event
    /// that made it holds for one write. Only superblocks have a place.
    fn decide_copy(&self, view: &SectorView) -> Decision {
        if let Some((state, false)) = view.now {
            return certain(state.owner);
        }
        let fixed = |place: &OwnerOffset| self.kind_of(*place) == ObjectKind::Superblock;
        match (self.real(view.before), self.real(view.after)) {
            (_, Some(after)) if fixed(&after) => certain(after),
            (Some(before), _) if fixed(&before) => certain(before),
            (_, Some(after)) => {
                let last = Some(after).filter(|&after| !self.is_unwritten(after));
                unknown(UnknownObject::Moved, last)
            }
            (_, None) => unknown(UnknownObject::NotInMap, None),
        }
    }

    fn decide_in_place(&self, view: &SectorView) -> Decision {
        if let Some((state, used)) = view.now {
            return self.decide_changed(view, state, used);
        }
        let (before, after) = (self.real(view.before), self.real(view.after));
        let touched = view.last.is_some();
        match (before, after) {
            (Some(before), _) if touched => certain(before),
            (Some(before), None) => certain(before),
            (Some(before), Some(after)) if self.is_same(before, after) => certain(after),
            (Some(_), Some(after)) => self.moved(after),
            (None, _) if touched => match view.before {
                Some(free) if !self.write => certain(free),
                _ => unknown(UnknownObject::NotInMap, None),
            },
            (None, Some(after)) if self.tells_all => certain(after),
            (None, Some(after)) if self.is_fixed(after) => certain(after),
            // Nothing is known of the time between: what it was may be gone.
            (None, Some(after)) if view.before.is_none() && !self.is_unwritten(after) => {
                unknown(UnknownObject::Moved, Some(after))
            }
            (None, Some(after)) => self.moved(after),
            (None, None) => match view.before.or(view.after) {
                Some(free) if !self.write => certain(free),
                _ => unknown(UnknownObject::NotInMap, None),
            },
        }
    }

    /// A sector that changed hands before.
    fn decide_changed(&self, view: &SectorView, state: LastChange, used: bool) -> Decision {
        let found = state.owner;
        let ends = view.last.is_some_and(|last| last.row == state.row);
        // What comes later has events of its own.
        let after = self.real(view.after).filter(|_| ends);
        let written = state.change == Change::Written && !used;
        let file = self.kind_of(found) == ObjectKind::File;
        if self.write && file && !written && !self.is_ext() {
            // Nothing tells that the place is still the file's: only allocations of ext4 hold. The
            // write is direct I/O, or metadata where the file was, or events are missing.
            let next = match ends {
                true => after,
                false => view.last.map(|last| last.owner),
            };
            return match next {
                Some(next) if self.is_same(found, next) => certain(next),
                _ => match self.real(view.after) {
                    Some(after) => self.moved(after),
                    None => unknown(UnknownObject::Moved, None),
                },
            };
        }
        match after {
            // Nobody writes to what is free: events do not tell of whom it was.
            None if state.change == Change::Freed && self.write => {
                unknown(UnknownObject::NotInMap, None)
            }
            None => certain(found),
            Some(after) if self.is_same(found, after) => certain(after),
            Some(_) if written => certain(found),
            Some(after) => self.moved(after),
        }
    }

    fn kind_of(&self, place: OwnerOffset) -> ObjectKind {
        self.owners[place.0 as usize].kind
    }

    /// The owner of a map, unless it is free space.
    fn real(&self, place: Option<OwnerOffset>) -> Option<OwnerOffset> {
        place.filter(|&place| self.kind_of(place) != ObjectKind::Free)
    }

    fn is_same(&self, a: OwnerOffset, b: OwnerOffset) -> bool {
        let offset = a.1 == b.1 || a.1 == NO_OFFSET || b.1 == NO_OFFSET;
        offset && self.owners[a.0 as usize].is_same(&self.owners[b.0 as usize])
    }

    /// Unknown, unless it is the last write to what a file has at the end. Journals delay the
    /// writes of metadata, and with them those of journaled data.
    fn moved(&self, after: OwnerOffset) -> Decision {
        let file = self.kind_of(after) == ObjectKind::File && !self.journals_data;
        let file = file && !self.is_unwritten(after);
        unknown(UnknownObject::Moved, Some(after).filter(|_| file))
    }

    /// Whether a file has the sectors, but nothing was written to them as its data.
    fn is_unwritten(&self, place: OwnerOffset) -> bool {
        self.owners[place.0 as usize].unwritten
    }

    /// Whether a structure has its place for good.
    fn is_fixed(&self, place: OwnerOffset) -> bool {
        match self.kind_of(place) {
            ObjectKind::Superblock
            | ObjectKind::Journal
            | ObjectKind::GroupDescriptors
            | ObjectKind::ReservedGdt
            | ObjectKind::BlockBitmap
            | ObjectKind::InodeBitmap
            | ObjectKind::AgHeaders
            | ObjectKind::Checkpoint
            | ObjectKind::SegmentTable
            | ObjectKind::NodeTable
            | ObjectKind::SegmentSummary => true,
            ObjectKind::InodeTable => self.is_ext(),
            _ => false,
        }
    }

    fn is_ext(&self) -> bool {
        self.kind.starts_with("ext")
    }
}

fn certain((owner, offset): OwnerOffset) -> Decision {
    (Ok(owner), offset, None)
}

fn unknown(reason: UnknownObject, last: Option<OwnerOffset>) -> Decision {
    (Err(reason), NO_OFFSET, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::NO_INODE;

    const FREE: u32 = 0;
    const TREE: u32 = 1;
    const LOG_TREE: u32 = 2;
    const SUPERBLOCK: u32 = 3;
    const FIRST: u32 = 4;
    const SECOND: u32 = 5;
    const ALLOCATED: u32 = 6;

    fn owners() -> Vec<Owner> {
        let structure = |kind| Owner::structure(0, kind);
        let file = |inode| Owner {
            inode,
            ..Owner::structure(0, ObjectKind::File)
        };
        vec![
            structure(ObjectKind::Free),
            structure(ObjectKind::Tree),
            structure(ObjectKind::LogTree),
            structure(ObjectKind::Superblock),
            file(1),
            file(2),
            Owner {
                unwritten: true,
                ..file(NO_INODE - 1)
            },
        ]
    }

    fn decide(kind: &str, write: bool, view: SectorView) -> Decision {
        let judge = Judge {
            owners: &owners(),
            kind,
            journals_data: false,
            tells_all: true,
            write,
        };
        judge.decide(&view)
    }

    fn change(row: u32, change: Change, owner: u32) -> LastChange {
        LastChange {
            row,
            change,
            owner: (owner, 0),
        }
    }

    #[test]
    fn an_event_of_btrfs_holds_for_one_write() {
        let event = change(0, Change::Written, FIRST);
        let view = SectorView {
            after: Some((SECOND, 4096)),
            now: Some((event, false)),
            last: Some(event),
            ..SectorView::default()
        };
        assert_eq!(decide("btrfs", true, view), certain((FIRST, 0)));
        let used = SectorView {
            now: Some((event, true)),
            ..view
        };
        let doubt = unknown(UnknownObject::Moved, Some((SECOND, 4096)));
        assert_eq!(decide("btrfs", true, used), doubt);
        let allocated = SectorView {
            after: Some((ALLOCATED, 0)),
            ..used
        };
        assert_eq!(
            decide("btrfs", true, allocated),
            unknown(UnknownObject::Moved, None)
        );
    }

    #[test]
    fn a_chunk_of_trees_has_trees() {
        let view = SectorView {
            before: Some((FREE, 0)),
            after: Some((LOG_TREE, NO_OFFSET)),
            tree: Some((TREE, NO_OFFSET)),
            ..SectorView::default()
        };
        let last = Some((LOG_TREE, NO_OFFSET));
        assert_eq!(decide("btrfs", true, view), (Ok(TREE), NO_OFFSET, last));
        let free = SectorView {
            after: Some((FREE, 0)),
            ..view
        };
        assert_eq!(decide("btrfs", true, free), (Ok(TREE), NO_OFFSET, None));
        let fixed = SectorView {
            before: Some((SUPERBLOCK, NO_OFFSET)),
            ..free
        };
        assert_eq!(
            decide("btrfs", true, fixed),
            certain((SUPERBLOCK, NO_OFFSET))
        );
    }

    #[test]
    fn a_lookup_proves_no_owner_of_a_write() {
        let lookup = change(0, Change::Mapped, FIRST);
        let view = SectorView {
            after: Some((SECOND, 0)),
            now: Some((lookup, false)),
            last: Some(lookup),
            ..SectorView::default()
        };
        let doubt = unknown(UnknownObject::Moved, Some((SECOND, 0)));
        assert_eq!(decide("xfs", true, view), doubt);
        let direct = SectorView {
            direct: Some((FIRST, 0)),
            ..view
        };
        assert_eq!(decide("xfs", true, direct), certain((FIRST, 0)));
        let same = SectorView {
            after: Some((FIRST, 0)),
            ..view
        };
        assert_eq!(decide("xfs", true, same), certain((FIRST, 0)));
        // A later event is of another file.
        let later = SectorView {
            last: Some(change(1, Change::Written, SECOND)),
            ..same
        };
        assert!(decide("xfs", true, later).0.is_err());
        let written = SectorView {
            now: Some((change(0, Change::Written, FIRST), false)),
            ..view
        };
        assert_eq!(decide("xfs", true, written), certain((FIRST, 0)));
    }

    #[test]
    fn a_read_takes_what_was_there_before() {
        let view = SectorView {
            before: Some((FIRST, 0)),
            after: Some((SECOND, 0)),
            last: Some(change(0, Change::Written, SECOND)),
            ..SectorView::default()
        };
        assert_eq!(decide("xfs", false, view), certain((FIRST, 0)));
        let untouched = SectorView { last: None, ..view };
        assert!(decide("xfs", false, untouched).0.is_err());
    }
}
