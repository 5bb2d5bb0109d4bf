//! Real texts; those of mdadm are as its manual shows them.

use super::array::ArrayLevel;
use super::*;
mod outputs;
mod settings;

use std::path::Path;

fn sample(name: &str) -> Note {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/notes")
        .join(name);
    read(
        name,
        &std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
    )
}

/// The facts as lines of `subject key=value unit`.
fn values(note: &Note) -> Vec<String> {
    let value = |v: &FactValue| match v {
        FactValue::Number(n) => n.to_string(),
        FactValue::Text(t) => t.clone(),
    };
    let subject = |f: &Fact| {
        f.of.as_ref()
            .map_or(String::new(), |subject| format!("{subject} "))
    };
    let unit = |f: &Fact| {
        f.unit
            .map_or(String::new(), |unit| format!(" {}", unit.name()))
    };
    note.facts
        .iter()
        .map(|f| format!("{}{}={}{}", subject(f), f.key, value(&f.value), unit(f)))
        .collect()
}

fn array(device: Option<&str>, level: Option<ArrayLevel>, unit_sectors: u64, disks: u64) -> Array {
    Array {
        device: device.map(str::to_owned),
        level,
        unit_sectors,
        disks: Some(disks),
    }
}

#[test]
fn log_of_blktrace() {
    let note = sample("dropped/blktrace.log");
    assert_eq!(note.kind, NoteKind::BlktraceLog);
    assert_eq!(
        values(&note),
        ["vda events=9245 events", "vda dropped=15341 events"]
    );
    assert_eq!(note.dropped, [(Some("vda".to_owned()), 15341)]);
    let two = sample("two-devices.log");
    assert_eq!(
        two.dropped,
        [(Some("md0".to_owned()), 0), (Some("vda".to_owned()), 0)]
    );
    // Only the end of it, as pasted into a mail.
    let hint = read(
        "mail",
        b"You have 15341 ( 62.4%) dropped events\nConsider using a larger buffer size (-b)\n",
    );
    assert_eq!(hint.dropped, [(None, 15341)]);
    // The program still prints: nothing is known yet.
    assert_eq!(
        read(
            "log",
            b"  CPU  0:                 5029 events,      236 KiB data\n"
        )
        .dropped,
        []
    );
}

#[test]
fn kernels() {
    for text in [
        "Linux debian 6.12.113+deb12-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.12.113-1~deb12u1 \
            (2026-10-18) x86_64 GNU/Linux\n",
        "Linux version 6.12.113+deb12-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian \
            12.2.0-14) 12.2.0) #1 SMP\n",
        "Linux 6.12.113+deb12-amd64\n",
        "6.12.113+deb12-amd64\n",
    ] {
        let note = read("uname.txt", text.as_bytes());
        assert_eq!(
            (note.kind, note.kernel.as_deref()),
            (NoteKind::Uname, Some("6.12.113+deb12-amd64")),
            "{text}"
        );
    }
    for text in [
        "1.25\n",
        "Linux is a kernel\n",
        "2026.11.21\n",
        "Linux version control\n",
    ] {
        assert_eq!(read("notes", text.as_bytes()).kernel, None, "{text}");
    }
}

