//! Goes through the requests in the order of time, beside the changes of places.

mod find;

use super::changes::Changes;
use super::inodes::{Owner, OwnerTable};
use super::maps::Maps;
use super::overlay::Overlay;
use super::parts::{Found, PartTable};
use super::volumes::Volumes;
use super::writers::{ROUNDING, Submitted, Writers};
use crate::ranges::SECTOR;
use crate::tasks::{NO_TASK, TaskTable};
use seekscope_trace::event::Op;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{NO_OFFSET, NO_WRITERS, ObjectKind, RequestRow, Store, UnknownObject};
use std::ops::Range;

/// Bytes of a page of the cache.
const PAGE: u64 = 4096;

/// Sectors of a file system that a request covers.
#[derive(Clone, Copy, Debug)]
struct VolumeSector {
    volume: u32,
    /// The request's device, and the first sector of the file system there.
    device: u32,
    base: u64,
    /// The first sector, counted from the start of the file system.
    sector: u64,
}

impl VolumeSector {
    /// Adds the sectors from `sector` to the end of what was found.
    fn push(self, sector: u64, found: &Found, writers: u32, parts: &mut PartTable) {
        let length = u32::try_from(found.end.saturating_sub(sector)).unwrap_or(u32::MAX);
        let absolute = self.base.saturating_add(sector);
        parts.push((self.device, absolute), length, found, writers);
    }
}

/// What decides about the sectors of all file systems.
pub struct Resolver<'a> {
    pub store: &'a Store,
    pub volumes: &'a Volumes,
    pub maps: &'a [Maps],
    pub owners: &'a mut OwnerTable,
    pub changes: &'a Changes,
    pub writers: Writers,
    pub tasks: &'a mut TaskTable,
    overlays: Vec<Overlay>,
    /// The task of each process of the store, or `NO_TASK`.
    submitters: Vec<u32>,
    /// Of each device of the store: first sector, end and file system, ascending.
    places: Vec<Vec<(u64, u64, u32)>>,
    next_change: usize,
    /// Tasks of a part, kept for its memory.
    scratch: Vec<u32>,
}

