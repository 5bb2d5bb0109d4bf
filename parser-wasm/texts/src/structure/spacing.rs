//! Removes the empty line that some mailers and forms put behind each line.

use crate::line::Line;

/// Lines with text that must be one empty line apart, before that counts as a habit of the mailer:
/// short paragraphs and entries of lists are that far apart by themselves.
const MIN_SPACED: usize = 6;
/// The same where the text has no other lines.
const MIN_SPACED_TEXT: usize = 3;

/// The lines without the added ones, where at least [`MIN_SPACED`] lines follow each other that
/// way. Of `2 n + 1` empty lines between two of them, `n` stay.
pub fn halve(lines: Vec<Line>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let (spaced, end) = spaced(rest);
        let is_text = || kept.iter().all(Line::is_blank) && rest[end..].iter().all(Line::is_blank);
        if spaced >= MIN_SPACED || spaced >= MIN_SPACED_TEXT && is_text() {
            let mut blanks = 0;
            for line in &rest[..end] {
                blanks = if line.is_blank() { blanks + 1 } else { 0 };
                // The second, fourth, ... of the empty lines were in the text.
                if blanks % 2 == 0 {
                    kept.push(line.clone());
                }
            }
        } else {
            kept.extend_from_slice(&rest[..end]);
        }
        rest = &rest[end..];
    }
    kept
}

/// The number of lines with text at the begin that have an odd number of empty lines between them,
/// and the number of all lines that they take; empty lines at the begin are taken alone.
fn spaced(lines: &[Line]) -> (usize, usize) {
    let empty = lines.iter().take_while(|line| line.is_blank()).count();
    if empty > 0 {
        return (0, empty);
    }
    let (mut count, mut end, mut blanks) = (0, 0, 1);
    for (index, line) in lines.iter().enumerate() {
        if line.is_blank() {
            blanks += 1;
        } else if blanks % 2 == 0 {
            break;
        } else {
            (count, end, blanks) = (count + 1, index + 1, 0);
        }
    }
    (count, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halved(text: &str) -> Vec<String> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(index, line)| Line::new(line, index as u32));
        let halved = halve(lines.collect());
        halved.iter().map(|line| line.text().to_owned()).collect()
    }

    #[test]
    fn every_second_line_is_removed_where_it_is_empty() {
        assert_eq!(
            halved("Hi\nall,\n\na\n\nb\n\nc\n\n\n\nd\n\n e\n\nf\n\ng\nend"),
            ["Hi", "all,", "a", "b", "c", "", "d", " e", "f", "g", "end"]
        );
    }

    #[test]
    fn a_short_text_may_have_no_other_lines() {
        assert_eq!(halved("\na\n\nb\n\nc\n\n"), ["", "a", "b", "c", ""]);
    }

    #[test]
    fn paragraphs_of_one_line_stay_apart() {
        for text in [
            "a\n\nb",
            "a\nb\n\nc\n\nd\n\ne",
            "a\n\nb\n\n\nc\n\nd\n\ne\n\nf\n",
            "\n\n",
            "",
        ] {
            assert_eq!(halved(text), text.lines().collect::<Vec<_>>());
        }
    }
}
