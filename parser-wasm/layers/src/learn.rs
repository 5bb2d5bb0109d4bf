//! What the trace itself shows of the layers, where texts leave it open.

use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::{DeviceNumber, Op};
use seekscope_trace::store::Store;
use std::collections::VecDeque;

/// Limit for the devices that remaps name.
const MAX_LINKS: usize = 65_536;
/// Remaps that are searched for detours over partitions, and for offsets.
const DETOUR_SAMPLE: usize = 1 << 22;
/// Remaps among which the second part of a detour is looked for.
pub const AHEAD: usize = 32;
/// Remaps from which an offset is read, and the least number of them.
const SAMPLE: usize = 4096;
const LEAST: usize = 8;
/// Requests by which the backing device of bcache is told from its cache.
const BACKING_SAMPLE: usize = 1 << 18;
/// Least number of equal requests, and how many times more than on the other device.
const BACKING_LEAST: u64 = 16;
const BACKING_MORE: u64 = 8;

/// A remap: an event of `device`, whose sectors were those from `sector` on of the device `from`.
#[derive(Clone, Copy, Debug)]
pub struct Remap {
    pub event: usize,
    pub from: DeviceNumber,
    pub to: DeviceNumber,
    pub sector: u64,
}

/// All remaps of a trace.
pub fn remaps(store: &Store) -> impl Iterator<Item = Remap> + '_ {
    store
        .events
        .remaps()
        .map(|(event, from, to, sector)| Remap {
            event,
            from,
            to,
            sector,
        })
}

/// Remaps of an upper device whose target is the disk of a partition.
///
/// The kernel names the disk, also where the bio goes to a partition and its sector is one of the
/// partition. Then another remap follows, from the partition to its disk.
#[derive(Clone, Debug, Default)]
struct Detour {
    remaps: u64,
    detours: u64,
    partitions: Vec<DeviceNumber>,
}

/// Where a remap goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemapTarget {
    Device(DeviceNumber),
    /// A partition if a remap from one follows, else this device.
    Follow(DeviceNumber),
}

/// Which device remaps go from and to.
#[derive(Clone, Debug, Default)]
pub struct Links {
    pairs: Vec<(DeviceNumber, DeviceNumber)>,
    detours: FxHashMap<(DeviceNumber, DeviceNumber), Detour>,
}

impl Links {
    pub fn each(&self) -> impl Iterator<Item = (DeviceNumber, DeviceNumber)> + '_ {
        self.pairs.iter().copied()
    }

    /// Each upper device with those that its remaps go to.
    pub fn sources(&self) -> impl Iterator<Item = &[(DeviceNumber, DeviceNumber)]> {
        self.pairs.chunk_by(|a, b| a.0 == b.0)
    }

    /// Where a remap goes to.
    pub fn target(&self, store: &Store, remap: Remap) -> RemapTarget {
        let to = disk(store, remap);
        let Some(detour) = self.detours.get(&(remap.from, to)) else {
            return RemapTarget::Device(to);
        };
        match detour.partitions.as_slice() {
            [] => RemapTarget::Device(to),
            &[only] if detour.detours * 20 >= detour.remaps * 19 => RemapTarget::Device(only),
            _ => RemapTarget::Follow(to),
        }
    }
}

/// The device that a remap names as its target. Some kernels name the partition twice; the event is
/// one of its disk.
fn disk(store: &Store, remap: Remap) -> DeviceNumber {
    if remap.from != remap.to {
        return remap.to;
    }
    let device = store.events.device(remap.event) as usize;
    store
        .devices
        .get(device)
        .map_or(remap.to, |device| device.number)
}

/// Whether `next` takes on what `first` passed to the disk of a partition.
pub fn follows(store: &Store, first: Remap, next: Remap) -> bool {
    let events = &store.events;
    let (a, b) = (events.kind(first.event), events.kind(next.event));
    next.from != first.from
        && next.sector == events.sector(first.event)
        && (a.device, a.bytes) == (b.device, b.bytes)
        && events.process(first.event) == events.process(next.event)
        && events.sector(next.event) >= next.sector
}

