//! Real inputs to begin with, made from the recordings and containers of the tests.

use crate::{files, questions};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::report::{blkparse_summary, blkparse_text};
use seekscope_unpack as boxes;
use std::path::{Path, PathBuf};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
/// Bytes of a recording that are enough to reach all of the code.
const START: usize = 2 << 10;

fn list(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder can be listed").path()) {
        if path.is_dir() {
            list(&path, paths)
        } else {
            paths.push(path)
        }
    }
}

/// All files below a folder of the tests, by path.
pub(crate) fn below(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    list(&Path::new(TESTS).join(folder), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            (
                path.clone(),
                std::fs::read(path).expect("a fixture can be read"),
            )
        })
        .collect()
}

fn is_recording(path: &Path) -> bool {
    path.to_string_lossy().contains(".blktrace.")
}

/// The first complete records of a file, at most `limit` bytes.
fn whole_records(file: &[u8], limit: usize) -> &[u8] {
    let mut end = 0;
    while let Some(length) = file
        .get(end + 46..end + 48)
        .map(|n| 48 + usize::from(u16::from_le_bytes([n[0], n[1]])))
    {
        if end + length > limit.min(file.len()) {
            break;
        }
        end += length;
    }
    &file[..end]
}

/// The first records of the largest file of a recording, at most `limit` bytes.
pub(crate) fn start_of(recording: &str, limit: usize) -> Vec<u8> {
    let files = below(&format!("fixtures/{recording}"));
    let largest = files
        .iter()
        .filter(|f| is_recording(&f.0))
        .max_by_key(|f| f.1.len())
        .expect("a recording has files");
    whole_records(&largest.1, limit).to_vec()
}

/// Texts as found next to traces.
pub(crate) fn notes() -> Vec<Vec<u8>> {
    let texts = below("notes")
        .into_iter()
        .filter(|f| f.0.extension().is_none_or(|e| e != "xz" && e != "md"));
    texts.map(|f| f.1).collect()
}

/// A few lines of each format of counters.
pub(crate) fn counters() -> Vec<Vec<u8>> {
    const TEXTS: [&str; 9] = [
        "Linux 6.12.95 (h) \t11/22/26 \t_x86_64_\t(2 CPU)\n\n11/22/26 05:09:20\navg-cpu:  %user \
            %nice %system %iowait %steal %idle\n 5.67 0 64.9 0 0 29.39\n\nDevice r/s rkB/s r_await \
            %util\nvda 0.28 1.10 3.33 0.11\n\n11/22/26 05:09:21\navg-cpu:  %user %nice %system \
            %iowait %steal %idle\n 5.67 0 64.9 7 0 29.39\n\nDevice r/s rkB/s r_await %util\nvda \
            2.00 8.00 1.00 40.00\n",
        "Linux 6.12.95 (h) \t11/22/26 \t_x86_64_\t(2 CPU)\n\n05:09:20     CPU    %usr   %sys \
            %iowait   %idle\n05:09:21     all    5.82   17.46    1.00   76.72\n05:09:21       1    \
            7.53   15.05    2.00   77.42\n\n05:09:20          DEV       tps     \
            %util\n05:09:21          vda    359.00     29.60\n",
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa \
            st                 UTC\n 3  0      0 1797232      0 149588    0    0     1     0  305  \
            222  6 65 29  0  0 2026-11-22 05:09:20\n 1  0      0 1797232      0 149588    0    \
            0     0     0  122  189  3  7 90  0  0 2026-11-22 05:09:21\n",
        "uptime 14.82 10.32\n 254       0 vda 3 0 24 10 0 0 0 0 0 12 10 0 0 0 0 0 0\nuptime 16.03 \
            11.50\n 254       0 vda 1261 0 10088 3387 0 0 0 0 0 980 3387 0 0 0 0 0 0\n",
        "uptime 14.86 10.33\ncpu  176 0 1288 1033 0 0 98 0 0 0\ncpu0 104 0 690 452 0 0 54 0 0 \
            0\nctxt 4700\nprocs_blocked 0\nuptime 16.03 11.50\ncpu  276 0 1388 1133 50 0 98 0 0 \
            0\ncpu0 204 0 790 552 0 0 54 0 0 0\nctxt 5700\nprocs_blocked 1\n",
        "1795324160\n/proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 \
            total=4866\n/proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 \
            total=4752\n1795324161\n/proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 \
            total=104866\n",
        "# hostname;interval;timestamp;DEV;tps;rkB/s;%util\nh;1;2026-11-22 05:09:21 \
            UTC;vda;1.0;4.00;50.00\nh;1;2026-11-22 05:09:22 UTC;vda;1.0;8.00;60.00\n",
        "{\"sysstat\": {\"hosts\": [{\"date\": \"11/22/26\", \"statistics\": [{\"timestamp\": \
            \"05:09:21\", \"cpu-load\": [{\"cpu\": \"all\", \"usr\": 5.0, \"iowait\": 3.0}]}, \
            {\"timestamp\": \"05:09:22\", \"cpu-load\": [{\"cpu\": \"0\", \"usr\": 5.0}]}]}]}}",
        "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"timestamp\": {\"date\": \"2026-11-22\", \
            \"time\": \"05:09:21\", \"utc\": 1, \"interval\": 1}, \"disk\": [{\"disk-device\": \
            \"vda\", \"tps\": 1, \"rkB\": 4.0, \"util-percent\": 5.0}], \"psi\": {\"psi-io\": \
            {\"some_avg\": 25.0}}}]}]}}",
    ];
    TEXTS
        .into_iter()
        .map(|text| text.as_bytes().to_vec())
        .collect()
}

