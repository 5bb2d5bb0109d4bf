//! Time that a layer of a stack takes itself, above the devices that it lies on.

use crate::findings::{Case, Draft, EvidenceChart};
use crate::runs::run::ComparisonSide;
use crate::threshold::{fraction, times};
use seekscope_measure::layers::LayerTime;
use seekscope_trace::quantity::Unit;

/// Minimum growth of the mean time in the layer.
const FACTOR: f64 = 1.25;
/// Minimum share of the growth of Q2C.
const PART: f64 = 0.5;
/// Minimum number of requests with known members.
const REQUESTS: u64 = 100;

pub fn rule() -> String {
    format!(
        "of at least {REQUESTS} requests with known members in both runs, the mean time in the \
         layer, before the first Q below and after the last C below, is at least {} as long; it is \
         at least {} of what Q2C grew by",
        times(FACTOR),
        fraction(PART),
    )
}

fn time(side: &ComparisonSide) -> Option<LayerTime> {
    let first = side.devices().first()?;
    first.layer.filter(|layer| layer.requests >= REQUESTS)
}

/// `layer-slower`
pub fn slower(case: &Case) -> Option<Draft> {
    let (good, bad) = (time(case.pair.a)?, time(case.pair.b)?);
    let (before, now) = (good.layer_mean(), bad.layer_mean());
    let q2c = |layer: &LayerTime| layer.layer_mean() + layer.below_mean();
    let grown = now - before;
    if now < FACTOR * before || grown < PART * (q2c(&bad) - q2c(&good)) || grown <= 0.0 {
        return None;
    }
    Some(Draft {
        code: "layer-slower",
        params: case
            .params()
            .value("layer", now, Unit::Time)
            .value("layer_good", before, Unit::Time)
            .value("below", bad.below_mean(), Unit::Time)
            .value("below_good", good.below_mean(), Unit::Time),
        keys: &["q2c.mean", "iops"],
        more: vec![
            ("layer.mean", case.of_both((before, now))),
            (
                "layer.below",
                case.of_both((good.below_mean(), bad.below_mean())),
            ),
        ],
        chart: EvidenceChart::Latency,
        range: None,
        part: None,
        class: case.class(true, true)?,
    })
}
