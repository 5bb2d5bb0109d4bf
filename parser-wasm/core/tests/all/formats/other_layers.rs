//! Events of the layers above in Perfetto's traces, and system calls by their numbers.

use crate::common::{File, read};
use crate::formats::call_stacks::{archive, unpacked};
use crate::formats::perfetto::{bytes, description, number, user_device};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use seekscope_core::beside::FilesBeside;
use seekscope_core::event::Op;
use seekscope_core::store::{NO_FD, Store};
use seekscope_formats::machine::Machine;
use seekscope_formats::other::read_other_events;
use std::collections::BTreeMap;
use std::io::Write;

/// A field of an event: its name, and a number or a text.
enum Value {
    Number(i64),
    Text(&'static str),
}
use Value::{Number, Text};

type Fields<'a> = &'a [(&'a str, Value)];

fn value(field: u64, value: &Value) -> Vec<u8> {
    match value {
        Number(n) => number(field, *n as u64),
        Text(text) => bytes(field, text.as_bytes()),
    }
}

/// The message of an event that has a type: fields in the order of their numbers.
fn typed(event: u64, fields: &[Value]) -> Vec<u8> {
    let fields: Vec<Vec<u8>> = (1..)
        .zip(fields)
        .map(|(i, field)| value(i, field))
        .collect();
    bytes(event, &fields.concat())
}

fn generic(name: &str, fields: Fields) -> Vec<u8> {
    let field = |(name, field): &(&str, Value)| {
        let place = if matches!(field, Number(_)) { 5 } else { 3 };
        bytes(
            2,
            &[bytes(1, name.as_bytes()), value(place, field)].concat(),
        )
    };
    let fields: Vec<Vec<u8>> = fields.iter().map(field).collect();
    bytes(327, &[bytes(1, name.as_bytes()), fields.concat()].concat())
}

/// A packet of one event.
fn packet(time: u64, pid: u64, event: &[u8]) -> Vec<u8> {
    let event = bytes(
        2,
        &[number(1, time), number(2, pid), event.to_vec()].concat(),
    );
    bytes(1, &bytes(1, &[number(1, 0), event].concat()))
}

/// A packet with the names of the kernel.
fn system(machine: &str) -> Vec<u8> {
    let names = [bytes(1, b"Linux"), bytes(4, machine.as_bytes())].concat();
    bytes(1, &bytes(45, &bytes(1, &names)))
}

fn thread(pid: u64, name: &str) -> Vec<u8> {
    let thread = [number(1, pid), bytes(2, name.as_bytes())].concat();
    bytes(1, &bytes(2, &bytes(2, &thread)))
}

fn lines(data: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    read_other_events(data, &mut |event| {
        let (time, pid, comm) = (event.time, event.pid, event.comm);
        lines.push(format!(
            "{time} {comm}-{pid} {}: {}",
            event.name, event.fields
        ));
    });
    lines
}

#[test]
fn events_of_perfetto_are_printed_as_by_the_kernel() {
    let device = |text| Number(user_device(text) as i64);
    let map = [
        device("254,1"),
        Number(62),
        Number(1),
        Number(2138),
        Number(3),
        Number(2),
        Number(0x30),
        Number(2),
    ];
    let free = [
        device("8,0"),
        Number(5),
        Number(9),
        Number(1),
        Number(0x11),
        Number(0o100_644),
    ];
    let folio = [
        ("name", Text("254:0")),
        ("ino", Number(5)),
        ("index", Number(2)),
    ];
    let commit = [("dev", device("254,300")), ("transaction", Number(9))];
    let write = [
        "dev",
        "ino",
        "index",
        "old_blkaddr",
        "new_blkaddr",
        "type",
        "temp",
        "op",
    ];
    let written: Vec<Vec<u8>> = (1..)
        .zip([user_device("254,1"), 7, 16, 0, 0x1a00, 0, 1, 1])
        .map(|(field, n)| number(field, n))
        .collect();
    let events = [
        typed(167, &map),
        typed(178, &free),
        generic("writeback_dirty_folio", &folio),
        generic("jbd2_end_commit", &commit),
        generic("sched_switch", &[("prev_pid", Number(1))]),
        bytes(65_536, &written.concat()),
        typed(43, &[device("8,0"), Number(5), Number(2), Number(1)]),
        typed(236, &[Number(7), Text("a"), Text("b c"), Number(-5)]),
        typed(329, &[Number(18)]),
        typed(330, &[Number(18), Number(-5)]),
    ];
    let packets: Vec<Vec<u8>> = (1..)
        .zip(&events)
        .map(|(time, event)| packet(time, 9, event))
        .collect();
    let other = [
        thread(9, "fio"),
        description(65_536, "f2fs_submit_folio_write", &write),
        system("aarch64"),
    ]
    .concat();
    let file = [packets.concat(), other.clone()].concat();
    let expected = [
        "1 fio-9 ext4_ext_map_blocks_exit: \
         dev 254,1 ino 62 flags CREATE lblk 3 pblk 2138 len 2 mflags NM ret 2",
        "2 fio-9 ext4_free_blocks: dev 8,0 ino 5 mode 0100644 block 9 count 1 flags METADATA|0x10",
        "3 fio-9 writeback_dirty_folio: bdi 254:0: ino=5 index=2",
        "4 fio-9 jbd2_end_commit: dev 254,300 transaction 9",
        "6 fio-9 f2fs_submit_folio_write: dev = 254,1, ino = 7, page_index = 0x10, oldaddr = 0x0, \
         newaddr = 0x1a00, type = WARM_DATA",
        "7 fio-9 ext4_sync_file_enter: dev 8,0 ino 5 datasync 1",
        "8 fio-9 task_rename: pid=7 oldcomm=a newcomm=b c oom_score_adj=-5",
        "9 fio-9 sys_enter: NR 18",
        "10 fio-9 sys_exit: NR 18 = -5",
    ];
    assert_eq!(lines(&file), expected);
    read_other_events(&file, &mut |event| {
        assert_eq!(event.machine, Some(Machine::Arm64));
    });
    // Compressed packets say the same.
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(&packets.concat())
        .expect("memory can be written");
    let packed = bytes(
        1,
        &bytes(50, &encoder.finish().expect("memory can be written")),
    );
    assert_eq!(lines(&[other, packed].concat()), expected);
    // A file that ends early has the events before.
    for length in 0..file.len() {
        let cut = lines(&file[..length]);
        let whole = cut.iter().filter(|line| expected.contains(&line.as_str()));
        assert!(cut.len() <= expected.len() && whole.count() + 9 >= cut.len());
    }
}

/// A store with what the trace itself says about other layers.
fn placed(files: &[File]) -> Store {
    let mut store = read(files, 1 << 20);
    let mut beside = FilesBeside::default();
    for (name, bytes) in files {
        let (head, rest) = bytes.split_at(bytes.len().min(1 << 16));
        if beside.add_trace(name, head) {
            beside.feed(rest);
            beside.close();
        }
    }
    beside.finish(&mut store);
    store
}

/// How many requests were queued in each call, and how many of those calls have a file descriptor.
fn calls(store: &Store) -> BTreeMap<String, (usize, usize)> {
    let calls = store.calls.as_deref().expect("there are calls");
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for row in 0..store.requests.len() {
        if let Some((name, call)) = calls.name(row).zip(calls.call(row)) {
            let count = counts.entry(name.to_owned()).or_default();
            count.0 += 1;
            count.1 += usize::from(call.fd != NO_FD);
        }
    }
    counts
}

#[test]
fn a_request_of_perfetto_has_its_call() {
    let request = |event, sector| {
        let device = Number(user_device("8,0") as i64);
        typed(
            event,
            &[device, Number(sector), Number(8), Text("WS"), Text("fio")],
        )
    };
    let issue = |sector| {
        let device = Number(user_device("8,0") as i64);
        typed(
            45,
            &[
                device,
                Number(sector),
                Number(8),
                Number(4096),
                Text("WS"),
                Text("fio"),
            ],
        )
    };
    let complete = |sector| {
        let device = Number(user_device("8,0") as i64);
        typed(
            125,
            &[device, Number(sector), Number(8), Number(0), Text("WS")],
        )
    };
    let events = [
        typed(329, &[Number(68)]),
        request(119, 64),
        issue(64),
        typed(330, &[Number(68), Number(4096)]),
        complete(64),
        typed(329, &[Number(426)]),
        request(119, 128),
        issue(128),
        typed(330, &[Number(426), Number(1)]),
        complete(128),
    ];
    let packets = (1..)
        .zip(&events)
        .map(|(time, event)| packet(time * 10_000, 9, event));
    let packets: Vec<u8> = packets.collect::<Vec<_>>().concat();
    let file = |packets: Vec<u8>| vec![("trace.pftrace".to_owned(), packets)];
    let names = |store: &Store| calls(store).into_keys().collect::<Vec<_>>();
    let arm = placed(&file([packets.clone(), system("aarch64")].concat()));
    assert_eq!(names(&arm), ["io_uring_enter()", "pwrite64()"]);
    // Without a machine, only what is the same on all of them has a name.
    assert_eq!(
        names(&placed(&file(packets))),
        ["call NR 68", "io_uring_enter()"]
    );
}

#[test]
fn numbers_of_calls_are_names_where_the_machine_is_known() {
    let data = unpacked("calls-6.12.trace.dat.xz");
    let store = placed(&[("trace.dat".to_owned(), data)]);
    let counts = calls(&store);
    // Six times eight direct writes; six syncs, one of the whole machine, and reads without a
    // cache.
    assert_eq!(counts.get("write()"), Some(&(48, 48)), "{counts:?}");
    assert!(
        counts.contains_key("fsync()") && counts.contains_key("read()"),
        "{counts:?}"
    );
    assert!(
        !counts.keys().any(|name| name.starts_with("call NR")),
        "{counts:?}"
    );
}

#[test]
fn operations_of_io_uring_queue_requests_of_their_kind() {
    let (traces, texts): (Vec<File>, Vec<File>) = archive("uring-6.12.tar.xz")
        .into_iter()
        .partition(|file| file.0.contains(".blktrace."));
    let mut store = read(&traces, 1 << 20);
    let mut beside = FilesBeside::default();
    for (name, bytes) in &texts {
        let (head, rest) = bytes.split_at(bytes.len().min(1 << 16));
        assert!(beside.add(name, head));
        beside.feed(rest);
        beside.close();
    }
    beside.finish(&mut store);
    let text = String::from_utf8_lossy(&texts[0].1).into_owned();
    let calls = store.calls.as_deref().expect("there are calls");
    let mut reads = 0;
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        let name = store.processes[request.process() as usize].name.as_deref();
        let is_fio = name == Some("fio");
        let expected = match calls.name(row) {
            Some("io_uring READ") => Op::Read,
            Some("io_uring WRITE") => Op::Write,
            Some("io_uring FSYNC") => Op::Flush,
            other => {
                // Workers of io_uring are in no operation that an event names, but they sync files.
                assert!(
                    !is_fio && matches!(other, None | Some("fsync()")),
                    "{row} {name:?}"
                );
                continue;
            }
        };
        assert!(is_fio, "{row} {name:?}");
        assert_eq!(request.op(), expected, "{row}");
        reads += usize::from(expected == Op::Read);
    }
    // Of 600 reads each one is a request of its own.
    let submitted = text
        .lines()
        .filter(|line| line.contains("opcode READ"))
        .count();
    assert_eq!((reads, submitted), (600, 600));
}
