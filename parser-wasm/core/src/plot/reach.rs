//! Which rows a time range can touch: for each block of rows, when the first of them begins and the last one ends.

use super::ask::Span;
use crate::measure::Window;
use crate::store::{Requests, Store};
use std::ops::Range;

const BLOCK: usize = 4096;

/// The index. An empty one (while a trace is still being read) knows nothing and rules nothing out.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    blocks: Vec<(u64, u64)>,
}

/// When a request begins: its first Q, else its D.
#[inline]
pub fn begin(requests: &Requests, row: usize) -> u64 {
    requests.queued(row).unwrap_or_else(|| requests.start(row))
}

/// When a request ends; never, when its completion was not seen.
#[inline]
pub fn end(requests: &Requests, row: usize) -> u64 {
    requests.completed(row).unwrap_or(u64::MAX)
}

impl Reach {
    /// The index of a whole trace.
    pub fn of(requests: &Requests) -> Reach {
        let n = requests.len();
        let block = |from: usize| {
            (from..(from + BLOCK).min(n))
                .fold((u64::MAX, 0), |(first, last), row| (first.min(begin(requests, row)), last.max(end(requests, row))))
        };
        Reach { blocks: (0..n).step_by(BLOCK).map(block).collect() }
    }

    /// Memory in bytes.
    pub fn memory(&self) -> usize {
        self.blocks.len() * 16
    }

    /// Whether rows of a block can be alive within `span`, and whether all of them are.
    fn touches(&self, block: usize, span: Span) -> (bool, bool) {
        self.blocks.get(block).map_or((true, false), |&(first, last)| {
            let (first, last) = (first as f64, last as f64);
            (first <= span.t1 && last >= span.t0, first >= span.t0 && last <= span.t1)
        })
    }
}

/// What pictures are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The trace, or what is read of it so far.
    pub store: &'a Store,
    /// Index of the same rows.
    pub reach: &'a Reach,
}

impl<'a> View<'a> {
    /// Whether a moment lies within `span`; one that ends with the trace includes its last event.
    #[inline]
    pub fn holds(&self, span: Span, t: u64) -> bool {
        let t = t as f64;
        t >= span.t0 && (t < span.t1 || t == span.t1 && t == self.store.span() as f64)
    }

    /// The whole ns of `span`; empty when it is reversed.
    pub fn window(&self, span: Span) -> Window {
        let last = u64::from(span.t1 == self.store.span() as f64);
        let from = span.t0.max(0.0).ceil() as u64;
        Window { from, to: (span.t1.max(0.0).ceil() as u64).saturating_add(last).max(from) }
    }

    /// Rows that start (D of a request, Q of a bio) within `span`.
    pub fn starting(&self, span: Span) -> Range<usize> {
        self.window(span).rows(&self.store.requests)
    }

    /// Events within `span`.
    pub fn events(&self, span: Span) -> Range<usize> {
        self.window(span).events(&self.store.events)
    }

    /// Rows that are alive within `span`, ends included: begun (Q) by its end, not yet completed at its start.
    pub fn alive(self, span: Span) -> impl Iterator<Item = usize> + 'a {
        let requests = &self.store.requests;
        let n = requests.len();
        (0..n.div_ceil(BLOCK)).flat_map(move |block| {
            let (any, all) = self.reach.touches(block, span);
            let rows = block * BLOCK..if any { ((block + 1) * BLOCK).min(n) } else { block * BLOCK };
            rows.filter(move |&row| all || (begin(requests, row) as f64) <= span.t1 && end(requests, row) as f64 >= span.t0)
        })
    }

    /// Rows that start within each of `n` equal parts of `span`.
    pub fn columns(self, span: Span, n: usize) -> impl Iterator<Item = Range<usize>> + 'a {
        let requests = &self.store.requests;
        let Range { start, end } = self.starting(span);
        let mut from = start;
        (1..=n).map(move |k| {
            let edge = span.t0 + span.length() * k as f64 / n as f64;
            let to = if k == n { end } else { requests.find(edge.max(0.0).ceil() as u64).clamp(from, end.max(from)) };
            std::mem::replace(&mut from, to)..to
        })
    }
}
