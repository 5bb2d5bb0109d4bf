//! Tables of tiotest and of tiobench, which runs it. Their megabytes are 2^20 bytes.

use super::bench::BenchValue;
use super::fact::decimal;
use super::{Fact, Note};

const MEGABYTE: f64 = 1_048_576.0;
const MS: f64 = 1e6;

/// Key, heading and words of a workload.
const ITEMS: [(&str, &str, &str); 6] = [
    ("write", "Write", "write"),
    ("random_write", "Random Write", "random write"),
    ("read", "Read", "read"),
    ("random_read", "Random Read", "random read"),
    ("write", "Sequential Writes", "sequential write"),
    ("read", "Sequential Reads", "sequential read"),
];

/// A column: key and name of the fact, end of the figure's key, words, unit, bytes or ns per unit.
type Measure = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    f64,
);
const RATE: Measure = ("rate_bps", "Rate", "rate", "rate", "bytes/s", MEGABYTE);
const MEAN: Measure = (
    "latency_mean_ns",
    "Mean latency",
    "lat_mean",
    "mean latency",
    "ns",
    MS,
);
const MAXIMUM: Measure = (
    "latency_max_ns",
    "Max latency",
    "lat_max",
    "max latency",
    "ns",
    MS,
);

struct TiobenchRow<'a> {
    tool: &'static str,
    identifier: Option<&'a str>,
    item: (&'static str, &'static str),
    threads: u32,
}

impl TiobenchRow<'_> {
    fn add(&self, note: &mut Note, measure: Measure, number: &str) {
        let (key, name, end, words, unit, scale) = measure;
        let Some(value) = decimal(number).map(|n| n * scale) else {
            return;
        };
        let (what, item) = self.item;
        let threads = format!(
            "{} thread{}",
            self.threads,
            if self.threads == 1 { "" } else { "s" }
        );
        let of = [self.identifier.unwrap_or(""), item, &threads]
            .into_iter()
            .filter(|w| !w.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        note.add(Fact::number(key, name, value, unit).of(Some(&of)));
        note.add_value(BenchValue {
            tool: self.tool,
            of: self.identifier.map(str::to_owned),
            whole: true,
            set: None,
            what: format!("{what}.t{}.{end}", self.threads),
            words: format!("{item}, {threads}: {words}"),
            unit,
            value,
        });
    }
}

fn item(name: &str) -> Option<(&'static str, &'static str)> {
    ITEMS
        .iter()
        .find(|(_, known, _)| *known == name)
        .map(|(key, _, words)| (*key, *words))
}

/// `| Random Write   16 MBs |   19.5 s |   0.802 MB/s | ...`, and the latencies of the table below.
pub fn read_tiotest(text: &str, note: &mut Note) {
    let mut threads = None;
    for line in text.lines().map(unquoted) {
        if let Some(rest) = line.strip_prefix("Tiotest results for ") {
            threads = rest
                .split_once(" concurrent")
                .and_then(|(n, _)| n.parse().ok());
        }
        let Some(threads) = threads else { continue };
        let Some(inside) = line.strip_prefix('|') else {
            continue;
        };
        let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
        let [name, first, second, ..] = cells.as_slice() else {
            continue;
        };
        let row = |item| TiobenchRow {
            tool: "tiotest",
            identifier: None,
            item,
            threads,
        };
        if let (Some(amount), Some(rate)) =
            (name.strip_suffix(" MBs"), second.strip_suffix(" MB/s"))
        {
            let done = amount
                .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
                .trim();
            if let Some(item) = item(done) {
                row(item).add(note, RATE, rate.trim());
            }
        } else if let (Some(item), Some(mean), Some(most)) = (
            item(name),
            first.strip_suffix(" ms"),
            second.strip_suffix(" ms"),
        ) {
            row(item).add(note, MEAN, mean.trim());
            row(item).add(note, MAXIMUM, most.trim());
        }
    }
}

/// Columns of a table by its headings: `Identifier Size Size Thr Rate (CPU%) Latency Latency >2s
/// >10s Eff`.
struct TiobenchColumns {
    all: usize,
    threads: usize,
    rate: usize,
    latencies: Vec<usize>,
}

impl TiobenchColumns {
    fn of(head: &[&str]) -> Option<TiobenchColumns> {
        let at = |name: &str| head.iter().position(|word| *word == name);
        let latencies = head
            .iter()
            .enumerate()
            .filter(|(_, word)| **word == "Latency")
            .map(|(i, _)| i)
            .take(2)
            .collect();
        Some(TiobenchColumns {
            all: head.len(),
            threads: at("Thr")?,
            rate: at("Rate")?,
            latencies,
        })
    }
}

/// Rows below `Sequential Reads` and similar titles; the identifier names what was measured,
/// usually a kernel.
pub fn read(text: &str, note: &mut Note) {
    let mut item_now = None;
    let mut columns: Option<TiobenchColumns> = None;
    let mut before = "";
    for line in text.lines().map(unquoted) {
        // `( CPU%)` is one column.
        let spaced = line.replace("( ", "(");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let kind = before.split_whitespace().next().unwrap_or("");
        before = line;
        if let Some(found) = item(line)
            .or_else(|| item(line.strip_suffix('s')?))
            .filter(|_| line.ends_with('s'))
        {
            (item_now, columns) = (Some(found), None);
        } else if let Some(head) = TiobenchColumns::of(&words) {
            // In some reports the title is in the first column: `Random  Num  Avg` above `Reads  Thr  Rate`.
            let title = format!("{kind} {}", words[0]);
            if let Some(found) =
                item(&title).or_else(|| item(title.strip_suffix('s').unwrap_or("")))
            {
                item_now = Some(found);
            }
            columns = Some(head);
        } else if let (Some(item), Some(at)) = (item_now, &columns)
            && words.len() == at.all
            && let Ok(threads) = words[at.threads].parse()
        {
            let row = TiobenchRow {
                tool: "tiobench",
                identifier: Some(words[0]),
                item,
                threads,
            };
            row.add(note, RATE, words[at.rate]);
            for (&i, measure) in at.latencies.iter().zip([MEAN, MAXIMUM]) {
                row.add(note, measure, words[i]);
            }
        }
    }
}

/// Without the marks of quoted mail.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(['>', ' ']).trim()
}
