//! Decides to whom sectors belonged when a request was issued, and who wrote them.

mod buckets;
mod changes;
mod decide;
mod inodes;
mod layer;
mod maps;
mod overlay;
mod parts;
mod resolve;
mod volumes;
mod writers;

use crate::events::log::EventLog;
use crate::side::{NO_INODE, SideFiles};
use changes::{Changes, single};
use inodes::Owner;
use maps::{MapBuilder, Maps, volume_of_text};
use parts::PartTable;
use resolve::Resolver;
use rustc_hash::{FxHashMap, FxHasher};
use seekscope_trace::store::{MapFacts, NO_OBJECT, Object, ObjectKind, Objects, Store};
use std::hash::{Hash, Hasher};
use volumes::Volumes;
use writers::Writers;

/// The objects of the requests of a store.
pub fn resolve(mut side: SideFiles, mut log: EventLog, store: &Store) -> Objects {
    if !is_of_trace(&log, store) {
        let left_out = log.left_out.saturating_add(log.lines);
        log = EventLog::default();
        log.left_out = left_out;
    }
    let mut volumes = Volumes::new(&side, &log, store);
    let of_texts: Vec<Option<u32>> = side
        .texts
        .iter()
        .map(|text| volume_of_text(&side, &volumes, text))
        .collect();
    volumes.describe(&side.texts, &of_texts);
    volumes.find_outside(&side.folders, store);
    let mut builder = MapBuilder::new(&side, &volumes);
    for &(name, inode, time) in &log.unlinked {
        if let Some(volume) = single(volumes.of_event(name)) {
            builder.inodes[volume as usize].add_gone(inode, time);
        }
    }
    for row in &log.places {
        let subject = &log.subjects[row.subject as usize];
        if subject.change == crate::events::log::Change::Freed
            && let Some(volume) = single(volumes.of_event(subject.volume))
        {
            builder.inodes[volume as usize].add_gone(subject.inode, row.time);
        }
    }
    builder.read_inodes(store);
    builder.read_ranges(store);
    let (maps, inodes, mut owners) = builder.finish();
    let changes = Changes::new(&log, &volumes, &inodes, &mut owners);
    let writers = Writers::new(&mut log, &volumes, &inodes);
    let mut tasks = std::mem::take(&mut side.tasks);
    let mut parts = PartTable::default();
    let (left_out, changed) = (side.left_out + log.left_out, changes.left_out);
    Resolver::new(
        store,
        &volumes,
        &maps,
        &mut owners,
        &changes,
        writers,
        &mut tasks,
    )
    .run(&mut parts);
    parts.settle(store);
    let left_out = left_out + changed + tasks.left_out + parts.left_out;
    let objects = used_objects(&mut parts, &owners.list, &maps, &side, &volumes);
    Objects {
        objects,
        tasks: tasks.tasks,
        task_sets: tasks.sets,
        parts: parts.parts,
        first_parts: parts.first_parts,
        unknown: parts
            .unknown
            .into_iter()
            .filter(|unknown| unknown.1 > 0)
            .collect(),
        left_out,
        map: facts_of(&maps, &owners.list),
        file_systems: volumes.file_systems(&side.folders, store),
    }
}

/// Which maps there were, and how many files of both have other extents in the second one.
fn facts_of(maps: &[Maps], owners: &[Owner]) -> MapFacts {
    let mut places = vec![[0u64; 2]; owners.len()];
    let mut has = [false; 2];
    for map in maps {
        for (when, layer) in [&map.start, &map.end].into_iter().enumerate() {
            for extent in layer.extents() {
                has[when] = true;
                let mut hasher = FxHasher::default();
                (extent.start, extent.sectors, extent.offset).hash(&mut hasher);
                let sum = &mut places[extent.name as usize][when];
                *sum = sum.wrapping_add(hasher.finish() | 1);
            }
        }
    }
    let is_moved = |(owner, [start, end]): &(&Owner, &[u64; 2])| {
        owner.kind == ObjectKind::File && *start != 0 && *end != 0 && start != end
    };
    MapFacts {
        at_start: has[0],
        at_end: has[1],
        moved: owners.iter().zip(&places).filter(is_moved).count() as u32,
    }
}

/// Whether events are of the time of the trace. Else their clock is another one, and they say
/// nothing about its requests.
fn is_of_trace(log: &EventLog, store: &Store) -> bool {
    let end = store.origin.saturating_add(store.span());
    log.span
        .is_some_and(|(first, last)| first <= end && last >= store.origin)
}

/// Numbers the owners that requests have, in the order of parts.
fn used_objects(
    parts: &mut PartTable,
    owners: &[Owner],
    maps: &[Maps],
    side: &SideFiles,
    volumes: &Volumes,
) -> Vec<Object> {
    // Sectors to which nothing was written are of the same object.
    let written: FxHashMap<Owner, u32> = (0..)
        .zip(owners)
        .filter(|(_, owner)| !owner.unwritten)
        .map(|(number, owner)| (*owner, number))
        .collect();
    let same = |number: u32| match owners[number as usize] {
        owner if owner.unwritten => {
            let unwritten = false;
            written
                .get(&Owner { unwritten, ..owner })
                .copied()
                .unwrap_or(number)
        }
        _ => number,
    };
    let mut extents = vec![0u32; owners.len()];
    for extent in maps.iter().flat_map(|maps| maps.end.extents()) {
        let count = &mut extents[same(extent.name) as usize];
        *count = count.saturating_add(1);
    }
    let mut numbers = vec![NO_OBJECT; owners.len()];
    let mut objects = Vec::new();
    for part in &mut parts.parts {
        if part.object == NO_OBJECT {
            continue;
        }
        part.object = same(part.object);
        let number = &mut numbers[part.object as usize];
        if *number == NO_OBJECT {
            let owner = &owners[part.object as usize];
            let extents = extents[part.object as usize];
            *number = objects.len() as u32;
            objects.push(Object {
                kind: owner.kind,
                path: side.names.path(owner.path).map(str::to_owned),
                inode: (owner.inode != NO_INODE).then(|| volumes.plain_inode(owner)),
                device: volumes
                    .list
                    .get(owner.volume as usize)
                    .map(|volume| volume.device),
                extents: (extents > 0).then_some(extents),
            });
        }
        part.object = *number;
    }
    objects
}
