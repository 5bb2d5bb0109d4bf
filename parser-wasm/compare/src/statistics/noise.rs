//! What repeats of one measurement differ by, per figure: noise that a single run does not show by
//! itself. Reads repeat better than writes.
//!
//! `noise.json` was measured on the recordings that `docs/statistics.md` names; [`measure`] makes
//! the same table of any repeats.
//!
//! Differences are on the scale of [`distance`]: logarithms of ratios, but plain differences of
//! shares. Thresholds, noise and margin must be on the same scale. The table has two uses:
//! [`NoiseTable::threshold`] says what a single run against another must exceed, and [`moderated`]
//! adds the noise to the deviation of a small group, which alone would often be too small by
//! chance.

use super::estimate::{Estimate, FigureError, Uncertain};
use crate::metric::Metric;
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use seekscope_statistics::sample::deviation;
use seekscope_trace::json::read;
use seekscope_trace::quantity::Unit;
use seekscope_trace::sorting::{SortShort, map_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Minimum significant change between groups of runs: 5 %.
pub const OF_GROUPS: f64 = 0.048_790_164_169_432;
/// Minimum significant change of shares between groups of runs, as a difference.
const SHARES_OF_GROUPS: f64 = 0.01;
/// Minimum significant change between single runs, however little the measured repeats differ: 10
/// %.
const OF_RUNS: f64 = 0.095;
/// Minimum significant change of shares between single runs, as a difference.
const SHARES_OF_RUNS: f64 = 0.02;
/// Change of single runs below which a figure without an entry is noise.
pub const UNKNOWN: FigureNoise = FigureNoise {
    pairs: 0,
    sd: 0.08,
    p95: 0.223_143_6,
};
/// Change of single runs below which a share without an entry is noise.
const UNKNOWN_SHARE: FigureNoise = FigureNoise {
    pairs: 0,
    sd: 0.035,
    p95: 0.1,
};
/// Single runs must differ by this much more than 95 % of the measured repeats: other machines have
/// other noise.
const MARGIN: f64 = 1.15;
/// Share of writes in the bytes from which a run counts as writing.
const WRITES: f64 = 0.1;

/// What a run mostly waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Workload {
    Reads,
    Writes,
}

impl Workload {
    /// The kind of work of a device.
    pub fn from_device(device: &DeviceDigest) -> Workload {
        let (read, write) = (device.work.read as f64, device.work.write as f64);
        if write > WRITES * (read + write) {
            Workload::Writes
        } else {
            Workload::Reads
        }
    }
}

/// The workload of two sides: writes, which have the larger noise, if either writes.
pub fn workload(a: &ComparisonSide, b: &ComparisonSide) -> Workload {
    Workload::from_device(a.device()).max(Workload::from_device(b.device()))
}

/// Minimum significant change of figures that come from no trace, as a share of the value.
/// `groups`: both sides have more than one value.
pub fn least_change_of_numbers(groups: bool) -> f64 {
    (if groups { OF_GROUPS } else { UNKNOWN.p95 }).exp() - 1.0
}

/// What repeats differ by in one figure, on the scale of [`distance`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FigureNoise {
    /// Number of pairs of repeats that were measured.
    pub pairs: u32,
    /// Standard deviation between repeats.
    pub sd: f64,
    /// 95 % of the pairs differ by less.
    pub p95: f64,
}

/// The noise of all figures, by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoiseTable {
    /// Version of the table: 1.
    pub schema: u32,
    /// Noise of runs that read, by the key of the figure.
    pub reads: BTreeMap<String, FigureNoise>,
    /// Noise of runs that write, by the key of the figure.
    pub writes: BTreeMap<String, FigureNoise>,
}

