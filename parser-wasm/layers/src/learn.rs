//! What the trace itself shows of the layers, where texts leave it open.

use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::{DeviceNumber, Op};
use seekscope_trace::store::Store;

/// Limit for the devices that remaps name.
const MAX_LINKS: usize = 65_536;
/// Remaps from which an offset is read, and the least number of them.
const SAMPLE: usize = 4096;
const LEAST: usize = 8;
/// Requests by which the backing device of bcache is told from its cache.
const BACKING_SAMPLE: usize = 1 << 18;
/// Least number of equal requests, and how many times more than on the other device.
const BACKING_LEAST: u64 = 16;
const BACKING_MORE: u64 = 8;

/// Which device remaps go from and to.
#[derive(Clone, Debug, Default)]
pub struct Links {
    pairs: Vec<(DeviceNumber, DeviceNumber)>,
}

impl Links {
    pub fn each(&self) -> impl Iterator<Item = (DeviceNumber, DeviceNumber)> + '_ {
        self.pairs.iter().copied()
    }

    /// The devices that remaps from one go to.
    pub fn targets(&self, from: DeviceNumber) -> Vec<DeviceNumber> {
        self.each()
            .filter(|pair| pair.0 == from)
            .map(|pair| pair.1)
            .collect()
    }

    /// The upper devices.
    pub fn sources(&self) -> impl Iterator<Item = DeviceNumber> + '_ {
        let first = |(i, pair): (usize, &(DeviceNumber, DeviceNumber))| {
            let is_first = self.pairs[..i].iter().all(|before| before.0 != pair.0);
            is_first.then_some(pair.0)
        };
        self.pairs.iter().enumerate().filter_map(first)
    }
}

/// The pairs of devices that remaps name.
pub fn links(store: &Store) -> Links {
    let mut seen: FxHashSet<(DeviceNumber, DeviceNumber)> = FxHashSet::default();
    let mut last = None;
    for (_, from, to, _) in store.events.remaps() {
        if last != Some((from, to)) && seen.len() < MAX_LINKS {
            seen.insert((from, to));
            last = Some((from, to));
        }
    }
    let mut pairs: Vec<_> = seen.into_iter().collect();
    pairs.sort_unstable();
    Links { pairs }
}

/// The data offset of a member of an array by its remaps: nearly all have to agree. `place` is the
/// arithmetic without the offset.
pub fn offset(
    store: &Store,
    upper: DeviceNumber,
    lower: DeviceNumber,
    place: impl Fn(u64) -> Option<u64>,
) -> Option<u64> {
    let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
    let mut all = 0;
    for (row, from, to, sector) in store.events.remaps() {
        if (from, to) != (upper, lower) {
            continue;
        }
        if let Some(offset) =
            place(sector).and_then(|place| store.events.sector(row).checked_sub(place))
        {
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
