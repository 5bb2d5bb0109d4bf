//! A whole snapshot in few bytes, and back: sections in the order of their worth, each with its length and check sum, so that of
//! a damaged link what comes before the damage is read.

use super::codec::Memory;
use super::take::shortened;
use crate::compare::stored;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::sync::OnceLock;

/// Of the bytes.
const VERSION: u8 = 1;
/// What is known before anything is read. Never to be changed: links of this version are read with it.
const PRIMER: &str = include_str!("primer-1.json");
/// Traces of one snapshot.
const MOST_TRACES: u64 = 20;

/// What is packed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What the page says of it: `{size, title?, ...}`.
    pub head: Json,
    /// Of `compare --json`; `null` for a single run.
    #[serde(default)]
    pub document: Json,
    /// Place among `traces` of each run of the document.
    #[serde(default)]
    pub of: Vec<usize>,
    /// By [`super::take`].
    pub traces: Vec<Json>,
}

/// A snapshot as far as it could be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Opened {
    /// What there is; traces of which nothing is left are `null`.
    pub snapshot: Snapshot,
    /// What is missing and why, in words.
    pub problems: Vec<String>,
}

/// Why nothing can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Its version.
    Newer(u8),
    /// Nothing of it is whole.
    Damaged,
    /// It is none.
    Empty,
}

fn primed() -> Memory {
    static PRIMED: OnceLock<Memory> = OnceLock::new();
    let learned = || {
        let mut memory = Memory::default();
        if let Ok(Json::Array(parts)) = serde_json::from_str(PRIMER) {
            parts.iter().for_each(|part| memory.learn(part));
        }
        memory
    };
    PRIMED.get_or_init(learned).clone()
}

/// Writes a snapshot with numbers of so many digits.
pub fn pack(snapshot: &Snapshot, digits: usize) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    let mut memory = primed();
    for section in sections(snapshot, digits) {
        let packed = memory.write(&section);
        let length = packed.len() as u32;
        bytes.extend(varint(length));
        bytes.extend(&check(&packed).to_le_bytes()[..CHECK]);
        bytes.extend(packed);
    }
    bytes
}

/// What is learned from, for a primer.
pub fn sections(snapshot: &Snapshot, digits: usize) -> Vec<Json> {
    let mut document = shortened(snapshot.document.clone(), digits);
    stored::slim(&mut document);
    each_figure(&mut document, |figure| {
        if figure["values"] == values(figure, snapshot) {
            figure.as_object_mut().map(|f| f.remove("values"));
        }
    });
    let first = json!({ "head": snapshot.head, "document": document, "of": snapshot.of, "traces": snapshot.traces.len() });
    let facts = snapshot.traces.iter().map(|trace| {
        let mut facts = trace.clone();
        facts.as_object_mut().map(|f| f.remove("pictures"));
        facts
    });
    let pictures = snapshot.traces.iter().map(|trace| trace["pictures"].clone());
    [first].into_iter().chain(facts).chain(pictures).collect()
}

/// Reads what [`pack`] wrote.
pub fn unpack(bytes: &[u8]) -> Result<Opened, Unreadable> {
    let (&version, mut rest) = bytes.split_first().ok_or(Unreadable::Empty)?;
    if version != VERSION {
        return Err(if (VERSION..32).contains(&version) { Unreadable::Newer(version) } else { Unreadable::Damaged });
    }
    let mut memory = primed();
    let mut next = || {
        let section = section(&mut rest)?;
        memory.read(section).ok()
    };
    let first = next().ok_or(Unreadable::Damaged)?;
    let traces = first["traces"].as_u64().filter(|n| (1..=MOST_TRACES).contains(n)).ok_or(Unreadable::Damaged)? as usize;
    let mut problems = Vec::new();
    let mut snapshot = Snapshot {
        head: first["head"].clone(),
        document: first["document"].clone(),
        of: serde_json::from_value(first["of"].clone()).unwrap_or_default(),
        traces: Vec::new(),
    };
    // What comes behind a damaged section was written with what it taught.
    let mut whole = true;
    let mut read = |whole: &mut bool| {
        let section = if *whole { next() } else { None };
        *whole = section.is_some();
        section
    };
    for _ in 0..traces {
        snapshot.traces.push(read(&mut whole).unwrap_or_default());
    }
    let lost = snapshot.traces.iter().filter(|t| !t.is_object()).count();
    let mut without = 0;
    for trace in snapshot.traces.iter_mut().filter(|t| t.is_object()) {
        let pictures = read(&mut whole);
        without += usize::from(pictures.is_none());
        trace["pictures"] = pictures.unwrap_or_else(|| json!([]));
    }
    if lost > 0 {
        problems.push(format!("the figures and charts of {lost} of {traces} runs"));
    }
    if without > 0 {
        problems.push(format!("the charts of {without} of {traces} runs"));
    }
    let held = snapshot.clone();
    each_figure(&mut snapshot.document, |figure| {
        if figure.get("values").is_none() {
            figure["values"] = values(figure, &held);
        }
    });
    for trace in snapshot.traces.iter_mut().filter(|t| t.is_object()) {
        let summary = trace["summary"].clone();
        stored::restore_losses(&mut trace["digest"], &summary);
    }
    let Snapshot { document, of, traces, .. } = &mut snapshot;
    stored::complete(document, |run| of.get(run).and_then(|&at| traces.get(at)).map(|trace| trace["digest"].clone()));
    Ok(Opened { snapshot, problems })
}

/// One a run, as the digests have it.
fn values(figure: &Json, snapshot: &Snapshot) -> Json {
    let runs = snapshot.document["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let value = |(i, run): (usize, &Json)| -> Json {
        let digest = snapshot.of.get(i).and_then(|&at| snapshot.traces.get(at)).map(|trace| &trace["digest"]);
        let named = |d: &&Json| run["device"] == d["dev"] || run["device"] == d["name"];
        let device = digest.and_then(|d| d["devices"].as_array()).and_then(|list| list.iter().find(named));
        let key = figure["key"].as_str().unwrap_or_default();
        device.map_or(Json::Null, |d| d["figures"][key].clone())
    };
    runs.iter().enumerate().map(value).collect()
}

fn each_figure(document: &mut Json, mut visit: impl FnMut(&mut Json)) {
    let figures = |part: &mut Json, visit: &mut dyn FnMut(&mut Json)| {
        part.get_mut("figures").and_then(Json::as_array_mut).into_iter().flatten().filter(|f| f.is_object()).for_each(visit);
    };
    figures(document, &mut visit);
    for more in document.get_mut("more").and_then(Json::as_array_mut).into_iter().flatten() {
        figures(more, &mut visit);
    }
}

/// Bytes of a check sum.
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

/// The next section, when it is whole.
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
