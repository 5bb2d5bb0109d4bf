//! The lines up to the first event, which decides on the dialect of the text.

use super::blkparse;
use super::blkparse::pattern::Pattern;
use super::dialect::{Dialect, TableShape, is_begun};
use super::lines::LinePosition;
use super::lines::wrapped::BegunLine;
use super::state::TextState;
use super::tables::csv;
use crate::{LineGroup, Record};

impl TextState {
    /// Looks for the first line of a trace.
    #[cold]
    pub(super) fn first(
        &mut self,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let pattern = self.pattern.as_ref();
        if let Some(dialect) = Dialect::detect(line, pattern) {
            self.begin_with(dialect);
            self.line(line, position, sink);
        } else if let Some(dialect) = Dialect::detect_changed(line, pattern) {
            self.begin_with(dialect);
            self.is_changed = true;
            self.changed(line, position, sink);
        } else if self.shaped(line, position) {
            let Some((shape, lines)) = self.shaped.take() else {
                return;
            };
            self.begin_with(shape.dialect());
            lines
                .iter()
                .for_each(|(line, position)| self.line(line, *position, sink));
        } else if position.ended && is_begun(line) {
            self.begun = Some(BegunLine::new(line, position));
        } else {
            self.note_first(line, position);
        }
    }

    /// The text is of this dialect.
    pub(super) fn begin_with(&mut self, dialect: Dialect) {
        self.report.not_understood = None;
        self.report.time_shift = dialect.time_shift();
        self.report.tracer = matches!(dialect, Dialect::Ftrace(_)).then(|| dialect.name());
        self.dialect = Some(dialect);
        self.shaped = None;
    }

    /// Notes a line before the first event.
    pub(super) fn note_first(&mut self, line: &[u8], position: LinePosition) {
        if self.pattern.is_none() {
            self.pattern = Pattern::in_command(line);
        }
        if !line.trim_ascii().is_empty() {
            self.report.summary |= blkparse::is_summary(line);
            if blkparse::is_custom(line) {
                LineGroup::note(
                    &mut self.report.custom_lines,
                    position.line,
                    position.byte,
                    line,
                );
            }
            LineGroup::note(
                &mut self.report.not_understood,
                position.line,
                position.byte,
                line,
            );
        }
    }

    /// The line after one that may be the begin of the first event.
    pub(super) fn continue_first(
        &mut self,
        begun: &BegunLine,
        line: &[u8],
        position: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let pattern = self.pattern.as_ref();
        let found = begun.joined(line).find(|joined| {
            let text = joined.text();
            Dialect::detect(text, pattern).is_some()
                || Dialect::detect_changed(text, pattern).is_some()
        });
        match found {
            Some(joined) => self.first(joined.text(), begun.position, sink),
            None => {
                self.note_first(begun.text(), begun.position);
                self.first(line, position, sink);
            }
        }
    }

    /// Keeps lines of the shape of a table; whether there are enough of them, one after another.
    pub(super) fn shaped(&mut self, line: &[u8], position: LinePosition) -> bool {
        let Some(shape) = TableShape::detect(line) else {
            self.shaped = None;
            return false;
        };
        let (previous, lines) = self
            .shaped
            .get_or_insert_with(|| (shape.clone(), Vec::new()));
        if *previous != shape {
            (*previous, *lines) = (shape, Vec::new());
        }
        lines.push((line.to_vec(), position));
        lines.len() >= csv::LINES
    }
}
