//! What is known to be missing, damaged or odd in a trace.

use serde::Serialize;
use std::num::NonZeroU64;

/// Where in the input something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// File, as named when it was given.
    pub file: String,
    /// Line of a text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<NonZeroU64>,
    /// Byte in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Size of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// Said beside a result that is shown all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Stable code.
    pub code: String,
    /// One sentence: what was found.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// What was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
    /// What it usually means and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Events that found no partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// Bios never completed.
    pub q: u64,
    /// Issues of which no bio was seen queued, or that never completed.
    pub d: u64,
    /// Completions of nothing that was seen.
    pub c: u64,
}

/// The trace's quality record.
#[derive(Clone, Debug, Default)]
pub struct Quality {
    /// Events missing in per-CPU sequences.
    pub lost_events: u64,
    /// Bytes after the last whole record of a file.
    pub truncated_bytes: u64,
    /// Records with an action this version does not know.
    pub unknown_records: u64,
    /// Sums over devices.
    pub unmatched: Unmatched,
    /// In the order found.
    pub warnings: Vec<Warning>,
}
