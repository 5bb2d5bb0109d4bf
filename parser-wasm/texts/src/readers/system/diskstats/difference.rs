//! The figures of the time between two snapshots.

use super::super::words::SECTOR;
use super::snapshot::{DiskCounters, Snapshot};
use crate::observation::{Metric, NamedValue, Observation, Unit};

/// Fields of one operation: the first is its number of requests.
const OPERATIONS: [(&str, usize); 3] = [("read", 0), ("write", 4), ("discard", 11)];
const FLUSHES: usize = 15;

/// The figures of all devices that moved data between two snapshots.
pub fn changes(before: &Snapshot, after: &Snapshot, repeat: Option<String>) -> Vec<Observation> {
    let mut found = Vec::new();
    for (index, now) in after.iter().enumerate() {
        // Devices are in the same order, but for those that came or went.
        let same = before.get(index).filter(|then| then.device == now.device);
        let found_then = || before.iter().find(|then| then.device == now.device);
        let Some(then) = same.or_else(found_then) else {
            continue;
        };
        if then.fields.len() != now.fields.len() {
            continue;
        }
        // The number in flight may fall. Any other counter that fell is that of another boot, or
        // has wrapped.
        let differences: Option<Vec<u64>> = then
            .fields
            .iter()
            .zip(&now.fields)
            .enumerate()
            .map(|(index, (then, now))| match index {
                8 => Some(0),
                _ => now.checked_sub(*then),
            })
            .collect();
        if let Some(differences) = differences {
            observe(now, &differences, repeat.as_deref(), &mut found);
        }
    }
    found
}

/// The amounts since boot of a single snapshot.
pub fn totals(only: &Snapshot) -> Vec<Observation> {
    let mut found = Vec::new();
    for disk in only {
        observe(disk, &disk.fields, None, &mut found);
    }
    found
}

fn observe(
    disk: &DiskCounters,
    amounts: &[u64],
    repeat: Option<&str>,
    found: &mut Vec<Observation>,
) {
    let amount = |index: usize| amounts.get(index).copied().unwrap_or(0);
    // A device that moved no sector was idle.
    if OPERATIONS.iter().all(|(_, first)| amount(first + 2) == 0) {
        return;
    }
    let mut add = |metric: Metric, value: f64, field: usize| {
        let Some(place) = disk.places.get(field) else {
            return;
        };
        found.push(Observation {
            metric,
            value,
            place: *place,
            dimensions: vec![NamedValue::new("device", &disk.device)],
            repeat: repeat.map(str::to_owned),
        });
    };
    let neutral = |key: String, label: String, unit| Metric::new(key, label, unit).neutral();
    for (operation, first) in OPERATIONS {
        if amounts.len() <= first + 3 {
            continue;
        }
        let key = |what: &str| format!("{operation}.{what}");
        let (count, time) = (amount(first), amount(first + 3) as f64 * 1e6);
        let label = format!("{operation}s");
        add(
            neutral(key("count"), label, Unit::None),
            count as f64,
            first,
        );
        let label = format!("{operation}s merged");
        let merged = neutral(key("merged"), label, Unit::None);
        add(merged, amount(first + 1) as f64, first + 1);
        let label = format!("{operation} amount");
        let bytes = amount(first + 2) as f64 * SECTOR;
        add(neutral(key("bytes"), label, Unit::Bytes), bytes, first + 2);
        let label = format!("{operation} time of all");
        add(
            neutral(key("time"), label, Unit::Nanoseconds),
            time,
            first + 3,
        );
        if count > 0 {
            let label = format!("{operation} latency mean");
            let latency = Metric::new(key("latency"), label, Unit::Nanoseconds);
            add(latency, time / count as f64, first + 3);
        }
    }
    if amounts.len() > FLUSHES + 1 {
        let flushes = neutral("flush.count".to_owned(), "flushes".to_owned(), Unit::None);
        add(flushes, amount(FLUSHES) as f64, FLUSHES);
    }
}
