//! Tables of tiobench, and of reports made of them:
//!
//! ```text
//! Sequential Reads
//!                               File  Blk   Num                   Avg      Maximum      Lat%     Lat%    CPU
//! Identifier                    Size  Size  Thr   Rate  (CPU%)  Latency    Latency      >2s      >10s    Eff
//! ---------------------------- ------ ----- ---  ------ ------ --------- -----------  -------- -------- -----
//! 2.6.9                          1534  4096    1   40.74 9.440%     0.298     2641.08   0.00102  0.00000   114
//!
//!         File   Block  Num  Seq Read    Rand Read   Seq Write  Rand Write             old versions
//!  Dir    Size   Size   Thr Rate (CPU%) Rate (CPU%) Rate (CPU%) Rate (CPU%)
//!   .     1024   4096    1  36.57 29.3% 1.207 0.77% 22.40 19.7% 0.913 0.81%
//! ```
//!
//! Megabytes are 2^20 bytes.

use crate::readers::benchmarks::collect::{
    Collector, MIB, MS, PERCENT, decimal, is_border, rate, share, time, words,
};
use crate::recognise::{Cursor, Output};
use seekscope_trace::sorting::SortShort;

const OPERATIONS: [(&str, &str); 6] = [
    ("Sequential Read", "sequential read"),
    ("Sequential Write", "sequential write"),
    ("Random Read", "random read"),
    ("Random Write", "random write"),
    ("Seq Read", "sequential read"),
    ("Seq Write", "sequential write"),
];

/// Lines from a title to its heading, and between two rows.
const MAX_HEAD: usize = 4;
const MAX_GAP: usize = 2;
/// Lines of the list of units above the tables.
const MAX_UNITS: usize = 14;

/// Columns of a heading, counted from the right.
struct Columns {
    /// Number of words behind the identifier.
    count: usize,
    threads: usize,
    rate: usize,
    cpu: Option<usize>,
    latencies: Vec<usize>,
    sizes: Vec<usize>,
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "tiobench");
    let first = cursor.text(0).trim();
    let titled = first.starts_with("Sequential ") || first.starts_with("Random");
    let headed = first.contains("Thr") || cursor.text(1).contains("Thr");
    if !titled && !headed && first != "Unit information" {
        return None;
    }
    let mut offset = 0;
    if first == "Unit information" {
        offset = (1..MAX_UNITS).find(|i| table_at(cursor, *i).is_some())?;
    }
    if let Some(end) = read_wide(&mut found, cursor, offset) {
        return found.finish(end);
    }
    let mut seen: Vec<&str> = Vec::new();
    let mut end = offset;
    while let Some((operation, heading)) = table_at(cursor, offset) {
        if seen.contains(&operation) {
            break;
        }
        seen.push(operation);
        found.set("op", operation);
        end = read_rows(&mut found, cursor, heading);
        let next = (end..end + MAX_HEAD).find(|i| !cursor.text(*i).trim().is_empty());
        let Some(next) = next else { break };
        offset = next;
    }
    found.finish(end)
}

/// The operation of a table whose title is at an offset, and the line of its last heading.
fn table_at(cursor: Cursor, offset: usize) -> Option<(&'static str, usize)> {
    let title = cursor.text(offset).trim();
    if let Some(operation) = operation_of(title) {
        let heading = (offset..offset + MAX_HEAD).find(|i| columns_of(cursor.text(*i)).is_some());
        return heading.map(|heading| (operation, heading));
    }
    // `Random    Num   Avg` above `Reads    Thr  Rate`.
    let kind = title.split_whitespace().next()?;
    let below = cursor.text(offset + 1);
    let name = below.split_whitespace().next()?;
    columns_of(below)?;
    operation_of(&format!("{kind} {name}")).map(|operation| (operation, offset + 1))
}

/// The operation that a title begins with: `Sequential Reads   Num   Avg`.
fn operation_of(title: &str) -> Option<&'static str> {
    let parts = words(title);
    let name = format!("{} {}", parts.first()?, parts.get(1)?);
    let name = name.strip_suffix('s').unwrap_or(&name).to_owned();
    let rest = &parts[2..];
    let columns = rest.is_empty() || rest.contains(&"Num") || rest.contains(&"Thr");
    OPERATIONS[..4]
        .iter()
        .find(|(operation, _)| *operation == name && columns)
        .map(|(_, operation)| *operation)
}

/// Joins the heading `( CPU%)`, which is one word.
fn spaced(text: &str) -> String {
    text.replace("( ", " (")
}

