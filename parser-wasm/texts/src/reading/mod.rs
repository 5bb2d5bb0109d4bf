//! How some texts were read: what people see of them, the blocks in them, and which of their
//! numbers are in which table. The page draws it beside the matrix, the command line prints it.

mod numbers;
mod outside;
mod words;

use crate::columns::Columns;
use crate::line::Place;
use crate::recognise::Content;
use crate::sides::choices::{BlockChoice, Choices, SideKind};
use crate::sides::{ReadFile, TableSides};
use crate::transport::ShownText;
use numbers::Tokens;
use seekscope_notes::results::{ResultSet, ResultTable};
use seekscope_trace::sorting::{map_of, set_of};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use words::{Count, Described};

/// Bytes and lines of all texts that are shown.
const MAX_SHOWN_BYTES: usize = 16 << 20;
const MAX_SHOWN_LINES: usize = 500_000;
/// Limit for the warnings about all texts.
const MAX_WARNINGS: usize = 100;
/// Numbers that are marked in all texts.
const MAX_USED: usize = 200_000;

/// How some texts were read.
#[derive(Clone, Debug, Default, Serialize)]
#[doc(alias = "ResultsReading")]
pub struct Reading {
    /// One sentence about all tables.
    pub sentence: String,
    /// One for each table of the results, in their order.
    pub tables: Vec<TableReading>,
    /// The texts that have blocks.
    pub texts: Vec<TextReading>,
    /// That sides were asked for which no table has.
    pub refused: bool,
    /// The faults of the texts, in their order.
    pub warnings: Vec<ReadingWarning>,
    /// The texts that were not read: large texts are read in part, and of very many texts the
    /// first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

/// A fault of a text, of which the rest was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadingWarning {
    pub code: &'static str,
    pub file: String,
    /// Line of the file, from 1.
    pub line: u32,
    pub message: String,
}

/// The evidence that distinguishes the sides of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableReading {
    /// `Read as two runs, by the headings 'a' and 'b'; 2 of 14 numbers not used.`
    pub sentence: String,
    /// The name of this evidence in the choices; absent if there are no sides, or only their order
    /// distinguishes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// All evidence that could be chosen, `by` among them.
    pub possible: Vec<SideChoice>,
    /// Labels of its sides, the one that others are compared with first.
    pub sides: Vec<String>,
    /// A person changed how it was read.
    pub changed: bool,
}

/// A kind of evidence that distinguishes sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideChoice {
    /// The name in the choices.
    pub sides: String,
    /// The words behind `by`: `the headings`.
    pub words: String,
}

/// A number that is in a table: line, begin and end in characters (UTF-16) as shown, from 0, and
/// the indices of the table, the run, and the figure.
pub type UsedNumber = [u32; 6];

/// A text as a person sees it, and what was found in it.
#[derive(Clone, Debug, Serialize)]
pub struct TextReading {
    pub path: String,
    /// The lines of the text, with a line feed between them.
    pub text: String,
    /// Lines that `text` lacks, because it would be too long.
    pub omitted: usize,
    /// Numbers of the lines in the file, where the text is encoded and they are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub file_lines: Vec<u32>,
    pub blocks: Vec<BlockReading>,
    /// The numbers that are in tables, in the order of the text.
    pub used: Vec<UsedNumber>,
    /// Numbers that are values of dimensions of their line's figures: line and characters as shown.
    pub parameters: Vec<[u32; 3]>,
}

/// A block of a text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BlockReading {
    /// First and last shown line, from 0.
    pub lines: [u32; 2],
    /// `table`, or the program that printed it.
    pub tool: &'static str,
    /// Index of its table; absent where no figure of it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<usize>,
    /// Labels of the sides of its figures.
    pub sides: Vec<String>,
    /// The words that name its side: line and characters as shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<[u32; 3]>,
    pub excluded: bool,
    /// The label that a person gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// It can have a label: its columns are not its sides.
    pub labelled: bool,
    /// Numbers in its lines, and those of them that are neither in a table nor a value of a
    /// dimension.
    pub numbers: usize,
    pub unused: usize,
}

