//! Titles between blocks: which lines are one, by their form and by what is below them.

use super::{Cursor, Scan};
use crate::line::Line;
use crate::readers;
use crate::structure::context::{Heading, SessionFact, level};
use crate::structure::fence::is_fence;
use crate::structure::heading::{self, TitleKind};
use crate::structure::{announced, kind, prompt};
use std::rc::Rc;

/// Lines below a command without a prompt in which its output begins.
const MAX_COMMAND_GAP: usize = 3;
/// Lines above a caption in which a remark that it ends may have begun.
const MAX_REMARK_LINES: usize = 3;

impl Scan<'_> {
    /// The line behind the heading that begins at a line, or behind a line of prose.
    pub(super) fn add_heading(&mut self, index: usize) -> usize {
        let next = self.lines.get(index + 1).map_or("", Line::text);
        let lines = self.lines;
        let text = lines[index].text();
        if heading::introduces_quotation(text) {
            return index + 1;
        }
        let above = index.checked_sub(1).map_or("", |above| lines[above].text());
        let titled = heading::between_rules(above, text, next).map(|label| (level::MARKED, label));
        // The line in which the label stands: a remark may have begun above.
        let (level, label, label_line) = match titled.or_else(|| heading::titled(text, next)) {
            Some((level, label)) => {
                let is_spoken = kind::is_sentence(label) || kind::points_below(label);
                let spoken = is_spoken.then(|| announced::spoken(text));
                let named = spoken.flatten().map(|label| (label, index));
                let (label, line) = named
                    .or_else(|| self.before_remark(index))
                    .unwrap_or((label, index));
                (level, label, line)
            }
            None => match self.side_above_title(index) {
                Some(label) => (level::CAPTION, label, index),
                None => match self.untitled(index) {
                    Some((level, label)) => (level, label, index),
                    None => return index + 1,
                },
            },
        };
        let heading = Heading {
            level,
            label: label.to_owned(),
            place: lines[label_line].place_of(label),
        };
        self.leave_file(index);
        let is_repeated = self.repeated.contains(&heading.label);
        let context = Rc::make_mut(&mut self.context);
        self.nesting.add(context, level, heading, is_repeated);
        index + 1
    }

    /// The words before the remark in brackets that ends a caption and began in a line above:
    /// `Ascending keys (parents have lower` `priority than children):`. Returns the index of their
    /// line, too: a place is counted from the line in which the words stand.
    fn before_remark(&self, index: usize) -> Option<(&str, usize)> {
        let text = self.lines[index].text();
        let closed = text.find(')').filter(|end| !text[..*end].contains('('));
        closed?;
        let first = index.saturating_sub(MAX_REMARK_LINES);
        let mut above = (first..index).rev().map(|i| (self.lines[i].text(), i));
        let (begun, line) = above
            .by_ref()
            .take_while(|(text, _)| !text.trim().is_empty())
            .find_map(|(text, i)| Some((text[..text.rfind('(')?].trim(), i)))?;
        Some((heading::bare(begun)?, line))
    }

    /// A few words that name a side directly above a title: `Before this patch`, `1) iostat:`.
    fn side_above_title(&self, index: usize) -> Option<&str> {
        let next = self.lines.get(index + 1)?.text().trim();
        // This is asked of all lines, and few are above such an end.
        if !next.starts_with('#') && !next.ends_with([':', '\u{ff1a}', '=', '#', '*', ']']) {
            return None;
        }
        let label = heading::bare(self.lines[index].text())?;
        let is_above = heading::titled(next, "").is_some() && prompt::prompt(next).is_none();
        (is_above && heading::names_side(label)).then_some(label)
    }

    /// A line that can only be a title because of what is below it: a few words above a block, or
    /// a list of properties directly above a table. Lines of `key=value` are facts.
    fn untitled(&mut self, index: usize) -> Option<(u8, &str)> {
        let line = &self.lines[index];
        let mut pairs = announced::assignments(line.text());
        pairs.extend(announced::property(line.text()));
        if !pairs.is_empty() {
            for (key, value) in pairs {
                let (key, value) = (key.to_ascii_lowercase(), value.to_owned());
                self.context_mut().add_fact(SessionFact {
                    key,
                    value,
                    place: line.place(0..line.text().len()),
                });
            }
            return None;
        }
        if let Some(label) = heading::bare(line.text()) {
            let is_known = heading::kind(label) != TitleKind::Other;
            if self.begins_soon(index + 1) || is_known && self.is_above_title(index + 1) {
                return Some((level::BARE, label));
            }
        }
        let bare = heading::bare_side(line.text()).or_else(|| heading::numbered(line.text()));
        if let Some(label) = bare.filter(|_| self.begins_output(index + 1)) {
            return Some((level::BARE, label));
        }
        let next = self.lines.get(index + 1).map_or("", Line::text);
        let outer = heading::outer_item(line.text(), next);
        if let Some(label) = outer.filter(|_| self.begins_block(index + 1)) {
            return Some((level::ITEM, label));
        }
        // A list may have its outputs in fences.
        let is_item = line
            .text()
            .trim_start()
            .starts_with(|c: char| "*-\u{2022}".contains(c) || c.is_ascii_digit());
        let item = heading::bare(line.text()).filter(|_| is_item && self.is_above_fence(index + 1));
        if let Some(label) = item {
            return Some((level::BARE, label));
        }
        let label = heading::explained(line.text())
            .or_else(|| heading::leading(line.text()))
            .or_else(|| announced::spoken(line.text()))
            .or_else(|| announced::introduced(line.text()))
            .or_else(|| announced::pointed_at(line.text()))
            .or_else(|| announced::stated(line.text()));
        if let Some(label) = label.filter(|_| self.begins_soon(index + 1)) {
            return Some((level::CAPTION, label));
        }
        // Programs print such lines, too, before those by which they are known: only a fence, or a
        // command, shows that an output begins below.
        if let Some(label) = announced::summarized(line.text()) {
            let next = self.lines.get(index + 1).map_or("", Line::text);
            let is_apart = is_fence(next) || prompt::command(next).is_some();
            if is_apart && self.begins_soon(index + 1) {
                return Some((level::CAPTION, label));
            }
        }
        let listed = announced::listed(line.text())?;
        self.begins_block(index + 1)
            .then_some((level::BARE, listed))
    }

    /// Whether the next line with text is a fence.
    fn is_above_fence(&self, index: usize) -> bool {
        let mut below = self.lines[index.min(self.lines.len())..].iter().take(2);
        below
            .find(|line| !line.is_blank())
            .is_some_and(|line| is_fence(line.text()))
    }

    /// Whether the next line with text is a title, too, with a block or a command below it.
    fn is_above_title(&mut self, index: usize) -> bool {
        let text = |index: usize| self.lines.get(index).map_or("", Line::text);
        let Some(next) = (index..index + 2).find(|&i| !text(i).trim().is_empty()) else {
            return false;
        };
        let is_title = heading::titled(text(next), text(next + 1)).is_some()
            || heading::bare(text(next)).is_some();
        is_title && self.begins_soon(next + 1)
    }

    /// Whether a block or a command begins at the next line with text.
    fn begins_soon(&mut self, index: usize) -> bool {
        let next = (index..self.lines.len().min(index + 3)).find(|&i| {
            let line = &self.lines[i];
            !line.is_blank() && !is_fence(line.text()) && !self.is_file_name(i)
        });
        next.filter(|&next| next <= index + 2).is_some_and(|next| {
            let text = self.lines[next].text();
            if prompt::command(text).is_some() || prompt::bare_command(text).is_some() {
                return true;
            }
            self.begins_block(next) || self.labelled(next).is_some()
        })
    }

    /// Whether an output of a program begins in the lines below a command.
    pub(super) fn begins_output(&self, index: usize) -> bool {
        let end = self.lines.len().min(index + MAX_COMMAND_GAP);
        let is_command =
            |text: &str| prompt::prompt(text).is_some() || prompt::bare_command(text).is_some();
        (index..end)
            .take_while(|&start| !is_command(self.lines[start].text()))
            .any(|start| {
                let cursor = Cursor {
                    file: self.file,
                    lines: self.lines,
                    start,
                    context: &self.context,
                };
                readers::read(cursor).is_some() || self.labelled(start).is_some()
            })
    }

    /// Whether a block begins at a line below this one. All kinds of titles ask for it, and then
    /// the line itself: it is read once.
    fn begins_block(&mut self, index: usize) -> bool {
        let is_read = self.ahead.as_ref().is_some_and(|(read, _)| *read == index);
        if !is_read {
            self.ahead = Some((index, self.block(index)));
        }
        self.ahead
            .as_ref()
            .is_some_and(|(_, block)| block.is_some())
    }
}
