//! What a trace contains about arrays besides their bios: the parts that long bios were cut into,
//! and md's messages.
//!
//! md takes a long bio in parts: X shows where it was cut and when the part before the cut entered
//! md, C when each part was done. For a row of pages that it writes partially, md logs `raid5 rmw
//! SECTOR PAGES` or `raid5 rcw SECTOR MISSING PAGES DELAYED`, with the sector on the members and
//! the number of pages that it reads for the row.

use super::geometry::Geometry;
use super::visit::RaidReads;
use rustc_hash::FxHashMap;
use seekscope_trace::event::Action;
use seekscope_trace::store::{Role, RowMeaning, Store, rows};

/// A part of a bio, or a complete bio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BioPart {
    /// Time at which the part entered md, ns.
    pub time: u64,
    pub sector: u64,
    pub sectors: u64,
    /// Time of its completion, if that means that its parity is on the disks: on md, but not on a
    /// disk, which may complete it from its cache, nor on a device that passes on the completion of
    /// a disk.
    pub settled: Option<u64>,
}

/// A message of md about a row of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaidMessage {
    /// Time in ns.
    pub time: u64,
    /// Sector of the row on each member, from the start of the member's data.
    pub sector: u64,
    pub reads: RaidReads,
}

/// md completes the writes of a stripe together. Where only completions were recorded, those of one
/// stripe within this time, ns, are of one visit: far more than md needs for the completions of a
/// stripe, and less than a disk needs for the next one. Where only bios were recorded, a visit
/// lasts while its writes are queued at most this far apart.
const TOGETHER: u64 = 200_000;

type TimesByStart<T> = FxHashMap<(u32, u64), Vec<(u64, T)>>;

/// Cuts, completions of parts and md's messages of all arrays of a trace.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// Per device and first sector: time, and first sector of the remainder.
    cuts: TimesByStart<u64>,
    /// Per device and first sector: time, and end.
    done: TimesByStart<u64>,
    /// Per device, in time order.
    messages: Vec<Vec<RaidMessage>>,
}

impl Arrays {
    /// Collects them from the events and messages of stacked devices.
    pub fn collect(store: &Store) -> Arrays {
        let (events, devices) = (&store.events, &store.devices);
        let stacked: Vec<bool> = devices.iter().map(|d| d.role == Role::Stacked).collect();
        let is = |device: u32| stacked.get(device as usize).copied().unwrap_or_default();
        let mut arrays = Arrays {
            messages: vec![Vec::new(); devices.len()],
            ..Arrays::default()
        };
        if !stacked.contains(&true) {
            return arrays;
        }
        let mut cut = vec![false; devices.len()];
        rows::each(0..events.len(), |i| {
            let (action, device) = (events.action(i), events.device(i));
            if !matches!(action, Action::Split | Action::Complete) || !is(device) {
                return;
            }
            let (sector, end) = (
                events.sector(i),
                events.sector(i).saturating_add(events.sectors(i)),
            );
            if action == Action::Split {
                cut[device as usize] = true;
                arrays
                    .cuts
                    .entry((device, sector))
                    .or_default()
                    .push((events.time(i), end));
            } else if cut[device as usize] {
                arrays
                    .done
                    .entry((device, sector))
                    .or_default()
                    .push((events.time(i), end));
            }
        });
        for (i, message) in store.messages.rows.iter().enumerate() {
            if is(message.device)
                && let Some((sector, reads)) = parse_message(&store.messages.text(i))
            {
                arrays.messages[message.device as usize].push(RaidMessage {
                    time: message.time,
                    sector,
                    reads,
                });
            }
        }
        arrays
    }

