//! What was requested of each file and of each structure of a file system, and how long it took.
//!
//! Over the request rows of a device, by the parts that [`Objects`] has of them. Structures, and
//! folders, are one row per kind (`ObjectGroups`): which bitmap it was matters to nobody. A request
//! that covers several objects counts as a request of each; its bytes and its time in the device
//! are divided by sectors.

use super::span::Window;
use rustc_hash::FxHashMap;
use seekscope_trace::event::Op;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::object_groups::file_of;
use seekscope_trace::store::{
    GroupMeaning, NO_OBJECT, NO_OFFSET, NO_WRITERS, ObjectKind, ObjectPart, Objects, RequestRow,
    Store,
};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Rows that are kept: those with the most bytes.
pub const MAX_OBJECTS: usize = 40;
/// Names of writers that are kept of an object: those with the most bytes.
const MAX_WRITERS: usize = 4;
/// Minimum share of the bytes whose owner is known, for files and structures to be compared.
pub const MIN_KNOWN: f64 = 0.9;
/// Minimum share of the bytes of files that a task read or wrote, to count as one of those that
/// did the work.
const MIN_TASK_SHARE: f64 = 0.05;
/// Stands between the names of several writers.
pub const NAMES_BETWEEN: &str = " | ";
/// Maximum length of the names of the writers of one part, characters.
const MAX_NAMES: usize = 80;

/// Sums over the requests of an object, or of all. Times are ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ObjectSums {
    pub requests: u64,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub write: u64,
    /// Requests with both Q and C, and their Q2C.
    pub ended: u64,
    pub q2c_ns: u64,
    /// Sum of the times from D to C.
    pub d2c_ns: u64,
    /// Requests after the first one of the same object and operation.
    pub following: u64,
    /// Those that begin on the disk where the one before ended.
    pub sequential_on_disk: u64,
    /// The same in the file; 0 where offsets are unknown.
    pub sequential_in_file: u64,
    /// Requests whose offset in the file is known, as is that of the one before.
    pub following_in_file: u64,
}

impl ObjectSums {
    pub fn bytes(&self) -> u64 {
        self.read + self.write
    }

    fn add(&mut self, other: &ObjectSums) {
        self.requests += other.requests;
        self.read += other.read;
        self.write += other.write;
        self.ended += other.ended;
        self.q2c_ns = self.q2c_ns.saturating_add(other.q2c_ns);
        self.d2c_ns = self.d2c_ns.saturating_add(other.d2c_ns);
        self.following += other.following;
        self.sequential_on_disk += other.sequential_on_disk;
        self.sequential_in_file += other.sequential_in_file;
        self.following_in_file += other.following_in_file;
    }
}

/// A task, or several of which each may have written it, and the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectWriter {
    /// Names without pids, the same name once: `fio`, `fio | sync`.
    pub names: String,
    pub bytes: u64,
}

/// A file, or all structures of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectUse {
    pub kind: ObjectKind,
    /// The path of a file, else `inode 12`; `inode tables` and the like. The same in all runs.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inode: Option<u64>,
    /// Extents of the file in the latest map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extents: Option<u32>,
    /// First sector on the disk that was requested of it.
    pub first: u64,
    /// Sector after the last one.
    pub end: u64,
    #[serde(flatten)]
    pub sums: ObjectSums,
    /// Who wrote the data, or read it, the most bytes first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writers: Vec<ObjectWriter>,
}

/// What was requested of the files and structures on a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectsUsed {
    /// The most bytes first, at most [`MAX_OBJECTS`].
    pub top: Vec<ObjectUse>,
    /// The sums of those that are left out.
    pub rest: ObjectSums,
    /// Requests, or parts of them, whose object is unknown.
    pub unknown: ObjectSums,
    /// All requests with data.
    pub all: ObjectSums,
    /// Those of files, without structures of the file system. What was asked for: structures are
    /// what the file system added.
    #[serde(default)]
    pub files: ObjectSums,
    /// Tasks that wrote or read at least 5% of the bytes of files.
    #[serde(default)]
    pub file_tasks: u64,
}

impl ObjectsUsed {
    /// Whether the owner of nearly all bytes is known.
    pub fn is_known(&self) -> bool {
        let all = self.all.bytes();
        all > 0 && self.unknown.bytes() as f64 <= (1.0 - MIN_KNOWN) * all as f64
    }
}

