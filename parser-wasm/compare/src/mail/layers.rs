//! The table of layers: how long the devices of a stack took themselves, and those below them.

use super::layout::ascii;
use crate::runs::digest::{DeviceDigest, Digest};
use seekscope_measure::layers::{LayerTime, TimeSpread};
use seekscope_trace::quantity::Unit;

/// Devices of the table.
const MAX_DEVICES: usize = 6;
const CELL: usize = 11;
const NAME: usize = 72 - 4 * CELL;

/// Mean and 99th percentile in each layer and below it, of both runs side by side; empty unless
/// both have a device with recorded ones below.
pub fn table(digests: &[&Digest; 2], [a, b]: &[String; 2]) -> Vec<String> {
    let rows: Vec<String> = digests[0]
        .devices
        .iter()
        .filter_map(|first| rows_of(first, same_device(digests[1], first)?))
        .take(MAX_DEVICES)
        .flatten()
        .collect();
    if rows.is_empty() {
        return rows;
    }
    let titled = |side: &str, what: &str| format!("{side} {what}");
    let head = row(
        "Layers",
        [
            titled(a, "mean"),
            titled(b, "mean"),
            titled(a, "p99"),
            titled(b, "p99"),
        ],
    );
    std::iter::once(head).chain(rows).collect()
}

/// The device of the same name, else of the same number.
fn same_device<'a>(digest: &'a Digest, wanted: &DeviceDigest) -> Option<&'a DeviceDigest> {
    let devices = || digest.devices.iter();
    devices()
        .find(|device| !device.name.is_empty() && device.name == wanted.name)
        .or_else(|| devices().find(|device| device.dev == wanted.dev))
}

fn rows_of(first: &DeviceDigest, second: &DeviceDigest) -> Option<[String; 2]> {
    let (first_layer, second_layer) = (first.layer.as_ref()?, second.layer.as_ref()?);
    let name = if first.name.is_empty() {
        &first.dev
    } else {
        &first.name
    };
    let title = match &first.kind {
        Some(kind) => format!("  {name} {kind}, itself"),
        None => format!("  {name}, itself"),
    };
    let cells = |mean: fn(&LayerTime) -> f64, spread: fn(&LayerTime) -> TimeSpread| {
        let p99 = |time| spread(time).p99 as f64;
        [
            mean(first_layer),
            mean(second_layer),
            p99(first_layer),
            p99(second_layer),
        ]
        .map(|ns| Unit::Time.write(ns))
    };
    Some([
        row(
            &ascii(&title),
            cells(LayerTime::layer_mean, |time| time.layer),
        ),
        row(
            "    below it",
            cells(LayerTime::below_mean, |time| time.below),
        ),
    ])
}

fn row(name: &str, cells: [String; 4]) -> String {
    let cells: String = cells.iter().map(|cell| format!("{cell:>CELL$}")).collect();
    let name: String = name.chars().take(NAME - 1).collect();
    format!("{name:<NAME$}{cells}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(layer: Option<LayerTime>) -> Digest {
        let device = DeviceDigest {
            dev: "9,0".to_owned(),
            name: "md0".to_owned(),
            kind: Some("raid1".to_owned()),
            layer,
            ..DeviceDigest::default()
        };
        Digest {
            devices: vec![device],
            ..Digest::default()
        }
    }

    #[test]
    fn a_layer_has_two_rows_if_both_runs_have_it() {
        let time = |ns| LayerTime {
            requests: 2,
            before_ns: ns,
            below_ns: 6_000_000,
            after_ns: ns,
            layer: TimeSpread {
                p50: ns,
                p99: 2 * ns,
            },
            ..LayerTime::default()
        };
        let heads = ["A".to_owned(), "B".to_owned()];
        let [a, b] = [digest(Some(time(1_000_000))), digest(Some(time(3_000_000)))];
        let lines = table(&[&a, &b], &heads);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= 72), "{lines:?}");
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>().join(" "),
            "md0 raid1, itself 1 ms 3 ms 2 ms 6 ms"
        );
        assert_eq!(table(&[&a, &digest(None)], &heads), Vec::<String>::new());
    }
}
