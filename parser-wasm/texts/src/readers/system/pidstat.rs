//! `pidstat -d`: reads and writes of processes. Its counters of CPUs and memory are no results.
//!
//! ```text
//! 10:11:12      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
//! 10:11:13        0      5511  77160.99      0.00      0.00      14  fio
//! Average:        0      5511  81222.10      0.00      0.00      14  fio
//! # Time        UID       PID   kB_rd/s ...                          -h
//! 10:11:12      UID      TGID       TID   kB_rd/s ...                -t
//! ```

use super::reports::Reports;
use super::sar::{merge, stamped};
use super::words::{KIB, banner, decimal, is_omission};
use crate::line::Line;
use crate::observation::{Metric, NamedValue, Unit};
use crate::recognise::{Cursor, Output};
use std::collections::BTreeMap;

/// Limit for the processes of one command.
const MAX_PROCESSES: usize = 1000;

pub fn read(cursor: Cursor) -> Option<Output> {
    let release = banner(cursor.text(0));
    let start = match release {
        Some(_) => (1..4).find(|&i| cursor.line(i).is_some_and(|line| !line.is_blank()))?,
        None => 0,
    };
    Columns::parse(cursor.text(start))?;
    let mut parse = Parse {
        columns: None,
        clock: "",
        intervals: Reports::default(),
        averages: Reports::default(),
        commands: BTreeMap::new(),
    };
    let (mut offset, mut end) = (start, start);
    while let Some(line) = cursor.line(offset) {
        if !line.is_blank() && !is_omission(line.text()) {
            if parse.step(line).is_none() {
                break;
            }
            end = offset + 1;
        }
        offset += 1;
    }
    let mut output = Output {
        tool: "pidstat",
        end: cursor.start + end,
        observations: merge(
            parse.averages.observations(),
            parse.intervals.observations(),
        ),
        ..Output::default()
    };
    if let Some(release) = release {
        output.facts.push(NamedValue::new("kernel", release));
    }
    Some(output)
}

/// Places of the columns behind the time.
struct Columns {
    process: usize,
    /// The column of the thread, which is `-` in the row of its process.
    thread: Option<usize>,
    figures: Vec<(usize, Metric, f64)>,
    command: usize,
}

impl Columns {
    fn parse(text: &str) -> Option<Columns> {
        // All readers see all lines, and one character is found faster than a word.
        if !text.contains('I') || !text.contains("PID") && !text.contains("TGID") {
            return None;
        }
        // -h has `# Time` or `#      Time` before the names.
        let words: Vec<&str> = match text.trim_start().strip_prefix('#') {
            Some(rest) => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let time = words.first() == Some(&"Time");
                words[usize::from(time)..].to_vec()
            }
            None => stamped(text)?.words,
        };
        let place = |name: &str| words.iter().position(|word| *word == name);
        let process = place("PID").or_else(|| place("TGID"))?;
        let command = place("Command")?;
        if command + 1 != words.len() || process > 2 {
            return None;
        }
        let rate = |key: &str, label: &str| Metric::new(key, label, Unit::BytesPerSecond).neutral();
        let figures = words
            .iter()
            .enumerate()
            .filter_map(|(index, name)| {
                let (metric, factor) = match *name {
                    "kB_rd/s" => (rate("read.bw", "read throughput"), KIB),
                    "kB_wr/s" => (rate("write.bw", "write throughput"), KIB),
                    "kB_ccwr/s" => (rate("cancelled.bw", "cancelled write throughput"), KIB),
                    "iodelay" => (Metric::new("iodelay", "I/O delay, ticks", Unit::None), 1.0),
                    _ => return None,
                };
                Some((index, metric, factor))
            })
            .collect();
        Some(Columns {
            process,
            thread: place("TID"),
            figures,
            command,
        })
    }
}

struct Parse<'a> {
    columns: Option<Columns>,
    clock: &'a str,
    intervals: Reports,
    averages: Reports,
    /// Processes of a command, in the order in which they came.
    commands: BTreeMap<String, Vec<String>>,
}

