//! The blocks of a text: outputs of programs and tables, each with what is above it.

mod alike;
mod changed;
mod labelled;
mod refused;
mod repeated;
mod session;
mod store;
mod titles;

use crate::line::{Line, Place};
use crate::observation::{Fact, LatencyDistribution, NamedValue, Observation};
use crate::problems::{self, Problem};
use crate::readers;
use crate::structure::context::Context;
use crate::structure::fence::is_fence;
use crate::structure::nesting::Nesting;
use crate::structure::prompt::{self, Prompt};
use crate::structure::{diff, emphasis, forum, grep, heading, patch, prefix, side_by_side, unwrap};
use crate::tables::{self, Found, Table};
use crate::transport::{Part, ShownText};
use alike::Alike;
use refused::Refused;
use repeated::RepeatedTitles;
use std::ops::Range;
use std::rc::Rc;
use store::Store;

pub use store::MAX_BLOCKS;

/// Bytes of the shortest word that is the first line of a block. All readers look at each line that
/// is longer: a megabyte of lines of one letter would take five seconds.
const MIN_WORD_BYTES: usize = 3;

/// Lines above a block among which its title is looked for.
const MAX_ABOVE: usize = 24;

/// What a program printed.
#[derive(Clone, Debug, Default)]
pub struct Output {
    pub tool: &'static str,
    /// The line behind the output.
    pub end: usize,
    pub observations: Vec<Observation>,
    /// One for each set of dimensions, in the order of the observations; any other number is that
    /// of the first set.
    pub distributions: Vec<LatencyDistribution>,
    /// Standard deviations that are printed beside figures, in their units, by the places of these,
    /// in the order of the text. Of how many values is not in the text.
    pub deviations: Vec<(Place, f64)>,
    /// What the output says of the complete measurement: a kernel, a version of the program.
    pub facts: Vec<NamedValue>,
    /// Name of the dimension that the output itself lays side by side: its rows or columns are runs
    /// that were measured to be compared.
    pub side: Option<&'static str>,
    /// Counters of the machine or totals of a tracer: beside a trace they are no results.
    pub is_counter: bool,
    /// Sums of what ran together that the output does not print: they join a trace, and no table.
    pub sums: Vec<Observation>,
    /// The statements besides figures, for people.
    pub remarks: Vec<Fact>,
    /// Processes of `dd` that it is of.
    pub processes: u32,
}

/// A block and its place.
#[derive(Clone, Debug)]
pub struct Block {
    /// Index of the part of its file.
    pub part: usize,
    /// Levels of quotation of its first line.
    pub quotes: u32,
    /// Indices of its lines, as shown.
    pub lines: Range<u32>,
    /// What is above the block; most blocks share it with the one before.
    pub context: Rc<Context>,
    /// Lines above it that could be its title: each one with its distance.
    pub above: Vec<(usize, String)>,
    pub content: Content,
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug)]
pub enum Content {
    Output(Output),
    Table(Table),
}

/// The lines from which a reader begins, and what is known there.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    /// Name of the file, or of the attachment.
    pub file: &'a str,
    pub lines: &'a [Line],
    pub start: usize,
    pub context: &'a Context,
}

impl<'a> Cursor<'a> {
    /// The text of a line behind the start; empty behind the last one.
    pub fn text(&self, offset: usize) -> &'a str {
        self.lines.get(self.start + offset).map_or("", Line::text)
    }

    pub fn line(&self, offset: usize) -> Option<&'a Line> {
        self.lines.get(self.start + offset)
    }

    /// The command that printed these lines, if its program has this name.
    pub fn command_of(&self, program: &str) -> Option<&'a str> {
        let command = self.context.command.as_deref()?;
        let named = command
            .split_whitespace()
            .any(|word| word.rsplit('/').next() == Some(program));
        named.then_some(command)
    }
}

/// The blocks of all parts of a text in the file with this path.
pub fn blocks(path: &str, shown: &ShownText) -> Vec<Block> {
    let mut found = Vec::new();
    let mut store = Store::default();
    for (index, part) in shown.parts.iter().enumerate() {
        let lines = lines_of(shown, part);
        Scan {
            file: part.name.as_deref().unwrap_or(path),
            lines: &lines,
            alike: Alike::new(&lines),
            part: index,
            context: Rc::default(),
            nesting: Nesting::default(),
            repeated: RepeatedTitles::new(&lines),
            grepped: None,
            refused: Refused::default(),
            behind: 0,
            ahead: None,
            store: &mut store,
            found: &mut found,
        }
        .run();
    }
    found
}

/// The lines of a part as readers see them.
pub(crate) fn lines_of(shown: &ShownText, part: &Part) -> Vec<Line> {
    let lines = part
        .lines
        .clone()
        .map(|index| Line::new(Rc::clone(&shown.lines[index].text), index as u32));
    // The marks of `diff` look like those of quotations.
    let lines = forum::remove(lines.collect());
    let lines = side_by_side::split(prefix::remove(diff::split(lines)));
    unwrap::join(grep::split(emphasis::remove(lines)))
}

