//! The 95 % interval of each point of a percentile curve, by blocks of consecutive bins of time
//! (`compare::statistics::percentile`).
//!
//! For each point the estimate needs, bin by bin, how many samples are up to the value of the point
//! and how many there are in all. One pass counts each sample in the *first* point that reaches its
//! value; the running sum over the points then gives the samples up to each. So the requests are
//! visited once, not once per point.

use crate::query::TimeRange;
use crate::select::Selection;
use crate::view::View;
use seekscope_compare::statistics::percentile::{ShareError, share_error};
use seekscope_measure::Histogram;
use seekscope_measure::figures::bins::bin_width;
use seekscope_measure::histogram::bucket;
use seekscope_measure::latency::stage;
use seekscope_trace::store::Stage;

/// Lower and upper ends of the intervals, ns, one per point of the curve. Both are NaN where too
/// few independent requests are left; the upper one is NaN where it is beyond the largest sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PercentileBand {
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

/// The intervals for a curve of shares (ascending) and their values, ns. `histogram` must have the
/// samples from which the curve was made.
pub fn percentile_band(
    view: View,
    selection: &Selection,
    (range, name): (TimeRange, Stage),
    curve: &[(f64, f64)],
    histogram: &Histogram,
) -> PercentileBand {
    let requests = &view.store.requests;
    let selected = view.starting(range);
    let mut band = PercentileBand::default();
    if selected.is_empty() || curve.is_empty() {
        return band;
    }
    let from = requests.row(selected.start).start();
    let ns = requests
        .row(selected.end - 1)
        .start()
        .saturating_sub(from)
        .saturating_add(1);
    let width = bin_width(ns);
    // For each bucket of the histogram the first point whose value is not below it.
    let points: Vec<usize> = curve.iter().map(|point| bucket(point.1 as u64)).collect();
    let first: Vec<usize> = (0..=points[points.len() - 1])
        .map(|b| points.partition_point(|&point| point < b))
        .collect();
    let mut bins = vec![vec![0u32; points.len() + 1]; ns.div_ceil(width) as usize];
    let (mut index, mut bin) = (0, 0..width);
    requests.each(selected, |row| {
        // Requests of a damaged recording can be out of order.
        let time = row.start().saturating_sub(from);
        if !bin.contains(&time) {
            let begin = time / width * width;
            (index, bin) = (
                ((time / width) as usize).min(bins.len() - 1),
                begin..begin.saturating_add(width),
            );
        }
        if selection.takes(row)
            && let Some(ns) = stage(row, name)
        {
            bins[index][first.get(bucket(ns)).copied().unwrap_or(points.len())] += 1;
        }
    });
    let mut sums: Vec<(f64, f64)> = bins
        .iter()
        .map(|counts| (0.0, counts.iter().map(|&n| f64::from(n)).sum::<f64>()))
        .collect();
    for (k, &(share, value)) in curve.iter().enumerate() {
        sums.iter_mut()
            .zip(&bins)
            .for_each(|(sum, counts)| sum.0 += f64::from(counts[k]));
        let end = |share: f64| histogram.near(share).map_or(f64::NAN, |ns| ns as f64);
        let (low, high) = match share_error(share, &sums) {
            Some(ShareError::Reach(reach)) if share > 0.0 && share < 1.0 => {
                let high = if share + reach < 1.0 {
                    end(share + reach).max(value)
                } else {
                    f64::NAN
                };
                (end((share - reach).max(0.0)).min(value), high)
            }
            _ => (f64::NAN, f64::NAN),
        };
        band.low.push(low);
        band.high.push(high);
    }
    band
}
