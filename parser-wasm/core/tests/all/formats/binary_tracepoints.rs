//! trace.dat and perf.data say what their own tools print of them, and what blktrace recorded of
//! the same run.

use crate::common::{File, fixtures, read};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::capabilities::Capabilities;
use seekscope_core::error::Error;
use seekscope_core::event::Action;
use seekscope_core::limits::MAX_EXACT;
use seekscope_core::measure::Window;
use seekscope_core::measure::figures::{Figures, figures};
use seekscope_core::store::{Stage, Store};
use std::io::Read;

/// A file of a run, unpacked when it is packed.
fn file(run: &str, name: &str) -> File {
    let path = fixtures().join("../binaries").join(run).join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(plain) = name.strip_suffix(".xz") else {
        return (name.to_owned(), bytes);
    };
    let mut unpacked = Vec::new();
    lzma_rust2::XzReader::new(bytes.as_slice(), false)
        .read_to_end(&mut unpacked)
        .expect("the fixture decompresses");
    (plain.to_owned(), unpacked)
}

/// A binary, its tool's text, and what the text is exact to, ns.
const BINARIES: [(&str, &str, &str, u64); 5] = [
    ("trace-cmd-6.1", "trace.dat", "report.txt.xz", 500),
    ("trace-cmd-6.12", "trace.dat", "report.txt.xz", 500),
    ("trace-cmd-6.12", "trace-plain.dat.xz", "report.txt.xz", 500),
    (
        "trace-cmd-6.12",
        "trace-version-6.dat.xz",
        "report.txt.xz",
        500,
    ),
    ("perf-6.1", "perf.data.xz", "script.txt.xz", 999),
];

fn twin(run: &str) -> Store {
    read(
        &["trace.blktrace.0.xz", "trace.blktrace.1.xz"].map(|name| file(run, name)),
        1 << 20,
    )
}

/// Time of each event, and everything else that it says; of tasks the name too where `named`.
fn events(store: &Store, named: fn(u32) -> bool) -> Vec<(u64, String)> {
    let e = &store.events;
    (0..e.len())
        .map(|i| {
            let action = if e.action(i) == Action::UnplugTimer {
                Action::Unplug
            } else {
                e.action(i)
            };
            let task = &store.processes[e.process(i) as usize];
            let name = task
                .name
                .as_deref()
                .filter(|_| named(task.pid))
                .unwrap_or_default();
            let device = store.devices[e.device(i) as usize].number;
            let words = format!(
                "{device} {} {} {} {:?} {:?} cpu {} error {} {} {name}",
                action.letters(),
                e.sector(i),
                e.bytes(i),
                e.flags(i),
                e.detail(i),
                e.cpu(i),
                e.error(i),
                task.pid
            );
            (e.time(i) + store.origin, words)
        })
        .collect()
}

#[test]
fn the_tools_own_text() {
    for (run, binary, text, exact) in BINARIES {
        let (binary, text) = (
            read(&[file(run, binary)], 1 << 20),
            read(&[file(run, text)], 1 << 20),
        );
        let (got, wanted) = (events(&binary, |_| true), events(&text, |_| true));
        assert!(
            got.len() > 3000 && got.len() == wanted.len(),
            "{run}: {} {}",
            got.len(),
            wanted.len()
        );
        for (a, b) in got.iter().zip(&wanted) {
            assert!(
                a.1 == b.1 && a.0.abs_diff(b.0) <= exact,
                "{run}: {a:?} {b:?}"
            );
        }
        assert_eq!(binary.quality.warnings, [], "{run}");
    }
}

#[test]
fn what_blktrace_recorded() {
    let close = |a: f64, b: f64| (a - b).abs() <= 0.02 * b;
    for (run, name, _, _) in BINARIES {
        let (binary, twin) = (read(&[file(run, name)], 1 << 20), twin(run));
        let words = |store: &Store| {
            let mut words: Vec<String> = events(store, |pid| pid != 0)
                .into_iter()
                .map(|e| e.1)
                .collect();
            words.sort();
            words
        };
        assert!(words(&binary) == words(&twin), "{run}/{name}");
        assert_eq!(
            binary.quality.unmatched, twin.quality.unmatched,
            "{run}/{name}"
        );
        let disk =
            |store: &Store| -> Figures { figures(store, Window::WHOLE, None).swap_remove(0) };
        let (a, b) = (disk(&binary), disk(&twin));
        assert_eq!(
            (&a.sizes, a.counts.read_bytes),
            (&b.sizes, b.counts.read_bytes),
            "{run}/{name}"
        );
        for stage in Stage::ALL {
            let samples = |store: &Store| store.devices[0].bio_stages.get(stage).n;
            assert_eq!(samples(&binary), samples(&twin), "{run}/{name}: {stage:?}");
        }
        let d2c = |f: &Figures| {
            f.latency
                .iter()
                .find(|l| l.0 == Stage::D2C)
                .map(|l| (l.1.n, l.1.mean))
                .expect("requests complete")
        };
        assert_eq!(d2c(&a).0, d2c(&b).0);
        assert!(
            close(d2c(&a).1, d2c(&b).1),
            "{run}/{name}: {:?} {:?}",
            d2c(&a),
            d2c(&b)
        );
    }
}

