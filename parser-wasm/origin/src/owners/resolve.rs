//! Goes through the requests in the order of time, beside the changes of places.

use super::changes::{Changes, end_of};
use super::inodes::{Owner, Owners};
use super::maps::Maps;
use super::overlay::Overlay;
use super::parts::PartTable;
use super::volumes::{Volume, Volumes};
use super::writers::{ROUNDING, Submitted, Writers};
use crate::events::log::Change;
use crate::ranges::SECTOR;
use crate::side::Extent;
use crate::tasks::{NO_TASK, Tasks};
use seekscope_trace::event::Op;
use seekscope_trace::store::{NO_OFFSET, NO_WRITERS, ObjectKind, RequestRow, Store, UnknownObject};

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

/// What decides about the sectors of all file systems.
pub struct Resolver<'a> {
    pub store: &'a Store,
    pub volumes: &'a Volumes,
    pub maps: &'a [Maps],
    pub owners: &'a mut Owners,
    pub changes: &'a Changes,
    pub writers: Writers,
    pub tasks: &'a mut Tasks,
    overlays: Vec<Overlay>,
    /// The task of each process of the store, or `NO_TASK`.
    submitters: Vec<u32>,
    /// Of each device of the store: first sector, end and file system, ascending.
    places: Vec<Vec<(u64, u64, u32)>>,
    next_change: usize,
}

