//! Queue depth, waiting bios, and how the device spent its time.
//!
//! d(t): requests with D and without their last C; a requeue ends a D. w(t): bios queued and not
//! yet part of an issued request. Both are step functions. Depth is weighted by time over [first D,
//! last C]; waiting, starved time and the four states over [first Q, last C], which the states fill
//! without gap or overlap: starved (d = 0, w > 0), busy with others waiting (d > 0, w > 0), busy
//! (d > 0, w = 0), idle (d = 0, w = 0). All of this requires a device with requests (D); w also
//! requires Q.

use super::intervals::{DepthInterval, DepthSteps, walk};
use super::ratio;
use super::span::{Span, Window};
use super::waiting::starved::StarvedTime;
use seekscope_trace::protocol::labels;
use seekscope_trace::store::{Effect, Store};
use serde::Serialize;

labels! {
    /// Names of the parts of a run's time, by the fields of [`States`].
    STATE_NAMES {
        "starved" => "starved (idle while requests wait)",
        "busy_waiting" => "busy, others waiting",
        "busy" => "busy, none waiting",
        "nobody" => "idle (no requests)",
    }
}

/// The queue depth: requests in flight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Depth {
    /// The mean, weighted by time.
    pub mean: f64,
    /// The depth that is not exceeded for half of the time.
    pub p50: u32,
    /// The depth that is not exceeded for 95 % of the time.
    pub p95: u32,
    /// Maximum for any time longer than 0 ns.
    pub max: u32,
    /// Share of time at each depth, from 0; they add up to 1.
    #[serde(skip)]
    pub shares: Vec<f64>,
}

/// Bios that are queued and not issued.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// The mean, weighted by time.
    pub mean: f64,
    /// Maximum for any time longer than 0 ns.
    pub max: u32,
}

/// Time with nothing in flight while bios wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Starved {
    pub total_ns: u64,
    /// Share of the time from the first Q to the last C.
    pub share: f64,
    pub longest_ns: u64,
    /// Number of intervals longer than 0 ns.
    pub intervals: u64,
}

/// Shares of [first Q, last C]; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct States {
    /// Share with nothing in flight while bios wait.
    pub starved: f64,
    /// Share with requests in flight while bios wait.
    pub busy_waiting: f64,
    /// Share with requests in flight while no bio waits.
    pub busy: f64,
    /// Idle: nothing in flight, no bios wait. The name is that of the JSON documents.
    pub nobody: f64,
}

/// Everything derived from d and w of a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Absent if there is no time between first D and last C.
    pub depth: Option<Depth>,
    /// Absent without Q or time.
    pub waiting: Option<Waiting>,
    /// Absent without Q or time.
    pub starved: Option<Starved>,
    /// Absent without Q or time.
    pub states: Option<States>,
}

/// Totals over the intervals of one device.
#[derive(Clone, Debug, Default)]
pub struct UsageCounter {
    active: Option<(u64, u64)>,
    in_flight: (u64, u64),
    /// Time in ns at each depth.
    at_depth: Vec<u64>,
    max_depth: u32,
    waiting: u128,
    max_waiting: u32,
    /// ns by state: idle, starved, busy, busy with others waiting.
    states: [u64; 4],
    starved: Starved,
    /// Length of the starved interval that has not ended, and of the one that it began with.
    current: u64,
    lead: u64,
    /// The starved intervals, where they are collected and are not too many.
    pub starved_time: Option<StarvedTime>,
}

impl UsageCounter {
    /// A counter for a device with this span, in this window; `None` without D.
    pub fn new(span: &Span, window: Window) -> Option<UsageCounter> {
        let in_flight = window.clip(span.in_flight()?);
        let active = span.queued.map(|_| window.clip(span.active()));
        Some(UsageCounter {
            active,
            in_flight,
            ..UsageCounter::default()
        })
    }

