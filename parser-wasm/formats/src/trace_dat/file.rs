//! The parts of a trace.dat other than the samples. Format: `man trace-cmd.dat.v6`, `man
//! trace-cmd.dat.v7`.
//!
//! Version 6: the copy of tracefs (`../tep`), then
//!
//! | width | name |
//! |---:|---|
//! | 4 | number of CPUs |
//! | 10 | `options  \0` |
//! | 2, 4, n | option id, size, value; the list ends with id 0 without size |
//! | 10 | `flyrecord\0` |
//! | 8, 8 | offset and size of the samples, per CPU |
//!
//! The option BUFFER has the offset (8) of another `flyrecord\0` table.
//!
//! Version 7: magic, version, byte order, size of `long` and page size as in `../tep`, then the
//! compression's name `\0` and version `\0`, and the offset (8) of the first list of options. All
//! else is in sections:
//!
//! | offset | width | section header |
//! |---:|---:|---|
//! | 0 | 2 | id |
//! | 2 | 2 | flags: bit 0 compressed |
//! | 4 | 4 | offset of its description |
//! | 8 | 8 | size of the content |
//!
//! Options are id (2), size (4), value. Id 0 has the offset (8) of the next list, 0 at the end. Ids
//! of sections have the offset (8) of the section. BUFFER has a table:
//!
//! | width | name |
//! |---:|---|
//! | 8 | offset of the buffer's section |
//! | `\0` | name of the instance |
//! | `\0` | trace clock |
//! | 4 | page size |
//! | 4 | number of CPUs |
//! | 4, 8, 8 | CPU, offset and size of its samples, per CPU |

use super::compression::{PieceCompression, unpack};
use super::recover;
use crate::cursor::Cursor;
use crate::machine::Machine;
use crate::tep::{
    BlockFormats, PageLayout, TracefsHeader, event_formats, ftrace_events, read_symbols, skip_text,
    task_names,
};
use crate::unpack_budget::UnpackBudget;
use seekscope_trace::limits::ReportedCount;
use std::borrow::Cow;

/// The options that both versions have.
const DATE: u16 = 1;
const CPUSTAT: u16 = 2;
pub const BUFFER: u16 = 3;
const TRACECLOCK: u16 = 4;
const UNAME: u16 = 5;
const TSC2NSEC: u16 = 14;
/// The sections of version 7.
const OPTIONS: u16 = 0;
const HEADER_INFO: u16 = 16;
const FTRACE_EVENTS: u16 = 17;
const EVENT_FORMATS: u16 = 18;
const KALLSYMS: u16 = 19;
const CMDLINES: u16 = 21;
pub const COMPRESSED: u16 = 1;

/// The place of the samples of one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    pub cpu: u32,
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Size in the file, in bytes.
    pub size: u64,
    /// Size of a page, in bytes.
    pub page: usize,
    /// Whether it is compressed, in chunks.
    pub packed: bool,
}

/// Where the symbols of the kernel are in a file: size (4) and text.
#[derive(Clone, Copy, Debug)]
pub enum SymbolsPlace {
    InFile(usize),
    Section(Section),
}

/// A trace.dat without its samples.
#[derive(Debug, Default)]
pub struct TraceDatFile {
    /// Whether numbers have their most significant byte first.
    pub big: bool,
    /// The compression of its sections and samples.
    pub method: PieceCompression,
    /// Layout of the pages; absent when the file ends before it.
    pub layout: Option<PageLayout>,
    /// The formats of block events.
    pub shapes: BlockFormats,
    /// Where the symbols of the kernel are.
    pub symbols: Option<SymbolsPlace>,
    /// The names of tasks.
    pub names: Vec<(u32, Vec<u8>)>,
    pub regions: Vec<Region>,
    /// Whether the regions were guessed, because the file ends before their table.
    pub guessed: bool,
    /// The name of the trace clock.
    pub clock: Option<String>,
    /// The architecture of the kernel.
    pub machine: Option<Machine>,
    /// Multiplier and shift from the processor's ticks to ns.
    pub ticks: Option<(u32, u32)>,
    /// ns from the trace clock to the wall clock since 1970.
    pub wall: Option<i64>,
    /// Events that the kernel counted as overwritten or dropped.
    pub dropped: ReportedCount,
    /// Offset of the first part that cannot be read.
    pub bad: Option<usize>,
    /// The name of a compression that is not supported.
    pub unknown_method: Option<String>,
    /// What sections and samples may still unpack to.
    pub budget: UnpackBudget,
    /// Bytes of the kernel's `long`.
    long: usize,
    /// Bytes of sections that may still be read: in a damaged file all of them might be all of it.
    left: usize,
}

