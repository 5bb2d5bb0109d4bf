//! The problems and counts that decoders collect besides records, in one form for all formats.

use super::FormatProblem;
use super::blktrace::TimeOutliers;
use super::number_outliers::NumberOutliers;
use super::text::ClosingTotals;
use super::values::PointValues;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::limits::ReportedCount;

/// Several lines of a text, with the first as an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineGroup {
    /// Number of lines.
    pub count: u64,
    /// Number of the first line, from 1.
    pub line: u64,
    /// The byte at which it begins.
    pub byte: u64,
    /// The first line, shortened for display.
    pub example: String,
}

/// Limit for the characters of an example.
const EXAMPLE: usize = 80;

impl LineGroup {
    /// Counts a line; `self` is absent before the first.
    pub fn note(lines: &mut Option<LineGroup>, line: u64, byte: u64, text: &[u8]) {
        lines
            .get_or_insert_with(|| LineGroup {
                count: 0,
                line,
                byte,
                example: example(text),
            })
            .count += 1;
    }
}

fn example(text: &[u8]) -> String {
    let head = String::from_utf8_lossy(&text[..text.len().min(4 * EXAMPLE)]);
    let mut shown: String = head
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(EXAMPLE)
        .collect();
    if head.trim().chars().nth(EXAMPLE).is_some() {
        shown.push('\u{2026}');
    }
    shown
}

/// A time in which the source reports lost events of a CPU. Times are of the trace clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostSpan {
    pub cpu: u32,
    /// Time of its last event before.
    pub from: u64,
    /// Time of its first event after.
    pub to: u64,
    /// Events that are missing, of all kinds and devices.
    pub events: u64,
}

/// Lines from which on a text is printed in a format of its own.
const MIN_CUSTOM: u64 = 3;

/// Problems and counts of one file. Positions are byte offsets in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of records that were emitted, notify records included.
    pub records: u64,
    /// Names of the formats of its records, as in
    /// [`Store::format`](seekscope_trace::store::Store::format).
    pub formats: Vec<&'static str>,
    /// The lost events that the source reports.
    pub lost: ReportedCount,
    /// Number of events that are not of block I/O.
    pub other_events: u64,
    /// Commands of the nvme and scsi drivers.
    pub drivers: DriverCounts,
    /// Names of disks, and the bytes of their logical blocks by block events next to the commands.
    pub block_sizes: Vec<(String, u32)>,
    /// Values of the tracepoints of limiters; complete when the file has ended.
    pub values: PointValues,
    /// The lines that report lost events.
    pub lost_at: Option<LineGroup>,
    /// When events were lost, if the format records it; limited in number, complete when the file
    /// has ended.
    pub lost_spans: Vec<LostSpan>,
    /// Times are ticks of a clock without a known rate.
    pub counted_time: bool,
    /// The time that the decoder added to all times, ns.
    pub time_shift: u64,
    /// The format, if a tracer of all kinds of events wrote it: then a file without any block event
    /// is a trace, too.
    pub tracer: Option<&'static str>,
    /// Runs of bytes that are not records: where the first begins, and how many bytes in all.
    pub skipped: Option<(u64, u64)>,
    /// First unknown action's place and word, and how many.
    pub unknown: Option<(u64, u64, u64)>,
    /// Records that were left out because their time cannot be.
    pub outliers: Option<TimeOutliers>,
    /// Records that were left out because a number is too large.
    pub numbers: Option<NumberOutliers>,
    /// A truncated last record: offset, bytes present, bytes needed.
    pub truncated: Option<(u64, u64, u64)>,
    /// First record of an unsupported version: where and which.
    pub unsupported: Option<(u64, u8)>,
    /// blktrace: version 7 magic over version 8 layout.
    pub wide_v7: bool,
    /// Text: lines in the middle of the trace that no event could be read from.
    pub odd_lines: Option<LineGroup>,
    /// Text: the last line, when it ends within an event.
    pub cut_line: Option<LineGroup>,
    /// Text: the first line that is not empty, of a text of which no line was understood.
    pub not_understood: Option<LineGroup>,
    /// Text: before the first event, lines with the words of an event in another format.
    pub custom_lines: Option<LineGroup>,
    /// Why a file of a known format gives nothing.
    pub problem: Option<FormatProblem>,
    /// Text: closing figures of a native tool were seen.
    pub summary: bool,
    /// The closing figures of blkparse's text.
    pub totals: ClosingTotals,
}

impl Report {
    /// The first line of a text that nobody understood, if it is more than closing figures.
    pub fn unread_text(&self) -> Option<&LineGroup> {
        let custom = self.custom_lines.as_ref();
        match custom.filter(|lines| lines.count >= MIN_CUSTOM) {
            None if self.summary => None,
            None => self.not_understood.as_ref(),
            custom => custom,
        }
    }

    /// Notes that a record is of this format.
    #[inline]
    pub fn is_of(&mut self, format: &'static str) {
        if self.formats.last() != Some(&format) && !self.formats.contains(&format) {
            self.formats.push(format);
        }
    }
}
