//! A recording read in sections, each by another worker. A section begins a little earlier than it
//! has to, with nothing known. When the section before it ends in the state in which this one
//! began, everything after that is as if one had read all: the seam is exact. Otherwise the section
//! is read again.

use super::device::DeviceState;
use super::device::seam::{LeftBehind, Meanings, Outline};
use super::{Lifecycle, Via};
use crate::event::DeviceNumber;
use crate::sorting::SortShort;
use crate::store::{BLOCK, BioStages, RecordedActions, RowNumbers, Store, UnmatchedCounts, rows};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The state at a time: two recordings of equal seams go on alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seam {
    /// Outlines of devices, by number. One that was not used yet is not different from one that was
    /// not seen, and has none.
    devices: BTreeMap<DeviceNumber, Outline>,
    /// Remaps of which the bio has not been queued.
    remapped: Vec<(u32, DeviceNumber, u64, DeviceNumber)>,
}

/// Rows of each device that can still change.
type OpenRows = Vec<(DeviceNumber, Vec<u32>)>;

impl Seam {
    /// The open bios and requests of a device that are missing in the seam that another worker
    /// began with; `None` if the two differ in anything else.
    fn left_behind(&self, began: &Seam, number: DeviceNumber) -> Option<LeftBehind> {
        match (self.devices.get(&number), began.devices.get(&number)) {
            (Some(ended), Some(next)) => ended.left_behind(next),
            (None, None) => Some(LeftBehind::default()),
            _ => None,
        }
    }
}

/// Whether an event is about what was left behind of its device.
fn meets(read: &Store, left: &[LeftBehind]) -> bool {
    if left.iter().all(LeftBehind::is_empty) {
        return false;
    }
    let (events, mut met) = (&read.events, false);
    rows::until(0..events.len(), |i| {
        let sector = events.sector(i);
        met =
            left[events.device(i) as usize].meets(sector, sector.saturating_add(events.sectors(i)));
        met
    });
    met
}

impl Lifecycle {
    /// The state of the included devices, and the rows that can still change; `None` if it
    /// cannot be compared.
    fn seam(
        &self,
        store: &Store,
        is_included: impl Fn(DeviceNumber) -> bool,
    ) -> Option<(Seam, OpenRows)> {
        if !self.zones.is_empty() {
            return None;
        }
        let meanings = Meanings {
            requests: &store.requests,
            processes: &store.processes,
        };
        let mut order: Vec<(DeviceNumber, &DeviceState)> = store
            .devices
            .iter()
            .map(|d| d.number)
            .zip(&self.devices)
            .collect();
        order.sort_short_by_key(|device| device.0);
        let (mut devices, mut rows) = (BTreeMap::new(), Vec::new());
        for (number, state) in order.into_iter().filter(|device| is_included(device.0)) {
            let (outline, open) = state.outline(meanings)?;
            if !outline.is_fresh() {
                devices.insert(number, outline);
                rows.push((number, open));
            }
        }
        let mut remapped: Vec<_> = self
            .remapped
            .iter()
            .map(|(pid, (device, sector, from))| (*pid, *device, *sector, *from))
            .collect();
        remapped.sort_short();
        Some((Seam { devices, remapped }, rows))
    }

    /// Forgets all that was read; the state stays, and with it the rows of what is in flight.
    /// Returns the seam before what comes.
    pub fn begin(&mut self, store: &mut Store) -> Option<Seam> {
        let (seam, open) = self.seam(store, |_| true)?;
        let requests = std::mem::take(&mut store.requests);
        let open: Vec<u32> = open.into_iter().flat_map(|device| device.1).collect();
        for &row in &open {
            store.requests.push(&requests.stored(row as usize));
        }
        let numbers: FxHashMap<u32, u32> = open.iter().copied().zip(0..).collect();
        for (state, device) in self.devices.iter_mut().zip(&mut store.devices) {
            state.begin();
            state.renumber_rows(|row| numbers.get(&row).copied().unwrap_or(row));
            (device.events, device.recorded) = (0, RecordedActions::default());
            (device.bio_stages, device.unmatched) =
                (BioStages::default(), UnmatchedCounts::default());
            device.checkpoints.clear();
        }
        self.bios.fill(0);
        self.via.fill(Via::Unknown);
        self.sources.clear();
        store.events = Default::default();
        self.stored_kinds.clear();
        (store.messages, store.commands) = Default::default();
        Some(seam)
    }

