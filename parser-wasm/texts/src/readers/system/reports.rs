//! Reports of counters, one per interval. Intervals are repeats of one measurement.

use crate::line::Place;
use crate::observation::{Metric, NamedValue, Observation};
use std::collections::BTreeMap;

/// Reports of one output that are shown one by one; of more only the means are kept, so that hours
/// of intervals do not become thousands of runs.
const MAX_SHOWN: usize = 400;
/// Limit for the values in memory.
const MAX_HELD: usize = 20_000;
/// Devices, processes and the like of one output.
const MAX_SUBJECTS: usize = 1000;

/// Collects the values of all reports of one output.
#[derive(Default)]
pub struct Reports {
    since_boot: bool,
    count: usize,
    subjects: Vec<Subject>,
    indices: BTreeMap<String, usize>,
    held: usize,
    overflow: bool,
}

struct Subject {
    dimensions: Vec<NamedValue>,
    figures: Vec<Figure>,
    /// The last report with a value.
    report: usize,
    reports: usize,
}

struct Figure {
    metric: Metric,
    first: Place,
    /// The report of the last value.
    report: usize,
    sum: f64,
    count: usize,
    shown: Vec<(usize, f64, Place)>,
}

impl Reports {
    /// `since_boot`: the first report is that since boot, which says nothing of the measurement.
    pub fn new(since_boot: bool) -> Reports {
        Reports {
            since_boot,
            ..Reports::default()
        }
    }

    pub fn begin(&mut self) {
        if self.since_boot && self.count == 1 {
            self.subjects.clear();
            self.indices.clear();
            self.held = 0;
        }
        self.count += 1;
    }

    /// Number of reports that have begun.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a value to the report. `subject` distinguishes devices or processes; `dimensions` and
    /// `metric` are asked for once. A second value of one report is ignored.
    pub fn add(
        &mut self,
        subject: &str,
        dimensions: impl FnOnce() -> Vec<NamedValue>,
        metric: &Metric,
        value: f64,
        place: Place,
    ) {
        let index = match self.indices.get(subject) {
            Some(index) => *index,
            None if self.subjects.len() >= MAX_SUBJECTS => return,
            None => {
                self.indices.insert(subject.to_owned(), self.subjects.len());
                self.subjects.push(Subject {
                    dimensions: dimensions(),
                    figures: Vec::new(),
                    report: 0,
                    reports: 0,
                });
                self.subjects.len() - 1
            }
        };
        let report = self.count;
        let subject = &mut self.subjects[index];
        if subject.report != report || subject.reports == 0 {
            subject.report = report;
            subject.reports += 1;
        }
        let found = subject
            .figures
            .iter_mut()
            .find(|f| f.metric.key == metric.key);
        let figure = match found {
            Some(figure) if figure.report == report => return,
            Some(figure) => figure,
            None => {
                subject.figures.push(Figure {
                    metric: metric.clone(),
                    first: place,
                    report,
                    sum: 0.0,
                    count: 0,
                    shown: Vec::new(),
                });
                let last = subject.figures.len() - 1;
                &mut subject.figures[last]
            }
        };
        figure.report = report;
        figure.sum += value;
        figure.count += 1;
        if !self.overflow {
            figure.shown.push((report, value, place));
            self.held += 1;
            if self.held > MAX_HELD {
                self.overflow = true;
                for figure in self.subjects.iter_mut().flat_map(|s| &mut s.figures) {
                    figure.shown = Vec::new();
                }
            }
        }
    }

    /// The figures of all reports as repeats, or their means where there are many.
    pub fn observations(self) -> Vec<Observation> {
        let shown: usize = self.subjects.iter().map(|subject| subject.reports).sum();
        let means = self.overflow || shown > MAX_SHOWN;
        let alone = self.count <= 1 || self.count == 2 && self.since_boot;
        let first = if self.since_boot && self.count > 1 {
            1
        } else {
            0
        };
        let mut found = Vec::new();
        for subject in self.subjects {
            for figure in subject.figures {
                let observation = |value: f64, place: Place, repeat: Option<String>| Observation {
                    metric: figure.metric.clone(),
                    value,
                    place,
                    dimensions: subject.dimensions.clone(),
                    repeat,
                };
                if means {
                    let mean = figure.sum / figure.count as f64;
                    found.push(observation(mean, figure.first, None));
                    continue;
                }
                found.extend(figure.shown.iter().map(|(report, value, place)| {
                    let repeat = (!alone).then(|| interval_name(report.saturating_sub(first)));
                    observation(*value, *place, repeat)
                }));
            }
        }
        found.retain(|observation| observation.value.is_finite());
        found
    }
}

fn interval_name(number: usize) -> String {
    format!("interval {number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Unit;

    const PLACE: Place = Place {
        line: 0,
        start: 0,
        end: 1,
    };

    fn reports(since_boot: bool, values: impl Iterator<Item = f64>) -> Vec<Observation> {
        let mut reports = Reports::new(since_boot);
        let metric = Metric::new("iops", "IOPS", Unit::PerSecond);
        for value in values {
            reports.begin();
            reports.add("sda", Vec::new, &metric, value, PLACE);
        }
        reports.observations()
    }

    fn shown(found: &[Observation]) -> Vec<(f64, Option<&str>)> {
        found
            .iter()
            .map(|o| (o.value, o.repeat.as_deref()))
            .collect()
    }

    #[test]
    fn the_report_since_boot_counts_only_where_it_is_the_only_one() {
        let found = reports(true, [9.0].into_iter());
        assert_eq!(shown(&found), [(9.0, None)]);
        let found = reports(true, [9.0, 1.0].into_iter());
        assert_eq!(shown(&found), [(1.0, None)]);
        let found = reports(true, [9.0, 1.0, 3.0].into_iter());
        assert_eq!(
            shown(&found),
            [(1.0, Some("interval 1")), (3.0, Some("interval 2"))]
        );
        let found = reports(false, [9.0, 1.0].into_iter());
        assert_eq!(
            shown(&found),
            [(9.0, Some("interval 1")), (1.0, Some("interval 2"))]
        );
    }

    #[test]
    fn many_reports_become_their_mean() {
        let found = reports(
            true,
            (0..100_001).map(|n| if n == 0 { 1e9 } else { f64::from(n) }),
        );
        assert_eq!(shown(&found), [(50_000.5, None)]);
        let found = reports(false, (0..MAX_SHOWN).map(|n| n as f64));
        assert_eq!(found.len(), MAX_SHOWN);
    }
}
