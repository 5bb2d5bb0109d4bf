//! What must be true of all readers of benchmarks, checked with the outputs of the corpus.

use crate::line::{Line, Place};
use crate::readers;
use crate::recognise::Cursor;
use crate::structure::context::Context;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Folders of the corpus with outputs of benchmarks.
const FAMILIES: [&str; 18] = [
    "benchstat",
    "bonnie",
    "dbench",
    "filebench",
    "fs-mark",
    "hdparm",
    "hyperfine",
    "ioping",
    "iozone",
    "pgbench",
    "phoronix",
    "postmark",
    "stress-ng",
    "sysbench",
    "tiobench",
    "time",
    "xfs_io",
    "xfstests",
];

/// A figure without the words of its metric.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    name: String,
    value: f64,
    place: Place,
}

fn add_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            add_files(&path, found);
        } else if !path.to_string_lossy().ends_with(".truth.tsv") {
            found.push(path);
        }
    }
}

/// Texts of the corpus that need no transport.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reports");
    let mut files = Vec::new();
    for family in FAMILIES {
        add_files(&root.join(family), &mut files);
    }
    let plain = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let name = path
            .strip_prefix(&root)
            .ok()?
            .to_string_lossy()
            .into_owned();
        let is_plain = !text.contains(['\r', '\u{1b}', '\0', '<']) && !text.starts_with("From: ");
        is_plain.then_some((name, text))
    };
    let found: Vec<(String, String)> = files.iter().filter_map(plain).collect();
    assert!(found.len() > 50, "{} texts of the corpus", found.len());
    found
}

/// The figures of all outputs of a text.
fn figures(text: &str) -> Vec<Figure> {
    let lines: Vec<Line> = text
        .lines()
        .zip(0..)
        .map(|(line, index)| Line::new(line, index))
        .collect();
    let context = Context::default();
    let mut found = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let cursor = Cursor {
            file: "",
            lines: &lines,
            start,
            context: &context,
        };
        let Some(output) = readers::read(cursor) else {
            start += 1;
            continue;
        };
        assert!(output.end > start && output.end <= lines.len());
        start = output.end;
        for observation in output.observations {
            let dimensions = &observation.dimensions;
            let repeat = observation.repeat.as_deref().unwrap_or("");
            found.push(Figure {
                name: format!("{} {dimensions:?} {repeat}", observation.metric.key),
                value: observation.value,
                place: observation.place,
            });
        }
    }
    found
}

/// A different number of the same length.
fn other_number(word: &str) -> String {
    let digit = |c: char| match c {
        '9' => '1',
        '0' => '0',
        c if c.is_ascii_digit() => ((c as u8) + 1) as char,
        c => c,
    };
    word.chars().map(digit).collect()
}

fn shown<'a>(lines: &[&'a str], place: Place) -> &'a str {
    let line = lines.get(place.line as usize).copied().unwrap_or("");
    line.get(place.start as usize..place.end as usize)
        .unwrap_or("")
}

