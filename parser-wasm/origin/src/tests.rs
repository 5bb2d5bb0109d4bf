//! Recordings in small: a drawn trace, its side files, and what its requests belong to.

use crate::OriginReader;
use seekscope_trace::fixture;
use seekscope_trace::store::{NO_OFFSET, ObjectKind, Objects, Store, UnknownObject};

/// Partition 8,1 begins at sector 1000 of disk 8,0.
const PARTITION: &str = "0 A 1000+8 W from=1:0\n0 Q 1000+8 W pid=9\n1 D 1000+8 W\n2 C 1000+8 W\n";

const MOUNTS: &str = "32 1 8:1 / /m rw,relatime - ext4 /dev/sda1 rw\n";
const PARTITIONS: &str = "major minor  #blocks  name\n\n 8 0 100000 sda\n 8 1 50000 sda1\n";
const DUMP: &str = "Filesystem volume name:   <none>\nLast mounted on:          /m\n\
    Filesystem magic number:  0xEF53\nBlock size:               4096\n\n\
    Group 0: (Blocks 0-32767)\n  Primary superblock at 0, Group descriptors at 1-1\n  \
    Inode table at 73-584 (+73)\n  Free blocks: 2000-2999\n";

/// A file with one extent: path, first sector and sectors.
fn fiemap(files: &[(&str, u64, u64)]) -> String {
    let file = |&(path, start, sectors): &(&str, u64, u64)| {
        let (last, end) = (sectors - 1, start + sectors - 1);
        format!(
            "File size of {path} is 1 (1 block of 512 bytes)\n   \
             0:  0..{last}:  {start}..{end}:  {sectors}:  last,eof\n"
        )
    };
    let files: String = files.iter().map(file).collect();
    format!("Filesystem type is: ef53\n{files}")
}

/// The objects of a trace: each text has a path.
fn resolve(store: &Store, texts: &[(&str, &str)]) -> Objects {
    let mut reader = OriginReader::new();
    for (path, text) in texts {
        assert!(OriginReader::recognise(path, text.as_bytes()), "{path}");
        reader.open(path);
        reader.feed(text.as_bytes());
    }
    reader.finish(store)
}

/// A request's parts: kind, path, inode and offset, separated by blanks; `?` is unknown.
fn described(objects: &Objects, row: usize) -> Vec<String> {
    let part = |part: &seekscope_trace::store::ObjectPart| {
        let Some(object) = objects.object(part) else {
            return format!("{} ?", part.sectors);
        };
        let path = object.path.as_deref().unwrap_or("-");
        let inode = object
            .inode
            .map_or(String::from("-"), |inode| inode.to_string());
        let offset = match part.offset {
            NO_OFFSET => String::from("-"),
            offset => offset.to_string(),
        };
        format!(
            "{} {} {path} {inode} {offset}",
            part.sectors,
            object.kind.name()
        )
    };
    objects.parts(row).iter().map(part).collect()
}

fn writers(objects: &Objects, row: usize) -> Vec<String> {
    let names = |part| {
        let tasks = objects
            .writers(part)
            .map(|task| format!("{}[{}]", task.name, task.pid));
        tasks.collect::<Vec<_>>().join("|")
    };
    objects.parts(row).iter().map(names).collect()
}

/// A write of each place in the partition: time in microseconds, first sector and sectors.
fn writes(places: &[(u64, u64, u64)]) -> Store {
    let mut text = String::from(PARTITION);
    for (time, sector, sectors) in places {
        let (ns, place) = (time * 1000, format!("{}+{sectors}", sector + 1000));
        text += &format!(
            "{ns} Q {place} W pid=9\n{} D {place} W\n{} C {place} W\n",
            ns + 1,
            ns + 2
        );
    }
    fixture::store(&text)
}

/// The journal is partition 8,2, which begins at sector 500,000 of the disk.
#[test]
fn a_journal_on_a_device_of_its_own() {
    let text = format!(
        "{PARTITION}9 A 500016+8 W from=2:16\n9 Q 500016+8 W pid=3\n10 D 500016+8 W\n11 C 500016+8 W\n"
    );
    let dump = DUMP.replace("\n\n", "\nJournal device:           0x0802\n\n");
    let objects = resolve(
        &fixture::store(&text),
        &[
            ("start/mountinfo", MOUNTS),
            ("start/partitions", PARTITIONS),
            ("start/dumpe2fs.txt", &dump),
        ],
    );
    assert_eq!(described(&objects, 0), ["8 superblock - - -"]);
    assert_eq!(described(&objects, 1), ["8 journal - - -"]);
}

const INODES: &str = "5\tregular file\t1\t8\t/m/a\n6\tregular file\t1\t8\t/m/b\n";

