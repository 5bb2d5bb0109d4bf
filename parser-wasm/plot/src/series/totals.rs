//! What a device completed, and how long it was starved, from the begin of the trace to any time.
//! Playback needs both 60 times a second at any place of a long recording, so the sums are kept at
//! equal steps of time, and only the rest of a step is visited.
//!
//! `sums[k]` has everything before `k * step` and nothing else: a completion exactly at the edge
//! belongs to the next step, and a starved interval is divided at the edges. So a sum up to any
//! time equals that of a scan.

use super::moments::each;
use super::rate_blocks::counts;
use crate::query::{Filter, TimeRange};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::intervals::walk;
use seekscope_trace::event::{Action, Op};
use std::rc::Rc;

/// Number of steps of time in a trace, about.
const STEPS: u64 = 8192;
/// Maximum number of filters whose sums are kept.
const MAX_FILTERS: usize = 4;

/// Sums from the begin of the trace on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Completed reads and writes, by the rules of `measure::throughput`.
    pub ios: u64,
    pub bytes: u64,
    /// Starved time, ns.
    pub starved: u64,
}

/// The sums of one filter at equal steps of time.
#[derive(Clone, Debug)]
pub struct Totals {
    /// Length of a step, ns.
    step: u64,
    /// Entry `k` has everything before `k * step`.
    sums: Vec<Total>,
}

/// The sums of the latest filters. The key is the filter as it was parsed, so that other JSON with
/// the same meaning finds them.
#[derive(Clone, Debug, Default)]
pub struct KeptTotals(Vec<(String, Rc<Totals>)>);

impl KeptTotals {
    pub fn memory(&self) -> usize {
        self.0.len() * (STEPS as usize + 1) * size_of::<Total>()
    }
}

/// Visits the reads and writes that were completed from `from` on and before `to`: time and bytes.
fn completed(
    view: View,
    selection: &Selection,
    from: u64,
    to: u64,
    mut visit: impl FnMut(u64, u64),
) {
    // A range that ends with the trace includes its last event.
    each(
        view,
        selection,
        Action::Complete,
        TimeRange {
            t0: from as f64,
            t1: to as f64,
        },
        |m| {
            if m.time < to && counts(m.bytes, m.flags) && matches!(m.op(), Op::Read | Op::Write) {
                visit(m.time, u64::from(m.bytes));
            }
        },
    );
}

impl Totals {
    /// The sums of a filter: kept ones, else computed and kept if the trace is complete.
    pub fn find(view: View, filter: &Filter, selection: &Selection) -> Rc<Totals> {
        let meaning = format!("{filter:?}");
        let previous = view.with_totals(|latest| {
            latest
                .0
                .iter()
                .find(|(filter, _)| *filter == meaning)
                .map(|(_, totals)| totals.clone())
        });
        if let Some(totals) = previous.flatten() {
            return totals;
        }
        let totals = Rc::new(Totals::new(view, filter.device, selection));
        view.with_totals(|latest| {
            if latest.0.len() >= MAX_FILTERS {
                latest.0.remove(0);
            }
            latest.0.push((meaning, totals.clone()));
        });
        totals
    }

    fn new(view: View, device: u32, selection: &Selection) -> Totals {
        let span = view.store.span();
        let step = span / STEPS + 1;
        let mut sums = vec![Total::default(); (span / step) as usize + 2];
        completed(view, selection, 0, span.saturating_add(1), |time, bytes| {
            let sum = &mut sums[(time / step) as usize + 1];
            sum.ios += 1;
            sum.bytes += bytes;
        });
        walk(view.store, device, (0, span), |interval| {
            let mut from = interval.from;
            while interval.is_starved() && from < interval.to {
                let k = from / step + 1;
                let to = k.saturating_mul(step).min(interval.to);
                sums[k as usize].starved += to - from;
                from = to;
            }
        });
        // Until here each entry has only its own step; now they are added up.
        let mut total = Total::default();
        for sum in &mut sums {
            total.ios += sum.ios;
            total.bytes += sum.bytes;
            total.starved += sum.starved;
            *sum = total;
        }
        Totals { step, sums }
    }

    /// Completions up to and including `t`.
    pub fn completed(&self, view: View, selection: &Selection, t: u64) -> Total {
        let (k, mut sum) = self.before(t);
        completed(
            view,
            selection,
            k * self.step,
            t.saturating_add(1),
            |_, bytes| {
                sum.ios += 1;
                sum.bytes += bytes;
            },
        );
        sum
    }

    /// Starved time until `t`, ns.
    pub fn starved(&self, view: View, device: u32, t: u64) -> u64 {
        let (k, sum) = self.before(t);
        let mut starved = sum.starved;
        walk(
            view.store,
            device,
            (k * self.step, t.min(view.store.span())),
            |interval| {
                starved += if interval.is_starved() {
                    interval.len()
                } else {
                    0
                };
            },
        );
        starved
    }

    /// Index of the step that contains `t`, and the sums before that step.
    fn before(&self, t: u64) -> (u64, Total) {
        let k = (t / self.step).min(self.sums.len() as u64 - 1);
        (k, self.sums[k as usize])
    }
}
