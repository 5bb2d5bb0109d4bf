//! Samples of `/proc/pressure/cpu`, `io` and `memory` (PSI): the share of time in which some tasks,
//! or all, were stalled, from `total` (us).
//!
//! ```text
//! some avg10=12.28 avg60=3.09 avg300=0.68 total=2809725        with /proc/pressure/io: before it, as grep prints it,
//! full avg10=0.00 avg60=0.00 avg300=0.00 total=0               or below ==> /proc/pressure/io <==, as head prints it
//! ```

use super::columns::{self, PRESSURE};
use super::reports::Reports;
use rustc_hash::FxHashMap;
use seekscope_trace::store::lanes::LaneSubject;

/// The previous sample of each counter, from which rates are computed.
#[derive(Default)]
pub struct Pressures {
    before: FxHashMap<&'static str, (i64, u64)>,
    /// The resource that a heading names.
    resource: Option<&'static str>,
    /// Lines of `some` since the last time: which resource it is when none is named.
    unnamed: usize,
}

/// The resources with the names of their counters.
const NAMED: [(&str, [&str; 2]); 4] = [
    ("cpu", ["cpu some", "cpu full"]),
    ("io", ["io some", "io full"]),
    ("memory", ["memory some", "memory full"]),
    ("irq", ["irq some", "irq full"]),
];
const UNNAMED: [[&str; 2]; 3] = [
    ["1st some", "1st full"],
    ["2nd some", "2nd full"],
    ["3rd some", "3rd full"],
];

/// Reads a line: whether it is `full` and not `some`, and its total.
fn total(line: &str) -> Option<(bool, u64)> {
    let mut words = line.split_whitespace();
    let full = match words.next()? {
        "some" => false,
        "full" => true,
        _ => return None,
    };
    let average = words.next()?.starts_with("avg10=");
    let total = words
        .find_map(|word| word.strip_prefix("total="))?
        .parse()
        .ok()?;
    average.then_some((full, total))
}

/// The resource that a path names.
fn resource(text: &str) -> Option<&'static str> {
    let rest = text
        .split("pressure/")
        .nth(1)
        .or_else(|| text.split_once(".pressure").map(|(name, _)| name))?;
    NAMED
        .iter()
        .map(|(name, _)| *name)
        .find(|name| rest.starts_with(name) || rest.ends_with(name))
}

pub fn is_line(line: &str) -> bool {
    let rest = line.split_once(':').map_or(line, |(_, rest)| rest);
    total(rest).is_some()
}

impl Pressures {
    /// Begins a sample.
    pub fn begin(&mut self) {
        self.unnamed = 0;
    }

    pub fn line(&mut self, line: &str, reports: &mut Reports) {
        let (path, rest) = line.split_once(':').unwrap_or(("", line));
        let Some((full, total)) = total(rest) else {
            self.resource = resource(line).or(self.resource);
            return;
        };
        let named = resource(path).or(self.resource);
        let names = match named.and_then(|named| NAMED.iter().find(|(name, _)| *name == named)) {
            Some((_, names)) => names,
            None => {
                self.unnamed += usize::from(!full);
                match UNNAMED.get(self.unnamed.saturating_sub(1)) {
                    Some(names) => names,
                    None => return,
                }
            }
        };
        let (Some(column), Some(time)) = (
            columns::find(PRESSURE, names[usize::from(full)]),
            reports.time(),
        ) else {
            return;
        };
        let Some((then, before)) = self.before.insert(column.name, (time, total)) else {
            return;
        };
        if time > then && total >= before {
            reports.add(
                &LaneSubject::Machine,
                column,
                (total - before) as f64 * 1000.0 / (time - then) as f64 * 100.0,
            );
        }
    }
}
