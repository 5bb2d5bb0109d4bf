//! The same histograms as JSON: `biolatency -j` of bcc, `bpftrace -f json`.
//!
//! ```text
//! {'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', 'data': [{'interval-start': 0, 'interval-end': 1, 'count': 0}, ...], 'Bucket ptr': b'vda', 'flags': 'Read'}
//!
//! {"type": "attached_probes", "data": {"probes": 3}}
//! {"type": "hist", "data": {"@usecs": [{"min": 64, "max": 127, "count": 10}, ...]}}
//! {"type": "hist", "data": {"@usecs": {"259,0": [{"max": -1, "count": 1}, ..., {"min": 100, "count": 1}]}}}
//! ```
//!
//! biolatency prints a dictionary of Python per line: with single quotation marks, and `b` before
//! names of disks. Both bounds belong to a bucket. bpftrace leaves one bound out where a bucket has
//! none; its objects may have several lines. Other types of output have no histogram.

use super::histograms::{HistogramUnit, LatencyHistogram, MOST, MOST_BUCKETS};
use super::table::NamedValue;
use serde_json::{Map, Value as Json};

/// Objects that are not JSON, until no more are tried: each may be as long as the text.
const MOST_BROKEN: usize = 64;
/// Bytes of a line of biolatency.
const LONGEST_LINE: usize = 1 << 16;

/// The histograms of a text, and the text without them: their lines are empty.
pub fn read(text: &str) -> (Vec<LatencyHistogram>, String) {
    let mut found = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let (mut at, mut line, mut broken) = (0, 1, 0);
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
        let own = text[at..end].trim_start_matches(['>', ' ', '\t']);
        let begins = end - own.len();
        let object = match own.as_bytes().first() {
            Some(b'{') if own.contains("interval-start") => {
                of_python(own).map(|object| (object, end))
            }
            Some(b'{') if broken < MOST_BROKEN && mentions_type(&text[begins..]) => {
                let mut objects =
                    serde_json::Deserializer::from_str(&text[begins..]).into_iter::<Json>();
                let object = objects.next().and_then(Result::ok);
                broken += usize::from(object.is_none());
                object.map(|object| (object, (begins + objects.byte_offset()).max(end)))
            }
            _ => None,
        };
        match object.filter(|(object, _)| add(object, line, &mut found)) {
            Some((_, after)) => {
                // The rest of its last line belongs to it.
                let after = text
                    .get(after..)
                    .and_then(|left| left.find('\n'))
                    .filter(|_| after > end)
                    .map_or(after.max(end), |n| after + n + 1);
                let lines = text
                    .get(at..after)
                    .unwrap_or_default()
                    .matches('\n')
                    .count();
                rest.extend(std::iter::repeat_n('\n', lines));
                (at, line) = (after.min(text.len()), line + lines);
            }
            None => {
                rest.push_str(&text[at..end]);
                (at, line) = (end, line + 1);
            }
        }
    }
    (found, rest)
}

/// Whether an object may be bpftrace's: its first key is `type`.
fn mentions_type(text: &str) -> bool {
    text[1..].trim_start().starts_with("\"type\"")
}

/// A dictionary of Python as JSON: its strings have neither escapes nor quotation marks.
fn of_python(line: &str) -> Option<Json> {
    let line = line.trim_end();
    if line.len() > LONGEST_LINE {
        return None;
    }
    let json = line.replace(": b'", ": '").replace('\'', "\"");
    serde_json::from_str(&json).ok()
}

