//! Text files next to traces, as facts about the runs.

mod array;
pub mod bench;
mod blktrace_log;
mod blocks;
mod dd;
pub mod fact;
mod fio;
pub mod fio_text;
mod json;
pub mod labels;
mod lsblk;
mod machine;
mod manifest;
mod mdadm;
mod owners;
mod partitions;
mod rows;
mod run;
pub mod setting;
mod settings;
mod tiobench;
mod uname;
mod zones;

pub use array::Array;
pub use bench::{BenchFigure, FigurePlace, Good};
pub use blocks::BlockNote;
pub use fact::{Fact, FactValue};
pub use run::{AssignedNote, AssignedNotes, RunFacts, TracePaths, TracerDrops, assign};
pub use setting::Setting;
pub use zones::ZoneNote;

use crate::counters;
use crate::limits::{CountOutliers, MAX_EXACT};
use bench::BenchValue;
use fact::cut;
use serde::Serialize;

/// Bytes read of a file.
pub const MAX_BYTES: usize = 1 << 20;
/// Facts and benchmark figures kept per file.
const MAX_FACTS: usize = 400;
/// Settings kept per file.
const MAX_SETTINGS: usize = 2000;
/// Lines shown of an unknown text, and characters of each.
const FIRST_LINES: (usize, usize) = (8, 160);

/// The content of one file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Note {
    /// Path as given.
    pub file: String,
    /// `blktrace-log`, `fio`, `dd`, `tiotest`, `tiobench`, `table`, `uname`, `lsblk`, `mdadm`,
    /// `mdstat`, `partitions`, `mounts`, `cmdline`, `dm`, `zones`, `manifest`, `settings`,
    /// `description`, `counters` (perhaps with others); `mixed` for several of them, `text` for
    /// none, `binary` for other files.
    pub kind: &'static str,
    /// For people.
    pub what: String,
    /// In the order of the text.
    pub facts: Vec<Fact>,
    /// Kernel release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// By device, if named.
    #[serde(skip)]
    pub schedulers: Vec<(Option<String>, String)>,
    /// Events that the tracer dropped, by device, if named.
    #[serde(skip)]
    pub dropped: Vec<(Option<String>, u64)>,
    /// Counts of the tracer that cannot be.
    #[serde(skip)]
    count_outliers: Option<CountOutliers>,
    /// What benchmarks measured.
    #[serde(skip)]
    values: Vec<BenchValue>,
    /// Settings that runs are compared by.
    #[serde(skip)]
    settings: Vec<Setting>,
    /// Folders of recordings and the group that each belongs to, from a manifest.
    #[serde(skip)]
    repeats: Vec<(String, String)>,
    /// Of a report of zones.
    #[serde(skip)]
    zones: Option<ZoneNote>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<Array>,
    /// Names of devices by `major,minor`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(String, String)>,
    /// First lines of an unknown text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl Note {
    /// What benchmarks measured, before it is assigned to runs.
    pub fn into_values(self) -> Vec<BenchValue> {
        self.values
    }

    /// Ignores numbers that are too large.
    fn add(&mut self, fact: Fact) {
        let known =
            !matches!(fact.value, FactValue::Number(n) if n.is_nan() || n.abs() > MAX_EXACT as f64);
        if known && (setting::is_known(fact.key) || fact.key == "level") {
            match &fact.value {
                FactValue::Number(n) => {
                    self.add_setting(fact.of.as_deref(), fact.key, &n.to_string())
                }
                FactValue::Text(text) => self.add_setting(fact.of.as_deref(), fact.key, text),
            }
        }
        if known && self.facts.len() < MAX_FACTS {
            self.facts.push(fact);
        }
    }

    /// A setting of a device, or of the machine; of several values in a list the one in brackets.
    fn add_setting(&mut self, device: Option<&str>, key: &str, value: &str) {
        let chosen = value
            .split_once('[')
            .and_then(|(_, rest)| rest.split_once(']'))
            .map_or(value, |(chosen, _)| chosen);
        if chosen.trim().is_empty() || self.settings.len() >= MAX_SETTINGS {
            return;
        }
        self.settings.push(Setting {
            device: device.map(cut),
            dev: None,
            key: cut(key),
            value: cut(chosen),
        });
    }

    fn add_value(&mut self, values: BenchValue) {
        if values.value.is_finite() && self.values.len() < MAX_FACTS {
            self.values.push(values);
        }
    }

    fn add_array(&mut self, array: Option<Array>) {
        self.arrays
            .extend(array.filter(|a| !self.arrays.contains(a)));
    }

    fn add_kernel(&mut self, release: &str, of: Option<&str>) {
        self.add(Fact::text("kernel", "Kernel", release).of(of));
        self.kernel.get_or_insert_with(|| cut(release));
    }

    fn add_scheduler(&mut self, device: Option<&str>, scheduler: &str) {
        self.add(Fact::text("scheduler", "Scheduler", scheduler).of(device));
        self.schedulers.push((device.map(cut), cut(scheduler)));
    }
}

