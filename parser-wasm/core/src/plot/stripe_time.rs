//! Where within the stripe requests begin, over time, and how many stripes were written whole and in part.

use super::answer::{Answer, BadQuery};
use super::ask::{Filter, GeometryAsk, Span, cells};
use super::reach::View;
use super::select::Selection;
use crate::event::Op;
use crate::measure::array::Arrays;
use crate::measure::coverage::{Coverage, OverTime};
use serde::Deserialize;

/// Parameters of `stripeTime`.
#[derive(Clone, Debug, Deserialize)]
pub struct StripeTimeAsk {
    /// Which requests.
    pub filter: Filter,
    /// Left and right edge.
    pub range: Span,
    /// Of the array.
    pub geometry: GeometryAsk,
    /// Pixel columns, and bins of the stripes.
    pub w: f64,
    /// Pixel rows over the stripe, its start at the bottom.
    pub h: f64,
}

/// Answers `stripeTime`. A request with data counts in the column in which it starts and the row in which it begins; a stripe in the
/// column in which its visit began.
pub fn stripe_time(view: View, ask: &StripeTimeAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let geometry = ask.geometry.geometry()?;
    let (w, h, range) = (cells(ask.w), cells(ask.h), ask.range);
    let arrays = Arrays::of(view.store);
    let over = OverTime::new(range.t0, range.t1, w);
    let mut coverage = Coverage::new(geometry, view.store, &arrays, ask.filter.device).over(over);
    let (mut reads, mut writes) = (vec![0u32; w * h], vec![0u32; w * h]);
    let (mut n, mut max, mut begin_whole) = (0u64, 0, 0u64);
    let r = &view.store.requests;
    if !reads.is_empty() && range.length() > 0.0 {
        for (x, rows) in view.columns(range, w).enumerate() {
            for row in rows.filter(|&row| r.sectors(row) > 0 && selection.takes(row)) {
                coverage.add(view.store, row);
                let counts = match r.op(row) {
                    Op::Read => &mut reads,
                    Op::Write => &mut writes,
                    Op::Discard | Op::Flush => continue,
                };
                let place = geometry.place(r.sector(row)).1;
                let up = (u128::from(place) * h as u128 / u128::from(geometry.stripe())) as usize;
                counts[x * h + (h - 1 - up.min(h - 1))] += 1;
                n += 1;
                begin_whole += u64::from(place == 0);
            }
        }
        max = reads.iter().zip(&writes).map(|(a, b)| a + b).max().unwrap_or(0);
    }
    let over_time = coverage.finish().over_time;
    Ok(Answer::Object(vec![
        ("w", w.into()),
        ("h", h.into()),
        ("n", n.into()),
        ("atStart", begin_whole.into()),
        ("reads", reads.into()),
        ("writes", writes.into()),
        ("max", max.into()),
        ("full", over_time.full.into()),
        ("partial", over_time.partial.into()),
    ]))
}
