//! tiotest's frames, wrapped or not, with what stands above them. Its megabytes are 2^20 bytes.

use super::context;
use super::lines::MailLine;
use super::table::{FoundRow, FoundTable, NamedValue, plain};
use super::units::{TableUnit, quantity};
use crate::notes::Good;

const TOOL: &str = "tiotest";
/// tiotest counts 10^6 as `units` reads it; its megabyte is larger.
const MEGABYTE: f64 = 1.048_576;
/// Lines of both frames, wrapped.
const LINES: usize = 60;

/// The frames below the line `at`, with the line behind them.
pub fn read(lines: &[MailLine], floor: usize, at: usize) -> Option<(FoundTable, usize)> {
    let rest = lines[at].text.trim().strip_prefix("Tiotest results for ")?;
    let threads = rest
        .split_once(" concurrent")
        .map(|(n, _)| n.trim())
        .filter(|n| n.parse::<u32>().is_ok())?;
    let context = context::above(
        lines,
        floor,
        at,
        &["threads".to_owned(), "operation".to_owned()],
    );
    let mut rows: Vec<FoundRow> = Vec::new();
    let mut end = at + 1;
    let mut last = end;
    for (i, line) in lines.iter().enumerate().skip(at + 1).take(LINES) {
        let text = line.text.trim();
        if text.starts_with("Tiotest results for ") || (line.is_blank() && i > last + 1) {
            break;
        }
        end = i + 1;
        let Some(inside) = text.strip_prefix('|') else {
            continue;
        };
        last = i;
        let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
        let [name, first, second, ..] = cells.as_slice() else {
            continue;
        };
        let operation = name
            .trim_end_matches(" MBs")
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
            .trim();
        if !matches!(operation, "Write" | "Random Write" | "Read" | "Random Read") {
            continue;
        }
        let figures = match (quantity(first), quantity(second)) {
            (
                Some((_, Some(TableUnit { unit: "ns", .. }))),
                Some((
                    rate,
                    Some(TableUnit {
                        unit: "bytes/s",
                        scale,
                        ..
                    }),
                )),
            ) => {
                vec![plain(
                    TOOL,
                    "rate",
                    "bytes/s",
                    Some(Good::More),
                    rate * scale * MEGABYTE,
                )]
            }
            (
                Some((
                    mean,
                    Some(TableUnit {
                        unit: "ns", scale, ..
                    }),
                )),
                Some((most, Some(TableUnit { unit: "ns", .. }))),
            ) => vec![
                plain(TOOL, "mean latency", "ns", Some(Good::Less), mean * scale),
                plain(TOOL, "max latency", "ns", Some(Good::Less), most * scale),
            ],
            _ => continue,
        };
        let operation = NamedValue::new("operation", &operation.to_lowercase());
        match rows
            .iter_mut()
            .find(|row| row.dimensions.contains(&operation))
        {
            Some(row) => row.figures.extend(figures),
            None => {
                let mut dimensions = context.clone();
                dimensions.extend([NamedValue::new("threads", threads), operation]);
                rows.push(FoundRow {
                    dimensions,
                    figures,
                });
            }
        }
    }
    (!rows.is_empty()).then(|| {
        (
            FoundTable {
                tool: TOOL,
                line: lines[at].number,
                rows,
            },
            end,
        )
    })
}
