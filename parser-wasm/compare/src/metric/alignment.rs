//! Metrics of stripes: alignment, coverage, and the cost of partial writes.

use super::{Metric, MetricInput, shares};
use seekscope_measure::arrays::alignment::ClassCount;
use seekscope_measure::coverage::Covered;
use seekscope_measure::figures::Alignment;
use seekscope_notes::Good;
use seekscope_trace::quantity::Unit;

pub(super) fn alignment() -> Vec<Metric> {
    let figure = |key: &str, label: &str, unit, value: fn(&Alignment) -> f64| {
        Metric::new(&format!("alignment.{key}"), label, unit, move |s| {
            s.figures.alignment.as_ref().map(value)
        })
    };
    let covered = |key: &str, label: &str, unit, value: fn(&Covered) -> f64| {
        let value = move |s: MetricInput| s.figures.alignment.as_ref()?.covered.as_ref().map(value);
        Metric::new(&format!("alignment.{key}"), label, unit, value)
    };
    let share = |i: usize, classes: &[ClassCount; 4]| {
        let all: u64 = classes.iter().map(|c| c.bytes).sum();
        if all == 0 {
            0.0
        } else {
            classes[i].bytes as f64 / all as f64
        }
    };
    let class = |i: usize, key: &str, label: &str| {
        let label = format!("{label}, share of bytes");
        let value =
            move |s: MetricInput| s.figures.alignment.as_ref().map(|a| share(i, &a.classes));
        Metric::new(
            &format!("alignment.{key}.share"),
            &label,
            Unit::Share,
            value,
        )
    };
    vec![
        shares::off_block(),
        figure("full", "Full-stripe requests", Unit::Count, |a| {
            a.classes[0].requests as f64
        }),
        figure("unit", "Unit-aligned requests", Unit::Count, |a| {
            a.classes[1].requests as f64
        }),
        figure("inside", "Requests inside a unit", Unit::Count, |a| {
            a.classes[2].requests as f64
        }),
        figure(
            "straddles",
            "Requests that straddle a boundary",
            Unit::Count,
            |a| a.classes[3].requests as f64,
        ),
        class(0, "full", "Full-stripe requests"),
        class(3, "straddles", "Requests that straddle a boundary"),
        figure("off4k", "Requests not aligned to 4 KiB", Unit::Count, |a| {
            a.misaligned_4k as f64
        }),
        covered("stripes.full", "Stripes written fully", Unit::Count, |c| {
            c.stripes.full as f64
        }),
        covered(
            "stripes.partial",
            "Stripes written partially",
            Unit::Count,
            |c| c.stripes.partial as f64,
        ),
        covered(
            "rmw.reads",
            "Reads for parity, estimated",
            Unit::Count,
            |c| c.rmw.reads as f64,
        )
        .good(Good::Less),
        covered(
            "rmw.writes",
            "Writes for parity, estimated",
            Unit::Count,
            |c| c.rmw.writes as f64,
        )
        .good(Good::Less),
        covered(
            "rmw.bytes",
            "Extra device I/O for parity, estimated",
            Unit::Bytes,
            |c| c.rmw.extra_bytes as f64,
        )
        .good(Good::Less),
    ]
}
