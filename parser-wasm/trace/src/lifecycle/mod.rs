//! Events in time order to requests: who queued which bio, which bios became one request, when it
//! was issued and completed.
//!
//! This is one pass with a state per device (`device/`). What must stay true:
//!
//! - An event may only depend on events before it. A recording that is read while it grows, and one
//!   that is read in sections by several workers, give the rows of one pass over all; `seam.rs`
//!   relies on it.
//! - What only the end of the trace can decide (masked actions, repeated issues, losses) is decided
//!   in `finish`, from rows that are already in the store.
//! - Lost events must not spread: an event without its partner is counted as unmatched and changes
//!   nothing else.
//!
//! The hot path is `event`: a recorded kind is looked up by number, so that the device of an event
//! costs no hash. `KindNumber::NONE` takes the slow way with equal results.

mod bios;
mod device;
mod in_flight;
mod loss;
mod masked;
mod quiet;
mod reissued;
mod seam;
mod search_budget;
mod sector_table;
mod unmatched;

use crate::event::{Action, DeviceNumber, Event, EventDetail};
use crate::order::{KindNumber, SequenceGap};
use crate::replay::stored_event;
use crate::store::{
    BLOCK, BioStages, Device, Effect, EndedUnseen, EventKind, LossEvidence, LossInterval, Process,
    Requests, RowMeaning, Stage, Store, UnmatchedCounts, rows,
};
use device::{Context, DeviceState};
use reissued::Reissued;
use rustc_hash::{FxHashMap, FxHashSet};
pub use seam::Seam;
use serde::{Deserialize, Serialize};

/// Tasks that are found without a look-up.
const RECENT: usize = 32;
/// Loss intervals per trace; with more, neighbours are merged.
const MAX_INTERVALS: usize = 512;

/// Replays a complete trace and emits every sample of its stage times: device, stage, process of
/// the bio, ns.
pub fn each_sample(store: &Store, mut sample: impl FnMut(u32, Stage, u32, u64)) {
    let zones = |device: &Device| device.zones.as_ref().map_or(0, |zones| zones.sectors);
    let mut states: Vec<DeviceState> = store
        .devices
        .iter()
        .map(|d| DeviceState::with_zones(zones(d)))
        .collect();
    let (mut requests, mut stages, mut unmatched) = (
        Requests::default(),
        BioStages::default(),
        UnmatchedCounts::default(),
    );
    rows::each(0..store.events.len(), |i| {
        let (&EventKind { device, .. }, process) = store.events.kind_and_process(i);
        let Some(state) = states.get_mut(device as usize) else {
            return;
        };
        let mut each = |stage: Stage, process: u32, ns: u64| sample(device, stage, process, ns);
        let mut cx = Context {
            requests: &mut requests,
            stages: &mut stages,
            unmatched: &mut unmatched,
            device,
            process,
            time: store.events.time(i),
            each: Some(&mut each),
        };
        state.event(&stored_event(store, i), &mut cx);
    });
}

/// Remaps that name a device as their source.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Sources {
    remaps: u64,
}

/// Follows every device's bios and requests and writes them into a store.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lifecycle {
    devices: Vec<DeviceState>,
    device_index: FxHashMap<DeviceNumber, u32>,
    last_device: Option<(DeviceNumber, u32)>,
    process_index: FxHashMap<u32, u32>,
    /// Recently seen tasks and their indices, by the lowest bits of their number: those of several
    /// CPUs take turns.
    recent: [Option<(u32, u32)>; RECENT],
    /// The last remap of each process: device, sector and upper device.
    remapped: FxHashMap<u32, (DeviceNumber, u64, DeviceNumber)>,
    /// Whether the bios of each process came through one upper device only.
    via: Vec<Via>,
    sources: FxHashMap<DeviceNumber, Sources>,
    /// The Q and X of each device.
    bios: Vec<u64>,
    /// Sectors per zone of the devices for which a note or an earlier pass showed them.
    zones: FxHashMap<DeviceNumber, u64>,
    /// The numbers that recorded kinds have in the store; a cache, which is empty after reading a
    /// seam.
    #[serde(skip)]
    stored_kinds: Vec<StoredKind>,
}

/// The numbers that a recorded kind has in the store.
#[derive(Clone, Copy, Debug)]
struct StoredKind {
    /// `UNKNOWN` before the first event of it.
    device: u32,
    stream: u32,
    /// The effect of the last event of this kind, and the number of the kind with that effect;
    /// `UNKNOWN` before the first.
    effect: Effect,
    kind: u32,
    /// The task of the last event, its process, and the number of the kind with that process.
    pid: u32,
    process: u32,
    number: u32,
}