/// Adds the histograms of an object; `false` if it is none of these tools'.
fn add(object: &Json, line: usize, found: &mut Vec<LatencyHistogram>) -> bool {
    let Some(object) = object.as_object() else {
        return false;
    };
    if let Some(kind) = object.get("type").and_then(Json::as_str) {
        let Some(Json::Object(maps)) = object.get("data") else {
            return false;
        };
        if kind == "hist" {
            maps.iter()
                .for_each(|(name, content)| of_map(name, content, line, found));
        }
        return true;
    }
    let (Some(unit), Some(Json::Array(buckets))) = (
        object
            .get("val_type")
            .and_then(Json::as_str)
            .and_then(HistogramUnit::of),
        object.get("data"),
    ) else {
        return false;
    };
    let named = |key: &str, name: &str| Some(NamedValue::new(name, object.get(key)?.as_str()?));
    let dimensions = [
        named("Bucket ptr", "disk"),
        named("disk", "disk"),
        named("flags", "flags"),
        named("ts", "time"),
    ];
    push(
        "biolatency",
        line,
        dimensions.into_iter().flatten().collect(),
        unit,
        buckets,
        found,
    );
    true
}

/// A map of bpftrace: a histogram, or one per key.
fn of_map(name: &str, content: &Json, line: usize, found: &mut Vec<LatencyHistogram>) {
    let map = NamedValue::new("map", name);
    let unit = HistogramUnit::of_map(name);
    match content {
        Json::Array(buckets) => push("bpftrace", line, vec![map], unit, buckets, found),
        Json::Object(keys) => {
            for (key, buckets) in keys
                .iter()
                .filter_map(|(key, content)| Some((key, content.as_array()?)))
            {
                push(
                    "bpftrace",
                    line,
                    vec![map.clone(), NamedValue::new("key", key)],
                    unit,
                    buckets,
                    found,
                );
            }
        }
        _ => {}
    }
}

fn push(
    tool: &'static str,
    line: usize,
    dimensions: Vec<NamedValue>,
    unit: HistogramUnit,
    buckets: &[Json],
    found: &mut Vec<LatencyHistogram>,
) {
    let mut histogram = LatencyHistogram {
        tool,
        line,
        dimensions,
        unit,
        ..LatencyHistogram::default()
    };
    for (upper, count) in buckets
        .iter()
        .filter_map(Json::as_object)
        .filter_map(bucket)
        .take(MOST_BUCKETS)
    {
        histogram.add(upper, count);
    }
    if found.len() < MOST && histogram.total() > 0 {
        found.push(histogram);
    }
}

