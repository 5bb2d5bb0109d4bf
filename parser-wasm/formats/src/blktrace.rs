//! Binary blktrace records, version 7 and 8, either byte order, fed in chunks of any size.
//!
//! A record (`struct blk_io_trace`) is a header in the byte order of the traced machine and
//! `pdu_len` payload bytes, without padding.
//!
//! | v7 offset | width | v8 offset | width | name |
//! |---:|---:|---:|---:|---|
//! | 0 | 4 | 0 | 4 | magic: 0x65617400 + version |
//! | 4 | 4 | 4 | 4 | sequence, per CPU and device, from 1 |
//! | 8 | 8 | 8 | 8 | time, ns |
//! | 16 | 8 | 16 | 8 | sector |
//! | 24 | 4 | 24 | 4 | bytes |
//! | 32 | 4 | 28 | 4 | pid |
//! | 28 | 4 | 32 | 8 | action: code in bits 0-7, bit 8 cgroup id present, categories from bit 16 on |
//! | 36 | 4 | 40 | 4 | device: major << 20 + minor |
//! | 40 | 4 | 44 | 4 | CPU |
//! | 44 | 2 | 48 | 2 | error |
//! | 46 | 2 | 50 | 2 | pdu_len |
//! | | | 52 | 12 | reserved |
//! | 48 | | 64 | | payload |
//!
//! The payload begins with the cgroup id (8 bytes, byte order of the header) when bit 8 of the
//! action is set. What follows is big-endian for events, whatever the order of the header, and in
//! the order of the header for notify records (category bit 10):
//!
//! | record | offset | width | name |
//! |---|---:|---:|---|
//! | A (remap) | 0 | 4 | source device |
//! | | 4 | 4 | target device; 0 before 2.6.30 |
//! | | 8 | 8 | sector on the source device |
//! | X (split) | 0 | 8 | first sector of the remainder |
//! | U, UT (unplug) | 0 | 8 | requests released |
//! | any with category PC | 0 | | command of the passthrough request |
//! | notify 0, process | 0 | 16 | task name, padded with NUL |
//! | notify 1, timestamp | 0 | 4 | wall clock: seconds since 1970 |
//! | | 4 | 4 | and nanoseconds |
//! | notify 2, message | 0 | | text of a scheduler, md or user |

mod layout;
mod outlier;
mod places;
mod record;
mod recurring;

pub use outlier::{EventTime, FOLLOWING, TimeOutliers};
pub use places::ItemPlaces;

use super::fields::Fields;
use super::number_outliers::{NumberOutliers, RecordPlace};
use super::{FormatProblem, Record, RecordSink, Report, broken_bin};
use layout::wide_layout;
use outlier::Following;
use record::record;
use recurring::{HeadWords, KnownHead, KnownHeads};
use seekscope_trace::limits::MAX_SECTOR;

const MAGIC: u32 = 0x6561_7400;
const V7_HEADER: usize = 48;
/// The shortest record, in bytes.
pub const MIN_RECORD_BYTES: usize = V7_HEADER;
const V8_HEADER: usize = 64;
/// The longest record and what follows: enough to check where a record ends, and its time.
const LOOKAHEAD: usize = V8_HEADER + u16::MAX as usize + FOLLOWING;

const V7: &str = "blktrace-v7";
const V8: &str = "blktrace-v8";
const BROKEN_BIN: &str = "binary output of the blk tracer";

/// The byte order of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// The least significant byte is first.
    Little,
    /// The most significant byte is first.
    Big,
}

/// Byte order and version of a record that begins with these four bytes; `None` if they are not a
/// magic.
pub fn magic(head: &[u8]) -> Option<(Endian, u8)> {
    let bytes: [u8; 4] = head.get(..4)?.try_into().ok()?;
    let little = u32::from_le_bytes(bytes);
    let big = u32::from_be_bytes(bytes);
    if little & !0xff == MAGIC {
        Some((Endian::Little, little as u8))
    } else if big & !0xff == MAGIC {
        Some((Endian::Big, big as u8))
    } else {
        None
    }
}

