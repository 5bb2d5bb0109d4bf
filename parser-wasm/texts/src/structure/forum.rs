//! Marks of forums around words: `[B]cache=none[/B]`, `[*]`, `[QUOTE="a tester"]`.

use crate::line::Line;
use std::ops::Range;

/// Elements that only change how their text looks. Those of tables and of code are read.
const ELEMENTS: [&str; 18] = [
    "b", "i", "u", "s", "color", "size", "font", "list", "ul", "ol", "li", "center", "left",
    "right", "quote", "spoiler", "indent", "url",
];
/// Bytes of the longest mark.
const MAX_MARK: usize = 120;

/// The lines without these marks, if any element ends in them: `a[i]` alone is none.
pub fn remove(mut lines: Vec<Line>) -> Vec<Line> {
    let ends_element = |line: &Line| {
        let marks = line.text().match_indices("[/");
        marks
            .map(|(begin, _)| &line.text()[begin..])
            .any(|text| mark(text).is_some())
    };
    if !lines.iter().any(ends_element) {
        return lines;
    }
    for line in &mut lines {
        if let Some(parts) = parts(line.text()) {
            *line = line.parts(&parts);
        }
    }
    lines
}

/// The bytes of the mark that a text begins with.
fn mark(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let end = inner.bytes().take(MAX_MARK).position(|b| b == b']')?;
    let inner = &inner[..end];
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = name.split(['=', ' ']).next().unwrap_or(name);
    let is_known = ELEMENTS
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known));
    (is_known || inner == "*").then_some(end + 2)
}

/// What remains of a line; `None` where it has no mark.
fn parts(text: &str) -> Option<Vec<Range<usize>>> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (open, _) in text.match_indices('[') {
        if open >= begin
            && let Some(length) = mark(&text[open..])
        {
            parts.push(begin..open);
            begin = open + length;
        }
    }
    parts.push(begin..text.len());
    (parts.len() > 1).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(text: &str) -> String {
        let lines = text.lines().zip(0..);
        let lines = remove(lines.map(|(text, index)| Line::new(text, index)).collect());
        let lines: Vec<&str> = lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    #[test]
    fn words_lose_their_marks() {
        assert_eq!(
            removed(
                "[LIST]\n[*][B]none[/B]: 412 IOPS\n[*][color=red]unsafe[/color]: 1 [1]\n[/LIST]"
            ),
            "\nnone: 412 IOPS\nunsafe: 1 [1]\n"
        );
        for text in [
            "a[i] = b[s];",
            "[b] none",
            "[tr][td]1[/td][/tr]",
            "[CODE]\n[/CODE]",
            "[",
            "[/",
        ] {
            assert_eq!(removed(text), text);
        }
    }
}
