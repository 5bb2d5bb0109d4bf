//! `iostat`, with any of -c -d -x -k -m -p -t: a heading, a row of numbers of all CPUs, a row per
//! device.

use super::columns::{self, CounterColumn};
use super::faults::complete_lines;
use super::reports::Reports;
use super::time::{SECOND, date, time_of_day, zone};
use super::{Collected, CounterClock, banner_date, first_lines, number};
use seekscope_trace::store::lanes::LaneSubject;

/// What the rows below a heading are of.
enum Rows {
    None,
    Cpu(Vec<Option<&'static CounterColumn>>),
    Devices(Vec<Option<&'static CounterColumn>>),
}

fn is_heading(line: &str) -> bool {
    line.starts_with("avg-cpu:") || devices(line).is_some()
}

/// The columns of a heading of devices: `Device:` in older versions.
fn devices(line: &str) -> Option<Vec<Option<&'static CounterColumn>>> {
    let mut words = line.split_whitespace();
    if !matches!(words.next()?, "Device" | "Device:") {
        return None;
    }
    let found: Vec<_> = words
        .map(|name| columns::find(columns::DEVICE, name))
        .collect();
    found.iter().any(Option::is_some).then_some(found)
}

pub fn is_one(head: &str) -> bool {
    first_lines(head).any(is_heading)
}

/// A line that is only a time: `11/22/26 05:09:20`, `11/22/2026 05:09:20 AM`,
/// `2026-11-22T05:09:20+0000`.
pub struct PrintedTime {
    pub days: Vec<i64>,
    pub of_day: i64,
    pub zone: Option<i64>,
}

pub fn printed_time(line: &str) -> Option<PrintedTime> {
    if let Some((day, rest)) = line.split_once('T') {
        let days = date(day);
        let (clock, offset) = (rest.get(..8)?, rest.get(8..)?);
        return (days.len() == 1).then_some(PrintedTime {
            days,
            of_day: time_of_day(clock, None)?,
            zone: zone(offset),
        });
    }
    let mut words = line.split_whitespace();
    let (day, clock, half) = (words.next()?, words.next()?, words.next());
    let half = half.filter(|half| matches!(*half, "AM" | "PM" | "am" | "pm"));
    let days = date(day);
    (!days.is_empty() && words.next().is_none()).then_some(PrintedTime {
        days,
        of_day: time_of_day(clock, half)?,
        zone: None,
    })
}

pub fn read(text: &str) -> Option<Collected> {
    let mut reports = Reports::since_boot();
    let (mut rows, mut extended, mut only) = (Rows::None, false, true);
    let mut time: Option<PrintedTime> = None;
    let mut zone = None;
    let mut days: Option<Vec<i64>> = None;
    // The heading that begins a report: the first one of the text.
    let mut first: Option<bool> = None;
    for (number, line) in complete_lines(text) {
        reports.faults.line = number;
        if line.is_empty() || banner_date(line).is_some() {
            rows = Rows::None;
        } else if let Some(printed) = printed_time(line) {
            days.get_or_insert_with(|| printed.days.clone());
            zone = zone.or(printed.zone);
            time = Some(printed);
        } else if is_heading(line) {
            let cpu = line.starts_with("avg-cpu:");
            if *first.get_or_insert(cpu) == cpu {
                let printed_time = time.take();
                let time_of_report = printed_time.map(|t| absolute(&t, zone));
                reports.begin(None, time_of_report);
            }
            if cpu {
                only = false;
                rows = Rows::Cpu(
                    line.split_whitespace()
                        .skip(1)
                        .map(|name| columns::find(columns::CPU, name))
                        .collect(),
                );
            } else {
                extended |= line.contains("%util");
                rows = Rows::Devices(devices(line).unwrap_or_default());
            }
        } else {
            match &rows {
                Rows::None => {}
                Rows::Cpu(columns) => add(
                    &mut reports,
                    &LaneSubject::Machine,
                    columns,
                    line.split_whitespace(),
                ),
                Rows::Devices(columns) => {
                    let mut words = line.split_whitespace();
                    let Some(device) = words.next() else { continue };
                    let name: String = device.trim_end_matches(':').chars().take(60).collect();
                    add(&mut reports, &LaneSubject::Device(name), columns, words);
                }
            }
        }
    }
    let clock = match (days, zone) {
        (None, _) => CounterClock::None,
        (Some(_), Some(_)) => CounterClock::Utc,
        (Some(days), None) => CounterClock::Local(days),
    };
    let tool = if extended {
        "iostat -x"
    } else if only {
        "iostat -d"
    } else {
        "iostat"
    };
    Some(Collected {
        tool: tool.to_owned(),
        clock,
        zone,
        reports,
        problem: None,
    })
}

/// The time in ns since 1970 if the zone is known, else since midnight.
fn absolute(time: &PrintedTime, zone: Option<i64>) -> i64 {
    match (zone, time.days.first()) {
        (Some(offset), Some(day)) => day * 86_400 * SECOND + time.of_day - offset,
        _ => time.of_day,
    }
}

/// Adds a row of numbers. Of a row with more or fewer than its headings it is not known which are
/// which.
pub fn add<'a>(
    reports: &mut Reports,
    subject: &LaneSubject,
    columns: &[Option<&'static CounterColumn>],
    words: impl Iterator<Item = &'a str> + Clone,
) {
    match words.clone().count() {
        n if n == columns.len() => {}
        0 => return,
        _ => return reports.faults.odd_row(),
    }
    for (column, word) in columns.iter().zip(words) {
        if let (Some(column), Some(value)) = (column, number(word)) {
            reports.add(subject, column, value);
        }
    }
}