const UNKNOWN: u32 = u32::MAX;

impl StoredKind {
    const UNKNOWN: StoredKind = StoredKind {
        device: UNKNOWN,
        stream: UNKNOWN,
        effect: Effect {
            depth: 0,
            waiting: 0,
        },
        kind: UNKNOWN,
        pid: UNKNOWN,
        process: UNKNOWN,
        number: UNKNOWN,
    };
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Via {
    #[default]
    Unknown,
    One(DeviceNumber),
    None,
}

impl Lifecycle {
    /// Starts with the zone sizes that a first pass over the trace found.
    pub fn with_zones(store: &Store) -> Lifecycle {
        let zones = store
            .devices
            .iter()
            .filter_map(|d| Some((d.number, d.zones.as_ref()?.sectors)));
        Lifecycle {
            zones: zones.collect(),
            ..Lifecycle::default()
        }
    }

    /// Whether another pass would pair appends: completions without an issue on a zoned device,
    /// whose zones were not known while reading.
    pub fn lacks_zones(&self, store: &Store) -> bool {
        store
            .devices
            .iter()
            .any(|d| d.zones.is_some() && d.unmatched.c > 0 && !self.zones.contains_key(&d.number))
    }

    /// Takes the next event of the trace, `time` ns after its start, and appends it to the store.
    pub fn event(&mut self, store: &mut Store, time: u64, e: &Event, number: KindNumber) {
        let index = number.0 as usize;
        let stored = match self.stored_kinds.get(index) {
            Some(stored) if stored.device != UNKNOWN => *stored,
            _ => self.meet(store, e, number),
        };
        let StoredKind { device, stream, .. } = stored;
        let is_same_task = stored.pid == e.pid;
        let process = if is_same_task {
            stored.process
        } else {
            self.process(store, e.pid)
        };
        let row = store.events.len();
        if row.is_multiple_of(BLOCK) {
            self.checkpoint(&mut store.devices, row);
        }
        match e.action {
            Action::Remap => self.remap(e),
            Action::Queue => {
                self.bios[device as usize] += 1;
                self.note_via(e, process);
            }
            Action::Split => self.bios[device as usize] += 1,
            _ => {}
        }
        let d = &mut store.devices[device as usize];
        d.events += 1;
        d.recorded.insert(e.action);
        let mut cx = Context {
            requests: &mut store.requests,
            stages: &mut d.bio_stages,
            unmatched: &mut d.unmatched,
            device,
            process,
            time,
            each: None,
        };
        let effect = self.devices[device as usize].event(e, &mut cx);
        let is_known = stored.kind != UNKNOWN && stored.effect == effect;
        let number = if is_known && is_same_task {
            stored.number
        } else {
            let kind = if is_known {
                stored.kind
            } else {
                store.events.kind_of_event(e, device, effect)
            };
            let number = store.events.number_of_task(kind, process);
            if let Some(place) = self.stored_kinds.get_mut(index) {
                *place = StoredKind {
                    effect,
                    kind,
                    pid: e.pid,
                    process,
                    number,
                    ..stored
                };
            }
            number
        };
        store.events.push(time, e, number, stream);
    }

    /// Bytes of what is known of recorded kinds.
    pub fn kinds_bytes(&self) -> usize {
        self.stored_kinds.capacity() * size_of::<StoredKind>()
    }

    /// Enters the device, the process and the stream of an event.
    #[cold]
    fn meet(&mut self, store: &mut Store, e: &Event, number: KindNumber) -> StoredKind {
        let (device, process) = (self.device(store, e.device), self.process(store, e.pid));
        let stored = StoredKind {
            device,
            pid: e.pid,
            process,
            stream: store.events.stream(e.cpu, device),
            ..StoredKind::UNKNOWN
        };
        if number != KindNumber::NONE {
            let index = number.0 as usize;
            self.stored_kinds
                .resize(self.stored_kinds.len().max(index + 1), StoredKind::UNKNOWN);
            self.stored_kinds[index] = stored;
        }
        stored
    }

    /// Index of a device, entered in the store on first sight.
    pub fn device(&mut self, store: &mut Store, number: DeviceNumber) -> u32 {
        if let Some((last, index)) = self.last_device
            && last == number
        {
            return index;
        }
        let index = *self.device_index.entry(number).or_insert_with(|| {
            store.devices.push(Device {
                number,
                name: number.to_string(),
                ..Device::default()
            });
            self.devices.push(DeviceState::with_zones(
                self.zones.get(&number).copied().unwrap_or(0),
            ));
            self.bios.push(0);
            (store.devices.len() - 1) as u32
        });
        self.last_device = Some((number, index));
        index
    }

