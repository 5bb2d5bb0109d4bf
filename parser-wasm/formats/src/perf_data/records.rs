//! The records of a perf.data.
//!
//! | offset | width | name |
//! |---:|---:|---|
//! | 0 | 4 | type |
//! | 4 | 2 | misc |
//! | 6 | 2 | size, with this header |
//! | 8 | | content |
//!
//! | type | content that is used |
//! |---:|---|
//! | 1 mapping, 10 mapping 2 | process, thread (4 each), address, length, offset (8 each), 32 more bytes in the second form, name |
//! | 2 lost | id (8), number of records (8) |
//! | 3 comm | process (4), thread (4), name; time at the end |
//! | 7 fork | process, parent process, thread, parent thread (4 each), time (8) |
//! | 9 sample | see `attributes.rs` |
//! | 13 lost samples | number (8) |
//! | 64 attribute | attribute, its ids (pipe only) |
//! | 66 tracing data | size (4); the tracefs copy follows the record, padded to 8 bytes (pipe only) |
//! | 71 auxtrace | size (8) of the data that follow the record |
//! | 80 feature | its bit (8), content (pipe only) |
//! | 81 compressed | part of a zstd stream of records |
//! | 83 compressed 2 | size (8), part of a zstd stream of records |

use super::attributes::Attribute;
use super::file::{ARCHITECTURE, PerfFile, architecture, tracing_data};
use crate::cursor::{Cursor, until_nul};
use rustc_hash::FxHashMap;
use seekscope_trace::limits::ReportedCount;
use std::ops::Range;

const MMAP: u32 = 1;
const LOST: u32 = 2;
const COMM: u32 = 3;
const FORK: u32 = 7;
const SAMPLE: u32 = 9;
const MMAP2: u32 = 10;
const LOST_SAMPLES: u32 = 13;
/// Types from 64 on are perf's own.
const HEADER_ATTR: u32 = 64;
const HEADER_TRACING_DATA: u32 = 66;
const AUXTRACE: u32 = 71;
const HEADER_FEATURE: u32 = 80;
const COMPRESSED: u32 = 81;
const COMPRESSED_2: u32 = 83;
const HEADER: usize = 8;
/// The process of mappings of the kernel.
const KERNEL: u32 = u32::MAX;
/// The kernel has a few hundred modules.
const MAX_MAPPINGS: usize = 1 << 11;

/// A sample of a tracepoint.
#[derive(Clone, Debug)]
pub struct PerfSample {
    /// Time in ns.
    pub time: u64,
    pub cpu: u32,
    /// The place of the tracepoint's fields.
    pub fields: Range<usize>,
    /// Whether that is in the unpacked records, and not in the file.
    pub unpacked: bool,
    /// Words of the call chain, which stands before the fields and their size.
    pub chain: u16,
}

impl PerfSample {
    /// The place of the call chain, a word of 8 bytes per address.
    pub fn chain(&self) -> Range<usize> {
        let end = self.fields.start.saturating_sub(4);
        end.saturating_sub(8 * usize::from(self.chain))..end
    }
}

/// Where the kernel or a module of it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerfMapping {
    pub address: u64,
    pub length: u64,
    pub offset: u64,
    pub name: Vec<u8>,
}

/// The records of a file.
#[derive(Clone, Debug, Default)]
pub struct PerfRecords {
    /// The samples that have a time and fields.
    pub samples: Vec<PerfSample>,
    /// Time, task, and its name from then on.
    pub names: Vec<(u64, u32, Vec<u8>)>,
    /// The last name of each task.
    named: FxHashMap<u32, Vec<u8>>,
    /// Lost records as reported at the time.
    pub lost: ReportedCount,
    /// Lost records by the counters at the end.
    pub lost_samples: ReportedCount,
    /// Compressed records, one after another.
    pub packed: Vec<u8>,
    /// A truncated last record: offset, bytes present, bytes needed.
    pub cut: Option<(usize, u64, u64)>,
    /// First byte of what could not be read, and how many bytes in all.
    pub bad: Option<(usize, u64)>,
    /// The kernel and its modules.
    pub mappings: Vec<PerfMapping>,
    /// Samples without time or without the trace point's fields.
    pub bare: u64,
}

impl PerfRecords {
    fn name(&mut self, time: u64, task: u32, name: Vec<u8>) {
        self.names.push((time, task, name.clone()));
        self.named.insert(task, name);
    }
}

/// Reads the records in `range` of a file, or of what was packed in one.
pub fn read(
    data: &[u8],
    range: Range<usize>,
    unpacked: bool,
    contents: &mut PerfFile,
    found: &mut PerfRecords,
) {
    let first = found.samples.len();
    walk(data, range, unpacked, contents, found);
    found.samples[first..]
        .iter_mut()
        .for_each(|sample| sample.unpacked = unpacked);
}

