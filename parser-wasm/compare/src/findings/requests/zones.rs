//! Zones that are reset, and writes off the write pointer.

use crate::findings::{CHANGE, Case, Draft, EvidenceChart, TIME};
use crate::runs::digest::ZoneCounts;
use crate::runs::run::ComparisonSide;
use crate::threshold::{percent, times};
use seekscope_trace::quantity::Unit;

/// Minimum number of zone actions per write.
const ACTIONS: f64 = 0.01;
/// Minimum share of the writes that are off the write pointer.
const OFF: f64 = 0.01;
/// Minimum growth of either.
const GROWTH: f64 = 1.5;

/// Means of zone actions and writes over the runs of a side.
struct ZoneMeans {
    /// Writes and appends.
    writes: f64,
    actions: f64,
    off_pointer: f64,
}

impl ZoneMeans {
    /// Absent unless the disks of all runs are zoned.
    fn new(side: &ComparisonSide) -> Option<ZoneMeans> {
        if side.devices().iter().any(|device| device.zones.is_none()) {
            return None;
        }
        let mean = |read: fn(&ZoneCounts) -> u64| {
            side.mean(|d| d.zones.as_ref().map_or(0.0, |z| read(z) as f64))
        };
        Some(ZoneMeans {
            writes: mean(|z| z.writes + z.appends),
            actions: mean(|z| z.actions),
            off_pointer: mean(|z| z.off_pointer),
        })
    }

    fn per_write(&self, n: f64) -> f64 {
        if self.writes > 0.0 {
            n / self.writes
        } else {
            0.0
        }
    }
}

fn both(case: &Case) -> Option<(ZoneMeans, ZoneMeans)> {
    Some((ZoneMeans::new(case.pair.a)?, ZoneMeans::new(case.pair.b)?))
}

fn grew(good: f64, bad: f64, min: f64) -> bool {
    bad >= min && bad >= GROWTH * good
}

pub fn resets_rule() -> String {
    format!(
        "both runs are of zoned disks; zones are reset, opened, closed or finished at least {} \
         per 100 writes and appends, and {} as often as in the other run",
        times(ACTIONS * 100.0),
        times(GROWTH),
    )
}

/// `zone-resets`
pub fn resets(case: &Case) -> Option<Draft> {
    let (good, bad) = both(case)?;
    let rate = (good.per_write(good.actions), bad.per_write(bad.actions));
    grew(rate.0, rate.1, ACTIONS).then(|| Draft {
        code: "zone-resets",
        params: case
            .params()
            .value("actions", rate.1 * 100.0, Unit::Number)
            .value("actions_good", rate.0 * 100.0, Unit::Number),
        keys: &["d2c.mean", "q2c.mean", "iops"],
        more: vec![
            ("zones.actions", case.of_both((good.actions, bad.actions))),
            ("zones.writes", case.of_both((good.writes, bad.writes))),
        ],
        chart: EvidenceChart::SeekMap,
        range: None,
        part: None,
        class: if case.slower { TIME } else { CHANGE },
    })
}

pub fn off_pointer_rule() -> String {
    format!(
        "both runs are of zoned disks; at least {} of the writes to sequential zones begin \
         elsewhere than where the one before in the zone ended, and {} the share of the other run",
        percent(OFF),
        times(GROWTH),
    )
}

/// `off-write-pointer`
pub fn off_pointer(case: &Case) -> Option<Draft> {
    let (good, bad) = both(case)?;
    let share = (
        good.per_write(good.off_pointer),
        bad.per_write(bad.off_pointer),
    );
    grew(share.0, share.1, OFF).then(|| Draft {
        code: "off-write-pointer",
        params: case.params().value("share", share.1, Unit::Share).value(
            "share_good",
            share.0,
            Unit::Share,
        ),
        keys: &["iops"],
        more: vec![
            (
                "zones.off_pointer",
                case.of_both((good.off_pointer, bad.off_pointer)),
            ),
            ("zones.writes", case.of_both((good.writes, bad.writes))),
        ],
        chart: EvidenceChart::SeekMap,
        range: None,
        part: None,
        class: CHANGE,
    })
}
