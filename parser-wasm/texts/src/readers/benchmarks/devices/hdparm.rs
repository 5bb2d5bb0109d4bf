//! `hdparm -t -T --direct`, with and without the names of disks:
//!
//! ```text
//! /dev/sda:
//!  Timing cached reads:   16008 MB in  2.00 seconds = 8004.39 MB/sec
//!  Timing buffered disk reads: 354 MB in  3.01 seconds = 118.30 MB/sec
//! ```
//!
//! Megabytes are 2^20 bytes.

use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, binary, rate, with_unit};
use crate::recognise::{Cursor, Output};

/// Lines above a measurement in which the name of its disk is sought.
const MAX_ABOVE: usize = 12;
/// Lines between the name of a disk and its measurements.
const MAX_GAP: usize = 3;

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "hdparm");
    let mut offset = 0;
    if let Some(device) = device_of(cursor.text(0)) {
        found.set("device", device);
        offset = 1;
        while timing(cursor.text(offset)).is_none() {
            // A disk of which the measurement failed has other lines.
            if offset > MAX_GAP || device_of(cursor.text(offset)).is_some() {
                return None;
            }
            offset += 1;
        }
    } else {
        timing(cursor.text(0))?;
        if let Some(device) = device_above(cursor) {
            found.set("device", device);
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    while let Some((name, result)) = timing(cursor.text(offset)) {
        if seen.contains(&name) || seen.len() >= MAX_PARTS {
            break;
        }
        seen.push(name);
        let measured = with_unit(result).map(|(word, value, unit)| match unit {
            // Mailers break the unit from its number.
            "" => (word, value, cursor.text(offset + 1).trim()),
            unit => (word, value, unit),
        });
        if let Some((word, value, unit)) = measured
            && let Some(factor) = binary(unit).filter(|_| unit.contains('/'))
        {
            let key = format!("{}.rate", crate::observation::slug(name));
            found.add(offset, word, rate(&key, name), value * factor);
            offset += usize::from(!result.ends_with(unit));
        }
        offset += 1;
    }
    found.finish(offset)
}

/// The device in a line `/dev/sda:`.
fn device_of(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix("/dev/")?.strip_suffix(':')?;
    (!name.contains(char::is_whitespace)).then_some(name)
}

/// The name of a measurement and its rate: `buffered disk reads`, `118.30 MB/sec`.
fn timing(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix("Timing ")?;
    let (name, rest) = rest.split_once(':')?;
    let (amount, result) = rest.rsplit_once('=')?;
    let is_timing = name.contains("read") && amount.contains(" seconds");
    is_timing.then_some((name.trim(), result.trim()))
}

/// The disk of measurements that are repeated below one name.
fn device_above<'a>(cursor: Cursor<'a>) -> Option<&'a str> {
    let above = cursor.lines.get(..cursor.start)?;
    for line in above.iter().rev().take(MAX_ABOVE) {
        if let Some(device) = device_of(line.text()) {
            return Some(device);
        }
        timing(line.text())?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn disks_are_told_apart() {
        let text = "\n/dev/sda:\n Timing cached reads:   16000 MB in  2.00 seconds = 8000.50 MB/sec\n \
            Timing buffered disk reads: 354 MB in  3.01 seconds = 118.50 MB/sec\n \
            Timing buffered disk reads: 351 MB in  3.01 seconds = 117.00 MB/sec\n\n\
            /dev/mmcblk0:\n HDIO_DRIVE_CMD(identify) failed: Invalid argument\n \
            Timing O_DIRECT disk reads:   6 MB in  6.10 seconds = 980.50 kB/sec\n";
        assert_eq!(
            figures(read, text),
            [
                "device=sda cached-reads.rate 8389132000",
                "device=sda buffered-disk-reads.rate 124256300",
                "device=sda buffered-disk-reads.rate 122683400",
                "device=mmcblk0 o-direct-disk-reads.rate 1004032",
            ]
        );
        assert_eq!(outputs(read, text).len(), 3);
    }

    #[test]
    fn a_unit_may_stand_in_the_next_line() {
        let text = "/dev/md0:\n\tTiming buffer-cache reads:   128 MB in  0.96 seconds =133.25\n\
            MB/sec\n\tTiming buffered disk reads:  64 MB in  3.05 seconds = 21.00\nMB/sec\n";
        assert_eq!(
            figures(read, text),
            [
                "device=md0 buffer-cache-reads.rate 139722800",
                "device=md0 buffered-disk-reads.rate 22020100",
            ]
        );
    }

    #[test]
    fn other_lines_about_disks_are_left() {
        assert!(figures(read, "/dev/sda:\n multcount     = 16 (on)\n").is_empty());
        assert!(figures(read, "Timing is everything: 12 = 12\n").is_empty());
    }
}
