//! Figures per bin of a run: how much they vary within it.
//!
//! A run is cut into about 30 to 600 bins of equal length, and every figure that is a quotient is
//! kept as a numerator and a denominator per bin. Errors, intervals, drift and the times of
//! findings are all computed from these sums later, without the trace. The sums over all bins must
//! give the figure of the run, up to a scale. Errors are estimated here, once per trace, and not
//! when two runs are compared.

use crate::metric::{Metric, MetricInput, Sums};
use crate::statistics::estimate::{Estimate, FigureError, Uncertain, within};
use crate::statistics::percentile::{PercentileError, PercentileInterval, RankBounds};
use seekscope_measure::Span;
use seekscope_measure::figures::bins::DeviceBins;
use seekscope_measure::figures::{DeviceWindows, WindowFigures, WindowSamples, in_windows};
use seekscope_measure::latency::{ByStage, STAGES};
use seekscope_trace::outline::outlined;
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::map_of;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// Sums per bin of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunBins {
    /// Length of each, ns.
    pub width: u64,
    /// Numerator and denominator of each bin, by key of the figure; both 0 where the figure does
    /// not apply.
    pub sums: BTreeMap<String, Vec<(f64, f64)>>,
    /// Standard error and degrees of freedom of each figure, estimated from `sums` once per trace:
    /// a matrix of 20 runs would otherwise estimate them for every pair. Absent for figures whose
    /// error cannot be estimated, and in digests of snapshots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, (f64, f64)>,
    /// 95 % intervals of percentiles, by key, ns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub percentiles: BTreeMap<String, PercentileInterval>,
    /// Percentiles that the run has too few requests for, and about how many are needed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub needs: BTreeMap<String, u64>,
    /// 95 % interval of each figure that has an error or bounds, in the figure's unit; no upper end
    /// where it is open. In small snapshots of what charts draw only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub intervals: BTreeMap<String, FigureInterval>,
}

/// 95 % interval of a figure within its run, in the figure's unit; `null`: open.
pub type FigureInterval = (f64, Option<f64>);

impl RunBins {
    /// Number of bins.
    pub fn count(&self) -> usize {
        self.sums.values().map(Vec::len).max().unwrap_or(0)
    }

    /// The time of some bins of a device that is active from `from` to `to`, ns since the run's
    /// first event. The last bin ends with it.
    pub fn range(&self, (from, to): (u64, u64), bins: Range<usize>) -> (u64, u64) {
        let begin = |bin: usize| {
            from.saturating_add((bin as u64).saturating_mul(self.width))
                .min(to)
        };
        (
            begin(bins.start),
            if bins.end >= self.count() {
                to
            } else {
                begin(bins.end)
            },
        )
    }

    /// A figure of the run with the error that the run shows within itself; absent without one.
    pub fn estimate(&self, key: &str, value: f64) -> Option<Estimate> {
        let error = match (self.errors.get(key), self.percentiles.get(key)) {
            (Some(&(standard_error, freedom)), _) => FigureError::Standard(Uncertain {
                standard_error,
                freedom,
            }),
            (None, Some(found)) => {
                FigureError::Bounds(found.low as f64, found.high.map(|high| high as f64))
            }
            (None, None) => return None,
        };
        Some(Estimate {
            value,
            error: Some(error),
        })
    }
}

/// A device whose bins are to be measured.
#[derive(Clone, Copy, Debug)]
pub struct BinnedDevice<'a> {
    pub bins: &'a DeviceBins,
    pub span: &'a Span,
    /// The figures of the device, by key.
    pub values: &'a BTreeMap<String, f64>,
}

/// What the bins of a device say.
#[derive(Clone, Debug, Default)]
pub struct FoundBins {
    pub bins: RunBins,
    /// Index of the one with the longest starved interval.
    pub starved_bin: Option<usize>,
}

