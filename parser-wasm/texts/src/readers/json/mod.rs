//! The JSON that programs besides fio print.

mod histograms;
mod sysstat;
#[cfg(test)]
mod tests;

use super::Reader;
use crate::json::{self, Parsed, Value, parse, parse_members};
use crate::recognise::{Cursor, Output};

pub const READERS: &[Reader] = &[read, histograms::read];
/// Passes over documents of programs that no reader knows: the last one of all.
pub const UNKNOWN: &[Reader] = &[pass_over];

fn read(cursor: Cursor) -> Option<Output> {
    let parsed = document(cursor)?;
    let object = parsed.value.as_object()?;
    let output = sysstat::read(cursor, object)?;
    Some(Output {
        end: cursor.start + parsed.end,
        ..output
    })
}

/// The document, or the members of one, that begin at the cursor.
fn document(cursor: Cursor<'_>) -> Option<Parsed<'_>> {
    let first = cursor.text(0).trim_start();
    match first.as_bytes().first()? {
        b'{' | b'[' => parse(cursor, 0),
        b'"' if super::fio::is_json_member(first) => parse_members(cursor, 0),
        _ => None,
    }
}

/// Name of documents of programs that no reader knows.
pub const UNKNOWN_TOOL: &str = "json";

/// The lines of an unknown document would be read as those of a table, and be parsed again and
/// again.
fn pass_over(cursor: Cursor) -> Option<Output> {
    let Parsed {
        value,
        end,
        complete,
    } = document(cursor)?;
    let nested = match &value {
        Value::Object(object) => !object.members.is_empty(),
        Value::Array(values) => values
            .iter()
            .any(|value| matches!(value, Value::Object(_) | Value::Array(_))),
        _ => false,
    };
    let end = match complete {
        true => json::behind_records(cursor, end, &value),
        false => end,
    };
    (nested && (complete || end > 1)).then(|| Output {
        tool: UNKNOWN_TOOL,
        end: cursor.start + end,
        ..Output::default()
    })
}
