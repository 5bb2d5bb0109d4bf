//! The numbers of lines, and which of them are in a table.

use super::indices;
use crate::columns::Columns;
use crate::sides::ReadFile;
use seekscope_notes::results::ResultSet;
use std::collections::BTreeSet;
use std::ops::Range;

/// For each file, the numbers that are in a table, in the order of its lines.
pub fn used(files: &[ReadFile], set: &ResultSet) -> Vec<Vec<[u32; 6]>> {
    let mut found: Vec<Vec<[u32; 6]>> = vec![Vec::new(); files.len()];
    let index_of = indices(files);
    for (t, table) in set.tables.iter().enumerate() {
        for (r, run) in table.runs.iter().enumerate() {
            for (f, figure) in run.figures.iter().enumerate() {
                let Some(place) = &figure.place else { continue };
                let Some(&file) = index_of.get(place.file.as_str()) else {
                    continue;
                };
                let Some(line) = files[file].shown.lines.get(place.shown as usize) else {
                    continue;
                };
                let [start, end] = place
                    .columns
                    .map(|c| (c - 1).saturating_sub(line.file_column));
                found[file].push([place.shown, start, end, t as u32, r as u32, f as u32]);
            }
        }
    }
    for numbers in &mut found {
        numbers.sort_unstable();
        numbers.dedup_by_key(|[line, start, ..]| (*line, *start));
    }
    found
}

/// A number in a line: its digits, and the end of the word that they begin.
struct Token {
    digits: Range<usize>,
    word_end: usize,
}

/// The numbers of a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LineNumbers {
    pub all: usize,
    /// Numbers that are neither figures nor parameters.
    pub unused: usize,
    /// Line and characters of those that are values of dimensions.
    pub parameters: Vec<[u32; 3]>,
}

/// Finds the numbers of lines. It keeps its buffer, because a text has many lines.
#[derive(Default)]
pub struct Tokens {
    found: Vec<Token>,
}

impl Tokens {
    /// The numbers of a line; `used` are figures of its block, `values` those of dimensions.
    pub fn count(
        &mut self,
        line: u32,
        text: &str,
        used: &[[u32; 6]],
        values: &BTreeSet<&str>,
    ) -> LineNumbers {
        self.find(text);
        let from = used.partition_point(|mark| mark[0] < line);
        let to = used.partition_point(|mark| mark[0] <= line);
        let used = &used[from..to];
        let mut numbers = LineNumbers {
            all: self.found.len(),
            ..LineNumbers::default()
        };
        // Both are in the order of the line.
        let mut next = 0;
        let mut columns = Columns::default();
        for Token { digits, word_end } in &self.found {
            let mut column = |end: usize| columns.utf16(line, text, end);
            let (start, end) = (column(digits.start), column(digits.end));
            while next < used.len() && used[next][2] <= start {
                next += 1;
            }
            if next < used.len() && used[next][1] < end {
                continue;
            }
            let word = digits.start..*word_end;
            let value = [word, digits.clone()].into_iter().find(|range| {
                let shown = text.get(range.clone());
                shown.is_some_and(|shown| values.contains(shown))
            });
            match value {
                Some(range) => {
                    let end = column(range.end);
                    numbers.parameters.push([line, start, end]);
                }
                None => numbers.unused += 1,
            }
        }
        numbers
    }

    /// A number begins with a digit that belongs to no word: `4k` and `99.00th` have one, `sda1`
    /// and `p99` have none.
    fn find(&mut self, text: &str) {
        self.found.clear();
        let bytes = text.as_bytes();
        let mut position = 0;
        while position < bytes.len() {
            let begins = bytes[position].is_ascii_digit()
                && (position == 0
                    || !(bytes[position - 1].is_ascii_alphanumeric()
                        || bytes[position - 1] == b'_'));
            if !begins {
                position += 1;
                continue;
            }
            let start = position;
            while position < bytes.len()
                && (bytes[position].is_ascii_digit()
                    || matches!(bytes[position], b'.' | b',') && digit_at(bytes, position + 1))
            {
                position += 1;
            }
            let digits = start..position;
            // `4k` and `2.5e3` are one number.
            while position < bytes.len() && bytes[position].is_ascii_alphanumeric() {
                position += 1;
            }
            self.found.push(Token {
                digits,
                word_end: position,
            });
        }
    }
}

fn digit_at(bytes: &[u8], index: usize) -> bool {
    bytes.get(index).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_no_part_of_a_word() {
        let cases = [
            ("read: IOPS=222, BW=888KiB/s (909kB/s)", 3),
            ("sda1 p99 x_4 none", 0),
            ("| 50.00th=[ 2165], 90.00th=[ 3239]", 4),
            ("4,096 2.6.38-rc2 1e-3", 4),
            ("\u{b5}s 1,5 \u{b1} 2", 2),
        ];
        for (text, expected) in cases {
            let numbers = Tokens::default().count(0, text, &[], &BTreeSet::new());
            assert_eq!(
                (numbers.all, numbers.unused),
                (expected, expected),
                "{text}"
            );
        }
    }

    #[test]
    fn a_number_behind_other_letters_is_found_by_its_characters() {
        let mark = |start, end| [3, start, end, 0, 0, 0];
        let text = "\u{b5}s 15 \u{b1} 2";
        let counts = |marks: &[[u32; 6]]| {
            let numbers = Tokens::default().count(3, text, marks, &BTreeSet::new());
            (numbers.all, numbers.unused)
        };
        assert_eq!(counts(&[mark(3, 5)]), (2, 1));
        assert_eq!(counts(&[mark(3, 5), mark(8, 9)]), (2, 0));
        assert_eq!(counts(&[mark(5, 6)]), (2, 2));
    }

    #[test]
    fn values_of_dimensions_are_parameters() {
        let values = BTreeSet::from(["4k", "16"]);
        let numbers = Tokens::default().count(2, "4k 16 126808 4", &[[2, 6, 12, 0, 0, 0]], &values);
        let parameters = vec![[2, 0, 2], [2, 3, 5]];
        let expected = LineNumbers {
            all: 4,
            unused: 1,
            parameters,
        };
        assert_eq!(numbers, expected);
    }
}
