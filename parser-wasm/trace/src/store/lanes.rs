//! Values over time that are drawn below the charts: counters that other tools recorded next to the
//! trace, and values of tracepoints in it. A lane is one counter of one subject.

use serde::{Deserialize, Serialize};

/// Unit of a lane's values: base units, as in all JSON documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaneUnit {
    /// A share of 1.
    #[serde(rename = "share")]
    Share,
    #[serde(rename = "bytes/s")]
    BytesPerSecond,
    #[serde(rename = "1/s")]
    PerSecond,
    #[serde(rename = "bytes")]
    Bytes,
    #[serde(rename = "ns")]
    Ns,
    #[default]
    #[serde(rename = "count")]
    Count,
}

/// The meaning of a sample's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneKind {
    /// Mean of the interval that the sample ends.
    Rate,
    /// The value at that moment, until the next sample.
    #[default]
    Gauge,
    /// Something that happened at that moment.
    Event,
}

/// The part of the machine that a counter is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneSubject {
    /// The machine, or all its CPUs together.
    Machine,
    Cpu(u32),
    /// A device by the name that the tool printed; empty if it printed none.
    Device(String),
}

impl LaneSubject {
    /// The name that people see: `vda`, `CPU 0`, `machine`.
    pub fn label(&self) -> String {
        match self {
            LaneSubject::Machine => "machine".to_owned(),
            LaneSubject::Cpu(cpu) => format!("CPU {cpu}"),
            LaneSubject::Device(name) if name.is_empty() => "unnamed device".to_owned(),
            LaneSubject::Device(name) => name.clone(),
        }
    }
}

/// One value. Times are ns since the start of the run; those before it are negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneSample {
    /// Start of the interval; of a gauge or event the same as `time`.
    pub from: i64,
    pub time: i64,
    pub value: f64,
}

/// A counter over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// The name that the tool has for the counter: `%iowait`, `r_await`.
    pub name: String,
    /// The meaning of the counter in words.
    pub meaning: String,
    pub unit: LaneUnit,
    pub kind: LaneKind,
    pub subject: LaneSubject,
    /// Index of its source in [`Lanes::sources`].
    pub source: usize,
    /// Whether it is drawn at first; others are drawn on request.
    pub main: bool,
    /// The samples in ascending order of time.
    pub samples: Vec<LaneSample>,
}

/// Mean and extremes of a lane within a range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LaneFigures {
    /// Weighted by time; of events by their number.
    pub mean: f64,
    pub min: f64,
    pub max: f64,
    pub samples: usize,
}

impl Lane {
    /// Figures of the samples that overlap [from, to], ns; `None` without any.
    pub fn figures(&self, from: i64, to: i64) -> Option<LaneFigures> {
        let (mut sum, mut weight) = (0.0, 0.0);
        let mut figures = LaneFigures {
            mean: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            samples: 0,
        };
        for (i, sample) in self.samples.iter().enumerate() {
            let (begin, end) = self.extent(i);
            let share = match self.kind {
                LaneKind::Event => f64::from(u8::from(begin >= from && begin <= to)),
                LaneKind::Rate | LaneKind::Gauge => {
                    (end.min(to).saturating_sub(begin.max(from))).max(0) as f64
                }
            };
            if share > 0.0 {
                sum += sample.value * share;
                weight += share;
                figures.min = figures.min.min(sample.value);
                figures.max = figures.max.max(sample.value);
                figures.samples += 1;
            }
        }
        (weight > 0.0).then(|| LaneFigures {
            mean: sum / weight,
            ..figures
        })
    }

    /// The time for which sample `i` holds: its interval, or up to the next sample. The last gauge
    /// holds as long as the one before.
    pub fn extent(&self, i: usize) -> (i64, i64) {
        let Some(sample) = self.samples.get(i) else {
            return (0, 0);
        };
        match self.kind {
            LaneKind::Rate => (sample.from, sample.time),
            LaneKind::Event => (sample.time, sample.time),
            LaneKind::Gauge => {
                let before = i
                    .checked_sub(1)
                    .and_then(|i| self.samples.get(i))
                    .map_or(0, |s| sample.time.saturating_sub(s.time));
                (
                    sample.time,
                    self.samples
                        .get(i + 1)
                        .map_or(sample.time.saturating_add(before), |next| next.time),
                )
            }
        }
    }
}

/// A part of the kernel that holds requests back between Q and D, and reports it in tracepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneLimiter {
    /// Writeback throttling.
    Wbt,
    Kyber,
    Iocost,
    /// Waits for a tag.
    Tags,
}

impl LaneLimiter {
    /// The beginning of its tracepoints' names, or the name.
    pub fn point(self) -> &'static str {
        match self {
            LaneLimiter::Wbt => "wbt",
            LaneLimiter::Kyber => "kyber",
            LaneLimiter::Iocost => "iocost",
            LaneLimiter::Tags => "block_rq_tag_wait",
        }
    }
}

/// The source of lanes: a file next to the trace, or events in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaneSource {
    /// Path of the file, or name of the tracepoint.
    pub file: String,
    /// The source in words: `iostat -x, 15 reports of 2 devices`.
    pub what: String,
    /// How its times were placed on the run's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The reason why it has no lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// The limiter that the tracepoints are of.
    #[serde(skip)]
    pub limiter: Option<LaneLimiter>,
}

/// All lanes of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    pub sources: Vec<LaneSource>,
    pub rows: Vec<Lane>,
    /// The limiters whose tracepoints were recorded, also without an event of them; ascending.
    pub recorded: Vec<LaneLimiter>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(kind: LaneKind, samples: &[(i64, i64, f64)]) -> Lane {
        let samples = samples
            .iter()
            .map(|&(from, time, value)| LaneSample { from, time, value })
            .collect();
        let (name, meaning) = ("%util".to_owned(), String::new());
        Lane {
            name,
            meaning,
            unit: LaneUnit::Share,
            kind,
            subject: LaneSubject::Machine,
            source: 0,
            main: true,
            samples,
        }
    }

    #[test]
    fn a_mean_counts_each_interval_by_its_length_within_the_run() {
        let rate = lane(
            LaneKind::Rate,
            &[(-50, 50, 1.0), (50, 150, 3.0), (150, 400, 9.0)],
        );
        // 50 of the first, all of the second, 100 of the third.
        let figures = rate.figures(0, 250).unwrap();
        assert_eq!(
            (figures.mean, figures.min, figures.max, figures.samples),
            ((50.0 + 300.0 + 900.0) / 250.0, 1.0, 9.0, 3)
        );
        assert_eq!(rate.figures(500, 600), None);
    }

    #[test]
    fn a_gauge_holds_until_the_next_sample() {
        let gauge = lane(LaneKind::Gauge, &[(0, 0, 2.0), (100, 100, 4.0)]);
        assert_eq!(gauge.extent(1), (100, 200));
        assert_eq!(gauge.figures(0, 400).unwrap().mean, 3.0);
    }

    #[test]
    fn events_count_once_each() {
        let events = lane(
            LaneKind::Event,
            &[(10, 10, 1.0), (20, 20, 5.0), (90, 90, 100.0)],
        );
        assert_eq!(events.figures(0, 50).unwrap().mean, 3.0);
    }
}
