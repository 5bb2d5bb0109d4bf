//! One decoder for any format, chosen by the first bytes.

use super::buffered::BufferedFormat;
use super::perf_data::PerfData;
use super::perfetto::{self, Perfetto};
use super::text;
use super::text::blkparse::pattern::Pattern;
use super::trace_dat::TraceDat;
use super::{Record, RecordSink, Report, blktrace, buffered, perf_data, trace_dat};
use seekscope_trace::capabilities::Capabilities;

/// Bytes that detecting the format needs.
const HEAD: usize = 4096;

/// A push decoder for one file of any format.
#[derive(Clone, Debug)]
pub enum Decoder {
    /// Too few bytes were fed to decide.
    Undecided(FileHead),
    /// blktrace records, or data that may contain some.
    Blktrace(blktrace::BlktraceDecoder),
    /// A trace.dat of trace-cmd.
    TraceDat(Box<buffered::BufferedDecoder<TraceDat>>),
    /// A perf.data.
    PerfData(Box<buffered::BufferedDecoder<PerfData>>),
    /// A trace of Perfetto.
    Perfetto(Box<buffered::BufferedDecoder<Perfetto>>),
    /// Text in any format.
    Text(Box<text::TextDecoder>),
}

/// The first bytes of a file, until its format is certain.
#[derive(Clone, Debug, Default)]
pub struct FileHead {
    bytes: Vec<u8>,
    pattern: Option<Box<Pattern>>,
    report: Report,
}

impl Default for Decoder {
    fn default() -> Decoder {
        Decoder::Undecided(FileHead::default())
    }
}

impl Decoder {
    /// A decoder at the start of a file.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// A decoder that also reads text in this `blkparse -f` format.
    pub fn with_pattern(pattern: Pattern) -> Decoder {
        Decoder::Undecided(FileHead {
            pattern: Some(Box::new(pattern)),
            ..FileHead::default()
        })
    }

    /// The decoder of a file that begins like this; `None` if more bytes are needed.
    fn detect(head: &[u8], end: bool, pattern: &mut Option<Box<Pattern>>) -> Option<Decoder> {
        if blktrace::magic(head).is_some() {
            return Some(Decoder::Blktrace(blktrace::BlktraceDecoder::new()));
        }
        if trace_dat::is_one(head) {
            return Some(Decoder::TraceDat(Box::default()));
        }
        if perf_data::is_one(head) {
            return Some(Decoder::PerfData(Box::default()));
        }
        if head.len() < HEAD && !end {
            return None;
        }
        if perfetto::is_one(&head[..head.len().min(HEAD)]) {
            return Some(Decoder::Perfetto(Box::default()));
        }
        Some(
            if !head.is_empty() && is_text(&head[..head.len().min(HEAD)]) {
                Decoder::Text(Box::new(text::TextDecoder::with_pattern(
                    pattern.take().map(|p| *p),
                )))
            } else {
                // This decoder finds records after invalid bytes.
                Decoder::Blktrace(blktrace::BlktraceDecoder::new())
            },
        )
    }

