//! Who owns a sector, from what the maps and the events say about it.

use super::inodes::Owner;
use super::volumes::Volume;
use crate::events::log::Change;
use seekscope_trace::store::{NO_OFFSET, ObjectKind, UnknownObject};

/// Index of an owner, and the byte in its file.
pub type Place = (u32, u64);

/// What a change made of a sector.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub row: u32,
    pub change: Change,
    pub owner: Place,
}

/// What the sources say about a sector.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// In the maps before and after the recording.
    pub before: Option<Place>,
    pub after: Option<Place>,
    /// In a chunk that holds trees only.
    pub tree: Option<Place>,
    /// The last change up to now, and whether it was written since.
    pub now: Option<(State, bool)>,
    /// The last change of all.
    pub last: Option<State>,
    /// The owner to which direct I/O of the submitter goes.
    pub direct: Option<Place>,
}

/// Index of an owner or why there is none, the byte in its file, and who it is if nothing writes
/// there any more.
pub type Decision = (Result<u32, UnknownObject>, u64, Option<Place>);

/// Decides for the sectors of a file system.
pub struct Judge<'a> {
    pub owners: &'a [Owner],
    pub volume: &'a Volume,
    /// Whether events say of all sectors when they change hands.
    pub tells_all: bool,
    /// Whether events name the place of all that write-back writes.
    pub names_writes: bool,
    pub write: bool,
}

impl Judge<'_> {
    pub fn decide(&self, view: &View) -> Decision {
        let copies = self.volume.kind == "btrfs";
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
    fn decide_copy(&self, view: &View) -> Decision {
        if let Some((state, false)) = view.now {
            return certain(state.owner);
        }
        let fixed = |place: &Place| self.kind(*place) == ObjectKind::Superblock;
        match (self.real(view.before), self.real(view.after)) {
            (_, Some(after)) if fixed(&after) => certain(after),
            (Some(before), _) if fixed(&before) => certain(before),
            (_, Some(after)) => unknown(UnknownObject::Moved, Some(after)),
            (_, None) => unknown(UnknownObject::NotInMap, None),
        }
    }

    fn decide_in_place(&self, view: &View) -> Decision {
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
    fn decide_changed(&self, view: &View, state: State, used: bool) -> Decision {
        let found = state.owner;
        let ends = view.last.is_some_and(|last| last.row == state.row);
        // What comes later has events of its own.
        let after = self.real(view.after).filter(|_| ends);
        let written = state.change == Change::Written && !used;
        let file = self.kind(found) == ObjectKind::File;
        if self.write && self.names_writes && !written && file {
            // Not from the page cache: direct I/O, or metadata where the file was.
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

    fn kind(&self, place: Place) -> ObjectKind {
        self.owners[place.0 as usize].kind
    }

    /// The owner of a map, unless it is free space.
    fn real(&self, place: Option<Place>) -> Option<Place> {
        place.filter(|&place| self.kind(place) != ObjectKind::Free)
    }

    fn is_same(&self, a: Place, b: Place) -> bool {
        let offset = a.1 == b.1 || a.1 == NO_OFFSET || b.1 == NO_OFFSET;
        offset && self.owners[a.0 as usize].is_same(&self.owners[b.0 as usize])
    }

    /// Unknown, unless it is the last write to what a file has at the end. Journals delay the
    /// writes of metadata, and with them those of journaled data.
    fn moved(&self, after: Place) -> Decision {
        let file = self.kind(after) == ObjectKind::File && !self.volume.journals_data;
        let file = file && !self.is_unwritten(after);
        unknown(UnknownObject::Moved, Some(after).filter(|_| file))
    }

    /// Whether a file has the sectors, but nothing was written to them as its data.
    fn is_unwritten(&self, place: Place) -> bool {
        self.owners[place.0 as usize].unwritten
    }

    /// Whether a structure has its place for good.
    fn is_fixed(&self, place: Place) -> bool {
        match self.kind(place) {
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
            ObjectKind::InodeTable => self.volume.kind.starts_with("ext"),
            _ => false,
        }
    }
}

fn certain((owner, offset): Place) -> Decision {
    (Ok(owner), offset, None)
}

fn unknown(reason: UnknownObject, last: Option<Place>) -> Decision {
    (Err(reason), NO_OFFSET, last)
}
