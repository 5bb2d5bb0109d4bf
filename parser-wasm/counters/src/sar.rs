//! `mpstat` and `sar`: tables whose heading begins with the time at which the interval begins, and
//! whose rows begin with that at which it ends: `05:09:20 CPU %usr ...`, `05:09:21 all 5.82 ...`;
//! with AM or PM after the time in some locales.

use super::columns::{self, CounterColumn};
use super::faults::complete_lines;
use super::iostat::add;
use super::reports::Reports;
use super::time::time_of_day;
use super::{Collected, CounterClock, banner_date, first_lines};
use seekscope_trace::store::lanes::LaneSubject;

/// What the first word after the time names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TableSubject {
    Cpu,
    Device,
    Machine,
}

struct Heading {
    from: i64,
    subject: TableSubject,
    columns: Vec<Option<&'static CounterColumn>>,
}

/// A time at the start of a line, and the words after it.
fn timed(line: &str) -> Option<(i64, Vec<&str>)> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let clock = *words.first()?;
    let half = words
        .get(1)
        .copied()
        .filter(|word| matches!(*word, "AM" | "PM"));
    let time = time_of_day(clock, half)?;
    words.drain(..if half.is_some() { 2 } else { 1 });
    Some((time, words))
}

fn heading(line: &str) -> Option<Heading> {
    let (from, words) = timed(line)?;
    let (subject, table, names) = match *words.first()? {
        "CPU" => (TableSubject::Cpu, columns::CPU, &words[1..]),
        "DEV" => (TableSubject::Device, columns::DEVICE, &words[1..]),
        _ => (TableSubject::Machine, columns::SAR, &words[..]),
    };
    let found: Vec<_> = names
        .iter()
        .map(|name| columns::find(table, name))
        .collect();
    found.iter().any(Option::is_some).then_some(Heading {
        from,
        subject,
        columns: found,
    })
}

pub fn is_one(head: &str) -> bool {
    first_lines(head).any(|line| heading(line).is_some())
}

pub fn read(text: &str) -> Option<Collected> {
    let mut reports = Reports::default();
    let mut current: Option<Heading> = None;
    let mut days = Vec::new();
    let (mut devices, mut others) = (false, false);
    for (number, line) in complete_lines(text) {
        reports.faults.line = number;
        if line.is_empty() {
            current = None;
        } else if let Some(date) = banner_date(line) {
            // The reports of another day.
            if !days.is_empty() && days != date {
                reports.end();
            }
            days = date;
        } else if let Some(found) = heading(line) {
            devices |= found.subject == TableSubject::Device;
            others |= found.subject != TableSubject::Cpu;
            current = Some(found);
        } else if let (
            Some(Heading {
                from,
                subject: kind,
                columns,
            }),
            Some((time, words)),
        ) = (&current, timed(line))
        {
            let (subject, values) = match (kind, words.as_slice()) {
                (TableSubject::Machine, values) => (LaneSubject::Machine, values),
                (TableSubject::Cpu, ["all", values @ ..]) => (LaneSubject::Machine, values),
                (TableSubject::Cpu, [cpu, values @ ..]) => match cpu.parse() {
                    Ok(cpu) => (LaneSubject::Cpu(cpu), values),
                    Err(_) => continue,
                },
                (TableSubject::Device, [device, values @ ..]) => (
                    LaneSubject::Device(device.chars().take(60).collect()),
                    values,
                ),
                (_, []) => continue,
            };
            reports.join(Some(*from), time);
            add(&mut reports, &subject, columns, values.iter().copied());
        }
    }
    let tool = if others {
        if devices { "sar -d" } else { "sar" }
    } else {
        "mpstat"
    };
    Some(Collected {
        tool: tool.to_owned(),
        clock: CounterClock::Local(days),
        zone: None,
        reports,
        problem: None,
    })
}
