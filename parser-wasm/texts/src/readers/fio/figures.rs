//! The figures of fio: what it measures of an operation, and how that is called.

use crate::line::Place;
use crate::observation::{Good, Metric, Unit};

/// Figures of an operation: fio prints 20 percentiles of each stage at most.
const MAX_FIGURES: usize = 128;

/// The operations of a job. `Mixed` is all of them together (`unified_rw_reporting`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Read,
    Write,
    Trim,
    Mixed,
    /// fsync, fdatasync and sync_file_range.
    Sync,
}

impl Operation {
    pub const ALL: [Operation; 5] = [
        Operation::Read,
        Operation::Write,
        Operation::Trim,
        Operation::Mixed,
        Operation::Sync,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::Write => "write",
            Operation::Trim => "trim",
            Operation::Mixed => "mixed",
            Operation::Sync => "sync",
        }
    }

    pub fn named(name: &str) -> Option<Operation> {
        Operation::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }
}

/// The part of an I/O's life that a latency is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Submission,
    Completion,
    Total,
}

impl Stage {
    /// The name that fio uses.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Submission => "slat",
            Stage::Completion => "clat",
            Stage::Total => "lat",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    Min,
    Max,
    Mean,
    Deviation,
    Percentile(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    Iops,
    Rate,
    /// The mean of the samples of a job (`bw (KiB/s): min=..`, `iops : min=..`), each of half a
    /// second.
    SampledIops,
    SampledRate,
    Latency(Stage, Statistic),
}

/// A figure where it is; rates in bytes/s, times in ns.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    pub quantity: Quantity,
    pub value: f64,
    pub place: Place,
}

/// The measurements of one operation.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// `None` in an excerpt without the line that names it.
    pub operation: Option<Operation>,
    /// Number of I/Os.
    pub count: Option<f64>,
    pub figures: Vec<Figure>,
    /// Latency in ns and number of I/Os, ascending.
    pub bins: Vec<(u64, u64)>,
}

impl Measured {
    pub fn new(operation: Operation) -> Measured {
        Measured {
            operation: Some(operation),
            ..Measured::default()
        }
    }

    pub fn figure(&self, quantity: Quantity) -> Option<Figure> {
        self.figures
            .iter()
            .copied()
            .find(|figure| figure.quantity == quantity)
    }

    pub fn add(&mut self, quantity: Quantity, value: f64, place: Place) {
        let full = self.figures.len() >= MAX_FIGURES;
        // Negative ones are reported, and left out, with the block.
        if !full && value.is_finite() && self.figure(quantity).is_none() {
            self.figures.push(Figure {
                quantity,
                value,
                place,
            });
        }
    }

    /// Whether there is any latency of this stage.
    pub fn has_stage(&self, stage: Stage) -> bool {
        self.figures
            .iter()
            .any(|figure| matches!(figure.quantity, Quantity::Latency(other, _) if other == stage))
    }
}

/// The metric of a figure of an operation.
pub fn metric(operation: Option<Operation>, quantity: Quantity) -> Metric {
    let (key, label, unit) = match quantity {
        Quantity::Iops => ("iops".to_owned(), "IOPS".to_owned(), Unit::PerSecond),
        Quantity::Rate => ("bw".to_owned(), "rate".to_owned(), Unit::BytesPerSecond),
        Quantity::SampledIops => (
            "iops_mean".to_owned(),
            "mean IOPS".to_owned(),
            Unit::PerSecond,
        ),
        Quantity::SampledRate => (
            "bw_mean".to_owned(),
            "mean rate".to_owned(),
            Unit::BytesPerSecond,
        ),
        Quantity::Latency(stage, statistic) => {
            let (key, words) = statistic_words(statistic);
            let name = stage.name();
            (
                format!("{name}_{key}"),
                format!("{name} {words}"),
                Unit::Nanoseconds,
            )
        }
    };
    match operation {
        Some(operation) => {
            let name = operation.name();
            Metric::new(format!("{name}.{key}"), format!("{name} {label}"), unit)
        }
        None => Metric::new(key, label, unit),
    }
    .better(if unit == Unit::Nanoseconds {
        Good::Less
    } else {
        Good::More
    })
}

/// End of the key, and words: `p999`, `p99.9`.
fn statistic_words(statistic: Statistic) -> (String, String) {
    match statistic {
        Statistic::Min => ("min".to_owned(), "min".to_owned()),
        Statistic::Max => ("max".to_owned(), "max".to_owned()),
        Statistic::Mean => ("mean".to_owned(), "mean".to_owned()),
        Statistic::Deviation => ("stdev".to_owned(), "stdev".to_owned()),
        Statistic::Percentile(percent) => {
            let percent = percent.to_string();
            (
                format!("p{}", percent.replace('.', "")),
                format!("p{percent}"),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_labels_name_operation_and_statistic() {
        let words = |operation, quantity| {
            let metric = metric(operation, quantity);
            (metric.key, metric.label, metric.good)
        };
        let p99_9 = Quantity::Latency(Stage::Completion, Statistic::Percentile(99.9));
        assert_eq!(
            words(Some(Operation::Write), p99_9),
            (
                "write.clat_p999".to_owned(),
                "write clat p99.9".to_owned(),
                Some(Good::Less)
            )
        );
        assert_eq!(
            words(None, Quantity::Iops),
            ("iops".to_owned(), "IOPS".to_owned(), Some(Good::More))
        );
    }
}
