//! `vmstat`, with or without -t, -a, -w: a heading of groups, one of columns, a row per interval;
//! the first row is since boot.

use super::columns;
use super::faults::complete_lines;
use super::iostat::add;
use super::reports::Reports;
use super::time::{DAY, date, time_of_day, zone};
use super::{Collected, CounterClock, first_lines};
use seekscope_trace::store::lanes::LaneSubject;

fn is_heading(line: &str) -> bool {
    line.starts_with("r ")
        && ["swpd", "bi", "bo", "us", "sy", "id"]
            .iter()
            .all(|name| line.split_whitespace().any(|w| w == *name))
}

pub fn is_one(head: &str) -> bool {
    first_lines(head).any(is_heading)
}

pub fn read(text: &str) -> Option<Collected> {
    let mut reports = Reports::since_boot();
    let mut columns: Vec<Option<&'static columns::CounterColumn>> = Vec::new();
    let mut known_zone = None;
    let mut first: Option<Vec<i64>> = None;
    for (number, line) in complete_lines(text) {
        reports.faults.line = number;
        if is_heading(line) {
            columns = line
                .split_whitespace()
                .map(|name| columns::find(columns::VMSTAT, name))
                .collect();
            // After the last counter, -t prints the name of the time zone.
            known_zone = known_zone.or(line.split_whitespace().last().and_then(zone));
        } else if !columns.is_empty() && line.starts_with(|c: char| c.is_ascii_digit()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let day = words
                .iter()
                .position(|word| word.len() > 4 && !date(word).is_empty());
            let time = day.and_then(|index| {
                Some((
                    date(words[index]),
                    time_of_day(words.get(index + 1)?, None)?,
                ))
            });
            let time_of_report = time.map(|(days, of_day)| {
                let since = known_zone.map(|offset| days[0] * DAY - offset);
                first.get_or_insert(days);
                since.unwrap_or(0) + of_day
            });
            reports.begin(None, time_of_report);
            // The name of the time zone is above the date.
            let words = &words[..day.unwrap_or(words.len())];
            let shown = columns.len() - usize::from(day.is_some() && words.len() < columns.len());
            add(
                &mut reports,
                &LaneSubject::Machine,
                &columns[..shown],
                words.iter().copied(),
            );
        }
    }
    let clock = match (first, known_zone) {
        (None, _) => CounterClock::None,
        (Some(_), Some(_)) => CounterClock::Utc,
        (Some(days), None) => CounterClock::Local(days),
    };
    Some(Collected {
        tool: "vmstat".to_owned(),
        clock,
        zone: known_zone,
        reports,
        problem: None,
    })
}