/// Mails with tables, and reports of benchmarks.
pub(crate) fn tables() -> Vec<Vec<u8>> {
    let histograms = [
        "{'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', 'data': [{'interval-start': 64, \
            'interval-end': 127, 'count': 10}], 'Bucket ptr': b'vda'}\n",
        "{\"type\": \"hist\", \"data\": {\"@usecs\": {\"259,0\": [{\"min\": 64, \"max\": 127, \
            \"count\": 10}, {\"min\": 128, \"count\": 1}]}}}\n\
         {\n \"type\": \"hist\", \"data\": {\"@\": [{\"max\": -1, \"count\": 1}]}}\n",
        "@lat[vda]: \n[64, 128)  10 |@@@|\n[128, ...)  1 |@|\n",
    ];
    let histograms = histograms.into_iter().map(|text| text.as_bytes().to_vec());
    below("tables")
        .into_iter()
        .map(|f| f.1)
        .chain(notes())
        .chain(histograms)
        .collect()
}

/// Mails, pages and sessions in all their encodings.
pub(crate) fn mails() -> Vec<Vec<u8>> {
    let truth = |path: &Path| path.extension().is_some_and(|extension| extension == "tsv");
    below("reports/mail-forms")
        .into_iter()
        .filter(|(path, _)| !truth(path))
        .map(|(_, bytes)| bytes)
        .collect()
}

/// Recordings in version 7, and one in the other layout and byte order.
pub(crate) fn blktrace() -> Vec<Vec<u8>> {
    let files = below("fixtures")
        .into_iter()
        .filter(|f| is_recording(&f.0) && f.1.len() > 100);
    let mut seeds: Vec<Vec<u8>> = files.map(|f| whole_records(&f.1, START).to_vec()).collect();
    seeds.extend([wide(&seeds[0], 8), wide(&seeds[1], 7), swapped(&seeds[2])]);
    seeds
}

fn records(mut file: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let length = 48 + usize::from(u16::from_le_bytes(file.get(46..48)?.try_into().ok()?));
        let (record, rest) = file.split_at_checked(length)?;
        file = rest;
        Some(record)
    })
}

/// The records with the 64-byte header of version 8.
fn wide(file: &[u8], version: u8) -> Vec<u8> {
    let mut out = Vec::new();
    for r in records(file) {
        let parts: [&[u8]; 9] = [
            &[version],
            &r[1..28],
            &r[32..36],
            &r[28..32],
            &[0; 4],
            &r[36..44],
            &r[44..48],
            &[0; 12],
            &r[48..],
        ];
        out.extend(parts.concat());
    }
    out
}

/// The records with big-endian headers.
fn swapped(file: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for r in records(file) {
        let mut r = r.to_vec();
        for (offset, size) in [
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
        ] {
            r[offset..offset + size].reverse();
        }
        out.extend(r);
    }
    out
}

/// Texts beside and among the recordings, what other tracers printed of the same runs, and what
/// blkparse prints of some.
pub(crate) fn text() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let texts = below("fixtures")
        .into_iter()
        .chain(below("texts"))
        .chain(below("drivers"));
    for (path, bytes) in texts.filter(|f| !is_recording(&f.0)) {
        for file in unpacked(&path, bytes) {
            if std::str::from_utf8(&file[..file.len().min(1000)]).is_ok() {
                seeds.push(whole_lines(&file, START));
                seeds.push(file[file.len().saturating_sub(START)..].to_vec());
                if path.starts_with(Path::new(TESTS).join("drivers")) {
                    let commands: Vec<&[u8]> = file
                        .split_inclusive(|&b| b == b'\n')
                        .filter(|l| !has_block_event(l))
                        .collect();
                    seeds.push(whole_lines(&commands.concat(), START));
                }
            }
        }
    }
    seeds.extend(CSV.map(|text| text.as_bytes().to_vec()));
    for recording in ["requeue", "dm-remap", "partitions-bfq-1w", "passthrough"] {
        let store = TraceBuilder::read("seed", &[("seed", &start_of(recording, 2 * START))])
            .expect("a real recording");
        let lines = blkparse_text::text(&store, 0, 60, blkparse_text::MessageLines::All)
            .unwrap_or_default();
        seeds.push(lines.clone().into_bytes());
        seeds.push((lines + &blkparse_summary::summary(&store)).into_bytes());
    }
    seeds
}

