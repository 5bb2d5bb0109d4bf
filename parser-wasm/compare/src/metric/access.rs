//! Metrics of where requests go one after another, and of whose they are.

use super::{Metric, MetricInput};
use seekscope_measure::access::seek::Seek;
use seekscope_measure::figures::Figures;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::quantity::Unit;

pub(super) fn seeks(moment: &str, suffix: &str, pick: fn(&Figures) -> Option<Seek>) -> Vec<Metric> {
    let figure = |stat: &str, label: &str, unit, value: fn(&Seek) -> f64| {
        let name = format!("{label}{suffix}");
        Metric::new(&format!("seek.{moment}.{stat}"), &name, unit, move |s| {
            pick(s.figures).as_ref().map(value)
        })
    };
    let by_sample = |figure: Metric, value: fn(&Seek) -> f64| {
        let sums =
            move |s: MetricInput| pick(s.figures).map(|k| (value(&k) * k.n as f64, k.n as f64));
        Metric {
            sums: Some(Box::new(sums)),
            ..figure
        }
    };
    let far = figure(
        "per_second_64k",
        "Seeks above 64 KiB",
        Unit::PerSecond,
        |k| k.per_second_64k,
    );
    vec![
        Metric {
            sums: Some(Box::new(move |s| {
                Some((pick(s.figures)?.per_second_64k * s.ns as f64, s.ns as f64))
            })),
            ..far
        },
        by_sample(
            figure(
                "sequential_share",
                "Sequential requests",
                Unit::Share,
                |k| k.sequential_share,
            ),
            |k| k.sequential_share,
        ),
        by_sample(
            figure("mean_abs", "Seek distance, mean", Unit::Sectors, |k| {
                k.mean_abs
            }),
            |k| k.mean_abs,
        ),
        figure("median_abs", "Seek distance, median", Unit::Sectors, |k| {
            k.median_abs as f64
        }),
    ]
}

pub(super) fn turns() -> Vec<Metric> {
    let interleaving = |s: MetricInput| {
        s.figures
            .interleaving
            .filter(|_| s.capabilities.has(Capabilities::PROCESSES))
    };
    vec![
        Metric::new(
            "interleaving.switch_share",
            "Requests that switch process",
            Unit::Share,
            move |s| Some(interleaving(s)?.switch_share),
        )
        .sampled(|s| {
            let n = s.figures.counts.count(Action::Issue) as f64;
            Some((s.figures.interleaving?.switch_share * n, n))
        }),
        Metric::new(
            "interleaving.mean_run",
            "Consecutive requests per process",
            Unit::Number,
            move |s| Some(interleaving(s)?.mean_run),
        )
        .sampled(|s| {
            let n = s.figures.counts.count(Action::Issue) as f64;
            Some((n, s.figures.interleaving?.switch_share * n))
        }),
    ]
}