#[test]
fn times_have_ns() {
    for (run, name, _, _) in BINARIES {
        let store = read(&[file(run, name)], 1 << 20);
        let whole = (0..store.events.len())
            .filter(|&i| (store.events.time(i) + store.origin).is_multiple_of(1000))
            .count();
        assert!(
            whole * 20 < store.events.len(),
            "{run}/{name}: {whole} of {}",
            store.events.len()
        );
    }
}

#[test]
fn what_they_carry() {
    for (run, name, _, _) in BINARIES {
        let capabilities = read(&[file(run, name)], 1 << 20).capabilities;
        assert!(capabilities.has(
            Capabilities::QUEUES
                | Capabilities::ISSUES
                | Capabilities::PLUGS
                | Capabilities::CPUS
                | Capabilities::PROCESSES
        ));
        for absent in [
            Capabilities::SEQUENCES,
            Capabilities::MESSAGES,
            Capabilities::PLUG_DEVICES,
            Capabilities::REMAPS,
            Capabilities::REQUEUES,
        ] {
            assert!(!capabilities.has(absent), "{run}/{name}: {absent:?}");
        }
    }
}

/// The same file as written to a pipe: the header and the sections after the data become records.
fn piped(data: &[u8]) -> Vec<u8> {
    let u64_at = |offset: usize| {
        u64::from_le_bytes(data[offset..offset + 8].try_into().expect("eight bytes")) as usize
    };
    let (size, attributes, length, records, end) = (
        u64_at(16),
        u64_at(24),
        u64_at(32),
        u64_at(40),
        u64_at(40) + u64_at(48),
    );
    let mut out = [b"PERFILE2".as_slice(), &16u64.to_le_bytes()].concat();
    let record = |kind: u32, body: &[u8]| {
        [
            kind.to_le_bytes().as_slice(),
            &[0, 0],
            &(8 + body.len() as u16).to_le_bytes(),
            body,
        ]
        .concat()
    };
    for attribute in data[attributes..attributes + length].chunks(size) {
        let offset = |from: usize| {
            u64::from_le_bytes(attribute[from..from + 8].try_into().expect("eight bytes")) as usize
        };
        let (ids, bytes) = (offset(size - 16), offset(size - 8));
        out.extend(record(
            64,
            &[&attribute[..size - 16], &data[ids..ids + bytes]].concat(),
        ));
    }
    let (tracefs, bytes) = (u64_at(end), u64_at(end + 8));
    out.extend(record(66, &(bytes as u32).to_le_bytes()));
    out.extend(&data[tracefs..tracefs + bytes]);
    out.resize(out.len() - bytes + bytes.next_multiple_of(8), 0);
    out.extend(&data[records..end]);
    out
}

