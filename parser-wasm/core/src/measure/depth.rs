//! Queue depth, waiting, and what the device did with its time.
//!
//! d(t): requests with D and no last C; a requeue ends a D. w(t): bios queued and not yet part of an issued request. Both are step
//! functions. Depth is weighed by time over [first D, last C]; waiting, starved time and the four states over [first Q, last C],
//! which the states fill without gap or overlap:
//! starved (d = 0, w > 0), busy while others wait (d > 0, w > 0), busy with none waiting (d > 0, w = 0), nobody asks (d = 0, w = 0).
//! All of it only makes sense on a device with requests (D), and w also needs Q.

use super::ratio;
use super::span::{Span, Window};
use crate::store::{Effect, Store};
use serde::Serialize;

/// A time during which neither d nor w changes, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthPiece {
    /// Begin.
    pub from: u64,
    /// End; equal to `from` between two events of the same ns.
    pub to: u64,
    /// Requests in flight.
    pub depth: u32,
    /// Bios waiting.
    pub waiting: u32,
}

impl DepthPiece {
    /// Its part between two times; absent when no time is left.
    fn clip(mut self, (from, to): (u64, u64)) -> Option<DepthPiece> {
        self.from = self.from.max(from);
        self.to = self.to.min(to);
        (self.from < self.to).then_some(self)
    }

    /// Length, ns.
    pub fn len(&self) -> u64 {
        self.to - self.from
    }

    /// Whether it is between two events of the same ns.
    pub fn is_empty(&self) -> bool {
        self.from == self.to
    }

    /// Whether bios wait while nothing is in flight.
    pub fn is_starved(&self) -> bool {
        self.depth == 0 && self.waiting > 0
    }
}

/// Turns a device's events into pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthSteps {
    at: u64,
    depth: i32,
    waiting: i32,
}

impl DepthSteps {
    /// Begins at `at` with this depth and waiting.
    pub fn new(at: u64, (depth, waiting): (i32, i32)) -> DepthSteps {
        DepthSteps { at, depth, waiting }
    }

    /// The piece that ends at `time`, when an event has this effect.
    #[inline]
    pub fn step(&mut self, time: u64, effect: Effect) -> DepthPiece {
        let to = time.max(self.at);
        let piece = DepthPiece { from: self.at, to, depth: self.depth.max(0) as u32, waiting: self.waiting.max(0) as u32 };
        self.at = to;
        self.depth += effect.depth;
        self.waiting += effect.waiting;
        piece
    }
}

/// Walks through the pieces of one device that fill `from..to`, in time order.
pub fn walk(store: &Store, device: u32, (from, to): (u64, u64), mut visit: impl FnMut(DepthPiece)) {
    let events = &store.events;
    let range = Window { from, to }.events(events);
    let mut steps = DepthSteps::new(from, store.state_before(device, range.start));
    for i in range.filter(|&i| events.device(i) == device) {
        let effect = events.effect(i);
        if effect != Effect::default() {
            visit(steps.step(events.time(i), effect));
        }
    }
    visit(steps.step(to, Effect::default()));
}

/// Requests in flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Depth {
    /// Time-weighted mean.
    pub mean: f64,
    /// The depth not exceeded for half of the time.
    pub p50: u32,
    /// The depth not exceeded for 95 % of the time.
    pub p95: u32,
    /// Most for any time longer than 0 ns.
    pub max: u32,
    /// Share of time at each depth, from 0 on; they add up to 1.
    #[serde(skip)]
    pub shares: Vec<f64>,
}

/// Bios queued and not yet issued.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// Time-weighted mean.
    pub mean: f64,
    /// Most for any time longer than 0 ns.
    pub max: u32,
}

/// Time with nothing in flight while bios wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Starved {
    /// Sum, ns.
    pub total_ns: u64,
    /// Share of [first Q, last C].
    pub share: f64,
    /// Longest interval, ns.
    pub longest_ns: u64,
    /// Intervals longer than 0 ns.
    pub intervals: u64,
}

/// Shares of [first Q, last C]; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct States {
    /// Nothing in flight, bios wait.
    pub starved: f64,
    /// In flight, and bios wait.
    pub busy_waiting: f64,
    /// In flight, none wait.
    pub busy: f64,
    /// Nothing in flight, none wait.
    pub nobody: f64,
}

/// Everything that d and w say about a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    /// Absent when no time lies between first D and last C.
    pub depth: Option<Depth>,
    /// Absent without Q or time.
    pub waiting: Option<Waiting>,
    /// Absent without Q or time.
    pub starved: Option<Starved>,
    /// Absent without Q or time.
    pub states: Option<States>,
}

