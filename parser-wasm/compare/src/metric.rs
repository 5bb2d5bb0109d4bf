//! All metrics in the order of tables. Each group of them has a file, which is the only place of
//! their keys, labels, units and good directions, and says how each is measured and sampled over
//! time.

mod access;
mod affected;
mod alignment;
mod counts;
mod flushes;
mod latencies;
mod rates;
mod shares;
mod usage;

use seekscope_measure::figures::Figures;
use seekscope_notes::Good;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::quantity::Unit;
use seekscope_trace::store::{Device, Stage};

pub use affected::affected;

/// A device of a trace and what was measured on it, in the complete run or in one bin.
#[derive(Clone, Copy)]
pub struct MetricInput<'a> {
    /// The device, which has the stages per bio.
    pub device: &'a Device,
    /// What was measured on it.
    pub figures: &'a Figures,
    /// What the format can provide.
    pub capabilities: Capabilities,
    /// Length of the bin, or of the time from the first Q to the last C, ns.
    pub ns: u64,
}

type ValueOf = Box<dyn Fn(MetricInput) -> Option<f64>>;
/// The part of a bin in the numerator and in the denominator. The sum of the numerators divided by
/// that of the denominators is the figure, up to a scale.
pub type Sums = Box<dyn Fn(MetricInput) -> Option<(f64, f64)>>;

/// One figure: its name, and how it is measured.
pub struct Metric {
    /// Name in documents and links; stable.
    pub key: String,
    /// Name that users see.
    pub label: String,
    /// How it is scaled and written.
    pub unit: Unit,
    /// Which direction is better; absent if neither is.
    pub good: Option<Good>,
    value: ValueOf,
    /// Whether it is listed only if a run lacks throughput.
    pub substitute: bool,
    /// Whether it counts rare events: a few more or fewer of them are chance.
    pub rare: bool,
    /// The sums of a bin, from which the error within a run is estimated. Absent for totals,
    /// extremes, percentiles and means over bios.
    pub sums: Option<Sums>,
    /// For a percentile: the stage, and the share of requests that take at most as long.
    pub percentile: Option<(Stage, f64)>,
    /// For a mean over bios: the stage.
    pub over_time: Option<Stage>,
}

impl Metric {
    /// The value of a device; absent where the metric does not apply.
    pub fn value(&self, subject: MetricInput) -> Option<f64> {
        (self.value)(subject)
    }

    /// Whether it is a count that grows with the work.
    pub fn is_total(&self) -> bool {
        matches!(self.unit, Unit::Count | Unit::Bytes) && self.sums.is_none()
    }

    fn new(
        key: &str,
        label: &str,
        unit: Unit,
        value: impl Fn(MetricInput) -> Option<f64> + 'static,
    ) -> Metric {
        let value = Box::new(value);
        Metric {
            key: key.to_owned(),
            label: label.to_owned(),
            unit,
            good: None,
            value,
            substitute: false,
            rare: false,
            sums: None,
            percentile: None,
            over_time: None,
        }
    }

    fn good(self, good: Good) -> Metric {
        Metric {
            good: Some(good),
            ..self
        }
    }

    fn over_time(self, stage: Stage) -> Metric {
        Metric {
            over_time: Some(stage),
            ..self
        }
    }

    fn sampled(self, sums: fn(MetricInput) -> Option<(f64, f64)>) -> Metric {
        Metric {
            sums: Some(Box::new(sums)),
            ..self
        }
    }
}

/// All metrics in the order of tables: what a reader asks first comes first.
pub fn all() -> Vec<Metric> {
    let mut list = rates::rates();
    list.extend(rates::failures());
    list.extend(usage::usage());
    list.extend(latencies::latencies());
    list.extend(access::seeks("issued", "", |f| f.seek_issued));
    list.extend(access::turns());
    list.extend(shares::order());
    list.extend(access::seeks("queued", ", as queued", |f| f.seek_queued));
    list.extend(access::seeks("completed", ", as completed", |f| {
        f.seek_completed
    }));
    list.extend(counts::sizes());
    list.extend(counts::merges());
    list.extend(alignment::alignment());
    list.extend(flushes::flushes());
    list.extend(counts::totals());
    list
}