impl Reading {
    pub fn new(
        files: &[ReadFile],
        set: &ResultSet,
        sides: &[TableSides],
        choices: &Choices,
    ) -> Reading {
        let used = numbers::used(files, set);
        let mut room = Room::default();
        let mut texts = Vec::new();
        let mut first_block = 1;
        for (file, used) in files.iter().zip(used) {
            if !file.blocks.is_empty() {
                let (blocks, parameters) = blocks(file, first_block, &used, set, sides, choices);
                let mut text = text(file, blocks, used, &mut room);
                text.parameters = parameters;
                text.parameters.truncate(MAX_USED);
                texts.push(text);
            }
            first_block += file.blocks.len();
        }
        let blocks = || texts.iter().flat_map(|text: &TextReading| &text.blocks);
        let count = |table: Option<usize>| {
            let mut count = Count::default();
            for block in blocks().filter(|b| table.is_none() || b.table == table) {
                count.all += block.numbers;
                count.unused += block.unused;
            }
            count
        };
        let described: Vec<Described> = set
            .tables
            .iter()
            .zip(sides)
            .map(|(table, sides)| Described::new(table, sides))
            .collect();
        let is_alone = described.len() == 1;
        let tables = described
            .iter()
            .zip(sides)
            .enumerate()
            .map(|(index, (described, sides))| TableReading {
                // A single table counts all blocks, also those that a person left out.
                sentence: described.sentence(count(Some(index).filter(|_| !is_alone))),
                by: sides.kind.as_ref().map(SideKind::name),
                possible: sides.possible.iter().map(side_choice).collect(),
                sides: described.sides.clone(),
                changed: sides.is_changed || sides.is_chosen,
            })
            .collect();
        Reading {
            sentence: words::sentence(&described, count(None)),
            tables,
            warnings: warnings(files),
            refused: choices.sides.is_some() && sides.iter().all(|table| !table.is_chosen),
            texts,
            unread: None,
        }
    }

    /// Says which texts were read in part, as paths and bytes that were read, and how many were not
    /// read at all.
    pub fn add_unread(&mut self, cut: &[(&str, usize)], omitted: usize) {
        self.unread = words::unread(cut, omitted);
    }
}

fn warnings(files: &[ReadFile]) -> Vec<ReadingWarning> {
    let mut found = Vec::new();
    for file in files {
        for problem in file.blocks.iter().flat_map(|block| &block.problems) {
            let shown = file.shown.lines.get(problem.place.line as usize);
            found.push(ReadingWarning {
                code: problem.kind.code(),
                file: file.path.to_owned(),
                line: shown.map_or(problem.place.line, |line| line.file_line) + 1,
                message: problem.message(),
            });
        }
        found.extend(outside::warning(file));
    }
    found.truncate(MAX_WARNINGS);
    found
}

fn side_choice(kind: &SideKind) -> SideChoice {
    SideChoice {
        sides: kind.name(),
        words: kind.words(),
    }
}

/// The side of a run; tables have the dimension of their sides first.
fn side_of(table: &ResultTable, run: usize) -> Option<&str> {
    let has_sides = !table.evidence.is_empty();
    let value = table.runs.get(run)?.values.first();
    value.map(String::as_str).filter(|_| has_sides)
}