#[test]
fn arrays() {
    let mdstat = sample("mdstat.txt");
    assert_eq!(
        values(&mdstat),
        [
            "md0 level=raid5",
            "md0 raid_disks=4",
            "md0 chunk_bytes=262144 bytes"
        ]
    );
    assert_eq!(
        mdstat.arrays,
        [array(Some("md0"), Some(ArrayLevel::Raid5), 512, 3)]
    );
    let others = read(
        "mdstat",
        b"md1 : active raid10 sdd[3] sdc[2] sdb[1] sda[0]\n      2093056 \
        blocks super 1.2 512K chunks 2 near-copies [4/4] [UUUU]\n      \nmd2 : active raid0 sdf[1] \
        sde[0]\n      1046528 blocks super 1.2 64k chunks\n\nmd3 : active raid1 sdh[1] \
        sdg[0]\n      1046528 blocks super 1.2 [2/2] [UU]\n",
    );
    assert_eq!(
        others.arrays,
        [
            array(Some("md1"), Some(ArrayLevel::Raid10), 1024, 2),
            array(Some("md2"), Some(ArrayLevel::Raid0), 128, 2)
        ]
    );
    let detail = read(
        "mdadm",
        b"/dev/md0:\n           Version : 1.2\n        Raid Level : \
        raid6\n        Array Size : 3139584 (2.99 GiB 3.21 GB)\n      Raid Devices : \
        6\n            Layout : left-symmetric\n        Chunk Size : 512K\n\n    Number   Major   \
        Minor   RaidDevice State\n       0       8       16        0      active sync   \
        /dev/sdb\n",
    );
    assert_eq!(
        (detail.kind, &detail.arrays[..]),
        (
            NoteKind::Mdadm,
            &[array(Some("md0"), Some(ArrayLevel::Raid6), 1024, 4)][..]
        )
    );
    let examine = read(
        "mdadm",
        b"/dev/sdb:\n          Magic : a92b4efc\n     Raid Level : \
        raid5\n   Raid Devices : 5\n    Data Offset : 2048 sectors\n     Chunk Size : \
        256K\n/dev/sdc:\n     Raid Level : raid5\n   Raid Devices : 5\n     Chunk Size : 256K\n",
    );
    assert_eq!(
        examine.arrays,
        [array(None, Some(ArrayLevel::Raid5), 512, 4)]
    );
    assert!(values(&examine).contains(&"sdb data_offset_sectors=2048 sector".to_owned()));
}

#[test]
fn partition_tables() {
    let gpt = [
        "d.img1 start_sector=2048 sector",
        "d.img1 sectors=1000000 sectors",
        "d.img2 start_sector=1003520 sector",
        "d.img2 sectors=1093599 sectors",
    ];
    for name in ["sgdisk.txt", "fdisk.txt", "parted-s.txt"] {
        let note = sample(name);
        assert_eq!(
            (note.kind.clone(), values(&note)),
            (NoteKind::Partitions, gpt.map(str::to_owned).to_vec()),
            "{name}"
        );
    }
    let dos = [
        "m.img1 start_sector=63 sector",
        "m.img1 sectors=200000 sectors",
        "m.img2 start_sector=264192 sector",
        "m.img2 sectors=784384 sectors",
    ];
    for name in ["fdisk-dos.txt", "sfdisk-d.txt"] {
        assert_eq!(values(&sample(name)), dos, "{name}");
    }
    assert_eq!(
        values(&sample("parted.txt")),
        [""; 0],
        "megabytes are rounded: no sector"
    );
    let numbered = read(
        "p",
        b"Disk /dev/nvme0n1: 4096 sectors, 16.0 MiB\nSector size \
        (logical/physical): 4096/4096 bytes\nNumber  Start (sector)    End (sector)  Size       \
        Code  Name\n   1             256            1023   3.0 MiB     8300  \n",
    );
    assert_eq!(
        values(&numbered),
        [
            "nvme0n1p1 start_sector=2048 sector",
            "nvme0n1p1 sectors=6144 sectors"
        ]
    );
    let cylinders =
        b"Disk /dev/sda: 8589 MB, 8589934592 bytes\nUnits = cylinders of 16065 * 512 = \
        8225280 bytes\n   Device Boot      Start         End      Blocks   Id  System\n/dev/sda1   \
        *           1        1044     8385898+  83  Linux\n";
    assert_eq!(values(&read("fdisk", cylinders)), [""; 0]);
}

#[test]
fn block_devices() {
    for name in ["lsblk.txt", "lsblk.json"] {
        let note = sample(name);
        assert_eq!(note.kind, NoteKind::Lsblk, "{name}");
        assert!(
            note.names.contains(&("254,0".to_owned(), "vda".to_owned())),
            "{name}: {:?}",
            note.names
        );
    }
    for name in ["lsblk-t.txt", "lsblk-t.json"] {
        let note = sample(name);
        assert_eq!(
            note.schedulers,
            [(Some("vda".to_owned()), "mq-deadline".to_owned())],
            "{name}"
        );
        assert_eq!(note.arrays, [], "{name}: a page is no stripe");
        assert!(
            values(&note).contains(&"vda read_ahead_kb=8192 KiB".to_owned()),
            "{name}"
        );
    }
    let tree = "NAME   MAJ:MIN RM  SIZE RO TYPE  MIN-IO  OPT-IO SCHED\nvda    254:0    0  512M  0 \
        disk     512       0 none\n└─md0    9:0    0    2G  0 raid5 262144 1048576 \nvdb    \
        254:16   0  512M  0 disk     512       0 none\n└─md0    9:0    0    2G  0 raid5 262144 \
        1048576 \n";
    let note = read("lsblk", tree.as_bytes());
    assert_eq!(
        note.arrays,
        [array(Some("md0"), Some(ArrayLevel::Raid5), 512, 4)]
    );
    assert_eq!(
        note.names.iter().map(|n| n.1.as_str()).collect::<Vec<_>>(),
        ["vda", "md0", "vdb"]
    );
}