    fn process(&mut self, store: &mut Store, pid: u32) -> u32 {
        let slot = pid as usize % RECENT;
        if let Some((last, index)) = self.recent[slot]
            && last == pid
        {
            return index;
        }
        let index = *self.process_index.entry(pid).or_insert_with(|| {
            store.processes.push(Process {
                pid,
                ..Process::default()
            });
            self.via.push(Via::Unknown);
            (store.processes.len() - 1) as u32
        });
        self.recent[slot] = Some((pid, index));
        index
    }

    fn remap(&mut self, e: &Event) {
        if let EventDetail::Remap { from, .. } = e.detail {
            self.remapped.insert(e.pid, (e.device, e.sector, from));
            self.sources.entry(from).or_default().remaps += 1;
        }
    }

    fn note_via(&mut self, e: &Event, process: u32) {
        let remap = if self.remapped.is_empty() {
            None
        } else {
            self.remapped.remove(&e.pid)
        };
        let remap = remap.filter(|r| r.0 == e.device && r.1 == e.sector);
        let via = &mut self.via[process as usize];
        *via = match (remap, *via) {
            (Some((_, _, from)), Via::Unknown) => Via::One(from),
            (Some((_, _, from)), Via::One(upper)) if upper == from => Via::One(upper),
            _ => Via::None,
        };
    }

    fn checkpoint(&self, devices: &mut [Device], row: usize) {
        let block = (row / BLOCK) as u32;
        for (state, device) in self.devices.iter().zip(devices) {
            let last = device.checkpoints.last().map_or((0, 0), |c| (c.1, c.2));
            if last != (state.depth, state.waiting) {
                device.checkpoints.push((block, state.depth, state.waiting));
            }
        }
    }

    /// Roles and upper devices as far as they are known.
    pub fn describe(&self, store: &mut Store) {
        for (i, device) in store.devices.iter_mut().enumerate() {
            let remapped = self
                .sources
                .get(&device.number)
                .is_some_and(|s| s.remaps == self.bios[i]);
            device.role = masked::role(device, remapped);
        }
        for (process, via) in store.processes.iter_mut().zip(&self.via) {
            process.via = match via {
                Via::One(device) => Some(*device),
                Via::Unknown | Via::None => None,
            };
        }
    }

    /// Enters devices that were recorded and have no event, after all that have some.
    pub fn idle(&mut self, store: &mut Store, devices: &[DeviceNumber]) {
        for &idle in devices {
            self.device(store, idle);
        }
        masked::describe_idle(store);
    }

    /// Ends the trace. `gaps` are those of the sequences.
    pub fn finish(&mut self, store: &mut Store, gaps: &[SequenceGap]) {
        let mut removed = FxHashSet::default();
        let mut reissued = Vec::with_capacity(self.devices.len());
        for (i, state) in self.devices.iter_mut().enumerate() {
            let device = &mut store.devices[i];
            state.finish(i as u32, &mut store.requests, &mut device.unmatched);
            let mut found = Reissued::default();
            // If as many completions lack an issue as issues were repeated, these were no
            // repetitions: they completed at another sector, as appends do.
            let elsewhere =
                device.unmatched.c > 0 && device.unmatched.c >= state.repeated_issues() as u64;
            if device.recorded.has(Action::Complete)
                && !device.recorded.has(Action::Requeue)
                && !elsewhere
            {
                found = state.reissued(&mut store.requests);
            }
            device.unmatched.d = device
                .unmatched
                .d
                .saturating_sub(found.removed.len() as u64);
            device.unmatched.d += if device.recorded.has(Action::Queue) {
                found.without_bio
            } else {
                0
            };
            store.quality.reissued += found.removed.len() as u64;
            removed.extend(found.removed.iter().copied());
            let alone = std::mem::take(&mut state.alone);
            if device.recorded.row() != RowMeaning::Completion {
                removed.extend(alone);
            }
            for time in state.unanswered_flushes() {
                found.ended.entry(time).or_default().1 += 1;
            }
            reissued.push(found.ended);
        }
        self.describe(store);
        store.requests.sort_without(&removed);
        masked::make_momentary(store);
        store.quality.unmatched = Default::default();
        for d in &mut store.devices {
            d.unmatched = masked::unmatched(d);
            store.quality.unmatched.q += d.unmatched.q;
            store.quality.unmatched.d += d.unmatched.d;
            store.quality.unmatched.c += d.unmatched.c;
        }
        self.find_holes(store, gaps, reissued);
    }

