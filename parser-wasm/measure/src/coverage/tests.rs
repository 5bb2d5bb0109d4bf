//! The stripe coverage of drawn writes.

use super::*;
use crate::arrays::geometry::Level;
use seekscope_trace::fixture::store;
use std::fmt::Write;

/// Writes (Q, sector, sectors, C) to units of 8 sectors, four data disks, on a disk (without C) or
/// md.
fn covered(level: Level, writes: &[(u64, u64, u64, Option<u64>)]) -> Covered {
    let disk = writes.iter().all(|w| w.3.is_none());
    let mut lines: Vec<(u64, String)> = Vec::new();
    for &(time, sector, sectors, done) in writes {
        lines.push((
            time,
            format!(
                "{time} {} {sector}+{sectors} W",
                if disk { "D" } else { "Q" }
            ),
        ));
        lines.extend(done.map(|time| (time, format!("{time} C {sector}+{sectors} W"))));
    }
    lines.sort_by_key(|line| line.0);
    let mut text = String::new();
    lines
        .iter()
        .for_each(|line| writeln!(text, "{}", line.1).unwrap());
    cover(level, &store(&text))
}

fn cover(level: Level, s: &Store) -> Covered {
    let arrays = Arrays::collect(s);
    let mut coverage = Coverage::new(Geometry::new(level, 8, 4, 0).unwrap(), s, &arrays, 0);
    (0..s.requests.len()).for_each(|row| coverage.add(s, row));
    coverage.finish()
}

fn stripes(writes: &[(u64, u64, u64, Option<u64>)]) -> (u64, u64) {
    let stripes = covered(Level::Raid5, writes).stripes;
    (stripes.full, stripes.partial)
}

#[test]
fn parts_within_the_window_make_a_whole() {
    let c = covered(
        Level::Raid5,
        &[
            (0, 0, 16, None),
            (COLLECT_NS - 1, 16, 16, None),
            (COLLECT_NS, 32, 96, None),
        ],
    );
    assert_eq!(
        (c.stripes, c.rmw),
        (
            StripeCounts {
                full: 4,
                partial: 0
            },
            Rmw::default()
        )
    );
    assert_eq!(
        stripes(&[(0, 0, 16, None), (COLLECT_NS, 16, 16, None)]),
        (0, 2)
    );
    assert_eq!(
        stripes(&[(0, 0, 16, Some(10)), (10, 16, 16, Some(20))]),
        (0, 2)
    );
    assert_eq!(
        stripes(&[(0, 0, 16, Some(10)), (9, 16, 16, Some(20))]),
        (1, 0)
    );
    // md holds a write for as long as it takes.
    assert_eq!(
        stripes(&[
            (0, 0, 16, Some(9 * COLLECT_NS)),
            (5 * COLLECT_NS, 16, 16, Some(9 * COLLECT_NS))
        ]),
        (1, 0)
    );
}

#[test]
fn a_stripe_left_for_256_others_is_closed() {
    let mut writes = vec![(0, 0, 16, None)];
    writes.extend((1..=256).map(|i| (i, i * 32, 8, None)));
    writes.push((257, 16, 16, None));
    assert_eq!(stripes(&writes), (0, 258));
    writes.remove(256);
    assert_eq!(stripes(&writes), (1, 255));
}

#[test]
fn costs_by_hand() {
    let rmw = |level, writes: &[_]| covered(level, writes).rmw;
    let cost = |reads, writes, read_bytes, write_bytes| Rmw {
        reads,
        writes,
        read_bytes,
        write_bytes,
        extra_bytes: read_bytes + write_bytes,
        told: false,
    };
    // One page of four: it and the parity are read; a quarter of the parity is what full stripes
    // have.
    assert_eq!(
        rmw(Level::Raid5, &[(0, 8, 8, None)]),
        cost(2, 1, 8192, 4096 - 1024)
    );
    // Three pages are written, so the fourth is read.
    assert_eq!(
        rmw(Level::Raid5, &[(0, 8, 24, None)]),
        cost(1, 1, 4096, 1024)
    );
    // Half of two pages: both are read completely, then the parity is cheaper than the other two;
    // three pages are written.
    assert_eq!(
        rmw(Level::Raid5, &[(0, 4, 8, None)]),
        cost(3, 1, 3 * 4096, 3 * 4096 - 5 * 1024)
    );
    // There are two parities, so the other three pages are read.
    assert_eq!(
        rmw(Level::Raid6, &[(0, 8, 8, None)]),
        cost(3, 2, 3 * 4096, 3 * 4096 - 6 * 1024)
    );
    // The rest of a stripe that was just written needs no read, but writes its parity again.
    assert_eq!(
        rmw(Level::Raid5, &[(0, 8, 24, Some(1)), (2, 0, 8, Some(3))]),
        cost(1, 2, 4096, 4096)
    );
    let raid0 = covered(Level::Raid0, &[(0, 8, 8, None)]);
    assert_eq!((raid0.stripes.partial, raid0.rmw), (1, Rmw::default()));
}

#[test]
fn costs_fall_on_disks() {
    // Stripe 1 has its parity on disk 3 of 0..=4, and its second unit on disk 0.
    let slots = covered(Level::Raid5, &[(0, 40, 8, None)]).slots;
    let page = |asked, ideal| DiskIo {
        asked,
        read: 4096,
        reads: 1,
        written: 4096,
        ideal,
    };
    assert_eq!((slots[0], slots[3]), (page(0, 4096), page(0, 1024)));
    assert_eq!((slots[1], slots.len()), (DiskIo::default(), 5));
    let s = store("0 Q 0+16 R\n1 C 0+16 R\n2 Q 0+32 W\n3 C 0+32 W");
    let slots = cover(Level::Raid5, &s).slots;
    assert_eq!(
        slots
            .iter()
            .map(|s| (s.asked, s.written))
            .collect::<Vec<_>>()[1..],
        [(4096, 4096), (0, 4096), (0, 4096), (0, 4096)]
    );
    assert_eq!((slots[0].asked, slots[0].ideal), (4096, 4096));
    // Three complete rounds over the disks, and half a stripe.
    let slots = cover(Level::Raid5, &store("0 Q 0+496 R\n1 C 0+496 R")).slots;
    assert_eq!(
        slots.iter().map(|s| s.asked / 4096).collect::<Vec<_>>(),
        [13, 13, 12, 12, 12]
    );
}

#[test]
fn a_huge_write_takes_open_stripes_with_it() {
    assert_eq!(
        stripes(&[(0, 64, 8, None), (1, 0, 32 * 100_000 + 8, None)]),
        (100_000, 1)
    );
    assert_eq!(stripes(&[(0, 64, 8, None), (1, 32, 96, None)]), (3, 0));
}

#[test]
fn a_stripe_written_often_is_not_the_oldest() {
    let part = |number: u64| (0, number * 32, 8, None);
    let others = 1..MAX_OPEN as u64 + 1;
    let mut writes: Vec<_> = std::iter::once(0)
        .chain(others)
        .map(part)
        .take(MAX_OPEN)
        .collect();
    writes.extend(std::iter::repeat_n(part(0), 16 * MAX_OPEN));
    // One more closes the least recently touched one: 1, not 0, which its rest then completes. The
    // rest of 1 is a new partial stripe.
    writes.extend([part(MAX_OPEN as u64), (0, 8, 24, None), (0, 40, 24, None)]);
    assert_eq!(stripes(&writes), (1, MAX_OPEN as u64 + 1));
}
