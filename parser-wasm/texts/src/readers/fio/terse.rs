//! fio's terse output (`--minimal`): a line of fields per job, separated by `;`, or by `,` or tabs
//! after somebody made a table of it.
//!
//! ```text
//! 2;job;0;0;...               version, job, group, error; then directions
//! 3;fio-3.33;job;0;0;...      and fio's version; reads and writes
//! 4;..., 5;...                and trims; 5 has the number of samples and IOPS, too
//! ```
//!
//! | fields of a direction | |
//! |---|---|
//! | 4 | KiB, KiB/s, IOPS, run time in ms |
//! | 4 | submission latency: min, max, mean, deviation, in us; not taken |
//! | 4 | completion latency, likewise |
//! | 20 | its percentiles, `99.000000%=6979`; `0%=0` where there is none |
//! | 4 | total latency, taken where there is no completion latency |
//! | 5 or 11 | bandwidth: min, max, share, mean, deviation; not taken |
//!
//! Behind the directions: shares of the CPU, context switches and faults (5), depths (7),
//! latencies (22), and 9 fields per disk.

use super::figures::{Measured, Operation, Quantity, Stage, Statistic};
use super::invocation::{Invocation, Job, MAX_JOBS};
use crate::line::Line;
use crate::recognise::Cursor;

const US: f64 = 1e3;
/// Fields of a disk, and those before the first one.
const DISK: usize = 9;
const MACHINE: usize = 34;

/// The result of one invocation.
pub struct TerseOutput {
    pub invocation: Invocation,
    /// Offset of the line behind it.
    pub end: usize,
}

/// The lines of one invocation from an offset on: those of its jobs end with the same disks.
pub fn read(cursor: Cursor, offset: usize) -> Option<TerseOutput> {
    let begin = offset + usize::from(is_heading(cursor.text(offset)));
    let first = terse_line(cursor.line(begin)?)?;
    let mut invocation = Invocation {
        version: first.version,
        jobs: vec![first.job],
        ..Invocation::default()
    };
    let mut end = begin + 1;
    while let Some(next) = cursor.line(end).and_then(terse_line) {
        let full = invocation.jobs.len() >= MAX_JOBS;
        if full || next.disks.is_empty() || next.disks != first.disks {
            break;
        }
        invocation.jobs.push(next.job);
        end += 1;
    }
    Some(TerseOutput { invocation, end })
}

/// The names of the columns, from fio's documentation.
fn is_heading(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("terse_version") || text.starts_with("terse version")
}

struct TerseLine<'a> {
    version: Option<String>,
    job: Job,
    /// The fields of all disks.
    disks: Vec<&'a str>,
}

/// Takes fields in their order.
struct Fields<'a> {
    line: &'a Line,
    all: Vec<&'a str>,
    index: usize,
}

fn terse_line(line: &Line) -> Option<TerseLine<'_>> {
    let text = line.text().trim();
    let version = text.bytes().next().filter(|b| (b'2'..=b'5').contains(b))?;
    let separator = text.as_bytes().get(1).copied().map(char::from)?;
    if !matches!(separator, ';' | ',' | '\t') || !text.contains("%=") {
        return None;
    }
    let mut fields = Fields {
        line,
        all: text.split(separator).map(str::trim).collect(),
        index: 1,
    };
    let program = match version {
        b'2' => None,
        _ => Some(fields.text()?.strip_prefix("fio-")?.to_owned()),
    };
    let name = fields.text()?.to_owned();
    let group = fields.text()?.parse().ok()?;
    let error: i64 = fields.text()?.parse().ok()?;
    let mut job = Job {
        name,
        group: Some(group),
        error: (error != 0).then(|| format!("error {error}")),
        ..Job::default()
    };
    let directions = [Operation::Read, Operation::Write, Operation::Trim];
    let count = if version == b'3' { 2 } else { 3 };
    for (index, operation) in directions.into_iter().take(count).enumerate() {
        // Version 2 of old fio has no trims.
        let before = fields.index;
        match direction(&mut fields, operation, version) {
            Some(measured) if measured.figures.is_empty() => {}
            Some(measured) => job.measured.push(measured),
            None if index == 2 => fields.index = before,
            None => return None,
        }
    }
    let disks = fields.all.get(fields.index + MACHINE..);
    let disks = disks.filter(|disks| disks.len() >= DISK);
    Some(TerseLine {
        version: program,
        job,
        disks: disks.map(<[&str]>::to_vec).unwrap_or_default(),
    })
}

