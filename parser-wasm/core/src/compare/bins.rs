//! Figures per bin of a run: how much they vary within it.

use super::estimate::Estimate;
use super::metric::{Metric, MetricInput};
use crate::measure::figures::of_device;
use crate::measure::{Span, Window};
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Minimum number of bins of a run, more if they would be longer than `LONGEST_BIN`.
const LEAST_BINS: u64 = 30;
/// Maximum number of bins of a run.
const MOST_BINS: u64 = 600;
/// Maximum length of a bin, ns.
const LONGEST_BIN: u64 = 1_000_000_000;

/// Sums per bin of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunBins {
    /// Length of each, ns.
    pub width: u64,
    /// Numerator and denominator of each bin, by key of the figure; both 0 where the figure does not apply.
    pub sums: BTreeMap<String, Vec<(f64, f64)>>,
    /// Standard error and degrees of freedom of each figure, estimated from `sums` once per trace: a matrix of 20 runs would otherwise
    /// resample them for every pair. Absent for figures whose error cannot be estimated, and in digests of snapshots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, (f64, f64)>,
}

/// The bins of a device's active time, and the one with the longest starved interval.
pub fn bins_of(
    store: &Store,
    (index, span): (usize, &Span),
    (from, to): (u64, u64),
    values: &BTreeMap<String, f64>,
    list: &[Metric],
) -> (RunBins, Option<usize>) {
    let (mut bins, mut starved_bin) = (RunBins::default(), None);
    let ns = to - from;
    if ns == 0 {
        return (bins, starved_bin);
    }
    let width = ns.div_ceil(LEAST_BINS).clamp(1, LONGEST_BIN).max(ns.div_ceil(MOST_BINS));
    // The remainder belongs to the last bin: a completion in a very short bin would be a peak.
    let n = (ns / width + u64::from(ns % width >= width.div_ceil(2))).max(1);
    let mut longest = 0;
    for bin in 0..n {
        let begin = from + bin * width;
        let end = if bin + 1 == n { to.saturating_add(1) } else { begin + width };
        let window = Window { from: begin, to: end };
        let Some(figures) = of_device(store, index, span, window) else { return (bins, starved_bin) };
        if let Some(starved) = figures.usage.as_ref().and_then(|u| u.starved)
            && starved.longest_ns > longest
        {
            longest = starved.longest_ns;
            starved_bin = Some(bin as usize);
        }
        let subject = MetricInput {
            device: &store.devices[index],
            figures: &figures,
            capabilities: store.capabilities,
            ns: window.to - window.from,
        };
        for figure in list.iter().filter(|figure| values.contains_key(&figure.key)) {
            let Some(sums) = &figure.sums else { continue };
            let (over, under) = sums(subject).unwrap_or_default();
            bins.sums.entry(figure.key.clone()).or_default().push((over, under));
        }
    }
    bins.width = width;
    for (key, sums) in &bins.sums {
        let value = values.get(key).copied().unwrap_or_default();
        if let Some(error) = Estimate::of_bins(value, sums).error {
            bins.errors.insert(key.clone(), (error.standard_error, error.freedom));
        }
    }
    (bins, starved_bin)
}
