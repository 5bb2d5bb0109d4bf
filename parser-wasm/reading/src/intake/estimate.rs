//! Estimates how large a trace will be from pieces of its files, before it is read.

use super::Probe;
use super::spread::EventSpread;
use seekscope_error::{Error, Problem};
use seekscope_trace::protocol::Ns;
use seekscope_trace::store::TimeWindow;
use seekscope_trace::store::memory::{CAPACITY, bytes_of};
use serde::Serialize;

/// A window that is offered leaves so much of the memory free: what is between the pieces is not
/// known.
const OFFERED: f64 = 0.8;

/// The expected size of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceEstimate {
    /// About so many, of the window if there is one.
    pub events: u64,
    /// Memory that its rows will take, bytes.
    pub bytes: u64,
    /// Estimated number of events that fit into memory.
    pub fits: u64,
    /// Memory that is available for rows, bytes.
    pub capacity: u64,
    /// Time from the first to the last event of the files, ns.
    pub length: Ns,
    /// Events of the complete trace in equal slices of its length, if enough of its files was seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over_time: Vec<u64>,
    /// A part that fits, if the trace does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<TimeWindow>,
    /// The error that reading it would end with, if it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

/// Estimates the trace of these files, or a window of it, for a memory of `capacity` bytes (absent:
/// what WebAssembly has).
pub fn estimate(
    files: &[Probe],
    window: Option<TimeWindow>,
    capacity: Option<u64>,
) -> TraceEstimate {
    let capacity = capacity.unwrap_or(CAPACITY);
    let spread = EventSpread::sample(files);
    let length = spread.length;
    let all = spread.events();
    let events = window.map_or(all, |w| spread.between(w.from, w.to));
    let requests = spread.requests * events / all.max(1.0);
    let bytes = bytes_of(events as u64, requests as u64);
    let fits = (events * capacity as f64 / bytes.max(1) as f64) as u64;
    let over_time = if spread.is_known {
        spread
            .slices
            .iter()
            .map(|&events| events.round() as u64)
            .collect()
    } else {
        Vec::new()
    };
    let mut estimate = TraceEstimate {
        events: events as u64,
        bytes,
        fits,
        capacity,
        length,
        over_time,
        window: None,
        error: None,
    };
    if bytes > capacity {
        let from = window.map_or(0, |w| w.from).min(length);
        let until = spread.until(from, fits as f64 * OFFERED);
        let to = from.saturating_add(rounded(until.saturating_sub(from)));
        estimate.window = (to > from).then_some(TimeWindow { from, to });
        let in_window = window.map_or(length, |w| w.to.min(length).saturating_sub(w.from));
        estimate.error = Some(
            Problem::TooLarge {
                events: estimate.events,
                fits,
                length: in_window,
            }
            .into(),
        );
    }
    estimate
}

/// Rounds down to two digits.
fn rounded(ns: u64) -> u64 {
    let mut unit = 1;
    while ns / unit >= 100 {
        unit *= 10;
    }
    ns / unit * unit
}
