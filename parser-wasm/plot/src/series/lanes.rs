//! The lanes of a run (counters over time): a list with their figures in view, and their values per
//! bin.

use crate::answer::{BadQuery, answer_object};
use crate::query::{TimeRange, cells};
use crate::view::View;
use seekscope_trace::store::lanes::{Lane, LaneFigures, LaneKind, LaneSource, LaneUnit, Lanes};
use serde::{Deserialize, Serialize};

/// Maximum number of lanes per answer with values.
const MAX_LANES: usize = 64;
/// Maximum number of values per answer.
const MAX_VALUES: usize = 1 << 18;

/// Parameters of `lanes`.
#[derive(Clone, Debug, Deserialize)]
pub struct LanesQuery {
    pub range: Option<TimeRange>,
}

/// Parameters of `laneSeries`.
#[derive(Clone, Debug, Deserialize)]
pub struct LaneSeriesQuery {
    /// Indices of lanes.
    pub lanes: Vec<f64>,
    pub range: TimeRange,
    /// Number of bins.
    pub n: f64,
}

/// A counter of a subject, with its place in the list.
#[derive(Clone, Debug, Serialize)]
pub struct LaneInfo {
    /// Identifies the lane in queries.
    index: usize,
    /// Index of its source.
    source: usize,
    /// Name as the tool prints it: `%iowait`.
    name: String,
    /// What the counter belongs to: `vda`, `CPU 0`, `machine`.
    of: String,
    meaning: String,
    unit: LaneUnit,
    kind: LaneKind,
    /// Whether the page shows the lane without being asked.
    main: bool,
    /// Largest value of all samples, without its sign: a lane that is always 0 needs no row.
    most: f64,
    /// Figures within the range; absent without samples in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<LaneFigures>,
}

/// All lanes of a run.
#[derive(Clone, Debug, Serialize)]
pub struct LaneList {
    sources: Vec<LaneSource>,
    lanes: Vec<LaneInfo>,
}

answer_object! {
    /// Values of several lanes, lane by lane.
    #[doc(alias = "LaneBins")]
    pub struct LaneValues {
        values: Vec<f64>,
    }
}

/// Answers `lanes`: the sources, and the lanes with their figures within the range (absent: the
/// run).
pub fn lanes(view: View, query: &LanesQuery) -> Result<LaneList, BadQuery> {
    Ok(lane_list(&view.store.lanes, view.store.span(), query))
}

/// As [`lanes`], for the lanes of any run, of `span` ns.
pub fn lane_list(lanes: &Lanes, span: u64, query: &LanesQuery) -> LaneList {
    let end = span as f64;
    let range = query.range.unwrap_or(TimeRange { t0: 0.0, t1: end });
    // A run that ends within the range is measured to its end, one that begins in it from its
    // beginning.
    let (from, to) = (range.t0.max(0.0) as i64, range.t1.min(end) as i64);
    let lane = |(index, lane): (usize, &Lane)| LaneInfo {
        index,
        source: lane.source,
        name: lane.name.clone(),
        of: lane.subject.label(),
        meaning: lane.meaning.clone(),
        unit: lane.unit,
        kind: lane.kind,
        main: lane.main,
        most: lane
            .samples
            .iter()
            .map(|s| s.value.abs())
            .fold(0.0, f64::max),
        figures: lane.figures(from, to),
    };
    LaneList {
        sources: lanes.sources.clone(),
        lanes: lanes.rows.iter().enumerate().map(lane).collect(),
    }
}

/// Answers `laneSeries`, lane by lane: the mean of each bin, weighted by time, or for a lane of
/// events the largest value. NaN where there is none.
pub fn lane_series(view: View, query: &LaneSeriesQuery) -> Result<LaneValues, BadQuery> {
    lane_values(&view.store.lanes, query)
}

/// As [`lane_series`], for any lanes.
pub fn lane_values(lanes: &Lanes, query: &LaneSeriesQuery) -> Result<LaneValues, BadQuery> {
    let rows = &lanes.rows;
    let n = cells(query.n);
    if query.lanes.len() > MAX_LANES || n * query.lanes.len() > MAX_VALUES {
        return Err(BadQuery(format!(
            "at most {MAX_LANES} lanes and {MAX_VALUES} values per query"
        )));
    }
    let mut values = Vec::with_capacity(n * query.lanes.len());
    for &index in &query.lanes {
        let lane = rows
            .get(index as usize)
            .filter(|_| index >= 0.0)
            .ok_or_else(|| BadQuery(format!("no lane {index}")))?;
        values.extend(series(lane, query.range, n));
    }
    Ok(LaneValues { values })
}

