//! Queue depth, waiting bios and starved time over time, from the effect of every event: exact at
//! any zoom.
//!
//! The depth changes only at events, so it is a sequence of intervals. A consumer ([`DepthSink`])
//! takes them in order; where blocks of sums exist (`depth_blocks`), it is offered a whole block
//! first and takes it only if it needs nothing inside of it: a bin of the series that the block
//! does not cross, or a list of starved times when the block has none. Either way the answer is the
//! same; blocks only save visits.

use super::depth_blocks::{DepthBlock, DepthSink};
use crate::answer::{BadQuery, answer_object};
use crate::query::{TimeRange, cells};
use crate::view::View;
use seekscope_measure::intervals::{DepthInterval, walk};
use seekscope_report::absent::DeviceRecording;
use seekscope_trace::store::{Role, Store};
use serde::Deserialize;

/// Parameters of `depth`.
#[derive(Clone, Debug, Deserialize)]
pub struct DepthQuery {
    pub device: u32,
    pub range: TimeRange,
    /// Number of bins.
    pub n: f64,
}

/// Parameters of `starved`.
#[derive(Clone, Debug, Deserialize)]
pub struct StarvedQuery {
    pub device: u32,
    pub range: TimeRange,
    /// Maximum number of intervals.
    pub most: f64,
}

answer_object! {
    /// Per bin of equal width, t0..t1 in n bins. A bin is weighed over its part within the trace;
    /// beyond the trace everything is 0.
    #[doc(alias = "DepthSeries")]
    pub struct DepthAnswer {
        /// Requests issued and not completed: time-weighted mean, minimum and maximum of the bin.
        mean: Vec<f64>,
        min: Vec<f64>,
        max: Vec<f64>,
        /// Bios queued and not yet part of an issued request: time-weighted mean and maximum.
        wait_mean as "waitMean": Vec<f64>,
        wait_max as "waitMax": Vec<f64>,
        /// Share of the bin with depth 0 while something waits, 0..1.
        starved: Vec<f64>,
    }
}

answer_object! {
    /// When a device was starved.
    pub struct StarvedTimes {
        /// Begin, end, begin, ...
        intervals: Vec<f64>,
        /// False: there are more, and only the first ones are in the list.
        exact: bool,
    }
}

/// Fails unless the device exists and has a queue depth.
pub fn disk(store: &Store, device: u32) -> Result<(), BadQuery> {
    match store.devices.get(device as usize) {
        None => Err(BadQuery(format!("device {device} does not exist"))),
        Some(d) if d.role != Role::Disk => Err(BadQuery(format!(
            "{} issues no requests, so it has no queue depth",
            d.name
        ))),
        Some(d) => {
            let recording = DeviceRecording::new(d, store.capabilities);
            let reason = if store.complete {
                recording.reason("depth")
            } else {
                recording.no_depth_yet().map(str::to_owned)
            };
            reason.map_or(Ok(()), |reason| {
                Err(BadQuery(format!("{} has no queue depth: {reason}", d.name)))
            })
        }
    }
}

/// Passes the activity of a device in `range`, clipped to the trace, to `sink`: as complete blocks
/// if `sink` accepts them, else as intervals.
fn visit(
    view: View,
    device: u32,
    range: TimeRange,
    sink: &mut impl DepthSink,
) -> Result<(), BadQuery> {
    disk(view.store, device)?;
    let (from, to) = (
        range.t0.max(0.0).floor() as u64,
        (range.t1.max(0.0).ceil() as u64).min(view.store.span()),
    );
    if from >= to {
        return Ok(());
    }
    if !view
        .depth_blocks()
        .is_some_and(|depth_blocks| depth_blocks.walk(view.store, device, (from, to), sink))
    {
        walk(view.store, device, (from, to), |interval| {
            sink.interval(&interval)
        });
    }
    Ok(())
}

/// Sums and extremes of the bin being filled. `depth` and `waiting` are integrals over time, ns.
#[derive(Clone, Copy)]
struct DepthBin {
    time: f64,
    depth: f64,
    waiting: f64,
    starved: f64,
    min: u32,
    max: u32,
    max_waiting: u32,
}

impl DepthBin {
    const EMPTY: DepthBin = DepthBin {
        time: 0.0,
        depth: 0.0,
        waiting: 0.0,
        starved: 0.0,
        min: u32::MAX,
        max: 0,
        max_waiting: 0,
    };

    #[inline]
    fn add(&mut self, interval: &DepthInterval, time: f64) {
        self.time += time;
        self.depth += time * f64::from(interval.depth);
        self.waiting += time * f64::from(interval.waiting);
        self.starved += if interval.is_starved() { time } else { 0.0 };
        self.min = self.min.min(interval.depth);
        self.max = self.max.max(interval.depth);
        self.max_waiting = self.max_waiting.max(interval.waiting);
    }
}

/// The filled bins, and the one being filled.
struct DepthSeries {
    n: usize,
    range: TimeRange,
    bin: DepthBin,
    /// Everything before this time has been added, ns.
    time: f64,
    /// Right edge of the current bin.
    edge: f64,
    mean: Vec<f64>,
    min: Vec<f64>,
    max: Vec<f64>,
    wait_mean: Vec<f64>,
    wait_max: Vec<f64>,
    starved: Vec<f64>,
}