    /// A counter for a disk recorded without D: its waiting bios are those between Q and C.
    pub fn of_bios(span: &Span, window: Window) -> UsageCounter {
        UsageCounter {
            active: Some(window.clip(span.active())),
            ..UsageCounter::default()
        }
    }

    /// Takes the intervals that end at changes of the state.
    pub fn add_all(&mut self, steps: &mut DepthSteps, changes: &[(u64, Effect)]) {
        let mut cursor = *steps;
        // Nearly all intervals are within both times.
        let (active, in_flight) = (self.active.unwrap_or((u64::MAX, 0)), self.in_flight);
        let (from, to) = (active.0.max(in_flight.0), active.1.min(in_flight.1));
        for &(time, effect) in changes {
            let interval = cursor.step(time, effect);
            if interval.from >= from && interval.to <= to {
                if !interval.is_empty() {
                    self.note_depth(interval);
                    self.note_state(interval);
                }
            } else {
                self.add(interval);
            }
        }
        *steps = cursor;
    }

    pub fn add(&mut self, interval: DepthInterval) {
        if let Some(interval) = interval.clip(self.in_flight) {
            self.note_depth(interval);
        }
        if let Some(interval) = self.active.and_then(|span| interval.clip(span)) {
            self.note_state(interval);
        }
    }

    #[inline(always)]
    fn note_depth(&mut self, interval: DepthInterval) {
        let depth = interval.depth as usize;
        if depth >= self.at_depth.len() {
            self.at_depth.resize(depth + 1, 0);
        }
        self.at_depth[depth] += interval.len();
        self.max_depth = self.max_depth.max(interval.depth);
    }

    #[inline(always)]
    fn note_state(&mut self, interval: DepthInterval) {
        self.waiting += match u32::try_from(interval.len()) {
            Ok(ns) => u128::from(u64::from(interval.waiting) * u64::from(ns)),
            Err(_) => u128::from(interval.waiting) * u128::from(interval.len()),
        };
        self.max_waiting = self.max_waiting.max(interval.waiting);
        self.states[usize::from(interval.depth > 0) * 2 + usize::from(interval.waiting > 0)] +=
            interval.len();
        if self.current > 0 || interval.is_starved() {
            self.starve(interval);
        }
    }

    fn starve(&mut self, interval: DepthInterval) {
        if interval.is_starved() {
            self.starved.intervals += u64::from(self.current == 0);
            self.current += interval.len();
            self.starved.total_ns += interval.len();
            self.starved.longest_ns = self.starved.longest_ns.max(self.current);
            if self.is_all_starved() {
                self.lead = self.current;
            }
            if let Some(starved_time) = &mut self.starved_time {
                starved_time.add(interval);
                if starved_time.is_full() {
                    self.starved_time = None;
                }
            }
        } else {
            self.current = 0;
        }
    }

    /// Whether there was no time in which it was not starved.
    fn is_all_starved(&self) -> bool {
        let [nobody, _, busy, busy_waiting] = self.states;
        nobody | busy | busy_waiting == 0
    }

    /// Adds the totals of the time that follows. A starved interval may go on in it.
    pub fn append(&mut self, next: &UsageCounter) {
        if next.at_depth.len() > self.at_depth.len() {
            self.at_depth.resize(next.at_depth.len(), 0);
        }
        for (ns, more) in self.at_depth.iter_mut().zip(&next.at_depth) {
            *ns += more;
        }
        self.max_depth = self.max_depth.max(next.max_depth);
        self.waiting += next.waiting;
        self.max_waiting = self.max_waiting.max(next.max_waiting);
        if next.states == [0; 4] {
            return;
        }
        if self.is_all_starved() {
            self.lead = self.current + next.lead;
        }
        let goes_on = self.current > 0 && next.lead > 0;
        let Starved {
            total_ns,
            longest_ns,
            intervals,
            ..
        } = &mut self.starved;
        *total_ns += next.starved.total_ns;
        *intervals += next.starved.intervals - u64::from(goes_on);
        *longest_ns = (*longest_ns)
            .max(next.starved.longest_ns)
            .max(self.current + next.lead);
        self.current = if next.is_all_starved() {
            self.current + next.current
        } else {
            next.current
        };
        for (ns, more) in self.states.iter_mut().zip(next.states) {
            *ns += more;
        }
    }

