//! The name of a recording, from the lines above it.

use seekscope_notes::labels;
use seekscope_texts::structure::{heading, prompt};

/// Characters of a name; longer lines are sentences.
const MAX_NAME: usize = 60;
/// Programs that record.
const RECORDERS: [&str; 8] = [
    "blktrace",
    "btrace",
    "trace-cmd",
    "perf",
    "biosnoop",
    "biosnoop-bpfcc",
    "iosnoop",
    "seekscope-record",
];

/// A line without quotation marks, comment marks and blanks.
fn plain(line: &str) -> &str {
    let mut text = line.trim();
    while let Some(rest) = text.strip_prefix('>') {
        text = rest.trim();
    }
    text.strip_prefix("//").unwrap_or(text).trim()
}

/// Whether a line says something: `......` and code fences do not.
pub fn is_text(line: &str) -> bool {
    let text = plain(line);
    let skips = text.starts_with('(') && text.ends_with(')') || text.starts_with("```");
    let snips = ["[snip", "<snip", "--", "[..."];
    text.contains(|c: char| c.is_alphanumeric())
        && !skips
        && !snips.iter().any(|begin| text.starts_with(begin))
}

/// The name in the lines above a recording; the nearest counts.
pub fn find_name(lines: &[String]) -> Option<String> {
    let below = |index: usize| lines.get(index + 1).map_or("", |line| plain(line));
    let mut is_nearest = true;
    let named = |(index, line): (usize, &String)| {
        let name = in_line(plain(line), below(index), is_nearest);
        // A sentence above a command is about the command.
        is_nearest = false;
        // A path may end with a slash.
        name.filter(|name| !name.trim().is_empty())
    };
    let name = lines
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, line)| is_text(line))
        .find_map(named)?;
    as_part_of_path(&name)
}

/// A name without what separates the parts of a path; `None` if nothing is left to show.
pub fn as_part_of_path(name: &str) -> Option<String> {
    let shown = |c: char| match c {
        '/' | '\\' => '-',
        c if c.is_control() => ' ',
        c => c,
    };
    let name: String = name.chars().map(shown).collect();
    (!name.trim().is_empty()).then_some(name)
}

/// `is_nearest`: nothing else stands between the line and the recording.
fn in_line(line: &str, below: &str, is_nearest: bool) -> Option<String> {
    if let Some(command) = prompt::command(line) {
        return output_of(command);
    }
    let title = heading::titled(line, below).map(|(_, title)| title);
    if let Some(title) = title.filter(|title| title.chars().count() <= MAX_NAME) {
        return Some(release_in(title).unwrap_or(title).to_owned());
    }
    if let Some(release) = release_in(line) {
        return Some(release.to_owned());
    }
    if !line.contains(' ') && line.contains('/') {
        // The rest of a command that was wrapped.
        return line.rsplit('/').next().map(str::to_owned);
    }
    let line = line.trim_end_matches([':', '.']);
    // A header of a mail or a page has a colon inside.
    let is_short = line.chars().count() <= MAX_NAME && !line.contains(':');
    (is_nearest && is_short).then(|| line.to_owned())
}

/// The file that a command writes.
fn output_of(command: &str) -> Option<String> {
    let file = command.rsplit_once('>')?.1.split_whitespace().next()?;
    file.rsplit('/').next().map(str::to_owned)
}

/// A release of a kernel in a longer line: `Linux box 5.4.0-1068-aws #72 SMP`.
fn release_in(line: &str) -> Option<&str> {
    line.split(|c: char| c.is_whitespace() || "(),;:".contains(c))
        .find(|word| word.matches('.').count() >= 2 && labels::is_kernel_form(word))
}

/// Whether one of the lines is a title that names a side of a comparison.
pub fn names_side(lines: &[String]) -> bool {
    let titles = lines.iter().enumerate().filter_map(|(index, line)| {
        let below = lines.get(index + 1).map_or("", |line| plain(line));
        heading::titled(plain(line), below).map(|(_, title)| title)
    });
    titles
        .filter(|title| title.split_whitespace().count() <= 6)
        .any(|title| labels::is_kernel_form(title) || heading::names_side(title))
}

/// Whether one of the lines is a command that records.
pub fn records(lines: &[String]) -> bool {
    let commands = lines.iter().filter_map(|line| prompt::command(plain(line)));
    commands
        .flat_map(|command| command.split(|c: char| c.is_whitespace() || c == '/' || c == '|'))
        .any(|word| RECORDERS.contains(&word))
}
