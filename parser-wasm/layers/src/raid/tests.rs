//! The arithmetic against that of the kernel in the other direction: from sectors of the array to
//! those of its members.

use super::{Parity, Raid10};
use crate::place::UpperPlace;

/// The kernel's `raid5_compute_sector`: disk of a data chunk, and the disks of parity.
fn disks_of(n: u64, parities: u64, layout: u32, stripe: u64, dd: u64) -> (u64, Vec<u64>) {
    let data = n - parities;
    let left = (data + n - stripe % n) % n;
    let right = stripe % n;
    let skip = |pd: u64| if dd >= pd { dd + 1 } else { dd };
    if parities == 1 {
        return match layout {
            0 => (skip(left), vec![left]),
            1 => (skip(right), vec![right]),
            2 => ((left + 1 + dd) % n, vec![left]),
            3 => ((right + 1 + dd) % n, vec![right]),
            4 => (dd + 1, vec![0]),
            _ => (dd, vec![data]),
        };
    }
    let asymmetric = |pd: u64| {
        if pd == n - 1 {
            (dd + 1, vec![pd, 0])
        } else {
            (if dd >= pd { dd + 2 } else { dd }, vec![pd, pd + 1])
        }
    };
    let symmetric = |pd: u64| ((pd + 2 + dd) % n, vec![pd, (pd + 1) % n]);
    let few_left = (data + n - 1 - stripe % (n - 1)) % (n - 1);
    let few_right = stripe % (n - 1);
    match layout {
        0 => asymmetric(n - 1 - stripe % n),
        1 | 8 => asymmetric(right),
        2 => symmetric(n - 1 - stripe % n),
        3 => symmetric(right),
        4 => (dd + 2, vec![0, 1]),
        5 => (dd, vec![data, data + 1]),
        9 => asymmetric(n - 1 - (stripe + 1) % n),
        10 => {
            let pd = n - 1 - stripe % n;
            ((pd + 1 + dd) % n, vec![pd, (pd + n - 1) % n])
        }
        16 => (skip(few_left), vec![few_left, n - 1]),
        17 => (skip(few_right), vec![few_right, n - 1]),
        18 => ((few_left + 1 + dd) % (n - 1), vec![few_left, n - 1]),
        19 => ((few_right + 1 + dd) % (n - 1), vec![few_right, n - 1]),
        _ => (dd + 1, vec![0, n - 1]),
    }
}

#[test]
fn stripes_with_parity_are_those_of_the_kernel() {
    let layouts = [
        (1, vec![0, 1, 2, 3, 4, 5]),
        (2, vec![0, 1, 2, 3, 4, 5, 8, 9, 10, 16, 17, 18, 19, 20]),
    ];
    for (parities, layouts) in layouts {
        for layout in layouts {
            for n in parities + 1..8 {
                let chunk = 16;
                let raid = Parity::new(chunk, n, parities, layout).unwrap();
                let data = n - parities;
                for stripe in 0..3 * n {
                    let mut parts = vec![None; n as usize];
                    for dd in 0..data {
                        let (disk, parity) = disks_of(n, parities, layout, stripe, dd);
                        assert!(!parity.contains(&disk), "{layout} {n}");
                        parts[disk as usize] = Some((stripe * data + dd) * chunk + 5);
                    }
                    for slot in 0..n {
                        let step = raid.step(slot, stripe * chunk + 5, 100);
                        let UpperPlace::Stripe(part) = step.place else {
                            panic!("{step:?}");
                        };
                        let wanted = parts[slot as usize];
                        assert_eq!(part.data, wanted, "{layout} {n} {stripe} {slot}");
                        assert_eq!((step.sectors, part.first), (11, stripe * data * chunk + 5));
                        if let Some(sector) = wanted {
                            assert_eq!(raid.member_sector(sector), stripe * chunk + 5);
                        }
                    }
                }
            }
        }
    }
}

