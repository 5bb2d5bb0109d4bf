//! Histograms as JSON: `biolatency -j` of bcc, `bpftrace -f json`.
//!
//! ```text
//! {'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', 'data': [{'interval-start': 0,
//!  'interval-end': 1, 'count': 0}, ...], 'Bucket ptr': b'vda', 'flags': 'Read'}
//!
//! {"type": "attached_probes", "data": {"probes": 3}}
//! {"type": "hist", "data": {"@usecs": [{"min": 64, "max": 127, "count": 10}, ...]}}
//! {"type": "hist", "data": {"@usecs": {"259,0": [{"max": -1, "count": 1}, ...]}}}
//! ```
//!
//! biolatency prints a dictionary of Python per interval. Both bounds belong to a bucket; bpftrace
//! leaves one out where a bucket has none.

use crate::json::{Object, Parsed, Value, parse};
use crate::line::Place;
use crate::observation::NamedValue;
use crate::readers::system::histograms::{
    Histogram,
    buckets::{Buckets, Form, Heading, heading},
};
use crate::recognise::{Cursor, Output};

/// Limit for the histograms of one output.
const MAX_HISTOGRAMS: usize = 1000;

/// The output whose first document begins at the cursor.
pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found: Vec<Histogram> = Vec::new();
    let mut end = 0;
    let mut offset = 0;
    let mut form = None;
    while found.len() < MAX_HISTOGRAMS {
        let Some(document) = document(cursor, offset) else {
            // `14:02:39`, and blank lines, are between intervals.
            let text = cursor.text(offset).trim();
            let gap = text.is_empty() || text.len() == 8 && text.matches(':').count() == 2;
            if form.is_none() || !gap || offset > end + 2 {
                break;
            }
            offset += 1;
            continue;
        };
        let object = document.value.as_object()?;
        let here = form_of(object)?;
        if form.is_some_and(|form| form != here) {
            break;
        }
        form = Some(here);
        match here {
            Form::Map => add_maps(object, &mut found),
            _ => add_interval(object, &mut found),
        }
        end = document.end;
        offset = end;
    }
    let tool = if form? == Form::Map {
        "bpftrace"
    } else {
        "biolatency"
    };
    let named = found.len() > 1;
    let repeated = found.iter().any(|histogram| histogram.repeat > 1);
    let mut output = Output {
        tool,
        end: cursor.start + end,
        ..Output::default()
    };
    for histogram in found {
        histogram.add(named, repeated, &mut output);
    }
    Some(output)
}

