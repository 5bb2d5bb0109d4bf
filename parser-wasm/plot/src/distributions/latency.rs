//! Latency over time, its distribution, and the mean of each stage. Figures are those of
//! `measure::latency`.
//!
//! Percentiles are exact, in two passes over the same rows: the first fills a histogram, from which
//! the bucket of each percentile follows; the second ([`Histogram::refine`]) reads the exact value
//! within that bucket. Both passes must see the same samples. The points of the drawn curve take
//! the first pass alone (within 0.4 %).
//!
//! The grid finds the row of a sample without a logarithm: the samples of a bucket begin at the
//! same step of the axis, and a few comparisons with the edges give the exact one
//! ([`LogScale::step`]).

use super::percentile_band::{PercentileBand, percentile_band};
use crate::answer::{BadQuery, answer_object};
use crate::query::{Filter, RequestStage, TimeRange, grid};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::Histogram;
use seekscope_measure::histogram::{Refine, Share};
use seekscope_measure::latency::{Latency, SHARES, STAGES, stage, stages as stages_of};
use seekscope_trace::protocol::{FloatNs, Ns};
use seekscope_trace::store::Stage;
use serde::{Deserialize, Serialize};

/// Parameters of `latencyGrid`.
#[derive(Clone, Debug, Deserialize)]
pub struct LatencyGridQuery {
    pub filter: Filter,
    pub range: TimeRange,
    pub stage: RequestStage,
    /// Number of columns.
    pub w: f64,
    /// Number of rows.
    pub h: f64,
    /// Lower end of the logarithmic axis, ns.
    pub low: FloatNs,
    /// Upper end, ns.
    pub high: FloatNs,
}

/// The logarithmic axis of `latencyGrid`, for other queries.
#[derive(Clone, Debug, Deserialize)]
pub struct LatencyAxis {
    pub stage: RequestStage,
    /// Lower and upper end of the axis, ns.
    pub low: FloatNs,
    pub high: FloatNs,
}

impl LatencyAxis {
    pub(crate) fn scale(&self, h: usize) -> Result<LogScale, BadQuery> {
        log_scale(h, self.low, self.high)
    }
}

fn log_scale(h: usize, low: f64, high: f64) -> Result<LogScale, BadQuery> {
    if !(low > 0.0 && low < high) {
        return Err(BadQuery::new("a logarithmic axis requires 0 < low < high"));
    }
    Ok(LogScale::new(h, low, high))
}

/// Parameters of `distribution`.
#[derive(Clone, Debug, Deserialize)]
pub struct DistributionQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
    pub stage: RequestStage,
}

/// Parameters of `stages`.
#[derive(Clone, Debug, Deserialize)]
pub struct StagesQuery {
    pub filter: Filter,
    /// Requests that start in it.
    pub range: TimeRange,
}

answer_object! {
    /// Requests per pixel cell.
    pub struct LatencyGrid {
        w: usize,
        h: usize,
        n: f64,
        counts: Vec<u32>,
        /// Largest of `counts`.
        max: f64,
    }
}

answer_object! {
    /// Figures are exact, NaN when n is 0.
    pub struct Distribution {
        n: f64,
        min: FloatNs,
        mean: FloatNs,
        max: FloatNs,
        p50: FloatNs,
        p90: FloatNs,
        p95: FloatNs,
        p99: FloatNs,
        p999: FloatNs,
        /// Percentile curve, 0..1 ascending and dense towards 1, and its latency within 0.4 %.
        p: Vec<f64>,
        ns: Vec<f64>,
        /// 95 % interval of each point: NaN where too few independent requests are left, the upper
        /// end alone where it is open. Absent in short links.
        low: Option<Vec<f64>>,
        high: Option<Vec<f64>>,
        /// Histogram over log-spaced latencies, 8 an octave: lower edge of each bucket, count. The
        /// last one is empty and closes the one before.
        edges: Vec<f64>,
        counts: Vec<f64>,
    }
}

/// The stages with samples, in the order of [`STAGES`].
#[derive(Clone, Debug, Serialize)]
pub struct StageMeans {
    pub stages: Vec<StageMean>,
}

/// Mean and median of a stage over the requests that have it.
#[derive(Clone, Debug, Serialize)]
pub struct StageMean {
    pub stage: RequestStage,
    pub n: u64,
    pub mean: FloatNs,
    pub median: Ns,
}