/// The pairs of devices that remaps name.
pub fn links(store: &Store) -> Links {
    let mut links = Links::default();
    let mut seen: FxHashSet<(DeviceNumber, DeviceNumber)> = FxHashSet::default();
    let mut last = None;
    let mut before: VecDeque<Remap> = VecDeque::with_capacity(AHEAD + 1);
    let is_recorded: FxHashSet<DeviceNumber> =
        store.devices.iter().map(|device| device.number).collect();
    for (i, remap) in remaps(store).enumerate() {
        let to = disk(store, remap);
        if last != Some((remap.from, to)) && seen.len() < MAX_LINKS {
            seen.insert((remap.from, to));
            last = Some((remap.from, to));
        }
        if i >= DETOUR_SAMPLE || seen.len() >= MAX_LINKS {
            continue;
        }
        links.detours.entry((remap.from, to)).or_default().remaps += 1;
        if !is_recorded.contains(&remap.from) {
            let first = before
                .iter()
                .rposition(|first| follows(store, *first, remap));
            if let Some(first) = first.and_then(|i| before.remove(i)) {
                let key = (first.from, disk(store, first));
                let detour = links.detours.entry(key).or_default();
                detour.detours += 1;
                if !detour.partitions.contains(&remap.from) {
                    detour.partitions.push(remap.from);
                    seen.insert((first.from, remap.from));
                }
            }
        }
        if before.len() >= AHEAD {
            before.pop_front();
        }
        before.push_back(remap);
    }
    links.pairs = seen.into_iter().collect();
    links.pairs.sort_unstable();
    links
}

/// The upper devices whose remaps name sector 0 for several sectors of one device below: those of
/// parity do.
pub fn with_parity(store: &Store) -> FxHashSet<DeviceNumber> {
    let mut zeros: FxHashMap<(DeviceNumber, u32), u64> = FxHashMap::default();
    let mut found = FxHashSet::default();
    for remap in remaps(store).filter(|remap| remap.sector == 0) {
        let (sector, device) = (
            store.events.sector(remap.event),
            store.events.device(remap.event),
        );
        let first = *zeros.entry((remap.from, device)).or_insert(sector);
        if first != sector {
            found.insert(remap.from);
        }
    }
    found
}

/// The data offset of a member of an array by its remaps: nearly all have to agree. `place` is the
/// arithmetic without the offset.
pub fn offset(
    store: &Store,
    links: &Links,
    (upper, lower): (DeviceNumber, DeviceNumber),
    place: impl Fn(u64) -> Option<u64>,
) -> Option<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    let mut all = 0;
    for remap in remaps(store).take(DETOUR_SAMPLE) {
        if remap.from != upper || links.target(store, remap) != RemapTarget::Device(lower) {
            continue;
        }
        let sector = store.events.sector(remap.event);
        if let Some(offset) = place(remap.sector).and_then(|place| sector.checked_sub(place)) {
            *counts.entry(offset).or_default() += 1;
            all += 1;
            if all >= SAMPLE {
                break;
            }
        }
    }
    let (offset, count) = counts.into_iter().max_by_key(|entry| (entry.1, entry.0))?;
    (count >= LEAST && count * 20 >= all * 19).then_some(offset)
}

/// The backing device of bcache among `lowers` (node and device), and its data offset: the device
/// on which many requests of the upper one are found again at their place, and on no other.
pub fn backing(
    store: &Store,
    upper: u32,
    lowers: &[(usize, u32)],
    offsets: &[u64],
) -> Option<(usize, u64)> {
    let mut sent: FxHashSet<(u64, u64)> = FxHashSet::default();
    let mut counts = vec![0u64; lowers.len() * offsets.len()];
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        let (sector, sectors, device) = (request.sector(), request.sectors(), request.device());
        if sectors == 0 || !matches!(request.op(), Op::Read | Op::Write) {
            continue;
        }
        let part = |write: bool| sectors << 1 | u64::from(write);
        let write = request.op() == Op::Write;
        if device == upper {
            if sent.len() < BACKING_SAMPLE {
                sent.insert((sector, part(write)));
            }
            continue;
        }
        for (i, _) in lowers.iter().enumerate().filter(|(_, l)| l.1 == device) {
            for (j, offset) in offsets.iter().enumerate() {
                let place = sector.checked_sub(*offset);
                if place.is_some_and(|place| sent.contains(&(place, part(write)))) {
                    counts[i * offsets.len() + j] += 1;
                }
            }
        }
    }
    let best = (0..counts.len()).max_by_key(|&i| (counts[i], std::cmp::Reverse(i)))?;
    let (lower, offset) = (best / offsets.len(), offsets[best % offsets.len()]);
    let others = (0..counts.len())
        .filter(|&i| (i / offsets.len(), offsets[i % offsets.len()]) != (lower, offset));
    let second = others.map(|i| counts[i]).max().unwrap_or(0);
    let is_clear = counts[best] >= BACKING_LEAST && counts[best] / BACKING_MORE >= second;
    is_clear.then_some((lowers[lower].0, offset))
}
