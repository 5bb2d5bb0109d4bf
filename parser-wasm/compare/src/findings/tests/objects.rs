//! Rules about files and structures of file systems.

use super::*;
use seekscope_measure::objects::{ObjectSums, ObjectUse, ObjectWriter, ObjectsUsed};
use seekscope_trace::store::ObjectKind;

/// An object with bytes that were written to it, and sectors from `first` on.
fn object(kind: ObjectKind, name: &str, write: u64, first: u64) -> ObjectUse {
    ObjectUse {
        kind,
        name: name.to_owned(),
        inode: None,
        extents: None,
        first,
        end: first + write / 512,
        sums: ObjectSums {
            requests: write / 4096,
            write,
            d2c_ns: write,
            following: 100,
            following_in_file: 100,
            sequential_in_file: 100,
            sequential_on_disk: 100,
            ..ObjectSums::default()
        },
        writers: vec![ObjectWriter {
            names: "dd".to_owned(),
            bytes: write,
        }],
    }
}

fn with_objects(mut digest: Digest, top: Vec<ObjectUse>, unknown: u64) -> Digest {
    let write: u64 = top.iter().map(|object| object.sums.write).sum();
    let sums = |write: u64| ObjectSums {
        requests: write / 4096,
        write,
        d2c_ns: write,
        ..ObjectSums::default()
    };
    let d2c_ns = top.iter().map(|object| object.sums.d2c_ns).sum::<u64>() + unknown;
    let all = ObjectSums {
        d2c_ns,
        ..sums(write + unknown)
    };
    let files = top.iter().filter(|object| object.kind == ObjectKind::File);
    let files = sums(files.map(|object| object.sums.write).sum());
    digest.devices[0].objects = Some(ObjectsUsed {
        files,
        file_tasks: 1,
        top,
        unknown: sums(unknown),
        all,
        ..ObjectsUsed::default()
    });
    digest
}

fn file(write: u64) -> ObjectUse {
    object(ObjectKind::File, "/srv/a.db", write, 10_000)
}

fn journal_from(write: u64, first: u64) -> ObjectUse {
    object(ObjectKind::Journal, "journal", write, first)
}

fn codes(good: Vec<ObjectUse>, bad: Vec<ObjectUse>, unknown: u64) -> Vec<String> {
    let found = compared(
        with_objects(digest(&[]), good, 0),
        with_objects(digest(&SLOWER), bad, unknown),
    );
    let codes = found
        .findings
        .iter()
        .map(|finding| finding.code.to_string());
    codes.collect()
}

#[test]
fn a_journal_that_grew_is_named_with_its_bytes() {
    let good = with_objects(digest(&[]), vec![file(20 * MIB)], 0);
    let bad = vec![file(20 * MIB), journal_from(2 * MIB, 5_000)];
    let found = compared(good, with_objects(digest(&SLOWER), bad, 0));
    let finding = found
        .findings
        .iter()
        .find(|finding| finding.code == "journal-grew")
        .expect("the journal has a tenth of the bytes");
    let words = finding.parts.ascii();
    assert!(
        words.contains("2 MiB of journal were written for 20 MiB of files"),
        "{words}"
    );
    assert!(words.contains("no journal"), "{words}");
    let focus = finding.focus.ascii();
    assert!(
        focus.contains("Time in the device by file and structure: /srv/a.db"),
        "{focus}"
    );
    assert!(
        focus.contains("Bytes by the task whose data it is: dd 100%"),
        "{focus}"
    );
}

/// A digest in which `write` bytes were queued for the disk.
fn queued(mut digest: Digest, write: u64) -> Digest {
    digest.devices[0].work.write = write;
    digest
}

#[test]
fn the_same_bytes_of_files_are_the_same_work_whatever_the_journal_adds() {
    let good = || queued(digest(&[]), 20 * MIB);
    let bad = || queued(digest(&SLOWER), 40 * MIB);
    let without_maps = compared(good(), bad());
    assert!(!without_maps.work.same, "{}", without_maps.work.why);

    let journal = vec![file(20 * MIB), journal_from(20 * MIB, 5_000)];
    let found = compared(
        with_objects(good(), vec![file(20 * MIB)], 0),
        with_objects(bad(), journal, 0),
    );
    assert!(found.work.same, "{}", found.work.why);
    assert_eq!(found.work.why, "20 MiB of files, same mix of operations");
    assert!(
        found.verdict.contains("for the same bytes of files"),
        "{}",
        found.verdict
    );

    let more = compared(
        with_objects(good(), vec![file(20 * MIB)], 0),
        with_objects(bad(), vec![file(40 * MIB)], 0),
    );
    assert!(!more.work.same, "{}", more.work.why);
}

#[test]
fn repeats_and_unknown_owners_give_no_finding() {
    let alike = || vec![file(20 * MIB), journal_from(2 * MIB, 5_000)];
    let objects = [
        "journal-grew",
        "metadata-grew",
        "file-fragmented",
        "placed-elsewhere",
        "written-by-others",
    ];
    let none = |codes: Vec<String>| !codes.iter().any(|code| objects.contains(&code.as_str()));
    assert!(none(codes(alike(), alike(), 0)));
    // A fifth of the bytes has no owner: what is known proves nothing.
    assert!(none(codes(vec![file(20 * MIB)], alike(), 5 * MIB)));
}

