//! The push decoder of one readable file: splits it into lines, and has its report.

use super::blkparse::pattern::Pattern;
use super::dialect::Dialect;
use super::lines::Splitter;
use super::state::TextState;
use crate::number_outliers::{NumberOutliers, RecordPlace};
use crate::{Record, Report};
use seekscope_trace::capabilities::Capabilities;

/// A push decoder for one readable file. Its dialect is that of the first line that some dialect
/// understands.
#[derive(Clone, Debug, Default)]
pub struct TextDecoder {
    splitter: Splitter,
    pub(super) state: TextState,
}

impl TextDecoder {
    /// A decoder that also reads lines of this format.
    pub fn with_pattern(pattern: Option<Pattern>) -> TextDecoder {
        TextDecoder {
            state: TextState {
                pattern,
                ..TextState::default()
            },
            ..TextDecoder::default()
        }
    }

    /// Takes the next bytes and emits the records of every line that has ended.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let TextDecoder { splitter, state } = self;
        splitter.feed(chunk, |line, position| state.line(line, position, sink));
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        let TextDecoder { splitter, state } = self;
        splitter.finish(|line, position| state.line(line, position, sink));
        state.end_begun(sink);
        if let Some(dialect) = &mut state.dialect {
            state.report.problem = dialect.problem();
            if state.report.problem.is_some() {
                state.report.is_of(dialect.name());
            }
            if let Dialect::Ftrace(ftrace) = dialect {
                state.report.counted_time = ftrace.counts_time();
                state.report.lost_spans.extend(ftrace.take_lost());
            }
            let before = state.report.records;
            let Report {
                records, numbers, ..
            } = &mut state.report;
            dialect.finish(&mut |record| {
                if NumberOutliers::lack(numbers, &record, RecordPlace::default()) {
                    *records += 1;
                    sink(record);
                }
            });
            if state.report.records > before {
                state.report.is_of(dialect.name());
            }
            if let Dialect::Ftrace(ftrace) = dialect {
                state.report.drivers = ftrace.drivers();
                state.report.block_sizes = ftrace.block_sizes();
                // The end may be reported again.
                state.report.values.extend(ftrace.take_values());
            }
        }
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.splitter.taken()
    }

    /// Problems and counts so far; final after `finish`.
    pub fn report(&self) -> &Report {
        &self.state.report
    }

    /// The capabilities of the dialect.
    pub fn capabilities(&self) -> Capabilities {
        self.state
            .dialect
            .as_ref()
            .map_or(Capabilities::ALL, Dialect::capabilities)
    }
}