#[test]
fn figures_follow_the_numbers_at_their_places() {
    let mut checked = 0;
    for (name, text) in texts() {
        let before = figures(&text);
        let lines: Vec<&str> = text.lines().collect();
        // Many figures of one text say nothing new.
        let step = before.len() / 20 + 1;
        for figure in before.iter().step_by(step) {
            let word = shown(&lines, figure.place);
            let other = other_number(word);
            if other == word {
                continue;
            }
            let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let line = &mut changed[figure.place.line as usize];
            let range = figure.place.start as usize..figure.place.end as usize;
            line.replace_range(range, &other);
            let after = figures(&changed.join("\n"));
            assert_eq!(before.len(), after.len(), "{name}: {word} is now {other}");
            for (old, new) in before.iter().zip(&after) {
                assert_eq!(old.name, new.name, "{name}: {word} is now {other}");
                // A number that two figures are read of changes both.
                let same = old.place == figure.place;
                assert_eq!(
                    old.value != new.value,
                    same,
                    "{name}: {word} is now {other}: {new:?}"
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked} numbers");
}

#[test]
fn a_part_of_an_output_has_no_other_figures() {
    let values = |figures: &[Figure]| -> BTreeSet<u64> {
        figures
            .iter()
            .map(|figure| figure.value.to_bits())
            .collect()
    };
    for (name, text) in texts() {
        let lines: Vec<&str> = text.lines().collect();
        let all = values(&figures(&text));
        for cut in 0..lines.len().min(24) {
            let tail = lines[cut..].join("\n");
            let head = lines[..lines.len() - cut].join("\n");
            for part in [tail, head] {
                let found = values(&figures(&part));
                let new: Vec<f64> = found.difference(&all).map(|v| f64::from_bits(*v)).collect();
                assert!(new.is_empty(), "{name}: {new:?} without {cut} lines");
            }
        }
    }
}

#[test]
fn lines_may_be_indented_and_end_in_blanks() {
    for (name, text) in texts() {
        let before: Vec<(String, f64)> = figures(&text)
            .into_iter()
            .map(|figure| (figure.name, figure.value))
            .collect();
        let lines: Vec<String> = text.lines().map(|line| format!("    {line}  ")).collect();
        let after: Vec<(String, f64)> = figures(&lines.join("\n"))
            .into_iter()
            .map(|figure| (figure.name, figure.value))
            .collect();
        assert_eq!(before, after, "{name}");
    }
}

/// Random numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn no_text_makes_a_reader_panic() {
    const OTHERS: [&str; 14] = [
        "", " ", "\t", "9", "-", "\u{b5}", "\u{2502}", "\u{ff0c}", "\"", "|", "(", "]", "\n",
        "e+999",
    ];
    let mut random = Random(0x5eed);
    let mut count = 0;
    for (_, text) in texts() {
        for _ in 0..12 {
            let mut changed: Vec<char> = text.chars().collect();
            for _ in 0..8 {
                let index = random.below(changed.len());
                let other = OTHERS[random.below(OTHERS.len())];
                let end = (index + random.below(3)).min(changed.len());
                changed.splice(index..end, other.chars());
            }
            let found = figures(&changed.into_iter().collect::<String>());
            assert!(found.iter().all(|figure| figure.value.is_finite()));
            count += 1;
        }
    }
    assert!(count > 500, "{count} texts");
}

/// Lines that begin an output and have no figures: reading each again and again to the end of the
/// text would take hours.
#[test]
fn beginnings_without_figures_take_linear_time() {
    const LINES: usize = 300;
    // Four times the lines take 4 times as long, or 16 times if the time is quadratic.
    const MAX_GROWTH: u32 = 9;
    const MIN_TIME: Duration = Duration::from_millis(20);
    const TRIES: usize = 4;
    for line in [
        "4 KiB <<< . (ext4 /dev/sdb1): request=1 time=9",
        "stress-ng: info:  [8149] setting to a 3 second run per stressor",
        "starting vacuum...end.",
        "number of clients: 4",
        "progress: 1.0 s, 340.2 tps, lat 1.2 ms stddev 0.3, 0 failed",
        "pgbench (15.20)",
        "#  fs_mark  -d  /mnt",
        "1024+0 records in",
        "Version 1.03e  ------Sequential Output------ --Sequential Input- --Random-",
        "Name:Size etc        /sec %CP  /sec %CP",
        "Benchmark 1: cp a b",
        "generic/001 [not run] no disk",
        "Each process writes a 524288 kByte file in 64 kByte records",
        "Sequential Reads",
        "IOPS > Higher Is Better",
        "sysbench 1.0.20",
        "Output is in kBytes/sec",
        "Iozone: Performance Test of File I/O",
        "statfile1   ops   ops/s   mb/s",
        "PostMark v1.51",
        "Tiotest results for 4 concurrent io threads:",
        "total threads = 4",
    ] {
        let elapsed = |lines: usize| {
            let text = format!("{line}\n").repeat(lines);
            let begin = Instant::now();
            assert!(figures(&text).is_empty(), "{line}");
            begin.elapsed()
        };
        // Other processes make single times longer.
        let linear =
            (0..TRIES).any(|_| elapsed(4 * LINES) < elapsed(LINES).max(MIN_TIME) * MAX_GROWTH);
        assert!(linear, "{line}");
    }
}
