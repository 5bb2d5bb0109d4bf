//! The stripe geometry that a trace shows. It is only suggested, never applied.
//!
//! From remaps, if a member disk is in the trace: with unit u and n data disks, sector a of the
//! array is in row a / (u n), and on its member at d + row u + a mod u with the same d for the
//! complete array. The (u, n) for which most remaps agree on d is chosen. Parity has no array
//! sector (remapped from 0) and is ignored.
//!
//! Else from the sectors at which writes are cut (X): the largest unit for which they agree modulo
//! u, while the start sectors of the split bios do not; if these agreed too, the bios might have
//! been cut by their length. If the cuts agree on the start of a partition, nothing is suggested:
//! the data starts there, not the stripes, and setting it would hide the misalignment.

use crate::ratio;
use seekscope_trace::event::{Action, DeviceNumber, EventDetail, Flags};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Device, Store, rows};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A geometry that the trace shows, and how certain it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[doc(alias = "GeometrySuggestion")]
pub struct Suggestion {
    /// Length of the stripe unit in sectors.
    pub unit_sectors: u64,
    /// First sector of a stripe.
    pub start_sector: u64,
    /// Number of data disks, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<u64>,
    /// Share of remaps or cuts that agree.
    pub agreement: f64,
}

/// A device above, usually a partition, all of whose bios are moved by the same distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MappedDevice {
    /// The device as `259,1`.
    pub dev: String,
    /// Its first sector on this device.
    pub start_sector: u64,
}

/// Minimum number of remap ends, or of cuts.
const MIN_ENDS: usize = 8;
/// Approximate number of remaps and cuts that are examined, evenly distributed over the trace.
const MAX_SAMPLES: usize = 4096;
/// Share of the samples that must agree.
const AGREE: f64 = 0.9;
const UNITS: [u64; 13] = [
    8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768,
];
const MAX_DISKS: u64 = 32;

/// The geometry of each device, from its own events and those of its members.
pub fn suggest(store: &Store) -> Vec<Option<Suggestion>> {
    let events = &store.events;
    let mut sample = Vec::new();
    let has = |d: &Device| d.recorded.has(Action::Remap) || d.recorded.has(Action::Split);
    let shown = if store.devices.iter().any(has) {
        events.len()
    } else {
        0
    };
    rows::each(0..shown, |i| {
        if matches!(events.action(i), Action::Remap | Action::Split) {
            sample.push(i as u32);
        }
    });
    let every = (sample.len() / MAX_SAMPLES).max(1);
    let sample: Vec<usize> = sample
        .into_iter()
        .step_by(every)
        .map(|i| i as usize)
        .collect();
    (0..)
        .zip(&store.devices)
        .map(|(device, d)| {
            let evidence = UnitEvidence::gather(store, &sample, device, d.number);
            evidence.by_remaps().or_else(|| evidence.by_cuts())
        })
        .collect()
}

/// For each device, the devices that start on it, from its remaps (A): at least [`MIN_ENDS`] from
/// one device, all by the same distance. They are only reported, never suggested as the start of
/// stripes: that would hide a partition that is not aligned to them.
pub fn mapped(store: &Store) -> Vec<Vec<MappedDevice>> {
    let events = &store.events;
    let mut all: BTreeMap<(u32, DeviceNumber), (u64, usize, bool)> = BTreeMap::new();
    let shown = if store.devices.iter().any(|d| d.recorded.has(Action::Remap)) {
        events.len()
    } else {
        0
    };
    rows::each(0..shown, |i| {
        if events.action(i) == Action::Remap
            && let EventDetail::Remap {
                from,
                sector: upper,
                ..
            } = events.detail(i)
        {
            let distance = events.sector(i).wrapping_sub(upper);
            let entry = all
                .entry((events.device(i), from))
                .or_insert((distance, 0, true));
            entry.1 += 1;
            entry.2 &= entry.0 == distance;
        }
    });
    let mut mapped = vec![Vec::new(); store.devices.len()];
    for ((device, from), (start_sector, n, is_constant)) in all {
        if is_constant && n >= MIN_ENDS && start_sector > 0 {
            mapped[device as usize].push(MappedDevice {
                dev: from.to_string(),
                start_sector,
            });
        }
    }
    mapped
}

#[derive(Debug, Default)]
struct UnitEvidence {
    /// Per member: the array's sector and the member's sector, at both ends of each remap.
    remaps: BTreeMap<u32, Vec<(u64, u64)>>,
    /// First sector and cut of writes.
    cuts: Vec<(u64, u64)>,
    /// First sectors of partitions of the device.
    partitions: BTreeSet<u64>,
}

