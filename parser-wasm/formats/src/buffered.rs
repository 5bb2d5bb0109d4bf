//! Formats that need the complete file before they can be read, because the descriptions of their
//! samples are at the end.

use super::number_outliers::{NumberOutliers, RecordPlace};
use super::{FormatProblem, Record, Report};
use seekscope_trace::capabilities::Capabilities;
use std::marker::PhantomData;

/// More bytes of a file are not held: the engine has 4 GiB of memory at most.
pub const MAX_HELD_BYTES: u64 = 1 << 30;

/// A format that is read from all bytes of a file.
pub trait BufferedFormat {
    /// The name of the format, as in [`Store::format`](seekscope_trace::store::Store::format).
    const NAME: &'static str;

    /// Reads a file: emits its records in time order, adds problems to the report, and returns the
    /// capabilities.
    fn read(data: &[u8], report: &mut Report, sink: &mut impl FnMut(Record<'_>)) -> Capabilities;
}

/// Takes one file in pieces and reads it at its end.
#[derive(Clone, Debug, Default)]
pub struct BufferedDecoder<F> {
    bytes: Vec<u8>,
    taken: u64,
    ended: bool,
    report: Report,
    capabilities: Capabilities,
    format: PhantomData<F>,
}

impl<F: BufferedFormat> BufferedDecoder<F> {
    /// Stores the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = if self.ended {
            0
        } else {
            MAX_HELD_BYTES as usize - self.bytes.len()
        };
        self.bytes
            .extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.taken += chunk.len() as u64;
    }

    /// Whether more bytes of a file of this size change nothing: it is too large to be held.
    pub fn is_refused(&self, size: u64) -> bool {
        self.taken.max(size) > MAX_HELD_BYTES
    }

    /// Takes no byte more of a file that is refused.
    pub fn refuse(&mut self, size: u64) {
        self.bytes = Vec::new();
        self.taken = self.taken.max(size);
    }

    /// Takes the end of the file and emits all records, once.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.report.is_of(F::NAME);
        let data = std::mem::take(&mut self.bytes);
        if data.len() as u64 == self.taken {
            let mut numbers = None;
            self.capabilities = F::read(&data, &mut self.report, &mut |record| {
                if NumberOutliers::lack(&mut numbers, &record, RecordPlace::default()) {
                    sink(record);
                }
            });
            let left_out = numbers.map_or(0, |outliers| outliers.count);
            self.report.records = self.report.records.saturating_sub(left_out);
            NumberOutliers::merge(&mut self.report.numbers, numbers);
        } else {
            self.report.problem = Some(FormatProblem::TooLarge);
        }
    }

    /// Number of bytes that were fed so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Problems and counts; they are final after `finish`.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the file has; final after `finish`.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}