/// Answers `latencyGrid`: a request counts in the column in which it starts; values outside of
/// `low` to `high` count in the bottom or top row.
pub fn latency_grid(view: View, query: &LatencyGridQuery) -> Result<LatencyGrid, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let name = query.stage.stage();
    let ((w, h), range) = (grid(query.w, query.h), query.range);
    let scale = log_scale(h, query.low, query.high)?;
    let mut counts = vec![0u32; w * h];
    if !counts.is_empty() && range.length() > 0.0 {
        let requests = &view.store.requests;
        for (x, column_rows) in view.columns(range, w).enumerate() {
            let column = &mut counts[x * h..(x + 1) * h];
            requests.each(column_rows, |row| {
                if selection.takes(row)
                    && let Some(ns) = stage(row, name)
                {
                    column[h - 1 - scale.step(ns)] += 1;
                }
            });
        }
    }
    let n: u64 = counts.iter().map(|&n| u64::from(n)).sum();
    let max = counts.iter().copied().max().unwrap_or(0);
    Ok(LatencyGrid {
        w,
        h,
        n: n as f64,
        counts,
        max: f64::from(max),
    })
}

/// Equal steps of a logarithmic axis.
pub(crate) struct LogScale {
    /// Lower edges of the steps; smaller values count in the first step.
    edges: Vec<u64>,
    /// Step of the smallest value of each bucket, by [`bucket_rank`]: never above the step of
    /// another value of the bucket, so that [`LogScale::step`] only has to search upwards.
    first_steps: Vec<u32>,
}

impl LogScale {
    fn new(steps: usize, low: f64, high: f64) -> LogScale {
        let edge = |k: usize| (low * (high / low).powf(k as f64 / steps as f64)).ceil() as u64;
        let edges: Vec<u64> = (0..steps).map(edge).collect();
        let below = |ns: u64| edges.partition_point(|&e| e <= ns).saturating_sub(1) as u32;
        let first_steps = (0..=bucket_rank(u64::MAX))
            .map(|rank| below(rank_start(rank)))
            .collect();
        LogScale { edges, first_steps }
    }

    /// The step of a value, from the lowest; values beyond the axis are in the outermost steps.
    #[inline]
    pub(crate) fn step(&self, ns: u64) -> usize {
        let mut step = self
            .first_steps
            .get(bucket_rank(ns))
            .map_or(0, |&s| s as usize);
        while self.edges.get(step + 1).is_some_and(|&e| e <= ns) {
            step += 1;
        }
        step
    }
}

/// Number of a value's bucket, ascending: [`PER_OCTAVE`] buckets per octave; values below twice
/// [`PER_OCTAVE`] have a bucket each.
#[inline]
fn bucket_rank(ns: u64) -> usize {
    let bits = PER_OCTAVE.ilog2();
    let shift = ns.max(1).ilog2().saturating_sub(bits);
    ((u64::from(shift) << bits) + (ns >> shift)) as usize
}

/// The smallest value of a bucket: the inverse of [`bucket_rank`].
fn rank_start(rank: usize) -> u64 {
    let rank = rank as u64;
    let shift = (rank / PER_OCTAVE).saturating_sub(1);
    (rank - shift * PER_OCTAVE) << shift
}

/// The histogram and the exact figures of a stage, in two passes over its samples.
fn measure(
    view: View,
    selection: &Selection,
    range: TimeRange,
    name: Stage,
) -> (Histogram, Option<Latency>) {
    let requests = &view.store.requests;
    let sample = |row| {
        if selection.takes(row) {
            stage(row, name)
        } else {
            None
        }
    };
    let mut histogram = Histogram::default();
    requests.pieces(view.starting(range), |piece| {
        histogram.add_all(piece.filter_map(sample))
    });
    let mut refine = histogram.refine(&SHARES);
    requests.pieces(view.starting(range), |piece| {
        refine.add_all(piece.filter_map(sample))
    });
    let figures = Latency::new(&histogram, refine);
    (histogram, figures)
}

/// Points of the percentile curve in ten-thousandths: every percent, from 0.99 on every thousandth,
/// from 0.999 on all.
fn curve_shares() -> impl Iterator<Item = Share> {
    (0..9_900)
        .step_by(100)
        .chain((9_900..9_990).step_by(10))
        .chain(9_990..=10_000)
}