/// The figures in the fields of a direction; empty if it did nothing.
fn direction(fields: &mut Fields, operation: Operation, version: u8) -> Option<Measured> {
    let mut measured = Measured::new(operation);
    let _amount = fields.number()?;
    let rate = fields.number()?;
    let iops = fields.number()?;
    let run_time = fields.number()?;
    let _submission = fields.statistics()?;
    let completion = fields.statistics()?;
    let mut percentiles = Vec::new();
    while let Some(field) = fields.all.get(fields.index) {
        // The share of the bandwidth ends with a sign, too, but has no value behind it.
        let Some((percent, value)) = field.split_once("%=") else {
            break;
        };
        fields.index += 1;
        if let (Ok(percent), Ok(number)) = (percent.parse::<f64>(), value.parse::<f64>()) {
            percentiles.push((percent, (value, number)));
        }
    }
    let total = fields.statistics()?;
    for _ in 0..if version == b'5' { 11 } else { 5 } {
        fields.text()?;
    }
    if run_time.1 == 0.0 && rate.1 == 0.0 {
        return Some(measured);
    }
    let line = fields.line;
    let mut add = |quantity, (word, value): (&str, f64)| {
        measured.add(quantity, value, line.place_of(word));
    };
    add(Quantity::Iops, iops);
    add(Quantity::Rate, (rate.0, rate.1 * 1024.0));
    let [_, max, mean, _] = completion;
    let (stage, max, mean) = if max.1 == 0.0 && mean.1 == 0.0 {
        (Stage::Total, total[1], total[2])
    } else {
        (Stage::Completion, max, mean)
    };
    if max.1 > 0.0 || mean.1 > 0.0 {
        for (statistic, (word, value)) in [(Statistic::Max, max), (Statistic::Mean, mean)] {
            add(Quantity::Latency(stage, statistic), (word, value * US));
        }
    }
    for (percent, (word, value)) in percentiles.into_iter().filter(|entry| entry.0 > 0.0) {
        let statistic = Statistic::Percentile(percent);
        add(
            Quantity::Latency(Stage::Completion, statistic),
            (word, value * US),
        );
    }
    measured.count = Some(iops.1 * run_time.1 / 1e3);
    Some(measured)
}

impl<'a> Fields<'a> {
    fn text(&mut self) -> Option<&'a str> {
        let field = self.all.get(self.index)?;
        self.index += 1;
        Some(field)
    }

    fn number(&mut self) -> Option<(&'a str, f64)> {
        let field = self.text()?;
        let value = field
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())?;
        Some((field, value))
    }

    fn statistics(&mut self) -> Option<[(&'a str, f64); 4]> {
        Some([
            self.number()?,
            self.number()?,
            self.number()?,
            self.number()?,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::samples::with_cursor;

    /// A line of version 3 of a job that reads.
    fn line(name: &str, group: u32, iops: u32, disk: &str) -> String {
        let zero = ["0"; 12].join(";");
        let none = ["0%=0"; 20].join(";");
        let machine = ["0.0%"; 34].join(";");
        format!(
            "3;fio-3.33;{name};{group};0;40000;{kib};{iops};1000;1;2;1.5;0.5;10;20;15.5;2.5;\
             50.000000%=14;99.000000%=19;{pad};12;22;17.5;2.5;1;2;100.0%;3;4;\
             {zero};{none};0;0;0;0;0;0;0.0%;0;0;{machine};{disk};1;2;3;4;5;6;7;8.00%",
            kib = iops * 4,
            pad = ["0%=0"; 18].join(";"),
        )
    }

    fn invocations(text: &str) -> Vec<Invocation> {
        with_cursor(text, |cursor| {
            let mut found = Vec::new();
            let mut offset = 0;
            while let Some(read) = read(cursor, offset) {
                found.push(read.invocation);
                offset = read.end;
            }
            found
        })
    }

    #[test]
    fn a_line_is_a_job_and_the_same_disks_are_one_invocation() {
        let text = format!(
            "{}\n{}\n{}\n",
            line("a", 0, 500, "vda"),
            line("b", 1, 700, "vda"),
            line("a", 0, 300, "vdb")
        );
        let found = invocations(&text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].jobs.len(), 2);
        let measured = &found[0].jobs[1].measured[0];
        let value = |quantity| measured.figure(quantity).map(|figure| figure.value);
        assert_eq!(value(Quantity::Iops), Some(700.0));
        assert_eq!(value(Quantity::Rate), Some(2800.0 * 1024.0));
        let latency = |stage, statistic| value(Quantity::Latency(stage, statistic));
        assert_eq!(latency(Stage::Completion, Statistic::Mean), Some(15_500.0));
        assert_eq!(latency(Stage::Completion, Statistic::Max), Some(20_000.0));
        assert_eq!(
            latency(Stage::Completion, Statistic::Percentile(99.0)),
            Some(19_000.0)
        );
        assert_eq!(found[0].jobs[1].measured.len(), 1, "no writes");
    }

    #[test]
    fn a_table_made_of_it_is_read_and_other_tables_are_not() {
        let text = line("a", 0, 500, "vda").replace(';', ",");
        assert_eq!(
            invocations(&format!("terse_version_3,fio_version\n{text}")).len(),
            1
        );
        assert_eq!(invocations("3;fio-3.33;a;0;0;1;2;3").len(), 0);
        assert_eq!(invocations("3;4;5;99%=1").len(), 0);
    }
}
