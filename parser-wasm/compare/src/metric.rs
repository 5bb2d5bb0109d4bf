//! The only table of metrics: key, label, unit, good direction, how each is measured, and how it is
//! sampled over time.

mod affected;
mod shares;

use seekscope_measure::access::seek::Seek;
use seekscope_measure::arrays::alignment::ClassCount;
use seekscope_measure::coverage::Covered;
use seekscope_measure::depth::{STATE_NAMES, States};
use seekscope_measure::failed::FailedCount;
use seekscope_measure::figures::{Alignment, Figures};
use seekscope_measure::latency::Latency;
use seekscope_measure::size::SizeCount;
use seekscope_measure::throughput::CompletionCounter;
use seekscope_notes::Good;
use seekscope_report::absent::DeviceRecording;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
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
type Stat = fn(&Latency) -> f64;

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

const SECOND: f64 = 1e9;

fn per_second(n: u64, ns: u64) -> Option<(f64, f64)> {
    Some((n as f64 * SECOND, ns as f64))
}

/// All metrics in the order of tables: what a reader asks first comes first.
pub fn all() -> Vec<Metric> {
    let mut list = rates();
    list.extend(failures());
    list.extend(usage());
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
    list.extend(seeks("issued", "", |f| f.seek_issued));
    list.extend(turns());
    list.extend(shares::order());
    list.extend(seeks("queued", ", as queued", |f| f.seek_queued));
    list.extend(seeks("completed", ", as completed", |f| f.seek_completed));
    list.extend(sizes());
    list.extend(merges());
    list.extend(alignment());
    list.extend(flushes());
    list.extend(totals());
    list
}

fn rates() -> Vec<Metric> {
    use Unit::{PerSecond, Rate, Time};
    vec![
        Metric::new("span", "Run time, first Q to last C", Time, |s| {
            Some(s.ns as f64)
        })
        .good(Good::Less)
        // For a given amount of work: time per byte.
        .sampled(|s| Some((s.ns as f64, moved(s)? as f64))),
        Metric::new("read_bps", "Throughput, read", Rate, |s| {
            Some(s.figures.throughput?.read_bps)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.read_bytes, s.ns)),
        Metric::new("write_bps", "Throughput, write", Rate, |s| {
            Some(s.figures.throughput?.write_bps)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.write_bytes, s.ns)),
        Metric::new("bps", "Throughput, read and write", Rate, |s| {
            s.figures.throughput.map(|t| t.read_bps + t.write_bps)
        })
        .good(Good::More)
        .sampled(|s| {
            per_second(
                s.figures.counts.read_bytes + s.figures.counts.write_bytes,
                s.ns,
            )
        }),
        Metric::new("iops", "Requests completed", PerSecond, |s| {
            Some(s.figures.throughput?.iops)
        })
        .good(Good::More)
        .sampled(|s| per_second(s.figures.counts.count(Action::Complete), s.ns)),
        requested("queued_bps", "Bytes queued per second", |f| f.requested[0]),
        requested("issued_bps", "Bytes issued per second", |f| f.requested[1]),
    ]
}

/// Reads and writes in bytes: as completed, else as issued, else as queued.
fn moved(s: MetricInput) -> Option<u64> {
    let counts = &s.figures.counts;
    let completed = s
        .device
        .recorded
        .is_known(Action::Complete)
        .then_some(counts.read_bytes + counts.write_bytes);
    let [queued, issued] = s
        .figures
        .requested
        .map(|moved| moved.map(|m| m.read_bytes + m.write_bytes));
    completed.or(issued).or(queued)
}

/// Stands in for throughput where a run was recorded without completions.
fn requested(key: &str, label: &str, pick: fn(&Figures) -> Option<CompletionCounter>) -> Metric {
    let sums = move |s: MetricInput| {
        per_second(pick(s.figures).map(|m| m.read_bytes + m.write_bytes)?, s.ns)
    };
    let value = move |s: MetricInput| {
        sums(s)
            .filter(|(_, ns)| *ns > 0.0)
            .map(|(bytes, ns)| bytes / ns)
    };
    let metric = Metric {
        sums: Some(Box::new(sums)),
        ..Metric::new(key, label, Unit::Rate, value)
    };
    Metric {
        substitute: true,
        ..metric.good(Good::More)
    }
}