/// Reads what is readable. Fails if the header is damaged (`None`) or has another version than 6
/// and 7.
pub fn read(data: &[u8]) -> Result<TraceDatFile, Option<String>> {
    let mut cursor = Cursor::new(data, 0, false);
    let head = TracefsHeader::read(&mut cursor).ok_or(None)?;
    let mut contents = TraceDatFile {
        big: head.big,
        long: head.long,
        budget: UnpackBudget::for_file(data.len()),
        left: data.len(),
        ..TraceDatFile::default()
    };
    let whole = match head.version.as_str() {
        "6" => version_6(&mut cursor, head.page, &mut contents),
        "7" => version_7(data, &mut cursor, head.page, &mut contents),
        _ => return Err(Some(head.version)),
    };
    if whole.is_none() {
        contents.bad.get_or_insert(cursor.offset.min(data.len()));
    }
    Ok(contents)
}

fn version_6(cursor: &mut Cursor<'_>, page: usize, contents: &mut TraceDatFile) -> Option<()> {
    contents.layout = Some(PageLayout::read(cursor)?);
    ftrace_events(cursor, contents.long, &mut contents.shapes)?;
    event_formats(cursor, &mut contents.shapes)?;
    contents.symbols = Some(SymbolsPlace::InFile(cursor.offset));
    read_symbols(cursor, &mut contents.shapes)?;
    skip_text(cursor)?;
    contents.names = owned(task_names(cursor)?);
    let cpus = cursor.u32()?;
    let mut buffers = Vec::new();
    loop {
        match cursor.take(10)? {
            b"options  \0" => loop {
                let option = cursor.u16()?;
                if option == 0 {
                    break;
                }
                let size = cursor.u32()?;
                let mut value = Cursor::new(cursor.take(size as usize)?, 0, cursor.big);
                if option == BUFFER {
                    buffers.push(value.u64()?);
                } else {
                    note(option, &mut value, contents);
                }
            },
            b"flyrecord\0" => break,
            _ => return None,
        }
    }
    let mut regions = |cursor: &mut Cursor<'_>| {
        for cpu in 0..cpus {
            let (offset, size) = (cursor.u64()?, cursor.u64()?);
            contents.regions.push(Region {
                cpu,
                offset,
                size,
                page,
                packed: false,
            });
        }
        Some(())
    };
    regions(cursor)?;
    for offset in buffers {
        cursor.offset = usize::try_from(offset).ok()?;
        cursor.take(10).filter(|word| *word == b"flyrecord\0")?;
        regions(cursor)?;
    }
    Some(())
}

fn version_7(
    data: &[u8],
    cursor: &mut Cursor<'_>,
    page: usize,
    contents: &mut TraceDatFile,
) -> Option<()> {
    let method = cursor.string()?;
    cursor.string()?;
    contents.method = PieceCompression::named(method).unwrap_or_else(|| {
        contents.unknown_method = Some(String::from_utf8_lossy(method).into_owned());
        PieceCompression::None
    });
    let mut next = cursor.u64()?;
    let mut lists = Vec::new();
    let mut behind = None;
    while next != 0 && !lists.contains(&next) {
        lists.push(next);
        cursor.offset = usize::try_from(next).ok()?;
        let Some(section) = Section::read(data, cursor) else {
            // The list after the samples is missing.
            contents.regions = behind.map_or_else(Vec::new, |offset| {
                recover::regions(data, offset, page, cursor.big)
            });
            contents.guessed = true;
            return None;
        };
        let list = Some(section)
            .filter(|s| s.id == OPTIONS)?
            .content(data, contents)?;
        behind = section
            .offset
            .checked_add(usize::try_from(section.size).ok()?);
        next = options(data, &mut Cursor::new(&list, 0, cursor.big), page, contents)?;
    }
    Some(())
}

/// Reads a list of options; returns the offset of the next list, 0 at the end.
fn options(
    data: &[u8],
    list: &mut Cursor<'_>,
    page: usize,
    contents: &mut TraceDatFile,
) -> Option<u64> {
    loop {
        let option = list.u16()?;
        let size = list.u32()?;
        let mut value = Cursor::new(list.take(size as usize)?, 0, list.big);
        match option {
            0 => return value.u64(),
            BUFFER => buffer(data, &mut value, page, contents)?,
            HEADER_INFO | FTRACE_EVENTS | EVENT_FORMATS | KALLSYMS | CMDLINES => {
                let offset = value.u64()?;
                let section = usize::try_from(offset).ok().and_then(|offset| {
                    Section::read(data, &mut Cursor::new(data, offset, list.big))
                });
                if section
                    .and_then(|s| described(&s, data, contents))
                    .is_none()
                {
                    contents
                        .bad
                        .get_or_insert(offset.min(data.len() as u64) as usize);
                }
            }
            _ => note(option, &mut value, contents),
        }
    }
}

