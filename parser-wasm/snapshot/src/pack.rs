//! A snapshot as bytes, and back. Sections are in the order of their worth, each with its length
//! and check sum, so that of a damaged link everything before the damage is read.
//!
//! | bytes | name | |
//! |---|---|---|
//! | 1 | version | 1; 2 with results of benchmarks without a trace; 3 of size XS |
//! | then per section: | | |
//! | 1 to 4 | length | of the data; 7 bits per byte, low ones first, the high bit set on all but the last byte |
//! | 3 | check | low bytes of the CRC-32 of the data, little-endian |
//! | length | data | JSON, coded by [`codec`](super::codec) |
//!
//! Section 1 has head, document, `of` and the number of traces; then one section per trace without
//! its pictures, then one section per trace with its pictures. Each section is predicted from all
//! before it, so nothing after a damaged one can be read.

use super::brief;
use super::codec::JsonModel;
use super::contents::{Snapshot, SnapshotHead, TraceSnapshot};
use super::names::strip_findings;
use super::take::shortened;
use seekscope_compare::links::stored;
use seekscope_notes::results::ResultSet;
use seekscope_trace::json::{read, typed};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::sync::OnceLock;

/// Version of the format. Another coder needs another version next to these.
const VERSION: u8 = 1;
/// The version of snapshots that have results of benchmarks in section 1, with or without traces:
/// readers of version 1 could not show them.
const WITH_RESULTS: u8 = 2;
/// The version of size XS: readers of the other versions could not restore what it leaves out.
const BRIEF: u8 = 3;
/// The text from which the model learns before the first bit. Changing a single byte changes every
/// prediction, and makes all existing links of version 1 unreadable.
const PRIMER: &str = include_str!("primer-1.json");
/// Limit for the traces of one snapshot.
const MAX_TRACES: u64 = 20;

/// Values that are restored at most: of 150 figures, 20 runs and 19 comparisons there are 57,000.
const MAX_RESTORED: usize = 1 << 20;

/// A snapshot as far as it could be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[doc(alias = "SnapshotContents")]
pub struct OpenedSnapshot {
    /// The parts that could be read.
    pub snapshot: Snapshot,
    /// Descriptions of what is missing.
    pub problems: Vec<String>,
}

/// The reason why nothing could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadableSnapshot {
    /// The format has this version, which is newer than this program.
    Newer(u8),
    /// The first section is damaged, and without it the others have no meaning.
    Damaged,
    /// The snapshot has no bytes.
    Empty,
}

/// The model after the primer; every snapshot begins with it.
fn primed() -> JsonModel {
    static PRIMED: OnceLock<JsonModel> = OnceLock::new();
    let learned = || {
        let mut model = JsonModel::default();
        if let Ok(Json::Array(parts)) = read(PRIMER) {
            parts.iter().for_each(|part| model.learn(part));
        }
        model
    };
    PRIMED.get_or_init(learned).clone()
}

/// Packs a snapshot; numbers of the document get `digits` digits, those of traces have theirs
/// already.
pub fn pack(snapshot: &Snapshot, digits: usize) -> Vec<u8> {
    packed(
        if snapshot.results.is_some() {
            WITH_RESULTS
        } else {
            VERSION
        },
        &sections(snapshot, digits),
    )
}

/// Packs a snapshot of size XS as its attempt number `step` keeps it; `None` when there is no such
/// attempt. `shown`: the rank of the finding that the page shows.
pub fn pack_brief(snapshot: &Snapshot, step: usize, shown: usize) -> Option<Vec<u8>> {
    let level = brief::level_of_attempt(step)?;
    let mut snapshot = snapshot.clone();
    let mut document = std::mem::take(&mut snapshot.document);
    strip_names(&mut document, &snapshot);
    snapshot.document = document;
    brief::shrink(&mut snapshot, level, shown);
    let document = std::mem::take(&mut snapshot.document);
    let Snapshot {
        head, of, traces, ..
    } = &snapshot;
    Some(packed(
        BRIEF,
        &in_sections(
            json!({ "head": head, "document": document, "of": of, "traces": traces.len() }),
            traces,
        ),
    ))
}