fn columns_of(text: &str) -> Option<Columns> {
    if !text.contains("Thr") || !text.contains("Latency") {
        return None;
    }
    let line = spaced(text);
    let head = words(&line);
    let place = |name: &str| head.iter().position(|word| *word == name);
    let all = |name: &str| -> Vec<usize> {
        let matches = head.iter().enumerate().filter(|(_, word)| **word == name);
        matches.map(|(index, _)| head.len() - index).collect()
    };
    Some(Columns {
        count: head.len() - 1,
        threads: head.len() - place("Thr")?,
        rate: head.len() - place("Rate")?,
        cpu: place("(CPU%)").map(|index| head.len() - index),
        latencies: all("Latency"),
        sizes: all("Size"),
    })
}

/// Reads the rows below a heading; the line behind them.
fn read_rows(found: &mut Collector, cursor: Cursor, heading: usize) -> usize {
    let Some(columns) = columns_of(cursor.text(heading)) else {
        return heading + 1;
    };
    let side = if cursor.text(heading).trim_start().starts_with("Kernel") {
        "kernel"
    } else {
        "identifier"
    };
    found.set_side(side);
    for name in ["kernel", "identifier", "threads"] {
        found.unset(name);
    }
    let mut end = heading + 1;
    let mut offset = heading + 1;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset);
        let is_rule = text.trim().starts_with("---");
        if is_rule || read_row(found, offset, text, side, &columns) {
            end = offset + 1;
        } else if !text.trim().is_empty() || is_border(text) {
            break;
        }
        offset += 1;
    }
    end
}

fn read_row(
    found: &mut Collector,
    offset: usize,
    text: &str,
    side: &str,
    columns: &Columns,
) -> bool {
    let parts: Vec<&str> = words(text)
        .into_iter()
        .map(|word| word.trim_matches(['(', ')']))
        .filter(|word| !word.is_empty())
        .collect();
    if parts.len() <= columns.count {
        return false;
    }
    let (identifier, numbers) = parts.split_at(parts.len() - columns.count);
    let value = |word: &str| decimal(word.trim_end_matches('%'));
    if !numbers.iter().all(|word| value(word).is_some()) {
        return false;
    }
    let from_right = |place: usize| numbers.get(numbers.len().wrapping_sub(place)).copied();
    let Some(threads) = from_right(columns.threads).filter(|word| word.parse::<u32>().is_ok())
    else {
        return false;
    };
    found.set(side, &identifier.join(" "));
    found.set("threads", threads);
    for (place, name) in columns.sizes.iter().zip(["file size", "block size"]) {
        if let Some(word) = from_right(*place) {
            found.set(name, word);
        }
    }
    let mut add = |place: Option<usize>, metric, factor: f64| {
        if let Some((word, number)) = place
            .and_then(from_right)
            .and_then(|w| Some((w, value(w)?)))
        {
            found.add(offset, word, metric, number * factor);
        }
    };
    add(Some(columns.rate), rate("rate", "throughput"), MIB);
    add(columns.cpu, share("cpu", "CPU"), PERCENT);
    let latencies = [
        ("latency.mean", "mean latency"),
        ("latency.max", "max latency"),
    ];
    for (place, (key, label)) in columns.latencies.iter().zip(latencies) {
        add(Some(*place), time(key, label), MS);
    }
    true
}