#[test]
fn structures_files_and_writers_that_changed() {
    let tables = object(ObjectKind::InodeTable, "inode tables", 4 * MIB, 2_000);
    let found = codes(vec![file(20 * MIB)], vec![file(20 * MIB), tables], 0);
    assert!(found.contains(&"metadata-grew".to_owned()), "{found:?}");

    let moved = journal_from(2 * MIB, 50_000_000);
    let both = |journal: ObjectUse| vec![file(20 * MIB), journal];
    let found = codes(both(journal_from(2 * MIB, 5_000)), both(moved), 0);
    assert!(found.contains(&"placed-elsewhere".to_owned()), "{found:?}");

    let mut pieces = file(20 * MIB);
    (pieces.extents, pieces.sums.sequential_on_disk) = (Some(300), 10);
    let whole = ObjectUse {
        extents: Some(2),
        ..file(20 * MIB)
    };
    let found = codes(vec![whole], vec![pieces], 0);
    assert!(found.contains(&"file-fragmented".to_owned()), "{found:?}");

    let mut foreign = file(20 * MIB);
    foreign.writers[0].names = "rsync".to_owned();
    let found = codes(vec![file(20 * MIB)], vec![foreign], 0);
    assert!(found.contains(&"written-by-others".to_owned()), "{found:?}");
}

/// An object whose bytes took `factor` times as long in the device as those of [`object`].
fn slowed(object: ObjectUse, factor: u64) -> ObjectUse {
    let sums = ObjectSums {
        d2c_ns: object.sums.d2c_ns * factor,
        ..object.sums
    };
    ObjectUse { sums, ..object }
}

/// The first finding where D2C is three times as long.
fn first(good: Vec<ObjectUse>, bad: Vec<ObjectUse>) -> &'static str {
    let longer = [&SLOWER[..], &[("d2c.mean", 15e6), ("q2c.mean", 15.2e6)]].concat();
    let found = compared(
        with_objects(digest(&[]), good, 0),
        with_objects(digest(&longer), bad, 0),
    );
    let codes: Vec<_> = found.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"device-slower"), "{codes:?}");
    codes[0]
}

#[test]
fn what_moved_comes_first_only_where_nothing_else_is_slower() {
    let scale = 100_000_000 / MIB;
    let both = |journal: ObjectUse, others: u64| vec![slowed(file(20 * MIB), others), journal];
    let good = || both(slowed(journal_from(20 * MIB, 5_000), scale), scale);
    let moved = |factor: u64| slowed(journal_from(20 * MIB, 50_000_000), scale * factor);
    assert_eq!(first(good(), both(moved(8), scale)), "placed-elsewhere");
    // A device that is slower for all names the device.
    assert_eq!(first(good(), both(moved(8), 8 * scale)), "device-slower");
}

#[test]
fn a_file_in_pieces_comes_first_where_its_requests_broke() {
    let scale = 100_000_000 / MIB;
    let whole = || slowed(file(20 * MIB), scale);
    let mut pieces = slowed(file(20 * MIB), 6 * scale);
    pieces.sums.sequential_on_disk = 10;
    assert_eq!(first(vec![whole()], vec![pieces]), "file-fragmented");
    // More extents alone, which no request notices, explain nothing.
    let (mut good, mut bad) = (whole(), slowed(file(20 * MIB), 6 * scale));
    (good.extents, bad.extents) = (Some(2), Some(300));
    assert_eq!(first(vec![good], vec![bad]), "device-slower");
}

#[test]
fn processes_that_wait_for_each_other_at_one_file() {
    use seekscope_measure::submitters::{Submitter, SubmitterSums, Submitters};
    let sums = |requests: u64| SubmitterSums {
        requests,
        ..SubmitterSums::default()
    };
    let submitters = |digest: &mut Digest, processes: u32| {
        let top = (0..processes).map(|pid| Submitter {
            pid,
            name: format!("job {pid}"),
            sums: sums(100),
        });
        digest.devices[0].submitters = Some(Submitters {
            all: sums(100 * u64::from(processes)),
            top: top.collect(),
        });
    };
    let shallow = [
        ("depth.mean", 1.1),
        ("d2c.mean", 1e6),
        ("starved.share", 0.0),
    ];
    let deep = [
        ("depth.mean", 7.5),
        ("d2c.mean", 1e6),
        ("starved.share", 0.0),
    ];
    let found = |processes: u32| {
        let good = with_objects(digest(&deep), vec![file(20 * MIB)], 0);
        let bad = digest(&[&SLOWER[..], &shallow].concat());
        let mut bad = with_objects(bad, vec![file(20 * MIB)], 0);
        submitters(&mut bad, processes);
        let found = compared(good, bad).findings;
        found
            .iter()
            .any(|finding| finding.code == "same-file-serialised")
    };
    assert!(found(4));
    assert!(!found(1), "one process waits for itself");
}

#[test]
fn a_layer_that_takes_longer_itself() {
    use seekscope_measure::layers::LayerTime;
    let with_layer = |mut digest: Digest, before_ns: u64, below_ns: u64| {
        digest.devices[0].layer = Some(LayerTime {
            requests: 1000,
            before_ns: 1000 * before_ns,
            below_ns: 1000 * below_ns,
            after_ns: 0,
            ..LayerTime::default()
        });
        digest
    };
    let found = |before_ns: u64, below_ns: u64| {
        let good = with_layer(digest(&[]), 100_000, 1_000_000);
        let bad = with_layer(digest(&SLOWER), before_ns, below_ns);
        let found = compared(good, bad).findings;
        found.iter().any(|finding| finding.code == "layer-slower")
    };
    assert!(found(600_000, 1_100_000));
    // The devices below have most of the growth.
    assert!(!found(600_000, 2_000_000));
    assert!(!found(110_000, 1_000_000));
}