#[test]
fn events_decide_by_time() {
    let store = writes(&[(10, 16000, 16), (30, 16000, 16), (50, 16000, 8)]);
    let start = fiemap(&[("/m/a", 16000, 16)]);
    let end = fiemap(&[("/m/b", 16000, 16)]);
    let events = "# tracer: nop\n\
        rm-7 [000] ..... 0.000020: ext4_free_blocks: dev 8,1 ino 5 mode 0 block 2000 count 2 flags\n\
        cp-8 [000] ..... 0.000022: writeback_dirty_folio: bdi 8:0: ino=6 index=0\n\
        kworker/u8:1-3 [000] ..... 0.000025: ext4_ext_map_blocks_exit: dev 8,1 ino 6 \
        flags CREATE|DELALLOC lblk 0 pblk 2000 len 2 mflags NM ret 2\n";
    let objects = resolve(
        &store,
        &[
            ("start/mountinfo", MOUNTS),
            ("start/dumpe2fs.txt", DUMP),
            ("start/fiemap.txt", &start),
            ("start/inodes.tsv", "5\tregular file\t1\t8\t/m/a\n"),
            ("end/mountinfo", MOUNTS),
            ("end/fiemap.txt", &end),
            ("end/inodes.tsv", "6\tregular file\t1\t8\t/m/b\n"),
            ("ftrace.txt", events),
        ],
    );
    assert_eq!(described(&objects, 1), ["16 file /m/a 5 0"]);
    // The second page was dirtied by nobody that is known.
    assert_eq!(
        described(&objects, 2),
        ["8 file /m/b 6 0", "8 file /m/b 6 4096"]
    );
    assert_eq!(writers(&objects, 2)[0], "cp[8]");
    assert_eq!(described(&objects, 3), ["8 file /m/b 6 0"]);
    assert_eq!(objects.unknown, []);
    assert_eq!(
        objects
            .objects
            .iter()
            .filter(|o| o.kind == ObjectKind::File)
            .count(),
        2
    );
}

#[test]
fn without_events_only_the_last_write_is_of_the_file_at_the_end() {
    let store = writes(&[(10, 16000, 16), (30, 16000, 8)]);
    let texts = [
        ("start/mountinfo", MOUNTS.to_owned()),
        ("start/fiemap.txt", fiemap(&[("/m/a", 16000, 16)])),
        ("end/mountinfo", MOUNTS.to_owned()),
        ("end/fiemap.txt", fiemap(&[("/m/b", 16000, 16)])),
    ];
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let objects = resolve(&store, &texts);
    assert_eq!(described(&objects, 1), ["16 ?"]);
    assert_eq!(described(&objects, 2), ["8 file /m/b - 0"]);
    assert!(objects.unknown.contains(&(UnknownObject::Moved, 16 * 512)));
}

#[test]
fn a_request_is_cut_at_owners_and_at_the_partition() {
    let text = format!(
        "{PARTITION}5 Q 992+40 W pid=9\n6 D 992+40 W\n7 C 992+40 W\n\
         8 Q 101000+16 R pid=9\n9 D 101000+16 R\n"
    );
    let store = fixture::store(&text);
    let objects = resolve(
        &store,
        &[
            ("end/mountinfo", MOUNTS),
            ("end/partitions", PARTITIONS),
            ("end/dumpe2fs.txt", DUMP),
        ],
    );
    let parts = [
        "8 outside - - -",
        "8 superblock - - -",
        "8 group-descriptors - - -",
        "16 ?",
    ];
    assert_eq!(described(&objects, 1), parts);
    assert_eq!(described(&objects, 2), ["16 outside - - -"]);
}

#[test]
fn a_read_has_the_task_that_queued_it_and_a_write_the_last_that_dirtied_it() {
    let text = format!(
        "{PARTITION}10000 Q 17000+8 R pid=7\n10001 D 17000+8 R\n10002 C 17000+8 R\n\
         30000 Q 17000+8 W pid=9\n30001 D 17000+8 W\n"
    );
    let store = fixture::store(&text);
    let map = fiemap(&[("/m/a", 16000, 16)]);
    let events = "# tracer: nop\n\
        one-5 [000] d..1. 0.000005: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n\
        two-6 [000] d..1. 0.000015: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n\
        jbd2/sda1-8-4 [000] d..1. 0.000016: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n\
        two-6 [000] d..1. 0.000040: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n";
    let objects = resolve(
        &store,
        &[
            ("start/mountinfo", MOUNTS),
            ("start/fiemap.txt", &map),
            ("start/inodes.tsv", INODES),
            ("end/mountinfo", MOUNTS),
            ("end/fiemap.txt", &map),
            ("end/inodes.tsv", INODES),
            ("end/processes.tsv", "7\treader\n9\tkworker/0:1H-kblockd\n"),
            ("ftrace.txt", events),
        ],
    );
    assert_eq!(described(&objects, 1), ["8 file /m/a 5 0"]);
    assert_eq!(writers(&objects, 1), ["reader[7]"]);
    assert_eq!(writers(&objects, 2), ["two[6]"]);
}

