//! Completed bytes and requests per bin of time.
//!
//! Blocks of 512 events with sums per operation (`rate_blocks`) are added as a whole where all of
//! their events are in one bin; as the bin never descends with time, its first and last event show
//! that. All other events are visited. Sums of blocks exist per device and operation, so any other
//! filter visits every event. The result is the same either way.

use super::moments::{EventMoments, Moment, each};
use super::rate_blocks::{BLOCK, OPS, counts};
use crate::answer::{BadQuery, answer_object};
use crate::query::{Filter, TimeRange, cells};
use crate::select::Selection;
use crate::view::View;
use seekscope_trace::event::Action;
use serde::Deserialize;

/// Parameters of `rate`.
#[derive(Clone, Debug, Deserialize)]
pub struct RateQuery {
    pub filter: Filter,
    pub range: TimeRange,
    /// Number of bins.
    pub n: f64,
}

answer_object! {
    /// Completed per bin, by C events; passthrough and flushes are in none. With a filter on
    /// process, CPU or latency a request counts whole in the bin of its last C.
    #[doc(alias = "RateSeries")]
    pub struct RateAnswer {
        read_bytes as "readBytes": Vec<f64>,
        write_bytes as "writeBytes": Vec<f64>,
        discard_bytes as "discardBytes": Vec<f64>,
        read_ios as "readIos": Vec<f64>,
        write_ios as "writeIos": Vec<f64>,
        discard_ios as "discardIos": Vec<f64>,
    }
}

/// Bytes and requests per operation and bin.
struct RateSeries {
    range: TimeRange,
    n: usize,
    per_ns: f64,
    bytes: [Vec<f64>; OPS],
    ios: [Vec<f64>; OPS],
}

impl RateSeries {
    fn new(n: usize, range: TimeRange) -> RateSeries {
        let per_ns = if range.length() > 0.0 {
            n as f64 / range.length()
        } else {
            0.0
        };
        let empty = || std::array::from_fn(|_| vec![0.0; n]);
        RateSeries {
            range,
            n,
            per_ns,
            bytes: empty(),
            ios: empty(),
        }
    }

    /// Index of the bin of a time. It must never descend with time: `rate` relies on that.
    #[inline]
    fn bin(&self, time: u64) -> usize {
        (((time as f64 - self.range.t0) * self.per_ns) as usize).min(self.n.saturating_sub(1))
    }

    #[inline]
    fn add(&mut self, bin: usize, op: usize, bytes: u64, ios: u64) {
        if let Some((b, i)) = self
            .bytes
            .get_mut(op)
            .and_then(|b| b.get_mut(bin))
            .zip(self.ios.get_mut(op).and_then(|i| i.get_mut(bin)))
        {
            *b += bytes as f64;
            *i += ios as f64;
        }
    }

    #[inline]
    fn count(&mut self, m: Moment) {
        if counts(m.bytes, m.flags) {
            self.add(self.bin(m.time), m.op() as usize, u64::from(m.bytes), 1);
        }
    }
}

/// Answers `rate`, by the rules of `measure::throughput`: a request that completes in parts counts
/// once per part; passthrough and requests without data do not count.
pub fn rate(view: View, query: &RateQuery) -> Result<RateAnswer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let mut series = RateSeries::new(cells(query.n), query.range);
    let blocks = selection
        .only_ops()
        .and_then(|hidden| Some((view.rate_blocks(query.filter.device)?, hidden)));
    match blocks {
        Some((blocks, hidden)) => {
            let (events, range) = (&view.store.events, view.events(query.range));
            let moments = EventMoments::new(view, &selection, Action::Complete);
            let mut i = range.start;
            while i < range.end {
                let end = (i / BLOCK + 1) * BLOCK;
                let bin = series.bin(events.time(i));
                if i.is_multiple_of(BLOCK)
                    && end <= range.end
                    && series.bin(events.time(end - 1)) == bin
                {
                    for (op, &(bytes, ios)) in blocks[i / BLOCK]
                        .iter()
                        .enumerate()
                        .filter(|(op, _)| hidden >> op & 1 == 0)
                    {
                        series.add(bin, op, bytes, u64::from(ios));
                    }
                } else {
                    moments.each(i..end.min(range.end), |m| series.count(m));
                }
                i = end;
            }
        }
        None => each(view, &selection, Action::Complete, query.range, |m| {
            series.count(m)
        }),
    }
    let RateSeries { bytes, ios, .. } = series;
    let ([read_bytes, write_bytes, discard_bytes], [read_ios, write_ios, discard_ios]) =
        (bytes, ios);
    Ok(RateAnswer {
        read_bytes,
        write_bytes,
        discard_bytes,
        read_ios,
        write_ios,
        discard_ios,
    })
}