impl UnitEvidence {
    fn gather(store: &Store, sample: &[usize], device: u32, number: DeviceNumber) -> UnitEvidence {
        let events = &store.events;
        let mut evidence = UnitEvidence::default();
        for &i in sample {
            let (is_of_device, sector) = (events.device(i) == device, events.sector(i));
            match events.detail(i) {
                EventDetail::Remap {
                    from,
                    sector: upper,
                    ..
                } if from == number && !is_of_device && upper != 0 => {
                    let last = events.sectors(i).saturating_sub(1);
                    let ends = [
                        (upper, sector),
                        (upper.saturating_add(last), sector.saturating_add(last)),
                    ];
                    evidence
                        .remaps
                        .entry(events.device(i))
                        .or_default()
                        .extend(ends);
                }
                EventDetail::Remap { sector: upper, .. } if is_of_device => {
                    evidence.partitions.extend(sector.checked_sub(upper));
                }
                EventDetail::Split(rest)
                    if is_of_device
                        && events.flags(i).has(Flags::WRITE)
                        && !events.flags(i).has(Flags::DISCARD) =>
                {
                    let cut = sector.saturating_add(events.sectors(i));
                    // The kernel records only the lower 32 bits of the new sector.
                    if cut as u32 == rest as u32 {
                        evidence.cuts.push((sector, cut));
                    }
                }
                _ => {}
            }
        }
        evidence
    }

    fn by_remaps(&self) -> Option<Suggestion> {
        let remaps = self
            .remaps
            .values()
            .max_by_key(|r| r.len())
            .filter(|r| r.len() >= MIN_ENDS)?;
        let agreement = |unit, disks| {
            agreement(
                remaps
                    .iter()
                    .map(|&(a, m)| m.wrapping_sub(a / (unit * disks) * unit + a % unit)),
            )
        };
        let mut all: Vec<(f64, u64, u64)> = UNITS
            .iter()
            .flat_map(|&unit| (1..=MAX_DISKS).map(move |disks| (unit, disks)))
            .filter_map(|(u, n)| Some((agreement(u, n)?, u, n)))
            .collect();
        all.sort_short_by(|a, b| b.0.total_cmp(&a.0));
        // Several equally good ones: too little of the array was written. One disk: there are no
        // stripes.
        match all.as_slice() {
            [(best, ..), (next, ..), ..] if best <= next => None,
            [(best, unit, disks), ..] if *disks > 1 => Some(Suggestion {
                unit_sectors: *unit,
                start_sector: 0,
                disks: Some(*disks),
                agreement: *best,
            }),
            _ => None,
        }
    }

    fn by_cuts(&self) -> Option<Suggestion> {
        let fits = |unit: u64| {
            let (place, share) = agree(self.cuts.iter().map(|(_, cut)| cut % unit));
            let (_, begun) = agree(self.cuts.iter().map(|(sector, _)| sector % unit));
            (share >= AGREE && begun < 0.5).then_some((unit, place, share))
        };
        if self.cuts.len() < MIN_ENDS {
            return None;
        }
        let (unit, place, share) = UNITS.iter().rev().find_map(|&unit| fits(unit))?;
        let partition = place != 0 && self.partitions.iter().any(|start| start % unit == place);
        (!partition).then_some(Suggestion {
            unit_sectors: unit,
            start_sector: place,
            disks: None,
            agreement: share,
        })
    }
}

/// The share of the majority value, if it is at least [`AGREE`]. Most geometries do not fit, which
/// a part of the values shows: once more than twice as many were seen as may differ, the majority
/// value must lead by all but these.
fn agreement(values: impl ExactSizeIterator<Item = u64> + Clone) -> Option<f64> {
    let differing = (values.len() as f64 * (1.0 - AGREE)).ceil() as usize;
    let (mut candidate, mut lead) = (0, 0usize);
    for (seen, value) in values.clone().enumerate() {
        if lead == 0 {
            candidate = value;
        }
        lead = if value == candidate {
            lead + 1
        } else {
            lead - 1
        };
        if lead + 2 * differing < seen + 1 {
            return None;
        }
    }
    let share = ratio(
        values.clone().filter(|&v| v == candidate).count() as u128,
        values.len() as u128,
    );
    (share >= AGREE).then_some(share)
}

