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
        let next_begins = self.dialect.as_ref().is_some_and(|d| d.is_begun(line));
        let is_taken = next_begins && self.take_nameless(&begun, sink);
        let alone = self.take_any(line, position, sink);
        if alone != LineOutcome::Unknown {
            if !is_taken && !self.take_nameless(&begun, sink) {
                self.note_begun(&begun);
            }
            return self.note(alone, line, position);
        }
        if is_taken {
            return self.begin(line, position);
        }
        for joined in begun.joined(line) {
            let outcome = self.take_any(joined.text(), begun.position, sink);
            if outcome != LineOutcome::Unknown {
                return self.note(outcome, joined.text(), begun.position);
            }
        }
        // A name may be broken, too.
        let is_name = line.trim_ascii_start().starts_with(b"[");
        match begun.joined(line).next() {
            _ if !is_name && self.take_nameless(&begun, sink) => self.begin(line, position),
            Some(joined) if position.ended && !next_begins => self.begun = Some(joined),
            _ => {
                self.note_begun(&begun);
                self.begin(line, position);
            }
        }
    }

    /// Gives a line to the dialect as it is, and then as it was before it was changed.
    fn take_any(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        match self.take(line, position, sink) {
            LineOutcome::Unknown => self.take_changed(line, position, sink),
            outcome => outcome,
        }
    }

    /// Takes a line as an event that lacks only the name of its task, which does not stand in the
    /// next line either.
    fn take_nameless(&mut self, begun: &BegunLine, sink: &mut impl FnMut(Record<'_>)) -> bool {
        let Some(text) = begun.with_unknown_name() else {
            return false;
        };
        let outcome = self.take_any(&text, begun.position, sink);
        if outcome == LineOutcome::Taken {
            self.note(outcome, begun.text(), begun.position);
        }
        outcome == LineOutcome::Taken
    }

    /// Notes the lines of an event that did not become complete.
    pub(super) fn note_begun(&mut self, begun: &BegunLine) {
        self.note(LineOutcome::Unknown, begun.text(), begun.position);
        if let Some(odd) = &mut self.report.odd_lines {
            odd.count += u64::from(begun.pieces() - 1);
        }
    }

    /// The text ended after a line that might have gone on.
    pub(crate) fn end_begun(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        let Some(begun) = self.begun.take() else {
            return;
        };
        if self.dialect.is_none() {
            self.note_first(begun.text(), begun.position);
        } else if !self.take_nameless(&begun, sink) {
            self.note_begun(&begun);
        }
    }
}