/// The bins of each device. All devices are measured in one pass over the requests.
pub fn bins_of(store: &Store, devices: &[BinnedDevice], list: &[Metric]) -> Vec<FoundBins> {
    let empty = |device: &BinnedDevice| FoundBins {
        bins: RunBins {
            width: device.bins.cut.width,
            ..RunBins::default()
        },
        starved_bin: None,
    };
    let mut found: Vec<FoundBins> = devices.iter().map(empty).collect();
    let mut longest = vec![0; devices.len()];
    let (mut wanted, limits): (Vec<_>, Vec<_>) = devices
        .iter()
        .map(|device| wanted_percentiles(device, list))
        .unzip();
    let windows = devices
        .iter()
        .zip(&limits)
        .map(|(device, limits)| DeviceWindows {
            cut: &device.bins.cut,
            span: device.span,
            events: &device.bins.events.windows,
            limits,
        });
    let mut sums: Vec<Vec<MetricSums>> =
        devices.iter().map(|device| summed(device, list)).collect();
    let samples = in_windows(store, windows.collect(), |place, bin, measured| {
        note_percentiles(&mut wanted[place], &measured);
        let figures = &measured.figures;
        if let Some(starved) = figures.usage.as_ref().and_then(|u| u.starved)
            && starved.longest_ns > longest[place]
        {
            longest[place] = starved.longest_ns;
            found[place].starved_bin = Some(bin);
        }
        let cut = &devices[place].bins.cut;
        let window = cut.windows[bin];
        let subject = MetricInput {
            device: &store.devices[cut.device],
            figures,
            capabilities: store.capabilities,
            ns: window.to - window.from,
        };
        for metric in &mut sums[place] {
            let sums = (metric.sums)(subject).unwrap_or_default();
            metric.bins.push(sums);
        }
    });
    for (found, sums) in found.iter_mut().zip(sums) {
        let measured = sums.into_iter().filter(|metric| !metric.bins.is_empty());
        found.bins.sums = map_of(measured.map(|metric| (metric.key.clone(), metric.bins)));
    }
    add_percentiles(
        found.iter_mut().map(|found| &mut found.bins),
        store,
        &wanted,
        &samples,
    );
    for (device, found) in devices.iter().zip(&mut found) {
        let bins = &mut found.bins;
        if !device.bins.cut.windows.is_empty() {
            outlined(|| add_errors(bins, store, device, list));
            let interval = |figure: &Metric| {
                let &value = device.values.get(&figure.key)?;
                let interval = bins.estimate(&figure.key, value)?.interval()?;
                Some((figure.key.clone(), possible(figure.unit, interval)))
            };
            bins.intervals = map_of(list.iter().filter_map(interval));
        }
    }
    found
}

/// The part of an interval that a figure of `unit` can have. The error of a share near 1 is
/// symmetric on a logarithmic scale and would reach beyond the whole.
fn possible(unit: Unit, (low, high): FigureInterval) -> FigureInterval {
    match unit {
        Unit::Share => (low.clamp(0.0, 1.0), high.map(|high| high.clamp(0.0, 1.0))),
        _ => (low, high),
    }
}

fn add_errors(bins: &mut RunBins, store: &Store, device: &BinnedDevice, list: &[Metric]) {
    let value = |key: &String| device.values.get(key).copied().unwrap_or_default();
    for (key, sums) in &bins.sums {
        if let Some(error) = within(value(key), sums) {
            bins.errors
                .insert(key.clone(), (error.standard_error, error.freedom));
        }
    }
    for (figure, stage) in list
        .iter()
        .filter_map(|figure| Some((figure, figure.over_time?)))
    {
        if let Some(error) = within(
            value(&figure.key),
            &store.devices[device.bins.cut.device]
                .bio_stages
                .over_time(stage),
        ) {
            bins.errors
                .insert(figure.key.clone(), (error.standard_error, error.freedom));
        }
    }
}

/// A metric of a device, and its sums in the bins so far.
struct MetricSums<'a> {
    key: &'a String,
    sums: &'a Sums,
    bins: Vec<(f64, f64)>,
}

