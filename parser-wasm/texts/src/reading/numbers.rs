//! The numbers of lines, and which of them stand in a table.

use super::indices;
use crate::sides::ReadFile;
use seekscope_core::results::ResultSet;
use std::ops::Range;

/// Characters, in UTF-16, of the first bytes of a line.
pub fn utf16(text: &str, end: usize) -> u32 {
    let end = end.min(text.len());
    let count = |text: &str| text.encode_utf16().count();
    text.get(..end).map_or(end, count) as u32
}

/// For each file the numbers that stand in a table, in the order of its lines.
pub fn used(files: &[ReadFile], set: &ResultSet) -> Vec<Vec<[u32; 6]>> {
    let mut found: Vec<Vec<[u32; 6]>> = vec![Vec::new(); files.len()];
    let known = indices(files);
    for (t, table) in set.tables.iter().enumerate() {
        for (r, run) in table.runs.iter().enumerate() {
            for (f, figure) in run.figures.iter().enumerate() {
                let Some(place) = &figure.place else { continue };
                let Some(&file) = known.get(place.file.as_str()) else {
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

/// Counts the numbers of lines. It keeps its buffer, because a text has many lines.
#[derive(Default)]
pub struct Tokens {
    found: Vec<Range<usize>>,
}

impl Tokens {
    /// All numbers of a line, and those that none of `used` has.
    pub fn count(&mut self, line: u32, text: &str, used: &[[u32; 6]]) -> (usize, usize) {
        self.find(text);
        let from = used.partition_point(|mark| mark[0] < line);
        let to = used.partition_point(|mark| mark[0] <= line);
        let used = &used[from..to];
        // Both are in the order of the line.
        let mut next = 0;
        let unused = self.found.iter().filter(|token| {
            let (start, end) = (utf16_of(text, token.start), utf16_of(text, token.end));
            while next < used.len() && used[next][2] <= start {
                next += 1;
            }
            !(next < used.len() && used[next][1] < end)
        });
        let unused = unused.count();
        (self.found.len(), unused)
    }

    /// A number begins with a digit that belongs to no word: `4k` and `99.00th` have one, `sda1` and
    /// `p99` have none.
    fn find(&mut self, text: &str) {
        self.found.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let begins = bytes[at].is_ascii_digit()
                && (at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_'));
            if !begins {
                at += 1;
                continue;
            }
            let start = at;
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || matches!(bytes[at], b'.' | b',') && digit_at(bytes, at + 1))
            {
                at += 1;
            }
            self.found.push(start..at);
            // `4k` and `2.5e3` are one.
            while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
                at += 1;
            }
        }
    }
}

fn digit_at(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// The same as [`utf16`], at once for lines of ASCII.
fn utf16_of(text: &str, end: usize) -> u32 {
    if text.is_ascii() {
        end as u32
    } else {
        utf16(text, end)
    }
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
            assert_eq!(Tokens::default().count(0, text, &[]).0, expected, "{text}");
        }
    }

    #[test]
    fn a_number_behind_other_letters_is_found_by_its_characters() {
        let mark = |start, end| [3, start, end, 0, 0, 0];
        let text = "\u{b5}s 15 \u{b1} 2";
        let counts = |marks: &[[u32; 6]]| Tokens::default().count(3, text, marks);
        assert_eq!(counts(&[mark(3, 5)]), (2, 1));
        assert_eq!(counts(&[mark(3, 5), mark(8, 9)]), (2, 0));
        assert_eq!(counts(&[mark(5, 6)]), (2, 2));
    }
}
