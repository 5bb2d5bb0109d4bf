//! Text files next to traces, as facts about the runs. What belongs to the machine and the
//! recording is read here; outputs of benchmarks are read by `seekscope-texts`, and come in as
//! [`NoteOutputs`].
#![forbid(unsafe_code)]

mod array;
pub mod bench;
mod blktrace_log;
mod blocks;
pub mod fact;
mod json;
pub mod labels;
mod lsblk;
mod machine;
mod manifest;
mod mdadm;
mod owners;
mod partitions;
mod recorder;
pub mod results;
mod run;
pub mod setting;
mod settings;
mod uname;
mod unread;
mod zones;

pub use array::Array;
pub use bench::{BenchFigure, BenchUnit, BenchValue, FigurePlace, Good, NoteOutputs};
pub use blocks::BlockNote;
pub use fact::{Fact, FactUnit, FactValue};
pub use run::{AssignedNote, AssignedNotes, RunFacts, TracePaths, TracerDrops, assign};
pub use setting::Setting;
pub use unread::{Unread, UnreadNote, unread_notes};
pub use zones::ZoneNote;

use fact::cut;
use seekscope_counters as counters;
use seekscope_layers::LayersReader;
use seekscope_origin::OriginReader;
use seekscope_stacks::StacksReader;
use seekscope_trace::limits::{CountOutliers, MAX_EXACT};
use serde::Serialize;
use std::borrow::Cow;

/// Limit for the bytes that are read of a file.
pub const MAX_BYTES: usize = 1 << 20;
/// Facts and benchmark figures kept per file.
pub const MAX_FACTS: usize = 400;
/// Limit for the settings of a file.
const MAX_SETTINGS: usize = 2000;
/// Lines shown of an unknown text, and characters of each.
const FIRST_LINES: (usize, usize) = (8, 160);

/// The kind of a note by its content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    Manifest,
    BlktraceLog,
    Uname,
    Mdstat,
    Mdadm,
    Partitions,
    Lsblk,
    Mounts,
    Cmdline,
    Dm,
    Zones,
    Settings,
    /// Why an armed recorder kept a moment.
    Trigger,
    /// How far the clock of the machine is from the true time.
    ClockSync,
    /// JSON with known keys.
    Description,
    /// Counters, perhaps with other texts below them.
    Counters,
    /// Which sectors of a disk belong to which files and structures.
    DiskMap,
    /// Events of a file system, with or without those of the block layer.
    FileSystemEvents,
    /// Call stacks of events of the block layer.
    CallStacks,
    /// Several of these in one file.
    Mixed,
    /// A text that is none of these.
    #[default]
    Text,
    /// A file that is no text.
    Binary,
    /// The output of a program, or a `table`.
    #[serde(untagged)]
    Program(String),
}

/// The content of one text beside a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[doc(alias = "TraceNote")]
pub struct Note {
    /// Path of the file.
    pub file: String,
    pub kind: NoteKind,
    /// What the file is, in words that people see.
    pub what: String,
    /// The facts, in the order of the text.
    pub facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The scheduler of each device; `None` is a text that names no device.
    #[serde(skip)]
    pub schedulers: Vec<(Option<String>, String)>,
    /// Events that the tracer dropped, by device, if named.
    #[serde(skip)]
    pub dropped: Vec<(Option<String>, u64)>,
    /// Counts of the tracer that cannot be.
    #[serde(skip)]
    count_outliers: Option<CountOutliers>,
    /// Kinds of texts that are in it, and their names.
    #[serde(skip)]
    found: Vec<(NoteKind, Cow<'static, str>)>,
    /// The tool that wrote the counters in it.
    #[serde(skip)]
    counters: Option<String>,
    /// The part that may hold outputs of benchmarks.
    #[serde(skip)]
    unread: Unread,
    /// What benchmarks measured, as the reader of texts found it.
    #[serde(skip)]
    values: Vec<BenchValue>,
    /// Files with the output of a recorded command, without the ends of their names, from a
    /// manifest.
    #[serde(skip)]
    command_outputs: Vec<String>,
    /// The settings that runs are compared by.
    #[serde(skip)]
    settings: Vec<Setting>,
    /// Folders of recordings and the group that each belongs to, from a manifest.
    #[serde(skip)]
    repeats: Vec<(String, String)>,
    /// The zones, if it is a report of zones.
    #[serde(skip)]
    zones: Option<ZoneNote>,
    /// Whether the trace that it belongs to is read with the complete file: it has counters, or
    /// says what sectors belong to.
    #[serde(skip_serializing_if = "is_false")]
    pub beside: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrays: Vec<Array>,
    /// Names of devices by `major,minor`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(String, String)>,
    /// The first lines, if the text was not recognised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
}

impl Note {
    /// Takes the outputs of benchmarks that the reader of texts found in it.
    pub fn add_outputs(&mut self, outputs: NoteOutputs) {
        let outputs = outputs.bounded(MAX_FACTS);
        self.unread = Unread::Nothing;
        for tool in outputs.tools {
            let what = match tool.as_str() {
                bench::TABLE => Cow::from("measurements"),
                _ => Cow::from(format!("{tool} output")),
            };
            self.found.push((NoteKind::Program(tool), what));
        }
        outputs.facts.into_iter().for_each(|fact| self.add(fact));
        self.values = outputs.values;
        self.describe();
    }

