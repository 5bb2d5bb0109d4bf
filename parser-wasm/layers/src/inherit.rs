//! Gives requests of lower devices the files and structures of the requests that caused them.
//!
//! A map of a file system on md or device mapper is in sectors of the upper device. The arithmetic
//! of the layers says which sectors of the upper device a piece of a request below holds, and the
//! parent that has them says whose they are. Parity, and what a layer writes for itself, stays
//! without an owner.

use crate::place::{StripePart, UpperPlace};
use crate::stack::Stack;
use seekscope_trace::event::Op;
use seekscope_trace::store::{
    NO_OBJECT, NO_OFFSET, NO_WRITERS, ObjectKind, ObjectPart, Objects, Parents, Store,
    UnknownObject,
};

/// Recorded devices that lie on each other.
const MAX_LEVELS: usize = 8;
/// Devices without requests of their own between two recorded ones, such as partitions.
const MAX_DEPTH: usize = 8;
/// Pieces into which the sectors of one request are taken apart; one with more stays as it is.
const MAX_PIECES: usize = 4096;

/// Stands for the device of sectors that the layer keeps for itself: parity, metadata.
const LAYER_ITSELF: u32 = u32::MAX;

/// Sectors of a request below, and the sectors of an upper device that they hold.
#[derive(Clone, Copy, Debug)]
struct MappedPiece {
    /// First sector, counted from the first one of the request.
    base: u64,
    sectors: u64,
    /// Index of the upper device, or [`LAYER_ITSELF`].
    device: u32,
    upper: u64,
}

/// Replaces the parts of requests that have no owner by those of their parents.
pub fn inherit(stack: &Stack, store: &Store, parents: &Parents, objects: &mut Objects) {
    if objects.objects.is_empty() || parents.layers().is_empty() {
        return;
    }
    let levels = levels(store.devices.len(), parents);
    let deepest = levels.iter().copied().max().unwrap_or(0);
    for level in 1..=deepest {
        Heirs {
            stack,
            store,
            parents,
            pieces: Vec::new(),
        }
        .fill(&levels, level, objects);
    }
}

/// How many recorded devices lie above each device, at most.
fn levels(devices: usize, parents: &Parents) -> Vec<usize> {
    let mut levels = vec![0; devices];
    for _ in 0..MAX_LEVELS {
        for layer in parents.layers() {
            let upper = levels.get(layer.device as usize).copied().unwrap_or(0);
            for &below in &layer.below {
                if let Some(level) = levels.get_mut(below as usize) {
                    *level = (upper + 1).clamp(*level, MAX_LEVELS);
                }
            }
        }
    }
    levels
}

struct Heirs<'a> {
    stack: &'a Stack,
    store: &'a Store,
    parents: &'a Parents,
    pieces: Vec<MappedPiece>,
}

impl Heirs<'_> {
    /// Builds the table of parts anew, with those of the devices of a level.
    fn fill(&mut self, levels: &[usize], level: usize, objects: &mut Objects) {
        let requests = &self.store.requests;
        let mut parts = Vec::with_capacity(objects.parts.len());
        let mut first_parts = Vec::with_capacity(objects.first_parts.len());
        let mut found = 0;
        for row in 0..requests.len() {
            first_parts.push(parts.len() as u32);
            let request = requests.row(row);
            let before = objects.parts(row);
            let is_heir = levels.get(request.device() as usize) == Some(&level)
                && !before.is_empty()
                && request.op() != Op::Discard
                && before.iter().all(|part| has_no_owner(objects, part));
            let begin = parts.len();
            if is_heir && self.take(row, objects, &mut parts) {
                let owned = parts[begin..]
                    .iter()
                    .filter(|part| part.object != NO_OBJECT);
                found += owned.map(|part| u64::from(part.sectors) * 512).sum::<u64>();
            } else {
                parts.truncate(begin);
                parts.extend_from_slice(before);
            }
        }
        first_parts.push(parts.len() as u32);
        (objects.parts, objects.first_parts) = (parts, first_parts);
        for (reason, bytes) in &mut objects.unknown {
            if *reason == UnknownObject::NoMap {
                *bytes = bytes.saturating_sub(found);
            }
        }
        objects.unknown.retain(|(_, bytes)| *bytes > 0);
    }

    /// Adds the parts of a row as its parents have them; false if none of them is known.
    fn take(&mut self, row: usize, objects: &Objects, parts: &mut Vec<ObjectPart>) -> bool {
        let (store, parents) = (self.store, self.parents.direct(row));
        let request = store.requests.row(row);
        let (sector, sectors) = (request.sector(), request.sectors());
        let Some(node) = store
            .devices
            .get(request.device() as usize)
            .and_then(|device| self.stack.find(device.number))
        else {
            return false;
        };
        self.pieces.clear();
        climb(self.stack, node, (sector, sectors, 0), 0, &mut self.pieces);
        if self.pieces.len() >= MAX_PIECES {
            return false;
        }
        self.pieces.sort_unstable_by_key(|piece| piece.base);
        let begin = parts.len();
        let mut done = 0;
        for piece in &self.pieces {
            for &parent in parents {
                let above = store.requests.row(parent as usize);
                if above.device() != piece.device {
                    continue;
                }
                let skip = above.sector().saturating_sub(piece.upper);
                let from = piece.base.saturating_add(skip).max(done);
                let upper = piece.upper.saturating_add(from.saturating_sub(piece.base));
                let end = above.sector().saturating_add(above.sectors());
                let left = (piece.base + piece.sectors).saturating_sub(from);
                let count = end.saturating_sub(upper).min(left);
                if count == 0 || upper < above.sector() {
                    continue;
                }
                push_unknown(parts, begin, from - done);
                let offset = upper - above.sector();
                copy(objects.parts(parent as usize), offset, count, begin, parts);
                done = from + count;
            }
        }
        if self.pieces.is_empty()
            && let &[parent] = parents
            && store.requests.row(parent as usize).sectors() == sectors
        {
            // Only remaps tell the parent; where it has as many sectors, these are the same.
            copy(objects.parts(parent as usize), 0, sectors, begin, parts);
            done = sectors;
        }
        push_unknown(parts, begin, sectors.saturating_sub(done));
        parts[begin..].iter().any(|part| part.object != NO_OBJECT)
    }
}

