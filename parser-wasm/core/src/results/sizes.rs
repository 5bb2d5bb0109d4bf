//! How many requests had which size: `nr wrt size` above rows of a number and a size, as people
//! count the lines of blkparse, and as the page prints it, with the letter of a run behind each
//! row.

use super::context;
use super::lines::{MailLine, past_rules};
use super::table::{FoundRow, FoundTable, NamedValue, figure};
use crate::notes::bench::TABLE;

/// Rows of a table.
const MOST_ROWS: usize = 400;

/// What the headings name: the place of the sizes, and what was counted.
struct SizeHeadings {
    size_first: bool,
    counted: &'static str,
}

fn headings(line: &MailLine) -> Option<SizeHeadings> {
    let words: Vec<String> = line
        .words()
        .iter()
        .map(|word| word.to_ascii_lowercase())
        .collect();
    let is_size = |word: &String| matches!(word.as_str(), "size" | "sectors" | "blocks");
    let (first, last) = (words.first()?, words.last()?);
    let size_first = is_size(first);
    let rest = match (size_first, is_size(last)) {
        (true, false) => &words[1..],
        (false, true) => &words[..words.len() - 1],
        _ => return None,
    };
    let mut counts = false;
    let mut counted = "requests";
    for word in rest {
        match word.as_str() {
            "nr" | "n" | "#" | "count" | "num" | "number" => counts = true,
            "wrt" | "wr" | "write" | "writes" => counted = "writes",
            "rd" | "read" | "reads" => counted = "reads",
            "req" | "reqs" | "request" | "requests" | "of" => {}
            _ => return None,
        }
    }
    (counts && rest.len() <= 3).then_some(SizeHeadings {
        size_first,
        counted,
    })
}

/// The table whose headings are in the line `at`, with the line behind it.
pub fn read(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let SizeHeadings {
        size_first,
        counted,
    } = headings(&lines[at])?;
    let context = context::above(lines, floor, at, &["size".to_owned(), "run".to_owned()]);
    let mut rows: Vec<FoundRow> = Vec::new();
    let mut end = past_rules(lines, at + 1);
    while let Some(line) = lines
        .get(end)
        .filter(|line| !line.is_blank() && rows.len() < MOST_ROWS)
    {
        let words = line.words();
        if words
            .first()
            .is_some_and(|word| matches!(*word, "..." | "\u{2026}"))
        {
            // Rows that were left out.
            end += 1;
            continue;
        }
        let (one, two, run) = match words.as_slice() {
            [one, two] => (*one, *two, None),
            [one, two, run]
                if run.len() <= 2 && run.starts_with(|c: char| c.is_ascii_uppercase()) =>
            {
                (*one, *two, Some(*run))
            }
            _ => break,
        };
        let whole = |word: &str| word.replace(',', "").parse::<u64>().ok();
        let (Some(one), Some(two)) = (whole(one), whole(two)) else {
            break;
        };
        let (n, size) = if size_first { (two, one) } else { (one, two) };
        let mut dimensions = context.clone();
        dimensions.extend(run.map(|run| NamedValue::new("run", run)));
        dimensions.push(NamedValue::new("size", &size.to_string()));
        rows.push(FoundRow {
            dimensions,
            figures: vec![figure(TABLE, counted, None, n as f64)],
        });
        end = past_rules(lines, end + 1);
    }
    (rows.len() >= 2).then(|| {
        (
            FoundTable {
                tool: TABLE,
                line: lines[at].number,
                rows,
            },
            end,
        )
    })
}
