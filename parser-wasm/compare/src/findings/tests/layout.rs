//! Rules about what requests look like to the device.

use super::*;
use crate::runs::digest::ZoneCounts;

#[test]
fn writes_leave_the_physical_block() {
    let aligned = [("writes.off4k", 0.0)];
    let off = [
        ("writes.off4k", 1.0),
        ("d2c.mean", 6e6),
        ("q2c.mean", 6.2e6),
    ];
    let slower_off = [&SLOWER[..], &off].concat();
    let all = found(digest(&aligned), digest(&slower_off));
    assert_eq!(
        all.iter().map(|f| f.0).collect::<Vec<_>>(),
        ["off-physical-block"],
        "the slower device is its effect"
    );
    assert!(
        all[0]
            .1
            .ends_with("no physical_block_size; 4 KiB is assumed."),
        "{}",
        all[0].1
    );
    // The share of the lost time is that of the device.
    assert_eq!(
        compared(digest(&aligned), digest(&slower_off)).findings[0]
            .accounts_for
            .map(|part| part > 0.5),
        Some(true)
    );
    assert_eq!(
        codes(&aligned, &[("writes.off4k", 0.09)]),
        ["no-real-difference"]
    );
    assert_eq!(
        codes(&[("writes.off4k", 0.5)], &[("writes.off4k", 0.6)]),
        ["no-real-difference"],
        "repeats differ by this"
    );
    assert_eq!(
        codes(&[("writes.off4k", 0.2)], &[("writes.off4k", 0.9)]),
        ["off-physical-block"]
    );
    // The stripe is the nearer cause.
    let stripe = [&off[..], &[("alignment.straddles.share", 0.5)]].concat();
    assert_eq!(
        codes(&[&STRIPES[..], &aligned].concat(), &stripe),
        ["alignment-lost"]
    );
}

#[test]
fn a_disk_with_small_physical_blocks_does_not_mind() {
    let with = |block: &str| {
        let notes = [("8,0/physical_block_size", block)];
        let side =
            |label, figures: &[(&str, f64)]| with_settings(run(label, digest(figures)), &notes);
        let off = [
            &SLOWER[..],
            &[
                ("writes.off4k", 1.0),
                ("d2c.mean", 6e6),
                ("q2c.mean", 6.2e6),
            ],
        ]
        .concat();
        let runs = vec![side("old", &[("writes.off4k", 0.0)]), side("new", &off)];
        compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap()
        .findings
        .remove(0)
    };
    assert_eq!(with("512").code, "device-slower");
    let finding = with("16384");
    assert_eq!(finding.code, "off-physical-block");
    assert!(
        finding
            .sentence
            .contains("blocks of 16 KiB (old: 0%): it reads")
            && finding.sentence.ends_with("a part of it.")
    );
}

/// Bios of `queued` sectors that are issued in requests of these sizes and numbers.
fn sized(figures: &[(&str, f64)], queued: u64, issued: &[(u64, u64)]) -> Digest {
    let mut d = digest(figures);
    let row = |&(sectors, writes): &(u64, u64)| SizeCount {
        sectors,
        writes,
        ..SizeCount::default()
    };
    d.devices[0].sizes[0] = vec![row(&(queued, 100))];
    d.devices[0].sizes[1] = issued.iter().map(row).collect();
    d
}

#[test]
fn requests_are_cut_at_a_limit() {
    let small = [&SLOWER[..], &[("size.issued.mean", 50_000.0)]].concat();
    let codes = |a: Digest, b: Digest| {
        let mut codes: Vec<_> = found(a, b).into_iter().map(|f| f.0).collect();
        codes.retain(|code| *code != "behaves-differently");
        codes
    };
    let good = || sized(&[], 300, &[(300, 100)]);
    let cut = found(good(), sized(&small, 300, &[(44, 100), (128, 200)]));
    assert_eq!(cut[0].0, "requests-split");
    assert_eq!(
        cut[0].1,
        "new: requests were split: none is larger than 64 KiB, the size of requests with 85.3% of \
            the bytes (old: up to 150 KiB)."
    );
    // The application requests less at a time.
    assert_eq!(codes(good(), sized(&small, 128, &[(128, 200)])), [""; 0]);
    // Sizes of all kinds, with a largest one that is rare: no limit.
    assert_eq!(
        codes(
            good(),
            sized(&small, 300, &[(44, 100), (100, 100), (128, 20)])
        ),
        [""; 0]
    );
    // The other run is cut there, too, or at less.
    assert_eq!(
        codes(
            sized(&[], 300, &[(44, 100), (128, 200)]),
            sized(&small, 300, &[(44, 100), (128, 200)])
        ),
        [""; 0]
    );
    // Much smaller: `requests-smaller` has the sizes.
    let half = [&SLOWER[..], &[("size.issued.mean", 30_000.0)]].concat();
    assert_eq!(
        codes(good(), sized(&half, 300, &[(44, 100), (128, 200)])),
        ["requests-split", "requests-smaller"]
    );
}

#[test]
fn bios_that_are_merged_up_to_a_limit_need_the_notes() {
    let codes = |limits: [&str; 2]| {
        let small = [
            &SLOWER[..],
            &[("size.issued.mean", 30_000.0), ("merges.q_per_d", 1.0)],
        ]
        .concat();
        let sides = [
            sized(&[], 8, &[(300, 100)]),
            sized(&small, 8, &[(44, 100), (128, 200)]),
        ];
        let notes = limits.map(|limit| [("8,0/max_sectors_kb", limit)]);
        let [a, b] = sides;
        let runs = vec![
            with_settings(run("old", a), &notes[0]),
            with_settings(run("new", b), &notes[1]),
        ];
        let findings = compare(&CompareQuery {
            runs,
            baseline: 0,
            noise: None,
        })
        .first
        .unwrap()
        .findings;
        findings
            .into_iter()
            .map(|f| (f.code, f.settings.len()))
            .collect::<Vec<_>>()
    };
    let smaller = [("merging-stopped", 0), ("requests-smaller", 0)];
    assert_eq!(
        codes(["1280", "64"]),
        [
            ("requests-split", 1),
            ("requests-smaller", 1),
            ("setting-changed", 1)
        ]
    );
    assert_eq!(codes(["64", "64"]), smaller);
    assert_eq!(codes(["1280", "1280"]), smaller);
}

#[test]
fn zones_are_reset_and_writes_miss_the_write_pointer() {
    let zoned = |actions: u64, off_pointer: u64| {
        let mut d = digest(&[]);
        d.devices[0].zones = Some(ZoneCounts {
            writes: 900,
            appends: 100,
            actions,
            off_pointer,
        });
        d
    };
    let codes = |a: Digest, b: Digest| found(a, b).into_iter().map(|f| f.0).collect::<Vec<_>>();
    let all = found(zoned(0, 0), zoned(20, 0));
    assert_eq!(all.iter().map(|f| f.0).collect::<Vec<_>>(), ["zone-resets"]);
    assert!(all[0].1.contains("2 times per 100 writes"), "{}", all[0].1);
    assert_eq!(codes(zoned(9, 9), zoned(9, 9)), ["no-real-difference"]);
    assert_eq!(
        codes(zoned(20, 0), zoned(25, 0)),
        ["no-real-difference"],
        "less than half more"
    );
    assert_eq!(codes(zoned(0, 0), zoned(0, 50)), ["off-write-pointer"]);
    // A disk without zones has none to reset.
    assert_eq!(codes(digest(&[]), zoned(20, 50)), ["no-real-difference"]);
}