/// Decodes one file, of which it is fed pieces of any size.
#[derive(Clone, Debug, Default)]
pub struct BlktraceDecoder {
    endian: Option<Endian>,
    /// Whether version 7 records of this file have the 64-byte layout, as dumps of some blkparse
    /// versions do; decided on the first version 7 record.
    wide_v7: Option<bool>,
    carry: Vec<u8>,
    /// Byte offset in the file of `carry`, or of the next chunk when `carry` is empty.
    position: u64,
    /// First bytes and length of the header of the last record.
    usual: Option<([u8; 4], usize)>,
    heads: KnownHeads,
    /// The last event with a plausible time.
    last: Option<EventTime>,
    /// The last bytes were invalid: what looks like a magic of another version may be arbitrary
    /// data.
    lost: bool,
    report: Report,
}

enum DecodeStep {
    /// This many bytes were read as a record or skipped as invalid.
    Took(usize),
    /// The record is not complete yet.
    More,
}

impl BlktraceDecoder {
    /// A decoder at the start of a file.
    pub fn new() -> BlktraceDecoder {
        BlktraceDecoder::default()
    }

    /// A decoder that begins at a byte of a file where a record does, behind this one.
    pub fn starting_at(position: u64, last: Option<EventTime>) -> BlktraceDecoder {
        BlktraceDecoder {
            position,
            last,
            ..BlktraceDecoder::default()
        }
    }

    /// The last event with a plausible time.
    pub fn last(&self) -> Option<EventTime> {
        self.last
    }

    /// The byte order of its records; `None` before the first one.
    pub fn endian(&self) -> Option<Endian> {
        self.endian
    }

    /// Whether the last byte was the end of a record.
    pub fn is_between_records(&self) -> bool {
        self.carry.is_empty()
    }

    /// Goes on behind what another decoder read of the file.
    pub fn join(
        &mut self,
        position: u64,
        last: Option<EventTime>,
        records: u64,
        truncated: Option<(u64, u64, u64)>,
    ) {
        self.position = position;
        self.last = last.or(self.last);
        self.report.records += records;
        self.report.truncated = truncated;
    }

    /// Problems and counts so far; final after `finish`.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Number of bytes that were fed so far.
    pub fn taken(&self) -> u64 {
        self.position + self.carry.len() as u64
    }

    /// Takes the next bytes and emits every complete record.
    pub fn feed(&mut self, mut chunk: &[u8], sink: &mut impl RecordSink) {
        while !self.carry.is_empty() && !chunk.is_empty() {
            let mut carry = std::mem::take(&mut self.carry);
            let (before, take) = (carry.len(), chunk.len().min(LOOKAHEAD));
            carry.extend_from_slice(&chunk[..take]);
            let used = self.run(&carry, false, sink);
            if used >= before {
                chunk = &chunk[used - before..];
            } else {
                carry.drain(..used);
                self.carry = carry;
                chunk = &chunk[take..];
            }
        }
        let used = self.run(chunk, false, sink);
        self.carry.extend_from_slice(&chunk[used..]);
    }

    /// Emits a record that waits for the begin of the next one, if nothing else waits; `following`
    /// are the next [`FOLLOWING`] bytes.
    pub fn settle(&mut self, following: &[u8], sink: &mut impl RecordSink) {
        if magic(&self.carry).and_then(|(endian, _)| self.length(&self.carry, endian))
            == Some(self.carry.len())
        {
            let (mut carry, wide) = (std::mem::take(&mut self.carry), self.wide_v7);
            carry.extend_from_slice(following);
            // The first record alone does not make the layout certain.
            if let DecodeStep::Took(n) = self.step(&carry, true, sink) {
                self.position += n as u64;
                self.wide_v7 = wide;
            }
        }
    }

    /// Ends the file: what remains is a truncated record.
    pub fn finish(&mut self, sink: &mut impl RecordSink) {
        let carry = std::mem::take(&mut self.carry);
        let used = self.run(&carry, true, sink);
        let rest = &carry[used..];
        if !rest.is_empty() {
            let needed = self
                .endian
                .and_then(|e| self.length(rest, e))
                .unwrap_or(V7_HEADER);
            self.report.truncated = Some((self.position, rest.len() as u64, needed as u64));
            self.position += rest.len() as u64;
        }
    }