fn packed(version: u8, sections: &[Json]) -> Vec<u8> {
    let mut bytes = vec![version];
    let mut model = primed();
    for section in sections {
        let packed = model.write(section);
        let length = packed.len() as u32;
        bytes.extend(varint(length));
        bytes.extend(&check(&packed).to_le_bytes()[..CHECK]);
        bytes.extend(packed);
    }
    bytes
}

/// Removes process names from the findings about runs whose traces are without them.
fn strip_names(document: &mut Json, snapshot: &Snapshot) {
    let processes = |run: usize| {
        let trace = snapshot
            .of
            .get(run)
            .and_then(|&trace| snapshot.traces.get(trace)?.as_ref());
        // Without its trace, a run does not show whether names were included: strip them.
        trace.map_or(Some(&Json::Null), |trace| {
            (!trace.names).then(|| &trace.digest["processes"])
        })
    };
    strip_findings(document, &processes);
    for more in document
        .get_mut("more")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
    {
        strip_findings(more, &processes);
    }
}

/// The JSON of each section. Also the source of a primer.
pub fn sections(snapshot: &Snapshot, digits: usize) -> Vec<Json> {
    let mut document = shortened(snapshot.document.clone(), digits);
    strip_names(&mut document, snapshot);
    stored::slim(&mut document);
    let devices = devices(&snapshot.document, &snapshot.of, &snapshot.traces);
    each_figure(&mut document, |figure| {
        if figure["values"] == values(figure, &devices) {
            figure.as_object_mut().map(|f| f.remove("values"));
        }
    });
    let mut first = json!({ "head": snapshot.head, "document": document, "of": snapshot.of, "traces": snapshot.traces.len() });
    if let Some(results) = &snapshot.results {
        first["results"] = json!(results);
    }
    in_sections(first, &snapshot.traces)
}

fn in_sections(first: Json, traces: &[Option<TraceSnapshot>]) -> Vec<Json> {
    let (mut sections, mut pictures) = (vec![first], Vec::new());
    for trace in traces {
        let mut facts = json!(trace);
        // A trace that could not be read has no section of pictures.
        pictures.extend(
            facts
                .as_object_mut()
                .and_then(|facts| facts.remove("pictures")),
        );
        sections.push(facts);
    }
    sections.extend(pictures);
    sections
}

/// Reads what [`pack`] wrote, as far as it is undamaged.
pub fn unpack(bytes: &[u8]) -> Result<OpenedSnapshot, UnreadableSnapshot> {
    let (&version, mut rest) = bytes.split_first().ok_or(UnreadableSnapshot::Empty)?;
    if !matches!(version, VERSION | WITH_RESULTS | BRIEF) {
        return Err(if (VERSION..32).contains(&version) {
            UnreadableSnapshot::Newer(version)
        } else {
            UnreadableSnapshot::Damaged
        });
    }
    let mut model = primed();
    let mut next = || {
        let section = section(&mut rest)?;
        model.read(section).ok()
    };
    let first = next().ok_or(UnreadableSnapshot::Damaged)?;
    let results = typed::<ResultSet>(&first["results"])
        .ok()
        .map(ResultSet::bounded);
    let least = u64::from(results.is_none());
    let traces = first["traces"]
        .as_u64()
        .filter(|n| (least..=MAX_TRACES).contains(n));
    let traces = traces.ok_or(UnreadableSnapshot::Damaged)? as usize;
    let mut problems = Vec::new();
    let mut snapshot = Snapshot {
        head: typed::<SnapshotHead>(&first["head"]).unwrap_or_default(),
        document: first["document"].clone(),
        of: typed(&first["of"]).unwrap_or_default(),
        traces: Vec::new(),
        results,
    };
    // After a damaged section the model has not learned what the writer's had, so nothing more can
    // be read.
    let mut intact = true;
    let mut read = || {
        let section = if intact { next() } else { None };
        intact = section.is_some();
        section
    };
    for _ in 0..traces {
        let facts = read().filter(Json::is_object);
        snapshot
            .traces
            .push(facts.and_then(|facts| typed::<TraceSnapshot>(&facts).ok()));
    }
    let missing = snapshot
        .traces
        .iter()
        .filter(|trace| trace.is_none())
        .count();
    let mut without_charts = 0;
    for trace in snapshot.traces.iter_mut().flatten() {
        match read().and_then(|pictures| typed(&pictures).ok()) {
            Some(pictures) => trace.pictures = pictures,
            None => without_charts += 1,
        }
    }
    if missing > 0 {
        problems.push(format!(
            "the figures and charts of {missing} of {traces} runs"
        ));
    }
    if without_charts > 0 {
        problems.push(format!("the charts of {without_charts} of {traces} runs"));
    }
    if version == BRIEF {
        brief::restore(&mut snapshot);
    }
    let devices = devices(&snapshot.document, &snapshot.of, &snapshot.traces);
    let mut left = MAX_RESTORED;
    each_figure(&mut snapshot.document, |figure| {
        if figure.get("values").is_none() && left >= devices.len() {
            left -= devices.len();
            figure["values"] = values(figure, &devices);
        }
    });
    for trace in snapshot.traces.iter_mut().flatten() {
        stored::restore_losses(&mut trace.digest, &trace.summary);
    }
    let Snapshot {
        document,
        of: trace_indices,
        traces,
        ..
    } = &mut snapshot;
    stored::complete(document, |run| {
        Some(&traces.get(*trace_indices.get(run)?)?.as_ref()?.digest)
    });
    Ok(OpenedSnapshot { snapshot, problems })
}

