//! What trace-cmd and perf copy of tracefs into their files, so that the samples in them can be read: byte order, layout
//! of the ring buffer's pages, layout of every kind of event, names of tasks.

mod block;
mod samples;
mod shape;

pub use block::{BlockFormat, BlockFormats};
pub use samples::Samples;
pub use shape::{EventFormat, Field};

use super::cursor::Cursor;

/// First bytes of a trace.dat, and of the copy of tracefs in a perf.data.
pub const MAGIC: &[u8] = b"\x17\x08\x44tracing";

/// What stands in front of everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracefsHeader {
    /// `6`.
    pub version: String,
    /// Whether numbers have their most significant byte first.
    pub big: bool,
    /// Bytes of a page of the ring buffer, and of the file's alignment.
    pub page: usize,
}

impl TracefsHeader {
    /// Reads it and sets the cursor's byte order; absent when it is cut or no such head.
    pub fn read(cursor: &mut Cursor<'_>) -> Option<TracefsHeader> {
        cursor.take(MAGIC.len()).filter(|magic| *magic == MAGIC)?;
        let version = String::from_utf8_lossy(cursor.string()?).into_owned();
        cursor.big = cursor.u8()? == 1;
        let _long_of_the_recorder = cursor.u8()?;
        let page = cursor.u32()? as usize;
        Some(TracefsHeader { version, big: cursor.big, page })
    }
}

/// Layout of the ring buffer's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    /// Where the number of bytes in use stands, and its size: that of the kernel's `long`.
    pub commit: (usize, usize),
    /// Where the events begin.
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
        Some(PageLayout { commit: (commit.offset, commit.size.min(8)), data: data.offset })
    }
}

/// Skips the formats of ftrace's own events.
pub fn skip_ftrace_events(cursor: &mut Cursor<'_>) -> Option<()> {
    for _ in 0..cursor.u32()? {
        sized(cursor)?;
    }
    Some(())
}

/// Reads the formats of all systems' events and keeps those of block events.
pub fn event_formats(cursor: &mut Cursor<'_>, shapes: &mut BlockFormats) -> Option<()> {
    for _ in 0..cursor.u32()? {
        let system = cursor.string()?;
        for _ in 0..cursor.u32()? {
            let text = sized(cursor)?;
            if system == b"block" {
                shapes.add(text);
            }
        }
    }
    Some(())
}

/// Skips kernel symbols, or the formats of trace_printk.
pub fn skip_text(cursor: &mut Cursor<'_>) -> Option<()> {
    let size = cursor.u32()?;
    cursor.take(size as usize).map(|_| ())
}

/// Reads `saved_cmdlines`: a line `pid name` for each task that was known.
pub fn task_names<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<(u32, &'a [u8])>> {
    let task = |line: &'a [u8]| {
        let line = line.trim_ascii();
        let space = line.iter().position(|&b| b == b' ')?;
        let pid = std::str::from_utf8(&line[..space]).ok()?.parse().ok()?;
        Some((pid, line[space..].trim_ascii())).filter(|(_, name)| *name != b"<...>")
    };
    Some(sized(cursor)?.split(|&b| b == b'\n').filter_map(task).collect())
}

/// Bytes with their number in eight bytes before them.
fn sized<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let size = cursor.u64()?;
    cursor.take_long(size)
}