impl DepthSeries {
    fn new(n: usize, range: TimeRange) -> DepthSeries {
        let list = || Vec::with_capacity(n);
        let (mean, min, max, wait_mean, wait_max, starved) =
            (list(), list(), list(), list(), list(), list());
        let mut series = DepthSeries {
            n,
            range,
            bin: DepthBin::EMPTY,
            time: range.t0.max(0.0),
            edge: 0.0,
            mean,
            min,
            max,
            wait_mean,
            wait_max,
            starved,
        };
        series.edge = series.right_edge();
        series
    }

    fn right_edge(&self) -> f64 {
        self.range.t0 + self.range.length() * (self.mean.len() + 1) as f64 / self.n as f64
    }

    /// Adds an interval that reaches the right edge of the current bin, and perhaps of many bins.
    fn cross(&mut self, interval: &DepthInterval, to: f64) {
        while to >= self.edge && self.mean.len() < self.n {
            if self.edge > self.time {
                self.bin.add(interval, self.edge - self.time);
                self.time = self.edge;
            }
            self.close();
        }
        if self.mean.len() < self.n {
            self.bin.add(interval, to - self.time);
            self.time = to;
        }
    }

    /// Ends the current bin. Without any time in the trace its values are 0.
    fn close(&mut self) {
        let bin = self.bin;
        let share = |sum: f64| if bin.time > 0.0 { sum / bin.time } else { 0.0 };
        self.mean.push(share(bin.depth));
        self.min
            .push(f64::from(if bin.min == u32::MAX { 0 } else { bin.min }));
        self.max.push(f64::from(bin.max));
        self.wait_mean.push(share(bin.waiting));
        self.wait_max.push(f64::from(bin.max_waiting));
        self.starved.push(share(bin.starved));
        self.bin = DepthBin::EMPTY;
        self.edge = self.right_edge();
    }

    fn finish(mut self) -> DepthAnswer {
        while self.mean.len() < self.n {
            self.close();
        }
        DepthAnswer {
            mean: self.mean,
            min: self.min,
            max: self.max,
            wait_mean: self.wait_mean,
            wait_max: self.wait_max,
            starved: self.starved,
        }
    }
}

impl DepthSink for DepthSeries {
    /// Takes a block that ends within the current bin and continues exactly where the last one
    /// ended.
    fn block(&mut self, block: &DepthBlock) -> bool {
        let to = block.to as f64;
        if to >= self.edge || block.from as f64 != self.time {
            return false;
        }
        let bin = &mut self.bin;
        bin.time += to - self.time;
        bin.depth += block.depth;
        bin.waiting += block.waiting;
        bin.starved += block.starved as f64;
        bin.min = bin.min.min(block.min);
        bin.max = bin.max.max(block.max);
        bin.max_waiting = bin.max_waiting.max(block.max_waiting);
        self.time = to;
        true
    }

    #[inline]
    fn interval(&mut self, interval: &DepthInterval) {
        let to = interval.to as f64;
        if to < self.edge {
            self.bin.add(interval, (to - self.time).max(0.0));
            self.time = self.time.max(to);
        } else {
            self.cross(interval, to.min(self.range.t1));
        }
    }
}

/// Answers `depth`. A bin that extends beyond the trace is weighted over the part inside.
pub fn depth(view: View, query: &DepthQuery) -> Result<DepthAnswer, BadQuery> {
    let mut series = DepthSeries::new(cells(query.n), query.range);
    visit(view, query.device, query.range, &mut series)?;
    Ok(series.finish())
}

/// The first starved intervals.
struct StarvedIntervals {
    range: TimeRange,
    /// Maximum number of intervals.
    limit: usize,
    /// Begin, end, begin, ...
    found: Vec<f64>,
    /// False: there are more intervals than `limit`.
    exact: bool,
}

impl DepthSink for StarvedIntervals {
    /// Takes a block that adds nothing to the list.
    fn block(&mut self, block: &DepthBlock) -> bool {
        block.starved == 0 || !self.exact
    }

    #[inline]
    fn interval(&mut self, interval: &DepthInterval) {
        let (from, to) = (
            (interval.from as f64).max(self.range.t0),
            (interval.to as f64).min(self.range.t1),
        );
        if !self.exact || !interval.is_starved() || from >= to {
            return;
        }
        if self.found.last() == Some(&from) {
            self.found.pop();
            self.found.push(to);
        } else if self.found.len() < 2 * self.limit {
            self.found.extend([from, to]);
        } else {
            self.exact = false;
        }
    }
}

/// Answers `starved`.
pub fn starved(view: View, query: &StarvedQuery) -> Result<StarvedTimes, BadQuery> {
    let mut intervals = StarvedIntervals {
        range: query.range,
        limit: cells(query.most),
        found: Vec::new(),
        exact: true,
    };
    visit(view, query.device, query.range, &mut intervals)?;
    Ok(StarvedTimes {
        intervals: intervals.found,
        exact: intervals.exact,
    })
}
