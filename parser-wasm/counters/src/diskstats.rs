//! Samples of `/proc/diskstats` and `/sys/block/DEV/stat`: the counters that iostat prints, under
//! its names.
//!
//! ```text
//! 254 0 vda  reads merged sectors ms  writes merged sectors ms  in-flight busy-ms weighted-ms     11 fields, all kernels since 2.6
//!            discards merged sectors ms                                                           15 fields, since 4.18
//!            flushes ms                                                                           17 fields, since 5.5
//! ```

use super::columns::{self, DEVICE};
use super::reports::Reports;
use super::time::SECOND;
use rustc_hash::FxHashMap;
use seekscope_trace::store::lanes::LaneSubject;

const FIELDS: [usize; 3] = [11, 15, 17];
/// Limit for the devices that are followed.
const MAX_DEVICES: usize = 1024;

/// The fields of a line; those that a kernel lacks are absent.
type DiskFields = Vec<u64>;

/// The previous sample of each device, from which rates are computed.
#[derive(Default)]
pub struct Diskstats {
    before: FxHashMap<String, (i64, DiskFields)>,
    /// Whether the lines have no device: the file was read of one disk in sysfs.
    unnamed: bool,
}

fn fields(line: &str) -> Option<(&str, DiskFields)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &&str| {
        word.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| word.parse().ok())
            .flatten()
    };
    let (name, values) = match words.as_slice() {
        [major, minor, name, values @ ..]
            if number(major).is_some() && number(minor).is_some() && number(name).is_none() =>
        {
            (*name, values)
        }
        values => ("", values),
    };
    let numbers: Option<DiskFields> = FIELDS
        .contains(&values.len())
        .then(|| values.iter().map(number).collect())
        .flatten();
    Some((name, numbers?))
}

/// Whether a line is one of diskstats; with `unnamed` also one without a device.
pub fn is_line(line: &str, unnamed: bool) -> bool {
    fields(line).is_some_and(|(name, _)| unnamed || !name.is_empty())
}

impl Diskstats {
    pub fn tool(&self) -> &'static str {
        if self.unnamed {
            "/sys/block/.../stat"
        } else {
            "/proc/diskstats"
        }
    }

    pub fn line(&mut self, line: &str, reports: &mut Reports) {
        let Some((name, now)) = fields(line) else {
            return;
        };
        self.unnamed |= name.is_empty();
        let name: String = name.chars().take(60).collect();
        let subject = LaneSubject::Device(name.clone());
        let Some(time) = reports.time() else { return };
        if self.before.len() >= MAX_DEVICES && !self.before.contains_key(&name) {
            return;
        }
        let Some((then, before)) = self.before.insert(name, (time, now.clone())) else {
            return;
        };
        let seconds = (time - then) as f64 / SECOND as f64;
        // A counter that fell is that of another boot, or has wrapped.
        if seconds <= 0.0
            || before.len() != now.len()
            || before
                .iter()
                .zip(&now)
                .enumerate()
                .any(|(i, (a, b))| i != 8 && b < a)
        {
            return;
        }
        let difference = |i: usize| {
            now.get(i)
                .zip(before.get(i))
                .map(|(now, before)| (now - before) as f64)
        };
        let mut add = |column: &str, value: Option<f64>| {
            if let (Some(column), Some(value)) = (columns::find(DEVICE, column), value) {
                reports.add(&subject, column, value);
            }
        };
        let per_second = |i: usize| difference(i).map(|n| n / seconds);
        let each = |sum: usize, n: usize| {
            difference(sum)
                .zip(difference(n))
                .filter(|(_, n)| *n > 0.0)
                .map(|(sum, n)| sum / n)
        };
        let kib = |i: usize| per_second(i).map(|sectors| sectors / 2.0);
        add("%util", difference(9).map(|ms| ms / seconds / 10.0));
        add("aqu-sz", difference(10).map(|ms| ms / seconds / 1000.0));
        for (first, rate, bytes, merges, wait) in [
            (0, "r/s", "rkB/s", "rrqm/s", "r_await"),
            (4, "w/s", "wkB/s", "wrqm/s", "w_await"),
            (11, "d/s", "dkB/s", "drqm/s", "d_await"),
        ] {
            add(wait, each(first + 3, first));
            add(bytes, kib(first + 2));
            add(rate, per_second(first));
            add(merges, per_second(first + 1));
        }
        add("f/s", per_second(15));
        add("f_await", each(16, 15));
        add("in_flight", now.get(8).map(|n| *n as f64));
    }
}