fn walk(
    data: &[u8],
    range: Range<usize>,
    unpacked: bool,
    contents: &mut PerfFile,
    found: &mut PerfRecords,
) {
    let (big, end) = (contents.big, range.end.min(data.len()));
    let mut record_at = range.start;
    while record_at < end {
        let mut head = Cursor::new(&data[..end], record_at, big);
        let header = head.u32().zip(head.u16()).zip(head.u16());
        let Some(((kind, _misc), size)) = header else {
            found.cut = Some((record_at, (end - record_at) as u64, HEADER as u64));
            return;
        };
        let size = usize::from(size);
        if size < HEADER {
            found.bad.get_or_insert((record_at, 0)).1 += (end - record_at) as u64;
            return;
        }
        if record_at + size > end {
            found.cut = Some((record_at, (end - record_at) as u64, size as u64));
            return;
        }
        let body = record_at + HEADER..record_at + size;
        // Offsets of unpacked records mean nothing in the file.
        let byte = (!unpacked).then_some(record_at as u64);
        match record(kind, (data, byte), body, contents, found) {
            Some(behind) => record_at += size + behind,
            None => {
                found.bad.get_or_insert((record_at, 0)).1 += size as u64;
                record_at += size;
            }
        }
    }
}

/// Reads a record; returns how many bytes of it follow outside of its size.
fn record(
    kind: u32,
    (data, byte): (&[u8], Option<u64>),
    place: Range<usize>,
    contents: &mut PerfFile,
    found: &mut PerfRecords,
) -> Option<usize> {
    let big = contents.big;
    let body = &data[place.clone()];
    let mut c = Cursor::new(body, 0, big);
    let mut behind = 0;
    match kind {
        SAMPLE => {
            let sample = contents.attributes.sample(body, big)?;
            match (sample.time, sample.raw) {
                (None, _) | (_, None) => found.bare += 1,
                (Some(time), Some(raw)) => {
                    let fields = place.start + raw.start..place.start + raw.end;
                    found.samples.push(PerfSample {
                        time,
                        cpu: sample.cpu,
                        fields,
                        unpacked: false,
                        chain: sample.chain,
                    });
                }
            }
        }
        MMAP | MMAP2 => {
            let (process, _thread) = (c.u32()?, c.u32()?);
            let (address, length, offset) = (c.u64()?, c.u64()?, c.u64()?);
            if kind == MMAP2 {
                c.take(32)?;
            }
            if process == KERNEL && found.mappings.len() < MAX_MAPPINGS {
                let name = until_nul(c.rest()).to_vec();
                found.mappings.push(PerfMapping {
                    address,
                    length,
                    offset,
                    name,
                });
            }
        }
        COMM => {
            let (_process, task) = (c.u32()?, c.u32()?);
            let time = contents.attributes.time_of_other(body, big).unwrap_or(0);
            found.name(time, task, until_nul(c.rest()).to_vec());
        }
        FORK => {
            let (_process, _parent, task, parent, time) =
                (c.u32()?, c.u32()?, c.u32()?, c.u32()?, c.u64()?);
            if let Some(name) = found.named.get(&parent).cloned() {
                found.name(time, task, name);
            }
        }
        LOST => {
            let (_id, lost) = (c.u64()?, c.u64()?);
            found.lost.add_at(lost, None, byte);
        }
        LOST_SAMPLES => found.lost_samples.add_at(c.u64()?, None, byte),
        HEADER_ATTR => {
            let (attribute, size) = Attribute::read(body, big)?;
            contents.attributes.add(attribute, body.get(size..)?, big);
        }
        HEADER_TRACING_DATA => {
            let size = c.u32()? as usize;
            let tracefs = data.get(place.end..place.end.checked_add(size)?)?;
            contents.formats = tracing_data(tracefs, &mut contents.shapes).is_some();
            behind = size.checked_next_multiple_of(8)?;
        }
        HEADER_FEATURE => {
            let is_architecture = c.u64()? == u64::from(ARCHITECTURE);
            let named = architecture(c.rest(), big).filter(|_| is_architecture);
            contents.machine = named.or(contents.machine);
        }
        AUXTRACE => behind = usize::try_from(c.u64()?).ok()?,
        COMPRESSED => found.packed.extend_from_slice(body),
        COMPRESSED_2 => {
            let size = c.u64()?;
            found.packed.extend_from_slice(c.take_long(size)?);
        }
        _ => {}
    }
    Some(behind)
}