impl<'a> Resolver<'a> {
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the sources, each of one kind"
    )]
    pub fn new(
        store: &'a Store,
        volumes: &'a Volumes,
        maps: &'a [Maps],
        owners: &'a mut Owners,
        changes: &'a Changes,
        writers: Writers,
        tasks: &'a mut Tasks,
    ) -> Resolver<'a> {
        let submitters = store.processes.iter().map(|process| match &process.name {
            Some(name) => tasks.task(process.pid, name),
            None => tasks.last_of(process.pid).unwrap_or(NO_TASK),
        });
        let submitters = submitters.collect();
        let mut places = vec![Vec::new(); store.devices.len()];
        for (number, volume) in (0..).zip(&volumes.list) {
            places[volume.disk as usize].push((volume.start, volume.end(), number));
            // Bios of the partition itself have sectors of their own.
            let own = store
                .devices
                .iter()
                .position(|device| device.number == volume.device);
            if let Some(own) = own.filter(|&own| own != volume.disk as usize) {
                let end = volume.sectors.unwrap_or(u64::MAX);
                places[own].push((0, end, number));
            }
        }
        places.iter_mut().for_each(|list| list.sort_unstable());
        Resolver {
            store,
            volumes,
            maps,
            owners,
            changes,
            writers,
            tasks,
            overlays: vec![Overlay::default(); volumes.list.len()],
            submitters,
            places,
            next_change: 0,
        }
    }

    /// Resolves all requests.
    pub fn run(&mut self, parts: &mut PartTable) {
        let requests = &self.store.requests;
        for row in 0..requests.len() {
            let request = requests.row(row);
            self.apply_changes(self.store.origin.saturating_add(request.start()));
            parts.begin_row();
            if request.op() == Op::Discard {
                // What is discarded belongs to none any more.
                parts.push_unknown(request.sectors(), None);
            } else if request.sectors() > 0 {
                self.request(request, parts);
            }
        }
        parts.begin_row();
    }

    fn apply_changes(&mut self, time: u64) {
        let time = time.saturating_add(ROUNDING);
        while let Some(row) = self.changes.rows.get(self.next_change)
            && row.time <= time
        {
            let state = self.changes.states[row.state as usize];
            let overlay = &mut self.overlays[state.volume as usize];
            let same = overlay.find(row.start).is_some_and(|piece| {
                let known = &self.changes.rows[piece.place as usize];
                let inside = piece.start <= row.start && end_of(row) <= piece.end;
                let offset = self.changes.offset(piece.place, row.start);
                inside && known.state == row.state && offset == row.offset
            });
            // A lookup of what is known would only cut pieces.
            if !same || state.change != Change::Mapped {
                overlay.paint(row.start, end_of(row), self.next_change as u32);
            }
            self.next_change += 1;
        }
    }

    fn request(&mut self, request: RequestRow<'_>, parts: &mut PartTable) {
        let device = request.device();
        let (start, sectors) = (request.sector(), request.sectors());
        let Some(end) = start.checked_add(sectors) else {
            parts.push_unknown(sectors, Some(UnknownObject::NotInMap));
            return;
        };
        let count = self.places.get(device as usize).map_or(0, Vec::len);
        let mut sector = start;
        for i in 0..count {
            let (from, to, volume) = self.places[device as usize][i];
            if to <= sector || from >= end {
                continue;
            }
            if sector < from {
                self.outside(request, sector..from, parts);
            }
            let begin = sector.max(from) - from;
            let stop = end.min(to) - from;
            let primary = self.volumes.list[volume as usize].disk == device;
            self.volume(request, (volume, primary), begin..stop, parts);
            sector = from + stop;
        }
        if sector < end {
            self.outside(request, sector..end, parts);
        }
    }

    /// Sectors that are in no file system.
    fn outside(
        &mut self,
        request: RequestRow<'_>,
        sectors: std::ops::Range<u64>,
        parts: &mut PartTable,
    ) {
        let count = sectors.end - sectors.start;
        let known = self.volumes.is_outside(request.device(), sectors.clone());
        if !known {
            parts.push_unknown(count, Some(UnknownObject::NoMap));
            return;
        }
        let writers = self.submitter(request);
        let owner = self.owners.number(Owner {
            volume: u32::MAX,
            kind: ObjectKind::Outside,
            path: crate::side::NO_PATH,
            inode: crate::side::NO_INODE,
        });
        let found = Found {
            end: 0,
            owner: Ok(owner),
            offset: NO_OFFSET,
            last: None,
        };
        parts.push(count, &found, writers);
    }

    fn submitted(&self, request: RequestRow<'_>) -> Submitted {
        let time = request.queued().unwrap_or(request.start());
        let task = self.submitters.get(request.process() as usize).copied();
        Submitted {
            time: self.store.origin.saturating_add(time),
            task: task.unwrap_or(NO_TASK),
        }
    }

    fn submitter(&mut self, request: RequestRow<'_>) -> u32 {
        let task = self.submitted(request).task;
        self.tasks.set(&mut vec![task])
    }

    /// Sectors of a file system, counted from its start.
    fn volume(
        &mut self,
        request: RequestRow<'_>,
        (volume, primary): (u32, bool),
        sectors: std::ops::Range<u64>,
        parts: &mut PartTable,
    ) {
        let write = request.op() == Op::Write;
        if write && primary {
            parts.forget_last(volume, &sectors);
        }
        let mut sector = sectors.start;
        while sector < sectors.end {
            let mut found = self.find(volume, sector, sectors.end, write);
            found.end = found.end.clamp(sector + 1, sectors.end);
            self.part(request, volume, sector, &found, parts);
            sector = found.end;
        }
        if write && primary {
            self.overlays[volume as usize].mark_used(sectors.start, sectors.end);
        }
    }

    /// Adds the sectors of one owner, cut where their writers begin to be known or unknown.
    fn part(
        &mut self,
        request: RequestRow<'_>,
        volume: u32,
        sector: u64,
        found: &Found,
        parts: &mut PartTable,
    ) {
        let write = request.op() == Op::Write;
        let owner = found
            .owner
            .ok()
            .map(|owner| self.owners.list[owner as usize]);
        let by = self.submitted(request);
        let (Some(owner), true) = (owner, write) else {
            let writers = if write {
                NO_WRITERS
            } else {
                self.submitter(request)
            };
            let last = found.last.filter(|_| write);
            let found = Found { last, ..*found };
            parts.push_at(volume, sector, &found, writers);
            return;
        };
        let place = &self.volumes.list[volume as usize];
        let (file, first) = self.pages(&owner, volume, place, sector, found.offset);
        let Some(first) = first else {
            let task = self.metadata_submitter(&owner, by);
            let writers = self.tasks.set(&mut vec![task]);
            parts.push_at(volume, sector, found, writers);
            return;
        };
        let mut set: Vec<u32> = Vec::new();
        let mut at = sector;
        let mut from = sector;
        while at < found.end {
            let byte = first.saturating_add((at - sector) * SECTOR);
            let next = (at + (4096 - byte % 4096).div_ceil(SECTOR)).min(found.end);
            let page = u32::try_from(byte / 4096).ok();
            let mut task = page.map_or(NO_TASK, |page| {
                self.writers.page(file, page, by, self.tasks)
            });
            if task == NO_TASK && owner.kind != ObjectKind::File {
                task = self.metadata_submitter(&owner, by);
            }
            let known = task != NO_TASK;
            if at > from && known == set.is_empty() {
                self.flush_part(volume, (sector, from, at), found, &mut set, parts);
                from = at;
            }
            if known && !set.contains(&task) {
                set.push(task);
            }
            at = next;
        }
        self.flush_part(volume, (sector, from, found.end), found, &mut set, parts);
    }

    fn flush_part(
        &mut self,
        volume: u32,
        (first, from, to): (u64, u64, u64),
        found: &Found,
        set: &mut Vec<u32>,
        parts: &mut PartTable,
    ) {
        let writers = self.tasks.set(set);
        set.clear();
        let behind = (from - first) * SECTOR;
        let move_on = |offset: u64| match offset {
            NO_OFFSET => NO_OFFSET,
            offset => offset.saturating_add(behind),
        };
        let last = found.last.map(|(owner, offset)| (owner, move_on(offset)));
        let part = Found {
            end: to,
            offset: move_on(found.offset),
            last,
            ..*found
        };
        parts.push_at(volume, from, &part, writers);
    }

    /// The task of metadata of which nobody is known to have dirtied it: the journal's thread for
    /// the journal, a program for what it queued itself.
    fn metadata_submitter(&self, owner: &Owner, by: Submitted) -> u32 {
        let journal = owner.kind == ObjectKind::Journal;
        if journal || !self.tasks.is_kernel(by.task) {
            by.task
        } else {
            NO_TASK
        }
    }

    /// The cached file whose pages have the data, and the byte in it of the first sector.
    fn pages(
        &self,
        owner: &Owner,
        volume: u32,
        place: &Volume,
        sector: u64,
        offset: u64,
    ) -> (Option<u32>, Option<u64>) {
        let ext = place.kind.starts_with("ext");
        match owner.kind {
            ObjectKind::File => {
                let offset = (offset != NO_OFFSET).then_some(offset);
                (self.writers.file(volume, owner.inode), offset)
            }
            ObjectKind::Journal => (None, None),
            // Metadata of ext4 is cached as pages of the partition, whose number is the inode.
            _ if ext => {
                let file = self.writers.file(volume, place.device.0.into());
                (file, sector.checked_mul(SECTOR))
            }
            _ => (None, None),
        }
    }

    /// The owner of `sector` and of what follows it, up to `end` at most.
    fn find(&self, volume: u32, sector: u64, end: u64, write: bool) -> Found {
        let maps = &self.maps[volume as usize];
        let mut stop = end;
        let mut at = |extent: Option<&Extent>| {
            let extent = extent?;
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
        let before = at(maps.start.find(sector));
        let after = at(maps.end.find(sector));
        let mut piece = |piece: Option<super::overlay::Piece>| {
            let piece = piece?;
            let inside = piece.start <= sector;
            stop = stop.min(if inside { piece.end } else { piece.start });
            inside.then_some(piece)
        };
        let now = piece(self.overlays[volume as usize].find(sector));
        let last = piece(self.changes.last(volume, sector));
        let view = View {
            before,
            after,
            now: now.map(|piece| (piece.place, piece.used)),
            last: last.map(|piece| piece.place),
        };
        let (owner, offset, last) = self.decide(volume, sector, view, write);
        Found {
            end: stop,
            owner,
            offset,
            last,
        }
    }

    fn is_free(&self, owner: u32) -> bool {
        self.owners.list[owner as usize].kind == ObjectKind::Free
    }

    fn is_same(&self, a: (u32, u64), b: (u32, u64)) -> bool {
        let owners = &self.owners.list;
        let offset = a.1 == b.1 || a.1 == NO_OFFSET || b.1 == NO_OFFSET;
        offset && owners[a.0 as usize].is_same(&owners[b.0 as usize])
    }

    fn decide(&self, volume: u32, sector: u64, view: View, write: bool) -> Decision {
        let real = |found: Option<(u32, u64)>| found.filter(|found| !self.is_free(found.0));
        let after = real(view.after);
        if let Some((row, used)) = view.now {
            let state = self.changes.state(row);
            let found = (state.owner, self.changes.offset(row, sector));
            let final_ = view.last == Some(row);
            return match after.filter(|_| final_) {
                // What comes later has events of its own, or there is nothing.
                None if state.change == Change::Freed && write && final_ => {
                    unknown(UnknownObject::NotInMap, None)
                }
                None => certain(found),
                Some(after) if self.is_same(found, after) => certain(after),
                Some(_) if state.change == Change::Written && !used => certain(found),
                Some(after) => unknown(UnknownObject::Moved, Some(after)),
            };
        }
        let touched = view.last.is_some();
        let before = real(view.before);
        match (before, after) {
            (Some(before), _) if touched => certain(before),
            (Some(before), None) => certain(before),
            (Some(before), Some(after)) if self.is_same(before, after) => certain(after),
            (Some(_), Some(after)) => unknown(UnknownObject::Moved, Some(after)),
            (None, _) if touched => match view.before {
                Some(free) if !write => certain(free),
                _ => unknown(UnknownObject::NotInMap, None),
            },
            // No event says otherwise, or nothing was there before.
            (None, Some(after)) if self.changes.has(volume) || view.before.is_none() => {
                certain(after)
            }
            (None, Some(after)) => unknown(UnknownObject::Moved, Some(after)),
            (None, None) => match view.before.or(view.after) {
                Some(free) if !write => certain(free),
                _ => unknown(UnknownObject::NotInMap, None),
            },
        }
    }
}

/// What the sources say about a sector: owners with offsets in the maps before and after, the last
/// change up to now with whether it was written since, and the last change of all.
#[derive(Clone, Copy, Debug)]
struct View {
    before: Option<(u32, u64)>,
    after: Option<(u32, u64)>,
    now: Option<(u32, bool)>,
    last: Option<u32>,
}

type Decision = (Result<u32, UnknownObject>, u64, Option<(u32, u64)>);

fn certain((owner, offset): (u32, u64)) -> Decision {
    (Ok(owner), offset, None)
}

fn unknown(reason: UnknownObject, last: Option<(u32, u64)>) -> Decision {
    (Err(reason), NO_OFFSET, last)
}
