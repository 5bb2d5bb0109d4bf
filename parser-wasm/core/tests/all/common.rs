//! Real recordings for tests, and ways to write the same records differently.
#![allow(dead_code)]

use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::notes::{self, TracePaths, ZoneNote};
use seekscope_core::store::{Stage, Store};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file of a recording: name and bytes.
pub type File = (String, Vec<u8>);

/// The folder of the project's recordings.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

/// The per-CPU files of a recording, by name.
pub fn recording(name: &str) -> Vec<File> {
    let mut files: Vec<File> = std::fs::read_dir(fixtures().join(name))
        .expect("the fixture exists")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.to_string_lossy().contains(".blktrace."))
        .map(|path| {
            let name = path
                .file_name()
                .expect("a file has a name")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read(&path).expect("a fixture can be read"))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{name} has no per-CPU file");
    files
}

/// The names of all recordings.
pub fn recordings() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(fixtures())
        .expect("the fixtures exist")
        .map(|entry| entry.expect("a folder can be listed"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A packed file of a recording of a zoned disk.
pub fn zoned_file(run: &str, name: &str) -> File {
    let path = fixtures()
        .join("../zones")
        .join(run)
        .join(format!("{name}.xz"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut plain = Vec::new();
    lzma_rust2::XzReader::new(bytes.as_slice(), false)
        .read_to_end(&mut plain)
        .expect("the fixture decompresses");
    (name.to_owned(), plain)
}

/// The zones that the texts next to a recording of a zoned disk name.
pub fn zone_notes(run: &str, texts: &[&str]) -> Vec<ZoneNote> {
    zone_notes_of(
        &texts
            .iter()
            .map(|name| fixtures().join("../zones").join(run).join(name))
            .collect::<Vec<_>>(),
    )
}

/// The zones that texts next to a recording name.
pub fn zone_notes_of(texts: &[PathBuf]) -> Vec<ZoneNote> {
    let read = |path: &PathBuf| {
        notes::read(
            &path.to_string_lossy(),
            &std::fs::read(path).expect("a note can be read"),
        )
    };
    let Some(folder) = texts.first().and_then(|path| path.parent()) else {
        return Vec::new();
    };
    let trace = folder
        .join("trace.blktrace.0")
        .to_string_lossy()
        .into_owned();
    let trace = TracePaths {
        label: "trace".to_owned(),
        paths: vec![trace],
    };
    notes::assign(&[trace], texts.iter().map(read).collect())
        .runs
        .swap_remove(0)
        .zones
}

/// Builds a store from files fed as the merge asks for them, in pieces of `piece` bytes.
pub fn read(files: &[File], piece: usize) -> Store {
    build(files, piece, Vec::new())
}

/// The store of a recording with zones from notes.
pub fn read_with_zones(files: &[File], zones: Vec<ZoneNote>) -> Store {
    build(files, 1 << 20, zones)
}

/// Feeds the files as the merge asks for them; returns the bytes that were fed, too.
pub fn fed(mut builder: TraceBuilder, files: &[File], piece: usize) -> (TraceBuilder, usize) {
    let mut read_to = vec![0; files.len()];
    while let Some(i) = builder.hungry() {
        let end = (read_to[i] + piece).min(files[i].1.len());
        builder.feed(i, &files[i].1[read_to[i]..end]);
        read_to[i] = end;
        if end == files[i].1.len() {
            builder.close(i);
        }
    }
    (builder, read_to.iter().sum())
}

/// The files as the parts of a trace.
pub fn parts_of(files: &[File]) -> Vec<TraceFile> {
    files
        .iter()
        .map(|f| TraceFile {
            name: f.0.clone(),
            size: f.1.len() as u64,
            ..TraceFile::default()
        })
        .collect()
}

fn build(files: &[File], piece: usize, zones: Vec<ZoneNote>) -> Store {
    let (builder, _) = fed(
        TraceBuilder::new("test", "test", parts_of(files)).with_zones(zones),
        files,
        piece,
    );
    builder.finish().expect("a real recording can be read")
}

/// Builds a store from files fed one after another, whatever the merge asks for.
pub fn read_one_by_one(files: &[File]) -> Store {
    let parts = files
        .iter()
        .map(|f| TraceFile {
            name: f.0.clone(),
            size: f.1.len() as u64,
            ..TraceFile::default()
        })
        .collect();
    let mut builder = TraceBuilder::new("test", "test", parts);
    for (i, file) in files.iter().enumerate() {
        builder.feed(i, &file.1);
        builder.close(i);
    }
    builder.finish().expect("a real recording can be read")
}

/// Everything a store says, in words, except for file names and format.
pub fn digest(store: &Store) -> Vec<String> {
    let mut lines = Vec::new();
    let pid = |p: u32| store.processes[p as usize].pid;
    let number = |d: u32| store.devices[d as usize].number;
    for i in 0..store.events.len() {
        let e = &store.events;
        lines.push(format!(
            "{} {} {} {} {:?} {:?} {} {} {} {:?} {} {:?}",
            e.time(i),
            e.sector(i),
            e.bytes(i),
            e.action(i).letters(),
            e.flags(i),
            e.effect(i),
            e.cpu(i),
            pid(e.process(i)),
            number(e.device(i)),
            e.detail(i),
            e.error(i),
            e.action(i),
        ));
    }
    for i in 0..store.requests.len() {
        let row = store.requests.stored(i);
        lines.push(format!(
            "{:?} {} {}",
            seekscope_core::store::StoredRequest {
                process: 0,
                device: 0,
                ..row
            },
            pid(row.process),
            number(row.device)
        ));
    }
    for (i, m) in store.messages.rows.iter().enumerate() {
        lines.push(format!(
            "{} {} {} {} {:?} {}",
            m.time,
            m.cpu,
            number(m.device),
            m.pid,
            m.cgroup,
            store.messages.text(i)
        ));
    }
    let mut devices: Vec<String> = store
        .devices
        .iter()
        .map(|d| {
            let stages: Vec<_> = Stage::ALL.map(|s| *d.bio_stages.get(s)).to_vec();
            format!(
                "{} {:?} {} {:?} {:?}",
                d.number, d.role, d.events, d.unmatched, stages
            )
        })
        .collect();
    devices.sort();
    lines.extend(devices);
    let mut processes: Vec<String> = store
        .processes
        .iter()
        .map(|p| format!("{} {:?} {:?}", p.pid, p.name, p.via))
        .collect();
    processes.sort();
    lines.extend(processes);
    let q = &store.quality;
    lines.push(format!(
        "{} {} {} {:?} {:?} {}",
        q.lost_events, q.truncated_bytes, q.unknown_records, q.unmatched, store.wall, store.origin
    ));
    lines
}

/// Splits a little-endian version 7 file into its whole records.
pub fn records(file: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    let mut offset = 0;
    while offset + 48 <= file.len() {
        let length = 48 + usize::from(u16::from_le_bytes([file[offset + 46], file[offset + 47]]));
        let Some(record) = file.get(offset..offset + length) else {
            break;
        };
        records.push(record);
        offset += length;
    }
    records
}

fn reverse(bytes: &mut [u8], fields: &[(usize, usize)]) {
    for &(offset, size) in fields {
        bytes[offset..offset + size].reverse();
    }
}

/// The same file as a big-endian machine would have written it. Typed payloads are big-endian on
/// both.
pub fn big_endian(file: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for record in records(file) {
        let mut record = record.to_vec();
        swap_payload(&mut record, 48);
        reverse(
            &mut record,
            &[
                (0, 4),
                (4, 4),
                (8, 8),
                (16, 8),
                (24, 4),
                (28, 4),
                (32, 4),
                (36, 4),
                (40, 4),
                (44, 2),
                (46, 2),
            ],
        );
        out.extend(record);
    }
    out
}

fn swap_payload(record: &mut [u8], header: usize) {
    let action = u32::from_le_bytes([record[28], record[29], record[30], record[31]]);
    let mut offset = header;
    if action & 0x100 != 0 && record.len() >= header + 8 {
        reverse(record, &[(offset, 8)]);
        offset += 8;
    }
    if action & !0x100 == 0x0400_0001 {
        reverse(record, &[(offset, 4), (offset + 4, 4)]);
    }
}

/// The same file in version 8 records; with `keep_mark` the version 7 mark stays on them.
pub fn version_8(file: &[u8], keep_mark: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for r in records(file) {
        let mut head = [0xa5; 64];
        head[..28].copy_from_slice(&r[..28]);
        head[0] = if keep_mark { 7 } else { 8 };
        head[28..32].copy_from_slice(&r[32..36]);
        head[32..36].copy_from_slice(&r[28..32]);
        head[36..40].fill(0);
        head[40..48].copy_from_slice(&r[36..44]);
        head[48..52].copy_from_slice(&r[44..48]);
        out.extend(head);
        out.extend(&r[48..]);
    }
    out
}

/// All files as one, as `blkparse -d` writes it: events in time order from 0 on, notes with the
/// trace's clock.
pub fn dump(files: &[File]) -> Vec<u8> {
    let word = |r: &[u8], offset: usize| {
        u32::from_le_bytes(r[offset..offset + 4].try_into().expect("four bytes"))
    };
    let time = |r: &[u8]| u64::from_le_bytes(r[8..16].try_into().expect("eight bytes"));
    let note = |r: &[u8]| word(r, 28) & 0x0400_0000 != 0 && word(r, 28) & 0xff != 2;
    let all: Vec<&[u8]> = files.iter().flat_map(|f| records(&f.1)).collect();
    let (notes, mut events): (Vec<&[u8]>, Vec<&[u8]>) = all.into_iter().partition(|r| note(r));
    events.sort_by_key(|r| (time(r), word(r, 40), word(r, 36)));
    let genesis = events.iter().map(|r| time(r)).min().unwrap_or(0);
    let mut out: Vec<u8> = notes.concat();
    for r in events {
        let mut r = r.to_vec();
        let relative = (time(&r) - genesis).to_le_bytes();
        r[8..16].copy_from_slice(&relative);
        out.extend(r);
    }
    out
}

/// Low 16 bits of an action: those of `-a queue`, of `-a issue` and of `-a complete`.
const QUEUE: [u32; 9] = [1, 2, 3, 4, 9, 10, 11, 12, 5];
const ISSUE: [u32; 1] = [7];
const COMPLETE: [u32; 1] = [8];
const WRITES: u32 = 1 << 17;
const NOTE: u32 = 1 << 26;

fn word_of(record: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(record[offset..offset + 4].try_into().expect("four bytes"))
}

/// The events that a mask keeps, numbered again: any of the letters Q, D and C, or W for `-a
/// write`.
pub fn masked(files: &[File], mask: &str) -> Vec<File> {
    let keeps = |action: u32| {
        let kind = action & 0xff;
        mask.contains('Q') && QUEUE.contains(&kind)
            || mask.contains('D') && ISSUE.contains(&kind)
            || mask.contains('C') && COMPLETE.contains(&kind)
            || mask.contains('W') && action & WRITES != 0
    };
    let file = |(name, bytes): &File| {
        let (mut out, mut number) = (Vec::new(), 0u32);
        for record in records(bytes) {
            let action = word_of(record, 28);
            let mut record = record.to_vec();
            if action & NOTE == 0 {
                if !keeps(action) {
                    continue;
                }
                number += 1;
                record[4..8].copy_from_slice(&number.to_le_bytes());
            }
            out.extend(record);
        }
        (name.clone(), out)
    };
    files.iter().map(file).collect()
}

/// Whether a file has records besides those of the tracer itself.
pub fn has_events(file: &[u8]) -> bool {
    records(file)
        .iter()
        .any(|record| word_of(record, 28) & NOTE == 0)
}