/// Completions with an error.
fn failures() -> Vec<Metric> {
    let count = |key, label, unit, pick: fn(FailedCount) -> u64| {
        Metric::new(key, label, unit, move |s| {
            let is_known = s.capabilities.has(Capabilities::ERRORS)
                && s.device.recorded.is_known(Action::Complete);
            is_known.then(|| pick(s.figures.failed) as f64)
        })
        .good(Good::Less)
    };
    vec![
        Metric {
            rare: true,
            ..count("failed.requests", "Failed requests", Unit::Count, |f| {
                f.requests
            })
        },
        count(
            "failed.bytes",
            "Bytes of failed requests",
            Unit::Bytes,
            |f| f.bytes,
        ),
    ]
}

/// Depth, waiting, and states of the device.
fn usage() -> Vec<Metric> {
    use Unit::{Bios, Count, Number, Requests, Share, Time};
    let share = |key: &'static str, label: &str, pick: fn(&States) -> f64| {
        let value = move |s: MetricInput| s.figures.usage.as_ref()?.states.as_ref().map(pick);
        let figure = Metric::new(key, label, Share, value);
        Metric {
            sums: Some(Box::new(move |s| {
                Some((value(s)? * s.ns as f64, s.ns as f64))
            })),
            ..figure
        }
    };
    let depth = |key, label, unit, pick: fn(&seekscope_measure::depth::Depth) -> f64| {
        Metric::new(key, label, unit, move |s| {
            s.figures.usage.as_ref()?.depth.as_ref().map(pick)
        })
    };
    let starved = |key, label, unit, pick: fn(&seekscope_measure::depth::Starved) -> f64| {
        Metric::new(key, label, unit, move |s| {
            s.figures.usage.as_ref()?.starved.as_ref().map(pick)
        })
        .good(Good::Less)
    };
    vec![
        depth("depth.mean", "Queue depth, mean", Requests, |d| d.mean).sampled(|s| {
            let mean = s.figures.usage.as_ref()?.depth.as_ref()?.mean;
            Some((mean * s.ns as f64, s.ns as f64))
        }),
        depth("depth.p50", "Queue depth, median", Requests, |d| {
            f64::from(d.p50)
        }),
        depth("depth.p95", "Queue depth, p95", Requests, |d| {
            f64::from(d.p95)
        }),
        depth("depth.max", "Queue depth, max", Requests, |d| {
            f64::from(d.max)
        }),
        Metric::new("waiting.mean", "Waiting, mean", Bios, |s| {
            Some(s.figures.usage.as_ref()?.waiting?.mean)
        })
        .good(Good::Less)
        .sampled(|s| {
            Some((
                s.figures.usage.as_ref()?.waiting?.mean * s.ns as f64,
                s.ns as f64,
            ))
        }),
        Metric::new("waiting.max", "Waiting, max", Number, |s| {
            Some(f64::from(s.figures.usage.as_ref()?.waiting?.max))
        })
        .good(Good::Less),
        share("starved.share", "Starved time", |s| s.starved).good(Good::Less),
        starved("starved.longest", "Longest starved interval", Time, |s| {
            s.longest_ns as f64
        }),
        starved("starved.intervals", "Starved intervals", Count, |s| {
            s.intervals as f64
        }),
        share("states.busy_waiting", &state("busy_waiting"), |s| {
            s.busy_waiting
        }),
        share("states.busy", &state("busy"), |s| s.busy),
        share("states.nobody", &state("nobody"), |s| s.nobody),
    ]
}

