//! The observation that a figure with a label is.

use super::super::cell::CellFigure;
use super::super::words::{self, describe};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};

/// The dimension of labels that name no sides.
pub const TEST: &str = "test";

/// A figure with a rate, or one whose label calls it a metric.
pub fn observation(
    line: &Line,
    figure: CellFigure,
    label: &str,
    side: Option<&str>,
    repeat: Option<String>,
) -> Option<Observation> {
    let described = describe(label);
    // How long a test ran is no result of it.
    let is_length = described.name.to_ascii_lowercase().contains("duration") && side.is_none();
    if words::is_limit(label) || is_length {
        return None;
    }
    // A unit in the label counts only for metrics: `power_on_hours: 8311` is no result.
    let implied = described
        .implied()
        .filter(|scale| described.is_metric() || scale.unit != Unit::Nanoseconds);
    let scale = figure.quantity.scale.or(implied)?;
    let rate = scale.unit.is_rate();
    let time = scale.unit == Unit::Nanoseconds && (described.is_metric() || side.is_some());
    if !rate && !time {
        return None;
    }
    let mut dimensions = Vec::new();
    if let Some(side) = side {
        dimensions.push(NamedValue::new("run", side));
    }
    let name = if described.is_metric() {
        described.name
    } else {
        ""
    };
    if !described.is_metric() && !described.name.is_empty() {
        dimensions.push(NamedValue::new(TEST, described.name));
    }
    Some(Observation {
        metric: words::metric(name, described.kind, scale, None),
        value: figure.quantity.value * scale.factor,
        place: line.place_of(figure.shown),
        dimensions,
        repeat,
    })
}