/// Sums over the pieces of one device.
#[derive(Clone, Debug, Default)]
pub struct UsageCounter {
    active: Option<(u64, u64)>,
    in_flight: (u64, u64),
    /// ns by depth.
    at_depth: Vec<u64>,
    max_depth: u32,
    waiting: u128,
    max_waiting: u32,
    /// ns by state: nobody, starved, busy, busy while others wait.
    states: [u64; 4],
    starved: Starved,
    current: u64,
}

impl UsageCounter {
    /// For a device with this span, in this window; absent without D.
    pub fn new(span: &Span, window: Window) -> Option<UsageCounter> {
        let in_flight = window.clip(span.in_flight()?);
        let active = span.queued.map(|_| window.clip(span.active()));
        Some(UsageCounter { active, in_flight, ..UsageCounter::default() })
    }

    /// Adds the next piece.
    #[inline]
    pub fn add(&mut self, piece: DepthPiece) {
        if let Some(piece) = piece.clip(self.in_flight) {
            let depth = piece.depth as usize;
            if depth >= self.at_depth.len() {
                self.at_depth.resize(depth + 1, 0);
            }
            self.at_depth[depth] += piece.len();
            self.max_depth = self.max_depth.max(piece.depth);
        }
        if let Some(piece) = self.active.and_then(|span| piece.clip(span)) {
            self.waiting += match u32::try_from(piece.len()) {
                Ok(ns) => u128::from(u64::from(piece.waiting) * u64::from(ns)),
                Err(_) => u128::from(piece.waiting) * u128::from(piece.len()),
            };
            self.max_waiting = self.max_waiting.max(piece.waiting);
            self.states[usize::from(piece.depth > 0) * 2 + usize::from(piece.waiting > 0)] += piece.len();
            self.starve(piece);
        }
    }

    fn starve(&mut self, piece: DepthPiece) {
        if piece.is_starved() {
            self.starved.intervals += u64::from(self.current == 0);
            self.current += piece.len();
            self.starved.total_ns += piece.len();
            self.starved.longest_ns = self.starved.longest_ns.max(self.current);
        } else {
            self.current = 0;
        }
    }

    /// The figures.
    pub fn finish(mut self) -> Usage {
        let [nobody, starved, busy, busy_waiting] = self.states.map(u128::from);
        let whole = nobody + starved + busy + busy_waiting;
        self.starved.share = ratio(starved, whole);
        let known = whole > 0;
        Usage {
            depth: self.depth(),
            waiting: known.then(|| Waiting { mean: ratio(self.waiting, whole), max: self.max_waiting }),
            starved: known.then_some(self.starved),
            states: known.then(|| States {
                starved: ratio(starved, whole),
                busy_waiting: ratio(busy_waiting, whole),
                busy: ratio(busy, whole),
                nobody: ratio(nobody, whole),
            }),
        }
    }

    fn depth(&self) -> Option<Depth> {
        let whole: u128 = self.at_depth.iter().map(|&ns| u128::from(ns)).sum();
        let weighed: u128 = self.at_depth.iter().enumerate().map(|(d, &ns)| d as u128 * u128::from(ns)).sum();
        (whole > 0).then(|| Depth {
            mean: ratio(weighed, whole),
            p50: self.depth_quantile(whole, 50),
            p95: self.depth_quantile(whole, 95),
            max: self.max_depth,
            shares: self.at_depth.iter().map(|&ns| ratio(u128::from(ns), whole)).collect(),
        })
    }

    /// The least depth not exceeded for `percent` of the time.
    fn depth_quantile(&self, whole: u128, percent: u128) -> u32 {
        let mut below = 0u128;
        let reached = self.at_depth.iter().position(|&ns| {
            below += u128::from(ns);
            below * 100 >= whole * percent
        });
        reached.unwrap_or(0) as u32
    }
}

/// The figures of one device in a window; absent without D.
pub fn usage(store: &Store, device: u32, span: &Span, window: Window) -> Option<Usage> {
    let mut tally = UsageCounter::new(span, window)?;
    let (from, to) = window.clip(span.active());
    walk(store, device, (from, to), |piece| tally.add(piece));
    Some(tally.finish())
}