/// The same file as `perf record -z` writes it: one zstd frame, in pieces.
fn packed(data: &[u8]) -> Vec<u8> {
    let u64_at = |offset: usize| {
        u64::from_le_bytes(data[offset..offset + 8].try_into().expect("eight bytes")) as usize
    };
    let (records, end) = (u64_at(40), u64_at(40) + u64_at(48));
    let frame = ruzstd::encoding::compress_to_vec(
        &data[records..end],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let mut out = data[..records].to_vec();
    for piece in frame.chunks(4000) {
        out.extend(81u32.to_le_bytes());
        out.extend([0, 0]);
        out.extend((8 + piece.len() as u16).to_le_bytes());
        out.extend(piece);
    }
    let behind = out.len();
    out[48..56].copy_from_slice(&((behind - records) as u64).to_le_bytes());
    out.extend(&data[end..]);
    let parts =
        u64::from_le_bytes(data[72..80].try_into().expect("eight bytes")).count_ones() as usize;
    for i in 0..parts {
        let moved = (u64_at(end + 16 * i) + behind - end) as u64;
        out[behind + 16 * i..behind + 16 * i + 8].copy_from_slice(&moved.to_le_bytes());
    }
    out
}

#[test]
fn perf_through_a_pipe_and_compressed() {
    let (name, data) = file("perf-6.1", "perf.data.xz");
    let wanted = crate::common::digest(&read(&[(name.clone(), data.clone())], 1 << 20));
    assert!(crate::common::digest(&read(&[(name.clone(), piped(&data))], 1 << 20)) == wanted);
    let store = read(&[(name.clone(), packed(&data))], 1 << 20);
    assert!(crate::common::digest(&store) == wanted);
    assert_eq!(store.quality.warnings, []);
}

fn attempt(name: &str, data: &[u8]) -> Result<Store, Error> {
    let mut builder = TraceBuilder::new(
        "test",
        "test",
        vec![TraceFile {
            name: name.to_owned(),
            size: data.len() as u64,
            ..TraceFile::default()
        }],
    );
    for piece in data.chunks(1 << 16) {
        builder.feed(0, piece);
    }
    builder.close(0);
    builder.finish()
}

/// A file truncated anywhere gives its remaining events with a warning, or an error that names what
/// is missing.
#[test]
fn cut_files() {
    for (run, name, _, _) in BINARIES {
        let (name, data) = file(run, name);
        let whole = attempt(&name, &data)
            .expect("the complete file opens")
            .events
            .len();
        let mut partial = 0;
        for share in 0..32 {
            let cut = &data[..data.len() * share / 32];
            match attempt(&name, cut) {
                Ok(store) => {
                    partial += 1;
                    assert!(store.events.len() <= whole);
                    let reported =
                        !store.quality.warnings.is_empty() || store.events.len() == whole;
                    assert!(reported, "{run}/{name} cut to {}", cut.len());
                }
                Err(error) => assert!(
                    error.remedy.is_some(),
                    "{run}/{name} cut to {}: {error}",
                    cut.len()
                ),
            }
        }
        // The event descriptions of a perf.data are at its end.
        let most = if name == "perf.data" { 1 } else { 31 };
        assert!(partial <= most, "{run}/{name}: {partial}");
    }
}

#[test]
fn what_is_wrong_is_reported() {
    let (_, perf) = file("perf-6.1", "perf.data.xz");
    let (_, dat) = file("trace-cmd-6.12", "trace.dat");
    let mut version = dat.clone();
    version[10] = b'9';
    let mut method = dat.clone();
    method[18..22].copy_from_slice(b"lzma");
    let killed = [&perf[..48], &[0; 8], &perf[56..100_000]].concat();
    for (data, code) in [
        (&perf[..perf.len() / 2], "no-event-formats"),
        (&killed, "no-event-formats"),
        (&dat[..600], "no-event-formats"),
        (&dat[..30], "no-event-formats"),
        (&version, "unsupported-version"),
        (&method, "unsupported-compression"),
    ] {
        let error = attempt("a file", data).expect_err("nothing can be read");
        assert_eq!(error.code, code, "{error}");
    }
}

/// Counts of lost events that cannot be, in perf's records and in trace-cmd's statistics.
#[test]
fn impossible_counts_are_reported() {
    let warning = |name: &str, data: &[u8]| {
        let store = attempt(name, data).expect("events");
        assert_eq!(store.quality.lost_events, MAX_EXACT);
        let found = store.quality.warnings;
        let warning = found.into_iter().find(|w| w.code == "count-outliers");
        warning.expect("the count cannot be").at.expect("a place")
    };
    let (name, perf) = file("perf-6.1", "perf.data.xz");
    let mut lost = piped(&perf);
    let place = lost.len() as u64;
    lost.extend([2u32.to_le_bytes(), [0, 0, 24, 0]].concat());
    lost.extend([1u64.to_le_bytes(), (u64::MAX - 7).to_le_bytes()].concat());
    assert_eq!(warning(&name, &lost).byte, Some(place));
    let (name, mut dat) = file("trace-cmd-6.12", "trace.dat");
    let (before, digits) = (
        b"overrun: 0\ncommit overrun: 0\n",
        b"overrun: 9999999999999999999\n",
    );
    let place = dat.windows(before.len()).position(|bytes| bytes == before);
    dat[place.expect("statistics")..][..digits.len()].copy_from_slice(digits);
    assert_eq!(warning(&name, &dat).file, name);
}

/// A version 7 file without the list at its end still gives the samples that are there.
#[test]
fn a_trace_dat_without_its_end() {
    for name in ["trace.dat", "trace-plain.dat.xz"] {
        let (name, data) = file("trace-cmd-6.12", name);
        let whole = attempt(&name, &data).expect("the complete file opens");
        let cut = attempt(&name, &data[..data.len() - 200]).expect("the samples are there");
        assert!(events(&cut, |_| true) == events(&whole, |_| true), "{name}");
    }
}

/// Damaged bytes make no panic, and nothing absurd.
#[test]
fn damaged_files() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (run, name, _, _) in BINARIES {
        let (name, data) = file(run, name);
        for round in 0..24 {
            let mut bad = data.clone();
            // Headers, where damage does most, as often as the rest.
            let range = if round % 2 == 0 {
                bad.len().min(2000)
            } else {
                bad.len()
            };
            for _ in 0..1 + random(8) {
                bad[random(range)] = random(256) as u8;
            }
            if let Ok(store) = attempt(&name, &bad) {
                assert!(store.events.len() < 10_000, "{run}/{name}");
            }
        }
    }
}
