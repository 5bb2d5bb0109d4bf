//! Collects the reports of a tool: each with its time, if printed, and its values; then times
//! become intervals.

use super::columns::CounterColumn;
use super::faults::CounterFaults;
use super::time::{DAY, SECOND};
use super::{CounterSeries, MAX_LANES, MAX_REPORTS, MAX_SAMPLES};
use rustc_hash::FxHashMap;
use seekscope_trace::store::lanes::{LaneKind, LaneSample, LaneSubject};

/// Reports in the order of the text.
#[derive(Default)]
pub struct Reports {
    /// Time of each report, and where its interval began, if printed: ns on the tool's clock.
    times: Vec<(Option<i64>, Option<i64>)>,
    series: Vec<CounterSeries>,
    /// The place of each series in `series`.
    index_of: FxHashMap<(LaneSubject, &'static str), usize>,
    samples: usize,
    /// The report to which values are added.
    current: usize,
    /// Reports by time, for tools that print one report in several tables.
    by_time: FxHashMap<i64, usize>,
    /// Times have fractions of a second, even if these happen to be 0.
    exact_times: bool,
    /// Something was left out because of a limit.
    cut: bool,
    /// Whether a limit was reached, and nothing more is taken.
    full: bool,
    /// The first report is of the time since boot, as long as it has no start of its own.
    first_is_since_boot: bool,
    pub faults: CounterFaults,
}

impl Reports {
    /// For tools whose first report is of the time since boot.
    pub fn since_boot() -> Reports {
        Reports {
            first_is_since_boot: true,
            ..Reports::default()
        }
    }

    /// Must be called for clocks that print fractions of a second.
    pub fn set_exact_times(&mut self) {
        self.exact_times = true;
    }

    /// Begins a report at a time; its interval begins at `from`.
    pub fn begin(&mut self, from: Option<i64>, time: Option<i64>) {
        if self.times.len() < MAX_REPORTS {
            self.current = self.times.len();
            self.times.push((time, from));
        } else {
            self.end();
        }
    }

    /// Begins a report, or continues with that of the same time.
    pub fn join(&mut self, from: Option<i64>, time: i64) {
        match self.by_time.get(&time) {
            Some(report) => self.current = *report,
            None => {
                self.begin(from, Some(time));
                self.by_time.insert(time, self.current);
            }
        }
    }

    /// Time of the current report.
    pub fn time(&self) -> Option<i64> {
        self.times.get(self.current).and_then(|report| report.0)
    }

    /// Takes nothing more: the rest of the text is left out.
    pub fn end(&mut self) {
        (self.cut, self.full) = (true, true);
    }

    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Adds a printed value of the current report.
    pub fn add(&mut self, subject: &LaneSubject, column: &'static CounterColumn, printed: f64) {
        let report = self.current as i64;
        if self.full || self.times.is_empty() || (column.zero_is_none && printed == 0.0) {
            return;
        }
        if !(0.0..1e18).contains(&printed) {
            self.faults.out_of_range();
            return;
        }
        let next = self.series.len();
        let index = *self
            .index_of
            .entry((subject.clone(), column.name))
            .or_insert(next);
        if index == next {
            if next >= MAX_LANES {
                self.index_of.remove(&(subject.clone(), column.name));
                self.cut = true;
                return;
            }
            self.series.push(CounterSeries {
                column,
                subject: subject.clone(),
                samples: Vec::new(),
            });
        }
        // The same time again is that of another day.
        if self.samples >= MAX_SAMPLES
            || self.series[index]
                .samples
                .last()
                .is_some_and(|last| last.time >= report)
        {
            self.end();
            return;
        }
        self.samples += 1;
        // Until the end, the number of the report stands for its time.
        self.series[index].samples.push(LaneSample {
            from: report,
            time: report,
            value: column.value(printed),
        });
    }