    /// Reads the complete records of `data`; returns how many bytes were used.
    fn run(&mut self, data: &[u8], end: bool, sink: &mut impl RecordSink) -> usize {
        sink.begin_recorded();
        let mut used = 0;
        while used < data.len() {
            match self.step(&data[used..], end, sink) {
                DecodeStep::Took(n) => {
                    used += n;
                    self.position += n as u64;
                }
                DecodeStep::More => break,
            }
            used += match (self.endian, self.usual) {
                (Some(Endian::Little), Some((magic, V7_HEADER))) => {
                    self.usual::<false, V7_HEADER>(magic, &data[used..], sink)
                }
                (Some(Endian::Little), Some((magic, V8_HEADER))) => {
                    self.usual::<false, V8_HEADER>(magic, &data[used..], sink)
                }
                (Some(Endian::Big), Some((magic, V7_HEADER))) => {
                    self.usual::<true, V7_HEADER>(magic, &data[used..], sink)
                }
                (Some(Endian::Big), Some((magic, V8_HEADER))) => {
                    self.usual::<true, V8_HEADER>(magic, &data[used..], sink)
                }
                _ => 0,
            };
        }
        used
    }

    /// Reads records like the last one, up to the first that is not: of the same version, with a
    /// short payload, and complete. Most of a file is read here, without the checks of `step`.
    fn usual<const BIG: bool, const HEADER: usize>(
        &mut self,
        magic: [u8; 4],
        data: &[u8],
        sink: &mut impl RecordSink,
    ) -> usize {
        let (mut rest, mut records) = (data, 0);
        while let Some((head, after)) = rest.split_first_chunk::<HEADER>() {
            if head[..4] != magic {
                break;
            }
            let (fields, words) = (Fields::<BIG>(head), HeadWords::from_header(head));
            if let Some(&KnownHead {
                number,
                first,
                payload,
            }) = self.heads.find(&words)
            {
                let (time, sector) = (first.with_time(fields.u64(8)), fields.u64(16));
                if !time.is_near(self.last) || payload > after.len() || sector > MAX_SECTOR {
                    break;
                }
                self.last = Some(time);
                let pid = fields.u32(if HEADER == V8_HEADER { 28 } else { 32 });
                sink.event_of_kind(number, pid, time.time, sector, fields.u32(4));
                records += 1;
                rest = &after[payload..];
                continue;
            }
            let length = usize::from(fields.u16(if HEADER == V8_HEADER { 50 } else { 46 }));
            if length >= V7_HEADER || length > after.len() {
                break;
            }
            let (payload, next) = after.split_at(length);
            let time = EventTime::from_header::<BIG>(head);
            if time.is_some_and(|time| !time.is_near(self.last)) {
                break;
            }
            let Ok(record) = record::<BIG>(head, payload) else {
                break;
            };
            let byte = self.position + (data.len() - rest.len()) as u64;
            if !NumberOutliers::lack(&mut self.report.numbers, &record, at_byte(byte)) {
                rest = next;
                continue;
            }
            self.last = time.or(self.last);
            sink.record(record);
            if let (Record::Event(e), Some(time)) = (record, time) {
                self.heads.note(words, &e, time, length, sink);
            }
            records += 1;
            rest = next;
        }
        let used = data.len() - rest.len();
        self.position += used as u64;
        self.report.records += records;
        used
    }

