//! One run explained, as text to send: what held it back, when and who, why its slowest requests
//! were slow, and its figures.

use super::layout::{ascii, cut, hung, wrapped};
use super::tables::{MAIN, VALUE};
use super::{PLOTS, plot, tables};
use crate::alone::RunExplanation;
use crate::document::CompareQuery;
use crate::findings::time_words;
use crate::metric::{self, Metric};
use crate::runs::bins::FigureInterval;
use crate::runs::digest::{DeviceDigest, EventLoss};
use crate::runs::run::letter;
use crate::runs::tail::{CauseShare, TailOutline};
use crate::tables::bench;
use seekscope_trace::quantity::Unit;

/// Widths of the columns of tables.
const LABEL: usize = 32;
const NAME: usize = 24;
const SHARE: usize = 12;

/// The explanation of a run of the query.
pub fn explained(query: &CompareQuery, explanation: &RunExplanation) -> Vec<String> {
    let index = explanation.run;
    let Some((run, device)) = query
        .runs
        .get(index)
        .and_then(|run| Some((run, run.main()?)))
    else {
        return Vec::new();
    };
    let head = letter(index);
    let mut out = vec![if query.runs.len() > 1 {
        format!("What held {head} back")
    } else {
        "What held it back".to_owned()
    }];
    for finding in &explanation.findings {
        out.extend(hung(
            &format!("{:2}. ", finding.rank),
            &format!("{} ({})", finding.sentence, finding.code),
        ));
        if let Some(when) = &finding.when {
            out.extend(hung("    ", &time_words(when).ascii()));
        }
        if let Some(gain) = &finding.gain {
            out.extend(hung("    ", &gain.words.ascii()));
        }
    }
    let mut section = |lines: Vec<String>| {
        if !lines.is_empty() {
            out.push(String::new());
            out.extend(lines);
        }
    };
    section(explanation.tail.as_ref().map(slowest).unwrap_or_default());
    section(processes(device));
    section(figures(query, index, device));
    let heads = [head];
    section(tables::latency(&[device], &heads));
    section(tables::sizes(&[device], &heads));
    for (title, key, unit) in PLOTS {
        section(plot::plot(title, key, unit, &[device], &heads));
    }
    if device.loss.is_some() || run.trace.quality.lost_events > 0 {
        let why = if device.loss == Some(EventLoss::Clock) {
            "Times cannot be trusted"
        } else {
            "Events were lost"
        };
        section(wrapped(&format!(
            "{why}: depth, waiting and latency figures are unreliable."
        )));
    }
    out
}

/// What the time of the slowest requests went to.
fn slowest(tail: &TailOutline) -> Vec<String> {
    let (n, above, stage) = (
        tail.requests,
        Unit::Time.write(tail.threshold_ns as f64),
        tail.stage.to_uppercase(),
    );
    let requests = if n == 1 { "request" } else { "requests" };
    let head = format!(
        "The slowest 1% of the requests, above {above} ({stage}): {n} {requests}. Their time:"
    );
    let line =
        |cause: &CauseShare| format!("{:>8}  {}", Unit::Share.write(cause.share), cause.label);
    wrapped(&head)
        .into_iter()
        .chain(tail.causes.iter().map(line))
        .collect()
}

/// Shares of processes in the requests, in the time that requests waited, and in that of the
/// device.
fn processes(device: &DeviceDigest) -> Vec<String> {
    let Some(submitters) = device
        .submitters
        .as_ref()
        .filter(|submitters| submitters.all.requests > 0)
    else {
        return Vec::new();
    };
    let all = &submitters.all;
    let share = |part: u64, all: u64| match all {
        0 => "-".to_owned(),
        all => Unit::Share.write(part as f64 / all as f64),
    };
    let row = |name: &str, cells: [String; 3]| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>SHARE$}")).collect();
        format!("{:<NAME$}{cells}", cut(name, NAME - 1))
    };
    let mut out = vec![row(
        "Process",
        ["requests", "waiting", "in device"].map(str::to_owned),
    )];
    out.extend(
        submitters
            .top
            .iter()
            .filter(|submitter| submitter.sums.requests > 0)
            .map(|submitter| {
                let (sums, pid) = (&submitter.sums, submitter.pid);
                let pid_only = submitter.name == format!("pid {pid}");
                let name = if pid_only {
                    submitter.name.clone()
                } else {
                    format!("{} [{pid}]", submitter.name)
                };
                let cells = [
                    (sums.requests, all.requests),
                    (sums.q2d_ns, all.q2d_ns),
                    (sums.d2c_ns, all.d2c_ns),
                ];
                row(&name, cells.map(|(part, all)| share(part, all)))
            }),
    );
    out
}

/// Values with their 95 % intervals within the run; those of benchmarks first.
fn figures(query: &CompareQuery, index: usize, device: &DeviceDigest) -> Vec<String> {
    let metrics = metric::all();
    let of_bench = bench::columns(&query.runs)
        .into_iter()
        .filter_map(|column| {
            let value = column.values.get(index).copied().flatten()?;
            Some(line(
                &column.label,
                Unit::from_code(column.unit.name()),
                value,
                None,
            ))
        });
    let of_trace = MAIN.iter().filter_map(|key| {
        let Metric { label, unit, .. } = metrics.iter().find(|metric| metric.key == *key)?;
        let value = device
            .figures
            .get(*key)
            .copied()
            .filter(|value| *value != 0.0)?;
        Some(line(
            label,
            *unit,
            value,
            device.bins.intervals.get(*key).copied(),
        ))
    });
    let rows: Vec<String> = of_bench.chain(of_trace).collect();
    if rows.is_empty() {
        return rows;
    }
    let head = format!("{:<LABEL$}{:>VALUE$}  95%", "Figures", letter(index));
    std::iter::once(head).chain(rows).collect()
}

fn line(name: &str, unit: Unit, value: f64, interval: Option<FigureInterval>) -> String {
    let ends = interval.map_or_else(String::new, |(low, high)| {
        format!(
            "  {} to {}",
            unit.write(low),
            high.map_or_else(|| "?".to_owned(), |high| unit.write(high))
        )
    });
    format!(
        "{:<LABEL$}{:>VALUE$}{}",
        cut(name, LABEL - 1),
        unit.write(value),
        ascii(&ends)
    )
}
