//! Compares what member disks did for their array with the estimate from the array's trace alone.
//!
//! The figures of the array and of its members may come from different traces of one recording.
//! Remaps (A) on a member show what came from the array; what md writes itself (superblock, bitmap,
//! log) has none. Extra I/O is what a member read beyond what was read from the array, and what it
//! wrote beyond the data and the parity that full stripes with as much data have. If the remaps
//! show which disk of the array it is, the I/O of this disk is compared, else its share of the
//! total: parity is distributed evenly, but a few partial stripes may hit the same disk repeatedly.

use super::cost::{DiskIo, Rmw};
use super::geometry::{Geometry, Level};
use super::layout::Layout;
use super::suggestion::agree;
use crate::coverage::{Covered, StripeCounts};
use crate::figures::Figures;
use crate::{Window, ratio};
use seekscope_trace::event::{Action, DeviceNumber, EventDetail, Op};
use seekscope_trace::store::{Store, rows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An array, from its own trace. Bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArrayIo {
    /// The device as `9,0`.
    pub dev: String,
    /// The geometry in text form, as `--stripe` takes it.
    pub geometry: String,
    /// Bytes that users of the array read.
    pub read_bytes: u64,
    /// Bytes that users of the array wrote.
    pub write_bytes: u64,
    pub stripes: StripeCounts,
    /// Extra I/O of all members, estimated.
    pub rmw: Rmw,
    /// Per disk of the array; empty if its layout is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<DiskIo>,
}

/// A member disk, from its own trace. Bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemberIo {
    /// The device as `254,0`.
    pub dev: String,
    /// The device that its I/O was remapped from.
    pub array: String,
    /// Number of the disk in the array, from 0, if the remaps show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<usize>,
    pub read_bytes: u64,
    pub write_bytes: u64,
    /// Part of `write_bytes` that is parity: remapped from sector 0 of the array.
    pub parity_bytes: u64,
    /// Written without a remap: superblock, bitmap, log.
    pub own_write_bytes: u64,
    /// Read requests with data that were issued to the disk, from any source.
    pub reads: u64,
    /// Write requests with data that were issued to the disk.
    pub writes: u64,
}

/// The extra I/O of some members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraIo {
    /// Reads; absent if not only partial stripes cause reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<u64>,
    /// Bytes read beyond what was read from the array.
    pub read_bytes: u64,
    /// Bytes written beyond data and the parity of full stripes.
    pub write_bytes: u64,
}

impl ExtraIo {
    /// Bytes read and written.
    pub fn bytes(&self) -> u64 {
        self.read_bytes.saturating_add(self.write_bytes)
    }
}

/// Counted extra I/O of the members next to the estimate from the array alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemberCheck {
    /// The members whose traces are available.
    pub members: Vec<String>,
    /// Number of disks of the array.
    pub of: u64,
    /// Whether the estimate is that of these disks, or their share of the total.
    pub by_disk: bool,
    /// Bytes that they would have written with full stripes only.
    pub ideal_bytes: u64,
    pub counted: ExtraIo,
    pub estimated: ExtraIo,
    /// Written without a request to the array: superblock, bitmap, log. Part of neither.
    pub own_write_bytes: u64,
    /// The smaller total of bytes divided by the larger; 1 if both are below [`NOTHING`] of
    /// `ideal_bytes`.
    pub agreement: f64,
}

/// Share of the written bytes below which extra I/O is too small to compare.
pub const NOTHING: f64 = 0.01;

/// Minimum number of remaps that show which disk a member is.
const MIN_REMAPS: usize = 8;
/// Share of remaps that must agree.
const AGREE: f64 = 0.99;

/// The figures of the array; absent without a geometry.
pub fn array(number: DeviceNumber, geometry: &Geometry, figures: &Figures) -> Option<ArrayIo> {
    let Covered {
        stripes,
        rmw,
        slots,
        ..
    } = figures.alignment.as_ref()?.covered.clone()?;
    Some(ArrayIo {
        dev: number.to_string(),
        geometry: geometry.to_string(),
        read_bytes: figures.counts.read_bytes,
        write_bytes: figures.counts.write_bytes,
        stripes,
        rmw,
        slots,
    })
}

