//! `sadf -d`: counters of sar in columns with semicolons.
//!
//! ```text
//! # hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;dkB/s;areq-sz;aqu-sz;await;%util
//! box;1;2024-03-04 10:11:13 UTC;sda;12.00;0.00;48.00;0.00;4.00;0.01;0.50;0.60
//! ```

use super::columns::{Column, MAX_COLUMNS, column, is_cut};
use super::iostat::add_row;
use super::reports::Reports;
use super::words::human;
use crate::recognise::{Cursor, Output};

/// The columns before those of counters.
const FIXED: [&str; 3] = ["hostname", "interval", "timestamp"];

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut heading = Heading::parse(cursor.text(0))?;
    let mut reports = Reports::default();
    let (mut offset, mut end) = (1, 1);
    let mut time = "";
    while let Some(line) = cursor.line(offset) {
        offset += 1;
        if line.is_blank() {
            continue;
        }
        if let Some(next) = Heading::parse(line.text()) {
            heading = next;
            end = offset;
            continue;
        }
        let words: Vec<&str> = line.text().trim().split(';').collect();
        let interval = words.get(1).is_some_and(|word| word.parse::<i64>().is_ok());
        if words.len() <= FIXED.len() || !interval {
            break;
        }
        end = offset;
        let numbers = &words[FIXED.len() + usize::from(heading.devices)..];
        if numbers.len() != heading.columns.len()
            || numbers.iter().any(|word| human(word).is_none())
        {
            continue;
        }
        if reports.count() == 0 || time != words[2] {
            time = words[2];
            reports.begin();
        }
        let device = if heading.devices {
            words[FIXED.len()]
        } else {
            ""
        };
        let all: Vec<_> = numbers
            .iter()
            .map(|word| (*word, line.place_of(word)))
            .collect();
        add_row(&mut reports, "device", device, &heading.columns, &all);
    }
    Some(Output {
        tool: "sar",
        end: cursor.start + end,
        observations: reports.observations(),
        ..Output::default()
    })
}

struct Heading {
    devices: bool,
    /// None where they are no results of I/O.
    columns: Vec<Option<Column>>,
}

impl Heading {
    fn parse(text: &str) -> Option<Heading> {
        let names = text.trim().trim_start_matches(['#', ' ']);
        if !names.starts_with("hostname;") {
            return None;
        }
        let names: Vec<&str> = names.split(';').take(MAX_COLUMNS).collect();
        let counters = names.strip_prefix(FIXED.as_slice())?;
        let devices = counters.first() == Some(&"DEV");
        let has_disks = devices || counters.contains(&"rtps");
        let counters = &counters[usize::from(devices)..];
        Some(Heading {
            devices,
            columns: counters
                .iter()
                .map(|name| column(name).filter(|_| has_disks && !is_cut(name)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    #[test]
    fn devices_and_intervals() {
        let text = "\
# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;areq-sz;aqu-sz;await;%util
box;1;2024-03-04 10:11:13 UTC;sda;12.00;0.00;48.00;4.00;0.01;0.50;0.60
box;1;2024-03-04 10:11:13 UTC;sdb;1,00;4,00;0,00;4,00;0,01;0,50;0,60
box;-1;2024-03-04 10:11:14 UTC;LINUX-RESTART
box;1;2024-03-04 10:11:14 UTC;sda;14.00;0.00;48.00;4.00;0.01;0.50;0.60
# hostname;interval;timestamp;CPU;%user;%idle
box;1;2024-03-04 10:11:14 UTC;-1;14.00;86.00
That is all.
";
        let output = read_with(read, text, None).expect("sadf");
        assert_eq!(output.end, 7);
        assert_eq!(
            values(&output, "iops"),
            [("sda", "1", 12.0), ("sda", "2", 14.0), ("sdb", "1", 1.0)]
        );
        assert!(
            output
                .observations
                .iter()
                .all(|o| !o.metric.key.contains("user"))
        );
        for text in ["hostname;interval", "# hostname box", "a;1;b;c", ""] {
            assert!(read_with(read, text, None).is_none(), "{text}");
        }
    }
}