    #[expect(
        clippy::too_many_lines,
        reason = "checks whose order decides what a damaged record is"
    )]
    fn step(&mut self, data: &[u8], end: bool, sink: &mut impl RecordSink) -> DecodeStep {
        if self.report.problem.is_some() {
            return DecodeStep::Took(data.len());
        }
        if data.len() < 4 {
            return DecodeStep::More;
        }
        let Some((endian, version)) = magic(data).filter(|m| self.endian.is_none_or(|e| e == m.0))
        else {
            return self.skip(data, end);
        };
        if version != 7 && version != 8 {
            if !self.lost {
                self.report
                    .unsupported
                    .get_or_insert((self.position, version));
            }
            return self.skip(data, end);
        }
        if version == 7 && self.wide_v7.is_none() {
            match wide_layout(data, endian, end) {
                // Only at its begin: one among other records is damaged.
                Some(false) if self.report.records == 0 && broken_bin::is_one(data, endian) => {
                    self.report.problem = Some(FormatProblem::BrokenBin);
                    self.report.is_of(BROKEN_BIN);
                    return DecodeStep::Took(data.len());
                }
                Some(wide) => {
                    self.wide_v7 = Some(wide);
                    self.report.wide_v7 = wide;
                }
                None => return DecodeStep::More,
            }
        }
        self.endian = Some(endian);
        let (header, length_at) = self.layout(version);
        if data.len() < header {
            return DecodeStep::More;
        }
        let length = header + usize::from(u16_at(data, length_at, endian));
        if length - header >= V7_HEADER {
            let followed = match data.get(length..length + 4) {
                Some(next) => magic(next).is_some_and(|m| m.0 == endian),
                None if end => data.len() == length,
                None => return DecodeStep::More,
            };
            // A damaged length would swallow the records that follow: skip this record if its
            // payload has a magic and no record follows it. Shorter payloads cannot contain a
            // record.
            let payload = &data[header..length.min(data.len())];
            if !followed && payload.windows(4).any(|bytes| self.begins_record(bytes)) {
                return self.skip(data, end);
            }
        }
        if data.len() < length {
            return DecodeStep::More;
        }
        let (head, payload) = data[..length].split_at(header);
        let (time, parsed) = match endian {
            Endian::Little => (
                EventTime::from_header::<false>(head),
                record::<false>(head, payload),
            ),
            Endian::Big => (
                EventTime::from_header::<true>(head),
                record::<true>(head, payload),
            ),
        };
        if let Some(time) = time.filter(|time| !time.is_near(self.last)) {
            let (behind, magic, first) = (
                &data[length..],
                [data[0], data[1], data[2], data[3]],
                self.last.is_none(),
            );
            let following = match (endian, header) {
                (Endian::Little, V7_HEADER) => {
                    Following::search::<false, V7_HEADER>(behind, magic, first, end)
                }
                (Endian::Little, _) => {
                    Following::search::<false, V8_HEADER>(behind, magic, first, end)
                }
                (Endian::Big, V7_HEADER) => {
                    Following::search::<true, V7_HEADER>(behind, magic, first, end)
                }
                (Endian::Big, _) => Following::search::<true, V8_HEADER>(behind, magic, first, end),
            };
            let Some(following) = following else {
                return DecodeStep::More;
            };
            if let Some(neighbour) = time.disproof(self.last, following) {
                TimeOutliers::note(&mut self.report.outliers, self.position, time, neighbour);
                return DecodeStep::Took(length);
            }
        }
        self.lost = false;
        if let Ok(record) = &parsed
            && !NumberOutliers::lack(&mut self.report.numbers, record, at_byte(self.position))
        {
            return DecodeStep::Took(length);
        }
        self.report.records += 1;
        self.report.is_of(if version == 8 { V8 } else { V7 });
        self.usual = Some(([data[0], data[1], data[2], data[3]], header));
        self.last = time.or(self.last);
        match parsed {
            Ok(record) => sink.record(record),
            Err(action) => {
                let (_, _, count) = self
                    .report
                    .unknown
                    .get_or_insert((self.position, action, 0));
                *count += 1;
            }
        }
        DecodeStep::Took(length)
    }

    /// Size of the header, and the offset of `pdu_len` in it.
    fn layout(&self, version: u8) -> (usize, usize) {
        if version == 8 || self.wide_v7 == Some(true) {
            (V8_HEADER, 50)
        } else {
            (V7_HEADER, 46)
        }
    }

    /// Complete length of the record that begins here; `None` if the header is truncated.
    fn length(&self, data: &[u8], endian: Endian) -> Option<usize> {
        let (_, version) = magic(data)?;
        let (header, length_at) = self.layout(version);
        data.get(..header)?;
        Some(header + usize::from(u16_at(data, length_at, endian)))
    }

    fn begins_record(&self, bytes: &[u8]) -> bool {
        magic(bytes).is_some_and(|(e, v)| {
            (v == 7 || v == 8) && self.endian.is_none_or(|endian| endian == e)
        })
    }

    /// Skips to the next place that looks like a record.
    fn skip(&mut self, data: &[u8], end: bool) -> DecodeStep {
        self.lost = true;
        self.usual = None;
        let mut n = data.len() - 3;
        if let Some(index) = data[1..]
            .windows(4)
            .position(|bytes| self.begins_record(bytes))
        {
            n = 1 + index;
        }
        if end && n == data.len() - 3 {
            n = data.len();
        }
        let skipped = self.report.skipped.get_or_insert((self.position, 0));
        skipped.1 += n as u64;
        DecodeStep::Took(n)
    }
}

/// The place of a record in a binary file, which has no lines.
fn at_byte(byte: u64) -> RecordPlace {
    RecordPlace {
        byte: Some(byte),
        line: None,
    }
}

fn u16_at(data: &[u8], offset: usize, endian: Endian) -> u16 {
    let bytes = [data[offset], data[offset + 1]];
    match endian {
        Endian::Little => u16::from_le_bytes(bytes),
        Endian::Big => u16::from_be_bytes(bytes),
    }
}
