//! The copy of tracefs that trace-cmd and perf write into their files, which describes the samples
//! in them. The name is that of the kernel's library for it, libtraceevent. `\0` marks text that
//! ends with NUL.
//!
//! | width | name |
//! |---:|---|
//! | 10 | magic `\x17\x08\x44tracing` |
//! | `\0` | version: `6` |
//! | 1 | byte order: 1 is big-endian |
//! | 1 | size of `long` of the recorder |
//! | 4 | page size |
//! | `\0`, 8, n | `header_page`, size, text: the layout of ring buffer pages |
//! | `\0`, 8, n | `header_event`, size, text: the layout of the event header |
//! | 4, (8, n)... | number of ftrace's own events, each a size and its `format` |
//! | 4, ... | number of systems, each: name `\0`, number of events (4), each a size (8) and its `format` |
//! | 4, n | size of kallsyms, text |
//! | 4, n | size of printk formats, text |
//! | 8, n | size of `saved_cmdlines`, text: lines `pid name` |

mod block;
mod driver;
mod other;
mod samples;
mod shape;
mod stack;
mod stacked;
mod values;

pub use block::{BlockFormat, BlockFormats};
pub use other::{Column, FieldStyle, FieldValue, OtherEvent, OtherFormats, other_events};
pub use samples::Samples;
pub use shape::{EventFormat, Field};
pub use stack::StackFormat;
pub use stacked::{KernelMapping, StackSink, StackedEvent};

use super::cursor::Cursor;

/// First bytes of a trace.dat, and of the tracefs copy in a perf.data.
pub const MAGIC: &[u8] = b"\x17\x08\x44tracing";

/// The first fields of the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracefsHeader {
    /// The version, such as `6`.
    pub version: String,
    /// Whether numbers have their most significant byte first.
    pub big: bool,
    /// Bytes of the kernel's `long`.
    pub long: usize,
    /// Bytes of a page of the ring buffer, and of the file's alignment.
    pub page: usize,
}

impl TracefsHeader {
    /// Reads the header and sets the cursor's byte order; `None` if it is truncated or another
    /// format.
    pub fn read(cursor: &mut Cursor<'_>) -> Option<TracefsHeader> {
        cursor.take(MAGIC.len()).filter(|magic| *magic == MAGIC)?;
        let version = String::from_utf8_lossy(cursor.string()?).into_owned();
        cursor.big = cursor.u8()? == 1;
        let long = usize::from(cursor.u8()?);
        let page = cursor.u32()? as usize;
        Some(TracefsHeader {
            version,
            big: cursor.big,
            long,
            page,
        })
    }
}

/// The layout of the ring buffer's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    /// Offset and width of the number of bytes in use; the width is that of the kernel's `long`.
    pub commit: (usize, usize),
    /// Offset of the events in a page.
    pub data: usize,
}

impl PageLayout {
    /// Reads `header_page` and `header_event` with their sizes.
    pub fn read(cursor: &mut Cursor<'_>) -> Option<PageLayout> {
        cursor.string().filter(|name| *name == b"header_page")?;
        let page = sized(cursor)?;
        cursor.string().filter(|name| *name == b"header_event")?;
        sized(cursor)?;
        let page = EventFormat::parse_nameless(page);
        let (commit, data) = (page.field(&["commit"])?, page.field(&["data"])?);
        Some(PageLayout {
            commit: (commit.offset, commit.size.min(8)),
            data: data.offset,
        })
    }
}

/// Reads the formats of ftrace's own events and keeps that of call stacks.
pub fn ftrace_events(
    cursor: &mut Cursor<'_>,
    long: usize,
    shapes: &mut BlockFormats,
) -> Option<()> {
    for _ in 0..cursor.u32()? {
        let format = StackFormat::parse(sized(cursor)?, long);
        shapes.stack = shapes.stack.or(format);
    }
    Some(())
}

/// Reads the formats of all systems' events and keeps those of block events, of drivers, of
/// limiters, and of the layers above.
pub fn event_formats(cursor: &mut Cursor<'_>, shapes: &mut BlockFormats) -> Option<()> {
    for _ in 0..cursor.u32()? {
        let system = cursor.string()?;
        for _ in 0..cursor.u32()? {
            let text = sized(cursor)?;
            match system {
                b"block" => shapes.add(text),
                b"nvme" | b"scsi" => shapes.add_driver(text),
                b"wbt" | b"kyber" | b"iocost" => shapes.add_values(text),
                _ => shapes.other.add(system, text),
            }
        }
    }
    Some(())
}

/// Reads the symbols of the kernel.
pub fn read_symbols(cursor: &mut Cursor<'_>, shapes: &mut BlockFormats) -> Option<()> {
    let size = cursor.u32()?;
    shapes.other.add_symbols(cursor.take(size as usize)?);
    Some(())
}

/// Skips the formats of trace_printk.
pub fn skip_text(cursor: &mut Cursor<'_>) -> Option<()> {
    let size = cursor.u32()?;
    cursor.take(size as usize).map(|_| ())
}

/// Reads `saved_cmdlines`: one line `pid name` per known task.
pub fn task_names<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<(u32, &'a [u8])>> {
    let task = |line: &'a [u8]| {
        let line = line.trim_ascii();
        let space = line.iter().position(|&b| b == b' ')?;
        let pid = std::str::from_utf8(&line[..space]).ok()?.parse().ok()?;
        Some((pid, line[space..].trim_ascii())).filter(|(_, name)| *name != b"<...>")
    };
    Some(
        sized(cursor)?
            .split(|&b| b == b'\n')
            .filter_map(task)
            .collect(),
    )
}

/// A size of eight bytes, then so many bytes.
fn sized<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let size = cursor.u64()?;
    cursor.take_long(size)
}
