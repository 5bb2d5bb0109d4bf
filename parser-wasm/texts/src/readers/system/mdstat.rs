//! `/proc/mdstat`: the speed of a resync, recovery, check or reshape.
//!
//! ```text
//! Personalities : [raid6] [raid5] [raid4]
//! md0 : active raid5 sdd1[3] sdc1[1] sdb1[0]
//!       [==>...]  recovery =  5.1% (49808143/976630272) finish=175.2min speed=88211K/sec
//! ```

use super::words::{KIB, decimal};
use crate::line::Line;
use crate::observation::{Metric, NamedValue, Observation, Unit};
use crate::recognise::{Cursor, Output};

/// Lines of an array without a progress.
const MAX_GAP: usize = 12;

/// Limit for the arrays of one output.
const MAX_ARRAYS: usize = 256;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0);
    let begins = first.trim_start().starts_with("Personalities :")
        || array(first).is_some()
        || progress(first).is_some();
    if !begins {
        return None;
    }
    let mut output = Output {
        tool: "mdstat",
        end: cursor.start,
        ..Output::default()
    };
    let (mut device, mut seen): (&str, Vec<&str>) = ("", Vec::new());
    let (mut offset, mut end) = (0, 0);
    while let Some(line) = cursor.line(offset).filter(|_| offset <= end + MAX_GAP) {
        let text = line.text();
        offset += 1;
        if let Some(name) = array(text) {
            device = name;
            if seen.len() >= MAX_ARRAYS || seen.contains(&name) {
                break;
            }
            seen.push(name);
        } else if let Some(found) = progress(text) {
            if seen.is_empty() && !output.observations.is_empty() {
                break;
            }
            found.add(line, device, &mut output.observations);
        } else if text.trim_start().starts_with("unused devices:") {
            end = offset;
            break;
        } else if !belongs(text) || text.trim_start().starts_with("Personalities") && offset > 1 {
            break;
        } else if line.is_blank() {
            continue;
        }
        end = offset;
    }
    output.end = cursor.start + end;
    Some(output)
}

/// The array of a line like `md0 : active raid5 sdd1[3] ...`.
fn array(text: &str) -> Option<&str> {
    let text = text.trim();
    if !text.starts_with("md") {
        return None;
    }
    let (name, rest) = text.split_once(" : ")?;
    let state = rest.split_whitespace().next()?;
    let named = !name.contains(' ');
    (named && matches!(state, "active" | "inactive")).then_some(name)
}

/// Other lines of an array: sizes, the bitmap.
fn belongs(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty()
        || text.starts_with("Personalities :")
        || text.starts_with("bitmap:")
        || text.contains(" blocks ")
        || text.starts_with("resync=")
        || text.starts_with("recovery=")
        || text.starts_with("reshape=")
        || text.starts_with("check=")
}

struct Progress<'a> {
    operation: &'a str,
    percent: Option<&'a str>,
    /// Minutes until it ends.
    finish: Option<&'a str>,
    /// Speed in KiB per second.
    speed: &'a str,
}

fn progress(text: &str) -> Option<Progress<'_>> {
    let (_, speed) = text.split_once("speed=")?;
    let speed = speed.split_whitespace().next()?.strip_suffix("K/sec")?;
    decimal(speed)?;
    let operation = ["recovery", "resync", "reshape", "check", "repair"]
        .iter()
        .find_map(|name| {
            let start = text.find(name)?;
            let word = &text[start..start + name.len()];
            text[start + name.len()..]
                .trim_start()
                .starts_with('=')
                .then_some(word)
        })?;
    let percent = text.split_whitespace().find_map(|word| {
        let number = word.strip_suffix('%')?.rsplit('=').next()?;
        decimal(number).map(|_| number)
    });
    let finish = text.split_once("finish=").and_then(|(_, rest)| {
        let number = rest.split_whitespace().next()?.strip_suffix("min")?;
        decimal(number).map(|_| number)
    });
    Some(Progress {
        operation,
        percent,
        finish,
        speed,
    })
}

impl Progress<'_> {
    fn add(&self, line: &Line, device: &str, found: &mut Vec<Observation>) {
        let operation = self.operation;
        let metric = |key: &str, label: &str, unit: Unit| {
            Metric::new(
                format!("{operation}.{key}"),
                format!("{operation} {label}"),
                unit,
            )
        };
        let figures = [
            (
                Some(self.speed),
                metric("speed", "speed", Unit::BytesPerSecond),
                KIB,
            ),
            (
                self.finish,
                metric("finish", "time left", Unit::Nanoseconds),
                60e9,
            ),
            (self.percent, metric("done", "done", Unit::Share), 0.01),
        ];
        for (word, metric, factor) in figures {
            let Some(value) = word.and_then(decimal) else {
                continue;
            };
            let dimensions = (!device.is_empty()).then(|| NamedValue::new("device", device));
            found.push(Observation {
                metric,
                value: value * factor,
                place: line.place_of(word.unwrap_or("")),
                dimensions: dimensions.into_iter().collect(),
                repeat: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::system::samples::{read_with, values};

    #[test]
    fn the_speed_of_each_array() {
        let text = "\
Personalities : [raid6] [raid5] [raid4]
md1 : active raid1 sdb1[1] sda1[0]
      976630464 blocks super 1.2 [2/2] [UU]
        resync=DELAYED

md0 : active raid5 sdd1[3] sdc1[1] sdb1[0]
      1953260544 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/3] [UUU]
      [==>...]  recovery =  5.1% (49808143/976630272) finish=175.2min speed=88211K/sec
      bitmap: 4/8 pages [16KB], 65536KB chunk

md2 : active raid1 sdf1[1] sde1[0]
      [=>...................]  check =  9.0% (8/97) finish=3.0min speed=1000K/sec

unused devices: <none>
md0 is slow.
";
        let output = read_with(read, text, None).expect("mdstat");
        assert_eq!(output.end, 14);
        assert_eq!(
            values(&output, "recovery.speed"),
            [("md0", "", 88_211.0 * KIB)]
        );
        assert_eq!(values(&output, "check.speed"), [("md2", "", 1000.0 * KIB)]);
        assert_eq!(values(&output, "check.finish"), [("md2", "", 180e9)]);
    }

    #[test]
    fn a_line_alone_and_what_is_none() {
        let line = "[==>...]  check = 30.8% (3/9) finish=74.5min speed=151220K/sec";
        let output = read_with(read, &format!("{line}\n{line}"), None).expect("mdstat");
        assert_eq!(output.end, 1);
        assert_eq!(values(&output, "check.speed"), [("", "", 151_220.0 * KIB)]);
        for text in [
            "md: resync of RAID array md0",
            "md: minimum _guaranteed_ speed: 1000 KB/sec/disk.",
            "speed=12K/sec",
            "check = 3% speed=fastK/sec",
            "md0 : hello",
        ] {
            assert!(read_with(read, text, None).is_none(), "{text}");
        }
    }
}