/// Answers `distribution`. Without samples the figures are NaN and the arrays empty. `low` and
/// `high` are the 95 % interval of each point of the curve.
pub fn distribution(view: View, query: &DistributionQuery) -> Result<Distribution, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let name = query.stage.stage();
    let (histogram, figures) = measure(view, &selection, query.range, name);
    let curve: Vec<(f64, f64)> = curve_shares()
        .filter_map(|share| {
            Some((
                f64::from(share) / 10_000.0,
                histogram.quantile(share)? as f64,
            ))
        })
        .collect();
    let PercentileBand { low, high } =
        percentile_band(view, &selection, (query.range, name), &curve, &histogram);
    let (edges, counts) = coarse(&histogram);
    let figure = |read: fn(&Latency) -> u64| figures.map_or(f64::NAN, |l| read(&l) as f64);
    Ok(Distribution {
        n: histogram.tally().n as f64,
        min: figure(|l| l.min),
        mean: figures.map_or(f64::NAN, |l| l.mean),
        max: figure(|l| l.max),
        p50: figure(|l| l.p50),
        p90: figure(|l| l.p90),
        p95: figure(|l| l.p95),
        p99: figure(|l| l.p99),
        p999: figure(|l| l.p999),
        p: curve.iter().map(|c| c.0).collect(),
        ns: curve.iter().map(|c| c.1).collect(),
        low: Some(low),
        high: Some(high),
        edges,
        counts,
    })
}

const MEDIAN: Share = 5_000;
/// Buckets per octave of the drawn histogram. It must divide the 128 of [`Histogram`], so that
/// buckets can be added up.
const PER_OCTAVE: u64 = 8;

/// Lower edges and counts of adjacent buckets, from the first to the last with samples, and an
/// empty one as the end.
fn coarse(histogram: &Histogram) -> (Vec<f64>, Vec<f64>) {
    let filled = || histogram.buckets().map(|b| (bucket_rank(b.low), b.count));
    let (Some((first, _)), Some((last, _))) = (filled().next(), filled().last()) else {
        return Default::default();
    };
    let mut counts = vec![0.0; last - first + 2];
    for (rank, count) in filled() {
        counts[rank - first] += count as f64;
    }
    (
        (first..first + counts.len())
            .map(|rank| rank_start(rank) as f64)
            .collect(),
        counts,
    )
}

/// Lower edges of `n` adjacent buckets of the drawn histogram; the first one starts at `first`.
pub fn latency_edges(first: u64, n: usize) -> Vec<f64> {
    let rank = bucket_rank(first);
    (rank..=bucket_rank(u64::MAX))
        .take(n)
        .map(|rank| rank_start(rank) as f64)
        .collect()
}

/// Answers `stages`: all requests of a device as the summary has measured them, others in two
/// passes as `distribution`.
pub fn stages(view: View, query: &StagesQuery) -> Result<StageMeans, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let device = query.filter.device as usize;
    if selection.takes_device()
        && let Some(measured) = view.measured_whole(query.range)
        && let Some(figures) = measured.figures.get(device)
    {
        let mean = |&(stage, latency): &(Stage, Latency)| {
            Some(StageMean {
                stage: RequestStage::ALL
                    .into_iter()
                    .find(|found| found.stage() == stage)?,
                n: latency.n,
                mean: latency.mean,
                median: latency.p50,
            })
        };
        return Ok(StageMeans {
            stages: figures.latency.iter().filter_map(mean).collect(),
        });
    }
    let requests = &view.store.requests;
    let mut histograms: [Histogram; STAGES.len()] = Default::default();
    requests.each(view.starting(query.range), |row| {
        if selection.takes(row) {
            let samples = histograms.iter_mut().zip(stages_of(row));
            samples.for_each(|(histogram, ns)| ns.into_iter().for_each(|ns| histogram.add(ns)));
        }
    });
    let mut medians = histograms.each_ref().map(|h| h.refine(&[MEDIAN]));
    requests.each(view.starting(query.range), |row| {
        if selection.takes(row) {
            let samples = medians.iter_mut().zip(stages_of(row));
            samples.for_each(|(median, ns)| ns.into_iter().for_each(|ns| median.add(ns)));
        }
    });
    let mean = |((histogram, median), stage): ((&Histogram, Refine), RequestStage)| {
        let (tally, median) = (histogram.tally(), median.finish());
        Some(StageMean {
            stage,
            n: tally.n,
            mean: tally.mean()?,
            median: *median.first()?,
        })
    };
    let histograms = histograms.iter().zip(medians).zip(RequestStage::ALL);
    Ok(StageMeans {
        stages: histograms.filter_map(mean).collect(),
    })
}