/// The majority value (Boyer-Moore), if any value has a majority, and its share.
pub(crate) fn agree(values: impl Iterator<Item = u64> + Clone) -> (u64, f64) {
    let (mut candidate, mut lead) = (0, 0u64);
    for value in values.clone() {
        if lead == 0 {
            candidate = value;
        }
        lead = if value == candidate {
            lead + 1
        } else {
            lead - 1
        };
    }
    let all = values.clone().count();
    (
        candidate,
        ratio(
            values.filter(|&v| v == candidate).count() as u128,
            all as u128,
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;
    use std::fmt::Write;

    fn suggestion_of(text: &str, device: usize) -> Option<Suggestion> {
        suggest(&store(text)).get(device).copied().flatten()
    }

    /// Remaps of a RAID 5 (8,0) to its first member (8,1): four data disks, 64 KiB, data from
    /// sector 2048, parity in each fifth row.
    fn member(rows: u64) -> String {
        let mut text = String::from("0 Q 0+8\n");
        for (row, disk) in (0..rows).map(|row| (row, row % 5)) {
            for place in (0..128).step_by(8) {
                let array = if disk == 4 {
                    0
                } else {
                    (row * 4 + disk) * 128 + place
                };
                writeln!(
                    text,
                    "1 A {}+8 W dev=1 from=0:{array}",
                    2048 + row * 128 + place
                )
                .unwrap();
            }
        }
        text
    }

    #[test]
    fn remaps_show_unit_and_disks() {
        let suggestion = Suggestion {
            unit_sectors: 128,
            start_sector: 0,
            disks: Some(4),
            agreement: 1.0,
        };
        assert_eq!(suggestion_of(&member(12), 0), Some(suggestion));
        assert_eq!(suggestion_of(&member(12), 1), None);
        assert_eq!(suggestion_of(&member(1), 0), None);
        assert_eq!(suggestion_of("", 0), None);
    }

    #[test]
    fn whole_units_of_one_member_are_enough() {
        let mut text = String::from("0 Q 0+8\n");
        (1..20u64).for_each(|row| {
            writeln!(
                text,
                "1 A {}+128 W dev=1 from=0:{}",
                2048 + row * 128,
                row * 512
            )
            .unwrap()
        });
        let suggestion = Suggestion {
            unit_sectors: 128,
            start_sector: 0,
            disks: Some(4),
            agreement: 1.0,
        };
        assert_eq!(suggestion_of(&text, 0), Some(suggestion));
    }

    #[test]
    fn a_mirror_has_no_stripes() {
        let mut text = String::from("0 Q 0+8\n");
        (1..100u64).for_each(|i| {
            writeln!(text, "1 A {}+8 W dev=1 from=0:{}", 2048 + i * 999, i * 999).unwrap()
        });
        assert_eq!(suggestion_of(&text, 0), None);
    }

    fn cuts(start: u64, partition: Option<u64>) -> Option<Suggestion> {
        let mut text = String::new();
        if let Some(p) = partition {
            writeln!(text, "0 A {}+8 W from=1:8", p + 8).unwrap();
        }
        for i in 0..20u64 {
            let (first, cut) = (start + i * 2048 + i * 8 + 8, start + (i + 1) * 2048);
            writeln!(text, "1 X {first}+{} W split={cut}", cut - first).unwrap();
        }
        suggestion_of(&text, 0)
    }

    #[test]
    fn cuts_show_the_unit_unless_they_follow_a_partition() {
        let suggestion_at = |start_sector| {
            Some(Suggestion {
                unit_sectors: 2048,
                start_sector,
                disks: None,
                agreement: 1.0,
            })
        };
        assert_eq!(
            (cuts(0, None), cuts(56, None), cuts(56, Some(63))),
            (suggestion_at(0), suggestion_at(56), suggestion_at(56))
        );
        assert_eq!(cuts(63, Some(63)), None);
    }

    #[test]
    fn what_is_moved_by_one_distance_begins_there() {
        let mut text = member(3);
        (0..8).for_each(|i| {
            writeln!(
                text,
                "2 A {}+8 W from=7:{}\n2 A {}+8 W from=6:{}",
                63 + i * 9,
                i * 9,
                64 + i,
                i * 9
            )
            .unwrap()
        });
        (0..7).for_each(|i| writeln!(text, "3 A {}+8 W from=5:{}", 99 + i, i).unwrap());
        assert_eq!(
            mapped(&store(&text)),
            [
                vec![MappedDevice {
                    dev: "8,7".into(),
                    start_sector: 63
                }],
                vec![]
            ]
        );
    }

    #[test]
    fn cuts_by_length_show_nothing() {
        let mut text = String::new();
        (0..50u64).for_each(|i| {
            writeln!(
                text,
                "1 X {}+2048 W split={}",
                63 + i * 4096,
                63 + i * 4096 + 2048
            )
            .unwrap()
        });
        assert_eq!(suggestion_of(&text, 0), None);
    }
}
