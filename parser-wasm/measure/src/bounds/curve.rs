//! The depth-latency curve of a run: its time is cut into windows, and windows of about the same
//! mean depth are one point.

use crate::ratio;
use std::collections::BTreeMap;

/// Windows of a run.
const WINDOWS: usize = 256;
/// Minimum number of windows of a point.
const MIN_WINDOWS: u64 = 8;
/// Minimum number of requests of a point.
const MIN_REQUESTS: u64 = 20;
/// Points per doubling of the depth.
const POINTS: f64 = 4.0;
/// Smallest depth with a point of its own.
const MIN_DEPTH: f64 = 0.25;

/// A point of the depth-latency curve: requests in flight, mean D2C in ns, and completions per
/// second.
pub type DepthPoint = (f64, f64, f64);

/// Sums of one window, or of several.
#[derive(Clone, Copy, Debug, Default)]
struct WindowSums {
    /// Time of requests in flight, ns.
    in_flight: u128,
    /// Sum of the D2C of the completed requests, ns.
    latency: u128,
    completed: u64,
    windows: u64,
}

impl WindowSums {
    fn merge(&mut self, other: &WindowSums) {
        self.in_flight += other.in_flight;
        self.latency += other.latency;
        self.completed += other.completed;
        self.windows += other.windows;
    }
}

/// Collects the windows. A request that spans many of them costs no more than another one: the
/// windows that it fills are kept as a difference at either end.
pub(super) struct Curve {
    from: u64,
    to: u64,
    width: u64,
    windows: Vec<WindowSums>,
    /// Requests that fill a window beyond those that fill the window before it.
    filled: Vec<i64>,
}

impl Curve {
    pub fn new((from, to): (u64, u64)) -> Curve {
        let width = (to - from).div_ceil(WINDOWS as u64).max(1);
        let count = (to - from).div_ceil(width) as usize;
        Curve {
            from,
            to,
            width,
            windows: vec![WindowSums::default(); count],
            filled: vec![0; count + 1],
        }
    }

    /// Adds a request that was in flight from `start` to `completed`.
    pub fn add(&mut self, start: u64, completed: u64) {
        let within = |time: u64| time.clamp(self.from, self.to) - self.from;
        let (begin, end) = (within(start), within(completed));
        let last = self.windows.len() - 1;
        let [first, last] = [begin, end].map(|ns| ((ns / self.width) as usize).min(last));
        let edge = |window: usize| window as u64 * self.width;
        if first == last {
            self.windows[first].in_flight += u128::from(end - begin);
        } else {
            self.windows[first].in_flight += u128::from(edge(first + 1) - begin);
            self.windows[last].in_flight += u128::from(end - edge(last));
            self.filled[first + 1] += 1;
            self.filled[last] -= 1;
        }
        if completed <= self.to {
            let window = &mut self.windows[last];
            window.completed += 1;
            window.latency += u128::from(completed - start);
        }
    }

    /// Completions per second of the run, its mean depth, and the points of its curve; absent
    /// without completions.
    pub fn finish(self) -> Option<(f64, f64, Vec<DepthPoint>)> {
        let mut points: BTreeMap<i64, WindowSums> = BTreeMap::new();
        let (mut all, mut in_flight, mut filled) = (0, 0, 0);
        for (window, filling) in self.windows.iter().zip(&self.filled) {
            filled += filling;
            all += window.completed;
            let whole = u128::from(filled.max(0) as u64) * u128::from(self.width);
            let window = WindowSums {
                in_flight: window.in_flight + whole,
                windows: 1,
                ..*window
            };
            in_flight += window.in_flight;
            // A window without a completion shows no latency.
            if window.completed > 0 {
                let depth = ratio(window.in_flight, u128::from(self.width)).max(MIN_DEPTH);
                let number = (depth.log2() * POINTS).round() as i64;
                points.entry(number).or_default().merge(&window);
            }
        }
        let point = |sums: &WindowSums| {
            let ns = u128::from(sums.windows) * u128::from(self.width);
            (
                ratio(sums.in_flight, ns),
                ratio(sums.latency, u128::from(sums.completed)),
                ratio(u128::from(sums.completed) * 1_000_000_000, ns),
            )
        };
        let ns = u128::from(self.to - self.from);
        let rate = ratio(u128::from(all) * 1_000_000_000, ns);
        let is_enough = |sums: &&WindowSums| {
            sums.windows >= MIN_WINDOWS && sums.completed >= MIN_REQUESTS && sums.latency > 0
        };
        let curve = points.values().filter(is_enough).map(point).collect();
        (all > 0).then_some((rate, ratio(in_flight, ns), curve))
    }
}