impl NoiseTable {
    /// The table that comes with the engine.
    pub fn measured() -> &'static NoiseTable {
        static TABLE: OnceLock<NoiseTable> = OnceLock::new();
        TABLE.get_or_init(|| read(include_str!("noise.json")).unwrap_or_default())
    }

    /// The noise of a figure; a cautious guess where it was not measured.
    pub fn figure(&self, metric: &Metric, workload: Workload) -> FigureNoise {
        let guess = if metric.unit == Unit::Share {
            UNKNOWN_SHARE
        } else {
            UNKNOWN
        };
        self.measured_figure(&metric.key, workload).unwrap_or(guess)
    }

    /// The noise of a figure by its key; absent if it was not measured.
    pub fn measured_figure(&self, key: &str, workload: Workload) -> Option<FigureNoise> {
        match workload {
            Workload::Reads => self.reads.get(key).copied(),
            Workload::Writes => self.writes.get(key).copied(),
        }
    }

    /// [`Self::threshold`] as readers see it: a share of the value, but a difference for shares.
    pub fn least_change(&self, metric: &Metric, a: &ComparisonSide, b: &ComparisonSide) -> f64 {
        let threshold =
            self.threshold(metric, workload(a, b), a.runs.len() > 1 || b.runs.len() > 1);
        if metric.unit == Unit::Share {
            threshold
        } else {
            threshold.exp() - 1.0
        }
    }

    /// Minimum change of a figure that is significant between two sides, on the scale of
    /// [`distance`].
    pub fn threshold(&self, metric: &Metric, workload: Workload, groups: bool) -> f64 {
        let share = metric.unit == Unit::Share;
        if groups {
            return if share { SHARES_OF_GROUPS } else { OF_GROUPS };
        }
        let threshold = (MARGIN * self.figure(metric, workload).p95).max(if share {
            SHARES_OF_RUNS
        } else {
            OF_RUNS
        });
        // Totals grow with the work, which runs of a fixed time do more or less of; for the same
        // work, run time is throughput turned over.
        if metric.is_total() || metric.key == SPAN {
            threshold.max(MARGIN * self.measured_figure(TOTAL, workload).unwrap_or(UNKNOWN).p95)
        } else {
            threshold
        }
    }
}

/// Key of throughput.
const TOTAL: &str = "bps";
/// Key of run time. Repeats that run for a fixed time have the same run time, whatever the noise.
const SPAN: &str = "span";

/// The difference of two values of a figure on the scale of its noise; absent where there is none:
/// both are 0, or one is and the figure is no share.
pub fn distance(unit: Unit, a: f64, b: f64) -> Option<f64> {
    match unit {
        _ if a == 0.0 && b == 0.0 => None,
        Unit::Share => Some((b - a).abs()),
        _ => (a > 0.0 && b > 0.0).then(|| (b / a).ln().abs()),
    }
}

/// Makes the table of repeats: each group has the devices of runs that did the same under the same
/// conditions.
pub fn measure(groups: &[Vec<&DeviceDigest>], list: &[Metric]) -> NoiseTable {
    let figures = |workload: Workload| {
        let groups: Vec<&Vec<&DeviceDigest>> = groups
            .iter()
            .filter(|group| {
                group
                    .first()
                    .is_some_and(|device| Workload::from_device(device) == workload)
            })
            .collect();
        map_of(
            list.iter()
                .filter_map(|metric| Some((metric.key.clone(), figure_noise(&groups, metric)?))),
        )
    };
    NoiseTable {
        schema: 1,
        reads: figures(Workload::Reads),
        writes: figures(Workload::Writes),
    }
}

/// Pairs that a figure needs: 95 % of fewer mean nothing.
const MIN_PAIRS: usize = 20;

fn figure_noise(groups: &[&Vec<&DeviceDigest>], metric: &Metric) -> Option<FigureNoise> {
    let mut distances = Vec::new();
    for group in groups {
        let values: Vec<f64> = group
            .iter()
            .filter_map(|device| device.figures.get(&metric.key).copied())
            .collect();
        for (i, a) in values.iter().enumerate() {
            distances.extend(
                values[i + 1..]
                    .iter()
                    .filter_map(|b| distance(metric.unit, *a, *b)),
            );
        }
    }
    if distances.len() < MIN_PAIRS {
        return None;
    }
    distances.sort_short_by(f64::total_cmp);
    let p95 = distances[(distances.len() * 95).div_ceil(100) - 1];
    // A difference of two runs has twice the variance of one.
    let sd = (distances.iter().map(|d| d * d).sum::<f64>() / distances.len() as f64 / 2.0).sqrt();
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    Some(FigureNoise {
        pairs: distances.len() as u32,
        sd: rounded(sd),
        p95: rounded(p95),
    })
}

