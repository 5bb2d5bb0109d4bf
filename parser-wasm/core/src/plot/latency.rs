//! Latency over time, its distribution, and the mean of each stage. Figures are those of `measure::latency`.

use super::answer::{Answer, BadQuery};
use super::ask::{Filter, Span, cells};
use super::reach::View;
use super::select::Selection;
use crate::measure::Histogram;
use crate::measure::histogram::Share;
use crate::measure::latency::{Latency, SHARES, STAGES, stage};
use crate::store::Stage;
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Parameters of `latencyGrid`.
#[derive(Clone, Debug, Deserialize)]
pub struct LatencyGridAsk {
    /// Which requests.
    pub filter: Filter,
    /// Left and right edge.
    pub range: Span,
    /// Name of a stage.
    pub stage: String,
    /// Pixel columns.
    pub w: f64,
    /// Pixel rows.
    pub h: f64,
    /// Bottom edge, ns.
    pub low: f64,
    /// Top edge, ns.
    pub high: f64,
}

/// Parameters of `distribution`.
#[derive(Clone, Debug, Deserialize)]
pub struct DistributionAsk {
    /// Which requests.
    pub filter: Filter,
    /// Those that start in it.
    pub range: Span,
    /// Name of a stage.
    pub stage: String,
}

/// Parameters of `stages`.
#[derive(Clone, Debug, Deserialize)]
pub struct StagesAsk {
    /// Which requests.
    pub filter: Filter,
    /// Those that start in it.
    pub range: Span,
}

fn stage_named(name: &str) -> Result<Stage, BadQuery> {
    STAGES.into_iter().find(|s| s.name() == name).ok_or_else(|| BadQuery(format!("`{name}` is no stage of a request")))
}

/// Answers `latencyGrid`: a request counts in the column in which it starts, what lies beyond `low` or `high` in the
/// bottom or top row.
pub fn latency_grid(view: View, ask: &LatencyGridAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let name = stage_named(&ask.stage)?;
    let (w, h, range) = (cells(ask.w), cells(ask.h), ask.range);
    if !(ask.low > 0.0 && ask.low < ask.high) {
        return Err(BadQuery::new("a logarithmic axis needs 0 < low < high"));
    }
    let mut counts = vec![0u32; w * h];
    let (mut n, mut max) = (0u64, 0);
    let (per_ns, per_log) = (w as f64 / range.length(), h as f64 / (ask.high / ask.low).ln());
    if !counts.is_empty() && range.length() > 0.0 {
        let requests = &view.store.requests;
        for row in view.starting(range).filter(|&row| selection.takes(row)) {
            let Some(ns) = stage(requests, row, name) else { continue };
            let x = (((requests.start(row) as f64 - range.t0) * per_ns) as usize).min(w - 1);
            let up = (((ns.max(1) as f64 / ask.low).ln() * per_log).max(0.0) as usize).min(h - 1);
            let cell = &mut counts[x * h + (h - 1 - up)];
            *cell += 1;
            max = max.max(*cell);
            n += 1;
        }
    }
    Ok(Answer::Object(vec![("w", w.into()), ("h", h.into()), ("n", n.into()), ("counts", counts.into()), ("max", max.into())]))
}

/// Both passes over the samples of one stage.
fn measure(view: View, selection: &Selection, range: Span, name: Stage) -> (Histogram, Option<Latency>) {
    let requests = &view.store.requests;
    let samples = || view.starting(range).filter(|&row| selection.takes(row)).filter_map(|row| stage(requests, row, name));
    let mut histogram = Histogram::default();
    samples().for_each(|ns| histogram.add(ns));
    let mut refine = histogram.refine(&SHARES);
    samples().for_each(|ns| refine.add(ns));
    let figures = Latency::new(&histogram, refine);
    (histogram, figures)
}

/// Points of the percentile curve in ten-thousandths: every percent, from 0.99 on every thousandth, from 0.999 on all.
fn curve_shares() -> impl Iterator<Item = Share> {
    (0..9_900).step_by(100).chain((9_900..9_990).step_by(10)).chain(9_990..=10_000)
}

/// Answers `distribution`. Without samples the figures are NaN and the arrays empty.
pub fn distribution(view: View, ask: &DistributionAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let (histogram, figures) = measure(view, &selection, ask.range, stage_named(&ask.stage)?);
    let curve: Vec<(f64, f64)> =
        curve_shares().filter_map(|share| Some((f64::from(share) / 10_000.0, histogram.quantile(share)? as f64))).collect();
    let (edges, counts) = coarse(&histogram);
    let figure = |of: fn(&Latency) -> u64| figures.map_or(f64::NAN, |l| of(&l) as f64);
    Ok(Answer::Object(vec![
        ("n", histogram.tally().n.into()),
        ("min", figure(|l| l.min).into()),
        ("mean", figures.map_or(f64::NAN, |l| l.mean).into()),
        ("max", figure(|l| l.max).into()),
        ("p50", figure(|l| l.p50).into()),
        ("p90", figure(|l| l.p90).into()),
        ("p95", figure(|l| l.p95).into()),
        ("p99", figure(|l| l.p99).into()),
        ("p999", figure(|l| l.p999).into()),
        ("p", curve.iter().map(|c| c.0).collect::<Vec<_>>().into()),
        ("ns", curve.iter().map(|c| c.1).collect::<Vec<_>>().into()),
        ("edges", edges.into()),
        ("counts", counts.into()),
    ]))
}

/// Buckets an octave of the drawn histogram; a divisor of the measuring one's 128.
const PER_OCTAVE: u64 = 8;

/// Lower edge of the drawn bucket of a value, and of the next one.
fn coarse_bucket(ns: u64) -> (u64, u64) {
    let width = 1 << ns.max(1).ilog2().saturating_sub(PER_OCTAVE.ilog2());
    let low = ns / width * width;
    (low, low.saturating_add(width))
}

/// Adjoining buckets from the first to the last that holds something, and one empty one to close the last.
fn coarse(histogram: &Histogram) -> (Vec<f64>, Vec<f64>) {
    let (mut edges, mut counts): (Vec<u64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut next = None;
    for bucket in histogram.buckets() {
        let (low, end) = coarse_bucket(bucket.low);
        while let Some(gap) = next.filter(|&gap| gap <= low) {
            edges.push(gap);
            counts.push(0.0);
            next = Some(coarse_bucket(gap).1).filter(|&after| after > gap);
        }
        if next.is_none() {
            edges.push(low);
            counts.push(0.0);
            next = Some(end);
        }
        if let Some(count) = counts.last_mut() {
            *count += bucket.count as f64;
        }
    }
    if let Some(end) = next {
        edges.push(end);
        counts.push(0.0);
    }
    (edges.into_iter().map(|e| e as f64).collect(), counts)
}

/// Answers `stages`: those that have samples, in the order of a request's life as `STAGES` lists it.
pub fn stages(view: View, ask: &StagesAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let figures = STAGES.into_iter().filter_map(|name| {
        let l = measure(view, &selection, ask.range, name).1?;
        Some(json!({ "stage": name.name(), "n": l.n, "mean": l.mean, "median": l.p50 }))
    });
    Ok(Answer::Json(json!({ "stages": figures.collect::<Vec<Json>>() })))
}
