//! A figure over time as bars of characters, all runs on one scale.

use super::layout::cut;
use crate::runs::digest::DeviceDigest;
use crate::statistics::estimate::total;
use seekscope_trace::quantity::Unit;

const COLUMNS: usize = 60;
const ROWS: usize = 5;
const AXIS: usize = 10;

/// Draws a figure of some devices, one picture below the other; empty where no run has it over
/// time.
pub fn plot(
    title: &str,
    key: &str,
    unit: Unit,
    devices: &[&DeviceDigest],
    heads: &[String],
) -> Vec<String> {
    let longest = devices
        .iter()
        .map(|d| d.active.1.saturating_sub(d.active.0))
        .max()
        .unwrap_or_default();
    let series: Vec<_> = devices.iter().map(|d| series(d, key, longest)).collect();
    let highest = series
        .iter()
        .flatten()
        .flatten()
        .copied()
        .fold(0.0, f64::max);
    if highest == 0.0 {
        return Vec::new();
    }
    let mut out = vec![format!("{title}; up to {}", unit.write(highest))];
    for (values, head) in series.iter().zip(heads) {
        if values.iter().all(Option::is_none) {
            out.push(format!("{head}: not in its trace"));
            continue;
        }
        for row in (0..ROWS).rev() {
            let bar =
                |value: &Option<f64>| match value.map(|v| v / highest * ROWS as f64 - row as f64) {
                    Some(level) if level >= 0.75 => '#',
                    Some(level) if level >= 0.25 => ':',
                    Some(level) if level > 0.0 && row == 0 => '.',
                    _ => ' ',
                };
            let bars: String = values.iter().map(bar).collect();
            let axis = if row == ROWS - 1 {
                axis(head, &unit.write(highest))
            } else {
                " ".repeat(AXIS)
            };
            out.push(format!("{axis}|{bars}"));
        }
        out.push(format!("{}+{}", " ".repeat(AXIS), "-".repeat(COLUMNS)));
    }
    let end = Unit::Time.write(longest as f64);
    out.push(format!("{}0{end:>1$}", " ".repeat(AXIS + 1), COLUMNS - 1));
    out
}

/// The letter of the run, and the value of the highest bar if there is room.
fn axis(head: &str, highest: &str) -> String {
    let head = cut(head, AXIS);
    let room = AXIS - head.len();
    if highest.len() < room {
        format!("{head}{highest:>room$}")
    } else {
        format!("{head:<AXIS$}")
    }
}

/// The mean of each column, whose time is that of the longest run; `None` after the end of the run,
/// and where the figure does not apply.
fn series(device: &DeviceDigest, key: &str, longest: u64) -> Vec<Option<f64>> {
    let sums = device.bins.sums.get(key).map_or(&[][..], Vec::as_slice);
    let width = device.bins.width.max(1) as f64;
    let column = longest as f64 / COLUMNS as f64;
    let value = |i: usize| {
        let from = (i as f64 * column / width) as usize;
        let to = ((((i + 1) as f64 * column / width).ceil()) as usize).max(from + 1);
        let bins = sums.get(from..to.min(sums.len()))?;
        let (over, under) = total(bins);
        (under > 0.0).then(|| over / under)
    };
    (0..COLUMNS).map(value).collect()
}