impl<'a> Resolver<'a> {
    pub fn new(
        store: &'a Store,
        volumes: &'a Volumes,
        maps: &'a [Maps],
        owners: &'a mut OwnerTable,
        changes: &'a Changes,
        writers: Writers,
        tasks: &'a mut TaskTable,
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
            let partition = store
                .devices
                .iter()
                .position(|device| device.number == volume.device);
            if let Some(partition) = partition.filter(|&index| index != volume.disk as usize) {
                let end = volume.sectors.unwrap_or(u64::MAX);
                places[partition].push((0, end, number));
            }
        }
        places.iter_mut().for_each(|list| list.sort_short());
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
            scratch: Vec::new(),
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
            let place = self.next_change as u32;
            let state = self.changes.states[row.state as usize];
            let overlay = &mut self.overlays[state.volume as usize];
            self.changes.apply(place, overlay);
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
            self.volume(request, (volume, from), begin..stop, parts);
            sector = from + stop;
        }
        if sector < end {
            self.outside(request, sector..end, parts);
        }
    }

    /// Sectors that are in no file system.
    fn outside(&mut self, request: RequestRow<'_>, sectors: Range<u64>, parts: &mut PartTable) {
        let count = sectors.end - sectors.start;
        let is_outside = self.volumes.is_outside(request.device(), sectors.clone());
        if !is_outside {
            parts.push_unknown(count, Some(UnknownObject::NoMap));
            return;
        }
        let writers = self.submitter(request);
        let owner = self
            .owners
            .number(Owner::structure(u32::MAX, ObjectKind::Outside));
        let found = Found {
            end: 0,
            owner: Ok(owner),
            offset: NO_OFFSET,
            last: None,
        };
        let length = u32::try_from(count).unwrap_or(u32::MAX);
        parts.push((request.device(), sectors.start), length, &found, writers);
    }

    fn submitted(&self, request: RequestRow<'_>) -> Submitted {
        let time = request.queued().unwrap_or(request.start());
        let task = self.submitters.get(request.process() as usize).copied();
        Submitted {
            time: self.store.origin.saturating_add(time),
            task: task.unwrap_or(NO_TASK),
            direct: true,
        }
    }

    fn submitter(&mut self, request: RequestRow<'_>) -> u32 {
        let task = self.submitted(request).task;
        self.tasks.single(task)
    }

    /// Sectors of a file system, counted from its start.
    fn volume(
        &mut self,
        request: RequestRow<'_>,
        (volume, base): (u32, u64),
        sectors: Range<u64>,
        parts: &mut PartTable,
    ) {
        let write = request.op() == Op::Write;
        let submitted = self.submitted(request);
        let mut sector = sectors.start;
        while sector < sectors.end {
            let mut found = self.find(volume, sector..sectors.end, write, submitted);
            found.end = found.end.clamp(sector + 1, sectors.end);
            let place = VolumeSector {
                volume,
                device: request.device(),
                base,
                sector,
            };
            self.part(request, place, &found, parts);
            sector = found.end;
        }
        let primary = self.volumes.list[volume as usize].disk == request.device();
        if write && primary {
            self.overlays[volume as usize].mark_used(sectors.start, sectors.end);
        }
    }

    /// Adds the sectors of one owner, cut where their writers begin to be known or unknown.
    fn part(
        &mut self,
        request: RequestRow<'_>,
        place: VolumeSector,
        found: &Found,
        parts: &mut PartTable,
    ) {
        let submitted = self.submitted(request);
        if request.op() != Op::Write {
            let writers = self.tasks.single(submitted.task);
            place.push(place.sector, found, writers, parts);
            return;
        }
        // A doubtful part has the writers of the owner that it may get.
        let found_owner = found.owner.ok().map(|owner| (owner, found.offset));
        let likely = found.last.or(found_owner);
        let Some((owner, offset)) = likely else {
            place.push(place.sector, found, NO_WRITERS, parts);
            return;
        };
        let owner = self.owners.list[owner as usize];
        let Some((file, first)) = self.pages(&owner, place, offset) else {
            let task = self.metadata_submitter(&owner, submitted);
            let writers = self.tasks.single(task);
            place.push(place.sector, found, writers, parts);
            return;
        };
        let mut set = std::mem::take(&mut self.scratch);
        let (mut sector, mut from) = (place.sector, place.sector);
        while sector < found.end {
            let byte = first.saturating_add((sector - place.sector) * SECTOR);
            let next = (sector + (PAGE - byte % PAGE).div_ceil(SECTOR)).min(found.end);
            let task = self.page_writer(&owner, file, byte / PAGE, submitted);
            let has_task = task != NO_TASK;
            if sector > from && has_task == set.is_empty() {
                self.flush_part(place, from..sector, found, &mut set, parts);
                from = sector;
            }
            if has_task && set.last() != Some(&task) && !set.contains(&task) {
                set.push(task);
            }
            sector = next;
        }
        self.flush_part(place, from..found.end, found, &mut set, parts);
        self.scratch = set;
    }

    fn page_writer(
        &mut self,
        owner: &Owner,
        file: Option<u32>,
        page: u64,
        submitted: Submitted,
    ) -> u32 {
        let page = u32::try_from(page).ok();
        if owner.kind == ObjectKind::File {
            let volume = self.volumes.list.get(owner.volume as usize);
            let direct = volume.is_some_and(|volume| !volume.journals_data);
            let submitted = Submitted {
                direct,
                ..submitted
            };
            return page.map_or(NO_TASK, |page| {
                self.writers.page(file, page, submitted, self.tasks)
            });
        }
        let found = page.map_or(NO_TASK, |page| {
            self.writers
                .metadata_page(file, page, submitted, self.tasks)
        });
        match found {
            NO_TASK => self.metadata_submitter(owner, submitted),
            task => task,
        }
    }

    /// Adds the sectors of a part whose writers are in `set`, and empties it.
    fn flush_part(
        &mut self,
        place: VolumeSector,
        sectors: Range<u64>,
        found: &Found,
        set: &mut Vec<u32>,
        parts: &mut PartTable,
    ) {
        let writers = match set[..] {
            [task] => self.tasks.single(task),
            _ => self.tasks.set(set),
        };
        set.clear();
        let behind = (sectors.start - place.sector) * SECTOR;
        let move_on = |offset: u64| match offset {
            NO_OFFSET => NO_OFFSET,
            offset => offset.saturating_add(behind),
        };
        let last = found.last.map(|(owner, offset)| (owner, move_on(offset)));
        let part = Found {
            end: sectors.end,
            offset: move_on(found.offset),
            last,
            ..*found
        };
        place.push(sectors.start, &part, writers, parts);
    }

    /// The task of metadata of which nobody is known to have dirtied it: the journal's thread for
    /// the journal, a program for what it queued itself.
    fn metadata_submitter(&self, owner: &Owner, submitted: Submitted) -> u32 {
        let journal = owner.kind == ObjectKind::Journal;
        if journal || !self.tasks.is_kernel(submitted.task) {
            submitted.task
        } else {
            NO_TASK
        }
    }

    /// The cached file whose pages have the data, and the byte in it of the first sector; absent
    /// where no cached file is known.
    fn pages(&self, owner: &Owner, place: VolumeSector, offset: u64) -> Option<(Option<u32>, u64)> {
        let volume = &self.volumes.list[place.volume as usize];
        match owner.kind {
            ObjectKind::File if offset != NO_OFFSET => Some((self.cached_file(owner), offset)),
            ObjectKind::File | ObjectKind::Journal => None,
            // Metadata of ext4 is cached as pages of the partition, whose number is the inode.
            _ if volume.kind.starts_with("ext") => {
                let file = self.writers.file(place.volume, volume.device.0.into());
                Some((file, place.sector.checked_mul(SECTOR)?))
            }
            _ => None,
        }
    }
}