/// Intervals (begin, end) in which a device is starved within `from..to`, at most `most` of them, and how many there are.
pub fn starved(store: &Store, device: u32, range: (u64, u64), most: usize) -> (Vec<(u64, u64)>, u64) {
    let (mut intervals, mut total, mut open) = (Vec::<(u64, u64)>::new(), 0u64, false);
    walk(store, device, range, |piece| {
        if piece.is_empty() {
            return;
        }
        if piece.is_starved() {
            if !open {
                total += 1;
                if intervals.len() < most {
                    intervals.push((piece.from, piece.to));
                }
            }
            // Beyond `most` the last one kept is not the one that grows.
            if let Some(last) = intervals.last_mut().filter(|_| total as usize <= most) {
                last.1 = piece.to;
            }
        }
        open = piece.is_starved();
    });
    (intervals, total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixture::store;

    /// Two requests one after the other, the second held back for 20 ns after the first is done.
    const HELD: &str = "0 P -
         10 Q 0+8
         20 D 0+8
         30 Q 8+8
         60 C 0+8
         80 D 8+8
         110 C 8+8
         150 U -";

    fn measured(text: &str, window: Window) -> Option<Usage> {
        let s = store(text);
        usage(&s, 0, &Span::of(&s)[0], window)
    }

    #[test]
    fn depth_waiting_and_states_by_hand() {
        let u = measured(HELD, Window::WHOLE).unwrap();
        // [20, 110]: 70 ns at 1, 20 ns at 0.
        let depth = u.depth.unwrap();
        assert_eq!((depth.mean, depth.p50, depth.p95, depth.max), (70.0 / 90.0, 1, 1, 1));
        assert_eq!(depth.shares, [20.0 / 90.0, 70.0 / 90.0]);
        // [10, 110]: waiting 10..20 and 30..80.
        assert_eq!(u.waiting, Some(Waiting { mean: 0.6, max: 1 }));
        assert_eq!(u.starved, Some(Starved { total_ns: 30, share: 0.3, longest_ns: 20, intervals: 2 }));
        assert_eq!(u.states, Some(States { starved: 0.3, busy_waiting: 0.3, busy: 0.4, nobody: 0.0 }));
    }

    #[test]
    fn a_window_cuts_the_spans() {
        let u = measured(HELD, Window { from: 50, to: 90 }).unwrap();
        assert_eq!(u.depth.map(|d| d.mean), Some(0.5));
        assert_eq!(u.starved, Some(Starved { total_ns: 20, share: 0.5, longest_ns: 20, intervals: 1 }));
        let outside = measured(HELD, Window { from: 120, to: 140 }).unwrap();
        assert_eq!(outside, Usage { depth: None, waiting: None, starved: None, states: None });
    }

    #[test]
    fn a_merged_bio_waits_for_its_request_and_a_new_bio_does_not_split_the_interval() {
        let u = measured("0 Q 0+8\n10 Q 8+8\n30 D 0+16\n40 C 0+16", Window::WHOLE).unwrap();
        assert_eq!(u.waiting, Some(Waiting { mean: 50.0 / 40.0, max: 2 }));
        assert_eq!(u.starved, Some(Starved { total_ns: 30, share: 0.75, longest_ns: 30, intervals: 1 }));
    }

    #[test]
    fn without_d_nothing_and_without_q_only_depth() {
        assert_eq!(measured("0 Q 0+8\n9 C 0+8", Window::WHOLE), None);
        let u = measured("0 D 0+8\n9 C 0+8\n10 D 8+8", Window::WHOLE).unwrap();
        assert_eq!((u.depth.map(|d| d.mean), u.waiting, u.states), (Some(1.0), None, None));
    }

    #[test]
    fn requests_never_completed_stay_in_flight() {
        let u = measured("0 Q 0+8\n0 Q 8+8\n0 D 0+8\n0 D 8+8\n10 C 0+8", Window::WHOLE).unwrap();
        assert_eq!(u.depth.map(|d| (d.mean, d.max)), Some((2.0, 2)));
        let u = measured("0 Q 0+8\n4 D 0+8\n8 Q 8+8", Window::WHOLE).unwrap();
        assert_eq!(u.depth.map(|d| d.mean), Some(1.0));
    }

    #[test]
    fn intervals_are_joined_cut_and_counted() {
        let s = store(HELD);
        assert_eq!(starved(&s, 0, (0, 150), 9), (vec![(10, 20), (60, 80)], 2));
        assert_eq!(starved(&s, 0, (65, 70), 9), (vec![(65, 70)], 1));
        assert_eq!(starved(&s, 0, (0, 150), 1), (vec![(10, 20)], 2));
        assert_eq!(starved(&s, 1, (0, 150), 1), (vec![], 0));
    }
}
