//! `lsblk`, `lsblk -t` and any other columns, as a table; `json.rs` passes the output of `lsblk
//! -J`.

use super::fact::device;
use super::{Array, Fact, Note};
use std::collections::BTreeSet;

/// The columns of one device, by lower-case name.
pub trait LsblkRow {
    /// Value of a column; `None` if it is empty.
    fn get(&self, column: &str) -> Option<String>;
}

/// Adds a device to the note, each one once, though a tree lists an array below each of its
/// members.
pub fn add(note: &mut Note, seen: &mut BTreeSet<String>, row: &impl LsblkRow) {
    let Some(name) = row
        .get("name")
        .map(|name| device(&name).to_owned())
        .filter(|name| seen.insert(name.clone()))
    else {
        return;
    };
    let device = Some(name.as_str());
    if let Some(dev) = row.get("maj:min") {
        note.add(Fact::text("dev", "Number", &dev).about(device));
        note.names.push((dev.replace(':', ","), name.clone()));
    }
    for (column, key, label) in [
        ("size", "size", "Size"),
        ("type", "type", "Type"),
        ("model", "model", "Model"),
    ] {
        if let Some(value) = row.get(column) {
            note.add(Fact::text(key, label, &value).about(device));
        }
    }
    if let Some(scheduler) = row.get("sched") {
        note.add_scheduler(device, &scheduler);
    }
    let number = |column: &str| row.get(column).and_then(|value| value.parse::<u64>().ok());
    let columns = [
        ("min-io", "minimum_io_size", "Minimum I/O size", "bytes"),
        ("opt-io", "optimal_io_size", "Optimal I/O size", "bytes"),
        (
            "phy-sec",
            "physical_block_size",
            "Physical block size",
            "bytes",
        ),
        (
            "log-sec",
            "logical_block_size",
            "Logical block size",
            "bytes",
        ),
        ("rq-size", "nr_requests", "Queue size", ""),
        ("ra", "read_ahead_kb", "Readahead", "KiB"),
    ];
    for (column, key, label, unit) in columns {
        if let Some(n) = number(column) {
            note.add(Fact::number(key, label, n as f64, unit).about(device));
        }
    }
    let level = row.get("type").filter(|kind| kind.starts_with("raid"));
    if let Some(array) = Array::of_limits(
        device,
        number("min-io").unwrap_or(0),
        number("opt-io").unwrap_or(0),
    ) {
        let md = level.and_then(|level| {
            Array::of_md(
                device,
                &level,
                None,
                array.unit_sectors.saturating_mul(512),
                0,
            )
        });
        note.add_array(Some(Array {
            level: md.and_then(|md| md.level),
            ..array
        }));
    }
}

/// Column names and the characters that they cover.
struct LsblkHeader<'a>(Vec<(&'a str, usize, usize)>);

struct LsblkLine<'a> {
    head: &'a LsblkHeader<'a>,
    words: Vec<(&'a str, usize, usize)>,
}

impl LsblkRow for LsblkLine<'_> {
    fn get(&self, column: &str) -> Option<String> {
        let (_, from, to) = *self
            .head
            .0
            .iter()
            .find(|(name, ..)| name.eq_ignore_ascii_case(column))?;
        // A value begins or ends where its column's name does; device numbers are aligned at the
        // colon.
        let edge = self
            .words
            .iter()
            .find(|(_, start, end)| *start == from || *end == to);
        let (word, ..) = edge.or_else(|| {
            self.words
                .iter()
                .find(|(_, start, end)| *start < to && *end > from)
        })?;
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/');
        (!word.is_empty()).then(|| word.to_owned())
    }
}

pub fn read(text: &str, note: &mut Note) {
    let mut seen = BTreeSet::new();
    let mut head: Option<LsblkHeader<'_>> = None;
    for line in text.lines() {
        let words = words(line);
        if words.first().is_some_and(|w| w.0 == "NAME") && words.len() > 2 {
            head = Some(LsblkHeader(words));
        } else if words.len() < 2 {
            head = None;
        } else if let Some(head) = &head {
            add(note, &mut seen, &LsblkLine { head, words });
        }
    }
}

/// Words with the positions of their first characters and ends.
fn words(line: &str) -> Vec<(&str, usize, usize)> {
    let mut words = Vec::new();
    let mut begun: Option<(usize, usize)> = None;
    let mut place = 0;
    for (byte, c) in line.char_indices() {
        match (begun, c.is_whitespace()) {
            (Some((from, first)), true) => {
                words.push((&line[from..byte], first, place));
                begun = None;
            }
            (None, false) => begun = Some((byte, place)),
            _ => {}
        }
        place += 1;
    }
    if let Some((from, first)) = begun {
        words.push((&line[from..], first, place));
    }
    words
}