/// The name of a state as a heading.
fn state(key: &str) -> String {
    let name = STATE_NAMES.iter().find(|(state, _)| *state == key);
    let name = name.map_or("", |(_, name)| name);
    let (first, rest) = name.split_at(name.len().min(1));
    first.to_uppercase() + rest
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

fn seeks(moment: &str, suffix: &str, pick: fn(&Figures) -> Option<Seek>) -> Vec<Metric> {
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

fn turns() -> Vec<Metric> {
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

/// Bytes and number of requests with data; absent without any.
fn length_sums(sizes: &[SizeCount]) -> Option<(f64, f64)> {
    let (mut bytes, mut n) = (0.0, 0.0);
    for row in sizes.iter().filter(|row| row.sectors > 0) {
        let count = (row.reads + row.writes + row.discards) as f64;
        n += count;
        bytes += count * row.sectors as f64 * 512.0;
    }
    (n > 0.0).then_some((bytes, n))
}

fn sizes() -> Vec<Metric> {
    let figure = |i: usize, moment: &str| {
        let sums = move |s: MetricInput| length_sums(&s.figures.sizes[i]);
        let value = move |s: MetricInput| sums(s).map(|(bytes, n)| bytes / n);
        let label = format!("Request size, mean, as {moment}");
        Metric {
            sums: Some(Box::new(sums)),
            ..Metric::new(&format!("size.{moment}.mean"), &label, Unit::Bytes, value)
        }
    };
    vec![
        figure(0, "queued"),
        figure(1, "issued"),
        figure(2, "completed"),
    ]
}

fn merges() -> Vec<Metric> {
    let count = |key, label, pick: fn(&seekscope_measure::counts::EventCounts) -> u64| {
        Metric::new(key, label, Unit::Count, move |s| {
            let is_known = s.capabilities.has(Capabilities::MERGES)
                && s.device.recorded.is_known(Action::Queue);
            is_known.then(|| pick(&s.figures.counts) as f64)
        })
    };
    vec![
        count("merges.back", "Back merges", |c| c.back_merges()),
        count("merges.front", "Front merges", |c| {
            c.count(Action::FrontMerge)
        }),
        count("merges.requests", "Requests merged into others", |c| {
            c.request_merges
        }),
        Metric::new(
            "merges.q_per_d",
            "Bios per issued request",
            Unit::Number,
            |s| s.figures.counts.queued_per_issued(),
        )
        .sampled(|s| {
            Some((
                s.figures.counts.data_queued as f64,
                s.figures.counts.data_issued as f64,
            ))
        }),
    ]
}

fn alignment() -> Vec<Metric> {
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

fn flushes() -> Vec<Metric> {
    let flush = |s: MetricInput| {
        s.capabilities
            .has(Capabilities::FLUSHES)
            .then_some(s.figures.flush)
    };
    let count = |key, label, pick: fn(&seekscope_measure::flush::Flush) -> Option<u64>| {
        Metric::new(key, label, Unit::Count, move |s| {
            flush(s).as_ref().and_then(pick).map(|n| n as f64)
        })
    };
    vec![
        count("flush.preflush", "Writes with a preflush", |f| f.preflush),
        count("flush.flush", "Flush requests", |f| f.flush),
        count("flush.fua", "FUA writes", |f| f.fua),
        Metric::new("flush.busy", "Flush in flight", Unit::Share, move |s| {
            flush(s)?.busy_share
        })
        .sampled(|s| Some((s.figures.flush.busy_share? * s.ns as f64, s.ns as f64))),
        Metric::new("sync", "Sync requests", Unit::Share, |s| {
            s.figures
                .sync_share
                .filter(|_| s.capabilities.has(Capabilities::HINTS))
        })
        .sampled(|s| {
            let n = s.figures.counts.data_issued as f64;
            Some((s.figures.sync_share? * n, n))
        }),
    ]
}

fn totals() -> Vec<Metric> {
    let bytes = |key, label, pick: fn(&Figures) -> u64| {
        Metric::new(key, label, Unit::Bytes, move |s| {
            s.device
                .recorded
                .is_known(Action::Complete)
                .then(|| pick(s.figures) as f64)
        })
    };
    let mut list = vec![
        bytes("bytes.read", "Bytes read", |f| f.counts.read_bytes),
        bytes("bytes.write", "Bytes written", |f| f.counts.write_bytes),
        bytes("bytes.discard", "Bytes discarded", |f| {
            f.counts.discard_bytes
        }),
    ];
    use Action::{
        BackMerge, Complete, FrontMerge, GetRequest, Insert, Issue, Plug, Queue, Requeue, Split,
        Unplug, UnplugTimer,
    };
    let listed = [
        Queue,
        BackMerge,
        FrontMerge,
        GetRequest,
        Insert,
        Issue,
        Requeue,
        Complete,
        Split,
        Plug,
        Unplug,
        UnplugTimer,
    ];
    list.extend(listed.map(|action| {
        let (key, label) = (
            format!("events.{}", action.letters()),
            format!("Events {}", action.letters()),
        );
        Metric::new(&key, &label, Unit::Count, move |s| {
            let n = s.figures.counts.count(action);
            let zero = || {
                s.capabilities.has(Capabilities::needed_for(action))
                    && !DeviceRecording::new(s.device, s.capabilities).is_masked()
            };
            (n > 0 || zero()).then_some(n as f64)
        })
    }));
    list
}
