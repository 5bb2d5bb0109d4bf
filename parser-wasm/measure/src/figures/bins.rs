//! The bins of a run: how its time is cut, and which devices have them.

use super::requested::RequestedWork;
use super::{CutEvents, DeviceCut};
use crate::{Span, Window};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Device, Role, Store};
use std::cmp::Reverse;

/// Devices per role that have bins: those with the most requested bytes. Figures of the others have
/// no interval.
const BINNED: usize = 16;
/// Minimum number of bins of a run, more if they would be longer than `LONGEST_BIN`.
const MIN_BINS: u64 = 30;
/// Maximum number of bins of a run.
const MAX_BINS: u64 = 600;
/// Maximum length of a bin, ns.
const LONGEST_BIN: u64 = 1_000_000_000;

/// The bins of a device, and what the events tell of each.
#[derive(Clone, Debug)]
pub struct DeviceBins {
    pub cut: DeviceCut,
    pub events: CutEvents,
}

/// Length of the bins of a time of `ns`, ns.
pub fn bin_width(ns: u64) -> u64 {
    ns.div_ceil(MIN_BINS)
        .clamp(1, LONGEST_BIN)
        .max(ns.div_ceil(MAX_BINS))
}

/// The length of the bins of an active time, and their windows.
fn cut((from, to): (u64, u64)) -> (u64, Vec<Window>) {
    let ns = to - from;
    if ns == 0 {
        return (0, Vec::new());
    }
    let width = bin_width(ns);
    // The remainder belongs to the last bin: a completion in a very short bin would be a peak.
    let n = (ns / width + u64::from(ns % width >= width.div_ceil(2))).max(1);
    let window = |bin: u64| {
        let begin = from + bin * width;
        Window {
            from: begin,
            to: if bin + 1 == n {
                to.saturating_add(1)
            } else {
                begin + width
            },
        }
    };
    (width, (0..n).map(window).collect())
}

/// The cuts of the devices that have bins, by role and then by requested bytes.
pub fn cuts(
    store: &Store,
    (window, spans): (Window, &[Span]),
    works: &[[Option<RequestedWork>; 3]],
) -> Vec<DeviceCut> {
    let cut_of = |device: usize| {
        let (width, windows) = cut(window.clip(spans[device].active()));
        DeviceCut {
            device,
            width,
            windows,
        }
    };
    binned(&store.devices, works)
        .into_iter()
        .map(cut_of)
        .collect()
}

/// Indices of the devices that have bins: [`BINNED`] per role.
fn binned(devices: &[Device], works: &[[Option<RequestedWork>; 3]]) -> Vec<usize> {
    let requested = |device: usize| {
        works[device]
            .iter()
            .flatten()
            .next()
            .map_or(0, RequestedWork::bytes)
    };
    let mut order: Vec<usize> = (0..devices.len()).collect();
    order.sort_short_by_key(|&device| Reverse(requested(device)));
    let of_role = |role: Role| {
        order
            .iter()
            .copied()
            .filter(move |&device| devices[device].role == role)
            .take(BINNED)
    };
    [Role::Disk, Role::Remapped, Role::Stacked]
        .into_iter()
        .flat_map(of_role)
        .collect()
}
