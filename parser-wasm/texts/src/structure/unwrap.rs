//! Lines that a mailer has wrapped are joined again where the joined line is what a reader accepts
//! and its parts are not.

use crate::line::Line;
use crate::quantity::{quantity, scale_of};

/// Joins lines that a mailer wrapped.
pub fn join(lines: Vec<Line>) -> Vec<Line> {
    let mut lines = join_frames(join_columns(lines));
    let mut is_joined = false;
    lines.dedup_by(|next, line| {
        is_joined = !is_joined
            && (is_cut_summary(line, next)
                || is_cut_bar(line, next)
                || is_cut_row(line, next)
                || is_cut_comparison(line, next)
                || is_cut_unit(line, next));
        if is_joined {
            *line = line.joined(next);
        }
        is_joined
    });
    lines
}

/// Rows of Markdown that were cut in front of a bar: with the next line they have as many bars as
/// the rule of their table.
fn join_frames(lines: Vec<Line>) -> Vec<Line> {
    fn row(line: &Line) -> Option<&str> {
        let text = line.text().trim();
        let text = text.strip_prefix('+').map_or(text, str::trim_start);
        text.starts_with('|').then_some(text)
    }
    let bars = |line: &Line| row(line).map_or(0, |text| text.matches('|').count());
    // `|-` alone separates the rows of a table of MediaWiki.
    let is_rule = |line: &Line| {
        row(line).is_some_and(|text| {
            text.contains('-') && text.bytes().all(|byte| b"|-: ".contains(&byte))
        }) && bars(line) > 1
    };
    let is_open = |line: &Line| row(line).is_some_and(|text| !text.ends_with('|'));
    // Most texts have no such row, and need no copy.
    if !lines
        .windows(2)
        .any(|pair| is_open(&pair[0]) && bars(&pair[1]) > 0)
    {
        return lines;
    }
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    let mut wanted: Option<usize> = None;
    let mut index = 0;
    while index < lines.len() {
        let line = &lines[index];
        if bars(line) == 0 {
            wanted = None;
        } else if is_rule(line) {
            wanted = Some(bars(line));
        }
        let rule = lines.get(index + 2).filter(|line| is_rule(line)).map(bars);
        let is_cut = |next: &&Line| {
            let count = wanted.or(rule);
            is_open(line) && !is_open(next) && Some(bars(line) + bars(next)) == count
        };
        match lines.get(index + 1).filter(is_cut) {
            Some(next) => {
                joined.push(line.joined(next));
                index += 2;
            }
            None => {
                joined.push(line.clone());
                index += 1;
            }
        }
    }
    joined
}

/// Whether the bar of a histogram was cut: `4 -> 7   : 9021   |****` above `****|`.
fn is_cut_bar(line: &Line, next: &Line) -> bool {
    let (text, next) = (line.text().trim(), next.text().trim());
    let is_range = text.contains(" -> ") && text.contains(" : ")
        || text.starts_with(['[', '(']) && text.contains([')', ']']);
    let is_end = next.ends_with('|') && next.bytes().all(|byte| b"|*@ ".contains(&byte));
    is_range && is_end && text.matches('|').count() < 2
}

/// Tables whose rule `--- --- --` was wrapped: it says how many columns each line has.
fn join_columns(lines: Vec<Line>) -> Vec<Line> {
    let columns = |line: &Line| line.text().split_whitespace().count();
    let is_rule = |line: &Line| {
        !line.is_blank()
            && line
                .text()
                .split_whitespace()
                .all(|word| word.bytes().all(|b| b == b'-'))
    };
    let is_wrapped = |line: &Line, next: &Line| {
        is_rule(line) && columns(line) >= 3 && is_rule(next) && columns(next) < columns(line)
    };
    // Most texts have no such rule, and need no copy.
    if !lines.windows(2).any(|pair| is_wrapped(&pair[0], &pair[1])) {
        return lines;
    }
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    let mut index = 0;
    while index < lines.len() {
        let next = lines.get(index + 1);
        if !next.is_some_and(|next| is_wrapped(&lines[index], next)) {
            joined.push(lines[index].clone());
            index += 1;
            continue;
        }
        let width = columns(&lines[index]) + columns(&lines[index + 1]);
        if let [.., first, last] = joined.as_slice()
            && columns(first) + columns(last) == width
        {
            let heading = first.joined(last);
            joined.truncate(joined.len() - 2);
            joined.push(heading);
        }
        joined.push(lines[index].joined(&lines[index + 1]));
        index += 2;
        while index < lines.len() && !lines[index].is_blank() {
            let next = lines
                .get(index + 1)
                .filter(|next| columns(&lines[index]) + columns(next) == width);
            match next {
                Some(next) if columns(&lines[index]) < width => {
                    joined.push(lines[index].joined(next));
                    index += 2;
                }
                _ => {
                    joined.push(lines[index].clone());
                    index += 1;
                }
            }
        }
    }
    joined
}