/// The upper bound, exclusive, and the number; of the last of a linear histogram only the lower
/// bound is known.
fn bucket(object: &Map<String, Json>) -> Option<(Option<f64>, u64)> {
    let bound = |key: &str| object.get(key).and_then(Json::as_i64).map(|n| n as f64);
    let upper = bound("max")
        .or_else(|| bound("interval-end"))
        .map(|n| n + 1.0);
    let _ = upper.or_else(|| bound("min"))?;
    Some((upper, object.get("count")?.as_u64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As bcc's test of biolatency has it, shortened, and as -D and -F print it.
    const BIOLATENCY: &str = "\n14:02:39\n{'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', \
        'data': [{'interval-start': 0, 'interval-end': 1, 'count': 0}, {'interval-start': 64, \
        'interval-end': 127, 'count': 10}, {'interval-start': 128, 'interval-end': 255, 'count': \
        89}, {'interval-start': 256, 'interval-end': 511, 'count': 1}]}\n{'ts': '2023-02-06 \
        14:02:40', 'val_type': 'msecs', 'data': [{'interval-start': 0, 'interval-end': 1, 'count': \
        3}], 'Bucket ptr': b'vda'}\n{'ts': '2023-02-06 14:02:41', 'val_type': 'msecs', 'data': \
        [{'interval-start': 2, 'interval-end': 3, 'count': 3}], 'flags': 'Sync-Write'}\n";

    fn named(histogram: &LatencyHistogram) -> Vec<(&str, &str)> {
        histogram
            .dimensions
            .iter()
            .map(|d| (d.name.as_str(), d.value.as_str()))
            .collect()
    }

    #[test]
    fn dictionaries_of_biolatency() {
        let (found, rest) = read(BIOLATENCY);
        assert_eq!(found.len(), 3);
        assert_eq!(
            found[0].buckets,
            [(2e3, 0), (128e3, 10), (256e3, 89), (512e3, 1)]
        );
        assert_eq!(named(&found[0]), [("time", "2023-02-06 14:02:39")]);
        assert_eq!(
            named(&found[1]),
            [("disk", "vda"), ("time", "2023-02-06 14:02:40")]
        );
        assert_eq!(
            (found[1].buckets.as_slice(), found[1].line),
            ([(2e6, 3)].as_slice(), 4)
        );
        assert_eq!(named(&found[2])[0], ("flags", "Sync-Write"));
        assert!(rest.lines().count() == BIOLATENCY.lines().count() && !rest.contains('{'));
    }

    #[test]
    fn maps_of_bpftrace() {
        let text = "{\"type\": \"attached_probes\", \"data\": {\"probes\": 3}}\n\
            {\"type\": \"hist\", \"data\": {\"@usecs\": [{\"min\": 1, \"max\": 1, \"count\": 2}, \
            {\"min\": 64, \"max\": 127, \"count\": 10}, {\"min\": 1024, \"max\": 2047, \"count\": \
            8}]}}\n\
            {\n  \"type\": \"hist\",\n  \"data\": {\n    \"@ms\": {\n      \"259,0\": [{\"max\": \
            -1, \"count\": 1}, {\"min\": 0, \"max\": 9, \"count\": 1}, {\"min\": 10, \"count\": \
            4}],\n \"8,0\": []\n}}}\n\
            {\"type\": \"map\", \"data\": {\"@n\": 5}}\nthreads, MB/s\n";
        let (found, rest) = read(text);
        assert_eq!(found.len(), 2);
        // The same as the plain text of the same map.
        let plain = super::super::histograms::read(
            "@usecs: \n[1] 2 |@|\n[64, 128) 10 |@|\n[1K, 2K) 8 |@|\n",
        )
        .0;
        assert_eq!(
            (&found[0].buckets, &found[0].dimensions),
            (&plain[0].buckets, &plain[0].dimensions)
        );
        assert_eq!(found[0].row(), plain[0].row());
        assert_eq!(named(&found[1]), [("map", "@ms"), ("key", "259,0")]);
        assert_eq!(
            (found[1].buckets.as_slice(), found[1].above, found[1].line),
            ([(0.0, 1), (10e6, 1)].as_slice(), 4, 3)
        );
        assert_eq!(
            (rest.lines().count(), rest.trim()),
            (text.lines().count(), "threads, MB/s")
        );
    }

    #[test]
    fn other_json_is_left_as_it_is() {
        for text in [
            "{}\n",
            "{\"type\": 5}\n",
            "{\"type\": \"hist\"}\n",
            "{\"type\": \"hist\", \"data\": {\"@usecs\": [{\"min\": 1, \"max\"",
            "{'val_type': 'frobs', 'data': [{'interval-start': 0, 'interval-end': 1, 'count': \
                1}]}\n",
            "{'val_type': 'usecs', 'data': [{'interval-start': 0, 'interval-\n",
            "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"type\": \"hist\", \"data\": {}}]}\n",
        ] {
            assert_eq!(read(text), (Vec::new(), text.to_owned()), "{text}");
        }
        // Damaged buckets are no buckets; bounds that fall are another histogram's.
        let text = "{\"type\": \"hist\", \"data\": {\"@us\": [{\"min\": 1}, 5, {\"count\": 7}, \
            {\"min\": 4, \"max\": 7, \"count\": -1}, {\"min\": 8, \"max\": 15, \"count\": 2}, \
            {\"min\": 1, \"max\": 1, \"count\": 3}]}}";
        assert_eq!(read(text).0[0].buckets, [(16e3, 2)]);
        let many = "{\"type\": \"hist\", \"data\": {\"@usecs\": [\n".repeat(500);
        assert_eq!(read(&many), (Vec::new(), many));
    }
}