/// The figures of the members: what each device of the trace did for each device above it. The
/// number of the disk requires the array's geometry.
pub fn members(store: &Store, window: Window, geometry: Option<&Geometry>) -> Vec<MemberIo> {
    if !store
        .devices
        .iter()
        .any(|device| device.recorded.has(Action::Remap))
    {
        return Vec::new();
    }
    let events = &store.events;
    let mut all: BTreeMap<(u32, DeviceNumber), MemberCounter> = BTreeMap::new();
    let mut issued = vec![[0; 2]; store.devices.len()];
    let mut queued = vec![0u64; store.devices.len()];
    let layout = geometry.and_then(Layout::for_geometry);
    rows::each(window.events(events), |i| {
        let (device, bytes) = (events.device(i), u64::from(events.bytes(i)));
        let write = match events.flags(i).op(events.bytes(i)) {
            Op::Write => true,
            Op::Read => false,
            Op::Discard | Op::Flush => return,
        };
        match (events.action(i), events.detail(i)) {
            (Action::Remap, EventDetail::Remap { from, sector, .. }) => {
                all.entry((device, from))
                    .or_default()
                    .add(write, bytes, sector, layout.as_ref());
            }
            (Action::Issue, _) if bytes > 0 => issued[device as usize][usize::from(write)] += 1,
            (Action::Queue, _) if write => queued[device as usize] += bytes,
            _ => {}
        }
    });
    let remapped = |device: u32| {
        all.iter()
            .filter(|(key, _)| key.0 == device)
            .map(|(_, m)| m.write)
            .sum::<u64>()
    };
    let member = |(&(device, from), m): (&(u32, DeviceNumber), &MemberCounter)| {
        let [reads, writes] = issued[device as usize];
        let number = store.devices.get(device as usize)?.number;
        Some(MemberIo {
            dev: number.to_string(),
            array: from.to_string(),
            slot: m.slot(),
            read_bytes: m.read,
            write_bytes: m.write,
            parity_bytes: m.parity,
            own_write_bytes: queued[device as usize].saturating_sub(remapped(device)),
            reads,
            writes,
        })
    };
    all.iter().filter_map(member).collect()
}

#[derive(Debug, Default)]
struct MemberCounter {
    read: u64,
    write: u64,
    parity: u64,
    disks: Vec<u64>,
}

impl MemberCounter {
    fn add(&mut self, write: bool, bytes: u64, sector: u64, layout: Option<&Layout>) {
        *(if write {
            &mut self.write
        } else {
            &mut self.read
        }) += bytes;
        if sector == 0 {
            self.parity += if write { bytes } else { 0 };
        } else if let Some(layout) = layout
            && self.disks.len() < 4096
        {
            self.disks.push(layout.disk(sector) as u64);
        }
    }

    fn slot(&self) -> Option<usize> {
        let (disk, share) = agree(self.disks.iter().copied());
        (self.disks.len() >= MIN_REMAPS && share >= AGREE).then_some(disk as usize)
    }
}

/// Compares the estimate from the array's own trace with what the given members counted; other
/// devices are ignored. Absent if no member is given, or for an array without a level.
pub fn truth(array: &ArrayIo, members: &[MemberIo]) -> Option<MemberCheck> {
    let geometry: Geometry = array.geometry.parse().ok()?;
    let (disks, parity) = (geometry.disks(), geometry.level().parity());
    let disks_of_array = match geometry.level() {
        Level::None => return None,
        Level::Raid10 => disks * 2,
        _ => disks + parity,
    };
    let mine: Vec<&MemberIo> = members.iter().filter(|m| m.array == array.dev).collect();
    if mine.is_empty() {
        return None;
    }
    let slots: Option<Vec<&DiskIo>> = mine.iter().map(|m| array.slots.get(m.slot?)).collect();
    let by_disk = slots.is_some();
    let expected = slots
        .unwrap_or_default()
        .into_iter()
        .fold(DiskIo::default(), DiskIo::plus);
    let expected = if by_disk {
        expected
    } else {
        share(array, disks, disks_of_array, mine.len() as u64)
    };
    let sum =
        |value: fn(&MemberIo) -> u64| mine.iter().map(|m| value(m)).fold(0, u64::saturating_add);
    let counted = ExtraIo {
        reads: (expected.asked == 0).then(|| sum(|m| m.reads)),
        read_bytes: sum(|m| m.read_bytes).saturating_sub(expected.asked),
        write_bytes: sum(|m| m.write_bytes).saturating_sub(expected.ideal),
    };
    let estimated = ExtraIo {
        reads: Some(expected.reads),
        read_bytes: expected.read,
        write_bytes: expected.written.saturating_sub(expected.ideal),
    };
    let (less, more) = (
        counted.bytes().min(estimated.bytes()),
        counted.bytes().max(estimated.bytes()),
    );
    let nothing = more as f64 <= NOTHING * expected.ideal as f64;
    Some(MemberCheck {
        members: mine.iter().map(|m| m.dev.clone()).collect(),
        of: disks_of_array,
        by_disk,
        ideal_bytes: expected.ideal,
        counted,
        estimated,
        own_write_bytes: sum(|m| m.own_write_bytes),
        agreement: if nothing {
            1.0
        } else {
            ratio(less.into(), more.into())
        },
    })
}

