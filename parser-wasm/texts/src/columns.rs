//! Columns of lines: bytes of UTF-8 to characters of UTF-16, as editors and JavaScript count them.
//!
//! A document of JSON may be one line with a million figures. Each of them asks for its columns, so
//! that counting from the beginning of the line would take time that grows with its square. Long
//! lines are counted once, with a mark every [`STEP`] bytes.

use std::collections::HashMap;

/// Bytes between two marks; shorter lines have no marks.
const STEP: usize = 1024;

/// The columns of the lines of one text, by the index of the line.
#[derive(Default)]
pub struct Columns {
    long: HashMap<u32, Marks>,
}

impl Columns {
    /// Characters, in UTF-16, of the first `end` bytes of a line.
    pub fn utf16(&mut self, line: u32, text: &str, end: usize) -> u32 {
        if text.len() <= STEP {
            return count(text, 0, end);
        }
        let marks = self.long.entry(line).or_insert_with(|| Marks::new(text));
        marks.utf16(text, end)
    }
}

/// Characters before each multiple of [`STEP`] bytes, moved on to the next character.
enum Marks {
    /// Every byte is a character, so no marks are needed.
    Ascii,
    Others(Vec<(usize, u32)>),
}

impl Marks {
    fn new(text: &str) -> Marks {
        if text.is_ascii() {
            return Marks::Ascii;
        }
        let mut marks = vec![(0, 0)];
        let (mut from, mut characters) = (0, 0);
        while from + STEP < text.len() {
            let next = (from + STEP..text.len())
                .find(|&end| text.is_char_boundary(end))
                .unwrap_or(text.len());
            characters += count(text, from, next);
            from = next;
            marks.push((from, characters));
        }
        Marks::Others(marks)
    }

    fn utf16(&self, text: &str, end: usize) -> u32 {
        match self {
            Marks::Ascii => end.min(text.len()) as u32,
            Marks::Others(marks) => {
                let next = marks.partition_point(|(byte, _)| *byte <= end);
                let (byte, characters) = marks[next - 1];
                characters + count(text, byte, end)
            }
        }
    }
}

/// Characters from `start` to `end`; bytes where they cut a character.
fn count(text: &str, start: usize, end: usize) -> u32 {
    let end = end.min(text.len());
    let characters = |text: &str| text.encode_utf16().count();
    text.get(start..end)
        .map_or(end.saturating_sub(start), characters) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_have_the_columns_of_a_count_from_the_beginning() {
        let texts = [
            "a\u{b5}\u{1f600}b".repeat(3000),
            "\u{1f600}".repeat(1500),
            "1, ".repeat(2000),
            "\u{b5}s".to_owned(),
            String::new(),
        ];
        let mut columns = Columns::default();
        for (line, text) in texts.iter().enumerate() {
            let ends = text.char_indices().map(|(end, _)| end).chain([text.len()]);
            for (characters, end) in ends.enumerate().step_by(7) {
                let expected = text[..end].encode_utf16().count();
                let found = columns.utf16(line as u32, text, end);
                assert_eq!(found as usize, expected, "character {characters}");
            }
        }
    }

    #[test]
    fn ends_beyond_the_line_are_its_end() {
        for text in ["\u{b5}s".to_owned(), "\u{b5}s".repeat(1000)] {
            let expected = text.encode_utf16().count() as u32;
            assert_eq!(Columns::default().utf16(0, &text, usize::MAX), expected);
        }
    }
}