fn blocks(
    file: &ReadFile,
    first: usize,
    used: &[[u32; 6]],
    set: &ResultSet,
    sides: &[TableSides],
    choices: &Choices,
) -> (Vec<BlockReading>, Vec<[u32; 3]>) {
    let mut tokens = Tokens::default();
    let mut columns = Columns::default();
    let mut parameters = Vec::new();
    let mut found = Vec::with_capacity(file.blocks.len());
    for (index, block) in file.blocks.iter().enumerate() {
        let tool = match &block.content {
            Content::Output(output) => output.tool,
            Content::Table(_) => "table",
        };
        let lines = block.lines.clone();
        let from = used.partition_point(|mark| mark[0] < lines.start);
        let to = used.partition_point(|mark| mark[0] < lines.end);
        let used_here = &used[from..to];
        let here = |choice: &&BlockChoice| choice.file == file.path && choice.line == lines.start;
        let choice = choices.blocks.iter().find(here);
        let values = |marks: &[[u32; 6]]| -> BTreeSet<&str> {
            let runs = marks
                .iter()
                .map(|mark| &set.tables[mark[3] as usize].runs[mark[4] as usize]);
            set_of(runs.flat_map(|run| run.values.iter().map(String::as_str)))
        };
        // Columns name their values above all figures.
        let first_used = used_here.first().map_or(lines.end, |mark| mark[0]);
        let all_values = values(used_here);
        let mut reading = BlockReading {
            lines: [lines.start, lines.end.saturating_sub(1)],
            tool,
            excluded: choice.is_some_and(|choice| choice.excluded),
            label: choice.and_then(|choice| choice.label.clone()),
            ..BlockReading::default()
        };
        for &[_, _, _, table, run, _] in used_here {
            reading.table = Some(table as usize);
            let side = side_of(&set.tables[table as usize], run as usize);
            let side = side.filter(|side| reading.sides.iter().all(|earlier| earlier != side));
            reading.sides.extend(side.map(str::to_owned));
        }
        if let Some(table) = reading.table {
            let places = &sides[table].places;
            let number = first + index;
            let place = places.iter().find(|(block, _)| *block == number);
            reading.heading =
                place.map(|(_, place)| shown_columns(&file.shown, &mut columns, *place));
            let by_column = matches!(sides[table].kind, Some(SideKind::Column(_)));
            reading.labelled = !by_column && reading.sides.len() < 2;
        }
        for line in lines {
            let shown = file.shown.lines.get(line as usize);
            let shown = shown.map_or("", |line| &line.text);
            let numbers = if line < first_used {
                tokens.count(line, shown, used_here, &all_values)
            } else {
                let from = used_here.partition_point(|mark| mark[0] < line);
                let to = used_here.partition_point(|mark| mark[0] <= line);
                tokens.count(line, shown, used_here, &values(&used_here[from..to]))
            };
            reading.numbers += numbers.all;
            reading.unused += numbers.unused;
            parameters.extend(numbers.parameters);
        }
        found.push(reading);
    }
    (found, parameters)
}

/// Line and characters of a place, as shown.
fn shown_columns(shown: &ShownText, columns: &mut Columns, place: Place) -> [u32; 3] {
    let text = shown.lines.get(place.line as usize);
    let text = text.map_or("", |line| &line.text);
    let mut column = |end: u32| columns.utf16(place.line, text, end as usize);
    [place.line, column(place.start), column(place.end)]
}

/// What may still be added to the answer.
struct Room {
    bytes: usize,
    lines: usize,
    used: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            bytes: MAX_SHOWN_BYTES,
            lines: MAX_SHOWN_LINES,
            used: MAX_USED,
        }
    }
}

fn text(
    file: &ReadFile,
    blocks: Vec<BlockReading>,
    mut used: Vec<[u32; 6]>,
    room: &mut Room,
) -> TextReading {
    let mut text = String::new();
    let mut count = 0;
    for line in &file.shown.lines {
        if line.text.len() + 1 > room.bytes || room.lines == 0 {
            break;
        }
        room.bytes -= line.text.len() + 1;
        room.lines -= 1;
        if count > 0 {
            text.push('\n');
        }
        text.push_str(&line.text);
        count += 1;
    }
    used.truncate(room.used);
    room.used -= used.len();
    let shown = &file.shown.lines[..count];
    let is_plain = shown
        .iter()
        .enumerate()
        .all(|(index, line)| line.file_line as usize == index);
    let file_lines = if is_plain {
        Vec::new()
    } else {
        shown.iter().map(|line| line.file_line + 1).collect()
    };
    TextReading {
        path: file.path.to_owned(),
        text,
        omitted: file.shown.lines.len() - count,
        file_lines,
        blocks,
        used,
        parameters: Vec::new(),
    }
}

/// The index of each file by its path.
fn indices<'a>(files: &[ReadFile<'a>]) -> BTreeMap<&'a str, usize> {
    let pairs = files.iter().enumerate();
    map_of(pairs.map(|(index, file)| (file.path, index)))
}
