//! How large a trace is, from the first and last bytes of its files: known before it is read.

use super::Probe;
use crate::error::{Error, Problem};
use crate::event::Action;
use crate::format::{Decoder, Record};
use crate::store::TimeWindow;
use crate::store::memory::{CAPACITY, bytes_of};
use serde::Serialize;

/// A window that is offered leaves so much of the memory free: events are not spread evenly.
const OFFERED: f64 = 0.8;

/// What to expect of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceEstimate {
    /// About so many, of the window if there is one.
    pub events: u64,
    /// Memory that they take.
    pub bytes: u64,
    /// Events that fit into memory, about.
    pub fits: u64,
    /// From the first to the last event of the files, ns.
    pub length: u64,
    /// A part that fits, if the trace does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<TimeWindow>,
    /// That it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

/// What was found in the ends of files.
#[derive(Clone, Copy, Debug, Default)]
struct EndSample {
    events: u64,
    issues: u64,
    completions: u64,
    bios: u64,
    times: Option<(u64, u64)>,
}

impl EndSample {
    fn scan(&mut self, bytes: &[u8]) {
        let mut decoder = Decoder::new();
        let mut sink = |record: Record<'_>| {
            let time = match record {
                Record::Event(e) | Record::Command(e, _) => {
                    self.events += 1;
                    self.issues += u64::from(e.action == Action::Issue);
                    self.completions += u64::from(e.action == Action::Complete);
                    self.bios += u64::from(e.action == Action::Queue);
                    e.time
                }
                Record::Message { time, .. } => time,
                _ => return,
            };
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        };
        decoder.feed(bytes, &mut sink);
        decoder.finish(&mut sink);
    }

    /// Rows of requests among its events.
    fn requests(&self) -> u64 {
        [self.issues, self.completions, self.bios].into_iter().find(|&rows| rows > 0).unwrap_or(0)
    }
}

/// Estimates the trace of these files, or a window of it, for a memory of `capacity` bytes (absent: what WebAssembly has).
pub fn estimate(files: &[Probe], window: Option<TimeWindow>, capacity: Option<u64>) -> TraceEstimate {
    let capacity = capacity.unwrap_or(CAPACITY);
    let (mut events, mut requests) = (0.0, 0.0);
    let mut times: Option<(u64, u64)> = None;
    for probe in files {
        let mut sample = EndSample::default();
        sample.scan(&probe.head);
        let mut sampled = probe.head.len();
        if probe.size > sampled as u64 {
            sample.scan(&probe.tail);
            sampled += probe.tail.len();
        }
        let times_as_many = probe.size as f64 / sampled.max(1) as f64;
        events += sample.events as f64 * times_as_many;
        requests += sample.requests() as f64 * times_as_many;
        times = match (times, sample.times) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }
    let length = times.map_or(0, |(first, last)| last - first);
    let share = window.map_or(1.0, |w| w.to.min(length).saturating_sub(w.from) as f64 / length.max(1) as f64);
    let bytes = bytes_of((events * share) as u64, (requests * share) as u64);
    let fits = (events * share * capacity as f64 / bytes.max(1) as f64) as u64;
    let mut estimate = TraceEstimate { events: (events * share) as u64, bytes, fits, length, window: None, error: None };
    if bytes > capacity {
        let part = capacity as f64 / bytes_of(events as u64, requests as u64).max(1) as f64 * OFFERED;
        let from = window.map_or(0, |w| w.from).min(length);
        let to = from.saturating_add(rounded((length as f64 * part) as u64));
        let offer = TimeWindow { from, to };
        estimate.window = (to > from).then_some(offer);
        let of = window.map_or(length, |w| w.to.min(length).saturating_sub(w.from));
        estimate.error = Some(Problem::TooLarge { events: estimate.events, fits, length: of }.into());
    }
    estimate
}

/// Rounded down to two digits.
fn rounded(ns: u64) -> u64 {
    let mut unit = 1;
    while ns / unit >= 100 {
        unit *= 10;
    }
    ns / unit * unit
}