/// A reader takes what it understands of a text and ignores the rest.
type NoteReader = fn(&str, &mut Note);

const READERS: [(&str, &str, NoteReader); 17] = [
    ("manifest", "manifest of seekscope-record", manifest::read),
    ("fio", "fio output", fio_text::read),
    ("blktrace-log", "blktrace log", blktrace_log::read),
    ("uname", "kernel version", uname::read),
    ("dd", "dd output", dd::read),
    ("tiotest", "tiotest tables", tiobench::read_tiotest),
    ("tiobench", "tiobench tables", tiobench::read),
    ("table", "measurements", rows::read),
    ("mdstat", "md arrays (mdstat)", mdadm::read_mdstat),
    ("mdadm", "md arrays (mdadm)", mdadm::read),
    ("partitions", "partition table", partitions::read),
    ("lsblk", "block devices (lsblk)", lsblk::read),
    ("mounts", "mounted file systems", machine::read_mounts),
    ("cmdline", "kernel command line", machine::read_command_line),
    ("dm", "device-mapper tables", machine::read_tables),
    ("zones", "zones (blkzone report)", zones::read),
    ("settings", "settings", settings::read),
];

/// Reads the first bytes of a file, at most [`MAX_BYTES`].
pub fn read(file: &str, bytes: &[u8]) -> Note {
    if !is_text(bytes) {
        return Note {
            file: file.to_owned(),
            kind: "binary",
            what: "not text".to_owned(),
            ..Note::default()
        };
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
    let text = text.trim_start_matches('\u{feff}');
    let mut note = Note {
        file: file.to_owned(),
        ..Note::default()
    };
    let counted = counters::tool(bytes);
    if let Some(tool) = &counted {
        uname::read(text.lines().next().unwrap_or_default(), &mut note);
        note.add(Fact::text("counters", "Counters", tool));
    }
    // Their rows are no facts, but a mail may have other texts below them.
    let others = counted.as_ref().map(|_| counters::without(text));
    let text = others.as_deref().unwrap_or(text);
    let mut found = Vec::new();
    if let Some(kind) = json::read(text, &mut note) {
        found.push(kind);
    } else {
        for (kind, what, reader) in READERS {
            let before = note.facts.len();
            reader(text, &mut note);
            if note.facts.len() > before {
                found.push((kind, what));
            }
        }
    }
    note.kind = match found.as_slice() {
        [] => "text",
        [(kind, _)] => kind,
        _ => "mixed",
    };
    note.what = found
        .iter()
        .map(|(_, what)| *what)
        .collect::<Vec<_>>()
        .join(", ");
    if let Some(tool) = counted {
        let others = if found.is_empty() {
            String::new()
        } else {
            format!(", {}", note.what)
        };
        (note.kind, note.what) = ("counters", format!("counters ({tool}){others}"));
        return note;
    }
    if found.is_empty() {
        note.what = "text".to_owned();
        let shown = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .take(FIRST_LINES.0);
        note.lines = shown
            .map(|line| line.chars().take(FIRST_LINES.1).collect())
            .collect();
    }
    note
}

/// Programs that draw progress with backspaces still print text; binary files have a zero byte
/// early.
fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(4096)].contains(&0)
}

#[cfg(test)]
mod tests;
