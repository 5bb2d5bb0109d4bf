//! Samples of files with a name and a number in each line or word, of which many count since boot:
//! /proc/vmstat, and io.stat of a control group.
//!
//! ```text
//! nr_dirty 4134                                                /proc/vmstat: gauges, and counts since boot
//! 254:0 rbytes=8192 wbytes=0 rios=2 wios=0 dbytes=0 dios=0     io.stat: counts of a device since the group was made
//! ```

use super::columns::{self, CGROUP, CounterColumn, PAGES};
use super::reports::Reports;
use super::time::SECOND;
use rustc_hash::FxHashMap;
use seekscope_trace::store::lanes::{LaneKind, LaneSubject};

/// Limit for the devices that are followed.
const MAX_DEVICES: usize = 1024;

/// The samples before, by subject and counter.
#[derive(Default)]
pub struct CountsSinceBoot {
    before: FxHashMap<(LaneSubject, &'static str), (i64, u64)>,
}

/// The counter and the value in a line of /proc/vmstat.
fn page_counter(line: &str) -> Option<(&'static CounterColumn, u64)> {
    let (name, value) = line.split_once(' ')?;
    Some((columns::find(PAGES, name)?, value.parse().ok()?))
}

pub fn is_vmstat(line: &str) -> bool {
    line.split_once(' ')
        .is_some_and(|(name, value)| name == "nr_free_pages" && value.parse::<u64>().is_ok())
        || page_counter(line).is_some()
}

/// Device, as the other texts number it, and the counters of a line of io.stat.
fn of_group(line: &str) -> Option<(String, &str)> {
    let (number, values) = line.split_once(' ')?;
    let (major, minor) = number.split_once(':')?;
    let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
    values
        .starts_with("rbytes=")
        .then(|| (format!("{major},{minor}"), values))
}

pub fn is_cgroup(line: &str) -> bool {
    of_group(line).is_some()
}

impl CountsSinceBoot {
    pub fn vmstat(&mut self, line: &str, reports: &mut Reports) {
        if let Some((column, value)) = page_counter(line) {
            self.add(LaneSubject::Machine, column, value, reports);
        }
    }

    pub fn cgroup(&mut self, line: &str, reports: &mut Reports) {
        let Some((device, values)) = of_group(line) else {
            return;
        };
        for (name, value) in values
            .split_whitespace()
            .filter_map(|word| word.split_once('='))
        {
            let column = CGROUP
                .iter()
                .find(|column| column.name.strip_prefix("cgroup ") == Some(name));
            if let (Some(column), Ok(value)) = (column, value.parse()) {
                self.add(LaneSubject::Device(device.clone()), column, value, reports);
            }
        }
    }

    fn add(
        &mut self,
        subject: LaneSubject,
        column: &'static CounterColumn,
        value: u64,
        reports: &mut Reports,
    ) {
        let Some(time) = reports.time() else { return };
        if column.kind == LaneKind::Gauge {
            reports.add(&subject, column, value as f64);
            return;
        }
        let key = (subject, column.name);
        if self.before.len() >= MAX_DEVICES * CGROUP.len() && !self.before.contains_key(&key) {
            return;
        }
        // A count that fell is that of another boot, or of another group.
        if let Some((then, before)) = self.before.insert(key.clone(), (time, value))
            && time > then
            && value >= before
        {
            reports.add(
                &key.0,
                column,
                (value - before) as f64 * SECOND as f64 / (time - then) as f64,
            );
        }
    }
}
