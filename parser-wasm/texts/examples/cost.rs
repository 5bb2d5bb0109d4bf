//! Time and memory of reading, for texts of several sizes: `cost FOLDER MIB... [KIND...]`, where each
//! folder in FOLDER holds texts of one kind (`tests/reports`). A text is that kind again and again,
//! each time below another title, as a person would write it.

use peak_alloc::PeakAlloc;
use seekscope_texts::{TextInput, read_with, sides::choices::Choices};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;
/// Larger texts of a kind are left out once one took so long.
const MAX_SECONDS: f64 = 30.0;

/// Texts that are no results, and what is hostile to a reader: a begin, and what repeats behind it.
const OTHERS: [(&str, &str, &str); 14] = [
    (
        "prose",
        "",
        "The fox jumps over 12 dogs, and 3 of them slept; at 5 MB/s nobody notices it.\n\
         It was late in the evening, so they all went home and wrote\na mail about it.\n\n",
    ),
    (
        "source code",
        "",
        "static int elv_init(struct request_queue *q)\n{\n\tint i = 0;\n\n\
         \tfor (i = 0; i < 12; i++)\n\t\tq->depth[i] = 64 << i;\n\treturn 0;\n}\n\n",
    ),
    (
        "dmesg",
        "",
        "[    1.411000] nvme nvme0: 8/0/0 default/read/poll queues\n\
         [    1.512345] EXT4-fs (nvme0n1p2): mounted filesystem with ordered data mode\n",
    ),
    (
        "a log",
        "",
        "Mar 04 10:11:12 box sshd[812]: Accepted publickey for root from 10.0.0.1 port 51234\n\
         Mar 04 10:11:13 box systemd[1]: Started session 12 of user root.\n",
    ),
    ("one line of words", "", "word 12 "),
    ("one line of quotations", "", " > "),
    ("quotations", "", "> > > > > hello 12\n"),
    (
        "nested MIME",
        "From: a <a@example.org>\nTo: b@example.org\nSubject: x\n",
        "Content-Type: message/rfc822\n\nFrom: a\nTo: b\nSubject: c\n",
    ),
    (
        "base64",
        "From: a <a@example.org>\nTo: b@example.org\nSubject: x\nContent-Transfer-Encoding: base64\n\n",
        "VGhlIGZveCBqdW1wcyBvdmVyIDEyIGRvZ3MsIDMgb2YgdGhlbSBzbGVwdC4KMTIuNSBNQi9zIAox\n",
    ),
    (
        "HTML",
        "<!DOCTYPE html><html><body>\n",
        "<p>The fox jumps over <b>12</b> dogs.</p><table><tr><td>6.1</td><td>12 MB/s</td></tr></table>\n",
    ),
    ("lines of numbers", "", "12 34 56 78\n"),
    ("pairs", "", "throughput: 12 MB/s\n"),
    ("JSON that is nested", "", "{\"a\": ["),
    ("words", "", "word\n"),
];

fn files_below(path: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_below(&entry, found);
        } else if !entry.to_string_lossy().ends_with(".truth.tsv") {
            found.push(entry);
        }
    }
}

/// Texts of a folder, each below a title that the text has once.
fn titled(texts: &[Vec<u8>], size: usize) -> Vec<u8> {
    let mut found = Vec::with_capacity(size);
    let mut number = 0;
    while found.len() < size {
        for text in texts {
            let mut title = String::new();
            let (major, minor) = (number / 100, number % 100);
            let _ = write!(title, "\n=== 6.{major}.{minor} ===\n\n");
            found.extend_from_slice(title.as_bytes());
            found.extend_from_slice(text);
        }
        number += 1;
    }
    found.truncate(size);
    found
}

/// Seconds that a processor worked for this thread; those of the clock where the system does not say.
fn seconds(begin: Instant) -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Whether another size is worth its time.
fn measure(name: &str, size: usize, text: &[u8]) -> bool {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let start = Instant::now();
    let begin = seconds(start);
    let input = TextInput {
        path: "text.txt",
        argument: Some(0),
        bytes: text,
    };
    let (set, reading) = read_with(&[input], &Choices::default());
    let seconds = seconds(start) - begin;
    let peak = ALLOCATOR.peak_usage().saturating_sub(before) / MIB;
    let figures: usize = set
        .tables
        .iter()
        .flat_map(|table| &table.runs)
        .map(|run| run.figures.len())
        .sum();
    let blocks: usize = reading.texts.iter().map(|text| text.blocks.len()).sum();
    println!(
        "{name:24} {:4} MiB {seconds:8.2} s {peak:6} MiB {blocks:8} blocks {figures:8} figures",
        size / MIB
    );
    seconds < MAX_SECONDS
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let (mut sizes, mut wanted) = (Vec::new(), Vec::new());
    for argument in arguments {
        match argument.parse::<usize>() {
            Ok(size) => sizes.push(size * MIB),
            Err(_) => wanted.push(argument),
        }
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    let mut kinds: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    kinds.sort();
    for kind in kinds {
        let name = kind.file_name().unwrap_or_default().to_string_lossy();
        if !is_wanted(&name) {
            continue;
        }
        let mut files = Vec::new();
        files_below(&kind, &mut files);
        let mut texts: Vec<Vec<u8>> = files.iter().flat_map(std::fs::read).collect();
        // One text in UTF-16 would make bytes without a meaning of all others.
        texts.retain(|text| !text.contains(&0));
        for &size in &sizes {
            if texts.is_empty() || !measure(&name, size, &titled(&texts, size)) {
                break;
            }
        }
    }
    for (name, begin, unit) in OTHERS.into_iter().filter(|(name, ..)| is_wanted(name)) {
        for &size in &sizes {
            let mut text = begin.to_owned();
            while text.len() < size {
                text.push_str(unit);
            }
            if !measure(name, size, text.as_bytes()) {
                break;
            }
        }
    }
}
