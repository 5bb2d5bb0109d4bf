//! fio's logs of bandwidth, IOPS and latency (`write_bw_log`, `write_lat_log`): `ms, value,
//! direction, bytes, ...`. Their times count from the start of fio's job, which they do not
//! contain, and only their names show what was measured: they have no lanes.

use super::reports::Reports;
use super::{Collected, CounterClock, first_lines};

const NO_START: &str = "its times count from the start of fio's job, which it does not contain";

fn is_entry(line: &str) -> bool {
    let fields: Vec<&str> = line.split(", ").collect();
    let number = |field: &&str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    (4..=8).contains(&fields.len())
        && fields.iter().take(4).all(number)
        && matches!(fields[2], "0" | "1" | "2" | "3")
}

pub fn is_one(head: &str) -> bool {
    let mut lines = first_lines(head).take(3).peekable();
    lines.peek().is_some() && lines.all(is_entry)
}

pub fn read(text: &str) -> Option<Collected> {
    let mut reports = Reports::default();
    for _ in text.lines().filter(|line| is_entry(line.trim())) {
        reports.begin(None, None);
    }
    Some(Collected {
        tool: "fio log".to_owned(),
        clock: CounterClock::None,
        zone: None,
        reports,
        problem: Some(NO_START),
    })
}
