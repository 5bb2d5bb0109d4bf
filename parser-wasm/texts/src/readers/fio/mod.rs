//! The outputs of fio: its normal output, JSON, terse lines and averaged logs.

mod clones;
mod figures;
#[cfg(test)]
mod generated_tests;
mod invocation;
mod job_end;
mod json;
mod lines;
mod log;
mod options;
mod sums;
mod terse;
#[cfg(test)]
mod tests;
mod text;
mod words;
mod wrapped;

use super::Reader;
use crate::observation::NamedValue;
use crate::recognise::{Cursor, Output};
use figures::Quantity;
use invocation::{Invocation, Job};
use json::Report;
pub use json::is_member as is_json_member;
use seekscope_trace::sorting::SortShort;
pub use sums::is_sum;

pub const READERS: &[Reader] = &[read, log::read];

/// Options that distinguish jobs, as dimensions, with their names for people.
pub const OPTIONS: [(&str, &str); 5] = [
    ("rw", "Pattern"),
    ("bs", "Block size"),
    ("ioengine", "Engine"),
    ("iodepth", "Queue depth"),
    ("numjobs", "Jobs"),
];

/// Rates of one run in two forms differ by less: one of them is rounded.
const ROUNDING: f64 = 0.03;
/// Seconds by which the begin of one run differs between its reports.
const MAX_DRIFT: f64 = 1.5;

/// Forms of one run, and first lines of jobs before each.
const MAX_FORMS: usize = 8;
/// The dimension of reports within one document.
const REPORT: &str = "report";

/// The forms in which one run is printed (`--output-format=normal,json`), the best one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Json,
    Terse,
    Normal,
}

fn read(cursor: Cursor) -> Option<Output> {
    let mut forms: Vec<(Form, Invocation)> = Vec::new();
    let mut named: Vec<Report> = Vec::new();
    let mut clock = None;
    let mut end = 0;
    while forms.len() < MAX_FORMS {
        let Some(offset) = (end..end + 4).find(|&i| !cursor.text(i).trim().is_empty()) else {
            break;
        };
        if let Some(mut found) = json::read(cursor, offset) {
            let report = found.reports.remove(0);
            let single = found.reports.is_empty() && report.name.is_empty();
            if !single {
                if forms.is_empty() {
                    named.push(report);
                    named.extend(found.reports);
                    end = found.end;
                }
                break;
            }
            let update = is_update(clock, report.clock);
            if !update && !is_same_run(&forms, Form::Json, &report.invocation) {
                break;
            }
            forms.retain(|(form, _)| !update || *form != Form::Json);
            clock = report.clock;
            forms.push((Form::Json, report.invocation));
            end = found.end;
        } else if let Some(found) = terse::read(cursor, offset) {
            if !is_same_run(&forms, Form::Terse, &found.invocation) {
                break;
            }
            forms.push((Form::Terse, found.invocation));
            end = found.end;
        } else if let Some(found) = text::read(cursor, offset) {
            if !is_same_run(&forms, Form::Normal, &found.invocation) {
                break;
            }
            forms.push((Form::Normal, found.invocation));
            end = found.end;
        } else {
            break;
        }
    }
    let end = cursor.start + end;
    if !named.is_empty() {
        return Some(output_of_reports(named, end));
    }
    let announced: Vec<Job> = forms
        .iter()
        .flat_map(|(_, invocation)| &invocation.announced)
        .cloned()
        .collect();
    forms.retain(|(_, invocation)| !invocation.is_empty());
    forms.sort_short_by_key(|(form, _)| *form);
    let Some((_, mut invocation)) = forms.into_iter().next() else {
        // Jobs without results are passed over at once: line by line would take quadratic time.
        return (end > cursor.start + 1).then(|| Invocation::default().output(end));
    };
    invocation.take_options(&announced);
    Some(invocation.output(end))
}

/// Whether a report is a later one of the same run (`--status-interval`).
fn is_update(before: Option<(f64, f64)>, now: Option<(f64, f64)>) -> bool {
    let (Some((time, elapsed)), Some((later, longer))) = (before, now) else {
        return false;
    };
    longer > elapsed && ((later - longer) - (time - elapsed)).abs() <= MAX_DRIFT
}

/// Whether what follows is the run that was read, in another form.
fn is_same_run(forms: &[(Form, Invocation)], form: Form, next: &Invocation) -> bool {
    if forms
        .iter()
        .any(|(earlier, before)| *earlier == form && !before.is_empty())
    {
        return false;
    }
    let (next, iops) = (next.jobs.as_slice(), Quantity::Iops);
    forms.iter().all(|(_, before)| {
        let near = before.jobs.iter().zip(next).all(|(before, next)| {
            let pairs = before.measured.iter().filter_map(|measured| {
                let other = next
                    .measured
                    .iter()
                    .find(|other| other.operation == measured.operation)?;
                Some((measured.figure(iops)?.value, other.figure(iops)?.value))
            });
            let names = before.name == next.name;
            names
                && pairs
                    .into_iter()
                    .all(|(a, b)| (a - b).abs() <= ROUNDING * a.max(b) + 1.0)
        });
        before.is_empty() || near && before.jobs.len() == next.len()
    })
}

/// Reports within one document, distinguished by their names.
fn output_of_reports(reports: Vec<Report>, end: usize) -> Output {
    let several = reports.len() > 1;
    let mut all = Output {
        tool: "fio",
        end,
        side: several.then_some(REPORT),
        ..Output::default()
    };
    for report in reports {
        let output = report.invocation.output(end);
        all.remarks.extend(output.remarks);
        for mut observation in output.observations {
            if several {
                let name = NamedValue::new(REPORT, &report.name);
                observation.dimensions.push(name);
            }
            all.observations.push(observation);
        }
    }
    all
}