/// `1073741824 bytes (1.1 GB, 1.0 GiB) copied,` of dd, with the time and the rate in the next line.
fn is_cut_summary(line: &Line, next: &Line) -> bool {
    let text = line.text().trim();
    let begins = text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(" bytes (");
    let rate = |text: &str| text.contains("/s");
    begins && !rate(text) && rate(next.text()) && !next.text().contains(" bytes")
}

/// Whether a pair of figures was cut: `cpufreq disabled: 130 MB/s vs` above `108 MB/s`.
fn is_cut_comparison(line: &Line, next: &Line) -> bool {
    let (text, next) = (line.text().trim_end(), next.text().trim_start());
    let ends = text.ends_with(" vs") && next.starts_with(|c: char| c.is_ascii_digit() || c == '~');
    (ends || next.starts_with("vs ")) && text.contains(": ")
}

/// Bytes of a line that a mailer may have wrapped.
const MIN_WRAPPED: usize = 45;

/// Whether a line was cut between a number and its unit: `on the array with 5.10: 512` above
/// `MB/s`.
fn is_cut_unit(line: &Line, next: &Line) -> bool {
    let (text, next) = (line.text().trim_end(), next.text().trim());
    let number = text.rsplit(' ').next().unwrap_or("");
    let unit = next.split(' ').next().unwrap_or("");
    let is_rate = |unit: &str| scale_of(unit).is_some_and(|s| s.unit.is_rate());
    text.len() >= MIN_WRAPPED
        && is_rate(unit)
        && number.starts_with(|c: char| c.is_ascii_digit())
        && quantity(number).is_some_and(|quantity| quantity.scale.is_none())
        && !next.contains("  ")
        && !text.trim_start().contains("  ")
}

/// Whether the next line is the end of a row of a frame: it has the last bar, and not the first. A
/// row that was cut behind its label has two bars.
fn is_cut_row(line: &Line, next: &Line) -> bool {
    let (text, next) = (line.text().trim(), next.text().trim());
    let row = text.starts_with('|') && text.matches('|').count() >= 2;
    row && next.ends_with('|') && !next.starts_with('|') && next.matches('|').count() <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<String> {
        let lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| Line::new(line, index as u32));
        join(lines.collect())
            .iter()
            .map(|line| line.text().to_owned())
            .collect()
    }

    #[test]
    fn wrapped_lines_are_joined_and_others_stay() {
        assert_eq!(
            joined("1073741824 bytes (1.1 GB, 1.0 GiB) copied,\n9.31021 s, 115 MB/s\nnext"),
            [
                "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 9.31021 s, 115 MB/s",
                "next"
            ]
        );
        assert_eq!(joined("| a | b | c |\n d |"), ["| a | b | c | d |"]);
        assert_eq!(
            joined("a: 130 MB/s vs\n108 MB/s\nb: 1 MB/s\nvs 2 MB/s"),
            ["a: 130 MB/s vs 108 MB/s", "b: 1 MB/s vs 2 MB/s"]
        );
        let long = "- sequential read of a large file with the old kernel: 512";
        assert_eq!(
            joined(&format!("{long}\n  MB/s\n{long}\n\nMB/s")),
            [&format!("{long} MB/s"), long, "", "MB/s"]
        );
        assert_eq!(
            joined("a b\nc\n--- ---\n---\n1 2\n3\n4 5 6").len(),
            7,
            "a rule of two columns is no table that was wrapped"
        );
        assert_eq!(
            joined("a b c\nd\n- - -\n-\n1 2 3\n4\n5 6 7 8"),
            ["a b c d", "- - - -", "1 2 3 4", "5 6 7 8"]
        );
        assert_eq!(
            joined("4 -> 7 : 9021 |\n**|\n8 -> 15 : 12\n|    |\n[8, 16) 12 |@@\n|"),
            [
                "4 -> 7 : 9021 | **|",
                "8 -> 15 : 12 |    |",
                "[8, 16) 12 |@@ |"
            ]
        );
        assert_eq!(
            joined("| a | b\n| c |\n|--|--|--|\n| 1 | 2\n| 3 |\n| 4 | 5 | 6 |"),
            [
                "| a | b | c |",
                "|--|--|--|",
                "| 1 | 2 | 3 |",
                "| 4 | 5 | 6 |"
            ]
        );
        for text in ["a,\nb", "clat (msec): min=2\n\nx", "| a | b |\n| c | d |"] {
            assert_eq!(joined(text), text.lines().collect::<Vec<_>>());
        }
    }
}
