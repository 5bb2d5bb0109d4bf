//! Intervals in which a CPU that is usually busy recorded nothing of a device.

use crate::sorting::SortShort;
use crate::store::{Events, rows};
use rustc_hash::FxHashMap;

/// Events that the CPU would have recorded at its mean rate, at least: with 16, random arrivals are
/// never quiet for so long.
const EXPECTED: f64 = 16.0;
/// Intervals per device that are kept: those with most expected events.
const MAX_INTERVALS: usize = 1 << 12;

/// A time without events of a device from one CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuietInterval {
    pub cpu: u32,
    /// Time of the last event before it, ns.
    pub from: u64,
    /// Time of the first event after it, ns.
    pub to: u64,
    /// Events at the mean rate of the CPU.
    pub expected: f64,
}

#[derive(Clone, Copy, Debug)]
struct CpuActivity {
    first: u64,
    last: u64,
    events: u64,
}

/// Times of the first and last event of a device, and its quiet intervals by CPU and time. `None`
/// without events.
pub fn quiet_intervals(events: &Events, device: u32) -> Option<((u64, u64), Vec<QuietInterval>)> {
    let mut streams: FxHashMap<u32, CpuActivity> = FxHashMap::default();
    rows::each(0..events.len(), |i| {
        if events.device(i) == device {
            let time = events.time(i);
            let stream = streams.entry(events.cpu(i)).or_insert(CpuActivity {
                first: time,
                last: time,
                events: 0,
            });
            stream.last = time;
            stream.events += 1;
        }
    });
    let first = streams.values().map(|s| s.first).min()?;
    let last = streams.values().map(|s| s.last).max()?;
    let mut before: FxHashMap<u32, u64> = FxHashMap::default();
    let mut found = Vec::new();
    rows::each(0..events.len(), |i| {
        if events.device(i) != device {
            return;
        }
        let (cpu, to) = (events.cpu(i), events.time(i));
        if let Some(from) = before.insert(cpu, to) {
            let others = (last - first - (to - from)).max(1) as f64;
            let expected = streams[&cpu].events as f64 * (to - from) as f64 / others;
            if expected >= EXPECTED {
                found.push(QuietInterval {
                    cpu,
                    from,
                    to,
                    expected,
                });
            }
        }
    });
    found.sort_short_by(|a, b| b.expected.total_cmp(&a.expected));
    found.truncate(MAX_INTERVALS);
    found.sort_short_by_key(|s| (s.cpu, s.from));
    Some(((first, last), found))
}