/// Whether no source says whose the sectors are: the disk has no file system of its own there.
fn has_no_owner(objects: &Objects, part: &ObjectPart) -> bool {
    objects
        .object(part)
        .is_none_or(|object| object.kind == ObjectKind::Outside)
}

/// Adds the pieces of a range of a node: its first sector, its length, and its place in the
/// request.
fn climb(
    stack: &Stack,
    node: usize,
    (sector, sectors, base): (u64, u64, u64),
    depth: usize,
    pieces: &mut Vec<MappedPiece>,
) {
    for above in stack.nodes[node].rules(sector, sector.saturating_add(sectors)) {
        let mut done = 0;
        while done < sectors && pieces.len() < MAX_PIECES {
            let left = sectors - done;
            let step = above
                .rule
                .step(&stack.thin, sector.saturating_add(done), left);
            let length = step.sectors.clamp(1, left);
            let place = base + done;
            let mut push = |device: u32, upper: u64| {
                pieces.push(MappedPiece {
                    base: place,
                    sectors: length,
                    device,
                    upper,
                });
            };
            match step.place {
                UpperPlace::Data(upper)
                | UpperPlace::Stripe(StripePart {
                    data: Some(upper), ..
                }) => match stack.nodes[above.upper].device {
                    Some(device) => push(device, upper),
                    None if depth < MAX_DEPTH => {
                        let span = (upper, length, place);
                        climb(stack, above.upper, span, depth + 1, pieces);
                    }
                    None => {}
                },
                UpperPlace::Stripe(_) | UpperPlace::Internal => push(LAYER_ITSELF, 0),
                UpperPlace::Outside | UpperPlace::Unknown => {}
            }
            done += length;
        }
    }
}

/// Adds `sectors` of the parts of a request, from `skip` on.
fn copy(
    from: &[ObjectPart],
    mut skip: u64,
    mut sectors: u64,
    begin: usize,
    parts: &mut Vec<ObjectPart>,
) {
    for part in from {
        let length = u64::from(part.sectors);
        if skip >= length {
            skip -= length;
            continue;
        }
        let count = (length - skip).min(sectors);
        let offset = match part.offset {
            NO_OFFSET => NO_OFFSET,
            offset => offset.saturating_add(skip * 512),
        };
        let next = ObjectPart {
            sectors: count as u32,
            offset,
            ..*part
        };
        push(parts, begin, next);
        (skip, sectors) = (0, sectors - count);
        if sectors == 0 {
            return;
        }
    }
    push_unknown(parts, begin, sectors);
}

fn push_unknown(parts: &mut Vec<ObjectPart>, begin: usize, sectors: u64) {
    if sectors > 0 {
        let part = ObjectPart {
            sectors: u32::try_from(sectors).unwrap_or(u32::MAX),
            object: NO_OBJECT,
            offset: NO_OFFSET,
            writers: NO_WRITERS,
        };
        push(parts, begin, part);
    }
}

/// Adds a part of the request whose parts are those from `begin` on; one that continues the last
/// is joined with it.
fn push(parts: &mut Vec<ObjectPart>, begin: usize, part: ObjectPart) {
    if parts.len() > begin
        && let Some(last) = parts.last_mut()
    {
        let end = match last.offset {
            NO_OFFSET => NO_OFFSET,
            offset => offset.saturating_add(u64::from(last.sectors) * 512),
        };
        let is_same = (last.object, last.writers) == (part.object, part.writers);
        if is_same && end == part.offset && last.sectors.checked_add(part.sectors).is_some() {
            last.sectors += part.sectors;
            return;
        }
    }
    parts.push(part);
}