/// Number of runs that the noise of repeats counts for in a small group.
pub const PRIOR: f64 = 2.0;

/// The mean of a group with its error between runs. In groups of up to three runs the noise of
/// repeats counts as [`PRIOR`] more of them: two runs can agree by chance.
pub fn moderated(values: &[f64], metric: &Metric, noise: FigureNoise) -> Estimate {
    let plain = Estimate::from_runs(values);
    if values.len() > 3 {
        return plain;
    }
    let n = values.len() as f64;
    let expected = if metric.unit == Unit::Share {
        noise.sd
    } else {
        noise.sd * plain.value.abs()
    };
    let squares = deviation(values).map_or(0.0, |sd| sd * sd * (n - 1.0));
    let freedom = PRIOR + n - 1.0;
    let variance = (PRIOR * expected * expected + squares) / freedom;
    let error = Uncertain {
        standard_error: (variance / n).sqrt(),
        freedom,
    };
    Estimate {
        error: Some(FigureError::Standard(error)),
        ..plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric;

    fn device(bps: f64, starved: f64) -> DeviceDigest {
        let figures =
            [("bps", bps), ("starved.share", starved)].map(|(key, value)| (key.to_owned(), value));
        DeviceDigest {
            figures: figures.into(),
            ..DeviceDigest::default()
        }
    }

    #[test]
    fn noise_of_repeats() {
        // Seven groups of three that differ by 1, 2, .. 7 %.
        let groups: Vec<Vec<DeviceDigest>> = (1..=7)
            .map(|i| {
                let factor = 1.0 + f64::from(i) / 100.0;
                vec![
                    device(100.0, 0.0),
                    device(100.0 * factor, 0.01),
                    device(100.0 * factor * factor, 0.02),
                ]
            })
            .collect();
        let groups: Vec<Vec<&DeviceDigest>> =
            groups.iter().map(|group| group.iter().collect()).collect();
        let table = measure(&groups, &metric::all());
        let rate = table
            .measured_figure("bps", Workload::Reads)
            .expect("measured");
        assert_eq!(rate.pairs, 21);
        assert!((rate.p95 - 2.0 * 1.07f64.ln()).abs() < 0.02, "{rate:?}");
        assert!((0.02..0.06).contains(&rate.sd), "{rate:?}");
        assert_eq!(
            table
                .measured_figure("starved.share", Workload::Reads)
                .expect("measured")
                .p95,
            0.02
        );
        assert_eq!(table.measured_figure("bps", Workload::Writes), None);
        assert_eq!(
            measure(&groups[..3], &metric::all()).reads.len(),
            0,
            "too few pairs"
        );
    }

    #[test]
    fn run_time_needs_as_large_a_difference_as_throughput() {
        let list = metric::all();
        let metric = |key: &str| list.iter().find(|metric| metric.key == key).expect(key);
        for workload in [Workload::Reads, Workload::Writes] {
            let threshold =
                |key: &str| NoiseTable::measured().threshold(metric(key), workload, false);
            assert!(threshold("span") >= threshold("bps"), "{workload:?}");
        }
    }

    #[test]
    fn the_table_that_comes_with_the_engine_has_what_decides_outcomes() {
        for workload in [Workload::Reads, Workload::Writes] {
            for key in [
                "bps",
                "iops",
                "span",
                "d2c.mean",
                "q2c.p99",
                "depth.mean",
                "starved.share",
                "states.nobody",
            ] {
                let noise = NoiseTable::measured()
                    .measured_figure(key, workload)
                    .expect(key);
                assert!(
                    noise.pairs >= 40 && noise.p95 > noise.sd,
                    "{key}: {noise:?}"
                );
            }
        }
        let list = metric::all();
        let keys: Vec<&str> = list.iter().map(|metric| metric.key.as_str()).collect();
        assert!(
            NoiseTable::measured()
                .writes
                .keys()
                .all(|key| keys.contains(&key.as_str()))
        );
    }
}