    /// The counters, with the times of all reports made intervals. Without a time in every report
    /// they have no samples.
    pub fn finish(self) -> (Vec<CounterSeries>, bool, CounterFaults) {
        let mut faults = self.faults;
        let printed: Option<Vec<i64>> = self.times.iter().map(|t| t.0).collect();
        let Some(times) = printed.filter(|times| !times.is_empty()).map(over_midnight) else {
            let without = self.series.into_iter().map(|s| CounterSeries {
                samples: Vec::new(),
                ..s
            });
            return (without.collect(), self.cut, faults);
        };
        let since_boot = self.first_is_since_boot && self.times[0].1.is_none();
        let forward = forward(&times);
        faults.backwards = forward.iter().filter(|forward| !**forward).count() as u64;
        let length = |i: usize| {
            self.times[i]
                .1
                .zip(self.times[i].0)
                .map(|(from, time)| (time - from).rem_euclid(DAY))
        };
        let exact = if self.exact_times {
            ExactTimes { times, step: None }
        } else {
            exact(&times, usize::from(since_boot))
        };
        let extents: Vec<(Option<i64>, i64)> = (0..self.times.len())
            .map(|i| {
                let time = exact.times[i];
                let step = exact.step.filter(|_| i == usize::from(since_boot));
                let before = i
                    .checked_sub(1)
                    .filter(|&b| !(since_boot && i == 1) && forward[i] && forward[b])
                    .map(|i| exact.times[i]);
                let begin = length(i)
                    .filter(|ns| *ns > 0)
                    .map(|ns| time - exact.step.unwrap_or(ns));
                (begin.or(step.map(|ns| time - ns)).or(before), time)
            })
            .collect();
        let placed = |sample: LaneSample, kind: LaneKind| {
            let (from, time) = extents[sample.time as usize];
            match kind {
                LaneKind::Rate => from.filter(|from| *from < time).map(|from| LaneSample {
                    from,
                    time,
                    ..sample
                }),
                LaneKind::Gauge | LaneKind::Event => Some(LaneSample {
                    from: time,
                    time,
                    ..sample
                }),
            }
        };
        let series = self
            .series
            .into_iter()
            .map(|s| (s.column.kind, s))
            .map(|(kind, s)| CounterSeries {
                samples: s
                    .samples
                    .iter()
                    .filter(|s| forward[s.time as usize])
                    .filter_map(|&s| placed(s, kind))
                    .collect(),
                ..s
            });
        (series.collect(), self.cut, faults)
    }
}

/// Times of day go on after midnight.
fn over_midnight(mut times: Vec<i64>) -> Vec<i64> {
    if times.iter().all(|t| (0..DAY).contains(t)) {
        let (mut days, mut last) = (0, 0);
        for time in &mut times {
            // Clocks are set back by less than an hour or two; a smaller time is the next day's.
            if *time + days < last - DAY / 2 {
                days += DAY;
            }
            *time += days;
            last = *time;
        }
    }
    times
}

/// For each time, whether it is not before an earlier one.
fn forward(times: &[i64]) -> Vec<bool> {
    let mut last = i64::MIN;
    let mut forward = |time: i64| {
        let is = time >= last;
        last = last.max(time);
        is
    };
    times.iter().map(|time| forward(*time)).collect()
}

/// The times of reports, more exact than they were printed.
struct ExactTimes {
    times: Vec<i64>,
    /// The interval in ns, if it is constant.
    step: Option<i64>,
}

/// Tools print whole seconds of a time within that second. If a constant interval explains all of
/// them, the times are that series; otherwise each is taken in the middle of its second. Times with
/// fractions stay as they are. The first `skip` reports are no part of the series.
fn exact(times: &[i64], skip: usize) -> ExactTimes {
    if times.iter().any(|t| t % SECOND != 0) {
        return ExactTimes {
            times: times.to_vec(),
            step: None,
        };
    }
    let regular = &times[skip.min(times.len())..];
    let Some((start, step)) = constant(regular) else {
        return ExactTimes {
            times: times.iter().map(|t| t + SECOND / 2).collect(),
            step: None,
        };
    };
    // The first of these times is in the second of the series' first time, and before it.
    let first = times[..times.len() - regular.len()]
        .iter()
        .map(|t| (t + SECOND / 2).min(start));
    ExactTimes {
        times: first
            .chain((0..regular.len() as i64).map(|i| start + i * step))
            .collect(),
        step: Some(step),
    }
}

/// Start and interval of a series whose whole seconds are `times`.
fn constant(times: &[i64]) -> Option<(i64, i64)> {
    let n = times.len().checked_sub(1).filter(|n| *n > 0)? as i64;
    let long = times.last()? - times.first()?;
    let whole = (long + n * SECOND / 2) / (n * SECOND) * SECOND;
    [whole, long / n]
        .into_iter()
        .filter(|step| *step > 0)
        .find_map(|step| {
            let starts = times
                .iter()
                .zip(0..)
                .map(|(time, i): (&i64, i64)| time - i * step);
            let (least, most) = starts.fold((i64::MIN, i64::MAX), |(least, most), start| {
                (least.max(start), most.min(start + SECOND))
            });
            (least < most).then(|| (least + (most - least) / 2, step))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: &[i64]) -> Vec<i64> {
        seconds.iter().map(|s| s * SECOND).collect()
    }

    #[test]
    fn whole_seconds_of_a_constant_interval_are_exact() {
        assert_eq!(
            constant(&seconds(&[20, 21, 22, 23])),
            Some((20 * SECOND + SECOND / 2, SECOND))
        );
        // An interval of 1.25 s: 0.x, 1.x, 2.x, 4.x, 5.x.
        let (start, step) = constant(&seconds(&[0, 1, 2, 4, 5])).unwrap();
        assert_eq!(step, 5 * SECOND / 4);
        assert!((SECOND / 4..SECOND / 2).contains(&start), "{start}");
        assert_eq!(constant(&seconds(&[0, 1, 9, 10])), None);
        assert_eq!(constant(&seconds(&[5, 5, 5])), None);
        assert_eq!(constant(&seconds(&[5])), None);
    }

    #[test]
    fn times_of_day_go_on_after_midnight() {
        assert_eq!(
            over_midnight(seconds(&[86_398, 86_399, 0, 1])),
            seconds(&[86_398, 86_399, 86_400, 86_401])
        );
        assert_eq!(
            over_midnight(seconds(&[7200, 3599])),
            seconds(&[7200, 3599]),
            "clock set back"
        );
    }
}
