//! What each process requested of a device, and how long its requests waited.
//!
//! Over request rows. The process of a request is that of its first bio; requests without a known
//! bio (from the flush machinery) and rows without a process are left out. Starved: the part of [Q,
//! D) in which nothing was in flight.

use super::intervals::walk;
use super::span::Window;
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Processes of a device that are kept: those with the most requests.
const MAX_PROCESSES: usize = 6;
/// Minimum share of the run in which a device is starved, for the waiting in it to be divided among
/// processes.
const STARVED: f64 = 0.02;

/// Sums over the requests of one process, or of all. Times are ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SubmitterSums {
    pub requests: u64,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub write: u64,
    /// Number of requests that flush or have FUA.
    pub flushes: u64,
    /// Requests with both Q and C, and their Q2C.
    pub ended: u64,
    pub q2c_ns: u64,
    /// Sum of the times from Q to D, ns.
    pub q2d_ns: u64,
    /// The part of that in which the device was starved.
    pub starved_ns: u64,
    /// Sum of the times from D to C, ns.
    pub d2c_ns: u64,
}

/// The sums of one process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Submitter {
    pub pid: u32,
    pub name: String,
    #[serde(flatten)]
    pub sums: SubmitterSums,
}

/// The processes that submitted requests to a device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Submitters {
    /// The sums of all processes, also of those that are left out.
    pub all: SubmitterSums,
    /// The processes with the largest sums.
    pub top: Vec<Submitter>,
}

impl SubmitterSums {
    fn add(&mut self, other: &SubmitterSums) {
        self.requests += other.requests;
        self.read += other.read;
        self.write += other.write;
        self.flushes += other.flushes;
        self.ended += other.ended;
        self.q2c_ns = self.q2c_ns.saturating_add(other.q2c_ns);
        self.q2d_ns = self.q2d_ns.saturating_add(other.q2d_ns);
        self.starved_ns = self.starved_ns.saturating_add(other.starved_ns);
        self.d2c_ns = self.d2c_ns.saturating_add(other.d2c_ns);
    }
}

/// Time up to a moment in which a device was starved.
#[derive(Default)]
struct StarvedTime {
    /// Beginning, end, and what was before it.
    intervals: Vec<(u64, u64, u64)>,
}

impl StarvedTime {
    fn new(store: &Store, device: usize, active: (u64, u64)) -> StarvedTime {
        let (mut intervals, mut sum): (Vec<(u64, u64, u64)>, u64) = (Vec::new(), 0);
        walk(store, device as u32, active, |interval| {
            if interval.is_starved() && !interval.is_empty() {
                match intervals.last_mut() {
                    Some(last) if last.1 == interval.from => last.1 = interval.to,
                    _ => intervals.push((interval.from, interval.to, sum)),
                }
                sum += interval.len();
            }
        });
        StarvedTime { intervals }
    }

    /// Searched for from the interval of the time before on: the next one is near.
    fn until(&self, time: u64, near: &mut usize) -> u64 {
        let n = self.intervals.len();
        let begins_before = |i: usize| self.intervals[i].0 < time;
        let (mut from, mut to, mut step) = (*near, *near, 1);
        while to < n && begins_before(to) {
            (from, to) = (to + 1, (to + 1 + step).min(n));
            step *= 2;
        }
        while from > 0 && !begins_before(from - 1) {
            (from, to) = ((from - 1).saturating_sub(step), from - 1);
            step *= 2;
        }
        let after = from + self.intervals[from..to].partition_point(|interval| interval.0 < time);
        *near = after;
        match after.checked_sub(1).and_then(|i| self.intervals.get(i)) {
            Some((from, to, before)) => before + time.min(*to) - from,
            None => 0,
        }
    }
}

