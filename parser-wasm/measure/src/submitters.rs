//! What each process requested of a device, and how long its requests waited.
//!
//! Over request rows. The process of a request is that of its first bio; requests without a known
//! bio (from the flush machinery) and rows without a process are left out. Starved: the part of [Q,
//! D) in which nothing was in flight.

use super::span::Window;
use super::waiting::starved::StarvedTime;
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{RequestKind, Store};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;

/// Processes of a device that are kept: those with the most requests.
const MAX_PROCESSES: usize = 6;
/// Minimum share of the run in which a device is starved, for the waiting in it to be divided among
/// processes.
pub const MIN_STARVED: f64 = 0.02;

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

/// Per device; `None` where no request has a process. `starved` are the starved times of devices
/// that were starved for at least [`MIN_STARVED`] of their active time.
pub fn submitters(
    store: &Store,
    window: Window,
    starved: &[Option<Cow<StarvedTime>>],
) -> Vec<Option<Submitters>> {
    // With the intervals near which the last Q and D were.
    let mut starved: Vec<Option<(&StarvedTime, [usize; 2])>> = (starved.iter())
        .map(|time| Some((time.as_deref()?, [0; 2])))
        .collect();
    let requests = &store.requests;
    // Processes take turns from request to request, so each kind knows the place of its sums.
    let mut places: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    let mut sums: Vec<((u32, u32), SubmitterSums)> = Vec::new();
    let place = |kind: &RequestKind| {
        let submitter = (kind.device, kind.process);
        ((kind.process as usize) < store.processes.len()).then(|| {
            *places.entry(submitter).or_insert_with(|| {
                sums.push((submitter, SubmitterSums::default()));
                sums.len() - 1
            })
        })
    };
    let place_of_kind: Vec<Option<usize>> = requests.each_kind().map(place).collect();
    requests.each(window.rows(requests), |row| {
        let kind = row.kind();
        let place = place_of_kind.get(row.kind_number() as usize);
        let Some((_, sums)) = place.and_then(|place| sums.get_mut((*place)?)) else {
            return;
        };
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
            let starved = starved.get_mut(kind.device as usize);
            if let Some((time, near)) = starved.and_then(Option::as_mut) {
                let ns = time
                    .until(issued, &mut near[1])
                    .saturating_sub(time.until(queued, &mut near[0]));
                sums.starved_ns = sums.starved_ns.saturating_add(ns);
            }
        }
    });
    let mut of_device: Vec<Vec<(u32, SubmitterSums)>> = vec![Vec::new(); store.devices.len()];
    for ((device, process), sums) in sums.into_iter().filter(|(_, sums)| sums.requests > 0) {
        if let Some(list) = of_device.get_mut(device as usize) {
            list.push((process, sums));
        }
    }
    of_device
        .into_iter()
        .map(|list| largest(store, list))
        .collect()
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
        let starved = StarvedTime::of_devices(&s, &[Some((5, 80))]);
        let starved: Vec<_> = starved
            .into_iter()
            .map(|time| time.map(Cow::Owned))
            .collect();
        let found = submitters(&s, Window::WHOLE, &starved)
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
        let steady = submitters(&s, Window::WHOLE, &[None])
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