/// Where the last request of an operation ended: sector, and byte in the file.
#[derive(Clone, Copy)]
struct LastEnd {
    sector: u64,
    offset: Option<u64>,
}

/// The sums of an object while rows are visited.
#[derive(Default)]
struct ObjectTally {
    sums: ObjectSums,
    first: Option<u64>,
    end: u64,
    last: [Option<LastEnd>; 2],
    writers: FxHashMap<u32, u64>,
}

impl ObjectTally {
    fn add(&mut self, row: RequestRow, part: &PlacedPart) {
        let op = row.kind().op();
        let bytes = part.sectors * 512;
        let sums = &mut self.sums;
        sums.requests += 1;
        match op {
            Op::Write => sums.write += bytes,
            _ => sums.read += bytes,
        }
        if let (Some(queued), Some(completed)) = (row.queued(), row.completed()) {
            sums.ended += 1;
            let q2c = completed.saturating_sub(queued);
            sums.q2c_ns = sums.q2c_ns.saturating_add(q2c);
        }
        if let (Some(issued), Some(completed)) = (row.issued(), row.completed()) {
            let d2c = u128::from(completed.saturating_sub(issued)) * u128::from(part.sectors);
            let share = d2c / u128::from(part.of_sectors.max(1));
            sums.d2c_ns = sums.d2c_ns.saturating_add(share as u64);
        }
        let last = &mut self.last[usize::from(op == Op::Write)];
        if let Some(before) = last {
            sums.following += 1;
            sums.sequential_on_disk += u64::from(before.sector == part.sector);
            if let (Some(end), Some(begin)) = (before.offset, part.offset) {
                sums.following_in_file += 1;
                sums.sequential_in_file += u64::from(end == begin);
            }
        }
        let end = part.sector + part.sectors;
        *last = Some(LastEnd {
            sector: end,
            offset: part.offset.map(|offset| offset.saturating_add(bytes)),
        });
        self.first = Some(
            self.first
                .map_or(part.sector, |first| first.min(part.sector)),
        );
        self.end = self.end.max(end);
        if part.writers != NO_WRITERS {
            *self.writers.entry(part.writers).or_default() += bytes;
        }
    }
}

/// A part of a request in its place on the disk.
struct PlacedPart {
    sector: u64,
    sectors: u64,
    /// Sectors of the request.
    of_sectors: u64,
    /// Byte in the file.
    offset: Option<u64>,
    writers: u32,
}

/// Per device; `None` where the trace has no map of its disk.
pub fn objects_used(store: &Store, window: Window) -> Vec<Option<ObjectsUsed>> {
    let Some(objects) = store.objects.as_deref() else {
        return store.devices.iter().map(|_| None).collect();
    };
    let groups = &store.object_groups;
    let empty = || groups.list.iter().map(|_| ObjectTally::default()).collect();
    let mut tallies: Vec<Vec<ObjectTally>> = store.devices.iter().map(|_| empty()).collect();
    let mut all = vec![ObjectSums::default(); store.devices.len()];
    store.requests.each(window.rows(&store.requests), |row| {
        let device = row.device() as usize;
        let parts = objects.parts(row.row);
        let of_sectors: u64 = parts.iter().map(|part| u64::from(part.sectors)).sum();
        if parts.is_empty() || device >= tallies.len() {
            return;
        }
        let mut whole = ObjectTally::default();
        whole.add(row, &whole_request(row.sector(), of_sectors));
        all[device].add(&whole.sums);
        let mut sector = row.sector();
        for part in parts {
            let placed = placed(part, sector, of_sectors);
            if let Some(tally) = tallies[device].get_mut(groups.group(part.object)) {
                tally.add(row, &placed);
            }
            sector = sector.saturating_add(u64::from(part.sectors));
        }
    });
    let found = tallies.into_iter().zip(all);
    found
        .map(|(tallies, all)| (all.requests > 0).then(|| sorted(store, objects, tallies, all)))
        .collect()
}

fn whole_request(sector: u64, sectors: u64) -> PlacedPart {
    PlacedPart {
        sector,
        sectors,
        of_sectors: sectors,
        offset: None,
        writers: NO_WRITERS,
    }
}