/// The values of a figure, one per run, from the digests. They are left out of the packed document
/// when they are equal.
fn values(figure: &Json, devices: &[Option<&Json>]) -> Json {
    let key = figure["key"].as_str().unwrap_or_default();
    let value = |device: &Json| {
        Some(&device["figures"][key])
            .filter(|value| value.is_number())
            .cloned()
    };
    devices
        .iter()
        .map(|device| device.and_then(value).unwrap_or(Json::Null))
        .collect()
}

/// The device of each run of a document, from the digests.
fn devices<'a>(
    document: &Json,
    trace_of_run: &[usize],
    traces: &'a [Option<TraceSnapshot>],
) -> Vec<Option<&'a Json>> {
    let runs = document["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let device = |(i, run): (usize, &Json)| -> Option<&'a Json> {
        let digest = trace_of_run
            .get(i)
            .and_then(|&index| traces.get(index)?.as_ref())
            .map(|trace| &trace.digest)?;
        digest["devices"]
            .as_array()?
            .iter()
            .find(|d| run["device"] == d["dev"] || run["device"] == d["name"])
    };
    runs.iter()
        .enumerate()
        .map(device)
        .take(stored::MAX_RUNS)
        .collect()
}

fn each_figure(document: &mut Json, mut visit: impl FnMut(&mut Json)) {
    let figures = |part: &mut Json, visit: &mut dyn FnMut(&mut Json)| {
        part.get_mut("figures")
            .and_then(Json::as_array_mut)
            .into_iter()
            .flatten()
            .filter(|f| f.is_object())
            .for_each(visit);
    };
    figures(document, &mut visit);
    for more in document
        .get_mut("more")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
    {
        figures(more, &mut visit);
    }
}

/// Bytes of a check sum: a damaged section passes once in 16 million times.
const CHECK: usize = 3;

fn check(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn varint(mut n: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while n >= 128 {
        bytes.push((n & 127) as u8 | 128);
        n >>= 7;
    }
    bytes.push(n as u8);
    bytes
}

/// The data of the next section, if it is complete and undamaged.
fn section<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (mut length, mut shift) = (0u32, 0);
    loop {
        let (&byte, more) = rest.split_first()?;
        *rest = more;
        length |= u32::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            break;
        }
        if shift > 21 {
            return None;
        }
    }
    let (sum, more) = rest.split_at_checked(CHECK)?;
    let (section, more) = more.split_at_checked(length as usize)?;
    *rest = more;
    (check(section).to_le_bytes()[..CHECK] == *sum).then_some(section)
}
