//! fio's log of latencies (`write_lat_log`) with an entry for each I/O: ms since the job began, ns,
//! direction, bytes, and with `log_offset` the place.

use super::completed::{CompletedIo, CompletedIos};
use crate::text::LineOutcome;
use crate::text::scan::Scan;
use crate::{EventNumber, FormatProblem, Record, RequiredData};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Flags;

/// The capabilities of an entry.
pub const CAPABILITIES: Capabilities =
    Capabilities(Capabilities::ISSUES.0 | Capabilities::COMPLETIONS.0 | Capabilities::PLACES.0);
const MILLISECOND: u64 = 1_000_000;

/// Reads such logs.
#[derive(Clone, Debug, Default)]
pub struct FioLog {
    completions: CompletedIos,
    /// Those of the last ms.
    last: Vec<CompletedIo>,
    /// Entries without an offset, and entries for several I/Os.
    without_place: u64,
    averages: u64,
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FioLogEntry {
    time: u64,
    value: u64,
    direction: u64,
    bytes: u64,
    offset: Option<u64>,
}

impl FioLog {
    /// Whether this is an entry.
    pub fn looks_like(line: &[u8]) -> bool {
        entry(line).is_some()
    }

    /// Why nothing can be read of the log though it is known.
    pub fn problem(&self) -> Option<FormatProblem> {
        if self.averages > 0 {
            Some(FormatProblem::Lacks(RequiredData::EntriesPerIo))
        } else {
            (self.without_place > 0).then_some(FormatProblem::Lacks(RequiredData::Offsets))
        }
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8]) -> LineOutcome {
        if line.trim_ascii().is_empty() {
            return LineOutcome::Ignored;
        }
        let Some(entry) = entry(line) else {
            return LineOutcome::Unknown;
        };
        let (flags, sized) = match entry.direction {
            0 => (Flags::READ, true),
            1 => (Flags::WRITE, true),
            2 => (Flags::WRITE | Flags::DISCARD, true),
            _ => (Flags::WRITE | Flags::FLUSH, false),
        };
        if sized && entry.bytes == 0 {
            self.averages += 1;
            return LineOutcome::Other;
        }
        let Some(offset) = entry.offset else {
            self.without_place += 1;
            return LineOutcome::Other;
        };
        let (Some(time), Ok(bytes)) = (
            entry.time.checked_mul(MILLISECOND),
            u32::try_from(entry.bytes),
        ) else {
            return LineOutcome::Unknown;
        };
        let device = self.completions.device(b"fio");
        let (latency, sector) = (entry.value, offset / 512);
        let row = CompletedIo {
            time,
            latency,
            sector,
            bytes,
            flags,
            device,
            ..CompletedIo::default()
        };
        if let Some(time) = row.impossible_time() {
            return LineOutcome::Outlier(EventNumber::Time, time);
        }
        if self.last.first().is_some_and(|row| row.time != time) {
            self.spread();
        }
        self.last.push(row);
        LineOutcome::Taken
    }

    /// Takes the end of the text and emits its events.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.spread();
        self.completions.finish(sink);
    }

    /// Times are in ms: entries of one ms are spread evenly over it, in order. With the same time
    /// they would seem to have been in flight together.
    fn spread(&mut self) {
        let n = self.last.len() as u64;
        for (i, row) in self.last.drain(..).enumerate() {
            self.completions.push(CompletedIo {
                time: row.time + i as u64 * MILLISECOND / n,
                ..row
            });
        }
    }
}

/// `71, 2759, 1, 4096, 2281472, 0`; the last two are optional, newer versions have more.
fn entry(line: &[u8]) -> Option<FioLogEntry> {
    let mut scan = Scan(line.trim_ascii());
    let time = scan.number()?;
    let mut next = || {
        scan.byte(b',')?;
        scan.gap()?;
        scan.number()
    };
    let (value, direction, bytes) = (next()?, next()?, next()?);
    let (fifth, sixth) = (next(), next());
    // One alone is the priority.
    let offset = fifth.filter(|_| sixth.is_some());
    (direction <= 3).then_some(FioLogEntry {
        time,
        value,
        direction,
        bytes,
        offset,
    })
}