#[test]
fn direct_io_is_of_the_task_that_began_it() {
    let store = writes(&[(20, 16000, 8)]);
    let map = fiemap(&[("/m/a", 16000, 16)]);
    let events = "# tracer: nop\n\
        one-5 [000] d..1. 0.000005: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n\
        dd-9 [000] ..... 0.000015: iomap_dio_rw_begin: dev 8:1 ino 0x5 size 0x2000 offset 0x0 \
        length 0x1000 done_before 0x0\n\
        one-5 [000] d..1. 0.000050: writeback_dirty_folio: bdi 8:0: ino=5 index=0\n";
    let objects = resolve(
        &store,
        &[
            ("end/mountinfo", MOUNTS),
            ("end/fiemap.txt", &map),
            ("end/inodes.tsv", INODES),
            ("ftrace.txt", events),
        ],
    );
    assert_eq!(writers(&objects, 1), ["dd[9]"]);
}

#[test]
fn events_of_another_clock_say_nothing() {
    let store = writes(&[(20, 16000, 8)]);
    let map = fiemap(&[("/m/a", 16000, 16)]);
    let events = "# tracer: nop\n\
        cp-8 [000] ..... 900.000025: ext4_ext_map_blocks_exit: dev 8,1 ino 6 flags  lblk 0 \
        pblk 2000 len 2 mflags M ret 2\n";
    let objects = resolve(
        &store,
        &[
            ("end/mountinfo", MOUNTS),
            ("end/dumpe2fs.txt", DUMP),
            ("end/fiemap.txt", &map),
            ("ftrace.txt", events),
        ],
    );
    assert_eq!(described(&objects, 1), ["8 file /m/a - 0"]);
    assert_eq!(objects.left_out, 1);
}

#[test]
fn no_side_file_leaves_all_unknown() {
    let store = writes(&[(20, 16000, 8)]);
    let objects = OriginReader::new().finish(&store);
    assert_eq!(described(&objects, 1), ["8 ?"]);
    assert_eq!(objects.unknown, [(UnknownObject::NoMap, 16 * 512)]);
    assert_eq!(objects.first_parts.len(), store.requests.len() + 1);
}

/// Changes bytes and numbers of texts; the same for the same seed.
fn damage(text: &str, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + next() % 6 {
        let place = next() as usize % bytes.len();
        let digit = (place..bytes.len()).find(|&i| bytes[i].is_ascii_digit());
        match (next() % 4, digit) {
            (0, _) => bytes[place] = next() as u8,
            (1, _) => bytes.truncate(place.max(1)),
            (2, Some(digit)) => {
                let number: &[u8] = match next() % 4 {
                    0 => b"18446744073709551615",
                    1 => b"4294967296",
                    2 => b"9223372036854775807",
                    _ => b"0",
                };
                bytes.splice(digit..digit + 1, number.iter().copied());
            }
            _ => bytes.extend_from_within(place..),
        }
    }
    bytes
}

#[test]
fn damaged_texts_give_sound_parts() {
    let store = writes(&[
        (10, 0, 64),
        (30, 16000, 16),
        (50, 16000, 8),
        (60, 99_990, 64),
    ]);
    let map = fiemap(&[("/m/a", 16000, 16), ("/m/b", 24000, 1 << 20)]);
    let events = "# tracer: nop\n\
        rm-7 [000] ..... 0.000020: ext4_free_blocks: dev 8,1 ino 5 mode 0 block 2000 count 2 flags\n\
        cp-8 [000] ..... 0.000022: writeback_dirty_folio: bdi 8:0: ino=6 index=0\n\
        cp-8 [000] ..... 0.000023: iomap_dio_rw_begin: dev 8:1 ino 0x6 offset 0x0 length 0x1000\n\
        kworker/u8:1-3 [000] ..... 0.000025: ext4_ext_map_blocks_exit: dev 8,1 ino 6 \
        flags CREATE lblk 0 pblk 2000 len 2 mflags NM ret 2\n\
        cp-8 [000] ..... 0.000026: f2fs_submit_page_write: dev = (8,1), ino = 6, page_index = 0x0, \
        oldaddr = 0x1, newaddr = 0x7d0, rw = WRITE, type = WARM_DATA\n";
    let texts = [
        ("start/mountinfo", MOUNTS),
        ("start/partitions", PARTITIONS),
        ("start/dumpe2fs.txt", DUMP),
        ("start/fiemap.txt", map.as_str()),
        ("start/inodes.tsv", INODES),
        ("end/fiemap.txt", map.as_str()),
        ("ftrace.txt", events),
    ];
    for seed in 0..2000 {
        let mut reader = OriginReader::new();
        for (i, (path, text)) in (0..).zip(&texts) {
            reader.open(path);
            match (seed + i) % 3 {
                0 => reader.feed(&damage(text, seed * 8 + i)),
                _ => reader.feed(text.as_bytes()),
            }
        }
        let objects = reader.finish(&store);
        for row in 0..store.requests.len() {
            let sectors: u64 = objects
                .parts(row)
                .iter()
                .map(|part| u64::from(part.sectors))
                .sum();
            assert_eq!(
                sectors,
                store.requests.row(row).sectors(),
                "row {row}, seed {seed}"
            );
        }
    }
}
