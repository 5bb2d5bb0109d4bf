//! The time of requests within a layer of a stack, above the devices that it lies on.
//!
//! Over the rows of a device that has others below. From the first Q below to the last C below a
//! request is with the members; what is left of its Q2C is the layer's: before it sends anything,
//! and after the last member answered.

use super::span::Window;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};

/// The middle and the end of a distribution of times, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpread {
    pub p50: u64,
    pub p99: u64,
}

impl TimeSpread {
    /// The lower quantiles of times in any order.
    fn new(times: &mut [u64]) -> TimeSpread {
        let Some(last) = times.len().checked_sub(1) else {
            return TimeSpread::default();
        };
        let mut quantile = |percent: usize| *times.select_nth_unstable(last * percent / 100).1;
        TimeSpread {
            p50: quantile(50),
            p99: quantile(99),
        }
    }
}

/// Sums over the requests of a device whose members are known. Times are ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerTime {
    pub requests: u64,
    pub bytes: u64,
    /// From Q to the first Q below.
    pub before_ns: u64,
    /// From the first Q below to the last C below.
    pub below_ns: u64,
    /// From the last C below to C.
    pub after_ns: u64,
    /// Of the time in the layer itself: before and after.
    pub layer: TimeSpread,
    /// Of the time with the members.
    pub below: TimeSpread,
}

impl LayerTime {
    /// Mean time in the layer itself.
    pub fn layer_mean(&self) -> f64 {
        (self.before_ns + self.after_ns) as f64 / self.requests.max(1) as f64
    }

    /// Mean time with the members.
    pub fn below_mean(&self) -> f64 {
        self.below_ns as f64 / self.requests.max(1) as f64
    }
}

/// First Q and last C below a row.
#[derive(Clone, Copy)]
struct MemberSpan {
    from: u64,
    to: u64,
}

const NOTHING: MemberSpan = MemberSpan {
    from: u64::MAX,
    to: 0,
};

/// Per device; `None` for devices that lie on none that was recorded.
pub fn layer_times(store: &Store, window: Window) -> Vec<Option<LayerTime>> {
    let mut times: Vec<Option<LayerTime>> = vec![None; store.devices.len()];
    let Some(parents) = store.parents.as_deref() else {
        return times;
    };
    let requests = &store.requests;
    let mut below = vec![NOTHING; requests.len()];
    for row in 0..requests.len() {
        let direct = parents.direct(row);
        if direct.is_empty() {
            continue;
        }
        let child = requests.row(row);
        let (Some(to), from) = (child.completed(), child.queued().unwrap_or(child.start())) else {
            continue;
        };
        for &parent in direct {
            if let Some(span) = below.get_mut(parent as usize) {
                span.from = span.from.min(from);
                span.to = span.to.max(to);
            }
        }
    }
    let mut spreads: Vec<[Vec<u64>; 2]> = vec![Default::default(); times.len()];
    let rows = window.rows(requests);
    for row in rows {
        let MemberSpan { from, to } = below[row];
        let request = requests.row(row);
        let (Some(queued), Some(completed)) = (request.queued(), request.completed()) else {
            continue;
        };
        if from > to || from < queued || to > completed {
            continue;
        }
        if let Some(device) = times.get_mut(request.device() as usize) {
            let time = device.get_or_insert_with(LayerTime::default);
            time.requests += 1;
            time.bytes += u64::from(request.bytes());
            let [layer, members] = &mut spreads[request.device() as usize];
            layer.push((from - queued) + (completed - to));
            members.push(to - from);
            time.before_ns += from - queued;
            time.below_ns += to - from;
            time.after_ns += completed - to;
        }
    }
    for (time, [mut layer, mut members]) in times.iter_mut().zip(spreads) {
        if let Some(time) = time {
            time.layer = TimeSpread::new(&mut layer);
            time.below = TimeSpread::new(&mut members);
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occurred() {
        assert_eq!(TimeSpread::new(&mut []), TimeSpread::default());
        let spread = |p50, p99| TimeSpread { p50, p99 };
        assert_eq!(TimeSpread::new(&mut [7]), spread(7, 7));
        let mut times: Vec<u64> = (0..=100).rev().collect();
        assert_eq!(TimeSpread::new(&mut times), spread(50, 99));
    }
}
