//! The parts of a perf.data other than its records. Format:
//! `tools/perf/Documentation/perf.data-file-format.txt` of the kernel.
//!
//! | offset | width | header |
//! |---:|---:|---|
//! | 0 | 8 | magic: `PERFILE2`, reversed on big-endian machines |
//! | 8 | 8 | size of the header; 16 when written to a pipe: the records follow, and have all the rest |
//! | 16 | 8 | size of an attribute with its ids |
//! | 24 | 8, 8 | offset and size of the attributes |
//! | 40 | 8, 8 | offset and size of the records; size 0 when perf was killed |
//! | 56 | 8, 8 | event types, unused |
//! | 72 | 32 | bits of features |
//!
//! The records are followed by offset (8) and size (8) per feature, in the order of their bits.
//! Feature 1 is a copy of tracefs (`../tep`), feature 6 the architecture: length (4) and text. An
//! attribute ends with offset (8) and size (8) of its
//! ids.

use super::attributes::{Attribute, Attributes};
use crate::cursor::{Cursor, until_nul};
use crate::machine::Machine;
use crate::tep::{
    BlockFormats, PageLayout, TracefsHeader, event_formats, ftrace_events, read_symbols,
};
use std::ops::Range;

/// The first bytes of a file.
const LITTLE: &[u8] = b"PERFILE2";
const BIG: &[u8] = b"2ELIFREP";
/// Size of the header when perf wrote to a pipe: magic and size.
const PIPE: u64 = 16;
/// The feature bit of the copy of tracefs.
const TRACING_DATA: u32 = 1;
/// The feature bit of the architecture.
pub const ARCHITECTURE: u32 = 6;

/// A perf.data without its records.
#[derive(Clone, Debug, Default)]
pub struct PerfFile {
    /// Whether numbers have their most significant byte first.
    pub big: bool,
    /// The layouts of samples.
    pub attributes: Attributes,
    /// The formats of block events.
    pub shapes: BlockFormats,
    /// The architecture of the kernel.
    pub machine: Option<Machine>,
    /// The place of the records.
    pub records: Range<usize>,
    /// Bytes missing at the end of the records.
    pub cut: u64,
    /// perf was killed before it wrote the features.
    pub unfinished: bool,
    /// Event formats were found, of any system.
    pub formats: bool,
}

/// Whether a file that begins like this is a perf.data.
pub fn is_one(head: &[u8]) -> bool {
    head.starts_with(LITTLE) || head.starts_with(BIG)
}

/// Reads what is present; `None` if the header is truncated.
pub fn read(data: &[u8]) -> Option<PerfFile> {
    let big = data.starts_with(BIG);
    let mut c = Cursor::new(data, 8, big);
    let size = c.u64()?;
    let mut contents = PerfFile {
        big,
        ..PerfFile::default()
    };
    if size == PIPE {
        contents.records = c.offset..data.len();
        return Some(contents);
    }
    let attribute_size = usize::try_from(c.u64()?).ok()?;
    let mut part = || Some((c.u64()?, c.u64()?));
    let (attributes, records, _event_types) = (part()?, part()?, part()?);
    let flags = c.u64()?;
    let whole = |(offset, size): (u64, u64)| {
        data.get(usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(size)?).ok()?)
    };
    // In a damaged file the ids of all attributes could take everything.
    let mut left = data.len();
    for bytes in whole(attributes)?.chunks_exact(attribute_size.max(1)) {
        let (attribute, _) = Attribute::read(bytes, big)?;
        let mut ids = Cursor::new(bytes, bytes.len().checked_sub(16)?, big);
        let ids = ids
            .u64()
            .zip(ids.u64())
            .and_then(whole)
            .filter(|ids| ids.len() <= left)
            .unwrap_or_default();
        left -= ids.len();
        contents.attributes.add(attribute, ids, big);
    }
    contents.unfinished = records.1 == 0;
    let from = usize::try_from(records.0).ok()?.min(data.len());
    let end = if contents.unfinished {
        data.len() as u64
    } else {
        records.0.saturating_add(records.1)
    };
    contents.records = from..end.min(data.len() as u64) as usize;
    contents.cut = end.saturating_sub(data.len() as u64);
    let unfinished = contents.unfinished;
    let feature = |bit: u32| {
        if flags >> bit & 1 == 0 || unfinished {
            return None;
        }
        let before = (flags & ((1 << bit) - 1)).count_ones() as usize;
        let place = usize::try_from(end).ok()?.checked_add(16 * before)?;
        let mut place = Cursor::new(data, place, big);
        place.u64().zip(place.u64()).and_then(whole)
    };
    if let Some(tracefs) = feature(TRACING_DATA) {
        contents.formats = tracing_data(tracefs, &mut contents.shapes).is_some();
    }
    contents.machine = feature(ARCHITECTURE).and_then(|text| architecture(text, big));
    Some(contents)
}

/// Reads the feature of the architecture.
pub fn architecture(feature: &[u8], big: bool) -> Option<Machine> {
    let mut cursor = Cursor::new(feature, 0, big);
    let length = cursor.u32()?;
    Machine::named(until_nul(cursor.take(length as usize)?))
}

/// Reads perf's copy of tracefs.
pub fn tracing_data(data: &[u8], shapes: &mut BlockFormats) -> Option<()> {
    let mut cursor = Cursor::new(data, 0, false);
    let head = TracefsHeader::read(&mut cursor)?;
    PageLayout::read(&mut cursor)?;
    ftrace_events(&mut cursor, head.long, shapes)?;
    event_formats(&mut cursor, shapes)?;
    // A copy that ends here is enough.
    let _ = read_symbols(&mut cursor, shapes);
    Some(())
}
