//! `sar -d`, `sar -b`, `sar -B`, with any others, and `mpstat`, whose counters of CPUs are no
//! results.
//!
//! ```text
//! Linux 5.15 (box)    11/26/26   _x86_64_   (2 CPU)
//! 05:16:07 PM    tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util DEV
//! 05:16:08 PM  25549.00 102240.00 102160.00      8.00      2.58      0.10     83.60 vda
//! Average:     25822.67 103733.33 102832.00     11.05      2.63      0.10     80.40 vda
//! ```
//!
//! Older versions have DEV first. The word for `Average:` is that of the language. The mean that
//! sar prints takes the place of its intervals.

use super::columns::{Column, MAX_COLUMNS, column};
use super::iostat::add_row;
use super::reports::Reports;
use super::words::{banner, decimal, human, is_clock, is_half_day, is_omission};
use crate::line::Line;
use crate::observation::{NamedValue, Observation};
use crate::recognise::{Cursor, Output};
use seekscope_trace::sorting::set_of;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let release = banner(first);
    let start = match release {
        Some(_) => (1..4).find(|&i| cursor.line(i).is_some_and(|line| !line.is_blank()))?,
        None => 0,
    };
    // People quote the printed means of devices alone.
    let is_mean = |words: &[&str]| words.contains(&"DEV") && words.contains(&"tps");
    let head = stamped(cursor.text(start))
        .filter(|stamped| stamped.clock.is_some() || is_mean(&stamped.words))?;
    if !is_restart(&head.words) {
        Section::parse(&head.words)?;
    }
    let mut parse = Parse {
        cursor,
        intervals: Reports::default(),
        averages: Reports::default(),
        clock: "",
        section: None,
    };
    let end = parse.run(start);
    let mut output = Output {
        tool: "sar",
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

/// Printed means, and intervals of what has none.
pub fn merge(averages: Vec<Observation>, intervals: Vec<Observation>) -> Vec<Observation> {
    use std::collections::BTreeSet;
    let in_averages: BTreeSet<(Vec<NamedValue>, String)> = set_of(
        averages
            .iter()
            .map(|o| (o.dimensions.clone(), o.metric.key.clone())),
    );
    let mut found = averages;
    found.extend(
        intervals
            .into_iter()
            .filter(|o| !in_averages.contains(&(o.dimensions.clone(), o.metric.key.clone()))),
    );
    found
}

/// A line behind a time, or behind the word for a mean.
pub struct Stamped<'a> {
    /// The time of the report; `None` for a mean.
    pub clock: Option<&'a str>,
    pub words: Vec<&'a str>,
}

pub fn stamped(text: &str) -> Option<Stamped<'_>> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if is_clock(first) {
        let words: Vec<&str> = words.collect();
        let half = words.first().is_some_and(|word| is_half_day(word));
        return Some(Stamped {
            clock: Some(first),
            words: words[usize::from(half)..].to_vec(),
        });
    }
    let mut words: Vec<&str> = words.collect();
    // The mean has names like `Average:`, `Durchschn.:`, `Moyenne :`.
    let apart = words.first() == Some(&":");
    if apart {
        words.remove(0);
    }
    let ends = apart || first.ends_with([':', '\u{ff1a}']);
    (ends && first.chars().count() <= 20).then_some(Stamped { clock: None, words })
}

/// `LINUX RESTART (8 CPU)` between the reports of two boots.
fn is_restart(words: &[&str]) -> bool {
    matches!(words, ["LINUX", "RESTART", ..])
}

/// The position of a row's name.
#[derive(Clone, Copy, PartialEq)]
enum Name {
    None,
    First,
    Last,
}

/// The columns of the rows below a heading; none where they are no results of I/O.
struct Section {
    columns: Vec<Option<Column>>,
    name: Name,
    count: usize,
}

/// Whether a word may be the name of a column.
fn is_heading(word: &&str) -> bool {
    decimal(word).is_none() && word.chars().any(|c| c.is_alphabetic() || c == '%')
}

impl Section {
    fn parse(words: &[&str]) -> Option<Section> {
        if words.len() > MAX_COLUMNS {
            return None;
        }
        let name = match (words.first()?, words.last()?) {
            (&"DEV", _) => Name::First,
            (_, &"DEV") => Name::Last,
            _ => Name::None,
        };
        let named = match name {
            Name::None => words,
            Name::First => &words[1..],
            Name::Last => &words[..words.len() - 1],
        };
        let whole = words.iter().all(is_heading);
        // All sections of sar have columns per second, shares, or names that are no words.
        let typical = |word: &&&str| {
            let marked = word.ends_with("/s") || word.starts_with('%') || word.starts_with("kb");
            let sized = word.ends_with("-sz") || word.starts_with("ldavg-");
            marked || sized || matches!(**word, "CPU" | "DEV" | "IFACE" | "dentunusd" | "file-nr")
        };
        if !whole || words.iter().filter(typical).count() < 2 {
            return None;
        }
        let devices = name != Name::None && named.contains(&"tps");
        let columns = if devices {
            named.iter().map(|name| column(name)).collect()
        } else if named.contains(&"rtps") {
            named
                .iter()
                .map(|name| column(name).filter(|c| c.is_known))
                .collect()
        } else if named.contains(&"pgpgin/s") {
            let paged = |name: &&str| name.starts_with("pgpg");
            named
                .iter()
                .map(|name| Some(name).filter(|n| paged(n)).and_then(|n| column(n)))
                .collect()
        } else {
            vec![None; named.len()]
        };
        Some(Section {
            count: named.len(),
            columns,
            name,
        })
    }
}