struct Scan<'a> {
    file: &'a str,
    lines: &'a [Line],
    alike: Alike,
    part: usize,
    context: Rc<Context>,
    nesting: Nesting,
    /// Titles that the part has more than once.
    repeated: RepeatedTitles,
    /// The name of a file that `grep` printed before the last line.
    grepped: Option<String>,
    refused: Refused,
    /// The line behind the last block.
    behind: usize,
    /// The content that begins at a line, if it was read already when a title above it was looked
    /// at.
    ahead: Option<(usize, Option<(usize, Content)>)>,
    store: &'a mut Store,
    found: &'a mut Vec<Block>,
}

impl Scan<'_> {
    fn run(mut self) {
        let mut index = 0;
        while index < self.lines.len() {
            index = self.step(index).max(index + 1);
        }
    }

    /// Reads what begins at a line; the line behind it.
    fn step(&mut self, index: usize) -> usize {
        let line = &self.lines[index];
        if self.alike.is_within(index, self.behind) {
            return index + 1;
        }
        if let Some(end) = patch::end(self.lines, index) {
            return end;
        }
        if self.is_file_name(index) {
            return self.add_file_name(index);
        }
        if line.is_blank() || is_fence(line.text()) && heading::code_title(line.text()).is_none() {
            return index + 1;
        }
        if let Some(prompt) = prompt::prompt(line.text()) {
            return self.add_command(index, prompt);
        }
        if let Some(command) = prompt::bare_command(line.text())
            && self.begins_output(index + 1)
        {
            let prompt = Prompt {
                host: None,
                folder: None,
                command,
            };
            return self.add_command(index, prompt);
        }
        if let Some(end) = self.add_changed(index) {
            return end;
        }
        let ahead = self.ahead.take().filter(|(found, _)| *found == index);
        let block = match ahead {
            Some((_, block)) => block,
            None => self.block(index),
        };
        if let Some((end, mut content)) = block {
            let context = Rc::clone(&self.context);
            let above = self.above(index);
            let lines = &self.lines[index..end.min(self.lines.len())];
            let problems = problems::check(lines, &mut content);
            self.found.push(Block {
                part: self.part,
                quotes: line.quotes,
                lines: shown_lines(lines),
                context,
                above,
                content: self.store.keep(content),
                problems,
            });
            self.pass_command();
            self.behind = end;
            self.nesting.close();
            return end;
        }
        if self.add_labelled(index) {
            return index + 1;
        }
        self.add_heading(index)
    }

    /// Short lines that begin a paragraph above a block, or name a side. Programs print lines
    /// before those by which their outputs are recognised, so a title need not be next to its
    /// block.
    fn above(&self, index: usize) -> Vec<(usize, String)> {
        let first = self.behind.max(index.saturating_sub(MAX_ABOVE));
        (first..index)
            .rev()
            .filter_map(|i| {
                let text = self.lines[i].text();
                let titled = heading::titled(text, "").map(|(_, label)| label);
                let label = titled.or_else(|| heading::bare(text))?;
                let first = i == self.behind || self.lines[i - 1].is_blank();
                let inside = || heading::names_side(label) && prompt::prompt(text).is_none();
                (first || inside()).then(|| (index - i, label.to_owned()))
            })
            .collect()
    }

    fn block(&mut self, index: usize) -> Option<(usize, Content)> {
        let first = self.lines.get(index)?.text().trim();
        // JSON begins with a bracket.
        let is_word = first.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_word && first.len() < MIN_WORD_BYTES {
            return None;
        }
        let cursor = Cursor {
            file: self.file,
            lines: self.lines,
            start: index,
            context: &self.context,
        };
        if let Some(output) = readers::read(cursor) {
            if output.tool == readers::UNKNOWN_TOOL
                && let Some((table, end)) = tables::read_document(cursor)
            {
                return Some((end, Content::Table(table)));
            }
            let end = self.without_title(index, output.end);
            return Some((end, Content::Output(output)));
        }
        if self.refused.covers(index, first) {
            return None;
        }
        let (table, end) = match tables::read(cursor) {
            Found::Table { table, end } => (table, end),
            Found::Refused { end, is_grid } => {
                self.refused.add(index, end, is_grid);
                return None;
            }
            Found::Nothing => return None,
        };
        // A title above an output is no line of headings.
        let below = Cursor {
            start: index + 1,
            ..cursor
        };
        if end > index + 1 && readers::read(below).is_some() {
            return None;
        }
        Some((end, Content::Table(table)))
    }

    /// The end of an output without a title of the next one, which a reader has passed over: a
    /// title below a blank line is the last line of no output.
    fn without_title(&self, begin: usize, end: usize) -> usize {
        let filled = |line: &usize| !self.lines[*line].is_blank();
        let Some(last) = (begin + 1..end.min(self.lines.len())).rev().find(filled) else {
            return end;
        };
        let text = self.lines[last].text();
        let titled = heading::titled(text, "").is_some() || heading::bare(text).is_some();
        let below_blank = self.lines[last - 1].is_blank();
        // The last line that a reader has used is the end of what it returns; behind it are blanks.
        if titled && below_blank { last } else { end }
    }

    fn context_mut(&mut self) -> &mut Context {
        Rc::make_mut(&mut self.context)
    }
}

/// The shown lines that some lines are in, without blank ones at the end.
fn shown_lines(lines: &[Line]) -> Range<u32> {
    let first = lines.first().map_or(0, |line| line.place(0..0).line);
    let last = lines.iter().rev().find(|line| !line.is_blank());
    let end = last.map_or(first, |line| {
        line.place(line.text().len()..line.text().len()).line
    });
    first..end + 1
}
