//! JSON next to a trace: `lsblk -J`, or any description with known keys.

use super::setting::PARTITIONS;
use super::settings::{StripeSettings, described};
use super::{Fact, Note, NoteKind, lsblk};
use seekscope_trace::sorting::SortShort;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// Limit for the nesting that is read.
const DEEPEST: usize = 12;

/// Reads a JSON text into the note; returns its kind and a name for it, `None` if nothing is known.
pub fn read(text: &str, note: &mut Note) -> Option<(NoteKind, &'static str)> {
    // Programs print their warnings before a report.
    let start = if text.trim_start().starts_with(['{', '[']) {
        0
    } else {
        text.find("\n{")?
    };
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Json>();
    let value = values.next()?.ok()?;
    if let Some(Json::Array(devices)) = value.get("blockdevices") {
        devices_of(devices, note, &mut BTreeSet::new(), 0);
        return (!note.facts.is_empty()).then_some((NoteKind::Lsblk, "block devices (lsblk)"));
    }
    let mut stripes = StripeSettings::default();
    walk(&value, None, &mut stripes, note, 0);
    stripes.end(note);
    // Members of an object are sorted by name: move the important ones to the front again.
    note.facts.sort_short_by_key(|fact| {
        (
            fact.of.is_some(),
            !matches!(&*fact.key, "kernel" | "scheduler" | "level"),
        )
    });
    (!note.facts.is_empty()).then_some((NoteKind::Description, "run description"))
}

impl lsblk::LsblkRow for Map<String, Json> {
    fn get(&self, column: &str) -> Option<String> {
        words(Map::get(self, column)?)
    }
}

fn devices_of(devices: &[Json], note: &mut Note, seen: &mut BTreeSet<String>, depth: usize) {
    for device in devices.iter().filter_map(Json::as_object) {
        lsblk::add(note, seen, device);
        if let Some(Json::Array(children)) = device.get("children").filter(|_| depth < DEEPEST) {
            devices_of(children, note, seen, depth + 1);
        }
    }
}

/// Reads known keys at any depth; an object with a name and a setting or number of a device is a
/// device.
fn walk(
    value: &Json,
    device: Option<&str>,
    stripes: &mut StripeSettings,
    note: &mut Note,
    depth: usize,
) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Json::Array(items) => items
            .iter()
            .for_each(|item| walk(item, device, stripes, note, depth + 1)),
        Json::Object(object) => {
            let named = object
                .get("name")
                .and_then(Json::as_str)
                .filter(|_| is_device(object));
            let mut stripes_of_object = StripeSettings::new(named);
            let (device, stripes) = if named.is_some() {
                (named, &mut stripes_of_object)
            } else {
                (device, stripes)
            };
            if let (Some(name), Some(dev)) = (named, object.get("majmin").and_then(Json::as_str)) {
                note.names.extend(
                    Some((dev.replace(':', ","), name.to_owned()))
                        .filter(|n| !note.names.contains(n)),
                );
            }
            if let (Some(_), Some(start)) = (
                named,
                object
                    .get("start")
                    .and_then(Json::as_f64)
                    .filter(|s| *s > 0.0),
            ) {
                note.add(
                    Fact::number("start_sector", "First sector", start, "sector").about(named),
                );
            }
            if let (Some(_), Some(Json::Array(parts))) = (named, object.get("partitions")) {
                note.add_setting(named, PARTITIONS, &partitions(parts));
            }
            for (key, value) in object {
                match words(value) {
                    Some(text) => {
                        let settings_before = note.settings.len();
                        described(note, stripes, device, key, &text);
                        // Counters deep in a description have such names too.
                        if device.is_none() && depth > 1 {
                            note.settings.truncate(settings_before);
                        }
                    }
                    None => walk(value, device, stripes, note, depth + 1),
                }
            }
            stripes_of_object.end(note);
        }
        _ => {}
    }
}

/// `vda1 at 63, vda2 at 2048`, or `none`.
fn partitions(parts: &[Json]) -> String {
    let place = |part: &Json| {
        Some(format!(
            "{} at {}",
            part.get("name")?.as_str()?,
            part.get("start")?.as_u64()?
        ))
    };
    let places: Vec<String> = parts.iter().filter_map(place).collect();
    if places.is_empty() {
        "none".to_owned()
    } else {
        places.join(", ")
    }
}

fn is_device(object: &Map<String, Json>) -> bool {
    let has = |key: &str| object.contains_key(key);
    has("majmin")
        || has("scheduler")
        || has("md")
        || has("logical_block_size")
        || (has("start") && has("sectors"))
}

/// The text of a value that is no list and no object.
fn words(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(n) => Some(n.to_string()),
        Json::Bool(on) => Some(u8::from(*on).to_string()),
        _ => None,
    }
}
