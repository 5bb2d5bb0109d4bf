//! Marks that make figures bold within an output: `copied, 25.9 s, **40.4 MB/s**`.

use crate::line::Line;
use std::ops::Range;

const MARK: &str = "**";
/// Bytes of the longest figure in bold letters.
const MAX_BOLD: usize = 40;

/// The lines without marks around figures. Titles and cells of tables keep theirs.
pub fn remove(mut lines: Vec<Line>) -> Vec<Line> {
    for line in &mut lines {
        let text = line.text();
        if text.contains(MARK)
            && !text.contains('|')
            && let Some(parts) = parts(text)
        {
            *line = line.parts(&parts);
        }
    }
    lines
}

/// What remains of a line; `None` where no figure in it is marked.
fn parts(text: &str) -> Option<Vec<Range<usize>>> {
    let marks: Vec<usize> = text.match_indices(MARK).map(|(index, _)| index).collect();
    let is_whole = text.trim().starts_with(MARK) && text.trim().ends_with(MARK);
    if marks.len() % 2 == 1 || is_whole {
        return None;
    }
    let mut parts = Vec::new();
    let mut begin = 0;
    for pair in marks.chunks_exact(2) {
        let inner = text.get(pair[0] + MARK.len()..pair[1])?;
        let is_tight = !inner.starts_with(' ') && !inner.ends_with(' ');
        let has_number = inner.contains(|c: char| c.is_ascii_digit());
        if is_tight && has_number && inner.len() <= MAX_BOLD {
            parts.push(begin..pair[0]);
            parts.push(pair[0] + MARK.len()..pair[1]);
            begin = pair[1] + MARK.len();
        }
    }
    parts.push(begin..text.len());
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_lose_their_marks() {
        let cases = [
            ("copied, 8 s, **131 MB/s**", "copied, 8 s, 131 MB/s"),
            (
                "write: **IOPS=111k**, BW=433MiB/s",
                "write: IOPS=111k, BW=433MiB/s",
            ),
            ("**6.1 before**", "**6.1 before**"),
            ("| **12** | 3 |", "| **12** | 3 |"),
            ("2 ** 3 ** 4", "2 ** 3 ** 4"),
            ("**not** 5", "**not** 5"),
        ];
        for (text, expected) in cases {
            assert_eq!(remove(vec![Line::new(text, 0)])[0].text(), expected);
        }
    }
}
