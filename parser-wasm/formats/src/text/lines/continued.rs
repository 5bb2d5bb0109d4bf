//! Lines that go on in the next one, because a mailer or a terminal wrapped them.

use super::LinePosition;
use super::wrapped::BegunLine;
use crate::Record;
use crate::text::LineOutcome;
use crate::text::dialect::Dialect;
use crate::text::state::TextState;

impl TextState {
    /// Keeps a line that may go on in the next one; notes any other.
    pub(crate) fn begin(&mut self, line: &[u8], position: LinePosition) {
        let begun = BegunLine::new(line, position);
        let may_go_on = |dialect: &Dialect| dialect.is_begun(begun.text());
        if position.ended && self.dialect.as_ref().is_some_and(may_go_on) {
            self.begun = Some(begun);
        } else {
            self.note(LineOutcome::Unknown, line, position);
        }
    }

    /// The line after one that may go on: its end, or a line of its own.
    #[cold]
    pub(crate) fn continue_line(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let Some(begun) = self.begun.take() else {
            return;
        };
        if self.dialect.is_none() {
            return self.continue_first(&begun, line, position, sink);
        }
        let alone = match self.take(line, position, sink) {
            LineOutcome::Unknown => self.take_changed(line, position, sink),
            outcome => outcome,
        };
        if alone != LineOutcome::Unknown {
            self.note_begun(&begun);
            return self.note(alone, line, position);
        }
        for joined in begun.joined(line) {
            let outcome = match self.take(joined.text(), begun.position, sink) {
                LineOutcome::Unknown => self.take_changed(joined.text(), begun.position, sink),
                outcome => outcome,
            };
            if outcome != LineOutcome::Unknown {
                return self.note(outcome, joined.text(), begun.position);
            }
        }
        let next_begins = self.dialect.as_ref().is_some_and(|d| d.is_begun(line));
        match begun.joined(line).next() {
            Some(joined) if position.ended && !next_begins => self.begun = Some(joined),
            _ => {
                self.note_begun(&begun);
                self.begin(line, position);
            }
        }
    }

    /// Notes the lines of an event that did not become complete.
    pub(super) fn note_begun(&mut self, begun: &BegunLine) {
        self.note(LineOutcome::Unknown, begun.text(), begun.position);
        if let Some(odd) = &mut self.report.odd_lines {
            odd.count += u64::from(begun.pieces() - 1);
        }
    }

    /// The text ended after a line that might have gone on.
    pub(crate) fn end_begun(&mut self) {
        match self.begun.take() {
            Some(begun) if self.dialect.is_none() => self.note_first(begun.text(), begun.position),
            Some(begun) => self.note_begun(&begun),
            None => {}
        }
    }
}
