//! The first two stages of texts: whatever bytes arrive, the lines of a person are no more than the
//! bytes can hold, and what is removed and joined still leads back to a place in them.

use seekscope_texts::line::Line;
use seekscope_texts::structure::{announced, heading, prefix, prompt, revealed, unwrap};
use seekscope_texts::transport::{self, ShownText};
use std::ops::Range;

/// Bytes of shown text per byte of the file: one byte of a charset may become three of UTF-8, and
/// an attachment may stand in the file encoded and as text.
const MAX_GROWTH: usize = 8;
/// Shown text that any file may have: entities of HTML, and markers of cells.
const MIN_ROOM: usize = 4 << 10;

/// # Panics
/// When the shown text is longer than the bytes explain, or a part has lines that do not exist.
pub fn transport(data: &[u8]) {
    let Some(shown) = transport::read(data) else {
        return;
    };
    let length: usize = shown.lines.iter().map(|line| line.text.len() + 1).sum();
    assert!(
        length <= MIN_ROOM + MAX_GROWTH * data.len(),
        "{length} bytes of {}",
        data.len()
    );
    for part in &shown.parts {
        assert!(part.lines.start <= part.lines.end && part.lines.end <= shown.lines.len());
    }
}

/// # Panics
/// When a line leads to a place that the shown text does not have.
pub fn structure(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let bytes = text.as_bytes();
    let Some(shown) = transport::read(bytes) else {
        return;
    };
    for part in &shown.parts {
        for line in lines(&shown, &part.lines) {
            let text = line.text();
            let place = line.place(0..text.len());
            let target = &shown.lines[place.line as usize].text;
            assert!(place.start <= place.end && place.end as usize <= target.len());
            assert!(target.is_char_boundary(place.start as usize));
            heading::titled(text, "");
            heading::bare(text);
            announced::listed(text);
            announced::assignments(text);
            announced::property(text);
            announced::spoken(text);
            if let Some(command) = prompt::command(text) {
                revealed::revealed(command);
            }
        }
    }
}

/// The lines of a part without prefixes, wrapped ones joined.
fn lines(shown: &ShownText, part: &Range<usize>) -> Vec<Line> {
    let lines = part
        .clone()
        .map(|index| Line::new(&*shown.lines[index].text, index as u32));
    unwrap::join(prefix::remove(lines.collect()))
}
