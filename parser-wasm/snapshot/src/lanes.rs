//! Lanes in large snapshots: the main ones first, and of each as many samples as fit.

use super::contents::{Numbers, StoredLane, StoredLanes};
use super::decimal::rounded;
use super::size::SnapshotSize;
use seekscope_plot::{Answer, IntoAnswer, lane_list, lane_values};
use seekscope_trace::json::typed;
use seekscope_trace::store::lanes::{Lane, LaneKind, LaneSample, LaneSubject, Lanes};
use serde_json::{Number, Value as Json};

/// Nanoseconds per stored unit of time.
const US: i64 = 1000;
/// Samples of all lanes that are read from a snapshot.
const MAX_SAMPLES: usize = 1 << 20;

/// How much a snapshot keeps of the lanes.
struct LaneDetail {
    lanes: usize,
    /// Limit for the samples of a lane; more are joined.
    samples: usize,
    digits: usize,
}

fn detail(size: SnapshotSize) -> Option<LaneDetail> {
    match size {
        SnapshotSize::XS | SnapshotSize::S | SnapshotSize::M => None,
        SnapshotSize::L => Some(LaneDetail {
            lanes: 24,
            samples: 240,
            digits: 5,
        }),
        SnapshotSize::File => Some(LaneDetail {
            lanes: 256,
            samples: 2000,
            digits: 9,
        }),
    }
}

/// The lanes of a trace and how many are left out; absent without any, and in sizes that have none.
pub fn stored(lanes: &Lanes, size: SnapshotSize, files: bool) -> (Option<StoredLanes>, usize) {
    let Some(detail) = detail(size).filter(|_| !lanes.sources.is_empty()) else {
        return (None, lanes.rows.len());
    };
    let mut stored: Vec<&Lane> = lanes.rows.iter().filter(|lane| lane.main).collect();
    stored.extend(lanes.rows.iter().filter(|lane| !lane.main));
    stored.truncate(detail.lanes);
    let mut sources = lanes.sources.clone();
    for (i, source) in sources
        .iter_mut()
        .enumerate()
        .filter(|(_, source)| !files && source.limiter.is_none())
    {
        source.file = format!("file {}", i + 1);
    }
    let left_out = lanes.rows.len() - stored.len();
    let rows = stored.into_iter().map(|lane| row(lane, &detail)).collect();
    (
        Some(StoredLanes {
            sources,
            rows,
            ..StoredLanes::default()
        }),
        left_out,
    )
}

fn row(lane: &Lane, detail: &LaneDetail) -> StoredLane {
    let each = lane.samples.len().div_ceil(detail.samples).max(1);
    let samples = lane
        .samples
        .chunks(each)
        .filter_map(|chunk| joined(chunk, lane.kind));
    let (mut steps, mut length, mut values) = (Numbers::new(), Numbers::new(), Numbers::new());
    let mut last = 0;
    for sample in samples {
        let (from, to) = (sample.from.div_euclid(US), sample.time.div_euclid(US));
        steps.push(Some(Number::from(to.saturating_sub(last))));
        if lane.kind == LaneKind::Rate {
            length.push(Some(Number::from(to.saturating_sub(from))));
        }
        values.push(Number::from_f64(rounded(sample.value, detail.digits)));
        last = to;
    }
    StoredLane {
        name: lane.name.clone(),
        meaning: lane.meaning.clone(),
        of: lane.subject.label(),
        unit: lane.unit,
        kind: lane.kind,
        source: lane.source,
        main: lane.main,
        at: steps,
        length,
        values,
    }
}

/// Neighbours as one sample: their mean, weighted by time; of events the largest.
fn joined(chunk: &[LaneSample], kind: LaneKind) -> Option<LaneSample> {
    let (first, last) = (chunk.first()?, chunk.last()?);
    if chunk.len() == 1 {
        return Some(*first);
    }
    match kind {
        LaneKind::Event => chunk
            .iter()
            .copied()
            .max_by(|a, b| a.value.total_cmp(&b.value)),
        LaneKind::Rate => {
            let weight = |s: &LaneSample| s.time.saturating_sub(s.from).max(0) as f64;
            let whole: f64 = chunk.iter().map(weight).sum();
            let sum: f64 = chunk.iter().map(|s| s.value * weight(s)).sum();
            Some(LaneSample {
                from: first.from,
                time: last.time,
                value: if whole > 0.0 { sum / whole } else { last.value },
            })
        }
        LaneKind::Gauge => {
            let value = chunk.iter().map(|s| s.value).sum::<f64>() / chunk.len() as f64;
            Some(LaneSample { value, ..*first })
        }
    }
}

impl StoredLanes {
    /// The lanes, as far as they are valid.
    fn lanes(&self) -> &Lanes {
        self.read.get_or_init(|| self.decoded())
    }

    fn decoded(&self) -> Lanes {
        let mut read = 0;
        let mut row = |stored: &StoredLane| {
            let mut end: i64 = 0;
            let whole =
                |number: &Option<Number>| number.as_ref().and_then(Number::as_i64).unwrap_or(0);
            let mut samples = Vec::new();
            for (i, (step, value)) in stored.at.iter().zip(&stored.values).enumerate() {
                read += 1;
                if read > MAX_SAMPLES {
                    break;
                }
                end = end.saturating_add(whole(step).max(if i == 0 { i64::MIN } else { 0 }));
                let length = stored.length.get(i).map_or(0, whole).max(0);
                let time = end.saturating_mul(US);
                let Some(value) = value.as_ref().and_then(Number::as_f64) else {
                    continue;
                };
                samples.push(LaneSample {
                    from: time.saturating_sub(length.saturating_mul(US)),
                    time,
                    value,
                });
            }
            Lane {
                name: stored.name.clone(),
                meaning: stored.meaning.clone(),
                unit: stored.unit,
                kind: stored.kind,
                subject: subject(&stored.of),
                source: stored.source,
                main: stored.main,
                samples,
            }
        };
        let rows = self.rows.iter().map(&mut row).collect();
        Lanes {
            sources: self.sources.clone(),
            rows,
            recorded: Vec::new(),
        }
    }

    /// Answers `lanes` or `laneSeries` as the trace does.
    pub fn answer(&self, kind: &str, query: &Json, span: u64) -> Option<Answer> {
        let lanes = self.lanes();
        match kind {
            "lanes" => Some(lane_list(lanes, span, &typed(query).ok()?).into_answer()),
            _ => Some(lane_values(lanes, &typed(query).ok()?).ok()?.into_answer()),
        }
    }
}

fn subject(label: &str) -> LaneSubject {
    match label.strip_prefix("CPU ").map(str::parse) {
        Some(Ok(cpu)) => LaneSubject::Cpu(cpu),
        _ if label == LaneSubject::Machine.label() => LaneSubject::Machine,
        _ => LaneSubject::Device(label.to_owned()),
    }
}