impl<'a> Parse<'a> {
    fn step(&mut self, line: &'a Line) -> Option<()> {
        if let Some(columns) = Columns::parse(line.text()) {
            self.columns = Some(columns);
            return Some(());
        }
        let columns = self.columns.as_ref()?;
        let (clock, words) = match stamped(line.text()) {
            Some(stamped) => (stamped.clock, stamped.words),
            // -h of older versions has seconds since 1970.
            None => {
                let mut words = line.text().split_whitespace();
                let clock = words.next().filter(|word| decimal(word).is_some())?;
                (Some(clock), words.collect())
            }
        };
        let process = *words.get(columns.process)?;
        let thread = columns.thread.and_then(|index| words.get(index).copied());
        if process == "-" {
            return Some(());
        }
        let numeric = |word: &str| decimal(word).is_some();
        if !numeric(process) || thread.is_some_and(|thread| thread != "-") {
            return None;
        }
        let command = words.get(columns.command..)?.join(" ");
        if command.is_empty()
            || columns
                .figures
                .iter()
                .any(|(index, ..)| !numeric(words[*index]))
        {
            return None;
        }
        let reports = match clock {
            None => {
                if self.averages.count() == 0 {
                    self.averages.begin();
                }
                &mut self.averages
            }
            Some(clock) => {
                if self.clock != clock {
                    self.clock = clock;
                    self.intervals.begin();
                }
                &mut self.intervals
            }
        };
        let processes = self.commands.entry(command.clone()).or_default();
        let number = match processes.iter().position(|other| other == process) {
            Some(index) => index + 1,
            None if processes.len() >= MAX_PROCESSES => return Some(()),
            None => {
                processes.push(process.to_owned());
                processes.len()
            }
        };
        // Processes of one command are distinguished by their order: ids are other ones in each
        // run.
        let dimensions = || {
            let mut found = vec![NamedValue::new("command", &command)];
            if number > 1 {
                found.push(NamedValue::new("process", &number.to_string()));
            }
            found
        };
        for (index, metric, factor) in &columns.figures {
            let word = words[*index];
            // -1 is what a user may not see.
            if let Some(value) = decimal(word).filter(|value| *value >= 0.0) {
                let place = line.place_of(word);
                reports.add(process, dimensions, metric, value * factor, place);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    #[test]
    fn means_of_processes() {
        let text = "\
Linux 5.15.0 (box) \t03/04/24 \t_x86_64_\t(8 CPU)

10:11:12      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
10:11:13        0      5511    100.00      0.00      0.00      14  fio
10:11:13        0      5512      0.00     -1.00      0.00      44  jbd2/sdb1-8

Average:      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
Average:        0      5511    200.00      0.00      0.00      14  fio
Average:        0      5512      0.00      1.50      0.00      44  jbd2/sdb1-8
Average:        0      5513    300.00      0.00      0.00      44  fio
";
        let output = read_with(read, text, None).expect("pidstat");
        assert_eq!(output.end, 10);
        assert_eq!(
            values(&output, "read.bw"),
            [
                ("fio", "", 204_800.0),
                ("jbd2/sdb1-8", "", 0.0),
                ("fio", "", 307_200.0)
            ]
        );
        let last = output.observations.last().expect("figures");
        assert_eq!(last.dimensions[1], NamedValue::new("process", "2"));
        assert_eq!(values(&output, "write.bw")[1], ("jbd2/sdb1-8", "", 1536.0));
    }

    #[test]
    fn intervals_threads_and_one_line_forms() {
        let text = "\
# Time        UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
08:03:21        0     25516      0.00   1461.39      0.00       0  my tool
08:03:22        0     25516      0.00   1463.39      0.00       0  my tool
";
        let output = read_with(read, text, None).expect("pidstat -h");
        assert_eq!(
            values(&output, "write.bw")[1],
            ("my tool", "2", 1463.39 * 1024.0)
        );
        let text = "\
08:03:21 PM   UID      TGID       TID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
08:03:22 PM     0     25516         -      0.00   1435.51      0.00       0  rustc
08:03:22 PM     0         -     25526      0.00   1435.51      0.00       0  |__rustc
";
        let output = read_with(read, text, None).expect("pidstat -t");
        assert_eq!(values(&output, "write.bw").len(), 1);
        assert_eq!(output.end, 3);
    }

    #[test]
    fn other_counters_of_processes_are_no_results() {
        let text = "\
10:11:12      UID       PID    %usr %system  %guest    %CPU   CPU  Command
10:11:13        0      5511    1.00    0.00    0.00    1.00     1  fio
";
        let output = read_with(read, text, None).expect("pidstat -u");
        assert_eq!((output.end, output.observations.len()), (2, 0));
        assert!(read_with(read, "10:11:12 PID 12 was killed", None).is_none());
    }
}
