//! A side whose throughput changes from the first to the second half of its runs, where the other
//! side's does not.

use super::{CHANGE, Case, Draft, EvidenceChart};
use crate::runs::digest::DeviceDigest;
use crate::runs::run::ComparisonSide;
use crate::sentence::Param;
use crate::statistics::estimate::{Uncertain, total, within};
use crate::statistics::noise::{NoiseTable, UNKNOWN, workload};
use crate::threshold::{fraction, times};
use seekscope_statistics::student::t_975;
use seekscope_trace::quantity::Unit;

/// Minimum number of bins of a half.
const MIN_BINS: usize = 12;
/// Minimum change, as a multiple of what repeats differ by: a half has half of the requests.
const HALF: f64 = 1.5;
/// Change of the queue depth, as a share of that of throughput on logarithms, from which on the
/// load changed: a run that begins to fill the queue.
const LOAD: f64 = 0.5;

/// Throughput over the halves of a run.
#[derive(Clone, Copy)]
struct Drift {
    /// Logarithm of the second half divided by the first.
    change: f64,
    error: f64,
    freedom: f64,
}

/// The value of a figure over consecutive bins, with its error.
fn over_bins(sums: &[(f64, f64)]) -> Option<(f64, Uncertain)> {
    let (over, under) = total(sums);
    let value = over / under;
    if under > 0.0 && value > 0.0 {
        Some((value, within(value, sums)?))
    } else {
        None
    }
}

/// The bins of both halves.
fn halves<'a>(device: &'a DeviceDigest, key: &str) -> Option<[&'a [(f64, f64)]; 2]> {
    let sums = device.bins.sums.get(key)?;
    let (first, second) = sums.split_at(sums.len() / 2);
    (first.len() >= MIN_BINS).then_some([first, second])
}

fn drift(device: &DeviceDigest) -> Option<Drift> {
    let [first, second] = halves(device, "bps")?;
    let ((a, ea), (b, eb)) = (over_bins(first)?, over_bins(second)?);
    let error = (ea.standard_error / a).hypot(eb.standard_error / b);
    Some(Drift {
        change: (b / a).ln(),
        error,
        freedom: ea.freedom.min(eb.freedom),
    })
}

impl Drift {
    /// Whether it is more than chance and noise, of the same sign as `sign`.
    fn certain(self, sign: f64, threshold: f64) -> bool {
        let change = self.change * sign;
        change >= threshold && change > t_975(self.freedom) * self.error
    }

    /// The drift in addition to that of another run.
    fn beyond(self, other: Drift) -> Drift {
        Drift {
            change: self.change - other.change,
            error: self.error.hypot(other.error),
            freedom: self.freedom.min(other.freedom),
        }
    }
}

/// Whether all runs of `bad` drift, in one direction, and those of `good` do not drift like that.
pub fn drifts(good: &ComparisonSide, bad: &ComparisonSide, noise: &NoiseTable) -> bool {
    let runs = |side: &ComparisonSide| {
        side.devices()
            .iter()
            .map(|device| drift(device))
            .collect::<Option<Vec<Drift>>>()
    };
    let Some((expected, drifting)) = runs(good).zip(runs(bad)) else {
        return false;
    };
    let threshold = HALF
        * noise
            .measured_figure("bps", workload(good, bad))
            .unwrap_or(UNKNOWN)
            .p95;
    let sign = drifting.first().map_or(1.0, |drift| drift.change.signum());
    let load =
        means(bad, "depth.mean")
            .zip(means(bad, "bps"))
            .is_some_and(|([d0, d1], [r0, r1])| {
                let (depth, rate) = ((d1 / d0).ln(), (r1 / r0).ln());
                depth * rate > 0.0 && depth.abs() >= LOAD * rate.abs()
            });
    if load {
        return false;
    }
    let beyond = |drift: &Drift| {
        expected
            .iter()
            .all(|other| drift.beyond(*other).certain(sign, threshold))
    };
    drifting
        .iter()
        .all(|drift| drift.certain(sign, threshold) && beyond(drift))
}

/// Means of a figure over the halves of all runs of a side.
fn means(side: &ComparisonSide, key: &str) -> Option<[f64; 2]> {
    let of_device = |device: &&DeviceDigest| {
        let [first, second] = halves(device, key)?;
        let mean = |sums: &[(f64, f64)]| {
            let (over, under) = total(sums);
            (under > 0.0).then_some(over / under)
        };
        Some([mean(first)?, mean(second)?])
    };
    let all = side
        .devices()
        .iter()
        .map(of_device)
        .collect::<Option<Vec<_>>>()?;
    let sum = all
        .iter()
        .fold([0.0; 2], |sum, run| [sum[0] + run[0], sum[1] + run[1]]);
    Some(sum.map(|sum| sum / all.len() as f64))
}

pub fn rule() -> String {
    format!(
        "the work is the same, and in all runs of a side, throughput of the second half differs \
         from that of the first by more than the 95% interval of both and {} what repeats differ \
         by, and by as much more than in the runs of the other side; the queue depth did not \
         change with it by at least {} as much",
        times(HALF),
        fraction(LOAD),
    )
}

/// `drift-within-run`
pub fn within_run(case: &Case) -> Option<Draft> {
    let (good, bad) = (case.pair.a, case.pair.b);
    if !drifts(good, bad, case.pair.noise) {
        return None;
    }
    let ([first, second], [first_good, second_good]) = (means(bad, "bps")?, means(good, "bps")?);
    let mut params = case
        .params()
        .value("second", second, Unit::Rate)
        .value("first", first, Unit::Rate)
        .with("by", Param::Factor(second / first))
        .with("by_good", Param::Factor(second_good / first_good));
    if let Some([before, after]) = means(bad, "d2c.mean") {
        params = params
            .value("d2c", after, Unit::Time)
            .value("d2c_first", before, Unit::Time);
    }
    if let Some([before, after]) = means(bad, "depth.mean") {
        params = params.value("depth", after, Unit::Requests).value(
            "depth_first",
            before,
            Unit::Requests,
        );
    }
    // The evidence is the slower half.
    let (bins, active) = (&bad.device().bins, bad.device().active);
    let half = halves(bad.device(), "bps")?[0].len();
    Some(Draft {
        code: "drift-within-run",
        params,
        keys: &["bps", "iops", "d2c.mean", "depth.mean"],
        more: Vec::new(),
        chart: EvidenceChart::QueueDepth,
        range: Some(bins.range(
            active,
            if second < first {
                half..bins.count()
            } else {
                0..half
            },
        )),
        part: None,
        class: CHANGE,
    })
}
