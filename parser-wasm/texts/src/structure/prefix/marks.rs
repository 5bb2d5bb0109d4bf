//! Numbers of lines, bars and marks of comments before each line.

use super::{MIN_LINES, in_runs, throughout};
use crate::line::Line;
use seekscope_trace::sorting::distinct_count;

/// `     1\t` of `cat -n`, `12:` of `grep -n`: numbers that rise from line to line.
pub fn numbers(lines: &[Line]) -> Option<Vec<usize>> {
    let mut previous: Option<u64> = None;
    let lengths: Vec<usize> = lines
        .iter()
        .map(|line| {
            let text = line.text();
            let (end, number) = leading_number(text)?;
            let mark = text[end..].chars().next();
            let is_separator =
                matches!(mark, Some('\t' | ':' | '-')) || text.trim_end().len() == end;
            let rises =
                previous.is_none_or(|previous| number > previous && number - previous < 1000);
            previous = Some(number);
            (is_separator && rises).then(|| (end + 1).min(text.len()))
        })
        .map(|length| length.unwrap_or(usize::MAX))
        .collect();
    throughout(lines, lengths, 100, MIN_LINES).or_else(|| listings(lines))
}

/// Where the number ends that a line begins with, and the number.
fn leading_number(text: &str) -> Option<(usize, u64)> {
    let blanks = text.len() - text.trim_start_matches(' ').len();
    let digits = text[blanks..].bytes().take_while(u8::is_ascii_digit);
    let end = blanks + digits.count();
    Some((end, text[blanks..end].parse().ok()?))
}

/// The lengths of numbers in listings of `cat -n`, `nl`, `less -N` and editors: aligned to the
/// right, one more in each line, with a tab or blanks behind them. Rows of a table with such
/// numbers have the same number of words, lines of a listing have not.
fn listings(lines: &[Line]) -> Option<Vec<usize>> {
    let numbers: Vec<_> = lines
        .iter()
        .map(|line| leading_number(line.text()))
        .collect();
    let follows = |index: usize| {
        let (end, number) = numbers.get(index).copied().flatten()?;
        let (end_above, above) = numbers[index.checked_sub(1)?]?;
        (end == end_above && number == above + 1).then_some(())
    };
    let length = |index: usize| {
        let text = lines[index].text();
        let (end, _) = numbers[index]?;
        follows(index).or_else(|| follows(index + 1))?;
        let separator = match text.as_bytes().get(end..) {
            None | Some([]) => 0,
            Some([b' ', b' ', ..]) if end == CAT_WIDTH => 2,
            Some([b'\t' | b' ', ..]) => 1,
            _ => return None,
        };
        Some(end + separator)
    };
    let lengths: Vec<usize> = (0..lines.len())
        .map(|index| length(index).unwrap_or(usize::MAX))
        .collect();
    in_runs(lines, &lengths, &|run, lengths| {
        let filled = run.iter().zip(lengths);
        let filled = filled.filter(|(line, _)| !line.is_blank());
        let words = distinct_count(
            filled.map(|(line, length)| line.text()[*length..].split_whitespace().count()),
        );
        let is_aligned = run.iter().any(|line| line.text().starts_with(' '));
        is_aligned && words >= MIN_WORD_COUNTS
    })
}

/// Columns of the number and of the blanks before it, as `cat -n` and `nl` print them. A tab
/// behind them, which a mailer made blanks of, is two columns wide.
const CAT_WIDTH: usize = 6;
/// Different numbers of words in the lines of a listing; rows of a table have one or two.
const MIN_WORD_COUNTS: usize = 3;

/// `| ` before each line, as some mailers quote; lines of a table end with `|`, too.
pub fn bars(lines: &[Line]) -> Option<Vec<usize>> {
    let filled = lines.iter().filter(|line| !line.is_blank());
    let is_row = |line: &&Line| {
        let text = line.text().trim_end();
        text.len() > 1 && text.ends_with('|')
    };
    let rows = filled.clone().filter(is_row).count();
    // A table in such a quotation has other lines around it; each row begins with two bars.
    let is_table = rows * 2 > filled.clone().count()
        && filled
            .filter(is_row)
            .any(|line| !line.text().starts_with("| |"));
    // `|-` separates the rows of a table of MediaWiki.
    if is_table || lines.iter().any(|line| line.text().starts_with("|-")) {
        return None;
    }
    throughout(lines, lengths_behind(lines, '|'), 100, MIN_LINES)
}

/// `# ` before each line, as comments and messages of commits have it, or `+` of an added file.
pub fn comments(lines: &[Line]) -> Option<Vec<usize>> {
    ['#', '+']
        .into_iter()
        .find_map(|mark| throughout(lines, lengths_behind(lines, mark), 100, MIN_LINES))
}

/// The lengths of a mark with the blank behind it. In a patch, a text follows without one.
fn lengths_behind(lines: &[Line], mark: char) -> Vec<usize> {
    let length = |line: &Line| match line.text().strip_prefix(mark) {
        Some("") => 1,
        Some(rest) if rest.starts_with(' ') && mark != '+' => 2,
        Some(_) if mark == '+' => 1,
        _ => usize::MAX,
    };
    lines.iter().map(length).collect()
}
