//! hyperfine's export as JSON, also a part of it.

use super::metric;
use crate::json::{Value, parse};
use crate::readers::benchmarks::collect::{Collector, SECOND};
use crate::recognise::Cursor;

/// Lines from the first bracket to the first command.
const MAX_HEAD: usize = 5;

/// The line behind a document that begins at the cursor.
pub fn read(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    if !cursor.text(0).trim_start().starts_with('{') {
        return None;
    }
    // Documents of other programs are not parsed.
    let has = |name: &str| (0..MAX_HEAD).any(|offset| cursor.text(offset).contains(name));
    if !has("\"results\"") || !has("\"command\"") {
        return None;
    }
    let document = parse(cursor, 0)?;
    for result in document.value.as_object()?.array("results")? {
        let Some(result) = result.as_object() else {
            continue;
        };
        found.set("command", result.text("command")?);
        let parameters = result.object("parameters").map(|object| &object.members);
        for (name, value) in parameters.into_iter().flatten() {
            if let Value::Text(value, _) = value {
                found.set(name, value);
            }
        }
        for (name, _) in &result.members {
            if let (Some(metric), Some((value, place))) = (metric(name), result.number(name)) {
                found.add_at(place, metric, value * SECOND);
            }
        }
    }
    Some(document.end)
}