/// The share of `members` disks in the I/O of all disks.
fn share(array: &ArrayIo, disks: u64, disks_of_array: u64, members: u64) -> DiskIo {
    let part = |bytes: u64, disks_of_array: u64| {
        (u128::from(bytes) * u128::from(members) / u128::from(disks_of_array.max(1))) as u64
    };
    let ideal = part(array.write_bytes, disks);
    DiskIo {
        asked: part(array.read_bytes, disks_of_array),
        read: part(array.rmw.read_bytes, disks_of_array),
        reads: part(array.rmw.reads, disks_of_array),
        written: ideal.saturating_add(part(array.rmw.write_bytes, disks_of_array)),
        ideal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::figures;
    use seekscope_trace::fixture::store;
    use std::fmt::Write;

    const RAID5: &str = "unit=4KiB,disks=2,level=raid5";

    /// An array (8,0) of three disks of which the first one (8,1) is in the trace: stripes of 16
    /// sectors, of which `data` are written.
    fn trace(data: u64, member: &str) -> Store {
        let mut text = String::from("0 Q 0+8 R\n1 C 0+8 R\n");
        (0..15).for_each(|i| {
            writeln!(
                text,
                "{} Q {}+{data} W\n{} C {}+{data} W",
                10 + i,
                i * 16,
                10 + i,
                i * 16
            )
            .unwrap()
        });
        store(&(text + member))
    }

    fn check_of(store: &Store) -> Option<MemberCheck> {
        let geometry: Geometry = RAID5.parse().unwrap();
        let figures = figures(store, Window::WHOLE, Some(geometry));
        let array = array(store.devices[0].number, &geometry, &figures[0])?;
        truth(&array, &members(store, Window::WHOLE, Some(&geometry)))
    }

    /// I/O of the first disk for full stripes: data of stripes 0 and 1 mod 3 and the parity of
    /// stripe 2 mod 3.
    fn whole() -> String {
        let mut text =
            String::from("90 A 100+8 R dev=1 from=0:0\n90 Q 100+8 R dev=1\n91 Q 8+1 W dev=1\n");
        for stripe in 0..15 {
            let sector = [stripe * 16, stripe * 16 + 8, 0][stripe % 3];
            writeln!(
                text,
                "92 A {}+8 W dev=1 from=0:{sector}\n92 Q {}+8 W dev=1",
                100 + stripe * 8,
                100 + stripe * 8
            )
            .unwrap();
        }
        text + "93 D 100+8 W dev=1\n"
    }

    #[test]
    fn whole_stripes_cost_nothing() {
        let truth = check_of(&trace(16, &whole())).unwrap();
        assert_eq!(
            (truth.by_disk, truth.of, truth.ideal_bytes),
            (true, 3, 15 * 4096)
        );
        assert_eq!(
            (
                truth.counted.bytes(),
                truth.estimated.bytes(),
                truth.agreement
            ),
            (0, 0, 1.0)
        );
        assert_eq!(
            (truth.members, truth.own_write_bytes),
            (vec!["8,1".to_owned()], 512)
        );
    }

    #[test]
    fn what_is_beyond_is_counted() {
        // The array wrote only half of each stripe; the disk reads and writes as much as before,
        // and reads for each stripe.
        let mut member = whole();
        (0..15).for_each(|i| writeln!(member, "94 A {}+8 R dev=1 from=0:0", 100 + i * 8).unwrap());
        let truth = check_of(&trace(8, &member)).unwrap();
        // It has data of 5 stripes and the parity of 5 others, of which half is more than full
        // stripes have.
        assert_eq!(
            (truth.counted.read_bytes, truth.counted.write_bytes),
            (15 * 4096, 15 * 4096 - 15 * 2048)
        );
        assert_eq!(truth.counted.reads, None);
        assert!(truth.estimated.read_bytes > 0 && truth.agreement < 1.0);
    }

    #[test]
    fn others_are_passed_over() {
        let array = ArrayIo {
            dev: "9,0".into(),
            geometry: RAID5.into(),
            write_bytes: 8192,
            ..ArrayIo::default()
        };
        let member = |array_name: &str| MemberIo {
            array: array_name.into(),
            write_bytes: 8192,
            ..MemberIo::default()
        };
        assert_eq!(truth(&array, &[member("9,1")]), None);
        assert_eq!(
            truth(
                &ArrayIo {
                    geometry: "unit=4KiB".into(),
                    ..array.clone()
                },
                &[member("9,0")]
            ),
            None
        );
        let found = truth(&array, &[member("9,1"), member("9,0")]).unwrap();
        assert_eq!(
            (
                found.by_disk,
                found.ideal_bytes,
                found.counted.write_bytes,
                found.agreement
            ),
            (false, 4096, 4096, 0.0)
        );
        let json = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<MemberCheck>(&json).unwrap(), found);
    }
}