#[test]
fn settings_and_descriptions() {
    let sysfs = sample("sysfs.txt");
    assert_eq!(
        (sysfs.kind, &sysfs.schedulers[..]),
        (
            NoteKind::Settings,
            &[(Some("vda".to_owned()), "mq-deadline".to_owned())][..]
        )
    );
    let md = read("sys", b"/sys/block/md0/md/level:raid5\n/sys/block/md0/md/raid_disks:5\n/sys/block/md0/md/chunk_size:262144\nkernel.osrelease = 6.1.0-47-amd64\n");
    assert_eq!(
        md.arrays,
        [array(Some("md0"), Some(ArrayLevel::Raid5), 512, 4)]
    );
    assert_eq!(md.kernel.as_deref(), Some("6.1.0-47-amd64"));

    let raid = sample("raid5-meta.json");
    assert_eq!(raid.kind, NoteKind::Description);
    assert_eq!(raid.kernel.as_deref(), Some("6.12.113+deb12-amd64"));
    assert_eq!(
        raid.arrays[0],
        array(Some("md0"), Some(ArrayLevel::Raid5), 512, 4)
    );
    let parts = sample("partitions-meta.json");
    assert_eq!(
        parts.schedulers,
        [(Some("vda".to_owned()), "bfq".to_owned())]
    );
    assert!(
        values(&parts).contains(&"vda2 start_sector=502048 sector".to_owned()),
        "{:?}",
        values(&parts)
    );
    assert!(
        parts
            .names
            .contains(&("254,2".to_owned(), "vda2".to_owned()))
    );
}

#[test]
fn what_is_not_understood_is_shown() {
    let note = sample("mkfs.txt");
    assert_eq!(
        (
            note.kind.clone(),
            note.facts.len(),
            note.lines.len(),
            note.lines[0].as_str()
        ),
        (NoteKind::Text, 0, 8, "mke2fs 1.47.0 (5-Feb-2023)")
    );
    assert_eq!(
        read("x.json", b"{\"colour\": \"red\"}").kind,
        NoteKind::Text
    );
    assert_eq!(read("empty", b"").lines, [""; 0]);
    assert_eq!(
        read(
            "x.png",
            b"\x89PNG\r\n\0\0\0\rIHDR and more of it, longer than any record could be"
        )
        .kind,
        NoteKind::Binary
    );
    let long = read("long", &b"x".repeat(3 << 20));
    assert_eq!(long.lines[0].len(), 160);
    // The facts of a mail's outputs are added to those of the machine.
    let mail = "uname:\nLinux debian 6.1.0-47-amd64 #1 SMP x86_64 GNU/Linux\n\n614400 bytes (614 \
        kB, 600 KiB) copied, 0.43 s, 1.4 MB/s\n";
    let note = read("mail", mail.as_bytes());
    assert_eq!(
        (note.kind, note.what.as_str(), note.facts.len()),
        (NoteKind::Uname, "kernel version", 2)
    );
}

#[test]
fn nothing_panics() {
    for name in [
        "dropped/blktrace.log",
        "mdstat.txt",
        "sgdisk.txt",
        "lsblk-t.txt",
        "raid5-meta.json",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/notes")
            .join(name);
        let whole = std::fs::read(path).unwrap();
        for end in (0..whole.len()).step_by(37) {
            read(name, &whole[..end]);
            let mut odd = whole.clone();
            odd[end] ^= 0x95;
            read(name, &odd);
        }
    }
    let deep = "[".repeat(100_000);
    assert_eq!(read("deep", deep.as_bytes()).kind, NoteKind::Text);
}

fn files(label: &str, paths: &[&str]) -> TracePaths {
    TracePaths {
        label: label.to_owned(),
        paths: paths.iter().map(|p| (*p).to_owned()).collect(),
    }
}

