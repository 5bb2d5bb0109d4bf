//! What a trace tells of arrays beside their bios: the parts that long bios were cut into, and md's own words.
//!
//! md takes a long bio in parts: X tells where it was cut and when the part in front went in, C when each part was done. For a row of
//! pages that it writes in part it says `raid5 rmw SECTOR PAGES` or `raid5 rcw SECTOR MISSING PAGES DELAYED`, with the member's sector
//! and the pages that it reads for it.

use super::geometry::Geometry;
use super::visit::RaidReads;
use crate::event::Action;
use crate::store::{Role, Store, rows};
use rustc_hash::FxHashMap;

/// A part of a bio, or a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BioPart {
    /// When it went in, ns.
    pub time: u64,
    /// First sector.
    pub sector: u64,
    /// Length.
    pub sectors: u64,
    /// When it was done, if that means that its parity is on the disks: on md, but not on a disk, whose cache may answer first, nor
    /// on what only passes on a disk's answer.
    pub settled: Option<u64>,
}

/// md's word for a row of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaidMessage {
    /// When, ns.
    pub time: u64,
    /// Sector of the row on each member, from the start of its data.
    pub sector: u64,
    /// What is read.
    pub said: RaidReads,
}

type TimesByStart<T> = FxHashMap<(u32, u64), Vec<(u64, T)>>;

/// What is known of all arrays of a trace.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// By device and first sector: (time, where the rest begins).
    cuts: TimesByStart<u64>,
    /// By device and first sector: (time, end).
    done: TimesByStart<u64>,
    /// By device, in order of time.
    spoken: Vec<Vec<RaidMessage>>,
}

impl Arrays {
    /// Gathers it from the events and messages of devices that are stacked.
    pub fn of(store: &Store) -> Arrays {
        let (events, devices) = (&store.events, &store.devices);
        let stacked: Vec<bool> = devices.iter().map(|d| d.role == Role::Stacked).collect();
        let is = |device: u32| stacked.get(device as usize).copied().unwrap_or_default();
        let mut arrays = Arrays { spoken: vec![Vec::new(); devices.len()], ..Arrays::default() };
        if !stacked.contains(&true) {
            return arrays;
        }
        let mut cut = vec![false; devices.len()];
        rows::each(0..events.len(), |i| {
            let (action, device) = (events.action(i), events.device(i));
            if !matches!(action, Action::Split | Action::Complete) || !is(device) {
                return;
            }
            let (sector, end) = (events.sector(i), events.sector(i).saturating_add(events.sectors(i)));
            if action == Action::Split {
                cut[device as usize] = true;
                arrays.cuts.entry((device, sector)).or_default().push((events.time(i), end));
            } else if cut[device as usize] {
                arrays.done.entry((device, sector)).or_default().push((events.time(i), end));
            }
        });
        for (i, message) in store.messages.rows.iter().enumerate() {
            if is(message.device)
                && let Some((sector, said)) = spoken(&store.messages.text(i))
            {
                arrays.spoken[message.device as usize].push(RaidMessage { time: message.time, sector, said });
            }
        }
        arrays
    }

    /// What md said of the rows of a device.
    pub fn spoken(&self, device: u32) -> &[RaidMessage] {
        self.spoken.get(device as usize).map_or(&[], Vec::as_slice)
    }

    /// The parts of a request, in their order; one, unless it is a bio that was cut.
    pub fn parts(&self, store: &Store, row: usize, mut each: impl FnMut(BioPart)) {
        let r = &store.requests;
        let (device, end) = (r.device(row), r.sector(row).saturating_add(r.sectors(row)));
        let stacked = store.devices.get(device as usize).is_some_and(|d| d.role == Role::Stacked);
        let settled = r.completed(row).filter(|_| stacked);
        let (mut time, mut sector) = (r.start(row), r.sector(row));
        while let Some((at, rest)) = next(&self.cuts, (device, sector), time).filter(|cut| cut.1 > sector && cut.1 < end) {
            let done = next(&self.done, (device, sector), at).filter(|done| done.1 == rest).map(|done| done.0);
            each(BioPart { time: at, sector, sectors: rest - sector, settled: done.or(settled) });
            (time, sector) = (at, rest);
        }
        each(BioPart { time, sector, sectors: end - sector, settled });
    }
}

/// The first from `time` on.
fn next(of: &TimesByStart<u64>, at: (u32, u64), time: u64) -> Option<(u64, u64)> {
    let all = of.get(&at)?;
    all.get(all.partition_point(|entry| entry.0 < time)).copied()
}

fn spoken(text: &str) -> Option<(u64, RaidReads)> {
    let mut words = text.strip_prefix("raid5 ")?.split_ascii_whitespace();
    let (way, sector) = (words.next()?, words.next()?.parse().ok()?);
    let mut number = || words.next()?.parse::<u64>().ok();
    match way {
        "rmw" => Some((sector, RaidReads::Modify(number()?))),
        "rcw" => {
            number()?;
            // Put off: nothing is read yet.
            number().filter(|n| *n > 0).map(|n| (sector, RaidReads::Reconstruct(n)))
        }
        _ => None,
    }
}

/// The stripe and the place in its units of a row, numbered as [`Geometry::place`] does where stripes begin with the array.
pub fn place(geometry: &Geometry, spoken: &RaidMessage) -> (u64, u64) {
    ((spoken.sector / geometry.unit()).saturating_add(1), spoken.sector % geometry.unit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fixture::store;

    #[test]
    fn a_bio_that_was_cut_goes_in_by_parts() {
        let s = store("10 Q 100+24 W\n11 X 100+8 W split=108\n15 X 108+8 W split=116\n20 C 108+8 W\n30 C 116+8 W\n40 C 100+8 W");
        let mut parts = Vec::new();
        Arrays::of(&s).parts(&s, 0, |p| parts.push((p.time, p.sector, p.sectors, p.settled)));
        assert_eq!(parts, [(11, 100, 8, Some(40)), (15, 108, 8, Some(20)), (15, 116, 8, Some(40))]);
        let disk = store("10 Q 0+8 W\n11 D 0+8 W\n12 C 0+8 W");
        Arrays::of(&disk).parts(&disk, 0, |p| assert_eq!((p.time, p.settled), (11, None)));
    }

    #[test]
    fn its_words_are_read() {
        assert_eq!(spoken("raid5 rmw 1024 2"), Some((1024, RaidReads::Modify(2))));
        assert_eq!(spoken("raid5 rcw 92672 2 1 0"), Some((92672, RaidReads::Reconstruct(1))));
        for other in ["raid5 rcw 92672 2 0 1", "raid5 rcw 92672", "md md_update_sb", "raid5 rmw x 2", "raid5", "fio rmw 8 2"] {
            assert_eq!(spoken(other), None, "{other}");
        }
    }
}
