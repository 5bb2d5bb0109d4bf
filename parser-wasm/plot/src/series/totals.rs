//! What a device completed, and how long it was starved, from the begin of the trace to any time.
//! Playback needs both 60 times a second at any place of a long recording, so the sums are kept at
//! equal steps of time, and only the rest of a step is visited.

use super::moments::each;
use super::rate_blocks::counts;
use crate::query::{Filter, TimeRange};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::intervals::walk;
use seekscope_trace::event::{Action, Op};
use std::rc::Rc;

/// Steps of time per trace.
const STEPS: u64 = 8192;
/// Filters whose sums are kept.
const KEPT: usize = 4;

/// Sums from the begin of the trace on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Completed reads and writes, by the rules of `measure::throughput`.
    pub ios: u64,
    pub bytes: u64,
    /// ns.
    pub starved: u64,
}

/// The sums of a filter.
#[derive(Clone, Debug)]
pub struct Totals {
    step: u64,
    /// Of everything before `k * step`.
    at: Vec<Total>,
}

/// The sums of the latest filters, by what was understood of them.
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
    /// The sums of a filter; kept if the trace is complete.
    pub fn of(view: View, filter: &Filter, selection: &Selection) -> Rc<Totals> {
        let meaning = format!("{filter:?}");
        let known = view.kept_totals(|kept| {
            kept.0
                .iter()
                .find(|(of, _)| *of == meaning)
                .map(|(_, totals)| totals.clone())
        });
        if let Some(totals) = known.flatten() {
            return totals;
        }
        let totals = Rc::new(Totals::new(view, filter.device, selection));
        view.kept_totals(|kept| {
            if kept.0.len() >= KEPT {
                kept.0.remove(0);
            }
            kept.0.push((meaning, totals.clone()));
        });
        totals
    }

    fn new(view: View, device: u32, selection: &Selection) -> Totals {
        let span = view.store.span();
        let step = span / STEPS + 1;
        let mut at = vec![Total::default(); (span / step) as usize + 2];
        completed(view, selection, 0, span.saturating_add(1), |time, bytes| {
            let sum = &mut at[(time / step) as usize + 1];
            sum.ios += 1;
            sum.bytes += bytes;
        });
        walk(view.store, device, (0, span), |interval| {
            let mut from = interval.from;
            while interval.is_starved() && from < interval.to {
                let k = from / step + 1;
                let to = k.saturating_mul(step).min(interval.to);
                at[k as usize].starved += to - from;
                from = to;
            }
        });
        let mut sum = Total::default();
        for each in &mut at {
            sum.ios += each.ios;
            sum.bytes += each.bytes;
            sum.starved += each.starved;
            *each = sum;
        }
        Totals { step, at }
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

    /// The step before `t`, and what was before it.
    fn before(&self, t: u64) -> (u64, Total) {
        let k = (t / self.step).min(self.at.len() as u64 - 1);
        (k, self.at[k as usize])
    }
}
