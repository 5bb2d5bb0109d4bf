//! What a link or a report contains instead of the traces: figures, findings and pictures of a
//! comparison, packed tightly.
//!
//! [`take()`] queries each trace as the page would, once and at a resolution that fits; [`pack()`]
//! writes the result as few bytes; [`unpack()`] reads them as far as they are undamaged; a
//! [`TraceSnapshot`] answers the page's queries.
#![forbid(unsafe_code)]

mod answer;
mod brief;
mod budget;
mod codec;
mod coder;
mod contents;
mod decimal;
mod failures;
mod lanes;
mod names;
mod objects;
mod pack;
mod resample;
mod size;
mod take;
mod text;
mod zones;

pub use answer::NotInSnapshot;
pub use contents::{
    CompareDocumentOrNull, Picture, Snapshot, SnapshotHead, SnapshotRun, TraceInfoJson,
    TraceSnapshot,
};
pub use pack::{OpenedSnapshot, UnreadableSnapshot, pack, pack_brief, sections, unpack};
pub use size::{SnapshotDetail, SnapshotSize};
pub use take::{SnapshotQuery, take};
pub use text::{from_text, to_text};