/// Per device; `None` where no request has a process. `starved` are the active time and the starved
/// share of each device.
pub fn submitters(
    store: &Store,
    window: Window,
    usage: &[((u64, u64), f64)],
) -> Vec<Option<Submitters>> {
    // With the intervals near which the last Q and D were.
    let mut starved: Vec<Option<(StarvedTime, [usize; 2])>> = (usage.iter().enumerate())
        .map(|(i, (active, share))| {
            (*share >= STARVED).then(|| (StarvedTime::new(store, i, *active), [0; 2]))
        })
        .collect();
    let requests = &store.requests;
    let mut sums_of: FxHashMap<(u32, u32), SubmitterSums> = FxHashMap::default();
    // Most requests are of the same process as the one before.
    let (mut submitter, mut sums) = ((0, 0), SubmitterSums::default());
    requests.each(window.rows(requests), |row| {
        let kind = row.kind();
        let (device, process) = (kind.device, kind.process);
        if process as usize >= store.processes.len() {
            return;
        }
        if submitter != (device, process) {
            add(&mut sums_of, submitter, &sums);
            (submitter, sums) = ((device, process), SubmitterSums::default());
        }
        sums.requests += 1;
        match kind.op() {
            Op::Read => sums.read += u64::from(kind.bytes),
            Op::Write => sums.write += u64::from(kind.bytes),
            Op::Discard | Op::Flush => {}
        }
        sums.flushes += u64::from(kind.flags.any(Flags::FLUSH | Flags::FUA));
        if let Some(ns) = row.q2c() {
            sums.ended += 1;
            sums.q2c_ns = sums.q2c_ns.saturating_add(ns);
        }
        sums.d2c_ns = sums.d2c_ns.saturating_add(row.d2c().unwrap_or(0));
        if let (Some(queued), Some(issued)) = (row.queued(), (!kind.bio).then(|| row.start())) {
            sums.q2d_ns = sums.q2d_ns.saturating_add(issued.saturating_sub(queued));
            if let Some((time, near)) = starved.get_mut(device as usize).and_then(Option::as_mut) {
                let ns = time
                    .until(issued, &mut near[1])
                    .saturating_sub(time.until(queued, &mut near[0]));
                sums.starved_ns = sums.starved_ns.saturating_add(ns);
            }
        }
    });
    add(&mut sums_of, submitter, &sums);
    let mut of_device: Vec<Vec<(u32, SubmitterSums)>> = vec![Vec::new(); store.devices.len()];
    for ((device, process), sums) in sums_of {
        if let Some(list) = of_device.get_mut(device as usize) {
            list.push((process, sums));
        }
    }
    of_device
        .into_iter()
        .map(|list| largest(store, list))
        .collect()
}

fn add(
    sums_of: &mut FxHashMap<(u32, u32), SubmitterSums>,
    submitter: (u32, u32),
    sums: &SubmitterSums,
) {
    if sums.requests > 0 {
        sums_of.entry(submitter).or_default().add(sums);
    }
}

fn largest(store: &Store, mut list: Vec<(u32, SubmitterSums)>) -> Option<Submitters> {
    list.sort_short_by_key(|(process, sums)| (Reverse(sums.requests), *process));
    let mut all = SubmitterSums::default();
    list.iter().for_each(|(_, sums)| all.add(sums));
    let named = |&(process, sums): &(u32, SubmitterSums)| {
        let process = store.processes.get(process as usize)?;
        Some(Submitter {
            pid: process.pid,
            name: process.label(),
            sums,
        })
    };
    (!list.is_empty()).then(|| Submitters {
        all,
        top: list.iter().take(MAX_PROCESSES).filter_map(named).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn whose_requests_waited_while_nothing_was_in_flight() {
        // In flight: 10 to 20, 50 to 60, 70 to 80. Starved: 5 to 10, 30 to 50, 60 to 70.
        let s = store(
            "5 Q 0+8 W pid=7
             10 D 0+8 W pid=7
             20 C 0+8 W pid=9
             30 Q 8+8 R pid=9
             40 Q 16+8 W pid=7
             50 D 8+8 R pid=9
             60 C 8+8 R pid=7
             70 D 16+8 W pid=7
             80 C 16+8 W pid=0",
        );
        let found = submitters(&s, Window::WHOLE, &[((5, 80), 0.5)])
            .remove(0)
            .expect("requests have processes");
        let sums_of = |pid: u32| {
            found
                .top
                .iter()
                .find(|submitter| submitter.pid == pid)
                .expect("known")
                .sums
        };
        assert_eq!(
            (sums_of(7).requests, sums_of(7).write, sums_of(7).read),
            (2, 8192, 0)
        );
        assert_eq!(
            (
                sums_of(7).starved_ns,
                sums_of(7).q2d_ns,
                sums_of(7).d2c_ns,
                sums_of(7).q2c_ns
            ),
            (5 + 10 + 10, 5 + 30, 20, 15 + 40)
        );
        assert_eq!(
            (sums_of(9).starved_ns, sums_of(9).q2d_ns, sums_of(9).read),
            (20, 20, 4096)
        );
        assert_eq!(
            (found.all.requests, found.all.starved_ns, found.all.ended),
            (3, 45, 3)
        );
        let steady = submitters(&s, Window::WHOLE, &[((5, 80), 0.01)])
            .remove(0)
            .expect("as above");
        assert_eq!(steady.all.starved_ns, 0, "a device that is hardly starved");
    }

    #[test]
    fn the_largest_are_kept_and_all_are_counted() {
        use std::fmt::Write;
        let mut text = String::new();
        for i in 0..10u32 {
            for n in 0..=i {
                writeln!(
                    text,
                    "{} Q {}+8 W pid={}",
                    i * 100 + n,
                    i * 1000 + n * 8,
                    i + 1
                )
                .unwrap();
                writeln!(
                    text,
                    "{} D {}+8 W pid={}",
                    i * 100 + n,
                    i * 1000 + n * 8,
                    i + 1
                )
                .unwrap();
            }
        }
        let found = submitters(&store(&text), Window::WHOLE, &[])
            .remove(0)
            .expect("requests have processes");
        assert_eq!(
            found.top.iter().map(|s| s.pid).collect::<Vec<_>>(),
            [10, 9, 8, 7, 6, 5]
        );
        assert_eq!(found.all.requests, 55);
    }
}