/// Published traces, and a table with times of day.
const CSV: [&str; 4] = [
    "128166372003061629,hm,1,Read,383496192,32768,58000\n128166372016382155,hm,1,Write,2822144,4096,1000\n128166372026382245,hm,0,Write,8192,512,20\n",
    "device_id,opcode,offset,length,timestamp\n419,W,8792731648,16384,1577808144360767\n725,R,59110326272,360448,1577808144360813\n",
    "sn,len,nSG,cmd,ver,lbn,ts,rt\n1,4096,1,42,512,2048,1000,250\n2,8192,1,0x28,512,16,1100,50\n",
    "TIME     COMM  PID  DISK  T  SECTOR  BYTES  QUE(ms) LAT(ms)\n23:59:59.9 fio 7 vda WS 8 4096 \
        -1.000 0.5\n00:00:00.9 fio 7 vda R 8 4096 0.1 0.5\n",
];

fn has_block_event(line: &[u8]) -> bool {
    line.windows(6).any(|w| w == b"block_")
}

/// The first complete lines of a text, at most `limit` bytes.
fn whole_lines(text: &[u8], limit: usize) -> Vec<u8> {
    let start = &text[..text.len().min(limit)];
    let end = start
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(start.len(), |index| index + 1);
    start[..end].to_vec()
}

#[derive(Default)]
struct Files(Vec<Vec<u8>>);

impl boxes::FileSink for Files {
    fn begin(&mut self, _path: &str) -> std::io::Result<()> {
        self.0.push(Vec::new());
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8], _taken: u64) -> std::io::Result<()> {
        self.0
            .last_mut()
            .expect("a file began")
            .extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) fn unpacked(path: &Path, bytes: Vec<u8>) -> Vec<Vec<u8>> {
    let mut files = Files::default();
    let name = path.to_string_lossy();
    boxes::unpack(
        &name,
        bytes.len() as u64,
        &bytes[..],
        &mut files,
        boxes::Limits::default(),
    )
    .expect("memory can be read");
    files.0
}

/// Formats of `blkparse -f`, each with text that was printed in it, or in another.
pub(crate) fn pattern() -> Vec<Vec<u8>> {
    let formats = [
        r"%D %2c %8s %5T.%9t %5p %2a %3d",
        r"%D #%c/%-4s at %5T.%9t: %2a %-3d from %S for %N; %p (%C) %e %U\n",
        "%T.%t %a %d %S + %n [%C]",
        "%M,%m %c %s %t %p %a %d %S %N %P",
    ];
    let texts = text();
    formats
        .iter()
        .flat_map(|format| {
            texts[texts.len() - 4..]
                .iter()
                .map(move |text| [format.as_bytes(), b"\n", text].concat())
        })
        .collect()
}

/// Starts of files that are dropped together.
pub(crate) fn group() -> Vec<Vec<u8>> {
    let start = |name: &str, limit| start_of(name, limit);
    let (a, b) = (start("requeue", 2 << 10), start("discard", 2 << 10));
    let text = b"notes beside the trace\n";
    let (first, second) = a.split_at(whole_records(&a, 1 << 10).len());
    vec![
        files::bundle(&[(0, &a), (1, &b), (7, text)]),
        files::bundle(&[(2, first), (3, second), (6, &b), (0, b"")]),
        files::bundle(&[
            (4, &start("raid5-aligned", 2 << 10)),
            (5, &start("dm-remap", 2 << 10)),
            (0, &[0; 40]),
        ]),
    ]
}

/// Questions of the page.
pub(crate) fn queries() -> Vec<Vec<u8>> {
    questions::written()
}

/// The containers of a kind, without the large ones.
pub(crate) fn container(kind: &str) -> Vec<Vec<u8>> {
    let all = below("containers").into_iter().map(|f| f.1);
    let mut seeds: Vec<Vec<u8>> = all
        .filter(|b| boxes::sniff(b).is_some_and(|k| k.word() == kind))
        .collect();
    if kind == "tar" {
        // Most of a small archive are the zeros at its end.
        for tar in &mut seeds {
            let end = tar
                .iter()
                .rposition(|&b| b != 0)
                .map_or(0, |index| index + 1);
            tar.truncate(end.div_ceil(512) * 512 + 1024);
        }
    }
    seeds
}
