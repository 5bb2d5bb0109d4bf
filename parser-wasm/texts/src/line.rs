//! Lines of a text that know where each part of them stands in the text that a person sees.

use std::ops::Range;

/// Where a piece of text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the shown line.
    pub line: u32,
    /// Bytes of that line.
    pub start: u32,
    pub end: u32,
}

/// A run of bytes of a [`Line`] that stands in one shown line without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// First byte in the line.
    from: usize,
    /// Index of the shown line, and the byte there.
    line: u32,
    column: usize,
}

/// A line as readers see it: prefixes are removed and wrapped lines are joined, but each byte still
/// leads back to its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    text: String,
    pieces: Vec<Piece>,
    /// Levels of quotation that were removed.
    pub quotes: u32,
}

impl Line {
    /// A line as it is shown.
    pub fn new(text: &str, line: u32) -> Line {
        Line {
            text: text.to_owned(),
            pieces: vec![Piece {
                from: 0,
                line,
                column: 0,
            }],
            quotes: 0,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The line without its first bytes.
    pub fn without_front(&self, bytes: usize) -> Line {
        self.cut(bytes..self.text.len())
    }

    /// A part of the line.
    pub fn cut(&self, range: Range<usize>) -> Line {
        let mut pieces: Vec<Piece> = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let end = self
                .pieces
                .get(index + 1)
                .map_or(self.text.len(), |next| next.from);
            if piece.from >= range.end && !pieces.is_empty()
                || end <= range.start && index + 1 < self.pieces.len()
            {
                continue;
            }
            let skipped = range.start.saturating_sub(piece.from);
            pieces.push(Piece {
                from: piece.from.max(range.start) - range.start,
                line: piece.line,
                column: piece.column + skipped,
            });
        }
        Line {
            text: self.text[range].to_owned(),
            pieces,
            quotes: self.quotes,
        }
    }

    /// This line and the next one, which was wrapped, with a blank between them.
    pub fn joined(&self, next: &Line) -> Line {
        let front = self.text.trim_end();
        let back = next.text.trim_start();
        let skipped = next.text.len() - back.len();
        let shift = front.len() + 1;
        let tail = next.without_front(skipped);
        let mut pieces = self.pieces.clone();
        pieces.retain(|piece| piece.from < shift);
        pieces.extend(tail.pieces.iter().map(|piece| Piece {
            from: piece.from + shift,
            ..*piece
        }));
        Line {
            text: format!("{front} {back}"),
            pieces,
            quotes: self.quotes,
        }
    }

    /// Where bytes of the line stand: in the shown line of the first of them.
    pub fn place(&self, range: Range<usize>) -> Place {
        let index = self
            .pieces
            .partition_point(|piece| piece.from <= range.start)
            .saturating_sub(1);
        let piece = self.pieces[index];
        // The blank before a joined piece stands nowhere.
        let end = self
            .pieces
            .get(index + 1)
            .map_or(range.end, |next| range.end.min(next.from - 1));
        let column = |byte: usize| (piece.column + byte.saturating_sub(piece.from)) as u32;
        Place {
            line: piece.line,
            start: column(range.start),
            end: column(end),
        }
    }

    /// Where a word of this line stands; `word` must be a slice of [`Line::text`].
    pub fn place_of(&self, word: &str) -> Place {
        let start = (word.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let start = start.min(self.text.len());
        self.place(start..(start + word.len()).min(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joined_line_leads_back_to_both() {
        let first = Line::new("> 1073741824 bytes copied,", 4).without_front(2);
        let line = first.joined(&Line::new(">   9.3 s, 115 MB/s", 5).without_front(2));
        assert_eq!(line.text(), "1073741824 bytes copied, 9.3 s, 115 MB/s");
        let word = &line.text()[25..28];
        assert_eq!(word, "9.3");
        assert_eq!(
            line.place_of(word),
            Place {
                line: 5,
                start: 4,
                end: 7
            }
        );
        assert_eq!(
            line.place_of(&line.text()[..10]),
            Place {
                line: 4,
                start: 2,
                end: 12
            }
        );
    }

    #[test]
    fn a_place_ends_with_its_line() {
        let line = Line::new("abc", 0).joined(&Line::new("def", 1));
        let place = Place {
            line: 0,
            start: 0,
            end: 3,
        };
        assert_eq!(line.place(0..7), place);
    }

    #[test]
    fn a_cut_of_a_joined_line_keeps_its_places() {
        let line = Line::new("abc", 0).joined(&Line::new("def", 1));
        let cut = line.cut(4..7);
        assert_eq!(
            (cut.text(), cut.place(0..3)),
            (
                "def",
                Place {
                    line: 1,
                    start: 0,
                    end: 3
                }
            )
        );
        assert_eq!(
            line.cut(0..3).place(0..3),
            Place {
                line: 0,
                start: 0,
                end: 3
            }
        );
    }
}
