//! Bounds of what a change would win, from one run.
//!
//! Each bound is a factor of the throughput of the run: at least and at most so many times as much
//! would be completed per second. The bounds follow from the times of the requests and from
//! operational laws (Little's law, and that latency does not fall as the queue grows), not from a
//! model of the device. `docs/statistics.md` has the formulas, and how often they held.
//!
//! There are two passes over the requests, the second one only where there are flushes or requests
//! that could have been merged. Each device has 256 windows and follows up to 65,536 requests that
//! could be merged, whatever the length of the trace.

mod busy_time;
mod curve;
mod flushes;
mod merging;
#[cfg(test)]
mod tests;

use crate::histogram::Histogram;
use crate::{Window, ratio};
use curve::Curve;
use flushes::FlushFree;
use merging::{Adjacent, Merging};
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::{RequestRow, RowMeaning, Store};
use serde::{Deserialize, Serialize};

pub use curve::DepthPoint;

/// Minimum number of flushes per 100 requests with data: below, their bound says nothing.
const MIN_FLUSHES: u64 = 2;
/// A merged request takes at least as long as this share of the requests, in ten-thousandths, do
/// today: the fastest ones show what a request takes that is alone.
const FASTEST: u32 = 1_000;

/// What a change would win: the throughput with it as a multiple of that without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainBound {
    /// At least so many times as much; 1 or more.
    pub min: f64,
    /// At most so many times as much; `min` or more.
    pub max: f64,
}

impl GainBound {
    /// A bound of these factors; absent if they are no numbers. Nothing is lost by the change, and
    /// the larger one is never below the smaller one.
    pub fn new(min: f64, max: f64) -> Option<GainBound> {
        let min = min.max(1.0);
        (min.is_finite() && max.is_finite()).then(|| GainBound {
            min,
            max: max.max(min),
        })
    }

    /// Least and most.
    fn ends(self) -> (f64, f64) {
        (self.min, self.max)
    }

    /// A bound from the time of a run, and the longest and the shortest time that it would take
    /// with the change.
    fn of_times(run: u64, longest: u64, shortest: u64) -> Option<GainBound> {
        let factor = |ns: u64| ratio(u128::from(run), u128::from(ns));
        (longest > 0 && shortest > 0)
            .then(|| GainBound::new(factor(longest), factor(shortest)))
            .flatten()
    }
}

/// What changes would win on one device, as a digest keeps it: pairs, because each further type
/// costs the engine a reader of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GainBounds {
    /// Least and most if flushes took no time; absent with few or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flushes: Option<(f64, f64)>,
    /// Least and most if adjacent requests that are outstanding together were merged; absent where
    /// few are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<(f64, f64)>,
    /// Completions per second of the run.
    pub rate: f64,
    /// Mean requests in flight of the run.
    pub depth: f64,
    /// The depth-latency curve, ascending by depth.
    pub curve: Vec<DepthPoint>,
}

impl GainBounds {
    /// What a mean depth of `depth` would win. At least: the lowest rate that the run had while its
    /// queue was deeper than on average, up to this depth. At most: that of Little's law with the
    /// lowest latency of the run, as a deeper queue does not make the device faster. Absent without
    /// a curve up to this depth, or where the queue is as deep already.
    pub fn at_depth(&self, depth: f64) -> Option<GainBound> {
        if depth <= self.depth {
            return None;
        }
        let up_to = |limit: f64| self.curve.partition_point(|(point, ..)| *point <= limit);
        let end = up_to(depth * REACH);
        let start = up_to(self.depth).min(end);
        let smallest = |values: &[DepthPoint], value: fn(&DepthPoint) -> f64| {
            values.iter().map(value).min_by(f64::total_cmp)
        };
        let latency = smallest(&self.curve[..end], |(_, latency, _)| *latency)?;
        let slowest = smallest(&self.curve[start..end], |(_, _, rate)| *rate);
        let fastest = depth / latency * 1e9;
        GainBound::new(slowest.unwrap_or_default() / self.rate, fastest / self.rate)
    }
}

/// A depth of the curve counts as another one that is at most so many times as large.
const REACH: f64 = 1.1;

/// What one device was doing, in the order of the requests.
struct DeviceBounds {
    active: (u64, u64),
    curve: Curve,
    data: Histogram,
    flushes: u64,
    adjacent: Adjacent,
}

/// Whether a request is a flush without data.
fn is_flush(row: RequestRow) -> bool {
    row.kind().op() == Op::Flush
}

/// Whether it is a read or write with data that waits for nothing but the device.
fn is_plain(row: RequestRow) -> bool {
    let kind = row.kind();
    matches!(kind.op(), Op::Read | Op::Write) && !kind.flags.any(Flags::FLUSH | Flags::FUA)
}

/// Per device, within its active time (`active`, by device); `None` for devices without requests,
/// without completions, or with too few of them.
pub fn gain_bounds(
    store: &Store,
    window: Window,
    active: &[(u64, u64)],
) -> Vec<Option<GainBounds>> {
    let mut devices: Vec<Option<DeviceBounds>> = store
        .devices
        .iter()
        .zip(active)
        .map(|(device, &active)| {
            let row = device.recorded.row();
            let issues = matches!(row, RowMeaning::Request | RowMeaning::Issue);
            (issues && active.1 > active.0).then(|| DeviceBounds {
                active,
                curve: Curve::new(active),
                data: Histogram::default(),
                flushes: 0,
                adjacent: Adjacent::default(),
            })
        })
        .collect();
    let requests = &store.requests;
    requests.each(window.rows(requests), |row| {
        let Some(Some(device)) = devices.get_mut(row.device() as usize) else {
            return;
        };
        let Some(completed) = row.completed() else {
            return;
        };
        device.curve.add(row.start(), completed);
        if is_flush(row) {
            device.flushes += 1;
        } else {
            device.data.add(completed - row.start());
            if is_plain(row) {
                device.adjacent.add(row, completed);
            }
        }
    });
    let mut second_pass: Vec<(Option<FlushFree>, Option<Merging>)> = devices
        .iter()
        .map(|device| {
            let Some(device) = device else {
                return (None, None);
            };
            let count = device.data.tally().n;
            let quantile = |share| device.data.quantile(share).unwrap_or_default();
            let flushes = device.flushes * 100 >= count * MIN_FLUSHES && device.flushes > 0;
            let merging = device.adjacent.count() * merging::MIN_PART >= count && count > 0;
            (
                flushes.then(|| FlushFree::new(device.active, quantile(5_000))),
                merging.then(|| Merging::new(device.active, quantile(FASTEST))),
            )
        })
        .collect();
    if second_pass
        .iter()
        .any(|(flushes, merging)| flushes.is_some() || merging.is_some())
    {
        requests.each(window.rows(requests), |row| {
            let Some((flushes, merging)) = second_pass.get_mut(row.device() as usize) else {
                return;
            };
            let Some(completed) = row.completed() else {
                return;
            };
            if let Some(flushes) = flushes {
                flushes.add(row.start(), completed, is_flush(row));
            }
            if let Some(merging) = merging {
                merging.add(row, completed, is_plain(row));
            }
        });
    }
    devices
        .into_iter()
        .zip(second_pass)
        .map(|(device, (flushes, merging))| {
            let device = device?;
            let (rate, depth, curve) = device.curve.finish()?;
            Some(GainBounds {
                flushes: flushes.and_then(FlushFree::finish).map(GainBound::ends),
                merged: merging.and_then(Merging::finish).map(GainBound::ends),
                rate,
                depth,
                curve,
            })
        })
        .collect()
}