    pub fn finish(mut self) -> Usage {
        let [nobody, starved, busy, busy_waiting] = self.states.map(u128::from);
        let whole = nobody + starved + busy + busy_waiting;
        self.starved.share = ratio(starved, whole);
        let has_time = whole > 0;
        Usage {
            depth: self.depth(),
            waiting: has_time.then(|| Waiting {
                mean: ratio(self.waiting, whole),
                max: self.max_waiting,
            }),
            starved: has_time.then_some(self.starved),
            states: has_time.then(|| States {
                starved: ratio(starved, whole),
                busy_waiting: ratio(busy_waiting, whole),
                busy: ratio(busy, whole),
                nobody: ratio(nobody, whole),
            }),
        }
    }

    fn depth(&self) -> Option<Depth> {
        let whole: u128 = self.at_depth.iter().map(|&ns| u128::from(ns)).sum();
        let weighed: u128 = self
            .at_depth
            .iter()
            .enumerate()
            .map(|(d, &ns)| d as u128 * u128::from(ns))
            .sum();
        (whole > 0).then(|| Depth {
            mean: ratio(weighed, whole),
            p50: self.depth_quantile(whole, 50),
            p95: self.depth_quantile(whole, 95),
            max: self.max_depth,
            shares: self
                .at_depth
                .iter()
                .map(|&ns| ratio(u128::from(ns), whole))
                .collect(),
        })
    }

    /// The smallest depth not exceeded for `percent` of the time.
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
    walk(store, device, (from, to), |interval| tally.add(interval));
    Some(tally.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    /// Two requests one after the other; the second one is issued 20 ns after the first one
    /// completes.
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
        usage(&s, 0, &Span::of_devices(&s)[0], window)
    }

    #[test]
    fn depth_waiting_and_states_by_hand() {
        let u = measured(HELD, Window::WHOLE).unwrap();
        // [20, 110]: 70 ns at 1, 20 ns at 0.
        let depth = u.depth.unwrap();
        assert_eq!(
            (depth.mean, depth.p50, depth.p95, depth.max),
            (70.0 / 90.0, 1, 1, 1)
        );
        assert_eq!(depth.shares, [20.0 / 90.0, 70.0 / 90.0]);
        // In [10, 110] bios wait for 10..20 and 30..80.
        assert_eq!(u.waiting, Some(Waiting { mean: 0.6, max: 1 }));
        assert_eq!(
            u.starved,
            Some(Starved {
                total_ns: 30,
                share: 0.3,
                longest_ns: 20,
                intervals: 2
            })
        );
        assert_eq!(
            u.states,
            Some(States {
                starved: 0.3,
                busy_waiting: 0.3,
                busy: 0.4,
                nobody: 0.0
            })
        );
    }

    #[test]
    fn a_window_cuts_the_spans() {
        let u = measured(HELD, Window { from: 50, to: 90 }).unwrap();
        assert_eq!(u.depth.map(|d| d.mean), Some(0.5));
        assert_eq!(
            u.starved,
            Some(Starved {
                total_ns: 20,
                share: 0.5,
                longest_ns: 20,
                intervals: 1
            })
        );
        let outside = measured(HELD, Window { from: 120, to: 140 }).unwrap();
        assert_eq!(
            outside,
            Usage {
                depth: None,
                waiting: None,
                starved: None,
                states: None
            }
        );
    }

