//! Outputs of one line behind their labels.

use super::{Block, Content, Cursor, Output, Scan, shown_lines};
use crate::problems;
use crate::readers;
use crate::structure::context::{Context, Heading, level};
use crate::structure::heading;
use std::rc::Rc;

/// Words of a label in front of an output.
const MAX_LABEL_WORDS: usize = 4;
/// Marks that end a label where a number is behind them. A colon ends one before anything.
const MARKS: [&str; 6] = [", ", " - ", " => ", " -> ", " = ", "\t"];

/// The ways to split a line into a label and an output.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_counted =
        |(_, rest): &(&str, &str)| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    // Most lines have none of the letters of marks, so they need no search.
    let marks: &[&str] = match text.contains([',', '-', '=', '\t']) {
        true => &MARKS,
        false => &[],
    };
    let marked = marks.iter().filter_map(|mark| text.split_once(mark));
    bracketed(text)
        .into_iter()
        .chain(text.split_once(':'))
        .chain(marked.filter(is_counted))
}

/// A side in brackets and what is behind it: `[5.10] read: IOPS=312k`.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (side, rest) = text.trim_start().strip_prefix('[')?.split_once("] ")?;
    heading::names_side(side).then_some((side, rest))
}

/// Marks of an item of a list.
const BULLETS: [&str; 4] = ["* ", "- ", "+ ", "\u{2022} "];

/// Whether a label has all brackets that it opens: `(1.1 GB` is a part of an output.
fn is_balanced(label: &str) -> bool {
    label.matches('(').count() == label.matches(')').count()
}

impl Scan<'_> {
    /// The label in front of an output of one line, and the output:
    /// `bfq: 1073741824 bytes (1.1 GB) copied, 9.31 s`.
    pub(super) fn labelled(&self, index: usize) -> Option<(&str, Output)> {
        let line = &self.lines[index];
        let text = line.text().trim_start();
        // An item of a list without a label is an output alone.
        let item = BULLETS.iter().find_map(|mark| text.strip_prefix(mark));
        let alone = item.map(|rest| ("", rest));
        // Only a line with a figure is an output. Else all readers would look at most lines of
        // prose, once for each mark in them.
        let has_figure = |(_, rest): &(&str, &str)| rest.contains(|c: char| c.is_ascii_digit());
        let splits = splits(line.text()).filter(|(label, _)| is_balanced(label));
        let mut parts = alone.into_iter().chain(splits).filter(has_figure);
        parts.find_map(|(label, rest)| {
            let is_item = label.is_empty();
            let label = label.trim_matches(['+', '*', '-', ' ', '\t']);
            let inner = label.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
            let label = inner.unwrap_or(label);
            let words = label.split_whitespace().count();
            if !is_item && !(1..=MAX_LABEL_WORDS).contains(&words) {
                return None;
            }
            let skipped = line.text().len() - rest.trim_start().len();
            let alone = [line.without_front(skipped)];
            let cursor = Cursor {
                file: self.file,
                lines: &alone,
                start: 0,
                context: &self.context,
            };
            Some((label, readers::read(cursor)?))
        })
    }

    pub(super) fn add_labelled(&mut self, index: usize) -> bool {
        let Some((label, output)) = self.labelled(index) else {
            return false;
        };
        let line = &self.lines[index];
        let label = label.to_owned();
        let mut context = Context::clone(&self.context);
        let begin = line.text().find(&label).unwrap_or(0);
        let place = line.place(begin..begin + label.len());
        let heading = Heading {
            level: level::BARE,
            label,
            place,
        };
        // Whatever the title above is, it is that of several such lines.
        if !heading.label.is_empty() {
            self.nesting.add(&mut context, level::BARE, heading, true);
        }
        self.nesting.close();
        let mut content = Content::Output(output);
        let problems = problems::check(&self.lines[index..=index], &mut content);
        self.found.push(Block {
            part: self.part,
            quotes: line.quotes,
            lines: shown_lines(&self.lines[index..=index]),
            context: Rc::new(context),
            above: Vec::new(),
            content: self.store.keep(content),
            problems,
        });
        self.behind = index + 1;
        true
    }
}
