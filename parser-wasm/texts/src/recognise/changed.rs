//! Outputs in the form of a patch: lines with `-` are before it, those with `+` after it.

use super::{Block, Content, Cursor, Output, Scan, shown_lines};
use crate::line::Line;
use crate::problems;
use crate::readers;
use crate::structure::context::{Context, Heading, level};
use crate::structure::heading;
use std::rc::Rc;

/// Lines of one side of a patch. They are read again from each of them.
const MAX_LINES: usize = 64;

impl Scan<'_> {
    /// Adds an output with the one that a patch replaces it by; the line behind them. Items of
    /// lists have the same marks, so both have the same figures.
    pub(super) fn add_changed(&mut self, index: usize) -> Option<usize> {
        // Most lists have no other marks, and need not be read.
        let lines = self.lines[index..].iter().take(MAX_LINES);
        let count = lines
            .take_while(|line| line.text().starts_with('-'))
            .count();
        let next = self.lines.get(index + count).filter(|_| count > 0)?;
        if !next.text().starts_with('+') {
            return None;
        }
        let (middle, first_side, before) = self.marked(index, '-')?;
        let (end, second_side, after) = self.marked(middle, '+')?;
        let keys = |output: &Output| -> Vec<String> {
            let figures = output.observations.iter();
            figures.map(|figure| figure.metric.key.clone()).collect()
        };
        if before.observations.is_empty() || keys(&before) != keys(&after) {
            return None;
        }
        let names = first_side.zip(second_side);
        let names = names.unwrap_or_else(|| ("before".to_owned(), "after".to_owned()));
        for (side, first, end, output) in [
            (names.0, index, middle, before),
            (names.1, middle, end, after),
        ] {
            let lines = &self.lines[first..end];
            let heading = Heading {
                level: level::BARE,
                label: side,
                place: lines[0].place(0..1),
            };
            let mut context = Context::clone(&self.context);
            self.nesting.add(&mut context, level::BARE, heading, true);
            self.nesting.close();
            let mut content = Content::Output(output);
            let problems = problems::check(lines, &mut content);
            self.found.push(Block {
                part: self.part,
                quotes: lines[0].quotes,
                lines: shown_lines(lines),
                context: Rc::new(context),
                above: Vec::new(),
                content: self.store.keep(content),
                problems,
            });
        }
        self.behind = end;
        Some(end)
    }

    /// The output of the lines with a mark, if all of them are part of it, with the line behind it
    /// and the name of its side, if this is the first of these lines: `+ patched`.
    fn marked(&self, first: usize, mark: char) -> Option<(usize, Option<String>, Output)> {
        let unmarked = |line: &Line| {
            let rest = line.text().strip_prefix(mark)?;
            let is_text = rest.starts_with(|c: char| c.is_whitespace() || c.is_alphanumeric());
            is_text.then(|| line.without_front(1))
        };
        let lines = self.lines[first..].iter().take(MAX_LINES);
        let lines: Vec<Line> = lines.map_while(unmarked).collect();
        let label = heading::bare(lines.first()?.text()).filter(|label| heading::names_side(label));
        let output = readers::read(Cursor {
            file: self.file,
            lines: &lines,
            start: usize::from(label.is_some()),
            context: &self.context,
        })?;
        let label = label.map(str::to_owned);
        (output.end >= lines.len()).then_some((first + lines.len(), label, output))
    }
}