    /// Notes when events were lost, and ends what ended meanwhile, unseen. `ended`, by device, is
    /// what is known to have ended before.
    fn find_holes(&self, store: &mut Store, gaps: &[SequenceGap], ended: Vec<EndedUnseen>) {
        let since = |time: u64| time.saturating_sub(store.origin);
        let interval = |gap: &SequenceGap| {
            let device = *self.device_index.get(&gap.device)?;
            let loss = LossEvidence::SequenceGap { events: gap.events };
            Some(LossInterval {
                device,
                cpu: gap.cpu,
                from: since(gap.from),
                to: since(gap.to),
                loss,
            })
        };
        let mut intervals: Vec<LossInterval> = gaps.iter().filter_map(interval).collect();
        LossInterval::bound(&mut intervals, MAX_INTERVALS);
        for (device, (state, mut ended)) in (0..).zip(self.devices.iter().zip(ended)) {
            let device_gaps: Vec<LossInterval> = intervals
                .iter()
                .filter(|h| h.device == device)
                .copied()
                .collect();
            let found = loss::find(
                store,
                device,
                state.unmatched(device, &store.requests).all(),
                &device_gaps,
            );
            intervals.extend(found.intervals);
            let given_up = if state.has_open() {
                masked::give_up(store, device, &found.issues)
            } else {
                EndedUnseen::new()
            };
            for (time, (requests, bios)) in found.ended.into_iter().chain(given_up) {
                let both = ended.entry(time).or_default();
                *both = (both.0 + requests, both.1 + bios);
            }
            store.end_unseen(device, &ended);
        }
        LossInterval::bound(&mut intervals, MAX_INTERVALS);
        store.quality.loss_intervals = intervals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Flags;

    #[test]
    fn a_split_bio_keeps_the_error_of_any_part() {
        let mut store = Store::default();
        let mut lifecycle = Lifecycle::default();
        let mut event = |time, action, sector, sectors: u32, error, detail| {
            let bytes = sectors * 512;
            let (pid, device, cpu, sequence) = (1, DeviceNumber(9 << 20), 0, 0);
            let e = Event {
                time,
                sector,
                bytes,
                action,
                flags: Flags::READ,
                pid,
                device,
                cpu,
                sequence,
                error,
                detail,
            };
            lifecycle.event(&mut store, time, &e, KindNumber::NONE);
        };
        event(0, Action::Queue, 0, 16, 0, EventDetail::None);
        event(1, Action::Split, 0, 8, 0, EventDetail::Split(8));
        event(5, Action::Complete, 0, 8, -5, EventDetail::None);
        event(9, Action::Complete, 8, 8, 0, EventDetail::None);
        lifecycle.finish(&mut store, &[]);
        assert_eq!(store.requests.len(), 1);
        let row = store.requests.stored(0);
        assert_eq!(
            (row.error, row.bytes, row.completed),
            (-5, 16 * 512, Some(9))
        );
    }

    #[test]
    fn completions_alone_are_rows_while_reading() {
        let rows = |actions: &[Action]| {
            let (mut store, mut lifecycle) = (Store::default(), Lifecycle::default());
            let mut so_far = Vec::new();
            for (i, &action) in actions.iter().enumerate() {
                let (time, sector, detail) = (i as u64, 8 * i as u64, EventDetail::None);
                let (pid, device, cpu, sequence, error) = (1, DeviceNumber(8 << 20), 0, 0, 0);
                let e = Event {
                    time,
                    sector,
                    bytes: 4096,
                    action,
                    flags: Flags::READ,
                    pid,
                    device,
                    cpu,
                    sequence,
                    error,
                    detail,
                };
                lifecycle.event(&mut store, time, &e, KindNumber::NONE);
                so_far.push(store.requests.len());
            }
            lifecycle.finish(&mut store, &[]);
            (
                so_far,
                (0..store.requests.len())
                    .map(|i| store.requests.row(i).sector())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            rows(&[Action::Complete, Action::Complete]),
            (vec![1, 2], vec![0, 8])
        );
        // Completions of requests that were issued before the trace.
        assert_eq!(
            rows(&[Action::Complete, Action::Queue, Action::Complete]),
            (vec![1, 1, 1], vec![8])
        );
        assert_eq!(
            rows(&[Action::Complete, Action::Issue]),
            (vec![1, 2], vec![8])
        );
    }
}
