//! Figures per bin of a run: how much they vary within it.

use super::estimate::{Estimate, FigureError, Uncertain, within};
use super::metric::{Metric, MetricInput};
use super::percentile::{BinnedSamples, PercentileError, PercentileInterval};
use crate::measure::figures::of_device;
use crate::measure::latency::{self, STAGES};
use crate::measure::{Span, Window};
use crate::store::{Store, rows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

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
    /// estimate them for every pair. Absent for figures whose error cannot be estimated, and in digests of snapshots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, (f64, f64)>,
    /// 95 % intervals of percentiles.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub percentiles: BTreeMap<String, PercentileInterval>,
    /// Percentiles that the run has too few requests for, and about how many are needed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub needs: BTreeMap<String, u64>,
    /// 95 % interval of each figure that has an error or bounds, in the figure's unit; no upper end where it is open. In small snapshots
    /// of what charts draw only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub intervals: BTreeMap<String, FigureInterval>,
}

/// Ends of a 95 % interval.
pub type FigureInterval = (f64, Option<f64>);

impl RunBins {
    /// Number of bins.
    pub fn count(&self) -> usize {
        self.sums.values().map(Vec::len).max().unwrap_or(0)
    }

    /// The time of some bins of a device that is active from `from` to `to`, ns since the run's first event. The last bin ends with it.
    pub fn range(&self, (from, to): (u64, u64), bins: Range<usize>) -> (u64, u64) {
        let at = |bin: usize| from.saturating_add((bin as u64).saturating_mul(self.width)).min(to);
        (at(bins.start), if bins.end >= self.count() { to } else { at(bins.end) })
    }

    /// A figure of the run with the error that the run shows within itself; absent without one.
    pub fn estimate(&self, key: &str, value: f64) -> Option<Estimate> {
        let error = match (self.errors.get(key), self.percentiles.get(key)) {
            (Some(&(standard_error, freedom)), _) => FigureError::Standard(Uncertain { standard_error, freedom }),
            (None, Some(found)) => FigureError::Bounds(found.low as f64, found.high.map(|high| high as f64)),
            (None, None) => return None,
        };
        Some(Estimate { value, error: Some(error) })
    }
}

/// Length of the bins of so many ns.
pub fn bin_width(ns: u64) -> u64 {
    ns.div_ceil(LEAST_BINS).clamp(1, LONGEST_BIN).max(ns.div_ceil(MOST_BINS))
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
    let width = bin_width(ns);
    // The remainder belongs to the last bin: a completion in a very short bin would be a peak.
    let n = (ns / width + u64::from(ns % width >= width.div_ceil(2))).max(1);
    let mut longest = 0;
    let window = |bin: u64| {
        let begin = from + bin * width;
        Window { from: begin, to: if bin + 1 == n { to.saturating_add(1) } else { begin + width } }
    };
    for bin in 0..n {
        let window = window(bin);
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
        if let Some(error) = within(value, sums) {
            bins.errors.insert(key.clone(), (error.standard_error, error.freedom));
        }
    }
    for (figure, stage) in list.iter().filter_map(|figure| Some((figure, figure.over_time?))) {
        let value = values.get(&figure.key).copied().unwrap_or_default();
        if let Some(error) = within(value, &store.devices[index].bio_stages.over_time(stage)) {
            bins.errors.insert(figure.key.clone(), (error.standard_error, error.freedom));
        }
    }
    let windows: Vec<Window> = (0..n).map(window).collect();
    add_percentiles(&mut bins, store, index as u32, &windows, values, list);
    let interval = |(key, &value): (&String, &f64)| Some((key.clone(), bins.estimate(key, value)?.interval()?));
    bins.intervals = values.iter().filter_map(interval).collect();
    (bins, starved_bin)
}

fn add_percentiles(
    bins: &mut RunBins,
    store: &Store,
    device: u32,
    windows: &[Window],
    values: &BTreeMap<String, f64>,
    list: &[Metric],
) {
    let requests = &store.requests;
    for stage in STAGES {
        let of_stage = |metric: &&Metric| metric.percentile.is_some_and(|(own, _)| own == stage);
        let wanted = list
            .iter()
            .filter(of_stage)
            .filter_map(|metric| Some((&metric.key, metric.percentile?.1, *values.get(&metric.key)?)));
        let wanted: Vec<(&String, f64, f64)> = wanted.collect();
        if wanted.is_empty() {
            continue;
        }
        let mut samples = BinnedSamples::default();
        for window in windows {
            rows::each(window.rows(requests), |row| {
                if requests.device(row) == device
                    && let Some(ns) = latency::stage(requests, row, stage)
                {
                    samples.push(ns);
                }
            });
            samples.end_bin();
        }
        let shares: Vec<(f64, u64)> = wanted.iter().map(|&(_, share, value)| (share, value as u64)).collect();
        for ((key, ..), error) in wanted.iter().zip(samples.errors(&shares)) {
            match error {
                Some(PercentileError::Interval(interval)) => drop(bins.percentiles.insert((*key).clone(), interval)),
                Some(PercentileError::Needs(n)) => drop(bins.needs.insert((*key).clone(), n)),
                None => {}
            }
        }
    }
}