fn uname(file: &str, release: &str) -> Note {
    read(file, format!("{release}\n").as_bytes())
}

#[test]
fn notes_find_their_traces() {
    let traces = [
        files("a", &["d/a/trace.blktrace.0"]),
        files("b", &["d/b/trace.blktrace.0"]),
        files("sda", &["sda.blktrace.0", "sda.blktrace.1"]),
        files("sdb", &["sdb.blktrace.0"]),
    ];
    let owners = |file: &str| {
        assign(&traces, vec![uname(file, "6.1.0")]).notes[0]
            .traces
            .clone()
    };
    assert_eq!(owners("d/a/uname.txt"), [0]);
    assert_eq!(owners("d/b/logs/uname.txt"), [1]);
    assert_eq!(owners("d/uname.txt"), [0, 1]);
    assert_eq!(owners("sda-fio.json"), [2]);
    assert_eq!(owners("sdas.json"), [2, 3]);
    assert_eq!(owners("uname.txt"), [2, 3]);
    assert_eq!(owners("elsewhere/uname.txt"), [0, 1, 2, 3]);
}

#[test]
fn labels_that_say_nothing_are_made_of_notes() {
    let label = |files: &[TracePaths], notes: Vec<Note>| {
        assign(files, notes)
            .runs
            .into_iter()
            .map(|r| r.label)
            .collect::<Vec<_>>()
    };
    let traces = [
        files("trace", &["a/trace.blktrace.0"]),
        files("trace (2)", &["b/trace.blktrace.0"]),
    ];
    let notes = |a: &str, b: &str| vec![uname("a/uname", a), uname("b/uname", b)];
    assert_eq!(
        label(&traces, notes("6.1.0", "6.12.113")),
        ["6.1.0", "6.12.113"]
    );
    assert_eq!(
        label(&traces, notes("6.1.0", "6.1.0")),
        ["trace", "trace (2)"],
        "they are equal for both runs"
    );
    let scheduler = |file: &str, name: &str| {
        read(
            file,
            format!("/sys/block/sda/queue/scheduler:[{name}]\n").as_bytes(),
        )
    };
    let same_kernel = || notes("6.1.0", "6.1.0");
    let with = |a: &str, b: &str| {
        [
            same_kernel(),
            vec![scheduler("a/sys", a), scheduler("b/sys", b)],
        ]
        .concat()
    };
    assert_eq!(label(&traces, with("bfq", "none")), ["bfq", "none"]);
    let named = [
        files("before", &["a/before.blktrace.0"]),
        files("trace", &["b/trace.blktrace.0"]),
    ];
    assert_eq!(
        label(&named, notes("6.1.0", "6.12.113")),
        ["before", "6.12.113"]
    );
}

#[test]
fn drops_count_for_the_trace_they_are_of() {
    let log = |file: &str| Note {
        file: file.to_owned(),
        ..sample("dropped/blktrace.log")
    };
    let drops = |traces: &[TracePaths], notes: Vec<Note>| {
        assign(traces, notes)
            .runs
            .into_iter()
            .map(|r| r.dropped.map(|d| d.events))
            .collect::<Vec<_>>()
    };
    let (a, b) = (
        files("a", &["a/trace.blktrace.0"]),
        files("b", &["b/trace.blktrace.0"]),
    );
    assert_eq!(
        drops(&[a.clone(), b.clone()], vec![log("a/blktrace.log")]),
        [Some(15341), None]
    );
    assert_eq!(
        drops(&[a.clone(), b], vec![log("blktrace.log")]),
        [None, None],
        "of which one is unknown"
    );
    let devices = [
        files("vda", &["vda.blktrace.0"]),
        files("vdb", &["vdb.blktrace.0"]),
    ];
    assert_eq!(
        drops(&devices, vec![log("blktrace.log")]),
        [Some(15341), None],
        "the log names its device"
    );
    assert_eq!(
        drops(
            std::slice::from_ref(&a),
            vec![log("a/blktrace.log"), log("a/copy.log")]
        ),
        [Some(15341)],
        "a copy counts once"
    );
    let none = Note {
        file: "a/x.log".to_owned(),
        ..sample("two-devices.log")
    };
    assert_eq!(drops(&[a], vec![none]), [Some(0)]);
}