    #[test]
    fn a_merged_bio_waits_for_its_request_and_a_new_bio_does_not_split_the_interval() {
        let u = measured("0 Q 0+8\n10 Q 8+8\n30 D 0+16\n40 C 0+16", Window::WHOLE).unwrap();
        assert_eq!(
            u.waiting,
            Some(Waiting {
                mean: 50.0 / 40.0,
                max: 2
            })
        );
        assert_eq!(
            u.starved,
            Some(Starved {
                total_ns: 30,
                share: 0.75,
                longest_ns: 30,
                intervals: 1
            })
        );
    }

    #[test]
    fn without_d_nothing_and_without_q_only_depth() {
        assert_eq!(measured("0 Q 0+8\n9 C 0+8", Window::WHOLE), None);
        let u = measured("0 D 0+8\n9 C 0+8\n10 D 8+8", Window::WHOLE).unwrap();
        assert_eq!(
            (u.depth.map(|d| d.mean), u.waiting, u.states),
            (Some(1.0), None, None)
        );
    }

    #[test]
    fn requests_never_completed_stay_in_flight() {
        let u = measured(
            "0 Q 0+8\n0 Q 8+8\n0 D 0+8\n0 D 8+8\n10 C 0+8",
            Window::WHOLE,
        )
        .unwrap();
        assert_eq!(u.depth.map(|d| (d.mean, d.max)), Some((2.0, 2)));
        let u = measured("0 Q 0+8\n4 D 0+8\n8 Q 8+8", Window::WHOLE).unwrap();
        assert_eq!(u.depth.map(|d| d.mean), Some(1.0));
    }

    #[test]
    fn parts_that_follow_one_another_are_the_whole() {
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..500 {
            // Short times, few states: starved intervals begin and end at the cuts.
            let mut time = 0;
            let changes: Vec<(u64, Effect)> = (0..next(30))
                .map(|_| {
                    time += next(4);
                    let [depth, waiting] = [next(3), next(3)].map(|change| change as i32 - 1);
                    (time, Effect { depth, waiting })
                })
                .collect();
            let end = time + 2;
            let span = (next(end), end - next(2));
            let counter = |window: Window| UsageCounter {
                active: Some(window.clip(span)),
                in_flight: window.clip((span.0 / 2, end)),
                starved_time: Some(StarvedTime::default()),
                ..UsageCounter::default()
            };
            let mut alone = counter(Window::WHOLE);
            let mut steps = DepthSteps::default();
            alone.add_all(&mut steps, &changes);
            alone.add(steps.step(end, Effect::default()));
            let mut joined = counter(Window::WHOLE);
            let (mut steps, mut from, mut rest) = (DepthSteps::default(), 0, changes.as_slice());
            while from < end {
                let window = Window {
                    from,
                    to: (from + 1 + next(9)).min(end),
                };
                let (events, later) =
                    rest.split_at(rest.partition_point(|change| change.0 < window.to));
                let mut part = counter(window);
                part.starved_time = joined.starved_time.take();
                part.add_all(&mut steps, events);
                part.add(steps.step(window.to, Effect::default()));
                joined.append(&part);
                joined.starved_time = part.starved_time;
                (from, rest) = (window.to, later);
            }
            assert_eq!(
                joined.starved_time, alone.starved_time,
                "{changes:?} in {span:?}"
            );
            assert_eq!(joined.finish(), alone.finish(), "{changes:?} in {span:?}");
        }
    }

    #[test]
    fn what_never_completes_is_given_up_after_twice_the_longest_time() {
        let mean = |text: &str| measured(text, Window::WHOLE).and_then(|u| u.depth);
        // The lost request is in flight for 0..20, the others for 0..10 and 90..100.
        let lost = "0 D 0+8\n0 D 8+8\n10 C 8+8\n20 D 16+8\n30 C 16+8\n90 D 24+8\n100 C 24+8";
        assert_eq!(mean(lost).map(|d| d.mean), Some(50.0 / 100.0));
        // The open request was issued too shortly before the end to be given up.
        let open = "0 D 8+8\n10 C 8+8\n20 D 16+8\n30 P -";
        assert_eq!(mean(open).map(|d| d.mean), Some(1.0));
    }
}