/// The metrics of a device that have sums, before its bins are measured.
fn summed<'a>(device: &BinnedDevice, list: &'a [Metric]) -> Vec<MetricSums<'a>> {
    let applies = list
        .iter()
        .filter(|metric| device.values.contains_key(&metric.key));
    applies
        .filter_map(|metric| {
            Some(MetricSums {
                key: &metric.key,
                sums: metric.sums.as_ref()?,
                bins: Vec::with_capacity(device.bins.events.windows.len()),
            })
        })
        .collect()
}

/// A percentile whose uncertainty is to be found.
struct WantedPercentile<'a> {
    key: &'a String,
    /// Index of [`STAGES`].
    stage: usize,
    share: f64,
    /// Samples up to its value, and all samples, of each bin.
    bins: Vec<(f64, f64)>,
}

/// The percentiles of a device, ascending by stage, and their values by stage.
fn wanted_percentiles<'a>(
    device: &BinnedDevice,
    list: &'a [Metric],
) -> (Vec<WantedPercentile<'a>>, ByStage<Vec<u64>>) {
    let mut limits = ByStage::<Vec<u64>>::default();
    let mut wanted = Vec::new();
    for (stage, name) in STAGES.into_iter().enumerate() {
        for metric in list {
            if let Some((metric_stage, share)) = metric.percentile
                && metric_stage == name
                && let Some(value) = device.values.get(&metric.key)
            {
                limits[stage].push(*value as u64);
                wanted.push(WantedPercentile {
                    key: &metric.key,
                    stage,
                    share,
                    bins: Vec::new(),
                });
            }
        }
    }
    (wanted, limits)
}

/// Adds the sample counts of a bin to each percentile, in the order of [`wanted_percentiles`].
fn note_percentiles(wanted: &mut [WantedPercentile], found: &WindowFigures) {
    let mut within = found.within.iter().flatten();
    for wanted in wanted {
        let all = found
            .figures
            .latency
            .iter()
            .find(|(stage, _)| *stage == STAGES[wanted.stage]);
        let within = within.next().copied().unwrap_or_default();
        wanted.bins.push((
            within as f64,
            all.map_or(0, |(_, latency)| latency.n) as f64,
        ));
    }
}

/// Adds the intervals of percentiles to the bins of each device. `samples` reads the values at the
/// ranks in the order in which they are requested, so that they are taken in the same order here.
fn add_percentiles<'b>(
    bins: impl Iterator<Item = &'b mut RunBins>,
    store: &Store,
    wanted: &[Vec<WantedPercentile>],
    samples: &WindowSamples,
) {
    let bounds = |wanted: &WantedPercentile| RankBounds::new(wanted.share, &wanted.bins);
    let bounds: Vec<Vec<Option<RankBounds>>> = wanted
        .iter()
        .map(|wanted| wanted.iter().map(bounds).collect())
        .collect();
    let ranks = |(wanted, bounds): (&Vec<WantedPercentile>, &Vec<Option<RankBounds>>)| {
        let mut ranks = ByStage::<Vec<u64>>::default();
        for (wanted, bounds) in wanted.iter().zip(bounds) {
            ranks[wanted.stage].extend(bounds.iter().flat_map(|bounds| bounds.ranks()));
        }
        ranks
    };
    let ranks: Vec<ByStage<Vec<u64>>> = wanted.iter().zip(&bounds).map(ranks).collect();
    let values = samples.of_ranks(store, &ranks);
    for (((bins, wanted), bounds), values) in bins.zip(wanted).zip(&bounds).zip(values) {
        let mut values = values.into_iter().flatten();
        for (wanted, bounds) in wanted.iter().zip(bounds) {
            match bounds.and_then(|bounds| bounds.error(&mut values)) {
                Some(PercentileError::Interval(interval)) => {
                    bins.percentiles.insert(wanted.key.clone(), interval);
                }
                Some(PercentileError::Needs(n)) => {
                    bins.needs.insert(wanted.key.clone(), n);
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_ends_with_the_whole() {
        let busy = (0.914, Some(1.03));
        assert_eq!(possible(Unit::Share, busy), (0.914, Some(1.0)));
        assert_eq!(possible(Unit::Share, (-0.02, None)), (0.0, None));
        assert_eq!(possible(Unit::Number, busy), busy);
    }
}
