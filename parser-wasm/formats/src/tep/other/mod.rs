//! Samples of other layers as lines of ftrace text: what an event means has one home, which reads
//! such lines. One module per layer says which fields its events have.

mod btrfs;
mod calls;
mod ext4;
mod f2fs;
mod style;
#[cfg(test)]
mod tests;
mod writeback;
mod xfs;

use super::{EventFormat, Field};
use crate::machine::Machine;
use memchr::memmem;
use rustc_hash::FxHashMap;

pub use style::{FieldStyle, FieldValue};

/// An event of another layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherEvent<'a> {
    /// Time on the clock of the trace, ns.
    pub time: u64,
    /// Thread id.
    pub pid: u32,
    /// The name of the task, or nothing.
    pub comm: &'a str,
    /// Name of the event, such as `ext4_allocate_blocks`.
    pub name: &'a str,
    /// The fields, as ftrace prints them.
    pub fields: &'a str,
    /// That of the recording, where it says so: numbers of system calls depend on it.
    pub machine: Option<Machine>,
}

/// A label, the field that stands behind it, and how that is printed.
pub type Column = (&'static str, &'static str, FieldStyle);
/// Names of events, and what is printed of them; a field that a kernel does not have is left out
/// with its label.
pub type EventColumns = (&'static [&'static str], &'static [Column]);

const LAYERS: [&[EventColumns]; 6] = [
    ext4::EVENTS,
    xfs::EVENTS,
    f2fs::EVENTS,
    btrfs::EVENTS,
    writeback::EVENTS,
    calls::EVENTS,
];

/// All events that are read, except those of single system calls.
pub fn other_events() -> impl Iterator<Item = (&'static str, &'static [Column])> {
    let events = LAYERS.iter().flat_map(|events| events.iter());
    events.flat_map(|(names, columns)| names.iter().map(move |name| (*name, *columns)))
}

/// Systems with such events.
const SYSTEMS: [&[u8]; 11] = [
    b"ext4",
    b"jbd2",
    b"xfs",
    b"iomap",
    b"f2fs",
    b"btrfs",
    b"writeback",
    b"io_uring",
    b"syscalls",
    b"raw_syscalls",
    b"task",
];
/// Symbols that are kept: operations of the buffers of XFS.
const SYMBOL: &[u8] = b"_buf_ops";
const MAX_SYMBOLS: usize = 4096;

/// The layouts of the events of other layers in a file.
#[derive(Clone, Debug, Default)]
pub struct OtherFormats {
    common: Option<(Field, Field)>,
    formats: FxHashMap<i64, OtherFormat>,
    symbols: FxHashMap<u64, String>,
}

/// The layout of one of them, as columns.
#[derive(Clone, Debug)]
struct OtherFormat {
    name: String,
    columns: Vec<(String, Field, FieldStyle)>,
}

/// A sample of another layer.
pub struct OtherSample<'a> {
    pub pid: u32,
    pub name: &'a str,
    format: &'a OtherFormat,
    symbols: &'a FxHashMap<u64, String>,
}

impl OtherFormats {
    /// Takes the format of an event of a system; ignores those that nobody reads.
    pub fn add(&mut self, system: &[u8], text: &[u8]) {
        if !SYSTEMS.contains(&system) {
            return;
        }
        let Some(shape) = EventFormat::parse(text) else {
            return;
        };
        let common = shape
            .field(&["common_type"])
            .zip(shape.field(&["common_pid"]));
        let Some((common, columns)) = common.zip(columns(&shape)) else {
            return;
        };
        self.common = Some(common);
        let name = shape.name.clone();
        self.formats
            .insert(i64::from(shape.id), OtherFormat { name, columns });
    }

    pub fn is_empty(&self) -> bool {
        self.formats.is_empty()
    }

    /// Takes the symbols of the kernel, lines of `address type name`.
    pub fn add_symbols(&mut self, text: &[u8]) {
        for offset in memmem::find_iter(text, SYMBOL) {
            let start = text[..offset]
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |n| n + 1);
            let line = text[start..]
                .split(|&b| b == b'\n')
                .next()
                .unwrap_or_default();
            let line = String::from_utf8_lossy(line);
            let mut words = line.split_ascii_whitespace();
            let address = words
                .next()
                .and_then(|hex| u64::from_str_radix(hex, 16).ok());
            if let Some((address, name)) = address.zip(words.nth(1))
                && address > 0
                && self.symbols.len() < MAX_SYMBOLS
            {
                self.symbols.insert(address, name.to_owned());
            }
        }
    }

    /// The layout of a sample; absent when it is none of these events.
    pub fn find(&self, sample: &[u8], big: bool) -> Option<OtherSample<'_>> {
        let (kind, pid) = self.common?;
        let format = self.formats.get(&kind.number(sample, big)?)?;
        Some(OtherSample {
            pid: pid.number(sample, big)? as u32,
            name: &format.name,
            format,
            symbols: &self.symbols,
        })
    }
}

/// The columns of an event; absent for events that nobody reads.
fn columns(shape: &EventFormat) -> Option<Vec<(String, Field, FieldStyle)>> {
    let name = shape.name.as_str();
    if let Some((_, columns)) = other_events().find(|event| event.0 == name) {
        let column = |&(label, field, style): &Column| {
            Some((label.to_owned(), shape.field(&[field])?, style))
        };
        return Some(columns.iter().filter_map(column).collect());
    }
    if name.starts_with("sys_exit_") {
        let field = shape.field(&["ret"])?;
        return Some(vec![(String::new(), field, FieldStyle::Hex)]);
    }
    if !name.starts_with("sys_enter_") {
        return None;
    }
    let plain = |name: &str| !name.starts_with("common_") && name != "__syscall_nr";
    let mut columns = Vec::new();
    for (name, field) in shape.fields().filter(|(name, _)| plain(name)) {
        let comma = if columns.is_empty() { "" } else { ", " };
        columns.push((format!("{comma}{name}: "), field, FieldStyle::Hex));
    }
    Some(columns)
}

impl OtherSample<'_> {
    /// Appends the fields of the sample to a text; those of a truncated one are empty.
    pub fn write(&self, sample: &[u8], big: bool, text: &mut String) {
        for (label, field, style) in &self.format.columns {
            text.push_str(label);
            let value = match style {
                FieldStyle::Text => field.text(sample, big).map(FieldValue::Bytes),
                style if style.is_number() => field.number(sample, big).map(FieldValue::Number),
                _ => field.raw(sample, big).map(FieldValue::Bytes),
            };
            if let Some(value) = value {
                style.print(value, big, self.symbols, text);
            }
        }
    }
}
