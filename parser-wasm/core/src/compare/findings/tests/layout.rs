//! Rules about what requests look like to the device.

use super::*;

#[test]
fn writes_leave_the_physical_block() {
    let aligned = [("writes.off4k", 0.0)];
    let off = [("writes.off4k", 1.0), ("d2c.mean", 6e6), ("q2c.mean", 6.2e6)];
    let slower_off = [&SLOWER[..], &off].concat();
    let all = found(digest(&aligned), digest(&slower_off));
    assert_eq!(all.iter().map(|f| f.0).collect::<Vec<_>>(), ["off-physical-block"], "the slower device is its effect");
    assert!(all[0].1.ends_with("no physical_block_size; 4 KiB is assumed."), "{}", all[0].1);
    // The share of the lost time is that of the device.
    assert_eq!(compared(digest(&aligned), digest(&slower_off)).findings[0].accounts_for.map(|part| part > 0.5), Some(true));
    assert_eq!(codes(&aligned, &[("writes.off4k", 0.09)]), ["no-real-difference"]);
    assert_eq!(codes(&[("writes.off4k", 0.5)], &[("writes.off4k", 0.6)]), ["no-real-difference"], "repeats differ by this");
    assert_eq!(codes(&[("writes.off4k", 0.2)], &[("writes.off4k", 0.9)]), ["off-physical-block"]);
    // The stripe is the nearer cause.
    let stripe = [&off[..], &[("alignment.straddles.share", 0.5)]].concat();
    assert_eq!(codes(&[&STRIPES[..], &aligned].concat(), &stripe), ["alignment-lost"]);
}

#[test]
fn a_disk_with_small_physical_blocks_does_not_mind() {
    let with = |block: &str| {
        let notes = [("8,0/physical_block_size", block)];
        let side = |label, figures: &[(&str, f64)]| with_settings(run(label, digest(figures)), &notes);
        let off = [&SLOWER[..], &[("writes.off4k", 1.0), ("d2c.mean", 6e6), ("q2c.mean", 6.2e6)]].concat();
        let runs = vec![side("old", &[("writes.off4k", 0.0)]), side("new", &off)];
        compare(&CompareQuery { runs, baseline: 0, noise: None }).first.unwrap().findings.remove(0)
    };
    assert_eq!(with("512").code, "device-slower");
    let known = with("16384");
    assert_eq!(known.code, "off-physical-block");
    assert!(known.sentence.contains("blocks of 16 KiB (old: 0%): it reads") && known.sentence.ends_with("a part of it."));
}
