//! What is known of a stall: its kind, its processes, and the quiet stretch beside it.

use super::pace::DevicePace;
use super::{Stall, StallKind, StalledProcess};
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Parents, RequestRow, Role, Store};
use std::cmp::Reverse;
use std::iter;

/// Time shown before and after a stall, ns; the length of the stall if that is more.
pub(super) const MARGIN_NS: u64 = 2_000_000_000;
/// Places of a quiet stretch that are tried on either side of a stall.
const MAX_TRIES: usize = 64;
/// Processes that are named per stall.
pub(super) const MAX_PROCESSES: usize = 3;
/// In percent: a stall in which nothing completes for this share of its time is frozen, and one in
/// which requests are in the device for less than the rest is held.
pub(super) const FROZEN_PERCENT: u64 = 90;

/// Begin and end of all stalls by device, in the order of time. Those of a device do not overlap.
#[derive(Clone, Debug)]
pub(super) struct StallTimes {
    devices: Vec<Vec<(u64, u64)>>,
}

impl StallTimes {
    pub(super) fn collect(found: &[StalledTime], devices: usize) -> StallTimes {
        let mut times = vec![Vec::new(); devices];
        for stall in found {
            times[stall.device].push((stall.from, stall.to));
        }
        StallTimes { devices: times }
    }

    /// Whether a stall of the device has time in common with a stretch.
    fn overlaps(&self, device: usize, from: u64, to: u64) -> bool {
        let times = &self.devices[device];
        let next = times.partition_point(|stall| stall.1 <= from);
        times.get(next).is_some_and(|stall| stall.0 < to)
    }
}

/// A stall, and the requests that were outstanding in it.
#[derive(Clone, Debug)]
pub(super) struct StalledTime {
    pub device: usize,
    pub from: u64,
    pub to: u64,
    pub unfinished: bool,
    pub rows: Vec<u32>,
}

impl StalledTime {
    pub(super) fn describe(&self, store: &Store, pace: &DevicePace, all: &StallTimes) -> Stall {
        let (around, quiet) = self.compared(store.span(), pace, all);
        let rows = || {
            self.rows
                .iter()
                .map(|&number| store.requests.row(number as usize))
        };
        let completed: Vec<u64> = rows()
            .filter_map(RequestRow::completed)
            .filter(|&time| time < self.to)
            .collect();
        let bios = rows().all(RequestRow::is_bio);
        Stall {
            device: store.devices[self.device].number.to_string(),
            kind: self.kind(store, &completed, bios, all),
            from_ns: self.from,
            to_ns: self.to,
            unfinished: self.unfinished,
            requests: self.rows.len() as u64,
            completed: completed.len() as u64,
            issued: (!bios).then(|| {
                let in_device = |row: &RequestRow| row.issued().is_some_and(|time| time < self.to);
                rows().filter(in_device).count() as u64
            }),
            longest_ns: rows()
                .filter_map(|row| row.q2c().or_else(|| row.d2c()))
                .max(),
            processes: self.processes(store),
            around_ns: around,
            quiet_ns: quiet,
        }
    }

    /// The stall with its margins, and the quiet stretch: with half or a quarter of the margins
    /// where there is none that is longer.
    fn compared(
        &self,
        end: u64,
        pace: &DevicePace,
        all: &StallTimes,
    ) -> ((u64, u64), Option<(u64, u64)>) {
        let margin = MARGIN_NS.max(self.to - self.from);
        for margin in [margin, margin / 2, margin / 4] {
            let around = self.around(margin, end);
            let quiet = self.quiet(end, around, pace, all);
            if quiet.is_some() {
                return (around, quiet);
            }
        }
        (self.around(margin, end), None)
    }

    /// The stall with its margins, within the trace.
    fn around(&self, margin: u64, end: u64) -> (u64, u64) {
        (
            self.from.saturating_sub(margin),
            self.to.saturating_add(margin).min(end),
        )
    }

