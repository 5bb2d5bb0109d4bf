//! Patches of source code: their lines are no titles and no results.
//!
//! ```text
//! diff --git a/block/blk-mq.c b/block/blk-mq.c
//! index 1a2b3c4d5e6f..6f5e4d3c2b1a 100644
//! --- a/block/blk-mq.c
//! +++ b/block/blk-mq.c
//! @@ -512,7 +512,8 @@ static void blk_mq_start(void)
//!      unchanged
//! -    removed
//! +    added
//! ```

use crate::line::Line;

/// Endings of files that may have results. People compare them with `git diff`, too.
const RESULTS: [&str; 7] = [".txt", ".log", ".out", ".json", ".csv", ".tsv", ".dat"];

/// The line behind the patch of a file of source code that begins at a line.
pub fn end(lines: &[Line], start: usize) -> Option<usize> {
    let text = |index: usize| lines.get(index).map_or("", Line::text);
    let header = match text(start).strip_prefix("diff --git ") {
        Some(paths) => {
            let (old, new) = paths.split_once(' ')?;
            is_code(old, new).then_some(())?;
            // The mode, the similarity, the ids of both versions.
            (start + 1..start + 6).find(|&index| text(index).starts_with("--- "))?
        }
        None => start,
    };
    let old = text(header).strip_prefix("--- ")?;
    let new = text(header + 1).strip_prefix("+++ ")?;
    let is_known = old == "/dev/null" || new == "/dev/null" || is_code(old, new);
    let mut end = header + 2;
    while let Some(counts) = hunk(text(end)) {
        end = end_of_hunk(lines, end + 1, counts);
    }
    (is_known && end > header + 2).then_some(end)
}

/// Whether both paths are one file of source code.
fn is_code(old: &str, new: &str) -> bool {
    let path = |path: &str| path.split_once('/').map(|(_, path)| path.trim().to_owned());
    let is_result = RESULTS
        .iter()
        .any(|ending| new.trim_end().ends_with(ending));
    path(old).is_some() && path(old) == path(new) && !is_result
}

/// The lines of both versions in `@@ -512,7 +512,8 @@`; without a number it is one.
pub fn hunk(text: &str) -> Option<[usize; 2]> {
    let (ranges, _) = text.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    Some([count(old)?, count(new)?])
}

/// The line behind a hunk with so many lines of both versions.
fn end_of_hunk(lines: &[Line], begin: usize, [mut old, mut new]: [usize; 2]) -> usize {
    let mut end = begin;
    while old + new > 0
        && let Some(line) = lines.get(end)
    {
        let (is_old, is_new) = match line.text().bytes().next() {
            Some(b'-') => (true, false),
            Some(b'+') => (false, true),
            // Mailers remove the blank of empty lines.
            Some(b' ' | b'\t') | None => (true, true),
            Some(b'\\') => (false, false),
            Some(_) => break,
        };
        if is_old && old == 0 || is_new && new == 0 {
            break;
        }
        old -= usize::from(is_old);
        new -= usize::from(is_new);
        end += 1;
    }
    end
}
