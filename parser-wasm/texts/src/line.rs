//! Lines of a text that know where each part of them is in the text that a person sees.

use std::ops::Range;
use std::rc::Rc;

/// The position of a piece of text in what people see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the line, as shown.
    pub line: u32,
    /// First byte, and one past the last, in that line.
    pub start: u32,
    pub end: u32,
}

/// A run of bytes of a [`Line`] that is in one shown line without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// The first byte of this line that comes from there.
    from: u32,
    /// Index of the shown line, and the byte there.
    line: u32,
    column: u32,
}

/// A line as readers see it: prefixes are removed and wrapped lines are joined, but each byte still
/// leads back to its place. It shares the text of the shown line: there may be a line for each five
/// bytes of a file.
#[derive(Clone, Debug)]
pub struct Line {
    shown: Rc<str>,
    /// Bytes of `shown` that are the line.
    start: u32,
    end: u32,
    first: Piece,
    /// The pieces behind the first one, of a line that was joined.
    others: Box<[Piece]>,
    /// Levels of quotation marks that were removed.
    pub quotes: u32,
}

impl Line {
    /// A line as it is shown, before anything is removed or joined.
    pub fn new(text: impl Into<Rc<str>>, line: u32) -> Line {
        let shown = text.into();
        Line {
            start: 0,
            end: shown.len() as u32,
            shown,
            first: Piece {
                from: 0,
                line,
                column: 0,
            },
            others: Box::default(),
            quotes: 0,
        }
    }

    pub fn text(&self) -> &str {
        &self.shown[self.start as usize..self.end as usize]
    }

    /// Whether this is the front of the shown line of which `next` is another part.
    pub fn is_front_of(&self, next: &Line) -> bool {
        self.first.line == next.first.line && self.first.column < next.first.column
    }

    /// What was removed before the line.
    pub fn front(&self) -> &str {
        &self.shown[..self.start as usize]
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    pub fn is_blank(&self) -> bool {
        self.text().trim().is_empty()
    }

    /// The line without so many bytes at its begin.
    pub fn without_front(&self, bytes: usize) -> Line {
        self.cut(bytes..self.text().len())
    }

    /// A part of the line that keeps its places.
    pub fn cut(&self, range: Range<usize>) -> Line {
        debug_assert!(self.text().get(range.clone()).is_some());
        let (start, end) = (range.start as u32, range.end as u32);
        let moved = |piece: Piece| Piece {
            from: piece.from.saturating_sub(start),
            line: piece.line,
            column: piece.column + start.saturating_sub(piece.from),
        };
        let before = self.others.partition_point(|piece| piece.from <= start);
        let first = match before.checked_sub(1) {
            Some(index) => self.others[index],
            None => self.first,
        };
        let others = self.others[before..].iter();
        Line {
            shown: Rc::clone(&self.shown),
            start: self.start + start,
            end: self.start + end,
            first: moved(first),
            others: others
                .take_while(|piece| piece.from < end)
                .map(|piece| moved(*piece))
                .collect(),
            quotes: self.quotes,
        }
    }

    /// Some parts of the line, in their order, without what is between them.
    pub fn parts(&self, parts: &[Range<usize>]) -> Line {
        let mut text = String::with_capacity(self.text().len());
        let mut pieces: Vec<Piece> = Vec::new();
        for part in parts {
            let from = text.len() as u32;
            let cut = self.cut(part.clone());
            text.push_str(cut.text());
            pieces.extend(cut.pieces().map(|piece| Piece {
                from: piece.from + from,
                ..piece
            }));
        }
        Line {
            start: 0,
            end: text.len() as u32,
            shown: text.into(),
            first: pieces.first().copied().unwrap_or(self.first),
            others: pieces.into_iter().skip(1).collect(),
            quotes: self.quotes,
        }
    }

    /// This line and the next one, which was wrapped, with a blank between them.
    pub fn joined(&self, next: &Line) -> Line {
        let front = self.text().trim_end();
        let back = next.text().trim_start();
        let skipped = next.text().len() - back.len();
        let shift = front.len() as u32 + 1;
        let tail = next.without_front(skipped);
        let first = self.others.iter().filter(|piece| piece.from < shift);
        let others = first.copied().chain(tail.pieces().map(|piece| Piece {
            from: piece.from + shift,
            ..piece
        }));
        let shown: Rc<str> = format!("{front} {back}").into();
        Line {
            start: 0,
            end: shown.len() as u32,
            shown,
            first: self.first,
            others: others.collect(),
            quotes: self.quotes,
        }
    }

    /// The position of bytes of the line. Joined lines have several; the one of the first byte
    /// counts.
    pub fn place(&self, range: Range<usize>) -> Place {
        let index = self
            .others
            .partition_point(|piece| piece.from as usize <= range.start);
        let piece = match index.checked_sub(1) {
            Some(index) => self.others[index],
            None => self.first,
        };
        // The blank before a joined piece has no place.
        let next = self.others.get(index).map(|next| next.from as usize);
        let end = next
            .filter(|next| range.end > *next)
            .map_or(range.end, |next| next - 1);
        let column = |byte: usize| piece.column + (byte as u32).saturating_sub(piece.from);
        Place {
            line: piece.line,
            start: column(range.start),
            end: column(end),
        }
    }

    /// The position of a word; `word` must be a slice of [`Line::text`].
    pub fn place_of(&self, word: &str) -> Place {
        let text = self.text();
        let start = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let start = start.min(text.len());
        self.place(start..(start + word.len()).min(text.len()))
    }

    /// The text at a place that is in the first piece of the line.
    pub fn text_at(&self, place: Place) -> Option<&str> {
        let start = place.start.checked_sub(self.first.column)? as usize;
        let is_here = place.line == self.first.line;
        let end = start + (place.end - place.start) as usize;
        self.text().get(start..end).filter(|_| is_here)
    }
}

/// The words of a link of Markdown, and any other text as it is.
pub fn linked(text: &str) -> &str {
    let link = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("));
    link.map_or(
        text,
        |(words, target)| {
            if target.ends_with(')') { words } else { text }
        },
    )
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
    fn parts_of_a_line_lead_back() {
        let line = Line::new("a **42** b", 3).parts(&[0..2, 4..6, 8..10]);
        assert_eq!(line.text(), "a 42 b");
        let place = |start, end| Place {
            line: 3,
            start,
            end,
        };
        assert_eq!(line.place_of(&line.text()[2..4]), place(4, 6));
        assert_eq!(line.place_of(&line.text()[5..]), place(9, 10));
        assert_eq!(line.cut(2..6).place(0..1), place(4, 5));
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
