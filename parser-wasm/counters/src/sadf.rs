//! `sadf -d`: rows separated by semicolons below a heading.
//!
//! ```text
//! # hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;%util       CPU (-1: all) or DEV, or no subject
//! host;1;2026-11-22 05:09:24 UTC;vda;359.00;1436.00;0.00;29.60   or seconds since 1970 with -U, local time with -T
//! ```

use super::columns::{self, CounterColumn};
use super::faults::complete_lines;
use super::iostat::add;
use super::reports::Reports;
use super::samples::{SampleTime, sample_time};
use super::sar::TableSubject;
use super::time::SECOND;
use super::{Collected, CounterClock, first_lines};
use seekscope_trace::store::lanes::LaneSubject;

fn heading(line: &str) -> Option<(TableSubject, Vec<Option<&'static CounterColumn>>)> {
    let rest = line.strip_prefix("# hostname;interval;timestamp;")?;
    let names: Vec<&str> = rest.split(';').collect();
    let (subject, table, names) = match names.first() {
        Some(&"CPU") => (TableSubject::Cpu, columns::CPU, &names[1..]),
        Some(&"DEV") => (TableSubject::Device, columns::DEVICE, &names[1..]),
        _ => (TableSubject::Machine, columns::SAR, &names[..]),
    };
    Some((
        subject,
        names
            .iter()
            .map(|name| columns::find(table, name))
            .collect(),
    ))
}

pub fn is_one(head: &str) -> bool {
    first_lines(head).any(|line| heading(line).is_some())
}

pub fn read(text: &str) -> Option<Collected> {
    let mut reports = Reports::default();
    let mut clock = CounterClock::None;
    let mut current = None;
    for (number, line) in complete_lines(text) {
        reports.faults.line = number;
        if line.starts_with('#') {
            current = heading(line);
            continue;
        }
        let Some((table, columns)) = &current else {
            continue;
        };
        let mut words = line.split(';');
        let (Some(_), Some(length), Some(time)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let (printed_clock, time) = match sample_time(time) {
            Some(SampleTime::Utc(time)) => (CounterClock::Utc, time),
            Some(SampleTime::Local(days, time)) => (CounterClock::Local(days), time),
            _ => continue,
        };
        // Restarts of the machine have an interval of -1.
        let Some(length) = length
            .parse::<i64>()
            .ok()
            .filter(|seconds| (1..1 << 20).contains(seconds))
        else {
            continue;
        };
        if clock == CounterClock::None {
            clock = printed_clock;
        } else if std::mem::discriminant(&clock) != std::mem::discriminant(&printed_clock) {
            // The time is damaged.
            continue;
        }
        let subject = match table {
            TableSubject::Machine => LaneSubject::Machine,
            TableSubject::Device => {
                LaneSubject::Device(words.next().unwrap_or_default().chars().take(60).collect())
            }
            TableSubject::Cpu => match words.next().unwrap_or_default() {
                "-1" => LaneSubject::Machine,
                cpu => match cpu.parse() {
                    Ok(cpu) => LaneSubject::Cpu(cpu),
                    Err(_) => continue,
                },
            },
        };
        reports.join(Some(time - length * SECOND), time);
        add(&mut reports, &subject, columns, words);
    }
    Some(Collected {
        tool: "sadf -d".to_owned(),
        clock,
        zone: None,
        reports,
        problem: None,
    })
}