struct Parse<'a> {
    cursor: Cursor<'a>,
    intervals: Reports,
    averages: Reports,
    /// Time of the report.
    clock: &'a str,
    section: Option<Section>,
}

impl<'a> Parse<'a> {
    fn run(&mut self, first: usize) -> usize {
        let (mut offset, mut end) = (first, first);
        while let Some(line) = self.cursor.line(offset) {
            if line.is_blank() || is_omission(line.text()) {
                offset += 1;
                continue;
            }
            if self.step(line).is_none() {
                break;
            }
            offset += 1;
            end = offset;
        }
        end
    }

    fn step(&mut self, line: &'a Line) -> Option<()> {
        let stamped = stamped(line.text())?;
        if is_restart(&stamped.words) {
            return Some(());
        }
        if let Some(section) = Section::parse(&stamped.words) {
            self.section = Some(section);
            return Some(());
        }
        let words = stamped.words;
        // Other counters, as those of interrupts, have headings that only -A shows.
        if !words.is_empty() && words.iter().all(is_heading) {
            self.section = Some(Section {
                columns: Vec::new(),
                name: Name::None,
                count: words.len(),
            });
            return Some(());
        }
        let section = self.section.as_ref()?;
        if words.len() != section.count + usize::from(section.name != Name::None) {
            // Sections of other counters have other forms; a cut row has no figures.
            return words
                .iter()
                .any(|word| decimal(word).is_some())
                .then_some(());
        }
        let (name, numbers) = match section.name {
            Name::None => ("", &words[..]),
            Name::First => (words[0], &words[1..]),
            Name::Last => (words[words.len() - 1], &words[..words.len() - 1]),
        };
        let io = section.columns.iter().any(Option::is_some);
        if io && numbers.iter().any(|word| human(word).is_none()) {
            return None;
        }
        let reports = match stamped.clock {
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
        let all: Vec<_> = numbers
            .iter()
            .map(|word| (*word, line.place_of(word)))
            .collect();
        add_row(reports, "device", name, &section.columns, &all);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    const DEVICES: &str = "\
Linux 5.15 (box) \t11/26/26 \t_x86_64_\t(2 CPU)

05:16:07 PM    DEV    tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz  await  svctm  %util
05:16:08 PM    sda  100.00  200.00   0.00   2.00   0.10   1.00   0.50   5.00
05:16:08 PM    sdb   0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00

05:16:08 PM    DEV    tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz  await  svctm  %util
05:16:09 PM    sda  300.00  600.00   0.00   2.00   0.10   2.00   0.50  15.00
05:16:09 PM    sdb   0.00   0.00   0.00   0.00   0.00   0.00   0.00   0.00
";

    #[test]
    fn intervals_without_a_mean_are_repeats() {
        let output = read_with(read, DEVICES, None).expect("sar");
        assert_eq!(
            values(&output, "read.bw"),
            [
                ("sda", "1", 102_400.0),
                ("sda", "2", 307_200.0),
                ("sdb", "1", 0.0),
                ("sdb", "2", 0.0)
            ]
        );
        assert_eq!(values(&output, "await").len(), 2, "none without a request");
    }

    #[test]
    fn the_printed_mean_takes_their_place() {
        for mean in [
            "Average: ",
            "Durchschn.: ",
            "Moyenne : ",
            "\u{5e73}\u{5747}: ",
        ] {
            let text = format!(
                "{DEVICES}\n{mean}   DEV    tps  rd_sec/s  wr_sec/s  avgrq-sz  avgqu-sz  await  svctm  %util\n\
                 {mean}   sda  200.00  400.00   0.00   2.00   0.10   1.50   0.50  10,00\n"
            );
            let output = read_with(read, &text, None).expect("sar");
            let of_sda = |key| {
                let mut found = values(&output, key);
                found.retain(|value| value.0 == "sda");
                found
            };
            assert_eq!(of_sda("iops"), [("sda", "", 200.0)], "{mean}");
            assert_eq!(of_sda("util"), [("sda", "", 0.1)], "{mean}");
        }
    }

    #[test]
    fn means_are_read_alone() {
        let text = "\
Average:          DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util
Average:          sda    121.50   4848.00   1212.00     50.00      0.81      6.12     41.20
";
        let output = read_with(read, text, None).expect("means");
        assert_eq!(values(&output, "iops"), [("sda", "", 121.5)]);
    }

    #[test]
    fn totals_of_all_devices() {
        let text = "\
08:03:22          tps      rtps      wtps      dtps   bread/s   bwrtn/s   bdscd/s
08:03:23        25.00      0.00     22.00      3.00      8.00  47968.00     24.00
Average:        16.00      0.00     11.50      4.50      4.00  23988.00     64.00
";
        let output = read_with(read, text, None).expect("sar -b");
        assert_eq!(values(&output, "write.bw"), [("", "", 23_988.0 * 512.0)]);
        assert_eq!(values(&output, "read.bw"), [("", "", 2048.0)]);
        assert_eq!(values(&output, "write.iops"), [("", "", 11.5)]);
    }

    #[test]
    fn counters_of_cpus_are_no_results() {
        let text = "\
Linux 6.1 (box) \t11/26/26 \t_x86_64_\t(2 CPU)

05:16:13     CPU    %usr   %nice    %sys %iowait   %idle
05:16:14     all   50.79    1.06    3.17    0.00   44.97
Average:     all   51.50    0.53    2.47    0.00   45.33
";
        let output = read_with(read, text, None).expect("mpstat");
        assert_eq!((output.end, output.observations.len()), (5, 0));
        for text in [
            "10:11:12 it began",
            "10:11:12",
            "Average: 12",
            "05:16:13 CPU is hot",
        ] {
            assert!(read_with(read, text, None).is_none(), "{text}");
        }
    }
}