    /// Takes the next bytes and emits every complete record.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl RecordSink) {
        match self {
            Decoder::Undecided(head) if head.bytes.is_empty() => {
                match Decoder::detect(chunk, false, &mut head.pattern) {
                    Some(decoder) => {
                        *self = decoder;
                        self.feed(chunk, sink);
                    }
                    None => head.bytes.extend_from_slice(chunk),
                }
            }
            Decoder::Undecided(head) => {
                let (first, rest) =
                    chunk.split_at(chunk.len().min(HEAD.saturating_sub(head.bytes.len())));
                head.bytes.extend_from_slice(first);
                if let Some(decoder) = Decoder::detect(&head.bytes, false, &mut head.pattern) {
                    let bytes = std::mem::take(&mut head.bytes);
                    *self = decoder;
                    self.feed(&bytes, sink);
                    self.feed(rest, sink);
                }
            }
            Decoder::Blktrace(decoder) => decoder.feed(chunk, sink),
            Decoder::TraceDat(decoder) => decoder.feed(chunk),
            Decoder::PerfData(decoder) => decoder.feed(chunk),
            Decoder::Perfetto(decoder) => decoder.feed(chunk),
            Decoder::Text(decoder) => through_pointer(sink, |sink| decoder.feed(chunk, sink)),
        }
    }

    /// Whether more bytes of a file of this size would change nothing, because it is too large for
    /// its format; it takes none then.
    pub fn refuses(&mut self, size: u64) -> bool {
        match self {
            Decoder::TraceDat(decoder) if decoder.is_refused(size) => decoder.refuse(size),
            Decoder::PerfData(decoder) if decoder.is_refused(size) => decoder.refuse(size),
            Decoder::Perfetto(decoder) if decoder.is_refused(size) => decoder.refuse(size),
            _ => return false,
        }
        true
    }

    /// Emits a record that waits for the begin of the next one, of which these are the bytes: it is
    /// complete.
    pub fn settle(&mut self, following: &[u8], sink: &mut impl RecordSink) {
        if let Decoder::Blktrace(decoder) = self {
            decoder.settle(following, sink);
        }
    }

    /// Ends the file.
    pub fn finish(&mut self, sink: &mut impl RecordSink) {
        if let Decoder::Undecided(head) = self {
            let bytes = std::mem::take(&mut head.bytes);
            if let Some(decoder) = Decoder::detect(&bytes, true, &mut head.pattern) {
                *self = decoder;
                self.feed(&bytes, sink);
            }
        }
        match self {
            Decoder::Undecided(_) => {}
            Decoder::Blktrace(decoder) => decoder.finish(sink),
            Decoder::TraceDat(decoder) => through_pointer(sink, |sink| decoder.finish(sink)),
            Decoder::PerfData(decoder) => through_pointer(sink, |sink| decoder.finish(sink)),
            Decoder::Perfetto(decoder) => through_pointer(sink, |sink| decoder.finish(sink)),
            Decoder::Text(decoder) => through_pointer(sink, |sink| decoder.finish(sink)),
        }
    }

    /// Number of bytes that were fed so far.
    pub fn taken(&self) -> u64 {
        match self {
            Decoder::Undecided(head) => head.bytes.len() as u64,
            Decoder::Blktrace(decoder) => decoder.taken(),
            Decoder::TraceDat(decoder) => decoder.taken(),
            Decoder::PerfData(decoder) => decoder.taken(),
            Decoder::Perfetto(decoder) => decoder.taken(),
            Decoder::Text(decoder) => decoder.taken(),
        }
    }

    /// Problems and counts so far; final after `finish`.
    pub fn report(&self) -> &Report {
        match self {
            Decoder::Undecided(head) => &head.report,
            Decoder::Blktrace(decoder) => decoder.report(),
            Decoder::TraceDat(decoder) => decoder.report(),
            Decoder::PerfData(decoder) => decoder.report(),
            Decoder::Perfetto(decoder) => decoder.report(),
            Decoder::Text(decoder) => decoder.report(),
        }
    }

    /// The fields and actions of the format.
    pub fn capabilities(&self) -> Capabilities {
        match self {
            Decoder::Undecided(_) | Decoder::Blktrace(_) => Capabilities::ALL,
            Decoder::TraceDat(decoder) => decoder.capabilities(),
            Decoder::PerfData(decoder) => decoder.capabilities(),
            Decoder::Perfetto(decoder) => decoder.capabilities(),
            Decoder::Text(decoder) => decoder.capabilities(),
        }
    }
}

/// The format of a file that begins like this, if it is one that is held as a whole.
pub fn held_format(head: &[u8]) -> Option<&'static str> {
    if trace_dat::is_one(head) {
        Some(TraceDat::NAME)
    } else if perf_data::is_one(head) {
        Some(PerfData::NAME)
    } else {
        perfetto::is_one(&head[..head.len().min(HEAD)]).then_some(Perfetto::NAME)
    }
}

/// Most formats are compiled once, not once per sink: compared with reading their events, a call
/// through a pointer costs little.
fn through_pointer(sink: &mut impl RecordSink, read: impl FnOnce(&mut &mut dyn FnMut(Record<'_>))) {
    let mut sink = |record: Record<'_>| sink.record(record);
    read(&mut (&mut sink as &mut dyn FnMut(Record<'_>)));
}

/// Whether a file that begins like this is readable text, in UTF-8 or near it.
pub fn is_text(head: &[u8]) -> bool {
    let control = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x1b | 0x0c))
        .count();
    let foreign: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    control * 100 <= head.len() && foreign * 10 <= head.len()
}
