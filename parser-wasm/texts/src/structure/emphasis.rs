//! Marks that make figures bold within an output: `copied, 25.9 s, **40.4 MB/s**`.

use crate::line::Line;
use std::ops::Range;

/// What begins and ends bold letters.
const MARKS: [(&str, &str); 3] = [("**", "**"), ("<b>", "</b>"), ("<strong>", "</strong>")];
/// Bytes of the longest figure in bold letters.
const MAX_BOLD: usize = 40;

/// The lines without marks around figures. Titles and cells of tables keep theirs.
pub fn remove(mut lines: Vec<Line>) -> Vec<Line> {
    for line in &mut lines {
        if line.text().contains('|') {
            continue;
        }
        for marks in MARKS {
            if let Some(parts) = parts(line.text(), marks) {
                *line = line.parts(&parts);
            }
        }
    }
    lines
}

/// What remains of a line; `None` where no figure in it is marked.
fn parts(text: &str, (open, close): (&str, &str)) -> Option<Vec<Range<usize>>> {
    // Most lines have no mark.
    let mut first = text.find(open)?;
    let trimmed = text.trim();
    if trimmed.starts_with(open) && trimmed.ends_with(close) {
        return None;
    }
    let mut parts = Vec::new();
    let mut begin = 0;
    loop {
        let inside = first + open.len();
        let Some(length) = text[inside..].find(close) else {
            break;
        };
        let inner = &text[inside..inside + length];
        let behind = inside + length + close.len();
        let is_tight = !inner.starts_with(' ') && !inner.ends_with(' ');
        let has_number = inner.contains(|c: char| c.is_ascii_digit());
        if is_tight && has_number && inner.len() <= MAX_BOLD {
            parts.push(begin..first);
            parts.push(inside..inside + length);
            begin = behind;
        }
        let Some(next) = text[behind..].find(open) else {
            break;
        };
        first = behind + next;
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
            ("8 s, <b>131 MB/s</b>", "8 s, 131 MB/s"),
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
