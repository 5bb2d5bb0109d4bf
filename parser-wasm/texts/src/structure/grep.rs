//! Lines of several files, as `grep` prints them. The name of a file is the title of its lines:
//!
//! ```text
//! bfq/fio.txt:  read: IOPS=25.9k, BW=101MiB/s (106MB/s)(6060MiB/60001msec)
//! bfq/fio.txt-    clat (usec): min=80, max=12000, avg=1230.20, stdev=300.10
//! --
//! none/fio.txt:  read: IOPS=38.7k, BW=151MiB/s (158MB/s)(9060MiB/60001msec)
//! ```

use crate::file_name::stem;
use crate::line::Line;

/// Bytes of the longest name of a file.
const MAX_NAME: usize = 120;
/// Bytes of the shortest name without an ending: `read` is none.
const MIN_NAME: usize = 6;

/// The lines, each group of those of one file below a line with its name. Other texts stay as they
/// are.
pub fn split(lines: Vec<Line>) -> Vec<Line> {
    let mut previous: Option<&str> = None;
    let is_several = lines.iter().any(|line| {
        let name = name_of(line.text(), previous);
        let is_next = name.is_some() && previous.is_some() && name != previous;
        previous = name.or(previous.filter(|_| is_gap(line)));
        is_next
    });
    if !is_several {
        return lines;
    }
    let mut found = Vec::with_capacity(lines.len() + 2);
    let mut current: Option<String> = None;
    for line in lines {
        let Some(name) = name_of(line.text(), current.as_deref()) else {
            if !is_gap(&line) {
                current = None;
            }
            found.push(line);
            continue;
        };
        let length = name.len() + 1;
        if current.as_deref() != Some(name) {
            current = Some(name.to_owned());
            found.push(line.cut(0..length));
        }
        let number = line.text()[length..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let is_numbered = number > 0 && line.text()[length + number..].starts_with([':', '-']);
        let skipped = if is_numbered { number + 1 } else { 0 };
        found.push(line.without_front(length + skipped));
    }
    found
}

/// Whether a line is what `grep` prints between groups of lines.
fn is_gap(line: &Line) -> bool {
    line.text().trim() == "--"
}

/// The name of a file before a colon, or before the dash of a line around those that were found.
fn name_of<'a>(text: &'a str, current: Option<&str>) -> Option<&'a str> {
    if let Some(name) = current
        && text.starts_with(name)
        && text[name.len()..].starts_with(['-', ':'])
    {
        return Some(&text[..name.len()]);
    }
    if !text.contains(':') {
        return None;
    }
    // Names without an ending count before a line of fio; they may have colons.
    let is_fio = text.contains("IOPS=") || text.contains("iops=") || text.contains("bw=");
    let (name, rest) = match text.split_once(":  ").filter(|_| is_fio) {
        Some(found) => found,
        None => text.split_once(':')?,
    };
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_name = name.len() <= MAX_NAME
        && !name.contains(char::is_whitespace)
        && name.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '/');
    // `results.txt:` alone is a title already.
    // `baseline: iops=25k bw=98MiB/s` are the figures of a side: fio has the operation first.
    let has_operation = rest
        .split('=')
        .next()
        .is_some_and(|front| front.contains(':'));
    let is_bare = is_fio && has_operation && name.len() >= MIN_NAME;
    let is_file = is_name && (stem(file) != file || is_bare);
    (is_file && !rest.trim().is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let lines = text
            .lines()
            .zip(0..)
            .map(|(line, index)| Line::new(line, index))
            .collect();
        split(lines)
            .iter()
            .map(|line| line.text().to_owned())
            .collect()
    }

    #[test]
    fn files_become_titles() {
        assert_eq!(
            shown("a.log:  x: 1\na.log-   y\n--\nb.log:  x: 2\nend"),
            ["a.log:", "  x: 1", "   y", "--", "b.log:", "  x: 2", "end"]
        );
        assert_eq!(
            shown("a/fio.txt:12:x: 1\nb/fio.txt:9:x: 2"),
            ["a/fio.txt:", "x: 1", "b/fio.txt:", "x: 2"]
        );
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "a.log: x\nb\nc.log: y",
            "v6.1: 12\nv6.6: 13",
            "a.log: x\na.log: y",
            "see a.log: x\nsee b.log: y",
            "a.log:\n x\nb.log:\n y",
            "baseline: iops=25k bw=98MiB/s\npatched: iops=26k bw=99MiB/s",
        ] {
            assert_eq!(shown(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }
}