/// The kernel's `__raid10_find_phys`: disk and sector of each copy.
fn copies(layout: u64, n: u64, chunk: u64, stride: u64, sector: u64) -> Vec<(u64, u64)> {
    let (near, far, is_offset) = (layout & 255, layout >> 8 & 255, layout >> 16 & 1 == 1);
    let set = match layout >> 17 {
        0 => n,
        1 => n / far,
        _ => near * far,
    };
    let last = (n / set - 1) * set;
    let place = sector / chunk * near;
    let (mut stripe, mut dev) = (place / n, place % n);
    if is_offset {
        stripe *= far;
    }
    let mut y = sector % chunk + stripe * chunk;
    let mut found = Vec::new();
    for _ in 0..near {
        let (mut disk, mut s) = (dev, y);
        found.push((disk, s));
        for _ in 1..far {
            let begin = disk / set * set;
            disk += near;
            if !n.is_multiple_of(set) && disk > last {
                disk = (disk - last) % (set + n % set) + last;
            } else {
                disk = disk % set + begin;
            }
            s += stride;
            found.push((disk, s));
        }
        dev += 1;
        if dev >= n {
            dev = 0;
            y += chunk;
        }
    }
    found
}

#[test]
fn copies_of_raid_10_are_those_of_the_kernel() {
    let (chunk, member) = (8, 4000);
    for (layout, disks) in [
        (0x102, 2..7),
        (0x103, 3..7),
        (0x201, 2..7),
        (0x301, 3..7),
        (0x201 | 1 << 16, 2..7),
        (0x301 | 1 << 16, 3..7),
        (0x201 | 1 << 17, 4..5),
    ] {
        for n in disks {
            let raid = Raid10::new(chunk, n, layout, Some(member)).unwrap();
            for sector in (0..800).step_by(5) {
                for (disk, y) in copies(layout, n, chunk, raid.stride, sector) {
                    let step = raid.step(disk, y, 100);
                    let wanted = UpperPlace::Data(sector);
                    assert_eq!(step.place, wanted, "{layout:x} {n} {sector} {disk} {y}");
                    assert_eq!(step.sectors, chunk - sector % chunk);
                    if layout >> 8 == 1 {
                        assert_eq!(raid.member_sector(sector, disk), Some(y));
                    }
                }
            }
        }
    }
}

#[test]
fn arrays_that_cannot_be_are_refused() {
    assert_eq!(Parity::new(0, 3, 1, 2), None);
    assert_eq!(Parity::new(8, 1, 1, 2), None);
    assert_eq!(Parity::new(8, 2, 2, 2), None);
    assert_eq!(Parity::new(8, 4, 2, 7), None);
    assert_eq!(Parity::new(8, 4, 1, 6), None);
    assert_eq!(Parity::new(8, u64::MAX, 1, 2), None);
    assert_eq!(Raid10::new(0, 4, 0x102, None), None);
    assert_eq!(Raid10::new(8, 4, 0x100, None), None);
    assert_eq!(Raid10::new(8, 1, 0x102, None), None);
    assert_eq!(Raid10::new(8, 4, u64::MAX, Some(1 << 40)), None);
    // Far copies need the size of the members.
    assert_eq!(Raid10::new(8, 4, 0x201, None), None);
    assert_eq!(Raid10::new(8, 4, 0x201, Some(7)), None);
}

#[test]
fn extreme_sectors_are_no_panic() {
    let parity = Parity::new(u64::MAX >> 10, 5, 2, 10).unwrap();
    let raid10 = Raid10::new(8, 5, 0x201 | 1 << 16, Some(u64::MAX)).unwrap();
    for y in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
        for slot in [0, 4] {
            let (a, b) = (
                parity.step(slot, y, u64::MAX),
                raid10.step(slot, y, u64::MAX),
            );
            assert!(a.sectors > 0 && b.sectors > 0);
        }
    }
}
