//! What becomes of each line of a text. The dialect is that of the first event; until then
//! `first.rs` has the lines, and `continued.rs` those that a mailer wrapped.

use super::blkparse::pattern::Pattern;
use super::blkparse::{Blkparse, remark};
use super::dialect::{Dialect, TableShape};
use super::lines::LinePosition;
use super::lines::repair;
use super::lines::wrapped::BegunLine;
use super::{LineOutcome, scan};
use crate::number_outliers::{NumberOutliers, RecordPlace};
use crate::{LineGroup, Record, Report};

/// Some editors write it at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Lines with their places.
type KeptLines = Vec<(Vec<u8>, LinePosition)>;

#[derive(Clone, Debug, Default)]
pub struct TextState {
    /// The format string of `blkparse -f`, if the reader gave one.
    pub(super) pattern: Option<Pattern>,
    pub(super) dialect: Option<Dialect>,
    /// Lines of the shape of a table without headings, fewer than make it one.
    pub(super) shaped: Option<(TableShape, KeptLines)>,
    /// A line that may go on in the next one.
    pub(super) begun: Option<BegunLine>,
    /// Something else precedes the first event, and probably the others.
    pub(super) is_changed: bool,
    /// Lines of which something was taken.
    pub(super) taken: u64,
    pub(super) report: Report,
}

impl TextState {
    #[inline]
    pub(super) fn line(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let mark = if position.byte == 0 {
            BYTE_ORDER_MARK
        } else {
            b""
        };
        let line = scan::unquoted(line.strip_prefix(mark).unwrap_or(line));
        if self.begun.is_some() {
            return self.continue_line(line, position, sink);
        }
        if self.is_changed {
            return self.changed(line, position, sink);
        }
        match self.take(line, position, sink) {
            LineOutcome::Taken => self.taken += 1,
            LineOutcome::Unknown => self.unknown(line, position, sink),
            outcome => self.note(outcome, line, position),
        }
    }

    /// A line of a text in which something precedes each line: it would be read as the first
    /// column of a table.
    #[cold]
    pub(super) fn changed(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let outcome = match self.take_changed(line, position, sink) {
            LineOutcome::Unknown => self.take(line, position, sink),
            outcome => outcome,
        };
        match outcome {
            LineOutcome::Unknown => self.begin(line, position),
            outcome => self.note(outcome, line, position),
        }
    }

    /// Gives a line to the dialect.
    #[inline]
    pub(super) fn take(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let TextState {
            dialect, report, ..
        } = self;
        let Some(dialect) = dialect else {
            return LineOutcome::Unknown;
        };
        let place = RecordPlace {
            line: Some(position.line),
            byte: Some(position.byte),
        };
        let Report {
            records, numbers, ..
        } = &mut *report;
        let outcome = dialect.line(line, &mut |record| {
            if NumberOutliers::lack(numbers, &record, place) {
                *records += 1;
                sink(record);
            }
        });
        if outcome == LineOutcome::Taken {
            report.is_of(dialect.name());
        }
        outcome
    }

    /// Notes what became of a line.
    pub(super) fn note(&mut self, outcome: LineOutcome, line: &[u8], position: LinePosition) {
        let report = &mut self.report;
        match outcome {
            LineOutcome::Outlier(number, value) => {
                let place = RecordPlace {
                    line: Some(position.line),
                    byte: Some(position.byte),
                };
                NumberOutliers::note(&mut report.numbers, number, value, place);
            }
            LineOutcome::Taken => self.taken += 1,
            LineOutcome::Ignored => self.close(line, position),
            LineOutcome::Other => report.other_events += 1,
            LineOutcome::Lost(count) => {
                report
                    .lost
                    .add_at(count, Some(position.line), Some(position.byte));
                LineGroup::note(&mut report.lost_at, position.line, position.byte, line);
            }
            LineOutcome::Summary => {
                report.summary = true;
                self.close(line, position);
            }
            LineOutcome::Unknown if !position.ended => {
                LineGroup::note(&mut report.cut_line, position.line, position.byte, line);
                report.truncated = Some((position.byte, line.len() as u64, 0));
            }
            LineOutcome::Unknown => {
                LineGroup::note(&mut report.odd_lines, position.line, position.byte, line)
            }
        }
    }

    /// Takes a line that may be one of blkparse's closing figures.
    fn close(&mut self, line: &[u8], position: LinePosition) {
        if matches!(
            self.dialect,
            Some(Dialect::Blkparse(_) | Dialect::Pattern(_))
        ) {
            let shown = repair::shown(line);
            let text = shown.as_deref().map_or(line, scan::unquoted);
            self.report
                .totals
                .line(text, (position.line, position.byte));
        }
    }

    /// A line that the dialect does not take, or any before there is one.
    #[cold]
    fn unknown(&mut self, line: &[u8], position: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        if self.dialect.is_none() {
            return self.first(line, position, sink);
        }
        match self.take_changed(line, position, sink) {
            LineOutcome::Unknown => self.begin(line, position),
            outcome => self.note(outcome, line, position),
        }
    }

    /// Gives a line to the dialect as it was before a mailer, a filter or a terminal changed it.
    pub(super) fn take_changed(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let shown = repair::shown(line);
        let line = shown.as_deref().map_or(line, scan::unquoted);
        let mut outcome = LineOutcome::Unknown;
        if let Some(rest) = repair::without_prefix(line) {
            outcome = self.take(rest, position, sink);
        }
        if shown.is_some() && outcome == LineOutcome::Unknown {
            outcome = self.take(line, position, sink);
        }
        let places_events = matches!(
            self.dialect,
            Some(Dialect::Blkparse(_) | Dialect::Pattern(_))
        );
        if places_events && outcome == LineOutcome::Unknown {
            let event = |place: &usize| Blkparse::looks_like(&line[*place..]);
            let mut places = std::iter::once(0).chain(repair::event_places(line));
            let Some(place) = places.find(event) else {
                return outcome;
            };
            if place > 0 {
                outcome = self.take(&line[place..], position, sink);
            }
            if outcome == LineOutcome::Unknown
                && let Some(event) = remark::without_remark(&line[place..])
            {
                outcome = self.take(event, position, sink);
            }
        }
        outcome
    }
}