/// A document that may be one of these: only such a one is parsed.
fn document(cursor: Cursor<'_>, offset: usize) -> Option<Parsed<'_>> {
    let text = cursor.text(offset).trim_start();
    let inner = text.strip_prefix('{')?.trim_start();
    let inner = if inner.is_empty() {
        cursor.text(offset + 1).trim_start()
    } else {
        inner
    };
    let ours = ["'ts'", "\"ts\"", "\"type\"", "'val_type'", "\"val_type\""];
    let begins = ours.iter().any(|key| inner.starts_with(key));
    let parsed = begins.then(|| parse(cursor, offset)).flatten()?;
    form_of(parsed.value.as_object()?).map(|_| parsed)
}

fn form_of(object: &Object) -> Option<Form> {
    if object.text("val_type").is_some() && object.array("data").is_some() {
        return Some(Form::Log);
    }
    let kinds = [
        "hist",
        "lhist",
        "map",
        "attached_probes",
        "printf",
        "time",
        "stats",
        "value",
    ];
    let kind = object.text("type").filter(|kind| kinds.contains(kind));
    (kind.is_some() && object.get("data").is_some()).then_some(Form::Map)
}

fn add_interval(object: &Object, found: &mut Vec<Histogram>) {
    let (Some(unit), Some(rows)) = (object.text("val_type"), object.array("data")) else {
        return;
    };
    let names = [("Bucket ptr", "disk"), ("disk", "disk"), ("flags", "flags")];
    let dimensions = names
        .iter()
        .filter_map(|(key, name)| Some(NamedValue::new(name, object.text(key)?)))
        .collect();
    if let Some(heading) = Heading::of_unit(Form::Log, unit) {
        add(heading, dimensions, rows, found);
    }
}

fn add_maps(object: &Object, found: &mut Vec<Histogram>) {
    let histogram = object
        .text("type")
        .is_some_and(|kind| kind.ends_with("hist"));
    let Some(maps) = object.object("data").filter(|_| histogram) else {
        return;
    };
    for (name, content) in &maps.members {
        let Some(heading) = heading(&format!("{name}:")) else {
            continue;
        };
        let map = NamedValue::new("map", name);
        match content {
            Value::Array(rows) => add(heading, vec![map], rows, found),
            Value::Object(keys) => {
                for (key, rows) in &keys.members {
                    if let Value::Array(rows) = rows {
                        let dimensions = vec![map.clone(), NamedValue::new("key", key)];
                        add(heading, dimensions, rows, found);
                    }
                }
            }
            _ => {}
        }
    }
}

fn add(heading: Heading, dimensions: Vec<NamedValue>, rows: &[Value], found: &mut Vec<Histogram>) {
    let rows: Vec<(Option<f64>, u64, Place)> = rows
        .iter()
        .filter_map(Value::as_object)
        .filter_map(bucket)
        .collect();
    let Some((_, _, place)) = rows.first() else {
        return;
    };
    let mut buckets = Buckets::new(*place);
    for (upper, count, place) in rows {
        if !buckets.push(upper, count, place) {
            break;
        }
    }
    if buckets.total() == 0 {
        return;
    }
    let before = found
        .iter()
        .filter(|other| other.dimensions == dimensions)
        .count();
    found.push(Histogram {
        heading,
        dimensions,
        repeat: before + 1,
        buckets,
    });
}

/// The upper bound, exclusive, and the count; above the last bucket of some histograms is no bound.
fn bucket(object: &Object) -> Option<(Option<f64>, u64, Place)> {
    let bound = |key: &str| object.number(key).map(|bound| bound.0);
    let upper = bound("max").or_else(|| bound("interval-end"));
    upper.or_else(|| bound("min"))?;
    let (count, place) = object.number("count")?;
    (count >= 0.0).then_some((upper.map(|upper| upper + 1.0), count as u64, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::Observation;
    use crate::readers::samples::outputs;

    /// Values with the first dimension and the repeat.
    fn values(output: &Output, key: &str) -> Vec<(String, String, f64)> {
        let has_key = |o: &&Observation| o.metric.key == key;
        let shown = |o: &Observation| {
            let name = o.dimensions.last().map_or("", |d| &d.value).to_owned();
            (name, o.repeat.clone().unwrap_or_default(), o.value)
        };
        output
            .observations
            .iter()
            .filter(has_key)
            .map(shown)
            .collect()
    }

    fn named(name: &str, repeat: &str, value: f64) -> (String, String, f64) {
        (name.to_owned(), repeat.to_owned(), value)
    }

    #[test]
    fn dictionaries_of_biolatency_are_intervals() {
        let text = "
14:02:39
{'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', 'data': [{'interval-start': 0, 'interval-end': \
1, 'count': 0}, {'interval-start': 64, 'interval-end': 127, 'count': 10}, {'interval-start': 128, \
'interval-end': 255, 'count': 89}, {'interval-start': 256, 'interval-end': 511, 'count': 1}], \
'Bucket ptr': b'vda'}

14:02:40
{'ts': '2023-02-06 14:02:40', 'val_type': 'usecs', 'data': [{'interval-start': 0, 'interval-end': \
1, 'count': 3}], 'Bucket ptr': b'vda'}
";
        let found = outputs(&text.replace("\\\n", ""), read);
        let [output] = found.as_slice() else {
            panic!("{} outputs", found.len());
        };
        assert_eq!((output.tool, output.end), ("biolatency", 6));
        let counts = [named("vda", "1", 100.0), named("vda", "2", 3.0)];
        assert_eq!(values(output, "count"), counts);
        let medians = [named("vda", "1", 256e3), named("vda", "2", 2e3)];
        assert_eq!(values(output, "latency.p50"), medians);
    }

    #[test]
    fn maps_of_bpftrace_may_have_keys() {
        let text = "{\"type\": \"attached_probes\", \"data\": {\"probes\": 3}}
{\"type\": \"hist\", \"data\": {\"@usecs\": {\"259,0\": [
 {\"min\": 64, \"max\": 127, \"count\": 10}, {\"min\": 128, \"count\": 90}]}}}
{\"type\": \"value\", \"data\": {\"@start\": 5}}
";
        let found = outputs(text, read);
        let [output] = found.as_slice() else {
            panic!("{} outputs", found.len());
        };
        assert_eq!((output.tool, output.end), ("bpftrace", 4));
        assert_eq!(values(output, "count"), [named("259,0", "", 100.0)]);
        assert_eq!(values(output, "latency.p50"), [], "it has no upper bound");
    }

    #[test]
    fn other_documents_are_no_histograms() {
        for text in [
            "{\"type\": \"module\", \"data\": {\"x\": 1}}",
            "{'ts': '2023', 'data': []}",
            "{\"type\": \"hist\"}",
            "{\"data\": {\"type\": \"hist\"}}",
        ] {
            assert_eq!(outputs(text, read).len(), 0, "{text}");
        }
    }
}