fn described(section: &Section, data: &[u8], contents: &mut TraceDatFile) -> Option<()> {
    let content = section.content(data, contents)?;
    let mut cursor = Cursor::new(&content, 0, contents.big);
    match section.id {
        HEADER_INFO => contents.layout = Some(PageLayout::read(&mut cursor)?),
        FTRACE_EVENTS => ftrace_events(&mut cursor, contents.long, &mut contents.shapes)?,
        EVENT_FORMATS => event_formats(&mut cursor, &mut contents.shapes)?,
        KALLSYMS => {
            contents.symbols = Some(SymbolsPlace::Section(*section));
            read_symbols(&mut cursor, &mut contents.shapes)?;
        }
        CMDLINES => contents.names = owned(task_names(&mut cursor)?),
        _ => return None,
    }
    Some(())
}

/// Reads the BUFFER option of version 7.
fn buffer(
    data: &[u8],
    value: &mut Cursor<'_>,
    page: usize,
    contents: &mut TraceDatFile,
) -> Option<()> {
    let offset = usize::try_from(value.u64()?).ok()?;
    let _instance = value.string()?;
    let clock = value.string()?;
    contents.clock = Some(String::from_utf8_lossy(clock).into_owned())
        .filter(|c| !c.is_empty())
        .or(contents.clock.take());
    let page = Some(value.u32()? as usize)
        .filter(|size| *size > 0)
        .unwrap_or(page);
    let packed = Section::read_header(&mut Cursor::new(data, offset, value.big))
        .is_some_and(|s| s.flags & COMPRESSED != 0);
    for _ in 0..value.u32()? {
        let (cpu, offset, size) = (value.u32()?, value.u64()?, value.u64()?);
        contents.regions.push(Region {
            cpu,
            offset,
            size,
            page,
            packed,
        });
    }
    Some(())
}

fn note(option: u16, value: &mut Cursor<'_>, contents: &mut TraceDatFile) {
    match option {
        DATE => {
            contents.wall = value
                .string()
                .and_then(microseconds)
                .and_then(|us| us.checked_mul(1000))
        }
        TRACECLOCK if contents.clock.is_none() => contents.clock = value.string().and_then(chosen),
        UNAME => contents.machine = value.string().and_then(Machine::in_uname),
        TSC2NSEC => {
            contents.ticks = value
                .u32()
                .zip(value.u32())
                .filter(|t| t.0 != 0 && t.1 < 64)
        }
        CPUSTAT => {
            let text = String::from_utf8_lossy(value.string().unwrap_or_default()).into_owned();
            let is_count = |name: &str| matches!(name, "overrun" | "dropped events");
            for (_, digits) in text
                .lines()
                .filter_map(|line| line.split_once(':'))
                .filter(|(name, _)| is_count(name))
            {
                contents.dropped.add_digits(digits.trim(), None);
            }
        }
        _ => {}
    }
}

/// The chosen clock: `mono` in `local [mono] boot`.
fn chosen(clocks: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(clocks);
    let (_, rest) = text.split_once('[')?;
    rest.split_once(']').map(|(name, _)| name.to_owned())
}

/// `0x5d3a...`, as `trace-cmd record --date` writes it.
fn microseconds(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn owned(names: Vec<(u32, &[u8])>) -> Vec<(u32, Vec<u8>)> {
    names
        .into_iter()
        .map(|(pid, name)| (pid, name.to_vec()))
        .collect()
}

/// The header of a section.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The kind of the section.
    pub id: u16,
    /// The flags, among them whether it is compressed.
    pub flags: u16,
    /// Number of bytes after the header.
    pub size: u64,
    /// Offset of the first byte after the header.
    pub offset: usize,
}

impl Section {
    /// Reads the header of a section.
    pub fn read_header(cursor: &mut Cursor<'_>) -> Option<Section> {
        let (id, flags, _description, size) =
            (cursor.u16()?, cursor.u16()?, cursor.u32()?, cursor.u64()?);
        Some(Section {
            id,
            flags,
            size,
            offset: cursor.offset,
        })
    }

    /// Reads the header; `None` if the section is truncated.
    fn read(data: &[u8], cursor: &mut Cursor<'_>) -> Option<Section> {
        let section = Section::read_header(cursor)?;
        section.bytes(data).map(|_| section)
    }

    pub fn bytes<'a>(&self, data: &'a [u8]) -> Option<&'a [u8]> {
        data.get(self.offset..self.offset.checked_add(usize::try_from(self.size).ok()?)?)
    }

    fn content<'a>(&self, data: &'a [u8], contents: &mut TraceDatFile) -> Option<Cow<'a, [u8]>> {
        let bytes = self.bytes(data)?;
        contents.left = contents.left.checked_sub(bytes.len())?;
        if self.flags & COMPRESSED == 0 {
            return Some(Cow::Borrowed(bytes));
        }
        unpack(
            &mut Cursor::new(bytes, 0, contents.big),
            contents.method,
            &contents.budget,
        )
        .map(Cow::Owned)
    }
}
