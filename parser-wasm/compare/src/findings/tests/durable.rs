//! Rules about writes that are made durable.

use super::*;

const CACHED: [(&str, f64); 4] = [
    ("flush.flush", 800.0),
    ("flush.fua", 0.0),
    ("flush.preflush", 800.0),
    ("sync", 1.0),
];
const THROUGH: [(&str, f64); 6] = [
    ("flush.flush", 0.0),
    ("flush.fua", 0.0),
    ("flush.preflush", 0.0),
    ("sync", 1.0),
    ("d2c.mean", 6e6),
    ("q2c.mean", 6.2e6),
];

#[test]
fn a_device_writes_through_its_cache() {
    let through = [&SLOWER[..], &THROUGH].concat();
    let all = found(digest(&CACHED), digest(&through));
    assert_eq!(
        all.iter().map(|f| f.0).collect::<Vec<_>>(),
        ["write-through", "flushes-appeared"],
        "the faster side flushes"
    );
    assert_eq!(
        all[0].1,
        "new: the device probably writes through its cache: D2C took 6 ms on average (old: 3 ms), \
            and the kernel sends no flushes (old: 50 per 100 writes)."
    );
    // Where the other run does not flush either, nothing shows it; nor where the application waits
    // for fewer writes.
    let never = [
        ("flush.flush", 0.0),
        ("flush.fua", 0.0),
        ("flush.preflush", 0.0),
        ("sync", 1.0),
    ];
    assert_eq!(codes(&never, &through), ["device-slower"]);
    let waits_less = [&through[..], &[("sync", 0.85)]].concat();
    let with_flushes = ["device-slower", "flushes-appeared"];
    assert_eq!(codes(&CACHED, &waits_less), with_flushes);
    // Flushes that are left: the cache is used.
    assert_eq!(
        codes(&CACHED, &[&through[..], &[("flush.flush", 3.0)]].concat()),
        with_flushes
    );
    let reads = |figures: &[(&str, f64)]| {
        let mut d = digest(figures);
        d.devices[0].work.read = 300 * MIB;
        d
    };
    assert_eq!(found(reads(&CACHED), reads(&through))[0].0, "device-slower");
}

#[test]
fn notes_have_the_last_word_on_the_cache() {
    let with = |modes: [&str; 2], figures: &[(&str, f64)]| {
        let notes = modes.map(|mode| [("8,0/write_cache", mode)]);
        let through = [&SLOWER[..], &THROUGH].concat();
        let old = with_settings(run("old", digest(figures)), &notes[0]);
        let runs = vec![old, with_settings(run("new", digest(&through)), &notes[1])];
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
    let noted = with(["write back", "write through"], &[]);
    assert_eq!((noted.code, noted.settings.len()), ("write-through", 1));
    assert!(
        noted
            .sentence
            .starts_with("new: the device writes through its cache: D2C took 6 ms"),
        "{}",
        noted.sentence
    );
    assert_eq!(
        with(["write back", "write back"], &CACHED).code,
        "device-slower"
    );
}

#[test]
fn writes_become_synchronous() {
    let sentence = |a: &[(&str, f64)], b: &[(&str, f64)]| found(digest(a), digest(b)).remove(0).1;
    let none = [("flush.flush", 0.0), ("flush.fua", 0.0), ("sync", 0.2)];
    let each = sentence(
        &none,
        &[("flush.flush", 1280.0), ("flush.fua", 0.0), ("sync", 1.0)],
    );
    let made_durable =
        "About each write is made durable by itself: O_SYNC, O_DSYNC, or fsync after it.";
    assert_eq!(
        each,
        format!(
            "new: 80 flushes per 100 writes (old: 0), one for 1.25 writes; 100% of the requests \
                were sync (old: 20%). {made_durable}"
        )
    );
    // A disk without FUA flushes instead: they were synchronous before.
    let forced = [("flush.flush", 0.0), ("flush.fua", 1600.0), ("sync", 1.0)];
    assert!(
        !sentence(
            &forced,
            &[("flush.flush", 1600.0), ("flush.fua", 0.0), ("sync", 1.0)]
        )
        .contains(made_durable)
    );
    let some = sentence(
        &none,
        &[("flush.flush", 160.0), ("flush.fua", 0.0), ("sync", 0.2)],
    );
    assert_eq!(
        some,
        "new: 10 flushes per 100 writes (old: 0), one for 10 writes."
    );
}