    /// Appends what was read after `begin` by another worker, which is the next of the trace.
    /// `false` if it began in another state: then nothing has changed.
    pub fn join(
        &mut self,
        store: &mut Store,
        began: &Seam,
        mut next: Lifecycle,
        mut read: Store,
    ) -> bool {
        let was_read = |number| read.devices.iter().any(|device| device.number == number);
        let Some((seam, open)) = self.seam(store, was_read) else {
            return false;
        };
        if seam.remapped != began.remapped || next.devices.len() != read.devices.len() {
            return false;
        }
        let left = read
            .devices
            .iter()
            .map(|device| seam.left_behind(began, device.number));
        let Some(left) = left
            .collect::<Option<Vec<LeftBehind>>>()
            .filter(|left| !meets(&read, left))
        else {
            return false;
        };
        let allows = |(i, state): (usize, &DeviceState)| {
            let index = self.device_index.get(&read.devices[i].number);
            index.is_none_or(|index| self.devices[*index as usize].allows(state))
        };
        if !next.devices.iter().enumerate().all(allows) {
            return false;
        }
        let shared_rows = |(number, rows): &(DeviceNumber, Vec<u32>)| {
            let index = read
                .devices
                .iter()
                .position(|device| device.number == *number);
            index
                .map(|index| left[index].shared_rows(rows))
                .unwrap_or_default()
        };
        let open: Vec<u32> = open.iter().flat_map(shared_rows).collect();
        let devices: Vec<u32> = read
            .devices
            .iter()
            .map(|device| self.device(store, device.number))
            .collect();
        let processes: Vec<u32> = read
            .processes
            .iter()
            .map(|process| self.process(store, process.pid))
            .collect();
        let numbers = RowNumbers {
            devices,
            processes,
            texts: store.messages.text.len(),
            commands: store.commands.len(),
        };
        self.append_events(store, &read, &numbers);
        let rows = store.requests.append(&read.requests, &open, &numbers);
        for (from, &to) in numbers.devices.iter().enumerate() {
            let mut state = std::mem::take(&mut next.devices[from]);
            state.renumber_rows(|row| rows.get(row as usize).copied().unwrap_or(row));
            state.renumber_processes(|process| numbers.process(process));
            state.add_before(std::mem::take(&mut self.devices[to as usize]), &left[from]);
            self.devices[to as usize] = state;
            let (device, more) = (&mut store.devices[to as usize], &read.devices[from]);
            device.events += more.events;
            device.recorded.add(more.recorded);
            device.bio_stages.add_all(&more.bio_stages);
            device.unmatched.add(more.unmatched);
            self.bios[to as usize] += next.bios[from];
        }
        for (from, &to) in numbers.processes.iter().enumerate() {
            let via = &mut self.via[to as usize];
            *via = via.and_then(next.via[from]);
        }
        for (number, more) in next.sources {
            self.sources.entry(number).or_default().remaps += more.remaps;
        }
        self.remapped = next.remapped;
        store.messages.append(&mut read.messages, &numbers);
        store.commands.append(&mut read.commands);
        true
    }

    fn append_events(&mut self, store: &mut Store, read: &Store, numbers: &RowNumbers) {
        let Store {
            events, devices, ..
        } = store;
        events.append(&read.events, numbers, |row, effects| {
            if row.is_multiple_of(BLOCK) {
                self.checkpoint(devices, row);
            }
            for &(device, effect) in effects {
                let state = &mut self.devices[device as usize];
                state.depth += effect.depth;
                state.waiting += effect.waiting;
            }
        });
    }
}

impl Via {
    /// Combines the upper device of earlier bios with that of later ones.
    fn and_then(self, next: Via) -> Via {
        match (self, next) {
            (Via::Unknown, via) | (via, Via::Unknown) => via,
            (Via::One(a), Via::One(b)) if a == b => Via::One(a),
            _ => Via::None,
        }
    }
}