    /// Sets `what` from the facts that were found.
    fn describe(&mut self) {
        self.kind = match self.found.as_slice() {
            [] => NoteKind::Text,
            [(kind, _)] => kind.clone(),
            _ => NoteKind::Mixed,
        };
        let mut names: Vec<&str> = self.found.iter().map(|(_, what)| &**what).collect();
        let counters = self
            .counters
            .as_ref()
            .map(|tool| format!("counters ({tool})"));
        if let Some(counters) = &counters {
            self.kind = NoteKind::Counters;
            names.insert(0, counters);
        }
        self.what = names.join(", ");
        if names.is_empty() {
            "text".clone_into(&mut self.what);
        } else {
            self.lines.clear();
        }
    }

    /// Adds a fact, unless its number is too large for a JSON reader to keep it exact.
    fn add(&mut self, fact: Fact) {
        let is_exact =
            !matches!(fact.value, FactValue::Number(n) if n.is_nan() || n.abs() > MAX_EXACT as f64);
        if is_exact && (setting::is_known(&fact.key) || fact.key == "level") {
            match &fact.value {
                FactValue::Number(n) => {
                    self.add_setting(fact.of.as_deref(), &fact.key, &n.to_string())
                }
                FactValue::Text(text) => self.add_setting(fact.of.as_deref(), &fact.key, text),
            }
        }
        if is_exact && self.facts.len() < MAX_FACTS {
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

    fn add_array(&mut self, array: Option<Array>) {
        self.arrays
            .extend(array.filter(|a| !self.arrays.contains(a)));
    }

    fn add_kernel(&mut self, release: &str, subject: Option<&str>) {
        self.add(Fact::text("kernel", "Kernel", release).about(subject));
        self.kernel.get_or_insert_with(|| cut(release));
    }

    fn add_scheduler(&mut self, device: Option<&str>, scheduler: &str) {
        self.add(Fact::text("scheduler", "Scheduler", scheduler).about(device));
        self.schedulers.push((device.map(cut), cut(scheduler)));
    }
}

/// A reader takes what it understands of a text and ignores the rest.
type NoteReader = fn(&str, &mut Note);

const READERS: [(NoteKind, &str, NoteReader); 14] = [
    (
        NoteKind::Manifest,
        "manifest of seekscope-record",
        manifest::read,
    ),
    (NoteKind::BlktraceLog, "blktrace log", blktrace_log::read),
    (NoteKind::Uname, "kernel version", uname::read),
    (NoteKind::Mdstat, "md arrays (mdstat)", mdadm::read_mdstat),
    (NoteKind::Mdadm, "md arrays (mdadm)", mdadm::read),
    (NoteKind::Partitions, "partition table", partitions::read),
    (NoteKind::Lsblk, "block devices (lsblk)", lsblk::read),
    (
        NoteKind::Mounts,
        "mounted file systems",
        machine::read_mounts,
    ),
    (
        NoteKind::Cmdline,
        "kernel command line",
        machine::read_command_line,
    ),
    (NoteKind::Dm, "device-mapper tables", machine::read_tables),
    (NoteKind::Zones, "zones (blkzone report)", zones::read),
    (NoteKind::Settings, "settings", settings::read),
    (
        NoteKind::Trigger,
        "trigger of a moment",
        recorder::trigger::read,
    ),
    (
        NoteKind::ClockSync,
        "synchronisation of the clock",
        recorder::clock_sync::read,
    ),
];

/// Reads the first bytes of a file, at most [`MAX_BYTES`].
pub fn read(file: &str, bytes: &[u8]) -> Note {
    if !is_text(bytes) {
        if let Some((kind, what)) = binary_kind(file, bytes) {
            return Note {
                file: file.to_owned(),
                kind,
                what: what.into_owned(),
                beside: true,
                ..Note::default()
            };
        }
        return Note {
            file: file.to_owned(),
            kind: NoteKind::Binary,
            what: "not text".to_owned(),
            ..Note::default()
        };
    }
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
    let text = text.trim_start_matches('\u{feff}');
    let origin = origin_kind(file, bytes);
    let mut note = Note {
        file: file.to_owned(),
        counters: counters::tool(bytes),
        ..Note::default()
    };
    let has_stacks = StacksReader::recognise(bytes);
    note.beside = note.counters.is_some()
        || origin.is_some()
        || has_stacks
        || LayersReader::recognise(file, bytes);
    if let Some(tool) = note.counters.clone() {
        uname::read(text.lines().next().unwrap_or_default(), &mut note);
        note.add(Fact::text("counters", "Counters", &tool));
    }
    // Rows of counters are no facts, but a mail may have other texts below them.
    let others = note.counters.as_ref().map(|_| counters::without(text));
    let text = others.as_deref().unwrap_or(text);
    if let Some((kind, what)) = json::read(text, &mut note) {
        note.found.push((kind, Cow::from(what)));
    } else {
        for (kind, what, reader) in READERS {
            let before = note.facts.len();
            reader(text, &mut note);
            if note.facts.len() > before {
                note.found.push((kind, Cow::from(what)));
            }
        }
    }
    note.found.extend(origin);
    if has_stacks {
        note.found
            .push((NoteKind::CallStacks, Cow::from("call stacks")));
    }
    // The samples below a trigger would be read as results.
    let is_trigger = note
        .found
        .iter()
        .any(|(kind, _)| *kind == NoteKind::Trigger);
    if !is_trigger && unread::is_likely(text, !note.found.is_empty()) {
        note.unread = match &others {
            Some(rest) => Unread::Rest(rest.clone()),
            None => Unread::All { bytes: text.len() },
        };
    }
    let shown = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .take(FIRST_LINES.0);
    note.lines = shown
        .map(|line| line.chars().take(FIRST_LINES.1).collect())
        .collect();
    note.describe();
    note
}

/// What a file says of the owners of sectors, if it does.
fn origin_kind(file: &str, bytes: &[u8]) -> Option<(NoteKind, Cow<'static, str>)> {
    let head = &bytes[..bytes.len().min(MAX_BYTES)];
    OriginReader::recognise(file, head).then(|| kind_of_origin(file, head))
}

/// What a binary trace beside another one is read for.
fn binary_kind(file: &str, bytes: &[u8]) -> Option<(NoteKind, Cow<'static, str>)> {
    match StacksReader::has_binary_stacks(bytes) {
        true => Some((NoteKind::CallStacks, Cow::from("call stacks"))),
        false => OriginReader::has_events(file, bytes).then(|| kind_of_origin(file, bytes)),
    }
}

fn kind_of_origin(file: &str, head: &[u8]) -> (NoteKind, Cow<'static, str>) {
    match OriginReader::has_events(file, head) {
        true => (
            NoteKind::FileSystemEvents,
            Cow::from("events of a file system"),
        ),
        false => (NoteKind::DiskMap, Cow::from("map of the disk")),
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Programs that draw progress with backspaces still print text; binary files have a zero byte
/// early.
fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(4096)].contains(&0)
}

#[cfg(test)]
mod tests;