/// Reads the tables of old versions, with all operations in one row.
fn read_wide(found: &mut Collector, cursor: Cursor, begin: usize) -> Option<usize> {
    let heading = (begin..begin + 2).find(|i| cursor.text(*i).matches("(CPU%)").count() >= 3)?;
    let line = cursor.text(heading);
    if !line.contains("Thr") {
        return None;
    }
    let above = cursor.text(heading.checked_sub(1)?);
    let names = if line.contains("Read (CPU%)") {
        line
    } else {
        above
    };
    let mut operations: Vec<(usize, &str)> = Vec::new();
    for (name, operation) in [
        ("Seq Read", "sequential read"),
        ("Rand Read", "random read"),
        ("Seq Write", "sequential write"),
        ("Rand Write", "random write"),
        ("Read (", "sequential read"),
        ("Write (", "sequential write"),
        ("Seeks (", "random read"),
    ] {
        if let Some(place) = names.find(name) {
            operations.push((place, operation));
        }
    }
    operations.sort_short();
    if operations.len() != line.matches("(CPU%)").count() {
        return None;
    }
    let mut offset = heading + 1;
    loop {
        let text = cursor.text(offset);
        let parts = words(text);
        let results = parts.len().checked_sub(operations.len() * 2);
        let numbers = |from: usize| {
            let words = parts.get(from..).unwrap_or(&[]);
            words
                .iter()
                .all(|word| decimal(word.trim_end_matches('%')).is_some())
        };
        if text.trim().starts_with("---") {
            offset += 1;
            continue;
        }
        let Some(results) = results.filter(|results| *results >= 4 && numbers(results - 1)) else {
            return Some(offset);
        };
        found.set("threads", parts[results - 1]);
        for (index, (_, operation)) in operations.iter().enumerate() {
            found.set("op", operation);
            let (word, cpu) = (parts[results + index * 2], parts[results + index * 2 + 1]);
            if let Some(value) = decimal(word) {
                found.add(offset, word, rate("rate", "throughput"), value * MIB);
            }
            if let Some(value) = decimal(cpu.trim_end_matches('%')) {
                found.add(offset, cpu, share("cpu", "CPU"), value * PERCENT);
            }
        }
        offset += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

    #[test]
    fn tables_of_all_operations_are_one_output() {
        let text = "Unit information\n================\nFile size = megabytes\n\n\
            Sequential Reads\n                 File  Blk   Num                   Avg      Maximum      Lat%     Lat%    CPU\n\
            Identifier       Size  Size  Thr   Rate  (CPU%)  Latency    Latency      >2s      >10s    Eff\n\
            ---------------- ------ ----- ---  ------ ------ --------- -----------  -------- -------- -----\n\
            2.6.9 smp        1534  4096    1   40.50 9.440%     0.298     2641.08   0.00102  0.00000   114\n\
            2.6.10           1534  4096    1   46.31 9.440%     0.265      313.59   0.00102  0.00000   114\n\n\
            Random Writes\n                 File  Blk   Num                   Avg      Maximum      Lat%     Lat%    CPU\n\
            Identifier       Size  Size  Thr   Rate  (CPU%)  Latency    Latency      >2s      >10s    Eff\n\
            ---------------- ------ ----- ---  ------ ------ --------- -----------  -------- -------- -----\n\
            2.6.10           1534  4096    4    0.83 9.440%     0.021       13.90   0.00102  0.00000   114\n";
        let found = figures(read, text);
        let before =
            "op=sequential read identifier=2.6.9 smp threads=1 file size=1534 block size=4096";
        let rate = format!("{before} rate 42467330");
        let most = format!("{before} latency.max 2641080000");
        assert_has(&found, &[rate.as_str(), &most]);
        assert_eq!(found.len(), 12);
        assert_eq!(outputs(read, text).len(), 1);
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
    }

    #[test]
    fn short_tables_of_reports_are_read() {
        let text = "Sequential Reads   Num                  Avg     Maximum   Lat%    Lat%  CPU\n\
            Kernel             Thr  Rate  (CPU%)  Latency   Latency    >2s    >0s   Eff\n\
            ------------------ --- ----------------------------------------------------\n\
            2.4.17-rmap12f       8   9.50 13.97%    9.788    980.50 0.00000 0.00000  67\n\n\
            2.4.17-rmap12f-wli  16   9.38 13.74%    9.759    886.07 0.00000 0.00000  67\n\n\
            Random           Num                  Avg      Maximum  Lat%   Lat%  CPU\n\
            Reads            Thr Rate  ( CPU%)  Latency    Latency   >2s   >10s  Eff\n\
            2.4.18-pre9        8   0.50  2.33%   10.500   1785.50  0.000  0.000  67\n";
        assert_has(
            &figures(read, text),
            &[
                "op=sequential read kernel=2.4.17-rmap12f threads=8 rate 9961472",
                "op=sequential read kernel=2.4.17-rmap12f-wli threads=16 latency.max 886070000",
                "op=random read identifier=2.4.18-pre9 threads=8 latency.mean 10500000",
            ],
        );
    }

    #[test]
    fn old_tables_have_all_operations_in_a_row() {
        let text = "         File   Block  Num  Seq Read    Rand Read   Seq Write  Rand Write\n  \
            Dir    Size   Size   Thr Rate (CPU%) Rate (CPU%) Rate (CPU%) Rate (CPU%)\n\
            ------- ------ ------- --- ----------- ----------- ----------- -----------\n   \
            .     1024   4096    1  36.50 29.3% 1.207 0.77% 22.40 19.7% 0.500 0.81%\n";
        assert_has(
            &figures(read, text),
            &[
                "threads=1 op=sequential read rate 38273020",
                "threads=1 op=random write rate 524288",
            ],
        );
        let older = "  Dir    Size  BlkSz  Thr# Read (CPU%) Write (CPU%) Seeks (CPU%)\n\
            ------- ------ ------ ---- ----------- ------------ ------------\n   \
            .     1024   4096    1  20.50 18.5%  19.44 28.9%  0.911 1.16%\n";
        let text =
            format!("Size is MB, BlkSz is Bytes, Read, Write, and Seeks are MB/sec\n\n{older}");
        assert_has(
            &figures(read, &text),
            &["threads=1 op=sequential read rate 21495810"],
        );
        assert!(figures(read, "Random Reads are slower now\nThr Rate Latency\n").is_empty());
    }
}