fn series(lane: &Lane, range: TimeRange, n: usize) -> Vec<f64> {
    let (mut sums, mut weights) = (vec![0.0; n], vec![0.0; n]);
    if range.length() <= 0.0 || n == 0 {
        return vec![f64::NAN; n];
    }
    let per_ns = n as f64 / range.length();
    // Samples are in order of time; those of the range are next to each other.
    let first = lane
        .samples
        .partition_point(|s| (s.time as f64) < range.t0)
        .saturating_sub(1);
    for i in first..lane.samples.len() {
        let (from, to) = lane.extent(i);
        let (from, to) = (
            (from as f64 - range.t0) * per_ns,
            (to as f64 - range.t0) * per_ns,
        );
        if from >= n as f64 {
            break;
        }
        let value = lane.samples[i].value;
        if lane.kind == LaneKind::Event {
            if from >= 0.0 {
                let bin = (from as usize).min(n - 1);
                sums[bin] = if weights[bin] > 0.0 {
                    f64::max(sums[bin], value)
                } else {
                    value
                };
                weights[bin] = 1.0;
            }
            continue;
        }
        let (from, to) = (from.max(0.0), to.min(n as f64));
        let mut begin = from;
        while begin < to {
            let bin = (begin as usize).min(n - 1);
            let end = to.min(bin as f64 + 1.0);
            sums[bin] += value * (end - begin);
            weights[bin] += end - begin;
            // Rounding must not keep the loop in one place.
            begin = if end > begin { end } else { to };
        }
    }
    let mean = |(sum, weight): (f64, f64)| if weight > 0.0 { sum / weight } else { f64::NAN };
    sums.into_iter().zip(weights).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::store::lanes::{LaneSample, LaneSubject, LaneUnit};

    fn lane(kind: LaneKind, samples: &[(i64, i64, f64)]) -> Lane {
        let samples = samples
            .iter()
            .map(|&(from, time, value)| LaneSample { from, time, value })
            .collect();
        let (name, meaning) = ("x".to_owned(), String::new());
        Lane {
            name,
            meaning,
            unit: LaneUnit::Count,
            kind,
            subject: LaneSubject::Machine,
            source: 0,
            main: true,
            samples,
        }
    }

    #[test]
    fn bins_have_the_mean_of_the_time_that_a_lane_covers() {
        let rate = lane(
            LaneKind::Rate,
            &[(-10, 10, 4.0), (10, 30, 8.0), (60, 70, 1.0)],
        );
        let values = series(&rate, TimeRange { t0: 0.0, t1: 80.0 }, 4);
        assert_eq!(&values[..2], [6.0, 8.0]);
        assert!(values[2].is_nan(), "a gap is no 0");
        assert_eq!(values[3], 1.0);
        assert_eq!(
            series(&rate, TimeRange { t0: 12.0, t1: 20.0 }, 2),
            [8.0, 8.0],
            "within one interval"
        );
    }

    #[test]
    fn a_gauge_holds_and_the_largest_event_of_a_bin_counts() {
        let gauge = lane(LaneKind::Gauge, &[(0, 0, 1.0), (20, 20, 3.0)]);
        assert_eq!(
            series(&gauge, TimeRange { t0: 0.0, t1: 40.0 }, 4),
            [1.0, 1.0, 3.0, 3.0]
        );
        let events = lane(LaneKind::Event, &[(1, 1, 5.0), (2, 2, 2.0), (35, 35, -1.0)]);
        let values = series(&events, TimeRange { t0: 0.0, t1: 40.0 }, 4);
        assert_eq!((values[0], values[3]), (5.0, -1.0));
        assert!(values[1].is_nan());
    }

    #[test]
    fn odd_ranges_end() {
        let rate = lane(LaneKind::Rate, &[(i64::MIN, 0, 1.0), (0, i64::MAX, 2.0)]);
        assert_eq!(
            series(
                &rate,
                TimeRange {
                    t0: 0.0,
                    t1: f64::MAX
                },
                3
            )
            .len(),
            3
        );
        assert!(
            series(&rate, TimeRange { t0: 5.0, t1: 5.0 }, 2)
                .iter()
                .all(|v| v.is_nan())
        );
        assert!(series(&rate, TimeRange { t0: 9.0, t1: 1.0 }, 0).is_empty());
    }
}
