//! Event lines that a mailer broke into several. A line that only begins like an event waits for
//! the next ones; a joined line counts only if the dialect takes it.

use super::LinePosition;
use crate::text::tasks::NO_NAME;

/// Lines that one event is broken into, at most: commands of drivers have up to 500 characters.
const MAX_PIECES: u32 = 8;
/// Bytes of an event's line, at most; longer ones are not joined.
const MAX_LENGTH: usize = 1024;

/// The begin of a line, and where it was.
#[derive(Clone, Debug)]
pub struct BegunLine {
    text: Vec<u8>,
    pub position: LinePosition,
    pieces: u32,
}

impl BegunLine {
    pub fn new(line: &[u8], position: LinePosition) -> BegunLine {
        BegunLine {
            text: line.to_vec(),
            position,
            pieces: 1,
        }
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Lines that it was so far.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The line with a stand-in for the name that its end lacks: `Q R 1000 + 8`. `None` if it does
    /// not end with a number, where the name would follow.
    pub fn with_unknown_name(&self) -> Option<Vec<u8>> {
        let text = self.text.trim_ascii_end();
        let ends = text.last().is_some_and(u8::is_ascii_digit);
        ends.then(|| [text, b" [", NO_NAME, b"]"].concat())
    }

    /// The line with the next one: joined as mailers break lines, at a blank; then as terminals do,
    /// anywhere. After a dash or slash the break is within a word more often.
    pub fn joined(&self, next: &[u8]) -> impl Iterator<Item = BegunLine> {
        let (begin, end) = (self.text.trim_ascii_end(), next.trim_ascii());
        let fits = self.pieces < MAX_PIECES && begin.len() + end.len() < MAX_LENGTH;
        let within_word = matches!(begin.last(), Some(b'-' | b'/' | b','));
        let glues: [&[u8]; 2] = if within_word {
            [b"", b" "]
        } else {
            [b" ", b""]
        };
        let join = move |glue: &[u8]| BegunLine {
            text: [begin, glue, end].concat(),
            position: self.position,
            pieces: self.pieces + 1,
        };
        glues
            .into_iter()
            .filter(move |_| fits && !end.is_empty())
            .map(join)
    }
}