    /// md's messages about the rows of a device.
    pub fn messages(&self, device: u32) -> &[RaidMessage] {
        self.messages
            .get(device as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// The parts of a request, in order: one, unless it is a bio that was cut.
    pub fn parts(&self, store: &Store, row: usize, mut each: impl FnMut(BioPart)) {
        let request = store.requests.row(row);
        let device = request.device();
        let end = request.sector().saturating_add(request.sectors());
        let stacked = store
            .devices
            .get(device as usize)
            .filter(|d| d.role == Role::Stacked);
        let settled = stacked.and_then(|device| match device.recorded.row() {
            RowMeaning::Queue => Some(request.start().saturating_add(TOGETHER)),
            RowMeaning::Completion => request
                .completed()
                .map(|time| time.saturating_add(TOGETHER)),
            _ => request.completed(),
        });
        let (mut time, mut sector) = (request.start(), request.sector());
        while let Some((cut, rest)) =
            next(&self.cuts, (device, sector), time).filter(|cut| cut.1 > sector && cut.1 < end)
        {
            let done = next(&self.done, (device, sector), cut)
                .filter(|done| done.1 == rest)
                .map(|done| done.0);
            each(BioPart {
                time: cut,
                sector,
                sectors: rest - sector,
                settled: done.or(settled),
            });
            (time, sector) = (cut, rest);
        }
        each(BioPart {
            time,
            sector,
            sectors: end - sector,
            settled,
        });
    }
}

/// The first entry at or after `time`.
fn next(times: &TimesByStart<u64>, key: (u32, u64), time: u64) -> Option<(u64, u64)> {
    let all = times.get(&key)?;
    all.get(all.partition_point(|entry| entry.0 < time))
        .copied()
}

fn parse_message(text: &str) -> Option<(u64, RaidReads)> {
    let mut words = text.strip_prefix("raid5 ")?.split_ascii_whitespace();
    let (way, sector) = (words.next()?, words.next()?.parse().ok()?);
    let mut number = || words.next()?.parse::<u64>().ok();
    match way {
        "rmw" => Some((sector, RaidReads::Modify(number()?))),
        "rcw" => {
            number()?;
            // DELAYED: nothing has been read yet, another message follows.
            number()
                .filter(|n| *n > 0)
                .map(|n| (sector, RaidReads::Reconstruct(n)))
        }
        _ => None,
    }
}

/// Stripe number and offset in the unit of a row, numbered as in [`Geometry::place`] of an array
/// that starts at sector 0.
pub fn place(geometry: &Geometry, message: &RaidMessage) -> (u64, u64) {
    (
        (message.sector / geometry.unit()).saturating_add(1),
        message.sector % geometry.unit(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn a_cut_bio_has_parts() {
        let s = store(
            "10 Q 100+24 W\n11 X 100+8 W split=108\n15 X 108+8 W split=116\n20 C 108+8 W\n30 C \
                116+8 W\n40 C 100+8 W",
        );
        let mut parts = Vec::new();
        Arrays::collect(&s).parts(&s, 0, |p| {
            parts.push((p.time, p.sector, p.sectors, p.settled))
        });
        assert_eq!(
            parts,
            [
                (11, 100, 8, Some(40)),
                (15, 108, 8, Some(20)),
                (15, 116, 8, Some(40))
            ]
        );
        let disk = store("10 Q 0+8 W\n11 D 0+8 W\n12 C 0+8 W");
        Arrays::collect(&disk).parts(&disk, 0, |p| assert_eq!((p.time, p.settled), (11, None)));
    }

    #[test]
    fn messages_are_parsed() {
        assert_eq!(
            parse_message("raid5 rmw 1024 2"),
            Some((1024, RaidReads::Modify(2)))
        );
        assert_eq!(
            parse_message("raid5 rcw 92672 2 1 0"),
            Some((92672, RaidReads::Reconstruct(1)))
        );
        for other in [
            "raid5 rcw 92672 2 0 1",
            "raid5 rcw 92672",
            "md md_update_sb",
            "raid5 rmw x 2",
            "raid5",
            "fio rmw 8 2",
        ] {
            assert_eq!(parse_message(other), None, "{other}");
        }
    }
}
