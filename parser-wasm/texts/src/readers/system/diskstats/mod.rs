//! Counters of disks since boot: `/proc/diskstats` and `vmstat -d`. Two snapshots within one
//! section are before and after: their difference is what was measured.
//!
//! ```text
//!    8      16 sdb 10012 21 160192 4011 5011 212 80176 2011 0 12111 6022 0 0 0 0 0 0
//!
//! disk- ------------reads------------ ------------writes----------- -----IO------
//!        total merged sectors      ms  total merged sectors      ms    cur    sec
//! sda    10012     21  160192    4011   5011    212   80176    2011      0     12
//! ```
//!
//! A snapshot alone has the amounts since boot, which are all there is.

mod difference;
mod snapshot;

use crate::recognise::{Cursor, Output};
use difference::{changes, totals};
use snapshot::{Snapshot, is_row, neighbours};

/// Snapshots before one that are looked at to tell whether it is a before or an after.
const MAX_BEFORE: usize = 8;

pub fn read(cursor: Cursor) -> Option<Output> {
    if !is_row(cursor.text(0)) && !snapshot::is_heading(cursor.text(0)) {
        return None;
    }
    let (snapshots, end) = snapshot::contiguous(cursor)?;
    let mut output = Output {
        tool: "diskstats",
        end: cursor.start + end,
        ..Output::default()
    };
    if snapshots.len() > 1 {
        // One after the other without anything else: reports of a loop.
        let alone = snapshots.len() == 2;
        for (index, pair) in snapshots.windows(2).enumerate() {
            let repeat = (!alone).then(|| (index + 1).to_string());
            output
                .observations
                .extend(changes(&pair[0], &pair[1], repeat));
        }
        return Some(output);
    }
    let only: &Snapshot = snapshots.first()?;
    let around = neighbours(cursor, end, MAX_BEFORE);
    match around.before.first() {
        Some(before) if around.before.len() % 2 == 1 => {
            output.observations = changes(before, only, None);
        }
        None if !around.is_followed => output.observations = totals(only),
        _ => {}
    }
    Some(output)
}

#[cfg(test)]
mod tests;