    /// See [`Stall::quiet_ns`]. A stretch that is as near as possible ends where a stall begins, or
    /// begins where one ends.
    fn quiet(
        &self,
        end: u64,
        around: (u64, u64),
        pace: &DevicePace,
        all: &StallTimes,
    ) -> Option<(u64, u64)> {
        let length = around.1 - around.0;
        let times = &all.devices[self.device];
        let first_after = times.partition_point(|stall| stall.0 < around.1);
        let last_before = times.partition_point(|stall| stall.0 <= around.0);
        let before = times[..last_before].iter().rev().map(|stall| stall.0);
        let before = iter::once(around.0).chain(before);
        let before = before.filter_map(|to| to.checked_sub(length));
        let after = times[first_after..].iter().map(|stall| stall.1);
        let after = iter::once(around.1).chain(after);
        let after = after.take_while(|from| from + length <= end);
        let is_free = |from: &u64| {
            let to = from + length;
            !all.overlaps(self.device, *from, to) && pace.completes_within(*from, to)
        };
        let from = before
            .take(MAX_TRIES)
            .find(is_free)
            .or_else(|| after.take(MAX_TRIES).find(is_free))?;
        Some((from, from + length))
    }

    fn kind(&self, store: &Store, completed: &[u64], bios: bool, all: &StallTimes) -> StallKind {
        let length = self.to - self.from;
        let held = if bios {
            self.below_is_idle(store, all)
        } else {
            self.time_in_device(store) * 100 < length * (100 - FROZEN_PERCENT)
        };
        let first = completed.iter().min().copied().unwrap_or(self.to);
        if held {
            StallKind::Held
        } else if (first - self.from) * 100 >= length * FROZEN_PERCENT {
            StallKind::Frozen
        } else {
            StallKind::Slow
        }
    }

    /// Time within the stall in which a request is between D and C.
    fn time_in_device(&self, store: &Store) -> u64 {
        let mut spans: Vec<(u64, u64)> = self
            .rows
            .iter()
            .filter_map(|&number| {
                let row = store.requests.row(number as usize);
                let to = row.completed().unwrap_or(self.to).min(self.to);
                Some((row.issued()?.max(self.from), to))
            })
            .collect();
        spans.sort_unstable();
        let (mut total, mut until) = (0, self.from);
        for (from, to) in spans {
            total += to.saturating_sub(from.max(until));
            until = until.max(to);
        }
        total
    }

    /// Whether the recorded devices below a stacked one neither stall nor get requests meanwhile.
    fn below_is_idle(&self, store: &Store, all: &StallTimes) -> bool {
        let layers = store.parents.as_deref().map_or(&[][..], Parents::layers);
        let layer = layers
            .iter()
            .find(|layer| layer.device as usize == self.device);
        let Some(layer) = layer.filter(|layer| !layer.below.is_empty()) else {
            return false;
        };
        let below = |device: usize| layer.below.contains(&(device as u32));
        let mut devices = layer.below.iter();
        let stalls = devices.any(|&device| all.overlaps(device as usize, self.from, self.to));
        let disk = |device: usize| store.devices[device].role != Role::Stacked;
        let rows = store.requests.find(self.from + 1)..store.requests.find(self.to);
        // Requests at the edges are those before it, and those that ended it.
        let edge = (self.to - self.from) * (100 - FROZEN_PERCENT) / 100;
        let inner = self.from + edge..self.to - edge;
        let works = rows.into_iter().any(|number| {
            let row = store.requests.row(number);
            let device = row.device() as usize;
            below(device) && disk(device) && inner.contains(&row.start())
        });
        !stalls && !works
    }

    fn processes(&self, store: &Store) -> Vec<StalledProcess> {
        let mut counts = FxHashMap::default();
        for &number in &self.rows {
            let process = store.requests.row(number as usize).process();
            *counts.entry(process).or_insert(0u64) += 1;
        }
        let mut processes: Vec<StalledProcess> = counts
            .into_iter()
            .filter_map(|(process, requests)| {
                let process = store.processes.get(process as usize)?;
                Some(StalledProcess {
                    pid: process.pid,
                    name: process.label(),
                    requests,
                })
            })
            .collect();
        processes.sort_short_by_key(|p| (Reverse(p.requests), p.pid));
        processes.truncate(MAX_PROCESSES);
        processes
    }
}
