//! Reads the tables that bonnie++ prints.

use super::{BLOCKS, FILES, add_latency, add_test, csv, is_result};
use crate::readers::benchmarks::collect::{Collector, is_border, words};
use crate::recognise::Cursor;

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 3;
/// Bytes of the row of a machine.
const MAX_ROW: usize = 160;

#[derive(Clone, Copy)]
enum Kind {
    Blocks,
    Files,
}

impl Kind {
    fn tests(self) -> &'static [&'static str; 6] {
        match self {
            Kind::Blocks => &BLOCKS,
            Kind::Files => &FILES,
        }
    }
}

/// Whether the heading of a table begins at a line.
pub fn begins(text: &str) -> bool {
    let text = text.trim();
    let version = text.starts_with("Version ") || text.starts_with("---");
    version && (text.contains("---Sequential Output--") || text.contains("---Sequential Create--"))
        || text.starts_with("-Per Chr- --Block-- -Rewrite-")
        || is_blocks_heading(text)
        || text.starts_with("files") && text.contains("/sec %CP")
        || is_lone_row(text)
}

/// Whether a line is the row of a machine with all tests, by which people quote a table without its
/// headings: a size, then results and whole shares of a CPU in turn.
fn is_lone_row(text: &str) -> bool {
    // Most lines end with another character, so they need not be split.
    let ends = text.ends_with(|c: char| c.is_ascii_digit() || c == '+');
    if !ends || text.len() > MAX_ROW {
        return false;
    }
    let parts = words(text);
    let Some(size) = parts.iter().position(|word| is_size(word)) else {
        return false;
    };
    let results = &parts[size + 1..];
    let is_cpu =
        |word: &str| word == "+++" || word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    (1..=3).contains(&size)
        && results.len() == 2 * BLOCKS.len()
        && results
            .chunks_exact(2)
            .all(|pair| is_result(pair[0]) && is_cpu(pair[1]))
}

fn is_blocks_heading(text: &str) -> bool {
    let named = ["Machine", "Name:Size", "Size "];
    named.iter().any(|name| text.starts_with(name)) && text.contains("/sec %CP")
}

/// Reads the tables and the line of CSV behind them; the line behind all.
pub fn read_tables(found: &mut Collector, cursor: Cursor) -> usize {
    let mut kind = is_lone_row(cursor.text(0).trim()).then_some(Kind::Blocks);
    let mut end = 0;
    let mut columns: Vec<usize> = Vec::new();
    // Tests that a line has, for the latencies below it.
    let mut tested: Vec<&str> = Vec::new();
    let mut offset = 0;
    while offset < end + MAX_GAP {
        let Some(line) = cursor.line(offset) else {
            break;
        };
        let text = line.text();
        let trimmed = text.trim();
        if trimmed.contains("---Sequential Output--") && !found.is_empty() {
            break;
        }
        let is_heading = begins(text) && !is_lone_row(trimmed)
            || trimmed.starts_with("Concurrency ")
            || trimmed.contains("-Create-- --Read--- -Delete--");
        if is_heading {
            if trimmed.contains("Sequential Output") || is_blocks_heading(trimmed) {
                kind = Some(Kind::Blocks);
            } else if trimmed.contains("Sequential Create") || trimmed.starts_with("files") {
                kind = Some(Kind::Files);
            }
            if trimmed.contains("%CP") {
                columns = ends_of(text, "%CP");
            }
            end = offset + 1;
        } else if let Some(kind) = kind {
            if let Some(rest) = trimmed.strip_prefix("Latency") {
                let shown = words(rest);
                if shown.len() == tested.len() {
                    for (test, shown) in tested.iter().zip(shown) {
                        add_latency(found, offset, test, shown);
                    }
                }
                end = offset + 1;
            } else if let Some(row) = read_row(found, offset, text, kind, &columns) {
                tested = row;
                end = offset + 1;
            } else if csv::is_line(trimmed) {
                return csv::read_lines(found, cursor, offset);
            } else if is_border(text) {
                break;
            }
        }
        offset += 1;
        if found.is_fruitless(offset) {
            break;
        }
    }
    end
}

/// Bytes behind each occurrence of a word.
fn ends_of(text: &str, word: &str) -> Vec<usize> {
    text.match_indices(word)
        .map(|(index, _)| index + word.len())
        .collect()
}

/// Reads the line of a machine, or of a number of files; the tests that it has.
fn read_row<'a>(
    found: &mut Collector,
    offset: usize,
    text: &str,
    kind: Kind,
    columns: &[usize],
) -> Option<Vec<&'a str>> {
    let parts = words(text);
    let tests = kind.tests();
    let results = parts
        .iter()
        .rev()
        .take_while(|word| is_result(word))
        .count();
    let (front, rest) = match kind {
        // The size is a number with a letter or a part behind a colon: `16G`, `300M:64k`.
        Kind::Blocks => {
            let size = parts
                .iter()
                .position(|word| is_size(word))
                .filter(|i| *i > 0)?;
            (size + 1, parts.get(size + 1..)?)
        }
        Kind::Files => (1, parts.get(1..)?),
    };
    if rest.len() % 2 != 0 || rest.is_empty() || rest.len() > results || rest.len() > 12 {
        return None;
    }
    let places = places_of(text, rest, tests.len(), columns)?;
    match kind {
        Kind::Blocks => {
            found.set("machine", &parts[..front - 1].join(" "));
            found.set("size", parts[front - 1]);
        }
        Kind::Files => {
            if !parts[0].starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
            found.add_fact("files", parts[0]);
        }
    }
    let mut tested = Vec::new();
    for (pair, place) in rest.chunks_exact(2).zip(places) {
        let test = tests[place];
        add_test(found, offset, test, [pair[0], pair[1]]);
        tested.push(test);
    }
    Some(tested)
}

/// Whether a word is a size of files: `16G`, `4M`, `300M:64k`, `2G:512:8`.
fn is_size(word: &str) -> bool {
    let size = word.split(':').next().unwrap_or("");
    let digits = size.trim_end_matches(['K', 'M', 'G', 'T', 'k', 'm', 'g']);
    digits.len() + 1 == size.len()
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The tests that the pairs of a line are of: all of them, those without tests of single
/// characters, or those above whose columns they end.
fn places_of(text: &str, rest: &[&str], tests: usize, columns: &[usize]) -> Option<Vec<usize>> {
    let pairs = rest.len() / 2;
    // Headings may be cut behind the tests that somebody shows.
    if pairs == tests || pairs == columns.len() && pairs < tests {
        return Some((0..pairs).collect());
    }
    if columns.len() == tests {
        let places: Vec<usize> = rest
            .chunks_exact(2)
            .filter_map(|pair| {
                let end = pair[1].as_ptr() as usize + pair[1].len() - text.as_ptr() as usize;
                columns.iter().position(|column| column.abs_diff(end) <= 1)
            })
            .collect();
        if places.len() == pairs && places.windows(2).all(|pair| pair[0] < pair[1]) {
            return Some(places);
        }
    }
    // `-f` leaves out both tests of single characters.
    (pairs == 4).then(|| vec![1, 2, 4, 5])
}
