//! The layout of samples. `perf_event_attr`, as far as it is used:
//!
//! | offset | width | name |
//! |---:|---:|---|
//! | 4 | 4 | size; 0 means 64 |
//! | 24 | 8 | sample_type: the fields of a sample |
//! | 32 | 8 | read_format |
//! | 40 | 8 | flags: bit 18 sample_id_all, other records have time and CPU too |
//!
//! Fields of a sample, in this order, each only if its bit of sample_type is set:
//!
//! | bit | width | field |
//! |---:|---:|---|
//! | 16 | 8 | identifier |
//! | 0 | 8 | instruction pointer |
//! | 1 | 4, 4 | process, thread |
//! | 2 | 8 | time, ns |
//! | 3 | 8 | address |
//! | 6 | 8 | id |
//! | 9 | 8 | stream id |
//! | 7 | 4, 4 | CPU, reserved |
//! | 8 | 8 | period |
//! | 4 | | counters: size by read_format |
//! | 5 | 8, 8n | callchain: count, addresses |
//! | 10 | 4, n | raw: size, fields of the trace point |

use crate::cursor::Cursor;
use std::collections::BTreeMap;
use std::ops::Range;

const IP: u64 = 1;
const TID: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const ADDR: u64 = 1 << 3;
const READ: u64 = 1 << 4;
const CALLCHAIN: u64 = 1 << 5;
const ID: u64 = 1 << 6;
const CPU: u64 = 1 << 7;
const PERIOD: u64 = 1 << 8;
const STREAM_ID: u64 = 1 << 9;
const RAW: u64 = 1 << 10;
const IDENTIFIER: u64 = 1 << 16;
/// Bit in the attribute's flags: every record has the fields of a sample.
const SAMPLE_ID_ALL: u64 = 1 << 18;
/// Bits of the fields in a sample's counters.
const TIMES_AND_IDS: [u64; 4] = [1, 1 << 1, 1 << 2, 1 << 4];
const GROUP: u64 = 1 << 3;

/// The attribute of one kind of event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribute {
    sample_type: u64,
    read_format: u64,
    id_all: bool,
}

/// The fields of a sample that are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleFields {
    /// Time in ns.
    pub time: Option<u64>,
    /// 0 if perf did not record it.
    pub cpu: u32,
    /// Addresses of the call chain, with the marks between its parts.
    pub chain: u16,
    /// Place of the trace point's fields in the record.
    pub raw: Option<Range<usize>>,
}

impl Attribute {
    /// Reads a `perf_event_attr`; returns its size, too.
    pub fn read(bytes: &[u8], big: bool) -> Option<(Attribute, usize)> {
        let mut cursor = Cursor::new(bytes, 4, big);
        let size = cursor.u32()? as usize;
        cursor.offset = 24;
        let (sample_type, read_format, flags) = (cursor.u64()?, cursor.u64()?, cursor.u64()?);
        // Bit fields begin at the other end on machines of the other byte order.
        let flags = if big { flags.reverse_bits() } else { flags };
        let id_all = flags & SAMPLE_ID_ALL != 0;
        Some((
            Attribute {
                sample_type,
                read_format,
                id_all,
            },
            if size == 0 { 64 } else { size },
        ))
    }

    /// Reads a sample; `None` if it is truncated.
    fn sample(&self, body: &[u8], big: bool) -> Option<SampleFields> {
        let mut c = Cursor::new(body, 0, big);
        let has = |bit: u64| self.sample_type & bit != 0;
        let mut sample = SampleFields::default();
        for bit in [IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD] {
            match bit {
                _ if !has(bit) => {}
                TIME => sample.time = Some(c.u64()?),
                CPU => {
                    sample.cpu = c.u32()?;
                    c.u32()?;
                }
                _ => {
                    c.u64()?;
                }
            }
        }
        if has(READ) {
            let extra = TIMES_AND_IDS.map(|bit| u64::from(self.read_format & bit != 0));
            let words = if self.read_format & GROUP != 0 {
                c.u64()?
                    .checked_mul(1 + extra[2] + extra[3])?
                    .checked_add(extra[0] + extra[1])?
            } else {
                1 + extra.iter().sum::<u64>()
            };
            c.take_long(words.checked_mul(8)?)?;
        }
        if has(CALLCHAIN) {
            let words = c.u64()?;
            c.take_long(words.checked_mul(8)?)?;
            // Records end before 65536 bytes.
            sample.chain = u16::try_from(words).ok()?;
        }
        if has(RAW) {
            let size = c.u32()?;
            let from = c.offset;
            c.take(size as usize)?;
            sample.raw = Some(from..c.offset);
        }
        Some(sample)
    }

    /// Time of a record other than a sample: it is at the end.
    fn time_of_other(&self, body: &[u8], big: bool) -> Option<u64> {
        if !self.id_all || self.sample_type & TIME == 0 {
            return None;
        }
        let behind = [ID, STREAM_ID, CPU, IDENTIFIER]
            .iter()
            .filter(|bit| self.sample_type & **bit != 0)
            .count();
        Cursor::new(body, body.len().checked_sub(8 * (behind + 1))?, big).u64()
    }
}

/// The attributes of a file.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    all: Vec<Attribute>,
    /// The attribute of each id of samples.
    by_id: BTreeMap<u64, usize>,
    /// Whether samples differ in layout.
    differ: bool,
}

impl Attributes {
    /// Adds one, with the ids of its samples: 8 bytes each.
    pub fn add(&mut self, attribute: Attribute, ids: &[u8], big: bool) {
        let mut ids = Cursor::new(ids, 0, big);
        while let Some(id) = ids.u64() {
            self.by_id.entry(id).or_insert(self.all.len());
        }
        let layout = |a: &Attribute| (a.sample_type, a.read_format);
        self.differ |= self
            .all
            .first()
            .is_some_and(|first| layout(first) != layout(&attribute));
        self.all.push(attribute);
    }

    /// Reads a sample; `None` if it is truncated or has no known layout.
    pub fn sample(&self, body: &[u8], big: bool) -> Option<SampleFields> {
        let first = self.all.first()?;
        let index = if self.differ {
            self.by_id.get(&first.id(body, big).unwrap_or(0))
        } else {
            None
        };
        index
            .and_then(|&index| self.all.get(index))
            .unwrap_or(first)
            .sample(body, big)
    }

    /// Whether samples have call chains.
    pub fn have_chains(&self) -> bool {
        let has_chain = |attribute: &Attribute| attribute.sample_type & CALLCHAIN != 0;
        self.all.iter().any(has_chain)
    }

    /// Time of a record that is no sample, ns.
    pub fn time_of_other(&self, body: &[u8], big: bool) -> Option<u64> {
        self.all.first()?.time_of_other(body, big)
    }
}

impl Attribute {
    /// The id of a sample, which is at the same offset for all attributes.
    fn id(&self, body: &[u8], big: bool) -> Option<u64> {
        let before = [IP, TID, TIME, ADDR]
            .iter()
            .filter(|bit| self.sample_type & **bit != 0)
            .count();
        let offset = match self.sample_type {
            t if t & IDENTIFIER != 0 => 0,
            t if t & ID != 0 => 8 * before,
            _ => return None,
        };
        Cursor::new(body, offset, big).u64()
    }
}