fn placed(part: &ObjectPart, sector: u64, of_sectors: u64) -> PlacedPart {
    let has_offset = part.object != NO_OBJECT && part.offset != NO_OFFSET;
    PlacedPart {
        sector,
        sectors: u64::from(part.sectors),
        of_sectors,
        offset: has_offset.then_some(part.offset),
        writers: part.writers,
    }
}

fn sorted(
    store: &Store,
    objects: &Objects,
    tallies: Vec<ObjectTally>,
    all: ObjectSums,
) -> ObjectsUsed {
    let mut used = ObjectsUsed {
        all,
        ..ObjectsUsed::default()
    };
    let mut rows: Vec<(usize, ObjectTally)> = Vec::new();
    let groups = store.object_groups.list.iter().zip(tallies);
    let mut tasks: FxHashMap<u32, u64> = FxHashMap::default();
    for (group, (meaning, tally)) in groups.enumerate() {
        if matches!(meaning, GroupMeaning::File(_) | GroupMeaning::OtherFiles) {
            used.files.add(&tally.sums);
            add_tasks(objects, &tally.writers, &mut tasks);
        }
        match meaning {
            _ if tally.sums.requests == 0 => {}
            GroupMeaning::Unknown => used.unknown = tally.sums,
            GroupMeaning::OtherFiles => used.rest.add(&tally.sums),
            _ => rows.push((group, tally)),
        }
    }
    let min_bytes = MIN_TASK_SHARE * used.files.bytes() as f64;
    used.file_tasks = tasks.values().filter(|&&b| b as f64 >= min_bytes).count() as u64;
    rows.sort_short_by_key(|(_, tally)| (Reverse(tally.sums.bytes()), tally.first));
    for (_, tally) in rows.drain(rows.len().min(MAX_OBJECTS)..) {
        used.rest.add(&tally.sums);
    }
    used.top = rows
        .into_iter()
        .map(|(group, tally)| object_use(store, objects, group, tally))
        .collect();
    used
}

/// Adds the bytes of task sets to their tasks: in equal parts, where several may have written.
fn add_tasks(objects: &Objects, sets: &FxHashMap<u32, u64>, tasks: &mut FxHashMap<u32, u64>) {
    for (&set, &bytes) in sets {
        let Some(members) = objects.task_sets.get(set as usize) else {
            continue;
        };
        for &task in members {
            *tasks.entry(task).or_default() += bytes / members.len() as u64;
        }
    }
}

fn object_use(store: &Store, objects: &Objects, group: usize, tally: ObjectTally) -> ObjectUse {
    let meaning = store.object_groups.list[group];
    let file = file_of(objects, meaning);
    ObjectUse {
        kind: match meaning {
            GroupMeaning::Structure(kind) => kind,
            _ => ObjectKind::File,
        },
        name: store.object_groups.label(objects, group),
        inode: file.and_then(|file| file.inode),
        extents: file.and_then(|file| file.extents),
        first: tally.first.unwrap_or_default(),
        end: tally.end,
        sums: tally.sums,
        writers: writers(objects, &tally.writers),
    }
}

/// The names of task sets, those of equal names together.
fn writers(objects: &Objects, bytes: &FxHashMap<u32, u64>) -> Vec<ObjectWriter> {
    let mut by_names: FxHashMap<String, u64> = FxHashMap::default();
    for (&set, &bytes) in bytes {
        let tasks = objects.task_sets.get(set as usize).into_iter().flatten();
        let named = tasks.filter_map(|&task| objects.tasks.get(task as usize));
        let mut names: Vec<&str> = named.map(|task| task.name.as_str()).collect();
        names.sort_short();
        names.dedup();
        let names: String = names.join(NAMES_BETWEEN).chars().take(MAX_NAMES).collect();
        if !names.is_empty() {
            *by_names.entry(names).or_default() += bytes;
        }
    }
    let mut list: Vec<ObjectWriter> = by_names
        .into_iter()
        .map(|(names, bytes)| ObjectWriter { names, bytes })
        .collect();
    list.sort_short_by(|x, y| y.bytes.cmp(&x.bytes).then_with(|| x.names.cmp(&y.names)));
    list.truncate(MAX_WRITERS);
    list
}
