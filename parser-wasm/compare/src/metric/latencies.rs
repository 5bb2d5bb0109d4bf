//! Metrics of the stages of requests and bios.

use super::{Metric, MetricInput};
use seekscope_measure::latency::Latency;
use seekscope_notes::Good;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::Stage;

type Stat = fn(&Latency) -> f64;

/// The stages in the order of tables: those that a reader asks for first have more percentiles.
pub(super) fn latencies() -> Vec<Metric> {
    let mut list = Vec::new();
    for stage in [Stage::Q2C, Stage::D2C, Stage::Q2D] {
        let stats: [(&str, &str, Option<f64>, Stat); 5] = [
            ("p50", "median", Some(0.5), |l| l.p50 as f64),
            ("p90", "p90", Some(0.9), |l| l.p90 as f64),
            ("p99", "p99", Some(0.99), |l| l.p99 as f64),
            ("p999", "p99.9", Some(0.999), |l| l.p999 as f64),
            ("max", "max", None, |l| l.max as f64),
        ];
        list.push(mean_of(stage));
        list.extend(
            stats.map(|(key, label, share, stat)| stat_of(stage, (key, label), share, stat)),
        );
    }
    for stage in [Stage::Q2G, Stage::G2I, Stage::I2D, Stage::G2D] {
        list.push(mean_of(stage));
        list.push(stat_of(stage, ("p99", "p99"), Some(0.99), |l| l.p99 as f64));
    }
    list.extend(Stage::ALL.map(per_bio));
    list
}

fn latency(s: MetricInput<'_>, stage: Stage) -> Option<&Latency> {
    s.figures
        .latency
        .iter()
        .find(|(name, _)| *name == stage)
        .map(|(_, l)| l)
}

fn mean_of(stage: Stage) -> Metric {
    let label = format!("{}, mean", stage.name().to_uppercase());
    let figure = Metric::new(
        &format!("{}.mean", stage.name()),
        &label,
        Unit::Time,
        move |s| Some(latency(s, stage)?.mean),
    );
    let sums = move |s: MetricInput| latency(s, stage).map(|l| (l.mean * l.n as f64, l.n as f64));
    Metric {
        sums: Some(Box::new(sums)),
        ..figure.good(Good::Less)
    }
}

fn stat_of(stage: Stage, (key, label): (&str, &str), share: Option<f64>, stat: Stat) -> Metric {
    let label = format!("{}, {label}", stage.name().to_uppercase());
    let value = move |s: MetricInput| latency(s, stage).map(stat);
    let figure = Metric::new(
        &format!("{}.{key}", stage.name()),
        &label,
        Unit::Time,
        value,
    )
    .good(Good::Less);
    Metric {
        percentile: share.map(|share| (stage, share)),
        ..figure
    }
}

fn per_bio(stage: Stage) -> Metric {
    let label = format!("{} per bio, mean", stage.name().to_uppercase());
    Metric::new(
        &format!("bio.{}.mean", stage.name()),
        &label,
        Unit::Time,
        move |s| s.device.bio_stages.get(stage).mean(),
    )
    .good(Good::Less)
    .over_time(stage)
}
